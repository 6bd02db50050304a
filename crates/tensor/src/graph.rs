//! The graph: tensors as identities, and the assignments that define them.

use crate::{Array, Assignment};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_base::entity::{PrimaryMap, entity_impl};
use weft_base::{Name, Span};
use weft_scalar::ScalarType;
use weft_scalar::function::Functions;
use weft_shape::{Facts, Param, Size};

/// A tensor: an identity, without numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(u32);
entity_impl!(TensorId, "t");

/// An assignment of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssignId(u32);
entity_impl!(AssignId, "a");

/// A place in the source where evaluation may fail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(u32);
entity_impl!(SiteId, "s");

/// The subject of a failure at a site. Indices are named by the iterators around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where.
    pub span: Option<Span>,
    /// The failure as a headline: `index out of range`, `assertion failed`.
    pub message: String,
}

/// A parameter of the graph.
#[derive(Clone, Debug)]
pub struct ParamInfo {
    /// Its name in messages.
    pub name: Name,
    /// Where it comes from, for messages: an input's axis, a `let`.
    pub span: Option<Span>,
    /// Value it has unless the run says otherwise (a literal `let`).
    pub default: Option<i64>,
}

/// One axis of a tensor.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The extent.
    pub extent: Size,
    /// The index that names the axis in the source, where one does.
    pub name: Option<Name>,
}

/// Where a tensor's numbers come from.
#[derive(Clone, Debug)]
pub enum Definition {
    /// The caller supplies it under the tensor's name.
    Input,
    /// A literal.
    Constant(Arc<Array>),
    /// Assignments with disjoint images.
    Assigned {
        /// In source order.
        pieces: Vec<AssignId>,
        /// Whether they are known to write every cell; cells that none writes are zero.
        covered: bool,
    },
}

/// A tensor: name, element type, axes, definition.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name in the source, where it has one.
    pub name: Option<Name>,
    /// Where it is defined.
    pub span: Option<Span>,
    /// The element type.
    pub elem: ScalarType,
    /// The axes; none for a scalar.
    pub axes: Vec<Axis>,
    /// Where its numbers come from.
    pub definition: Definition,
}

/// Tensors and assignments. Tensors are in the order of their definitions in the source.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Integers that are known only when bound.
    pub params: PrimaryMap<Param, ParamInfo>,
    /// Facts about them.
    pub facts: Facts,
    /// The identities.
    pub tensors: PrimaryMap<TensorId, Tensor>,
    /// All assignments.
    pub assigns: PrimaryMap<AssignId, Assignment>,
    /// Places that may fail.
    pub sites: PrimaryMap<SiteId, Site>,
    /// Functions that bodies call; a place of theirs is the number of one of the sites.
    pub functions: Functions,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// The value of a parameter: the given one, or else its default.
    pub fn param_value(&self, given: &BTreeMap<Param, i64>, p: Param) -> Option<i64> {
        given.get(&p).copied().or(self.params[p].default)
    }

    /// The values of all parameters. One that is not known yet is 0: nothing uses it that is
    /// computed now.
    pub fn param_values(&self, given: &BTreeMap<Param, i64>) -> PrimaryMap<Param, i64> {
        self.params.keys().map(|p| self.param_value(given, p).unwrap_or(0)).collect()
    }

    /// The assignments that define a tensor; none for inputs and constants.
    pub fn pieces(&self, t: TensorId) -> &[AssignId] {
        match &self.tensors[t].definition {
            Definition::Assigned { pieces, .. } => pieces,
            Definition::Input | Definition::Constant(_) => &[],
        }
    }

    /// Adds an assignment to the definition of its target (which becomes `Assigned`).
    pub fn assign(&mut self, assignment: Assignment) -> AssignId {
        let target = assignment.target;
        let id = self.assigns.push(assignment);
        match &mut self.tensors[target].definition {
            Definition::Assigned { pieces, .. } => pieces.push(id),
            other => *other = Definition::Assigned { pieces: vec![id], covered: false },
        }
        id
    }

    /// The extents of a tensor.
    pub fn shape(&self, t: TensorId) -> impl Iterator<Item = &Size> {
        self.tensors[t].axes.iter().map(|a| &a.extent)
    }
}

impl Tensor {
    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.axes.len()
    }
}
