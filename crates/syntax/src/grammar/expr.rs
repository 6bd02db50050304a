//! Operators, from pipelines down to prefixes.

use super::{foreign, postfix, primary, ty};
use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_diag::{Code, Diagnostic};

/// How tightly an infix operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Equality,
    Relation,
    Range,
    Sum,
    Product,
    Power,
}

/// `expr := or (("|>" | "?>" | "!>") or)* ["else" or | "catch" (lambda | NAME)]`
pub(super) fn expr(p: &mut Parser<'_>) -> Completed {
    let tries = p.tries;
    let mut left = or(p);
    let mut can_fail = false;
    while p.at_any(&[K::PipeGt, K::QuestionGt, K::BangGt]) {
        can_fail |= !p.at(K::PipeGt);
        let m = p.start_before(left);
        p.bump();
        or(p);
        left = p.finish(m, K::PipeExpr);
    }
    if p.at_any(&[K::ElseKw, K::CatchKw]) {
        handler(p, left, can_fail || p.tries > tries)
    } else {
        left
    }
}

fn handler(p: &mut Parser<'_>, chain: Completed, can_fail: bool) -> Completed {
    if !can_fail {
        nothing_to_catch(p);
    }
    let m = p.start_before(chain);
    let catch = p.at(K::CatchKw);
    p.bump();
    if !catch || p.at_any(&[K::Pipe, K::PipePipe, K::Ident]) {
        or(p);
    } else {
        p.expected("a lambda or the name of a function");
        primary::error_expr(p);
    }
    p.finish(m, K::RecoverExpr)
}

#[cold]
fn nothing_to_catch(p: &mut Parser<'_>) {
    let word = p.current_text();
    let message = format!("`{word}` after an expression that keeps no failure");
    let diagnostic = Diagnostic::error(Code::E0001, message)
        .primary(p.current_span(), "")
        .note("`else` and `catch` end a chain that contains `?>`, `!>` or `try`")
        .help("put `try` before what may fail");
    p.error(diagnostic);
}

/// `or`: every expression inside another passes here, so the depth is counted here.
pub(super) fn or(p: &mut Parser<'_>) -> Completed {
    match p.nested(|p| binary(p, Level::Or)) {
        Some(inner) => inner,
        None => primary::error_expr(p),
    }
}

/// Operators of `min` and tighter.
pub(super) fn binary(p: &mut Parser<'_>, min: Level) -> Completed {
    let mut left = cast(p);
    let mut right = None;
    let mut last = None;
    while let Some(level) = infix(p).filter(|&level| level >= min) {
        if last == Some(level) {
            repeated(p, level, right);
        }
        let (whole, operand) = infix_expr(p, left, level);
        left = whole;
        right = Some(operand);
        last = Some(level);
    }
    left
}

/// The level of the current token as an infix operator.
fn infix(p: &Parser<'_>) -> Option<Level> {
    Some(match p.current() {
        K::PipePipe => Level::Or,
        K::AmpAmp => Level::And,
        K::Amp => Level::And,
        K::EqEq | K::Ne => Level::Equality,
        K::Lt | K::Gt | K::Le | K::Ge | K::InKw => Level::Relation,
        K::DotDot | K::DotDotEq | K::DotDotDot => Level::Range,
        K::Plus | K::Minus => Level::Sum,
        K::Star | K::Slash | K::Percent => Level::Product,
        K::StarStar => Level::Power,
        K::Caret if !p.context.caret => Level::Power,
        K::Pipe if foreign::is_step(p, 0) => Level::Or,
        K::Ident => return foreign::infix(p),
        _ => return None,
    })
}

/// A second operator of a level that has one.
#[cold]
fn repeated(p: &mut Parser<'_>, level: Level, middle: Option<Completed>) {
    match (level, middle) {
        (Level::Relation, Some(middle)) => p.chained_comparison(middle),
        (Level::Range, _) => {
            let diagnostic = Diagnostic::error(Code::E0001, "a range of a range")
                .primary(p.current_span(), "a second `..`")
                .help("a range has a start and an end");
            p.error(diagnostic);
        }
        _ => {}
    }
}

/// The operator and what follows it; gives the whole and the right operand.
fn infix_expr(p: &mut Parser<'_>, left: Completed, level: Level) -> (Completed, Completed) {
    if let Some(taken) = no_operator(p, left, level) {
        return taken;
    }
    let m = p.start_before(left);
    let kind = match p.current() {
        K::InKw => K::InExpr,
        K::DotDot | K::DotDotEq | K::DotDotDot => K::RangeExpr,
        _ => K::BinaryExpr,
    };
    p.bump();
    let operand = if level == Level::Range { range_end(p) } else { operand(p, level) };
    (p.finish(m, kind), operand)
}

/// An operator of other languages and its right operand, where one stands here.
fn no_operator(
    p: &mut Parser<'_>,
    left: Completed,
    level: Level,
) -> Option<(Completed, Completed)> {
    if foreign::is_step(p, 0)
        || foreign::is_shift(p)
        || p.at_any(&[K::Amp, K::DotDotDot, K::Caret, K::Ident])
    {
        return foreign::infix_expr(p, left, level);
    }
    None
}

/// The right operand, which binds tighter than the operator but for `**`.
pub(super) fn operand(p: &mut Parser<'_>, level: Level) -> Completed {
    let tighter = match level {
        Level::Or => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Relation,
        Level::Relation => Level::Range,
        Level::Range => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Power,
        Level::Power => return power(p),
    };
    binary(p, tighter)
}

/// `**` groups to the right.
fn power(p: &mut Parser<'_>) -> Completed {
    match p.nested(|p| binary(p, Level::Power)) {
        Some(inner) => inner,
        None => primary::error_expr(p),
    }
}

fn range_end(p: &mut Parser<'_>) -> Completed {
    if !primary::starts_expr(p) {
        return open_end(p);
    }
    let context = Context { no_struct: true, ..p.context };
    p.with(context, |p| operand(p, Level::Range))
}

/// `1..`: a range without an end.
#[cold]
fn open_end(p: &mut Parser<'_>) -> Completed {
    let diagnostic = Diagnostic::error(Code::E0001, "a range needs an end")
        .primary(p.current_span(), "expected the end of the range")
        .help("an axis ends at its length: `1..len(x)`");
    p.error(diagnostic);
    primary::error_expr(p)
}

/// `cast := unary ("as" type)*`
fn cast(p: &mut Parser<'_>) -> Completed {
    let mut left = unary(p);
    while p.at(K::AsKw) {
        let m = p.start_before(left);
        p.bump();
        ty::cast_type(p);
        left = p.finish(m, K::CastExpr);
    }
    left
}

/// `unary := ("-" | "!" | "+" | "@" | "try")* postfix`
fn unary(p: &mut Parser<'_>) -> Completed {
    if !p.at_any(&[K::Minus, K::Bang, K::Plus, K::At, K::TryKw]) {
        return postfix::postfix(p);
    }
    let m = p.start();
    p.tries += u32::from(p.at(K::TryKw));
    p.bump();
    if p.nested(unary).is_none() {
        primary::error_expr(p);
    }
    p.finish(m, K::PrefixExpr)
}
