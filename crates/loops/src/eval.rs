//! The operators of the loop level on constants: total in every operand.

use crate::{Expr, ExprData, Function, IntOp};
use rustc_hash::FxHashMap;
use weft_scalar::eval::{self, Trap};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// `a op b`, where a divisor of 0 counts as 1, a negative integer exponent as 0, and a count
/// of bits modulo the width.
pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    let replaced = match eval::binary(op, a, b) {
        Ok(value) => return value,
        Err(Trap::DivisionByZero) => Scalar::one(b.ty()),
        Err(Trap::NegativeExponent) => Scalar::zero(b.ty()),
        Err(Trap::Count) => {
            let width = 8 * b.ty().bytes() as u64;
            Scalar::from_i64(b.ty(), (b.bits() & (width - 1)) as i64)
        }
        Err(Trap::Overflow) => unreachable!("integers wrap here"),
    };
    eval::binary(op, a, replaced).expect("the operand that traps was replaced")
}

macro_rules! int_op {
    ($name:ident, $int:ident, $uint:ident) => {
        fn $name(op: IntOp, a: $int, b: $int) -> $int {
            let divisor = if b == 0 { 1 } else { b };
            let remainder = a.wrapping_rem(divisor);
            let below = remainder != 0 && (remainder < 0) != (divisor < 0);
            match op {
                IntOp::FloorDiv => a.wrapping_div(divisor) - below as $int,
                IntOp::FloorMod => remainder + if below { divisor } else { 0 },
                IntOp::BitAnd => a & b,
                IntOp::BitOr => a | b,
                IntOp::BitXor => a ^ b,
                IntOp::Shl => a.wrapping_shl(b as u32),
                IntOp::Shr => (a as $uint).wrapping_shr(b as u32) as $int,
                IntOp::Sar => a.wrapping_shr(b as u32),
            }
        }
    };
}
int_op!(int_op_i32, i32, u32);
int_op!(int_op_i64, i64, u64);

/// `a op b` of two integers of one type. Panics on others.
pub fn int_op(op: IntOp, a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::I32(a), Scalar::I32(b)) => Scalar::I32(int_op_i32(op, a, b)),
        (Scalar::I64(a), Scalar::I64(b)) => Scalar::I64(int_op_i64(op, a, b)),
        _ => panic!("{} of {} and {}", op.name(), a.ty(), b.ty()),
    }
}

/// `a * b + c` of three floats of one type, rounded once. Panics on others.
pub fn fma(a: Scalar, b: Scalar, c: Scalar) -> Scalar {
    match (a, b, c) {
        (Scalar::F32(a), Scalar::F32(b), Scalar::F32(c)) => Scalar::F32(a.mul_add(b, c)),
        (Scalar::F64(a), Scalar::F64(b), Scalar::F64(c)) => Scalar::F64(a.mul_add(b, c)),
        _ => panic!("fma of {}, {} and {}", a.ty(), b.ty(), c.ty()),
    }
}

/// The bits of `a` as a type of the same width.
pub fn bitcast(ty: ScalarType, a: Scalar) -> Scalar {
    Scalar::from_bits(ty, a.bits())
}

/// The value of an expression over constants and parameters, such as a buffer's size.
/// Panics if it reads anything else.
pub fn over_params(function: &Function, e: Expr, params: &[Scalar]) -> Scalar {
    let mut values: FxHashMap<Expr, Scalar> = FxHashMap::default();
    for e in function.reachable(&[e]) {
        let value = node(function, e, params, &|operand| values[&operand]);
        values.insert(e, value);
    }
    values[&e]
}

fn node(function: &Function, e: Expr, params: &[Scalar], value: &dyn Fn(Expr) -> Scalar) -> Scalar {
    match function.expr(e) {
        ExprData::Const(value) => value,
        ExprData::Param(p) => params[weft_base::entity::EntityRef::index(p)],
        ExprData::Var(_)
        | ExprData::Local(_)
        | ExprData::SingleThreaded
        | ExprData::Load { .. } => {
            panic!("{e} is not over parameters")
        }
        other => apply(other, value),
    }
}

/// The value of an operator on the values of its operands. Panics on other expressions.
pub fn apply(data: ExprData, value: &dyn Fn(Expr) -> Scalar) -> Scalar {
    match data {
        ExprData::Unary(op, a) => eval::unary(op, value(a)),
        ExprData::Binary(op, a, b) => binary(op, value(a), value(b)),
        ExprData::Overflows(op, a, b) => Scalar::Bool(eval::overflows(op, value(a), value(b))),
        ExprData::Int(op, a, b) => int_op(op, value(a), value(b)),
        ExprData::Fma(a, b, c) => fma(value(a), value(b), value(c)),
        ExprData::Cast(ty, a) => eval::cast(value(a), ty),
        ExprData::Bitcast(ty, a) => bitcast(ty, value(a)),
        ExprData::Select(c, a, b) => match value(c) {
            Scalar::Bool(true) => value(a),
            _ => value(b),
        },
        ExprData::Const(_)
        | ExprData::Param(_)
        | ExprData::Var(_)
        | ExprData::Local(_)
        | ExprData::SingleThreaded
        | ExprData::Load { .. } => panic!("{data:?} is no operator"),
    }
}
