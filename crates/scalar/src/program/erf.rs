//! The error function and its complement, in `f64`, after fdlibm's `s_erf.c`.

#![allow(clippy::excessive_precision, reason = "coefficients stand as published")]

use super::exp::{exp_with_low, reduce, scale};
use super::machine::MachineExt;
use super::{Machine, horner};

/// `erf(1)`, rounded to `f32`.
const ERF_1: f64 = 8.45062911510467529297e-01;

/// `erf(x) / x - 1` in `x**2` below 0.84375: numerator.
const SMALL_TOP: [f64; 5] = [
    1.28379167095512558561e-01,
    -3.25042107247001499370e-01,
    -2.84817495755985104766e-02,
    -5.77027029648944159157e-03,
    -2.37630166566501626084e-05,
];

/// The denominator.
const SMALL_BOTTOM: [f64; 6] = [
    1.0,
    3.97917223959155352819e-01,
    6.50222499887672944485e-02,
    5.08130628187576562776e-03,
    1.32494738004321644526e-04,
    -3.96022827877536812320e-06,
];

/// `erf(x) - ERF_1` in `x - 1` below 1.25: numerator.
const NEAR_TOP: [f64; 7] = [
    -2.36211856075265944077e-03,
    4.14856118683748331666e-01,
    -3.72207876035701323847e-01,
    3.18346619901161753674e-01,
    -1.10894694282396677476e-01,
    3.54783043256182359371e-02,
    -2.16637559486879084300e-03,
];

/// The denominator.
const NEAR_BOTTOM: [f64; 7] = [
    1.0,
    1.06420880400844228286e-01,
    5.40397917702171048937e-01,
    7.18286544141962662868e-02,
    1.26171219808761642112e-01,
    1.36370839120290507362e-02,
    1.19844998467991074170e-02,
];

/// `log(x erfc(x)) + x**2 + 0.5625` in `1 / x**2` below 1/0.35: numerator.
const MIDDLE_TOP: [f64; 8] = [
    -9.86494403484714822705e-03,
    -6.93858572707181764372e-01,
    -1.05586262253232909814e+01,
    -6.23753324503260060396e+01,
    -1.62396669462573470355e+02,
    -1.84605092906711035994e+02,
    -8.12874355063065934246e+01,
    -9.81432934416914548592e+00,
];

/// The denominator.
const MIDDLE_BOTTOM: [f64; 9] = [
    1.0,
    1.96512716674392571292e+01,
    1.37657754143519042600e+02,
    4.34565877475229228821e+02,
    6.45387271733267880336e+02,
    4.29008140027567833386e+02,
    1.08635005541779435134e+02,
    6.57024977031928170135e+00,
    -6.04244152148580987438e-02,
];

/// The same up to 28: numerator.
const FAR_TOP: [f64; 7] = [
    -9.86494292470009928597e-03,
    -7.99283237680523006574e-01,
    -1.77579549177547519889e+01,
    -1.60636384855821916062e+02,
    -6.37566443368389627722e+02,
    -1.02509513161107724954e+03,
    -4.83519191608651397019e+02,
];

/// The denominator.
const FAR_BOTTOM: [f64; 8] = [
    1.0,
    3.03380607434824582924e+01,
    3.25792512996573918826e+02,
    1.53672958608443695994e+03,
    3.19985821950859553908e+03,
    2.55305040643316442583e+03,
    4.74528541206955367215e+02,
    -2.24409524465858183362e+01,
];

fn ratio<M: Machine>(m: &M, x: M::F, top: &[f64], bottom: &[f64]) -> M::F {
    m.div(horner(m, x, top), horner(m, x, bottom))
}

/// `erf(a) / a - 1` for small `a`.
fn small<M: Machine>(m: &M, a: M::F) -> M::F {
    ratio(m, m.mul(a, a), &SMALL_TOP, &SMALL_BOTTOM)
}

/// `erf(a) - ERF_1` for `a` near 1.
fn near<M: Machine>(m: &M, a: M::F) -> M::F {
    ratio(m, m.sub(a, m.float(1.0)), &NEAR_TOP, &NEAR_BOTTOM)
}

/// `erfc(a) = exp(-a**2 - 0.5625 + R) / a` for `a >= 1.25`, the exponent as a pair.
fn tail<M: Machine>(m: &M, a: M::F) -> M::F {
    let inverse = m.div(m.float(1.0), m.mul(a, a));
    let middle = m.lt(a, m.float(1.0 / 0.35));
    let top = m.select(middle, horner(m, inverse, &MIDDLE_TOP), horner(m, inverse, &FAR_TOP));
    let bottom =
        m.select(middle, horner(m, inverse, &MIDDLE_BOTTOM), horner(m, inverse, &FAR_BOTTOM));
    let offset = m.sub(m.div(top, bottom), m.float(0.5625));
    let (square, square_low) = m.two_product(a, a);
    let (exponent, error) = m.two_sum(m.neg(square), offset);
    let reduced = reduce(m, m.clamp(exponent, -746.0, 1.0));
    let y = exp_with_low(m, &reduced, m.sub(error, square_low));
    scale(m, m.div(y, a), reduced.k)
}

/// `erf x`.
pub(crate) fn erf<M: Machine>(m: &M, x: M::F) -> M::F {
    let a = m.clamp(m.abs(x), 0.0, 30.0);
    let far = m.sub(m.float(1.0), tail(m, m.clamp(a, 1.0, 30.0)));
    let middle = m.add(m.float(ERF_1), near(m, a));
    let y = m.select(m.lt(a, m.float(1.25)), middle, far);
    let y = m.select(m.lt(a, m.float(0.84375)), m.fma(a, small(m, a), a), y);
    m.select(m.is_nan(x), x, m.xor_sign(y, x))
}

/// `1 - erf x`.
pub(crate) fn erfc<M: Machine>(m: &M, x: M::F) -> M::F {
    let one = m.float(1.0);
    let a = m.clamp(m.abs(x), 0.0, 30.0);
    let negative = m.lt(x, m.float(0.0));
    let tail = tail(m, m.clamp(a, 1.0, 30.0));
    let far = m.select(negative, m.sub(m.float(2.0), tail), tail);
    let p = near(m, a);
    let above = m.sub(m.float(1.0 - ERF_1), p);
    let below = m.add(one, m.add(m.float(ERF_1), p));
    let middle = m.select(negative, below, above);
    let y = m.select(m.lt(a, m.float(1.25)), middle, far);
    // x + x s, subtracted from 1; from 1/4 on in two steps that cancel exactly.
    let s = small(m, a);
    let half = m.float(0.5);
    let stepwise = m.sub(half, m.fma(x, s, m.sub(x, half)));
    let direct = m.sub(one, m.fma(x, s, x));
    let inner = m.select(m.lt(x, m.float(0.25)), direct, stepwise);
    let y = m.select(m.lt(a, m.float(0.84375)), inner, y);
    m.select(m.is_nan(x), x, y)
}
