//! Sine, cosine and tangent.

use super::machine::MachineExt;
use super::{Machine, Rare, horner, payne_hanek};

/// `x = n pi/2 + r + lo` with `|r| <= pi/4`; `n` is right in its two lowest bits.
pub(super) struct Quadrant<M: Machine> {
    pub(super) n: M::I,
    pub(super) r: M::F,
    pub(super) lo: M::F,
}

/// Reduction after Cody and Waite by three parts of `pi/2`; the first step is exact
/// because of the fused multiplication. Needs `|x|` below the format's `trig_limit`.
pub(super) fn reduce<M: Machine>(m: &M, x: M::F) -> Quadrant<M> {
    let format = m.format();
    let magic = m.float(format.magic);
    let shifted = m.fma(x, m.float(std::f64::consts::FRAC_2_PI), magic);
    let minus_n = m.sub(magic, shifted);
    let [first, second, third] = format.half_pi.map(|part| m.float(part));
    let high = m.fma(minus_n, first, x);
    // Near a multiple of pi/2 the first two parts cancel: both errors are kept.
    let (product, product_error) = m.two_product(minus_n, second);
    let (r, sum_error) = m.two_sum(high, product);
    let lo = m.fma(minus_n, third, m.add(sum_error, product_error));
    Quadrant { n: m.bits(shifted), r, lo }
}

/// `r - sin(r + lo)`, fdlibm's `k_sin.c`.
fn sin_correction<M: Machine>(m: &M, r: M::F, lo: M::F) -> M::F {
    let (first, rest) = m.format().sin.split_first().expect("the polynomial is not empty");
    let z = m.mul(r, r);
    let cube = m.mul(z, r);
    let tail = horner(m, z, rest);
    let inner = m.sub(m.mul(m.float(0.5), lo), m.mul(cube, tail));
    let correction = m.sub(m.mul(z, inner), lo);
    m.sub(correction, m.mul(cube, m.float(*first)))
}

/// `cos(r + lo)` in two parts, fdlibm's `k_cos.c` as FreeBSD has it.
fn cos_parts<M: Machine>(m: &M, r: M::F, lo: M::F) -> (M::F, M::F) {
    let one = m.float(1.0);
    let z = m.mul(r, r);
    let tail = m.mul(z, horner(m, z, m.format().cos));
    let half = m.mul(m.float(0.5), z);
    let w = m.sub(one, half);
    let rounding = m.sub(m.sub(one, w), half);
    (w, m.add(rounding, m.sub(m.mul(z, tail), m.mul(r, lo))))
}

/// The sine of a reduced operand plus `turns` quarter turns.
fn sin_of<M: Machine>(m: &M, quadrant: Quadrant<M>, turns: i64) -> M::F {
    let Quadrant { n, r, lo } = quadrant;
    let n = m.int_add(n, m.int(turns));
    let odd = m.int_eq(m.int_and(n, m.int(1)), m.int(1));
    let (w, correction) = cos_parts(m, r, lo);
    let sin = m.sub(r, sin_correction(m, r, lo));
    let y = m.select(odd, m.add(w, correction), sin);
    let negative = m.int_eq(m.int_and(n, m.int(2)), m.int(2));
    m.select(negative, m.neg(y), y)
}

/// The tangent of a reduced operand: sine by cosine, both with what their rounding lost.
fn tan_of<M: Machine>(m: &M, quadrant: Quadrant<M>) -> M::F {
    let Quadrant { n, r, lo } = quadrant;
    let (sin, sin_low) = sin_pair(m, r, lo);
    let (cos, cos_low) = cos_pair(m, r, lo);
    let odd = m.int_eq(m.int_and(n, m.int(1)), m.int(1));
    let (top, top_low) = (m.select(odd, m.neg(cos), sin), m.select(odd, m.neg(cos_low), sin_low));
    let (bottom, bottom_low) = (m.select(odd, sin, cos), m.select(odd, sin_low, cos_low));
    let q = m.div(top, bottom);
    let minus_q = m.neg(q);
    let rest = m.add(m.fma(minus_q, bottom, top), m.fma(minus_q, bottom_low, top_low));
    m.add(q, m.div(rest, bottom))
}

fn sin_pair<M: Machine>(m: &M, r: M::F, lo: M::F) -> (M::F, M::F) {
    let correction = sin_correction(m, r, lo);
    m.fast_two_sum(r, m.neg(correction))
}

fn cos_pair<M: Machine>(m: &M, r: M::F, lo: M::F) -> (M::F, M::F) {
    let (w, correction) = cos_parts(m, r, lo);
    m.fast_two_sum(w, correction)
}

fn sin_large<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = sin_of(m, payne_hanek::reduce(m, m.abs(x)), 0);
    finite_or_nan(m, x, m.xor_sign(y, x))
}

fn cos_large<M: Machine>(m: &M, x: M::F) -> M::F {
    finite_or_nan(m, x, sin_of(m, payne_hanek::reduce(m, m.abs(x)), 1))
}

fn tan_large<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = tan_of(m, payne_hanek::reduce(m, m.abs(x)));
    finite_or_nan(m, x, m.xor_sign(y, x))
}

fn finite_or_nan<M: Machine>(m: &M, x: M::F, y: M::F) -> M::F {
    m.select(m.lt(m.abs(x), m.float(f64::INFINITY)), y, m.float(f64::NAN))
}

/// Where the fast reduction does not serve: large operands, infinities and NaN.
fn is_large<M: Machine>(m: &M, x: M::F) -> M::B {
    m.not(m.lt(m.abs(x), m.float(m.format().trig_limit)))
}

/// `sin x`.
pub(crate) fn sin<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = sin_of(m, reduce(m, x), 0);
    // The reduction loses the sign of -0.
    let y = m.select(m.eq(x, m.float(0.0)), x, y);
    m.rare(is_large(m, x), y, x, Rare { name: "weft_sin_large", body: sin_large })
}

/// `cos x`.
pub(crate) fn cos<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = sin_of(m, reduce(m, x), 1);
    m.rare(is_large(m, x), y, x, Rare { name: "weft_cos_large", body: cos_large })
}

/// `tan x`.
pub(crate) fn tan<M: Machine>(m: &M, x: M::F) -> M::F {
    let y = tan_of(m, reduce(m, x));
    // The reduction loses the sign of -0.
    let y = m.select(m.eq(x, m.float(0.0)), x, y);
    m.rare(is_large(m, x), y, x, Rare { name: "weft_tan_large", body: tan_large })
}
