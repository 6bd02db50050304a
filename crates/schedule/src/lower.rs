//! A schedule as loops: nothing is decided here.

mod accumulate;
mod address;
mod block;
mod body;
mod calls;
mod contraction;
mod emitter;
mod exact;
mod extremum;
mod nest;
mod one_point;
mod overflow;
mod register_state;
mod scan;
mod time_tiles;
mod transposition;
mod unrolled_reduction;

pub use emitter::{lower, lower_part};
