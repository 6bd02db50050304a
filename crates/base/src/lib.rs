//! The ground everything stands on: source files and spans, and names for display.
//!
//! Nothing here knows the language. Identity of anything the compiler handles is a
//! typed id (`cranelift_entity`), never a [`Name`]: names are for people.

pub mod interrupt;
mod name;
pub mod scc;
mod shared;
mod source;

pub use cranelift_entity as entity;
pub use name::Name;
pub use shared::SharedMap;
pub use source::{FileId, LineCol, SourceFile, SourceMap, Span, Spanned};
