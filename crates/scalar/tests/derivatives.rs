//! The derivatives in the rows of operators against central differences.

use weft_scalar::eval;
use weft_scalar::{BinaryOp, Flow, Scalar, ScalarType, UnaryOp};

fn number(x: Scalar) -> f64 {
    x.as_f64().expect("a float")
}

fn unary(op: UnaryOp, x: f64) -> f64 {
    number(eval::unary(op, Scalar::F64(x)))
}

fn binary(op: BinaryOp, a: f64, b: f64) -> Scalar {
    eval::binary(op, Scalar::F64(a), Scalar::F64(b)).expect("floats do not trap")
}

/// What flows through an operator at `operands`, with the value `y`, where 1 comes in.
fn flow(f: &Flow, operands: [f64; 2], y: f64) -> f64 {
    let of = |f: &Flow| flow(f, operands, y);
    match *f {
        Flow::Incoming => 1.0,
        Flow::First => operands[0],
        Flow::Second => operands[1],
        Flow::Value => y,
        Flow::Number(n) => n,
        Flow::Unary(op, x) => unary(op, of(x)),
        Flow::Binary(op, a, b) => number(binary(op, of(a), of(b))),
        Flow::If(Flow::Binary(op, a, b), x, y) => {
            if binary(*op, of(a), of(b)) == Scalar::Bool(true) { of(x) } else { of(y) }
        }
        Flow::If(..) => panic!("a condition is a comparison"),
    }
}

/// The slope of `f` at `x` by central differences of two widths, the error of the wider one
/// taken out.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let by = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    let h = 1e-3 * x.abs().clamp(1e-2, 1.0);
    (4.0 * by(h / 2.0) - by(h)) / 3.0
}

fn assert_close(name: &str, at: &[f64], got: f64, want: f64) {
    let close = (got - want).abs() <= 1e-6 * want.abs().max(1e-3);
    assert!(close, "{name} at {at:?}: {got}, by differences {want}");
}

#[test]
fn of_one_operand() {
    for op in UnaryOp::ALL.into_iter().filter(|op| op.operands().takes(ScalarType::F64)) {
        let (least, greatest) = op.tested_range();
        let (least, greatest) = (least.max(-4.0), greatest.min(4.0));
        for n in 1..20 {
            // Away from the ends, from 0 and from what is half a whole number.
            let x = least + (greatest - least) * (f64::from(n) / 20.0 + 0.0137);
            if x >= greatest - 0.02 {
                continue;
            }
            let got = op.derivative().map_or(0.0, |f| flow(f, [x, x], unary(op, x)));
            assert_close(op.name(), &[x], got, slope(|x| unary(op, x), x));
        }
    }
}

#[test]
fn of_two_operands() {
    let gives_floats = |op: &BinaryOp| op.operands().takes(ScalarType::F64) && !op.is_comparison();
    for op in BinaryOp::ALL.into_iter().filter(gives_floats) {
        for (a, b) in [(1.3, 0.7), (0.4, 2.6), (2.2, -1.9), (5.1, 1.4)] {
            let y = number(binary(op, a, b));
            let [by_a, by_b] = op.derivatives().map(|f| f.map_or(0.0, |f| flow(f, [a, b], y)));
            assert_close(op.name(), &[a, b], by_a, slope(|a| number(binary(op, a, b)), a));
            assert_close(op.name(), &[a, b], by_b, slope(|b| number(binary(op, a, b)), b));
        }
    }
}

#[test]
fn of_powers_at_zero() {
    let at =
        |a: f64, b: f64| BinaryOp::Pow.derivatives().map(|f| flow(f.unwrap(), [a, b], a.powf(b)));
    assert_eq!(at(0.0, 2.0), [0.0, 0.0]);
    assert_eq!(at(0.0, 1.0), [1.0, 0.0]);
    assert_eq!(at(3.0, 0.0)[0], 0.0);
    assert_eq!(at(-2.0, 3.0)[0], 12.0);
}
