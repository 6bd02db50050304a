//! Reads: those of an assignment, and all that some tensors need.

use crate::{Affine, Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, Iter, TensorId};
use std::collections::BTreeSet;
use weft_base::entity::SecondaryMap;

/// One read of an assignment's body or mask.
pub struct ReadAt<'a> {
    /// The node.
    pub expr: ExprId,
    /// The tensor that is read.
    pub tensor: TensorId,
    /// Where.
    pub index: &'a [IndexTerm],
}

/// The nodes that mask and body need, ascending: operands before users.
pub fn reachable(a: &Assignment) -> Vec<ExprId> {
    reachable_from(&a.exprs, a.mask.into_iter().chain([a.body]))
}

/// The nodes that `roots` need, ascending.
pub fn reachable_from(exprs: &Exprs, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
    let mut seen = vec![false; exprs.len()];
    let mut stack: Vec<ExprId> = roots.into_iter().collect();
    while let Some(e) = stack.pop() {
        let mark = &mut seen[e.as_u32() as usize];
        if !std::mem::replace(mark, true) {
            stack.extend(exprs.get(e).operands());
        }
    }
    exprs.ids().filter(|e| seen[e.as_u32() as usize]).collect()
}

/// The iterators that a node without reductions inside names, ascending, once each.
pub fn iters_of(exprs: &Exprs, root: ExprId) -> Vec<Iter> {
    let mut found = Vec::new();
    for e in reachable_from(exprs, [root]) {
        match exprs.get(e) {
            Expr::Index(a) => found.extend(a.iters()),
            Expr::Read { index, .. } => {
                found.extend(index.iter().filter_map(IndexTerm::as_affine).flat_map(Affine::iters));
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Every read that is needed, in arena order.
pub fn reads(a: &Assignment) -> Vec<ReadAt<'_>> {
    let as_read = |expr: ExprId| match a.exprs.get(expr) {
        Expr::Read { tensor, index, .. } => Some(ReadAt { expr, tensor: *tensor, index }),
        _ => None,
    };
    reachable(a).into_iter().filter_map(as_read).collect()
}

/// Demand: which tensors the observed ones need. What a needed tensor reads is needed too,
/// unless it is stored already.
pub fn compute_demand(
    graph: &Graph,
    observed: impl Iterator<Item = TensorId>,
    stored: &BTreeSet<TensorId>,
) -> SecondaryMap<TensorId, bool> {
    let mut needed = SecondaryMap::new();
    let mut stack: Vec<TensorId> = observed.collect();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut needed[t], true) || stored.contains(&t) {
            continue;
        }
        for &piece in graph.pieces(t) {
            stack.extend(reads(&graph.assigns[piece]).iter().map(|r| r.tensor));
        }
    }
    needed
}
