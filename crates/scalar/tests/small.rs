//! Small floats and narrow integers against plain search over all their values.

use weft_scalar::eval::{binary, cast, unary};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// Bits of exponent and mantissa, and the bias, of a small float; whether it has infinities.
fn layout(ty: ScalarType) -> (u32, u32, i32, bool) {
    match ty {
        ScalarType::F16 => (5, 10, 15, true),
        ScalarType::Bf16 => (8, 7, 127, true),
        _ => (4, 3, 7, false),
    }
}

/// The value that the definition of the format gives to some bits.
fn defined(ty: ScalarType, bits: u64) -> f64 {
    let (exponent_bits, mantissa_bits, bias, infinite) = layout(ty);
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    let exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    let top = exponent == (1 << exponent_bits) - 1;
    let ones = mantissa == (1 << mantissa_bits) - 1;
    let magnitude = match () {
        () if top && infinite && mantissa == 0 => f64::INFINITY,
        () if top && (infinite || ones) => f64::NAN,
        () if exponent == 0 => mantissa as f64 * 2f64.powi(1 - bias - mantissa_bits as i32),
        () => {
            let whole = (mantissa | (1 << mantissa_bits)) as f64;
            whole * 2f64.powi(exponent as i32 - bias - mantissa_bits as i32)
        }
    };
    let negative = bits >> (exponent_bits + mantissa_bits) & 1 != 0;
    if negative { -magnitude } else { magnitude }
}

const SMALL: [ScalarType; 3] = [ScalarType::F8e4m3, ScalarType::F16, ScalarType::Bf16];

#[test]
fn every_small_float_has_the_defined_value() {
    for ty in SMALL {
        for bits in 0..1 << (8 * ty.bytes()) {
            let value = Scalar::from_bits(ty, bits).as_f64().expect("a float");
            let expected = defined(ty, bits);
            assert!(
                value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(),
                "{ty} {bits:x}: {value} is not {expected}"
            );
        }
    }
}

/// The non-negative finite values with their bits, ascending.
fn table(ty: ScalarType) -> Vec<(f64, u64)> {
    let half = 1 << (8 * ty.bytes() - 1);
    (0..half).map(|b| (defined(ty, b), b)).filter(|v| v.0.is_finite()).collect()
}

/// Bits of the nearest value, ties to even, by search. What would be the next value after
/// the largest stands for an overflow.
fn nearest(ty: ScalarType, table: &[(f64, u64)], x: f64) -> u64 {
    let sign = if x.is_sign_negative() { 1 << (8 * ty.bytes() - 1) } else { 0 };
    let magnitude = x.abs();
    let at = table.partition_point(|v| v.0 <= magnitude);
    let low = table[at - 1];
    let high = table.get(at).copied().unwrap_or_else(|| {
        let before = table[at - 2].0;
        (low.0 + (low.0 - before), low.1 + 1)
    });
    let (below, above) = (magnitude - low.0, high.0 - magnitude);
    let up = above < below || above == below && low.1 & 1 != 0;
    let bits = if up { high.1 } else { low.1 };
    if ty == ScalarType::F8e4m3 && bits == 0x7f { 0x7f | sign } else { bits | sign }
}

#[test]
fn conversions_round_to_nearest_even() {
    for ty in SMALL {
        let table = table(ty);
        for pair in table.windows(2) {
            let middle = f64::midpoint(pair[0].0, pair[1].0);
            let (before, after) = (middle.next_down(), middle.next_up());
            for x in [pair[0].0, before, middle, after] {
                for x in [x, -x] {
                    let bits = cast(Scalar::F64(x), ty).bits();
                    assert_eq!(bits, nearest(ty, &table, x), "{ty} of {x:e}");
                    let narrow = x as f32;
                    let bits = cast(Scalar::F32(narrow), ty).bits();
                    assert_eq!(bits, nearest(ty, &table, narrow.into()), "{ty} of {narrow:e}f32");
                }
            }
        }
    }
}

#[test]
fn too_large_is_infinite_or_nan() {
    let text = |x: f64, ty| cast(Scalar::F64(x), ty).to_string();
    assert_eq!(text(65519.99, ScalarType::F16), "65504.0f16");
    assert_eq!(text(65520.0, ScalarType::F16), "inff16");
    assert_eq!(text(-1e30, ScalarType::F16), "-inff16");
    assert_eq!(text(1e300, ScalarType::Bf16), "infbf16");
    assert_eq!(text(464.0, ScalarType::F8e4m3), "448.0f8e4m3");
    assert_eq!(text(465.0, ScalarType::F8e4m3), "NaNf8e4m3");
    assert_eq!(text(f64::INFINITY, ScalarType::F8e4m3), "NaNf8e4m3");
    assert_eq!(cast(cast(Scalar::F64(f64::NAN), ScalarType::F16), ScalarType::I32), Scalar::I32(0));
}

#[test]
fn whole_numbers_round_once() {
    // 2**63 + 2**55 + 1 lies just above the middle of two bf16; by way of f64 it would tie.
    let x = (1_u64 << 63) + (1 << 55) + 1;
    let above = (1_u64 << 63) + (1 << 56);
    assert_eq!(cast(Scalar::U64(x), ScalarType::Bf16).as_f64(), Some(above as f64));
    let x = (1_i64 << 62) + (1 << 54) + 1;
    let above = (1_i64 << 62) + (1 << 55);
    assert_eq!(cast(Scalar::I64(x), ScalarType::Bf16).as_f64(), Some(above as f64));
    assert_eq!(cast(Scalar::I64(-x), ScalarType::Bf16).as_f64(), Some(-above as f64));
    assert_eq!(cast(Scalar::I64(2049), ScalarType::F16).as_f64(), Some(2048.0));
}

#[test]
fn integers_saturate_in_casts_and_wrap_in_arithmetic() {
    let cases = [
        (Scalar::F64(300.7), ScalarType::U8, Scalar::U8(255)),
        (Scalar::F64(-1.5), ScalarType::U8, Scalar::U8(0)),
        (Scalar::F64(-200.0), ScalarType::I8, Scalar::I8(-128)),
        (Scalar::F64(1e30), ScalarType::U64, Scalar::U64(u64::MAX)),
        (Scalar::I64(-1), ScalarType::U64, Scalar::U64(0)),
        (Scalar::U64(u64::MAX), ScalarType::I64, Scalar::I64(i64::MAX)),
        (Scalar::U64(u64::MAX), ScalarType::U32, Scalar::U32(u32::MAX)),
        (Scalar::U32(70000), ScalarType::I16, Scalar::I16(i16::MAX)),
        (Scalar::I32(-5), ScalarType::U16, Scalar::U16(0)),
    ];
    for (x, ty, expected) in cases {
        assert_eq!(cast(x, ty), expected, "{x} as {ty}");
    }
    assert_eq!(binary(BinaryOp::Add, Scalar::U8(250), Scalar::U8(10)), Ok(Scalar::U8(4)));
    assert_eq!(binary(BinaryOp::Mul, Scalar::I8(100), Scalar::I8(2)), Ok(Scalar::I8(-56)));
    assert_eq!(binary(BinaryOp::Div, Scalar::I8(-128), Scalar::I8(-1)), Ok(Scalar::I8(-128)));
    assert_eq!(
        binary(BinaryOp::Lt, Scalar::U64(u64::MAX), Scalar::U64(1)),
        Ok(Scalar::Bool(false))
    );
    assert_eq!(unary(UnaryOp::Sign, Scalar::U64(u64::MAX)), Scalar::U64(1));
    assert_eq!(binary(BinaryOp::Pow, Scalar::U8(3), Scalar::U8(5)), Ok(Scalar::U8(243)));
}

#[test]
fn small_floats_round_every_result() {
    let f16 = |x: f64| cast(Scalar::F64(x), ScalarType::F16);
    // 2048 + 1 is the middle of two f16: the even one is 2048.
    assert_eq!(binary(BinaryOp::Add, f16(2048.0), f16(1.0)), Ok(f16(2048.0)));
    assert_eq!(binary(BinaryOp::Mul, f16(256.0), f16(256.0)), Ok(f16(f64::INFINITY)));
    assert_eq!(binary(BinaryOp::Lt, f16(1.0), f16(2.0)), Ok(Scalar::Bool(true)));
    assert_eq!(unary(UnaryOp::Sqrt, f16(2.0)), f16(1.4140625));
    assert_eq!(unary(UnaryOp::Neg, f16(0.0)).bits(), 0x8000);
}

#[test]
fn bounds_of_types() {
    for ty in ScalarType::ALL {
        let (least, greatest) = (Scalar::least(ty), Scalar::greatest(ty));
        assert_eq!(binary(BinaryOp::Min, least, greatest), Ok(least), "{ty}");
        assert_eq!(binary(BinaryOp::Max, Scalar::zero(ty), greatest), Ok(greatest), "{ty}");
    }
}
