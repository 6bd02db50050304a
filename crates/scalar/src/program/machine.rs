//! The operations that an elementary function is made of.

use super::Format;

/// A function of one `f64` computed only for the rare operand that needs it.
pub struct Rare<M: Machine> {
    /// Symbol under which a code generator emits it once per module.
    pub name: &'static str,
    /// The function.
    pub body: fn(&M, M::F) -> M::F,
}

/// Floats of one width, integers of the same width, and truth values, each scalar or a
/// vector of lanes.
///
/// All arithmetic is IEEE 754 to nearest even and is never contracted or reordered;
/// integers wrap.
pub trait Machine: Sized {
    /// A float.
    type F: Copy;
    /// An integer as wide as [`Machine::F`].
    type I: Copy;
    /// A truth value.
    type B: Copy;
    /// The machine of `f64`s, this one if it is that.
    type Wide: Machine<Wide = Self::Wide>;

    /// The float format and its tables of constants.
    fn format(&self) -> &'static Format;

    /// A float constant, rounded to the format.
    fn float(&self, value: f64) -> Self::F;
    /// An integer constant.
    fn int(&self, value: i64) -> Self::I;

    /// `a + b`.
    fn add(&self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`.
    fn sub(&self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`.
    fn mul(&self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`.
    fn div(&self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once.
    fn fma(&self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `-a`.
    fn neg(&self, a: Self::F) -> Self::F;
    /// `|a|`.
    fn abs(&self, a: Self::F) -> Self::F;
    /// Square root.
    fn sqrt(&self, a: Self::F) -> Self::F;
    /// Nearest whole number, ties to even.
    fn round(&self, a: Self::F) -> Self::F;

    /// `a < b`; false of NaN.
    fn lt(&self, a: Self::F, b: Self::F) -> Self::B;
    /// `a == b`; false of NaN.
    fn eq(&self, a: Self::F, b: Self::F) -> Self::B;
    /// Both.
    fn and(&self, a: Self::B, b: Self::B) -> Self::B;
    /// Either.
    fn or(&self, a: Self::B, b: Self::B) -> Self::B;
    /// Not.
    fn not(&self, a: Self::B) -> Self::B;
    /// `a` where `c` holds, else `b`.
    fn select(&self, c: Self::B, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where `c` holds, else `b`.
    fn select_int(&self, c: Self::B, a: Self::I, b: Self::I) -> Self::I;

    /// The bits of a float.
    fn bits(&self, a: Self::F) -> Self::I;
    /// The float of some bits.
    fn float_of_bits(&self, a: Self::I) -> Self::F;
    /// `a + b`.
    fn int_add(&self, a: Self::I, b: Self::I) -> Self::I;
    /// `a - b`.
    fn int_sub(&self, a: Self::I, b: Self::I) -> Self::I;
    /// `a * b`.
    fn int_mul(&self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise and.
    fn int_and(&self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise or.
    fn int_or(&self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise exclusive or.
    fn int_xor(&self, a: Self::I, b: Self::I) -> Self::I;
    /// `a << n`, with `n` below the width.
    fn shl(&self, a: Self::I, n: Self::I) -> Self::I;
    /// `a >> n` filling with zeros, with `n` below the width.
    fn shr(&self, a: Self::I, n: Self::I) -> Self::I;
    /// `a >> n` filling with the sign, with `n` below the width.
    fn sar(&self, a: Self::I, n: Self::I) -> Self::I;
    /// `a == b`.
    fn int_eq(&self, a: Self::I, b: Self::I) -> Self::B;
    /// `words[index]`; the index is in range.
    fn word(&self, words: &'static [u64], index: Self::I) -> Self::I;

    /// `body` of `x` as an `f64`, rounded back, where `when` holds; elsewhere `otherwise`.
    fn rare(
        &self,
        when: Self::B,
        otherwise: Self::F,
        x: Self::F,
        function: Rare<Self::Wide>,
    ) -> Self::F;

    /// `body` where `when` holds, elsewhere `otherwise`; computed only where `when` holds in some
    /// lane.
    fn select_any(
        &self,
        when: Self::B,
        otherwise: Self::F,
        body: impl FnOnce(&Self) -> Self::F,
    ) -> Self::F;

    /// A function of `f64`s applied to widened operands, its result rounded back.
    fn widened<const N: usize>(
        &self,
        operands: [Self::F; N],
        body: impl FnOnce(&Self::Wide, [<Self::Wide as Machine>::F; N]) -> <Self::Wide as Machine>::F,
    ) -> Self::F;
}

/// Shorthands that every machine has.
pub(super) trait MachineExt: Machine {
    /// Whether `a` is NaN.
    fn is_nan(&self, a: Self::F) -> Self::B {
        self.not(self.eq(a, a))
    }

    /// `a` with the sign bit of `sign` flipped into it.
    fn xor_sign(&self, a: Self::F, sign: Self::F) -> Self::F {
        let bit = self.int_and(self.bits(sign), self.int(self.format().sign_bit()));
        self.float_of_bits(self.int_xor(self.bits(a), bit))
    }

    /// A small integer as a float, exactly.
    fn int_to_float(&self, a: Self::I) -> Self::F {
        let magic = self.float(self.format().magic);
        self.sub(self.float_of_bits(self.int_add(a, self.bits(magic))), magic)
    }

    /// `2**k` for `k` in the range of normal exponents.
    fn power_of_two(&self, k: Self::I) -> Self::F {
        let format = self.format();
        let biased = self.int_add(k, self.int(format.bias));
        self.float_of_bits(self.shl(biased, self.int(format.mantissa)))
    }

    /// The exact sum of `a` and `b`, as its rounding and the error, with `|a| >= |b|`.
    fn fast_two_sum(&self, a: Self::F, b: Self::F) -> (Self::F, Self::F) {
        let sum = self.add(a, b);
        (sum, self.sub(b, self.sub(sum, a)))
    }

    /// The exact sum of `a` and `b`, as its rounding and the error.
    fn two_sum(&self, a: Self::F, b: Self::F) -> (Self::F, Self::F) {
        let sum = self.add(a, b);
        let b_part = self.sub(sum, a);
        let a_part = self.sub(sum, b_part);
        (sum, self.add(self.sub(a, a_part), self.sub(b, b_part)))
    }

    /// The exact product of `a` and `b`, as its rounding and the error.
    fn two_product(&self, a: Self::F, b: Self::F) -> (Self::F, Self::F) {
        let product = self.mul(a, b);
        (product, self.fma(a, b, self.neg(product)))
    }

    /// `a` clamped to `lo..=hi`; NaN stays NaN.
    fn clamp(&self, a: Self::F, lo: f64, hi: f64) -> Self::F {
        let (lo, hi) = (self.float(lo), self.float(hi));
        let a = self.select(self.lt(a, lo), lo, a);
        self.select(self.lt(hi, a), hi, a)
    }
}

impl<M: Machine> MachineExt for M {}
