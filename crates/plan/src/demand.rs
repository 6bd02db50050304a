//! Demand: which tensors the observed ones need.

use crate::reads::reads;
use std::collections::BTreeSet;
use weft_base::entity::SecondaryMap;
use weft_tensor::{Graph, TensorId};

/// Which tensors are needed. Needs nothing; guarantees that what a needed tensor reads is
/// needed too, unless it is stored already.
pub(crate) fn compute_demand(
    graph: &Graph,
    observed: &[TensorId],
    stored: &BTreeSet<TensorId>,
) -> SecondaryMap<TensorId, bool> {
    let mut needed = SecondaryMap::new();
    let mut stack = observed.to_vec();
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
