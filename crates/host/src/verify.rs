//! What must hold of a host program beside its graph.

use crate::{Program, Step, Value};
use weft_scalar::ScalarType;
use weft_tensor::TensorId;

/// Checks the invariants: tensors exist, conditions are rank-0 `bool`s, parameters are
/// defined once, by rank-0 integers. Lists what is wrong.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut wrong = Vec::new();
    let mut defined = Vec::new();
    steps(program, &program.steps, &mut defined, &mut wrong);
    for f in program.functions.values() {
        steps(&f.body, &f.body.steps, &mut Vec::new(), &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn steps(
    program: &Program,
    list: &[Step],
    defined: &mut Vec<weft_shape::Param>,
    wrong: &mut Vec<String>,
) {
    for step in list {
        step.observes(&program.vars, &mut |t| {
            if program.graph.tensors.get(t).is_none() {
                wrong.push(format!("{t} does not exist"));
            }
        });
        match step {
            Step::Define(p, v) => {
                scalar(program, v, |e| e.is_int(), "an integer", wrong);
                if defined.contains(p) {
                    wrong.push(format!("{p} is defined twice"));
                }
                defined.push(*p);
            }
            Step::Assert { condition, .. } => {
                scalar(program, condition, |e| e == ScalarType::Bool, "a bool", wrong);
            }
            Step::If { condition, then, otherwise } => {
                scalar(program, condition, |e| e == ScalarType::Bool, "a bool", wrong);
                steps(program, then, defined, wrong);
                steps(program, otherwise, defined, wrong);
            }
            Step::Run(var) => {
                if program.vars.get(*var).is_none_or(Option::is_none) {
                    wrong.push(format!("{var} has no value to run"));
                }
            }
            Step::Check(_) | Step::Print(_) => {}
        }
    }
}

fn scalar(
    program: &Program,
    v: &Value,
    ok: fn(ScalarType) -> bool,
    what: &str,
    wrong: &mut Vec<String>,
) {
    let Value::Tensor(t) = v else { return };
    let t: TensorId = *t;
    let fits = program.graph.tensors.get(t).is_some_and(|i| i.rank() == 0 && ok(i.elem));
    if !fits {
        wrong.push(format!("{t} is not {what} of rank 0"));
    }
}
