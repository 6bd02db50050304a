//! Types of operands, node by node.

use super::{Verified, ensure};
use crate::{Expr, ExprData, Function};
use weft_scalar::ScalarType;

/// Checks every expression of the pool.
pub(super) fn check(function: &Function) -> Verified {
    for (e, data) in function.exprs() {
        ensure(is_typed(function, data), || format!("{e} has an operand of the wrong type"))?;
    }
    Ok(())
}

fn is_typed(function: &Function, data: &ExprData) -> bool {
    let ty = |e: Expr| function.ty(e);
    match *data {
        ExprData::Const(_) | ExprData::SingleThreaded => true,
        ExprData::Param(p) => function.params.is_valid(p),
        ExprData::Var(v) => function.vars.is_valid(v),
        ExprData::Local(l) => function.locals.is_valid(l),
        ExprData::Load { buffer, index } => {
            function.buffers.is_valid(buffer) && ty(index) == ScalarType::I64
        }
        ExprData::Unary(op, a) => op.operands().takes(ty(a)),
        ExprData::Binary(op, a, b) => ty(a) == ty(b) && op.operands().takes(ty(a)),
        ExprData::Overflows(op, a, b) => {
            ty(a) == ty(b) && ty(a).is_int() && op.operands().takes(ty(a))
        }
        ExprData::Int(_, a, b) => ty(a) == ty(b) && takes_bits(ty(a)),
        ExprData::Fma(a, b, c) => is_machine_float(ty(a)) && ty(a) == ty(b) && ty(a) == ty(c),
        ExprData::Cast(..) => true,
        ExprData::Bitcast(to, a) => {
            to.bytes() == ty(a).bytes() && [to, ty(a)].into_iter().all(has_bits)
        }
        ExprData::Select(c, a, b) => ty(c) == ScalarType::Bool && ty(a) == ty(b),
    }
}

/// Whether floor division, shifts and bit operations take a type: what addresses and
/// elementary functions are computed in.
fn takes_bits(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::I32 | ScalarType::I64)
}

fn is_machine_float(ty: ScalarType) -> bool {
    ty.is_float() && !ty.is_small_float()
}

/// Whether a value in a register has the bits that it has in memory.
fn has_bits(ty: ScalarType) -> bool {
    ty != ScalarType::Bool && !ty.is_small_float()
}
