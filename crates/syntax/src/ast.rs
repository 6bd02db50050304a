//! The typed tree of a program as it was written: plain owned data, spans on everything.
//!
//! Faithful to the source up to parentheses, comments and layout: nothing is resolved,
//! reordered or desugared here. The span of a parenthesised expression includes its
//! parentheses. Where the source was wrong there are `Error` nodes, and a diagnostic
//! has been reported for each.

mod expr;
mod item;
mod literal;
mod pattern;
mod ty;

pub use expr::{
    Accumulator, Arg, Arm, BinaryOp, Expr, ExprKind, FieldInit, FieldName, GenItem, GenItemKind,
    Handler, Head, HeadKind, If, Item, ItemKind, Lambda, Match, PipeOp, Reduce, Reduction, Rest,
    StructLit, UnaryOp, WhereItem, WhereItemKind,
};
pub use item::{
    Const, DiffRule, EnumDef, ExprStmt, FieldDef, FnDef, Indexed, Input, Let, LetPattern,
    LetPatternKind, Mod, Param, Part, PartKind, Slot, SlotKind, Stmt, StmtKind, StructDef,
    TypedPattern, Use, UseKind, UseName, Variant, VariantBody,
};
pub use literal::{
    Align, FormatKind, FormatSpec, Number, NumberValue, StrLit, StrPart, StrPartKind,
};
pub use pattern::{FieldPat, Pat, PatKind, PatNumber};
pub use ty::{Dim, DimKind, JaggedRank, Prim, Type, TypeKind};

use weft_base::{Name, Span};

/// A whole source file: its statements and the value at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// In source order.
    pub stmts: Vec<Stmt>,
    /// The last expression, where no `;` follows it.
    pub tail: Option<Box<Expr>>,
    /// What of the text stands for nothing here, since it could not be read.
    pub unread: crate::Unread,
}

/// `{ stmt* expr? }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// With its braces.
    pub span: Span,
    /// In source order.
    pub stmts: Vec<Stmt>,
    /// The block's value; without it the value is `()`.
    pub tail: Option<Box<Expr>>,
}

/// A name where it was written.
///
/// Parameters may be called `_`: a discard, which binds nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The spelling.
    pub name: Name,
    /// Where.
    pub span: Span,
}

impl Ident {
    /// The spelling.
    pub fn as_str(&self) -> &str {
        self.name.as_str()
    }

    /// Whether this is `_`, which binds nothing.
    pub fn is_discard(&self) -> bool {
        self.as_str() == "_"
    }
}

/// `a::b::c`; the first segment may be `crate`, `self` or `super`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// All segments.
    pub span: Span,
    /// At least one.
    pub segments: Vec<Ident>,
}

impl Path {
    /// The name itself where the path is one bare name.
    pub fn as_name(&self) -> Option<&Ident> {
        match self.segments.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The last segment.
    pub fn last(&self) -> &Ident {
        self.segments.last().expect("a path has at least one segment")
    }
}
