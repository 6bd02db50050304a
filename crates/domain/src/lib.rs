//! Index spaces, affine terms, and questions about integer sets.
//!
//! Types of the one object's geometry, and (behind one door) the integer set library that
//! decides coverage, disjointness, bounds and dependence.

mod affine;
mod space;

pub use affine::{Affine, Dim, Iter};
pub use space::{Constraint, Factor, Range, Relation, Space};
