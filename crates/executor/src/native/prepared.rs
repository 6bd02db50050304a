//! Routines ready to be called.

use crate::cache::{KernelCache, Origin};
use std::sync::OnceLock;
use std::time::Instant;
use weft_codegen::Options as CodeOptions;
use weft_loops::Function;
use weft_pipeline::Compiled;
use weft_plan::Bound;
use weft_runtime::{Fitted, Library};
use weft_scalar::Scalar;

/// A routine with its machine code.
pub(super) struct Prepared {
    pub compiled: Compiled,
    /// The machine code of the parts, in their order.
    pub library: Library,
    pub code_ms: f64,
    pub origin: Origin,
    /// What its extents come to, since its first call.
    pub ready: OnceLock<Ready>,
}

/// A routine for its extents.
pub(super) struct Ready {
    pub bound: Bound,
    /// The machine code of the parts for these extents.
    pub routines: Vec<Fitted>,
    /// The arguments that are no buffers.
    pub scalars: Vec<Scalar>,
    /// The least that a call moves between memory and processor, in bytes.
    pub traffic: u64,
}

impl Prepared {
    /// Machine code for a routine.
    pub fn new(compiled: Compiled, cache: &KernelCache, code: &CodeOptions) -> Prepared {
        let start = Instant::now();
        let functions: Vec<Function> = compiled.functions().cloned().collect();
        let labels: Vec<String> = compiled.parts.iter().map(|p| p.label.clone()).collect();
        let (library, origin) = cache.library(&functions, code, &labels);
        let code_ms = start.elapsed().as_secs_f64() * 1e3;
        Prepared { compiled, library, code_ms, origin, ready: OnceLock::new() }
    }
}
