//! What decides how a run goes.

use crate::testing::Knobs;
use crate::tier::Tier;
use crate::watch::Watched;
use std::sync::atomic::AtomicBool;
use weft_codegen::{Cpu, OptLevel};
use weft_host::ForeignFunctions;
use weft_pipeline::PassOptions;

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions<'a> {
    /// Which executor.
    pub tier: Tier,
    /// Bytes that tensors may take.
    pub memory_limit: u64,
    /// Find where time goes, by definition (the session tells it).
    pub time: bool,
    /// Find what each pass takes (the session tells it).
    pub time_passes: bool,
    /// How much machine code is optimised.
    pub opt: OptLevel,
    /// Whose instructions it uses.
    pub cpu: Cpu,
    /// Verify the loop level and machine code's IR.
    pub verify: bool,
    /// Print the program's value.
    pub show_result: bool,
    /// Threads for parallel loops; as many as this process may use where nothing is said.
    pub threads: Option<usize>,
    /// Stop where finite numbers make a NaN or an infinity. The evaluator computes then.
    pub trap_nan: bool,
    /// Told of cells as they are computed. The evaluator computes then.
    pub watch: Option<Watched<'a>>,
    /// What is asked of the passes over the graph.
    pub passes: PassOptions,
    /// For tests of the compiler.
    #[doc(hidden)]
    pub knobs: Knobs,
    /// Set from outside to stop the run.
    pub interrupt: Option<&'a AtomicBool>,
    /// What the program may call outside of itself.
    pub foreign: Option<&'a dyn ForeignFunctions>,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        RunOptions {
            tier: Tier::Auto,
            memory_limit: u64::MAX,
            time: false,
            time_passes: false,
            opt: OptLevel::Full,
            cpu: Cpu::Native,
            verify: false,
            show_result: false,
            threads: None,
            trap_nan: false,
            watch: None,
            passes: PassOptions::default(),
            knobs: Knobs::default(),
            interrupt: None,
            foreign: None,
        }
    }
}

impl RunOptions<'_> {
    /// Whether something is asked that only the evaluator tells, which goes cell by cell.
    pub fn goes_by_cell(&self) -> bool {
        self.trap_nan || self.watch.is_some()
    }
}
