//! Expressions.

use crate::{
    Accumulator, BinaryOp, FormatSpec, Ident, Label, Number, Param, Part, Pat, PipeOp, Stmt, Type,
    UnaryOp, Use, VarId,
};
use weft_base::{Name, Span};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// With its parentheses.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// What could not be read, or a name that means nothing: reported.
    Error,
    /// `()`.
    Unit,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Str(StrLit),
    /// A name.
    Use(Use),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[body | items]`.
    Comprehension(Comprehension),
    /// `sum[i, j](body where …)`.
    Reduction(Reduction),
    /// `reduce[f, e, i](body where …)`.
    Reduce(Reduce),
    /// `if c { … } else { … }`.
    If(If),
    /// `match x { … }`.
    Match(Match),
    /// `{ … }`.
    Block(Block),
    /// `|x| …`.
    Lambda(Lambda),
    /// `Point { x: 1 }`.
    StructLit(StructLit),
    /// `f(a, b)`; `a |> f(b)` too.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// In source order.
        args: Vec<Arg>,
    },
    /// `x[i, j]`.
    Index {
        /// What is read.
        base: Box<Expr>,
        /// Between the brackets.
        items: Vec<Item>,
    },
    /// `x.field`.
    Field {
        /// What has the field.
        base: Box<Expr>,
        /// Its name or position.
        field: FieldName,
    },
    /// An operator of one operand.
    Unary {
        /// Which.
        op: UnaryOp,
        /// Where it stands.
        op_span: Span,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// An operator of two operands.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Where it stands.
        op_span: Span,
        /// On its left.
        lhs: Box<Expr>,
        /// On its right.
        rhs: Box<Expr>,
    },
    /// `lo..hi`, `lo..=hi`.
    Range {
        /// The first.
        start: Box<Expr>,
        /// One past the last, or the last.
        end: Box<Expr>,
        /// Whether `end` belongs to it.
        inclusive: bool,
    },
    /// `x in set`.
    In {
        /// What is looked for.
        item: Box<Expr>,
        /// Where.
        set: Box<Expr>,
    },
    /// `x as T`.
    Cast {
        /// What is converted.
        value: Box<Expr>,
        /// To what.
        ty: Type,
    },
    /// `a ?> f`, `a !> f`: what fails is passed on.
    Pipe {
        /// Which; never [`PipeOp::Pass`], which is a call.
        op: PipeOp,
        /// Where it stands.
        op_span: Span,
        /// The first argument.
        lhs: Box<Expr>,
        /// What is called.
        rhs: Box<Expr>,
    },
    /// `chain else v`, `chain catch f`.
    Recover {
        /// What may fail.
        chain: Box<Expr>,
        /// What takes its place then.
        handler: Handler,
    },
    /// `body where …`: items that are about the index of a reduction stand in that one.
    Where {
        /// The value.
        body: Box<Expr>,
        /// In source order.
        items: Vec<WhereItem>,
    },
}

/// `{ stmt* expr? }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// With its braces.
    pub span: Span,
    /// In source order, each definition at its site.
    pub stmts: Vec<Stmt>,
    /// Its value; `()` without.
    pub tail: Option<Box<Expr>>,
}

/// A string.
#[derive(Clone, Debug, PartialEq)]
pub struct StrLit {
    /// In source order.
    pub parts: Vec<StrPart>,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub struct StrPart {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StrPartKind,
}

/// The kinds of parts of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum StrPartKind {
    /// Text.
    Text(String),
    /// `{value:spec}`.
    Value {
        /// What is shown.
        value: Box<Expr>,
        /// How.
        spec: Option<FormatSpec>,
    },
}

/// An item of `where`.
#[derive(Clone, Debug, PartialEq)]
pub struct WhereItem {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: WhereItemKind,
}

/// The kinds of items of `where`.
#[derive(Clone, Debug, PartialEq)]
pub enum WhereItemKind {
    /// `name = value`.
    Bind {
        /// What is bound.
        name: Ident,
        /// Its value.
        value: Expr,
    },
    /// A condition.
    Guard(Expr),
}

/// `[body | items]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// An element.
    pub body: Box<Expr>,
    /// Generators, bindings and guards in source order. A generator of a variable that an earlier
    /// one generates is a guard.
    pub items: Vec<GenItem>,
    /// Whether it is what a generator around leaves to be done.
    pub inner: bool,
}

/// An item of a comprehension.
#[derive(Clone, Debug, PartialEq)]
pub struct GenItem {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: GenItemKind,
}

/// The kinds of items of a comprehension.
#[derive(Clone, Debug, PartialEq)]
pub enum GenItemKind {
    /// `name in set`.
    In {
        /// Each element.
        name: Ident,
        /// What it goes over.
        set: Expr,
    },
    /// `name = value`.
    Bind {
        /// What is bound.
        name: Ident,
        /// Its value.
        value: Expr,
    },
    /// A condition.
    Guard(Expr),
    /// `name in set` where a generator before binds the name: whether the set holds it.
    Test {
        /// The name.
        item: Expr,
        /// What may hold it.
        set: Expr,
    },
}

/// `sum[i](body where …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// How values combine.
    pub op: Accumulator,
    /// The word.
    pub name: Label,
    /// The indices.
    pub heads: Vec<Head>,
    /// The value at a point.
    pub body: Box<Expr>,
    /// Its own, and those of a clause around that are about its indices.
    pub where_items: Vec<WhereItem>,
}

/// `reduce[f, e, i](body where …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// The word.
    pub name: Label,
    /// Combines the value so far with the next term.
    pub function: Box<Expr>,
    /// The value of no terms.
    pub identity: Box<Expr>,
    /// The indices.
    pub heads: Vec<Head>,
    /// A term.
    pub body: Box<Expr>,
    /// As in [`Reduction`].
    pub where_items: Vec<WhereItem>,
}

/// An index, or a run of them, of a reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: HeadKind,
}

/// The kinds of heads.
#[derive(Clone, Debug, PartialEq)]
pub enum HeadKind {
    /// `i`, `i in lo..hi`.
    Index {
        /// What is bound.
        name: Ident,
        /// Where it runs, if that is written.
        range: Option<Box<Expr>>,
    },
    /// `..r`.
    Rest(Rest),
}

/// `..r`, `..r: rank`: bound in slots and heads, used in items.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Its name.
    pub name: Label,
    /// Which it is; none where nothing binds it.
    pub var: Option<VarId>,
    /// How many axes, if that is written.
    pub rank: Option<Box<Expr>>,
}

/// `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// The condition.
    pub cond: Box<Expr>,
    /// Where it holds.
    pub then: Block,
    /// Where it does not: a block or another `if`.
    pub otherwise: Option<Box<Expr>>,
}

/// `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What is looked at.
    pub scrutinee: Box<Expr>,
    /// In order.
    pub arms: Vec<Arm>,
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Where.
    pub span: Span,
    /// Alternatives, which bind the same variables.
    pub pats: Vec<Pat>,
    /// A further condition.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// `|x, y| body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// In order.
    pub params: Vec<Param>,
    /// Its value.
    pub body: Box<Expr>,
}

/// `Point { x: 1, y }`.
#[derive(Clone, Debug, PartialEq)]
pub struct StructLit {
    /// What is made.
    pub constructor: crate::Constructor,
    /// In source order.
    pub fields: Vec<FieldInit>,
}

/// A field of a struct that is made.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldInit {
    /// Which.
    pub name: Label,
    /// Its value; that of the variable of the name where none is written.
    pub value: Expr,
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// Where.
    pub span: Span,
    /// The parameter it is for, if that is written.
    pub name: Option<Label>,
    /// Its value.
    pub value: Expr,
}

/// Something between the brackets of a read.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// An index.
    Expr(Expr),
    /// A run of axes.
    Rest(Rest),
    /// `i ^ j`: a place of a joined axis.
    Coproduct(Vec<Part>),
}

/// What stands behind a point.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldName {
    /// `.name`.
    Named(Label),
    /// `.0`.
    Position {
        /// Which.
        index: u32,
        /// Where.
        span: Span,
    },
}

/// What takes the place of a failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Handler {
    /// `else v`.
    Else(Box<Expr>),
    /// `catch f`.
    Catch(Box<Expr>),
}

impl Expr {
    /// The variable that it is, if it is one.
    pub fn var(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Use(u) => u.var(),
            _ => None,
        }
    }
}

impl StrLit {
    /// The text of a string in which nothing is computed.
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [StrPart { kind: StrPartKind::Text(text), .. }] => Some(text),
            _ => None,
        }
    }
}

impl Rest {
    /// The spelling.
    pub fn name(&self) -> &Name {
        &self.name.name
    }
}
