//! The lossless tree: every byte of the text, with `rowan` underneath.

use crate::SyntaxKind;
use std::fmt::Write;

/// The language, as `rowan` wants it named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Einlang {}

impl rowan::Language for Einlang {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[raw.0 as usize]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the lossless tree.
pub type SyntaxNode = rowan::SyntaxNode<Einlang>;
/// A token of the lossless tree.
pub type SyntaxToken = rowan::SyntaxToken<Einlang>;
/// A node or a token.
pub type SyntaxElement = rowan::SyntaxElement<Einlang>;

/// The tree as text, one line per node and token, as `--emit tree` shows it.
///
/// Tokens carry their text in quotes, with escapes; trivia are shown too, so that the
/// tokens of a dump, joined, are the source ([`dumped_source`]).
pub fn dump_tree(root: &SyntaxNode) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for event in root.preorder_with_tokens() {
        match event {
            rowan::WalkEvent::Enter(element) => {
                dump_line(&mut out, depth, &element);
                depth += 1;
            }
            rowan::WalkEvent::Leave(_) => depth -= 1,
        }
    }
    out
}

fn dump_line(out: &mut String, depth: usize, element: &SyntaxElement) {
    let range = element.text_range();
    let (kind, start, end) = (element.kind(), u32::from(range.start()), u32::from(range.end()));
    let indent = 2 * depth;
    write!(out, "{:indent$}{kind:?}@{start}..{end}", "").expect("writing to a string");
    if let Some(token) = element.as_token() {
        write!(out, " {:?}", token.text()).expect("writing to a string");
    }
    out.push('\n');
}

/// The source that a dump shows, or `None` where the text is not a dump.
pub fn dumped_source(dump: &str) -> Option<String> {
    let mut source = String::new();
    for line in dump.lines() {
        let (head, text) = match line.trim_start().split_once(' ') {
            Some((head, quoted)) => (head, unquote(quoted)?),
            None => (line.trim_start(), String::new()),
        };
        head.split_once('@')?;
        source.push_str(&text);
    }
    Some(source)
}

/// Undoes `{:?}` of a string.
fn unquote(quoted: &str) -> Option<String> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { unescape(&mut chars)? } else { c });
    }
    Some(out)
}

fn unescape(chars: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let digits: String = chars.take_while(|&c| c != '}').filter(|&c| c != '{').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
        }
        quote @ ('"' | '\'' | '\\') => quote,
        _ => return None,
    })
}
