//! Conversions between floats of 8 or 16 bits and wider ones, by integer operations.
//!
//! Not here: arithmetic; the small formats have none of their own.

use super::Machine;
use super::machine::MachineExt;

/// A float format narrower than every machine's.
#[derive(Clone, Copy, Debug)]
pub struct SmallFormat {
    /// Bits in all.
    pub width: i64,
    /// Bits of the stored significand.
    pub mantissa: i64,
    /// The bias of the exponent.
    pub bias: i64,
    /// Least normal number.
    pub least_normal: f64,
    /// The largest finite number.
    pub max: f32,
    /// From here on an operand does not round to a finite number.
    pub overflow: f64,
    /// Bits of what an overflow gives: infinity, or NaN where there is none.
    pub overflowed: i64,
    /// Bits of NaN.
    pub nan: i64,
    /// From here on the bits without the sign, read as a number, are an infinity or NaN.
    pub special: f64,
}

/// IEEE 754 binary16.
pub static F16: SmallFormat = SmallFormat {
    width: 16,
    mantissa: 10,
    bias: 15,
    least_normal: 6.103515625e-5,
    max: 65504.0,
    overflow: 65520.0,
    overflowed: 0x7c00,
    nan: 0x7e00,
    special: 65536.0,
};

/// The upper half of binary32.
pub static BF16: SmallFormat = SmallFormat {
    width: 16,
    mantissa: 7,
    bias: 127,
    least_normal: f32::MIN_POSITIVE as f64,
    max: 3.389_531_4e38,
    // 2**128 - 2**119: halfway between the largest number and the next power.
    overflow: 3.3961775292304957e38,
    overflowed: 0x7f80,
    nan: 0x7fc0,
    special: f64::INFINITY,
};

/// OCP E4M3 without infinities.
pub static F8E4M3: SmallFormat = SmallFormat {
    width: 8,
    mantissa: 3,
    bias: 7,
    least_normal: 0.015625,
    max: 448.0,
    // The tie between 448 and what would be 480 goes to the even 448.
    overflow: 464.000_030_517_578_1,
    overflowed: 0x7f,
    nan: 0x7f,
    special: 480.0,
};

/// The value of some bits, exactly. A 32-bit machine.
pub fn widen<M: Machine>(m: &M, format: &SmallFormat, bits: M::I) -> M::F {
    let machine = m.format();
    let up = m.int(machine.mantissa - format.mantissa);
    let magnitude = m.int_and(bits, m.int((1 << (format.width - 1)) - 1));
    let placed = m.shl(magnitude, up);
    // Exponents differ by a factor, for subnormals too.
    let rescale = m.power_of_two(m.int(machine.bias - format.bias));
    let number = m.mul(m.float_of_bits(placed), rescale);
    let special = m.float_of_bits(m.int_or(placed, m.int(machine.infinity_bits())));
    let value = m.select(m.lt(number, m.float(format.special)), number, special);
    let sign_up = m.int(machine.sign_shift() + 1 - format.width);
    let sign = m.int_and(m.shl(bits, sign_up), m.int(machine.sign_bit()));
    m.float_of_bits(m.int_or(m.bits(value), sign))
}

/// The bits of the nearest number, ties to even; NaN loses its sign. Any machine.
pub fn narrow<M: Machine>(m: &M, format: &SmallFormat, x: M::F) -> M::I {
    let machine = m.format();
    let shift = machine.mantissa - format.mantissa;
    let magnitude = m.abs(x);
    let normal = round_normal(m, format, m.bits(magnitude), shift);
    // Adding this number leaves a multiple of the least subnormal in the last bits.
    let magic = m.power_of_two(m.int(1 - format.bias - format.mantissa + machine.mantissa));
    let subnormal = m.int_sub(m.bits(m.add(magnitude, magic)), m.bits(magic));
    let is_subnormal = m.lt(magnitude, m.float(format.least_normal));
    let bits = m.select_int(is_subnormal, subnormal, normal);
    let fits = m.lt(magnitude, m.float(format.overflow));
    let bits = m.select_int(fits, bits, m.int(format.overflowed));
    let sign_down = m.int(machine.sign_shift() + 1 - format.width);
    let sign = m.int_and(m.shr(m.bits(x), sign_down), m.int(1 << (format.width - 1)));
    m.select_int(m.is_nan(x), m.int(format.nan), m.int_or(bits, sign))
}

/// Drops `shift` bits of the significand of a normal number and moves its exponent.
fn round_normal<M: Machine>(m: &M, format: &SmallFormat, bits: M::I, shift: i64) -> M::I {
    let machine = m.format();
    let last = m.int_and(m.shr(bits, m.int(shift)), m.int(1));
    let rounded = m.int_add(bits, m.int_add(last, m.int((1 << (shift - 1)) - 1)));
    let moved = m.int((machine.bias - format.bias) << machine.mantissa);
    m.shr(m.int_sub(rounded, moved), m.int(shift))
}
