//! Strings: their text, their braces, their interpolations and formats.

use super::{Lexer, Mode};
use crate::SyntaxKind;

impl Lexer<'_> {
    pub(super) fn open_string(&mut self) {
        self.push(SyntaxKind::StrOpen, 1);
        self.modes.push(Mode::Str);
    }

    /// The next token inside the text of a string.
    pub(super) fn string_part(&mut self) {
        match (self.byte(0), self.byte(1)) {
            (b'"', _) => {
                self.modes.pop();
                self.push(SyntaxKind::StrClose, 1);
            }
            (b'\n', _) => self.close_strings(),
            (b'{', b'{') | (b'}', b'}') => self.push(SyntaxKind::StrText, 2),
            (b'{', _) => {
                self.push(SyntaxKind::InterpOpen, 1);
                self.modes.push(Mode::Interp { open: 0 });
            }
            (b'}', _) => self.push(SyntaxKind::StrBrace, 1),
            _ => self.push(SyntaxKind::StrText, self.text_len()),
        }
    }

    /// Up to a quote, a brace or the end of the line; an escape hides what follows it,
    /// and `\u{…}` its braces.
    fn text_len(&self) -> usize {
        let text = self.rest();
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' | '{' | '}' | '\n' => return at,
                '\\' => match chars.peek() {
                    Some(&(_, '\n')) | None => {}
                    Some(&(u, 'u')) if text[u + 1..].starts_with('{') => {
                        let end = u + 1 + unicode_len(&text[u + 1..]);
                        while chars.next_if(|&(i, _)| i < end).is_some() {}
                    }
                    Some(_) => drop(chars.next()),
                },
                _ => {}
            }
        }
        text.len()
    }

    /// Whether the `:` here starts the format of the innermost interpolation.
    pub(super) fn at_format(&self) -> bool {
        self.modes.last() == Some(&Mode::Interp { open: 0 }) && self.byte(1) != b':'
    }

    /// The format, up to the `}` that closes the interpolation.
    pub(super) fn format_spec(&mut self) {
        let len = self.run(|c| !matches!(c, '}' | '"' | '\n'));
        self.push(SyntaxKind::FmtSpec, len);
    }

    /// Closes everything that is open, at the end of a line or of the text.
    pub(super) fn close_strings(&mut self) {
        while let Some(mode) = self.modes.pop() {
            let kind = match mode {
                Mode::Str => SyntaxKind::StrClose,
                Mode::Interp { .. } => SyntaxKind::InterpClose,
            };
            self.push(kind, 0);
        }
    }
}

/// The braces of `\u{1f600}`, or only the first where they hold something else.
fn unicode_len(text: &str) -> usize {
    let digits = text[1..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len() - 1);
    if text[1 + digits..].starts_with('}') { digits + 2 } else { 1 }
}
