//! Formats of interpolated values, against Python's.

use weft_host::{Align, Format, FormatKind, formatted};
use weft_scalar::Scalar;
use weft_tensor::Array;

fn text(v: Scalar, f: Format) -> String {
    formatted(&Array::scalar(v), &f)
}

fn kind(kind: FormatKind, precision: Option<usize>) -> Format {
    Format { kind: Some(kind), precision, ..Format::default() }
}

#[test]
fn precision_alone_is_the_number_of_significant_digits() {
    let texts = [
        (123.456, 4, "123.5"),
        (123.0, 3, "1.23e+02"),
        (12.0, 3, "12.0"),
        (0.000_012_345, 3, "1.23e-05"),
        (0.000_123_45, 3, "0.000123"),
        (1e20, 5, "1e+20"),
        (0.0, 3, "0.0"),
        (3.0, 0, "3e+00"),
        (2.5, 2, "2.5"),
        (f64::NAN, 2, "nan"),
    ];
    for (x, precision, expected) in texts {
        let f = Format { precision: Some(precision), ..Format::default() };
        assert_eq!(text(Scalar::F64(x), f), expected, "{x:?} .{precision}");
    }
}

#[test]
fn kinds_are_those_of_python() {
    assert_eq!(text(Scalar::F64(0.5), kind(FormatKind::Exponent, None)), "5.000000e-01");
    assert_eq!(text(Scalar::F64(1e100), kind(FormatKind::Exponent, Some(1))), "1.0e+100");
    assert_eq!(text(Scalar::F64(2.0 / 3.0), kind(FormatKind::Fixed, Some(3))), "0.667");
    assert_eq!(text(Scalar::F32(f32::NAN), kind(FormatKind::Fixed, None)), "nan");
    assert_eq!(text(Scalar::F64(f64::NEG_INFINITY), kind(FormatKind::Exponent, None)), "-inf");
    assert_eq!(text(Scalar::I32(255), kind(FormatKind::Hex, None)), "ff");
    assert_eq!(text(Scalar::I32(-255), kind(FormatKind::Hex, None)), "-ff");
}

#[test]
fn thousands_are_grouped_and_shares_are_shown_in_percent() {
    let grouped = |v, f: Format| text(v, Format { grouped: true, ..f });
    assert_eq!(grouped(Scalar::F64(1e6), Format::default()), "1,000,000.0");
    assert_eq!(grouped(Scalar::I64(-123), Format::default()), "-123");
    assert_eq!(grouped(Scalar::I64(-1234), Format::default()), "-1,234");
    assert_eq!(grouped(Scalar::F64(f64::INFINITY), Format::default()), "inf");
    let two = kind(FormatKind::Fixed, Some(2));
    assert_eq!(grouped(Scalar::F64(1_234_567.891), two), "1,234,567.89");
    let zeros = |width| Format { zero: true, width: Some(width), ..Format::default() };
    for (width, expected) in
        [(4, "1,234"), (6, "01,234"), (7, "001,234"), (8, "0,001,234"), (9, "0,001,234")]
    {
        assert_eq!(grouped(Scalar::I32(1234), zeros(width)), expected, "{width}");
    }
    assert_eq!(text(Scalar::F64(0.5), kind(FormatKind::Percent, None)), "50.000000%");
    assert_eq!(text(Scalar::F64(0.125), kind(FormatKind::Percent, Some(1))), "12.5%");
    assert_eq!(text(Scalar::I32(2), kind(FormatKind::Percent, Some(0))), "200%");
    assert_eq!(text(Scalar::F64(f64::NAN), kind(FormatKind::Percent, None)), "nan%");
}

#[test]
fn fields_are_filled() {
    let f = |width, align| Format { width: Some(width), align, ..Format::default() };
    assert_eq!(text(Scalar::I32(7), f(4, None)), "   7");
    assert_eq!(text(Scalar::I32(7), f(4, Some(Align::Left))), "7   ");
    assert_eq!(text(Scalar::I32(7), f(4, Some(Align::Center))), " 7  ");
    let zeros = Format { zero: true, width: Some(5), ..Format::default() };
    assert_eq!(text(Scalar::I32(-7), zeros.clone()), "-0007");
    assert_eq!(text(Scalar::I32(7), Format { plus: true, ..zeros }), "+0007");
}
