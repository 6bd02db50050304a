//! Element types and single values.

use crate::{Bf16, F8e4m3, F16};
use std::fmt;

/// The type of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ScalarType {
    /// `true` or `false`; one byte in memory.
    Bool,
    /// Two's complement, 8 bits.
    I8,
    /// Two's complement, 16 bits.
    I16,
    /// Two's complement, 32 bits.
    I32,
    /// Two's complement, 64 bits.
    I64,
    /// Without sign, 8 bits.
    U8,
    /// Without sign, 16 bits.
    U16,
    /// Without sign, 32 bits.
    U32,
    /// Without sign, 64 bits.
    U64,
    /// [`F8e4m3`].
    F8e4m3,
    /// IEEE 754 binary16.
    F16,
    /// [`Bf16`].
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

/// Hands every element type and the Rust type of its values to a macro: `Variant(type)`.
#[macro_export]
macro_rules! for_each_type {
    ($then:ident) => {
        $then! {
            Bool(bool) I8(i8) I16(i16) I32(i32) I64(i64) U8(u8) U16(u16) U32(u32) U64(u64)
            F8e4m3($crate::F8e4m3) F16($crate::F16) Bf16($crate::Bf16) F32(f32) F64(f64)
        }
    };
}

macro_rules! list_types {
    ($($variant:ident($rust:ty))*) => {
        impl ScalarType {
            /// Every element type.
            pub const ALL: [ScalarType; 14] = [$(ScalarType::$variant),*];

            /// Bytes of one element in memory.
            pub fn bytes(self) -> usize {
                match self {
                    $(ScalarType::$variant => size_of::<$rust>(),)*
                }
            }
        }
    };
}
for_each_type!(list_types);

impl ScalarType {
    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        self.is_small_float() || matches!(self, ScalarType::F32 | ScalarType::F64)
    }

    /// Whether this is a float type without arithmetic of its own: it computes in `f32` and
    /// rounds each result.
    pub fn is_small_float(self) -> bool {
        matches!(self, ScalarType::F8e4m3 | ScalarType::F16 | ScalarType::Bf16)
    }

    /// Whether this is an integer type (`bool` is none).
    pub fn is_int(self) -> bool {
        self != ScalarType::Bool && !self.is_float()
    }

    /// Whether this is an integer type with negative values.
    pub fn is_signed(self) -> bool {
        matches!(self, ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64)
    }

    /// The type that sums of this one accumulate in and that a small float computes in.
    /// `f32` for small floats, which round once at the end; `i32` for integers of less than
    /// 32 bits and for `bool`, whose sums have that type.
    pub fn sums_in(self) -> ScalarType {
        match self {
            _ if self.is_small_float() => ScalarType::F32,
            ScalarType::Bool => ScalarType::I32,
            _ if self.is_int() && self.bytes() < 4 => ScalarType::I32,
            _ => self,
        }
    }

    /// The name in the language and in every text form.
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "i8",
            ScalarType::I16 => "i16",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::U8 => "u8",
            ScalarType::U16 => "u16",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::F8e4m3 => "f8e4m3",
            ScalarType::F16 => "f16",
            ScalarType::Bf16 => "bf16",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
        }
    }

    /// The type called `name`, with the aliases `int` (`i32`) and `float` (`f32`).
    pub fn from_name(name: &str) -> Option<ScalarType> {
        match name {
            "int" => Some(ScalarType::I32),
            "float" => Some(ScalarType::F32),
            _ => Self::ALL.into_iter().find(|t| t.name() == name),
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One value of one element type.
///
/// Equality is of bits: a NaN equals itself, and `0.0` differs from `-0.0`. This is
/// what tests and hash-consing want; the language's `==` is [`crate::BinaryOp::Eq`].
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// A `bool`.
    Bool(bool),
    /// An `i8`.
    I8(i8),
    /// An `i16`.
    I16(i16),
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// A `u8`.
    U8(u8),
    /// A `u16`.
    U16(u16),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
    /// An `f8e4m3`.
    F8e4m3(F8e4m3),
    /// An `f16`.
    F16(F16),
    /// A `bf16`.
    Bf16(Bf16),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

macro_rules! scalar_types {
    ($($variant:ident($rust:ty))*) => {
        impl Scalar {
            /// The value's type.
            #[inline]
            pub fn ty(self) -> ScalarType {
                match self {
                    $(Scalar::$variant(_) => ScalarType::$variant,)*
                }
            }
        }
        $(impl From<$rust> for Scalar {
            fn from(value: $rust) -> Scalar {
                Scalar::$variant(value)
            }
        })*
    };
}
for_each_type!(scalar_types);

impl Scalar {
    /// Zero (or `false`) of a type: what a cell holds that no clause defines.
    pub fn zero(ty: ScalarType) -> Scalar {
        Scalar::from_bits(ty, 0)
    }

    /// One (or `true`) of a type.
    pub fn one(ty: ScalarType) -> Scalar {
        Scalar::from_i64(ty, 1)
    }

    /// Below every other value of a type: what a maximum starts with. Of floats negative
    /// infinity, or the least number of a format without one.
    pub fn least(ty: ScalarType) -> Scalar {
        match ty {
            ScalarType::I8 => Scalar::I8(i8::MIN),
            ScalarType::I16 => Scalar::I16(i16::MIN),
            ScalarType::I32 => Scalar::I32(i32::MIN),
            ScalarType::I64 => Scalar::I64(i64::MIN),
            ScalarType::F8e4m3 => Scalar::F8e4m3(F8e4m3::from_f32(-F8e4m3::MAX)),
            _ if ty.is_float() => crate::eval::cast(Scalar::F64(f64::NEG_INFINITY), ty),
            _ => Scalar::zero(ty),
        }
    }

    /// Above every other value of a type, as [`Scalar::least`].
    pub fn greatest(ty: ScalarType) -> Scalar {
        match ty {
            ScalarType::Bool => Scalar::Bool(true),
            ScalarType::F8e4m3 => Scalar::F8e4m3(F8e4m3::from_f32(F8e4m3::MAX)),
            _ if ty.is_float() => crate::eval::cast(Scalar::F64(f64::INFINITY), ty),
            _ if ty.is_signed() => Scalar::from_bits(ty, !Scalar::least(ty).bits()),
            _ => Scalar::from_bits(ty, u64::MAX),
        }
    }

    /// An integer in a type, wrapped or rounded to it; for `bool`, whether it is not 0.
    pub fn from_i64(ty: ScalarType, v: i64) -> Scalar {
        match ty {
            ScalarType::Bool => Scalar::Bool(v != 0),
            _ if ty.is_float() => crate::eval::cast(Scalar::I64(v), ty),
            _ => Scalar::from_bits(ty, v as u64),
        }
    }

    /// The value as an integer, if its type is an integer type or `bool`; a `u64` beyond
    /// every `i64` is the largest one.
    pub fn as_i64(self) -> Option<i64> {
        Some(match self {
            Scalar::Bool(b) => b as i64,
            Scalar::I8(v) => v.into(),
            Scalar::I16(v) => v.into(),
            Scalar::I32(v) => v.into(),
            Scalar::I64(v) => v,
            Scalar::U8(v) => v.into(),
            Scalar::U16(v) => v.into(),
            Scalar::U32(v) => v.into(),
            Scalar::U64(v) => v.try_into().unwrap_or(i64::MAX),
            _ => return None,
        })
    }

    /// The value as an integer, exactly, if its type is an integer type or `bool`.
    pub fn as_i128(self) -> Option<i128> {
        match self {
            Scalar::U64(v) => Some(v.into()),
            other => other.as_i64().map(i128::from),
        }
    }

    /// The value as an `f64`, exactly, if its type is a float type.
    pub fn as_f64(self) -> Option<f64> {
        Some(match self {
            Scalar::F8e4m3(v) => v.to_f32().into(),
            Scalar::F16(v) => v.to_f32().into(),
            Scalar::Bf16(v) => v.to_f32().into(),
            Scalar::F32(v) => v.into(),
            Scalar::F64(v) => v,
            _ => return None,
        })
    }

    /// Whether this is a float that is no number.
    pub fn is_nan(self) -> bool {
        self.as_f64().is_some_and(f64::is_nan)
    }

    /// The shortest text that [`Scalar::parse`] reads as this value, but for NaN's payload.
    pub fn number_text(self) -> String {
        match (self, self.as_i64(), self.as_f64()) {
            (Scalar::U64(v), ..) => v.to_string(),
            (Scalar::F64(v), ..) => format!("{v:?}"),
            (_, Some(v), _) => v.to_string(),
            (_, _, v) => format!("{:?}", v.expect("every value is whole or a float") as f32),
        }
    }

    /// The value of a type that a text names in decimal; `None` where it is no number of
    /// that type, and of `bool`.
    pub fn parse(ty: ScalarType, text: &str) -> Option<Scalar> {
        match ty {
            ScalarType::Bool => None,
            ScalarType::U64 => text.parse().ok().map(Scalar::U64),
            ScalarType::F32 => text.parse().ok().map(Scalar::F32),
            _ if ty.is_float() => Some(crate::eval::cast(Scalar::F64(text.parse().ok()?), ty)),
            _ => Scalar::exactly(ty, text.parse().ok()?),
        }
    }

    /// An integer as a value of an integer type; `None` where the type does not hold it.
    pub fn exactly(ty: ScalarType, v: i64) -> Option<Scalar> {
        let value = crate::eval::cast(Scalar::I64(v), ty);
        (ty.is_int() && value.as_i64() == Some(v)).then_some(value)
    }

    /// The truth of a `bool`.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Scalar::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The bits, zero-extended to 64.
    #[inline]
    pub fn bits(self) -> u64 {
        match self {
            Scalar::Bool(b) => b as u64,
            Scalar::I8(v) => v as u8 as u64,
            Scalar::I16(v) => v as u16 as u64,
            Scalar::I32(v) => v as u32 as u64,
            Scalar::I64(v) => v as u64,
            Scalar::U8(v) => v.into(),
            Scalar::U16(v) => v.into(),
            Scalar::U32(v) => v.into(),
            Scalar::U64(v) => v,
            Scalar::F8e4m3(v) => v.0.into(),
            Scalar::F16(v) => v.0.into(),
            Scalar::Bf16(v) => v.0.into(),
            Scalar::F32(v) => v.to_bits().into(),
            Scalar::F64(v) => v.to_bits(),
        }
    }

    /// The value of a type with the given bits, as [`Scalar::bits`] gives them; bits beyond
    /// the type's are ignored.
    #[inline]
    pub fn from_bits(ty: ScalarType, bits: u64) -> Scalar {
        match ty {
            ScalarType::Bool => Scalar::Bool(bits & 1 != 0),
            ScalarType::I8 => Scalar::I8(bits as i8),
            ScalarType::I16 => Scalar::I16(bits as i16),
            ScalarType::I32 => Scalar::I32(bits as i32),
            ScalarType::I64 => Scalar::I64(bits as i64),
            ScalarType::U8 => Scalar::U8(bits as u8),
            ScalarType::U16 => Scalar::U16(bits as u16),
            ScalarType::U32 => Scalar::U32(bits as u32),
            ScalarType::U64 => Scalar::U64(bits),
            ScalarType::F8e4m3 => Scalar::F8e4m3(F8e4m3(bits as u8)),
            ScalarType::F16 => Scalar::F16(F16(bits as u16)),
            ScalarType::Bf16 => Scalar::Bf16(Bf16(bits as u16)),
            ScalarType::F32 => Scalar::F32(f32::from_bits(bits as u32)),
            ScalarType::F64 => Scalar::F64(f64::from_bits(bits)),
        }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.ty() == other.ty() && self.bits() == other.bits()
    }
}
impl Eq for Scalar {}

impl std::hash::Hash for Scalar {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ty().hash(state);
        self.bits().hash(state);
    }
}

/// The number, then its type: `3i32`, `0.5f16`; a `bool` has no type behind it.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(v) => write!(f, "{v}"),
            _ => write!(f, "{}{}", self.number_text(), self.ty()),
        }
    }
}
