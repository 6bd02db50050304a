//! Definitions whose cells are told as they are computed.

use std::fmt;
use weft_scalar::Scalar;
use weft_tensor::eval::Watch;
use weft_tensor::{Graph, TensorId};

/// Names, and who is told of the cells of what they stand for, one line each.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Top-level names and names inside functions alike.
    pub names: &'a [String],
    /// Takes lines like `u[3, 4] = 0.25`.
    pub tell: &'a dyn Fn(&str),
}

impl fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watched").field(&self.names).finish()
    }
}

impl Watch for Watched<'_> {
    fn computed(&self, graph: &Graph, tensor: TensorId, cell: &[i64], value: Scalar) {
        let Some(name) = &graph.tensors[tensor].name else { return };
        if !self.names.iter().any(|n| n == name.as_str()) {
            return;
        }
        let indices: Vec<String> = cell.iter().map(i64::to_string).collect();
        let at = if cell.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        (self.tell)(&format!("{name}{at} = {}", value.number_text()));
    }
}
