//! Copies: tensors that are another one, cell by cell.
//!
//! `let g = @y / @x;` copies what a sweep defines. Where nobody else reads that, `g` is defined
//! as it is, so that it is computed where it is wanted, and not beside.

use std::collections::{BTreeMap, BTreeSet};
use weft_shape::Size;
use weft_tensor::{Accumulator, AssignId, Definition, Expr, Graph, IndexTerm, TensorId};

/// The tensor that an assignment copies cell by cell.
pub(crate) fn copied(graph: &Graph, p: AssignId) -> Option<TensorId> {
    let a = &graph.assigns[p];
    let Expr::Read { tensor, index, .. } = a.exprs.get(a.body) else { return None };
    let whole = |(term, extent): (&IndexTerm, &Size)| {
        let range = term.as_affine()?.as_iter().and_then(|i| a.space.range(i))?;
        (range.lo.as_constant() == Some(0) && range.hi.as_size() == Some(extent)).then_some(())
    };
    let plain = a.accumulator == Accumulator::Set
        && a.space.guards.is_empty()
        && *index == a.write
        && index.iter().enumerate().all(|(n, t)| !index[..n].contains(t))
        && index.iter().zip(graph.shape(a.target)).all(|pair| whole(pair).is_some())
        && graph.shape(a.target).eq(graph.shape(*tensor));
    plain.then_some(*tensor)
}

/// Defines what alone copies a tensor from `first` on as that tensor is. Pieces that a rule
/// stands in for stay.
pub(crate) fn take_over_copied(graph: &mut Graph, first: TensorId, ruled: &BTreeSet<AssignId>) {
    let readers = readers(graph);
    let targets: Vec<TensorId> = graph.tensors.keys().collect();
    for t in targets {
        // A copy of a copy is taken over in turn.
        for _ in 0..LONGEST_CHAIN {
            let [copy] = *graph.pieces(t) else { break };
            let source = copied(graph, copy).filter(|s| *s >= first && *s != t);
            let alone = |s: &TensorId| readers.get(s) == Some(&1) && is_plain(graph, *s);
            match source.filter(alone) {
                Some(source) if !ruled.contains(&copy) => take_over(graph, copy, source),
                _ => break,
            }
        }
    }
}

/// Copies of copies that are looked through.
pub(crate) const LONGEST_CHAIN: usize = 64;

/// How many assignments read each tensor.
pub(crate) fn readers(graph: &Graph) -> BTreeMap<TensorId, usize> {
    let mut found = BTreeMap::new();
    for p in graph.assigns.keys() {
        for t in read_by(graph, p) {
            *found.entry(t).or_insert(0) += 1;
        }
    }
    found
}

fn read_by(graph: &Graph, p: AssignId) -> BTreeSet<TensorId> {
    graph.assigns[p].exprs.tensors_read().collect()
}

/// Whether a tensor has pieces, of which none reads it.
fn is_plain(graph: &Graph, t: TensorId) -> bool {
    let pieces = graph.pieces(t);
    !pieces.is_empty() && !pieces.iter().any(|p| read_by(graph, *p).contains(&t))
}

/// Puts the pieces of `source` in the place of the only piece of what copies it.
fn take_over(graph: &mut Graph, copy: AssignId, source: TensorId) {
    let target = graph.assigns[copy].target;
    let Definition::Assigned { pieces, covered } = graph.tensors[source].definition.clone() else {
        unreachable!("sweeps assign what they define");
    };
    let (first, rest) = pieces.split_first().expect("it has pieces");
    let moved = |p: &AssignId| weft_tensor::Assignment { target, ..graph.assigns[*p].clone() };
    let (first, rest): (_, Vec<_>) = (moved(first), rest.iter().map(moved).collect());
    graph.assigns[copy] = first;
    rest.into_iter().for_each(|piece| {
        graph.assign(piece);
    });
    if let Definition::Assigned { covered: known, .. } = &mut graph.tensors[target].definition {
        *known = covered;
    }
}
