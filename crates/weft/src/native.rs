//! Native execution: plan, lower, compile, load, bind, call.

use crate::cache::{KernelCache, Origin};
use crate::session::RunOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use weft_base::entity::PrimaryMap;
use weft_codegen::{Options as CodeOptions, Target};
use weft_diag::{Code, Diagnostic};
use weft_host::RunError;
use weft_plan::{BindError, Bound, BufferRole, Plan, PlanOptions, plan};
use weft_runtime::{
    Argument, Buffer, Context, Failure as KernelFailure, Library, Threads, to_array,
};
use weft_scalar::Scalar;
use weft_schedule::{Kernel, TrapSite, lower};
use weft_shape::Param;
use weft_tensor::eval::{Binding, Failure, FailureKind};
use weft_tensor::{Array, Definition, Graph, TensorId};

/// What one observation cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub plan_ms: f64,
    pub compile_ms: f64,
    pub run_ms: f64,
    pub peak_bytes: u64,
    /// Where machine code came from.
    pub origin: Origin,
    /// Operations on floats, where they were counted.
    pub flops: u64,
    /// The least that goes between memory and processor: each tensor once, scratch twice.
    pub bytes: u64,
}

/// A routine ready to be called.
struct Prepared {
    plan: Plan,
    kernel: Kernel,
    library: Library,
}

/// What a routine depends on within one graph: what is wanted, and what is there.
type Request = (Vec<TensorId>, BTreeSet<TensorId>);

/// The native executor of one run.
pub(crate) struct Native<'a> {
    cache: &'a mut KernelCache,
    options: PlanOptions,
    code: CodeOptions,
    threads: Threads,
    limit: u64,
    /// Inputs, constants, and what earlier segments computed.
    context: Context,
    /// Routines of this run's graph.
    prepared: BTreeMap<Request, Arc<Prepared>>,
    /// What is asked of each call besides results.
    how: Watching,
}

/// What is asked of each call besides results.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watching {
    /// Count operations.
    pub counting: bool,
    /// Fill memory with nonsense before a routine writes it.
    pub poisoned: bool,
    /// Hand out zeros in place of results of several cells, which nobody looks at.
    pub blank: bool,
}

impl<'a> Native<'a> {
    /// An executor for this machine; the reason where the processor is not supported.
    pub fn new(
        cache: &'a mut KernelCache,
        how: &RunOptions<'_>,
        threads: Threads,
    ) -> Result<Self, String> {
        let options = PlanOptions { strict: how.strict_fp, ..PlanOptions::default() };
        let mut code = CodeOptions::new(Target::host()?);
        (code.opt, code.verify) = (how.opt, how.verify);
        if how.fork_always {
            code.least_parallel_work = 0;
        }
        let limit = how.memory_limit;
        let context = Context::new(Some(limit));
        let watching = Watching { counting: how.time, poisoned: how.verify, ..Watching::default() };
        let prepared = BTreeMap::new();
        Ok(Native { cache, options, code, threads, limit, context, prepared, how: watching })
    }

    /// Every further run of the graph counts its operations and hands out no large results.
    pub fn only_measure(&mut self) {
        (self.how.counting, self.how.blank) = (true, true);
    }

    /// Forgets all tensors but inputs and constants.
    pub fn forget_results(&mut self, graph: &Graph) {
        self.context
            .retain(|t| !matches!(graph.tensors[t].definition, Definition::Assigned { .. }));
    }

    /// Computes tensors in one routine.
    pub fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let prepared = self.prepare(graph, binding, wanted, cost)?;
        let start = Instant::now();
        let Prepared { plan, kernel, library } = &*prepared;
        let arrays = self.call(graph, plan, kernel, library, binding, cost)?;
        cost.run_ms = ms(start);
        Ok(arrays)
    }

    fn prepare(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Arc<Prepared>, RunError> {
        let start = Instant::now();
        let given =
            |&t: &TensorId| matches!(graph.tensors[t].definition, Definition::Assigned { .. });
        let stored: BTreeSet<TensorId> = self.context.tensors().filter(given).collect();
        let request = (wanted.to_vec(), stored);
        cost.origin = Origin::Memory;
        if let Some(known) = self.prepared.get(&request) {
            return Ok(known.clone());
        }
        let options = PlanOptions { likely: binding.params.clone(), ..self.options.clone() };
        let plan = plan(graph, wanted, &request.1, &options).map_err(|r| refused(graph, &r))?;
        let kernel = lower(&plan, "segment");
        cost.plan_ms = ms(start);
        let start = Instant::now();
        let (library, origin) = self.cache.library(&kernel.function, &self.code);
        (cost.origin, cost.compile_ms) = (origin, ms(start));
        let prepared = Arc::new(Prepared { plan, kernel, library });
        self.prepared.insert(request, prepared.clone());
        Ok(prepared)
    }

    fn call(
        &mut self,
        graph: &Graph,
        plan: &Plan,
        kernel: &Kernel,
        library: &Library,
        binding: &Binding,
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let params = param_values(graph, binding);
        let bound = plan.bind(&params, Some(self.limit)).map_err(|e| unbound(graph, &e))?;
        cost.peak_bytes = bound.peak_bytes;
        let scalars: Vec<Scalar> =
            kernel.signature.params.iter().map(|p| Scalar::I64(params[*p])).collect();
        if self.how.counting {
            cost.flops = weft_loops::flops(&kernel.function, &scalars);
            cost.bytes = traffic(plan, &bound);
        }
        let mut given: Vec<Arc<Buffer>> = Vec::new();
        let mut owned: Vec<Buffer> = Vec::new();
        for &b in &kernel.signature.buffers {
            match plan.buffers[b].role {
                BufferRole::Given(t) => given.push(self.given(graph, binding, t)?),
                _ => {
                    let elements = bound.buffers[b].elements;
                    let buffer = self.context.unset(plan.buffers[b].elem, elements);
                    let mut buffer = buffer.map_err(|f| self.failed(graph, kernel, plan, &f))?;
                    if self.how.poisoned {
                        buffer.bytes_mut().fill(NONSENSE);
                    }
                    owned.push(buffer);
                }
            }
        }
        let (mut next_given, mut next_owned) = (given.iter(), owned.iter_mut());
        let mut arguments: Vec<Argument<'_>> = kernel
            .signature
            .buffers
            .iter()
            .map(|&b| match plan.buffers[b].role {
                BufferRole::Given(_) => Argument::Read(next_given.next().expect("made above")),
                _ => Argument::Write(next_owned.next().expect("made above")),
            })
            .collect();
        library
            .routine(0)
            .call(&scalars, &mut arguments, &self.threads)
            .map_err(|f| self.failed(graph, kernel, plan, &f))?;
        self.keep_results(plan, kernel, owned);
        let shapes = plan.observed.iter().zip(&bound.shapes);
        shapes.map(|(t, shape)| self.result(graph, binding, *t, shape)).collect()
    }

    fn keep_results(&mut self, plan: &Plan, kernel: &Kernel, owned: Vec<Buffer>) {
        let roles = kernel
            .signature
            .buffers
            .iter()
            .map(|&b| plan.buffers[b].role)
            .filter(|r| !matches!(r, BufferRole::Given(_)));
        for (role, buffer) in roles.zip(owned) {
            if let BufferRole::Result(t) = role {
                self.context.insert(t, buffer);
            }
        }
    }

    /// An input, a constant, or what an earlier segment stored, as a buffer.
    fn given(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        t: TensorId,
    ) -> Result<Arc<Buffer>, RunError> {
        if let Some(b) = self.context.get(t) {
            return Ok(b.clone());
        }
        let array = match &graph.tensors[t].definition {
            Definition::Constant(a) => a.clone(),
            _ => binding.inputs.get(&t).cloned().expect("inputs are bound before a run"),
        };
        let limit = self.limit;
        self.context.insert_array(t, &array).map_err(|f| memory_failure(graph, t, &f, limit))
    }

    fn result(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        t: TensorId,
        shape: &[usize],
    ) -> Result<Arc<Array>, RunError> {
        let buffer = self.given(graph, binding, t)?;
        if self.how.blank && shape.iter().product::<usize>() > 1 {
            let zeros = Array::zeros(buffer.ty(), shape.to_vec());
            return Ok(Arc::new(zeros.expect("of the size of a buffer")));
        }
        Ok(Arc::new(to_array(&buffer, shape).expect("a buffer holds its tensor")))
    }

    fn failed(
        &self,
        graph: &Graph,
        kernel: &Kernel,
        plan: &Plan,
        failure: &KernelFailure,
    ) -> RunError {
        match failure {
            KernelFailure::Interrupted => RunError::Interrupted,
            KernelFailure::Trap { site, args } => {
                let trap = &kernel.signature.traps[*site as usize];
                RunError::from_failure(graph, &trapped(trap, args))
            }
            other => memory_failure(graph, plan.observed[0], other, self.limit),
        }
    }
}

/// Neither zero nor any number that a program means.
const NONSENSE: u8 = 0xa5;

/// What a routine reads and writes at least, in bytes: scratch is written and read.
fn traffic(plan: &Plan, bound: &Bound) -> u64 {
    let times = |role| if role == BufferRole::Scratch { 2 } else { 1 };
    plan.buffers.iter().map(|(b, buffer)| times(buffer.role) * bound.buffers[b].bytes).sum()
}

/// A kernel's trap as the evaluator would tell it.
fn trapped(trap: &TrapSite, args: &[i64]) -> Failure {
    let (kind, rest) = match (trap.read, args) {
        (Some((read, axis)), [index, extent, rest @ ..]) => {
            let (index, extent) = (*index, *extent);
            (FailureKind::IndexOutOfRange { read, axis, index, extent }, rest)
        }
        _ => (FailureKind::Check, args),
    };
    let point = trap.indices.iter().cloned().zip(rest.iter().copied()).collect();
    Failure { kind, site: Some(trap.site), tensor: trap.tensor, cell: Vec::new(), point }
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The value of every parameter; those not known yet are not used by what runs now.
fn param_values(graph: &Graph, binding: &Binding) -> PrimaryMap<Param, i64> {
    let value = |(p, info): (Param, &weft_tensor::ParamInfo)| {
        binding.params.get(&p).copied().or(info.default).unwrap_or(0)
    };
    graph.params.iter().map(value).collect()
}

/// A definition without an order of computation.
pub(crate) fn refused(graph: &Graph, r: &weft_plan::Refusal) -> RunError {
    let fallback = graph.tensors.values().find_map(|t| t.span);
    match r.span.or(fallback) {
        Some(span) => RunError::from(r.diagnostic(span)),
        None => Diagnostic::error(Code::E0511, r.to_string()).into(),
    }
}

fn unbound(graph: &Graph, e: &BindError) -> RunError {
    let d = match e {
        BindError::OverLimit { needed, limit, largest } => {
            let d = Diagnostic::error(
                Code::E1106,
                format!(
                    "the memory limit is exceeded: {needed} bytes are needed, {limit} are allowed"
                ),
            );
            largest
                .iter()
                .fold(d, |d, (name, bytes)| d.note(format!("`{name}` takes {bytes} bytes")))
        }
        BindError::BadExtent { .. } => Diagnostic::error(Code::E0007, e.to_string()),
        BindError::MissingParam(p) => {
            Diagnostic::error(Code::E0007, format!("`{}` has no value", graph.params[*p].name))
        }
    };
    d.into()
}

fn memory_failure(graph: &Graph, t: TensorId, f: &KernelFailure, limit: u64) -> RunError {
    let needed = match f {
        KernelFailure::OutOfMemory { bytes } => *bytes,
        KernelFailure::OverLimit { bytes, used, .. } => bytes + used,
        _ => 0,
    };
    let kind = FailureKind::Memory { needed, limit };
    let failure = Failure { kind, site: None, tensor: t, cell: Vec::new(), point: Vec::new() };
    RunError::from_failure(graph, &failure)
}
