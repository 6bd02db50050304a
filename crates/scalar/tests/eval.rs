//! Operators of the language at the edges of their types.

use weft_scalar::eval::{Trap, binary, cast, checked, overflows, unary};
use weft_scalar::{BinaryOp::*, Scalar, Scalar::*, ScalarType, UnaryOp};

fn gives(op: weft_scalar::BinaryOp, a: Scalar, b: Scalar, want: Scalar) {
    assert_eq!(binary(op, a, b), Ok(want), "{a} {} {b}", op.name());
}

#[test]
fn integers_wrap_and_truncate() {
    gives(Add, I32(i32::MAX), I32(1), I32(i32::MIN));
    gives(Mul, I64(i64::MAX), I64(2), I64(-2));
    gives(Div, I32(-7), I32(2), I32(-3));
    gives(Rem, I32(-7), I32(2), I32(-1));
    gives(Div, I32(i32::MIN), I32(-1), I32(i32::MIN));
    gives(Rem, I64(i64::MIN), I64(-1), I64(0));
    gives(Pow, I32(3), I32(21), I32(1870418611));
    gives(Pow, I64(0), I64(0), I64(1));
    assert_eq!(unary(UnaryOp::Abs, I32(i32::MIN)), I32(i32::MIN));
    assert_eq!(unary(UnaryOp::Neg, I64(i64::MIN)), I64(i64::MIN));
}

#[test]
fn what_has_no_value_traps() {
    assert_eq!(binary(Div, I32(1), I32(0)), Err(Trap::DivisionByZero));
    assert_eq!(binary(Rem, I64(1), I64(0)), Err(Trap::DivisionByZero));
    assert_eq!(binary(Pow, I32(2), I32(-1)), Err(Trap::NegativeExponent));
}

#[test]
fn what_leaves_a_bounded_type_is_told() {
    let fails = |op, a, b| assert_eq!(checked(op, a, b), Err(Trap::Overflow), "{a} {b}");
    let fits = |op, a, b, want| assert_eq!(checked(op, a, b), Ok(want), "{a} {b}");
    fails(Add, I32(i32::MAX), I32(1));
    fails(Sub, U8(3), U8(4));
    fails(Mul, I64(i64::MIN), I64(-1));
    fails(Div, I8(-128), I8(-1));
    fails(Pow, I32(-2), I32(32));
    fails(Pow, I64(3), I64(i64::MAX));
    fits(Pow, I32(-2), I32(31), I32(i32::MIN));
    fits(Pow, I64(-1), I64(i64::MAX), I64(-1));
    fits(Mul, I16(-256), I16(128), I16(i16::MIN));
    fits(Rem, I32(i32::MIN), I32(-1), I32(0));
    // The modular types wrap.
    fits(Add, U32(u32::MAX), U32(1), U32(0));
    fits(Mul, U64(u64::MAX), U64(u64::MAX), U64(1));
    assert!(overflows(Pow, U64(u64::MAX), U64(2)));
}

#[test]
fn minimum_and_maximum_let_nan_through_and_order_zeros() {
    for op in [Min, Max] {
        let got = binary(op, F32(1.0), F32(f32::NAN)).unwrap();
        assert!(matches!(got, F32(v) if v.is_nan()));
    }
    gives(Min, F64(0.0), F64(-0.0), F64(-0.0));
    gives(Max, F64(-0.0), F64(0.0), F64(0.0));
}

#[test]
fn comparison_with_nan() {
    gives(Ne, F32(f32::NAN), F32(f32::NAN), Bool(true));
    gives(Eq, F32(f32::NAN), F32(f32::NAN), Bool(false));
    gives(Ge, F64(f64::NAN), F64(0.0), Bool(false));
}

#[test]
fn casts_saturate_and_send_nan_to_zero() {
    assert_eq!(cast(F32(3e9), ScalarType::I32), I32(i32::MAX));
    assert_eq!(cast(F64(-1e300), ScalarType::I64), I64(i64::MIN));
    assert_eq!(cast(F64(f64::NAN), ScalarType::I32), I32(0));
    assert_eq!(cast(F64(-1.9), ScalarType::I32), I32(-1));
    assert_eq!(cast(I64(1 << 40), ScalarType::I32), I32(i32::MAX));
    assert_eq!(cast(I64(-(1 << 40)), ScalarType::I32), I32(i32::MIN));
    assert_eq!(cast(I32(16777217), ScalarType::F32), F32(16777216.0));
    assert_eq!(cast(Bool(true), ScalarType::F64), F64(1.0));
    assert_eq!(cast(F32(f32::NAN), ScalarType::Bool), Bool(false));
    assert_eq!(cast(F32(0.5), ScalarType::Bool), Bool(true));
}

#[test]
fn signs_and_roundings() {
    assert_eq!(unary(UnaryOp::Sign, F32(-0.0)), F32(-0.0));
    assert_eq!(unary(UnaryOp::Sign, F64(-3.0)), F64(-1.0));
    assert_eq!(unary(UnaryOp::Sign, I32(-3)), I32(-1));
    assert_eq!(unary(UnaryOp::Round, F64(2.5)), F64(2.0));
    assert_eq!(unary(UnaryOp::Round, F32(-0.5)), F32(-0.0));
    assert_eq!(unary(UnaryOp::Trunc, F32(-1.7)), F32(-1.0));
}
