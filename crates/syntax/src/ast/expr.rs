//! Expressions.

use super::{Block, Ident, Number, Param, Part, Pat, Path, StrLit, Type};
use weft_base::Span;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// With its parentheses, where it has some.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Something that could not be read; reported.
    Error,
    /// `()`.
    Unit,
    /// `true`, `false`.
    Bool(bool),
    /// `42`, `.5`, `1e-3`.
    Number(Number),
    /// `"text {value:8.3f}"`.
    Str(StrLit),
    /// `x`, `std::math::pi`.
    Path(Path),
    /// `(a, b)`; one element where written `(a,)`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[body | items]`.
    Comprehension {
        /// The element.
        body: Box<Expr>,
        /// Generators, bindings and guards in written order.
        items: Vec<GenItem>,
    },
    /// `sum[k](…)`.
    Reduction(Reduction),
    /// `reduce[f, e, k](…)`.
    Reduce(Reduce),
    /// `if c { … } else { … }`.
    If(If),
    /// `match x { … }`.
    Match(Match),
    /// `{ … }`.
    Block(Block),
    /// `|x| x + 1`.
    Lambda(Lambda),
    /// `Point { x: 1, y }`.
    StructLit(StructLit),
    /// `f(a, k = b)`.
    Call {
        /// What is called.
        callee: Box<Expr>,
        /// Positional and named, in written order.
        args: Vec<Arg>,
    },
    /// `x[i, ..r]`.
    Index {
        /// What is read.
        base: Box<Expr>,
        /// One per axis, but for rests.
        items: Vec<Item>,
    },
    /// `x.shape`, `t.0`.
    Field {
        /// What has the field.
        base: Box<Expr>,
        /// Which one.
        field: FieldName,
    },
    /// `-x`, `!x`, `+x`, `@x`, `try x`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Where it stands.
        op_span: Span,
        /// What it applies to.
        operand: Box<Expr>,
    },
    /// `a + b`, `a && b`, `a < b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where it stands.
        op_span: Span,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `a..b`, `a..=b`.
    Range {
        /// First.
        start: Box<Expr>,
        /// One past the last, or the last.
        end: Box<Expr>,
        /// Whether `..=`.
        inclusive: bool,
    },
    /// `e in set`.
    In {
        /// The member.
        item: Box<Expr>,
        /// The range, array or string.
        set: Box<Expr>,
    },
    /// `x as f32`, `x as [f32; n]`.
    Cast {
        /// What is converted.
        value: Box<Expr>,
        /// To what.
        ty: Type,
    },
    /// `a |> f`, `a ?> f`, `a !> f`.
    Pipe {
        /// Which.
        op: PipeOp,
        /// Where it stands.
        op_span: Span,
        /// What is passed on.
        lhs: Box<Expr>,
        /// A function, or a call that lacks its first argument.
        rhs: Box<Expr>,
    },
    /// `chain else v`, `chain catch |e| v`.
    Recover {
        /// A chain with `?>`, `!>` or `try` in it.
        chain: Box<Expr>,
        /// What happens on an error value.
        handler: Handler,
    },
    /// `body where items`, but of a reduction's body or an indexed clause.
    Where {
        /// The value.
        body: Box<Expr>,
        /// In written order.
        items: Vec<WhereItem>,
    },
}

/// An item of a `where` list.
#[derive(Clone, Debug, PartialEq)]
pub struct WhereItem {
    /// The whole item.
    pub span: Span,
    /// What it is.
    pub kind: WhereItemKind,
}

/// What an item of a `where` list is.
#[derive(Clone, Debug, PartialEq)]
pub enum WhereItemKind {
    /// `z = e`.
    Bind {
        /// The new name.
        name: Ident,
        /// Its value.
        value: Expr,
    },
    /// A condition.
    Guard(Expr),
}

/// An item of a comprehension.
#[derive(Clone, Debug, PartialEq)]
pub struct GenItem {
    /// The whole item.
    pub span: Span,
    /// What it is.
    pub kind: GenItemKind,
}

/// What an item of a comprehension is.
#[derive(Clone, Debug, PartialEq)]
pub enum GenItemKind {
    /// `x in S`: generates, unless `x` is already bound in the comprehension.
    In {
        /// The variable.
        name: Ident,
        /// Where it comes from.
        set: Expr,
    },
    /// `z = e`.
    Bind {
        /// The new name.
        name: Ident,
        /// Its value.
        value: Expr,
    },
    /// A condition.
    Guard(Expr),
}

/// The named accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Accumulator {
    /// `sum`.
    Sum,
    /// `prod`, also spelled `product`.
    Prod,
    /// `max`.
    Max,
    /// `min`.
    Min,
    /// `all`.
    All,
    /// `any`.
    Any,
    /// `mean`.
    Mean,
    /// `count`.
    Count,
    /// `argmax`.
    ArgMax,
    /// `argmin`.
    ArgMin,
}

impl Accumulator {
    /// The accumulator that the source calls `name`.
    pub fn from_name(name: &str) -> Option<Accumulator> {
        Some(match name {
            "sum" => Accumulator::Sum,
            "prod" | "product" => Accumulator::Prod,
            "max" => Accumulator::Max,
            "min" => Accumulator::Min,
            "all" => Accumulator::All,
            "any" => Accumulator::Any,
            "mean" => Accumulator::Mean,
            "count" => Accumulator::Count,
            "argmax" => Accumulator::ArgMax,
            "argmin" => Accumulator::ArgMin,
            _ => return None,
        })
    }

    /// The usual spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Accumulator::Sum => "sum",
            Accumulator::Prod => "prod",
            Accumulator::Max => "max",
            Accumulator::Min => "min",
            Accumulator::All => "all",
            Accumulator::Any => "any",
            Accumulator::Mean => "mean",
            Accumulator::Count => "count",
            Accumulator::ArgMax => "argmax",
            Accumulator::ArgMin => "argmin",
        }
    }
}

/// `sum[k in 0..n](body where items)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// Which.
    pub op: Accumulator,
    /// The name as written (`prod` or `product`).
    pub name: Ident,
    /// The indices; at least one.
    pub heads: Vec<Head>,
    /// The term.
    pub body: Box<Expr>,
    /// Its bindings and guards, in written order.
    pub where_items: Vec<WhereItem>,
}

/// `reduce[f, e, k in 0..n](body where items)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// The word `reduce`.
    pub name: Ident,
    /// The function that combines two values.
    pub function: Box<Expr>,
    /// Its identity.
    pub identity: Box<Expr>,
    /// The indices; at least one.
    pub heads: Vec<Head>,
    /// The term.
    pub body: Box<Expr>,
    /// Its bindings and guards, in written order.
    pub where_items: Vec<WhereItem>,
}

/// An index of a reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The whole head.
    pub span: Span,
    /// What it is.
    pub kind: HeadKind,
}

/// What an index of a reduction is.
#[derive(Clone, Debug, PartialEq)]
pub enum HeadKind {
    /// `k`, `k in 0..n`.
    Index {
        /// The index variable.
        name: Ident,
        /// Its range, where written.
        range: Option<Box<Expr>>,
    },
    /// `..r`.
    Rest(Rest),
}

/// `..batch`, `..lead: 2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// The name of the run of axes.
    pub name: Ident,
    /// How many axes, where written.
    pub rank: Option<Box<Expr>>,
}

/// `if cond { … } else …`.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// The condition.
    pub cond: Box<Expr>,
    /// The value where it holds.
    pub then: Block,
    /// A `Block` or another `If`.
    pub otherwise: Option<Box<Expr>>,
}

/// `match scrutinee { arms }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What is looked at.
    pub scrutinee: Box<Expr>,
    /// In written order.
    pub arms: Vec<Arm>,
}

/// `p | q if guard => body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The whole arm.
    pub span: Span,
    /// Alternatives; at least one.
    pub pats: Vec<Pat>,
    /// Its condition, after `if` or `where`.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// `|x: f32, y| body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// Without defaults.
    pub params: Vec<Param>,
    /// Its value.
    pub body: Box<Expr>,
}

/// `Point { x: 1, y }`.
#[derive(Clone, Debug, PartialEq)]
pub struct StructLit {
    /// The struct or the variant.
    pub path: Path,
    /// In written order.
    pub fields: Vec<FieldInit>,
}

/// `x: 1`, or `y` for `y: y`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldInit {
    /// The field.
    pub name: Ident,
    /// Its value; the variable of that name where left out.
    pub value: Option<Expr>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The whole argument.
    pub span: Span,
    /// The parameter, where named.
    pub name: Option<Ident>,
    /// The value.
    pub value: Expr,
}

/// An item of a read.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The whole item.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item of a read is.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// An index, or a range, which keeps its axis.
    Expr(Expr),
    /// `..r`.
    Rest(Rest),
    /// `i ^ _`; at least two parts.
    Coproduct(Vec<Part>),
}

/// What stands after the `.`.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldName {
    /// `x.shape`.
    Named(Ident),
    /// `t.0`.
    Position {
        /// Which, from 0.
        index: u32,
        /// Where it was written.
        span: Span,
    },
}

/// What ends a chain that can fail.
#[derive(Clone, Debug, PartialEq)]
pub enum Handler {
    /// `else v`.
    Else(Box<Expr>),
    /// `catch |e| v`, `catch f`.
    Catch(Box<Expr>),
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `!`.
    Not,
    /// `+`.
    Plus,
    /// `@`.
    Diff,
    /// `try`.
    Try,
}

impl UnaryOp {
    /// The spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::Plus => "+",
            UnaryOp::Diff => "@",
            UnaryOp::Try => "try",
        }
    }
}

/// Infix operators between values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `>`.
    Gt,
    /// `<=`.
    Le,
    /// `>=`.
    Ge,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `**`.
    Pow,
}

impl BinaryOp {
    /// The spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Pow => "**",
        }
    }
}

/// The pipeline operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PipeOp {
    /// `|>`: passes anything on, an error value too.
    Pass,
    /// `?>`: skips on an error value.
    Skip,
    /// `!>`: applies under `try`.
    Try,
}

impl PipeOp {
    /// The spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            PipeOp::Pass => "|>",
            PipeOp::Skip => "?>",
            PipeOp::Try => "!>",
        }
    }
}
