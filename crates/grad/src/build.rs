//! Expressions, built with the simplifications that derivatives always need: products by
//! 0 and 1, sums with 0. They change no value but that of `0 · ∞`, which is 0 here: what
//! has no influence contributes nothing.

use crate::rules::float;
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Expr, ExprId, Exprs};

/// A float of the type `ty`, rounded to it.
pub(crate) fn number(exprs: &mut Exprs, ty: ScalarType, v: f64) -> ExprId {
    let v = exprs.constant(Scalar::F64(v));
    match (exprs.get(v), ty) {
        (_, ScalarType::F64) => v,
        (Expr::Const(Scalar::F64(v)), ScalarType::F32) => exprs.constant(Scalar::F32(*v as f32)),
        _ => exprs.cast(ty, v),
    }
}

/// The value of a node that is a number.
pub(crate) fn as_number(exprs: &Exprs, e: ExprId) -> Option<f64> {
    float(exprs.get(e))
}

/// The zero of a type.
pub(crate) fn zero(exprs: &mut Exprs, ty: ScalarType) -> ExprId {
    exprs.constant(Scalar::zero(ty))
}

/// `a · b`.
pub(crate) fn times(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    match (as_number(exprs, a), as_number(exprs, b)) {
        (Some(1.0), _) => b,
        (_, Some(1.0)) => a,
        (Some(0.0), _) => a,
        (_, Some(0.0)) => b,
        (Some(-1.0), _) => negate(exprs, b),
        (_, Some(-1.0)) => negate(exprs, a),
        (Some(m), Some(n)) if exprs.ty(a) == ScalarType::F64 => {
            number(exprs, ScalarType::F64, m * n)
        }
        _ => exprs.binary(BinaryOp::Mul, a, b),
    }
}

/// `a / b`; 0 where `a` is the number 0.
pub(crate) fn over(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    match (as_number(exprs, a), as_number(exprs, b)) {
        (Some(0.0), _) => a,
        (_, Some(1.0)) => a,
        _ => exprs.binary(BinaryOp::Div, a, b),
    }
}

/// `a + b`.
pub(crate) fn plus(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    match (as_number(exprs, a), as_number(exprs, b)) {
        (Some(0.0), _) => b,
        (_, Some(0.0)) => a,
        _ => exprs.binary(BinaryOp::Add, a, b),
    }
}

/// `-a`.
pub(crate) fn negate(exprs: &mut Exprs, a: ExprId) -> ExprId {
    if let Some(n) = as_number(exprs, a) {
        return number(exprs, exprs.ty(a), -n);
    }
    match exprs.get(a) {
        Expr::Unary(UnaryOp::Neg, x) => *x,
        _ => exprs.unary(UnaryOp::Neg, a),
    }
}

/// `if c { a } else { b }`; one side where both are the same.
pub(crate) fn choose(exprs: &mut Exprs, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
    if a == b { a } else { exprs.if_else(c, a, b) }
}

/// Whether an index term is a given one, as a `bool`; `None` where it surely is.
pub(crate) fn equal(exprs: &mut Exprs, a: ExprId, b: &Affine) -> Option<ExprId> {
    if *exprs.get(a) == Expr::Index(b.clone()) {
        return None;
    }
    let a = exprs.cast(ScalarType::I64, a);
    let b = exprs.index(b.clone());
    Some(exprs.binary(BinaryOp::Eq, a, b))
}

/// All of some conditions.
pub(crate) fn all(exprs: &mut Exprs, conditions: &[ExprId]) -> Option<ExprId> {
    let both = |a: ExprId, b: ExprId| exprs.binary(BinaryOp::And, a, b);
    conditions.iter().copied().reduce(both)
}
