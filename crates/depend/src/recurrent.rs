//! Which tensors read themselves, perhaps through others: those whose order is a question.

use weft_base::entity::EntityRef;
use weft_base::scc::components;
use weft_tensor::{Graph, TensorId, reads};

/// The tensors of recurrences, ascending.
pub fn recurrent_tensors(graph: &Graph) -> Vec<TensorId> {
    let needs = |t: usize| -> Vec<usize> {
        let pieces = graph.pieces(TensorId::new(t)).iter();
        pieces.flat_map(|&p| reads(&graph.assigns[p])).map(|r| r.tensor.index()).collect()
    };
    let all = components(graph.tensors.len(), &needs);
    let recurrent = all.into_iter().filter(|c| c.len() > 1 || needs(c[0]).contains(&c[0]));
    let mut found: Vec<TensorId> = recurrent.flatten().map(TensorId::new).collect();
    found.sort();
    found
}
