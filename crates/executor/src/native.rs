//! Native execution: plan, lower, compile, load, bind, call.

mod failure;
mod prepared;
mod state;

use crate::cache::{KernelCache, Origin};
use crate::options::RunOptions;
use crate::testing::Routine;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use weft_base::Span;
use weft_diag::Code;
use weft_host::{Callee, RunError};
use weft_pipeline::{
    Checkpoints, CompileOptions, Division, Manner, Part, Request as CompileRequest, Semantics,
    compile,
};
use weft_plan::{BindError, Bound, BufferRole, Plan};
use weft_runtime::{Argument, Buffer, Context, Failure as KernelFailure, Held, Threads, interrupt};
use weft_scalar::{Scalar, ScalarType};
use weft_schedule::{Integers, Kernel, Machine, Sizes};
use weft_tensor::eval::Binding;
use weft_tensor::{Array, Definition, Graph, TensorId};

pub use failure::refused;
use failure::{out_of_memory, trapped, unbound};
use prepared::{Prepared, Ready};
pub(crate) use state::State;
pub use state::Warm;
use state::{AllRoutines, Request, Routines, Setup};

/// What one observation cost.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// From the graph to the plan, in milliseconds.
    pub plan_ms: f64,
    /// From the plan to loops.
    pub lower_ms: f64,
    /// From loops to machine code, or finding it.
    pub compile_ms: f64,
    /// The call itself.
    pub run_ms: f64,
    /// Counting operations, which is no part of the run.
    pub count_ms: f64,
    /// Bytes of buffers that exist at one time.
    pub peak_bytes: u64,
    /// Where machine code came from.
    pub origin: Origin,
    /// The passes that its graph went through, where it was made now.
    pub passes: Vec<(&'static str, Duration)>,
    /// Operations on floats, where they were counted.
    pub flops: u64,
    /// The least that goes between memory and processor: each tensor once, scratch twice.
    pub bytes: u64,
    /// The parts that it was divided into, if it was.
    pub parts: Vec<PartCost>,
}

/// What a part of a routine cost.
#[derive(Debug, Clone)]
pub struct PartCost {
    /// The definitions it computes.
    pub label: String,
    /// Where the first of them is.
    pub span: Option<Span>,
    /// When it began.
    pub begin: Instant,
    /// How long it took.
    pub length: Duration,
    /// Operations on floats, where they were counted.
    pub flops: u64,
    /// Bytes of the buffers that it reads and of those that it writes.
    pub bytes: u64,
    /// The type of its floats, if it has any.
    pub float: Option<ScalarType>,
}

/// Why a routine gives nothing.
pub(crate) enum Stopped {
    Failed(RunError),
    /// An integer left its type, or a part of a sum did, somewhere.
    Overflow,
}

impl Stopped {
    /// Whether it is a value that stopped it, and nothing of what the run may use.
    pub fn is_failure(&self) -> bool {
        match self {
            Stopped::Failed(RunError::Diagnostic(d)) => d.code == Code::E0007,
            Stopped::Failed(_) => false,
            Stopped::Overflow => true,
        }
    }
}

impl From<RunError> for Stopped {
    fn from(e: RunError) -> Stopped {
        Stopped::Failed(e)
    }
}

/// The native executor of one run.
pub(crate) struct Native<'a> {
    cache: &'a KernelCache,
    interrupt: &'a AtomicBool,
    threads: Threads,
    routines: &'a mut AllRoutines,
    /// Whose graph this is.
    callee: Option<Callee>,
    /// Inputs, constants, and what earlier segments of the graph computed.
    context: &'a mut Context,
    /// That of what is being called.
    called: Option<Box<Context>>,
    /// What is asked of each call besides results.
    how: Watching,
}

impl Drop for Native<'_> {
    fn drop(&mut self) {
        // What was lent is given back, and results are the caller's.
        self.context.begin();
    }
}

/// What is asked of each call besides results.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watching {
    /// Count operations.
    pub counting: bool,
    /// Divide routines into parts of one definition each, and measure each.
    pub apart: bool,
    /// Fill memory with nonsense before a routine writes it.
    pub poisoned: bool,
}

impl<'a> Native<'a> {
    /// An executor for this machine; the reason where the processor is not supported.
    pub fn new(
        (cache, kept): (&'a KernelCache, &'a mut Option<State>),
        semantics: Semantics,
        how: &RunOptions<'a>,
        threads: Threads,
        apart: bool,
    ) -> Result<Self, String> {
        let state = match kept {
            Some(state) => state,
            none => none.insert(State::new(Setup::new(semantics, how)?)),
        };
        let State { routines, context } = state;
        let guard = how.knobs.guard;
        let poisoned = how.verify || guard.is_some();
        let watching = Watching { counting: apart, apart, poisoned };
        Ok(Native {
            cache,
            interrupt: how.interrupt.unwrap_or(interrupt::flag()),
            threads,
            routines,
            callee: None,
            context,
            called: None,
            how: watching,
        })
    }

    /// The routines that were made first, in the order of what they count on.
    pub fn routines(&self) -> Vec<Routine> {
        let own = self.routines.of.get(&None);
        let made =
            own.into_iter().flat_map(|r| &r.made).filter(|(request, _)| request.manner == FIRST);
        made.map(|(request, p)| Routine::of(&p.compiled, &request.stored)).collect()
    }

    /// Further runs of the graph are measured as a whole, and operations counted if told to.
    pub fn only_measure(&mut self, counting: bool) {
        self.how = Watching { counting, apart: false, ..self.how };
    }

    /// Forgets all tensors but inputs and constants.
    pub fn forget_results(&mut self, graph: &Graph) {
        self.context
            .retain(|t| !matches!(graph.tensors[t].definition, Definition::Assigned { .. }));
    }

    /// An executor for the graph of what is called: another context, the routines that earlier
    /// calls of it made.
    pub fn within(&mut self, callee: Callee) -> Native<'_> {
        let context = self.called.get_or_insert_with(|| Box::new(self.routines.setup.context()));
        Native {
            cache: self.cache,
            interrupt: self.interrupt,
            threads: self.threads.clone(),
            routines: self.routines,
            callee: Some(callee),
            context,
            called: None,
            how: self.how,
        }
    }

    /// The routines of this graph.
    fn own(&mut self) -> &mut Routines {
        self.routines.of.entry(self.callee).or_default()
    }

    /// Computes tensors in one routine: where integers that were taken to be small are not,
    /// in another one.
    pub fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, Stopped> {
        if self.own().large.contains(wanted) {
            return self.observe_as(Manner::of(Integers::Typed), graph, binding, wanted, cost);
        }
        let prepared = self.prepare(FIRST, graph, binding, wanted, cost)?;
        match self.call(graph, &prepared, binding, cost) {
            Err(stopped) if stopped.is_failure() && prepared.compiled.guesses() => {
                self.own().large.insert(wanted.to_vec());
                *cost = Cost::default();
                self.observe_as(Manner::of(Integers::Typed), graph, binding, wanted, cost)
            }
            result => result,
        }
    }

    /// The same by a routine that finds where an integer leaves its type, operator by
    /// operator. What fails is told by a routine with all tensors apart, which knows what is
    /// read where, if that finds the same.
    pub fn observe_precisely(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, Stopped> {
        let manner = Manner::of(Integers::Precise);
        let result = self.observe_as(manner, graph, binding, wanted, cost);
        let Err(Stopped::Failed(RunError::Diagnostic(found))) = &result else { return result };
        let apart = Manner { inline: false, ..manner };
        match self.observe_as(apart, graph, binding, wanted, cost) {
            Err(Stopped::Failed(RunError::Diagnostic(told)))
                if told.code == found.code && told.labels.first() == found.labels.first() =>
            {
                Err(Stopped::Failed(RunError::Diagnostic(told)))
            }
            _ => result,
        }
    }

    fn observe_as(
        &mut self,
        manner: Manner,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, Stopped> {
        let prepared = self.prepare(manner, graph, binding, wanted, cost)?;
        self.call(graph, &prepared, binding, cost)
    }

    fn prepare(
        &mut self,
        manner: Manner,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
        cost: &mut Cost,
    ) -> Result<Arc<Prepared>, RunError> {
        let given =
            |&t: &TensorId| matches!(graph.tensors[t].definition, Definition::Assigned { .. });
        let stored: BTreeSet<TensorId> = self.context.tensors().filter(given).collect();
        let params = graph.param_values(&binding.params).values().copied().collect();
        let request = Request { wanted: wanted.to_vec(), stored, manner, params };
        cost.origin = Origin::Memory;
        if let Some(known) = self.own().made.get(&request) {
            return Ok(known.clone());
        }
        let division = if self.how.apart { Division::ByDefinition } else { Division::Whole };
        let stored = &request.stored;
        let what = CompileRequest { graph, observed: wanted, stored, likely: &binding.params };
        let made = compile(&what, manner, division, &self.routines.setup.options);
        let compiled = made.map_err(|r| refused(graph, &r))?;
        let timings = compiled.timings;
        cost.passes = compiled.plan.passes.iter().map(|p| (p.name, p.time)).collect();
        (cost.plan_ms, cost.lower_ms) = (millis(timings.plan), millis(timings.lower));
        let prepared = Prepared::new(compiled, self.cache, &self.routines.setup.code);
        (cost.origin, cost.compile_ms) = (prepared.origin, prepared.code_ms);
        let prepared = Arc::new(prepared);
        self.own().keep(request, prepared.clone());
        Ok(prepared)
    }

    fn call(
        &mut self,
        graph: &Graph,
        prepared: &Prepared,
        binding: &Binding,
        cost: &mut Cost,
    ) -> Result<Vec<Arc<Array>>, Stopped> {
        let start = Instant::now();
        let compiled = &prepared.compiled;
        let (plan, signature) = (&compiled.plan, compiled.signature());
        let Ready { bound, routines, scalars, traffic } = self.ready(graph, prepared, binding)?;
        cost.peak_bytes = bound.peak_bytes;
        let before = self.context.account().used();
        let (given, mut owned) = self.buffers(graph, plan, bound, binding)?;
        if self.how.poisoned {
            let bytes = |b: &Buffer| b.bytes().len() as u64;
            let held: u64 = given.iter().map(Held::bytes).chain(owned.iter().map(bytes)).sum();
            assert_eq!(held, bound.peak_bytes, "what a routine needs is known before");
            let taken = self.context.account().used() - before;
            assert!(taken <= held, "{taken} bytes were taken for {held}");
        }
        let (mut next_given, mut next_owned) = (given.iter(), owned.iter_mut());
        let mut arguments: Vec<Argument<'_>> = signature
            .buffers
            .iter()
            .map(|&b| match plan.buffers[b].role {
                BufferRole::Given(_) => next_given.next().expect("made above").argument(),
                _ => Argument::Write(next_owned.next().expect("made above")),
            })
            .collect();
        let mut lengths = Vec::new();
        for (part, routine) in compiled.parts.iter().zip(routines) {
            let begin = Instant::now();
            let mut call = || routine.call_until(self.interrupt, &mut arguments, &self.threads);
            let called = match part.kernel.function.callees.is_empty() {
                true => call(),
                // Calls within each other take a stack of their own.
                false => stacker::grow(STACK_OF_CALLS, call),
            };
            lengths.push((begin, begin.elapsed()));
            // What fails of numbers that were taken for small may be no failure of the program.
            called.map_err(|f| match f {
                KernelFailure::Trap { .. } if compiled.guesses() => Stopped::Overflow,
                f => self.failed(graph, &part.kernel, plan, &f),
            })?;
        }
        cost.bytes = *traffic;
        self.keep_results(plan, owned);
        let shapes = plan.observed.iter().zip(&bound.shapes);
        let results = shapes.map(|(t, shape)| self.result(graph, binding, *t, shape));
        let arrays = results.collect::<Result<_, _>>()?;
        cost.run_ms = millis(start.elapsed());
        if self.how.counting {
            let begin = Instant::now();
            let measured = compiled.parts.iter().zip(lengths);
            let parts = measured.map(|(part, (begin, length))| {
                let flops = weft_loops::flops(&part.kernel.function, scalars);
                part_cost(part, begin, length, flops, part.traffic(plan, bound))
            });
            cost.parts = parts.collect();
            cost.flops = cost.parts.iter().map(|p| p.flops).sum();
            cost.count_ms = millis(begin.elapsed());
        }
        Ok(arrays)
    }

    /// What a routine's extents come to, found in its first call.
    fn ready<'p>(
        &self,
        graph: &Graph,
        prepared: &'p Prepared,
        binding: &Binding,
    ) -> Result<&'p Ready, Stopped> {
        let compiled = &prepared.compiled;
        let plan = &compiled.plan;
        let lent = lent_bytes(plan, binding);
        let limit = self.routines.setup.options.memory.saturating_add(lent);
        if let Some(ready) = prepared.ready.get().filter(|r| r.bound.peak_bytes <= limit) {
            return Ok(ready);
        }
        let params = graph.param_values(&binding.params);
        if !plan.indices_fit(&params) {
            return Err(Stopped::Overflow);
        }
        let bound = plan.bind(&params, Some(limit));
        let bound = bound.map_err(|e| unbound(&plan.graph, &without_lent(e, lent, binding)))?;
        let taken = &compiled.signature().params;
        let scalars: Vec<Scalar> = taken.iter().map(|p| Scalar::I64(params[*p])).collect();
        let traffic = compiled.traffic(&bound);
        let routines = prepared.library.routines().map(|r| r.fitted(&scalars)).collect();
        Ok(prepared.ready.get_or_init(|| Ready { bound, routines, scalars, traffic }))
    }

    /// The buffers of a call: those that are there, and those that it writes.
    fn buffers(
        &mut self,
        graph: &Graph,
        plan: &Plan,
        bound: &Bound,
        binding: &Binding,
    ) -> Result<(Vec<Held>, Vec<Buffer>), RunError> {
        let (mut given, mut owned) = (Vec::new(), Vec::new());
        for (b, buffer) in plan.buffers.iter() {
            if let BufferRole::Given(t) = buffer.role {
                given.push(self.given(graph, binding, t)?);
                continue;
            }
            let made = self.context.unset(buffer.elem, bound.buffers[b].elements);
            let limit = self.routines.setup.options.memory;
            let mut made =
                made.map_err(|f| out_of_memory(&plan.graph, buffer.tenants[0], &f, limit))?;
            if self.how.poisoned {
                made.bytes_mut().fill(NONSENSE);
            }
            owned.push(made);
        }
        Ok((given, owned))
    }

    fn keep_results(&mut self, plan: &Plan, owned: Vec<Buffer>) {
        let roles = plan.buffers.values().map(|b| b.role);
        let roles = roles.filter(|r| !matches!(r, BufferRole::Given(_)));
        for (role, buffer) in roles.zip(owned) {
            if let BufferRole::Result(t) = role {
                self.context.insert(t, buffer);
            }
        }
    }

    /// An input, a constant, or what an earlier segment stored: where it is.
    fn given(&mut self, graph: &Graph, binding: &Binding, t: TensorId) -> Result<Held, RunError> {
        if let Some(held) = self.context.get(t) {
            return Ok(held.clone());
        }
        let array = match &graph.tensors[t].definition {
            Definition::Constant(a) => a,
            _ => binding.inputs.get(&t).expect("inputs are bound before a run"),
        };
        let (limit, lent) = (self.routines.setup.options.memory, binding.lent.contains(&t));
        let held = self.context.insert_array(t, array, lent);
        held.map_err(|f| out_of_memory(graph, t, &f, limit))
    }

    fn result(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        t: TensorId,
        shape: &[usize],
    ) -> Result<Arc<Array>, RunError> {
        let held = self.given(graph, binding, t)?;
        Ok(held.array(shape).expect("a tensor's numbers are there"))
    }

    fn failed(
        &self,
        graph: &Graph,
        kernel: &Kernel,
        plan: &Plan,
        failure: &KernelFailure,
    ) -> Stopped {
        Stopped::Failed(match failure {
            KernelFailure::Overflow => return Stopped::Overflow,
            KernelFailure::Interrupted => RunError::Interrupted,
            KernelFailure::Trap { site, args } => {
                let trap = &kernel.signature.traps[*site as usize];
                RunError::from_failure(graph, &trapped(trap, args))
            }
            other => {
                out_of_memory(graph, plan.observed[0], other, self.routines.setup.options.memory)
            }
        })
    }
}

/// What a run tries first.
pub const FIRST: Manner = Manner { integers: Integers::Guessed, inline: true };

/// What the deepest recursion may take, with room to spare: only what is used is taken.
const STACK_OF_CALLS: usize = 256 << 20;

/// Neither zero nor any number that a program means.
const NONSENSE: u8 = 0xa5;

/// Bytes of a tile of a few cells.
const SMALL_TILE: i64 = 200;

/// Bytes of a routine's inputs that are the caller's, and count against no limit.
fn lent_bytes(plan: &Plan, binding: &Binding) -> u64 {
    let lent = plan.buffers.values().filter_map(|b| match b.role {
        BufferRole::Given(t) if binding.lent.contains(&t) => binding.inputs.get(&t),
        _ => None,
    });
    lent.map(|a| (a.len() * a.elem().bytes()) as u64).sum()
}

/// What is said of a routine that needs too much, without what the caller has anyway.
fn without_lent(e: BindError, lent: u64, binding: &Binding) -> BindError {
    match e {
        BindError::OverLimit { needed, limit, mut largest } => {
            largest.retain(|(t, _)| !binding.lent.contains(t));
            BindError::OverLimit { needed: needed - lent, limit: limit - lent, largest }
        }
        e => e,
    }
}

fn part_cost(part: &Part, begin: Instant, length: Duration, flops: u64, bytes: u64) -> PartCost {
    let (label, span, float) = (part.label.clone(), part.span, part.float());
    PartCost { label, span, begin, length, flops, bytes, float }
}

fn millis(length: Duration) -> f64 {
    length.as_secs_f64() * 1e3
}

/// How a run compiles, and what is shown of it.
pub fn compile_options(
    semantics: Semantics,
    how: &RunOptions<'_>,
    machine: Machine,
) -> CompileOptions {
    let mut options = CompileOptions::new(machine);
    if how.knobs.cut_small {
        options.machine.sizes = Sizes::small(SMALL_TILE);
    }
    let checkpoints = how.knobs.checkpoints.map_or(Checkpoints::AsNeeded, Checkpoints::Always);
    let (memory, passes) = (how.memory_limit, how.passes.clone());
    CompileOptions { semantics, memory, checkpoints, passes, ..options }
}
