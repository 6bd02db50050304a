//! Dependences as relations: which instance of a piece reads which instance of another.
//!
//! An instance is a point of the iterators that a piece's write terms mention; what it
//! reduces over is hidden, and so is a computed index, which is any cell of its axis that
//! the conditions on the way to the read allow. So a relation has every pair that may meet.

use crate::conditions::Passed;
use crate::{Read, Statement};
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Formula, Iter, Range, Region};
use weft_tensor::{Accumulator, Assignment, Expr};

/// Names of the writer's, the reader's and the hidden iterators: alike in all relations.
const WRITER: usize = 0;
const READER: usize = 1 << 10;
const HIDDEN: usize = 1 << 20;

/// The iterators that write terms mention, outermost first.
pub fn cells(a: &Assignment) -> Vec<Iter> {
    let written = a.written();
    a.space.ranges.iter().map(|r| r.iter).filter(|i| written.contains(i)).collect()
}

/// Where an assignment has an instance, over [`cells`].
pub fn domain(a: &Assignment) -> Option<Formula> {
    let cells = cells(a);
    let inside = |x: &Affine| x.iters().iter().all(|i| cells.contains(i));
    let mut parts = Vec::new();
    for r in a.space.ranges.iter().filter(|r| cells.contains(&r.iter)) {
        if !inside(&r.lo) || !inside(&r.hi) {
            return None;
        }
        parts.extend(Formula::of_range(r)?);
    }
    let guards = a.space.guards.iter().filter(|g| inside(&g.term));
    parts.extend(guards.cloned().map(Formula::Holds));
    Some(Formula::All(parts))
}

/// All that holds where a read is evaluated: the space, the reductions around it, the
/// conditions on the way, and `computed`, the ranges of its computed indices.
pub fn when(a: &Assignment, passed: &Passed, computed: &[Range]) -> Option<Formula> {
    let mut ranges: Vec<&Range> = a.space.ranges.iter().chain(computed).collect();
    for &r in &passed.reductions {
        if let Expr::Reduce(r) = a.exprs.get(r) {
            ranges.extend(&r.ranges);
        }
    }
    let mut parts: Vec<Formula> = a.space.guards.iter().cloned().map(Formula::Holds).collect();
    for r in ranges {
        parts.extend(Formula::of_range(r)?);
    }
    parts.extend(passed.conditions.iter().cloned());
    Some(Formula::All(parts))
}

/// Whether later points of a reduction may be left out for what earlier ones were.
pub fn stops_early(a: &Assignment) -> bool {
    let lazy = |acc: Accumulator| matches!(acc, Accumulator::All | Accumulator::Any);
    let nested = a.exprs.ids().any(|e| match a.exprs.get(e) {
        Expr::Reduce(r) => lazy(r.accumulator),
        _ => false,
    });
    lazy(a.accumulator) || nested
}

/// The coordinates of `n` writer's iterators, and of as many reader's.
pub fn coordinates(n: usize) -> (Vec<Iter>, Vec<Iter>) {
    let all = |base: usize| (0..n).map(|at| Iter::new(base + at)).collect();
    (all(WRITER), all(READER))
}

/// The iterator that a writer's coordinate stands for.
pub fn writers_iter(piece: &Statement, coordinate: Iter) -> Option<Iter> {
    piece.cells.get(coordinate.as_u32() as usize - WRITER).copied()
}

/// A term over a piece's instances as one over the writer's coordinates.
pub fn as_writer(piece: &Statement, term: &Affine) -> Option<Affine> {
    term.compose(&|i| renamed(piece, WRITER, i))
}

/// A term over a piece's instances as one over the reader's coordinates.
pub fn as_reader(piece: &Statement, term: &Affine) -> Option<Affine> {
    term.compose(&|i| renamed(piece, READER, i))
}

fn renamed(piece: &Statement, base: usize, i: Iter) -> Affine {
    Affine::iter(match piece.cells.iter().position(|c| *c == i) {
        Some(at) => Iter::new(base + at),
        None => Iter::new(HIDDEN + i.as_u32() as usize),
    })
}

/// The instances of a piece, over the writer's coordinates.
pub fn instances(piece: &Statement) -> Option<Region> {
    let formula = piece.domain.as_ref()?.compose(&|i| renamed(piece, WRITER, i))?;
    let (iters, _) = coordinates(piece.cells.len());
    Some(Region { iters, hidden: Vec::new(), formula })
}

/// The pairs of an instance of `writer` and one of `reader` that reads it, over the
/// writer's coordinates and the reader's behind them. `None` where it cannot be said.
pub fn pairs(writer: &Statement, reader: &Statement, read: &Read) -> Option<Region> {
    let from_reader = |i: Iter| renamed(reader, READER, i);
    let mut formula = instances(writer)?.formula.and(read.when.as_ref()?.compose(&from_reader)?);
    for (index, write) in read.index.iter().zip(&writer.write) {
        let index = index.compose(&from_reader)?;
        formula = formula.and(Formula::equal(&as_writer(writer, write)?, &index)?);
    }
    let (mut iters, _) = coordinates(writer.cells.len());
    iters.extend(coordinates(reader.cells.len()).1);
    let mut hidden: Vec<Iter> = formula.constraints().iter().flat_map(|c| c.term.iters()).collect();
    hidden.sort_unstable();
    hidden.dedup();
    hidden.retain(|i| !iters.contains(i));
    Some(Region { iters, hidden, formula })
}
