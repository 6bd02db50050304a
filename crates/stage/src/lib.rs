//! Staging: the checked program becomes a host program over one tensor graph.
//!
//! A symbolic walk of the top level in source order. Calls are entered, host integers
//! become sizes, everything computed from elements becomes assignments. A definition
//! inside a clause, and every reduction, is *lifted*: it becomes a tensor of its own over
//! those indices around it that it depends on, so that one object serves all, and what
//! does not depend on a loop is computed once. A function that is called in a cell is entered
//! once for the indices that the call depends on: its recurrences are recurrences over these.

mod arithmetic;
mod around;
mod blocks;
mod bodies;
mod cells;
mod complete;
mod define;
mod depend;
mod derive;
mod enter;
mod env;
mod frame;
mod lift;
mod linear;
mod look;
mod lower;
mod members;
mod outline;
mod remap;
mod source_form;
mod stager;
mod statement;
mod switch;
mod value;
mod written_out;

pub use stager::{Staged, stage};
