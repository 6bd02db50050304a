//! The graph under construction, and what of it there is only once.

use crate::frame::{IterAxis, axis_over};
use crate::known::types::elem_of;
use rustc_hash::FxHashMap;
use weft_base::{Name, Span};
use weft_domain::{Affine, Iter, Space};
use weft_scalar::eval::{Overflow, Trap};
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, ParamInfo as BodyParam, ParamOrigin};
use weft_shape::{Facts, Param, Size};
use weft_tensor::{
    Array, Assignment, Axis, Data, Definition, Expr as Node, Exprs, Graph, ParamInfo, Site, SiteId,
    Tensor, TensorId,
};

/// The graph, with what it holds of places in the program.
pub(crate) struct Tensors {
    graph: Graph,
    /// What becomes of integers that leave their types.
    overflow: Overflow,
    /// Array literals of constants, by their place in the program.
    constants: FxHashMap<*const Expr, TensorId>,
    /// Places where operators fail, by what they tell.
    traps: FxHashMap<(Span, String), SiteId>,
}

impl Tensors {
    /// None yet.
    pub fn new(overflow: Overflow) -> Tensors {
        let (graph, constants, traps) = Default::default();
        Tensors { graph, overflow, constants, traps }
    }

    /// The graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph, for passes over all of it.
    pub fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// The graph, when all is in it.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// What is known of parameters.
    pub fn facts(&self) -> &Facts {
        &self.graph.facts
    }

    /// What becomes of integers that leave their types.
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// The element type of a tensor.
    pub fn elem(&self, t: TensorId) -> ScalarType {
        self.graph.tensors[t].elem
    }

    /// A new tensor without a definition.
    pub fn tensor(
        &mut self,
        name: Option<(Name, Span)>,
        elem: ScalarType,
        axes: Vec<Axis>,
    ) -> TensorId {
        let (name, span) = name.unzip();
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        self.graph.tensors.push(Tensor { name, span, elem, axes, definition })
    }

    /// A new tensor whose cells the host gives.
    pub fn input(
        &mut self,
        name: Option<Name>,
        span: Option<Span>,
        elem: ScalarType,
        axes: Vec<Axis>,
    ) -> TensorId {
        let definition = Definition::Input;
        self.graph.tensors.push(Tensor { name, span, elem, axes, definition })
    }

    /// A new tensor of these cells.
    pub fn constant(
        &mut self,
        shape: Vec<usize>,
        cells: &[Scalar],
        elem: ScalarType,
        span: Span,
    ) -> Option<TensorId> {
        let array = Array::new(shape.clone(), Data::from_scalars(elem, cells))?;
        let axes = shape.into_iter().map(|n| unnamed((n as i64).into())).collect();
        let t = self.tensor(None, elem, axes);
        let tensor = &mut self.graph.tensors[t];
        tensor.span = Some(span);
        tensor.definition = Definition::Constant(array.into());
        Some(t)
    }

    /// The tensor of an array literal whose elements are all constants.
    pub fn constant_array(&mut self, e: &Expr) -> Option<TensorId> {
        if let Some(t) = self.constants.get(&std::ptr::from_ref(e)) {
            return Some(*t);
        }
        let mut cells = Vec::new();
        collect_constants(e, &mut cells)?;
        let extent = |s: &Size| s.as_constant().and_then(|n| usize::try_from(n).ok());
        let shape: Vec<usize> = e.ty.shape()?.iter().map(extent).collect::<Option<_>>()?;
        let t = self.constant(shape, &cells, elem_of(&e.ty), e.span)?;
        self.constants.insert(e, t);
        Some(t)
    }

    /// Gives a tensor a name, if it has none, at a place.
    pub fn call(&mut self, t: TensorId, name: Name, span: Span) {
        let tensor = &mut self.graph.tensors[t];
        tensor.name.get_or_insert(name);
        tensor.span = Some(span);
    }

    /// Gives a tensor another name.
    pub fn rename(&mut self, t: TensorId, name: Name) {
        self.graph.tensors[t].name = Some(name);
    }

    /// Says where a tensor stands in the source.
    pub fn set_span(&mut self, t: TensorId, span: Span) {
        self.graph.tensors[t].span = Some(span);
    }

    /// Says where a tensor stands in the source, if nothing was said of it.
    pub fn span_or(&mut self, t: TensorId, span: Span) {
        self.graph.tensors[t].span.get_or_insert(span);
    }

    /// Drops axes of a tensor that was declared with more than it needs.
    pub fn drop_axes(&mut self, t: TensorId, dropped: &[usize]) {
        let mut n = 0;
        self.graph.tensors[t].axes.retain(|_| {
            n += 1;
            !dropped.contains(&(n - 1))
        });
    }

    /// Adds an assignment.
    pub fn assign(&mut self, assignment: Assignment) {
        self.graph.assign(assignment);
    }

    /// Adds an assignment whose target is read at its points only.
    pub fn define_covered(&mut self, assignment: Assignment) {
        let target = assignment.target;
        self.graph.assign(assignment);
        self.set_covered(target, true);
    }

    /// Whether a tensor is read at the points of its assignments only.
    pub fn set_covered(&mut self, t: TensorId, yes: bool) {
        if let Definition::Assigned { covered, .. } = &mut self.graph.tensors[t].definition {
            *covered = yes;
        }
    }

    /// Has assignments to come say what a tensor holds.
    pub fn undefine(&mut self, t: TensorId) {
        self.graph.tensors[t].definition =
            Definition::Assigned { pieces: Vec::new(), covered: true };
    }

    /// Whether the clauses of a tensor are still being lowered.
    pub fn is_under_way(&self, t: TensorId) -> bool {
        let definition = &self.graph.tensors[t].definition;
        matches!(definition, Definition::Assigned { pieces, .. } if pieces.is_empty())
    }

    /// A place where something can fail.
    pub fn site(&mut self, span: Span, message: impl Into<String>) -> SiteId {
        let message = message.into();
        self.graph.sites.push(Site { span: Some(span), message })
    }

    /// The place where a trap in the source is told: one for all that is computed there.
    pub fn trap_site(&mut self, span: Span, trap: Trap) -> SiteId {
        let key = (span, trap.to_string());
        if let Some(known) = self.traps.get(&key) {
            return *known;
        }
        let site = self.site(span, key.1.clone());
        self.traps.insert(key, site);
        site
    }

    /// A parameter of the graph for one of a body.
    pub fn param(&mut self, info: &BodyParam) -> Param {
        let default = match info.origin {
            ParamOrigin::Literal(n) => Some(n),
            _ => None,
        };
        let (name, span) = (info.name.clone(), Some(info.span));
        self.graph.params.push(ParamInfo { name, span, default })
    }

    /// The same, between the bounds that the body knows.
    pub fn bounded_param(&mut self, p: Param, info: &BodyParam, facts: &Facts) -> Param {
        let new = self.param(info);
        let (lo, hi) = facts.param_bounds(p);
        lo.into_iter().for_each(|n| self.graph.facts.at_least(new, n));
        hi.into_iter().for_each(|n| self.graph.facts.at_most(new, n));
        new
    }

    /// Axes over the values of iterators, and the cell of each value.
    pub fn axes_over(&self, space: &Space, iters: &[Iter]) -> (Vec<Axis>, Vec<Affine>) {
        let axis = |i: &Iter| {
            let axis = axis_over(space, *i, &self.graph.facts);
            let IterAxis { extent, cell } = axis.expect("ranges use earlier iterators only");
            (Axis { extent, name: space.iters[*i].clone() }, cell)
        };
        iters.iter().map(axis).unzip()
    }
}

/// An axis without a name.
pub(crate) fn unnamed(extent: Size) -> Axis {
    Axis { extent, name: None }
}

/// The tensors that expressions read.
pub(crate) fn reads(exprs: &Exprs) -> impl Iterator<Item = TensorId> + '_ {
    exprs.ids().filter_map(|e| match exprs.get(e) {
        Node::Read { tensor, .. } => Some(*tensor),
        _ => None,
    })
}

fn collect_constants(e: &Expr, out: &mut Vec<Scalar>) -> Option<()> {
    match &e.kind {
        ExprKind::Const(v) => {
            out.push(*v);
            Some(())
        }
        ExprKind::Array(members) => members.iter().try_for_each(|m| collect_constants(m, out)),
        _ => None,
    }
}
