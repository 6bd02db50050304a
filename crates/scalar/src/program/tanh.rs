//! The hyperbolic tangent.

use super::Machine;
use super::exp::{exp_tail, reduce};
use super::machine::MachineExt;

/// `exp(x) - 1` as an unevaluated sum of two floats, for `|x|` where nothing overflows.
pub(super) fn expm1_pair<M: Machine>(m: &M, x: M::F) -> (M::F, M::F) {
    let reduced = reduce(m, x);
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let power = m.power_of_two(reduced.k);
    // 2**k (1 + r + tail) - 1, the power being exact.
    let whole = m.sub(power, m.float(1.0));
    let (high, low) = m.two_sum(whole, m.mul(power, reduced.r));
    m.fast_two_sum(high, m.fma(power, tail, low))
}

/// `tanh x = e / (e + 2)` with `e = exp(2 |x|) - 1`, after fdlibm's `s_tanh.c`, with the
/// division corrected once.
pub(super) fn tanh<M: Machine>(m: &M, x: M::F) -> M::F {
    // Beyond 22 the result is 1 in either format.
    let a = m.clamp(m.abs(x), 0.0, 22.0);
    let (high, low) = expm1_pair(m, m.add(a, a));
    let (divisor, error) = m.two_sum(m.float(2.0), high);
    let divisor_low = m.add(error, low);
    let inverse = m.div(m.float(1.0), divisor);
    let q = m.mul(high, inverse);
    let rest = m.add(m.fma(m.neg(q), divisor, high), m.fma(m.neg(q), divisor_low, low));
    let y = m.fma(rest, inverse, q);
    m.select(m.is_nan(x), x, m.xor_sign(m.abs(y), x))
}
