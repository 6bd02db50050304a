//! The lossless tree to the typed one.
//!
//! Everything missing becomes an `Error` node; the parser has reported it. What only
//! shows in the meaning of a token (a number too large, an unknown escape, the form of a
//! coproduct's part) is reported here.

mod expr;
mod item;
mod literal;
mod pattern;
mod ty;

use crate::ast::{Expr, ExprKind, Ident, Path, Program};
use crate::{SyntaxKind as K, SyntaxNode, SyntaxToken, Unread};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use weft_base::{FileId, Name, Span};
use weft_diag::Diagnostic;

/// The program that the tree `root` shows, and what was found wrong on the way.
pub(crate) fn program(file: FileId, root: &SyntaxNode) -> (Program, Vec<Diagnostic>) {
    let mut lower = Lower { file, diagnostics: Vec::new(), names: RefCell::default() };
    let (stmts, tail) = lower.stmts(root);
    (Program { stmts, tail, unread: Unread::default() }, lower.diagnostics)
}

/// More complaints than this help nobody.
const MAX_REPORTS: usize = 500;

struct Lower {
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    /// The names met so far: one that occurs often is one text.
    names: RefCell<FxHashSet<Name>>,
}

impl Lower {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_REPORTS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn span(&self, node: &SyntaxNode) -> Span {
        self.range_span(node.text_range())
    }

    fn token_span(&self, token: &SyntaxToken) -> Span {
        self.range_span(token.text_range())
    }

    fn range_span(&self, range: rowan::TextRange) -> Span {
        Span::new(self.file, range.start().into(), range.end().into())
    }

    fn ident(&self, token: &SyntaxToken) -> Ident {
        Ident { name: self.interned(token.text()), span: self.token_span(token) }
    }

    fn interned(&self, text: &str) -> Name {
        let mut names = self.names.borrow_mut();
        if let Some(known) = names.get(text) {
            return known.clone();
        }
        let name = Name::new(text);
        names.insert(name.clone());
        name
    }

    /// The first name directly below `node`.
    fn name(&self, node: &SyntaxNode) -> Option<Ident> {
        token(node, K::Ident).map(|token| self.ident(&token))
    }

    /// The first name or `_` directly below `node`.
    fn name_or_discard(&self, node: &SyntaxNode) -> Option<Ident> {
        let word = |token: &SyntaxToken| matches!(token.kind(), K::Ident | K::Underscore);
        tokens(node).find(word).map(|token| self.ident(&token))
    }

    /// The path directly below `node`, unless it is empty.
    fn path(&self, node: &SyntaxNode) -> Option<Path> {
        let path = child(node, |kind| kind == K::Path)?;
        let segments: Vec<Ident> =
            tokens(&path).filter(|t| t.kind() == K::Ident).map(|t| self.ident(&t)).collect();
        (!segments.is_empty()).then(|| Path { span: self.span(&path), segments })
    }

    fn error_expr(&self, node: &SyntaxNode) -> Expr {
        let end = self.span(node).end;
        Expr { span: Span::new(self.file, end, end), kind: ExprKind::Error }
    }
}

/// The tokens directly below `node`, without trivia.
fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    let tokens = node.children_with_tokens().filter_map(|element| element.into_token());
    tokens.filter(|token| !token.kind().is_trivia())
}

/// The first token of a kind directly below `node`.
fn token(node: &SyntaxNode, kind: K) -> Option<SyntaxToken> {
    tokens(node).find(|token| token.kind() == kind)
}

fn has_token(node: &SyntaxNode, kind: K) -> bool {
    token(node, kind).is_some()
}

/// The children whose kind passes `test`.
fn children(node: &SyntaxNode, test: fn(K) -> bool) -> impl Iterator<Item = SyntaxNode> + use<> {
    node.children().filter(move |child| test(child.kind()))
}

/// The first child whose kind passes `test`.
fn child(node: &SyntaxNode, test: fn(K) -> bool) -> Option<SyntaxNode> {
    children(node, test).next()
}
