//! Numbers made of bytes: from files, and from memory of other programs.

use crate::{Data, Elements};
use weft_scalar::{Bf16, F8e4m3, F16, ScalarType};

/// A source of numbers as their bytes, the least significant first.
pub trait Words {
    /// Why there are none.
    type Error;

    /// All numbers, of `N` bytes each.
    ///
    /// # Errors
    ///
    /// Where the source fails.
    fn numbers<const N: usize, T>(
        &mut self,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Elements<T>, Self::Error>;
}

impl Data {
    /// The elements of a source; a truth value is a byte that is not 0.
    ///
    /// # Errors
    ///
    /// Where the source fails.
    pub fn from_words<W: Words>(elem: ScalarType, words: &mut W) -> Result<Data, W::Error> {
        macro_rules! numbers {
            ($variant:ident, $rust:ty) => {
                Data::$variant(words.numbers(<$rust>::from_le_bytes)?)
            };
        }
        Ok(match elem {
            ScalarType::Bool => Data::Bool(words.numbers(|[b]: [u8; 1]| b != 0)?),
            ScalarType::I8 => numbers!(I8, i8),
            ScalarType::I16 => numbers!(I16, i16),
            ScalarType::I32 => numbers!(I32, i32),
            ScalarType::I64 => numbers!(I64, i64),
            ScalarType::U8 => numbers!(U8, u8),
            ScalarType::U16 => numbers!(U16, u16),
            ScalarType::U32 => numbers!(U32, u32),
            ScalarType::U64 => numbers!(U64, u64),
            ScalarType::F32 => numbers!(F32, f32),
            ScalarType::F64 => numbers!(F64, f64),
            ScalarType::F8e4m3 => Data::F8e4m3(words.numbers(|[b]: [u8; 1]| F8e4m3(b))?),
            ScalarType::F16 => Data::F16(words.numbers(|b| F16(u16::from_le_bytes(b)))?),
            ScalarType::Bf16 => Data::Bf16(words.numbers(|b| Bf16(u16::from_le_bytes(b)))?),
        })
    }
}
