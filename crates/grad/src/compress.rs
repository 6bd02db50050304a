//! One sweep for the cells that data choose: `@e[o] / @x[ix[o]]` for all `o`.
//!
//! ```text
//! x ── cellwise ──> n ┊ gathers ┊ ──> d ── cell by cell ──> e
//!      inner tensors               outer tensors
//! ```
//!
//! The *outer* tensors have the target's chosen axes: all that a cell of the target depends
//! on among them lies at its own place. The *inner* ones have the chosen axes of the
//! independent tensor in the same way. Then all places share one sweep: inner tangents
//! belong to the cell itself, and an outer tensor takes from an inner one what it reads at the
//! cell that its place has chosen. What is computed is a row per place, never the columns.

use crate::build;
use crate::chosen::Chosen;
use crate::path::Path;
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::Affine;
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId};

/// Which axes of a tensor go with some axes of another, by the number of those.
type Axes = BTreeMap<usize, usize>;

/// A path that one sweep can go for all chosen cells.
#[derive(Clone, Debug)]
pub(crate) struct Compressed {
    /// The chosen axes of the independent tensor, with what chooses them.
    chosen: Vec<(usize, Chosen)>,
    /// Where inner tensors have those axes.
    inner: BTreeMap<TensorId, Axes>,
    /// Where outer tensors have the axes of the target that choose.
    outer: BTreeMap<TensorId, Axes>,
}

impl Compressed {
    /// The division of a path into inner and outer tensors, where there is one.
    pub fn find(graph: &Graph, path: &Path, chosen: Vec<(usize, Chosen)>) -> Option<Compressed> {
        let along: BTreeSet<usize> = chosen.iter().flat_map(|(_, c)| c.along.clone()).collect();
        if along.is_empty() {
            return None;
        }
        let outer = outer(graph, path, &along)?;
        let axes = chosen.iter().map(|(axis, _)| (*axis, *axis)).collect();
        let inner = inner(graph, path, axes, &outer)?;
        Some(Compressed { chosen, inner, outer })
    }

    /// The conditions under which what a piece of `target` that writes at `write` reads is of
    /// the chosen cells; `None` where a coefficient overflows.
    pub fn conditions(
        &self,
        (target, write): (TensorId, &[IndexTerm]),
        exprs: &mut Exprs,
        read: ExprId,
    ) -> Option<Vec<ExprId>> {
        let Expr::Read { tensor, index, .. } = exprs.get(read).clone() else { return None };
        let (Some(own), Some(axes)) = (self.outer.get(&target), self.inner.get(&tensor)) else {
            return Some(Vec::new());
        };
        let place = |n: usize| match own.get(&n).and_then(|a| write[*a].as_affine()) {
            Some(a) => a.clone(),
            None => unreachable!("outer tensors have every axis that chooses"),
        };
        let mut conditions = Vec::new();
        for (axis, chosen) in &self.chosen {
            let wanted = chosen.at(exprs, &place)?;
            let read = match &index[axes[axis]] {
                IndexTerm::Affine(a) => exprs.index(a.clone()),
                IndexTerm::Data(e) => *e,
            };
            conditions.extend(same(exprs, read, wanted));
        }
        Some(conditions)
    }
}

/// Whether two integers are equal, as a `bool`; `None` where they surely are.
fn same(exprs: &mut Exprs, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (a, b) = (exprs.cast(ScalarType::I64, a), exprs.cast(ScalarType::I64, b));
    (a != b).then(|| exprs.binary(BinaryOp::Eq, a, b))
}

/// The tensors that cells of the target read at their own place along some axes, however
/// indirectly. What is read elsewhere as well is none of them; `None` where the target is.
fn outer(graph: &Graph, path: &Path, along: &BTreeSet<usize>) -> Option<BTreeMap<TensorId, Axes>> {
    let mut refused = BTreeSet::from([path.from]);
    loop {
        let before = refused.len();
        let mut found = BTreeMap::from([(path.to, along.iter().map(|n| (*n, *n)).collect())]);
        while grow_outer(graph, path, &mut found, &mut refused) {}
        if refused.contains(&path.to) {
            return None;
        }
        if refused.len() == before {
            return Some(found);
        }
    }
}

/// Adds what outer tensors read at their own place; whether there was more.
fn grow_outer(
    graph: &Graph,
    path: &Path,
    found: &mut BTreeMap<TensorId, Axes>,
    refused: &mut BTreeSet<TensorId>,
) -> bool {
    let before = found.len();
    for (&t, edges) in &path.edges {
        for (p, e) in edges {
            let piece = &graph.assigns[*p];
            let (Some(axes), false) = (found.get(&piece.target), refused.contains(&t)) else {
                continue;
            };
            let own = index_of(piece, *e).and_then(|index| matched(axes, &piece.write, index));
            let fits = own.is_some_and(|own| *found.entry(t).or_insert_with(|| own.clone()) == own);
            if !fits {
                refused.insert(t);
            }
        }
    }
    found.len() > before
}

/// All other tensors of the path, if they depend on the independent one cell by cell along its
/// chosen axes, and on nothing outer.
fn inner(
    graph: &Graph,
    path: &Path,
    axes: Axes,
    outer: &BTreeMap<TensorId, Axes>,
) -> Option<BTreeMap<TensorId, Axes>> {
    let mut found = BTreeMap::from([(path.from, axes)]);
    loop {
        let before = found.len();
        for (&t, edges) in &path.edges {
            for (p, e) in edges {
                let piece = &graph.assigns[*p];
                if outer.contains_key(&piece.target) {
                    continue;
                }
                if outer.contains_key(&t) {
                    return None;
                }
                let Some(axes) = found.get(&t) else { continue };
                let own = matched(axes, index_of(piece, *e)?, &piece.write)?;
                if *found.entry(piece.target).or_insert_with(|| own.clone()) != own {
                    return None;
                }
            }
        }
        if found.len() == before {
            let all = path.tensors.iter().all(|t| outer.contains_key(t) || found.contains_key(t));
            return all.then_some(found);
        }
    }
}

fn index_of(piece: &Assignment, read: ExprId) -> Option<&[IndexTerm]> {
    match piece.exprs.get(read) {
        Expr::Read { index, .. } => Some(index),
        _ => None,
    }
}

/// Where the terms of some axes stand on the other side.
fn matched(axes: &Axes, terms: &[IndexTerm], others: &[IndexTerm]) -> Option<Axes> {
    let moves = |a: &Affine| !a.iters().is_empty();
    let place = |(n, axis): (&usize, &usize)| {
        let term = terms[*axis].as_affine().filter(|a| moves(a))?;
        Some((*n, others.iter().position(|o| o.as_affine() == Some(term))?))
    };
    axes.iter().map(place).collect()
}

/// `value` where all conditions hold, else zero.
pub(crate) fn only_where(exprs: &mut Exprs, conditions: &[ExprId], value: ExprId) -> ExprId {
    let Some(all) = build::all(exprs, conditions) else { return value };
    let zero = build::zero(exprs, exprs.ty(value));
    exprs.if_else(all, value, zero)
}
