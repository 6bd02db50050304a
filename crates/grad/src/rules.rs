//! The derivatives of scalar operators, put where they are asked for.
//!
//! They stand in the operators' table ([`weft_scalar::Flow`]). Here they become nodes,
//! without products by 0 and 1, and without what two numbers decide.

use crate::build;
use weft_scalar::{BinaryOp, Flow, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Expr, ExprId, Exprs};

/// `g · d(op x)/dx`, where `y` is the node `op x`; `None` where `op` is locally constant.
pub(crate) fn unary(
    exprs: &mut Exprs,
    op: UnaryOp,
    x: ExprId,
    y: ExprId,
    g: ExprId,
) -> Option<ExprId> {
    Some(Point { operands: [x, x], y, g }.flow(exprs, op.derivative()?))
}

/// An operand of two.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// `a` of `a op b`.
    First,
    /// `b`.
    Second,
}

/// `g` times the derivative of `a op b` by one of its operands, where `y` is the node `a op b`;
/// `None` where that operand has no influence nearby.
pub(crate) fn binary(
    exprs: &mut Exprs,
    op: BinaryOp,
    (a, b): (ExprId, ExprId),
    y: ExprId,
    g: ExprId,
    side: Side,
) -> Option<ExprId> {
    let flow = op.derivatives()[side as usize]?;
    Some(Point { operands: [a, b], y, g }.flow(exprs, flow))
}

/// An operator at its operands, and what flows in there.
struct Point {
    operands: [ExprId; 2],
    y: ExprId,
    g: ExprId,
}

impl Point {
    fn flow(&self, exprs: &mut Exprs, flow: &Flow) -> ExprId {
        match *flow {
            Flow::Incoming => self.g,
            Flow::First => self.operands[0],
            Flow::Second => self.operands[1],
            Flow::Value => self.y,
            Flow::Number(n) => build::number(exprs, exprs.ty(self.y), n),
            Flow::Unary(op, x) => {
                let x = self.flow(exprs, x);
                match op {
                    UnaryOp::Neg => build::negate(exprs, x),
                    _ => exprs.unary(op, x),
                }
            }
            Flow::Binary(op, a, b) => {
                let (a, b) = (self.flow(exprs, a), self.flow(exprs, b));
                combine(exprs, op, a, b)
            }
            Flow::If(c, a, b) => {
                let c = self.flow(exprs, c);
                match exprs.get(c) {
                    Expr::Const(Scalar::Bool(true)) => self.flow(exprs, a),
                    Expr::Const(Scalar::Bool(false)) => self.flow(exprs, b),
                    _ => {
                        let (a, b) = (self.flow(exprs, a), self.flow(exprs, b));
                        exprs.if_else(c, a, b)
                    }
                }
            }
        }
    }
}

/// `a op b`, computed where it is the exponent of a power or a condition on two numbers.
fn combine(exprs: &mut Exprs, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
    match (op, build::as_number(exprs, a), build::as_number(exprs, b)) {
        (BinaryOp::Mul, ..) => build::times(exprs, a, b),
        (BinaryOp::Div, ..) => build::over(exprs, a, b),
        (BinaryOp::Sub, Some(m), Some(n)) => build::number(exprs, exprs.ty(a), m - n),
        (BinaryOp::Eq, Some(m), Some(n)) => exprs.constant(Scalar::Bool(m == n)),
        _ => exprs.binary(op, a, b),
    }
}

/// The value of a float constant.
pub(crate) fn float(e: &Expr) -> Option<f64> {
    match e {
        Expr::Const(Scalar::F32(v)) => Some(f64::from(*v)),
        Expr::Const(Scalar::F64(v)) => Some(*v),
        _ => None,
    }
}

/// Whether values of the type have derivatives.
pub(crate) fn is_smooth(ty: ScalarType) -> bool {
    ty.is_float()
}
