//! Floats of 8 and 16 bits: values as bits, and their conversion from and to wider ones.
//!
//! They have no arithmetic: [`crate::eval`] computes in `f32` and rounds, which for `+`, `-`,
//! `*`, `/` and the square root gives the correctly rounded result, since `f32` has more
//! than twice their digits (Figueroa, "When is double rounding innocuous?", 1995).

use crate::program::small::{BF16, F8E4M3, F16 as F16_FORMAT, narrow, widen};
use crate::program::{Direct, SmallFormat};

/// IEEE 754 binary16: 5 bits of exponent, 10 of mantissa. Equality is of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

/// The upper half of a binary32: 8 bits of exponent, 7 of mantissa. Equality is of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Bf16(pub u16);

/// OCP 8-bit float with 4 bits of exponent and 3 of mantissa: no infinities, ±448 the
/// largest, one NaN per sign. What is too large becomes NaN. Equality is of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct F8e4m3(pub u8);

macro_rules! small_float {
    ($name:ident, $bits:ident, $format:expr) => {
        impl $name {
            /// Its parameters.
            pub const FORMAT: &'static SmallFormat = $format;
            /// The largest finite value.
            pub const MAX: f32 = Self::FORMAT.max;

            /// The value, exactly.
            pub fn to_f32(self) -> f32 {
                widen(&Direct::<f32>::new(), Self::FORMAT, self.0.into())
            }

            /// The nearest value, ties to even.
            pub fn from_f32(value: f32) -> $name {
                $name(narrow(&Direct::<f32>::new(), Self::FORMAT, value) as $bits)
            }

            /// The nearest value, ties to even, rounded once.
            pub fn from_f64(value: f64) -> $name {
                $name(narrow(&Direct::<f64>::new(), Self::FORMAT, value) as $bits)
            }
        }
    };
}
small_float!(F16, u16, &F16_FORMAT);
small_float!(Bf16, u16, &BF16);
small_float!(F8e4m3, u8, &F8E4M3);
