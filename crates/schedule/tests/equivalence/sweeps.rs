//! Sweeps over a grid in place, step by step: forwards and backwards, with edges that are
//! copied, fixed or moved, and several fields.

use crate::build::*;
use crate::check::{check, planned};
use weft_domain::Affine;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_shape::Size;
use weft_tensor::TensorId;

/// A read of a field: how many steps back, how far down and to the right.
#[derive(Clone, Copy, Debug)]
struct Look {
    field: usize,
    back: i64,
    down: i64,
    right: i64,
}

/// What becomes of the cells around the inner ones.
#[derive(Clone, Copy, Debug)]
enum Edge {
    Copied,
    Fixed,
    Moved,
}

/// Cells of the edge on each side.
const WIDE: i64 = 2;

struct Grid {
    steps: Size,
    rows: Size,
    columns: Size,
}

impl Grid {
    fn of(c: &mut Case, steps: i64, rows: i64, columns: i64) -> Grid {
        Grid {
            steps: c.param("T", steps, 1),
            rows: c.param("n", rows, 0).plus_const(2 * WIDE),
            columns: c.param("m", columns, 0).plus_const(2 * WIDE),
        }
    }

    /// First and past of rows and columns: the four sides.
    fn sides(&self) -> [[Size; 4]; 4] {
        let (n, m) = (&self.rows, &self.columns);
        let inner = |e: &Size| e.plus_const(-WIDE);
        [
            [size(0), size(WIDE), size(0), m.clone()],
            [inner(n), n.clone(), size(0), m.clone()],
            [size(WIDE), inner(n), size(0), size(WIDE)],
            [size(WIDE), inner(n), inner(m), m.clone()],
        ]
    }
}

fn fields(c: &mut Case, g: &Grid, looks: &[Vec<Look>], edge: Edge) -> Vec<TensorId> {
    let shape = [g.steps.clone(), g.rows.clone(), g.columns.clone()];
    let start = c.input("start", F64, &shape[1..]);
    let name = |f: usize| format!("u{f}");
    let all: Vec<TensorId> = (0..looks.len()).map(|f| c.tensor(&name(f), F64, &shape)).collect();
    for (f, &u) in all.iter().enumerate() {
        let mut x = Clause::default();
        let i = x.range("i", size(0), g.rows.clone());
        let j = x.range("j", size(0), g.columns.clone());
        let v = x.read(c, start, &[it(i), it(j)]);
        let k = x.num(f as f64);
        let v = x.op(Add, v, k);
        x.set(c, u, &[Affine::fixed(0), it(i), it(j)], v);
        for [top, bottom, left, right] in g.sides() {
            let mut x = Clause::default();
            let t = x.range("t", size(1), g.steps.clone());
            let (i, j) = (x.range("i", top, bottom), x.range("j", left, right));
            let old = x.read(c, u, &[off(t, -1), it(i), it(j)]);
            let half = x.num(0.5);
            let v = match edge {
                Edge::Copied => old,
                Edge::Fixed => half,
                Edge::Moved => x.op(Sub, half, old),
            };
            x.set(c, u, &[it(t), it(i), it(j)], v);
        }
        let mut x = Clause::default();
        let t = x.range("t", size(1), g.steps.clone());
        let i = x.range("i", size(WIDE), g.rows.plus_const(-WIDE));
        let j = x.range("j", size(WIDE), g.columns.plus_const(-WIDE));
        let mut v = x.read(c, start, &[it(i), it(j)]);
        for (n, l) in looks[f].iter().enumerate() {
            let at = [off(t, -l.back), off(i, l.down), off(j, l.right)];
            let w = x.read(c, all[l.field], &at);
            let k = x.num(0.25 - 0.03125 * n as f64);
            let w = x.op(Mul, k, w);
            v = x.op(if n % 2 == 0 { Add } else { Sub }, v, w);
        }
        x.set(c, u, &[it(t), it(i), it(j)], v);
        c.cover(u);
    }
    all
}

/// The fields' last step.
fn ends(c: &mut Case, g: &Grid, all: &[TensorId]) -> Vec<TensorId> {
    let case = c.clone();
    let shape = [g.rows.clone(), g.columns.clone()];
    let last = Affine::fixed(g.steps.plus_const(-1));
    let end = |u: TensorId, c: &mut Case| {
        c.define("end", F64, &shape, |x, i| x.read(&case, u, &[last.clone(), it(i[0]), it(i[1])]))
    };
    all.iter().map(|&u| end(u, c)).collect()
}

/// Offsets within a step that diagonals `c*i + j`, with `c` up to 3, leave behind.
const BEHIND: [(i64, i64); 7] = [(0, -1), (0, -2), (-1, 0), (-1, -1), (-1, 1), (-1, 2), (-2, 1)];

#[test]
fn random_sweeps_agree_with_the_evaluator() {
    let mut random = Case::seeded(83);
    let mut turned = 0;
    for seed in 0..48 {
        let count = 1 + random.below(2) as usize;
        let edge = [Edge::Copied, Edge::Fixed, Edge::Moved][random.below(3) as usize];
        let backwards: Vec<bool> = (0..count).map(|_| random.below(2) == 0).collect();
        let mut pick = |n: u64| random.below(n) as i64;
        let mut look = |own: usize| -> Look {
            let field = pick(count as u64) as usize;
            let near = |n: i64| n - 2;
            if field == own && pick(3) != 0 {
                let (down, right) = BEHIND[pick(7) as usize];
                let sign = if backwards[own] { -1 } else { 1 };
                return Look { field, back: 0, down: sign * down, right: sign * right };
            }
            // Of this step only what an earlier field did.
            let back = if field < own { pick(2) } else { 1 };
            Look { field, back, down: near(pick(5)), right: near(pick(5)) }
        };
        let looks: Vec<Vec<Look>> =
            (0..count).map(|own| (0..4).map(|_| look(own)).collect()).collect();
        let mut c = Case::seeded(seed);
        let g = Grid::of(&mut c, 1 + pick(4), pick(6), pick(6));
        let all = fields(&mut c, &g, &looks, edge);
        let ends = ends(&mut c, &g, &all);
        check(&c, &ends);
        check(&c, &all);
        let p = planned(&c, &ends, &PlanOptions::default());
        let order = |u: &TensorId| p.order_of(*u).map(|o| o.to_string()).unwrap_or_default();
        turned += usize::from(all.iter().any(|u| order(u).contains("i + j")));
    }
    assert!(turned >= 10, "only {turned} ran along diagonals");
}

/// The storage of a sweep that looks at all neighbours, new ones behind and old ones ahead.
fn slots(edge: Edge) -> (i64, String) {
    let near = |n: i64| n - 1;
    let all = (0..9).map(|n| (near(n / 3), near(n % 3)));
    let look =
        |(down, right)| Look { field: 0, back: i64::from((down, right) >= (0, 0)), down, right };
    let mut c = Case::seeded(5);
    let g = Grid::of(&mut c, 3, 5, 4);
    let all = fields(&mut c, &g, &[all.map(look).collect()], edge);
    let ends = ends(&mut c, &g, &all);
    check(&c, &ends);
    let p = planned(&c, &ends, &PlanOptions::default());
    let (_, size) = p.storage[all[0]].window().expect("a few steps are kept");
    (size, p.order_of(all[0]).expect("it has one").to_string())
}

#[test]
fn a_sweep_is_in_place_where_nothing_else_changes_its_cells() {
    let order = "in order of t, 2*i + j; i at once".to_string();
    assert_eq!(slots(Edge::Copied), (1, order.clone()));
    // The new edge stands where the old one is still looked at.
    assert_eq!(slots(Edge::Moved), (2, order.clone()));
    assert_eq!(slots(Edge::Fixed), (2, order));
}
