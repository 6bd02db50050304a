//! Quotients and remainders of linear values by constants.
//!
//! Vectors of 64-bit integers have no division, and its replacement by multiplications
//! needs high products that vectors lack too. But lanes that advance by a constant differ
//! little: divide the least of them as a scalar, with remainder `m`; the others are
//! `quotient * d + m + k` with small `k`, and `(m + k) / d` fits in 32 bits.

use super::Emitter;
use super::ops::{V, with_lanes};
use super::value::Value;
use inkwell::IntPredicate;
use inkwell::types::VectorType;
use inkwell::values::{InstructionOpcode as Op, IntValue};
use weft_loops::{Expr, ExprData, IntOp};
use weft_scalar::{BinaryOp, ScalarType};

/// An integer division: what of it is wanted, and which way it rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Division {
    remainder: bool,
    floor: bool,
}

impl Division {
    pub(super) fn of_int(op: IntOp) -> Option<Division> {
        match op {
            IntOp::FloorDiv => Some(Division { remainder: false, floor: true }),
            IntOp::FloorMod => Some(Division { remainder: true, floor: true }),
            _ => None,
        }
    }

    pub(super) fn of_binary(op: BinaryOp) -> Option<Division> {
        match op {
            BinaryOp::Div => Some(Division { remainder: false, floor: false }),
            BinaryOp::Rem => Some(Division { remainder: true, floor: false }),
            _ => None,
        }
    }
}

/// The largest `m + k` and correction, so that it is positive in 32 bits.
const MOST: i64 = i32::MAX as i64;

impl<'c> Emitter<'_, 'c> {
    /// The division of `a` by `b` in every lane, if `a` is linear with a known step and
    /// `b` a positive constant not too large.
    pub(super) fn divided(&self, wanted: Option<Division>, a: Expr, b: Expr) -> Option<Value<'c>> {
        let wanted = wanted?;
        let divisor = self.function.as_int(b).filter(|&d| d > 0)?;
        let Some(Value::Linear { base, step }) = self.known(a) else { return None };
        let step = step.get_sign_extended_constant()?;
        let spread = step.checked_mul(i64::from(self.lanes) - 1)?;
        divisor.checked_mul(2)?.checked_add(spread.checked_abs()?).filter(|&most| most <= MOST)?;
        let floor = self.floor_lanes(a, base, step, divisor);
        let value = if wanted.floor { floor } else { self.truncated(floor, a, divisor) };
        Some(Value::Varying(if wanted.remainder { value.1 } else { value.0 }))
    }

    /// Quotient and remainder of every lane, rounded toward minus infinity.
    fn floor_lanes(&self, a: Expr, base: IntValue<'c>, step: i64, divisor: i64) -> (V<'c>, V<'c>) {
        let back = step.min(0) * (i64::from(self.lanes) - 1);
        let least = self.ops.bin(Op::Add, base.into(), self.ops.i64(back).into());
        let d: V<'c> = self.ops.i64(divisor).into();
        let arith = self.arith();
        let quotient = arith.int_op(IntOp::FloorDiv, ScalarType::I64, least, d);
        let remainder = arith.int_op(IntOp::FloorMod, ScalarType::I64, least, d);
        let quotient = self.ops.splat(quotient, self.lanes);

        let i32 = self.ops.context().i32_type();
        let offset = |lane: u32| i32.const_int((step * i64::from(lane) - back) as u64, false);
        let offsets: Vec<IntValue<'c>> = (0..self.lanes).map(offset).collect();
        let first = self.ops.cast(Op::Trunc, remainder, i32.into());
        let first = self.ops.splat(first, self.lanes);
        let sum = self.ops.bin(Op::Add, first, VectorType::const_vector(&offsets).into());
        let (quotient, sum) = self.unwrapped(a, least, divisor, quotient, sum);
        let small = self.ops.splat(i32.const_int(divisor as u64, false).into(), self.lanes);
        let more = self.ops.bin(Op::UDiv, sum, small);
        let left = self.ops.bin(Op::Sub, sum, self.ops.bin(Op::Mul, more, small));

        let wide = with_lanes(self.ops.scalar_type(ScalarType::I64), self.lanes);
        let more = self.ops.cast(Op::ZExt, more, wide);
        (self.ops.bin(Op::Add, quotient, more), self.ops.cast(Op::ZExt, left, wide))
    }

    /// Corrects the lanes that wrapped around the range of `i64`. They are less by 2**64,
    /// which is `Q d + R`: so `Q + 1` less in the quotient, `d - R` more in the sum. A loop's
    /// own variable does not wrap in a lane that runs.
    fn unwrapped(
        &self,
        a: Expr,
        least: V<'c>,
        divisor: i64,
        quotient: V<'c>,
        sum: V<'c>,
    ) -> (V<'c>, V<'c>) {
        if matches!(self.function.expr(a), ExprData::Var(_)) {
            return (quotient, sum);
        }
        let value = self.spread(self.operand(a));
        let least = self.ops.splat(least, self.lanes);
        let wrapped = self.ops.icmp(IntPredicate::SLT, value, least);
        let (q, r) = ((1_i128 << 64) / i128::from(divisor), (1_i128 << 64) % i128::from(divisor));
        let fewer = self.ops.splat(self.ops.i64((q + 1) as i64).into(), self.lanes);
        let extra = self.ops.context().i32_type().const_int((divisor - r as i64) as u64, false);
        let extra = self.ops.splat(extra.into(), self.lanes);
        let other_quotient = self.ops.bin(Op::Sub, quotient, fewer);
        let other_sum = self.ops.bin(Op::Add, sum, extra);
        let quotient = self.ops.select(wrapped, other_quotient, quotient);
        (quotient, self.ops.select(wrapped, other_sum, sum))
    }

    /// The same rounded toward zero: where `a` is negative and something is left, one
    /// divisor more was taken.
    fn truncated(
        &self,
        (quotient, remainder): (V<'c>, V<'c>),
        a: Expr,
        divisor: i64,
    ) -> (V<'c>, V<'c>) {
        let splat = |v: i64| self.ops.splat(self.ops.i64(v).into(), self.lanes);
        let a = self.spread(self.operand(a));
        let negative = self.ops.icmp(IntPredicate::SLT, a, splat(0));
        let some = self.ops.icmp(IntPredicate::NE, remainder, splat(0));
        let below = self.ops.bin(Op::And, negative, some);
        let up = self.ops.bin(Op::Add, quotient, splat(1));
        let less = self.ops.bin(Op::Sub, remainder, splat(divisor));
        (self.ops.select(below, up, quotient), self.ops.select(below, less, remainder))
    }
}
