//! What becomes of the list that a comprehension gives.

use crate::thir::{Expr, ExprKind, HostOp, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Turns;
use crate::typed::values::integer;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_shape::Size;

impl Turns<'_, '_> {
    /// A list as the value it stands for: a tensor where its elements are numbers, or rows of
    /// one shape. How many there are is measured, where it is not known.
    pub fn settled(
        &mut self,
        list: Expr,
        count: Option<Size>,
        row: Option<Vec<Size>>,
        span: Span,
    ) -> Expr {
        let Ty::List(of) = &list.ty else { return list };
        let (elem, row) = match (of.as_ref(), row) {
            (Ty::Array(elem, shape), _) if shape.is_empty() => (*elem, Vec::new()),
            (Ty::Array(elem, shape), Some(row)) if shape.len() == row.len() => (*elem, row),
            _ => return list,
        };
        let extents = row.iter().map(|s| integer(Affine::fixed(s.clone()), span));
        let operands = [list].into_iter().chain(extents).collect();
        let stacked = ExprKind::Host(HostOp::Stack, operands);
        self.cx.parts().counted(stacked, elem, (count, row), span)
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
