//! Reference values: many digits for `f64`, the C library's `f64` for `f32`.

use astro_float::{BigFloat, Consts, RoundingMode};
use weft_scalar::UnaryOp;

/// Bits of a reference value.
pub const BITS: usize = 192;

const RM: RoundingMode = RoundingMode::None;

/// Whether the many-digit value takes a series of thousands of bits.
pub fn is_slow(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::Erf | UnaryOp::Erfc)
}

/// The value to about the precision of `f64`.
pub fn in_f64(op: UnaryOp, x: f64) -> f64 {
    match op {
        UnaryOp::Exp => x.exp(),
        UnaryOp::Log => x.ln(),
        UnaryOp::Tanh => x.tanh(),
        UnaryOp::Sin => x.sin(),
        UnaryOp::Cos => x.cos(),
        UnaryOp::Tan => x.tan(),
        UnaryOp::Expm1 => x.exp_m1(),
        UnaryOp::Log1p => x.ln_1p(),
        UnaryOp::Log2 => x.log2(),
        UnaryOp::Log10 => x.log10(),
        UnaryOp::Sinh => x.sinh(),
        UnaryOp::Cosh => x.cosh(),
        UnaryOp::Asinh => libm::asinh(x),
        UnaryOp::Acosh if x < 1.0 => f64::NAN,
        UnaryOp::Acosh => libm::acosh(x),
        UnaryOp::Atanh => libm::atanh(x),
        UnaryOp::Asin => x.asin(),
        UnaryOp::Acos => x.acos(),
        UnaryOp::Atan => x.atan(),
        UnaryOp::Erf => libm::erf(x),
        UnaryOp::Erfc => libm::erfc(x),
        UnaryOp::Rsqrt => 1.0 / x.sqrt(),
        UnaryOp::Cbrt => x.cbrt(),
        _ => unreachable!("no reference for {op:?}"),
    }
}

/// `v` exactly; subnormals by way of normal numbers, which the library wants.
pub fn big(v: f64) -> BigFloat {
    let shift = if v.abs() < 1e-200 { 600 } else { 0 };
    let mut big = BigFloat::from_f64(v * 2.0_f64.powi(shift), BITS);
    if let Some(e) = big.exponent() {
        big.set_exponent(e - shift);
    }
    big
}

/// Many-digit values.
pub struct Reference(Consts);

impl Reference {
    pub fn new() -> Reference {
        Reference(Consts::new().expect("memory for constants"))
    }

    pub fn unary(&mut self, op: UnaryOp, x: f64) -> BigFloat {
        let consts = &mut self.0;
        let wide = big(x);
        match op {
            UnaryOp::Exp => wide.exp(BITS, RM, consts),
            UnaryOp::Log => wide.ln(BITS, RM, consts),
            UnaryOp::Log2 => wide.log2(BITS, RM, consts),
            UnaryOp::Log10 => wide.log10(BITS, RM, consts),
            UnaryOp::Tanh => wide.tanh(BITS, RM, consts),
            UnaryOp::Sinh => wide.sinh(BITS, RM, consts),
            UnaryOp::Cosh => wide.cosh(BITS, RM, consts),
            UnaryOp::Asinh => wide.asinh(BITS, RM, consts),
            UnaryOp::Acosh => wide.acosh(BITS, RM, consts),
            UnaryOp::Atanh => wide.atanh(BITS, RM, consts),
            UnaryOp::Sin => wide.sin(BITS, RM, consts),
            UnaryOp::Cos => wide.cos(BITS, RM, consts),
            UnaryOp::Tan => wide.tan(BITS, RM, consts),
            UnaryOp::Asin => wide.asin(BITS, RM, consts),
            UnaryOp::Acos => wide.acos(BITS, RM, consts),
            UnaryOp::Atan => wide.atan(BITS, RM, consts),
            UnaryOp::Rsqrt => wide.sqrt(BITS, RM).reciprocal(BITS, RM),
            UnaryOp::Cbrt => wide.cbrt(BITS, RM),
            UnaryOp::Expm1 => self.expm1(x),
            UnaryOp::Log1p => self.log1p(x),
            UnaryOp::Erf => self.erf(x, false),
            UnaryOp::Erfc => self.erf(x, true),
            _ => unreachable!("no reference for {op:?}"),
        }
    }

    fn expm1(&mut self, x: f64) -> BigFloat {
        let half = half_square(x);
        if x.abs() < 1e-20 {
            return big(x).add(&half, 2 * BITS, RM);
        }
        big(x).exp(2 * BITS, RM, &mut self.0).sub(&big(1.0), 2 * BITS, RM)
    }

    fn log1p(&mut self, x: f64) -> BigFloat {
        if x.abs() < 1e-20 {
            return big(x).sub(&half_square(x), 2 * BITS, RM);
        }
        big(x).add(&big(1.0), 2 * BITS, RM).ln(2 * BITS, RM, &mut self.0)
    }

    /// By the series at 0, with as many bits as its terms cancel, and for the complement
    /// as many again.
    fn erf(&mut self, x: f64, complement: bool) -> BigFloat {
        if x.abs() > 28.0 {
            let limit = if complement { 1.0 - x.signum() } else { x.signum() };
            return big(limit);
        }
        let bits = 2 * BITS + (x * x * 3.0) as usize;
        let square = big(x).mul(&big(x), bits, RM);
        let (mut power, mut sum, mut n) = (big(x), big(x), 0.0);
        loop {
            n += 1.0;
            power = power.mul(&square, bits, RM).div(&big(-n), bits, RM);
            let term = power.div(&big(2.0 * n + 1.0), bits, RM);
            sum = sum.add(&term, bits, RM);
            let small = term.exponent().unwrap_or(i32::MIN) < -(bits as i32);
            let beside = sum.exponent().unwrap_or(0) - term.exponent().unwrap_or(i32::MIN / 2);
            if small || beside > bits as i32 {
                break;
            }
        }
        let root = self.0.pi(bits, RM).sqrt(bits, RM);
        let erf = sum.mul(&big(2.0), bits, RM).div(&root, bits, RM);
        if complement { big(1.0).sub(&erf, bits, RM) } else { erf }
    }

    /// `|x|**y` by logarithm with room for the exponent, and the sign put back.
    pub fn pow(&mut self, x: f64, y: f64) -> BigFloat {
        let bits = BITS + 64;
        let log = big(x.abs()).ln(bits, RM, &mut self.0);
        let magnitude = log.mul(&big(y), bits, RM).exp(bits, RM, &mut self.0);
        if x < 0.0 && y.rem_euclid(2.0) == 1.0 { magnitude.neg() } else { magnitude }
    }

    /// For finite `y / x` and `y != 0`.
    pub fn atan2(&mut self, y: f64, x: f64) -> BigFloat {
        let angle = big(y).div(&big(x), BITS, RM).atan(BITS, RM, &mut self.0);
        if x > 0.0 {
            return angle;
        }
        let pi = self.0.pi(BITS, RM);
        angle.add(&if y < 0.0 { pi.neg() } else { pi }, BITS, RM)
    }
}

fn half_square(x: f64) -> BigFloat {
    big(x).mul(&big(x), BITS, RM).mul(&big(0.5), BITS, RM)
}
