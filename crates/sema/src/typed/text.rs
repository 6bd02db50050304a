//! Functions of texts, which the host computes.

use crate::thir::{Elem, Expr, ExprKind, HostOp, Ty};
use crate::typed::handles::Parts;
use crate::typed::values::{error_expr, is_beyond_i64, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::{TextKind, TextOp};

impl Parts<'_, '_> {
    /// A function of texts with its arguments; where it gives a number, that has type `number`.
    pub fn text_function(&mut self, op: TextOp, all: Vec<Expr>, number: Elem, span: Span) -> Expr {
        let mut held = Vec::new();
        for (arg, kind) in all.into_iter().zip(op.params()) {
            match self.text_argument(op, arg, *kind) {
                Some(arg) => held.push(arg),
                None => return error_expr(span),
            }
        }
        if !self.host_data_here(span, &Ty::Str) {
            return error_expr(span);
        }
        let ty = match op.result() {
            TextKind::Text => Ty::Str,
            TextKind::Texts => Ty::List(Box::new(Ty::Str)),
            TextKind::Integer => Ty::scalar(Elem::OpenInt),
            TextKind::Truth => Ty::bool(),
            TextKind::Number => Ty::scalar(number),
        };
        value(ExprKind::Host(HostOp::Text(op), held), ty, span)
    }

    fn text_argument(&mut self, op: TextOp, arg: Expr, kind: TextKind) -> Option<Expr> {
        if arg.ty == Ty::Error {
            return None;
        }
        let (fits, wanted) = match kind {
            TextKind::Texts => {
                (matches!(&arg.ty, Ty::List(of) if **of == Ty::Str), "a list of strings")
            }
            TextKind::Integer => {
                let int = matches!(arg.ty, Ty::Array(e, ref s) if s.is_empty() && e.is_int());
                (int && !is_beyond_i64(&arg), "an integer")
            }
            TextKind::Text | TextKind::Truth | TextKind::Number => (arg.ty == Ty::Str, "a string"),
        };
        if fits {
            return Some(if kind == TextKind::Integer { self.as_i64(arg) } else { arg });
        }
        let found = self.cx.show_ty(&arg.ty);
        let headline = format!("`{}` takes {wanted}, found {found}", op.name());
        let d =
            Diagnostic::error(Code::E0308, headline).primary(arg.span, format!("this is {found}"));
        self.cx.report(d);
        None
    }
}
