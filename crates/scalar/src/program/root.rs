//! Roots that are no instruction.

use super::Machine;
use super::machine::MachineExt;

/// `1 / sqrt(x)`.
pub(crate) fn rsqrt<M: Machine>(m: &M, x: M::F) -> M::F {
    m.div(m.float(1.0), m.sqrt(x))
}

/// Half of the exponent's bias less the third of it, in the upper half of an `f64`'s bits, less
/// what the third of a significand is too large by on average: `B1` of `s_cbrt.c`.
const THIRDS: i64 = 715_094_163;

/// `cbrt(1 / r) - 1 / r` about 1, for `r` the cube of a first guess over the operand.
const CORRECTION: [f64; 5] = [
    1.87595182427177,
    -1.8849797954337717,
    1.6214297201053545,
    -0.758397934778766,
    0.14599619288661245,
];

/// The cube root in `f64`, after FreeBSD's `s_cbrt.c`.
pub(crate) fn cbrt<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    // Subnormal numbers have no exponent to divide: they are taken as normal ones.
    let tiny = m.lt(a, m.float(f64::MIN_POSITIVE));
    let normal = m.select(tiny, m.mul(a, m.float(2.0_f64.powi(54))), a);
    let root = cbrt_of_normal(m, normal);
    let root = m.select(tiny, m.mul(root, m.float(2.0_f64.powi(-18))), root);
    let ordinary = m.and(m.lt(m.float(0.0), a), m.lt(a, m.float(f64::INFINITY)));
    m.select(ordinary, m.xor_sign(root, x), x)
}

/// Of a normal number above 0.
fn cbrt_of_normal<M: Machine>(m: &M, a: M::F) -> M::F {
    // To 5 bits: a third of the exponent and of the significand at once. The product by
    // 2**33 / 3 is below 2**63.
    let upper = m.shr(m.bits(a), m.int(32));
    let third = m.shr(m.int_mul(upper, m.int(0xaaaa_aaab)), m.int(33));
    let guess = m.float_of_bits(m.shl(m.int_add(third, m.int(THIRDS)), m.int(32)));
    // To 23 bits.
    let r = m.mul(m.mul(guess, guess), m.div(guess, a));
    let better = m.mul(guess, super::horner(m, r, &CORRECTION));
    // Rounded to them, so that its square is exact.
    let half = m.int_add(m.bits(better), m.int(0x8000_0000));
    let t = m.float_of_bits(m.int_and(half, m.int(!0x3fff_ffff)));
    // One step of Newton to 53 bits.
    let quotient = m.div(a, m.mul(t, t));
    let step = m.div(m.sub(quotient, t), m.add(m.add(t, t), quotient));
    m.fma(t, step, t)
}
