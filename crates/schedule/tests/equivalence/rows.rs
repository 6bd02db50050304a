//! Rows: nests that share them in one loop, and prefixes along them.

use crate::build::*;
use crate::check::{check, execute, planned, values};
use weft_domain::Affine;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_scalar::{BinaryOp, ScalarType};
use weft_schedule::{Machine, lower};
use weft_shape::Size;
use weft_tensor::{Accumulator, TensorId};

/// `m[i] = sum[k](x[i, k]); v[i] = sum[k]((x[i, k] - m[i]) ** 2); y[i, j] = (x[i, j] - m[i]) * v[i]`.
fn normalised(c: &mut Case, n: &Size, m: &Size) -> TensorId {
    let a = c.input("x", F64, &[n.clone(), m.clone()]);
    let case = c.clone();
    let mean = c.reduce("m", F64, &[n.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        x.read(&case, a, &[it(i[0]), it(k)])
    });
    let case = c.clone();
    let spread = c.reduce("v", F64, &[n.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        let (v, w) = (x.read(&case, a, &[it(i[0]), it(k)]), x.read(&case, mean, &[it(i[0])]));
        let d = x.op(Sub, v, w);
        x.op(Mul, d, d)
    });
    let case = c.clone();
    c.define("y", F64, &[n.clone(), m.clone()], |x, i| {
        let (v, w) = (x.read(&case, a, &[it(i[0]), it(i[1])]), x.read(&case, mean, &[it(i[0])]));
        let s = x.read(&case, spread, &[it(i[0])]);
        let d = x.op(Sub, v, w);
        x.op(Mul, d, s)
    })
}

fn loops_over_rows(p: &weft_plan::Plan) -> usize {
    p.to_string()
        .lines()
        .filter(|l| l.trim_start().starts_with("for") && l.ends_with("parallel"))
        .count()
}

#[test]
fn a_normalisation_is_one_loop_over_rows() {
    for rows in [0, 1, 5] {
        let mut c = Case::seeded(1);
        let (n, m) = (c.param("n", rows, 0), c.param("m", 7, 0));
        let y = normalised(&mut c, &n, &m);
        check(&c, &[y]);
        let p = planned(&c, &[y], &PlanOptions::default());
        assert_eq!(loops_over_rows(&p), 1, "{p}");
        assert_eq!(p.items.len(), 1, "{p}");
    }
}

#[test]
fn what_reads_other_rows_or_multiplies_matrices_stays_apart() {
    let mut c = Case::seeded(2);
    let (n, m) = (c.param("n", 5, 2), c.param("m", 4, 0));
    let a = c.input("x", F64, &[n.clone(), m.clone()]);
    let w = c.input("w", F64, &[m.clone(), m.clone()]);
    let case = c.clone();
    let sums = c.reduce("s", F64, &[n.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        x.read(&case, a, &[it(i[0]), it(k)])
    });
    let case = c.clone();
    let mirrored = c.define("r", F64, &[n.clone(), m.clone()], |x, i| {
        let back = Affine::iter(i[0]).scaled(-1).expect("small").plus_size(&n.plus_const(-1));
        let (v, s) = (x.read(&case, a, &[it(i[0]), it(i[1])]), x.read(&case, sums, &[back]));
        x.op(Sub, v, s)
    });
    let case = c.clone();
    let product = c.reduce("p", F64, &[n.clone(), m.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        let (v, w) = (x.read(&case, a, &[it(i[0]), it(k)]), x.read(&case, w, &[it(k), it(i[1])]));
        x.op(Mul, v, w)
    });
    check(&c, &[mirrored, product]);
    let p = planned(&c, &[mirrored, product], &PlanOptions::default());
    assert_eq!(loops_over_rows(&p), 0, "{p}");
}

/// `y[i, 0] = x[i, 0]; y[i, t] = y[i, t - 1] op x[i, t]`.
fn running(c: &mut Case, elem: ScalarType, op: BinaryOp, n: &Size, m: &Size) -> TensorId {
    let a = c.input("x", elem, &[n.clone(), m.clone()]);
    let y = c.tensor("y", elem, &[n.clone(), m.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(c, a, &[it(i), Affine::fixed(0)]);
    x.set(c, y, &[it(i), Affine::fixed(0)], v);
    let mut x = Clause::default();
    let (i, t) = (x.range("i", size(0), n.clone()), x.range("t", size(1), m.clone()));
    let v = x.read(c, a, &[it(i), it(t)]);
    let w = x.read(c, y, &[it(i), off(t, -1)]);
    let v = x.op(op, v, w);
    x.set(c, y, &[it(i), it(t)], v);
    c.cover(y);
    y
}

#[test]
fn prefixes_are_scans_unless_the_order_of_floats_matters() {
    for (elem, op) in [(F64, Add), (F64, Mul), (F64, Max), (F64, Min), (I64, Add), (I64, Max)] {
        for (rows, columns) in [(0, 3), (3, 1), (4, 9)] {
            let mut c = Case::seeded(3);
            let (n, m) = (c.param("n", rows, 0), c.param("m", columns, 1));
            let y = running(&mut c, elem, op, &n, &m);
            check(&c, &[y]);
            for strict in [false, true] {
                let p = planned(&c, &[y], &PlanOptions { strict, ..PlanOptions::default() });
                let k = lower(&p, "k", Machine::default());
                let scans = k.function.to_string().contains("(scan ");
                let exact = elem == I64 || matches!(op, Max | Min);
                assert_eq!(scans, exact || !strict, "{}", k.function);
                // The interpreter keeps the order.
                assert_eq!(execute(&c, &p, &k).expect("runs"), values(&c, &[y]));
            }
        }
    }
}

#[test]
fn other_recurrences_are_no_prefixes() {
    let mut c = Case::seeded(4);
    let m = c.param("m", 9, 2);
    let a = c.input("x", F64, &[m.clone()]);
    let y = c.tensor("y", F64, &[m.clone()]);
    let mut x = Clause::default();
    let t = x.range("t", size(2), m.clone());
    let (v, w) = (x.read(&c, a, &[it(t)]), x.read(&c, y, &[off(t, -2)]));
    let v = x.op(Min, v, w);
    x.set(&mut c, y, &[it(t)], v);
    check(&c, &[y]);
    let p = planned(&c, &[y], &PlanOptions::default());
    assert!(!lower(&p, "k", Machine::default()).function.to_string().contains("(scan "));
}

/// How a cell is made of the one before it, `y`, a factor `f` and a term `x`.
type Form = fn(&mut Clause, [weft_tensor::ExprId; 3]) -> weft_tensor::ExprId;

const FORMS: [Form; 5] = [
    |c, [y, f, x]| {
        let v = c.op(Mul, f, y);
        c.op(Add, v, x)
    },
    |c, [y, f, x]| {
        let v = c.op(Mul, y, f);
        c.op(Sub, x, v)
    },
    |c, [y, f, x]| {
        let v = c.op(Mul, y, f);
        let w = c.op(Mul, f, v);
        c.op(Sub, w, x)
    },
    |c, [y, _, x]| c.op(Sub, x, y),
    |c, [y, _, x]| c.op(Sub, y, x),
];

#[test]
fn linear_recurrences_are_scans_of_maps() {
    for (at, form) in FORMS.into_iter().enumerate() {
        for elem in [F64, I64] {
            for (rows, columns) in [(0, 3), (3, 1), (4, 9)] {
                let mut c = Case::seeded(3);
                let (n, m) = (c.param("n", rows, 0), c.param("m", columns, 1));
                let shape = [n.clone(), m.clone()];
                let (a, b) = (c.input("x", elem, &shape), c.input("f", elem, &shape));
                let y = c.tensor("y", elem, &shape);
                let mut x = Clause::default();
                let i = x.range("i", size(0), n.clone());
                let v = x.read(&c, a, &[it(i), Affine::fixed(0)]);
                x.set(&mut c, y, &[it(i), Affine::fixed(0)], v);
                let mut x = Clause::default();
                let (i, t) = (x.range("i", size(0), n), x.range("t", size(1), m));
                let before = x.read(&c, y, &[it(i), off(t, -1)]);
                let factor = x.read(&c, b, &[it(i), it(t)]);
                let term = x.read(&c, a, &[it(i), it(t)]);
                let v = form(&mut x, [before, factor, term]);
                x.set(&mut c, y, &[it(i), it(t)], v);
                c.cover(y);
                check(&c, &[y]);
                for strict in [false, true] {
                    let p = planned(&c, &[y], &PlanOptions { strict, ..PlanOptions::default() });
                    let k = lower(&p, "k", Machine::default());
                    let scans = k.function.to_string().contains("(scan ");
                    // Factors of floats are not multiplied with each other.
                    let able = elem == I64 || at != 2 && !strict;
                    assert_eq!(scans, able, "{at}: {}", k.function);
                    assert_eq!(execute(&c, &p, &k).expect("runs"), values(&c, &[y]));
                }
            }
        }
    }
}
