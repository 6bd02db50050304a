//! The natural logarithm.

use super::machine::MachineExt;
use super::{Machine, horner};
use std::f64::consts::FRAC_1_SQRT_2;

/// `x = 2**k * (1 + f)` with `1 + f` between the roots of 1/2 and 2, for `x > 0` finite.
pub(super) struct Split<M: Machine> {
    pub(super) k: M::F,
    pub(super) f: M::F,
}

/// Exponent and significand, subnormals scaled up first.
pub(super) fn split<M: Machine>(m: &M, x: M::F) -> Split<M> {
    let format = m.format();
    let shift = format.mantissa + 2;
    let tiny = m.lt(x, m.float(format.least_normal));
    let x = m.select(tiny, m.mul(x, m.float((1_i64 << shift) as f64)), x);
    let root = m.bits(m.float(FRAC_1_SQRT_2));
    let offset = m.int_sub(m.bits(m.float(1.0)), root);
    let bits = m.int_add(m.bits(x), offset);
    let exponent = m.shr(bits, m.int(format.mantissa));
    let bias = m.select_int(tiny, m.int(format.bias + shift), m.int(format.bias));
    let significand = m.int_add(m.int_and(bits, m.int(format.mantissa_mask())), root);
    let f = m.sub(m.float_of_bits(significand), m.float(1.0));
    Split { k: m.int_to_float(m.int_sub(exponent, bias)), f }
}

/// `log(1 + f) = f - small` after fdlibm's `e_log.c`, `small` less `correction`.
pub(super) fn small_part<M: Machine>(m: &M, f: M::F, correction: M::F) -> M::F {
    let s = m.div(f, m.add(m.float(2.0), f));
    let z = m.mul(s, s);
    let tail = m.mul(z, horner(m, z, m.format().log));
    let half_square = m.mul(m.mul(m.float(0.5), f), f);
    m.sub(half_square, m.fma(s, m.add(half_square, tail), correction))
}

/// `log x` for finite `x > 0`, plus a tiny `correction`.
fn log_plus<M: Machine>(m: &M, x: M::F, correction: Option<M::F>) -> M::F {
    let Split { k, f } = split(m, x);
    let (high, low) = m.format().ln_2_short;
    let low = match correction {
        Some(correction) => m.fma(k, m.float(low), correction),
        None => m.mul(k, m.float(low)),
    };
    let small = m.sub(small_part(m, f, low), f);
    m.sub(m.mul(k, m.float(high)), small)
}

/// `log x`.
pub(crate) fn log<M: Machine>(m: &M, x: M::F) -> M::F {
    edges(m, x, log_plus(m, x, None))
}

/// `log(1 + x)`.
pub(crate) fn log1p<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = log1p_pair(m, x, m.float(0.0));
    // The sum with 1 loses the sign of -0.
    m.select(m.eq(x, m.float(0.0)), x, y)
}

/// `log(1 + x + low)` for `low` the error of `x`: the logarithm of the rounded sum,
/// corrected by what was rounded away, as in fdlibm's `s_log1p.c`.
pub(super) fn log1p_pair<M: Machine>(m: &M, x: M::F, low: M::F) -> M::F {
    let (sum, error) = m.two_sum(m.float(1.0), x);
    let correction = m.div(m.add(error, low), sum);
    edges(m, sum, log_plus(m, sum, Some(correction)))
}

/// The values of a logarithm where it is none: at 0, below, at infinity and NaN.
pub(super) fn edges<M: Machine>(m: &M, x: M::F, inside: M::F) -> M::F {
    let zero = m.float(0.0);
    let infinity = m.float(f64::INFINITY);
    let finite = m.lt(x, infinity);
    let y = m.select(finite, inside, x);
    let y = m.select(m.eq(x, zero), m.float(f64::NEG_INFINITY), y);
    m.select(m.lt(x, zero), m.float(f64::NAN), y)
}
