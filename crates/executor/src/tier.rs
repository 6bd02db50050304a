//! The ways to compute tensors, and which one a segment takes.

use crate::cache::KernelCache;
use crate::native::{Cost, Native, Stopped, Warm};
use crate::options::RunOptions;
use crate::testing::Routine;
use crate::work::KnownWork;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use weft_diag::{Code, Diagnostic};
use weft_host::{Callee, Compute, ForeignFunctions, RunError};
use weft_pipeline::Semantics;
use weft_runtime::Threads;
use weft_tensor::eval::{Binding, Evaluator, Limits, Watch};
use weft_tensor::{Array, Graph, TensorId};

/// An executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// By the work a segment does: tiny work is not worth compiling.
    Auto,
    /// The reference evaluator.
    Evaluator,
    /// Machine code.
    Native,
}

impl Tier {
    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Auto => "auto",
            Tier::Evaluator => "evaluator",
            Tier::Native => "native",
        }
    }
}

/// Segments of less work than this (in scalar operations) run on the evaluator where there is one
/// run.
pub const TINY_WORK: u64 = 100_000;

/// A failure of machine code is told by the evaluator where that takes no more than this
/// (some seconds); beyond, as the machine code met it.
const RETOLD_WORK: u64 = 200_000_000;

/// The executors of one run.
pub struct Tiers<'a> {
    how: &'a RunOptions<'a>,
    /// Told of the binding whenever it evaluates.
    evaluator: Evaluator,
    native: Option<Native<'a>>,
    /// Known of all graphs.
    work: &'a mut BTreeMap<Option<Callee>, KnownWork>,
    /// Whose graph this is.
    callee: Option<Callee>,
    /// What takes less work is evaluated.
    tiny: u64,
    /// Shared with the executors of functions that are called.
    record: Rc<RefCell<Record>>,
}

/// What is known of the observations of a run.
struct Record {
    /// What each took, if that was asked for.
    observations: Option<Vec<Observation>>,
    /// Of their numbers, if that was asked for.
    digest: DefaultHasher,
}

impl Record {
    fn new(watched: bool) -> Record {
        Record { observations: watched.then(Vec::new), digest: DefaultHasher::new() }
    }
}

/// What one observation took.
pub struct Observation {
    /// What was observed.
    pub names: Vec<String>,
    /// What computed it: [`Tier::Evaluator`] or [`Tier::Native`].
    pub tier: Tier,
    /// When it began.
    pub begin: Instant,
    /// All of it, in milliseconds.
    pub ms: f64,
    /// What of that went where, in native code.
    pub cost: Cost,
}

impl<'a> Tiers<'a> {
    /// The executors of a run. Parts of routines are measured where it is
    /// `watched`, and observations where it is `noted`.
    ///
    /// # Errors
    ///
    /// A processor that is not supported.
    pub fn new(
        (semantics, how): (Semantics, &'a RunOptions<'a>),
        (cache, warm): (&'a KernelCache, &'a mut Warm),
        threads: Threads,
        (watched, noted): (bool, bool),
    ) -> Result<Self, RunError> {
        let evaluator = Evaluator::new(Binding::default());
        let Warm { native: kept, work, tiny } = warm;
        let tiny = *tiny;
        let native = match how.tier {
            _ if how.goes_by_cell() => None,
            Tier::Evaluator => None,
            _ => {
                let made = Native::new((cache, kept), semantics, how, threads, watched);
                Some(made.map_err(|why| Diagnostic::error(Code::E1105, why))?)
            }
        };
        let record = Rc::new(RefCell::new(Record::new(noted)));
        Ok(Tiers { how, evaluator, native, work, callee: None, tiny, record })
    }

    /// The executors for the graph of what is called: another context, and what is known of it.
    fn within(&mut self, callee: Callee) -> Tiers<'_> {
        let evaluator = Evaluator::new(Binding::default());
        let native = self.native.as_mut().map(|native| native.within(callee));
        Tiers {
            how: self.how,
            evaluator,
            native,
            work: self.work,
            callee: Some(callee),
            tiny: self.tiny,
            record: self.record.clone(),
        }
    }

    /// Starts a run of the same program over, on inputs that are still there; from now on
    /// observations are measured. Counting operations takes time of its own.
    pub fn restart(&mut self, graph: &Graph, binding: &Binding, counting: bool) {
        if let Some(native) = &mut self.native {
            native.only_measure(counting);
            native.forget_results(graph);
        }
        self.evaluator = Evaluator::new(binding.clone());
        *self.record.borrow_mut() = Record::new(true);
    }

    /// What was observed since the last start or the last question, if it is watched.
    pub fn take_observations(&self) -> Vec<Observation> {
        self.record.borrow_mut().observations.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn evaluate(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let start = Instant::now();
        *self.evaluator.binding_mut() = binding.clone();
        let RunOptions { memory_limit: bytes, interrupt, trap_nan, .. } = *self.how;
        let watch = self.how.watch.as_ref().map(|w| w as &dyn Watch);
        let limits = Limits { bytes, interrupt, trap_nan, watch };
        let result: Result<_, _> =
            wanted.iter().map(|&t| self.evaluator.observe(graph, t, &limits)).collect();
        self.note(graph, wanted, Tier::Evaluator, start, Cost::default());
        result.map_err(|f| RunError::from_failure(graph, &f))
    }

    /// The routines that the program's own graph went through first, if they are to be kept.
    pub fn routines(&self) -> Vec<Routine> {
        let native = self.native.as_ref().filter(|_| self.how.knobs.keep_routines);
        native.map(Native::routines).unwrap_or_default()
    }

    /// A number that every bit of what was observed decides.
    pub fn digest(&self) -> u64 {
        self.record.borrow().digest.finish()
    }

    fn digest_of(&mut self, arrays: &[Arc<Array>]) {
        let digest = &mut self.record.borrow_mut().digest;
        for array in arrays.iter().filter(|_| self.how.knobs.fork_always) {
            array.shape().iter().for_each(|&n| digest.write_usize(n));
            (0..array.len()).for_each(|at| digest.write_u64(array.get(at).bits()));
        }
    }

    fn note(&mut self, graph: &Graph, wanted: &[TensorId], tier: Tier, begin: Instant, cost: Cost) {
        if let Some(all) = &mut self.record.borrow_mut().observations {
            let ms = begin.elapsed().as_secs_f64() * 1e3;
            all.push(Observation { names: names(graph, wanted), tier, begin, ms, cost });
        }
    }
}

fn names(graph: &Graph, wanted: &[TensorId]) -> Vec<String> {
    let name = |t: &TensorId| graph.tensors[*t].name.as_ref().map(|n| n.to_string());
    wanted.iter().map(|t| name(t).unwrap_or_else(|| t.to_string())).collect()
}

impl Compute for Tiers<'_> {
    fn memory_limit(&self) -> u64 {
        self.how.memory_limit
    }

    fn foreign(&self) -> Option<&dyn ForeignFunctions> {
        self.how.foreign
    }

    fn for_function(&mut self, callee: Callee) -> Box<dyn Compute + '_> {
        Box::new(self.within(callee))
    }

    fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let known = self.work.entry(self.callee).or_default();
        let work = known.of(graph, binding, wanted)?;
        let tiny = self.how.tier == Tier::Auto && work.is_some_and(|w| w < self.tiny);
        let Some(native) = self.native.as_mut().filter(|_| !tiny) else {
            return self.evaluate(graph, binding, wanted);
        };
        let mut cost = Cost::default();
        let start = Instant::now();
        let mut result = native.observe(graph, binding, wanted, &mut cost);
        let small = work.is_some_and(|w| w < RETOLD_WORK);
        // What an integer that left its type led to may have come first.
        let failed = result.as_ref().err().is_some_and(Stopped::is_failure);
        if failed && !small {
            result = native.observe_precisely(graph, binding, wanted, &mut cost);
        }
        self.note(graph, wanted, Tier::Native, start, cost);
        let failed = result.as_ref().err().is_some_and(Stopped::is_failure);
        let result = match result {
            Ok(arrays) => Ok(arrays),
            Err(Stopped::Failed(e)) => Err(e),
            // Where it happened, or that the whole is in its type again, the evaluator knows.
            Err(Stopped::Overflow) => return self.evaluate(graph, binding, wanted),
        };
        // A routine takes cells in an order of its own, and computes some that nobody
        // needs: whether the program fails, and where first, is the evaluator's to say.
        if failed && small {
            return self.evaluate(graph, binding, wanted);
        }
        if let Ok(arrays) = &result {
            self.digest_of(arrays);
        }
        result
    }
}
