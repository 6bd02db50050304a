//! What runs machine code: buffers, kernels called with checked arguments, memory limits,
//! interruption.
//!
//! Everything that can go wrong at run time is a [`Failure`], after which all buffers are
//! still valid memory. Knows the loop level only for the signatures of kernels; never
//! sees the compiler's front end.

#![allow(unsafe_code, reason = "memory shared with machine code")]

mod buffer;
mod context;
mod draft;
mod failure;
mod foreign;
pub mod interrupt;
mod library;
mod memory;
mod pages;
mod peak;
mod perf_map;
pub mod progress;
mod regular;
mod store;
mod threads;

pub use buffer::{Buffer, Plain, array_bytes, to_array};
pub use context::{Context, Held};
pub use draft::{Draft, Replacement, remove_abandoned, written_place};
pub use failure::Failure;
pub use foreign::{Copied, Foreign, Released};
pub use library::{Argument, Fitted, Library, Routine};
pub use memory::{Charge, MemoryAccount};
pub use pages::Guard;
pub use peak::Peak;
pub use perf_map::PerfMap;
pub use regular::open_regular;
pub use store::{Store, Usage};
pub use threads::Threads;
