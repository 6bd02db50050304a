//! Facts of processors: what plans, loops and code depend on besides the program.
//!
//! A fact is what a data sheet says, or what was measured, of a processor. What follows of it
//! for one strategy (how many rows a tile has) stands with the strategy. Another processor is
//! another [`Processor`].

mod cost;

pub use cost::{additions, additions_of_binary, additions_of_unary};

/// A processor, as far as what is made for it depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Processor {
    /// Bytes of one vector register.
    pub vector_bytes: u32,
    /// Vector registers.
    pub vector_registers: u32,
    /// Additions in flight that hide the latency of one.
    pub additions_in_flight: u32,
    /// Bytes of the cache that is nearest to a core.
    pub nearest_cache: i64,
    /// Bytes of the second cache of a core.
    pub second_cache: i64,
    /// Bytes that memory moves at once.
    pub line_bytes: u32,
    /// Whether a vector of `f32` is divided in the time of six multiplications.
    pub divides_f32_fast: bool,
}

impl Processor {
    /// One with AVX2 and FMA.
    pub const AVX2: Processor = Processor {
        vector_bytes: 32,
        vector_registers: 16,
        additions_in_flight: 4,
        nearest_cache: 48 << 10,
        second_cache: 2 << 20,
        line_bytes: 64,
        divides_f32_fast: true,
    };

    /// One with AVX-512.
    pub const AVX512: Processor = Processor {
        vector_bytes: 64,
        vector_registers: 32,
        divides_f32_fast: false,
        ..Processor::AVX2
    };
}

/// Bytes that no cache of today's machines holds, all cores' together, and that a system takes
/// longer to hand out than light steps take to be computed again: measured, a routine with so
/// much less to keep is as fast where its buffers are there already, and several times as fast
/// the first time.
pub const BEYOND_CACHES: u64 = 64 << 20;
