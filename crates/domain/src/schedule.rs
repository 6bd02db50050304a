//! Schedules of statements that depend on each other, one row at a time.

use crate::isl::{Dependences, GaveUp, Session};
use crate::translate::Names;
use crate::{Affine, Iter, Region, Sets};

/// Pairs of points of two statements, the first of which must run before the second.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The number of the first point's statement.
    pub from: usize,
    /// The number of the second point's statement.
    pub to: usize,
    /// The pairs. Its coordinates are the first point's, then the second's.
    pub pairs: Region,
}

/// Operations of isl that one schedule may take; about a second.
const BUDGET: u64 = 4_000_000;

impl Sets<'_> {
    /// A term per statement such that the second point of no pair comes before the first,
    /// and for some pairs after it: the outermost row of a schedule by Feautrier's
    /// algorithm. `None` where there is none, or none is found.
    ///
    /// A statement is a region; its coordinates are the first of `first`, and in pairs
    /// those of the second point are the first of `second`.
    pub fn schedule_row(
        &self,
        statements: &[Region],
        dependences: &[Dependence],
        (first, second): (&[Iter], &[Iter]),
    ) -> Option<Vec<Affine>> {
        let frame = Region::everywhere([first, second].concat());
        let pairs = dependences.iter().map(|d| &d.pairs);
        let all: Vec<&Region> = [&frame].into_iter().chain(statements).chain(pairs).collect();
        let sets = self.clone().with_budget(BUDGET);
        let row = sets.question(&all, &|names, s| row(names, s, statements, dependences));
        row.ok()
    }
}

fn row<'s>(
    names: &Names<'_>,
    s: &'s Session<'s>,
    statements: &[Region],
    dependences: &[Dependence],
) -> Result<Vec<Affine>, GaveUp> {
    let positions = |iters: &[Iter]| -> Result<Vec<usize>, GaveUp> {
        iters.iter().map(|&i| names.position(i)).collect()
    };
    let mut scheduled = Dependences::new(s);
    for region in statements {
        let points = names.region(s, region)?.and(names.context(s)?)?;
        scheduled.add_statement(points, &positions(&region.iters)?)?;
    }
    for d in dependences {
        let pairs = names.region(s, &d.pairs)?.and(names.context(s)?)?;
        let (first, second) = d.pairs.iters.split_at(statements[d.from].iters.len());
        let (first, second) = (positions(first)?, positions(second)?);
        scheduled.add_pairs(pairs, (d.from, &first), (d.to, &second))?;
    }
    let row = scheduled.first_row(names.context(s)?)?;
    row.iter().map(|term| names.read_back(term)).collect()
}
