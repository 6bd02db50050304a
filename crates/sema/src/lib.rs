//! Names, types, ranges and shapes: syntax to the checked program.

pub mod hir;
