//! What becomes of the list that a comprehension gives.

use crate::thir::{Expr, ExprKind, HostOp, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Turns;
use crate::typed::values::value;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_shape::Size;

impl Turns<'_, '_> {
    /// A list as the value it stands for: a tensor where its elements are alike.
    pub fn settled(&mut self, list: Expr, span: Span) -> Expr {
        let Ty::List(of) = &list.ty else { return list };
        let ty = match of.as_ref() {
            Ty::Array(elem, shape) if shape.is_empty() => Ty::Array(*elem, vec![Size::from(0)]),
            _ => return list,
        };
        let stacked = value(ExprKind::Host(HostOp::Stack, vec![list]), ty, span);
        self.cx.parts().measured(stacked)
    }
}

impl BodyCx<'_> {
    pub fn not_an_element(&mut self, v: &Expr, x: &Expr) -> Expr {
        let (array, found) = (self.show_ty(&x.ty), self.show_ty(&v.ty));
        let d = Diagnostic::error(Code::E0308, format!("{found} is no element of {array}"))
            .primary(v.span, format!("this is {found}"))
            .secondary(x.span, format!("this is {array}"))
            .help("the elements of an array have one type: convert it with `as`");
        self.error(d)
    }
}
