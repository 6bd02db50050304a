//! Derivatives: from the graph to the graph, before planning.
//!
//! `@y / @x` is a *quotient*: a tensor over the axes of both that nobody computes. Each
//! read of it says which part is needed, and is replaced by a read of a tensor that a
//! reverse or a forward sweep defines by ordinary assignments. So everything behind
//! (evaluator, planning, windows, code) treats derivatives as it treats all else, and a
//! derivative can be differentiated again.

mod accumulate;
mod align;
mod build;
mod calls;
mod chosen;
mod compress;
mod copies;
mod differential;
mod expand;
mod explain;
mod forward;
mod non_differentiable;
mod partial;
mod path;
mod refusal;
mod reverse;
mod rules;
mod seed;
mod shared_adjoints;
mod solve;
mod split;

pub use chosen::Chosen;
pub use differential::{Differential, Sight, Undefined, differential, is_given};
pub use expand::{
    Asked, Expansion, Pattern, Quotient, Rule, Strategy, Sweep, Zero, expand_quotients,
};
pub use refusal::{Cause, Refusal};
