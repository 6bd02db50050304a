//! What other languages write, each with what is written here instead.
//!
//! None of these words is reserved: they are told by what stands behind them, which no
//! program of this language has. Where it is clear what is meant the parser goes on as if
//! that stood there, so that one slip is one complaint.

mod branch;
mod generator;
mod instead;
mod operator;
mod statement;
mod value;

pub(super) use branch::{Unbraced, branch, late_else, report_unbraced};
pub(super) use generator::{at_generator, generators};
pub(super) use instead::{EXTENTS, FIELD, RESULT, taken_instead};
pub(super) use operator::{infix, infix_expr, is_shift, is_step};
pub(super) use statement::{assigned, no_statement, statement};
pub(super) use value::{
    at_dictionary, bare_body, bare_call, dictionary, extents_behind, function_value, or_null, word,
};

use crate::SyntaxKind as K;
use crate::parser::Parser;

/// What the current token is in other languages, and its spelling here.
pub(crate) fn meant(p: &Parser<'_>) -> Option<(&'static str, &'static str)> {
    use K::{Arrow, At, Caret, ColonColon, Eq, FatArrow, Ident, IfKw, Pipe, Question};
    Some(match (p.current(), p.current_text()) {
        (Eq, _) => ("a name is bound once; bind a new one: `let x = x + 1;`", ""),
        (Ident, "is") => (operator::IS, ""),
        (Ident, "where") => (
            "a guard stands behind what it guards: `let x[i] = y[i] where i > 0;`, `sum[i](y[i] where i > 0)`",
            "",
        ),
        (IfKw, _) => ("the condition stands first: `if c { a } else { b }`", ""),
        (At, _) => {
            ("a product of matrices is a sum: `let c[i, j] = sum[k](a[i, k] * b[k, j]);`", "")
        }
        (Pipe, _) => (
            "`||` is the logical or, `|>` passes a value on, `std::bits::or(a, b)` is that of bits",
            "",
        ),
        (Question, _) => ("`try e` observes `e` and keeps its failure as a value", ""),
        (Arrow, _) => ("a function without a name is `|x| x + 1`", ""),
        (FatArrow, _) => (
            "`=>` stands only between a pattern and its value; a function without a name is `|x| x + 1`",
            "",
        ),
        (ColonColon, _) => {
            ("there are no steps among indices: every second cell is `let y[i] = x[2 * i];`", "")
        }
        (Caret, _) => ("`**` is the power, `!=` the exclusive or of conditions", ""),
        _ => return None,
    })
}

fn skip_word(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
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

/// Whether an operand begins so many tokens ahead, on the line of the token before it.
fn value_follows(p: &Parser<'_>, ahead: usize) -> bool {
    let value = match p.nth(ahead) {
        K::Ident => !is_word_between(p.nth_text(ahead)),
        // `sqrt.4`: the fourth part of what is called so.
        K::Float if p.nth_text(ahead).starts_with('.') => !p.touches(ahead),
        K::Int | K::Float | K::StrOpen | K::TrueKw | K::FalseKw | K::At => true,
        _ => false,
    };
    value && p.nth_on_line(ahead)
}

/// Words that stand between values, here or elsewhere.
fn is_word_between(word: &str) -> bool {
    matches!(word, "where" | "and" | "or" | "not" | "is" | "for" | "then" | "xor" | "mod" | "div")
}
