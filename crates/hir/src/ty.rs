//! Types as written.

use crate::{Expr, Ident, JaggedRank, Prim, VarId};
use weft_base::Span;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TypeKind,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// What could not be read, or a name that is no type: reported.
    Error,
    /// `f64`, `str`.
    Prim(Prim),
    /// `[T; dims]`; without dims `[T]`, which is rank 1.
    Array {
        /// The elements.
        elem: Box<Type>,
        /// The extents.
        dims: Option<Vec<Dim>>,
    },
    /// `jagged[T; n]`.
    Jagged {
        /// The numbers in it.
        elem: Prim,
        /// How deep.
        rank: Option<JaggedRank>,
    },
    /// `(A, B)`.
    Tuple(Vec<Type>),
    /// `fn(A, B) -> C`: so many parameters.
    Fn {
        /// How many.
        params: usize,
    },
    /// A struct or an enum.
    Named {
        /// Which.
        ty: VarId,
        /// Its type arguments.
        args: Vec<Type>,
    },
    /// A type parameter of the struct or enum around, by its place.
    Generic(usize),
}

/// An extent.
#[derive(Clone, Debug, PartialEq)]
pub struct Dim {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: DimKind,
}

/// The kinds of extents.
#[derive(Clone, Debug, PartialEq)]
pub enum DimKind {
    /// What could not be read: reported.
    Error,
    /// A variable: an integer, or one that the type binds where nothing else does.
    Name(Ident),
    /// An expression.
    Expr(Expr),
    /// `?`.
    Unknown,
    /// `*`.
    Star,
    /// `..r`.
    Rest(Ident),
}
