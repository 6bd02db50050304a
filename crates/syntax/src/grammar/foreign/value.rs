//! Words and signs of other languages where a value begins.

use super::value_follows;
use crate::SyntaxKind as K;
use crate::ast::Accumulator;
use crate::grammar::expr::{Level, binary};
use crate::grammar::list::list;
use crate::grammar::{path, postfix, primary, ty};
use crate::parser::{Completed, Marker, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};

/// A word that stands where an expression begins: what it becomes, if it is none of ours.
pub(in crate::grammar) fn word(p: &mut Parser<'_>) -> Option<Completed> {
    let next = p.nth(1);
    match p.current_text() {
        "not" if matches!(next, K::Ident | K::TrueKw | K::FalseKw) => Some(not(p)),
        "lambda" if next == K::Ident => Some(lambda(p)),
        "switch" | "case" if chooses(p) => Some(switch(p)),
        "f" | "F" | "r" | "R" | "b" | "u" | "fr" | "rf" if prefixes_string(p) => Some(prefixed(p)),
        _ if next == K::Bang && p.touches(1) && opens(p.nth(2)) && p.touches(2) => {
            Some(macro_call(p))
        }
        name if value_follows(p, 1) && is_function(name) => Some(bare_argument(p)),
        _ => None,
    }
}

fn opens(kind: K) -> bool {
    matches!(kind, K::LParen | K::LBracket | K::LBrace)
}

fn prefixes_string(p: &Parser<'_>) -> bool {
    p.nth(1) == K::StrOpen && p.touches(1)
}

#[cold]
fn not(p: &mut Parser<'_>) -> Completed {
    let span = p.current_span();
    let with_blank = Span { end: p.token_span(p.position() + 1).start, ..span };
    let diagnostic = Diagnostic::error(Code::E0002, "there is no `not`")
        .primary(span, "")
        .help_edit("`!` is the logical not", with_blank, "!");
    p.complain(diagnostic);
    let m = p.start();
    p.bump_as(K::Bang);
    if p.nested(primary::primary).is_none() {
        primary::error_expr(p);
    }
    p.finish(m, K::PrefixExpr)
}

#[cold]
fn lambda(p: &mut Parser<'_>) -> Completed {
    let diagnostic = Diagnostic::error(Code::E0002, "there is no `lambda`")
        .primary(p.current_span(), "")
        .help("a function without a name is `|x| x + 1`");
    p.error(diagnostic);
    p.skip_until(&[K::Comma, K::RParen, K::RBracket]);
    primary::error_expr(p)
}

/// `switch x {`, `switch (x) {`
pub(super) fn chooses(p: &Parser<'_>) -> bool {
    match p.nth(1) {
        K::LParen => p.after_partner(1) == Some(K::LBrace),
        K::Ident => p.nth_on_line(1) && matches!(p.nth(2), K::LBrace | K::Dot | K::LBracket),
        _ => false,
    }
}

/// What is said of `switch`.
pub(super) fn no_choice(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error(Code::E0002, format!("there is no `{word}`"))
        .primary(span, "")
        .help("a value is chosen by `match x { 3 => a, _ => b }`")
}

#[cold]
fn switch(p: &mut Parser<'_>) -> Completed {
    p.complain(no_choice(p.current_span(), p.current_text()));
    let m = p.start();
    p.bump();
    p.skip_until(&[K::LBrace]);
    p.bump_group();
    p.finish(m, K::ErrorExpr)
}

/// `f"n is {n}"`: the string is read without its prefix.
#[cold]
fn prefixed(p: &mut Parser<'_>) -> Completed {
    let (span, text) = (p.current_span(), p.current_text());
    let diagnostic = Diagnostic::error(Code::E0002, "a string has no prefix").primary(span, "");
    let diagnostic = match text {
        "f" | "F" => diagnostic.help_edit("strings interpolate as they are", span, ""),
        _ => diagnostic.help("in a string `\\\\` is a backslash, `{{` a brace"),
    };
    p.complain(diagnostic);
    let m = p.start();
    p.bump();
    crate::grammar::string::string(p);
    p.finish(m, K::ParenExpr)
}

/// `println!("a")`, `vec![1, 2]`
#[cold]
fn macro_call(p: &mut Parser<'_>) -> Completed {
    let (name, span) = (p.current_text(), p.current_span());
    let sign = p.token_span(p.position() + 1);
    let diagnostic =
        Diagnostic::error(Code::E0002, format!("there is no `{name}!`")).primary(span.to(sign), "");
    p.complain(match name {
        "println" | "print" | "eprintln" | "eprint" => {
            diagnostic.help_edit("values are shown by `print`", span.to(sign), "print")
        }
        "vec" => diagnostic.help_edit("an array is written in brackets", span.to(sign), ""),
        "assert" => diagnostic.help_edit("it is called like a function", sign, ""),
        "assert_eq" => diagnostic.help("what must hold is a condition: `assert(a == b)`"),
        "format" => diagnostic.help("strings interpolate as they are: `\"n is {n}\"`"),
        "panic" | "todo" | "unreachable" => {
            diagnostic.help("a run is ended by `assert(false, \"why\")`")
        }
        _ => diagnostic.help("functions are called without a `!`"),
    });
    let m = p.start();
    p.bump();
    p.bump();
    p.bump_group();
    p.finish(m, K::ErrorExpr)
}

/// Functions that other languages call without parentheses, or mathematics.
fn is_function(name: &str) -> bool {
    matches!(name, "len" | "shape" | "typeof" | "print" | "assert")
        || matches!(name, "sin" | "cos" | "tan" | "exp" | "log" | "sqrt" | "abs")
        || Accumulator::from_name(name).is_some()
}

/// `len x`: read as the call it means.
#[cold]
fn bare_argument(p: &mut Parser<'_>) -> Completed {
    let (name, span) = (p.current_text(), p.current_span());
    let callee = path(p);
    let m = p.start_before(callee);
    let callee = p.finish(m, K::PathExpr);
    let m = p.start_before(callee);
    let argument = p.start();
    let inner = p.nested(postfix::postfix).unwrap_or_else(|| primary::error_expr(p));
    let edits = in_parentheses(p, span, inner);
    let text = p.text_of(inner);
    p.finish(argument, K::Arg);
    let diagnostic = Diagnostic::error(Code::E0001, format!("`{name}` without parentheses"))
        .primary(span, "")
        .help_edits(format!("it is called like a function: `{name}({text})`"), edits);
    p.complain(diagnostic);
    p.finish(m, K::CallExpr)
}

/// Edits that put parentheses around what stands behind `before`.
fn in_parentheses(p: &Parser<'_>, before: Span, inner: Completed) -> Vec<Edit> {
    let inner = p.span_of(inner);
    let open = Span { start: before.end, end: inner.start, ..inner };
    let close = Span { start: inner.end, ..inner };
    vec![
        Edit { span: open, replacement: "(".to_owned() },
        Edit { span: close, replacement: ")".to_owned() },
    ]
}

/// Whether a reduction's head ends so that its body follows without parentheses:
/// `sum[i] a[i]`.
pub(in crate::grammar) fn bare_call(p: &Parser<'_>) -> bool {
    if p.nth(1) != K::LBracket || p.nth(2) != K::Ident {
        return false;
    }
    let Some(behind) = p.behind_partner(1) else { return false };
    value_follows(p, behind) && Accumulator::from_name(p.current_text()).is_some()
}

/// The body of a reduction where its parentheses are missing; the head has been read.
#[cold]
pub(in crate::grammar) fn bare_body(p: &mut Parser<'_>, m: Marker) -> Completed {
    let before = p.end_span();
    let product = |p: &mut Parser<'_>| binary(p, Level::Product);
    let inner = p.nested(product).unwrap_or_else(|| primary::error_expr(p));
    let edits = in_parentheses(p, before, inner);
    let span = p.span_of(inner);
    let whole = p.finish(m, K::ReductionExpr);
    let text = p.text_of(whole).replacen("] ", "](", 1);
    let diagnostic =
        Diagnostic::error(Code::E0001, "the body of a reduction stands in parentheses")
            .primary(span, "")
            .help_edits(format!("write `{text})`"), edits);
    p.complain(diagnostic);
    whole
}

/// Whether `{` opens what other languages call a dictionary or an object.
pub(in crate::grammar) fn at_dictionary(p: &Parser<'_>) -> bool {
    let key = match p.nth(1) {
        K::StrOpen if p.nth(2) == K::StrClose => 2,
        K::StrOpen if p.nth(3) == K::StrClose => 3,
        K::Ident | K::Int => 1,
        _ => return false,
    };
    p.at(K::LBrace) && p.nth(key + 1) == K::Colon
}

#[cold]
pub(in crate::grammar) fn dictionary(p: &mut Parser<'_>) -> Completed {
    let diagnostic = Diagnostic::error(Code::E0002, "there are no dictionaries")
        .primary(p.current_span(), "")
        .help("keys that are known are fields: `struct Point { x: f64, y: f64 }`, `Point { x: 1.0, y: 2.0 }`")
        .help("keys that are data are an array beside the array of their values");
    p.complain(diagnostic);
    let m = p.start();
    p.bump_group();
    p.finish(m, K::ErrorExpr)
}

/// `x ?? y`
#[cold]
pub(in crate::grammar) fn or_null(p: &mut Parser<'_>, base: Completed) -> Completed {
    let m = p.start_before(base);
    let sign = p.current_span().to(p.token_span(p.position() + 1));
    let diagnostic = Diagnostic::error(Code::E0002, "there is no operator `??`")
        .primary(sign, "")
        .help("there is no null; what fails has another value by `try x else y`");
    p.complain(diagnostic);
    p.bump();
    p.bump();
    if primary::starts_expr(p) {
        crate::grammar::expr::or(p);
    }
    p.finish(m, K::ErrorExpr)
}

/// `fn(x) { x + 1 }` where a value is expected.
#[cold]
pub(in crate::grammar) fn function_value(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let start = p.current_span();
    p.bump();
    let opener = p.position();
    let open = start.to(p.current_span());
    p.bump();
    list(p, opener, K::RParen, primary::lambda_param);
    let close = p.token_span(p.position() - 1);
    let typed = p.at(K::Arrow);
    if typed {
        let m = p.start();
        p.bump();
        ty::type_(p);
        p.finish(m, K::Error);
    }
    let diagnostic =
        Diagnostic::error(Code::E0002, "a function without a name has no `fn`").primary(start, "");
    let help = "its parameters stand between bars: `|x| x + 1`";
    let bar = |span: Span| Edit { span, replacement: "|".to_owned() };
    p.complain(match typed {
        true => diagnostic.help(help),
        false => diagnostic.help_edits(help, vec![bar(open), bar(close)]),
    });
    if p.at(K::LBrace) {
        primary::block_like(p);
    } else {
        crate::grammar::expr::or(p);
    }
    p.finish(m, K::LambdaExpr)
}

/// `f32[3]`: the extents of a tensor's type behind its element type.
#[cold]
pub(in crate::grammar) fn extents_behind(p: &mut Parser<'_>, element: &str) {
    let diagnostic = Diagnostic::error(Code::E0002, "the extents stand behind the element type")
        .primary(p.current_span(), "")
        .help(format!("the type of a tensor is written `[{element}; 3, n]`"));
    p.complain(diagnostic);
    let m = p.start();
    p.bump_group();
    p.finish(m, K::Error);
}
