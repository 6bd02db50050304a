//! Operators of other languages, read as what they probably mean.

use super::value_follows;
use crate::SyntaxKind as K;
use crate::grammar::expr::Level;
use crate::grammar::{binding, expr, primary};
use crate::parser::{Completed, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};

/// The level of a word that is an operator elsewhere: `and`, `or`, `not in`.
pub(in crate::grammar) fn infix(p: &Parser<'_>) -> Option<Level> {
    let operand = value_follows(p, 1) || matches!(p.nth(1), K::LParen | K::Bang | K::Minus);
    match p.current_text() {
        _ if p.on_new_line() => None,
        "and" if operand || p.nth_text(1) == "not" => Some(Level::And),
        "or" if operand || p.nth_text(1) == "not" => Some(Level::Or),
        "not" if p.nth(1) == K::InKw => Some(Level::Relation),
        "is" if operand || p.nth_text(1) == "not" => Some(Level::Equality),
        _ => None,
    }
}

/// Whether `++`, `--` or a compound assignment such as `+=` stands so many tokens ahead.
pub(in crate::grammar) fn is_step(p: &Parser<'_>, ahead: usize) -> bool {
    let (first, second) = (p.nth(ahead), p.nth(ahead + 1));
    let sum = matches!(first, K::Plus | K::Minus);
    let operator =
        sum || matches!(first, K::Star | K::Slash | K::Percent | K::StarStar | K::Amp | K::Pipe);
    let ends = || {
        matches!(
            p.nth(ahead + 2),
            K::Semi | K::Comma | K::Eof | K::RParen | K::RBracket | K::RBrace
        )
    };
    let step = (operator && second == K::Eq) || (sum && second == first && ends());
    step && p.touches(ahead + 1)
}

/// `x[i] += 1`, `f(x++)`: reported, and taken.
#[cold]
fn step(p: &mut Parser<'_>, left: Completed) -> Completed {
    let m = p.start_before(left);
    let (operator, sign) = (p.current_text(), p.current_span());
    let (second, assigns) = (p.nth_text(1), p.nth(1) == K::Eq);
    let sign = sign.to(p.token_span(p.position() + 1));
    let diagnostic = Diagnostic::error(Code::E0002, format!("there is no `{operator}{second}`"))
        .primary(sign, "");
    let text = shortened(p.text_of(left));
    p.complain(match assigns {
        true => diagnostic.help("what is bound does not change: bind a new name to the new value"),
        false => diagnostic.help(format!("write `{text} {operator} 1`; nothing is changed by it")),
    });
    p.bump();
    p.bump();
    if assigns && primary::starts_expr(p) {
        expr::or(p);
    }
    p.finish(m, K::ErrorExpr)
}

/// Takes an operator that is none of ours, and what follows it; gives the whole and the right
/// operand.
///
/// `None` where the operator is read as it stands, reported or not.
pub(in crate::grammar) fn infix_expr(
    p: &mut Parser<'_>,
    left: Completed,
    level: Level,
) -> Option<(Completed, Completed)> {
    match (p.current(), p.current_text()) {
        _ if is_step(p, 0) => {
            let whole = step(p, left);
            Some((whole, whole))
        }
        (K::Amp, _) => Some(bits(p, left, level)),
        _ if is_shift(p) => Some(shift(p, left, level)),
        (K::Ident, "and") => Some(logical(p, left, ("&&", K::AmpAmp), level)),
        (K::Ident, "or") => Some(logical(p, left, ("||", K::PipePipe), level)),
        (K::Ident, "is") => Some(is(p, left, level)),
        (K::Ident, _) => Some(not_in(p, left, level)),
        _ => {
            other(p);
            None
        }
    }
}

fn there_is_no(p: &Parser<'_>) -> Diagnostic {
    Diagnostic::error(Code::E0002, format!("there is no operator `{}`", p.current_text()))
        .primary(p.current_span(), "")
}

/// Signs that are taken for the operators of their levels.
fn other(p: &mut Parser<'_>) {
    let span = p.current_span();
    match p.current() {
        K::DotDotDot => {
            let diagnostic = there_is_no(p)
                .help_edit("`..` leaves the end out", span, "..")
                .help_edit("`..=` takes the end in", span, "..=");
            p.error(diagnostic);
        }
        K::Caret => p.error(binding::caret_error(span)),
        _ => {}
    }
}

/// `a and b`
#[cold]
fn logical(
    p: &mut Parser<'_>,
    left: Completed,
    (sign, kind): (&str, K),
    level: Level,
) -> (Completed, Completed) {
    let m = p.start_before(left);
    let help = format!("`{sign}` is the logical {}", p.current_text());
    let diagnostic = there_is_no(p).help_edit(help, p.current_span(), sign);
    p.complain(diagnostic);
    p.bump_as(kind);
    let right = expr::operand(p, level);
    (p.finish(m, K::BinaryExpr), right)
}

/// What is said of `is`.
pub(super) const IS: &str =
    "`==` compares; there is no null: an enum says what may be absent, `try` what may fail";

/// `x is y`, `x is not y`
#[cold]
fn is(p: &mut Parser<'_>, left: Completed, level: Level) -> (Completed, Completed) {
    let m = p.start_before(left);
    p.complain(there_is_no(p).help(IS));
    p.bump();
    if p.at(K::Ident) && p.current_text() == "not" {
        p.bump();
    }
    let right = expr::operand(p, level);
    (p.finish(m, K::ErrorExpr), right)
}

/// `x not in y`
#[cold]
fn not_in(p: &mut Parser<'_>, left: Completed, level: Level) -> (Completed, Completed) {
    let m = p.start_before(left);
    let first = p.span_of(left);
    let words = p.current_span().to(p.token_span(p.position() + 1));
    p.bump();
    p.bump();
    let right = expr::operand(p, level);
    let end = p.end_span();
    let edit = |span: Span, text: &str| Edit { span, replacement: text.to_owned() };
    let edits =
        vec![edit(Span { end: first.start, ..first }, "!("), edit(words, "in"), edit(end, ")")];
    let diagnostic = Diagnostic::error(Code::E0002, "there is no operator `not in`")
        .primary(words, "")
        .help_edits("`!` negates a condition in parentheses", edits);
    p.complain(diagnostic);
    (p.finish(m, K::ErrorExpr), right)
}

/// `a & b`: of conditions, or of bits.
#[cold]
fn bits(p: &mut Parser<'_>, left: Completed, level: Level) -> (Completed, Completed) {
    let m = p.start_before(left);
    let (sign, a) = (p.current_span(), shortened(p.text_of(left)));
    let diagnostic = there_is_no(p);
    p.bump();
    let right = expr::operand(p, level);
    let b = shortened(p.text_of(right));
    let conditions = is_condition(a) || is_condition(b);
    let of_bits = format!("operators of bits are functions: `std::bits::and({a}, {b})`");
    let diagnostic = match (conditions, is_number(a) || is_number(b)) {
        (true, _) => diagnostic.help_edit("`&&` is the logical and", sign, "&&"),
        (false, true) => diagnostic.help(of_bits),
        (false, false) => diagnostic.help("`&&` is the logical and").help(of_bits),
    };
    p.complain(diagnostic);
    (p.finish(m, if conditions { K::BinaryExpr } else { K::ErrorExpr }), right)
}

/// Whether `<<` or `>>` stands here.
pub(in crate::grammar) fn is_shift(p: &Parser<'_>) -> bool {
    p.at_any(&[K::Lt, K::Gt]) && p.nth(1) == p.current() && p.touches(1)
}

#[cold]
fn shift(p: &mut Parser<'_>, left: Completed, level: Level) -> (Completed, Completed) {
    let m = p.start_before(left);
    let (sign, a) =
        (p.current_span().to(p.token_span(p.position() + 1)), shortened(p.text_of(left)));
    let (operator, name) = if p.at(K::Lt) { ("<<", "shl") } else { (">>", "shr") };
    p.bump();
    p.bump();
    let right = expr::operand(p, level);
    let b = shortened(p.text_of(right));
    let diagnostic = Diagnostic::error(Code::E0002, format!("there is no operator `{operator}`"))
        .primary(sign, "")
        .help(format!("operators of bits are functions: `std::bits::{name}({a}, {b})`"));
    p.complain(diagnostic);
    (p.finish(m, K::ErrorExpr), right)
}

/// An operand as messages show it; of a long one `…`.
fn shortened(text: &str) -> &str {
    if text.len() <= LONGEST_OPERAND { text } else { "…" }
}

/// Bytes of an operand that a message shows.
const LONGEST_OPERAND: usize = 60;

/// Whether a text shows that it is a condition.
fn is_condition(text: &str) -> bool {
    let signs = ["<", ">", "==", "!=", "&&", "||"];
    text.starts_with('!')
        || matches!(text, "true" | "false")
        || signs.iter().any(|s| text.contains(s))
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}
