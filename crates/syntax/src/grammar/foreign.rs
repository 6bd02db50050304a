//! Statements and words of other languages, each with what is written here instead.
//!
//! None of these words is reserved: they are told by what stands behind them, which no
//! program of this language has.

use super::binding::{self, wexpr};
use super::primary;
use crate::SyntaxKind as K;
use crate::parser::{Completed, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// A statement of another language.
#[derive(Clone, Copy)]
pub(super) enum Statement {
    Loop,
    Function,
    Return,
    Import,
    Binding,
    Command,
    OtherBranch,
}

/// What statement of another language begins at a name, if one does.
pub(super) fn statement(p: &Parser<'_>) -> Option<Statement> {
    let next = p.nth(1);
    let value = matches!(next, K::Ident | K::Int | K::Float | K::StrOpen | K::TrueKw | K::FalseKw);
    match p.current_text() {
        "while" => {
            matches!(next, K::Ident | K::TrueKw | K::Int | K::Bang).then_some(Statement::Loop)
        }
        "for" => (next == K::Ident && p.nth(2) == K::InKw).then_some(Statement::Loop),
        "loop" => (next == K::LBrace).then_some(Statement::Loop),
        "def" | "func" | "function" | "fun" => {
            (next == K::Ident && p.nth(2) == K::LParen).then_some(Statement::Function)
        }
        "return" => (value || next == K::IfKw).then_some(Statement::Return),
        "import" | "from" | "using" => (next == K::Ident).then_some(Statement::Import),
        "var" | "val" | "auto" => {
            let bound = matches!(p.nth(2), K::Eq | K::Colon | K::LBracket);
            (next == K::Ident && bound).then_some(Statement::Binding)
        }
        "print" | "assert" => value.then_some(Statement::Command),
        "elif" | "elsif" | "elseif" => {
            (value || next == K::LParen).then_some(Statement::OtherBranch)
        }
        _ => None,
    }
}

/// Reports the statement, and takes it.
#[cold]
pub(super) fn no_statement(p: &mut Parser<'_>, statement: Statement) {
    let (span, word) = (p.current_span(), p.current_text());
    let there_is_no = |word: &str| {
        Diagnostic::error(Code::E0002, format!("there is no `{word}`")).primary(span, "")
    };
    let diagnostic = match statement {
        Statement::Loop => Diagnostic::error(Code::E0002, "there are no loops")
            .primary(span, "")
            .help("what repeats is an equation: `let u[0] = a; let u[t in 1..n] = f(u[t - 1]);`"),
        Statement::Function => there_is_no(word)
            .help("a function is `fn f(x) { x + 1 }`; its last expression is its value"),
        Statement::Return => there_is_no(word).help("the last expression of a body is its value"),
        Statement::Import => there_is_no(word)
            .help("names of a module are brought in by `use`: `use std::math::{exp, log};`"),
        Statement::Binding => {
            there_is_no(word).help_edit("a name is bound by `let`, once", span, "let")
        }
        Statement::Command => {
            Diagnostic::error(Code::E0002, format!("`{word}` without parentheses"))
                .primary(span, "")
                .help(format!("it is called like a function: `{word}(x);`"))
        }
        Statement::OtherBranch => {
            there_is_no(word).help("another condition is `else if`, behind the `}`")
        }
    };
    p.complain(diagnostic);
    match statement {
        Statement::Loop | Statement::OtherBranch => skip_block(p),
        Statement::Import => skip_line(p),
        Statement::Function => {
            skip_line(p);
            // A body without braces is often this and no more.
            if p.at_word("return") {
                skip_line(p);
            }
        }
        Statement::Return => returned(p),
        Statement::Binding => binding::let_or_indexed(p),
        Statement::Command => {
            skip_word(p);
            super::expr_stmt(p);
        }
    }
}

fn skip_word(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.finish(m, K::Error);
}

/// A head and the group in braces behind it.
fn skip_block(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.skip_until(&[K::LBrace]);
    if p.at(K::LBrace) {
        p.bump_group();
    }
    p.finish(m, K::Error);
}

/// To the end of the line or of the statement, and a group in braces that begins there.
fn skip_line(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    while !p.on_new_line() && !p.at_any(&[K::Semi, K::Eof, K::RBrace, K::LBrace]) {
        p.bump_group();
    }
    if p.at(K::LBrace) {
        p.bump_group();
    }
    p.eat(K::Semi);
    p.finish(m, K::Error);
}

/// The value becomes that of the body, where it stands last.
fn returned(p: &mut Parser<'_>) {
    skip_word(p);
    let value = wexpr(p);
    if p.at(K::Semi) && p.nth(1) == K::RBrace {
        return skip_word(p);
    }
    if !p.at_any(&[K::RBrace, K::Eof]) {
        let m = p.start_before(value);
        p.eat(K::Semi);
        p.finish(m, K::ExprStmt);
    }
}

/// A word that stands where an expression begins: what it becomes, if it is none of ours.
pub(super) fn word(p: &mut Parser<'_>) -> Option<Completed> {
    let next = p.nth(1);
    match p.current_text() {
        "not" if matches!(next, K::Ident | K::TrueKw | K::FalseKw) => {
            let span = p.current_span();
            let with_blank = Span { end: p.token_span(p.position() + 1).start, ..span };
            let diagnostic = Diagnostic::error(Code::E0002, "there is no `not`")
                .primary(span, "")
                .help_edit("`!` is the logical not", with_blank, "!");
            p.complain(diagnostic);
            let m = p.start();
            p.bump_as(K::Bang);
            primary::primary(p);
            Some(p.finish(m, K::PrefixExpr))
        }
        "lambda" if next == K::Ident => {
            let diagnostic = Diagnostic::error(Code::E0002, "there is no `lambda`")
                .primary(p.current_span(), "")
                .help("a function without a name is `|x| x + 1`");
            p.error(diagnostic);
            p.skip_until(&[K::Comma, K::RParen, K::RBracket]);
            Some(primary::error_expr(p))
        }
        _ => None,
    }
}

/// `[e for x in xs]`: whether a generator of another language begins here.
pub(super) fn at_generator(p: &Parser<'_>) -> bool {
    p.at_word("for") && p.nth(1) == K::Ident && p.nth(2) == K::InKw
}

/// Takes the `for` as the `|` that is meant.
#[cold]
pub(super) fn generator(p: &mut Parser<'_>) {
    let span = p.current_span();
    let diagnostic = Diagnostic::error(Code::E0002, "there is no `for` in an array")
        .primary(span, "")
        .help_edit("`|` stands before what an element is made for", span, "|");
    p.complain(diagnostic);
    p.bump_as(K::Pipe);
}

/// `f32[3]`: the extents of a tensor's type behind its element type.
#[cold]
pub(super) fn extents_behind(p: &mut Parser<'_>, element: &str) {
    let diagnostic = Diagnostic::error(Code::E0002, "the extents stand behind the element type")
        .primary(p.current_span(), "")
        .help(format!("the type of a tensor is written `[{element}; 3, n]`"));
    p.complain(diagnostic);
    let m = p.start();
    p.bump_group();
    p.finish(m, K::Error);
}

/// What the current token is in other languages, and its spelling here.
pub(crate) fn meant(p: &Parser<'_>) -> Option<(&'static str, &'static str)> {
    use K::{At, Caret, Eq, FatArrow, Ident, IfKw, Pipe, Question};
    Some(match (p.current(), p.current_text()) {
        (K::Amp, _) => ("`&&` is the logical and", "&&"),
        (Eq, _) if p.after(K::RBracket) => {
            ("a definition begins with `let`: `let x[i] = 2 * i;`", "")
        }
        (Eq, _) => ("a name is bound once; bind a new one: `let x = x + 1;`", ""),
        (Ident, "and") => ("`&&` is the logical and", "&&"),
        (Ident, "or") => ("`||` is the logical or", "||"),
        (Ident, "then") => ("branches stand in braces: `if c { a } else { b }`", ""),
        (Ident, "where") => (
            "a guard stands behind what it guards: `let x[i] = y[i] where i > 0;`, `sum[i](y[i] where i > 0)`",
            "",
        ),
        (IfKw, _) => ("the condition stands first: `if c { a } else { b }`", ""),
        (At, _) => {
            ("a product of matrices is a sum: `let c[i, j] = sum[k](a[i, k] * b[k, j]);`", "")
        }
        (Pipe, _) => ("`||` is the logical or, `|>` passes a value on", ""),
        (Question, _) => ("`try e` observes `e` and keeps its failure as a value", ""),
        (FatArrow, _) => ("`=>` stands only between a pattern and its value", ""),
        (Caret, _) => ("`**` is the power, `!=` the exclusive or of conditions", ""),
        _ => return None,
    })
}
