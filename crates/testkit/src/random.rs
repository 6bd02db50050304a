//! Random programs: well-typed texts of the language's working surface, each reproducible
//! from its seed and size, with a record of what it uses.
//!
//! A program is right by construction: the generator knows the type and shape of
//! everything it names, and reads only cells that are there. A few programs fail when they
//! run (a division by zero, an index from data), and must fail alike on every tier. The
//! [`tiers`] module runs a program on all of them; [`minimise`] makes a failing one small.

pub mod minimise;
pub mod tiers;

mod access;
mod below;
mod by_number;
mod characters;
mod construct;
mod define;
mod expr;
mod flags;
mod functions;
mod linear;
mod per_cell;
mod program;
mod recurrence;
mod reduction;
mod rng;
mod scope;
mod statement;
mod vector;

pub use construct::Construct;
pub use program::Program;
pub use rng::Random;

/// The program of a seed: about `size` statements.
pub fn program(seed: u64, size: usize) -> Program {
    statement::generate(seed, size)
}
