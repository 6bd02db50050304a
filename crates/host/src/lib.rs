//! The host program: what runs once, in source order, around the tensor work.
//!
//! Straight-line steps and branches over one tensor graph. Steps that need numbers
//! observe tensors through [`Compute`], which the facade injects: nothing here knows how
//! tensors are computed.

mod display;
mod failure;
mod interpret;
mod print;
mod program;
mod segments;
mod verify;

pub use display::{Align, Format, FormatKind, array_text, formatted, scalar_text, tuple_text};
pub use failure::RunError;
pub use interpret::{Compute, Observed, Outputs, run, with_defaults};
pub use print::print;
pub use program::{Input, InputTarget, Piece, Program, Step, Value};
pub use segments::segments;
pub use verify::verify;
