//! Arrays printed as NumPy prints them: `numpy_display.txt` holds NumPy's own output
//! (written by `numpy_display.py`); and numbers by themselves.

use weft_host::{array_text, scalar_text};
use weft_scalar::{Scalar, ScalarType, eval};
use weft_tensor::{Array, Data};

struct Case<'a> {
    head: &'a str,
    array: Array,
    expected: &'a str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    text.split("=== ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case<'_> {
    let (head, rest) = text.split_once('\n').unwrap();
    let (values, expected) = rest.split_once("\n---\n").unwrap();
    let (ty, shape) = head.split_once(' ').unwrap();
    let shape = shape.trim_matches(['[', ']']).split(", ").map(|n| n.parse().unwrap()).collect();
    let array = array(element(ty), shape, values);
    Case { head, array, expected: expected.strip_suffix('\n').unwrap() }
}

fn element(name: &str) -> ScalarType {
    match name {
        "bool" => ScalarType::Bool,
        "i32" => ScalarType::I32,
        "i64" => ScalarType::I64,
        "f32" => ScalarType::F32,
        _ => ScalarType::F64,
    }
}

fn array(ty: ScalarType, shape: Vec<usize>, values: &str) -> Array {
    let n: usize = shape.iter().product();
    let cells: Vec<Scalar> = match values.strip_prefix("iota ") {
        Some(line) => {
            let (scale, offset) = line.split_once(' ').unwrap();
            let (scale, offset): (f64, f64) = (scale.parse().unwrap(), offset.parse().unwrap());
            let cell = |k| eval::cast(Scalar::F64(k as f64 * scale + offset), ty);
            (0..n).map(cell).collect()
        }
        None => values.split_whitespace().map(|v| number(ty, v)).collect(),
    };
    Array::new(shape, Data::from_scalars(ty, &cells)).unwrap()
}

fn number(ty: ScalarType, text: &str) -> Scalar {
    match ty {
        ScalarType::Bool => Scalar::Bool(text == "true"),
        // The table's numbers are rounded twice, as NumPy made them.
        ScalarType::F32 => Scalar::F32(text.parse::<f64>().unwrap() as f32),
        _ => Scalar::parse(ty, text).unwrap(),
    }
}

#[test]
fn arrays_print_as_numpy_prints_them() {
    let cases = cases(include_str!("numpy_display.txt"));
    assert!(cases.len() > 150, "the table is whole");
    let wrong = cases
        .iter()
        .filter(|c| array_text(&c.array) != c.expected)
        .map(|c| format!("{}\nexpected\n{}\nfound\n{}", c.head, c.expected, array_text(&c.array)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn numbers_are_the_shortest_that_read_back() {
    let texts = [
        (Scalar::F32(0.1), "0.1"),
        (Scalar::F64(0.1), "0.1"),
        (Scalar::F64(0.1 + 0.2), "0.30000000000000004"),
        (Scalar::F32(1.0), "1.0"),
        (Scalar::F64(-0.0), "-0.0"),
        (Scalar::F64(100.0), "100.0"),
        (Scalar::F64(1e15), "1000000000000000.0"),
        (Scalar::F64(1e16), "1e+16"),
        (Scalar::F64(1.5e16), "1.5e+16"),
        (Scalar::F64(1.5e300), "1.5e+300"),
        (Scalar::F64(0.0001), "0.0001"),
        (Scalar::F64(0.00001), "1e-05"),
        (Scalar::F32(1.25e-7), "1.25e-07"),
        (Scalar::F32(16_777_216.0), "16777216.0"),
        (Scalar::F32(f32::MAX), "3.4028235e+38"),
        (Scalar::F64(f64::NAN), "nan"),
        (Scalar::F64(f64::INFINITY), "inf"),
        (Scalar::F32(f32::NEG_INFINITY), "-inf"),
        (Scalar::Bool(true), "true"),
        (Scalar::I64(i64::MIN), "-9223372036854775808"),
    ];
    for (value, text) in texts {
        assert_eq!(scalar_text(value), text);
    }
}

#[test]
fn a_large_array_shows_its_corners_without_being_walked() {
    let a = Array::zeros(ScalarType::F32, vec![3000, 3000]).unwrap();
    assert_eq!(array_text(&a).lines().count(), 7);
}
