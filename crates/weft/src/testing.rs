//! What tests of the compiler ask for, and programs never: ways to run that are taken by force,
//! and the routines that a run went through beside those that are shown.

pub use crate::shown::{finds_parameters, host_decides, shown_routines};
pub use weft_executor::testing::{Guard, Knobs, Routine};
