//! Merge copies: a clause whose whole body is one reduction computes it in its own cells.
//!
//! ```text
//! r[i] = sum[k](x[i, k]);  row[i] = r[i]   =>   row[i] = sum[k](x[i, k])
//! ```
//!
//! Staging gives every reduction a tensor of its own, without a name. Where all that
//! happens to it is to be copied, the copy would be the virtual one of the two, and what
//! is said of the named tensor (where it is stored, which window it has) would be said of
//! a tensor that nobody wrote.

use crate::context::Context;
use std::collections::BTreeMap;
use weft_base::entity::SecondaryMap;
use weft_depend::unit_iter;
use weft_domain::{Affine, Constraint, Iter};
use weft_tensor::reads;
use weft_tensor::{Accumulator, AssignId, Assignment, Expr, Graph, IndexTerm, TensorId};

/// Merges every copy with what it copies. Guarantees that no piece only copies an unnamed
/// reduction over the very cells that it writes.
pub(crate) fn forward_copies(graph: &mut Graph, context: &Context<'_>) {
    let reads = count_reads(graph);
    for t in graph.tensors.keys().collect::<Vec<_>>() {
        for p in graph.pieces(t).to_vec() {
            if let Some(merged) = merge(graph, p, &reads, context) {
                graph.assigns[p] = merged;
            }
        }
    }
}

/// How many nodes read each tensor, in the whole graph.
fn count_reads(graph: &Graph) -> SecondaryMap<TensorId, usize> {
    let mut counts = SecondaryMap::new();
    for t in graph.tensors.keys() {
        for &p in graph.pieces(t) {
            reads(&graph.assigns[p]).iter().for_each(|r| counts[r.tensor] += 1);
        }
    }
    counts
}

/// The piece with the body of what it copies; `None` where it is more than a copy.
fn merge(
    graph: &Graph,
    p: AssignId,
    reads: &SecondaryMap<TensorId, usize>,
    context: &Context<'_>,
) -> Option<Assignment> {
    let copy = &graph.assigns[p];
    let Expr::Read { tensor, index, site: None } = copy.exprs.get(copy.body) else { return None };
    let source = &graph.tensors[*tensor];
    let own = source.name.is_none() && reads[*tensor] == 1 && source.elem == elem(graph, copy);
    let kept = context.observed.contains(tensor) || context.stored.contains(tensor);
    let [q] = graph.pieces(*tensor) else { return None };
    let reduction = &graph.assigns[*q];
    let sets = copy.accumulator == Accumulator::Set;
    if !own || kept || !sets || reduction.reduced().is_empty() {
        return None;
    }
    let iters = matched(copy, index, reduction)?;
    let write = copy.write.iter().map(|t| renamed_term(t, &iters)).collect::<Option<_>>()?;
    Some(Assignment { target: copy.target, write, ..reduction.clone() })
}

fn elem(graph: &Graph, a: &Assignment) -> weft_scalar::ScalarType {
    graph.tensors[a.target].elem
}

/// The reduction's iterator for each of the copy's, if both run over the same cells.
fn matched(
    copy: &Assignment,
    index: &[IndexTerm],
    reduction: &Assignment,
) -> Option<BTreeMap<Iter, Iter>> {
    let mut iters = BTreeMap::new();
    for (read, write) in index.iter().zip(&reduction.write) {
        let (from, to) = (read.as_affine()?.as_iter()?, write.as_affine()?.as_iter()?);
        if iters.insert(from, to).is_some() {
            return None;
        }
    }
    let all = copy.space.ranges.iter().all(|r| iters.contains_key(&r.iter));
    if !all {
        return None;
    }
    let ranges = copy.space.ranges.iter().all(|r| {
        let other = reduction.space.range(iters[&r.iter]);
        let ends = (renamed(&r.lo, &iters), renamed(&r.hi, &iters));
        other.is_some_and(|o| ends == (Some(o.lo.clone()), Some(o.hi.clone())))
    });
    let same_guards = guards(copy, &iters)? == own_guards(reduction);
    let plain = copy.write.iter().all(|t| t.as_affine().is_some_and(is_plain));
    (ranges && same_guards && plain).then_some(iters)
}

/// A cell or an iterator: what every clause writes.
fn is_plain(term: &Affine) -> bool {
    term.terms().is_empty() || unit_iter(term).is_some()
}

/// The copy's guards over the reduction's iterators, sorted.
fn guards(copy: &Assignment, iters: &BTreeMap<Iter, Iter>) -> Option<Vec<Constraint>> {
    let one =
        |g: &Constraint| Some(Constraint { term: renamed(&g.term, iters)?, relation: g.relation });
    let mut all: Vec<Constraint> = copy.space.guards.iter().map(one).collect::<Option<_>>()?;
    all.sort();
    Some(all)
}

/// The reduction's guards on its cells, sorted.
fn own_guards(reduction: &Assignment) -> Vec<Constraint> {
    let reduced = reduction.reduced();
    let on_cells = |g: &&Constraint| !g.term.iters().iter().any(|i| reduced.contains(i));
    let mut all: Vec<Constraint> =
        reduction.space.guards.iter().filter(on_cells).cloned().collect();
    all.sort();
    all
}

fn renamed(a: &Affine, iters: &BTreeMap<Iter, Iter>) -> Option<Affine> {
    if !a.iters().iter().all(|i| iters.contains_key(i)) {
        return None;
    }
    a.compose(&|i| Affine::iter(iters[&i]))
}

fn renamed_term(term: &IndexTerm, iters: &BTreeMap<Iter, Iter>) -> Option<IndexTerm> {
    Some(IndexTerm::Affine(renamed(term.as_affine()?, iters)?))
}
