//! Statements and definitions.

use super::{Block, Expr, Ident, Path, Rest, Type, WhereItem};
use weft_base::Span;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// With its `;`, where it has one.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Something that could not be read; reported.
    Error,
    /// `let x = …;`.
    Let(Let),
    /// `const n = …;`.
    Const(Const),
    /// `let x[i] = …;`: one clause.
    Indexed(Indexed),
    /// `fn f(…) { … }`.
    Fn(FnDef),
    /// `@fn f(…) { … }`.
    DiffRule(DiffRule),
    /// `struct S { … }`.
    Struct(StructDef),
    /// `enum E { … }`.
    Enum(EnumDef),
    /// `use a::b;`.
    Use(Use),
    /// `mod m;`.
    Mod(Mod),
    /// `input x: [f32; n];`.
    Input(Input),
    /// `f(x);`, or a block-like expression.
    Expr(ExprStmt),
}

/// `pub let pattern: ty = value;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Whether `pub`.
    pub public: bool,
    /// What is bound.
    pub pattern: LetPattern,
    /// The type, where written.
    pub ty: Option<Type>,
    /// The value.
    pub value: Expr,
}

/// What a `let` binds.
#[derive(Clone, Debug, PartialEq)]
pub struct LetPattern {
    /// The whole pattern.
    pub span: Span,
    /// What it is.
    pub kind: LetPatternKind,
}

/// What the pattern of a `let` is.
#[derive(Clone, Debug, PartialEq)]
pub enum LetPatternKind {
    /// Something that could not be read; reported.
    Error,
    /// `x`.
    Name(Ident),
    /// `_`.
    Discard,
    /// `(a, (b, _): (f32, i32))`.
    Tuple(Vec<TypedPattern>),
}

/// A pattern with the type written beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedPattern {
    /// What is bound.
    pub pattern: LetPattern,
    /// The type, where written.
    pub ty: Option<Type>,
}

/// `pub const name: ty = value;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Const {
    /// Whether `pub`.
    pub public: bool,
    /// The name.
    pub name: Ident,
    /// The type, where written.
    pub ty: Option<Type>,
    /// The value.
    pub value: Expr,
}

/// One clause: `let name[slots]: ty = body where items else otherwise;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Indexed {
    /// The definition this is a clause of.
    pub name: Ident,
    /// The slots with their brackets.
    pub slots_span: Span,
    /// One per axis, but for rests.
    pub slots: Vec<Slot>,
    /// The type of one cell, where written.
    pub ty: Option<Type>,
    /// The body; several where a slot is a coproduct.
    pub alternatives: Vec<Expr>,
    /// In written order.
    pub where_items: Vec<WhereItem>,
    /// The value of the cells whose guard is false.
    pub otherwise: Option<Expr>,
}

/// A slot of a clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The whole slot.
    pub span: Span,
    /// What it is.
    pub kind: SlotKind,
}

/// What a slot is.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotKind {
    /// `i`, `i in 0..n`: one bare name is always an index.
    Index {
        /// The index variable.
        name: Ident,
        /// Its range, where written.
        range: Option<Expr>,
    },
    /// `0`, `n - 1`.
    Fixed(Expr),
    /// `..batch`.
    Rest(Rest),
    /// `i ^ j`; at least two parts.
    Coproduct(Vec<Part>),
}

/// A component of a coproduct.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The whole part.
    pub span: Span,
    /// What it is.
    pub kind: PartKind,
}

/// What a component of a coproduct is.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// Something else; reported.
    Error,
    /// `i`, `i in 0..n`.
    Index {
        /// The index variable.
        name: Ident,
        /// Its range, where written.
        range: Option<Box<Expr>>,
    },
    /// `3`: a stretch of that size.
    Size(u64),
    /// `_`: whatever size is left.
    Discard,
}

/// `pub fn name(params) -> ret { body }`.
#[derive(Clone, Debug, PartialEq)]
pub struct FnDef {
    /// Whether `pub`.
    pub public: bool,
    /// The name.
    pub name: Ident,
    /// In order.
    pub params: Vec<Param>,
    /// The type of the result, where written.
    pub ret: Option<Type>,
    /// The body.
    pub body: Block,
}

/// `@fn name(params) { body }`.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffRule {
    /// The function whose rule this is.
    pub name: Ident,
    /// In order.
    pub params: Vec<Param>,
    /// The differential.
    pub body: Block,
}

/// A parameter of a function or a lambda.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The whole parameter.
    pub span: Span,
    /// The name; `_` binds nothing.
    pub name: Ident,
    /// The type, where written.
    pub ty: Option<Type>,
    /// The default, where written.
    pub default: Option<Expr>,
}

/// `pub struct S<T> { x: T }`, `struct S(f32);`.
#[derive(Clone, Debug, PartialEq)]
pub struct StructDef {
    /// Whether `pub`.
    pub public: bool,
    /// The name.
    pub name: Ident,
    /// The type parameters.
    pub generics: Vec<Ident>,
    /// The fields; never `Unit`.
    pub body: VariantBody,
}

/// `pub enum E<T> { A, B(T), C { x: T } }`.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumDef {
    /// Whether `pub`.
    pub public: bool,
    /// The name.
    pub name: Ident,
    /// The type parameters.
    pub generics: Vec<Ident>,
    /// In order.
    pub variants: Vec<Variant>,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The whole variant.
    pub span: Span,
    /// The name.
    pub name: Ident,
    /// Its fields.
    pub body: VariantBody,
}

/// The fields of a struct or a variant.
#[derive(Clone, Debug, PartialEq)]
pub enum VariantBody {
    /// None.
    Unit,
    /// `(f32, i32)`.
    Tuple(Vec<Type>),
    /// `{ x: f32 }`.
    Record(Vec<FieldDef>),
}

/// `x: f32`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDef {
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
}

/// `pub use path …;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// Whether `pub`: a re-export.
    pub public: bool,
    /// What comes before `as`, `::*` or `::{`.
    pub path: Path,
    /// What is imported.
    pub kind: UseKind,
}

/// What a `use` imports.
#[derive(Clone, Debug, PartialEq)]
pub enum UseKind {
    /// `use a::b;`, `use a::b as c;`.
    Plain {
        /// The name here, where it differs.
        alias: Option<Ident>,
    },
    /// `use a::*;`.
    Glob {
        /// The `*`.
        span: Span,
    },
    /// `use a::{b, c as d};`.
    List(Vec<UseName>),
}

/// `b`, `c as d`.
#[derive(Clone, Debug, PartialEq)]
pub struct UseName {
    /// The name there.
    pub name: Ident,
    /// The name here, where it differs.
    pub alias: Option<Ident>,
}

/// `pub mod m;`, `mod m { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mod {
    /// Whether `pub`.
    pub public: bool,
    /// The name.
    pub name: Ident,
    /// The statements of an inline module; `None` where the module is a file.
    pub body: Option<Vec<Stmt>>,
}

/// `input name: ty = default;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
    /// The default, where written.
    pub default: Option<Expr>,
}

/// An expression as a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprStmt {
    /// What is evaluated.
    pub expr: Expr,
    /// Whether `;` follows; without it the expression is block-like.
    pub semi: bool,
}
