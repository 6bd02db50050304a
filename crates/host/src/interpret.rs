//! Runs a host program: steps in source order, observations in segments.
//!
//! A segment is what is observed up to the next decision, and behind the last one all that is
//! asked for by name, at once, so that a program of many `print`s is one piece of tensor work. Where a segment fails its
//! observations are made one by one: those before the first failing one are delivered.
//! Values are computed where something needs them (`evaluate`), each at most once.

use crate::datum::Datum;
use crate::memory::{Account, Growing};
use crate::scalar::Scalars;
use crate::{
    ForeignFunctions, FunctionId, InputTarget, Observed, Program, RunError, Shown, Step, VarId,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use weft_base::Name;
use weft_base::entity::SecondaryMap;
use weft_diag::{Code, Diagnostic};
use weft_scalar::Scalar;
use weft_scalar::function::FunctionId as ScalarId;
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

    /// Bytes that tensors may take together, and values of the host together.
    fn memory_limit(&self) -> u64 {
        u64::MAX
    }

    /// The functions of whoever runs the program, if there are some.
    fn foreign(&self) -> Option<&dyn ForeignFunctions> {
        None
    }

    /// The same means for another graph, that of what is called.
    fn for_function(&mut self, callee: Callee) -> Box<dyn Compute + '_>;
}

/// What a program calls that has a graph of its own, the same one in each run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Callee {
    /// A function of the host.
    Function(FunctionId),
    /// A function of scalars that runs long, as a tensor of one cell.
    Scalars(ScalarId),
}

/// What the values of the host may take under any limit: a printed line, a few names.
const LEAST_HOST_BYTES: u64 = 64 << 10;

/// What a run hands out.
#[derive(Debug, Default)]
pub struct Outputs {
    /// What was asked for by name, in the order of the source.
    pub named: Vec<(Name, Observed)>,
}

impl Outputs {
    /// The array of a name that was asked for, a number as one of rank 0. Nothing where the name
    /// was not asked for, or stands for something else.
    pub fn array(&self, name: &str) -> Option<&Arc<Array>> {
        let value = self.named.iter().find(|(n, _)| n.as_str() == name)?;
        value.1.as_array()
    }
}

/// A program, or one call of a function, that is running.
pub(crate) struct Interpreter<'a> {
    pub program: &'a Program,
    /// Where functions and types are: the whole program.
    pub whole: &'a Program,
    pub binding: Binding,
    pub known: BTreeMap<TensorId, Arc<Array>>,
    pub vars: SecondaryMap<VarId, Option<Datum>>,
    pub compute: &'a mut dyn Compute,
    pub out: &'a mut dyn Write,
    /// Calls within each other.
    pub depth: usize,
    /// The functions of scalars.
    pub scalars: Rc<Scalars>,
    /// Of these the ones that run long, applied to inputs.
    pub long: Rc<RefCell<BTreeMap<ScalarId, Rc<Graph>>>>,
    /// What the values of the host take.
    pub memory: Rc<Account>,
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
    let mut it = Interpreter::new(program, binding, compute, out);
    it.defaults()?;
    let outputs: Vec<&(Name, Shown)> =
        program.outputs.iter().filter(|(n, _)| wanted(n.as_str())).collect();
    let result = program.result.as_ref().filter(|_| show_result);
    let mut last = Vec::new();
    let shown = outputs.iter().map(|(_, v)| v).chain(result);
    shown.for_each(|v| v.value.tensors(&program.vars, &mut |t| last.push(t)));
    it.steps(&program.steps, &last)?;
    it.together(last)?;
    if let Some(value) = result {
        let text = it.text(value)?;
        writeln!(it.out, "{text}").map_err(RunError::Output)?;
    }
    let mut named = Vec::new();
    for (name, value) in outputs {
        named.push((name.clone(), it.observed(value)?));
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
    let mut it = Interpreter::new(program, binding, compute, out);
    it.defaults()?;
    Ok(it.binding)
}

/// The binding at the end of a run that prints nothing: with what the run finds of
/// parameters, and the host values that some tensors read.
pub fn with_host_values(
    program: &Program,
    binding: Binding,
    wanted: &[TensorId],
    compute: &mut dyn Compute,
) -> Result<Binding, RunError> {
    let out = &mut std::io::sink();
    let mut it = Interpreter::new(program, binding, compute, out);
    it.defaults()?;
    it.steps(&program.steps, &[])?;
    it.bind_sources(wanted)?;
    Ok(it.binding)
}

impl<'a> Interpreter<'a> {
    fn new(
        program: &'a Program,
        binding: Binding,
        compute: &'a mut dyn Compute,
        out: &'a mut dyn Write,
    ) -> Self {
        let (known, vars) = (BTreeMap::new(), SecondaryMap::new());
        let scalars = Rc::new(Scalars::compute(&program.functions, program.overflow));
        let memory = Account::new(compute.memory_limit().max(LEAST_HOST_BYTES));
        let (whole, long, depth) = (program, Rc::default(), 0);
        Interpreter {
            program,
            whole,
            binding,
            known,
            vars,
            compute,
            out,
            depth,
            scalars,
            long,
            memory,
        }
    }
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
            let value = self.tensor(default)?;
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

    pub fn steps(&mut self, steps: &[Step], after: &[TensorId]) -> Result<(), RunError> {
        for (at, step) in steps.iter().enumerate() {
            self.segment(&steps[at..], after)?;
            self.step(step)?;
        }
        Ok(())
    }

    /// Steps, and what a value behind them needs.
    pub fn steps_before(&mut self, steps: &[Step], value: &crate::Value) -> Result<(), RunError> {
        let mut last = Vec::new();
        value.tensors(&self.program.vars, &mut |t| last.push(t));
        self.steps(steps, &last)?;
        self.together(last)
    }

    /// Observes at once what the steps up to the next decision need, if the first of them
    /// needs anything new.
    fn segment(&mut self, steps: &[Step], after: &[TensorId]) -> Result<(), RunError> {
        let mut first = Vec::new();
        steps[0].observes(&self.program.vars, &mut |t| first.push(t));
        if first.iter().all(|t| self.known.contains_key(t)) {
            return Ok(());
        }
        let mut wanted = Vec::new();
        let mut open_end = true;
        for step in steps {
            step.observes(&self.program.vars, &mut |t| wanted.push(t));
            if step.is_decision(&self.program.vars) {
                open_end = false;
                break;
            }
        }
        if open_end {
            wanted.extend(after);
        }
        self.together(wanted)
    }

    /// Observes what is not known yet of some tensors, as one piece of work.
    fn together(&mut self, mut wanted: Vec<TensorId>) -> Result<(), RunError> {
        let sources = &self.program.sources;
        let mut seen = BTreeSet::new();
        wanted
            .retain(|t| !self.known.contains_key(t) && !sources.contains_key(t) && seen.insert(*t));
        if wanted.is_empty() {
            return Ok(());
        }
        match self.observe_now(&wanted) {
            Err(RunError::Interrupted) => Err(RunError::Interrupted),
            // What fails together is observed piece by piece as its steps come.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn observe_now(&mut self, wanted: &[TensorId]) -> Result<(), RunError> {
        self.bind_sources(wanted)?;
        let arrays = self.compute.observe(&self.program.graph, &self.binding, wanted)?;
        self.known.extend(wanted.iter().copied().zip(arrays));
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), RunError> {
        match step {
            Step::Define(p, value) => {
                let n = self.eval(value)?.int().expect("a parameter is an integer");
                self.binding.params.insert(*p, n);
            }
            Step::Check(check) => {
                let value = |p: Param| self.value_of(p);
                if check.holds(&value) != Some(true) {
                    return Err(check.diagnose(&|s| self.size_text(s)).into());
                }
            }
            Step::Print(values) => {
                let mut line = self.memory.growing();
                for (at, v) in values.iter().enumerate() {
                    // A line without room for more says so at last.
                    let _ = line.write_str(if at == 0 { "" } else { " " });
                    self.write(v, &mut line)?;
                }
                let line = line.finish().map_err(|full| full.diagnostic(None))?;
                writeln!(self.out, "{line}").map_err(RunError::Output)?;
            }
            Step::Assert { condition, message, span, called } => {
                if !self.holds(condition)? {
                    let text = match message {
                        Some(m) => format!("assertion failed: {}", self.text(m)?),
                        None => "assertion failed".to_string(),
                    };
                    let d = Diagnostic::error(Code::E0007, text);
                    return Err(match called {
                        Some(call) => d.primary(*call, "called here").secondary(*span, "false"),
                        None => d.primary(*span, "this is false"),
                    }
                    .into());
                }
            }
            Step::If { condition, then, otherwise } => {
                let taken = self.holds(condition)?;
                self.steps(if taken { then } else { otherwise }, &[])?;
            }
            Step::Run(var) => drop(self.var(*var)?),
        }
        Ok(())
    }

    pub fn value_of(&self, p: Param) -> Option<i64> {
        self.program.graph.param_value(&self.binding.params, p)
    }

    fn size_text(&self, s: &Size) -> String {
        match s.eval(&|p| self.value_of(p)) {
            Some(n) => n.to_string(),
            None => s.display(&|p| self.program.graph.params[p].name.to_string()),
        }
    }

    /// A tensor of the graph.
    pub fn tensor(&mut self, t: TensorId) -> Result<Arc<Array>, RunError> {
        if let Some(source) = self.program.sources.get(&t) {
            let value = self.eval(source)?;
            return Ok(self.as_tensor(&value));
        }
        if !self.known.contains_key(&t) {
            self.observe_now(&[t])?;
        }
        Ok(self.known[&t].clone())
    }

    /// Gives the graph the host values that some tensors need.
    fn bind_sources(&mut self, wanted: &[TensorId]) -> Result<(), RunError> {
        if self.program.sources.is_empty() {
            return Ok(());
        }
        for t in self.needed_sources(wanted) {
            let value = self.eval(&self.program.sources[&t])?;
            let array = self.as_tensor(&value);
            self.binding.inputs.insert(t, array);
        }
        Ok(())
    }

    fn as_tensor(&self, value: &Datum) -> Arc<Array> {
        value.array().expect("a source of a tensor gives numbers")
    }

    /// The inputs with a source that some tensors read, and that are not bound yet.
    fn needed_sources(&self, wanted: &[TensorId]) -> Vec<TensorId> {
        let graph = &self.program.graph;
        let mut seen: BTreeSet<TensorId> = wanted.iter().copied().collect();
        let mut stack = wanted.to_vec();
        let mut found = Vec::new();
        while let Some(t) = stack.pop() {
            if self.program.sources.contains_key(&t) {
                if !self.binding.inputs.contains_key(&t) {
                    found.push(t);
                }
                continue;
            }
            for &a in graph.pieces(t) {
                let read = graph.assigns[a].exprs.tensors_read();
                stack.extend(read.filter(|t| seen.insert(*t)));
            }
        }
        found
    }

    /// A condition.
    pub fn holds(&mut self, condition: &crate::Value) -> Result<bool, RunError> {
        Ok(self.eval(condition)?.scalar().and_then(Scalar::as_bool) == Some(true))
    }

    /// A value as its type looks.
    pub fn observed(&mut self, shown: &Shown) -> Result<Observed, RunError> {
        let d = self.shown_datum(shown)?;
        Ok(self.whole.shown(&d, &shown.look))
    }

    /// Writes a value as `print` shows it; a text without room for it says so at last.
    pub fn write(&mut self, shown: &Shown, out: &mut Growing) -> Result<(), RunError> {
        let _ = match self.shown_datum(shown)? {
            Datum::Text(t) => out.write_str(&t),
            d => self.whole.shown(&d, &shown.look).print(out),
        };
        Ok(())
    }

    /// A value as `print` shows it.
    pub fn text(&mut self, shown: &Shown) -> Result<String, RunError> {
        let mut text = self.memory.growing();
        self.write(shown, &mut text)?;
        Ok(text.finish().map_err(|full| full.diagnostic(None))?)
    }
}
