//! What runs of one program keep for the next ones.

use super::compile_options;
use super::prepared::Prepared;
use crate::options::RunOptions;
use crate::tier::TINY_WORK;
use crate::work::KnownWork;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use weft_codegen::{Options as CodeOptions, Target};
use weft_host::Callee;
use weft_pipeline::{CompileOptions, Manner, Semantics};
use weft_runtime::{Context, Guard};
use weft_schedule::Machine;
use weft_tensor::TensorId;

/// Routines that are kept: a caller may give ever other extents.
const MOST_ROUTINES: usize = 256;

/// What runs of one program with the same options keep for the next ones: routines with their
/// machine code by extents, those of the functions that it calls too, and memory that the last run
/// used.
pub struct Warm {
    /// Segments of less work than this (in scalar operations) run on the evaluator.
    pub(crate) tiny: u64,
    pub(crate) native: Option<State>,
    pub(crate) work: BTreeMap<Option<Callee>, KnownWork>,
}

/// Scalar operations that the evaluator makes in a few microseconds.
const TINY_IN_CALLS: u64 = 256;

impl Warm {
    /// For one run: what would take longer to compile than to evaluate is evaluated.
    pub fn once() -> Warm {
        Warm { tiny: TINY_WORK, native: None, work: BTreeMap::new() }
    }

    /// For many runs: nothing is evaluated that machine code makes faster, however long that
    /// takes to compile. Which one computes depends on extents alone, so that the same call gives
    /// the same bits each time.
    pub fn repeated() -> Warm {
        Warm { tiny: TINY_IN_CALLS, ..Warm::once() }
    }
}

/// How all routines are made.
pub(super) struct Setup {
    pub options: CompileOptions,
    pub code: CodeOptions,
    guard: Option<Guard>,
}

impl Setup {
    /// For a machine; the reason where the processor is not supported.
    pub fn new(semantics: Semantics, how: &RunOptions<'_>) -> Result<Setup, String> {
        let mut code = CodeOptions::new(Target::runnable(how.cpu)?);
        (code.opt, code.verify) = (how.opt, how.verify);
        if how.knobs.fork_always {
            code.least_parallel_work = 0;
        }
        let options = compile_options(semantics, how, Machine::new(code.target.processor));
        Ok(Setup { options, code, guard: how.knobs.guard })
    }

    /// A context without tensors.
    pub fn context(&self) -> Context {
        Context::guarded(Some(self.options.memory), self.guard)
    }
}

/// What a routine depends on within one graph: what is wanted, what is there, how it is made, and
/// for which values of all parameters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    pub wanted: Vec<TensorId>,
    pub stored: BTreeSet<TensorId>,
    pub manner: Manner,
    pub params: Vec<i64>,
}

/// The routines of all graphs, and what those of the program itself use.
pub(crate) struct State {
    pub(super) routines: AllRoutines,
    /// Inputs, constants, and what earlier segments computed.
    pub(super) context: Context,
}

impl State {
    /// Without routines.
    pub(super) fn new(setup: Setup) -> State {
        let context = setup.context();
        State { routines: AllRoutines { setup, of: BTreeMap::new() }, context }
    }
}

/// Routines, by whose graph they are for: the program's own, or that of what it calls.
pub(super) struct AllRoutines {
    pub setup: Setup,
    pub of: BTreeMap<Option<Callee>, Routines>,
}

/// The routines of one graph.
#[derive(Default)]
pub(super) struct Routines {
    pub made: BTreeMap<Request, Arc<Prepared>>,
    /// What had integers once that were not as small as was taken.
    pub large: BTreeSet<Vec<TensorId>>,
}

impl Routines {
    /// Keeps a routine.
    pub fn keep(&mut self, request: Request, prepared: Arc<Prepared>) {
        if self.made.len() >= MOST_ROUTINES {
            self.made.clear();
        }
        self.made.insert(request, prepared);
    }
}
