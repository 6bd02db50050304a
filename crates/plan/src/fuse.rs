//! Fusion of rows: nests over the same outer index that touch the same rows run row by row.
//!
//! ```text
//! m[r] = …x[r, j]…                 for r
//! v[r] = …x[r, j]…m[r]…      =>      m[r] = …; v[r] = …; y[r, …] = …
//! y[r, j] = …x[r, j]…m[r]…
//! ```
//!
//! A row then comes from memory once, and stays in the nearest cache for all nests. The
//! iterations of the joint loop are independent: of what a nest of the group writes, the
//! others read their own row. Each cell is computed as before. Products of matrices, whose
//! rows share their other operand, are left to the schedule's tiles. So are the nests in one
//! step of a recurrence: a thread that shares the loop then keeps its rows to itself.
//!
//! Row by row, each nest waits for what the one before it made of the same row, where a nest
//! by itself works on several rows at once. So nests stay apart where all their rows are known to
//! stay in a near cache anyway ([`PlanOptions::near`]).
//!
//! The failure reported stays the first one: only one nest of a group may fail, or each
//! fails in all rows alike.

use crate::routine::{Item, LoopVar, Nest, PlanOptions, TimeLoop};
use std::collections::BTreeSet;
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_depend::{is_scatter, scope_of};
use weft_domain::{Affine, Iter};
use weft_scalar::BinaryOp;
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, Graph, IndexTerm, TensorId};
use weft_tensor::{reachable, reads};

/// Puts consecutive nests that share rows into one loop over rows, and within it those
/// that share rows of rows.
pub(crate) fn fuse_rows(
    graph: &Graph,
    items: Vec<Item>,
    loop_vars: &mut PrimaryMap<LoopVar, Option<Name>>,
    options: &PlanOptions,
) -> Vec<Item> {
    let mut fuser = Fuser { graph, loop_vars, options };
    fuser.fuse(items, 0)
}

struct Fuser<'a> {
    graph: &'a Graph,
    loop_vars: &'a mut PrimaryMap<LoopVar, Option<Name>>,
    options: &'a PlanOptions,
}

/// A nest that works on one row at a time.
struct Rows {
    nest: Nest,
    iter: Iter,
    range: (Affine, Affine),
    target: TensorId,
    /// Its reads at the row.
    at_row: BTreeSet<TensorId>,
    /// Of these the ones that have more in a row than one cell.
    wide: BTreeSet<TensorId>,
    /// Its other reads.
    elsewhere: BTreeSet<TensorId>,
    fails: Fails,
    /// Whether there are loops within a row.
    has_loops: bool,
}

/// Whether a nest may fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fails {
    Never,
    /// In every row or in none.
    Alike,
    /// In some rows perhaps.
    Somewhere,
}

impl Fuser<'_> {
    fn fuse(&mut self, items: Vec<Item>, depth: usize) -> Vec<Item> {
        let mut out = Vec::new();
        let mut group: Vec<Rows> = Vec::new();
        for mut item in items {
            if let Item::Loop(l) = &mut item {
                l.body = self.fuse(std::mem::take(&mut l.body), depth + 1);
            }
            let rows = match &item {
                Item::Nest(n) => rows(self.graph, n, depth),
                Item::Fill(_) | Item::Loop(_) => None,
            };
            let fits = rows.as_ref().is_some_and(|r| joins(&group, r));
            if !fits {
                self.close(&mut group, depth, &mut out);
            }
            match rows {
                Some(rows) => group.push(rows),
                None => out.push(item),
            }
        }
        self.close(&mut group, depth, &mut out);
        out
    }

    /// Appends a group: as one loop where that is worth it.
    fn close(&mut self, group: &mut Vec<Rows>, depth: usize, out: &mut Vec<Item>) {
        let group = std::mem::take(group);
        let looped = group.iter().any(|r| r.has_loops);
        let [first, _, ..] = group.as_slice() else {
            return out.extend(group.into_iter().map(|r| Item::Nest(r.nest)));
        };
        if !looped || self.stays_near(&group, depth) {
            return out.extend(group.into_iter().map(|r| Item::Nest(r.nest)));
        }
        let name = self.graph.assigns[first.nest.assign].space.iters[first.iter].clone();
        let (lo, hi) = first.range.clone();
        let var = self.loop_vars.push(name);
        let bind = |mut r: Rows| {
            r.nest.bound.push((r.iter, Affine::iter(var)));
            Item::Nest(r.nest)
        };
        let body = self.fuse(group.into_iter().map(bind).collect(), depth + 1);
        let (within, descending, parallel) = (None, false, true);
        out.push(Item::Loop(TimeLoop { var, lo, hi, within, descending, parallel, body }));
    }
}

impl Fuser<'_> {
    /// Whether the rows of a group are known to stay in a near cache from nest to nest.
    fn stays_near(&self, group: &[Rows], depth: usize) -> bool {
        let touched: BTreeSet<TensorId> =
            group.iter().flat_map(|r| r.at_row.iter().chain([&r.target])).copied().collect();
        let mut each = touched.into_iter().map(|t| self.bytes(t, depth));
        let bytes = each.try_fold(0i64, |sum, bytes| Some(sum.saturating_add(bytes?)));
        bytes.is_some_and(|bytes| bytes <= self.options.near)
    }

    /// The likely bytes of a tensor along its axes from `depth` on.
    fn bytes(&self, t: TensorId, depth: usize) -> Option<i64> {
        let value = |p| self.graph.param_value(&self.options.likely, p);
        let extents = self.graph.shape(t).skip(depth);
        let elem = self.graph.tensors[t].elem.bytes() as i64;
        extents.map(|n| n.eval(&value)).try_fold(elem, |sum, n| Some(sum.saturating_mul(n?)))
    }
}

/// Whether a nest may run row by row beside those of a group, and gains from it.
fn joins(group: &[Rows], new: &Rows) -> bool {
    let Some(first) = group.first() else { return true };
    let written = |t: &TensorId| group.iter().any(|r| r.target == *t);
    // A recurrence writes what an earlier nest may still need of an older step.
    let reads_elsewhere = group.iter().any(|r| r.elsewhere.contains(&new.target));
    let apart = !reads_elsewhere && !new.elsewhere.iter().any(written);
    let shares =
        new.at_row.iter().any(written) || group.iter().any(|r| !r.wide.is_disjoint(&new.wide));
    let fails: Vec<Fails> =
        group.iter().chain([new]).map(|r| r.fails).filter(|f| *f != Fails::Never).collect();
    let same_failure = fails.len() <= 1 || fails.iter().all(|f| *f == Fails::Alike);
    first.range == new.range && apart && shares && same_failure
}

/// A nest as one over rows, the axis `depth` of what it writes and reads being theirs.
fn rows(graph: &Graph, n: &Nest, depth: usize) -> Option<Rows> {
    let a = &graph.assigns[n.assign];
    let plain = n.bound.len() == depth && n.when.is_empty() && n.tested.is_empty() && !n.continues;
    let range = a.space.ranges.get(depth)?;
    let iter = range.iter;
    let sizes = range.lo.as_size().is_some() && range.hi.as_size().is_some();
    let free = |i: Iter| !n.bound.iter().any(|(b, _)| *b == i);
    // Terms that find their rows by number are added in one go.
    let light = is_light(a, depth) && !is_scatter(a);
    (plain && sizes && free(iter) && at(&a.write, depth, iter)? && light).then_some(())?;
    let (mut at_row, mut wide, mut elsewhere) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for r in reads(a) {
        let rank = r.index.len();
        if rank > depth && at(r.index, depth, iter)? {
            at_row.insert(r.tensor);
            if rank > depth + 1 {
                wide.insert(r.tensor);
            }
        } else {
            // Rows share it: a small thing, or the operand of a product of matrices.
            let steps = r.index.iter().filter(|t| is_bound(n, t)).count();
            if r.index.iter().any(|t| mentions(t, iter)) || rank > 1 + steps {
                return None;
            }
            elsewhere.insert(r.tensor);
        }
    }
    Some(Rows {
        nest: n.clone(),
        iter,
        range: (range.lo.clone(), range.hi.clone()),
        target: a.target,
        at_row,
        wide,
        elsewhere,
        fails: fails(graph, a, iter),
        has_loops: a.space.ranges.len() > depth + 1,
    })
}

/// Whether the axis `depth` moves with the iterator alone; `None` where another one does.
fn at(index: &[IndexTerm], depth: usize, iter: Iter) -> Option<bool> {
    let own = index.get(depth)?.as_affine().and_then(Affine::as_iter) == Some(iter);
    let others = index.iter().enumerate().filter(|(axis, _)| *axis != depth);
    let only = !others.into_iter().any(|(_, t)| mentions(t, iter));
    only.then_some(own)
}

/// Whether a term moves with the loops around a nest, and with nothing else.
fn is_bound(n: &Nest, t: &IndexTerm) -> bool {
    let bound = |i: &Iter| n.bound.iter().any(|(b, _)| b == i);
    let iters = t.as_affine().map(Affine::iters).unwrap_or_default();
    !iters.is_empty() && iters.iter().all(bound)
}

/// Whether a term may change with an iterator.
fn mentions(t: &IndexTerm, iter: Iter) -> bool {
    match t {
        IndexTerm::Affine(x) => x.iters().contains(&iter),
        IndexTerm::Data(_) => true,
    }
}

/// Whether a nest is a plain store without reductions inside, or reduces a row to a cell.
fn is_light(a: &Assignment, depth: usize) -> bool {
    let reduces = |e| matches!(a.exprs.get(e), Expr::Reduce(_));
    let cells = a.written().len() > depth + 1;
    match a.accumulator {
        Accumulator::Set => !cells || !reachable(a).into_iter().any(reduces),
        _ => !cells,
    }
}

/// Whether an assignment may fail at some point.
pub(crate) fn may_fail(graph: &Graph, a: &Assignment) -> bool {
    !failing_nodes(graph, a).is_empty()
}

/// The nodes that may fail.
fn failing_nodes(graph: &Graph, a: &Assignment) -> Vec<ExprId> {
    let scope = scope_of(a);
    let safe = |tensor: TensorId, index: &[IndexTerm]| {
        index.iter().zip(graph.shape(tensor)).all(|(term, extent)| {
            term.as_affine().is_some_and(|x| scope.within(x, extent, &graph.facts))
        })
    };
    let may_fail = |e: &ExprId| match a.exprs.get(*e) {
        Expr::Read { tensor, index, site } => site.is_some() && !safe(*tensor, index),
        Expr::Binary(op, _, b, site) => site.is_some() && divides(a, *op, *b),
        Expr::Check { .. } => a.exprs.fitted(*e).is_none(),
        Expr::Call { .. } => true,
        _ => false,
    };
    reachable(a).into_iter().filter(may_fail).collect()
}

/// Whether the nest may fail, and how.
fn fails(graph: &Graph, a: &Assignment, row: Iter) -> Fails {
    let always = always_evaluated(a);
    let failing = failing_nodes(graph, a);
    let ranges = a.space.ranges.iter().flat_map(|r| [&r.lo, &r.hi]);
    let mut steered = ranges.chain(a.space.guards.iter().map(|g| &g.term));
    let by_row = steered.any(|x| x.iters().contains(&row));
    let settles = matches!(a.accumulator, Accumulator::All | Accumulator::Any);
    let at_times = by_row || settles || a.mask.is_some();
    match failing.is_empty() {
        true => Fails::Never,
        false if at_times || !failing.iter().all(|e| always.contains(e)) => Fails::Somewhere,
        false => conditions_of_rows(a, &failing, row),
    }
}

/// The nodes that every point evaluates, as long as nothing fails.
fn always_evaluated(a: &Assignment) -> BTreeSet<ExprId> {
    let mut found = BTreeSet::new();
    let mut stack = vec![a.body];
    while let Some(e) = stack.pop() {
        if found.insert(e) {
            match a.exprs.get(e) {
                Expr::If(c, ..) => stack.push(*c),
                Expr::Reduce(_) => {}
                other => stack.extend(other.operands()),
            }
        }
    }
    found
}

/// Whether what may fail depends on the row or on data.
fn conditions_of_rows(a: &Assignment, failing: &[ExprId], row: Iter) -> Fails {
    let checked = failing.iter().filter_map(|&e| match a.exprs.get(e) {
        Expr::Check { condition, .. } => Some(*condition),
        Expr::Read { site: Some(_), .. } | Expr::Call { .. } => Some(e),
        Expr::Binary(_, _, b, Some(_)) => Some(*b),
        _ => None,
    });
    let varies = |e: &ExprId| match a.exprs.get(*e) {
        Expr::Read { .. } | Expr::Call { .. } => true,
        Expr::Index(x) => x.iters().contains(&row),
        _ => false,
    };
    if weft_tensor::reachable_from(&a.exprs, checked).iter().any(varies) {
        Fails::Somewhere
    } else {
        Fails::Alike
    }
}

/// Whether an operator with a site can fail for some operand.
fn divides(a: &Assignment, op: BinaryOp, b: ExprId) -> bool {
    weft_scalar::eval::trap_by(op, a.exprs.ty(b), None).is_some()
}
