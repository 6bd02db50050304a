//! Tiles in time: stencils of any reach, several fields, rings of any width.

use crate::build::*;
use crate::check::{check, planned};
use weft_domain::Affine;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_schedule::{Machine, lower};
use weft_shape::Size;
use weft_tensor::TensorId;

/// Cells at each end that the stencil does not write.
const EDGE: i64 = 2;

/// A read of a field some steps back, at a distance.
#[derive(Clone, Copy, Debug)]
struct Look {
    field: usize,
    back: i64,
    at: i64,
}

/// Fields over `steps` times `n` cells; each piece is the sum of what it looks at, scaled.
fn fields(c: &mut Case, (steps, n): (&Size, &Size), looks: &[Vec<Look>]) -> Vec<TensorId> {
    let start = c.input("start", F64, &[n.clone()]);
    let all: Vec<TensorId> = (0..looks.len())
        .map(|f| c.tensor(&format!("u{f}"), F64, &[steps.clone(), n.clone()]))
        .collect();
    for &u in &all {
        for first in 0..EDGE {
            let mut x = Clause::default();
            let i = x.range("i", size(0), n.clone());
            let v = x.read(c, start, &[it(i)]);
            let k = x.num(1.0 + first as f64);
            let v = x.op(Mul, k, v);
            x.set(c, u, &[Affine::fixed(first), it(i)], v);
        }
    }
    for (&u, looks) in all.iter().zip(looks) {
        let mut x = Clause::default();
        let t = x.range("t", size(EDGE), steps.clone());
        let i = x.range("i", size(EDGE), n.plus_const(-EDGE));
        let mut sum = x.num(0.5);
        for look in looks {
            let v = x.read(c, all[look.field], &[off(t, -look.back), off(i, look.at)]);
            let k = x.num(0.25 + look.at as f64 / 16.0);
            let v = x.op(Mul, k, v);
            sum = x.op(Add, sum, v);
        }
        x.set(c, u, &[it(t), it(i)], sum);
    }
    all
}

/// Checks the fields observed whole, and at the last step.
fn check_fields(seed: u64, steps: i64, n: i64, looks: &[Vec<Look>]) {
    let mut c = Case::seeded(seed);
    let (t, cells) = (c.param("T", steps, 2), c.param("n", n, 4));
    let all = fields(&mut c, (&t, &cells), looks);
    let case = c.clone();
    let last: Vec<TensorId> = all
        .iter()
        .map(|&u| {
            c.define("last", F64, &[cells.clone()], |x, i| {
                x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
            })
        })
        .collect();
    check(&c, &last);
    check(&c, &all);
}

#[test]
fn random_stencils_agree_with_the_evaluator() {
    let mut random = Case::seeded(31);
    for seed in 0..60 {
        let count = 1 + random.below(3) as usize;
        let mut look = |own: usize| {
            let field = random.below(count as u64) as usize;
            // Of the same step only what an earlier piece wrote.
            let least = i64::from(field >= own);
            let back = least + random.below(2) as i64;
            Look { field, back: back.min(2), at: random.below(5) as i64 - 2 }
        };
        let looks: Vec<Vec<Look>> =
            (0..count).map(|own| (0..3).map(|_| look(own)).collect()).collect();
        let steps = 2 + random.below(14) as i64;
        check_fields(seed, steps, 4 + random.below(30) as i64, &looks);
    }
}

#[test]
fn rows_of_a_plane_move_together() {
    let mut c = Case::seeded(5);
    let (t, n, m) = (c.param("T", 9, 1), c.param("n", 14, 2), c.param("m", 3, 2));
    let start = c.input("start", F64, &[n.clone(), m.clone()]);
    let u = c.tensor("u", F64, &[t.clone(), n.clone(), m.clone()]);
    let mut x = Clause::default();
    let (i, j) = (x.range("i", size(0), n.clone()), x.range("j", size(0), m.clone()));
    let v = x.read(&c, start, &[it(i), it(j)]);
    x.set(&mut c, u, &[Affine::fixed(0), it(i), it(j)], v);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let (i, j) = (x.range("i", size(1), n.plus_const(-1)), x.range("j", size(0), m.plus_const(-1)));
    let up = x.read(&c, u, &[off(s, -1), off(i, -1), off(j, 1)]);
    let down = x.read(&c, u, &[off(s, -1), off(i, 1), it(j)]);
    let v = x.op(Sub, up, down);
    x.set(&mut c, u, &[it(s), it(i), it(j)], v);
    let case = c.clone();
    let last = c.define("last", F64, &[n.clone(), m.clone()], |x, i| {
        x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0]), it(i[1])])
    });
    check(&c, &[last]);
    check(&c, &[u]);
}

/// `u[t, 0] = u[t - 1, 1]` beside a stencil: a piece at one place is in one tile.
/// `u[t, i, j] = u[t-1, i, j] / 2 + u[t-1, i, 0]`, or without the second term.
fn from_own_predecessors(c: &mut Case, column: bool) -> (TensorId, TensorId) {
    let (t, n, m) = (c.param("T", 9, 2), c.param("n", 14, 1), c.param("m", 5, 1));
    let start = c.input("start", F64, &[n.clone(), m.clone()]);
    let u = c.tensor("u", F64, &[t.clone(), n.clone(), m.clone()]);
    let mut x = Clause::default();
    let (i, j) = (x.range("i", size(0), n.clone()), x.range("j", size(0), m.clone()));
    let v = x.read(c, start, &[it(i), it(j)]);
    x.set(c, u, &[Affine::fixed(0), it(i), it(j)], v);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let (i, j) = (x.range("i", size(0), n.clone()), x.range("j", size(0), m.clone()));
    let own = x.read(c, u, &[off(s, -1), it(i), it(j)]);
    let half = x.num(0.5);
    let mut v = x.op(Mul, own, half);
    if column {
        let first = x.read(c, u, &[off(s, -1), it(i), Affine::fixed(0)]);
        v = x.op(Add, v, first);
    }
    x.set(c, u, &[it(s), it(i), it(j)], v);
    let case = c.clone();
    let last = c.define("last", F64, &[n.clone(), m.clone()], |x, i| {
        x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0]), it(i[1])])
    });
    c.cover(u);
    (u, last)
}

#[test]
fn steps_in_place_agree_with_the_evaluator_in_tiles_and_without() {
    for column in [false, true] {
        let mut c = Case::seeded(6);
        let (u, last) = from_own_predecessors(&mut c, column);
        check(&c, &[last]);
        let p = planned(&c, &[last], &PlanOptions::default());
        assert_eq!(p.storage[u].window(), Some((0, 1)), "{p}");
        check(&c, &[u, last]);
    }
}

#[test]
fn pieces_at_one_place_run_in_the_tile_that_holds_it() {
    let mut c = Case::seeded(6);
    let (t, n) = (c.param("T", 12, 1), c.param("n", 19, 3));
    let start = c.input("start", F64, &[n.clone()]);
    let u = c.tensor("u", F64, &[t.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(&c, start, &[it(i)]);
    x.set(&mut c, u, &[Affine::fixed(0), it(i)], v);
    for (at, from) in [(size(0), size(1)), (n.plus_const(-1), n.plus_const(-2))] {
        let mut x = Clause::default();
        let s = x.range("t", size(1), t.clone());
        let v = x.read(&c, u, &[off(s, -1), Affine::fixed(from)]);
        x.set(&mut c, u, &[it(s), Affine::fixed(at)], v);
    }
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let i = x.range("i", size(1), n.plus_const(-1));
    let l = x.read(&c, u, &[off(s, -1), off(i, -1)]);
    let r = x.read(&c, u, &[off(s, -1), off(i, 1)]);
    let v = x.op(Sub, l, r);
    x.set(&mut c, u, &[it(s), it(i)], v);
    let case = c.clone();
    let last = c.define("last", F64, &[n.clone()], |x, i| {
        x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
    });
    check(&c, &[last]);
}

/// Loops of the lowered heat equation: tiles have a wave, a parallel block, and steps; what
/// reaches across the whole axis has none.
#[test]
fn only_near_neighbours_make_tiles() {
    let near = |at| vec![vec![Look { field: 0, back: 1, at }]];
    for (looks, tiled) in [(near(1), true), (near(-2), true), (near(0), true)] {
        let mut c = Case::seeded(7);
        let (t, n) = (c.param("T", 9, 2), c.param("n", 9, 4));
        let u = fields(&mut c, (&t, &n), &looks)[0];
        let p = planned(&c, &[u], &PlanOptions::default());
        let text = lower(&p, "k", Machine::default()).function.to_string();
        assert_eq!(text.contains("\"wave\""), tiled, "{text}");
    }
    let mut c = Case::seeded(8);
    let (t, n) = (c.param("T", 9, 1), c.param("n", 9, 4));
    let u = c.tensor("u", F64, &[t.clone(), n.clone()]);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let i = x.range("i", size(0), n.clone());
    let mirrored = Affine::iter(i).scaled(-1).expect("small").plus_size(&n.plus_const(-1));
    let v = x.read(&c, u, &[off(s, -1), mirrored]);
    x.set(&mut c, u, &[it(s), it(i)], v);
    check(&c, &[u]);
    let p = planned(&c, &[u], &PlanOptions::default());
    assert!(!lower(&p, "k", Machine::default()).function.to_string().contains("\"wave\""));
}
