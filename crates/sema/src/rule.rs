//! `@fn f(p, …) { D }`: the differential of a function, given by hand; and differentials
//! where a number is needed.

use crate::call::Calls;
use crate::checker::{BodyCx, Checker};
use crate::choice::member_within;
use crate::differential::{is_differential, zero_differential};
use crate::expr::value;
use crate::operator::Operators;
use crate::scope::{Binding, FnId};
use crate::thir::{Expr, ExprKind, LocalId, Ty};
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

    /// The value of an instance with the differential that its function's rule gives.
    pub fn ruled(&mut self, f: FnId, params: &[LocalId], tail: Expr) -> Expr {
        let Some((rule, _)) = self.checker.functions[f].rule.clone() else { return tail };
        if tail.ty == Ty::Error {
            return tail;
        }
        self.checker.cx().push_scope();
        // The rule may use the function's value, also through other functions and their rules:
        // there it has no rule.
        let without = self.checker.without_rule.clone();
        self.checker.without_rule.insert(f);
        for (param, id) in rule.params.iter().zip(params) {
            self.checker.cx().used[*id] = true;
            if !param.name.is_discard() {
                self.checker.cx().bind(param.name.var, Binding::Local(*id));
            }
        }
        let block = self.checker.blocks().block(&rule.body.stmts, rule.body.tail.as_deref());
        self.checker.without_rule = without;
        self.checker.cx().pop_scope();
        let ty = block.tail.as_ref().map_or(Ty::unit(), |t| t.ty.clone());
        if ty == Ty::Error {
            return tail;
        }
        let d = value(ExprKind::Block(block), ty, rule.body.span);
        self.checker.cx().operators().with_differential(&rule, tail, d)
    }
}

impl Operators<'_, '_> {
    /// A value with its differential; of a tuple, member by member.
    fn with_differential(&mut self, rule: &hir::DiffRule, tail: Expr, d: Expr) -> Expr {
        if let (Some(values), Some(changes)) = (tail.ty.members(), d.ty.members())
            && values.len() == changes.len()
        {
            let both = values.iter().zip(changes).enumerate();
            let parts: Vec<(Expr, Expr)> = both
                .map(|(n, (x, dx))| (member_within(&tail, n, x), member_within(&d, n, dx)))
                .collect();
            let members: Vec<Expr> =
                parts.into_iter().map(|(x, dx)| self.with_differential(rule, x, dx)).collect();
            let ty = tail.ty.with_members(members.iter().map(|m| m.ty.clone()).collect());
            return value(ExprKind::Tuple(members), ty, tail.span);
        }
        let d = match (&tail.ty, &d.ty) {
            (Ty::Array(_, shape), Ty::Differential(_, rows)) if rows.len() == shape.len() => d,
            (Ty::Array(elem, shape), _) => match zero_differential(&d, *elem, shape) {
                Some(zero) => zero,
                None => return self.not_the_differential(rule, &tail, &d),
            },
            _ => return self.not_the_differential(rule, &tail, &d),
        };
        let (ty, span) = (tail.ty.clone(), tail.span);
        value(ExprKind::Ruled(Box::new(tail), Box::new(d)), ty, span)
    }

    fn not_the_differential(&mut self, rule: &hir::DiffRule, tail: &Expr, d: &Expr) -> Expr {
        let (found, wanted) = (self.cx.show_ty(&d.ty), self.cx.show_ty(&tail.ty));
        let name = &rule.name.name;
        let headline =
            format!("the rule of `{name}` gives {found}, not a differential of {wanted}");
        let d = Diagnostic::error(Code::E0604, headline)
            .primary(d.span, format!("this is {found}"))
            .help("a rule is linear in the differentials of its parameters: `g * @x`");
        self.cx.error(d)
    }

    /// A differential where a number is needed: every leaf changes by one.
    pub fn seeded(&mut self, e: Expr) -> Expr {
        let Ty::Differential(elem, shape) = e.ty.clone() else { return e };
        debug_assert!(is_differential(&e), "its type says so");
        self.cx.report(crate::lint::numbers::unseeded_tangent(e.span));
        let span = e.span;
        value(ExprKind::Seeded(Box::new(e)), Ty::Array(elem, shape), span)
    }
}

impl BodyCx<'_> {
    /// Whether a checked body is a differential.
    pub fn is_linear(&self, e: &Expr) -> bool {
        if is_differential(e) {
            return true;
        }
        let is = |e: &Expr| self.is_linear(e);
        match &e.kind {
            ExprKind::Differential(_) => true,
            ExprKind::Unary(_, x) | ExprKind::Cast(_, x) | ExprKind::Adapted(_, x) => is(x),
            ExprKind::Binary(_, a, b) | ExprKind::If(_, a, b) => is(a) || is(b),
            ExprKind::Reduce { body, .. } => is(body),
            ExprKind::Block(b) => b.tail.as_deref().is_some_and(is),
            ExprKind::Local(id) => {
                matches!(self.body.locals[*id].ty, Ty::Differential(..))
            }
            ExprKind::Read(_, base, _) => is(base),
            _ => false,
        }
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
