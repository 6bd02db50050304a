//! Names, types, ranges and shapes: from the tree to the checked program.
//!
//! [`check`] never fails: it returns what it understood, and diagnostics. A program with
//! errors must not be staged. Nothing here builds tensors or runs anything.

mod absent;
mod adapt;
mod body;
mod builtin;
mod call;
mod cascade;
mod character;
mod checker;
mod choice;
mod chosen;
mod clauses;
mod closure;
mod comprehension;
mod constants;
mod coproduct;
mod differential;
mod elsewhere;
mod expr;
mod failing;
mod fields;
mod findings;
mod fixpoint;
mod fold;
mod free_names;
pub mod hir;
mod hoist;
mod host;
mod indexed;
mod instance;
mod join;
mod library;
mod library_sources;
mod lifting;
mod lint;
mod lookup;
mod matching;
mod modules;
mod names;
mod nominal;
mod operator;
mod path;
mod pattern;
mod prove;
mod ranges;
mod read;
mod reduction;
mod rest;
mod rule;
mod runs;
mod scope;
mod seen;
mod sink;
mod sites;
mod suggest;
mod terms;
mod truncation;
mod types;
mod uncalled;
mod written_out;

pub use checker::{Overrides, check};
pub use differential::is_differential;
pub use modules::{Found, ModuleReader, NoModules};
pub use prove::condition::{Cond, condition, flatten, guards_are_flat};
