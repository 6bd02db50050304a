//! Loops over time that are prefixes: each cell is the one before it combined with a term, or
//! a few running values are multiplied by a matrix and added to terms.
//!
//! [`find`] sees which loops these are, [`cells`] what their steps compute, as maps of what
//! was before ([`linear`]), and [`groups`] what belongs together; [`carried_reductions`] is what looks at
//! running values.

mod carried_reductions;
mod cells;
mod find;
mod groups;
mod linear;

pub(crate) use carried_reductions::CarriedReduction;
pub(crate) use cells::{Cell, Keep, Part, Point};
pub(crate) use groups::ScanGroup;
pub(crate) use linear::{Factor, State, Term, Transition};
use weft_scalar::{BinaryOp, ScalarType};

/// Recurrences found to be a scan.
pub(crate) struct Scan<'p> {
    /// Those that write cells, and those that are carried reductions.
    pub parts: Vec<Part<'p>>,
    /// Values of iterators that are written out.
    pub points: Vec<Point>,
    pub cells: Vec<Cell>,
    pub transitions: Vec<Transition>,
    pub groups: Vec<ScanGroup>,
    pub carried_reductions: Vec<CarriedReduction>,
    pub ty: ScalarType,
    /// The last steps, of which some cells are all that is kept: they run one by one.
    pub window: Option<i64>,
    /// Whether there are as many steps as threads share, as far as is known.
    pub long: bool,
    /// Whether steps run from the last to the first.
    pub descending: bool,
}

impl Scan<'_> {
    /// Whether threads may share it: all of a step runs, in one row, and what multiplies
    /// states is the same for all blocks.
    pub fn is_shared(&self) -> bool {
        let first = self.states().filter(|s| s.cell == self.groups[0].states[0].cell).count();
        let even = |cell: usize| self.states().filter(|s| s.cell == cell).count() == first;
        let running = |c: usize| match self.cells[c].keep {
            Keep::Whole => even(c),
            Keep::Window(_) => false,
            Keep::Step => true,
        };
        let all_run = (0..self.cells.len()).all(running) && self.carried_reductions.is_empty();
        let able = |r: &ScanGroup| {
            if r.is_single(&self.transitions) {
                !(r.op == BinaryOp::Mul && self.ty.is_float())
            } else {
                r.steady
            }
        };
        self.long && self.parts[0].around.is_empty() && all_run && self.groups.iter().all(able)
    }

    /// Every value that runs.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.groups.iter().flat_map(|r| r.states.iter().copied())
    }
}
