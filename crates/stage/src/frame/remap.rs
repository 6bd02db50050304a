//! Rebuilding an assignment over fewer iterators.

use super::Frame;
use std::collections::BTreeSet;
use weft_domain::{Affine, Constraint, Iter, Range, Space};
use weft_tensor::{Expr, ExprId, Exprs, IndexTerm, substitute};

/// The iterators a set of expressions needs, with those their ranges depend on.
pub(crate) fn needed(frame: &Frame<'_>, roots: &[ExprId], kept: &[Iter]) -> BTreeSet<Iter> {
    let mut found: BTreeSet<Iter> = kept.iter().copied().collect();
    let mut stack: Vec<ExprId> = roots.to_vec();
    let mut seen = BTreeSet::new();
    while let Some(e) = stack.pop() {
        if !seen.insert(e) {
            continue;
        }
        let node = frame.exprs.get(e);
        mentioned(node, &mut found);
        stack.extend(node.operands());
    }
    close(frame, &mut found);
    found
}

/// Adds what guards and ranges of needed iterators mention, until nothing changes.
fn close(frame: &Frame<'_>, found: &mut BTreeSet<Iter>) {
    // Guards restrict what is computed: all of them are kept, with their iterators.
    frame.space.guards.iter().for_each(|g| found.extend(g.term.iters()));
    loop {
        let before = found.len();
        for r in frame.space.ranges.iter() {
            if found.contains(&r.iter) {
                found.extend(r.lo.iters());
                found.extend(r.hi.iters());
            }
        }
        if found.len() == before {
            return;
        }
    }
}

fn mentioned(e: &Expr, found: &mut BTreeSet<Iter>) {
    match e {
        Expr::Index(a) => found.extend(a.iters()),
        Expr::Read { index, .. } => index.iter().for_each(|t| {
            if let IndexTerm::Affine(a) = t {
                found.extend(a.iters());
            }
        }),
        _ => {}
    }
}

/// A frame's space without the other iterators, and how terms change with it.
pub(crate) fn restrict(
    space: &Space,
    kept: &BTreeSet<Iter>,
) -> (Space, impl Fn(Iter) -> Affine + use<>) {
    let mut out = Space::default();
    let mut map: Vec<(Iter, Iter)> = Vec::new();
    for r in space.ranges.iter() {
        if kept.contains(&r.iter) {
            map.push((r.iter, out.iters.push(space.iters[r.iter].clone())));
        }
    }
    let replace = move |i: Iter| {
        let new = map.iter().find(|(old, _)| *old == i).map(|(_, new)| *new);
        Affine::iter(new.expect("only kept iterators are mentioned"))
    };
    let term = |a: &Affine| a.compose(&replace).expect("renaming does not overflow");
    for r in space.ranges.iter().filter(|r| kept.contains(&r.iter)) {
        let iter = replace(r.iter).as_iter().expect("a renamed iterator");
        out.ranges.push(Range { iter, lo: term(&r.lo), hi: term(&r.hi) });
    }
    out.guards = space
        .guards
        .iter()
        .map(|g| Constraint { term: term(&g.term), relation: g.relation })
        .collect();
    (out, replace)
}

/// Cells of lifted tensors over other iterators, as a write.
pub(crate) fn written_at(cells: &[Affine], replace: &impl Fn(Iter) -> Affine) -> Vec<IndexTerm> {
    let term = |c: &Affine| c.compose(replace).expect("renaming does not overflow");
    cells.iter().map(|c| IndexTerm::Affine(term(c))).collect()
}

/// The expressions below some roots in a new arena, iterators replaced.
pub(crate) fn rebuild(
    old: &Exprs,
    roots: &[ExprId],
    replace: &dyn Fn(Iter) -> Affine,
) -> (Exprs, Vec<ExprId>) {
    let mut new = Exprs::new();
    let map = substitute(old, &mut new, roots.iter().copied(), replace);
    let map = map.expect("renaming does not overflow");
    (new, roots.iter().map(|r| map[r]).collect())
}
