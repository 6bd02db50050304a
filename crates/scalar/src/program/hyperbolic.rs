//! Hyperbolic functions and their inverses.

use super::Machine;
use super::exp::{exp_tail, expm1_pair, reduce, scale};
use super::log::{log, log1p_pair};
use super::machine::MachineExt;

/// `tanh x = e / (e + 2)` with `e = exp(2 |x|) - 1`, after fdlibm's `s_tanh.c`, with the
/// division corrected once.
pub(crate) fn tanh<M: Machine>(m: &M, x: M::F) -> M::F {
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

/// Half of `exp(x)` for large `x`, which overflows later than `exp(x)`.
fn half_exp<M: Machine>(m: &M, x: M::F) -> M::F {
    let (_, most) = m.format().exp_range;
    let reduced = reduce(m, m.clamp(x, 0.0, most + 2.0));
    let tail = exp_tail(m, reduced.r, reduced.lo);
    let y = m.add(m.float(1.0), m.add(reduced.r, tail));
    scale(m, y, m.int_sub(reduced.k, m.int(1)))
}

/// Where `exp(-x)` does not count beside `exp(x)`.
fn is_large<M: Machine>(m: &M, a: M::F) -> M::B {
    m.lt(m.float(m.format().mantissa as f64), a)
}

/// `sinh x = (e + e / (e + 1)) / 2` with `e = exp(|x|) - 1`.
pub(crate) fn sinh<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let (high, low) = expm1_pair(m, m.clamp(a, 0.0, m.format().mantissa as f64));
    let q = m.div(high, m.add(high, m.float(1.0)));
    let (sum, error) = m.two_sum(high, q);
    let y = m.mul(m.float(0.5), m.add(sum, m.add(error, low)));
    let y = m.select(is_large(m, a), half_exp(m, a), y);
    m.select(m.is_nan(x), x, m.xor_sign(y, x))
}

/// `cosh x = (e + 1) / 2 + 1 / (2 (e + 1))` with `e = exp(|x|) - 1`.
pub(crate) fn cosh<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let half = m.float(0.5);
    let (high, low) = expm1_pair(m, m.clamp(a, 0.0, m.format().mantissa as f64));
    let (power, error) = m.two_sum(m.float(1.0), high);
    let inverse = m.div(half, power);
    let y = m.fma(half, power, m.fma(half, m.add(error, low), inverse));
    let y = m.select(is_large(m, a), half_exp(m, a), y);
    m.select(m.is_nan(x), x, y)
}

/// Beyond this the inverses are the logarithm of `2 x`.
const LARGE: f64 = 268435456.0;

fn log_of_double<M: Machine>(m: &M, a: M::F) -> M::F {
    m.add(log(m, a), m.float(std::f64::consts::LN_2))
}

/// `asinh x = log1p(a + a * a / (1 + sqrt(1 + a * a)))` with `a = |x|`; needs `f64`.
pub(crate) fn asinh<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let one = m.float(1.0);
    let root = m.sqrt(m.fma(a, a, one));
    let (sum, error) = m.fast_two_sum(a, m.mul(a, m.div(a, m.add(one, root))));
    let y = log1p_pair(m, sum, error);
    let y = m.select(m.lt(a, m.float(LARGE)), y, log_of_double(m, a));
    m.select(m.or(m.is_nan(x), m.eq(x, m.float(0.0))), x, m.xor_sign(y, x))
}

/// `acosh x = log1p(t + sqrt(2 t + t * t))` with `t = x - 1`; needs `f64`.
pub(crate) fn acosh<M: Machine>(m: &M, x: M::F) -> M::F {
    let (t, t_low) = m.two_sum(x, m.float(-1.0));
    let (square, square_low) = m.two_product(t, t);
    let (v, v_low) = m.two_sum(m.add(t, t), square);
    let (root, root_low) = sqrt_pair(m, v, m.add(v_low, square_low));
    let (sum, error) = m.two_sum(t, root);
    let y = log1p_pair(m, sum, m.add(error, m.add(root_low, t_low)));
    let y = m.select(m.lt(x, m.float(LARGE)), y, log_of_double(m, x));
    m.select(m.lt(x, m.float(1.0)), m.float(f64::NAN), y)
}

/// The square root of a pair as a pair.
pub(super) fn sqrt_pair<M: Machine>(m: &M, v: M::F, low: M::F) -> (M::F, M::F) {
    let root = m.sqrt(v);
    let rest = m.add(m.fma(m.neg(root), root, v), low);
    let correction = m.div(rest, m.add(root, root));
    let zero = m.float(0.0);
    (root, m.select(m.eq(root, zero), zero, correction))
}

/// `atanh x = log1p(2 a / (1 - a)) / 2` with `a = |x|`; needs `f64`.
pub(crate) fn atanh<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let one = m.float(1.0);
    let double = m.add(a, a);
    let (divisor, divisor_low) = m.fast_two_sum(one, m.neg(a));
    let q = m.div(double, divisor);
    let minus_q = m.neg(q);
    let rest = m.fma(minus_q, divisor_low, m.fma(minus_q, divisor, double));
    let y = m.mul(m.float(0.5), log1p_pair(m, q, m.div(rest, divisor)));
    let y = m.select(m.eq(a, one), m.float(f64::INFINITY), y);
    m.select(m.or(m.is_nan(x), m.eq(x, m.float(0.0))), x, m.xor_sign(y, x))
}
