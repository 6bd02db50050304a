//! Text to syntax tree: lexer, parser, lossless tree, typed tree.
//!
//! Nothing here knows what a name means.

pub mod ast;
