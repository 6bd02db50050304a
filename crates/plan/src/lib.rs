//! Graph to routine: what is computed, in which order, and where its numbers live.
//!
//! [`plan`] takes a graph and the tensors a segment observes and gives a [`Plan`]: a
//! rewritten graph, a tree of items (loop nests, time loops, fills), and storage for each
//! tensor with the reason for it. Nothing here knows extents: sizes stay symbolic until
//! [`Plan::bind`]. Loops inside a nest, vectors and addresses are the schedule's business.

mod again;
mod attempts;
mod bind;
mod buffers;
mod checkpoint;
mod context;
mod cost;
mod cycle;
mod divide;
mod exact;
mod factor;
mod fold;
mod fuse;
mod indices;
mod inline;
mod lift;
mod merge;
mod narrow;
mod order;
mod passes;
mod pinned;
mod pipeline;
mod placed;
mod print;
mod push;
mod refusal;
mod refuse;
mod rewrite;
mod routine;
mod share;
mod skew;
mod slices;
mod split;
mod steady;
mod steps_in_place;
mod storage;
mod summary;
mod units;
mod wavefront;
mod window_steps;
mod writes;

pub use attempts::{Request, plan};
pub use bind::{BindError, Bound, BoundBuffer};
pub use passes::{PASSES, Pass, PassOptions, PassRecord, live_text, pass_named};
pub use pipeline::have_order;
pub use refusal::Refusal;
pub use routine::{
    Buffer, BufferId, BufferRole, Fill, FillValue, Item, LoopVar, Nest, Plan, PlanOptions,
    Segments, Storage, TimeLoop,
};
pub use summary::OrderOf;
pub use writes::OpenWrite;
