//! Loops of which an equality with a computed number leaves one point.
//!
//! ```text
//! sum[k](t[k, j] where k == ix[i])   =>   t[ix[i], j] where ix[i] is in the range of k
//! ```
//!
//! This is the one-point rule (Gries and Schneider, *A Logical Approach to Discrete Math*,
//! 8.14). Where the number stands outside the reduced loop it makes a gather. Where a reduced
//! loop changes the number and a written one is compared with it (`ix[k] == i`), the written
//! loop runs inside and has one point: a scatter, whose cells meet their terms in the order
//! of the reduced loops as before.

use crate::analysis::{Context, View};
use crate::nodes::Nodes;
use crate::recognise::Order;
use crate::strategy::Refusal;
use weft_depend::{Terms, strip};
use weft_domain::{Affine, Iter, Range, Scope};
use weft_scalar::{BinaryOp, Scalar};
use weft_shape::Size;
use weft_tensor::{Accumulator, Assignment, Expr, ExprId};

/// Fewer cells are compared with every number faster than numbers find their cells.
const LEAST_CELLS: i64 = 9;

/// An equality, and the one point at which it holds.
#[derive(Clone, Debug)]
pub(crate) struct OnePoint {
    /// The iterator that it decides.
    pub iter: Iter,
    /// The equality.
    pub condition: ExprId,
    /// The number in it: the iterator is `sign * (number - rest)`.
    pub number: ExprId,
    /// What is added to the iterator.
    pub rest: Affine,
    /// 1 or -1.
    pub sign: i64,
}

/// Loops with one point, and the order of loops that has them.
#[derive(Clone, Debug)]
pub(crate) struct OnePoints {
    /// At most one for each iterator.
    pub all: Vec<OnePoint>,
    /// The order.
    pub order: Order,
    /// The reduced loops, those with one point behind the ones that change their numbers.
    pub reduced: Vec<Range>,
}

impl Context<'_> {
    /// The loops of a nest with one point, where terms meet by an operator.
    pub fn one_points(
        &self,
        view: &View<'_>,
        outer: &[Range],
        reduced: &[Range],
    ) -> Result<OnePoints, Refusal> {
        let a = view.assignment;
        let facts = (view.nodes, view.scope, self.machine.is_precise());
        let mut all = one_points(a, facts, Terms::of(a));
        all.retain(|p| !view.is_bound(p.iter));
        if all.is_empty() {
            return Err(Refusal::Foreign);
        }
        let is_reduced = |i: &Iter| reduced.iter().any(|r| r.iter == *i);
        let of_cells = |p: &OnePoint| !is_reduced(&p.iter);
        let changes = |p: &OnePoint| view.nodes.get(p.number).iters.iter().any(is_reduced);
        if all.iter().any(|p| of_cells(p) && changes(p)) {
            all.retain(|p| !of_cells(p) || changes(p));
            let order = self.scatter(view, (outer, reduced), &all)?;
            let reduced = self.reduced_loops(view, reduced, &all);
            return Ok(OnePoints { all, order, reduced });
        }
        all.retain(|p| !of_cells(p));
        let Some(first) = all.first() else { return Err(Refusal::Foreign) };
        let order = self.gather(view, (outer, reduced), first);
        let reduced = self.reduced_loops(view, reduced, &all);
        Ok(OnePoints { all, order, reduced })
    }

    /// The reduced loops, each with one point behind those that change its number, where terms
    /// may meet in another order.
    fn reduced_loops(&self, view: &View<'_>, reduced: &[Range], all: &[OnePoint]) -> Vec<Range> {
        let a = view.assignment;
        let exact = !a.exprs.ty(a.body).is_float()
            || matches!(a.accumulator, Accumulator::Max | Accumulator::Min);
        let in_order = self.plan.options.strict && !exact
            || self.machine.is_precise() && view.may_fail()
            || has_places(a.accumulator);
        let mut open = reduced.to_vec();
        if in_order {
            return open;
        }
        let mut turned: Vec<Range> = Vec::new();
        while !open.is_empty() {
            let needs = |r: &Range| {
                let point = all.iter().find(|p| p.iter == r.iter);
                let number = point.map(|p| view.nodes.get(p.number).iters.clone());
                [r.lo.iters(), r.hi.iters(), number.unwrap_or_default()].concat()
            };
            let waits = |r: &Range| needs(r).iter().any(|i| open.iter().any(|o| o.iter == *i));
            let next = open.iter().position(|r| !waits(r)).unwrap_or(0);
            turned.push(open.remove(next));
        }
        turned
    }

    /// The written loops inside that do not change the number, so that rows are taken as wholes.
    fn gather(
        &self,
        view: &View<'_>,
        (outer, reduced): (&[Range], &[Range]),
        first: &OnePoint,
    ) -> Order {
        if !view.assignment.is_plainly_injective() {
            // Several points may write one cell.
            return Order::Cells(0);
        }
        let mut needed = view.nodes.get(first.number).iters.clone();
        needed.extend(first.rest.iters());
        let last = outer.iter().rposition(|r| needed.contains(&r.iter));
        let (_, inside) = outer.split_at(last.map_or(0, |n| n + 1));
        let in_order = self.machine.is_precise() && view.may_fail();
        match inside.is_empty() || in_order || !runs_inside(view, inside, reduced) {
            true => Order::Cell,
            false => Order::Cells(inside.len()),
        }
    }

    /// The written loops from the first with one point on inside the reduced ones.
    fn scatter(
        &self,
        view: &View<'_>,
        (outer, reduced): (&[Range], &[Range]),
        all: &[OnePoint],
    ) -> Result<Order, Refusal> {
        let first = outer.iter().position(|r| all.iter().any(|p| p.iter == r.iter));
        let (_, inside) = outer.split_at(first.expect("a written loop has one point"));
        if has_places(view.assignment.accumulator) {
            return Err(Refusal::Places);
        }
        // Who asks where a program fails first wants the cells in their order.
        if self.machine.is_precise() && view.may_fail() {
            return Err(Refusal::Statements);
        }
        if !runs_inside(view, inside, reduced) {
            return Err(Refusal::DependentRanges);
        }
        let changes_inside = |p: &OnePoint| {
            view.nodes.get(p.number).iters.iter().any(|i| inside.iter().any(|r| r.iter == *i))
        };
        if all.iter().any(changes_inside) {
            return Err(Refusal::DependentRanges);
        }
        let cells = inside.iter().filter(|r| all.iter().any(|p| p.iter == r.iter));
        let counts = cells.filter_map(|r| self.likely_count(&r.lo, &r.hi));
        match counts.reduce(i64::saturating_mul) {
            Some(few) if few < LEAST_CELLS => Err(Refusal::Small),
            _ => Ok(Order::Cells(inside.len())),
        }
    }
}

/// Whether results are places of the reduced loops: no operator combines them.
fn has_places(a: Accumulator) -> bool {
    matches!(a, Accumulator::ArgMax(_) | Accumulator::ArgMin(_))
}

/// Whether some written loops may run inside the reduced ones.
fn runs_inside(view: &View<'_>, inside: &[Range], reduced: &[Range]) -> bool {
    let a = view.assignment;
    let is_inside = |i: &Iter| inside.iter().any(|r| r.iter == *i);
    let uses = |x: &Affine| x.iters().iter().any(is_inside);
    a.is_plainly_injective()
        && !has_places(a.accumulator)
        && !inside.iter().any(|r| view.is_bound(r.iter))
        && !reduced.iter().any(|r| uses(&r.lo) || uses(&r.hi))
}

/// The equalities that terms stand under and that leave one point of a loop each. What is
/// evaluated before one of them cannot fail, since it is evaluated no more at other points; and
/// a number that may fail is that of the first condition, since those before it would guard it.
/// `precise`: failures come in the order of the source.
pub(crate) fn one_points(
    a: &Assignment,
    (nodes, scope, precise): (&Nodes, &Scope, bool),
    terms: Terms,
) -> Vec<OnePoint> {
    let mut found: Vec<OnePoint> = Vec::new();
    let divides = |e: ExprId| !nodes.get(e).traps && !nodes.get(e).checked;
    for (n, condition) in terms.conditions(&a.exprs, &divides).into_iter().enumerate() {
        let node = nodes.get(condition);
        let may_fail = n == 0 && !precise;
        let point = one_point(a, (nodes, scope), condition, may_fail);
        match point.filter(|p| found.iter().all(|other| other.iter != p.iter)) {
            Some(point) => found.push(point),
            None if node.traps || node.checked && node.loads => break,
            None => {}
        }
    }
    found
}

fn one_point(
    a: &Assignment,
    (nodes, scope): (&Nodes, &Scope),
    condition: ExprId,
    may_fail: bool,
) -> Option<OnePoint> {
    let Expr::Binary(BinaryOp::Eq, x, y, _) = a.exprs.get(condition) else { return None };
    let of = |index: ExprId, number: ExprId| {
        let node = nodes.get(number);
        let safe = may_fail || !node.traps && !node.unsafe_loads;
        let known = safe && !nodes.get(index).traps;
        let computed = index_of(a, scope, number).is_none();
        let term = index_of(a, scope, index).filter(|_| known && computed)?;
        term.iters().into_iter().filter(|i| !node.iters.contains(i)).find_map(|iter| {
            let sign = term.coefficient(iter);
            let rest = term.minus(&Affine::iter(iter).scaled(sign)?)?;
            let alone = sign.abs() == 1 && !rest.iters().contains(&iter);
            alone.then_some(OnePoint { iter, condition, number, rest, sign })
        })
    };
    of(*x, *y).or_else(|| of(*y, *x))
}

/// The index that a node is, if its type holds it wherever the iterators lead, or a check
/// says so.
fn index_of(a: &Assignment, scope: &Scope, e: ExprId) -> Option<Affine> {
    let e = strip(&a.exprs, e);
    let (held, e) = match a.exprs.get(e) {
        Expr::Cast(ty, x) => (Some(*ty), *x),
        _ => (None, e),
    };
    let Expr::Index(term) = a.exprs.get(e) else { return None };
    if let Some(ty) = held {
        let end = |end: Option<Affine>| end?.as_size().and_then(Size::as_constant);
        let (lo, hi) = (end(scope.lower(term))?, end(scope.upper(term))?);
        let [least, greatest] = [Scalar::least(ty), Scalar::greatest(ty)].map(Scalar::as_i64);
        (ty.is_int() && lo >= least? && hi <= greatest?).then_some(())?;
    }
    Some(term.clone())
}
