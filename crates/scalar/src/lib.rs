//! Scalars: element types, values, operators and what they compute.
//!
//! The one table of scalar operators. Adding an operator touches its row here, its
//! arm in [`eval`] and its derivative, and nothing else: the evaluator calls [`eval`],
//! and the loop level emits the same straight-line programs.

pub mod eval;
pub mod function;
mod op;
pub mod program;
mod small;
mod value;
mod widen;

pub use op::{BinaryOp, UnaryOp};
pub use small::{Bf16, F8e4m3, F16};
pub use value::{Scalar, ScalarType};
