//! The patterns of `match`.

use super::{Ident, Number, Path};
use weft_base::Span;

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pat {
    /// The whole pattern.
    pub span: Span,
    /// What it is.
    pub kind: PatKind,
}

/// What a pattern is.
#[derive(Clone, Debug, PartialEq)]
pub enum PatKind {
    /// Something that could not be read; reported.
    Error,
    /// `_`.
    Wildcard,
    /// `x`, `x @ sub`: binds, unless a bare `x` resolves to a unit variant or a `const`.
    Bind {
        /// The name.
        name: Ident,
        /// What the value must match besides.
        sub: Option<Box<Pat>>,
    },
    /// `3`, `-1.5`.
    Number(PatNumber),
    /// `0..10`, `0..=9`.
    Range {
        /// First.
        start: PatNumber,
        /// One past the last, or the last.
        end: PatNumber,
        /// Whether `..=`.
        inclusive: bool,
    },
    /// `"text"`, its escapes replaced.
    Str(String),
    /// `true`, `false`.
    Bool(bool),
    /// `Color::Red`; at least two segments.
    Path(Path),
    /// `Some(x)`.
    TupleStruct {
        /// The struct or the variant.
        path: Path,
        /// In order.
        elems: Vec<Pat>,
    },
    /// `Point { x, y: 0, .. }`.
    Struct {
        /// The struct or the variant.
        path: Path,
        /// The fields looked at.
        fields: Vec<FieldPat>,
        /// Whether `..` allows others.
        rest: bool,
    },
    /// `(a, b)`; one element where written `(a,)`, none where `()`.
    Tuple(Vec<Pat>),
    /// `[a, ..rest, b]`.
    Array(Vec<Pat>),
    /// `..`, `..rest`: only inside `Array`, at most once.
    Rest(Option<Ident>),
}

/// A number with its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct PatNumber {
    /// With its sign.
    pub span: Span,
    /// Whether `-`.
    pub negative: bool,
    /// Without its sign.
    pub number: Number,
}

/// `y: 0`, or `x` for `x: x`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPat {
    /// The field.
    pub name: Ident,
    /// What it must match; binds the field's name where left out.
    pub pat: Option<Pat>,
}
