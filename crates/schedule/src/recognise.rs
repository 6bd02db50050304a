//! Which strategies suit a nest or a loop over time: pure questions to a plan.
//!
//! A recogniser gives a pattern, which is all that lowering needs of it, or the reason why
//! its strategy does not suit.

mod contraction;
mod one_point;
mod partial_sums;
mod points;
mod register_state;
pub(crate) mod scan;
mod time_tiles;
mod transposition;

pub(crate) use contraction::Contraction;
pub(crate) use one_point::{OnePoint, OnePoints, one_points};
pub(crate) use partial_sums::Order;
pub(crate) use points::points;
pub(crate) use register_state::{Slots, State, few_cells};
pub(crate) use time_tiles::{Field, Member, Place, TimeTiles};
pub(crate) use transposition::Transposition;
