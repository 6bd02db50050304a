//! What tests of the compiler ask for, and programs never: ways to run that are taken by force,
//! and the routines that a run went through.

use std::collections::BTreeSet;
use weft_pipeline::Compiled;
pub use weft_runtime::Guard;
use weft_tensor::TensorId;

/// Ways to run that are taken by force.
#[derive(Debug, Clone, Copy, Default)]
pub struct Knobs {
    /// Divide parallel loops however little they do, and keep a digest of what is observed.
    pub fork_always: bool,
    /// Cut loops over time into blocks and tiles of a few steps.
    pub cut_small: bool,
    /// Compute histories again from kept steps wherever that is possible, in short segments of
    /// so many levels.
    pub checkpoints: Option<usize>,
    /// Buffers lie flush against pages that nobody may touch, and none is used twice.
    pub guard: Option<Guard>,
    /// Keep the routines of the run.
    pub keep_routines: bool,
}

/// A routine: what it computes, and as text what became of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routine {
    /// What is looked at.
    pub observed: Vec<TensorId>,
    /// What was there before.
    pub stored: BTreeSet<TensorId>,
    /// Its plan.
    pub plan: String,
    /// Its loops.
    pub loops: String,
}

impl Routine {
    /// As text.
    pub fn of(compiled: &Compiled, stored: &BTreeSet<TensorId>) -> Routine {
        let observed = compiled.plan.observed.clone();
        let loops = compiled.functions().map(|f| format!("{f}\n")).collect();
        Routine { observed, stored: stored.clone(), plan: compiled.plan.to_string(), loops }
    }
}
