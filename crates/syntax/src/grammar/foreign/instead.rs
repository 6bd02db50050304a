//! Punctuation that stands for another one here: told, and taken for what it means.

use crate::SyntaxKind as K;
use crate::parser::Parser;
use weft_diag::{Code, Diagnostic};

/// A mark of other languages.
pub(in crate::grammar) struct Instead {
    mark: K,
    /// What it is taken for, and its text.
    meant: (K, &'static str),
    headline: &'static str,
    help: &'static str,
}

/// `fn f(x): f64`
pub(in crate::grammar) static RESULT: Instead = Instead {
    mark: K::Colon,
    meant: (K::Arrow, " ->"),
    headline: "the type of a result stands behind `->`",
    help: "write the arrow",
};

/// `P { x = 1.0 }`
pub(in crate::grammar) static FIELD: Instead = Instead {
    mark: K::Eq,
    meant: (K::Colon, ":"),
    headline: "the value of a field stands behind `:`",
    help: "write a colon",
};

/// `[f64, n]`
pub(in crate::grammar) static EXTENTS: Instead = Instead {
    mark: K::Comma,
    meant: (K::Semi, ";"),
    headline: "extents stand behind `;`",
    help: "one `;` ends the element type",
};

/// Takes a mark for what it means, if it is the current token.
pub(in crate::grammar) fn taken_instead(p: &mut Parser<'_>, instead: &Instead) -> bool {
    if !p.at(instead.mark) {
        return false;
    }
    let (kind, text) = instead.meant;
    let diagnostic = Diagnostic::error(Code::E0002, instead.headline)
        .primary(p.current_span(), "")
        .help_edit(instead.help, p.current_span(), text);
    p.complain(diagnostic);
    p.bump_as(kind);
    true
}
