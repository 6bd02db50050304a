//! What is known of a program before it is staged: of function instances, of the sizes that calls
//! come to, of types.

pub(crate) mod bodies;
pub(crate) mod complete;
pub(crate) mod look;
pub(crate) mod mask;
pub(crate) mod survey;
pub(crate) mod types;
mod written_out;
