//! Context of passes and orders: a request besides its graph.

use crate::routine::PlanOptions;
use std::collections::{BTreeMap, BTreeSet};
use weft_tensor::TensorId;

/// A request, and what passes say of its tensors.
pub(crate) struct Context<'a> {
    pub observed: BTreeSet<TensorId>,
    pub stored: &'a BTreeSet<TensorId>,
    pub options: &'a PlanOptions,
    /// Tensors that a pass made virtual, with the reason.
    pub virtuals: BTreeMap<TensorId, String>,
    /// Why a tensor that could be virtual is not.
    pub kept: BTreeMap<TensorId, String>,
}
