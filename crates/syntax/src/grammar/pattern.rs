//! The patterns of `match`.

use super::list::list;
use super::{name, path, string};
use crate::SyntaxKind as K;
use crate::parser::{Completed, Parser};

/// `pat`
pub(super) fn pattern(p: &mut Parser<'_>) {
    if p.nested(pattern_inner).is_none() {
        error_pattern(p);
    }
}

fn error_pattern(p: &mut Parser<'_>) {
    let m = p.start();
    p.finish(m, K::ErrorPat);
}

fn pattern_inner(p: &mut Parser<'_>) {
    match p.current() {
        K::Minus | K::Int | K::Float => number(p),
        K::StrOpen => string_pattern(p),
        K::TrueKw | K::FalseKw => single(p, K::BoolPat),
        K::Underscore => single(p, K::WildcardPat),
        K::Ident => word(p),
        K::LParen => bracketed(p, K::RParen, K::TuplePat),
        K::LBracket => bracketed(p, K::RBracket, K::ArrayPat),
        _ => {
            p.expected("a pattern");
            error_pattern(p);
        }
    }
}

fn single(p: &mut Parser<'_>, kind: K) {
    let m = p.start();
    p.bump();
    p.finish(m, kind);
}

fn string_pattern(p: &mut Parser<'_>) {
    let m = p.start();
    string::string(p);
    p.finish(m, K::StrPat);
}

/// `["-"] NUMBER [(".." | "..=") ["-"] NUMBER]`
fn number(p: &mut Parser<'_>) {
    let m = p.start();
    signed(p);
    let range = p.at_any(&[K::DotDot, K::DotDotEq]);
    if range {
        p.bump();
        signed(p);
    }
    p.finish(m, if range { K::RangePat } else { K::NumberPat });
}

fn signed(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.eat(K::Minus);
    if p.at_any(&[K::Int, K::Float]) {
        p.bump();
    } else {
        p.expected("a number");
    }
    p.finish(m, K::PatNumber)
}

/// A binding, a path, or a path with what it holds.
fn word(p: &mut Parser<'_>) {
    if p.nth(1) == K::At {
        return binding(p);
    }
    if !matches!(p.nth(1), K::ColonColon | K::LParen | K::LBrace) {
        return single(p, K::BindPat);
    }
    let m = p.start();
    path(p);
    let opener = p.position();
    let kind = match p.current() {
        K::LParen => {
            p.bump();
            list(p, opener, K::RParen, pattern);
            K::TupleStructPat
        }
        K::LBrace => {
            p.bump();
            list(p, opener, K::RBrace, field);
            K::StructPat
        }
        _ => K::PathPat,
    };
    p.finish(m, kind);
}

/// `NAME "@" pat`
fn binding(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.bump();
    pattern(p);
    p.finish(m, K::BindPat);
}

/// `NAME [":" pat]`, or the `..` at the end.
fn field(p: &mut Parser<'_>) {
    if p.at(K::DotDot) {
        return single(p, K::RestPat);
    }
    let m = p.start();
    name(p, "the name of a field");
    if p.eat(K::Colon) {
        pattern(p);
    }
    p.finish(m, K::FieldPat);
}

/// A tuple or an array.
fn bracketed(p: &mut Parser<'_>, close: K, kind: K) {
    let m = p.start();
    let opener = p.position();
    p.bump();
    list(p, opener, close, |p| element(p, kind));
    p.finish(m, kind);
}

/// `pat | ".." [NAME]`; the latter only in an array.
fn element(p: &mut Parser<'_>, kind: K) {
    if p.at(K::DotDot) && kind == K::ArrayPat {
        let m = p.start();
        p.bump();
        p.eat(K::Ident);
        p.finish(m, K::RestPat);
    } else {
        pattern(p);
    }
}
