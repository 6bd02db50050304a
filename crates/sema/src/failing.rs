//! Failures as values: `try`, `?>`, `!>`, `else`, `catch`.
//!
//! A value that may be a failure is host data ([`Ty::Fallible`]); what follows looks which
//! of the two it is.

use crate::checker::Hidden;
use crate::handles::Choices;
use crate::thir::{Expr, ExprKind, HostOp, Ty};
use crate::typed::choice::Choice;
use crate::typed::failing::behind;
use crate::typed::values::{value, with_first};
use weft_base::Span;
use weft_hir as hir;

impl Choices<'_, '_> {
    /// `try e`.
    pub fn try_expr(&mut self, operand: &hir::Expr, span: Span) -> Expr {
        self.checker.cx().attempted += 1;
        let e = self.checker.isolated(|c| {
            let e = c.expr(operand);
            c.cx().conversions().close(e)
        });
        self.checker.cx().attempted -= 1;
        self.checker.cx().turns().tried(e, span)
    }

    /// `a ?> f`, `a !> f`.
    pub fn failing_pipe(
        &mut self,
        op: hir::PipeOp,
        lhs: &hir::Expr,
        rhs: &hir::Expr,
        span: Span,
    ) -> Expr {
        let e = self.checker.expr(lhs);
        if e.ty == Ty::Error {
            return e;
        }
        self.checker.cx().push_scope();
        let Hidden { ident, id, stmt } = self.checker.hidden("chain", e);
        let stmt = self.checker.cx().turns().in_place(stmt);
        let local = &self.checker.body().locals[id];
        let (ty, term) = (local.ty.clone(), local.term.clone());
        let chain = Expr { kind: ExprKind::Local(id), ty: ty.clone(), span: lhs.span, term };
        let result = match &ty {
            Ty::Fallible(of) => {
                let applied = self.checker.isolated(|c| {
                    let inner = c.cx().parts().succeeded(chain.clone(), of);
                    let inner = c.hidden("value", inner);
                    let applied = c.isolated(|c| c.choices().applied(op, &inner.ident, rhs, span));
                    match applied.ty {
                        Ty::Error => applied,
                        _ => with_first(inner.stmt, applied),
                    }
                });
                self.checker.cx().turns().unless_failed(chain, applied, span)
            }
            _ => self.applied(op, &ident, rhs, span),
        };
        self.checker.cx().pop_scope();
        behind(stmt, result)
    }

    /// The value of a name passed to a function, under `try` where the pipe says so.
    fn applied(
        &mut self,
        op: hir::PipeOp,
        ident: &hir::Ident,
        rhs: &hir::Expr,
        span: Span,
    ) -> Expr {
        let first = hir::Expr::of_var(ident, span);
        match op {
            hir::PipeOp::Try => {
                let e = self.checker.isolated(|c| {
                    let e = c.calls().pipe(first, rhs, span);
                    c.cx().conversions().close(e)
                });
                self.checker.cx().turns().tried(e, span)
            }
            _ => {
                let e = self.checker.calls().pipe(first, rhs, span);
                self.checker.cx().conversions().close(e)
            }
        }
    }

    /// `chain else v`, `chain catch f`.
    pub fn recover(&mut self, chain: &hir::Expr, handler: &hir::Handler, span: Span) -> Expr {
        let e = self.checker.expr(chain);
        let Ty::Fallible(of) = e.ty.clone() else {
            let (hir::Handler::Else(h) | hir::Handler::Catch(h)) = handler;
            drop(self.checker.expr(h));
            return e;
        };
        self.checker.cx().push_scope();
        let Hidden { id, stmt, .. } = self.checker.hidden("chain", e);
        let stmt = self.checker.cx().turns().in_place(stmt);
        let chain = value(ExprKind::Local(id), Ty::Fallible(of.clone()), chain.span);
        let other = match handler {
            hir::Handler::Else(v) => self.checker.isolated(|c| c.expr(v)),
            hir::Handler::Catch(f) => {
                let kind = ExprKind::Host(HostOp::Message, vec![chain.clone()]);
                let message = value(kind, Ty::Str, span);
                self.checker.isolated(|c| {
                    let f = c.expr(f);
                    let span = f.span;
                    if f.ty == Ty::Error { f } else { c.choices().handled(f, message, span) }
                })
            }
        };
        self.checker.cx().pop_scope();
        let failed = value(ExprKind::Host(HostOp::Failed, vec![chain.clone()]), Ty::bool(), span);
        let taken = self.checker.isolated(|c| c.cx().parts().succeeded(chain, &of));
        let result = self.choose(Choice::Recover, failed, other, taken, span);
        behind(stmt, result)
    }

    fn handled(&mut self, f: Expr, message: Expr, span: Span) -> Expr {
        match f.ty {
            Ty::Named(crate::thir::Nominal::Function(_), _) => {
                self.checker.calls().apply_function(&f, vec![message], span)
            }
            _ => {
                let found = self.checker.at().show_ty(&f.ty);
                let d = weft_diag::Diagnostic::error(
                    weft_diag::Code::E0308,
                    format!("`catch` takes a function of the message, found {found}"),
                )
                .primary(f.span, format!("this is {found}"))
                .help("write `catch |e| …`, or `else …` for a value");
                self.checker.error(d)
            }
        }
    }
}
