//! Alignment: axes along which a derivative is (block) diagonal.
//!
//! Along aligned axes every read on the path has a constant distance between the cell
//! written and the cell read. If no distance is negative (or none positive) once each
//! tensor's offset is taken off, a derivative of a cell by the cell at the same place goes
//! only through the reads of distance 0. Then one sweep along the axis serves all places
//! at once: the sweep needs no axis for them. This is the row compression of sparse
//! Jacobians (Curtis, Powell and Reid, 1974), with the sparsity proven from projections.

use crate::path::{Edge, Path};
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::Affine;
use weft_tensor::{AssignId, Expr, ExprId, Graph, IndexTerm, TensorId};

/// Axes that move together, and what a derivative between cells at one place passes.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    /// The reads it does not pass.
    pub crossing: BTreeSet<Edge>,
    axes: BTreeMap<TensorId, usize>,
    places: BTreeMap<TensorId, i64>,
    direction: i64,
}

/// The alignment of axis `l` of the independent tensor with axis `k` of the target, for
/// places that differ by `offset` (target less independent). `Err` says that no cell
/// depends so (zero); `Ok(None)` that nothing is known.
pub(crate) fn align(
    graph: &Graph,
    path: &Path,
    l: usize,
    k: usize,
    offset: i64,
) -> Result<Option<Alignment>, Zero> {
    let Some(axes) = aligned_axes(graph, path, l) else { return Ok(None) };
    if axes.get(&path.to) != Some(&k) {
        return Ok(None);
    }
    let Some(distances) = distances(graph, path, &axes) else { return Ok(None) };
    for direction in [1, -1] {
        let Some(places) = places(path, graph, &distances, direction) else { continue };
        let excess = direction * offset - places[&path.to];
        if excess < 0 {
            return Err(Zero);
        }
        if excess == 0 {
            let crosses = |(edge, from, d): &(Edge, TensorId, i64)| {
                let to = graph.assigns[edge.0].target;
                direction * d + places[from] - places[&to] != 0
            };
            let crossing = distances.iter().filter(|d| crosses(d)).map(|d| d.0).collect();
            return Ok(Some(Alignment { crossing, axes, places, direction }));
        }
    }
    Ok(None)
}

impl Alignment {
    /// Whether a read of the quotient itself, by a tensor on the path, takes a value that
    /// lies strictly before the place in question: then it is no part of the derivative
    /// there. `target` is what the quotient that is read is of.
    pub fn is_past(&self, graph: &Graph, (p, e): Edge, target: TensorId) -> bool {
        let a = &graph.assigns[p];
        let past = || {
            let k = *self.axes.get(&target)?;
            let written = a.write[*self.axes.get(&a.target)?].as_affine()?;
            let d = difference(written, index(graph, p, e, k)?)?;
            let reduced = self.direction * d + self.places[&target] - self.places[&a.target];
            Some(reduced > 0)
        };
        past().unwrap_or(false)
    }
}

/// Nothing depends so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zero;

/// The axis of each tensor on the path that moves with axis `l` of the independent one.
fn aligned_axes(graph: &Graph, path: &Path, l: usize) -> Option<BTreeMap<TensorId, usize>> {
    let mut axes = BTreeMap::from([(path.from, l)]);
    loop {
        let before = axes.len();
        for (&t, edges) in &path.edges {
            let Some(&axis) = axes.get(&t) else { continue };
            for &(p, e) in edges {
                let a = &graph.assigns[p];
                let term = index(graph, p, e, axis)?;
                if term.iters().is_empty() {
                    continue;
                }
                let moves =
                    |w: &IndexTerm| w.as_affine().is_some_and(|w| difference(w, term).is_some());
                let found = a.write.iter().position(moves)?;
                if *axes.entry(a.target).or_insert(found) != found {
                    return None;
                }
            }
        }
        if axes.len() == before {
            return path.tensors.iter().all(|t| axes.contains_key(t)).then_some(axes);
        }
    }
}

/// How far each read reaches back along the aligned axes: written place less read place.
fn distances(
    graph: &Graph,
    path: &Path,
    axes: &BTreeMap<TensorId, usize>,
) -> Option<Vec<(Edge, TensorId, i64)>> {
    let mut found = Vec::new();
    for (&t, edges) in &path.edges {
        for &(p, e) in edges {
            let a = &graph.assigns[p];
            let written = a.write[axes[&a.target]].as_affine()?;
            let d = difference(written, index(graph, p, e, axes[&t])?)?;
            found.push(((p, e), t, d));
        }
    }
    Some(found)
}

/// The least sum of distances from the independent tensor to each, by Bellman and Ford;
/// `None` where a cycle goes against the direction.
fn places(
    path: &Path,
    graph: &Graph,
    distances: &[(Edge, TensorId, i64)],
    direction: i64,
) -> Option<BTreeMap<TensorId, i64>> {
    let mut places = BTreeMap::from([(path.from, 0)]);
    for _ in 0..=path.tensors.len() {
        let mut changed = false;
        for (edge, from, d) in distances {
            let Some(&base) = places.get(from) else { continue };
            let to = graph.assigns[edge.0].target;
            let reached = base + direction * d;
            if places.get(&to).is_none_or(|&known| reached < known) {
                places.insert(to, reached);
                changed = true;
            }
        }
        if !changed {
            return Some(places);
        }
    }
    None
}

fn index(graph: &Graph, p: AssignId, e: ExprId, axis: usize) -> Option<&Affine> {
    match graph.assigns[p].exprs.get(e) {
        Expr::Read { index, .. } => index[axis].as_affine(),
        _ => None,
    }
}

/// Farther apart no two cells of a run are, and sums of distances along a path stay integers.
const FARTHEST: u64 = 1 << 40;

/// `a - b`, if it is a number that cells of a run may differ by.
pub(crate) fn difference(a: &Affine, b: &Affine) -> Option<i64> {
    a.minus(b)?.as_constant().filter(|d| d.unsigned_abs() <= FARTHEST)
}
