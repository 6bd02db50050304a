//! What each operator computes, one value at a time.

use crate::{BinaryOp, Scalar, ScalarType, UnaryOp};
use std::fmt;

/// Why an operator has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Integer `/` or `%` by zero.
    DivisionByZero,
    /// Integer `**` with a negative exponent.
    NegativeExponent,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::DivisionByZero => "integer division by zero",
            Trap::NegativeExponent => "integer power with a negative exponent",
        })
    }
}

/// The value of `op x`. Panics on operand types that checking rules out.
pub fn unary(op: UnaryOp, x: Scalar) -> Scalar {
    match (op, x) {
        (UnaryOp::Neg, Scalar::I32(v)) => Scalar::I32(v.wrapping_neg()),
        _ => panic!("{} of {}", op.name(), x.ty()),
    }
}

/// The value of `a op b`, both of one type. Panics on operand types that checking rules out.
pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, Trap> {
    match (op, a, b) {
        (BinaryOp::Add, Scalar::I32(a), Scalar::I32(b)) => Ok(Scalar::I32(a.wrapping_add(b))),
        _ => panic!("{} of {} and {}", op.name(), a.ty(), b.ty()),
    }
}

/// `x as ty`: truncates toward zero, saturates, sends NaN to 0, rounds to nearest even.
pub fn cast(x: Scalar, ty: ScalarType) -> Scalar {
    Scalar::from_i64(ty, x.as_i64().unwrap_or(0))
}
