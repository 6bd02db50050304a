//! `let`, clauses, slots, and the `where` lists behind expressions.

use super::expr::{expr, or};
use super::list::list;
use super::{primary, semi, ty};
use crate::SyntaxKind as K;
use crate::parser::{Completed, Context, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// `wexpr := expr ["where" bind,*]`
pub(super) fn wexpr(p: &mut Parser<'_>) -> Completed {
    let inner = expr(p);
    if !p.at_word("where") {
        return inner;
    }
    let m = p.start_before(inner);
    where_clause(p);
    p.finish(m, K::WhereExpr)
}

/// `["where" bind,*]`
pub(super) fn where_clause(p: &mut Parser<'_>) {
    if !p.at_word("where") {
        return;
    }
    let m = p.start();
    p.bump_as(K::WhereKw);
    loop {
        where_item(p);
        if !p.eat(K::Comma) || !primary::starts_expr(p) {
            break;
        }
    }
    p.finish(m, K::WhereClause);
}

/// `bind := NAME "=" or | or`
fn where_item(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(K::Ident) && p.nth(1) == K::Eq {
        p.bump();
        p.bump();
    }
    or(p);
    p.finish(m, K::WhereItem);
}

/// `rest := ".." NAME [":" or]`, at its `..`.
pub(super) fn rest(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    super::name(p, "the name of a rest");
    if p.eat(K::Colon) {
        or(p);
    }
    p.finish(m, K::Rest);
}

/// `("^" part)*` behind a first part; validity of the parts is checked on the typed tree.
pub(super) fn coproduct(p: &mut Parser<'_>, first: Completed) {
    if !p.at(K::Caret) {
        return;
    }
    p.coproducts += 1;
    let m = p.start_before(first);
    while p.eat(K::Caret) {
        or(p);
    }
    p.finish(m, K::Coproduct);
}

/// The complaint about a `^` that joins nothing.
#[cold]
pub(super) fn caret_error(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0002, "`^` has no meaning here")
        .primary(span, "")
        .note(
            "`^` joins axes: between the parts of a slot, and between the alternatives of its body",
        )
        .help_edit("`**` is the power", span, "**")
        .help_edit("`!=` is the exclusive or of conditions", span, "!=")
}

/// `let` or `indexed`, at `pub` or `let`.
pub(super) fn let_or_indexed(p: &mut Parser<'_>) {
    let ahead = usize::from(p.at(K::PubKw));
    if p.nth(ahead + 1) == K::Ident && p.nth(ahead + 2) == K::LBracket {
        indexed(p);
    } else {
        let_(p);
    }
}

/// `let := ["pub"] "let" pattern1 [":" type] "=" wexpr ";"`
fn let_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump_as(K::LetKw);
    no_mut(p);
    pattern1(p);
    if p.at(K::LParen) {
        no_function(p);
    } else if p.at(K::Comma) {
        no_loose_tuple(p);
    } else {
        annotation(p);
        if value(p) {
            wexpr(p);
        }
    }
    semi(p);
    p.finish(m, K::LetStmt);
}

/// `let mut x`
fn no_mut(p: &mut Parser<'_>) {
    if !p.at_word("mut") || p.nth(1) != K::Ident {
        return;
    }
    let diagnostic = Diagnostic::error(Code::E0002, "there is no `mut`")
        .primary(p.current_span(), "")
        .help("a name is bound once; what changes step by step is an index: `let u[t in 1..n] = f(u[t - 1]);`");
    p.complain(diagnostic);
    let m = p.start();
    p.bump();
    p.finish(m, K::Error);
}

/// `let f(x) = …`
#[cold]
fn no_function(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0002, "a `let` has no parameters")
        .primary(p.current_span(), "")
        .help(
            "a function is `fn f(x) { x + 1 }`, a tensor by its cells `let f[x in 0..n] = x + 1;`",
        );
    p.complain(diagnostic);
    p.skip_until(&[]);
}

/// `let a, b = …`
#[cold]
fn no_loose_tuple(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0002, "several names stand in parentheses")
        .primary(p.current_span(), "")
        .help("a tuple is taken apart by `let (a, b) = f(x);`");
    p.complain(diagnostic);
    p.skip_until(&[]);
}

/// `let A[i][j] = …`
#[cold]
fn no_second_brackets(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0002, "all axes stand between one pair of brackets")
        .primary(p.current_span(), "")
        .help("separate the slots by commas: `let A[i, j] = …;`");
    p.complain(diagnostic);
    p.skip_until(&[]);
}

/// `i in 0..10 step 2`
#[cold]
fn no_stride(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0002, "an index takes each value of its range")
        .primary(p.current_span(), "")
        .help("what goes in steps is a multiple of an index: `x[2 * i]`, with `i in 0..5`");
    p.complain(diagnostic);
    p.skip_until(&[K::Comma, K::RBracket]);
}

/// `[":" type]`
pub(super) fn annotation(p: &mut Parser<'_>) {
    if p.eat(K::Colon) {
        ty::type_(p);
    }
}

/// The `=` before a value; `==` is taken for it, with a complaint.
pub(super) fn value(p: &mut Parser<'_>) -> bool {
    if p.eat(K::Eq) {
        return true;
    }
    p.expected("`=`");
    p.eat(K::EqEq)
}

/// `pattern1 := NAME | "_" | "(" (pattern1 [":" type]),* ")"`
fn pattern1(p: &mut Parser<'_>) {
    if p.nested(pattern1_inner).is_none() {
        let m = p.start();
        p.finish(m, K::ErrorPat1);
    }
}

fn pattern1_inner(p: &mut Parser<'_>) {
    let m = p.start();
    let kind = match p.current() {
        K::Underscore => {
            p.bump();
            K::DiscardPat
        }
        K::LParen => {
            let opener = p.position();
            p.bump();
            list(p, opener, K::RParen, typed_pattern);
            K::TuplePat1
        }
        _ if super::name(p, "a name") => K::NamePat,
        _ => K::ErrorPat1,
    };
    p.finish(m, kind);
}

fn typed_pattern(p: &mut Parser<'_>) {
    let m = p.start();
    pattern1(p);
    annotation(p);
    p.finish(m, K::TypedPat);
}

/// `indexed := "let" NAME "[" slot,* "]" [":" type] "=" expr ("^" expr)*
/// ["where" bind,* ["else" expr]] ";"`
fn indexed(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(K::PubKw) {
        let diagnostic = Diagnostic::error(Code::E0002, "an indexed definition cannot be `pub`")
            .primary(p.current_span(), "")
            .help("a module exports functions, constants and plain `let`s");
        p.complain(diagnostic);
        p.bump();
    }
    p.bump_as(K::LetKw);
    p.bump();
    let coproducts = p.coproducts;
    slots(p);
    let joined = p.coproducts > coproducts;
    annotation(p);
    if p.at(K::LBracket) {
        no_second_brackets(p);
    } else if value(p) {
        alternatives(p, joined);
        otherwise(p);
    }
    semi(p);
    p.finish(m, K::IndexedStmt);
}

fn slots(p: &mut Parser<'_>) {
    let m = p.start();
    let opener = p.position();
    p.bump();
    let context = Context { caret: true, no_struct: false };
    p.with(context, |p| list(p, opener, K::RBracket, slot));
    p.finish(m, K::SlotList);
}

/// `slot := NAME ["in" or] | add | rest | coproduct`
fn slot(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(K::DotDot) {
        rest(p);
    } else {
        let first = or(p);
        if p.at(K::Eq) {
            let m = p.start_before(first);
            primary::assignment(p, "an index runs in a range", "in");
            or(p);
            p.finish(m, K::InExpr);
        }
        if p.at_word("step") || p.at_word("by") {
            no_stride(p);
        }
        coproduct(p, first);
    }
    p.finish(m, K::Slot);
}

/// `expr ("^" expr)*`
fn alternatives(p: &mut Parser<'_>, joined: bool) {
    p.with(Context { caret: joined, no_struct: false }, |p| {
        expr(p);
        while joined && p.eat(K::Caret) {
            expr(p);
        }
    });
}

/// `["where" bind,* ["else" expr]]`
fn otherwise(p: &mut Parser<'_>) {
    where_clause(p);
    if p.at(K::ElseKw) {
        let m = p.start();
        p.bump();
        expr(p);
        p.finish(m, K::ElseValue);
    }
}
