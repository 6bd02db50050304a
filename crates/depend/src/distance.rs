//! Distances: how far a read lies from its reader along an axis.

use std::fmt;
use weft_domain::{Affine, Ends, Scope};
use weft_shape::Facts;

/// How far a read lies from the point that reads it, along the time axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Bounds of `read index - time of the reader`.
    pub least: Option<i128>,
    /// See `least`.
    pub most: Option<i128>,
}

impl Distance {
    /// Of a read at index `at` at a point whose time is `time`.
    pub fn compute(scope: &Scope, at: &Affine, time: &Affine, facts: &Facts) -> Distance {
        let Some(d) = at.minus(time) else { return Distance { least: None, most: None } };
        if let Some(n) = d.as_constant() {
            // Also where there are no points, and what is known contradicts itself.
            return Distance { least: Some(n.into()), most: Some(n.into()) };
        }
        let ends = Ends::new(scope);
        Distance { least: ends.size_lower(&d, facts), most: ends.size_upper(&d, facts) }
    }

    /// The one value it has.
    pub fn constant(self) -> Option<i128> {
        (self.least == self.most).then_some(self.least).flatten()
    }

    /// How many steps back of the reader's the cell read lies at most.
    pub fn reach(self, descending: bool) -> Option<i128> {
        if descending { self.most } else { self.least?.checked_neg() }
    }

    /// Whether the cell read is never later in the direction of the loop.
    pub fn is_ordered(self, descending: bool) -> bool {
        if descending {
            self.least.is_some_and(|n| n >= 0)
        } else {
            self.most.is_some_and(|n| n <= 0)
        }
    }

    /// Whether the cell read belongs to an earlier step of the loop.
    pub fn is_carried(self, descending: bool) -> bool {
        if descending {
            self.least.is_some_and(|n| n > 0)
        } else {
            self.most.is_some_and(|n| n < 0)
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (Some(a), Some(b)) if a == b => write!(f, "{a}"),
            (Some(a), Some(b)) => write!(f, "{a}..={b}"),
            (Some(a), None) => write!(f, "{a}.."),
            (None, Some(b)) => write!(f, "..={b}"),
            (None, None) => write!(f, ".."),
        }
    }
}
