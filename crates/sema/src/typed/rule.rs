//! Values with the differential that a rule gives; and differentials where a number is needed.

use crate::thir::{Expr, ExprKind, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Operators;
use crate::typed::values::{is_differential, member_within, value, zero_differential};
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

impl Operators<'_, '_> {
    /// A value with its differential; of a tuple, member by member.
    pub fn with_differential(&mut self, rule: &hir::DiffRule, tail: Expr, d: Expr) -> Expr {
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
