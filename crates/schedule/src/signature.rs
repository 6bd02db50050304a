//! What a caller of a lowered routine must know.

use weft_base::Name;
use weft_base::entity::SecondaryMap;
use weft_loops::{Function, Var};
use weft_plan::BufferId;
use weft_shape::Param;
use weft_tensor::{SiteId, TensorId};

/// A lowered routine.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The code.
    pub function: Function,
    /// How to call it.
    pub signature: Signature,
    /// What the nest writes that a loop is part of; none of loops over several.
    pub(crate) owners: SecondaryMap<Var, Option<TensorId>>,
}

/// Parameters and buffers in the order of a call, and what traps mean.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The graph's parameters, each an `i64`: all of them, ascending.
    pub params: Vec<Param>,
    /// The plan's buffers: all of them, ascending. Given ones are `in`, results `out`,
    /// scratch `temp`; each has the elements that [`weft_plan::Plan::bind`] counts.
    pub buffers: Vec<BufferId>,
    /// What a trap with number `n` is about.
    pub traps: Vec<TrapSite>,
    /// Whether it takes integers for small ([`crate::Integers::Guessed`]): where it fails, a
    /// routine that does not is asked.
    pub guesses: bool,
}

/// A place that may fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrapSite {
    /// The site in the graph.
    pub site: SiteId,
    /// The tensor whose cell fails.
    pub tensor: TensorId,
    /// For an index out of range: the tensor read and the axis. The trap then records the
    /// index and the extent first.
    pub read: Option<(TensorId, usize)>,
    /// The indices whose values the trap records, outermost first.
    pub indices: Vec<Name>,
}
