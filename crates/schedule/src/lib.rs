//! Plan to loop IR: one function per routine.
//!
//! [`recognise`] sees which strategies suit a nest or a loop over time, [`choose`] takes one
//! for each and keeps the reasons against the others, [`lower`] writes the loops of what was
//! chosen, and [`mark`] has lanes and threads carry them out. What is computed and where it is
//! stored was decided by the plan and is not asked again.

mod analysis;
mod choose;
mod describe;
mod group;
mod lower;
mod machine;
mod mark;
mod nodes;
mod recognise;
mod signature;
mod strategy;
mod tree;

pub use describe::{Choice, choices, schedule_text};
pub use lower::{lower, lower_part};
pub use machine::{Integers, Machine, Sizes};
pub use signature::{Kernel, Signature, TrapSite};
pub use strategy::{Refusal, Strategies, Strategy};
