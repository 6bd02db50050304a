//! Powers.

use super::exp::{exp_with_low, reduce, scale};
use super::log::{Split, split};
use super::machine::MachineExt;
use super::product::{self, LARGEST};
use super::{Machine, horner};

/// `x ** y` with the special values of C's `pow`; `f32` by way of `f64`.
///
/// Small whole exponents are products and one half is a root: a tenth of the work, and what
/// most programs ask for.
pub(crate) fn pow<M: Machine>(m: &M, x: M::F, y: M::F) -> M::F {
    m.widened([x, y], |wide, [x, y]| {
        let (whole, half) = (product::is_short(wide, y), wide.eq(y, wide.float(0.5)));
        let others = wide.not(wide.or(whole, half));
        let r = wide.select_any(whole, x, |m| product::power(m, x, y));
        let r = wide.select_any(half, r, |m| product::root(m, x));
        wide.select_any(others, r, |m| long_power(m, x, y))
    })
}

/// `x ** y` for an exponent that is known: what [`pow`] gives, without a test of it.
pub fn power_by<M: Machine>(m: &M, x: M::F, y: f64) -> M::F {
    m.widened([x], |wide, [x]| match y {
        0.5 => product::root(wide, x),
        _ if (0.0..=f64::from(LARGEST)).contains(&y) && y.fract() == 0.0 => {
            product::power_by(wide, x, y as u32)
        }
        _ => long_power(wide, x, wide.float(y)),
    })
}

/// `exp(y log |x|)`, the logarithm carried to twice the precision as fdlibm's `e_pow.c`
/// does, with fused operations in place of split words.
pub fn long_power<M: Machine>(m: &M, x: M::F, y: M::F) -> M::F {
    let (log, log_low) = log_pair(m, m.abs(x));
    let (product, error) = m.two_product(y, log);
    let low = m.fma(y, log_low, error);
    // Where the result overflows or vanishes the low part means nothing.
    let clamped = m.clamp(product, -746.0, 710.0);
    let low = m.select(m.eq(clamped, product), low, m.float(0.0));
    let reduced = reduce(m, clamped);
    let magnitude = scale(m, exp_with_low(m, &reduced, low), reduced.k);
    special(m, x, y, magnitude)
}

/// `log x` for finite `x > 0` as an unevaluated sum of two floats, to about 2**-68 of itself.
///
/// With `s = f / (2 + f)` it is `2 s + s**3 (2/3 + 2/5 s**2 + …)`; the first two terms
/// are carried in pairs, the others need not be.
fn log_pair<M: Machine>(m: &M, x: M::F) -> (M::F, M::F) {
    let Split { k, f } = split(m, x);
    let (s, s_low) = quotient(m, f);
    let (z, z_error) = m.two_product(s, s);
    let z_low = m.fma(m.add(s, s), s_low, z_error);
    // 2/3 + z q, as a pair.
    let q = m.mul(z, horner(m, z, &ATANH));
    let (c, c_error) = m.fast_two_sum(m.float(2.0 / 3.0), q);
    let c_low = m.add(c_error, m.float(3.700743415417188e-17));
    // Times z, then times s.
    let (t, t_error) = m.two_product(z, c);
    let t_low = m.add(t_error, m.fma(z, c_low, m.mul(z_low, c)));
    let (u, u_error) = m.two_product(s, t);
    let u_low = m.add(u_error, m.fma(s, t_low, m.mul(s_low, t)));
    let (high, error) = m.fast_two_sum(m.add(s, s), u);
    let low = m.add(error, m.add(m.add(s_low, s_low), u_low));
    add_exponent(m, k, high, low)
}

/// `f / (2 + f)` as a pair.
fn quotient<M: Machine>(m: &M, f: M::F) -> (M::F, M::F) {
    let (divisor, divisor_low) = m.fast_two_sum(m.float(2.0), f);
    let s = m.div(f, divisor);
    let minus_s = m.neg(s);
    let rest = m.fma(minus_s, divisor_low, m.fma(minus_s, divisor, f));
    (s, m.div(rest, divisor))
}

/// `k ln 2 + high + low` as a pair.
fn add_exponent<M: Machine>(m: &M, k: M::F, high: M::F, low: M::F) -> (M::F, M::F) {
    let (ln_2, ln_2_low) = m.format().ln_2;
    let (a, a_error) = m.two_product(k, m.float(ln_2));
    let (sum, error) = m.two_sum(a, high);
    let low = m.add(error, m.add(low, m.fma(k, m.float(ln_2_low), a_error)));
    m.fast_two_sum(sum, low)
}

/// `2/5 + 2/7 z + …`, the series of `2 atanh(s)` from its third term on, in `z = s**2`:
/// Chebyshev fit, to 2e-18.
const ATANH: [f64; 8] = [
    0.4,
    0.2857142857142937,
    0.22222222221652765,
    0.18181818336099848,
    0.1538459488700718,
    0.1333480879881234,
    0.11706126464563398,
    0.11724327060846747,
];

/// Signs, zeros, infinities and NaN, as C17 annex F.10.4.4 has them.
fn special<M: Machine>(m: &M, x: M::F, y: M::F, magnitude: M::F) -> M::F {
    let (zero, one) = (m.float(0.0), m.float(1.0));
    let (infinity, nan) = (m.float(f64::INFINITY), m.float(f64::NAN));
    let size = m.abs(x);
    let half = m.mul(y, m.float(0.5));
    let whole = m.eq(m.round(y), y);
    let odd = m.and(whole, m.not(m.eq(m.round(half), half)));
    let y_negative = m.lt(y, zero);
    let y_infinite = m.eq(m.abs(y), infinity);

    // |x| to the power y where a factor is 0 or infinite.
    let shrinks = m.select(y_negative, infinity, zero);
    let grows = m.select(y_negative, zero, infinity);
    let mut r = magnitude;
    let x_below = m.or(m.eq(size, zero), m.and(y_infinite, m.lt(size, one)));
    let x_above = m.or(m.eq(size, infinity), m.and(y_infinite, m.lt(one, size)));
    r = m.select(x_below, shrinks, r);
    r = m.select(x_above, grows, r);
    r = m.select(m.and(y_infinite, m.eq(size, one)), one, r);

    // The sign bit, not the order, so that -0 counts as negative.
    let flipped = m.xor_sign(r, x);
    r = m.select(odd, flipped, r);
    let fractional_of_negative = m.and(m.lt(x, zero), m.and(m.not(whole), m.lt(size, infinity)));
    r = m.select(fractional_of_negative, nan, r);
    r = m.select(m.or(m.is_nan(x), m.is_nan(y)), nan, r);
    // Of the two rules that beat NaN the other one, of the exponent 0, is a product's.
    m.select(m.eq(x, one), one, r)
}
