//! Types, ranges and shapes: from the written tree, whose names `resolve` finds, to the checked
//! program.
//!
//! [`check`] never fails: it returns what it understood, and diagnostics. A program with
//! errors must not be staged. Nothing here builds tensors or runs anything.

mod body;
mod call;
mod cascade;
mod checker;
mod choice;
mod chosen;
mod closure;
mod comprehension;
mod coproduct;
mod declared;
mod expr;
mod failing;
mod fields;
mod findings;
mod fixpoint;
mod fold;
mod foreign;
mod handles;
mod hoist;
mod indexed;
mod instance;
mod join;
mod library_call;
mod lifting;
mod lint;
mod lookup;
mod matching;
mod nominal;
mod operator;
mod pattern;
mod program;
mod prove;
mod read;
mod reduction;
mod rule;
mod scope;
mod seen;
mod sink;
pub mod thir;
mod typed;
mod types;

pub use cascade::told_at_call;
pub use program::check;
pub use prove::condition::{Cond, condition, flatten, guards_are_flat};
pub use typed::values::is_differential;
pub use weft_resolve::{Found, ModuleReader, NoModules, Overrides};
