//! The plan itself: items, storage and buffers.

use crate::passes::{PassOptions, PassRecord};
use crate::writes::OpenWrite;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use weft_domain::{Affine, Constraint, Iter};
use weft_scalar::ScalarType;
use weft_shape::{Param, Size};
use weft_tensor::reads;
use weft_tensor::{Accumulator, AssignId, Graph, IndexTerm, TensorId};

/// How planning is to be done.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// Floats are computed in the order of the source.
    pub strict: bool,
    /// Tensors may be computed inside their readers.
    pub inline: bool,
    /// Recurrences may keep a window of steps only.
    pub windows: bool,
    /// Histories that only sweeps backwards read are computed again from kept steps.
    pub checkpoints: Option<Segments>,
    /// Temporaries whose lives do not meet may share memory.
    pub share_buffers: bool,
    /// Recurrences of 64-bit integers that are taken to stay small run in 32 bits. Where the
    /// routine then fails, or an integer leaves its type, a plan without this says what is.
    pub narrow: bool,
    /// Extents by which to choose among ways to compute the same; others than these cost
    /// time only.
    pub likely: BTreeMap<Param, i64>,
    /// Points along an axis up to which a part of a nest is a border, which may test.
    pub border: i64,
    /// Bytes that stay in a near cache from one nest to the next.
    pub near: i64,
    /// Options of the passes over the graph.
    pub passes: PassOptions,
}

/// How histories are divided that are computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segments {
    /// The steps of a segment, at the least.
    pub least: i64,
    /// How often segments are divided in turn: each level has all steps computed once more,
    /// and takes less memory.
    pub levels: usize,
    /// Only histories whose cells are as soon computed again as written to memory and read.
    pub light: bool,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            strict: false,
            inline: true,
            windows: true,
            checkpoints: None,
            share_buffers: true,
            narrow: false,
            likely: BTreeMap::new(),
            border: 32,
            near: 0,
            passes: PassOptions::default(),
        }
    }
}

/// The variable of a [`TimeLoop`]. In affine terms of a plan's items, iterator `n`
/// stands for loop variable `n`.
pub type LoopVar = Iter;

/// A buffer of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(u32);
entity_impl!(BufferId, "b");

/// The purpose of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BufferRole {
    /// Holds this tensor when the routine starts: an input, a constant, or what an
    /// earlier segment stored. Only read.
    Given(TensorId),
    /// Holds this tensor when the routine ends.
    Result(TensorId),
    /// Scratch of the routine.
    Scratch,
}

/// A buffer: elements of one type, as many as the largest of its tenants needs.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The element type.
    pub elem: ScalarType,
    /// Its purpose.
    pub role: BufferRole,
    /// The tensors that live in it (one after the other).
    pub tenants: Vec<TensorId>,
    /// Counts of elements; the buffer has the largest.
    pub sizes: Vec<Size>,
}

/// Where a tensor's numbers are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// Nothing that is observed needs it.
    #[default]
    Unused,
    /// Computed inside its readers.
    Virtual {
        /// Why.
        reason: String,
    },
    /// There before the routine starts.
    Given {
        /// Where.
        buffer: BufferId,
    },
    /// Stored whole, row-major.
    Stored {
        /// Where.
        buffer: BufferId,
        /// Why.
        reason: String,
    },
    /// The last `size` cells along `axis`, as a ring: the cell at index `i` of that axis
    /// lies at `i mod size`.
    Window {
        /// Where.
        buffer: BufferId,
        /// The axis.
        axis: usize,
        /// How many cells of it are kept.
        size: i64,
        /// Why.
        reason: String,
    },
}

/// The value of a [`Fill`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillValue {
    /// Zero: the value of a cell that nothing defines.
    Zero,
    /// The identity of an accumulator.
    Identity(Accumulator),
}

/// Sets cells of a tensor to one value.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The tensor.
    pub target: TensorId,
    /// The value.
    pub value: FillValue,
    /// All cells, or those at this index along an axis; none where it is outside.
    pub slice: Option<(usize, Affine)>,
    /// A condition over loop variables where it is needed at all: elsewhere the cells that
    /// nothing else writes hold the value already.
    pub when: Option<Constraint>,
}

/// One assignment, carried out for given values of some of its iterators. Its points for
/// the others may be taken in any order, or at once: none reads what another one writes.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The assignment.
    pub assign: AssignId,
    /// Iterators that enclosing time loops fix, as terms over loop variables.
    pub bound: Vec<(Iter, Affine)>,
    /// Bound iterators whose range must be tested.
    pub tested: Vec<Iter>,
    /// Conditions over loop variables under which it runs at all.
    pub when: Vec<Constraint>,
    /// Whether values combine with what the target holds (a [`Fill`] came before), or
    /// replace it.
    pub continues: bool,
}

/// A loop in order over one axis of a recurrence.
#[derive(Clone, Debug)]
pub struct TimeLoop {
    /// The variable: an index along the axis.
    pub var: LoopVar,
    /// First index, over outer loop variables.
    pub lo: Affine,
    /// One past the last index.
    pub hi: Affine,
    /// Of these indices the ones in here alone, over outer loop variables; all if `None`.
    pub within: Option<(Affine, Affine)>,
    /// Runs from `hi - 1` down to `lo`.
    pub descending: bool,
    /// Whether no step reads what another one writes: the steps may run in any order, or
    /// at once.
    pub parallel: bool,
    /// The items of each step.
    pub body: Vec<Item>,
}

/// One step of a routine.
#[derive(Clone, Debug)]
pub enum Item {
    /// Sets cells.
    Fill(Fill),
    /// Computes an assignment.
    Nest(Nest),
    /// Runs items in time order.
    Loop(TimeLoop),
}

/// A routine without extents.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The graph after rewriting; ids of tensors are those of the graph planned.
    pub graph: Graph,
    /// The observed tensors, in the order asked for.
    pub observed: Vec<TensorId>,
    /// The steps.
    pub items: Vec<Item>,
    /// Names of loop variables, where the source has one.
    pub loop_vars: PrimaryMap<LoopVar, Option<Name>>,
    /// Where each tensor is.
    pub storage: SecondaryMap<TensorId, Storage>,
    /// The buffers: given ones, results, scratch.
    pub buffers: PrimaryMap<BufferId, Buffer>,
    /// Tensors of 64-bit integers that are computed in 32 bits.
    pub narrowed: BTreeSet<TensorId>,
    /// Writes that binding looks at, since they are not shown to stay in their tensors.
    pub open_writes: Vec<OpenWrite>,
    /// Parameters that it holds for these values of alone.
    pub pinned: BTreeMap<Param, i64>,
    /// The passes that its graph went through.
    pub passes: Vec<PassRecord>,
    /// The options it was made with.
    pub options: PlanOptions,
}

impl Nest {
    /// The step that a term along time means, relative to the step that a loop is at;
    /// `None` where that is not a number.
    pub fn step_of(&self, loop_var: LoopVar, term: &IndexTerm) -> Option<i64> {
        let (iter, now) = self.bound.iter().find(|(_, now)| now.iters() == [loop_var])?;
        let ahead = now.minus(&Affine::iter(loop_var))?.as_constant()?;
        term.as_affine()?.minus(&Affine::iter(*iter))?.as_constant()?.checked_add(ahead)
    }
}

impl Item {
    /// Every nest in it, in order.
    pub fn nests(&self) -> Vec<&Nest> {
        match self {
            Item::Nest(n) => vec![n],
            Item::Loop(l) => l.body.iter().flat_map(Item::nests).collect(),
            Item::Fill(_) => Vec::new(),
        }
    }

    /// Whether it reads a tensor, writes or fills it.
    pub fn touches(&self, graph: &Graph, t: TensorId) -> bool {
        match self {
            Item::Fill(fill) => fill.target == t,
            Item::Nest(n) => {
                let a = &graph.assigns[n.assign];
                a.target == t || reads(a).iter().any(|r| r.tensor == t)
            }
            Item::Loop(l) => l.body.iter().any(|i| i.touches(graph, t)),
        }
    }
}

impl Storage {
    /// The buffer, where there is one.
    pub fn buffer(&self) -> Option<BufferId> {
        match self {
            Storage::Unused | Storage::Virtual { .. } => None,
            Storage::Given { buffer }
            | Storage::Stored { buffer, .. }
            | Storage::Window { buffer, .. } => Some(*buffer),
        }
    }

    /// The ring's axis and size, where there is one.
    pub fn window(&self) -> Option<(usize, i64)> {
        match self {
            Storage::Window { axis, size, .. } => Some((*axis, *size)),
            _ => None,
        }
    }
}

impl Plan {
    /// The extents of a tensor as it is stored: the window's size along its axis.
    pub fn stored_shape(&self, t: TensorId) -> Vec<Size> {
        let mut shape: Vec<Size> = self.graph.shape(t).cloned().collect();
        if let Some((axis, size)) = self.storage[t].window() {
            shape[axis] = Size::constant(size);
        }
        shape
    }

    /// The likely value of a parameter, for which the routine is planned.
    pub fn likely(&self, p: Param) -> Option<i64> {
        self.graph.param_value(&self.options.likely, p)
    }

    /// The name of a tensor for messages.
    pub fn tensor_name(&self, t: TensorId) -> String {
        name_of(&self.graph, t)
    }
}

/// The name of a tensor for messages: its own, or its id.
pub(crate) fn name_of(graph: &Graph, t: TensorId) -> String {
    match &graph.tensors[t].name {
        Some(name) => name.to_string(),
        None => t.to_string(),
    }
}
