//! Statements of other languages.

use super::operator::is_step;
use super::value::{chooses, no_choice};
use super::{skip_line, skip_word};
use crate::SyntaxKind as K;
use crate::grammar::binding::{self, wexpr};
use crate::grammar::expr_stmt;
use crate::parser::{Completed, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// A statement of another language.
#[derive(Clone, Copy)]
pub(in crate::grammar) enum Statement {
    Loop,
    Function,
    Return,
    Import,
    Binding,
    Command,
    OtherBranch,
    Choice,
    Class,
    Update,
}

/// What statement of another language begins at a name, if one does.
pub(in crate::grammar) fn statement(p: &Parser<'_>) -> Option<Statement> {
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
        "class" | "impl" | "trait" | "interface" => {
            let head = matches!(p.nth(2), K::LBrace | K::Colon | K::LParen | K::Lt | K::Ident);
            (next == K::Ident && head).then_some(Statement::Class)
        }
        "switch" | "case" => chooses(p).then_some(Statement::Choice),
        _ => is_step(p, 1).then_some(Statement::Update),
    }
}

/// Reports the statement, and takes it.
#[cold]
pub(in crate::grammar) fn no_statement(p: &mut Parser<'_>, statement: Statement) {
    let (span, word) = (p.current_span(), p.current_text());
    let there_is_no = |word: &str| {
        Diagnostic::error(Code::E0002, format!("there is no `{word}`")).primary(span, "")
    };
    if matches!(statement, Statement::Update) {
        return update(p);
    }
    let diagnostic = match statement {
        Statement::Loop => Diagnostic::error(Code::E0002, "there are no loops")
            .primary(span, "")
            .help("what repeats is an equation: `let u[0] = a; let u[t in 1..n] = f(u[t - 1]);`"),
        Statement::Function => there_is_no(word)
            .help("a function is `fn f(x) { x + 1 }`; its last expression is its value"),
        Statement::Return => there_is_no(word).help("the last expression of a body is its value"),
        Statement::Import => there_is_no(word)
            .help("names of a module are brought in by `use`: `use std::math::{exp, log};`")
            .help("tensors need no import: `sum(x)`, `max[i](x[i])`, `x.shape`"),
        Statement::Binding => {
            there_is_no(word).help_edit("a name is bound by `let`, once", span, "let")
        }
        Statement::Command => {
            Diagnostic::error(Code::E0002, format!("`{word}` without parentheses"))
                .primary(span, "")
                .help(format!("it is called like a function: `{word}(x);`"))
        }
        Statement::Choice => no_choice(span, word),
        Statement::Class => there_is_no(word)
            .help("a `struct` holds the fields, and functions take it: `fn area(c) { c.r ** 2 }`"),
        Statement::OtherBranch | Statement::Update => {
            there_is_no(word).help("another condition is `else if`, behind the `}`")
        }
    };
    if !(matches!(statement, Statement::OtherBranch) && p.seen_indented) {
        p.complain(diagnostic);
    }
    match statement {
        Statement::OtherBranch => {
            skip_block(p);
            while p.at(K::ElseKw) {
                skip_block(p);
            }
        }
        Statement::Loop | Statement::Function | Statement::Choice | Statement::Class => {
            skip_block(p)
        }
        Statement::Import => skip_line(p),
        Statement::Return => returned(p),
        Statement::Binding => binding::let_or_indexed(p),
        Statement::Command => {
            skip_word(p);
            expr_stmt(p);
        }
        Statement::Update => {}
    }
}

/// A head, and the group in braces behind it or the lines that stand further in.
fn skip_block(p: &mut Parser<'_>) {
    let (m, head) = (p.start(), p.position());
    p.bump();
    while !p.on_new_line() && !p.at_any(&[K::Semi, K::Eof, K::RBrace, K::LBrace]) {
        p.bump_group();
    }
    if p.at(K::LBrace) {
        p.bump_group();
    } else {
        p.eat(K::Semi);
        p.bump_indented(head);
    }
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

/// `x += 1`, `x++`: told with the new binding that is meant, where the name has one already.
fn update(p: &mut Parser<'_>) {
    let (m, name, start) = (p.start(), p.current_text(), p.current_span());
    let bound = p.is_bound_above(name);
    p.bump();
    let (operator, sign) = (p.nth_text(0), p.current_span());
    let doubled = !matches!(p.nth(1), K::Eq);
    let sign = sign.to(p.token_span(p.position() + 1));
    p.bump();
    p.bump();
    let right = if doubled { "1".to_owned() } else { parenthesised(p) };
    let meant = format!("let {name} = {name} {operator} {right}");
    let word = if doubled { operator } else { "=" };
    let diagnostic =
        Diagnostic::error(Code::E0002, format!("there is no `{operator}{word}`")).primary(sign, "");
    let help = "a name is bound once; a new one of the same name stands in for it";
    let whole = start.to(p.end_span());
    p.complain(match bound {
        true => diagnostic.help_edit(help, whole, meant),
        false => diagnostic.help(format!("{help}: `{meant};`")),
    });
    p.eat(K::Semi);
    p.finish(m, K::Error);
}

/// The text of a value, in parentheses unless it is one word.
fn parenthesised(p: &mut Parser<'_>) -> String {
    let first = p.position();
    let value = wexpr(p);
    let text = p.text_of(value).to_owned();
    if p.position() == first + 1 { text } else { format!("({text})") }
}

/// `x = 5`, `x[0] = 5`: nothing is assigned; the target has been read.
#[cold]
pub(in crate::grammar) fn assigned(p: &mut Parser<'_>, target: Completed) {
    let m = p.start_before(target);
    let (span, text, sign) = (p.span_of(target), p.text_of(target), p.current_span());
    let cells = p.after(K::RBracket);
    let name = text.split(['[', '.', ' ']).next().unwrap_or(text);
    let diagnostic = Diagnostic::error(Code::E0002, "nothing is assigned").primary(sign, "");
    p.bump();
    wexpr(p);
    let begin = Span { end: span.start, ..span };
    let bound = p.is_bound_above(name);
    p.complain(match (cells, bound) {
        (true, true) => diagnostic
            .secondary(span, "a tensor does not change")
            .help(format!("a new one: `let y[i] = if i == 0 {{ 5.0 }} else {{ {name}[i] }};`")),
        (false, _) if text.contains('.') => diagnostic
            .secondary(span, "a value does not change")
            .help("a new one is built from the old one's fields"),
        (true, false) => diagnostic.help_edit("a definition begins with `let`", begin, "let "),
        (false, _) => diagnostic.help_edit("a name is bound by `let`, once", begin, "let "),
    });
    if p.at(K::Semi) || p.on_new_line() {
        p.eat(K::Semi);
    } else {
        p.skip_until(&[]);
        p.eat(K::Semi);
    }
    p.finish(m, K::Error);
}
