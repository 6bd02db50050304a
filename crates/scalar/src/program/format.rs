//! The two float formats, and the constants that differ between them.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as published, and a first part is no approximation"
)]

/// Shape of a float format, and the tables the programs need in it.
pub struct Format {
    /// Stored bits of the significand.
    pub mantissa: i64,
    /// The bias of exponents.
    pub bias: i64,
    /// 1.5 times 2 to the power [`Format::mantissa`]: adding it rounds to a whole number,
    /// which then stands in the low bits.
    pub magic: f64,
    /// Least normal number.
    pub least_normal: f64,
    /// Operands of `exp` beyond which the result is 0 or infinite.
    pub exp_range: (f64, f64),
    /// `ln 2` in two parts, the first with all its bits.
    pub ln_2: (f64, f64),
    /// `(exp(r) - 1 - r) / r**2` on `|r| <= ln(2) / 2`: Chebyshev fit.
    pub exp: &'static [f64],
    /// `ln 2` in two parts, the first with enough zeros at its end to be multiplied
    /// exactly by any exponent.
    pub ln_2_short: (f64, f64),
    /// `(log((1 + s) / (1 - s)) - 2 s) / (s z)`, `z = s**2`, times `z`: fdlibm's `Lg1`….
    pub log: &'static [f64],
    /// `pi / 2` in three parts, each with all its bits.
    pub half_pi: [f64; 3],
    /// Operands of `sin` and `cos` up to here are reduced by `half_pi`.
    pub trig_limit: f64,
    /// `(sin(r) - r) / r**3` in `r**2`.
    pub sin: &'static [f64],
    /// `(cos(r) - 1 + r**2 / 2) / r**4` in `r**2`.
    pub cos: &'static [f64],
}

impl Format {
    /// The sign bit as an integer of this width.
    pub fn sign_bit(&self) -> i64 {
        if self.mantissa == 52 { i64::MIN } else { i32::MIN as i64 }
    }

    /// How far left of the last bit the sign is.
    pub fn sign_shift(&self) -> i64 {
        if self.mantissa == 52 { 63 } else { 31 }
    }

    /// The bits of positive infinity.
    pub fn infinity_bits(&self) -> i64 {
        (2 * self.bias + 1) << self.mantissa
    }

    /// The bits of the significand.
    pub fn mantissa_mask(&self) -> i64 {
        (1 << self.mantissa) - 1
    }
}

/// IEEE 754 binary64.
pub static F64: Format = Format {
    mantissa: 52,
    bias: 1023,
    magic: 6755399441055744.0,
    least_normal: f64::MIN_POSITIVE,
    exp_range: (-746.0, 710.0),
    ln_2: (0.6931471805599453, 2.3190468138462996e-17),
    exp: &[
        0.5,
        0.1666666666666667,
        0.04166666666666667,
        0.008333333333326084,
        0.0013888888888883711,
        0.0001984126987500228,
        2.480158732567746e-05,
        2.755725517000089e-06,
        2.755727347871858e-07,
        2.5105312729622103e-08,
        2.09147553258932e-09,
    ],
    ln_2_short: (6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10),
    log: &[
        6.666666666666735130e-01,
        3.999999999940941908e-01,
        2.857142874366239149e-01,
        2.222219843214978396e-01,
        1.818357216161805012e-01,
        1.531383769920937332e-01,
        1.479819860511658591e-01,
    ],
    half_pi: [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33],
    trig_limit: 1073741824.0,
    sin: &[
        -1.66666666666666324348e-01,
        8.33333333332248946124e-03,
        -1.98412698298579493134e-04,
        2.75573137070700676789e-06,
        -2.50507602534068634195e-08,
        1.58969099521155010221e-10,
    ],
    cos: &[
        4.16666666666666019037e-02,
        -1.38888888888741095749e-03,
        2.48015872894767294178e-05,
        -2.75573143513906633035e-07,
        2.08757232129817482790e-09,
        -1.13596475577881948265e-11,
    ],
};

/// IEEE 754 binary32.
pub static F32: Format = Format {
    mantissa: 23,
    bias: 127,
    magic: 12582912.0,
    least_normal: f32::MIN_POSITIVE as f64,
    exp_range: (-104.0, 89.0),
    ln_2: (0.6931471824645996, -1.9046542121259336e-09),
    exp: &[
        0.5,
        0.1666666716337204,
        0.041666463017463684,
        0.00833331048488617,
        0.0013933731243014336,
        0.000198910798644647,
    ],
    ln_2_short: (6.9313812256e-01, 9.0580006145e-06),
    log: &[0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841],
    half_pi: [1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15],
    trig_limit: 262144.0,
    sin: &[-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4],
    cos: &[4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5],
};
