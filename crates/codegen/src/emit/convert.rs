//! Conversions between scalar types, on scalars or vectors alike.
//!
//! A small float is a rounded `f32` in a register; its own bits exist in memory only. The
//! conversions are those of [`weft_scalar::eval::cast`], with the same bits.

use super::arith::Arith;
use super::machine::LlvmMachine;
use super::ops::{V, lanes_of, result};
use inkwell::values::InstructionOpcode as Op;
use inkwell::{FloatPredicate, IntPredicate};
use weft_scalar::program::{SmallFormat, small};
use weft_scalar::{Bf16, F8e4m3, F16, Scalar, ScalarType};

/// The parameters of a small float.
fn format(ty: ScalarType) -> &'static SmallFormat {
    match ty {
        ScalarType::F8e4m3 => F8e4m3::FORMAT,
        ScalarType::F16 => F16::FORMAT,
        ScalarType::Bf16 => Bf16::FORMAT,
        _ => unreachable!("{ty} is no small float"),
    }
}

impl<'a, 'c> Arith<'a, 'c> {
    /// The bits of the small float nearest to a value of `from`, `f32` or `f64`, as `i32`s.
    fn narrowed(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        let machine = LlvmMachine::new(self.ops, from, lanes_of(a));
        let bits = small::narrow(&machine, format(to), a);
        match from {
            ScalarType::F64 => {
                self.ops.cast(Op::Trunc, bits, self.ops.ty(ScalarType::I32, lanes_of(a)))
            }
            _ => bits,
        }
    }

    /// The `f32` that small floats' bits, as `i32`s, stand for.
    fn widened(&self, from: ScalarType, bits: V<'c>) -> V<'c> {
        let machine = LlvmMachine::new(self.ops, ScalarType::F32, lanes_of(bits));
        small::widen(&machine, format(from), bits)
    }

    /// An `f32` rounded to a small float.
    pub(super) fn rounded(&self, to: ScalarType, a: V<'c>) -> V<'c> {
        self.widened(to, self.narrowed(ScalarType::F32, to, a))
    }

    /// A small float from its bits in memory.
    pub(super) fn of_bits(&self, ty: ScalarType, bits: V<'c>) -> V<'c> {
        let words = self.ops.ty(ScalarType::I32, lanes_of(bits));
        self.widened(ty, self.ops.cast(Op::ZExt, bits, words))
    }

    /// The bits in memory of a small float.
    pub(super) fn bits_of(&self, ty: ScalarType, a: V<'c>) -> V<'c> {
        let bits = self.narrowed(ScalarType::F32, ty, a);
        let memory = super::ops::with_lanes(self.ops.memory_type(ty), lanes_of(a));
        self.ops.cast(Op::Trunc, bits, memory)
    }

    pub(super) fn cast(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        match (from.is_float(), to.is_float()) {
            _ if from == to => a,
            _ if from.is_small_float() => self.cast(ScalarType::F32, to, a),
            _ if to == ScalarType::Bool => self.truth(from, a),
            (false, true) => self.int_to_float(from, to, a),
            (true, false) => self.float_to_int(to, a),
            (false, false) => self.int_to_int(from, to, a),
            (true, true) => self.float_to_float(from, to, a),
        }
    }

    fn truth(&self, from: ScalarType, a: V<'c>) -> V<'c> {
        let zero = self.like(Scalar::zero(from), a);
        if from.is_float() {
            self.ops.fcmp(FloatPredicate::ONE, a, zero)
        } else {
            self.ops.icmp(IntPredicate::NE, a, zero)
        }
    }

    fn float_to_float(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        let into = self.ops.ty(to, lanes_of(a));
        match to {
            ScalarType::F32 => self.ops.cast(Op::FPTrunc, a, into),
            ScalarType::F64 => self.ops.cast(Op::FPExt, a, into),
            _ => self.widened(to, self.narrowed(from, to, a)),
        }
    }

    fn int_to_float(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        if to.is_small_float() {
            let exact = self.without_tail(from, a);
            let wide = self.int_to_float(from, ScalarType::F64, exact);
            return self.float_to_float(ScalarType::F64, to, wide);
        }
        let op = if from.is_signed() { Op::SIToFP } else { Op::UIToFP };
        self.ops.cast(op, a, self.ops.ty(to, lanes_of(a)))
    }

    /// A 64-bit integer that `f64` holds exactly and that rounds to a small float as `a`
    /// does: the last 16 bits of a large one become one bit that says whether any was set.
    fn without_tail(&self, ty: ScalarType, a: V<'c>) -> V<'c> {
        if ty.bytes() < 8 {
            return a;
        }
        let number = |v: i64| self.like(Scalar::from_i64(ty, v), a);
        let (tail, zero) = (number(0xffff), number(0));
        let rest = self.ops.bin(Op::And, a, tail);
        let lost = self.ops.icmp(IntPredicate::NE, rest, zero);
        let sticky = self.ops.select(lost, number(0x1_0000), zero);
        let coarse = self.ops.bin(Op::Or, self.ops.bin(Op::Xor, a, rest), sticky);
        // Small ones are those whose upper 16 bits are copies of the sign.
        let shift = if ty.is_signed() { Op::AShr } else { Op::LShr };
        let upper = self.ops.bin(shift, a, number(48));
        let least = self.ops.bin(Op::Add, upper, number(ty.is_signed().into()));
        let few = number(if ty.is_signed() { 2 } else { 1 });
        let is_small = self.ops.icmp(IntPredicate::ULT, least, few);
        self.ops.select(is_small, a, coarse)
    }

    fn float_to_int(&self, to: ScalarType, a: V<'c>) -> V<'c> {
        let into = self.ops.ty(to, lanes_of(a));
        let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
        result(self.ops.intrinsic(name, &[into, a.get_type()], &[a]))
    }

    /// Saturates, then changes the width.
    fn int_to_int(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        let into = self.ops.ty(to, lanes_of(a));
        let clamped = self.clamped(from, to, a);
        if to.bytes() < from.bytes() {
            return self.ops.cast(Op::Trunc, clamped, into);
        }
        let op = if from.is_signed() { Op::SExt } else { Op::ZExt };
        if to.bytes() == from.bytes() && from != ScalarType::Bool {
            return clamped;
        }
        self.ops.cast(op, clamped, into)
    }

    /// The nearest number of `from` that `to` holds as well.
    fn clamped(&self, from: ScalarType, to: ScalarType, a: V<'c>) -> V<'c> {
        let end = |value: Scalar| weft_scalar::eval::cast(value, from);
        let mut a = a;
        if from.is_signed() {
            let least = end(Scalar::least(to));
            if least != Scalar::least(from) {
                a = self.ops.math("llvm.smax", &[a, self.like(least, a)]);
            }
        }
        let greatest = end(Scalar::greatest(to));
        if greatest != Scalar::greatest(from) {
            let name = if from.is_signed() { "llvm.smin" } else { "llvm.umin" };
            a = self.ops.math(name, &[a, self.like(greatest, a)]);
        }
        a
    }
}
