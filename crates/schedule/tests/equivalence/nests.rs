//! Programs without recurrences.

use crate::build::*;
use crate::check::{check, planned};
use weft_domain::Affine;
use weft_plan::{PlanOptions, Storage};
use weft_scalar::{BinaryOp::*, ScalarType, UnaryOp};
use weft_tensor::{Accumulator, IndexTerm};

#[test]
fn matrix_product_with_an_epilogue() {
    let mut c = Case::seeded(1);
    let (n, k, m) = (c.param("n", 4, 0), c.param("k", 5, 0), c.param("m", 3, 0));
    let a = c.input("A", F64, &[n.clone(), k.clone()]);
    let b = c.input("B", F64, &[k.clone(), m.clone()]);
    let d = c.input("D", F64, &[m.clone()]);
    let case = c.clone();
    let r = c.reduce("r", F64, &[n.clone(), m.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), k.clone());
        let (p, q) = (x.read(&case, a, &[it(i[0]), it(k)]), x.read(&case, b, &[it(k), it(i[1])]));
        x.op(Mul, p, q)
    });
    let s = c.reduce("s", F64, &[], Accumulator::Sum, |x, _| {
        let k = x.range("k", size(0), m.clone());
        x.read(&case, d, &[it(k)])
    });
    let case = c.clone();
    let y = c.define("C", F64, &[n, m], |x, i| {
        let r = x.read(&case, r, &[it(i[0]), it(i[1])]);
        let s = x.read(&case, s, &[]);
        let e = x.un(UnaryOp::Tanh, r);
        x.op(Add, e, s)
    });
    check(&c, &[y]);
    let p = planned(&c, &[y], &PlanOptions::default());
    // The product lives in the result's buffer, which the epilogue rewrites in place.
    assert_eq!(p.storage[r].buffer(), p.storage[y].buffer(), "{p}");
}

#[test]
fn products_larger_than_a_tile() {
    let small = [(19, 70, 3), (16, 64, 128), (16, 3, 0), (1, 3, 2), (0, 5, 1)];
    // Beyond a panel of rows, the columns and the depth that are packed together.
    let sizes = small.into_iter().chain([(265, 3, 4), (9, 140, 2), (9, 17, 265)]);
    for (rows, columns, depth) in sizes {
        let mut c = Case::seeded(11);
        let n = c.param("n", rows, 0);
        let (k, m) = (c.param("k", depth, 0), c.param("m", columns, 0));
        let a = c.input("A", F64, &[n.clone(), k.clone()]);
        let b = c.input("B", F64, &[k.clone(), m.clone()]);
        let case = c.clone();
        let r = c.reduce("r", F64, &[n, m], Accumulator::Sum, |x, i| {
            let k = x.range("k", size(0), k.clone());
            let p = x.read(&case, a, &[it(i[0]), it(k)]);
            let q = x.read(&case, b, &[it(k), it(i[1])]);
            x.op(Mul, p, q)
        });
        check(&c, &[r]);
    }
}

#[test]
fn products_over_several_indices_and_under_a_mask() {
    for masked in [false, true] {
        let mut c = Case::seeded(13);
        let (n, k) = (c.param("n", 21, 0), c.param("k", 30, 0));
        let w = c.input("W", F64, &[size(10), k.clone(), size(4), size(2)]);
        let a = c.input("x", F64, &[n.clone(), k.clone(), size(4), size(2)]);
        let keep = c.input("keep", F64, &[k.clone()]);
        let case = c.clone();
        let y = c.reduce("y", F64, &[n, size(10)], Accumulator::Sum, |x, i| {
            let p = x.range("p", size(0), k.clone());
            let q = x.range("q", size(0), size(4));
            let r = x.range("r", size(0), size(2));
            if masked {
                let v = x.read(&case, keep, &[it(p)]);
                let zero = x.num(0.0);
                x.mask = Some(x.op(Lt, v, zero));
            }
            let u = x.read(&case, w, &[it(i[1]), it(p), it(q), it(r)]);
            let v = x.read(&case, a, &[it(i[0]), it(p), it(q), it(r)]);
            x.op(Mul, u, v)
        });
        check(&c, &[y]);
    }
}

/// Rows enough to be packed, planes whose rows end within strips, several of them.
#[test]
fn windows_of_a_convolution() {
    for (filters, height, width) in [(17, 4, 7), (21, 9, 22), (16, 3, 40), (5, 5, 5)] {
        let mut c = Case::seeded(17);
        let (f, n) = (c.param("f", filters, 0), c.param("c", 3, 0));
        let (h, w) = (c.param("h", height, 3), c.param("w", width, 3));
        let picture = c.input("X", F64, &[size(2), n.clone(), h.clone(), w.clone()]);
        let weights = c.input("W", F64, &[f.clone(), n.clone(), size(3), size(3)]);
        let shape = [size(2), f, h.plus_const(-2), w.plus_const(-2)];
        let case = c.clone();
        let y = c.reduce("Y", F64, &shape, Accumulator::Sum, |x, at| {
            let k = x.range("k", size(0), n.clone());
            let (i, j) = (x.range("i", size(0), size(3)), x.range("j", size(0), size(3)));
            let sum = |a, b| it(a).plus(&it(b)).expect("small");
            let cell = [it(at[0]), it(k), sum(at[2], i), sum(at[3], j)];
            let v = x.read(&case, picture, &cell);
            let u = x.read(&case, weights, &[it(at[1]), it(k), it(i), it(j)]);
            x.op(Mul, v, u)
        });
        check(&c, &[y]);
    }
}

#[test]
fn transposes_and_slices_are_virtual() {
    let mut c = Case::seeded(2);
    let (n, m) = (c.param("n", 4, 0), c.param("m", 3, 0));
    let a = c.input("A", F64, &[n.clone(), m.clone()]);
    let case = c.clone();
    let t =
        c.define("t", F64, &[m.clone(), n.clone()], |x, i| x.read(&case, a, &[it(i[1]), it(i[0])]));
    let case = c.clone();
    let u = c.define("u", F64, &[n.clone()], |x, i| {
        let last = Affine::fixed(m.plus_const(-1));
        let p = x.read(&case, t, &[last, it(i[0])]);
        let q = x.read(&case, t, &[Affine::fixed(0), it(i[0])]);
        x.op(Sub, p, q)
    });
    check(&c, &[u]);
    let p = planned(&c, &[u], &PlanOptions::default());
    assert!(matches!(p.storage[t], Storage::Virtual { .. }), "{p}");
    assert_eq!(p.buffers.len(), 2, "{p}");
}

#[test]
fn a_chain_and_its_sum_are_one_kernel() {
    let mut c = Case::seeded(14);
    let n = c.param("n", 9, 0);
    let a = c.input("a", F64, &[n.clone()]);
    let mut from = a;
    for (name, op) in [("b", UnaryOp::Exp), ("d", UnaryOp::Tanh), ("e", UnaryOp::Abs)] {
        let case = c.clone();
        from = c.define(name, F64, &[n.clone()], |x, i| {
            let v = x.read(&case, from, &[it(i[0])]);
            x.un(op, v)
        });
    }
    let case = c.clone();
    let s = c.reduce("s", F64, &[], Accumulator::Sum, |x, _| {
        let k = x.range("k", size(0), n.clone());
        x.read(&case, from, &[it(k)])
    });
    check(&c, &[s]);
    let p = planned(&c, &[s], &PlanOptions::default());
    assert_eq!((p.items.len(), p.buffers.len()), (1, 2), "{p}");
}

#[test]
fn softmax_with_shared_exponentials() {
    let mut c = Case::seeded(3);
    let (n, m) = (c.param("n", 4, 0), c.param("m", 6, 0));
    let a = c.input("x", F64, &[n.clone(), m.clone()]);
    let case = c.clone();
    let mx = c.reduce("mx", F64, &[n.clone()], Accumulator::Max, |x, i| {
        let k = x.range("k", size(0), m.clone());
        x.read(&case, a, &[it(i[0]), it(k)])
    });
    let case = c.clone();
    let e = c.define("e", F64, &[n.clone(), m.clone()], |x, i| {
        let v = x.read(&case, a, &[it(i[0]), it(i[1])]);
        let w = x.read(&case, mx, &[it(i[0])]);
        let d = x.op(Sub, v, w);
        x.un(UnaryOp::Exp, d)
    });
    let case = c.clone();
    let s = c.reduce("s", F64, &[n.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        x.read(&case, e, &[it(i[0]), it(k)])
    });
    let case = c.clone();
    let y = c.define("y", F64, &[n, m.clone()], |x, i| {
        let v = x.read(&case, e, &[it(i[0]), it(i[1])]);
        let w = x.read(&case, s, &[it(i[0])]);
        x.op(Div, v, w)
    });
    check(&c, &[y]);
}

#[test]
fn gathers_are_checked_and_inlined_gathers_too() {
    let mut c = Case::seeded(4);
    let (n, m) = (c.param("n", 5, 0), c.param("m", 3, 1));
    let a = c.input("a", F64, &[m.clone()]);
    let ix = c.indices("ix", &[n.clone()], 3);
    let (s, case) = (c.site(), c.clone());
    let double = c.define("double", F64, &[m.clone()], |x, i| {
        let v = x.read(&case, a, &[it(i[0])]);
        x.op(Add, v, v)
    });
    let case = c.clone();
    let y = c.define("y", F64, &[n.clone()], |x, i| {
        let at = x.read(&case, ix, &[it(i[0])]);
        x.gather(&case, double, &[IndexTerm::Data(at)], s)
    });
    check(&c, &[y]);
}

#[test]
fn padding_reads_only_where_it_may() {
    let mut c = Case::seeded(5);
    let n = c.param("n", 5, 0);
    let a = c.input("a", F64, &[n.clone()]);
    let case = c.clone();
    let y = c.define("y", F64, &[n.plus_const(2)], |x, i| {
        let at = x.exprs.index(off(i[0], -1));
        let (zero, end) = (x.int(0), x.exprs.index(Affine::fixed(n.clone())));
        let (lo, hi) = (x.op(Ge, at, zero), x.op(Lt, at, end));
        let no = x.exprs.constant(weft_scalar::Scalar::Bool(false));
        let inside = x.exprs.if_else(lo, hi, no);
        let v = x.read(&case, a, &[off(i[0], -1)]);
        let other = x.num(0.5);
        x.exprs.if_else(inside, v, other)
    });
    check(&c, &[y]);
}

#[test]
fn pieces_gaps_and_inlined_pieces() {
    let mut c = Case::seeded(6);
    let (n, m) = (c.param("n", 4, 0), c.param("m", 3, 0));
    let a = c.input("a", F64, &[n.clone()]);
    let b = c.input("b", F64, &[m.clone()]);
    let total = n.plus(&m).plus_const(2);
    let t = c.tensor("t", F64, &[total.clone()]);
    let mut x = Clause::default();
    let i = x.range("i", size(0), n.clone());
    let v = x.read(&c, a, &[it(i)]);
    x.set(&mut c, t, &[it(i)], v);
    let mut x = Clause::default();
    let i = x.range("j", size(0), m.clone());
    let v = x.read(&c, b, &[it(i)]);
    x.set(&mut c, t, &[it(i).plus_size(&n.plus_const(1))], v);
    let case = c.clone();
    let y = c.define("y", F64, &[total.clone()], |x, i| {
        let back = it(i[0]).scaled(-1).unwrap().plus_size(&total.plus_const(-1));
        let v = x.read(&case, t, &[back]);
        let one = x.num(1.0);
        x.op(Add, v, one)
    });
    check(&c, &[y, t]);
    check(&c, &[y]);
}

#[test]
fn every_accumulator_with_mask_and_guard() {
    use Accumulator::*;
    for (n, acc) in
        [Sum, Prod, Max, Min, ArgMax(0), ArgMin(0), ArgMax(1), All, Any].into_iter().enumerate()
    {
        for rows in [0, 1, 4] {
            let mut c = Case::seeded(100 + n as u64);
            let (h, w) = (c.param("h", rows, 0), c.param("w", 5, 0));
            let a = c.input("a", F64, &[h.clone(), w.clone(), size(3)]);
            let case = c.clone();
            let elem = match acc {
                ArgMax(_) | ArgMin(_) => I64,
                All | Any => ScalarType::Bool,
                _ => F64,
            };
            let y = c.reduce("y", elem, &[size(3)], acc, |x, i| {
                let p = x.range("p", size(0), h.clone());
                let q = x.range("q", size(0), w.clone());
                let v = x.read(&case, a, &[it(p), it(q), it(i[0])]);
                x.guard(it(q).minus(&it(p)).unwrap());
                let limit = x.num(1.5);
                x.mask = Some(x.op(Lt, v, limit));
                let zero = x.num(0.0);
                let nan = x.op(Div, zero, v);
                match acc {
                    All | Any => x.op(Lt, v, zero),
                    Max | ArgMin(_) => x.op(Add, nan, v),
                    _ => v,
                }
            });
            check(&c, &[y]);
        }
    }
}

#[test]
fn writes_that_meet_are_combined() {
    let mut c = Case::seeded(8);
    let n = c.param("n", 4, 1);
    let a = c.input("a", F64, &[n.clone()]);
    for acc in [Accumulator::Sum, Accumulator::Max] {
        let t = c.tensor("t", F64, &[n.scaled(2)]);
        let mut x = Clause::default();
        let i = x.range("i", size(0), n.clone());
        let j = x.range("j", size(0), n.clone());
        let (p, q) = (x.read(&c, a, &[it(i)]), x.read(&c, a, &[it(j)]));
        let v = x.op(Mul, p, q);
        x.finish(&mut c, t, &[it(i).plus(&it(j)).unwrap()], acc, v);
        check(&c, &[t]);
    }
}

#[test]
fn a_reduction_in_a_reader_under_a_condition() {
    let mut c = Case::seeded(9);
    let (n, m) = (c.param("n", 4, 0), c.param("m", 3, 0));
    let a = c.input("a", F64, &[n.clone(), m.clone()]);
    let case = c.clone();
    let s = c.reduce("s", F64, &[n.clone()], Accumulator::Sum, |x, i| {
        let k = x.range("k", size(0), m.clone());
        let v = x.read(&case, a, &[it(i[0]), it(k)]);
        x.un(UnaryOp::Exp, v)
    });
    let case = c.clone();
    let y = c.define("y", F64, &[n.clone()], |x, i| {
        let at = x.exprs.index(it(i[0]));
        let two = x.int(2);
        let cond = x.op(Lt, at, two);
        let v = x.read(&case, s, &[it(i[0])]);
        let other = x.num(3.0);
        x.exprs.if_else(cond, v, other)
    });
    check(&c, &[y]);
    let p = planned(&c, &[y], &PlanOptions::default());
    assert!(matches!(p.storage[s], Storage::Virtual { .. }), "{p}");
}

#[test]
fn deep_sums_and_long_chains_need_no_deep_stack() {
    let mut c = Case::seeded(12);
    let n = c.param("n", 7, 1);
    let a = c.input("a", F64, &[n.clone()]);
    let case = c.clone();
    let y = c.define("y", F64, &[n.clone()], |x, i| {
        let v = x.read(&case, a, &[it(i[0])]);
        (0..20_000).fold(v, |sum, k| {
            let k = x.num(k as f64);
            x.op(Add, sum, k)
        })
    });
    let case = c.clone();
    let z = c.define("z", F64, &[n.clone()], |x, i| {
        let at = x.exprs.index(it(i[0]));
        let mut value = x.num(0.0);
        for k in 0..600 {
            let limit = x.int(k % 9);
            let cond = x.op(Eq, at, limit);
            let v = x.read(&case, a, &[Affine::fixed(0)]);
            let k = x.num(k as f64);
            let v = x.op(Add, v, k);
            let v = x.un(UnaryOp::Exp, v);
            let v = x.un(UnaryOp::Exp, v);
            let v = x.un(UnaryOp::Exp, v);
            value = x.exprs.if_else(cond, v, value);
        }
        value
    });
    check(&c, &[y, z]);
}
