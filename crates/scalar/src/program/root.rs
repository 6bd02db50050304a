//! Roots that are no instruction.

use super::Machine;

/// `1 / sqrt(x)`.
pub(crate) fn rsqrt<M: Machine>(m: &M, x: M::F) -> M::F {
    m.div(m.float(1.0), m.sqrt(x))
}
