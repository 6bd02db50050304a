//! Conversions that lose no value, and the type that values of several types meet in.
//!
//! Widening goes along `i8 i16 i32 i64`, `u8 u16 u32 u64`, `f8e4m3 f16 f32 f64` and
//! `f8e4m3 bf16 f32`; from an unsigned type to the signed one of twice its width; from
//! integers to the least float that holds all of them. A join is the least type that
//! everything widens to: of integers an integer, with floats among them the join of the
//! floats, which every integer must widen to.

use crate::ScalarType;
use ScalarType::{Bf16, F8e4m3, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// One step of widening; the rest follows from these.
const STEPS: [(ScalarType, ScalarType); 20] = [
    (I8, I16),
    (I16, I32),
    (I32, I64),
    (U8, U16),
    (U16, U32),
    (U32, U64),
    (U8, I16),
    (U16, I32),
    (U32, I64),
    (F8e4m3, F16),
    (F8e4m3, Bf16),
    (F16, F32),
    (Bf16, F32),
    (F32, F64),
    (I8, F32),
    (U8, F32),
    (I16, F32),
    (U16, F32),
    (I32, F64),
    (U32, F64),
];

impl ScalarType {
    /// Whether every value of this type is one of `to`, so that the conversion is implicit.
    pub fn widens_to(self, to: ScalarType) -> bool {
        self == to || STEPS.iter().any(|(a, b)| *a == self && b.widens_to(to))
    }

    /// The least type that both widen to; `None` where there is none, or no one least.
    pub fn join(self, other: ScalarType) -> Option<ScalarType> {
        let (a, b) = (self, other);
        if a == b {
            return Some(a);
        }
        if a.is_int() && b.is_float() {
            return a.widens_to(b).then_some(b);
        }
        if a.is_float() && b.is_int() {
            return b.join(a);
        }
        let same_kind = |t: &ScalarType| t.is_float() == a.is_float();
        let above = |t: &ScalarType| same_kind(t) && a.widens_to(*t) && b.widens_to(*t);
        let all = || ScalarType::ALL.into_iter().filter(above);
        all().find(|t| all().all(|u| t.widens_to(u)))
    }

    /// The type that arithmetic of this one is done in: `i32` for integers of less than 32
    /// bits, else the type itself.
    pub fn computes_in(self) -> ScalarType {
        if self.is_int() && self.bytes() < 4 { I32 } else { self }
    }

    /// The least float that every value of this type is one of.
    pub fn least_float(self) -> Option<ScalarType> {
        [F32, F64].into_iter().find(|f| self.widens_to(*f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScalarType::Bool;
    use crate::{Scalar, eval};

    #[test]
    fn widening_loses_no_value() {
        let extremes = |t: ScalarType| [Scalar::least(t), Scalar::greatest(t), Scalar::one(t)];
        for from in ScalarType::ALL {
            for to in ScalarType::ALL.into_iter().filter(|to| from.widens_to(*to)) {
                for v in extremes(from) {
                    assert_eq!(eval::cast(eval::cast(v, to), from), v, "{from} through {to}");
                }
            }
        }
    }

    #[test]
    fn joins_are_least() {
        let cases = [
            (I8, U8, Some(I16)),
            (U32, I32, Some(I64)),
            (U32, I8, Some(I64)),
            (U64, I64, None),
            (U8, U64, Some(U64)),
            (F16, Bf16, Some(F32)),
            (I16, F32, Some(F32)),
            (I32, F32, None),
            (I32, F64, Some(F64)),
            (I8, F16, None),
            (I64, F64, None),
            (Bool, I32, None),
            (Bool, Bool, Some(Bool)),
        ];
        for (a, b, met) in cases {
            assert_eq!(a.join(b), met, "{a} and {b}");
            assert_eq!(b.join(a), met, "{b} and {a}");
        }
    }
}
