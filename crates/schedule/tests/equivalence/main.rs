//! Planned and lowered routines compute what the reference evaluator computes.

mod build;
mod check;
mod nests;
mod recurrences;
