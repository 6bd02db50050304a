//! Integers that leave their type: whether an operator does, and what becomes of it.
//!
//! Scalar code ends where it happens. In lanes there is no branch for it: a vector notes
//! which lanes it happened in, and is looked at when the loop has ended.

use super::Emitter;
use super::arith::Arith;
use super::ops::{Likely, Ops, V, built, lanes_of, result, with_lanes};
use super::uses::writes;
use crate::kernel::OVERFLOWED;
use inkwell::values::{InstructionOpcode as Op, PointerValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_loops::{Expr, For, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// Where the lanes of a vector loop note overflow: so many, each of as many bits.
#[derive(Clone, Copy)]
pub(super) struct Notes<'c> {
    at: PointerValue<'c>,
    lanes: u32,
    bits: u32,
}

impl<'c> Arith<'_, 'c> {
    /// Whether `a op b` leaves the type, in every lane.
    pub(super) fn overflows(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        if lanes_of(a) > 1
            && ty.is_signed()
            && let Some(beyond) = self.overflows_by_ends(op, ty, a, b)
        {
            return beyond;
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub if lanes_of(a) > 1 => self.sum_overflows(op, ty, a, b),
            BinaryOp::Mul if lanes_of(a) > 1 && ty.is_signed() && ty.bytes() >= 4 => {
                self.large_product_overflows(ty, a, b)
            }
            BinaryOp::Mul if lanes_of(a) > 1 && ty.bytes() < 8 => self.product_overflows(ty, a, b),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let name = match (op, ty.is_signed()) {
                    (BinaryOp::Add, true) => "llvm.sadd.with.overflow",
                    (BinaryOp::Sub, true) => "llvm.ssub.with.overflow",
                    (_, true) => "llvm.smul.with.overflow",
                    (BinaryOp::Add, false) => "llvm.uadd.with.overflow",
                    (BinaryOp::Sub, false) => "llvm.usub.with.overflow",
                    (_, false) => "llvm.umul.with.overflow",
                };
                self.overflow_bit(name, a, b)
            }
            BinaryOp::Div if ty.is_signed() => {
                let minus = self.like(Scalar::from_i64(ty, -1), a);
                let turns = self.ops.icmp(IntPredicate::EQ, b, minus);
                let least = self.ops.icmp(IntPredicate::EQ, a, self.like(Scalar::least(ty), a));
                self.ops.bin(Op::And, turns, least)
            }
            BinaryOp::Pow => self.power_overflows(ty, a, b),
            _ => self.like(Scalar::Bool(false), a),
        }
    }

    /// By the signs: a sum has that of an operand, if both have the same.
    fn sum_overflows(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let value = self.binary(op, ty, a, b);
        match (ty.is_signed(), op) {
            (true, _) => {
                let signs = self.signs_of_overflow((op, ty), (a, b), value);
                self.ops.icmp(IntPredicate::SLT, signs, self.like(Scalar::zero(ty), a))
            }
            (false, BinaryOp::Add) => self.ops.icmp(IntPredicate::ULT, value, a),
            (false, _) => self.ops.icmp(IntPredicate::ULT, a, b),
        }
    }

    /// A number that is negative where a sum or difference leaves its type. The sign of an operand that
    /// is known now needs no look.
    fn signs_of_overflow(
        &self,
        (op, ty): (BinaryOp, ScalarType),
        (a, b): (V<'c>, V<'c>),
        value: V<'c>,
    ) -> V<'c> {
        let ones = self.like(Scalar::from_i64(ty, -1), a);
        let not = |v: V<'c>| self.ops.bin(Op::Xor, v, ones);
        let both = |x: V<'c>, y: V<'c>| self.ops.bin(Op::And, x, y);
        let grows = |x: V<'c>| both(not(x), value);
        let shrinks = |x: V<'c>| both(x, not(value));
        match (op, factor_of(a), factor_of(b)) {
            (BinaryOp::Add, None, Some(n)) if n >= 0 => grows(a),
            (BinaryOp::Add, None, Some(_)) => shrinks(a),
            (BinaryOp::Add, Some(n), None) if n >= 0 => grows(b),
            (BinaryOp::Add, Some(_), None) => shrinks(b),
            (BinaryOp::Sub, None, Some(n)) if n >= 0 => shrinks(a),
            (BinaryOp::Sub, None, Some(_)) => grows(a),
            (BinaryOp::Sub, Some(n), None) if n >= 0 => both(b, value),
            (BinaryOp::Sub, Some(_), None) => both(not(b), not(value)),
            _ => {
                let turns = self.ops.bin(Op::Xor, a, value);
                let other = if op == BinaryOp::Add { value } else { a };
                both(turns, self.ops.bin(Op::Xor, b, other))
            }
        }
    }

    /// By the ends of what an operand may be, where the other one is a number known now, or
    /// the same.
    fn overflows_by_ends(&self, op: BinaryOp, ty: ScalarType, a: V<'c>, b: V<'c>) -> Option<V<'c>> {
        let (x, ends) = match (op, factor_of(a), factor_of(b)) {
            (BinaryOp::Mul, None, Some(n)) => (a, factor_ends(ty, n)),
            (BinaryOp::Mul, Some(n), None) => (b, factor_ends(ty, n)),
            (BinaryOp::Mul, None, None) if a == b => (a, root_ends(ty)),
            _ => return None,
        };
        Some(self.is_outside(ty, x, ends))
    }

    /// Whether lanes lie outside of `low..=high`.
    fn is_outside(&self, ty: ScalarType, x: V<'c>, (low, high): (i128, i128)) -> V<'c> {
        let (least, greatest) = ends_of(ty);
        let end = |v: i128| self.like(Scalar::from_i64(ty, v as i64), x);
        let below = (low > least).then(|| self.ops.icmp(IntPredicate::SLT, x, end(low)));
        let above = (high < greatest).then(|| self.ops.icmp(IntPredicate::SGT, x, end(high)));
        match (below, above) {
            (Some(below), Some(above)) => self.ops.bin(Op::Or, below, above),
            (one, other) => one.or(other).unwrap_or_else(|| self.like(Scalar::Bool(false), x)),
        }
    }

    /// By the product of floats, which is wrong by a little: where that is next to the end or
    /// beyond, by the exact product.
    fn large_product_overflows(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let float = if ty.bytes() == 8 { ScalarType::F64 } else { ScalarType::F32 };
        let end = -(ends_of(ty).0 as f64) * (1.0 - NEXT_TO_THE_END);
        let end = match float {
            ScalarType::F64 => Scalar::F64(end),
            _ => Scalar::F32(end as f32),
        };
        let lanes = self.ops.ty(float, lanes_of(a));
        let [x, y] = [a, b].map(|v| self.ops.cast(Op::SIToFP, v, lanes));
        let size = self.ops.math("llvm.fabs", &[self.ops.bin(Op::FMul, x, y)]);
        let large = self.ops.fcmp(FloatPredicate::OGE, size, self.like(end, a));
        let no = self.like(Scalar::Bool(false), a);
        self.ops.if_any(large, no, Likely::Rare, || match ty.bytes() {
            8 => self.overflow_bit("llvm.smul.with.overflow", a, b),
            _ => self.product_overflows(ty, a, b),
        })
    }

    fn overflow_bit(&self, name: &str, a: V<'c>, b: V<'c>) -> V<'c> {
        let both = self.ops.math(name, &[a, b]).into_struct_value();
        built(self.ops.builder.build_extract_value(both, 1, ""))
    }

    /// By the product in twice as many bits.
    fn product_overflows(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let lanes = lanes_of(a);
        let bits = std::num::NonZeroU32::new(ty.bytes() as u32 * 16).expect("not zero");
        let wide = self.ops.context().custom_width_int_type(bits).expect("up to 64 bits");
        let wide = with_lanes(wide.into(), lanes);
        let extend = if ty.is_signed() { Op::SExt } else { Op::ZExt };
        let (x, y) = (self.ops.cast(extend, a, wide), self.ops.cast(extend, b, wide));
        let exact = self.ops.bin(Op::Mul, x, y);
        let narrow = self.ops.cast(Op::Trunc, exact, a.get_type());
        self.ops.icmp(IntPredicate::NE, self.ops.cast(extend, narrow, wide), exact)
    }

    /// By squaring: a power leaves the type where a factor that is taken has, or the
    /// product does.
    fn power_overflows(&self, ty: ScalarType, a: V<'c>, b: V<'c>) -> V<'c> {
        let Ops { builder, .. } = self.ops;
        let context = self.ops.context();
        let before = builder.get_insert_block().expect("the builder is positioned");
        let body = context.insert_basic_block_after(before, "power.check");
        let after = context.insert_basic_block_after(body, "power.checked");
        let (zero, one) = (self.like(Scalar::zero(ty), a), self.like(Scalar::one(ty), a));
        let exponent = if ty.is_signed() { self.ops.math("llvm.smax", &[b, zero]) } else { b };
        let no = self.like(Scalar::Bool(false), a);
        built(builder.build_unconditional_branch(body));
        builder.position_at_end(body);
        let phi = |like: V<'c>| built(builder.build_phi(like.get_type(), ""));
        let (result, base, left) = (phi(a), phi(a), phi(a));
        let (lost, found) = (phi(no), phi(no));
        let (r, x, n) = (result.as_basic_value(), base.as_basic_value(), left.as_basic_value());
        let odd = self.ops.icmp(IntPredicate::NE, self.ops.bin(Op::And, n, one), zero);
        let product = self.ops.bin(Op::Mul, r, x);
        let beyond = self.overflows(BinaryOp::Mul, ty, r, x);
        let beyond = self.ops.bin(Op::Or, beyond, lost.as_basic_value());
        let beyond = self.ops.bin(Op::And, odd, beyond);
        let found_now = self.ops.bin(Op::Or, found.as_basic_value(), beyond);
        let next = self.ops.select(odd, product, r);
        let square = self.ops.bin(Op::Mul, x, x);
        let lost_now = self.overflows(BinaryOp::Mul, ty, x, x);
        let lost_now = self.ops.bin(Op::Or, lost.as_basic_value(), lost_now);
        let rest = self.ops.bin(Op::LShr, n, one);
        let more = self.ops.icmp(IntPredicate::NE, rest, zero);
        let end = builder.get_insert_block().expect("the builder is positioned");
        built(builder.build_conditional_branch(self.ops.any(more), body, after));
        result.add_incoming(&[(&one, before), (&next, end)]);
        base.add_incoming(&[(&a, before), (&square, end)]);
        left.add_incoming(&[(&exponent, before), (&rest, end)]);
        lost.add_incoming(&[(&no, before), (&lost_now, end)]);
        found.add_incoming(&[(&no, before), (&found_now, end)]);
        builder.position_at_end(after);
        found_now
    }
}

/// By how much a product of floats is next to the end of a type: more than it is wrong by.
const NEXT_TO_THE_END: f64 = 1.0 / (1 << 16) as f64;

/// The least and the greatest number of a type.
fn ends_of(ty: ScalarType) -> (i128, i128) {
    let end = |s: Scalar| i128::from(s.as_i64().expect("signed integers have ends"));
    (end(Scalar::least(ty)), end(Scalar::greatest(ty)))
}

/// The largest factor of a number.
fn factor_ends(ty: ScalarType, n: i128) -> (i128, i128) {
    let (least, greatest) = ends_of(ty);
    match n {
        0 => (least, greatest),
        _ if n > 0 => (least / n, greatest / n),
        _ => (greatest / n, (least / n).min(greatest)),
    }
}

/// The largest number that may be multiplied with itself.
fn root_ends(ty: ScalarType) -> (i128, i128) {
    let root = ends_of(ty).1.isqrt();
    (-root, root)
}

/// The number that all lanes hold, where it is known now.
fn factor_of(v: V<'_>) -> Option<i128> {
    let V::VectorValue(v) = v else { return None };
    v.is_const().then(|| super::ops::same_in_all_lanes(v)).flatten().map(i128::from)
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// Notes the lanes that run in which a condition holds; scalar code ends there.
    pub(super) fn flag(&mut self, cond: Expr) {
        let Some(notes) = self.notes.filter(|_| self.lanes > 1) else {
            let cond = self.eval_lanes(cond);
            let cond = self.mask.map_or(cond, |mask| self.ops.bin(Op::And, mask, cond));
            return self.end_if(cond);
        };
        let cond = self.eval_lanes(cond);
        let cond = self.mask.map_or(cond, |mask| self.ops.bin(Op::And, mask, cond));
        let word = self.word_of(notes);
        let noted = self.ops.cast(Op::SExt, cond, word);
        let old = built(self.ops.builder.build_load(word, notes.at, ""));
        built(self.ops.builder.build_store(notes.at, self.ops.bin(Op::Or, old, noted)));
    }

    fn word_of(&self, notes: Notes<'c>) -> inkwell::types::BasicTypeEnum<'c> {
        let bits = std::num::NonZeroU32::new(notes.bits).expect("some bits");
        let word = self.ops.context().custom_width_int_type(bits).expect("up to 64 bits");
        with_lanes(word.into(), notes.lanes)
    }

    /// Ends the function as overflowed where a condition holds in a lane.
    fn end_if(&mut self, cond: V<'c>) {
        let (stop, go) = (self.new_block("overflow"), self.new_block("fits"));
        let branch = self.jump_if(self.ops.any(cond), stop, go);
        self.ops.rarely(branch);
        self.at(stop);
        let code = self.ops.context().i32_type().const_int(OVERFLOWED, false);
        built(self.ops.builder.build_return(Some(&code)));
        self.at(go);
    }

    /// Room for the notes of a vector loop of some lanes, with none in it; nothing where the
    /// loop makes none.
    pub(super) fn open_notes(&mut self, f: &For, lanes: u32) -> Option<Notes<'c>> {
        writes(&f.body, &mut |s| matches!(s, Stmt::Flag { .. })).then_some(())?;
        let bits = self.widest(&f.body).bytes() as u32 * 8;
        let mut notes = Notes { at: self.status, lanes, bits };
        let word = self.word_of(notes);
        notes.at = built(self.entry.build_alloca(word, ""));
        built(self.ops.builder.build_store(notes.at, word.const_zero()));
        Some(notes)
    }

    /// Looks at the notes of a loop that has ended.
    pub(super) fn close_notes(&mut self, notes: Option<Notes<'c>>) {
        let Some(notes) = notes else { return };
        let word = self.word_of(notes);
        let noted = built(self.ops.builder.build_load(word, notes.at, ""));
        let any = self.ops.intrinsic("llvm.vector.reduce.or", &[word], &[noted]);
        let any = result(any);
        let none = any.get_type().const_zero();
        let some = self.ops.icmp(IntPredicate::NE, any, none);
        self.end_if(some);
    }
}
