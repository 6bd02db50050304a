//! Numbers: `42`, `1_000_000`, `0xff`, `0b101`, `2.5`, `.5`, `1e-3`, and what letters make of
//! them.

use super::{Lexer, is_word};
use crate::SyntaxKind;

impl Lexer<'_> {
    /// A number, at a digit or at a `.` before a digit.
    pub(super) fn number(&mut self) {
        let text = self.rest();
        let (whole, len) = match by_radix(text) {
            Some(len) => (len, len),
            None => {
                let whole = digits(text);
                let mantissa = whole + fraction(&text[whole..]);
                (whole, mantissa + exponent(&text[mantissa..]))
            }
        };
        let letters = text[len..].find(|c| !is_word(c)).unwrap_or(text.len() - len);
        let kind = match () {
            () if letters > 0 => SyntaxKind::Suffixed,
            () if len > whole => SyntaxKind::Float,
            () => SyntaxKind::Int,
        };
        self.push(kind, len + letters);
    }
}

/// The length of `0xff` or `0b101`, where a digit follows the letter.
fn by_radix(text: &str) -> Option<usize> {
    let radix = radix_of(text)?;
    let is_digit = |c: char| c.is_digit(radix);
    let len = text[2..].find(|c: char| !is_digit(c) && c != '_').unwrap_or(text.len() - 2);
    text[2..2 + len].contains(is_digit).then_some(2 + len)
}

/// What an integer counts by, where it says so: 16 for `0x`, 2 for `0b`.
pub(crate) fn radix_of(text: &str) -> Option<u32> {
    match text.as_bytes() {
        [b'0', b'x', ..] => Some(16),
        [b'0', b'b', ..] => Some(2),
        _ => None,
    }
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len())
}

/// `.5`; not the first dot of `..`, and not the bare dot of `5.`.
fn fraction(text: &str) -> usize {
    match text.as_bytes() {
        [b'.', d, ..] if d.is_ascii_digit() => 1 + digits(&text[1..]),
        _ => 0,
    }
}

/// `e-3`; nothing where no digit follows.
fn exponent(text: &str) -> usize {
    let sign = match text.as_bytes() {
        [b'e' | b'E', b'+' | b'-', d, ..] if d.is_ascii_digit() => 2,
        [b'e' | b'E', d, ..] if d.is_ascii_digit() => 1,
        _ => return 0,
    };
    sign + digits(&text[sign..])
}
