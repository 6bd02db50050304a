//! Calls, reads and fields.

use super::binding;
use super::expr::{expr, or};
use super::list::list;
use super::{foreign, primary};
use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_diag::{Code, Diagnostic};

/// `postfix := primary ( "(" arg,* ")" | "[" item,* "]" | "." (NAME | INT) )*`
pub(super) fn postfix(p: &mut Parser<'_>) -> Completed {
    let mut left = primary::primary(p);
    loop {
        left = match p.current() {
            K::LParen => call(p, left),
            K::LBracket => index(p, left),
            K::Dot => field(p, left),
            K::Float if p.current_text().starts_with('.') => position(p, left),
            K::Question => question(p, left),
            _ => return left,
        };
    }
}

fn call(p: &mut Parser<'_>, callee: Completed) -> Completed {
    let m = p.start_before(callee);
    let opener = p.position();
    p.bump();
    p.with(Context::default(), |p| list(p, opener, K::RParen, |p| arg(p, opener)));
    p.finish(m, K::CallExpr)
}

/// `arg := expr | NAME "=" expr`
fn arg(p: &mut Parser<'_>, opener: usize) {
    let m = p.start();
    if p.at(K::Ident) && p.nth(1) == K::Eq {
        p.bump();
        p.bump();
    }
    let value = expr(p);
    if foreign::at_generator(p) {
        let m = p.start_before(value);
        foreign::generators(p, opener);
        p.finish(m, K::ComprehensionExpr);
    }
    p.finish(m, K::Arg);
}

fn index(p: &mut Parser<'_>, base: Completed) -> Completed {
    let text = p.text_of(base);
    let m = p.start_before(base);
    let opener = p.position();
    p.bump();
    let context = Context { caret: true, no_struct: false };
    p.with(context, |p| list(p, opener, K::RBracket, |p| item(p, text)));
    p.finish(m, K::IndexExpr)
}

/// `item := expr | rest | coproduct`
fn item(p: &mut Parser<'_>, base: &str) {
    let m = p.start();
    match p.current() {
        K::DotDot if p.nth(1) == K::Ident => binding::rest(p),
        K::Colon => colon(p),
        _ => {
            let first = expr(p);
            binding::coproduct(p, first);
            slice(p, base);
        }
    }
    p.finish(m, K::Item);
}

/// `x[:, 0]`: the language reads a column by an equation. `x[:2]` begins at the first cell.
#[cold]
fn colon(p: &mut Parser<'_>) {
    let span = p.current_span();
    let d = Diagnostic::error(Code::E0002, "there is no `:` among indices").primary(span, "");
    p.error(match primary::starts_expr_at(p, 1) {
        true => d.help_edit("a range has two ends", span, "0.."),
        false => d.help("leave trailing axes out (`x[0]` is a row), or name the index in an equation: `let c[t] = x[t, 0];`"),
    });
    let m = p.start();
    p.bump();
    if primary::starts_expr(p) {
        or(p);
    }
    p.finish(m, K::ErrorExpr);
}

/// `x[1:3]`: a range with the sign of another language; `x[1:]` ends at the last cell.
fn slice(p: &mut Parser<'_>, base: &str) {
    if !p.at(K::Colon) {
        return;
    }
    let span = p.current_span();
    let d = Diagnostic::error(Code::E0002, "there is no `:` among indices").primary(span, "");
    p.error(match primary::starts_expr_at(p, 1) {
        true => d.help_edit("a range is written with `..`", span, ".."),
        false => d.help_edit("a range has two ends", span, format!("..len({base})")),
    });
    p.bump();
    if primary::starts_expr(p) {
        or(p);
    }
}

fn field(p: &mut Parser<'_>, base: Completed) -> Completed {
    let m = p.start_before(base);
    p.bump();
    match p.current() {
        K::Ident => p.bump(),
        K::Int => {
            digits_only(p, 0);
            p.bump();
        }
        K::Float if is_two_positions(p.current_text()) => return two_positions(p, m),
        kind if kind.is_keyword() => p.bump_as(K::Ident),
        _ => no_field(p),
    }
    p.finish(m, K::FieldExpr)
}

/// Nothing that names a field, perhaps because the dot was meant for a number (`5.`).
#[cold]
fn no_field(p: &mut Parser<'_>) {
    let end = p.end_span();
    if p.is_after_number() {
        let diagnostic =
            Diagnostic::error(Code::E0001, "a digit must follow the point of a number")
                .primary(end, "expected a digit")
                .help_edit("write the digit", end, "0");
        p.error(diagnostic);
    } else {
        p.expected("the name or the number of a field");
    }
}

/// `0.1` after a dot: two fields, which the lexer took for one number.
fn two_positions(p: &mut Parser<'_>, m: crate::parser::Marker) -> Completed {
    let whole = p.current_text().find('.').unwrap_or(0) as u32;
    p.bump_prefix(K::Int, whole, K::Float);
    let inner = p.finish(m, K::FieldExpr);
    position(p, inner)
}

fn is_two_positions(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && !text.starts_with('.')
}

/// `.0`: a field, which the lexer took for a number.
fn position(p: &mut Parser<'_>, base: Completed) -> Completed {
    let m = p.start_before(base);
    digits_only(p, 1);
    p.bump_prefix(K::Dot, 1, K::Int);
    p.bump();
    p.finish(m, K::FieldExpr)
}

/// The current token, but for its first bytes, must be a bare integer.
fn digits_only(p: &mut Parser<'_>, first: usize) {
    if !p.current_text()[first..].bytes().all(|b| b.is_ascii_digit()) {
        p.expected("the number of a field, digits only");
    }
}

#[cold]
fn question(p: &mut Parser<'_>, base: Completed) -> Completed {
    if p.nth(1) == K::Question && p.touches(1) {
        return foreign::or_null(p, base);
    }
    let (mark, start) = (p.current_span(), p.span_of(base));
    let m = p.start_before(base);
    p.bump();
    let insert = weft_base::Span::new(start.file, start.start, start.start);
    let edits = vec![
        weft_diag::Edit { span: insert, replacement: "try ".to_owned() },
        weft_diag::Edit { span: mark, replacement: String::new() },
    ];
    let choice = p.at_any(&[K::Ident, K::Int, K::Float, K::StrOpen, K::LParen])
        || p.at_any(&[K::TrueKw, K::FalseKw]);
    let diagnostic = match choice {
        true => Diagnostic::error(Code::E0002, "there is no operator `? :`")
            .primary(mark, "")
            .help("a choice is written `if condition { value } else { other }`"),
        false => Diagnostic::error(Code::E0002, "there is no postfix operator `?`")
            .primary(mark, "")
            .help_edits("`try` observes a failure", edits),
    };
    p.error(diagnostic);
    if choice {
        super::expr::expr(p);
        if p.eat(K::Colon) {
            super::expr::expr(p);
        }
    }
    p.finish(m, K::ErrorExpr)
}
