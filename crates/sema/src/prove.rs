//! Proofs about the checked program: reads stay inside their extents, clauses share out the
//! cells, a `match` takes every value, recursion ends.
//!
//! A proof is a function of the program and of what is [`known::Known`] where it is made. It
//! changes nothing and returns what it found as data; the checker applies that.

pub(crate) mod access;
pub(crate) mod bounds;
pub(crate) mod condition;
pub(crate) mod cure;
pub(crate) mod endless;
pub(crate) mod exhaustive;
mod hulls;
pub(crate) mod known;
pub(crate) mod pattern;
mod piece;
pub(crate) mod pieces;
mod points;
pub(crate) mod regions;
pub(crate) mod solve;
