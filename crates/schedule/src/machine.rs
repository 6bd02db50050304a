//! What the choice of loops depends on of a processor.

use crate::strategy::Strategies;
use weft_target::Processor;

/// A processor, as far as loops depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// The processor that runs the loops.
    pub processor: Processor,
    /// Of what size loops are cut.
    pub sizes: Sizes,
    /// How integers are computed that may leave their type.
    pub integers: Integers,
    /// Strategies that are left out.
    pub skip: Strategies,
}

/// How integers are computed that may leave their type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Integers {
    /// As if they were small, which is looked at: a routine that finds them large raises a
    /// flag, and says nothing of the program ([`crate::Signature::guesses`]).
    Guessed,
    /// In the types that they have: a flag is raised where one may leave its type.
    Typed,
    /// Each operator fails by itself where it leaves its type.
    Precise,
}

/// Of what size loops over time are cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sizes {
    /// Bytes of tiles in time whose positions are cells, and of others.
    pub(crate) tile_bytes: (i64, i64),
    /// Steps from which on a row is cut into blocks.
    pub(crate) long_row: i64,
    /// Steps of a row that a thread takes at once.
    pub(crate) block: i64,
    /// The same where states are multiplied, in which time they shall not vanish: of `f32`,
    /// and of others.
    pub(crate) scaled_block: (i64, i64),
    /// Steps of a row that stay in the caches of some threads.
    pub(crate) group: i64,
    /// Steps from which on lanes pay for their code where the last steps alone are kept.
    pub(crate) least_unstored: i64,
    /// Points along an axis up to which a part of a nest is a border, which may test.
    pub border: i64,
    /// Bytes that stay in a near cache from one nest to the next.
    pub near: i64,
    /// Rows from which on packing pays; and where the right operand is windows that overlap,
    /// which is many times as large when it is packed.
    pub(crate) packed_rows: (i64, i64),
}

impl Sizes {
    /// Those that pay on a processor.
    fn of(processor: &Processor) -> Sizes {
        Sizes {
            // Of positions that are single cells; and of rows or planes.
            tile_bytes: (processor.nearest_cache / 3, processor.second_cache / 4),
            long_row: 1 << 18,
            block: 4096,
            scaled_block: (256, 512),
            group: 1 << 19,
            least_unstored: 1 << 12,
            border: 32,
            near: processor.second_cache / 4,
            packed_rows: (8, 16),
        }
    }

    /// For tests: a few steps, and tiles of so many bytes.
    #[doc(hidden)]
    pub fn small(bytes: i64) -> Sizes {
        Sizes {
            tile_bytes: (bytes, bytes),
            long_row: 8,
            block: 4,
            scaled_block: (5, 5),
            group: 20,
            least_unstored: 0,
            border: 2,
            near: 0,
            packed_rows: (2, 2),
        }
    }
}

impl Default for Machine {
    /// One with AVX-512.
    fn default() -> Machine {
        Machine::new(Processor::AVX512)
    }
}

impl Machine {
    /// A processor, with sizes that suit it.
    pub fn new(processor: Processor) -> Machine {
        Machine {
            processor,
            sizes: Sizes::of(&processor),
            integers: Integers::Typed,
            skip: Strategies::default(),
        }
    }

    /// Whether each operator on integers fails by itself where it leaves its type.
    pub(crate) fn is_precise(self) -> bool {
        self.integers == Integers::Precise
    }

    /// Rows of a contraction at once: with two registers of columns as many sums in flight
    /// as hide the latency of an addition, beside what is added, in the registers there are.
    pub(crate) fn rows(self) -> i64 {
        let left = i64::from(self.processor.vector_registers) - 4;
        (left / 2).min(2 * i64::from(self.processor.additions_in_flight))
    }

    /// Rows of a contraction that are packed together, some 64: with their depth they fit
    /// the second cache.
    pub(crate) fn block(self) -> i64 {
        64 / self.rows() * self.rows()
    }

    /// Bytes of a strip of columns: two registers.
    pub(crate) fn strip_bytes(self) -> i64 {
        2 * i64::from(self.processor.vector_bytes)
    }
}
