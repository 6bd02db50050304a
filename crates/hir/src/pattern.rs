//! The patterns of `match`.

use crate::{Ident, Label, PatNumber, VarId};
use weft_base::Span;

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pat {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: PatKind,
}

/// The kinds of patterns.
#[derive(Clone, Debug, PartialEq)]
pub enum PatKind {
    /// What could not be read: reported.
    Error,
    /// `_`.
    Wildcard,
    /// A name: that of a variant of what is looked at, else of a constant, else a new variable.
    Bind {
        /// What is bound, if it is new.
        name: Ident,
        /// The constant of that name.
        constant: Option<VarId>,
        /// `name @ sub`.
        sub: Option<Box<Pat>>,
    },
    /// A number.
    Number(PatNumber),
    /// `lo..hi`.
    Range {
        /// The first.
        start: PatNumber,
        /// One past the last, or the last.
        end: PatNumber,
        /// Whether `end` belongs to it.
        inclusive: bool,
    },
    /// A string.
    Str(String),
    /// A truth value.
    Bool(bool),
    /// `Shape::Point`.
    Path(Constructor),
    /// `Shape::Circle(r)`.
    TupleStruct {
        /// What it is made by.
        path: Constructor,
        /// Its fields.
        elems: Vec<Pat>,
    },
    /// `Shape::Rect { w, h: 1, .. }`.
    Struct {
        /// What it is made by.
        path: Constructor,
        /// Fields in source order.
        fields: Vec<FieldPat>,
        /// Whether others are left out.
        rest: bool,
    },
    /// `(a, b)`.
    Tuple(Vec<Pat>),
    /// `[a, b, ..]`.
    Array(Vec<Pat>),
    /// `..`, `..r`.
    Rest(Option<Ident>),
}

/// The struct or variant that a path names.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// The whole path.
    pub span: Span,
    /// Its last segment: where it is the only one, perhaps a variant of what is looked at.
    pub name: Label,
    /// Whether it is the only one.
    pub bare: bool,
    /// The struct, or the enum that the variant is sought in; none where there is no such type.
    pub ty: Option<VarId>,
}

/// A field of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPat {
    /// Which.
    pub name: Label,
    /// What it must be; a new variable of the name where nothing is written.
    pub pat: Pat,
}
