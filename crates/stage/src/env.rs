//! Environments: what the names of a body stand for at one place of the walk.

use rustc_hash::FxHashMap;
use weft_base::entity::entity_impl;
use weft_domain::{Affine, Iter};
use weft_host::Value;
use weft_sema::thir::{BodyId, Expr, LocalId};
use weft_shape::{Param, Size};
use weft_tensor::TensorId;

/// An environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EnvId(u32);
entity_impl!(EnvId, "env");

/// What a local stands for.
#[derive(Clone, Debug)]
pub(crate) enum Bound<'p> {
    /// A tensor of the graph; its leading axes are read at `outer` (the indices around a
    /// lifted definition).
    Tensor { tensor: TensorId, outer: Vec<Affine> },
    /// An expression, evaluated where it is used.
    Thunk(&'p Expr, EnvId),
    /// A tuple.
    Tuple(Vec<Bound<'p>>),
    /// A value of the host, cheap to name.
    Host(Value),
}

/// What the names of one body stand for. A block, clause or reduction has an environment
/// of its own within that of its surroundings; a call has one without surroundings.
#[derive(Debug)]
pub(crate) struct Env<'p> {
    pub body: BodyId,
    pub parent: Option<EnvId>,
    pub values: FxHashMap<LocalId, Bound<'p>>,
    /// Indices of the body in terms of the iterators around.
    pub iters: FxHashMap<Iter, Affine>,
    /// Parameters of the body in terms of the graph's (in the outermost environment).
    pub sizes: FxHashMap<Param, Size>,
}
