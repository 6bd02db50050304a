//! The operators of scalars and of the loop level, on scalars or vectors alike.
//!
//! No operation here can fault in any lane: divisors that would are replaced first.

use super::machine::LlvmMachine;
use super::ops::{Ops, V, lanes_of};
use inkwell::values::InstructionOpcode as Op;
use inkwell::{FloatPredicate, IntPredicate};
use weft_loops::IntOp;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp, program};

/// Context of the emission of an operator.
#[derive(Clone, Copy)]
pub(super) struct Arith<'a, 'c> {
    pub(super) ops: Ops<'a, 'c>,
    /// Whether floats are computed exactly as written.
    pub(super) strict: bool,
}

impl<'a, 'c> Arith<'a, 'c> {
    /// A constant of the shape of `like`.
    pub(super) fn like(&self, value: Scalar, like: V<'c>) -> V<'c> {
        self.ops.splat(self.ops.constant(value), lanes_of(like))
    }

    fn int_like(&self, ty: ScalarType, value: i64, like: V<'c>) -> V<'c> {
        self.like(Scalar::from_i64(ty, value), like)
    }

    pub(super) fn unary(&self, op: UnaryOp, ty: ScalarType, a: V<'c>) -> V<'c> {
        match ty {
            ScalarType::Bool => self.ops.not(a),
            _ if ty.is_float() => self.by_float(ty, |ty| self.unary_float(op, ty, a)),
            _ => self.unary_int(op, ty, a),
        }
    }

    fn unary_int(&self, op: UnaryOp, ty: ScalarType, a: V<'c>) -> V<'c> {
        let zero = self.int_like(ty, 0, a);
        match op {
            UnaryOp::Neg => self.ops.bin(Op::Sub, zero, a),
            UnaryOp::BitsNot => self.ops.bin(Op::Xor, a, self.int_like(ty, -1, a)),
            UnaryOp::Popcount => self.ops.math("llvm.ctpop", &[a]),
            UnaryOp::Abs if !ty.is_signed() => a,
            UnaryOp::Sign if !ty.is_signed() => {
                self.ops.math("llvm.umin", &[a, self.int_like(ty, 1, a)])
            }
            UnaryOp::Abs => {
                let wraps = self.ops.constant(Scalar::Bool(false));
                self.ops.math("llvm.abs", &[a, wraps])
            }
            UnaryOp::Sign => {
                let low = self.ops.math("llvm.smax", &[a, self.int_like(ty, -1, a)]);
                self.ops.math("llvm.smin", &[low, self.int_like(ty, 1, a)])
            }
            _ => unreachable!("verified: {} takes no {ty}", op.name()),
        }
    }

    fn unary_float(&self, op: UnaryOp, ty: ScalarType, a: V<'c>) -> V<'c> {
        let intrinsic = match op {
            UnaryOp::Neg => return self.ops.float_neg(a),
            UnaryOp::Sign => return self.sign(ty, a),
            UnaryOp::Abs => "llvm.fabs",
            UnaryOp::Floor => "llvm.floor",
            UnaryOp::Ceil => "llvm.ceil",
            UnaryOp::Round => "llvm.roundeven",
            UnaryOp::Trunc => "llvm.trunc",
            UnaryOp::Sqrt => "llvm.sqrt",
            _ => {
                let machine = LlvmMachine::new(self.ops, ty, lanes_of(a));
                return program::unary(&machine, op, a)
                    .expect("every other operator is elementary");
            }
        };
        self.ops.math(intrinsic, &[a])
    }

    /// 1 with the sign of `a`; `a` itself if it is a zero or NaN.
    fn sign(&self, ty: ScalarType, a: V<'c>) -> V<'c> {
        let one = self.ops.math("llvm.copysign", &[self.int_like(ty, 1, a), a]);
        let nonzero = self.ops.fcmp(FloatPredicate::ONE, a, self.int_like(ty, 0, a));
        self.ops.select(nonzero, one, a)
    }

    pub(super) fn binary(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        match ty {
            ScalarType::Bool => self.binary_bool(op, a, b),
            _ if ty.is_small_float() && op.is_comparison() => {
                self.binary_float(op, ScalarType::F32, a, b)
            }
            _ if ty.is_float() => self.by_float(ty, |ty| self.binary_float(op, ty, a, b)),
            _ => self.binary_int(op, ty, a, b),
        }
    }

    fn binary_bool(&self, op: BinaryOp, a: V<'c>, b: V<'c>) -> V<'c> {
        use IntPredicate::*;
        match op {
            BinaryOp::And | BinaryOp::Min => self.ops.bin(Op::And, a, b),
            BinaryOp::Or | BinaryOp::Max => self.ops.bin(Op::Or, a, b),
            _ => self.compare_int(op, [ULT, ULE, UGT, UGE], a, b),
        }
    }

    /// A comparison, with the predicates for `Lt Le Gt Ge`.
    fn compare_int(
        &self,
        op: BinaryOp,
        [lt, le, gt, ge]: [IntPredicate; 4],
        a: V<'c>,
        b: V<'c>,
    ) -> V<'c> {
        let predicate = match op {
            BinaryOp::Eq => IntPredicate::EQ,
            BinaryOp::Ne => IntPredicate::NE,
            BinaryOp::Lt => lt,
            BinaryOp::Le => le,
            BinaryOp::Gt => gt,
            BinaryOp::Ge => ge,
            _ => unreachable!("verified: {} compares nothing", op.name()),
        };
        self.ops.icmp(predicate, a, b)
    }

    fn binary_int(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        use IntPredicate::*;
        match op {
            BinaryOp::Add => self.ops.bin(Op::Add, a, b),
            BinaryOp::Sub => self.ops.bin(Op::Sub, a, b),
            BinaryOp::Mul => self.ops.bin(Op::Mul, a, b),
            BinaryOp::Div => self.divide(ty, a, b).0,
            BinaryOp::Rem => self.divide(ty, a, b).1,
            BinaryOp::Min if ty.is_signed() => self.ops.math("llvm.smin", &[a, b]),
            BinaryOp::Max if ty.is_signed() => self.ops.math("llvm.smax", &[a, b]),
            BinaryOp::Min => self.ops.math("llvm.umin", &[a, b]),
            BinaryOp::Max => self.ops.math("llvm.umax", &[a, b]),
            BinaryOp::Pow => self.int_power(ty, a, b),
            BinaryOp::BitsAnd => self.ops.bin(Op::And, a, b),
            BinaryOp::BitsOr => self.ops.bin(Op::Or, a, b),
            BinaryOp::BitsXor => self.ops.bin(Op::Xor, a, b),
            BinaryOp::BitsShl => self.ops.bin(Op::Shl, a, self.shift_count(ty, b)),
            BinaryOp::BitsShr if ty.is_signed() => {
                self.ops.bin(Op::AShr, a, self.shift_count(ty, b))
            }
            BinaryOp::BitsShr => self.ops.bin(Op::LShr, a, self.shift_count(ty, b)),
            BinaryOp::BitsRotl => self.ops.math("llvm.fshl", &[a, a, b]),
            _ if ty.is_signed() => self.compare_int(op, [SLT, SLE, SGT, SGE], a, b),
            _ => self.compare_int(op, [ULT, ULE, UGT, UGE], a, b),
        }
    }

    /// Quotient and remainder toward zero. A divisor of 0 counts as 1; -1, which faults
    /// on the least integer, is divided by as 1 and the quotient negated.
    fn divide(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> (V<'c>, V<'c>) {
        let (zero, one) = (self.int_like(ty, 0, a), self.int_like(ty, 1, a));
        if !ty.is_signed() {
            let divisor = self.ops.math("llvm.umax", &[b, one]);
            let quotient = self.ops.bin(Op::UDiv, a, divisor);
            return (quotient, self.ops.bin(Op::URem, a, divisor));
        }
        let minus = self.ops.icmp(IntPredicate::EQ, b, self.int_like(ty, -1, a));
        let none = self.ops.icmp(IntPredicate::EQ, b, zero);
        let unsafe_divisor = self.ops.bin(Op::Or, minus, none);
        let divisor = self.ops.select(unsafe_divisor, one, b);
        let quotient = self.ops.bin(Op::SDiv, a, divisor);
        let remainder = self.ops.bin(Op::SRem, a, divisor);
        let negated = self.ops.bin(Op::Sub, zero, quotient);
        (self.ops.select(minus, negated, quotient), remainder)
    }

    /// By squaring, in every lane until no exponent is left.
    fn int_power(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let Ops { builder, .. } = self.ops;
        let context = self.ops.context();
        let before = builder.get_insert_block().expect("the builder is positioned");
        let body = context.insert_basic_block_after(before, "power");
        let after = context.insert_basic_block_after(body, "power.end");
        let exponent = if ty.is_signed() {
            self.ops.math("llvm.smax", &[b, self.int_like(ty, 0, b)])
        } else {
            b
        };
        let branch = |to| super::ops::built(builder.build_unconditional_branch(to));
        branch(body);
        builder.position_at_end(body);
        let phi = || super::ops::built(builder.build_phi(a.get_type(), ""));
        let (result, base, left) = (phi(), phi(), phi());
        let (r, x, n) = (result.as_basic_value(), base.as_basic_value(), left.as_basic_value());
        let bit = self.ops.bin(Op::And, n, self.int_like(ty, 1, a));
        let odd = self.ops.icmp(IntPredicate::NE, bit, self.int_like(ty, 0, a));
        let next = self.ops.select(odd, self.ops.bin(Op::Mul, r, x), r);
        let square = self.ops.bin(Op::Mul, x, x);
        let rest = self.ops.bin(Op::LShr, n, self.int_like(ty, 1, a));
        let more = self.ops.icmp(IntPredicate::NE, rest, self.int_like(ty, 0, a));
        super::ops::built(builder.build_conditional_branch(self.ops.any(more), body, after));
        let one = self.int_like(ty, 1, a);
        result.add_incoming(&[(&one, before), (&next, body)]);
        base.add_incoming(&[(&a, before), (&square, body)]);
        left.add_incoming(&[(&exponent, before), (&rest, body)]);
        builder.position_at_end(after);
        next
    }

    fn binary_float(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        use FloatPredicate::*;
        let predicate = match op {
            BinaryOp::Add => return self.ops.float_bin(Op::FAdd, a, b, self.strict),
            BinaryOp::Sub => return self.ops.float_bin(Op::FSub, a, b, self.strict),
            BinaryOp::Mul => return self.ops.float_bin(Op::FMul, a, b, self.strict),
            BinaryOp::Div => return self.ops.bin(Op::FDiv, a, b),
            BinaryOp::Rem => return self.ops.bin(Op::FRem, a, b),
            BinaryOp::Min => return self.ops.math("llvm.minimum", &[a, b]),
            BinaryOp::Max => return self.ops.math("llvm.maximum", &[a, b]),
            BinaryOp::Eq => OEQ,
            BinaryOp::Ne => UNE,
            BinaryOp::Lt => OLT,
            BinaryOp::Le => OLE,
            BinaryOp::Gt => OGT,
            BinaryOp::Ge => OGE,
            _ => {
                let machine = LlvmMachine::new(self.ops, ty, lanes_of(a));
                return program::binary(&machine, op, a, b)
                    .expect("every other operator is elementary");
            }
        };
        self.ops.fcmp(predicate, a, b)
    }

    /// An operator of floats, those of less than 32 bits by way of `f32`.
    pub(super) fn by_float(
        &self,
        ty: ScalarType,
        compute: impl FnOnce(ScalarType) -> V<'c>,
    ) -> V<'c> {
        match ty.is_small_float() {
            true => self.rounded(ty, compute(ScalarType::F32)),
            false => compute(ty),
        }
    }

    pub(super) fn int_op(&self, op: IntOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        match op {
            IntOp::FloorDiv => self.floor(ty, a, b).0,
            IntOp::FloorMod => self.floor(ty, a, b).1,
            IntOp::BitAnd => self.ops.bin(Op::And, a, b),
            IntOp::BitOr => self.ops.bin(Op::Or, a, b),
            IntOp::BitXor => self.ops.bin(Op::Xor, a, b),
            IntOp::Shl => self.ops.bin(Op::Shl, a, self.shift_count(ty, b)),
            IntOp::Shr => self.ops.bin(Op::LShr, a, self.shift_count(ty, b)),
            IntOp::Sar => self.ops.bin(Op::AShr, a, self.shift_count(ty, b)),
        }
    }

    fn shift_count(&self, ty: ScalarType, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::And, b, self.int_like(ty, ty.bytes() as i64 * 8 - 1, b))
    }

    /// Quotient and remainder toward minus infinity.
    fn floor(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> (V<'c>, V<'c>) {
        let zero = self.int_like(ty, 0, a);
        let (quotient, remainder) = self.divide(ty, a, b);
        let some = self.ops.icmp(IntPredicate::NE, remainder, zero);
        let signs = self.ops.bin(Op::Xor, remainder, b);
        let opposite = self.ops.icmp(IntPredicate::SLT, signs, zero);
        let below = self.ops.bin(Op::And, some, opposite);
        let one_less = self.ops.bin(Op::Sub, quotient, self.int_like(ty, 1, a));
        let up = self.ops.bin(Op::Add, remainder, b);
        (self.ops.select(below, one_less, quotient), self.ops.select(below, up, remainder))
    }

    pub(super) fn fma(&self, a: V<'c>, b: V<'c>, c: V<'c>) -> V<'c> {
        self.ops.math("llvm.fma", &[a, b, c])
    }
}
