//! Plan to loop IR: one function per routine.
//!
//! Here loops are chosen: their order, which of them vectors carry out, what is computed
//! outside of them, and where a condition is a branch or a selection. What is computed
//! and where it is stored was decided by the plan and is not asked again.

mod accumulate;
mod address;
mod block;
mod body;
mod calls;
mod contract;
mod exact;
mod lower;
mod machine;
mod nest;
mod nodes;
mod overflow;
mod parallelise;
mod prefix;
mod register_state;
mod signature;
mod time_tile;
mod transpose;
mod unrolled_reduction;
mod unswitch;
mod vectorise;

pub use lower::{lower, lower_part};
pub use machine::{Integers, Machine, Sizes};
pub use signature::{Kernel, Signature, TrapSite};
