//! `[e for x in xs if c]`, and the same as an argument.

use crate::SyntaxKind as K;
use crate::grammar::primary;
use crate::parser::Parser;
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};

/// Whether a generator of another language begins here.
pub(in crate::grammar) fn at_generator(p: &Parser<'_>) -> bool {
    p.at_word("for") && p.nth(1) == K::Ident && p.nth(2) == K::InKw
}

/// The generators behind an element, in brackets that `opener` opens: the first `for` is the
/// `|` that is meant, further ones and each `if` are commas.
#[cold]
pub(in crate::grammar) fn generators(p: &mut Parser<'_>, opener: usize) {
    let first = p.current_span();
    let mut edits = vec![Edit { span: first, replacement: "|".to_owned() }];
    p.bump_as(K::Pipe);
    loop {
        primary::generator(p);
        let separates = p.at(K::IfKw) || at_generator(p);
        if separates {
            edits.push(Edit {
                span: p.end_span().to(p.current_span()),
                replacement: ",".to_owned(),
            });
        }
        match separates {
            true => p.bump_as(K::Comma),
            false if p.eat(K::Comma) => {}
            false => break,
        }
    }
    let argument = p.token_text(opener) == "(";
    if argument {
        let open = p.token_span(opener);
        let inside = Span { start: open.end, ..open };
        edits.insert(0, Edit { span: inside, replacement: "[".to_owned() });
        edits.push(Edit { span: p.end_span(), replacement: "]".to_owned() });
    }
    let message =
        if argument { "there is no `for` in a call" } else { "there is no `for` in an array" };
    let diagnostic = Diagnostic::error(Code::E0002, message).primary(first, "").help_edits(
        "`|` stands before what an element is made for, conditions behind a comma",
        edits,
    );
    p.complain(diagnostic);
}
