//! Text to syntax tree: lexer, parser, lossless tree, typed tree; and its layout as text.
//!
//! Nothing here knows what a name means.

pub mod ast;
mod format;
mod grammar;
mod kind;
mod lexer;
mod lower;
mod parse;
mod parser;
mod tree;
mod unread;

pub use format::{WIDTH, format};
pub use kind::SyntaxKind;
pub use parse::{MAX_SOURCE_BYTES, Parse, parse};
pub use tree::{Einlang, SyntaxElement, SyntaxNode, SyntaxToken, dump_tree, dumped_source};
pub use unread::Unread;
