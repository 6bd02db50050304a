//! Lints: what is allowed, and probably not meant.
//!
//! As proofs they are functions of the program that return what they found; they may ask the
//! proofs, and no proof asks them.

pub(crate) mod cells;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod tree;
