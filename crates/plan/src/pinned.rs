//! Orders that rest on what a parameter is: `x[t - lag]` looks back where `lag` is not 0 or less.
//!
//! Where no order is found for all values, those that stand in the indices of the recurrences'
//! reads are taken as they are, and the plan holds for these values alone.

use std::collections::BTreeMap;
use weft_depend::recurrent_tensors;
use weft_shape::Param;
use weft_tensor::Graph;
use weft_tensor::reads;

/// The graph with what is known of the parameters that indices of recurrences are made of, and
/// their values. None where there are no such parameters.
pub(crate) fn pinned(
    graph: &Graph,
    value: &dyn Fn(Param) -> Option<i64>,
) -> Option<(Graph, BTreeMap<Param, i64>)> {
    let mut values = BTreeMap::new();
    for tensor in recurrent_tensors(graph) {
        for read in graph.pieces(tensor).iter().flat_map(|&p| reads(&graph.assigns[p])) {
            for p in read.index.iter().filter_map(|i| i.as_affine()).flat_map(|a| a.params()) {
                values.extend(value(p).map(|n| (p, n)));
            }
        }
    }
    let mut graph = graph.clone();
    for (&p, &n) in &values {
        graph.facts.at_least(p, n);
        graph.facts.at_most(p, n);
    }
    (!values.is_empty()).then_some((graph, values))
}
