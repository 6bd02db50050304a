//! Definitions: constants, functions, types, modules, imports, inputs.

use super::binding::{annotation, value};
use super::expr::expr;
use super::list::{close, list};
use super::{at_any_word, block, foreign, name, path, semi, stmts, ty};
use crate::SyntaxKind as K;
use crate::parser::{Context, Parser};
use weft_diag::{Code, Diagnostic};

/// `const := ["pub"] "const" NAME [":" type] "=" expr ";"`
pub(super) fn const_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump();
    name(p, "the name of a constant");
    annotation(p);
    if value(p) {
        expr(p);
    }
    semi(p);
    p.finish(m, K::ConstStmt);
}

/// `input := "input" NAME ":" type ["=" expr] ";"`
pub(super) fn input(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump_as(K::InputKw);
    p.bump();
    if p.expect(K::Colon) {
        ty::type_(p);
    }
    if p.eat(K::Eq) {
        expr(p);
    }
    semi(p);
    p.finish(m, K::InputStmt);
}

/// `fn := ["pub"] "fn" NAME "(" param,* ")" ["->" type] block`
pub(super) fn fn_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump();
    let before = p.complaints();
    signature(p);
    if p.eat(K::Arrow) || foreign::taken_instead(p, &foreign::RESULT) {
        ty::type_(p);
    }
    if p.complaints() > before && !p.at(K::LBrace) {
        p.quiet_here();
    }
    body(p);
    p.finish(m, K::FnDef);
}

/// `diffrule := "@" "fn" NAME "(" param,* ")" block`
pub(super) fn diff_rule(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.bump();
    signature(p);
    body(p);
    p.finish(m, K::DiffRule);
}

/// The name, which may be any word, and the parameters.
fn signature(p: &mut Parser<'_>) {
    if at_any_word(p, 0) {
        p.bump_as(K::Ident);
    } else {
        p.expected("the name of a function");
    }
    let m = p.start();
    let opener = p.position();
    if p.expect(K::LParen) {
        list(p, opener, K::RParen, param);
    }
    p.finish(m, K::ParamList);
}

fn body(p: &mut Parser<'_>) {
    if p.at(K::Eq) {
        let diagnostic = Diagnostic::error(Code::E0001, "the body of a function is a block")
            .primary(p.current_span(), "expected `{`")
            .help("put the value in braces: `fn f(x) { x + 1 }`");
        p.error(diagnostic);
        p.bump();
        expr(p);
        p.eat(K::Semi);
    } else if p.at(K::LBrace) {
        block(p);
    } else {
        p.expected("`{`");
        p.skip_until(&[K::LBrace]);
        if p.at(K::LBrace) {
            block(p);
        }
    }
}

/// `param := NAME [":" type] ["=" expr]`
fn param(p: &mut Parser<'_>) {
    let m = p.start();
    if !p.eat(K::Underscore) {
        name(p, "the name of a parameter");
    }
    annotation(p);
    if p.eat(K::Eq) {
        p.with(Context::default(), expr);
    }
    p.finish(m, K::Param);
}

/// `struct`, `enum` or `mod`, at `pub` or the word.
pub(super) fn definition(p: &mut Parser<'_>) {
    let ahead = usize::from(p.at(K::PubKw));
    match p.nth_text(ahead) {
        "struct" => struct_(p),
        "enum" => enum_(p),
        _ => mod_(p),
    }
}

/// `["<" NAME,* ">"]`
fn generics(p: &mut Parser<'_>) {
    if !p.at(K::Lt) {
        return;
    }
    let m = p.start();
    let opener = p.position();
    p.bump();
    list(p, opener, K::Gt, |p| name(p, "the name of a type parameter"));
    p.finish(m, K::Generics);
}

/// `struct := ["pub"] "struct" NAME generics (record | tuple [";"])`
fn struct_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump_as(K::StructKw);
    p.bump();
    generics(p);
    if !fields(p) {
        p.expected("`{` or `(`");
        p.skip_until(&[]);
    }
    p.eat(K::Semi);
    p.finish(m, K::StructDef);
}

/// The fields of a struct or variant, where there are some.
fn fields(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    let opener = p.position();
    if p.eat(K::LBrace) {
        list(p, opener, K::RBrace, field);
        p.finish(m, K::RecordFields);
    } else if p.eat(K::LParen) {
        list(p, opener, K::RParen, ty::type_);
        p.finish(m, K::TupleFields);
    } else {
        return false;
    }
    true
}

fn field(p: &mut Parser<'_>) {
    let m = p.start();
    name(p, "the name of a field");
    if p.expect(K::Colon) {
        ty::type_(p);
    }
    p.finish(m, K::FieldDef);
}

/// `enum := ["pub"] "enum" NAME generics "{" variant,* "}"`
fn enum_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump_as(K::EnumKw);
    p.bump();
    generics(p);
    let opener = p.position();
    if p.expect(K::LBrace) {
        list(p, opener, K::RBrace, variant);
    }
    p.eat(K::Semi);
    p.finish(m, K::EnumDef);
}

fn variant(p: &mut Parser<'_>) {
    let m = p.start();
    name(p, "the name of a variant");
    fields(p);
    p.finish(m, K::Variant);
}

/// `mod := ["pub"] "mod" NAME (";" | "{" stmt* "}")`
fn mod_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump_as(K::ModKw);
    p.bump();
    let opener = p.position();
    if p.eat(K::LBrace) {
        p.nested(|p| p.with(Context::default(), stmts));
        close(p, opener, K::RBrace, "`}`");
    } else {
        semi(p);
    }
    p.finish(m, K::ModStmt);
}

/// `use := ["pub"] "use" path ("as" NAME | "::" "*" | "::" "{" (NAME ["as" NAME]),* "}")? ";"`
pub(super) fn use_(p: &mut Parser<'_>) {
    let m = p.start();
    p.eat(K::PubKw);
    p.bump();
    path(p);
    match p.current() {
        K::AsKw => alias(p),
        K::ColonColon => {
            p.bump();
            match p.current() {
                K::Star => use_glob(p),
                K::LBrace => use_list(p),
                _ => p.expected("a name, `*` or `{`"),
            }
        }
        _ => {}
    }
    semi(p);
    p.finish(m, K::UseStmt);
}

/// `"as" NAME`
fn alias(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    name(p, "the name it has here");
    p.finish(m, K::Alias);
}

fn use_glob(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.finish(m, K::UseGlob);
}

fn use_list(p: &mut Parser<'_>) {
    let m = p.start();
    let opener = p.position();
    p.bump();
    list(p, opener, K::RBrace, use_name);
    p.finish(m, K::UseList);
}

fn use_name(p: &mut Parser<'_>) {
    let m = p.start();
    if at_any_word(p, 0) {
        p.bump_as(K::Ident);
    } else {
        p.expected("a name");
    }
    if p.at(K::ColonColon) {
        nested_use(p);
    }
    if p.at(K::AsKw) {
        alias(p);
    }
    p.finish(m, K::UseName);
}

/// `use a::{b::c}`
#[cold]
fn nested_use(p: &mut Parser<'_>) {
    let diagnostic = Diagnostic::error(Code::E0002, "the names of a `use` list have no path")
        .primary(p.current_span(), "")
        .help("give it a `use` of its own: `use a::b::c;`");
    p.error(diagnostic);
    p.skip_until(&[crate::SyntaxKind::Comma, crate::SyntaxKind::RBrace, crate::SyntaxKind::AsKw]);
}
