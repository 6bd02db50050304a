//! Index spaces, affine terms, and questions about integer sets.
//!
//! Types of the one object's geometry, and (behind one door) the integer set library that
//! decides coverage, disjointness, bounds and dependence.

mod affine;
pub mod bounds;
mod boxes;
mod convex_set;
mod isl;
mod monomial;
mod project;
mod region;
mod schedule;
mod scope;
mod sets;
mod space;
mod translate;

pub use affine::{Affine, Dim, Iter};
pub use bounds::{End, Limit, NoInterval, Ranges};
pub use convex_set::ConvexSet;
pub use project::project;
pub use region::{Formula, Region};
pub use schedule::Dependence;
pub use scope::{Ends, Scope};
pub use sets::{Answer, Bounds, Sets, Witness};
pub use space::{Constraint, Range, Relation, Space};
