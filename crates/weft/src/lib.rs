//! The public face: sessions that check, stage and run programs.
//!
//! Joins the front end, the host program and the ways to compute tensors; the only crate
//! that knows all of them.

mod bench;
mod emit;
mod explain;
mod facade;
mod inputs;
mod layout;
mod lint;
mod modules;
mod npy;
mod outputs;
mod report;
mod session;
mod shown;
mod structure;
#[doc(hidden)]
pub mod testing;
mod timeline;
mod timing;

pub use bench::{BenchReport, BenchSegment, PassTimes};
pub use emit::Emit;
pub use facade::{Compiler, Error, Inputs, Program, Report};
pub use inputs::Given;
pub use layout::{is_name, test_functions};
pub use lint::{LintLevel, Lints};
pub use modules::Modules;
pub use npy::file_failure;
pub use outputs::{named_text, observed_text, one_file_twice, write_outputs};
pub use report::{Format, render, render_all};
pub use session::{Checked, Options, Session};
#[doc(hidden)]
pub use structure::{Recurrence, Store, Structure, planned_graphs, structure};
pub use weft_base::SourceMap;
pub use weft_base::interrupt::Interrupted;
pub use weft_codegen::{Cpu, OptLevel};
pub use weft_diag as diag;
pub use weft_executor::{
    DEFAULT_CACHE_BYTES, GRADIENT_TOLERANCE, GradientCheck, RunOptions, Tier, Unjudged,
    UnjudgedEntry, Watched, WorstEntry, default_cache_dir,
};
pub use weft_host::{Observed, Outputs, RunError};
pub use weft_pipeline::{PASSES, Pass, PassOptions, PassRecord, Semantics, pass_named};
pub use weft_runtime::{Copied, Foreign, Released};
pub use weft_scalar::eval::Overflow;
pub use weft_scalar::{Scalar, ScalarType};
pub use weft_syntax::MAX_SOURCE_BYTES;
pub use weft_tensor::{Array, Data, Element, Elements, Owner};
