//! Recurrences: orders, windows, and what runs beside them.

use crate::build::*;
use crate::check::{check, planned};
use std::collections::BTreeSet;
use weft_domain::Affine;
use weft_plan::{Plan, PlanOptions, Storage};
use weft_scalar::{BinaryOp::*, UnaryOp};
use weft_shape::Size;
use weft_tensor::{Accumulator, TensorId};

fn window(p: &Plan, t: TensorId) -> Option<i64> {
    p.storage[t].window().map(|w| w.1)
}

fn fixed(n: i64) -> Affine {
    Affine::fixed(n)
}

/// `f[0] = 1; f[1] = 1; f[n] = f[n-1] + f[n-2]`.
fn fibonacci(c: &mut Case, n: &Size) -> TensorId {
    let f = c.tensor("f", I64, &[n.clone()]);
    for at in [0, 1] {
        let mut x = Clause::default();
        let one = x.int(1);
        x.set(c, f, &[fixed(at)], one);
    }
    let mut x = Clause::default();
    let i = x.range("n", size(2), n.clone());
    let (p, q) = (x.read(c, f, &[off(i, -1)]), x.read(c, f, &[off(i, -2)]));
    let v = x.op(Add, p, q);
    x.set(c, f, &[it(i)], v);
    c.cover(f);
    f
}

#[test]
fn fibonacci_keeps_three_or_all() {
    for n in [2, 3, 10] {
        let mut c = Case::seeded(1);
        let n = c.param("N", n, 2);
        let f = fibonacci(&mut c, &n);
        let case = c.clone();
        let last =
            c.define("last", I64, &[], |x, _| x.read(&case, f, &[Affine::fixed(n.plus_const(-1))]));
        check(&c, &[last]);
        let p = planned(&c, &[last], &PlanOptions::default());
        assert_eq!(window(&p, f), Some(3), "{p}");
        check(&c, &[last, f]);
        let p = planned(&c, &[last, f], &PlanOptions::default());
        assert_eq!(window(&p, f), None, "{p}");
    }
}

/// A heat equation on `n` cells over `steps`, with fixed ends.
fn heat(c: &mut Case, steps: &Size, n: &Size) -> TensorId {
    let u0 = c.input("u0", F64, &[n.clone()]);
    let u = c.tensor("u", F64, &[steps.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(c, u0, &[it(i)]);
    x.set(c, u, &[fixed(0), it(i)], v);
    let mut x = Clause::default();
    let t = x.range("t", size(1), steps.clone());
    let i = x.range("i", size(1), n.plus_const(-1));
    let l = x.read(c, u, &[off(t, -1), off(i, -1)]);
    let m = x.read(c, u, &[off(t, -1), it(i)]);
    let r = x.read(c, u, &[off(t, -1), off(i, 1)]);
    let (s, two) = (x.op(Add, l, r), x.num(2.0));
    let d = x.op(Mul, m, two);
    let d = x.op(Sub, s, d);
    let k = x.num(0.1);
    let d = x.op(Mul, k, d);
    let v = x.op(Add, m, d);
    x.set(c, u, &[it(t), it(i)], v);
    u
}

#[test]
fn heat_keeps_two_rows_and_zeroes_reused_edges() {
    for steps in [1, 2, 6] {
        let mut c = Case::seeded(2);
        let (t, n) = (c.param("T", steps, 1), c.param("n", 5, 2));
        let u = heat(&mut c, &t, &n);
        let case = c.clone();
        let last = c.define("last", F64, &[n.clone()], |x, i| {
            x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
        });
        check(&c, &[last]);
        let p = planned(&c, &[last], &PlanOptions::default());
        assert_eq!(window(&p, u), Some(2), "{p}");
        check(&c, &[u]);
    }
}

#[test]
fn memory_is_flat_in_time_and_a_limit_names_the_largest() {
    let mut c = Case::seeded(2);
    let (t, n) = (c.param("T", 6, 1), c.param("n", 5, 2));
    let u = heat(&mut c, &t, &n);
    let case = c.clone();
    let last = c.define("last", F64, &[n.clone()], |x, i| {
        x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
    });
    let mut params = weft_base::entity::PrimaryMap::new();
    params.extend([1_000_000, 1000]);
    let p = planned(&c, &[last], &PlanOptions::default());
    // Input, two rows, the last row.
    assert_eq!(p.bind(&params, None).expect("fits").peak_bytes, 8 * 4 * 1000);
    let whole = planned(&c, &[u], &PlanOptions::default());
    let refused = whole.bind(&params, Some(1 << 30)).expect_err("is too large");
    assert_eq!(
        refused.to_string(),
        "8000008000 bytes are needed, but 1073741824 are allowed; \
         largest: t1 (8000000000 bytes) t0 (8000 bytes)"
    );
}

#[test]
fn compile_work_does_not_depend_on_length() {
    let sizes = [3, 1_000_000].map(|steps| {
        let mut c = Case::seeded(2);
        let (t, n) = (size(steps), c.param("n", 5, 2));
        let u = heat(&mut c, &t, &n);
        let case = c.clone();
        let last = c.define("last", F64, &[n.clone()], |x, i| {
            x.read(&case, u, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
        });
        let p = planned(&c, &[last], &PlanOptions::default());
        weft_schedule::lower(&p, "k", weft_schedule::Machine::default())
            .function
            .to_string()
            .lines()
            .count()
    });
    // Constants of a few steps fold a little further.
    assert!(sizes[0].abs_diff(sizes[1]) <= 2, "{sizes:?}");
}

#[test]
fn a_running_maximum_and_a_loss_are_fused() {
    let mut c = Case::seeded(3);
    let (t, n) = (c.param("T", 6, 1), c.param("n", 5, 2));
    let u = heat(&mut c, &t, &n);
    let case = c.clone();
    let most = c.reduce("most", F64, &[], Accumulator::Max, |x, _| {
        let s = x.range("s", size(0), t.clone());
        let i = x.range("i", size(0), n.clone());
        x.read(&case, u, &[it(s), it(i)])
    });
    let target = c.input("target", F64, &[t.clone()]);
    let case = c.clone();
    let loss = c.define("loss", F64, &[t.clone()], |x, i| {
        let v = x.read(&case, u, &[it(i[0]), fixed(1)]);
        let w = x.read(&case, target, &[it(i[0])]);
        x.op(Sub, v, w)
    });
    let case = c.clone();
    let total = c.reduce("total", F64, &[], Accumulator::Sum, |x, _| {
        let s = x.range("s", size(0), t.clone());
        let v = x.read(&case, loss, &[it(s)]);
        x.op(Mul, v, v)
    });
    for seen in [vec![most, total], vec![loss, total], vec![most, loss]] {
        check(&c, &seen);
        let p = planned(&c, &seen, &PlanOptions { strict: true, ..PlanOptions::default() });
        assert_eq!(window(&p, u), Some(2), "{p}");
    }
    check(&c, &[u, most, total]);
}

/// `h[t] = tanh(W h[t-1] + x[t])`, the sum lifted out as a tensor of its own.
fn rnn(c: &mut Case, t: &Size, n: &Size, transposed: bool) -> TensorId {
    let w = c.input("W", F64, &[n.clone(), n.clone()]);
    let x_in = c.input("x", F64, &[t.clone(), n.clone()]);
    let h = c.tensor("h", F64, &[t.clone(), n.clone()]);
    let r = c.tensor("r", F64, &[t.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(c, x_in, &[fixed(0), it(i)]);
    x.set(c, h, &[fixed(0), it(i)], v);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let i = x.range("i", size(0), n.clone());
    let a = x.read(c, r, &[it(s), it(i)]);
    let b = x.read(c, x_in, &[it(s), it(i)]);
    let v = x.op(Add, a, b);
    let v = x.un(UnaryOp::Tanh, v);
    x.set(c, h, &[it(s), it(i)], v);
    c.cover(h);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let i = x.range("i", size(0), n.clone());
    let k = x.range("k", size(0), n.clone());
    let at = if transposed { [it(k), it(i)] } else { [it(i), it(k)] };
    let a = x.read(c, w, &at);
    let b = x.read(c, h, &[off(s, -1), it(k)]);
    let v = x.op(Mul, a, b);
    x.finish(c, r, &[it(s), it(i)], Accumulator::Sum, v);
    h
}

#[test]
fn a_recurrent_network_steps_in_place() {
    for transposed in [false, true] {
        let mut c = Case::seeded(4);
        let (t, n) = (c.param("T", 5, 1), c.param("n", 4, 1));
        let h = rnn(&mut c, &t, &n, transposed);
        let case = c.clone();
        let last = c.define("last", F64, &[n.clone()], |x, i| {
            x.read(&case, h, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
        });
        check(&c, &[last]);
        let p = planned(&c, &[last], &PlanOptions::default());
        assert_eq!(window(&p, h), Some(2), "{p}");
        check(&c, &[h]);
    }
}

/// Edit distance over two sequences.
#[test]
fn edit_distance_orders_two_axes() {
    let mut c = Case::seeded(5);
    let (m, n) = (c.param("M", 5, 1), c.param("N", 4, 1));
    let a = c.input("a", I64, &[m.clone()]);
    let b = c.input("b", I64, &[n.clone()]);
    let h = c.tensor("H", I64, &[m.plus_const(1), n.plus_const(1)]);
    let mut x = Clause::default();
    let j = x.range("j", size(0), n.plus_const(1));
    let v = x.exprs.index(it(j));
    x.set(&mut c, h, &[fixed(0), it(j)], v);
    let mut x = Clause::default();
    let i = x.range("i", size(1), m.plus_const(1));
    let v = x.exprs.index(it(i));
    x.set(&mut c, h, &[it(i), fixed(0)], v);
    let mut x = Clause::default();
    let i = x.range("i", size(1), m.plus_const(1));
    let j = x.range("j", size(1), n.plus_const(1));
    let up = x.read(&c, h, &[off(i, -1), it(j)]);
    let left = x.read(&c, h, &[it(i), off(j, -1)]);
    let diagonal = x.read(&c, h, &[off(i, -1), off(j, -1)]);
    let (p, q) = (x.read(&c, a, &[off(i, -1)]), x.read(&c, b, &[off(j, -1)]));
    let (same, one) = (x.op(Eq, p, q), x.int(1));
    let step = x.op(Min, up, left);
    let step = x.op(Add, step, one);
    let other = x.op(Add, diagonal, one);
    let over = x.exprs.if_else(same, diagonal, other);
    let v = x.op(Min, step, over);
    x.set(&mut c, h, &[it(i), it(j)], v);
    c.cover(h);
    let case = c.clone();
    let corner = c.define("corner", I64, &[], |x, _| {
        x.read(&case, h, &[Affine::fixed(m.clone()), Affine::fixed(n.clone())])
    });
    check(&c, &[h]);
    check(&c, &[corner]);
    let p = planned(&c, &[corner], &PlanOptions::default());
    // Three diagonals, whose cells are independent.
    assert_eq!(window(&p, h), Some(3), "{p}");
    assert_eq!(p.order_of(h).expect("it has one").to_string(), "in order of i + j; i at once");
}

#[test]
fn backward_in_time() {
    let mut c = Case::seeded(6);
    let (t, n) = (c.param("T", 6, 1), c.param("n", 3, 1));
    let r = c.input("r", F64, &[t.clone(), n.clone()]);
    let v = c.tensor("v", F64, &[t.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let e = x.read(&c, r, &[Affine::fixed(t.plus_const(-1)), it(i)]);
    x.set(&mut c, v, &[Affine::fixed(t.plus_const(-1)), it(i)], e);
    let mut x = Clause::default();
    let s = x.range("t", size(0), t.plus_const(-1));
    let i = x.range("i", size(0), n.clone());
    let next = x.read(&c, v, &[off(s, 1), it(i)]);
    let now = x.read(&c, r, &[it(s), it(i)]);
    let half = x.num(0.5);
    let e = x.op(Mul, next, half);
    let e = x.op(Add, e, now);
    x.set(&mut c, v, &[it(s), it(i)], e);
    c.cover(v);
    let case = c.clone();
    let first =
        c.define("first", F64, &[n.clone()], |x, i| x.read(&case, v, &[fixed(0), it(i[0])]));
    check(&c, &[v]);
    check(&c, &[first]);
    let p = planned(&c, &[first], &PlanOptions::default());
    assert_eq!(window(&p, v), Some(2), "{p}");
}

#[test]
fn fields_of_one_step_and_gauss_seidel() {
    let mut c = Case::seeded(7);
    let (t, n) = (c.param("T", 4, 1), c.param("n", 5, 2));
    // s[t, 1] reads s[t, 0].
    let s = c.tensor("s", F64, &[t.clone(), size(2)]);
    let mut x = Clause::default();
    let i = x.range("t", size(1), t.clone());
    let p = x.read(&c, s, &[off(i, -1), fixed(1)]);
    let one = x.num(1.0);
    let v = x.op(Add, p, one);
    x.set(&mut c, s, &[it(i), fixed(0)], v);
    let mut x = Clause::default();
    let i = x.range("t", size(0), t.clone());
    let p = x.read(&c, s, &[it(i), fixed(0)]);
    let v = x.op(Add, p, p);
    x.set(&mut c, s, &[it(i), fixed(1)], v);
    check(&c, &[s]);
    // g[t, i] from g[t, i-1] and g[t-1, i+1].
    let g = c.tensor("g", F64, &[t.clone(), n.clone()]);
    let g0 = c.input("g0", F64, &[n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(&c, g0, &[it(i)]);
    x.set(&mut c, g, &[fixed(0), it(i)], v);
    let mut x = Clause::default();
    let s = x.range("t", size(1), t.clone());
    let i = x.range("i", size(1), n.plus_const(-1));
    let l = x.read(&c, g, &[it(s), off(i, -1)]);
    let r = x.read(&c, g, &[off(s, -1), off(i, 1)]);
    let v = x.op(Add, l, r);
    x.set(&mut c, g, &[it(s), it(i)], v);
    check(&c, &[g]);
    let case = c.clone();
    let last = c.define("last", F64, &[n.clone()], |x, i| {
        x.read(&case, g, &[Affine::fixed(t.plus_const(-1)), it(i[0])])
    });
    check(&c, &[last]);
}

/// Cholesky: the diagonal and what is below, with sums over earlier columns.
#[test]
fn cholesky_is_ordered_by_columns_or_rows() {
    cholesky(false);
    cholesky(true);
}

/// The sums of the diagonal from a tensor of their own, or from that of the others.
fn cholesky(apart: bool) {
    let mut c = Case::seeded(8);
    let n = c.param("n", 4, 1);
    let b = c.input("B", F64, &[n.clone(), n.clone()]);
    let case = c.clone();
    let a = c.define("A", F64, &[n.clone(), n.clone()], |x, i| {
        let (p, q) =
            (x.read(&case, b, &[it(i[0]), it(i[1])]), x.read(&case, b, &[it(i[1]), it(i[0])]));
        let s = x.op(Add, p, q);
        let (i, j) = (x.exprs.index(it(i[0])), x.exprs.index(it(i[1])));
        let (same, big, zero) = (x.op(Eq, i, j), x.num(40.0), x.num(0.0));
        let d = x.exprs.if_else(same, big, zero);
        x.op(Add, s, d)
    });
    let l = c.tensor("L", F64, &[n.clone(), n.clone()]);
    let dots = c.tensor("dots", F64, &[n.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let j = x.range_to("j", fixed(0), off(i, 1));
    let k = x.range_to("k", fixed(0), it(j));
    let (p, q) = (x.read(&c, l, &[it(i), it(k)]), x.read(&c, l, &[it(j), it(k)]));
    let v = x.op(Mul, p, q);
    x.finish(&mut c, dots, &[it(i), it(j)], Accumulator::Sum, v);
    let squares = c.tensor("squares", F64, &[n.clone()]);
    let mut x = Clause::default();
    let j = x.range("j", size(0), n.clone());
    let k = x.range_to("k", fixed(0), it(j));
    let p = x.read(&c, l, &[it(j), it(k)]);
    let v = x.op(Mul, p, p);
    x.finish(&mut c, squares, &[it(j)], Accumulator::Sum, v);
    let mut x = Clause::default();
    let j = x.range("j", size(0), n.clone());
    let p = x.read(&c, a, &[it(j), it(j)]);
    let q = match apart {
        true => x.read(&c, squares, &[it(j)]),
        false => x.read(&c, dots, &[it(j), it(j)]),
    };
    let v = x.op(Sub, p, q);
    let v = x.un(UnaryOp::Sqrt, v);
    x.set(&mut c, l, &[it(j), it(j)], v);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let j = x.range_to("j", fixed(0), it(i));
    let (p, q) = (x.read(&c, a, &[it(i), it(j)]), x.read(&c, dots, &[it(i), it(j)]));
    let d = x.read(&c, l, &[it(j), it(j)]);
    let v = x.op(Sub, p, q);
    let v = x.op(Div, v, d);
    x.set(&mut c, l, &[it(i), it(j)], v);
    check(&c, &[l]);
}

#[test]
fn prefix_reads_have_no_window() {
    let mut c = Case::seeded(9);
    let n = c.param("n", 6, 1);
    let s = c.tensor("s", F64, &[n.clone()]);
    let a = c.input("a", F64, &[n.clone()]);
    let p = c.tensor("p", F64, &[n.clone()]);
    let mut x = Clause::default();
    let t = x.range("t", size(0), n.clone());
    let k = x.range_to("k", fixed(0), it(t));
    let v = x.read(&c, s, &[it(k)]);
    x.finish(&mut c, p, &[it(t)], Accumulator::Sum, v);
    let mut x = Clause::default();
    let t = x.range("t", size(0), n.clone());
    let (v, w) = (x.read(&c, p, &[it(t)]), x.read(&c, a, &[it(t)]));
    let v = x.op(Add, v, w);
    x.set(&mut c, s, &[it(t)], v);
    c.cover(s);
    let case = c.clone();
    let last =
        c.define("last", F64, &[], |x, _| x.read(&case, s, &[Affine::fixed(n.plus_const(-1))]));
    check(&c, &[last]);
    let plain = PlanOptions { inline: false, ..PlanOptions::default() };
    let p = planned(&c, &[last], &plain);
    assert!(matches!(p.storage[s], Storage::Stored { .. }), "{p}");
}

#[test]
fn what_depends_on_itself_is_refused_with_an_example() {
    let mut c = Case::seeded(10);
    let n = size(6);
    let h = c.tensor("H", F64, &[n.clone(), n.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(1), n.plus_const(-1));
    let j = x.range("j", size(0), n.clone());
    let (p, q) = (x.read(&c, h, &[off(i, 1), it(j)]), x.read(&c, h, &[off(i, -1), it(j)]));
    let v = x.op(Add, p, q);
    x.set(&mut c, h, &[it(i), it(j)], v);
    let refused =
        weft_plan::plan(&c.graph, &[h], &BTreeSet::new(), &PlanOptions::default()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "no order computes every cell of `H`: it reads `H[i + 1, j]`; \
         `H[1, 0]` needs `H[2, 0]`, which needs `H[1, 0]`"
    );
}
