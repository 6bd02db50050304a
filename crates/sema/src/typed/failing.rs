//! A value that may be a failure: host data ([`Ty::Fallible`]).

use crate::thir::{Expr, ExprKind, HostOp, Stmt, Ty};
use crate::typed::handles::Turns;
use crate::typed::values::{error_expr, retyped, value, with_first};
use weft_base::Span;

impl Turns<'_, '_> {
    pub fn tried(&mut self, e: Expr, span: Span) -> Expr {
        if e.ty == Ty::Error || matches!(e.ty, Ty::Fallible(_)) {
            return e;
        }
        let ty = Ty::Fallible(Box::new(e.ty.clone()));
        if !self.cx.parts().host_data_here(span, &ty) {
            return error_expr(span);
        }
        value(ExprKind::Host(HostOp::Try, vec![e]), ty, span)
    }

    /// A binding that an expression needs: at host level a statement before all that the
    /// expression runs in its turn, in cells one that it takes along.
    pub fn in_place(&mut self, stmt: Stmt) -> Option<Stmt> {
        if !self.cx.is_host() {
            return Some(stmt);
        }
        self.cx.pending.push(stmt);
        None
    }

    /// What follows a chain, or the chain's own failure.
    pub fn unless_failed(&mut self, chain: Expr, then: Expr, span: Span) -> Expr {
        if then.ty == Ty::Error {
            return then;
        }
        let ty = match &then.ty {
            Ty::Fallible(_) => then.ty.clone(),
            other => Ty::Fallible(Box::new(other.clone())),
        };
        let failed = value(ExprKind::Host(HostOp::Failed, vec![chain.clone()]), Ty::bool(), span);
        let kind = ExprKind::If(
            Box::new(failed),
            Box::new(retyped(chain, ty.clone())),
            Box::new(retyped(then, ty.clone())),
        );
        value(kind, ty, span)
    }
}

/// An expression behind the binding that it takes along, if any.
pub(crate) fn behind(stmt: Option<Stmt>, e: Expr) -> Expr {
    match stmt {
        Some(stmt) if e.ty != Ty::Error => with_first(stmt, e),
        _ => e,
    }
}
