//! A schedule: for each item of a plan the way in which it is carried out, as data.
//!
//! A choice is made in [`crate::choose`] and carried out in [`crate::lower`], which decides
//! nothing. What was asked and did not suit is kept beside what was taken, with the reason.

use crate::analysis::View;
use crate::recognise::scan::Scan;
use crate::recognise::{Contraction, OnePoints, Order, State, TimeTiles, Transposition};
use crate::strategy::{Refusal, Strategy};
use weft_plan::{Fill, TimeLoop};

/// What was asked and did not suit.
pub(crate) type Refused = Vec<(Strategy, Refusal)>;

/// An item of a plan.
pub(crate) enum Node<'p> {
    Fill(&'p Fill),
    Nest(NestNode<'p>),
    Steps(StepsNode<'p>),
}

/// A nest, and its loops.
pub(crate) struct NestNode<'p> {
    pub view: View<'p>,
    pub loops: Loops,
    pub refused: Refused,
}

/// The loops of a nest.
pub(crate) enum Loops {
    /// A store at each point.
    Points,
    /// The same in tiles.
    Transposed(Transposition),
    /// A reduction, so many of its loops being those of cells; where there are rows enough
    /// packed.
    Reduction { outer: usize, order: Order, packed: Option<Contraction> },
    /// A reduction some of whose loops have one point.
    OnePoint { outer: usize, points: OnePoints },
}

/// A loop over time, and its steps.
pub(crate) struct StepsNode<'p> {
    pub steps: &'p TimeLoop,
    pub way: Steps<'p>,
    /// What steps that run in turn have in registers.
    pub state: Option<State>,
    pub body: Vec<Node<'p>>,
    pub refused: Refused,
}

/// In which order the steps of a loop run.
pub(crate) enum Steps<'p> {
    /// One after the other, each as a whole.
    InTurn,
    /// In lanes.
    Scan(Scan<'p>),
    /// Several in one tile.
    Tiles(TimeTiles<'p>),
}
