//! Index spaces: products of factors, each a coproduct of ranges, under guards.

use crate::bounds::{End, Ranges, bound};
use crate::{Affine, Iter};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_shape::Size;

/// `lo <= iter < hi`. Bounds may use iterators of earlier factors.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The iterator.
    pub iter: Iter,
    /// First value.
    pub lo: Affine,
    /// One past the last value; a range with `hi <= lo` is empty.
    pub hi: Affine,
}

/// An ordered coproduct of ranges: traversed range after range, never as a product. An
/// ordinary loop has one range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Factor {
    /// The ranges; at least one.
    pub ranges: Vec<Range>,
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

/// An index space: a product of factors, restricted by guards.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// The iterators with their names in the source, where they have one.
    pub iters: PrimaryMap<Iter, Option<Name>>,
    /// The factors, outermost first: written ones, then reduced ones.
    pub factors: Vec<Factor>,
    /// All must hold.
    pub guards: Vec<Constraint>,
}

impl Factor {
    /// An ordinary loop.
    pub fn single(iter: Iter, lo: Affine, hi: Affine) -> Factor {
        Factor { ranges: vec![Range { iter, lo, hi }] }
    }

    /// The one range of an ordinary loop.
    pub fn as_single(&self) -> Option<&Range> {
        match self.ranges.as_slice() {
            [r] => Some(r),
            _ => None,
        }
    }
}

impl Space {
    /// Adds an ordinary loop as the innermost factor.
    pub fn push(&mut self, name: Option<Name>, lo: Affine, hi: Affine) -> Iter {
        let iter = self.iters.push(name);
        self.factors.push(Factor::single(iter, lo, hi));
        iter
    }

    /// All ranges, in the order of traversal.
    pub fn ranges(&self) -> impl Iterator<Item = &Range> {
        self.factors.iter().flat_map(|f| &f.ranges)
    }

    /// The range of an iterator.
    pub fn range(&self, iter: Iter) -> Option<&Range> {
        self.ranges().find(|r| r.iter == iter)
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
