//! Convex pieces of regions, as an assignment's space can hold them.

use crate::isl::{GaveUp, RawConstraint};
use crate::translate::Names;
use crate::{Affine, Constraint, Dim, Formula, Iter, Range, Region, Relation};
use weft_shape::{Facts, Size, Verdict};

/// The points at which all constraints hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConvexSet {
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

impl ConvexSet {
    pub(crate) fn read_back(names: &Names<'_>, raw: &[RawConstraint]) -> Result<ConvexSet, GaveUp> {
        let constraints = raw.iter().map(|c| names.constraint(c)).collect::<Result<_, _>>()?;
        Ok(ConvexSet { constraints })
    }

    /// Drops constraints between sizes that the facts imply.
    pub(crate) fn drop_known(&mut self, facts: &Facts) {
        let known = |c: &Constraint| {
            let size = c.term.as_size();
            c.relation == Relation::AtLeastZero
                && size.is_some_and(|s| facts.non_negative(s) == Verdict::Yes)
        };
        self.constraints.retain(|c| !known(c));
    }

    /// The piece as a region over `iters`.
    pub fn region(&self, iters: Vec<Iter>) -> Region {
        let parts = self.constraints.iter().cloned().map(Formula::Holds).collect();
        Region { iters, hidden: Vec::new(), formula: Formula::All(parts) }
    }

    /// The piece as nested ranges of `iters`, in that order, and guards for what ranges
    /// do not say. `None` where an iterator has no bound below or above.
    pub fn ranges(&self, iters: &[Iter]) -> Option<(Vec<Range>, Vec<Constraint>)> {
        let mut guards = Vec::new();
        let mut bounds: Vec<Bounds> = iters.iter().map(|_| Bounds::default()).collect();
        for constraint in &self.constraints {
            let place = innermost(&constraint.term, iters);
            let used = place.and_then(|at| bounds[at].take(iters[at], constraint));
            if used.is_none() {
                guards.push(constraint.clone());
            }
        }
        let mut ranges = Vec::new();
        for (bounds, &iter) in bounds.into_iter().zip(iters) {
            let lo = choose(bounds.lows, Size::larger, iter, true, &mut guards)?;
            let hi = choose(bounds.highs, Size::smaller, iter, false, &mut guards)?;
            ranges.push(Range { iter, lo, hi });
        }
        Some((ranges, guards))
    }
}

/// First values, and values one past the last, of one iterator.
#[derive(Default)]
struct Bounds {
    lows: Vec<Affine>,
    highs: Vec<Affine>,
}

impl Bounds {
    /// Reads a bound off a constraint, if it is one with coefficient 1 or -1.
    fn take(&mut self, iter: Iter, constraint: &Constraint) -> Option<()> {
        let term = &constraint.term;
        let coefficient = term.coefficient(iter);
        let quotient = term.terms().iter().any(|(d, _)| match d {
            Dim::Iter(_) => false,
            Dim::Div(a, _) | Dim::Mod(a, _) => a.iters().contains(&iter),
        });
        if coefficient.abs() != 1 || quotient {
            return None;
        }
        // ±i + rest >= 0: i >= -rest, or i <= rest.
        let rest = term.minus(&Affine::iter(iter).scaled(coefficient)?)?;
        let end = rest.scaled(-coefficient)?;
        let behind = end.plus_size(&1.into());
        match (constraint.relation, coefficient) {
            (Relation::Zero, _) => {
                self.lows.push(end);
                self.highs.push(behind);
            }
            (Relation::AtLeastZero, 1) => self.lows.push(end),
            (Relation::AtLeastZero, _) => self.highs.push(behind),
        }
        Some(())
    }
}

/// The last of `iters` that a term mentions.
fn innermost(term: &Affine, iters: &[Iter]) -> Option<usize> {
    let mentioned = term.iters();
    iters.iter().rposition(|i| mentioned.contains(i))
}

/// One bound out of several: sizes combine; of others one is the range's, the rest guard.
fn choose(
    bounds: Vec<Affine>,
    combine: fn(&Size, &Size) -> Size,
    iter: Iter,
    low: bool,
    guards: &mut Vec<Constraint>,
) -> Option<Affine> {
    let (sizes, others): (Vec<_>, Vec<_>) = bounds.into_iter().partition(|b| b.as_size().is_some());
    let combined = sizes.iter().filter_map(Affine::as_size).cloned().reduce(|a, b| combine(&a, &b));
    let mut all = others.into_iter().chain(combined.map(Affine::fixed));
    let chosen = all.next()?;
    for bound in all {
        let i = Affine::iter(iter);
        let term = if low { i.minus(&bound)? } else { bound.minus(&i)?.plus_size(&(-1).into()) };
        guards.push(Constraint { term, relation: Relation::AtLeastZero });
    }
    Some(chosen)
}
