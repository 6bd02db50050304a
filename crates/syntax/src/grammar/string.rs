//! Strings with their interpolations.

use super::expr::expr;
use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// A string, at its opening quote.
///
/// One that is broken is one fault, whatever follows from it on the same line.
pub(super) fn string(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let quote = p.current_span();
    p.bump();
    let mut broken = false;
    loop {
        match p.current() {
            K::StrText => p.bump(),
            K::StrBrace => lone_brace(p),
            K::InterpOpen => broken |= interpolation(p),
            _ => break,
        }
    }
    if p.at_missing(K::StrClose) {
        if !broken {
            unclosed(p, quote);
        }
        broken = true;
    }
    p.eat(K::StrClose);
    if broken {
        p.quiet_here();
    }
    p.finish(m, K::StringExpr)
}

#[cold]
fn unclosed(p: &mut Parser<'_>, quote: Span) {
    let diagnostic = Diagnostic::error(Code::E0001, "this string is never closed")
        .primary(quote, "opened here")
        .note("a string ends on its line; `\\n` stands for a line break");
    p.error(diagnostic);
}

#[cold]
fn lone_brace(p: &mut Parser<'_>) {
    let span = p.current_span();
    let diagnostic = Diagnostic::error(Code::E0001, "unmatched `}` in a string")
        .primary(span, "")
        .help_edit("a brace is written twice", span, "}}");
    p.error(diagnostic);
    p.bump();
}

/// `"{" expr [format] "}"`; whether its end is missing.
fn interpolation(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let broken = p.partner_is_missing();
    if broken {
        let span = p.current_span();
        let diagnostic = Diagnostic::error(Code::E0001, "unmatched `{` in a string")
            .primary(span, "not closed on its line")
            .help("`{{` stands for a brace");
        p.error(diagnostic);
    }
    p.bump();
    if broken {
        p.quietly(inside);
    } else {
        inside(p);
    }
    p.eat(K::InterpClose);
    p.finish(m, K::Interp);
    broken
}

/// `"{}"`, for values that stand behind the text.
#[cold]
fn nothing_inside(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0001, "nothing between the braces of a string")
        .primary(p.current_span(), "a value stands before this")
        .help("values stand in the text: `\"x is {x:.3f}\"`; a brace itself is written twice");
    p.error(diagnostic);
}

fn inside(p: &mut Parser<'_>) {
    if p.at(K::InterpClose) {
        nothing_inside(p);
        return;
    }
    p.with(Context::default(), expr);
    if !p.at_any(&[K::FmtSpec, K::InterpClose]) {
        p.expected("`}` or a format");
    }
    while !p.at_any(&[K::FmtSpec, K::InterpClose, K::Eof]) {
        p.bump_group();
    }
    p.eat(K::FmtSpec);
}
