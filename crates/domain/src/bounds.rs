//! The least and the greatest value of affine terms over ranges, whoever knows these.
//!
//! [`bound`] gives sizes, [`interval`] numbers. An end of its range is put in the place of each
//! iterator, later ones first: ranges depend on earlier iterators only. Over boxes that is
//! exact; where ranges depend on each other it is an outer bound.

use crate::{Affine, Constraint, Dim, Iter, Range, Relation};
use weft_shape::Size;

/// Which end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The least value.
    Lower,
    /// The greatest.
    Upper,
}

impl End {
    /// The end that a negative coefficient turns it to.
    pub fn other(self) -> End {
        match self {
            End::Lower => End::Upper,
            End::Upper => End::Lower,
        }
    }

    fn under(self, coefficient: i64) -> End {
        if coefficient > 0 { self } else { self.other() }
    }
}

/// A source of ends for iterators.
pub trait Ranges {
    /// The first or the last value of an iterator, in terms of earlier ones.
    fn end(&self, iter: Iter, end: End) -> Option<Affine>;
}

impl Range {
    /// The first or the last value.
    pub fn end(&self, end: End) -> Affine {
        match end {
            End::Lower => self.lo.clone(),
            End::Upper => self.hi.plus_size(&Size::constant(-1)),
        }
    }
}

/// The least or greatest value of a term; `None` where an iterator has no such end, or on
/// overflow.
pub fn bound(ranges: &impl Ranges, term: &Affine, end: End) -> Option<Size> {
    bound_over(ranges, term, end, &|_| false)?.as_size().cloned()
}

/// The same in terms of iterators that are `kept`, with the quotients they stand in (in
/// remainders they have bounds).
pub fn bound_over(
    ranges: &impl Ranges,
    term: &Affine,
    end: End,
    kept: &dyn Fn(Iter) -> bool,
) -> Option<Affine> {
    let mut open = term.clone();
    let mut of_kept = Affine::fixed(0);
    while !open.terms().is_empty() {
        let (rest, dim, c) = open.split_last()?;
        let toward = end.under(c);
        let stays = moves_with(&dim, kept);
        open = match (dim, stays) {
            (Dim::Div(x, s), true) => {
                let x = bound_over(ranges, &x, toward, kept)?;
                of_kept = of_kept.plus(&x.floor_div(&s).scaled(c)?)?;
                rest
            }
            (dim, true) => {
                of_kept = of_kept.plus(&Affine::dim(dim).scaled(c)?)?;
                rest
            }
            (dim, false) => rest.plus(&end_of(ranges, &dim, toward)?.scaled(c)?)?,
        };
    }
    open.plus(&of_kept)
}

/// Whether a dimension grows or falls with one of some iterators: remainders stay where they
/// are.
fn moves_with(dim: &Dim, some: &dyn Fn(Iter) -> bool) -> bool {
    match dim {
        Dim::Iter(i) => some(*i),
        Dim::Div(x, _) => x.terms().iter().any(|(d, _)| moves_with(d, some)),
        Dim::Mod(..) => false,
    }
}

fn end_of(ranges: &impl Ranges, dim: &Dim, end: End) -> Option<Affine> {
    match (dim, end) {
        (Dim::Iter(i), _) => ranges.end(*i, end),
        (Dim::Div(x, s), _) => Some(Affine::fixed(bound(ranges, x, end)?.floor_div(s)?)),
        (Dim::Mod(_, s), End::Upper) => Some(Affine::fixed(s.plus_const(-1))),
        (Dim::Mod(..), End::Lower) => Some(Affine::fixed(0)),
    }
}

/// Why a term lies between no two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoInterval {
    /// An iterator of it has no value.
    Empty,
    /// Something of it is not known.
    Unknown,
}

/// Ranges within ranges that are followed.
const DEEPEST: usize = 16;

/// The least and the greatest value of a term as numbers that do not wrap, where sizes have
/// values.
///
/// # Errors
///
/// Where there are no such numbers.
pub fn interval(
    ranges: &impl Ranges,
    term: &Affine,
    size: &dyn Fn(&Size) -> Option<i128>,
) -> Result<(i128, i128), NoInterval> {
    Values { ranges, size }.interval(term, 0)
}

struct Values<'a, R> {
    ranges: &'a R,
    size: &'a dyn Fn(&Size) -> Option<i128>,
}

impl<R: Ranges> Values<'_, R> {
    fn interval(&self, term: &Affine, depth: usize) -> Result<(i128, i128), NoInterval> {
        let start = (self.size)(term.offset()).ok_or(NoInterval::Unknown)?;
        let (mut lo, mut hi) = (start, start);
        for (dim, c) in term.terms() {
            let (least, most) = self.dim(dim, depth)?;
            let ends = [least, most].map(|end| end.saturating_mul(i128::from(*c)));
            lo = lo.saturating_add(ends[0].min(ends[1]));
            hi = hi.saturating_add(ends[0].max(ends[1]));
        }
        Ok((lo, hi))
    }

    fn dim(&self, dim: &Dim, depth: usize) -> Result<(i128, i128), NoInterval> {
        if depth > DEEPEST {
            return Ok((i64::MIN.into(), i64::MAX.into()));
        }
        match dim {
            Dim::Iter(i) => {
                let end = |end| {
                    let term = self.ranges.end(*i, end).ok_or(NoInterval::Unknown)?;
                    self.interval(&term, depth + 1)
                };
                let (lo, hi) = (end(End::Lower)?.0, end(End::Upper)?.1);
                if lo <= hi { Ok((lo, hi)) } else { Err(NoInterval::Empty) }
            }
            Dim::Div(x, by) | Dim::Mod(x, by) => {
                let (lo, hi) = self.interval(x, depth + 1)?;
                let by = (self.size)(by).filter(|&by| by > 0).ok_or(NoInterval::Unknown)?;
                Ok(match dim {
                    Dim::Div(..) => (lo.div_euclid(by), hi.div_euclid(by)),
                    _ => (0, by - 1),
                })
            }
        }
    }
}

/// An end of one iterator that a constraint sets: `±iter + rest >= 0`, or `== 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Whether the iterator is added.
    pub is_added: bool,
    /// The rest of the term.
    pub rest: Affine,
    relation: Relation,
}

impl Limit {
    /// Whether the iterator is at least [`Limit::edge`].
    pub fn is_lower(&self) -> bool {
        self.is_added || self.relation == Relation::Zero
    }

    /// Whether the iterator is at most [`Limit::edge`].
    pub fn is_upper(&self) -> bool {
        !self.is_added || self.relation == Relation::Zero
    }

    /// The value of the iterator at which the term is 0.
    pub fn edge(&self) -> Option<Affine> {
        if self.is_added { self.rest.scaled(-1) } else { Some(self.rest.clone()) }
    }
}

impl Constraint {
    /// The end that this sets to one iterator; `None` where its coefficient is not ±1, or a
    /// quotient uses it.
    pub fn limit(&self, iter: Iter) -> Option<Limit> {
        let c = self.term.coefficient(iter);
        if c.abs() != 1 {
            return None;
        }
        let rest = self.term.minus(&Affine::iter(iter).scaled(c)?)?;
        (!rest.iters().contains(&iter)).then_some(Limit {
            is_added: c > 0,
            rest,
            relation: self.relation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Space;
    use weft_base::entity::EntityRef;

    /// `i` in `2..10`, `j` in `i..i + 3`.
    fn space() -> (Space, Affine, Affine) {
        let mut space = Space::default();
        let i = space.push(None, Affine::fixed(2), Affine::fixed(10));
        let hi = Affine::iter(i).plus_size(&3.into());
        let j = space.push(None, Affine::iter(i), hi);
        (space, Affine::iter(i), Affine::iter(j))
    }

    #[test]
    fn later_iterators_are_taken_away_first() {
        let (space, i, j) = space();
        let gap = j.minus(&i).unwrap();
        assert_eq!(bound(&space, &gap, End::Lower), Some(0.into()));
        assert_eq!(bound(&space, &gap, End::Upper), Some(2.into()));
        let half = j.floor_div(&2.into());
        assert_eq!(bound(&space, &half, End::Upper), Some(5.into()));
    }

    #[test]
    fn numbers_lie_around_the_values() {
        let (space, i, j) = space();
        let size = |s: &Size| s.as_constant().map(i128::from);
        let term = j.minus(&i.scaled(2).unwrap()).unwrap();
        assert_eq!(interval(&space, &term, &size), Ok((-16, 7)));
        let other = Affine::iter(Iter::new(7));
        assert_eq!(interval(&space, &other, &size), Err(NoInterval::Unknown));
        let mut empty = Space::default();
        let k = empty.push(None, Affine::fixed(1), Affine::fixed(1));
        assert_eq!(interval(&empty, &Affine::iter(k), &size), Err(NoInterval::Empty));
    }

    #[test]
    fn a_constraint_limits_an_iterator() {
        let (_, i, j) = space();
        let term = j.minus(&i).unwrap().plus_size(&(-4).into());
        let c = Constraint { term, relation: Relation::AtLeastZero };
        let (of_i, of_j) = (c.limit(Iter::new(0)).unwrap(), c.limit(Iter::new(1)).unwrap());
        assert!(of_j.is_lower() && !of_j.is_upper());
        assert_eq!(of_j.edge(), Some(i.plus_size(&4.into())));
        assert!(of_i.is_upper() && !of_i.is_lower());
        assert_eq!(of_i.edge(), Some(j.plus_size(&(-4).into())));
    }
}
