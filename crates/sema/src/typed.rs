//! What is done with typed values of a body under way: they are converted, computed with,
//! measured, their reads noted and proven. Nothing here knows the checker, so nothing here
//! goes over the tree.

pub(crate) mod absent;
pub(crate) mod adapt;
pub(crate) mod body;
pub(crate) mod body_cx;
pub(crate) mod builtin;
pub(crate) mod character;
pub(crate) mod choice;
pub(crate) mod comprehension;
pub(crate) mod coproduct;
pub(crate) mod differential;
pub(crate) mod expr;
pub(crate) mod failing;
pub(crate) mod fields;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod fixpoint;
pub(crate) mod fold;
pub(crate) mod forms;
pub(crate) mod handles;
pub(crate) mod host;
pub(crate) mod indexed;
pub(crate) mod instance;
pub(crate) mod keys;
pub(crate) mod lifting;
pub(crate) mod matching;
pub(crate) mod nominal;
pub(crate) mod operator;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod ranges;
pub(crate) mod read;
pub(crate) mod reduction;
pub(crate) mod rest;
pub(crate) mod rule;
pub(crate) mod runs;
pub(crate) mod show;
pub(crate) mod static_args;
pub(crate) mod terms;
pub(crate) mod text;
pub(crate) mod truncation;
pub(crate) mod types;
pub(crate) mod values;
pub(crate) mod written_out;
