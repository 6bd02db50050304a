//! The checked program: names are ids, every expression has a type, every index a range.
//!
//! One [`Body`] per function instance (per key: the element types and ranks of its
//! arguments, never their extents) and one for the top level. Sizes inside a body are
//! over that body's own parameters; a [`Call`] says what each stands for.

use std::rc::Rc;
use weft_base::entity::{PrimaryMap, entity_impl};
use weft_base::{FileId, Name, SharedMap, Span};
use weft_domain::{Affine, Constraint, Iter};
use weft_hir::FormatSpec;
use weft_scalar::{BinaryOp, FileCall, Scalar, ScalarType, TextOp, UnaryOp};
use weft_shape::{Facts, Param, Size, SizeCheck};
use weft_tensor::Accumulator;

pub use crate::scope::FnId;

/// A function instance, or the top level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(u32);
entity_impl!(BodyId, "body");

/// A named value of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(u32);
entity_impl!(LocalId, "v");

/// A read of a tensor; what was proven of it lies in [`Body::reads`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReadId(u32);
entity_impl!(ReadId, "r");

/// A struct or an enum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// The whole program.
#[derive(Debug, Default)]
pub struct Program {
    /// Structs and enums.
    pub types: PrimaryMap<TypeId, TypeDef>,
    /// Function instances and the top level.
    pub bodies: PrimaryMap<BodyId, Body>,
    /// The top level.
    pub main: Option<BodyId>,
    /// What the caller supplies, in source order.
    pub inputs: Vec<Input>,
    /// The files of the library.
    pub library: Vec<FileId>,
}

/// A declared input.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Its local in the top level.
    pub local: LocalId,
    /// The element type.
    pub elem: ScalarType,
    /// The extents: constants, or sizes over extent parameters.
    pub shape: Vec<Size>,
    /// A host integer input is a parameter, not a tensor.
    pub param: Option<Param>,
    /// The value where the caller gives none.
    pub default: Option<Expr>,
}

/// A function instance, or the top level.
#[derive(Debug, Default, Clone)]
pub struct Body {
    /// The function's name.
    pub name: Option<Name>,
    /// Whether it is a function of the library.
    pub of_library: bool,
    /// Integers known only when bound.
    pub params: SharedMap<Param, ParamInfo>,
    /// What is known of them.
    pub facts: Facts,
    /// Index variables.
    pub iters: SharedMap<Iter, IterInfo>,
    /// Named values.
    pub locals: SharedMap<LocalId, Local>,
    /// What is known of each read.
    pub reads: SharedMap<ReadId, ReadInfo>,
    /// A function's parameters, in order.
    pub arguments: Vec<LocalId>,
    /// The statements and the value.
    pub block: Block,
    /// The value's type.
    pub result: Ty,
    /// What must hold of the parameters wherever the function is called.
    pub checks: Vec<SizeCheck>,
}

/// What a parameter of a body stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamOrigin {
    /// The extent of an argument's axis.
    Extent(LocalId, usize),
    /// A host integer argument.
    Argument(LocalId),
    /// A host integer that an argument, a function, captures, through which members; or the element
    /// of an argument, a list.
    Captured(LocalId, Vec<usize>),
    /// An extent name of the inputs, or an input integer.
    Input,
    /// A top-level `let` of a literal, which a run may replace.
    Literal(i64),
    /// Defined by a [`Stmt::Define`].
    Computed,
}

/// A parameter of a body.
#[derive(Debug, Clone)]
pub struct ParamInfo {
    /// Its name in messages.
    pub name: Name,
    /// Where it was introduced.
    pub span: Span,
    /// What it stands for.
    pub origin: ParamOrigin,
}

/// An index variable with its range.
#[derive(Debug, Clone)]
pub struct IterInfo {
    /// Its name.
    pub name: Name,
    /// Where it was introduced.
    pub span: Span,
    /// First value and one past the last; `None` until inferred. Bounds may use indices
    /// introduced before.
    pub range: Option<(Affine, Affine)>,
    /// Where the range comes from, for messages.
    pub source: Option<RangeSource>,
}

/// Where an index's range comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RangeSource {
    /// Written with `in`.
    Written(Span),
    /// The stretch of a joined axis that its part takes.
    Joined(Span),
    /// The extent of an axis that is read (or that it was derived from).
    Read(Span),
    /// The sibling clauses.
    Siblings,
    /// A guard of `where`.
    Guard(Span),
}

/// The name of a value that the program does not name. No name of a program is written so.
pub(crate) const UNWRITTEN: &str = "(value)";

/// A named value.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// Where it is bound.
    pub span: Span,
    /// Its type.
    pub ty: Ty,
    /// An integer whose value is known as a term (an extent, an index, a sum of them).
    pub term: Option<Affine>,
    /// Whether derivatives are taken of it or by it: then it is a tensor of its own.
    pub differentiated: bool,
    /// The cells or the name that it is another name for, as the program writes them.
    pub copy_of: Option<Name>,
    /// The widest float that uses close an open value to: so it is seen from outside.
    pub seen_as: Option<ScalarType>,
}

/// What was found of a read.
#[derive(Debug, Clone)]
pub struct ReadInfo {
    /// Where it is.
    pub span: Span,
    /// Whether each access must be checked when it happens.
    pub checked: bool,
}

/// The element type of a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Elem {
    /// A type that is settled.
    Fixed(ScalarType),
    /// Integer literals, indices, extents: computed in `i64`, adapted by context.
    OpenInt,
    /// Integer literals that only `u64` and floats hold: kept in `u64`, for the type they meet.
    OpenWide,
    /// With a float literal: computed in `f64`, adapted by context.
    OpenFloat,
    /// An open float with integers of this type in it, which the float it becomes must hold.
    OpenReal(ScalarType),
    /// Nothing says, and whatever is beside it decides: an empty array; after an error.
    #[default]
    Unknown,
    /// The cells of a definition under way, as long as no clause has said what they are: what is
    /// computed from them is not known either.
    Sought,
}

/// The types of a tuple's members. Shared: a type is copied with each expression that has it.
pub type Members = Rc<[Ty]>;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Ty {
    /// A scalar (rank 0) or a rectangular tensor.
    Array(Elem, Vec<Size>),
    /// A host string.
    Str,
    /// A tuple; `()` is the one without members.
    Tuple(Members),
    /// A tuple whose type has a name or a meaning of its own: wherever it is computed it
    /// is its members.
    Named(Nominal, Members),
    /// A value of a recursive enum, with its type arguments: host data.
    Boxed(TypeId, Members),
    /// A host list: what is no rectangular tensor (jagged rows, strings, …).
    List(Box<Ty>),
    /// A value, or the failure that came in its place.
    Fallible(Box<Ty>),
    /// A field of a variant that the value surely is not.
    Absent,
    /// A differential of an array of this type: linear, and no value by itself.
    Differential(Elem, Vec<Size>),
    /// After an error: meets everything without a further error.
    #[default]
    Error,
}

/// What a tuple with a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Nominal {
    /// A struct: its fields in the order of the definition.
    Struct(TypeId),
    /// An enum that is not recursive: the number of the variant (`i32`), then the fields of
    /// every variant; those of other variants than the value's are never read.
    Enum(TypeId),
    /// A function: what it captures.
    Function(FnId),
    /// A tensor whose cells are tuples: one tensor per leaf of the cell, over the same
    /// leading axes.
    Cells {
        /// The type of a cell; its leaves carry their own trailing axes.
        cell: Rc<Ty>,
        /// How many axes the leaves share.
        slots: usize,
    },
    /// A range: its start and one past its end.
    Range,
    /// A character in cells: its code.
    Character,
}

/// A struct or an enum as defined.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Its name.
    pub name: Name,
    /// Where it is named.
    pub span: Span,
    /// Whether it is an enum; a struct has one variant, without a name of its own.
    pub is_enum: bool,
    /// In order.
    pub variants: Vec<VariantDef>,
}

/// A variant, or the one body of a struct.
#[derive(Debug, Clone)]
pub struct VariantDef {
    /// Its name; the struct's own in a struct.
    pub name: Name,
    /// The names of its fields; positions where they have none.
    pub fields: Vec<Option<Name>>,
    /// What the fields are, in a recursive enum: its parameters are absent.
    pub types: Vec<Ty>,
}

/// Statements and a value.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// In source order.
    pub stmts: Vec<Stmt>,
    /// The value; `()` without.
    pub tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// `let` of one value.
    Let(LocalId, Expr),
    /// A host integer that is no polynomial of known ones: `param` is its value.
    Define(Param, Expr),
    /// Definitions by clauses, in groups that read each other (mostly of one).
    Tensors(Vec<Definition>),
    /// The extents of a name's value, axis by axis through its tuples, are these
    /// parameters: the value is host data, and they are found when it is there.
    Measure(LocalId, Vec<Param>),
    /// Must hold when its sizes are known.
    Check(Rc<SizeCheck>),
    /// For its effect.
    Expr(Expr),
}

/// A definition by clauses.
#[derive(Debug, Clone)]
pub struct Definition {
    /// What is defined.
    pub local: LocalId,
    /// Number of slots; further axes come from tensor-valued bodies.
    pub slots: usize,
    /// In source order.
    pub clauses: Vec<Clause>,
    /// Whether the clauses are known to define every cell.
    pub covered: bool,
}

/// One clause. Later clauses win; [`Clause::pieces`] is what is left to this one.
#[derive(Debug, Clone)]
pub struct Clause {
    /// Where it is.
    pub span: Span,
    /// What it writes, axis by axis.
    pub slots: Vec<Slot>,
    /// Its index variables, in the order of the slots, once each.
    pub iters: Vec<Iter>,
    /// Names bound by `where`, evaluated where they are used.
    pub binds: Vec<(LocalId, Expr)>,
    /// The guards, tested in order; an undefined cell is zero, or `otherwise`.
    pub guards: Vec<Expr>,
    /// The value of a cell.
    pub body: Expr,
    /// The value where a guard fails.
    pub otherwise: Option<Expr>,
    /// The points this clause defines: disjoint from each other and from other clauses'.
    /// Each is a restriction of the iterators' ranges.
    pub pieces: Vec<Vec<Constraint>>,
    /// Whether guards that are no affine conditions decide about cells (then the clause
    /// also stands for the clauses before it where its guards fail).
    pub masked: bool,
}

/// What a clause writes along one axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Slot {
    /// Every value of an index.
    Index(Iter),
    /// One cell.
    Fixed(Size),
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it is.
    pub span: Span,
    /// Its value as an integer term, where it has one: what an index or a range uses.
    pub term: Option<Affine>,
}

/// The kinds of expressions. Operators on tensors apply element by element.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A number or truth value.
    Const(Scalar),
    /// The value of an integer term of indices and sizes, as `i64`.
    Index(Affine),
    /// A string.
    Str(Vec<StrPart>),
    /// A named value.
    Local(LocalId),
    /// Cells of a tensor; axes without an item remain.
    Read(ReadId, Box<Expr>, Vec<Item>),
    /// An operator of one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator of two operands of one element type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Conversion of the elements.
    Cast(ScalarType, Box<Expr>),
    /// An expression of literals, as elements of the type that its surroundings give it: a
    /// value that the type does not hold is a mistake, where it is looked for.
    Adapted(ScalarType, Box<Expr>),
    /// Only the side taken is evaluated. Also `&&` and `||` on scalars.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A reduction over indices of its own.
    Reduce {
        /// How values combine.
        accumulator: Accumulator,
        /// The reduced indices, outermost first.
        iters: Vec<Iter>,
        /// Names bound by `where`, evaluated where they are used.
        binds: Vec<(LocalId, Expr)>,
        /// Terms are skipped where one is false.
        guards: Vec<Expr>,
        /// The value at a point.
        body: Box<Expr>,
    },
    /// The mean: a sum (a reduction) over the number of its points, which must not be 0.
    Mean(Box<Expr>),
    /// A function instance applied.
    Call(Call),
    /// A tuple.
    Tuple(Vec<Expr>),
    /// A tuple's member.
    Field(Box<Expr>, usize),
    /// Elements along a new first axis; all of one type.
    Array(Vec<Expr>),
    /// Statements and a value.
    Block(Block),
    /// `print`, of values side by side.
    Print(Vec<Expr>),
    /// `assert(condition, message)`.
    Assert(Box<Expr>, Option<Box<Expr>>),
    /// `@x` of a local or of cells of one; its type is [`Ty::Differential`].
    Differential(Box<Expr>),
    /// A differential over `@x`, the second being a local or cells of one.
    Quotient(Box<Expr>, Box<Expr>),
    /// A value that is differentiated as the differential says.
    Ruled(Box<Expr>, Box<Expr>),
    /// A differential as a number: every leaf changes by one.
    Seeded(Box<Expr>),
    /// The text of a differential, as the program would write it: a string.
    SourceForm(Box<Expr>),
    /// After an error.
    Error,
    /// An operation on host data.
    Host(HostOp, Vec<Expr>),
}

/// What the host does with its own data: strings, lists, recursive enums, failures.
#[derive(Debug, Clone, PartialEq)]
pub enum HostOp {
    /// A value of a recursive enum: the variant, of the fields.
    Variant(TypeId, usize),
    /// Whether a value is of a variant.
    IsVariant(usize),
    /// A field of a value that is of a variant.
    Payload(usize, usize),
    /// A comparison of two strings, by characters.
    Compare(BinaryOp),
    /// The number of characters of a string, or of elements of a list.
    Length,
    /// A character of a string, or an element of a list.
    At,
    /// The characters, or elements, from one place up to another.
    Slice,
    /// Whether a string holds another, or a list an element.
    Contains,
    /// A list of the elements.
    List,
    /// A list and one element more.
    Append,
    /// The elements of lists, one list behind the other.
    Flatten,
    /// The elements of a list as a tensor.
    Stack,
    /// The integers of a range, as a list.
    Count,
    /// The codes of a string's characters, as a tensor; of strings of one length, as a table.
    Codes,
    /// The code of a string's only character.
    Ord,
    /// A function of texts.
    Text(TextOp),
    /// A function of every element, with what follows the list as further arguments.
    Map(BodyId),
    /// The function of this path, which whoever runs the program has; with the names of the
    /// arguments that are given by name.
    Foreign(Name, Vec<Option<Name>>),
    /// A function of files, which whoever runs the program computes.
    File(FileCall),
    /// The value, or the failure that comes in its place.
    Try,
    /// Whether there is a failure in a value's place.
    Failed,
    /// What the failure says.
    Message,
    /// The value, where there is no failure in its place.
    Succeeded,
}

/// A function instance applied.
#[derive(Debug, Clone)]
pub struct Call {
    /// The instance.
    pub body: BodyId,
    /// The arguments, one per parameter.
    pub args: Vec<Expr>,
    /// What each parameter of the instance that an argument fixes stands for here.
    pub sizes: Vec<(Param, Size)>,
    /// Parameters here that are extents computed inside, once it has run.
    pub results: Vec<(Param, Param)>,
}

/// An item between brackets.
#[derive(Debug, Clone)]
pub enum Item {
    /// An affine index.
    At(Affine),
    /// A computed index.
    Data(Expr),
    /// A stretch; the axis remains.
    Range(Affine, Affine),
}

/// A part of a string.
#[derive(Debug, Clone)]
pub enum StrPart {
    /// As it stands.
    Text(String),
    /// A value, with its format.
    Value(Box<Expr>, Option<FormatSpec>),
}

impl Ty {
    /// `()`.
    pub fn unit() -> Ty {
        Ty::Tuple(Rc::default())
    }

    /// A scalar.
    pub fn scalar(elem: Elem) -> Ty {
        Ty::Array(elem, Vec::new())
    }

    /// Whether it is a string, or a list of strings.
    pub fn has_characters(&self) -> bool {
        match self {
            Ty::List(of) => **of == Ty::Str,
            ty => *ty == Ty::Str,
        }
    }

    /// A `bool`.
    pub fn bool() -> Ty {
        Ty::scalar(Elem::Fixed(ScalarType::Bool))
    }

    /// The members of a tuple, named or not.
    pub fn members(&self) -> Option<&[Ty]> {
        match self {
            Ty::Tuple(members) | Ty::Named(_, members) => Some(members),
            _ => None,
        }
    }

    /// Whether it is, or has a member, of which an error was reported.
    pub fn has_error(&self) -> bool {
        match self {
            Ty::Error => true,
            Ty::Tuple(parts) | Ty::Named(_, parts) | Ty::Boxed(_, parts) => {
                parts.iter().any(Ty::has_error)
            }
            Ty::List(of) | Ty::Fallible(of) => of.has_error(),
            Ty::Array(..) | Ty::Str | Ty::Absent | Ty::Differential(..) => false,
        }
    }

    /// The same kind of tuple with other members.
    pub fn with_members(&self, members: Vec<Ty>) -> Ty {
        match self {
            Ty::Named(label, _) => Ty::Named(label.clone(), members.into()),
            _ => Ty::Tuple(members.into()),
        }
    }

    /// The extents of an array.
    pub fn shape(&self) -> Option<&[Size]> {
        match self {
            Ty::Array(_, shape) => Some(shape),
            _ => None,
        }
    }

    /// The element type of an array.
    pub fn elem(&self) -> Option<Elem> {
        match self {
            Ty::Array(elem, _) => Some(*elem),
            _ => None,
        }
    }

    /// The rank of an array.
    pub fn rank(&self) -> Option<usize> {
        self.shape().map(<[Size]>::len)
    }
}

impl TypeDef {
    /// The name of a struct, or the path of a variant, for messages.
    pub fn path_of(&self, variant: usize) -> String {
        match self.is_enum {
            true => format!("{}::{}", self.name, self.variants[variant].name),
            false => self.name.to_string(),
        }
    }
}

impl Expr {
    /// Calls `f` with each expression directly inside this one, but for those in
    /// definitions by clauses.
    pub fn children<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Index(_) | ExprKind::Local(_) | ExprKind::Error => {}
            ExprKind::Str(parts) => parts.iter().for_each(|p| {
                if let StrPart::Value(v, _) = p {
                    f(v);
                }
            }),
            ExprKind::Read(_, base, items) => {
                f(base);
                items.iter().for_each(|i| {
                    if let Item::Data(e) = i {
                        f(e);
                    }
                });
            }
            ExprKind::Unary(_, x)
            | ExprKind::Cast(_, x)
            | ExprKind::Adapted(_, x)
            | ExprKind::Field(x, _)
            | ExprKind::Mean(x)
            | ExprKind::Differential(x)
            | ExprKind::Seeded(x)
            | ExprKind::SourceForm(x) => f(x),
            ExprKind::Binary(_, a, b) | ExprKind::Quotient(a, b) | ExprKind::Ruled(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| f(x)),
            ExprKind::Reduce { binds, guards, body, .. } => {
                binds.iter().for_each(|(_, x)| f(x));
                guards.iter().for_each(&mut *f);
                f(body);
            }
            ExprKind::Call(call) => call.args.iter().for_each(f),
            ExprKind::Tuple(xs)
            | ExprKind::Array(xs)
            | ExprKind::Print(xs)
            | ExprKind::Host(_, xs) => xs.iter().for_each(f),
            ExprKind::Block(b) => b.children(f),
            ExprKind::Assert(c, m) => {
                f(c);
                m.iter().for_each(|m| f(m));
            }
        }
    }

    /// The widest float that the open values in it are closed to by their uses.
    pub fn seen_as(&self, body: &Body) -> Option<ScalarType> {
        let mut widest = None;
        if let ExprKind::Local(id) = self.kind {
            widest = body.locals[id].seen_as;
        }
        self.children(&mut |e| widest = wider(widest, e.seen_as(body)));
        widest
    }

    /// The same with what is known of its value.
    pub fn with_term(self, term: Option<Affine>) -> Expr {
        Expr { term, ..self }
    }
}

/// The type that holds the values of both.
pub(crate) fn wider(a: Option<ScalarType>, b: Option<ScalarType>) -> Option<ScalarType> {
    match (a, b) {
        (Some(a), Some(b)) => a.join(b),
        (one, other) => one.or(other),
    }
}

impl Block {
    /// Calls `f` with each expression of the block, but for those in definitions by clauses.
    pub fn children<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        for stmt in &self.stmts {
            match stmt {
                Stmt::Let(_, e) | Stmt::Define(_, e) | Stmt::Expr(e) => f(e),
                Stmt::Tensors(_) | Stmt::Check(_) | Stmt::Measure(..) => {}
            }
        }
        self.tail.iter().for_each(|e| f(e));
    }
}

impl Block {
    /// Calls `f` with each expression of the statements, those of definitions by clauses too.
    pub fn statement_exprs<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        self.clause_exprs(f);
        for stmt in &self.stmts {
            if let Stmt::Let(_, e) | Stmt::Define(_, e) | Stmt::Expr(e) = stmt {
                f(e);
            }
        }
    }

    /// Calls `f` with each expression of the definitions by clauses.
    pub fn clause_exprs<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        for stmt in &self.stmts {
            let Stmt::Tensors(definitions) = stmt else { continue };
            for c in definitions.iter().flat_map(|d| &d.clauses) {
                c.binds.iter().for_each(|(_, e)| f(e));
                c.guards.iter().chain(&c.otherwise).for_each(&mut *f);
                f(&c.body);
            }
        }
    }
}

impl Body {
    /// The value that a parameter has unless a run says otherwise.
    pub fn known_value(&self, p: Param) -> Option<i64> {
        match self.params.get(p)?.origin {
            ParamOrigin::Literal(n) => Some(n),
            _ => None,
        }
    }

    /// A size for messages.
    pub fn show(&self, size: &Size) -> String {
        let name =
            |p: Param| self.params.get(p).map_or_else(|| p.to_string(), |i| i.name.to_string());
        size.display(&name)
    }

    /// Calls `f` with every expression, those in definitions by clauses too.
    pub fn exprs<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        let mut stack = Vec::new();
        self.block.children(&mut |e| stack.push(e));
        self.block.clause_exprs(&mut |e| stack.push(e));
        while let Some(e) = stack.pop() {
            f(e);
            if let ExprKind::Block(b) = &e.kind {
                b.clause_exprs(&mut |e| stack.push(e));
            }
            e.children(&mut |e| stack.push(e));
        }
    }

    /// The instances it calls, sorted.
    pub fn calls(&self) -> Vec<BodyId> {
        let mut out = Vec::new();
        self.exprs(&mut |e| match &e.kind {
            ExprKind::Call(call) => out.push(call.body),
            ExprKind::Host(HostOp::Map(body), _) => out.push(*body),
            _ => {}
        });
        out.sort();
        out.dedup();
        out
    }
}

impl Program {
    /// The instances that one calls, perhaps through others: itself if it is recursive.
    pub fn calls_from(&self, id: BodyId) -> Vec<BodyId> {
        let mut found = Vec::new();
        let mut stack = vec![id];
        while let Some(at) = stack.pop() {
            for next in self.bodies[at].calls() {
                if !found.contains(&next) {
                    found.push(next);
                    stack.push(next);
                }
            }
        }
        found
    }
}

impl Clause {
    /// Whether one index stands in two slots: the clause writes a diagonal.
    pub fn has_repeated_slot(&self) -> bool {
        let indices = self.slots.iter().filter(|s| matches!(s, Slot::Index(_))).count();
        indices > self.iters.len()
    }
}

impl Local {
    /// Whether the program writes the name.
    pub fn is_written(&self) -> bool {
        self.name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
    }
}

impl Elem {
    /// The scalar type values are computed in (`i64`, `f64` while open).
    pub fn computed_in(self) -> ScalarType {
        match self {
            Elem::Fixed(t) => t,
            Elem::OpenInt => ScalarType::I64,
            Elem::OpenWide => ScalarType::U64,
            Elem::OpenFloat | Elem::OpenReal(_) => ScalarType::F64,
            Elem::Unknown | Elem::Sought => ScalarType::F32,
        }
    }

    /// The type that arithmetic of these values is done in.
    pub fn computes_in(self) -> Elem {
        match self {
            Elem::Fixed(t) => Elem::Fixed(t.computes_in()),
            open => open,
        }
    }

    /// What it is where nothing says.
    pub fn closed(self) -> Elem {
        match self {
            Elem::OpenInt => Elem::Fixed(ScalarType::I32),
            Elem::OpenWide => Elem::Fixed(ScalarType::U64),
            Elem::OpenFloat => Elem::Fixed(ScalarType::F32),
            Elem::OpenReal(t) => Elem::Fixed(t.least_float().unwrap_or(ScalarType::F64)),
            other => other,
        }
    }

    /// Whether values are floats.
    pub fn is_float(self) -> bool {
        match self {
            Elem::Fixed(t) => t.is_float(),
            other => matches!(other, Elem::OpenFloat | Elem::OpenReal(_)),
        }
    }

    /// Whether anything is known.
    pub fn is_known(self) -> bool {
        !matches!(self, Elem::Unknown | Elem::Sought)
    }

    /// Whether values are integers.
    pub fn is_int(self) -> bool {
        match self {
            Elem::Fixed(t) => t.is_int(),
            other => matches!(other, Elem::OpenInt | Elem::OpenWide),
        }
    }

    /// Whether context still decides.
    pub fn is_open(self) -> bool {
        matches!(self, Elem::OpenInt | Elem::OpenWide | Elem::OpenFloat | Elem::OpenReal(_))
    }
}
