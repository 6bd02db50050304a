//! The host program: what runs once, in source order, around the tensor work.
//!
//! Straight-line steps and branches over one tensor graph. Steps that need numbers
//! observe tensors through [`Compute`], which the facade injects: nothing here knows how
//! tensors are computed.

mod cells;
mod datum;
mod display;
mod evaluate;
mod failure;
mod foreign;
mod interpret;
mod look;
mod memory;
mod print;
mod program;
mod scalar;
mod segments;
mod table;
mod text;
mod value;
mod verify;

pub use display::{Align, Format, FormatKind, array_text, formatted, scalar_text, tuple_text};
pub use evaluate::DEEPEST_CALL;
pub use failure::RunError;
pub use foreign::{ForeignCall, ForeignFunctions, Gives, Refused, nobody_has};
pub use interpret::{Callee, Compute, Outputs, run, with_defaults, with_host_values};
pub use look::Observed;
pub use memory::{bytes_text, exceeded_text};
pub use print::print;
pub use program::{Form, Function, Input, InputTarget, Program, Step};
pub use scalar::Scalars;
pub use segments::segments;
pub use table::Table;
pub use value::{
    Block, BoxedType, DataOp, Fields, FunctionId, Look, Piece, Shown, Value, VarId, Vars,
};
pub use verify::verify;
