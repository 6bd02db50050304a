//! Planned and lowered routines compute what the reference evaluator computes.

// Shapes are written as lists of clones, also where there is one extent only.
#![allow(clippy::cloned_ref_to_slice_refs)]

mod build;
mod check;
mod failures;
mod nests;
mod random;
mod recurrences;
mod rows;
mod scale;
mod scans;
mod sweeps;
mod tables;
mod tiles;
mod transposes;
