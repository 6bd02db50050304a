//! Index spaces, affine terms, and questions about integer sets.
//!
//! Types of the one object's geometry, and (behind one door) the integer set library that
//! decides coverage, disjointness, bounds and dependence.

mod affine;
mod boxes;
mod isl;
mod monomial;
mod piece;
mod project;
mod region;
mod schedule;
mod sets;
mod space;
mod translate;

pub use affine::{Affine, Dim, Iter};
pub use piece::Piece;
pub use project::project;
pub use region::{Formula, Region};
pub use schedule::Dependence;
pub use sets::{Answer, Bounds, Sets, Witness};
pub use space::{Constraint, Factor, Range, Relation, Space};
