//! The routines that a run of a program goes through, as far as they are known before it: what
//! `explain`, `--emit` and claims of structure show.
//!
//! They are made as the run makes its own, from the same options and the same values of what is
//! given. A branch that the run may or may not take is shown; what depends on numbers that it
//! finds first (an extent that is computed) is shown without them.

use crate::inputs::bind_known;
use crate::session::{Checked, Options, Session, Staged};
use crate::testing::Routine;
use std::collections::{BTreeMap, BTreeSet};
use weft_codegen::Target;
use weft_executor::{FIRST, RunOptions, TINY_WORK, compile_options, evaluator_work, refused};
use weft_host::{InputTarget, RunError, Step};
use weft_pipeline::{Compiled, Division, Request, compile};
use weft_schedule::Machine;
use weft_shape::Param;
use weft_tensor::eval::{Binding, Evaluator, Limits};
use weft_tensor::{Graph, TensorId};

/// The routine of a segment, with what was stored before it.
type Segment = (BTreeSet<TensorId>, Compiled);

impl Session {
    /// The routines of a program's segments, in their order, where the names that `wanted` picks
    /// are asked for.
    ///
    /// # Errors
    ///
    /// An input that is given wrong, or a definition without an order of computation.
    pub(crate) fn segments(
        &self,
        program: &Staged,
        options: &Options,
        how: &RunOptions<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Segment>, RunError> {
        let graph = &program.host.graph;
        let likely = self.likely(program, options)?;
        // Where this machine is not supported none is meant in particular.
        let processor = Target::of(how.cpu).map(|t| t.processor);
        let machine = processor.map_or_else(|_| Machine::default(), Machine::new);
        let given = &options.given;
        let options = compile_options(options.semantics, how, machine);
        // What is left to its default is computed before anything else, and is there.
        let left = program.host.inputs.iter().filter(|i| !given.contains_key(i.name.as_str()));
        let mut stored: BTreeSet<TensorId> = left.filter_map(|i| i.default).collect();
        let mut out = Vec::new();
        for observed in observed(program, how.show_result, wanted) {
            let request = Request { graph, observed: &observed, stored: &stored, likely: &likely };
            let compiled = compile(&request, FIRST, Division::Whole, &options);
            out.push((stored.clone(), compiled.map_err(|r| refused(graph, &r))?));
            stored.extend(observed);
        }
        Ok(out)
    }

    /// Values of parameters that are known before a run.
    fn likely(
        &self,
        program: &Staged,
        options: &Options,
    ) -> Result<BTreeMap<Param, i64>, RunError> {
        let binding = bind_known(&self.sources, program, &options.given)?;
        let mut params = binding.params.clone();
        let graph = &program.host.graph;
        for input in &program.host.inputs {
            let Some(default) = input.default else { continue };
            match input.target {
                InputTarget::Param(p) => {
                    let known = graph.param_value(&params, p);
                    let binding = Binding { params: params.clone(), ..binding.clone() };
                    if let Some(value) = known.or_else(|| small_value(graph, binding, default)) {
                        params.insert(p, value);
                    }
                }
                InputTarget::Tensor(_) => {
                    for (size, extent) in input.shape.iter().zip(graph.shape(default)) {
                        let Some(p) = size.as_param().filter(|p| !params.contains_key(p)) else {
                            continue;
                        };
                        let value = |p: Param| graph.param_value(&params, p);
                        if let Some(extent) = extent.eval(&value) {
                            params.insert(p, extent);
                        }
                    }
                }
            }
        }
        Ok(params)
    }
}

/// The integer that a default stands for, where that takes no time.
fn small_value(graph: &Graph, binding: Binding, default: TensorId) -> Option<i64> {
    evaluator_work(graph, &binding, &[default]).filter(|work| *work < TINY_WORK)?;
    let limits = Limits { bytes: u64::MAX, ..Limits::default() };
    let value = Evaluator::new(binding).observe(graph, default, &limits);
    value.ok()?.get(0).as_i64()
}

/// For tests: the routines that are shown, as [`Session::routines`] has those of the run.
///
/// # Errors
///
/// As of a run.
pub fn shown_routines(
    session: &Session,
    program: &Checked,
    options: &Options,
    how: &RunOptions<'_>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Routine>, RunError> {
    let segments = session.segments(&program.staged, options, how, wanted)?;
    Ok(segments.iter().map(|(stored, compiled)| Routine::of(compiled, stored)).collect())
}

/// For tests: whether what is observed together depends on what the host finds.
pub fn host_decides(program: &Checked) -> bool {
    let host = &program.staged.host;
    let fails = |s: &Step| matches!(s, Step::Assert { .. } | Step::Check(_));
    let looks = host.vars.values().next().is_some() || !host.sources.is_empty();
    looks || host.steps.iter().any(|s| s.is_decision(&host.vars) || fails(s))
}

/// For tests: whether the run finds parameters of the graph, by which it may choose other ways.
pub fn finds_parameters(program: &Checked) -> bool {
    program.staged.host.steps.iter().any(|s| matches!(s, Step::Define(..)))
}

/// What each segment observes. A program that observes nothing is shown as if all its names were
/// asked for.
fn observed(
    program: &Staged,
    show_result: bool,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<Vec<TensorId>> {
    let last = last_of(program, show_result, wanted);
    let segments = weft_host::segments(&program.host, &last);
    match segments.is_empty() {
        true => weft_host::segments(&program.host, &last_of(program, true, &|_| true)),
        false => segments,
    }
}

/// What is observed behind the last step.
fn last_of(program: &Staged, show_result: bool, wanted: &dyn Fn(&str) -> bool) -> Vec<TensorId> {
    let host = &program.host;
    let mut last = Vec::new();
    let outputs = host.outputs.iter().filter(|(name, _)| wanted(name.as_str()));
    let shown = outputs.map(|(_, v)| v).chain(host.result.as_ref().filter(|_| show_result));
    shown.for_each(|v| v.value.tensors(&host.vars, &mut |t| last.push(t)));
    last.retain(|t| !host.sources.contains_key(t));
    last
}
