//! Accesses: affine indices of reads, with the conditions on the path to them.

use super::condition::PathItem;
use crate::thir::{LocalId, ReadId};
use weft_domain::{Affine, Iter};
use weft_shape::{Excerpt, Size};

/// The extent an index is read against.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Extent {
    Known(Size),
    /// Of a tensor whose definition is under way.
    Group(LocalId, usize),
}

/// One affine index of one read.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub read: ReadId,
    pub term: Affine,
    pub extent: Extent,
    pub axis: usize,
    /// The read as written.
    pub excerpt: Excerpt,
    /// What is read, and where its size comes from.
    pub origin: Option<Excerpt>,
    /// Conditions on the path, outermost first.
    pub path: Vec<PathItem>,
    /// Indices in scope: where one of their ranges is empty nothing is read.
    pub scope: Vec<Iter>,
}

impl Access {
    /// The index, if it is one alone.
    pub fn direct(&self) -> Option<Iter> {
        self.term.as_iter()
    }

    /// The extent, of a tensor whose definition is not under way.
    pub fn outside_group(&self) -> Option<&Size> {
        match &self.extent {
            Extent::Known(s) => Some(s),
            Extent::Group(..) => None,
        }
    }

    /// Whether a condition on the path mentions an index of this term.
    pub fn conditional(&self) -> bool {
        let iters = self.term.iters();
        self.path.iter().any(|p| p.iters.iter().any(|i| iters.contains(i)))
    }
}
