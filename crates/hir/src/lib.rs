//! The resolved tree of a program: what was written, with names as ids.
//!
//! Every name that a program binds is a [`VarId`] of its own, so two variables of one name are
//! different here and nothing asks again what a name means where it stands. Clauses stand
//! together as definitions, in an order in which each is made behind what it reads. Names that
//! mean nothing are [`ExprKind::Error`]: that was reported.
//!
//! Here are the types, the printer and the parser of one text form, the verifier, and walks.
//!
//! Not here: how names are found (`resolve`), and what anything's type is (`sema`).

mod expr;
mod format_words;
mod item;
mod library;
mod make;
mod parse;
mod pattern;
mod print;
mod sexp;
mod ty;
mod var;
mod verify;
pub mod visit;

pub use expr::{
    Arg, Arm, Block, Comprehension, Expr, ExprKind, FieldInit, FieldName, GenItem, GenItemKind,
    Handler, Head, HeadKind, If, Item, ItemKind, Lambda, Match, Reduce, Reduction, Rest, StrLit,
    StrPart, StrPartKind, StructLit, WhereItem, WhereItemKind,
};
pub use item::{
    Clause, Const, Definition, DiffRule, FnDef, Input, Let, LetPattern, LetPatternKind, Param,
    Part, PartKind, Program, Slot, SlotKind, Stmt, StmtKind, TypeDef, TypedPattern, Variant,
};
pub use library::{LibraryItem, intrinsic, intrinsic_names};
pub use parse::{ParseError, parse};
pub use pattern::{Constructor, FieldPat, Pat, PatKind};
pub use print::print;
pub use ty::{Dim, DimKind, Type, TypeKind};
pub use var::{BUILTINS, Ident, Meaning, Use, Var, VarId};
pub use verify::verify;

/// Parts of the tree in which no name is bound or used: as they were written.
pub use weft_syntax::ast::{
    Accumulator, BinaryOp, FormatSpec, Ident as Label, JaggedRank, Number, NumberValue, PatNumber,
    PipeOp, Prim, UnaryOp,
};
