//! The ways to compute tensors, and which one a segment takes.

use crate::session::RunOptions;
use std::sync::Arc;
use weft_host::Compute;
use weft_tensor::eval::{Binding, Evaluator, Failure, Limits};
use weft_tensor::{Array, Graph, TensorId};

/// An executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// By the work a segment does: tiny work is not worth compiling.
    Auto,
    /// The reference evaluator.
    Evaluator,
    /// Machine code.
    Native,
}

/// The executors of one run.
pub(crate) struct Tiers<'a> {
    how: &'a RunOptions<'a>,
    evaluator: Evaluator,
}

impl<'a> Tiers<'a> {
    pub fn new(how: &'a RunOptions<'a>, binding: &Binding) -> Self {
        Tiers { how, evaluator: Evaluator::new(binding.clone()) }
    }

    /// Says where time went, if that was asked for.
    pub fn report(&self) {}

    fn evaluate(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, Failure> {
        *self.evaluator.binding_mut() = binding.clone();
        let limits = Limits { bytes: self.how.memory_limit, interrupt: self.how.interrupt };
        wanted.iter().map(|&t| self.evaluator.observe(graph, t, &limits)).collect()
    }
}

impl Compute for Tiers<'_> {
    fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, Failure> {
        self.evaluate(graph, binding, wanted)
    }
}
