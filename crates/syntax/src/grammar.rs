//! The productions of the language, one function each, over the parser's cursor.
//!
//! A production that cannot go on reports the fault, leaves an error node, and returns;
//! it takes at least one token, or its caller does.

mod binding;
mod expr;
mod foreign;
mod item;
mod list;
mod pattern;
mod postfix;
mod primary;
mod string;
mod ty;

pub(crate) use foreign::meant;

use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_diag::{Code, Diagnostic};

/// `program := stmt* [wexpr]`
pub(crate) fn source_file(p: &mut Parser<'_>) {
    let m = p.start();
    loop {
        stmts(p);
        if p.at(K::Eof) {
            break;
        }
        unmatched(p);
    }
    p.finish(m, K::SourceFile);
}

/// Statements up to a `}` or the end, and the expression behind them.
fn stmts(p: &mut Parser<'_>) {
    while !p.at_any(&[K::RBrace, K::Eof]) && !p.at_outer_closer() {
        stmt(p);
    }
}

/// A closing bracket without an opening one.
#[cold]
fn unmatched(p: &mut Parser<'_>) {
    let message = format!("unmatched {}", p.found());
    let diagnostic = Diagnostic::error(Code::E0001, message).primary(p.current_span(), "");
    p.error(diagnostic);
    let m = p.start();
    p.bump();
    p.finish(m, K::Error);
}

/// `block := "{" stmt* [wexpr] "}"`
fn block(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    if p.expect(K::LBrace) {
        let inside = |p: &mut Parser<'_>| p.with(Context::default(), stmts);
        let outer = p.block.replace(opener);
        if p.nested(inside).is_some() {
            list::close(p, opener, K::RBrace, "`}`");
        }
        p.block = outer;
    }
    p.finish(m, K::BlockExpr)
}

fn stmt(p: &mut Parser<'_>) {
    match p.current() {
        K::LetKw => binding::let_or_indexed(p),
        K::ConstKw => item::const_(p),
        K::FnKw => item::fn_(p),
        K::UseKw => item::use_(p),
        K::PubKw => public(p),
        K::At if p.nth(1) == K::FnKw => item::diff_rule(p),
        K::Semi => empty_stmt(p),
        K::RParen | K::RBracket => unmatched(p),
        K::ElseKw if foreign::late_else(p) => {}
        K::Ident if definition(p, 0) => item::definition(p),
        K::Ident if p.current_text() == "input" && p.nth(1) == K::Ident => item::input(p),
        K::Ident => match foreign::statement(p) {
            Some(statement) => foreign::no_statement(p, statement),
            None => expr_stmt(p),
        },
        _ => expr_stmt(p),
    }
}

/// Whether `struct NAME`, `enum NAME` or `mod NAME` stands so many tokens further on.
fn definition(p: &Parser<'_>, ahead: usize) -> bool {
    let word = matches!(p.nth_text(ahead), "struct" | "enum" | "mod");
    word && p.nth(ahead) == K::Ident && p.nth(ahead + 1) == K::Ident
}

fn public(p: &mut Parser<'_>) {
    match p.nth(1) {
        K::LetKw => binding::let_or_indexed(p),
        K::ConstKw => item::const_(p),
        K::FnKw => item::fn_(p),
        K::UseKw => item::use_(p),
        _ if definition(p, 1) => item::definition(p),
        _ => {
            let m = p.start();
            p.bump();
            p.expected("a definition after `pub`");
            p.finish(m, K::Error);
        }
    }
}

#[cold]
fn empty_stmt(p: &mut Parser<'_>) {
    let span = p.current_span();
    let diagnostic = Diagnostic::error(Code::E0002, "a `;` that ends nothing")
        .primary(span, "")
        .help_edit("remove it", span, "");
    p.error(diagnostic);
    let m = p.start();
    p.bump();
    p.finish(m, K::Error);
}

/// `wexpr ";"`, a block-like expression, or the value at the end.
fn expr_stmt(p: &mut Parser<'_>) {
    let first = p.position();
    let block_like = primary::at_block_like(p);
    let inner = if block_like { primary::block_like(p) } else { binding::wexpr(p) };
    if p.at_any(&[K::RBrace, K::Eof]) && p.position() > first {
        return;
    }
    if p.at(K::Eq) && p.position() > first {
        return foreign::assigned(p, inner);
    }
    let m = p.start_before(inner);
    if p.ends_in_unclosed_block() {
        p.unclosed_block();
    } else if !block_like || p.at(K::Semi) {
        semi(p);
    }
    if p.position() == first {
        p.bump_group();
    }
    p.finish(m, K::ExprStmt);
}

/// The `;` of a statement; on a fault the rest of the statement is skipped.
fn semi(p: &mut Parser<'_>) {
    if p.eat(K::Semi) {
        return;
    }
    let new_line = p.on_new_line();
    p.missing_semi();
    if new_line && starts_stmt(p) {
        return;
    }
    p.skip_until(&[]);
    p.eat(K::Semi);
}

/// Whether the current token looks like the start of a statement rather than of
/// something left over.
fn starts_stmt(p: &Parser<'_>) -> bool {
    matches!(p.current(), K::Ident | K::IfKw | K::MatchKw | K::At | K::TryKw | K::StrOpen)
}

/// A name; a reserved word in its place is taken with a complaint.
fn name(p: &mut Parser<'_>, what: &str) -> bool {
    if p.eat(K::Ident) {
        return true;
    }
    let reserved = p.current().is_keyword() && !p.on_new_line();
    p.expected(what);
    if reserved {
        p.bump_as(K::Ident);
    }
    reserved
}

/// Whether any word, also a reserved one, stands so many tokens further on.
fn at_any_word(p: &Parser<'_>, ahead: usize) -> bool {
    p.nth(ahead) == K::Ident || p.nth(ahead).is_keyword()
}

/// `path := ("crate" | "self" | "super" | NAME) ("::" NAME)*`
fn path(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    name(p, "a name");
    while p.at(K::ColonColon) && at_any_word(p, 1) {
        p.bump();
        p.bump_as(K::Ident);
    }
    p.finish(m, K::Path)
}
