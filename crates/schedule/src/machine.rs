//! What the choice of loops depends on of a processor.

/// A processor, as far as loops depend on it. Results do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// Bytes of one vector register.
    pub vector_bytes: u32,
}

impl Default for Machine {
    /// One with AVX-512.
    fn default() -> Machine {
        Machine { vector_bytes: 64 }
    }
}

impl Machine {
    /// Rows of a contraction at once: with two registers of columns as many sums in flight
    /// as hide the latency of an addition, beside what is added, in the registers there are.
    pub(crate) fn rows(self) -> i64 {
        // AVX-512 has 32 registers, AVX2 16.
        if self.vector_bytes >= 64 { 8 } else { 6 }
    }

    /// Rows of a contraction that are packed together, some 64: with their depth they fit
    /// the second cache.
    pub(crate) fn block(self) -> i64 {
        64 / self.rows() * self.rows()
    }

    /// Bytes of a strip of columns: two registers.
    pub(crate) fn strip_bytes(self) -> i64 {
        2 * i64::from(self.vector_bytes)
    }
}
