//! Lift reductions: a body that is one nested reduction and nothing else becomes the
//! assignment's own reduction.
//!
//! ```text
//! y[i] = reduce sum k (a[i, k])   =>   y[i] ⊕= a[i, k] over i, k
//! ```
//!
//! Inlining makes such bodies where a tensor only renames a reduced one; as an
//! assignment of its own a reduction can be tiled, or run beside a recurrence.

use weft_tensor::{Accumulator, Assignment, Expr, Graph};

/// Lifts in every assignment.
pub(crate) fn hoist_reductions(graph: &mut Graph) {
    for p in graph.assigns.keys().collect::<Vec<_>>() {
        if let Some(lifted) = lift(&graph.assigns[p]) {
            graph.assigns[p] = lifted;
        }
    }
}

fn lift(a: &Assignment) -> Option<Assignment> {
    let Expr::Reduce(r) = a.exprs.get(a.body) else { return None };
    if a.accumulator != Accumulator::Set {
        return None;
    }
    let mut new = a.clone();
    new.space.ranges.extend(r.ranges.iter().cloned());
    new.space.guards.extend(r.guards.iter().cloned());
    new.accumulator = r.accumulator;
    new.mask = r.mask;
    new.body = r.body;
    // The node itself would bind its iterators a second time.
    new.drop_unreachable();
    Some(new)
}
