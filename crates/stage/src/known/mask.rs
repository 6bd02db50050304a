//! Products with truth values that were cast to numbers: they select. `(c as f64) * e` is
//! `if c { e } else { 0 }`, so where `c` is false nothing else of the product is looked at, and
//! no NaN of it is there.

use weft_scalar::{BinaryOp, ScalarType};
use weft_sema::thir::{Elem, Expr, ExprKind, Ty};

/// The conditions among the factors of a product. A mask under a name is a number.
pub(crate) fn gather_conditions<'p>(e: &'p Expr, out: &mut Vec<&'p Expr>) {
    match &e.kind {
        ExprKind::Cast(_, x) if is_truth(&x.ty) => out.push(x),
        ExprKind::Cast(_, x) if is_product(x) || is_mask(x) => gather_conditions(x, out),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            gather_conditions(a, out);
            gather_conditions(b, out);
        }
        _ => {}
    }
}

/// A truth value as a number, or several multiplied.
pub(crate) fn is_mask(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(_, x) => is_truth(&x.ty) || is_mask(x),
        // The last factor first: products lean to the left.
        ExprKind::Binary(BinaryOp::Mul, a, b) => is_mask(b) && is_mask(a),
        _ => false,
    }
}

/// Whether it is a product as it is written.
pub(crate) fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

fn is_truth(ty: &Ty) -> bool {
    ty.elem().is_some_and(|elem| elem == Elem::Fixed(ScalarType::Bool))
}
