//! Calls as values: in their turn, their arguments bound, their effects noted.

use crate::thir::{Elem, Expr, ExprKind, Stmt, Ty};
use crate::typed::body_cx::{BodyCx, Effects};
use crate::typed::handles::Turns;
use weft_base::{Name, Span};

impl Turns<'_, '_> {
    /// A call of a function of the host: with effects it runs in its turn, and the extents
    /// of its value are measured.
    pub fn called(&mut self, e: Expr, effects: Effects) -> Expr {
        let outer = std::mem::take(&mut self.cx.effects);
        self.cx.has_effect(effects);
        let e = self.cx.parts().measured(e);
        self.in_turn(e, outer)
    }

    /// An expression whose effects were noted since `outer`: with some it is a statement of
    /// its own, so that it runs once, in its turn.
    pub fn in_turn(&mut self, e: Expr, outer: Effects) -> Expr {
        let effects = self.cx.effects;
        self.cx.effects = effects.max(outer);
        let done = matches!(e.kind, ExprKind::Local(_) | ExprKind::Const(_));
        if effects == Effects::None
            || !self.cx.is_host()
            || done
            || e.ty == Ty::unit()
            || e.ty == Ty::Error
        {
            return e;
        }
        let id =
            self.cx.local(&Name::new(crate::thir::UNWRITTEN), e.span, e.ty.clone(), e.term.clone());
        self.cx.remember_value(id, &e);
        let (ty, term, span) = (e.ty.clone(), e.term.clone(), e.span);
        self.cx.pending.push(Stmt::Let(id, e));
        Expr { kind: ExprKind::Local(id), ty, span, term }
    }

    /// An expression under a name, before what comes after it.
    pub fn bound_first(&mut self, e: Expr) -> Expr {
        if matches!(e.kind, ExprKind::Local(_)) {
            return e;
        }
        let id =
            self.cx.local(&Name::new(crate::thir::UNWRITTEN), e.span, e.ty.clone(), e.term.clone());
        let (ty, term, span) = (e.ty.clone(), e.term.clone(), e.span);
        self.cx.pending.push(Stmt::Let(id, e));
        Expr { kind: ExprKind::Local(id), ty, span, term }
    }
}

impl BodyCx<'_> {
    pub fn is_host_int(&self, e: &Expr) -> bool {
        let int = match e.ty {
            Ty::Array(Elem::OpenInt, ref s) => s.is_empty(),
            Ty::Array(Elem::Fixed(t), ref s) => s.is_empty() && t.is_int(),
            _ => false,
        };
        int && self.size_of(e).is_some()
    }

    /// A tensor in a cell whose extents only the call itself finds.
    pub fn extents_within_cells(&mut self, span: Span) -> Expr {
        self.mistyped(
            span,
            "the extents of this value are computed by the call",
            "they could be others in each cell, and a tensor has one shape",
            "pass the extents as arguments, or call the function before: `let a = f(x);`",
        )
    }
}
