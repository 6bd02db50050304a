//! How much work a segment is for the evaluator: an upper bound from extents alone.

use std::collections::{BTreeMap, BTreeSet};
use weft_diag::{Code, Diagnostic};
use weft_domain::{NoInterval, bounds};
use weft_shape::{Param, Size};
use weft_tensor::eval::Binding;
use weft_tensor::{Assignment, Expr, Graph, Iter, Range, Space, TensorId, compute_demand};

/// Work by what is observed and the values of all parameters, of what is found to end.
#[derive(Default)]
pub(crate) struct KnownWork(BTreeMap<(Vec<TensorId>, Vec<i64>), Option<u64>>);

/// Entries that are kept: a caller may give ever other extents.
const MOST_KNOWN: usize = 256;

impl KnownWork {
    /// What observing some tensors takes, as [`evaluator_work`] has it.
    ///
    /// # Errors
    ///
    /// What [`endless`] says of what never ends.
    pub fn of(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Option<u64>, Diagnostic> {
        let params = graph.param_values(&binding.params).values().copied().collect();
        let key = (wanted.to_vec(), params);
        if let Some(known) = self.0.get(&key) {
            return Ok(*known);
        }
        if let Some(never) = endless(graph, binding, wanted) {
            return Err(never);
        }
        let work = evaluator_work(graph, binding, wanted);
        if self.0.len() >= MOST_KNOWN {
            self.0.clear();
        }
        self.0.insert(key, work);
        Ok(work)
    }
}

/// Scalar operations that observing some tensors takes at most, every cell of everything
/// they read computed once, and their cells, which all have a place from the start, whatever is
/// computed of them; `None` where a size has no value.
pub fn evaluator_work(graph: &Graph, binding: &Binding, wanted: &[TensorId]) -> Option<u64> {
    let value = values(graph, binding);
    let needed = needed(graph, wanted);
    let targets: BTreeSet<TensorId> = needed.iter().map(|(t, _)| *t).collect();
    let work = needed.iter().map(|(_, a)| assignment_work(a, &value));
    let cells = targets.into_iter().map(|t| cells(graph, t, &value));
    work.chain(cells).try_fold(0u64, |total, n| Some(total.saturating_add(n?)))
}

fn cells(graph: &Graph, t: TensorId, value: &dyn Fn(Param) -> Option<i64>) -> Option<u64> {
    graph.shape(t).try_fold(1u64, |cells, s| {
        Some(cells.saturating_mul(u64::try_from(s.eval(value)?).unwrap_or(0)))
    })
}

/// Points of one assignment that no machine ever visits, however they are divided and in
/// whatever order: two ranges of all integers have as many.
const ENDLESS: u128 = 1 << 96;

/// Refuses what would never end: the first tensor in the source with so many points.
fn endless(graph: &Graph, binding: &Binding, wanted: &[TensorId]) -> Option<Diagnostic> {
    let value = values(graph, binding);
    let needed = needed(graph, wanted);
    let mut found = needed.iter().filter_map(|(t, a)| {
        let points = points(a, false, &value).filter(|n| *n >= ENDLESS)?;
        Some((graph.tensors[*t].span?, points))
    });
    let first = found.next()?;
    let (span, points) = found.fold(first, |a, b| if b.0.start < a.0.start { b } else { a });
    let headline = format!("this runs over {:.1e} points", points as f64);
    Some(Diagnostic::error(Code::E0007, headline).primary(span, "it would never end"))
}

fn values<'v>(graph: &'v Graph, binding: &'v Binding) -> impl Fn(Param) -> Option<i64> + 'v {
    let default = |p| graph.params.get(p).and_then(|i| i.default);
    move |p| binding.params.get(&p).copied().or_else(|| default(p))
}

/// All assignments that some tensors are computed by, with their targets.
fn needed<'g>(graph: &'g Graph, wanted: &[TensorId]) -> Vec<(TensorId, &'g Assignment)> {
    let demand = compute_demand(graph, wanted.iter().copied(), &BTreeSet::new());
    let needed = graph.tensors.keys().filter(|&t| demand[t]);
    needed.flat_map(|t| graph.pieces(t).iter().map(move |&a| (t, &graph.assigns[a]))).collect()
}

/// A call of a recursive function: how long it runs is not known.
const WORK_OF_CALL: u64 = 1 << 40;

fn assignment_work(a: &Assignment, value: &dyn Fn(Param) -> Option<i64>) -> Option<u64> {
    let count = |visited| Some(u64::try_from(points(a, visited, value)?).unwrap_or(u64::MAX));
    let (points, all) = (count(true)?, count(false)?);
    let calls = a.exprs.ids().any(|e| matches!(a.exprs.get(e), Expr::Call { .. }));
    let each = a.exprs.len() as u64 + 1 + if calls { WORK_OF_CALL } else { 0 };
    Some(points.saturating_mul(each).saturating_add(all))
}

/// The points of an assignment's box; those alone that are `visited`, and not passed over by
/// a look at one index.
fn points(a: &Assignment, visited: bool, value: &dyn Fn(Param) -> Option<i64>) -> Option<u128> {
    let size = |s: &Size| s.eval(value).map(i128::from);
    a.space.ranges.iter().try_fold(1u128, |points, r| {
        let ends = range_of(&a.space, r, &size);
        let n = match ends {
            Ok((lo, hi)) if visited => within(&a.space, r.iter, (lo, hi), value),
            Ok(ends) => ends,
            Err(NoInterval::Empty) => (0, 0),
            Err(NoInterval::Unknown) => return None,
        };
        Some(points.saturating_mul(n.1.saturating_sub(n.0).max(0).unsigned_abs()))
    })
}

/// The least first value of a range, and the greatest end.
fn range_of(
    space: &Space,
    r: &Range,
    size: &dyn Fn(&Size) -> Option<i128>,
) -> Result<(i128, i128), NoInterval> {
    Ok((bounds::interval(space, &r.lo, size)?.0, bounds::interval(space, &r.hi, size)?.1))
}

/// A range without the points that guards on its iterator alone exclude.
fn within(
    space: &Space,
    iter: Iter,
    (mut lo, mut hi): (i128, i128),
    value: &dyn Fn(Param) -> Option<i64>,
) -> (i128, i128) {
    for limit in space.guards.iter().filter_map(|g| g.limit(iter)) {
        let edge = limit.edge().and_then(|e| e.as_size()?.eval(value));
        let Some(edge) = edge.map(i128::from) else { continue };
        if limit.is_lower() {
            lo = lo.max(edge);
        }
        if limit.is_upper() {
            hi = hi.min(edge + 1);
        }
    }
    (lo, hi)
}
