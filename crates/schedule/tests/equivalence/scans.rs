//! Scans of several values, in one row that is cut into blocks.

use crate::build::*;
use crate::check::{check, execute, in_parts, planned, values};
use std::sync::Arc;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_scalar::{Scalar, ScalarType};
use weft_schedule::lower;
use weft_shape::Size;
use weft_tensor::{Accumulator, Array, TensorId};

/// `y[t, i] = sum[j](f[i, j] * y[t - back, j]) + x[t, i]`, `back` steps being given.
fn system(c: &mut Case, elem: ScalarType, n: &Size, (width, back): (i64, i64)) -> TensorId {
    let (m, shape) = (size(width), [n.clone(), size(width)]);
    let x = c.input("x", elem, &shape);
    let f = c.input("f", elem, &[m.clone(), m.clone()]);
    let by = c.tensor("by", elem, &shape);
    let y = c.tensor("y", elem, &shape);
    let mut first = Clause::default();
    let (t, i) = (first.range("t", size(0), size(back)), first.range("i", size(0), m.clone()));
    let v = first.read(c, x, &[it(t), it(i)]);
    first.set(c, y, &[it(t), it(i)], v);
    let mut sum = Clause::default();
    let t = sum.range("t", size(back), n.clone());
    let (i, j) = (sum.range("i", size(0), m.clone()), sum.range("j", size(0), m.clone()));
    let (v, w) = (sum.read(c, f, &[it(i), it(j)]), sum.read(c, y, &[off(t, -back), it(j)]));
    let v = sum.op(Mul, v, w);
    sum.finish(c, by, &[it(t), it(i)], Accumulator::Sum, v);
    let mut rest = Clause::default();
    let (t, i) = (rest.range("t", size(back), n.clone()), rest.range("i", size(0), m));
    let (v, w) = (rest.read(c, by, &[it(t), it(i)]), rest.read(c, x, &[it(t), it(i)]));
    let v = rest.op(Add, v, w);
    rest.set(c, y, &[it(t), it(i)], v);
    c.cover(by);
    c.cover(y);
    y
}

/// Steps on either side of whole blocks and groups of these.
const STEPS: [i64; 7] = [3, 8, 9, 11, 23, 44, 57];

#[test]
fn systems_of_integers_agree_in_blocks() {
    for form in [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)] {
        for steps in STEPS {
            let mut c = Case::seeded(5);
            let n = c.param("n", steps, 2);
            let y = system(&mut c, I64, &n, form);
            check(&c, &[y]);
        }
    }
}

fn number(s: Scalar) -> f64 {
    let Scalar::F64(v) = s else { panic!("{s} is no f64") };
    v
}

/// Inputs times `by`.
fn scaled(c: &mut Case, input: usize, by: f64) {
    let old = &c.inputs[input].1;
    let mut new = Array::zeros(F64, old.shape().to_vec()).expect("as before");
    for at in 0..old.len() {
        new.set(at, Scalar::F64(number(old.get(at)) * by));
    }
    c.inputs[input].1 = Arc::new(new);
}

#[test]
fn systems_of_floats_agree_in_blocks_or_run_without() {
    // Factors that keep states, that make them vanish in a block, and that make them grow.
    for by in [0.2, 1e-70, 12.0] {
        for form in [(1, 1), (2, 1), (1, 2)] {
            for steps in STEPS {
                let mut c = Case::seeded(5);
                let n = c.param("n", steps, 2);
                let y = system(&mut c, F64, &n, form);
                scaled(&mut c, 1, by);
                let p = planned(&c, &[y], &PlanOptions::default());
                let k = lower(&p, "k", in_parts(200));
                assert!(k.function.to_string().contains("alone"), "{}", k.function);
                let found = execute(&c, &p, &k).expect("runs");
                for (x, y) in values(&c, &[y]).iter().zip(&found) {
                    for at in 0..x.len() {
                        let (x, y) = (number(x.get(at)), number(y.get(at)));
                        let error = (x - y).abs() / x.abs().max(1.0);
                        let both = x.is_nan() && y.is_nan();
                        assert!(
                            x == y || both || error < 1e-5,
                            "{x} but {y} at {at}: {}",
                            k.function
                        );
                    }
                }
            }
        }
    }
}
