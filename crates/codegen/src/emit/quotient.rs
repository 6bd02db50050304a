//! Quotients of floats by a divisor that all lanes share, without a division per lane.
//!
//! With the reciprocal `y` of `b` rounded to nearest, `q = a * y` is off by less than two
//! units in the last place; `q + (a - b * q) * y` is then one of the two neighbours of
//! `a / b`, and the same step once more gives the quotient rounded to nearest (Markstein,
//! *Computation of elementary functions on the IBM RISC System/6000 processor*, 1990):
//! the bits that a division gives. The remainders must be exact, so neither operand may be
//! too small or too large; where one is, zeros, infinities and NaN among them, a vector is
//! divided as written.

use super::Emitter;
use super::ops::V;
use super::value::Value;
use inkwell::IntPredicate;
use inkwell::values::{InstructionOpcode as Op, IntValue};
use weft_loops::Expr;
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// Operands from `2^-n` up to `2^n`, as bits without the sign.
struct Span {
    least: i64,
    past: i64,
}

/// Exponents of what is divided, of divisors, and bits behind the point.
///
/// A remainder is a multiple of `2^(e - 2p + 1)` for a dividend of exponent `e` and `p`
/// digits, which must be no less than the least float; and quotients must be normal.
const F32: (i64, i64, u32) = (88, 36, 23);
const F64: (i64, i64, u32) = (700, 300, 52);

impl Span {
    fn new(ty: ScalarType, exponent: i64, digits: u32) -> Span {
        let bias = if ty == ScalarType::F32 { 127 } else { 1023 };
        let bits = |e: i64| (e + bias) << digits;
        Span { least: bits(-exponent), past: bits(exponent) }
    }
}

impl<'c> Emitter<'_, 'c> {
    /// `a / b` in every lane, if `b` is the same in all of them and multiplications are
    /// faster.
    pub(super) fn shared_quotient(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Expr,
        b: Expr,
    ) -> Option<Value<'c>> {
        let worthwhile = match ty {
            ScalarType::F32 => !self.options.target.processor.divides_f32_fast,
            ScalarType::F64 => true,
            _ => false,
        };
        let (Value::Varying(a), Value::Uniform(b)) = (self.operand(a), self.operand(b)) else {
            return None;
        };
        if !worthwhile || op != BinaryOp::Div || self.lanes <= 1 {
            return None;
        }
        let fast = self.by_reciprocal(ty, a, b);
        let odd = self.any_odd(ty, a, b);
        let (slow, end) = (self.new_block("divide"), self.new_block("divided"));
        let before = self.here();
        self.ops.rarely(self.jump_if(odd, slow, end));
        self.at(slow);
        let divided = self.ops.bin(Op::FDiv, a, self.ops.splat(b, self.lanes));
        self.jump(end);
        self.at(end);
        let phi = super::ops::built(self.ops.builder.build_phi(a.get_type(), ""));
        phi.add_incoming(&[(&fast, before), (&divided, slow)]);
        Some(Value::Varying(phi.as_basic_value()))
    }

    fn by_reciprocal(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let one = self.ops.constant(Scalar::one(ty));
        let reciprocal = self.ops.splat(self.ops.bin(Op::FDiv, one, b), self.lanes);
        let minus = self.ops.splat(self.ops.float_neg(b), self.lanes);
        let fma = |a, b, c| self.ops.math("llvm.fma", &[a, b, c]);
        let nearer = |q| fma(fma(minus, q, a), reciprocal, q);
        nearer(nearer(self.ops.bin(Op::FMul, a, reciprocal)))
    }

    /// Whether the divisor, or what is divided in a lane that runs, is too small or too
    /// large.
    fn any_odd(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> IntValue<'c> {
        let (dividends, divisors, digits) = if ty == ScalarType::F32 { F32 } else { F64 };
        let mut odd = self.outside(ty, a, &Span::new(ty, dividends, digits));
        if let Some(mask) = self.mask {
            odd = self.ops.bin(Op::And, odd, mask);
        }
        let divisor = self.outside(ty, b, &Span::new(ty, divisors, digits));
        self.int(Op::Or, self.ops.any(odd), divisor.into_int_value())
    }

    fn outside(&self, ty: ScalarType, x: V<'c>, span: &Span) -> V<'c> {
        let int = if ty == ScalarType::F32 { ScalarType::I32 } else { ScalarType::I64 };
        let lanes = super::ops::lanes_of(x);
        let constant = |v: i64| self.ops.splat(self.ops.constant(Scalar::from_i64(int, v)), lanes);
        let most = if int == ScalarType::I32 { i64::from(i32::MAX) } else { i64::MAX };
        let bits = self.ops.bitcast(x, self.ops.ty(int, lanes));
        let size = self.ops.bin(Op::And, bits, constant(most));
        let above = self.ops.bin(Op::Sub, size, constant(span.least));
        self.ops.icmp(IntPredicate::UGE, above, constant(span.past - span.least))
    }
}
