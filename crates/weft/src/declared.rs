//! What a program takes and gives, as its types say: what a host language shows of it.

use weft_host::{DataOp, Gives, InputTarget, Look, Program, Shown, Value};
use weft_scalar::ScalarType;
use weft_shape::Size;
use weft_tensor::TensorId;

/// An input, or a top-level `let`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// What it is, where it is a tensor or a number.
    pub tensor: Option<TensorType>,
    /// Of an input: whether it may be left out.
    pub default: bool,
}

/// An element type and extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The type of the elements.
    pub elem: ScalarType,
    /// Extents as the source has them, `n` or `3` or `n - 1`; none of a number.
    pub shape: Vec<String>,
    /// Whether it is an integer that extents may depend on.
    pub size: bool,
}

pub(crate) fn inputs_of(program: &Program) -> Vec<Declared> {
    let inputs = program.inputs.iter().map(|input| Declared {
        name: input.name.to_string(),
        tensor: Some(TensorType {
            elem: input.elem,
            shape: extents(program, input.shape.iter()),
            size: matches!(input.target, InputTarget::Param(_)),
        }),
        default: input.default.is_some(),
    });
    inputs.collect()
}

pub(crate) fn outputs_of(program: &Program) -> Vec<Declared> {
    let outputs = program.outputs.iter().map(|(name, shown)| Declared {
        name: name.to_string(),
        tensor: tensor_of(program, shown),
        default: false,
    });
    outputs.collect()
}

fn tensor_of(program: &Program, shown: &Shown) -> Option<TensorType> {
    let found = type_of(program, &shown.value)?;
    match shown.look {
        Look::Plain => Some(found),
        Look::Open(elem) => Some(TensorType { elem, ..found }),
        _ => None,
    }
}

fn type_of(program: &Program, value: &Value) -> Option<TensorType> {
    let number = |elem| TensorType { elem, shape: Vec::new(), size: false };
    match value {
        Value::Tensor(t) => Some(tensor(program, *t)),
        Value::Int(_, elem, _) => Some(number(*elem)),
        Value::Const(scalar) => Some(number(scalar.ty())),
        Value::Var(id) => type_of(program, program.vars[*id].as_ref()?),
        Value::Field(tuple, at) => match &**tuple {
            Value::Tuple(members) => type_of(program, members.get(*at)?),
            _ => None,
        },
        Value::Cast(elem, _) => Some(number(*elem)),
        Value::Unary(_, v, _) => type_of(program, v),
        Value::Binary(op, ..) if op.is_comparison() => Some(number(ScalarType::Bool)),
        Value::Binary(_, v, ..) => type_of(program, v),
        Value::If(_, b, _) | Value::Block(b) => type_of(program, &b.value),
        Value::Data(DataOp::Foreign(call), ..) => match &call.gives {
            Gives::Tensor(elem, shape) if shape.is_empty() => Some(number(*elem)),
            _ => None,
        },
        _ => None,
    }
}

fn tensor(program: &Program, t: TensorId) -> TensorType {
    let graph = &program.graph;
    let shape = extents(program, graph.shape(t));
    TensorType { elem: graph.tensors[t].elem, shape, size: false }
}

fn extents<'s>(program: &Program, shape: impl Iterator<Item = &'s Size>) -> Vec<String> {
    let name = |p| program.graph.params[p].name.to_string();
    shape.map(|size| size.display(&name)).collect()
}
