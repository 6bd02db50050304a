//! Types, ranges and shapes: from the written tree, whose names `resolve` finds, to the checked
//! program.
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
mod closure;
mod comprehension;
mod constants;
mod coproduct;
mod declared;
mod differential;
mod expr;
mod failing;
mod fields;
mod findings;
mod fixpoint;
mod fold;
mod hoist;
mod host;
mod indexed;
mod instance;
mod join;
mod lifting;
mod lint;
mod lookup;
mod matching;
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
mod static_args;
mod terms;
pub mod thir;
mod truncation;
mod types;
mod written_out;

pub use checker::check;
pub use differential::is_differential;
pub use prove::condition::{Cond, condition, flatten, guards_are_flat};
pub use weft_resolve::{Found, ModuleReader, NoModules, Overrides};
