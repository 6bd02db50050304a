//! What is decided by the loops as they are written: conditions moved out, lanes, threads.

mod parallelise;
mod unswitch;
mod vectorise;

pub(crate) use parallelise::{Freedom, mark_parallel_loops};
pub(crate) use unswitch::unswitch;
pub(crate) use vectorise::mark_vector_loops;
