//! Loops over time that are prefixes: each cell is the one before it combined with a term, or
//! a few running values are multiplied by a matrix and added to terms.
//!
//! [`find`] sees which loops these are, [`cells`] what their steps compute, as maps of what
//! was before ([`linear`]), and [`runs`] what belongs together; [`sinks`] is what looks at
//! running values.

mod cells;
mod find;
mod linear;
mod runs;
mod sinks;

pub(crate) use cells::{Cell, Keep, Part, Point};
pub(crate) use linear::{Factor, Law, State, Term};
pub(crate) use runs::Run;
pub(crate) use sinks::Sink;
use weft_scalar::ScalarType;

/// Recurrences found to be a prefix.
pub(crate) struct Prefix<'p> {
    /// Those that write cells, and those that are sinks.
    pub parts: Vec<Part<'p>>,
    /// Values of iterators that are written out.
    pub points: Vec<Point>,
    pub cells: Vec<Cell>,
    pub laws: Vec<Law>,
    pub runs: Vec<Run>,
    pub sinks: Vec<Sink>,
    pub ty: ScalarType,
    /// The last steps, of which some cells are all that is kept: they run one by one.
    pub window: Option<i64>,
    /// Whether there are as many steps as threads share, as far as is known.
    pub long: bool,
    /// Whether steps run from the last to the first.
    pub descending: bool,
}

impl Prefix<'_> {
    /// Every value that runs.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.runs.iter().flat_map(|r| r.states.iter().copied())
    }
}
