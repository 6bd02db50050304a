//! Logarithms of base 2 and 10.

use super::Machine;
use super::log::{Split, edges, small_part, split};
use super::machine::MachineExt;
use std::f64::consts::{LOG2_E, LOG10_2, LOG10_E};

/// A constant as the sum of two floats of the format, from two `f64`s that sum to it.
fn parts<M: Machine>(m: &M, (high, low): (f64, f64)) -> (M::F, M::F) {
    if m.format().mantissa == 52 {
        return (m.float(high), m.float(low));
    }
    let short = f64::from(high as f32);
    (m.float(short), m.float(high - short + low))
}

/// `k * unit + log(1 + f) * scale`, the logarithm carried as a pair, after fdlibm's
/// `e_log2.c`.
fn log_scaled<M: Machine>(m: &M, x: M::F, scale: (f64, f64), unit: (f64, f64)) -> M::F {
    let Split { k, f } = split(m, x);
    let small = small_part(m, f, m.float(0.0));
    let high = m.sub(f, small);
    let low = m.sub(m.sub(f, high), small);
    let (scale, scale_low) = parts(m, scale);
    let (product, error) = m.two_product(high, scale);
    let product_low = m.fma(high, scale_low, m.fma(low, scale, error));
    let (unit, unit_low) = parts(m, unit);
    let (whole, whole_error) = m.two_product(k, unit);
    let (sum, sum_error) = m.two_sum(whole, product);
    let low = m.add(m.fma(k, unit_low, whole_error), m.add(sum_error, product_low));
    edges(m, x, m.add(sum, low))
}

/// Logarithm of base 2.
pub(crate) fn log2<M: Machine>(m: &M, x: M::F) -> M::F {
    log_scaled(m, x, (LOG2_E, 2.0355273740931033e-17), (1.0, 0.0))
}

/// Logarithm of base 10.
pub(crate) fn log10<M: Machine>(m: &M, x: M::F) -> M::F {
    let log10_e = (LOG10_E, 1.098319650216765e-17);
    let log10_2 = (LOG10_2, -2.8037281277851704e-18);
    log_scaled(m, x, log10_e, log10_2)
}
