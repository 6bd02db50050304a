//! Derivatives of operators as small expressions.

use super::{BinaryOp, UnaryOp};

/// The adjoint or tangent that an operand gets, or gives, of the one at the operator: an
/// expression of that, of the operands and of the value.
///
/// Linear in [`Flow::Incoming`]. Written so that what is multiplied and divided last stands
/// outside: whoever builds it keeps that order, and leaves out products by 0 and 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flow {
    /// The change at the operator: `g`.
    Incoming,
    /// The first operand: `x`, or `a` of two.
    First,
    /// The second operand: `b`.
    Second,
    /// The value of the operator at its operands: `y`.
    Value,
    /// A number of the operands' type.
    Number(f64),
    /// An operator of one part.
    Unary(UnaryOp, &'static Flow),
    /// An operator of two parts.
    Binary(BinaryOp, &'static Flow, &'static Flow),
    /// The second part where the first holds, else the third.
    If(&'static Flow, &'static Flow, &'static Flow),
}

/// A [`Flow`] as it is written, with all parentheses: `(g * (1 - (y * y)))`, `(g * (Cos x))`,
/// `(if (a <= b) g 0)`.
macro_rules! flow {
    (g) => { Flow::Incoming };
    (x) => { Flow::First };
    (a) => { Flow::First };
    (b) => { Flow::Second };
    (y) => { Flow::Value };
    ($number:literal) => { Flow::Number($number as f64) };
    ($number:ident) => { Flow::Number($number) };
    ((- $a:tt)) => { Flow::Unary(UnaryOp::Neg, &flow!($a)) };
    (($op:ident $a:tt)) => { Flow::Unary(UnaryOp::$op, &flow!($a)) };
    (($a:tt + $b:tt)) => { flow!(@ Add $a $b) };
    (($a:tt - $b:tt)) => { flow!(@ Sub $a $b) };
    (($a:tt * $b:tt)) => { flow!(@ Mul $a $b) };
    (($a:tt / $b:tt)) => { flow!(@ Div $a $b) };
    (($a:tt * * $b:tt)) => { flow!(@ Pow $a $b) };
    (($a:tt == $b:tt)) => { flow!(@ Eq $a $b) };
    (($a:tt <= $b:tt)) => { flow!(@ Le $a $b) };
    (($a:tt >= $b:tt)) => { flow!(@ Ge $a $b) };
    ((if $c:tt $a:tt $b:tt)) => { Flow::If(&flow!($c), &flow!($a), &flow!($b)) };
    (@ $op:ident $a:tt $b:tt) => { Flow::Binary(BinaryOp::$op, &flow!($a), &flow!($b)) };
}

/// A [`Flow`], or none.
macro_rules! some_flow {
    (none) => {
        None
    };
    ($flow:tt) => {
        Some(&flow!($flow))
    };
}

pub(super) use {flow, some_flow};
