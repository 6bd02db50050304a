//! The reference evaluator: what a graph means, cell by cell.
//!
//! The oracle of every other way to run a graph, and the tier for tiny work. Cells are
//! computed on demand and kept: only the observed tensors and what their cells read are
//! computed, so what is not needed cannot fail. There is no recursion: a cell that reads
//! one not yet computed waits on an explicit stack; a cell that waits for itself is a
//! cyclic dependence. Bodies are compiled once per binding to short programs over slots.
//!
//! It knows no passes and does not choose orders: the points that write one cell are
//! taken in lexicographic order, and sums accumulate in the element's own type.

mod blocks;
mod emit;
mod exact;
mod failure;
mod machine;
mod program;
mod store;
mod term;
mod walk;
mod watch;

pub use failure::{Failure, FailureKind};
pub use watch::Watch;

use crate::{Array, AssignId, Graph, TensorId};
use machine::Machine;
use program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Stores;
use weft_base::entity::SecondaryMap;
use weft_shape::{Param, Size};

/// Values for what a graph leaves open.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    /// Parameters; one without a value here takes its default.
    pub params: BTreeMap<Param, i64>,
    /// Input tensors.
    pub inputs: BTreeMap<TensorId, Arc<Array>>,
    /// Of these the ones whose memory is the caller's: it counts against no limit.
    pub lent: BTreeSet<TensorId>,
}

/// Limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Bytes of computed tensors and waiting cells together.
    pub bytes: u64,
    /// Set by another thread to stop the evaluation.
    pub interrupt: Option<&'a AtomicBool>,
    /// Fail where an operator makes a NaN or an infinity of finite operands.
    pub trap_nan: bool,
    /// Told of each cell when it is computed.
    pub watch: Option<&'a dyn Watch>,
}

impl Default for Limits<'_> {
    /// Four GiB, never interrupted.
    fn default() -> Self {
        Limits { bytes: 4 << 30, interrupt: None, trap_nan: false, watch: None }
    }
}

/// Observes tensors of a graph under one binding.
///
/// Computed cells are kept between observations. The graph may have grown in between
/// (new tensors, assignments, parameters), but what was evaluated must not have changed.
#[derive(Debug, Default)]
pub struct Evaluator {
    binding: Binding,
    stores: Stores,
    programs: SecondaryMap<AssignId, Option<Arc<Program>>>,
}

impl Evaluator {
    /// An evaluator that has computed nothing.
    pub fn new(binding: Binding) -> Evaluator {
        Evaluator { binding, ..Evaluator::default() }
    }

    /// The binding.
    pub fn binding(&self) -> &Binding {
        &self.binding
    }

    /// The binding, to be extended with values for what was added to the graph. Values
    /// that earlier observations used must not change.
    pub fn binding_mut(&mut self) -> &mut Binding {
        &mut self.binding
    }

    /// All cells of one tensor. The graph must be valid ([`crate::verify`]).
    pub fn observe(
        &mut self,
        graph: &Graph,
        tensor: TensorId,
        limits: &Limits<'_>,
    ) -> Result<Arc<Array>, Failure> {
        Machine::new(self, graph, limits).observe(tensor)
    }
}

/// All cells of each observed tensor; the first failure otherwise.
pub fn evaluate(
    graph: &Graph,
    binding: &Binding,
    observed: &[TensorId],
    limits: &Limits<'_>,
) -> Result<Vec<Arc<Array>>, Failure> {
    let mut evaluator = Evaluator::new(binding.clone());
    observed.iter().map(|&t| evaluator.observe(graph, t, limits)).collect()
}

/// The value of a size, parameters taken from the binding or their defaults.
fn size_value(graph: &Graph, binding: &Binding, size: &Size) -> Option<i64> {
    i64::try_from(wide_value(graph, binding, size)?).ok()
}

/// The same of a size that is compared with others, and may need more than 64 bits.
fn wide_value(graph: &Graph, binding: &Binding, size: &Size) -> Option<i128> {
    size.eval_wide(&|p| {
        let given = binding.params.get(&p).copied();
        given.or_else(|| graph.params.get(p).and_then(|info| info.default))
    })
}

#[cfg(test)]
mod tests;
