//! Machine code for the loop level: LLVM in, object bytes out, and a loader for them.
//!
//! [`compile`] turns functions into one [`Object`]; [`Loaded`] maps an object, fresh or
//! read back from a cache, and gives its [`Kernel`]s. Vector loops become explicit vector
//! instructions of the target's width with masks for what is left over, so nothing
//! depends on an auto-vectoriser. Knows loops, scalars and LLVM; knows nothing of tensors,
//! plans or contexts.

#![allow(unsafe_code, reason = "LLVM's C interface and the calls into generated code")]

mod compile;
mod emit;
mod identity;
mod kernel;
mod load;
mod object_archive;
mod symbols;
mod target;

pub use compile::{CompileError, Object, OptLevel, Options, compile, emit_asm, emit_llvm};
pub use identity::identity;
pub use kernel::{Kernel, Outcome, ParallelBody, ParallelFor, Progress, Status};
pub use load::Loaded;
pub use symbols::{Symbol, symbols};
pub use target::{Cpu, Target};
