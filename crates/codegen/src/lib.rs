//! Machine code for the loop level: LLVM in, object bytes out, and a loader for them.
//!
//! Knows loops, scalars and LLVM. Knows nothing of tensors, plans or contexts.

#![allow(unsafe_code, reason = "LLVM's C interface and the calls into generated code")]

mod load;

pub use load::Loaded;
