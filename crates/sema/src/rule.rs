//! `@fn f(p, …) { D }`: the differential of a function, given by hand.

use crate::checker::Checker;
use crate::handles::Calls;
use crate::scope::{Binding, FnId};
use std::rc::Rc;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

impl Calls<'_, '_> {
    /// Notes the rule of a function of the same block or module.
    pub fn hoist_rule(&mut self, rule: &Rc<hir::DiffRule>) {
        let name = &rule.name;
        let f = match rule.function.and_then(|var| self.checker.lookup(var)) {
            Some(Binding::Function(f)) => f,
            _ => {
                let headline = format!("a rule for no function `{}`", name.name);
                let d = Diagnostic::error(Code::E0604, headline)
                    .primary(name.span, "no function of this name in this block")
                    .help(
                        "a rule stands beside its function: `fn f(x) { … }`, then `@fn f(x) { … }`",
                    );
                return self.checker.report(d);
            }
        };
        let (wanted, found) = (self.checker.functions[f].def.params.len(), rule.params.len());
        let headline = match (wanted == found, &self.checker.functions[f].rule) {
            (false, _) => format!("the rule of `{}` has another number of parameters", name.name),
            (true, Some(_)) => format!("`{}` has two rules", name.name),
            (true, None) => {
                let bare = self.checker.functions.push(self.checker.functions[f].clone());
                self.checker.functions[f].rule = Some((rule.clone(), bare));
                return;
            }
        };
        let of = self.checker.functions[f].def.name.span;
        let d = Diagnostic::error(Code::E0604, headline)
            .primary(name.span, format!("{found} here"))
            .secondary(of, format!("{wanted} here"))
            .help("a rule has the parameters of its function, and there is one");
        self.checker.report(d);
    }
}

impl Checker<'_> {
    /// The function that a call means: within the rule of one, that without the rule.
    pub fn meant(&self, f: FnId) -> FnId {
        match &self.functions[f].rule {
            Some((_, bare)) if self.without_rule.contains(&f) => *bare,
            _ => f,
        }
    }
}
