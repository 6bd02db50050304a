//! Sizes: polynomials over named parameters, with floor division, maximum and minimum.
//!
//! A size is always in normal form, so that equal sizes compare equal. The same terms
//! serve as extents (the size reading) and as offsets of index terms (the projection
//! reading), so that size and address cannot disagree.

mod check;
mod facts;
mod size;

pub use check::{CheckSubject, Excerpt, SizeCheck, SizeRelation};
pub use facts::{Facts, Verdict};
pub use size::{Atom, Param, Size};
