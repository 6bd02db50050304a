//! Host expressions: pure values of the host, computed when something needs them.

use crate::{ForeignCall, Format, Step};
use std::collections::BTreeSet;
use std::sync::Arc;
use weft_base::entity::{PrimaryMap, entity_impl};
use weft_base::{Name, Span};
use weft_scalar::{BinaryOp, Scalar, ScalarType, TextOp, UnaryOp};
use weft_shape::Size;
use weft_tensor::TensorId;

/// A value that is computed at most once in a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "h");

/// A function of the host.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// A host expression.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor of the graph; rank 0 is a scalar.
    Tensor(TensorId),
    /// A host integer.
    Int(Size, ScalarType, Span),
    /// A number or truth value.
    Const(Scalar),
    /// A string.
    Text(Vec<Piece>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A named value.
    Var(VarId),
    /// Member of a tuple.
    Field(Box<Value>, usize),
    /// An operator on a scalar.
    Unary(UnaryOp, Box<Value>, Span),
    /// An operator on two scalars of one type.
    Binary(BinaryOp, Box<Value>, Box<Value>, Span),
    /// A conversion of a scalar.
    Cast(ScalarType, Box<Value>),
    /// Only the side taken is run.
    If(Box<Value>, Box<Block>, Box<Block>),
    /// Steps, then a value.
    Block(Box<Block>),
    /// A function applied.
    Call(FunctionId, Vec<Value>, Span),
    /// The extent of an axis, counted through tuples.
    Extent(Box<Value>, usize),
    /// An operation on host data.
    Data(DataOp, Vec<Value>, Span),
}

/// Steps, then a value.
#[derive(Debug, Clone)]
pub struct Block {
    /// In source order.
    pub steps: Vec<Step>,
    /// What it gives.
    pub value: Value,
}

/// An operation on host data.
#[derive(Debug, Clone, PartialEq)]
pub enum DataOp {
    /// A value of a recursive enum: the number of the variant, of its fields.
    Variant(usize),
    /// Whether a value is of a variant.
    IsVariant(usize),
    /// A field of a value that is of a variant.
    Payload(usize, usize),
    /// A comparison of two strings.
    Compare(BinaryOp),
    /// Characters of a string, elements of a list or along the first axis of a tensor.
    Length,
    /// A character or an element.
    At,
    /// A stretch of a string or a list.
    Slice,
    /// Whether a string holds another, or a list a string.
    Contains,
    /// A list.
    List,
    /// A list and one element more.
    Append,
    /// Lists one behind the other.
    Flatten,
    /// Scalars, or tensors of one shape, along a new first axis.
    Stack(ScalarType),
    /// The integers of a range.
    Count,
    /// The codes of the characters of a string, or of strings of one length.
    Codes,
    /// The code of a string's only character.
    Ord,
    /// A function of texts, other than the one that reads numbers.
    Text(TextOp),
    /// The number of this type that a string is.
    Parse(ScalarType),
    /// Every element of the first operand through a function with the others behind it.
    Map(FunctionId),
    /// A function applied at each cell of a mask that says where.
    Cells {
        /// It gives one number.
        function: FunctionId,
        /// The number's type.
        elem: ScalarType,
        /// So many arguments have the axes of the mask first; the others are the same for
        /// each cell.
        given: usize,
    },
    /// The value, or the failure that came in its place.
    Try,
    /// Whether a value is a failure.
    Failed,
    /// What a failure says.
    Message,
    /// A function that is called outside of the program.
    Foreign(Box<ForeignCall>),
}

/// The named values of a program or of a function: arguments have none until a call.
pub type Vars = PrimaryMap<VarId, Option<Value>>;

/// A value with how it is shown.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What.
    pub value: Value,
    /// How.
    pub look: Look,
}

/// How a value is shown, as its type says.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// Numbers, tensors and strings.
    Plain,
    /// Numbers that nothing gave a type, and the one they have from outside. They are computed
    /// in `i64` or `f64`: floats are rounded, integers are shown as they are and are checked to
    /// fit where they are kept.
    Open(ScalarType),
    /// A tuple.
    Tuple(Vec<Look>),
    /// A struct, or a tensor of structs.
    Struct(Arc<Fields>, Vec<Look>),
    /// An enum as a tuple: the number of the variant, then all fields of all variants.
    Enum(Arc<[Fields]>, Vec<Look>),
    /// A value of a recursive enum: its type among [`crate::Program::types`].
    Boxed(usize),
    /// A list.
    List(Box<Look>),
    /// A tensor of tuples: what a cell looks like, and how many axes the tensor has.
    Cells(Box<Look>, usize),
    /// A function of that name.
    Function(Name),
    /// A range.
    Range,
    /// A value or a failure.
    Fallible(Box<Look>),
}

/// A struct, or a variant, with the names of its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// How it is written: `Point`, `Shape::Circle`.
    pub name: Name,
    /// Positions where there is no name.
    pub fields: Vec<Option<Name>>,
}

/// A recursive enum: its variants, with what their fields look like.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxedType {
    /// In order.
    pub variants: Vec<(Fields, Vec<Look>)>,
}

/// A piece of a string.
#[derive(Debug, Clone)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// A value, as its format says.
    Value(Shown, Option<Format>),
}

impl Value {
    /// A member of a tuple.
    pub fn field(self, n: usize) -> Value {
        Value::Field(Box::new(self), n)
    }

    /// Calls `f` with every tensor that is surely looked at where the value is, through the
    /// named values that it is made of.
    pub fn tensors(&self, vars: &Vars, f: &mut dyn FnMut(TensorId)) {
        looked_at(self, vars, &mut BTreeSet::new(), f);
    }
}

/// As [`Value::tensors`]; each named value is looked through once.
fn looked_at(value: &Value, vars: &Vars, seen: &mut BTreeSet<VarId>, f: &mut dyn FnMut(TensorId)) {
    match value {
        Value::Tensor(t) => f(*t),
        Value::Int(..) | Value::Const(_) | Value::Block(_) | Value::Data(DataOp::Try, ..) => {}
        Value::Var(id) => {
            if let Some(value) = vars.get(*id).and_then(Option::as_ref)
                && seen.insert(*id)
            {
                looked_at(value, vars, seen, f);
            }
        }
        Value::Text(pieces) => pieces.iter().for_each(|p| {
            if let Piece::Value(v, _) = p {
                looked_at(&v.value, vars, seen, f);
            }
        }),
        Value::Tuple(members) => members.iter().for_each(|m| looked_at(m, vars, seen, f)),
        Value::Field(v, n) => match v.as_ref() {
            // The others of a tuple that is written out are not computed.
            Value::Tuple(members) => looked_at(&members[*n], vars, seen, f),
            v => looked_at(v, vars, seen, f),
        },
        Value::Unary(_, v, _) | Value::Cast(_, v) | Value::Extent(v, _) => {
            looked_at(v, vars, seen, f);
        }
        Value::Binary(_, a, b, _) => {
            looked_at(a, vars, seen, f);
            looked_at(b, vars, seen, f);
        }
        Value::If(c, ..) => looked_at(c, vars, seen, f),
        Value::Call(_, args, _) | Value::Data(_, args, _) => {
            args.iter().for_each(|a| looked_at(a, vars, seen, f));
        }
    }
}
