//! A choice between functions: a function that makes the choice where it is called.
//!
//! `if c { f } else { g }` is `|x…| if c { f(x…) } else { g(x…) }`, which captures the three
//! values: so it stays known what is called.

use crate::handles::Choices;
use crate::thir::{Expr, FnId};
use crate::typed::choice::Choice;
use crate::typed::values::{error_expr, with_first};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

impl Choices<'_, '_> {
    /// The choice between `f`, the value `a`, and `g`, the value `b`.
    pub fn choose_functions(
        &mut self,
        of: Choice,
        cond: Expr,
        (f, a): (FnId, Expr),
        (g, b): (FnId, Expr),
        span: Span,
    ) -> Expr {
        let counts = [self.parameter_count(f), self.parameter_count(g)];
        if counts[0] != counts[1] {
            let d = Diagnostic::error(
                Code::E0308,
                format!("{} take {} and {} arguments", of.sides(), counts[0], counts[1]),
            )
            .primary(b.span, format!("a function of {}", counts[1]))
            .secondary(a.span, format!("a function of {}", counts[0]));
            self.checker.report(d);
            return error_expr(span);
        }
        self.checker.cx().push_scope();
        let mut names = Vec::new();
        let mut stmts = Vec::new();
        for (what, e) in [("condition", cond), ("one", a), ("other", b)] {
            let hidden = self.checker.hidden(what, e);
            names.push(hidden.ident);
            stmts.push(hidden.stmt);
        }
        let params = (0..counts[0]).map(|n| self.checker.fresh(&format!("x{n}"), span)).collect();
        // Choices within one `match` have one place, and a condition of their own each.
        let name = hir::Ident { name: Name::new("lambda"), span, var: names[0].var };
        let chosen = self.checker.calls().named_lambda(name, &lambda(params, &names, span), span);
        self.checker.cx().pop_scope();
        stmts.into_iter().rev().fold(chosen, |e, stmt| with_first(stmt, e))
    }

    /// How many arguments a function value takes.
    fn parameter_count(&self, f: FnId) -> usize {
        let function = &self.checker.functions[f];
        function.closure.as_ref().map_or(&function.def, |c| &c.shown).params.len()
    }
}

/// `|x0, …| if condition { one(x0, …) } else { other(x0, …) }`.
fn lambda(params: Vec<hir::Ident>, names: &[hir::Ident], span: Span) -> hir::Lambda {
    let path_to = |x: &hir::Ident| hir::Expr::of_var(x, span);
    let call = |f: &hir::Ident| {
        let arg = |x| hir::Arg { span, name: None, value: path_to(x) };
        let callee = Box::new(path_to(f));
        let kind = hir::ExprKind::Call { callee, args: params.iter().map(arg).collect() };
        let tail = Box::new(hir::Expr { span, kind });
        hir::Block { span, stmts: Vec::new(), tail: Some(tail) }
    };
    let otherwise = hir::Expr { span, kind: hir::ExprKind::Block(call(&names[2])) };
    let choice = hir::If {
        cond: Box::new(path_to(&names[0])),
        then: call(&names[1]),
        otherwise: Some(Box::new(otherwise)),
    };
    let body = Box::new(hir::Expr { span, kind: hir::ExprKind::If(choice) });
    let param = |name| hir::Param { span, name, ty: None, default: None };
    hir::Lambda { params: params.into_iter().map(param).collect(), body }
}
