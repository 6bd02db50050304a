//! Share equals: tensors whose definitions are the same are computed once.
//!
//! ```text
//! p = sum[i](x[i] * x[i]);  q = sum[k](x[k] * x[k]);  y = p / q
//!     =>   p = sum[i](x[i] * x[i]);  y = p / p
//! ```
//!
//! The common subexpressions of whole programs; inside a body equal nodes are one node
//! from the start. Two that may fail at different places of the source are not equal.

use crate::context::Context;
use crate::routine::name_of;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use weft_domain::{Constraint, Range};
use weft_scalar::ScalarType;
use weft_shape::Size;
use weft_tensor::{
    Accumulator, Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId,
};
use weft_tensor::{compute_demand, reachable};

/// Equal readers of equal tensors are found in the next round; so many levels are looked at.
const ROUNDS: usize = 8;

/// Makes readers of equal tensors read one of them: one that is there anyway, else the
/// first.
pub(crate) fn eliminate_common_tensors(graph: &mut Graph, context: &mut Context<'_>) {
    for _ in 0..ROUNDS {
        let replaced = equals(graph, context);
        let fresh: Vec<_> =
            replaced.iter().filter(|(t, _)| !context.virtuals.contains_key(t)).collect();
        if fresh.is_empty() {
            return;
        }
        for (&t, &kept) in fresh {
            context.virtuals.insert(t, format!("the same as `{}`", name_of(graph, kept)));
        }
        for a in graph.assigns.values_mut() {
            read_instead(a, &replaced);
        }
    }
}

/// Replacements of tensors that equal others.
fn equals(graph: &Graph, context: &Context<'_>) -> BTreeMap<TensorId, TensorId> {
    let there = |t: TensorId| context.stored.contains(&t) || context.observed.contains(&t);
    let needed = compute_demand(graph, context.observed.iter().copied(), context.stored);
    let mut order: Vec<TensorId> = graph.tensors.keys().filter(|&t| needed[t]).collect();
    order.sort_by_key(|&t| (!context.stored.contains(&t), !there(t), t));
    let mut first: FxHashMap<Key, TensorId> = FxHashMap::default();
    let mut replaced = BTreeMap::new();
    for t in order {
        let Some(key) = Key::of(graph, t) else { continue };
        match first.get(&key) {
            None => drop(first.insert(key, t)),
            Some(&kept) if !there(t) => drop(replaced.insert(t, kept)),
            Some(_) => {}
        }
    }
    replaced
}

/// A definition but for names and places in the source.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    elem: ScalarType,
    shape: Vec<Size>,
    covered: bool,
    pieces: Vec<PieceKey>,
}

#[derive(PartialEq, Eq, Hash)]
struct PieceKey {
    ranges: Vec<Range>,
    guards: Vec<Constraint>,
    write: Vec<IndexTerm>,
    accumulator: Accumulator,
    mask: Option<ExprId>,
    body: ExprId,
    nodes: Vec<(Expr, ScalarType)>,
}

impl Key {
    fn of(graph: &Graph, t: TensorId) -> Option<Key> {
        let Definition::Assigned { pieces, covered } = &graph.tensors[t].definition else {
            return None;
        };
        Some(Key {
            elem: graph.tensors[t].elem,
            shape: graph.shape(t).cloned().collect(),
            covered: *covered,
            pieces: pieces.iter().map(|&p| PieceKey::of(&graph.assigns[p])).collect(),
        })
    }
}

impl PieceKey {
    fn of(a: &Assignment) -> PieceKey {
        PieceKey {
            ranges: a.space.ranges.clone(),
            guards: a.space.guards.clone(),
            write: a.write.clone(),
            accumulator: a.accumulator,
            mask: a.mask,
            body: a.body,
            nodes: a.exprs.ids().map(|e| (a.exprs.get(e).clone(), a.exprs.ty(e))).collect(),
        }
    }
}

/// Reads other tensors, with the same terms.
fn read_instead(a: &mut Assignment, replaced: &BTreeMap<TensorId, TensorId>) {
    let old = |e: ExprId| match a.exprs.get(e) {
        Expr::Read { tensor, .. } => replaced.contains_key(tensor),
        _ => false,
    };
    if !a.exprs.ids().any(old) {
        return;
    }
    let mut exprs = Exprs::new();
    let mut moved: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    for e in reachable(a) {
        let mut node = a.exprs.get(e).with_operands(&|x| moved[&x]);
        if let Expr::Read { tensor, .. } = &mut node {
            *tensor = replaced.get(tensor).copied().unwrap_or(*tensor);
        }
        moved.insert(e, exprs.add(node, a.exprs.ty(e)));
    }
    a.mask = a.mask.map(|m| moved[&m]);
    a.body = moved[&a.body];
    a.exprs = exprs;
}
