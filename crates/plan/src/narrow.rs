//! Narrow lanes: recurrences of 64-bit integers in 32 bits, where their cells stay small.
//!
//! The size of cells is estimated by the extents at hand: by how much a step adds, and how
//! many steps there are. The estimate decides what is tried, and nothing else: every operator
//! of what is narrow says where it leaves its type, and whoever calls plans again without
//! this pass where one does. What is observed keeps its type; a reduction that is observed is
//! made in 32 bits and widened at the end.

mod lanes;

use crate::context::Context;
use crate::magnitude::{Certainty, Magnitudes};
use lanes::narrowed;
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, Space};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Param;
use weft_tensor::reads;
use weft_tensor::{
    Accumulator, Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm, Site, SiteId,
    Tensor, TensorId,
};

/// The type of cells that are computed in another one.
const WIDE: ScalarType = ScalarType::I64;

/// The type that they are computed in.
const NARROW: ScalarType = ScalarType::I32;

/// The largest magnitude that is taken to fit: the identities of `max` and `min` are beyond.
const MOST: i128 = i32::MAX as i128 - 1;

/// Tensors in 32 bits, each with what its cells are where a maximum or minimum of nothing
/// stands in them, if it may.
type NarrowTensors = BTreeMap<TensorId, Option<Scalar>>;

/// The graph with small recurrences in 32 bits, and the tensors that are; nothing where
/// there are none.
pub(crate) fn narrow_recurrences(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Option<(Graph, BTreeSet<TensorId>)> {
    let likely = |p: Param| graph.param_value(&context.options.likely, p);
    let magnitudes = Magnitudes::compute(graph, computed, &likely, Certainty::Estimate);
    let is_small = |t: TensorId| magnitudes.of_cells(t).is_some_and(|m| m <= MOST);
    let free = |t: TensorId| {
        let wide = graph.tensors[t].elem == WIDE && !context.observed.contains(&t);
        (wide && is_small(t)).then(|| identity_in(graph, t)).flatten()
    };
    let mut narrow = NarrowTensors::new();
    for group in magnitudes.recurrences() {
        let wide = group.iter().filter(|t| graph.tensors[**t].elem == WIDE);
        let found: Option<NarrowTensors> = wide.map(|&t| Some((t, free(t)?))).collect();
        narrow.extend(found.unwrap_or_default());
    }
    if narrow.is_empty() {
        return None;
    }
    let in_recurrences: BTreeSet<TensorId> = magnitudes.recurrences().flatten().copied().collect();
    let beside = computed.iter().filter(|t| !in_recurrences.contains(t));
    narrow.extend(beside.filter_map(|&t| Some((t, free(t)?))));
    let ends = context.observed.iter().copied();
    let ends = ends.filter(|t| computed.contains(t) && is_small(*t));
    let ends: Vec<TensorId> = ends.filter(|&t| is_reduced_from(graph, t, &narrow)).collect();
    let touches = |a: &Assignment| {
        let own = narrow.contains_key(&a.target) || ends.contains(&a.target);
        own || reads(a).iter().any(|r| narrow.contains_key(&r.tensor))
    };
    let touched = graph.assigns.iter().filter(|(_, a)| touches(a));
    let sizes: Vec<_> = touched.map(|(p, a)| (p, magnitudes.of_nodes(a))).collect();
    let mut new = graph.clone();
    let message = "integer out of range".to_string();
    let site = new.sites.push(Site { span: None, message });
    for t in ends {
        let identity = identity_in(graph, t).flatten();
        narrow.insert(widen_at_end(&mut new, t, site), identity);
    }
    for (p, sizes) in sizes {
        new.assigns[p] = narrowed(graph, &new.assigns[p], &narrow, &sizes, site);
    }
    narrow.keys().for_each(|&t| new.tensors[t].elem = NARROW);
    Some((new, narrow.into_keys().collect()))
}

/// The value of the cells of a tensor in 32 bits where nothing was accumulated, if anything
/// but zero may; nothing where the tensor has no form in 32 bits.
fn identity_in(graph: &Graph, t: TensorId) -> Option<Option<Scalar>> {
    let mut identity = None;
    for &p in graph.pieces(t) {
        let own = nothing_of(graph.assigns[p].accumulator)?;
        if identity.is_some() && own.is_some() && identity != own {
            return None;
        }
        identity = identity.or(own);
    }
    Some(identity)
}

/// The value that an accumulator in 32 bits leaves of nothing, if it is another than in 64;
/// nothing where it has no form in 32 bits.
fn nothing_of(accumulator: Accumulator) -> Option<Option<Scalar>> {
    match accumulator {
        Accumulator::Max | Accumulator::Min => Some(Some(accumulator.identity(NARROW))),
        Accumulator::Set | Accumulator::ExactSum(_) => Some(None),
        _ => None,
    }
}

/// Whether a tensor of 64 bits is made by reductions, of which one reads what is narrow.
fn is_reduced_from(graph: &Graph, t: TensorId, narrow: &NarrowTensors) -> bool {
    let pieces = || graph.pieces(t).iter().map(|&p| &graph.assigns[p]);
    graph.tensors[t].elem == WIDE
        && identity_in(graph, t).is_some()
        && pieces().all(|a| a.accumulator != Accumulator::Set)
        && pieces().flat_map(reads).any(|r| narrow.contains_key(&r.tensor))
}

/// Has the pieces of a tensor define another one in 32 bits, of which it becomes a copy. A
/// maximum or minimum of nothing is told at `site`.
fn widen_at_end(graph: &mut Graph, t: TensorId, site: SiteId) -> TensorId {
    let whole = graph.tensors[t].clone();
    let pieces = graph.pieces(t).to_vec();
    let identity = identity_in(graph, t).flatten();
    let part = graph.tensors.push(Tensor { name: None, elem: NARROW, ..whole.clone() });
    pieces.iter().for_each(|&p| graph.assigns[p].target = part);
    graph.tensors[t].definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let mut space = Space::default();
    let mut cell: Vec<IndexTerm> = Vec::new();
    for axis in &whole.axes {
        let end = Affine::fixed(axis.extent.clone());
        let i = space.push(axis.name.clone(), Affine::fixed(0), end);
        cell.push(IndexTerm::Affine(Affine::iter(i)));
    }
    let mut exprs = Exprs::new();
    let read = Expr::Read { tensor: part, index: cell.clone(), site: None };
    let value = exprs.add(read, NARROW);
    let value = something(&mut exprs, value, identity, site);
    let body = exprs.cast(WIDE, value);
    let (accumulator, mask) = (Accumulator::Set, None);
    graph.assign(Assignment { target: t, space, write: cell, accumulator, mask, body, exprs });
    part
}

/// A number in 32 bits: a failure where it is `nothing`, which a maximum or minimum of nothing
/// is.
fn something(exprs: &mut Exprs, e: ExprId, nothing: Option<Scalar>, site: SiteId) -> ExprId {
    let Some(nothing) = nothing else { return e };
    let nothing = exprs.constant(nothing);
    let condition = exprs.binary(BinaryOp::Ne, e, nothing);
    exprs.add(Expr::Check { condition, value: e, site }, NARROW)
}
