//! Strings with their interpolations.

use super::expr::expr;
use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_diag::{Code, Diagnostic};

/// A string, at its opening quote.
pub(super) fn string(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let quote = p.current_span();
    p.bump();
    loop {
        match p.current() {
            K::StrText => p.bump(),
            K::StrBrace => lone_brace(p),
            K::InterpOpen => interpolation(p),
            _ => break,
        }
    }
    if p.current_text().is_empty() && !p.at(K::Eof) {
        let diagnostic = Diagnostic::error(Code::E0001, "this string is never closed")
            .primary(quote, "opened here")
            .note("a string ends on its line; `\\n` stands for a line break");
        p.error(diagnostic);
    }
    p.eat(K::StrClose);
    p.finish(m, K::StringExpr)
}

fn lone_brace(p: &mut Parser<'_>) {
    let span = p.current_span();
    let diagnostic = Diagnostic::error(Code::E0001, "unmatched `}` in a string")
        .primary(span, "")
        .help_edit("a brace is written twice", span, "}}");
    p.error(diagnostic);
    p.bump();
}

fn interpolation(p: &mut Parser<'_>) {
    let m = p.start();
    let span = p.current_span();
    p.bump();
    p.with(Context::default(), expr);
    if !p.at_any(&[K::FmtSpec, K::InterpClose]) {
        p.expected("`}` or a format");
    }
    while !p.at_any(&[K::FmtSpec, K::InterpClose, K::Eof]) {
        p.bump_group();
    }
    p.eat(K::FmtSpec);
    if p.current_text().is_empty() && p.at(K::InterpClose) {
        let diagnostic = Diagnostic::error(Code::E0001, "unmatched `{` in a string")
            .primary(span, "")
            .help_edit("a brace is written twice", span, "{{");
        p.error(diagnostic);
    }
    p.eat(K::InterpClose);
    p.finish(m, K::Interp);
}
