//! Statements, definitions, and the whole program.

use crate::{Block, Expr, Ident, Label, Rest, Type, Var, VarId, WhereItem};
use std::rc::Rc;
use weft_base::entity::PrimaryMap;
use weft_base::{FileId, Span};

/// A program with the modules that it uses.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Everything that is bound.
    pub vars: PrimaryMap<VarId, Var>,
    /// Structs and enums, wherever they are defined.
    pub types: Vec<Rc<TypeDef>>,
    /// What modules hold (functions, constants, rules), in the order in which the modules were
    /// found; those of the program itself stand among its statements.
    pub items: Vec<Stmt>,
    /// The top level, in source order.
    pub stmts: Vec<Stmt>,
    /// Its value.
    pub tail: Option<Box<Expr>>,
    /// `fn main()`, where there is one: it runs after the top level.
    pub main: Option<Ident>,
    /// The files of the library.
    pub library: Vec<FileId>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StmtKind,
}

/// The kinds of statements. Functions and rules are known in their whole block.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `let p = e;`.
    Let(Let),
    /// `const C = e;`; in a module a `let` too.
    Const(Rc<Const>),
    /// Definitions by clauses that are made here: one, or several that read each other.
    Definitions(Vec<Definition>),
    /// `fn`; its body sees what was bound before it.
    Fn(Rc<FnDef>),
    /// `@fn`.
    DiffRule(Rc<DiffRule>),
    /// `input`.
    Input(Input),
    /// An expression for its effect.
    Expr(Expr),
}

/// `let`.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// What is bound.
    pub pattern: LetPattern,
    /// The stated type.
    pub ty: Option<Type>,
    /// The value.
    pub value: Expr,
    /// What a run puts in its place.
    pub replaced: Option<Expr>,
}

/// What a `let` binds.
#[derive(Clone, Debug, PartialEq)]
pub struct LetPattern {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: LetPatternKind,
}

/// The kinds of patterns of a `let`.
#[derive(Clone, Debug, PartialEq)]
pub enum LetPatternKind {
    /// What could not be read.
    Error,
    /// A variable.
    Name(Ident),
    /// `_`.
    Discard,
    /// `(a, b)`.
    Tuple(Vec<TypedPattern>),
}

/// A member of a tuple pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedPattern {
    /// What is bound.
    pub pattern: LetPattern,
    /// The stated type.
    pub ty: Option<Type>,
}

/// `const`.
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    /// What is bound.
    pub name: Ident,
    /// The stated type.
    pub ty: Option<Type>,
    /// The value.
    pub value: Expr,
    /// Whether literals take their default types: a `let` of a module.
    pub closed: bool,
}

/// A definition by clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What is defined; the clauses name it too.
    pub name: Ident,
    /// In source order.
    pub clauses: Vec<Clause>,
}

/// `let u[t in 1..T, i]: T = body where … else …;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Where.
    pub span: Span,
    /// What is defined, as this clause names it.
    pub name: Ident,
    /// The brackets.
    pub slots_span: Span,
    /// Between them.
    pub slots: Vec<Slot>,
    /// The stated type of a cell.
    pub ty: Option<Type>,
    /// The value of a cell; several for joined axes.
    pub alternatives: Vec<Expr>,
    /// Those that are not about the index of a reduction.
    pub where_items: Vec<WhereItem>,
    /// The value where a guard is false.
    pub otherwise: Option<Expr>,
    /// The number of the stretch of clauses of its block that it stands in: between two stretches
    /// there are other statements.
    pub stretch: u32,
}

/// A slot of a clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: SlotKind,
}

/// The kinds of slots.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotKind {
    /// `i`, `i in lo..hi`. Slots of one name have one variable.
    Index {
        /// What is bound.
        name: Ident,
        /// Where it runs, if that is written.
        range: Option<Expr>,
        /// What the name means outside the clause, if anything.
        hides: Option<VarId>,
    },
    /// One cell.
    Fixed(Expr),
    /// A run of axes.
    Rest(Rest),
    /// `i ^ j`: a joined axis.
    Coproduct(Vec<Part>),
}

/// A part of a joined axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: PartKind,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// What could not be read, or a name that means nothing: reported.
    Error,
    /// An index; in items one that is bound, or an integer: the size of the part.
    Index {
        /// Which.
        name: Ident,
        /// Where it runs, if that is written.
        range: Option<Box<Expr>>,
    },
    /// So many cells.
    Size(u64),
    /// `_`.
    Discard,
}

/// `fn f(p: T = d) -> T { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct FnDef {
    /// Its name.
    pub name: Ident,
    /// In order.
    pub params: Vec<Param>,
    /// The stated type of its value.
    pub ret: Option<Type>,
    /// What it computes.
    pub body: Block,
}

/// `@fn f(p) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffRule {
    /// The function's name, where the rule stands.
    pub name: Label,
    /// The function of that name of its block or module, if there is one.
    pub function: Option<VarId>,
    /// In order.
    pub params: Vec<Param>,
    /// The differential.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Where.
    pub span: Span,
    /// What is bound.
    pub name: Ident,
    /// The stated type.
    pub ty: Option<Type>,
    /// Its value where a call gives none.
    pub default: Option<Expr>,
}

/// `struct`, `enum`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub generics: Vec<Label>,
    /// Whether it is an enum; a struct has one variant, of its own name.
    pub is_enum: bool,
    /// In order.
    pub variants: Vec<Variant>,
}

/// A variant of an enum, or the one body of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: Label,
    /// Its fields; those of a tuple have no names.
    pub fields: Vec<(Option<Label>, Type)>,
}

/// `input x: T = default;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// What is bound.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its value where the caller gives none.
    pub default: Option<Expr>,
}
