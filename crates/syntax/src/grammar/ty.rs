//! Types.

use super::expr::{Level, binary};
use super::list::{close, list};
use super::{foreign, path};
use crate::SyntaxKind as K;
use crate::ast::Prim;
use crate::parser::{Completed, Context, Parser};
use weft_diag::{Code, Diagnostic};

/// `type`
pub(super) fn type_(p: &mut Parser<'_>) -> Completed {
    match p.nested(|p| p.with(Context::default(), type_inner)) {
        Some(inner) => inner,
        None => error_type(p),
    }
}

fn error_type(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.finish(m, K::ErrorType)
}

fn type_inner(p: &mut Parser<'_>) -> Completed {
    match p.current() {
        K::LBracket => array(p),
        K::LParen => tuple_or_fn(p),
        K::Ident if p.current_text() == "jagged" && p.nth(1) == K::LBracket => jagged(p),
        K::Ident => named(p),
        _ => {
            p.expected("a type");
            error_type(p)
        }
    }
}

/// The type after `as`, where a `<` is a comparison and paths stand for nothing.
pub(super) fn cast_type(p: &mut Parser<'_>) {
    let named = p.at(K::Ident) && p.nth_text(0) != "jagged";
    if !named {
        type_(p);
        return;
    }
    if Prim::from_name(p.current_text()).is_none() || p.nth(1) == K::ColonColon {
        let diagnostic = Diagnostic::error(Code::E0002, "`as` takes no named type")
            .primary(p.current_span(), "")
            .help(
                "`as` converts numbers, and the elements of tensors: `x as f32`, `x as [f32; n]`",
            );
        p.error(diagnostic);
    }
    let m = p.start();
    path(p);
    p.finish(m, K::PathType);
}

/// `path ["<" type,* ">"]`
fn named(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let element = p.current_text();
    path(p);
    if p.at(K::Lt) {
        arguments(p);
    } else if p.at(K::LBracket) {
        foreign::extents_behind(p, element);
        return p.finish(m, K::ErrorType);
    }
    p.finish(m, K::PathType)
}

/// `"<" type,* ">"`; a `>=` is split.
pub(super) fn arguments(p: &mut Parser<'_>) {
    p.bump();
    while !p.at_any(&[K::Gt, K::Ge, K::Eof]) {
        let before = p.position();
        type_(p);
        if !p.eat(K::Comma) || p.position() == before {
            break;
        }
    }
    if p.at(K::Ge) {
        p.bump_prefix(K::Gt, 1, K::Eq);
    } else if !p.eat(K::Gt) {
        p.expected("`,` or `>`");
    }
}

/// `"[" type [";" dim,*] "]"`
fn array(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    p.bump();
    type_(p);
    if p.eat(K::Semi) || foreign::taken_instead(p, &foreign::EXTENTS) {
        list(p, opener, K::RBracket, dim);
    } else {
        close(p, opener, K::RBracket, "`;` or `]`");
    }
    p.finish(m, K::ArrayType)
}

/// `dim := arithmetic | "?" | "*" | ".." NAME`
fn dim(p: &mut Parser<'_>) {
    let m = p.start();
    match p.current() {
        K::Question | K::Star => p.bump(),
        K::DotDot => {
            p.bump();
            super::name(p, "the name of a run of axes");
        }
        _ => {
            binary(p, Level::Sum);
        }
    }
    p.finish(m, K::Dim);
}

/// `"jagged" "[" prim [";" ("2d" | "3d" | "4d" | "?")] "]"`
fn jagged(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.bump_as(K::JaggedKw);
    let opener = p.position();
    p.bump();
    type_(p);
    if p.eat(K::Semi) {
        match p.current() {
            K::Question => p.bump(),
            K::Suffixed if matches!(p.current_text(), "2d" | "3d" | "4d") => p.bump(),
            _ => p.expected("`2d`, `3d`, `4d` or `?`"),
        }
    }
    close(p, opener, K::RBracket, "`]`");
    p.finish(m, K::JaggedType)
}

/// `"(" type,* ")" ["->" type]`
fn tuple_or_fn(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    p.bump();
    let mut count = 0;
    let mut comma = false;
    list(p, opener, K::RParen, |p| {
        type_(p);
        count += 1;
        comma = p.at(K::Comma);
    });
    let kind = if p.eat(K::Arrow) {
        type_(p);
        K::FnType
    } else if count == 1 && !comma {
        K::ParenType
    } else {
        K::TupleType
    };
    p.finish(m, kind)
}
