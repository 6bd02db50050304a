//! Inverse trigonometric functions, in `f64`, after fdlibm.

#![allow(clippy::excessive_precision, reason = "coefficients stand as published")]

use super::hyperbolic::sqrt_pair;
use super::machine::MachineExt;
use super::{Machine, horner};

const HALF_PI: (f64, f64) = (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
const PI: (f64, f64) = (std::f64::consts::PI, 1.2246467991473532e-16);

/// `(asin(x) - x) / x**3` in `x**2`: numerator.
const NUMERATOR: [f64; 6] = [
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
];

/// The denominator.
const DENOMINATOR: [f64; 5] = [
    1.0,
    -2.40339491173441421878e+00,
    2.02094576023350569471e+00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
];

/// `(asin(x) - x) / x` in `z = x**2` up to 1/4.
fn excess<M: Machine>(m: &M, z: M::F) -> M::F {
    m.div(m.mul(z, horner(m, z, &NUMERATOR)), horner(m, z, &DENOMINATOR))
}

/// `whole - a - b`, with `whole` in two parts and `b` small beside `a`.
fn less<M: Machine>(m: &M, whole: (f64, f64), a: M::F, b: M::F) -> M::F {
    let (sum, error) = m.fast_two_sum(m.float(whole.0), m.neg(a));
    m.add(sum, m.add(error, m.sub(m.float(whole.1), b)))
}

/// `2 asin(sqrt((1 - a) / 2))`, which is `acos a`, in two parts, for `1/2 <= a <= 1`.
fn upper<M: Machine>(m: &M, a: M::F) -> (M::F, M::F) {
    let z = m.mul(m.sub(m.float(1.0), a), m.float(0.5));
    let (root, root_low) = sqrt_pair(m, z, m.float(0.0));
    let low = m.fma(root, excess(m, z), root_low);
    (m.add(root, root), m.add(low, low))
}

/// `asin x`, `e_asin.c`.
pub(crate) fn asin<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let near = m.fma(a, excess(m, m.mul(a, a)), a);
    let (high, low) = upper(m, a);
    let y = m.select(m.lt(a, m.float(0.5)), near, less(m, HALF_PI, high, low));
    m.xor_sign(y, x)
}

/// `acos x`, `e_acos.c`.
pub(crate) fn acos<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.abs(x);
    let middle = less(m, HALF_PI, x, m.mul(x, excess(m, m.mul(x, x))));
    let (high, low) = upper(m, a);
    let positive = m.add(high, low);
    let negative = less(m, PI, high, low);
    let outer = m.select(m.lt(x, m.float(0.0)), negative, positive);
    m.select(m.lt(a, m.float(0.5)), middle, outer)
}

/// `(x - atan(x)) / x**3` in `x**2`.
const ATAN: [f64; 11] = [
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
];

/// Below `limit`, `atan(a) = angle + atan((numerator.0 + numerator.1 a) / (denominator.0 +
/// denominator.1 a))`.
struct Piece {
    limit: f64,
    angle: (f64, f64),
    numerator: (f64, f64),
    denominator: (f64, f64),
}

/// The pieces of `s_atan.c`; the last has no limit.
const PIECES: [Piece; 5] = [
    Piece { limit: 0.4375, angle: (0.0, 0.0), numerator: (0.0, 1.0), denominator: (1.0, 0.0) },
    Piece {
        limit: 0.6875,
        angle: (4.63647609000806093515e-01, 2.26987774529616870924e-17),
        numerator: (-1.0, 2.0),
        denominator: (2.0, 1.0),
    },
    Piece {
        limit: 1.1875,
        angle: (std::f64::consts::FRAC_PI_4, 3.06161699786838301793e-17),
        numerator: (-1.0, 1.0),
        denominator: (1.0, 1.0),
    },
    Piece {
        limit: 2.4375,
        angle: (9.82793723247329054082e-01, 1.39033110312309984516e-17),
        numerator: (-1.5, 1.0),
        denominator: (1.0, 1.5),
    },
    Piece { limit: f64::INFINITY, angle: HALF_PI, numerator: (-1.0, 0.0), denominator: (0.0, 1.0) },
];

/// For each piece from the last to the first, `value` of it where `a` lies below its limit.
fn choose<M: Machine>(m: &M, a: M::F, value: impl Fn(&Piece) -> M::F) -> M::F {
    let (last, others) = PIECES.split_last().expect("there are pieces");
    others.iter().rev().fold(value(last), |otherwise, piece| {
        m.select(m.lt(a, m.float(piece.limit)), value(piece), otherwise)
    })
}

/// `atan a` for `a >= 0`, infinity included, plus a tiny `correction` of `a`.
fn atan_positive<M: Machine>(m: &M, a: M::F) -> M::F {
    // Infinity times 0 would be NaN.
    let finite = m.clamp(a, 0.0, f64::MAX);
    let line = |(c, slope): (f64, f64)| m.fma(m.float(slope), finite, m.float(c));
    let top = choose(m, a, |piece| line(piece.numerator));
    let bottom = choose(m, a, |piece| line(piece.denominator));
    let high = choose(m, a, |piece| m.float(piece.angle.0));
    let low = choose(m, a, |piece| m.float(piece.angle.1));
    let t = m.div(top, bottom);
    let z = m.mul(t, t);
    let tail = m.mul(t, m.mul(z, horner(m, z, &ATAN)));
    m.sub(high, m.sub(m.sub(tail, low), t))
}

/// `atan x`.
pub(crate) fn atan<M: Machine>(m: &M, x: M::F) -> M::F {
    m.select(m.is_nan(x), x, m.xor_sign(m.abs(atan_positive(m, m.abs(x))), x))
}

/// The angle of the point `(x, y)`, with the special values of C's `atan2`.
pub(crate) fn atan2<M: Machine>(m: &M, y: M::F, x: M::F) -> M::F {
    let (a, b) = (m.abs(y), m.abs(x));
    let zero = m.float(0.0);
    let infinity = m.float(f64::INFINITY);
    let q = m.div(a, b);
    let q = m.select(m.eq(a, zero), zero, q);
    let q = m.select(m.and(m.eq(a, infinity), m.eq(b, infinity)), m.float(1.0), q);
    let angle = m.abs(atan_positive(m, q));
    let left = m.sub(m.float(PI.0), m.sub(angle, m.float(PI.1)));
    // The sign bit of x, so that -0 lies to the left.
    let sign = m.int_and(m.bits(x), m.int(m.format().sign_bit()));
    let right = m.int_eq(sign, m.int(0));
    let angle = m.select(right, angle, left);
    let unordered = m.or(m.is_nan(x), m.is_nan(y));
    m.select(unordered, m.float(f64::NAN), m.xor_sign(angle, y))
}
