//! Bounds of the cells of recurrences, at the extents at hand.
//!
//! A cell grows by so much a step at most, and a chain of steps is only so long. What is bounded so
//! is found here; [`crate::drop_overflow_checks`] sees from it which operators cannot leave their
//! type, and the plan holds for these parameters alone.

use crate::drop_overflow_checks::{fits, is_checked_operator};
use crate::magnitude::{Certainty, Magnitudes};
use std::cell::RefCell;
use std::collections::BTreeMap;
use weft_shape::Param;
use weft_tensor::{Assignment, Graph, TensorId, reachable};

/// Bounds of the magnitudes of cells of recurrences, for some parameters.
#[derive(Default)]
pub(crate) struct GrowthBounds {
    pub most: BTreeMap<TensorId, i128>,
    /// The values of which that is so.
    pub holds_for: BTreeMap<Param, i64>,
}

/// The bounds of recurrences with integers that are looked at, of those that stay in their type.
pub(crate) fn bound_growth(
    graph: &Graph,
    computed: &[TensorId],
    likely: &BTreeMap<Param, i64>,
) -> GrowthBounds {
    let asked = RefCell::new(BTreeMap::new());
    let value = |p: Param| {
        let n = graph.param_value(likely, p)?;
        asked.borrow_mut().insert(p, n);
        Some(n)
    };
    // A size of no value has no bound either.
    let known = graph.params.keys().all(|p| graph.param_value(likely, p).is_some());
    if !known || !computed.iter().any(|t| is_looked_at(graph, *t)) {
        return GrowthBounds::default();
    }
    let magnitudes = Magnitudes::compute(graph, computed, &value, Certainty::Bound);
    let groups = magnitudes.recurrences().filter(|g| g.iter().any(|t| is_looked_at(graph, *t)));
    let bounded = |&t: &TensorId| {
        let most = magnitudes.of_cells(t)?;
        fits(graph.tensors[t].elem, (-most, most)).then_some((t, most))
    };
    let most: BTreeMap<TensorId, i128> = groups.flatten().filter_map(bounded).collect();
    let holds_for = if most.is_empty() { BTreeMap::new() } else { asked.take() };
    GrowthBounds { most, holds_for }
}

/// Whether an operator that makes cells of a tensor fails where it leaves its type.
fn is_looked_at(graph: &Graph, t: TensorId) -> bool {
    let looks =
        |a: &Assignment| reachable(a).into_iter().any(|e| is_checked_operator(a.exprs.get(e)));
    graph.pieces(t).iter().any(|&p| looks(&graph.assigns[p]))
}
