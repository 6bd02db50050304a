//! Names, types, ranges and shapes: from the tree to the checked program.
//!
//! [`check`] never fails: it returns what it understood, and diagnostics. A program with
//! errors must not be staged. Nothing here builds tensors or runs anything.

mod absent;
mod adapt;
mod body;
mod bounds;
mod builtin;
mod call;
mod checker;
mod choice;
mod chosen;
mod clauses;
mod closure;
mod comprehension;
mod condition;
mod constants;
mod coproduct;
mod coverage;
mod differential;
mod endless;
mod exhaustive;
mod expr;
mod failing;
mod fields;
mod fold;
mod free_names;
pub mod hir;
mod hoist;
mod host;
mod indexed;
mod instance;
mod library;
mod library_sources;
mod lifting;
mod lints;
mod lookup;
mod matching;
mod modules;
mod names;
mod nominal;
mod operator;
mod pattern;
mod pieces;
mod ranges;
mod read;
mod reduction;
mod regions;
mod rest;
mod rule;
mod runs;
mod scope;
mod slots;
mod suggest;
mod terms;
mod tree_lints;
mod types;
mod uncalled;

pub use bounds::flatten;
pub use checker::{Overrides, check};
pub use condition::{Cond, condition};
pub use differential::is_differential;
pub use modules::{Found, ModuleReader, NoModules};
pub use pieces::guards_are_flat;
