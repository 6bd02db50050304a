//! Definitions without an order of computation, whether something looks at them or not.

use std::collections::BTreeSet;
use weft_depend::recurrent_tensors;
use weft_plan::{PlanOptions, Refusal, have_order, plan};
use weft_tensor::{Definition, Graph, TensorId};

/// The recurrence of a graph that has no order, if there is one. Only whether there is an order
/// is asked, and of what reads itself.
pub fn unordered(graph: &Graph) -> Option<Refusal> {
    let recurrent = recurrent_tensors(graph);
    let of_recurrence: BTreeSet<_> = recurrent.iter().copied().collect();
    if recurrent.is_empty() || have_order(graph, &recurrent) {
        return None;
    }
    let is_plain = |t: &TensorId| {
        let assigned = matches!(graph.tensors[*t].definition, Definition::Assigned { .. });
        assigned && !of_recurrence.contains(t)
    };
    let plain = graph.tensors.keys().filter(is_plain).collect();
    let options = PlanOptions { windows: false, share_buffers: false, ..PlanOptions::default() };
    plan(graph, &recurrent, &plain, &options).err()
}
