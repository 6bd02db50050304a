//! The types of the host program.

use crate::{BoxedType, DataOp, FunctionId, Shown, Value, VarId, Vars};
use std::collections::BTreeMap;
use weft_base::entity::PrimaryMap;
use weft_base::{Name, Span};
use weft_scalar::eval::Overflow;
use weft_scalar::{FileEffect, ScalarType};
use weft_shape::{Param, Size, SizeCheck};
use weft_tensor::{Graph, TensorId};

/// A whole program, or the body of one of its functions.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// All tensor work.
    pub graph: Graph,
    /// What the caller supplies.
    pub inputs: Vec<Input>,
    /// Named values, computed at most once where something needs them; `None` for the
    /// arguments of a function.
    pub vars: Vars,
    /// Inputs of the graph that the host supplies.
    pub sources: BTreeMap<TensorId, Value>,
    /// In source order.
    pub steps: Vec<Step>,
    /// Every top-level `let` name with its value; the last of shadowed ones.
    pub outputs: Vec<(Name, Shown)>,
    /// The program's value.
    pub result: Option<Shown>,
    /// The functions that are called when the program runs (of a whole program).
    pub functions: PrimaryMap<FunctionId, Function>,
    /// How values of recursive enums look (of a whole program).
    pub types: Vec<BoxedType>,
    /// What becomes of integers that leave their types (of a whole program).
    pub overflow: Overflow,
}

/// A function that is called when the program runs.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// Its name.
    pub name: Option<Name>,
    /// The values it is given.
    pub args: Vec<VarId>,
    /// Where all it is given and gives are scalars, and tuples of them: what they are.
    pub scalars: Option<(Vec<Form>, Form)>,
    /// What it does; its value is the result.
    pub body: Program,
}

/// A scalar, or a tuple of such.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Of this type.
    Scalar(ScalarType),
    /// With these members.
    Tuple(Vec<Form>),
}

impl Form {
    /// The types of the scalars in it, in order.
    pub fn leaves(&self) -> Vec<ScalarType> {
        match self {
            Form::Scalar(ty) => vec![*ty],
            Form::Tuple(members) => members.iter().flat_map(Form::leaves).collect(),
        }
    }

    /// The ways to the scalars in it, in order.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        match self {
            Form::Scalar(_) => vec![Vec::new()],
            Form::Tuple(members) => members
                .iter()
                .enumerate()
                .flat_map(|(n, m)| m.paths().into_iter().map(move |p| [vec![n], p].concat()))
                .collect(),
        }
    }

    /// What a way leads to.
    pub fn member(&self, path: &[usize]) -> Option<&Form> {
        match (self, path) {
            (form, []) => Some(form),
            (Form::Tuple(members), [n, rest @ ..]) => members.get(*n)?.member(rest),
            (Form::Scalar(_), _) => None,
        }
    }
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

fn changes_files(value: Option<&Value>) -> bool {
    let Some(Value::Data(DataOp::Foreign(call), ..)) = value else { return false };
    call.file.is_some_and(|file| file.op.effect() == FileEffect::Changes)
}

/// One step.
#[derive(Debug, Clone)]
pub enum Step {
    /// An integer that is the parameter's value from here on.
    Define(Param, Value),
    /// Must hold, as its parameters are known here.
    Check(SizeCheck),
    /// Writes values side by side, and a line end.
    Print(Vec<Shown>),
    /// Looks at a `bool`; fails where it is false.
    Assert {
        /// The condition.
        condition: Value,
        /// What to say.
        message: Option<Shown>,
        /// Where.
        span: Span,
        /// Of an assertion of the library: the call of the program that it stands in.
        called: Option<Span>,
    },
    /// Looks at a `bool` and goes one way.
    If {
        /// The condition.
        condition: Value,
        /// Where it is true.
        then: Vec<Step>,
        /// Where it is false.
        otherwise: Vec<Step>,
    },
    /// Computes a named value now, for its effects.
    Run(VarId),
}

impl Step {
    /// Calls `f` with every tensor the step itself observes (not those of its branches).
    pub fn observes(&self, vars: &Vars, f: &mut dyn FnMut(TensorId)) {
        match self {
            Step::Define(_, v) => v.tensors(vars, f),
            Step::Check(_) => {}
            Step::Run(var) => Value::Var(*var).tensors(vars, f),
            Step::Print(values) => values.iter().for_each(|v| v.value.tensors(vars, f)),
            Step::Assert { condition, .. } | Step::If { condition, .. } => {
                condition.tensors(vars, f);
            }
        }
    }

    /// Whether what comes after depends on the value observed here. What is computed after a file
    /// was written does not: both are computed together.
    pub fn is_decision(&self, vars: &Vars) -> bool {
        match self {
            Step::Define(..) | Step::If { .. } => true,
            Step::Run(var) => !changes_files(vars.get(*var).and_then(Option::as_ref)),
            Step::Check(_) | Step::Print(_) | Step::Assert { .. } => false,
        }
    }
}
