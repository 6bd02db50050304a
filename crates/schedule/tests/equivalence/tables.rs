//! Tables along their diagonals: several fields, edges of any form, corners and extrema.

use crate::build::*;
use crate::check::{check, planned};
use weft_domain::Affine;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_shape::Size;
use weft_tensor::{Accumulator, TensorId};

/// A read of a field: how far up, how far to the left.
type Look = (usize, i64, i64);

/// Fields of `m + 2` by `n + 2` cells; the first two rows and columns are given, every other
/// cell is what it looks at and a letter of each word.
fn fields(c: &mut Case, (m, n): (&Size, &Size), looks: &[Vec<Look>]) -> Vec<TensorId> {
    let (a, b) = (c.input("a", F64, &[m.clone()]), c.input("b", F64, &[n.clone()]));
    let (rows, columns) = (m.plus_const(2), n.plus_const(2));
    let all: Vec<TensorId> = (0..looks.len())
        .map(|f| c.tensor(&format!("h{f}"), F64, &[rows.clone(), columns.clone()]))
        .collect();
    for (f, &h) in all.iter().enumerate() {
        for first in [0, 1] {
            let mut x = Clause::default();
            let j = x.range("j", size(0), columns.clone());
            let v = x.num(first as f64 - f as f64);
            x.set(c, h, &[Affine::fixed(first), it(j)], v);
            let mut x = Clause::default();
            let i = x.range("i", size(2), rows.clone());
            let v = x.num(0.5 * first as f64);
            x.set(c, h, &[it(i), Affine::fixed(first)], v);
        }
        let mut x = Clause::default();
        let (i, j) = (x.range("i", size(2), rows.clone()), x.range("j", size(2), columns.clone()));
        let (p, q) = (x.read(c, a, &[off(i, -2)]), x.read(c, b, &[off(j, -2)]));
        let mut v = x.op(Mul, p, q);
        for &(field, up, left) in &looks[f] {
            let w = x.read(c, all[field], &[off(i, -up), off(j, -left)]);
            let k = x.num(0.25 + 0.125 * up as f64);
            let w = x.op(Mul, k, w);
            v = x.op(if left == 0 { Max } else { Sub }, v, w);
        }
        x.set(c, h, &[it(i), it(j)], v);
        c.cover(h);
    }
    all
}

fn check_fields(seed: u64, (m, n): (i64, i64), looks: &[Vec<Look>]) {
    let mut c = Case::seeded(seed);
    let (m, n) = (c.param("m", m, 0), c.param("n", n, 0));
    let all = fields(&mut c, (&m, &n), looks);
    let case = c.clone();
    let corner: Vec<TensorId> = all
        .iter()
        .map(|&h| {
            c.define("corner", F64, &[], |x, _| {
                x.read(&case, h, &[Affine::fixed(m.plus_const(1)), Affine::fixed(n.plus_const(1))])
            })
        })
        .collect();
    let best = c.reduce("best", F64, &[], Accumulator::Max, |x, _| {
        let (i, j) =
            (x.range("i", size(0), m.plus_const(2)), x.range("j", size(0), n.plus_const(2)));
        x.read(&case, all[0], &[it(i), it(j)])
    });
    check(&c, &corner);
    check(&c, &[best]);
    check(&c, &[best, corner[0]]);
    check(&c, &all);
}

#[test]
fn random_tables_agree_with_the_evaluator() {
    let mut random = Case::seeded(47);
    for seed in 0..40 {
        let count = 1 + random.below(3) as usize;
        let mut look = |own: usize| -> Look {
            let field = random.below(count as u64) as usize;
            match random.below(5) {
                0 => (field, 0, 1),
                1 => (field, 1, 0),
                2 => (field, 1, 1),
                3 => (field, 2, random.below(3) as i64 - 1),
                // Of the same cell only what an earlier field wrote.
                _ => (field, i64::from(field >= own), 0),
            }
        };
        let looks: Vec<Vec<Look>> =
            (0..count).map(|own| (0..3).map(|_| look(own)).collect()).collect();
        // A look to the right of the last column has nothing there.
        let inside = |l: &Look| l.2 >= 0;
        let looks: Vec<Vec<Look>> =
            looks.iter().map(|l| l.iter().copied().filter(inside).collect()).collect();
        check_fields(seed, (random.below(7) as i64, random.below(7) as i64), &looks);
    }
}

#[test]
fn only_tables_seen_at_few_cells_are_turned() {
    let looks = vec![vec![(0, 1, 0), (0, 0, 1)]];
    let mut c = Case::seeded(1);
    let (m, n) = (c.param("m", 5, 0), c.param("n", 4, 0));
    let h = fields(&mut c, (&m, &n), &looks)[0];
    let case = c.clone();
    let row = c.define("row", F64, &[n.plus_const(2)], |x, i| {
        x.read(&case, h, &[Affine::fixed(m.plus_const(1)), it(i[0])])
    });
    check(&c, &[row]);
    let case = c.clone();
    let corner = c.define("corner", F64, &[], |x, _| {
        x.read(&case, h, &[Affine::fixed(m.plus_const(1)), Affine::fixed(n.plus_const(1))])
    });
    let order = |seen: &[TensorId]| {
        let p = planned(&c, seen, &PlanOptions::default());
        p.order_of(h).expect("it has one").to_string()
    };
    assert_eq!(order(&[corner]), "in order of i + j; i at once");
    assert_eq!(order(&[row]), "in order of i, j");
    assert_eq!(order(&[h]), "in order of i, j");
}
