//! Runs a host program: steps in source order, observations in segments.
//!
//! A segment is what is observed up to the next decision, asked for at once, so that a
//! program of many `print`s is one piece of tensor work. Where a segment fails its
//! observations are made one by one: those before the first failing one are delivered.

use crate::display::{array_text, formatted, scalar_text, tuple_text};
use crate::{InputTarget, Piece, Program, RunError, Step, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use weft_base::Name;
use weft_diag::{Code, Diagnostic};
use weft_scalar::{Scalar, ScalarType};
use weft_shape::{Param, Size};
use weft_tensor::eval::Binding;
use weft_tensor::{Array, Graph, TensorId};

/// Computes tensors: the door to planning and native code.
pub trait Compute {
    /// The numbers of some tensors, or the first failure. The binding may have grown since
    /// an earlier call.
    fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError>;
}

/// A value that was observed.
#[derive(Debug, Clone)]
pub enum Observed {
    /// A tensor or a number.
    Array(Arc<Array>),
    /// A string.
    Text(String),
    /// A tuple.
    Tuple(Vec<Observed>),
}

/// What a run hands out.
#[derive(Debug, Default)]
pub struct Outputs {
    /// What was asked for by name, in the order of the source.
    pub named: Vec<(Name, Observed)>,
}

struct Interpreter<'a> {
    program: &'a Program,
    binding: Binding,
    known: BTreeMap<TensorId, Arc<Array>>,
    compute: &'a mut dyn Compute,
    out: &'a mut dyn Write,
}

/// Runs `program`. `binding` holds the inputs; `wanted` picks the outputs by name;
/// `show_result` prints the program's value.
pub fn run(
    program: &Program,
    binding: Binding,
    compute: &mut dyn Compute,
    out: &mut dyn Write,
    wanted: &dyn Fn(&str) -> bool,
    show_result: bool,
) -> Result<Outputs, RunError> {
    let known = BTreeMap::new();
    let mut it = Interpreter { program, binding, known, compute, out };
    it.defaults()?;
    let outputs: Vec<&(Name, Value)> =
        program.outputs.iter().filter(|(n, _)| wanted(n.as_str())).collect();
    let result = program.result.as_ref().filter(|_| show_result);
    let mut last = Vec::new();
    outputs.iter().map(|(_, v)| v).chain(result).for_each(|v| v.tensors(&mut |t| last.push(t)));
    it.steps(&program.steps, &last)?;
    if let Some(value) = result {
        it.need(value)?;
        let text = it.text(value);
        writeln!(it.out, "{text}").map_err(RunError::Output)?;
    }
    let mut named = Vec::new();
    for (name, value) in outputs {
        it.need(value)?;
        named.push((name.clone(), it.observed(value)));
    }
    Ok(Outputs { named })
}

/// The binding of a run with the inputs that the caller left to their defaults, so that
/// several runs compute those once.
pub fn with_defaults(
    program: &Program,
    binding: Binding,
    compute: &mut dyn Compute,
) -> Result<Binding, RunError> {
    let out = &mut std::io::sink();
    let mut it = Interpreter { program, binding, known: BTreeMap::new(), compute, out };
    it.defaults()?;
    Ok(it.binding)
}

impl Interpreter<'_> {
    /// Binds inputs that the caller left to their defaults.
    fn defaults(&mut self) -> Result<(), RunError> {
        for input in &self.program.inputs {
            let Some(default) = input.default else { continue };
            let missing = match input.target {
                InputTarget::Tensor(t) => !self.binding.inputs.contains_key(&t),
                InputTarget::Param(p) => !self.binding.params.contains_key(&p),
            };
            if !missing {
                continue;
            }
            let value = self.observe(&[default])?.remove(0);
            match input.target {
                InputTarget::Tensor(t) => {
                    self.bind_extents(input, value.shape())?;
                    self.binding.inputs.insert(t, value);
                }
                InputTarget::Param(p) => {
                    let n = value.get(0).as_i64().expect("an integer input has an integer default");
                    self.binding.params.insert(p, n);
                }
            }
        }
        Ok(())
    }

    /// A default's extents are those of the input; they must agree with what other inputs
    /// gave the same names.
    fn bind_extents(&mut self, input: &crate::Input, shape: &[usize]) -> Result<(), RunError> {
        for (axis, (size, &found)) in input.shape.iter().zip(shape).enumerate() {
            let found = found as i64;
            let known = match size.as_param() {
                Some(p) => *self.binding.params.entry(p).or_insert(found),
                None => size.eval(&|p| self.value_of(p)).unwrap_or(found),
            };
            if known != found {
                let d = Diagnostic::error(
                    Code::E1104,
                    format!(
                        "the default of `{}` has extent {found} on axis {axis}, not {known}",
                        input.name
                    ),
                );
                return Err(d.primary(input.span, format!("the extent is {known} here")).into());
            }
        }
        Ok(())
    }

    fn steps(&mut self, steps: &[Step], after: &[TensorId]) -> Result<(), RunError> {
        for (at, step) in steps.iter().enumerate() {
            self.segment(&steps[at..], after)?;
            self.step(step, &[])?;
        }
        Ok(())
    }

    /// Observes at once what the steps up to the next decision need, if the first of them
    /// needs anything new.
    fn segment(&mut self, steps: &[Step], after: &[TensorId]) -> Result<(), RunError> {
        let mut first = Vec::new();
        steps[0].observes(&mut |t| first.push(t));
        if first.iter().all(|t| self.known.contains_key(t)) {
            return Ok(());
        }
        let mut wanted = Vec::new();
        let mut open_end = true;
        for step in steps {
            step.observes(&mut |t| wanted.push(t));
            if step.is_decision() {
                open_end = false;
                break;
            }
        }
        if open_end {
            wanted.extend(after);
        }
        wanted.retain(|t| !self.known.contains_key(t));
        let mut seen = std::collections::BTreeSet::new();
        wanted.retain(|t| seen.insert(*t));
        match self.compute.observe(&self.program.graph, &self.binding, &wanted) {
            Ok(arrays) => self.known.extend(wanted.into_iter().zip(arrays)),
            Err(RunError::Interrupted) => return Err(RunError::Interrupted),
            // A failing segment is observed piece by piece as its steps come.
            Err(_) => {}
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, after: &[TensorId]) -> Result<(), RunError> {
        match step {
            Step::Define(p, t) => {
                let value = self.scalar(*t)?;
                let n = value.as_i64().expect("a parameter is an integer");
                self.binding.params.insert(*p, n);
            }
            Step::Check(check) => {
                let value = |p: Param| self.value_of(p);
                if check.holds(&value) != Some(true) {
                    return Err(check.diagnose(&|s| self.size_text(s)).into());
                }
            }
            Step::Print(values) => {
                let mut line = Vec::new();
                for v in values {
                    self.need(v)?;
                    line.push(self.text(v));
                }
                writeln!(self.out, "{}", line.join(" ")).map_err(RunError::Output)?;
            }
            Step::Assert { condition, message, span } => {
                if self.scalar(*condition)?.as_bool() != Some(true) {
                    let text = match message {
                        Some(m) => {
                            self.need(m)?;
                            format!("assertion failed: {}", self.text(m))
                        }
                        None => "assertion failed".to_string(),
                    };
                    return Err(Diagnostic::error(Code::E0007, text)
                        .primary(*span, "this is false")
                        .into());
                }
            }
            Step::If { condition, then, otherwise } => {
                let taken = self.scalar(*condition)?.as_bool() == Some(true);
                self.steps(if taken { then } else { otherwise }, after)?;
            }
        }
        Ok(())
    }

    fn value_of(&self, p: Param) -> Option<i64> {
        let given = self.binding.params.get(&p).copied();
        given.or(self.program.graph.params[p].default)
    }

    fn size_text(&self, s: &Size) -> String {
        match s.eval(&|p| self.value_of(p)) {
            Some(n) => n.to_string(),
            None => s.display(&|p| self.program.graph.params[p].name.to_string()),
        }
    }

    fn scalar(&mut self, t: TensorId) -> Result<Scalar, RunError> {
        Ok(self.observe(&[t])?[0].get(0))
    }

    fn observe(&mut self, wanted: &[TensorId]) -> Result<Vec<Arc<Array>>, RunError> {
        for t in wanted {
            if !self.known.contains_key(t) {
                let graph = &self.program.graph;
                let mut got = self.compute.observe(graph, &self.binding, &[*t])?;
                self.known.insert(*t, got.remove(0));
            }
        }
        Ok(wanted.iter().map(|t| self.known[t].clone()).collect())
    }

    /// Observes every tensor of a value.
    fn need(&mut self, value: &Value) -> Result<(), RunError> {
        let mut all = Vec::new();
        value.tensors(&mut |t| all.push(t));
        self.observe(&all).map(drop)
    }

    fn int(&self, s: &Size, ty: ScalarType) -> Scalar {
        let n = s.eval_wrapping(&|p| self.value_of(p));
        let n = n.expect("the parameters of a value are known where it is used");
        Scalar::from_i64(ty, n)
    }

    /// A value as `print` shows it; its tensors are known.
    fn text(&self, value: &Value) -> String {
        match value {
            Value::Tensor(t) => array_text(&self.known[t]),
            Value::Int(s, ty) => scalar_text(self.int(s, *ty)),
            Value::Text(pieces) => pieces.iter().map(|p| self.piece(p)).collect(),
            Value::Tuple(members) => {
                let all: Vec<String> = members.iter().map(|m| self.text(m)).collect();
                tuple_text(&all)
            }
        }
    }

    fn piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Text(t) => t.clone(),
            Piece::Value(v, None) => self.text(v),
            Piece::Value(Value::Tensor(t), Some(f)) => formatted(&self.known[t], f),
            Piece::Value(Value::Int(s, ty), Some(f)) => {
                formatted(&Array::scalar(self.int(s, *ty)), f)
            }
            Piece::Value(v, Some(f)) => f.pad(&self.text(v)),
        }
    }

    fn observed(&self, value: &Value) -> Observed {
        match value {
            Value::Tensor(t) => Observed::Array(self.known[t].clone()),
            Value::Int(s, ty) => Observed::Array(Arc::new(Array::scalar(self.int(s, *ty)))),
            Value::Text(_) => Observed::Text(self.text(value)),
            Value::Tuple(ms) => Observed::Tuple(ms.iter().map(|m| self.observed(m)).collect()),
        }
    }
}
