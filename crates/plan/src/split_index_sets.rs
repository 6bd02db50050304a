//! Statements divided where only some of their instances read: index-set splitting (Griebl,
//! Feautrier and Lengauer, 2000).
//!
//! One term over the indices may order neither all instances nor any part of a schedule,
//! and yet it does those that read and those that do not, each as a piece of their own: the
//! diagonal of a factorisation and what is beside it.

use std::collections::BTreeSet;
use weft_depend::{Read, Statement, Statements};
use weft_domain::{Constraint, Formula, Range, Region, Sets};
use weft_tensor::{AssignId, Assignment, Definition, Graph, TensorId};

/// Parts that one piece is divided into at once.
const MOST_PARTS: usize = 6;

/// Statements of one tensor.
const MOST_PIECES: usize = 24;

/// The graph with some of the given pieces, which need each other, divided; `None` where
/// none can be.
pub(crate) fn split_index_sets(graph: &Graph, members: &[AssignId]) -> Option<Graph> {
    let targets: Vec<TensorId> = members.iter().map(|&p| graph.assigns[p].target).collect();
    let pieces = Statements::compute(graph, targets.iter().copied());
    let mut divided = graph.clone();
    let mut any = false;
    // A piece may be named once for each loop that it runs in.
    for &id in &members.iter().copied().collect::<BTreeSet<AssignId>>() {
        let piece = pieces.get(id);
        let inside = |r: &&Read| targets.contains(&r.tensor);
        let mut reads = piece.reads.iter().filter(inside);
        let parts = reads.find_map(|r| parts(graph, id, piece, r));
        if let Some(parts) = parts.filter(|_| graph.pieces(piece.target).len() < MOST_PIECES) {
            replace(&mut divided, id, parts);
            any = true;
        }
    }
    any.then_some(divided)
}

/// The assignment in parts, of which some read by `r` at all their instances and the
/// others at none.
fn parts(graph: &Graph, id: AssignId, piece: &Statement, r: &Read) -> Option<Vec<Assignment>> {
    let region = |formula: Formula| {
        let mut hidden: Vec<_> =
            formula.constraints().iter().flat_map(|c| c.term.iters()).collect();
        hidden.sort_unstable();
        hidden.dedup();
        hidden.retain(|i| !piece.cells.contains(i));
        Region { iters: piece.cells.clone(), hidden, formula }
    };
    let whole = region(piece.domain.clone()?);
    let reading = region(r.when.clone()?.and(piece.domain.clone()?));
    let sets = Sets::new(&graph.facts);
    let outside = sets.subtract(&whole, std::slice::from_ref(&reading))?;
    let inside = sets.pieces(&reading)?;
    if outside.is_empty() || inside.is_empty() || outside.len() + inside.len() > MOST_PARTS {
        return None;
    }
    let a = &graph.assigns[id];
    inside.iter().chain(&outside).map(|part| restricted(a, piece, part)).collect()
}

fn restricted(
    a: &Assignment,
    piece: &Statement,
    part: &weft_domain::ConvexSet,
) -> Option<Assignment> {
    let (ranges, guards) = part.ranges(&piece.cells).or_else(|| bounded(a, piece, part))?;
    let mut a = a.clone();
    for own in &mut a.space.ranges {
        if let Some(range) = ranges.iter().find(|r| r.iter == own.iter) {
            *own = range.clone();
        }
    }
    for g in guards {
        if !a.space.guards.contains(&g) {
            a.space.guards.push(g);
        }
    }
    Some(a)
}

/// The ranges of a part together with those of the piece, for where an equality has taken
/// the bounds of one iterator to another.
fn bounded(
    a: &Assignment,
    piece: &Statement,
    part: &weft_domain::ConvexSet,
) -> Option<(Vec<Range>, Vec<Constraint>)> {
    let mut part = part.clone();
    for range in a.space.ranges.iter().filter(|r| piece.cells.contains(&r.iter)) {
        for formula in Formula::of_range(range)? {
            let own = formula.constraints().into_iter().cloned();
            part.constraints
                .extend(own.filter(|c| !part.constraints.contains(c)).collect::<Vec<_>>());
        }
    }
    part.ranges(&piece.cells)
}

fn replace(graph: &mut Graph, id: AssignId, parts: Vec<Assignment>) {
    let target = graph.assigns[id].target;
    let mut new = Vec::new();
    for part in parts {
        new.push(graph.assigns.push(part));
    }
    if let Definition::Assigned { pieces, .. } = &mut graph.tensors[target].definition {
        let at = pieces.iter().position(|p| *p == id).expect("a piece defines its target");
        pieces.splice(at..=at, new);
    }
}
