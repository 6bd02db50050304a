//! The one layout of a program: from the lossless tree to text.
//!
//! Only white space changes. Tokens, comments and the tree come out as they went in, which is
//! checked; so a program means the same before and after, and the layout of a layout is
//! itself. Lines hold [`WIDTH`] characters where the text can be broken; a list or block
//! that the author has opened with a line break stays open.

mod align;
mod doc;
mod layout;
mod print;
mod space;
mod statements;

use crate::parse::Parse;
use crate::{SyntaxKind as K, SyntaxNode};
use weft_base::FileId;

/// Characters on a line.
pub const WIDTH: usize = 100;

/// The program in its one layout; `None` where the text has errors, since then nothing is
/// known to be what it seems.
pub fn format(parse: &Parse) -> Option<String> {
    if parse.has_errors() {
        return None;
    }
    let root = parse.syntax();
    let printed = print::print(&layout::layout(&root));
    let text = align::align(printed);
    assert!(shape(&root) == shape_of(&text), "a layout that changes the program:\n{text}");
    Some(text)
}

fn shape_of(text: &str) -> (Vec<K>, String) {
    shape(&crate::parse(FileId::from_u32(0), text).syntax())
}

/// The nodes of a tree in order, and its text without white space between tokens.
fn shape(root: &SyntaxNode) -> (Vec<K>, String) {
    let mut text = String::new();
    for token in root.descendants_with_tokens().filter_map(|e| e.into_token()) {
        match token.kind() {
            K::Whitespace => {}
            K::Comment => text.push_str(token.text().trim_end()),
            _ => text.push_str(token.text()),
        }
    }
    (root.descendants().map(|n| n.kind()).collect(), text)
}
