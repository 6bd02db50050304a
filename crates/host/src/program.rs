//! The types of the host program.

use crate::Format;
use weft_base::{Name, Span};
use weft_scalar::ScalarType;
use weft_shape::{Param, Size, SizeCheck};
use weft_tensor::{Graph, TensorId};

/// A whole program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// All tensor work.
    pub graph: Graph,
    /// What the caller supplies.
    pub inputs: Vec<Input>,
    /// In source order.
    pub steps: Vec<Step>,
    /// Every top-level `let` name with its value; the last of shadowed ones.
    pub outputs: Vec<(Name, Value)>,
    /// The program's value.
    pub result: Option<Value>,
}

/// A declared input.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// The element type.
    pub elem: ScalarType,
    /// The extents.
    pub shape: Vec<Size>,
    /// What it binds.
    pub target: InputTarget,
    /// A tensor that holds the default.
    pub default: Option<TensorId>,
}

/// What an input binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputTarget {
    /// A tensor.
    Tensor(TensorId),
    /// A host integer.
    Param(Param),
}

/// One step.
#[derive(Debug, Clone)]
pub enum Step {
    /// Observes a rank-0 integer tensor; its value is the parameter's from here on.
    Define(Param, TensorId),
    /// Must hold, as its parameters are known here.
    Check(SizeCheck),
    /// Writes values side by side, and a line end.
    Print(Vec<Value>),
    /// Observes a rank-0 `bool`; fails where it is false.
    Assert {
        /// The condition.
        condition: TensorId,
        /// What to say.
        message: Option<Value>,
        /// Where.
        span: Span,
    },
    /// Observes a rank-0 `bool` and goes one way.
    If {
        /// The condition.
        condition: TensorId,
        /// Where it is true.
        then: Vec<Step>,
        /// Where it is false.
        otherwise: Vec<Step>,
    },
}

/// A value that the host can show or hand out.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor; rank 0 is a scalar.
    Tensor(TensorId),
    /// A host integer.
    Int(Size, ScalarType),
    /// A string.
    Text(Vec<Piece>),
    /// A tuple.
    Tuple(Vec<Value>),
}

/// A piece of a string.
#[derive(Debug, Clone)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// A value, as its format says.
    Value(Value, Option<Format>),
}

impl Value {
    /// Calls `f` with every tensor inside.
    pub fn tensors(&self, f: &mut dyn FnMut(TensorId)) {
        match self {
            Value::Tensor(t) => f(*t),
            Value::Int(..) => {}
            Value::Text(pieces) => pieces.iter().for_each(|p| {
                if let Piece::Value(v, _) = p {
                    v.tensors(f);
                }
            }),
            Value::Tuple(members) => members.iter().for_each(|m| m.tensors(f)),
        }
    }
}

impl Step {
    /// Calls `f` with every tensor the step itself observes (not those of its branches).
    pub fn observes(&self, f: &mut dyn FnMut(TensorId)) {
        match self {
            Step::Define(_, t) => f(*t),
            Step::Check(_) => {}
            Step::Print(values) => values.iter().for_each(|v| v.tensors(f)),
            Step::Assert { condition, .. } | Step::If { condition, .. } => f(*condition),
        }
    }

    /// Whether what comes after depends on the value observed here.
    pub fn is_decision(&self) -> bool {
        matches!(self, Step::Define(..) | Step::If { .. })
    }
}
