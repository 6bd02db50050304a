//! Save slices: what a step of a recurrence reads of the step before, besides each cell's
//! own predecessor, as tensors of their own where it is of lower rank.
//!
//! ```text
//! d[k, i, j] = min(d[k-1, i, j], d[k-1, i, k-1] + d[k-1, k-1, j])
//! =>
//! u[k-1, i] = d[k-1, i, k-1];   v[k-1, j] = d[k-1, k-1, j]
//! d[k, i, j] = min(d[k-1, i, j], u[k-1, i] + v[k-1, j])
//! ```
//!
//! Each cell then reads of its own tensor but itself, and the steps can be computed in
//! place (`steps_in_place`): the copies are small beside a second step of the whole.

use crate::context::Context;
use std::collections::BTreeMap;
use weft_base::Name;
use weft_depend::scope_of;
use weft_domain::{Affine, Iter};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId,
};
use weft_tensor::{ReadAt, reads};

/// Axes of a recurrence from which on a slice is worth saving: time and two more.
const LEAST_RANK: usize = 3;

/// Saves slices in every recurrence that nobody needs whole.
pub(crate) fn privatise_slices(graph: &mut Graph, context: &mut Context<'_>) {
    for t in graph.tensors.keys().collect::<Vec<_>>() {
        let kept = context.observed.contains(&t) || context.stored.contains(&t);
        if kept || graph.tensors[t].axes.len() < LEAST_RANK {
            continue;
        }
        if let Some(found) = slices(graph, t) {
            found.into_iter().for_each(|(p, nodes)| save(graph, p, &nodes));
        }
    }
}

/// The pieces of a recurrence that read slices of their own tensor, with the nodes that
/// do; `None` where any piece reads it in another way.
fn slices(graph: &Graph, t: TensorId) -> Option<Vec<(AssignId, Vec<ExprId>)>> {
    let mut found = Vec::new();
    for &p in graph.pieces(t) {
        let a = &graph.assigns[p];
        let own: Vec<ReadAt<'_>> = reads(a).into_iter().filter(|r| r.tensor == t).collect();
        if own.is_empty() {
            continue;
        }
        let cell = cell(a)?;
        let time = cell[0];
        let range = a.space.range(time)?;
        if range.lo.as_constant() != Some(1) {
            return None;
        }
        let (mut nodes, mut itself) = (Vec::new(), false);
        for r in own {
            if is_before(&r, &cell)? {
                itself = true
            } else {
                nodes.push(slice(graph, a, &r, &cell)?)
            }
        }
        if !itself {
            return None;
        }
        found.push((p, nodes));
    }
    found.iter().any(|(_, nodes)| !nodes.is_empty()).then_some(found)
}

/// The iterators of the cell that a plain store over a box writes, time first.
fn cell(a: &Assignment) -> Option<Vec<Iter>> {
    let box_of_sizes = a.space.guards.is_empty()
        && a.space.ranges.iter().all(|r| r.lo.as_size().is_some() && r.hi.as_size().is_some());
    let plain = a.accumulator == Accumulator::Set && a.mask.is_none() && box_of_sizes;
    let cell: Vec<Iter> =
        a.write.iter().map(|t| t.as_affine()?.as_iter()).collect::<Option<_>>()?;
    (plain && cell.len() == a.space.ranges.len()).then_some(cell)
}

/// Whether a read of the step before is of the cell itself; `None` for another step.
fn is_before(r: &ReadAt<'_>, cell: &[Iter]) -> Option<bool> {
    let at = r.index[0].as_affine()?;
    let back = at.minus(&Affine::iter(cell[0]))?.as_constant()?;
    let same = |(t, i): (&IndexTerm, &Iter)| t.as_affine().and_then(Affine::as_iter) == Some(*i);
    (back == -1).then(|| r.index[1..].iter().zip(&cell[1..]).all(same))
}

/// The node of a read that is the same along some axis, and surely inside everywhere.
fn slice(graph: &Graph, a: &Assignment, r: &ReadAt<'_>, cell: &[Iter]) -> Option<ExprId> {
    let scope = scope_of(a);
    let inside = r.index.iter().zip(graph.shape(r.tensor)).all(|(term, extent)| {
        term.as_affine().is_some_and(|x| scope.within(x, extent, &graph.facts))
    });
    let Expr::Read { site: None, .. } = a.exprs.get(r.expr) else { return None };
    let used = iters(r.index);
    let fewer = cell[1..].iter().any(|i| !used.contains(i));
    let known = used.iter().all(|i| cell.contains(i));
    (inside && fewer && known).then_some(r.expr)
}

fn iters(index: &[IndexTerm]) -> Vec<Iter> {
    index.iter().filter_map(IndexTerm::as_affine).flat_map(Affine::iters).collect()
}

/// Puts reads of new tensors in the place of some nodes of a piece.
fn save(graph: &mut Graph, p: AssignId, nodes: &[ExprId]) {
    let a = graph.assigns[p].clone();
    let mut instead: BTreeMap<ExprId, Expr> = BTreeMap::new();
    for &node in nodes {
        let Expr::Read { index, .. } = a.exprs.get(node) else { unreachable!("it is a read") };
        let used = iters(index);
        let kept: Vec<Iter> = a.space.ranges.iter().map(|r| r.iter).collect();
        let kept: Vec<Iter> = kept.into_iter().filter(|i| used.contains(i)).collect();
        let tensor = saved(graph, &a, node, &kept);
        let index = kept.iter().map(|&i| place(&a, i)).collect();
        instead.insert(node, Expr::Read { tensor, index, site: None });
    }
    let mut new = a.clone();
    new.exprs = replaced(&a.exprs, &instead);
    new.drop_unreachable();
    graph.assigns[p] = new;
}

/// The same nodes, but for some.
fn replaced(exprs: &Exprs, instead: &BTreeMap<ExprId, Expr>) -> Exprs {
    let mut new = Exprs::new();
    for e in exprs.ids() {
        let node = instead.get(&e).cloned();
        let node = node.unwrap_or_else(|| exprs.get(e).with_operands(&|x| x));
        let moved = new.add(node, exprs.ty(e));
        debug_assert_eq!(moved, e, "nodes keep their order");
    }
    new
}

/// A tensor of what a node reads, over the iterators that it depends on.
fn saved(graph: &mut Graph, a: &Assignment, node: ExprId, kept: &[Iter]) -> TensorId {
    let axis = |&i: &Iter| {
        let r = a.space.range(i).expect("a piece is over a box");
        let length = r.hi.minus(&r.lo).and_then(|n| n.as_size().cloned());
        Axis { extent: length.expect("bounds are sizes"), name: a.space.iters[i].clone() }
    };
    let whole = &graph.tensors[a.target];
    let name = whole.name.as_ref().map(|n| Name::new(&format!("slice of {n}")));
    let (span, elem, axes) = (whole.span, whole.elem, kept.iter().map(axis).collect());
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let target = graph.tensors.push(Tensor { name, span, elem, axes, definition });
    let mut new = a.clone();
    new.space.ranges.retain(|r| kept.contains(&r.iter));
    (new.target, new.body) = (target, node);
    new.write = kept.iter().map(|&i| place(a, i)).collect();
    new.drop_unreachable();
    graph.assign(new);
    target
}

/// Where along its axis of a saved slice an iterator is: time begins at 1, with the step
/// before at 0.
fn place(a: &Assignment, i: Iter) -> IndexTerm {
    let lo = &a.space.range(i).expect("a piece is over a box").lo;
    IndexTerm::Affine(Affine::iter(i).minus(lo).expect("bounds are sizes"))
}
