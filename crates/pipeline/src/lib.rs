//! From a graph to what a run calls: one way, whose result everything else reads.
//!
//! [`compile`] simplifies a request's graph once, finds an order for it, again where that takes
//! more memory than there is, and lowers the plan to loops. The [`Compiled`] is what the run
//! turns into machine code, and what `explain`, `--emit`, `bench`, `--time` and claims of
//! structure show. No files, no machine code, no values of tensors.

mod compile;
mod compiled;
mod memory;
mod options;
mod unordered;

pub use compile::compile;
pub use compiled::{Compiled, Part, Timings};
pub use options::{Checkpoints, CompileOptions, Division, Manner, Request, Semantics};
pub use unordered::unordered;
pub use weft_plan::{PASSES, Pass, PassOptions, PassRecord, pass_named};
pub use weft_schedule::{Choice, Strategy, schedule_text};
