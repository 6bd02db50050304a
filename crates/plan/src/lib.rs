//! Graph to routine: what is computed, in which order, and where its numbers live.
//!
//! [`plan`] takes a graph and the tensors a segment observes and gives a [`Plan`]: a
//! rewritten graph, a tree of items (loop nests, time loops, fills), and storage for each
//! tensor with the reason for it. Nothing here knows extents: sizes stay symbolic until
//! [`Plan::bind`]. Loops inside a nest, vectors and addresses are the schedule's business.

mod attempts;
mod bind;
mod bounded_growth;
mod buffers;
mod checkpoint;
mod context;
mod cost;
mod cycle;
mod divide_nests;
mod drop_overflow_checks;
mod eliminate_common_tensors;
mod factor;
mod feautrier;
mod fold;
mod forward_copies;
mod fuse;
mod hoist_reductions;
mod indices;
mod inline;
mod integer_proofs;
mod magnitude;
mod narrow;
mod no_order;
mod order;
mod passes;
mod pinned;
mod pipeline;
mod placed;
mod print;
mod privatise_slices;
mod propagate_equalities;
mod recurrence_groups;
mod rematerialise;
mod rewrite;
mod right_looking;
mod routine;
mod split_index_sets;
mod steps_in_place;
mod storage;
mod summary;
mod time_invariant;
mod wavefront;
mod window_steps;
mod writes;

pub use attempts::{Request, plan};
pub use bind::{BindError, Bound, BoundBuffer};
pub use no_order::Refusal;
pub use passes::{PASSES, Pass, PassOptions, PassRecord, live_text, pass_named};
pub use pipeline::have_order;
pub use routine::{
    Buffer, BufferId, BufferRole, Fill, FillValue, Item, LoopVar, Nest, Plan, PlanOptions,
    Segments, Storage, TimeLoop,
};
pub use summary::OrderOf;
pub use writes::OpenWrite;
