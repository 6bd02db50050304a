//! Types as written.

use super::{Expr, Ident, Path};
use weft_base::Span;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The whole type.
    pub span: Span,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Something that could not be read; reported.
    Error,
    /// `f32`.
    Prim(Prim),
    /// `[T]`, `[T; 2, n]`.
    Array {
        /// The element.
        elem: Box<Type>,
        /// The axes; `None` in `[T]`.
        dims: Option<Vec<Dim>>,
    },
    /// `jagged[f32; 2d]`.
    Jagged {
        /// The element.
        elem: Prim,
        /// The rank, where written.
        rank: Option<JaggedRank>,
    },
    /// `(A, B)`; empty in `()`, one element where written `(A,)`.
    Tuple(Vec<Type>),
    /// `(A, B) -> C`.
    Fn {
        /// In order.
        params: Vec<Type>,
        /// The result.
        ret: Box<Type>,
    },
    /// `Point`, `m::Pair<f32>`, or a type parameter.
    Path {
        /// The name.
        path: Path,
        /// The type arguments.
        args: Vec<Type>,
    },
}

/// The types with names of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Prim {
    /// `bool`.
    Bool,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`, `int`.
    I32,
    /// `i64`.
    I64,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f8e4m3`.
    F8E4M3,
    /// `f16`.
    F16,
    /// `bf16`.
    Bf16,
    /// `f32`, `float`.
    F32,
    /// `f64`.
    F64,
    /// `str`.
    Str,
}

impl Prim {
    /// The type that the source calls `name`.
    pub fn from_name(name: &str) -> Option<Prim> {
        Some(match name {
            "bool" => Prim::Bool,
            "i8" => Prim::I8,
            "i16" => Prim::I16,
            "i32" | "int" => Prim::I32,
            "i64" => Prim::I64,
            "u8" => Prim::U8,
            "u16" => Prim::U16,
            "u32" => Prim::U32,
            "u64" => Prim::U64,
            "f8e4m3" => Prim::F8E4M3,
            "f16" => Prim::F16,
            "bf16" => Prim::Bf16,
            "f32" | "float" => Prim::F32,
            "f64" => Prim::F64,
            "str" => Prim::Str,
            _ => return None,
        })
    }

    /// The usual spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Prim::Bool => "bool",
            Prim::I8 => "i8",
            Prim::I16 => "i16",
            Prim::I32 => "i32",
            Prim::I64 => "i64",
            Prim::U8 => "u8",
            Prim::U16 => "u16",
            Prim::U32 => "u32",
            Prim::U64 => "u64",
            Prim::F8E4M3 => "f8e4m3",
            Prim::F16 => "f16",
            Prim::Bf16 => "bf16",
            Prim::F32 => "f32",
            Prim::F64 => "f64",
            Prim::Str => "str",
        }
    }
}

/// The rank of a jagged array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JaggedRank {
    /// `2d`, `3d`, `4d`.
    Known(u8),
    /// `?`.
    Unknown,
}

/// An axis in a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Dim {
    /// The whole axis.
    pub span: Span,
    /// What it is.
    pub kind: DimKind,
}

/// What an axis in a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum DimKind {
    /// Something that could not be read; reported.
    Error,
    /// `n`: a named extent.
    Name(Ident),
    /// `2`, `n + 1`: arithmetic over numbers and names.
    Expr(Expr),
    /// `?`: an unknown extent.
    Unknown,
    /// `*`: an unknown rank where it stands alone, else as `?`.
    Star,
    /// `..r`: a run of axes.
    Rest(Ident),
}
