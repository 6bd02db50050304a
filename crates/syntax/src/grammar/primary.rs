//! The smallest expressions, and those that begin with a word.

use super::binding::{self, wexpr};
use super::expr::{Level, binary, expr, or};
use super::list::{close, list};
use super::{block, foreign, path, pattern, string, ty};
use crate::SyntaxKind as K;
use crate::ast::Accumulator;
use crate::parser::{Completed, Context, Parser};
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};

/// Whether an expression can begin with the current token.
pub(super) fn starts_expr(p: &Parser<'_>) -> bool {
    starts_expr_at(p, 0)
}

/// Whether an expression starts so many tokens further on.
pub(super) fn starts_expr_at(p: &Parser<'_>, ahead: usize) -> bool {
    match p.nth(ahead) {
        K::Ident | K::Int | K::Float | K::Suffixed | K::StrOpen | K::TrueKw | K::FalseKw => true,
        K::LParen | K::LBracket | K::Pipe | K::PipePipe | K::IfKw | K::MatchKw | K::TryKw => true,
        K::Minus | K::Plus | K::Bang | K::At => true,
        K::LBrace => !p.context.no_struct,
        _ => false,
    }
}

/// An expression that is not there; reported by the caller.
pub(super) fn error_expr(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.finish(m, K::ErrorExpr)
}

/// Whether an expression here ends at its `}`.
pub(super) fn at_block_like(p: &Parser<'_>) -> bool {
    p.at_any(&[K::IfKw, K::MatchKw, K::LBrace])
}

/// `if`, `match` or a block, at its first token.
pub(super) fn block_like(p: &mut Parser<'_>) -> Completed {
    let inner = |p: &mut Parser<'_>| match p.current() {
        K::IfKw => if_(p),
        K::MatchKw => match_(p),
        _ if foreign::at_dictionary(p) => foreign::dictionary(p),
        _ => block(p),
    };
    match p.nested(inner) {
        Some(inner) => inner,
        None => error_expr(p),
    }
}

pub(super) fn primary(p: &mut Parser<'_>) -> Completed {
    match p.current() {
        K::Int | K::Float | K::TrueKw | K::FalseKw => literal(p),
        K::Suffixed => suffixed(p),
        K::StrOpen => string::string(p),
        K::Ident => word(p),
        K::Underscore => underscore(p),
        K::LParen => parenthesised(p),
        K::LBracket => array(p),
        K::IfKw | K::MatchKw => block_like(p),
        K::LBrace if !p.context.no_struct => block_like(p),
        K::FnKw if p.nth(1) == K::LParen => foreign::function_value(p),
        K::Pipe | K::PipePipe => lambda(p),
        K::DotDot | K::DotDotEq | K::DotDotDot => open_start(p),
        _ => {
            p.expected("an expression");
            error_expr(p)
        }
    }
}

fn literal(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.bump();
    p.finish(m, K::LiteralExpr)
}

/// `1f64`, `0xfg`, `2d`.
#[cold]
fn suffixed(p: &mut Parser<'_>) -> Completed {
    let text = p.current_text();
    let span = p.current_span();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(0);
    let (number, letters) = text.split_at(digits);
    let diagnostic = Diagnostic::error(Code::E0002, format!("`{text}` is not a number"))
        .primary(span, "letters after a number");
    let diagnostic = match crate::ast::Prim::from_name(letters) {
        Some(_) => {
            let edit = format!("({number} as {letters})");
            diagnostic.help_edit("`as` says the type of a number", span, edit)
        }
        None => diagnostic.help("numbers are `42`, `1_000`, `0xff`, `0b101`, `2.5`, `1e-3`"),
    };
    p.error(diagnostic);
    let m = p.start();
    p.bump();
    p.finish(m, K::ErrorExpr)
}

/// `_`, which only a coproduct takes.
#[cold]
fn underscore(p: &mut Parser<'_>) -> Completed {
    let in_coproduct = p.context.caret && (p.nth(1) == K::Caret || p.after(K::Caret));
    if !in_coproduct {
        let diagnostic = Diagnostic::error(Code::E0001, "`_` is not a value")
            .primary(p.current_span(), "")
            .note("`_` stands for what is discarded: in a pattern, or in a coproduct (`x[i ^ _]`)");
        p.error(diagnostic);
    }
    let m = p.start();
    p.bump();
    p.finish(m, if in_coproduct { K::DiscardExpr } else { K::ErrorExpr })
}

/// `..3`: a range without a start.
#[cold]
fn open_start(p: &mut Parser<'_>) -> Completed {
    let start = p.current_span();
    let insert = Span::new(start.file, start.start, start.start);
    let diagnostic = Diagnostic::error(Code::E0001, "a range needs a start")
        .primary(start, "expected the start of the range")
        .help_edit("ranges start at 0", insert, "0");
    p.error(diagnostic);
    let m = p.start();
    p.bump();
    if starts_expr(p) {
        binary(p, Level::Sum);
    }
    p.finish(m, K::ErrorExpr)
}

/// A name: a reduction, a struct literal or a path.
fn word(p: &mut Parser<'_>) -> Completed {
    if p.nth(1) == K::LBracket && p.after_partner(1) == Some(K::LParen) {
        match p.current_text() {
            "reduce" => return reduce(p),
            name if Accumulator::from_name(name).is_some() => return reduction(p),
            _ => {}
        }
    } else if foreign::bare_call(p) {
        return reduction(p);
    }
    if let Some(other) = foreign::word(p) {
        return other;
    }
    let inner = path(p);
    if p.at(K::ColonColon) {
        after_path(p);
    }
    if p.at(K::LBrace) && at_struct_literal(p) {
        return struct_literal(p, inner);
    }
    let m = p.start_before(inner);
    p.finish(m, K::PathExpr)
}

/// `f::<T>`, `a::*`, or nothing after `::`.
#[cold]
fn after_path(p: &mut Parser<'_>) {
    p.bump();
    if p.at(K::Lt) {
        let diagnostic =
            Diagnostic::error(Code::E0002, "type arguments are never written at a use")
                .primary(p.current_span(), "")
                .help("they follow from the arguments, or from an annotation beside them");
        p.error(diagnostic);
        ty::arguments(p);
    } else {
        p.expected("a name");
    }
}

/// Whether the `{` here opens a struct literal. In the head of an `if` or `match` it opens
/// the body, but for what can be no body.
fn at_struct_literal(p: &Parser<'_>) -> bool {
    !p.context.no_struct || (p.nth(1) == K::Ident && matches!(p.nth(2), K::Colon | K::Comma))
}

fn struct_literal(p: &mut Parser<'_>, path: Completed) -> Completed {
    let m = p.start_before(path);
    let opener = p.position();
    let misplaced = p.context.no_struct;
    p.bump();
    p.with(Context::default(), |p| list(p, opener, K::RBrace, field_init));
    let whole = p.finish(m, K::StructExpr);
    if misplaced {
        wants_parentheses(p, whole);
    }
    whole
}

#[cold]
fn wants_parentheses(p: &mut Parser<'_>, literal: Completed) {
    let span = p.span_of(literal);
    let diagnostic = Diagnostic::error(Code::E0001, "a struct literal needs parentheses here")
        .primary(span, "")
        .help_edits("put it in parentheses", around(span, "(", ")"));
    p.complain(diagnostic);
}

/// Edits that put something before and after `span`.
fn around(span: Span, before: &str, after: &str) -> Vec<Edit> {
    let start = Span::new(span.file, span.start, span.start);
    let end = Span::new(span.file, span.end, span.end);
    vec![
        Edit { span: start, replacement: before.to_owned() },
        Edit { span: end, replacement: after.to_owned() },
    ]
}

fn field_init(p: &mut Parser<'_>) {
    let m = p.start();
    if super::name(p, "the name of a field")
        && (p.eat(K::Colon) || foreign::taken_instead(p, &foreign::FIELD))
    {
        expr(p);
    }
    p.finish(m, K::FieldInit);
}

/// `NAME "[" head,* "]" "(" wexpr ")"`
fn reduction(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let word = p.current_span();
    p.bump();
    let opener = p.position();
    p.bump();
    if !p.at_any(&[K::Ident, K::DotDot]) {
        not_an_index(p, word);
        p.skip_until(&[K::RBracket]);
        p.quiet_here();
    }
    heads(p, opener);
    if !p.at(K::LParen) && starts_expr(p) {
        return foreign::bare_body(p, m);
    }
    body(p);
    p.finish(m, K::ReductionExpr)
}

/// `max[0](x)`: an index of a reduction is a name.
#[cold]
fn not_an_index(p: &mut Parser<'_>, word: Span) {
    let diagnostic = Diagnostic::error(Code::E0001, "a reduction runs over named indices")
        .primary(p.current_span(), "expected the name of an index")
        .secondary(word, "this makes it a reduction")
        .help("a value of that name is called in parentheses: `(max[0])(x)`");
    p.error(diagnostic);
}

/// `"reduce" "[" expr "," expr "," head,* "]" "(" wexpr ")"`
fn reduce(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.bump();
    let opener = p.position();
    p.bump();
    p.with(Context::default(), |p| {
        for _ in 0..2 {
            expr(p);
            if !p.eat(K::Comma) {
                p.expected("`,`, for `reduce[function, identity, index]`");
            }
        }
    });
    heads(p, opener);
    body(p);
    p.finish(m, K::ReduceExpr)
}

fn heads(p: &mut Parser<'_>, opener: usize) {
    if p.at(K::RBracket) {
        p.expected("the name of an index");
    }
    p.with(Context::default(), |p| list(p, opener, K::RBracket, head));
}

/// `head := NAME ["in" or] | rest`
fn head(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(K::DotDot) {
        binding::rest(p);
    } else {
        super::name(p, "the name of an index");
        if p.at(K::Eq) {
            assignment(p, "an index runs in a range", "in");
            or(p);
        } else if p.eat(K::InKw) {
            or(p);
        }
    }
    p.finish(m, K::Head);
}

/// The body of a reduction, in its parentheses.
fn body(p: &mut Parser<'_>) {
    let opener = p.position();
    if p.expect(K::LParen) {
        p.with(Context::default(), |p| {
            expr(p);
            binding::where_clause(p);
        });
        close(p, opener, K::RParen, "an operator or `)`");
    }
}

/// `"(" ")" | "(" wexpr ")" | "(" expr "," expr,* ")"`
fn parenthesised(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    p.bump();
    if p.eat(K::RParen) {
        return p.finish(m, K::UnitExpr);
    }
    p.with(Context::default(), |p| {
        wexpr(p);
        if p.eat(K::Comma) {
            list(p, opener, K::RParen, expr);
            return p.finish(m, K::TupleExpr);
        }
        close(p, opener, K::RParen, "an operator, `,` or `)`");
        p.finish(m, K::ParenExpr)
    })
}

/// `"[" expr,* "]" | "[" expr "|" gen,* "]"`
fn array(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    p.bump();
    p.with(Context::default(), |p| {
        if p.eat(K::RBracket) {
            return p.finish(m, K::ArrayExpr);
        }
        expr(p);
        if foreign::at_generator(p) {
            foreign::generators(p, opener);
            close(p, opener, K::RBracket, "`,` or `]`");
            return p.finish(m, K::ComprehensionExpr);
        }
        if p.eat(K::Pipe) {
            list(p, opener, K::RBracket, generator);
            return p.finish(m, K::ComprehensionExpr);
        }
        elements(p, opener);
        p.finish(m, K::ArrayExpr)
    })
}

/// What follows the first element.
fn elements(p: &mut Parser<'_>, opener: usize) {
    if p.at(K::Semi) {
        repetition(p, opener);
    } else if p.eat(K::Comma) || p.at(K::RBracket) {
        list(p, opener, K::RBracket, expr);
    } else {
        p.expected_closer(opener, "`,`, `|` or `]`");
        p.skip_until(&[K::Comma, K::RBracket]);
        p.eat(K::Comma);
        list(p, opener, K::RBracket, expr);
    }
}

/// `[0; n]`
#[cold]
fn repetition(p: &mut Parser<'_>, opener: usize) {
    let diagnostic = Diagnostic::error(Code::E0002, "`;` repeats nothing in an array")
        .primary(p.current_span(), "")
        .help("fill an array by an equation: `let x[i in 0..n] = 0.0;`");
    p.error(diagnostic);
    p.skip_to_partner(opener);
}

/// `gen := NAME "in" or | NAME "=" or | or`
pub(super) fn generator(p: &mut Parser<'_>) {
    let m = p.start();
    if p.at(K::Ident) && p.nth(1) == K::Eq {
        p.bump();
        p.bump();
    }
    or(p);
    p.finish(m, K::GenItem);
}

/// `lambda := ("|" (NAME [":" type]),* "|" | "||") (block | or)`
fn lambda(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    let opener = p.position();
    if !p.eat(K::PipePipe) {
        p.bump();
        list(p, opener, K::Pipe, lambda_param);
    }
    if p.at(K::LBrace) {
        block_like(p);
    } else {
        or(p);
    }
    p.finish(m, K::LambdaExpr)
}

pub(super) fn lambda_param(p: &mut Parser<'_>) {
    let m = p.start();
    if !p.eat(K::Underscore) {
        super::name(p, "the name of a parameter");
    }
    if p.eat(K::Colon) {
        ty::type_(p);
    }
    p.finish(m, K::Param);
}

/// The head of an `if` or `match`, where a `{` opens the body.
fn head_expr(p: &mut Parser<'_>) {
    let context = Context { no_struct: true, caret: false };
    p.with(context, expr);
    if p.at(K::Eq) {
        assignment(p, "`==` compares", "==");
        p.with(context, expr);
    }
}

/// A `=` that should be something else, which it is taken for.
#[cold]
pub(super) fn assignment(p: &mut Parser<'_>, help: &str, meant: &str) {
    let span = p.current_span();
    let diagnostic = Diagnostic::error(Code::E0001, "nothing is assigned here")
        .primary(span, "")
        .help_edit(help, span, meant);
    p.error(diagnostic);
    p.bump();
}

/// `if := "if" expr block ["else" (block | if)]`
fn if_(p: &mut Parser<'_>) -> Completed {
    let (m, head) = (p.start(), p.position());
    p.bump();
    head_expr(p);
    let mut bare = foreign::Unbraced::default();
    foreign::branch(p, head, &mut bare);
    if !foreign::late_else(p) && p.eat(K::ElseKw) {
        if p.at_any(&[K::IfKw, K::LBrace]) {
            block_like(p);
        } else if p.at(K::Colon) || (starts_expr(p) && !p.on_new_line()) {
            foreign::branch(p, head, &mut bare);
        } else {
            p.expected("`{` or `if`");
            error_expr(p);
        }
    }
    foreign::report_unbraced(p, bare);
    p.finish(m, K::IfExpr)
}

/// `match := "match" expr "{" arm* "}"`
fn match_(p: &mut Parser<'_>) -> Completed {
    let m = p.start();
    p.bump();
    head_expr(p);
    let opener = p.position();
    if p.expect(K::LBrace) {
        p.with(Context::default(), |p| arms(p, opener));
        close(p, opener, K::RBrace, "`,` or `}`");
    }
    p.finish(m, K::MatchExpr)
}

fn arms(p: &mut Parser<'_>, opener: usize) {
    while !p.at_any(&[K::RBrace, K::Eof]) {
        let braced = arm(p);
        if p.eat(K::Comma) || braced {
            continue;
        }
        if !p.at(K::RBrace) {
            p.expected_closer(opener, "`,` or `}`");
            p.skip_until(&[K::Comma, K::RBrace]);
            if !p.eat(K::Comma) {
                break;
            }
        }
    }
}

/// `pat ("|" pat)* [("where" | "if") or] "=>" expr`; whether a braced expression ends it.
fn arm(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    pattern::pattern(p);
    while p.eat(K::Pipe) {
        pattern::pattern(p);
    }
    guard(p);
    let braced = arm_value(p);
    p.finish(m, K::Arm);
    braced
}

fn guard(p: &mut Parser<'_>) {
    if !(p.at(K::IfKw) || p.at_word("where")) {
        return;
    }
    let m = p.start();
    let word = if p.at(K::IfKw) { K::IfKw } else { K::WhereKw };
    p.bump_as(word);
    let context = Context { no_struct: true, caret: false };
    p.with(context, or);
    p.finish(m, K::ArmGuard);
}

fn arm_value(p: &mut Parser<'_>) -> bool {
    if !p.eat(K::FatArrow) {
        p.expected("`=>`");
        error_expr(p);
        return false;
    }
    let braced = at_block_like(p);
    if braced {
        block_like(p);
    } else {
        expr(p);
    }
    braced
}
