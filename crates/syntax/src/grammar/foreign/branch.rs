//! Branches without braces.

use super::{skip_word, value_follows};
use crate::SyntaxKind as K;
use crate::grammar::expr::or;
use crate::grammar::{block, primary};
use crate::parser::{Context, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};

/// The branches of an `if` that stand without braces.
#[derive(Default)]
pub(in crate::grammar) struct Unbraced {
    first: Option<Span>,
    edits: Vec<Edit>,
}

/// A branch of the `if` at the token `head`: a block, or what stands in its place.
pub(in crate::grammar) fn branch(p: &mut Parser<'_>, head: usize, found: &mut Unbraced) {
    match p.current() {
        K::Colon => indented(p, head),
        K::Ident if p.current_text() == "then" && value_follows(p, 1) => {
            let then = p.current_span();
            let edit = Edit { span: then, replacement: "{".to_owned() };
            skip_word(p);
            unbraced(p, Some(edit), found);
        }
        K::LBrace => drop(block(p)),
        _ if primary::starts_expr(p) && !p.on_new_line() => unbraced(p, None, found),
        _ => drop(block(p)),
    }
}

/// Says once that the branches stand in braces.
pub(in crate::grammar) fn report_unbraced(p: &mut Parser<'_>, found: Unbraced) {
    let Some(span) = found.first else { return };
    let diagnostic = Diagnostic::error(Code::E0001, "a branch stands in braces")
        .primary(span, "expected `{`")
        .help_edits("put it in braces", found.edits);
    p.complain(diagnostic);
}

/// `if c: …`, and the lines below that stand further in.
#[cold]
fn indented(p: &mut Parser<'_>, head: usize) {
    let diagnostic = Diagnostic::error(Code::E0002, "a branch stands in braces")
        .primary(p.current_span(), "expected `{`")
        .help(format!("write `{} {{ … }}`", p.text_between(head, p.position())));
    if !std::mem::replace(&mut p.seen_indented, true) {
        p.complain(diagnostic);
    }
    let m = p.start();
    p.bump();
    while !p.on_new_line() && !p.at_any(&[K::Semi, K::Eof, K::RBrace]) {
        p.bump_group();
    }
    p.eat(K::Semi);
    p.bump_indented(head);
    p.finish(m, K::Error);
}

/// `if (c) e`: the value is read as the block it should be.
fn unbraced(p: &mut Parser<'_>, then: Option<Edit>, found: &mut Unbraced) {
    let m = p.start();
    let inner = p.with(Context::default(), or);
    let span = p.span_of(inner);
    p.finish(m, K::BlockExpr);
    let semi = p.at(K::Semi) && p.nth(1) == K::ElseKw;
    let end = if semi { p.current_span().end } else { span.end };
    let insert = |at: u32, text: &str| Edit {
        span: Span { start: at, end: at, ..span },
        replacement: text.to_owned(),
    };
    found.first.get_or_insert(span);
    found.edits.push(then.unwrap_or_else(|| insert(span.start, "{ ")));
    found.edits.push(insert(end, " }"));
    if semi {
        p.bump();
    }
}

/// Whether the `else` of a branch that ended with its line stands here: taken in silence.
pub(in crate::grammar) fn late_else(p: &mut Parser<'_>) -> bool {
    let late = p.seen_indented && p.at(K::ElseKw) && p.nth(1) == K::Colon;
    if late {
        let (m, head) = (p.start(), p.position());
        p.bump();
        p.bump();
        p.bump_indented(head);
        p.finish(m, K::Error);
    }
    late
}
