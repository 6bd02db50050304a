//! Programs that fail, and programs that must not: traps are as lazy as the language.

use crate::build::*;
use crate::check::{binding, execute, planned, variants};
use weft_domain::Affine;
use weft_scalar::{BinaryOp::*, Scalar, ScalarType};
use weft_tensor::eval::{Limits, evaluate};
use weft_tensor::{Accumulator, Expr, ExprId, IndexTerm, TensorId};

/// Whether every executor fails, or none does and all agree.
fn fails(c: &Case, t: TensorId) -> bool {
    let expected = evaluate(&c.graph, &binding(c), &[t], &Limits::default());
    // Without inlining whole tensors are computed, cells that nobody needs included.
    for options in variants().into_iter().filter(|o| o.inline) {
        let p = planned(c, &[t], &options);
        let k = weft_schedule::lower(&p, "test", weft_schedule::Machine::default());
        let found = execute(c, &p, &k);
        match (&expected, &found) {
            (Ok(x), Ok(y)) => assert_eq!(x[0].data(), y[0].data(), "{p}\n{}", k.function),
            (Err(_), Err(why)) => assert!(why.starts_with("trap"), "{why}"),
            _ => panic!("{expected:?} but {found:?}\n{p}\n{}", k.function),
        }
    }
    expected.is_err()
}

fn divide(x: &mut Clause, c: &mut Case, a: ExprId, b: ExprId) -> ExprId {
    let site = c.site();
    x.exprs.binary_at(Div, a, b, Some(site))
}

/// `q[i] = 12 / a[i]` where one `a` is 0.
fn quotient(c: &mut Case, n: i64) -> (TensorId, TensorId) {
    let a = c.input("a", I64, &[size(n)]);
    let values: Vec<i64> = (0..n).map(|i| i - 2).collect();
    let data = weft_tensor::Data::I64(values.into());
    let array = weft_tensor::Array::new(vec![n as usize], data).expect("as many");
    c.inputs.last_mut().expect("just added").1 = std::sync::Arc::new(array);
    let (case, mut sites) = (c.clone(), c.clone());
    let q = c.define("q", I64, &[size(n)], |x, i| {
        let v = x.read(&case, a, &[it(i[0])]);
        let twelve = x.int(12);
        divide(x, &mut sites, twelve, v)
    });
    c.graph.sites = sites.graph.sites;
    (a, q)
}

#[test]
fn division_by_zero_fails_where_it_is_observed() {
    let mut c = Case::seeded(1);
    let (_, q) = quotient(&mut c, 5);
    assert!(fails(&c, q));
    let case = c.clone();
    let one = c.define("one", I64, &[], |x, _| {
        let (p, q) = (x.read(&case, q, &[Affine::fixed(0)]), x.read(&case, q, &[Affine::fixed(4)]));
        x.op(Add, p, q)
    });
    assert!(!fails(&c, one));
}

#[test]
fn a_condition_protects_what_it_guards() {
    let mut c = Case::seeded(2);
    let (a, q) = quotient(&mut c, 5);
    let case = c.clone();
    let y = c.define("y", I64, &[size(5)], |x, i| {
        let v = x.read(&case, a, &[it(i[0])]);
        let zero = x.int(0);
        let cond = x.op(Ne, v, zero);
        let q = x.read(&case, q, &[it(i[0])]);
        let other = x.int(-1);
        x.exprs.if_else(cond, q, other)
    });
    assert!(!fails(&c, y));
}

#[test]
fn a_gather_outside_fails_unless_it_is_not_reached() {
    for (most, expected) in [(3, false), (9, true)] {
        let mut c = Case::seeded(3);
        let a = c.input("a", F64, &[size(3)]);
        let ix = c.indices("ix", &[size(40)], most);
        let (site, case) = (c.site(), c.clone());
        let t = c.define("t", F64, &[size(3)], |x, i| {
            let v = x.read(&case, a, &[it(i[0])]);
            x.op(Mul, v, v)
        });
        let case = c.clone();
        let y = c.define("y", F64, &[size(40)], |x, i| {
            let v = x.read(&case, ix, &[it(i[0])]);
            x.gather(&case, t, &[IndexTerm::Data(v)], site)
        });
        assert_eq!(fails(&c, y), expected);
        let case = c.clone();
        let z = c.define("z", F64, &[size(40)], |x, i| {
            let v = x.read(&case, ix, &[it(i[0])]);
            let three = x.int(3);
            let cond = x.op(Lt, v, three);
            let y = x.read(&case, y, &[it(i[0])]);
            let other = x.num(0.0);
            x.exprs.if_else(cond, y, other)
        });
        assert!(!fails(&c, z));
    }
}

#[test]
fn any_and_all_stop_when_settled() {
    for acc in [Accumulator::Any, Accumulator::All] {
        let mut c = Case::seeded(4);
        let (_, q) = quotient(&mut c, 5);
        let case = c.clone();
        // Settled at the first cell, where the quotient is -6; the third fails.
        let y = c.reduce("y", ScalarType::Bool, &[], acc, |x, _| {
            let k = x.range("k", size(0), size(5));
            let v = x.read(&case, q, &[it(k)]);
            let six = x.int(-6);
            x.op(if acc == Accumulator::Any { Eq } else { Ne }, v, six)
        });
        assert!(!fails(&c, y));
    }
}

#[test]
fn an_assertion_in_a_cell_reports() {
    for limit in [3, 100] {
        let mut c = Case::seeded(5);
        let site = c.site();
        let y = c.define("y", I64, &[size(5)], |x, i| {
            let at = x.exprs.index(it(i[0]));
            let limit = x.int(limit);
            let condition = x.op(Lt, at, limit);
            x.exprs.add(Expr::Check { condition, value: at, site }, I64)
        });
        assert_eq!(fails(&c, y), limit == 3);
    }
}

#[test]
fn a_step_that_fails_stops_the_recurrence() {
    let mut c = Case::seeded(6);
    let (_, q) = quotient(&mut c, 5);
    let r = c.tensor("r", I64, &[size(5)]);
    let mut x = Clause::default();
    let one = x.exprs.constant(Scalar::I64(1));
    x.set(&mut c, r, &[Affine::fixed(0)], one);
    let mut x = Clause::default();
    let t = x.range("t", size(1), size(5));
    let (v, w) = (x.read(&c, r, &[off(t, -1)]), x.read(&c, q, &[it(t)]));
    let v = x.op(Add, v, w);
    x.set(&mut c, r, &[it(t)], v);
    c.cover(r);
    assert!(fails(&c, r));
    let case = c.clone();
    let early = c.define("early", I64, &[], |x, _| x.read(&case, r, &[Affine::fixed(0)]));
    // The step that fails is no step towards the first cell, but the loop runs whole: this
    // is the one place where a routine demands more than the evaluator.
    let whole = evaluate(&c.graph, &binding(&c), &[early], &Limits::default());
    assert!(whole.is_ok());
}
