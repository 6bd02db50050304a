//! Element types and single values.

use std::fmt;

/// The type of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ScalarType {
    /// `true` or `false`; one byte in memory.
    Bool,
    /// Two's complement, 32 bits.
    I32,
    /// Two's complement, 64 bits.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl ScalarType {
    /// Every element type.
    pub const ALL: [ScalarType; 5] =
        [ScalarType::Bool, ScalarType::I32, ScalarType::I64, ScalarType::F32, ScalarType::F64];

    /// Bytes of one element in memory.
    pub fn bytes(self) -> usize {
        match self {
            ScalarType::Bool => 1,
            ScalarType::I32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::F64 => 8,
        }
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::F32 | ScalarType::F64)
    }

    /// Whether this is an integer type (`bool` is none).
    pub fn is_int(self) -> bool {
        matches!(self, ScalarType::I32 | ScalarType::I64)
    }

    /// The name in the language and in every text form.
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
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
    /// An `i32`.
    I32(i32),
    /// An `i64`.
    I64(i64),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

impl Scalar {
    /// The value's type.
    #[inline]
    pub fn ty(self) -> ScalarType {
        match self {
            Scalar::Bool(_) => ScalarType::Bool,
            Scalar::I32(_) => ScalarType::I32,
            Scalar::I64(_) => ScalarType::I64,
            Scalar::F32(_) => ScalarType::F32,
            Scalar::F64(_) => ScalarType::F64,
        }
    }

    /// Zero (or `false`) of a type: what a cell holds that no clause defines.
    pub fn zero(ty: ScalarType) -> Scalar {
        Scalar::from_i64(ty, 0)
    }

    /// One (or `true`) of a type.
    pub fn one(ty: ScalarType) -> Scalar {
        Scalar::from_i64(ty, 1)
    }

    /// An integer in a type, wrapped or rounded to it; for `bool`, whether it is not 0.
    pub fn from_i64(ty: ScalarType, v: i64) -> Scalar {
        match ty {
            ScalarType::Bool => Scalar::Bool(v != 0),
            ScalarType::I32 => Scalar::I32(v as i32),
            ScalarType::I64 => Scalar::I64(v),
            ScalarType::F32 => Scalar::F32(v as f32),
            ScalarType::F64 => Scalar::F64(v as f64),
        }
    }

    /// The value as an integer, if its type is an integer type or `bool`.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Scalar::Bool(b) => Some(b as i64),
            Scalar::I32(v) => Some(v.into()),
            Scalar::I64(v) => Some(v),
            Scalar::F32(_) | Scalar::F64(_) => None,
        }
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
            Scalar::I32(v) => v as u32 as u64,
            Scalar::I64(v) => v as u64,
            Scalar::F32(v) => v.to_bits().into(),
            Scalar::F64(v) => v.to_bits(),
        }
    }

    /// The value of a type with the given bits, as [`Scalar::bits`] gives them.
    #[inline]
    pub fn from_bits(ty: ScalarType, bits: u64) -> Scalar {
        match ty {
            ScalarType::Bool => Scalar::Bool(bits & 1 != 0),
            ScalarType::I32 => Scalar::I32(bits as u32 as i32),
            ScalarType::I64 => Scalar::I64(bits as i64),
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

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(v) => write!(f, "{v}"),
            Scalar::I32(v) => write!(f, "{v}i32"),
            Scalar::I64(v) => write!(f, "{v}i64"),
            Scalar::F32(v) => write!(f, "{v:?}f32"),
            Scalar::F64(v) => write!(f, "{v:?}f64"),
        }
    }
}
