//! The exponential.

use super::machine::MachineExt;
use super::{Machine, horner};

/// `x = k ln 2 + r + lo` with `|r| <= ln(2) / 2` and `lo` the error of `r`.
pub(super) struct Reduced<M: Machine> {
    pub(super) k: M::I,
    pub(super) r: M::F,
    pub(super) lo: M::F,
}

/// Reduction by a multiple of `ln 2` after Cody and Waite, exact in its first step
/// because of the fused multiplication.
pub(super) fn reduce<M: Machine>(m: &M, x: M::F) -> Reduced<M> {
    let format = m.format();
    let magic = m.float(format.magic);
    let shifted = m.fma(x, m.float(std::f64::consts::LOG2_E), magic);
    let k = m.int_sub(m.bits(shifted), m.bits(magic));
    let minus_k = m.sub(magic, shifted);
    let high = m.fma(minus_k, m.float(format.ln_2.0), x);
    let low_part = m.float(format.ln_2.1);
    let r = m.fma(minus_k, low_part, high);
    let lo = m.fma(minus_k, low_part, m.sub(high, r));
    Reduced { k, r, lo }
}

/// `exp(r + lo) - 1 - r` for a small `r` and a tiny `lo`.
pub(super) fn exp_tail<M: Machine>(m: &M, r: M::F, lo: M::F) -> M::F {
    let q = horner(m, r, m.format().exp);
    m.fma(m.mul(r, r), q, m.fma(lo, r, lo))
}

/// `exp(r + low)` for a reduced operand and a `low` of up to 2**10 units in its last
/// place, which therefore multiplies all of `exp(r)`.
pub(super) fn exp_with_low<M: Machine>(m: &M, reduced: &Reduced<M>, low: M::F) -> M::F {
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let (sum, sum_low) = m.fast_two_sum(m.float(1.0), reduced.r);
    let tail = m.add(sum_low, m.fma(low, m.add(sum, tail), tail));
    m.add(sum, tail)
}

/// `y * 2**k`, rounded once also where the result is subnormal; `k` may exceed the range
/// of exponents by half.
pub(super) fn scale<M: Machine>(m: &M, y: M::F, k: M::I) -> M::F {
    let half = m.sar(k, m.int(1));
    let rest = m.int_sub(k, half);
    m.mul(m.mul(y, m.power_of_two(half)), m.power_of_two(rest))
}

/// `e**x` after Tang, "Table-driven implementation of the exponential function" (1989),
/// with no table.
pub(crate) fn exp<M: Machine>(m: &M, x: M::F) -> M::F {
    let (least, most) = m.format().exp_range;
    let reduced = reduce(m, m.clamp(x, least, most));
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let y = m.add(m.float(1.0), m.add(reduced.r, tail));
    // The reduction of NaN leaves arbitrary exponent bits but keeps `y` NaN.
    m.select(m.is_nan(x), x, scale(m, y, reduced.k))
}

/// `exp(x) - 1` as an unevaluated sum of two floats, for `|x|` where nothing overflows.
pub(super) fn expm1_pair<M: Machine>(m: &M, x: M::F) -> (M::F, M::F) {
    expm1_of(m, &reduce(m, x))
}

fn expm1_of<M: Machine>(m: &M, reduced: &Reduced<M>) -> (M::F, M::F) {
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let power = m.power_of_two(reduced.k);
    // 2**k (1 + r + tail) - 1, the power being exact.
    let whole = m.sub(power, m.float(1.0));
    let (high, low) = m.two_sum(whole, m.mul(power, reduced.r));
    m.fast_two_sum(high, m.fma(power, tail, low))
}

/// `exp(x) - 1`: where the 1 does not count any more, the exponential.
pub(crate) fn expm1<M: Machine>(m: &M, x: M::F) -> M::F {
    let (_, most) = m.format().exp_range;
    let least = -2.0 * m.format().mantissa as f64;
    let reduced = reduce(m, m.clamp(x, least, most));
    let (y, _) = expm1_of(m, &reduced);
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let large = scale(m, m.add(m.float(1.0), m.add(reduced.r, tail)), reduced.k);
    let y = m.select(m.lt(x, m.float(-least)), y, large);
    // The reduction loses the sign of -0.
    m.select(m.or(m.is_nan(x), m.eq(x, m.float(0.0))), x, y)
}
