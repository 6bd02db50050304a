//! Regions: sets of integer points in the compiler's own terms.
//!
//! A region says what is asked about; [`crate::Sets`] answers. It is a boolean
//! combination of affine comparisons, so paths of conditions, guards and clauses of one
//! definition are all regions.

use crate::{Affine, Constraint, Iter, Range, Relation, Space};
use weft_shape::{Param, Size};

/// A boolean combination of affine comparisons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// All hold; the empty list is true.
    All(Vec<Formula>),
    /// At least one holds; the empty list is false.
    Any(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
    /// A comparison with 0.
    Holds(Constraint),
}

impl Formula {
    /// True.
    pub fn yes() -> Formula {
        Formula::All(Vec::new())
    }

    /// False.
    pub fn no() -> Formula {
        Formula::Any(Vec::new())
    }

    /// `term >= 0`.
    pub fn at_least_zero(term: Affine) -> Formula {
        Formula::Holds(Constraint { term, relation: Relation::AtLeastZero })
    }

    /// `term == 0`.
    pub fn zero(term: Affine) -> Formula {
        Formula::Holds(Constraint { term, relation: Relation::Zero })
    }

    /// `a <= b`; `None` where a coefficient overflows, as in all comparisons.
    pub fn le(a: &Affine, b: &Affine) -> Option<Formula> {
        Some(Formula::at_least_zero(b.minus(a)?))
    }

    /// `a < b`.
    pub fn lt(a: &Affine, b: &Affine) -> Option<Formula> {
        Some(Formula::at_least_zero(b.minus(a)?.plus_size(&(-1).into())))
    }

    /// `a == b`.
    pub fn equal(a: &Affine, b: &Affine) -> Option<Formula> {
        Some(Formula::zero(a.minus(b)?))
    }

    /// Both hold.
    pub fn and(self, other: Formula) -> Formula {
        match (self, other) {
            (no, _) | (_, no) if no == Formula::no() => no,
            (yes, f) | (f, yes) if yes == Formula::yes() => f,
            (Formula::All(mut parts), other) => {
                parts.push(other);
                Formula::All(parts)
            }
            (first, other) => Formula::All(vec![first, other]),
        }
    }

    /// Either holds.
    pub fn or(self, other: Formula) -> Formula {
        match (self, other) {
            (yes, _) | (_, yes) if yes == Formula::yes() => yes,
            (no, f) | (f, no) if no == Formula::no() => f,
            (Formula::Any(mut parts), other) => {
                parts.push(other);
                Formula::Any(parts)
            }
            (first, other) => Formula::Any(vec![first, other]),
        }
    }

    /// It does not hold.
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Composition: each iterator replaced by a term; `None` on overflow.
    pub fn compose(&self, replace: &dyn Fn(Iter) -> Affine) -> Option<Formula> {
        let all = |parts: &[Formula]| -> Option<Vec<Formula>> {
            parts.iter().map(|p| p.compose(replace)).collect()
        };
        Some(match self {
            Formula::All(parts) => Formula::All(all(parts)?),
            Formula::Any(parts) => Formula::Any(all(parts)?),
            Formula::Not(inner) => Formula::Not(Box::new(inner.compose(replace)?)),
            Formula::Holds(c) => {
                Formula::Holds(Constraint { term: c.term.compose(replace)?, relation: c.relation })
            }
        })
    }

    /// The formula with every size in it rewritten.
    pub fn map_sizes(&self, f: &dyn Fn(&Size) -> Size) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|p| p.map_sizes(f)).collect();
        match self {
            Formula::All(parts) => Formula::All(all(parts)),
            Formula::Any(parts) => Formula::Any(all(parts)),
            Formula::Not(inner) => Formula::Not(Box::new(inner.map_sizes(f))),
            Formula::Holds(c) => {
                Formula::Holds(Constraint { term: c.term.map_sizes(f), relation: c.relation })
            }
        }
    }

    /// Every comparison in it.
    pub fn constraints(&self) -> Vec<&Constraint> {
        match self {
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().flat_map(Formula::constraints).collect()
            }
            Formula::Not(inner) => inner.constraints(),
            Formula::Holds(c) => vec![c],
        }
    }

    /// Whether it holds where `value` gives each term's value; `None` where it gives none.
    pub fn holds(&self, value: &dyn Fn(&Affine) -> Option<i64>) -> Option<bool> {
        match self {
            Formula::All(parts) => {
                parts.iter().try_fold(true, |all, p| Some(p.holds(value)? && all))
            }
            Formula::Any(parts) => {
                parts.iter().try_fold(false, |any, p| Some(p.holds(value)? || any))
            }
            Formula::Not(inner) => Some(!inner.holds(value)?),
            Formula::Holds(c) => value(&c.term).map(|v| match c.relation {
                Relation::AtLeastZero => v >= 0,
                Relation::Zero => v == 0,
            }),
        }
    }

    /// The formula that a range is for its iterator.
    pub fn of_range(range: &Range) -> Option<[Formula; 2]> {
        let i = Affine::iter(range.iter);
        Some([Formula::le(&range.lo, &i)?, Formula::lt(&i, &range.hi)?])
    }
}

/// The points of some iterators at which a formula holds, for some values of the hidden
/// iterators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The coordinates. Regions that one question compares have the same ones.
    pub iters: Vec<Iter>,
    /// Iterators of the formula that are no coordinates.
    pub hidden: Vec<Iter>,
    /// The condition on a point.
    pub formula: Formula,
}

impl Region {
    /// Every parameter that the region depends on, ascending, once each.
    pub fn params(&self) -> Vec<Param> {
        let constraints = self.formula.constraints().into_iter();
        let mut found: Vec<Param> = constraints.flat_map(|c| c.term.params()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All points of some iterators.
    pub fn everywhere(iters: Vec<Iter>) -> Region {
        Region { iters, hidden: Vec::new(), formula: Formula::yes() }
    }

    /// The points of nested ranges; `None` where a coefficient overflows.
    pub fn of_ranges<'a>(ranges: impl IntoIterator<Item = &'a Range>) -> Option<Region> {
        let mut region = Region::everywhere(Vec::new());
        for range in ranges {
            region.iters.push(range.iter);
            let parts = Formula::of_range(range)?;
            region = parts.into_iter().fold(region, Region::and);
        }
        Some(region)
    }

    /// The points of a space; `None` where a coefficient overflows.
    pub fn of_space(space: &Space) -> Option<Region> {
        let guards = space.guards.iter().cloned().map(Formula::Holds);
        Some(guards.fold(Region::of_ranges(&space.ranges)?, Region::and))
    }

    /// The points where a formula holds too.
    pub fn and(mut self, formula: Formula) -> Region {
        self.formula = self.formula.and(formula);
        self
    }

    /// The cells `terms` that the points of the region name, as points of `into`, which
    /// are iterators the region does not have. `None` where a coefficient overflows.
    pub fn image(self, terms: &[Affine], into: &[Iter]) -> Option<Region> {
        let Region { iters, mut hidden, mut formula } = self;
        hidden.extend(iters);
        for (term, &cell) in terms.iter().zip(into) {
            formula = formula.and(Formula::equal(&Affine::iter(cell), term)?);
        }
        Some(Region { iters: into.to_vec(), hidden, formula })
    }
}
