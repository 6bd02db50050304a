//! Index spaces: products of ranges under guards.

use crate::bounds::{End, Ranges, bound};
use crate::{Affine, Iter};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_shape::Size;

/// `lo <= iter < hi`. Bounds may use iterators of earlier ranges.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The iterator.
    pub iter: Iter,
    /// First value.
    pub lo: Affine,
    /// One past the last value; a range with `hi <= lo` is empty.
    pub hi: Affine,
}

/// How a [`Constraint`]'s term stands to 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// `term >= 0`.
    AtLeastZero,
    /// `term == 0`.
    Zero,
}

/// An affine restriction of an index space (quotients by constants allowed).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constraint {
    /// The term.
    pub term: Affine,
    /// How it stands to 0.
    pub relation: Relation,
}

/// An index space: a product of ranges, restricted by guards. A coproduct of ranges is no
/// part of it: a product of sums is a sum of products, the pieces of a definition.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// The iterators with their names in the source, where they have one.
    pub iters: PrimaryMap<Iter, Option<Name>>,
    /// The ranges, outermost first: written ones, then reduced ones.
    pub ranges: Vec<Range>,
    /// All must hold.
    pub guards: Vec<Constraint>,
}

impl Space {
    /// Adds the innermost range.
    pub fn push(&mut self, name: Option<Name>, lo: Affine, hi: Affine) -> Iter {
        let iter = self.iters.push(name);
        self.ranges.push(Range { iter, lo, hi });
        iter
    }

    /// The range of an iterator.
    pub fn range(&self, iter: Iter) -> Option<&Range> {
        self.ranges.iter().find(|r| r.iter == iter)
    }

    /// The least or greatest value of a term over the ranges; those may depend on earlier
    /// ones. `None` where an iterator has no range, or on overflow.
    pub fn bound(&self, a: &Affine, end: End) -> Option<Size> {
        bound(self, a, end)
    }
}

impl Ranges for Space {
    fn end(&self, iter: Iter, end: End) -> Option<Affine> {
        Some(self.range(iter)?.end(end))
    }
}
