//! Sums of derivatives, split where what they add up begins and ends.
//!
//! ```text
//! u'[i] = l[i] + c[i] + r[i],   l for i in 0..n-2, c for i in 1..n-1, r for i in 2..n
//!   =>   u'[i] = …   for i in 0..2,   for i in 2..n-2,   for i in n-2..n
//! ```
//!
//! In the middle every part that is there is there everywhere, so that nothing is tested
//! cell by cell; parts that are nowhere there are left out. At the ends parts keep their
//! conditions. So the adjoint of a stencil has one plain loop (Hückelheim et al., *Automatic
//! differentiation for adjoint stencil loops*, 2019), and that of a recurrence one at its
//! last step.

use crate::copies::{LONGEST_CHAIN, copied, readers};
use crate::seed::set_covered;
use std::collections::BTreeMap;
use weft_domain::{Affine, Iter, Space};
use weft_scalar::{BinaryOp, Scalar};
use weft_shape::{Facts, Size, Verdict};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId,
};

/// Axes along which one sum is split.
const MOST_AXES: usize = 3;

/// Splits the sums among the assignments behind the first `known`.
pub(crate) fn split_sums(graph: &mut Graph, known: usize) {
    join_sums(graph, known);
    for p in graph.assigns.keys().skip(known).collect::<Vec<_>>() {
        let Some(parts) = summands(&graph.assigns[p]) else { continue };
        let Some(boxes) = parts.iter().map(|&t| bounds(graph, t)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        split(graph, p, &parts, &boxes);
    }
}

/// Has sums add up the parts of those sums, or copies of them, that are parts of theirs alone:
/// the adjoint of what is only another name of a tensor is no sum of its own.
fn join_sums(graph: &mut Graph, known: usize) {
    let readers = readers(graph);
    for p in graph.assigns.keys().skip(known).collect::<Vec<_>>() {
        let Some(parts) = summands(&graph.assigns[p]) else { continue };
        let target = graph.assigns[p].target;
        let mut all = Vec::new();
        parts.iter().for_each(|t| parts_of(graph, &readers, (target, *t), LONGEST_CHAIN, &mut all));
        if all != parts && all.len() <= MOST_PARTS {
            let space = graph.assigns[p].space.clone();
            graph.assigns[p] = sum_over(graph, p, &all, space);
        }
    }
}

/// Parts of one sum, of which bodies grow.
const MOST_PARTS: usize = 32;

/// The parts of a part of a sum.
fn parts_of(
    graph: &Graph,
    readers: &BTreeMap<TensorId, usize>,
    (target, part): (TensorId, TensorId),
    depth: usize,
    out: &mut Vec<TensorId>,
) {
    let alike = |t: TensorId| {
        graph.tensors[t].elem == graph.tensors[target].elem
            && graph.shape(t).eq(graph.shape(target))
    };
    let inside = match *graph.pieces(part) {
        [p] if readers.get(&part) == Some(&1) && alike(part) && depth > 0 => {
            match copied(graph, p) {
                Some(source) => Some(vec![source]),
                None => summands(&graph.assigns[p]),
            }
        }
        _ => None,
    };
    match inside.filter(|parts| parts.iter().all(|t| alike(*t) && *t != part && *t != target)) {
        Some(parts) => {
            parts.iter().for_each(|t| parts_of(graph, readers, (target, *t), depth - 1, out))
        }
        None => out.push(part),
    }
}

/// `lo <= index < hi` along each axis; an end that is not known is the axis's own.
type Bounds = Vec<(Option<Size>, Option<Size>)>;

/// The tensors that an assignment adds up cell by cell; two or more.
fn summands(a: &Assignment) -> Option<Vec<TensorId>> {
    let plain = a.accumulator == Accumulator::Set
        && a.space.guards.is_empty()
        && a.space.ranges.iter().all(|r| r.lo.as_constant() == Some(0))
        && a.space.ranges.len() == a.write.len()
        && a.space.ranges.iter().zip(&a.write).all(|(r, w)| *w == Affine::iter(r.iter).into());
    if !plain {
        return None;
    }
    let mut found = Vec::new();
    let mut stack = vec![a.body];
    while let Some(e) = stack.pop() {
        match a.exprs.get(e) {
            Expr::Binary(BinaryOp::Add, x, y, _) => stack.extend([*y, *x]),
            Expr::Read { tensor, index, .. } if *index == a.write => found.push(*tensor),
            _ => return None,
        }
    }
    (found.len() > 1).then_some(found)
}

/// Where a tensor is not zero, if one plain piece says so.
fn bounds(graph: &Graph, t: TensorId) -> Option<Bounds> {
    let [p] = graph.pieces(t) else { return None };
    let a = &graph.assigns[*p];
    if a.accumulator != Accumulator::Set {
        return None;
    }
    let axis = |term: &IndexTerm| {
        let term = term.as_affine()?;
        if let Some(at) = term.as_size() {
            return Some((Some(at.clone()), Some(at.plus_const(1))));
        }
        let i = term.as_iter()?;
        let r = a.space.range(i)?;
        let (lo, hi) = (r.lo.as_size().cloned()?, r.hi.as_size().cloned()?);
        Some(guarded(&graph.facts, a, i, (Some(lo), Some(hi))))
    };
    a.write.iter().map(axis).collect()
}

/// A range within the guards on its iterator alone.
fn guarded(
    facts: &Facts,
    a: &Assignment,
    i: Iter,
    (mut lo, mut hi): (Option<Size>, Option<Size>),
) -> (Option<Size>, Option<Size>) {
    for g in a.space.guards.iter().filter(|g| g.term.iters() == [i]) {
        let Some(limit) = g.limit(i) else { continue };
        let Some(edge) = limit.edge().and_then(|e| e.as_size().cloned()) else { continue };
        if limit.is_lower() {
            lo = Some(lo.map_or(edge.clone(), |lo| facts.larger(&lo, &edge)));
        }
        if limit.is_upper() {
            let end = edge.plus_const(1);
            hi = Some(hi.map_or(end.clone(), |hi| facts.smaller(&hi, &end)));
        }
    }
    (lo, hi)
}

/// The middle of an axis: where what begins near its start has begun, and nothing that ends
/// near its end has ended.
fn middle(graph: &Graph, extent: &Size, boxes: &[Bounds], axis: usize) -> Option<(Size, Size)> {
    let facts = &graph.facts;
    let ends = || boxes.iter().flat_map(|b| [b[axis].0.as_ref(), b[axis].1.as_ref()]).flatten();
    let start = ends().filter_map(Size::as_constant).max().unwrap_or(0).max(0);
    let open = |s: &&Size| s.as_constant().is_none() && *s != extent;
    let end = ends().filter(open).fold(extent.clone(), |m, s| facts.smaller(&m, s));
    let inside =
        facts.le(&end, extent) == Verdict::Yes && facts.le(&start.into(), extent) != Verdict::No;
    let splits = start > 0 || end != *extent;
    let single = end.terms().len() <= 1;
    (extent.as_constant().is_none() && inside && splits && single).then_some((start.into(), end))
}

/// Puts the pieces of a split sum in its place.
fn split(graph: &mut Graph, p: AssignId, parts: &[TensorId], boxes: &[Bounds]) {
    let target = graph.assigns[p].target;
    let extents: Vec<Size> = graph.shape(target).cloned().collect();
    let whole: Vec<(Size, Size)> = extents.iter().map(|e| (0.into(), e.clone())).collect();
    let mut rest = whole;
    let mut pieces = Vec::new();
    let mut count = 0;
    for (axis, extent) in extents.iter().enumerate() {
        let here = |b: &&Bounds| meets(graph, b, &rest);
        let alive: Vec<Bounds> = boxes.iter().filter(here).cloned().collect();
        let Some((lo, hi)) = middle(graph, extent, &alive, axis).filter(|_| count < MOST_AXES)
        else {
            continue;
        };
        count += 1;
        let mut edge = |from: Size, to: Size| {
            let mut slab = rest.clone();
            slab[axis] = (from, to);
            pieces.push(slab);
        };
        if lo.as_constant() != Some(0) {
            edge(0.into(), graph.facts.smaller(&lo, extent));
        }
        if hi != *extent {
            edge(graph.facts.larger(&lo, &hi), extent.clone());
        }
        rest[axis] = (lo, hi);
    }
    if count == 0 {
        return;
    }
    pieces.push(rest);
    for (n, slab) in pieces.iter().enumerate() {
        let alive = parts.iter().zip(boxes).filter(|(_, b)| meets(graph, b, slab));
        let alive: Vec<TensorId> = alive.map(|(t, _)| *t).collect();
        let piece = within(graph, p, &alive, slab);
        if n == 0 {
            graph.assigns[p] = piece;
        } else {
            graph.assign(piece);
        }
    }
    set_covered(graph, target, true);
}

/// Whether a part may be there somewhere in a slab.
fn meets(graph: &Graph, part: &Bounds, slab: &[(Size, Size)]) -> bool {
    let before =
        |a: Option<&Size>, b: &Size| a.is_some_and(|a| graph.facts.le(a, b) == Verdict::Yes);
    let after =
        |a: Option<&Size>, b: &Size| a.is_some_and(|a| graph.facts.le(b, a) == Verdict::Yes);
    part.iter()
        .zip(slab)
        .all(|((lo, hi), (from, to))| !before(hi.as_ref(), from) && !after(lo.as_ref(), to))
}

/// The sum of some parts over a slab.
fn within(graph: &Graph, p: AssignId, parts: &[TensorId], slab: &[(Size, Size)]) -> Assignment {
    let old = &graph.assigns[p];
    let mut space = old.space.clone();
    for (range, (lo, hi)) in space.ranges.iter_mut().zip(slab) {
        (range.lo, range.hi) = (Affine::fixed(lo.clone()), Affine::fixed(hi.clone()));
    }
    sum_over(graph, p, parts, space)
}

/// The sum of some parts over a space.
fn sum_over(graph: &Graph, p: AssignId, parts: &[TensorId], space: Space) -> Assignment {
    let old = &graph.assigns[p];
    let elem = graph.tensors[old.target].elem;
    let mut exprs = Exprs::new();
    let reads: Vec<ExprId> = parts
        .iter()
        .map(|&tensor| exprs.add(Expr::Read { tensor, index: old.write.clone(), site: None }, elem))
        .collect();
    let sum = reads.into_iter().reduce(|a, b| crate::build::plus(&mut exprs, a, b));
    let body = sum.unwrap_or_else(|| exprs.constant(Scalar::zero(elem)));
    Assignment { space, body, exprs, ..old.clone() }
}
