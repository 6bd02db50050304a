//! Scalars: element types, values, operators and what they compute.
//!
//! The one table of scalar operators (`op.rs`). An elementary function is its row there and
//! its straight-line program: the evaluator runs it, the loop level emits it, and derivatives,
//! costs and tests read the row.

pub mod eval;
mod file;
pub mod function;
mod op;
pub mod program;
mod small;
mod text;
mod value;
mod widen;

pub use file::{FileCall, FileDefault, FileEffect, FileKind, FileOp, FileParam, Stated};
pub use op::{BinaryOp, CostClass, Flow, Operands, UnaryOp};
pub use small::{Bf16, F8e4m3, F16};
pub use text::{TextKind, TextOp};
pub use value::{Scalar, ScalarType};
