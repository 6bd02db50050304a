//! Graphs small enough to know their numbers.

use super::*;
use crate::{
    Accumulator, Affine, Assignment, Axis, Constraint, Data, Definition, Expr, ExprId, Exprs,
    IndexTerm, Iter, Range, Reduction, Relation, Site, SiteId, Space, Tensor,
};
use weft_base::Name;
use weft_scalar::{BinaryOp, Scalar, ScalarType};

const I64: ScalarType = ScalarType::I64;

fn tensor(g: &mut Graph, elem: ScalarType, shape: &[i64], definition: Definition) -> TensorId {
    let axes = shape.iter().map(|&e| Axis { extent: e.into(), name: None }).collect();
    g.tensors.push(Tensor { name: None, span: None, elem, axes, definition })
}

fn undefined() -> Definition {
    Definition::Assigned { pieces: Vec::new(), covered: false }
}

fn ints(g: &mut Graph, shape: &[i64], values: &[i64]) -> TensorId {
    let extents = shape.iter().map(|&e| e as usize).collect();
    let array = Array::new(extents, Data::I64(values.to_vec().into())).expect("as many values");
    tensor(g, I64, shape, Definition::Constant(Arc::new(array)))
}

fn site(g: &mut Graph) -> SiteId {
    g.sites.push(Site { span: None, message: "test".into() })
}

/// An assignment over ordinary loops `0..n`, named `i`, `j`, ….
struct Clause {
    space: Space,
    exprs: Exprs,
    iters: Vec<Iter>,
}

impl Clause {
    fn over(extents: &[i64]) -> Clause {
        let mut space = Space::default();
        let names = ["i", "j", "k"].map(Name::new);
        let range =
            |(&n, name): (&i64, Name)| space.push(Some(name), Affine::fixed(0), Affine::fixed(n));
        let iters = extents.iter().zip(names).map(range).collect();
        Clause { space, exprs: Exprs::new(), iters }
    }

    fn index(&mut self, a: Affine) -> ExprId {
        self.exprs.index(a)
    }

    fn int(&mut self, v: i64) -> ExprId {
        self.exprs.constant(Scalar::I64(v))
    }

    fn read(&mut self, t: TensorId, at: &[Affine]) -> ExprId {
        let index = at.iter().cloned().map(IndexTerm::from).collect();
        self.exprs.add(Expr::Read { tensor: t, index, site: None }, I64)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.exprs.binary(op, a, b)
    }

    fn define(self, g: &mut Graph, t: TensorId, write: &[Affine], acc: Accumulator, body: ExprId) {
        let write = write.iter().cloned().map(IndexTerm::from).collect();
        let Clause { space, exprs, .. } = self;
        let (accumulator, mask) = (acc, None);
        g.assign(Assignment { target: t, space, write, accumulator, mask, body, exprs });
    }
}

fn iter(i: Iter) -> Affine {
    Affine::iter(i)
}

fn shifted(i: Iter, by: i64) -> Affine {
    Affine::iter(i).plus_size(&by.into())
}

fn observe(g: &Graph, t: TensorId) -> Result<Vec<i64>, Failure> {
    let arrays = evaluate(g, &Binding::default(), &[t], &Limits::default())?;
    let Data::I64(values) = arrays[0].data() else { panic!("an i64 tensor") };
    Ok(values.to_vec())
}

#[test]
fn matrix_product() {
    let mut g = Graph::new();
    let a = ints(&mut g, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let b = ints(&mut g, &[3, 2], &[1, 2, 3, 4, 5, 6]);
    let c = tensor(&mut g, I64, &[2, 2], undefined());
    let mut clause = Clause::over(&[2, 2, 3]);
    let [i, j, k] = [clause.iters[0], clause.iters[1], clause.iters[2]];
    let x = clause.read(a, &[iter(i), iter(k)]);
    let y = clause.read(b, &[iter(k), iter(j)]);
    let body = clause.binary(BinaryOp::Mul, x, y);
    clause.define(&mut g, c, &[iter(i), iter(j)], Accumulator::Sum, body);
    assert_eq!(observe(&g, c).expect("no failure"), [22, 28, 49, 64]);
}

/// `f[0] = 0; f[1] = 1; f[i in 2..n] = f[i - 1] + f[i - 2]`.
fn fibonacci(g: &mut Graph, n: i64) -> TensorId {
    let f = tensor(g, I64, &[n], undefined());
    for (at, value) in [(0, 0), (1, 1)] {
        let mut clause = Clause::over(&[]);
        let body = clause.int(value);
        clause.define(g, f, &[Affine::fixed(at)], Accumulator::Set, body);
    }
    let mut clause = Clause::over(&[]);
    let i = clause.space.push(Some(Name::new("i")), Affine::fixed(2), Affine::fixed(n));
    let x = clause.read(f, &[shifted(i, -1)]);
    let y = clause.read(f, &[shifted(i, -2)]);
    let body = clause.binary(BinaryOp::Add, x, y);
    clause.define(g, f, &[iter(i)], Accumulator::Set, body);
    f
}

#[test]
fn recurrence_by_pieces() {
    let mut g = Graph::new();
    let f = fibonacci(&mut g, 10);
    assert_eq!(observe(&g, f).expect("no failure"), [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]);
}

/// The deepest cell first: a hundred thousand cells wait, not the native stack.
#[test]
fn recurrence_from_its_end() {
    let mut g = Graph::new();
    let n = 100_000;
    let s = tensor(&mut g, I64, &[n], undefined());
    let mut clause = Clause::over(&[n - 1]);
    let i = clause.iters[0];
    let next = clause.read(s, &[shifted(i, 1)]);
    let one = clause.int(1);
    let body = clause.binary(BinaryOp::Add, next, one);
    clause.define(&mut g, s, &[iter(i)], Accumulator::Set, body);
    let values = observe(&g, s).expect("no failure");
    assert_eq!((values[0], values[n as usize - 1]), (n - 1, 0));
}

#[test]
fn waiting_cells_count_against_the_limit() {
    let mut g = Graph::new();
    let s = tensor(&mut g, I64, &[100_000], undefined());
    let mut clause = Clause::over(&[99_999]);
    let i = clause.iters[0];
    let body = clause.read(s, &[shifted(i, 1)]);
    clause.define(&mut g, s, &[iter(i)], Accumulator::Set, body);
    let limits = Limits { bytes: 1_500_000, ..Limits::default() };
    let failure = evaluate(&g, &Binding::default(), &[s], &limits).expect_err("too deep");
    assert!(matches!(failure.kind, FailureKind::Memory { limit: 1_500_000, .. }), "{failure:?}");
}

#[test]
fn a_cell_that_needs_itself_fails() {
    let mut g = Graph::new();
    let x = tensor(&mut g, I64, &[3], undefined());
    let mut clause = Clause::over(&[3]);
    let i = clause.iters[0];
    let body = clause.read(x, &[Affine::fixed(2).minus(&iter(i)).expect("small")]);
    clause.define(&mut g, x, &[iter(i)], Accumulator::Set, body);
    assert_eq!(observe(&g, x).expect_err("cyclic").kind, FailureKind::Cyclic);
}

#[test]
fn only_needed_cells_are_computed() {
    let mut g = Graph::new();
    let at = site(&mut g);
    let bad = tensor(&mut g, I64, &[3], undefined());
    let mut clause = Clause::over(&[3]);
    let i = clause.iters[0];
    let (ten, index) = (clause.int(10), clause.index(iter(i)));
    let body = clause.exprs.binary_at(BinaryOp::Div, ten, index, Some(at));
    clause.define(&mut g, bad, &[iter(i)], Accumulator::Set, body);
    let user = tensor(&mut g, I64, &[2], undefined());
    let mut clause = Clause::over(&[2]);
    let i = clause.iters[0];
    let body = clause.read(bad, &[shifted(i, 1)]);
    clause.define(&mut g, user, &[iter(i)], Accumulator::Set, body);
    assert_eq!(observe(&g, user).expect("cell 0 is not needed"), [10, 5]);
    let failure = observe(&g, bad).expect_err("10 / 0");
    assert_eq!((failure.site, failure.tensor, failure.cell), (Some(at), bad, vec![0]));
    assert_eq!(failure.point, [(Name::new("i"), 0)]);
}

#[test]
fn an_index_outside_fails_where_it_is_read() {
    let mut g = Graph::new();
    let x = ints(&mut g, &[3], &[1, 2, 3]);
    let y = tensor(&mut g, I64, &[3], undefined());
    let mut clause = Clause::over(&[3]);
    let i = clause.iters[0];
    let body = clause.read(x, &[shifted(i, 1)]);
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, body);
    let failure = observe(&g, y).expect_err("3 is outside");
    let kind = FailureKind::IndexOutOfRange { read: x, axis: 0, index: 3, extent: 3 };
    assert_eq!((failure.kind, failure.point), (kind, vec![(Name::new("i"), 2)]));
}

#[test]
fn the_side_not_taken_is_not_evaluated() {
    let mut g = Graph::new();
    let x = ints(&mut g, &[3], &[7, 8, 9]);
    let y = tensor(&mut g, I64, &[3], undefined());
    let mut clause = Clause::over(&[3]);
    let i = clause.iters[0];
    let (index, zero) = (clause.index(iter(i)), clause.int(0));
    let inside = clause.binary(BinaryOp::Gt, index, zero);
    let before = clause.read(x, &[shifted(i, -1)]);
    let body = clause.exprs.if_else(inside, before, zero);
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, body);
    assert_eq!(observe(&g, y).expect("no failure"), [0, 7, 8]);
}

/// A node under both sides of many conditions runs once per path, not once per use.
#[test]
fn shared_nodes_under_conditions_stay_linear() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[2], undefined());
    let mut clause = Clause::over(&[2]);
    let i = clause.iters[0];
    let (mut value, zero) = (clause.index(iter(i)), clause.int(0));
    let condition = clause.binary(BinaryOp::Gt, value, zero);
    for _ in 0..200 {
        let other = clause.exprs.binary(BinaryOp::Add, value, zero);
        let left = clause.exprs.if_else(condition, value, zero);
        let right = clause.exprs.if_else(condition, zero, value);
        let both = clause.exprs.binary(BinaryOp::Max, left, right);
        value = clause.exprs.if_else(condition, both, other);
    }
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, value);
    assert_eq!(observe(&g, y).expect("no failure"), [0, 1]);
}

/// A chain of operators far deeper than any native stack.
#[test]
fn deep_bodies_do_not_recurse() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[1], undefined());
    let mut clause = Clause::over(&[]);
    let (one, yes) = (clause.int(1), clause.exprs.constant(Scalar::Bool(true)));
    let mut value = clause.int(0);
    for _ in 0..50_000 {
        value = clause.binary(BinaryOp::Add, value, one);
        value = clause.exprs.if_else(yes, value, one);
    }
    clause.define(&mut g, y, &[Affine::fixed(0)], Accumulator::Set, value);
    assert_eq!(observe(&g, y).expect("no failure"), [50_000]);
}

#[test]
fn writes_that_meet_are_summed_and_gaps_are_zero() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[6], undefined());
    let mut clause = Clause::over(&[2, 3]);
    let (i, j) = (clause.iters[0], clause.iters[1]);
    let body = clause.int(1);
    let write = iter(i).plus(&iter(j)).expect("small");
    clause.define(&mut g, y, &[write], Accumulator::Sum, body);
    assert_eq!(observe(&g, y).expect("no failure"), [1, 2, 2, 1, 0, 0]);
}

#[test]
fn strided_writes_leave_gaps() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[6], undefined());
    let mut clause = Clause::over(&[3]);
    let i = clause.iters[0];
    let body = clause.index(shifted(i, 5));
    let write = iter(i).scaled(2).expect("small").plus_size(&1.into());
    clause.define(&mut g, y, &[write], Accumulator::Set, body);
    assert_eq!(observe(&g, y).expect("no failure"), [0, 5, 0, 6, 0, 7]);
}

#[test]
fn quotients_in_writes_and_reads() {
    let mut g = Graph::new();
    let x = ints(&mut g, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let flat = tensor(&mut g, I64, &[6], undefined());
    let mut clause = Clause::over(&[6]);
    let i = clause.iters[0];
    let body = clause.read(x, &[iter(i).floor_div(&3.into()), iter(i).modulo(&3.into())]);
    clause.define(&mut g, flat, &[iter(i)], Accumulator::Set, body);
    let back = tensor(&mut g, I64, &[2, 3], undefined());
    let mut clause = Clause::over(&[6]);
    let i = clause.iters[0];
    let body = clause.read(flat, &[iter(i)]);
    let write = [iter(i).floor_div(&3.into()), iter(i).modulo(&3.into())];
    clause.define(&mut g, back, &write, Accumulator::Set, body);
    assert_eq!(observe(&g, flat).expect("no failure"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(observe(&g, back).expect("no failure"), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn guards_bound_the_domain_and_the_reduction() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[4], undefined());
    let mut clause = Clause::over(&[4, 4]);
    let (i, j) = (clause.iters[0], clause.iters[1]);
    let below = iter(i).minus(&shifted(j, 1)).expect("small");
    let domain = Affine::fixed(2).minus(&iter(i)).expect("small");
    for term in [below, domain] {
        clause.space.guards.push(Constraint { term, relation: Relation::AtLeastZero });
    }
    let body = clause.index(shifted(j, 1));
    clause.define(&mut g, y, &[iter(i)], Accumulator::Prod, body);
    // i = 0 has an empty product; i = 3 is outside the clause.
    assert_eq!(observe(&g, y).expect("no failure"), [1, 1, 2, 0]);
}

#[test]
fn selections_take_the_first_extreme() {
    let mut g = Graph::new();
    let x = ints(&mut g, &[5], &[2, 9, 1, 9, 1]);
    for (acc, expected) in [(Accumulator::ArgMax(0), 1), (Accumulator::ArgMin(0), 2)] {
        let y = tensor(&mut g, I64, &[], undefined());
        let mut clause = Clause::over(&[5]);
        let i = clause.iters[0];
        let body = clause.read(x, &[iter(i)]);
        clause.define(&mut g, y, &[], acc, body);
        assert_eq!(observe(&g, y).expect("no failure"), [expected]);
    }
}

#[test]
fn masks_and_short_circuits() {
    let mut g = Graph::new();
    let at = site(&mut g);
    let y = tensor(&mut g, ScalarType::Bool, &[], undefined());
    let mut clause = Clause::over(&[5]);
    let i = clause.iters[0];
    let (index, three, six) = (clause.index(iter(i)), clause.int(3), clause.int(6));
    let zero = clause.int(0);
    let rest = clause.binary(BinaryOp::Sub, three, index);
    // At i = 3 the body divides by zero; `any` is settled before, at i = 1.
    let quotient = clause.exprs.binary_at(BinaryOp::Div, six, rest, Some(at));
    let body = clause.binary(BinaryOp::Eq, quotient, three);
    let mask = Some(clause.binary(BinaryOp::Gt, index, zero));
    let Clause { space, exprs, .. } = clause;
    let accumulator = Accumulator::Any;
    g.assign(Assignment { target: y, space, write: vec![], accumulator, mask, body, exprs });
    let arrays = evaluate(&g, &Binding::default(), &[y], &Limits::default()).expect("settled");
    assert_eq!(arrays[0].get(0), Scalar::Bool(true));
}

/// A nested reduction whose range depends on the iterator around it.
#[test]
fn nested_reductions() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[4], undefined());
    let mut clause = Clause::over(&[4]);
    let i = clause.iters[0];
    let j = clause.space.iters.push(Some(Name::new("j")));
    let body = clause.index(iter(j));
    let ranges = vec![Range { iter: j, lo: Affine::fixed(0), hi: shifted(i, 1) }];
    let accumulator = Accumulator::Sum;
    let r = Reduction { accumulator, ranges, guards: Vec::new(), mask: None, body };
    let total = clause.exprs.add(Expr::Reduce(Box::new(r)), I64);
    let body = clause.binary(BinaryOp::Mul, total, total);
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, body);
    assert_eq!(observe(&g, y).expect("no failure"), [0, 1, 9, 36]);
}

#[test]
fn observations_share_what_is_computed_while_the_graph_grows() {
    let mut g = Graph::new();
    let f = fibonacci(&mut g, 8);
    let mut evaluator = Evaluator::new(Binding::default());
    let limits = Limits::default();
    let first = evaluator.observe(&g, f, &limits).expect("no failure");
    let y = tensor(&mut g, I64, &[1], undefined());
    let mut clause = Clause::over(&[]);
    let body = clause.read(f, &[Affine::fixed(7)]);
    clause.define(&mut g, y, &[Affine::fixed(0)], Accumulator::Set, body);
    assert_eq!(evaluator.observe(&g, y, &limits).expect("no failure").get(0), Scalar::I64(13));
    assert!(Arc::ptr_eq(&first, &evaluator.observe(&g, f, &limits).expect("no failure")));
}

#[test]
fn interruption_stops_long_runs() {
    let mut g = Graph::new();
    let y = tensor(&mut g, I64, &[], undefined());
    let mut clause = Clause::over(&[i64::MAX]);
    let body = clause.int(1);
    clause.define(&mut g, y, &[], Accumulator::Sum, body);
    let flag = AtomicBool::new(true);
    let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
    let failure = evaluate(&g, &Binding::default(), &[y], &limits).expect_err("interrupted");
    assert_eq!(failure.kind, FailureKind::Interrupted);
}

#[test]
fn extents_come_from_the_binding() {
    let mut g = Graph::new();
    let info = crate::ParamInfo { name: Name::new("n"), span: None, default: Some(2) };
    let n = g.params.push(info);
    let y = tensor(&mut g, I64, &[0], undefined());
    g.tensors[y].axes[0].extent = weft_shape::Size::param(n);
    let mut clause = Clause::over(&[]);
    let i = clause.space.push(None, Affine::fixed(0), Affine::fixed(weft_shape::Size::param(n)));
    let body = clause.index(iter(i));
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, body);
    assert_eq!(observe(&g, y).expect("no failure"), [0, 1]);
    let mut binding = Binding::default();
    binding.params.insert(n, -1);
    let failure = evaluate(&g, &binding, &[y], &Limits::default()).expect_err("negative");
    assert_eq!(failure.kind, FailureKind::Extent { axis: 0, value: Some(-1) });
}

/// `u = 1 / (i - 2)`, `v = 1 / (i - 1)`, `y = v + u` all fail somewhere; `u` is earliest.
#[test]
fn the_earliest_definition_that_fails_is_reported() {
    let mut g = Graph::new();
    let at = site(&mut g);
    let quotient = |g: &mut Graph, zero_at: i64| {
        let t = tensor(g, I64, &[4], undefined());
        let mut clause = Clause::over(&[4]);
        let i = clause.iters[0];
        let (one, rest) = (clause.int(1), clause.index(shifted(i, -zero_at)));
        let body = clause.exprs.binary_at(BinaryOp::Div, one, rest, Some(at));
        clause.define(g, t, &[iter(i)], Accumulator::Set, body);
        t
    };
    let (u, v) = (quotient(&mut g, 2), quotient(&mut g, 1));
    let y = tensor(&mut g, I64, &[4], undefined());
    let mut clause = Clause::over(&[4]);
    let i = clause.iters[0];
    let (a, b) = (clause.read(v, &[iter(i)]), clause.read(u, &[iter(i)]));
    let body = clause.binary(BinaryOp::Add, a, b);
    clause.define(&mut g, y, &[iter(i)], Accumulator::Set, body);
    let mut evaluator = Evaluator::new(Binding::default());
    for _ in 0..2 {
        let failure = evaluator.observe(&g, y, &Limits::default()).expect_err("twice");
        assert_eq!((failure.tensor, failure.cell), (u, vec![2]));
    }
}
