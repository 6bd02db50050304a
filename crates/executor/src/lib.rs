//! What runs a compiled program: the evaluator and machine code, which of them a segment takes,
//! machine code that is there already, and derivatives held against differences.
//!
//! Knows host programs, graphs and what the pipeline makes of them; neither texts nor files of
//! numbers, nor how any of it is told.

mod cache;
mod gradients;
mod native;
mod options;
pub mod testing;
mod tier;
mod watch;
mod work;

pub use cache::{DEFAULT_CACHE_BYTES, KernelCache, Origin, default_cache_dir};
pub use gradients::{
    Derivatives, GRADIENT_TOLERANCE, GradientCheck, Unjudged, UnjudgedEntry, WorstEntry,
};
pub use native::{Cost, FIRST, PartCost, Warm, compile_options, refused};
pub use options::RunOptions;
pub use tier::{Observation, TINY_WORK, Tier, Tiers};
pub use watch::Watched;
pub use work::evaluator_work;
