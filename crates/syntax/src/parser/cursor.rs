//! Looking at tokens and taking them.

use super::{Completed, Event, Parser, closer, is_closer};
use crate::SyntaxKind;
use crate::lexer::Token;
use rustc_hash::FxHashMap;
use weft_base::Span;

/// How many tokens away a closing bracket may be to be looked at after a fault.
const NEAR: usize = 200;

impl<'a> Parser<'a> {
    /// The kind of the current token.
    pub(crate) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    /// The kind of the token so many further on.
    pub(crate) fn nth(&self, ahead: usize) -> SyntaxKind {
        self.tokens.get(self.pos + ahead).map_or(SyntaxKind::Eof, |token| token.kind)
    }

    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_any(&self, kinds: &[SyntaxKind]) -> bool {
        kinds.contains(&self.current())
    }

    /// Whether the current token is the contextual keyword `word`.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.at(SyntaxKind::Ident) && self.current_text() == word
    }

    pub(crate) fn current_text(&self) -> &'a str {
        self.token_text(self.pos)
    }

    /// The text of the token so many further on.
    pub(crate) fn nth_text(&self, ahead: usize) -> &'a str {
        self.token_text(self.pos + ahead)
    }

    pub(crate) fn token_text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    /// Whether the previous token is of that kind.
    pub(crate) fn after(&self, kind: SyntaxKind) -> bool {
        self.previous().is_some_and(|token| token.kind == kind)
    }

    /// Whether a number stands before the previous token.
    pub(crate) fn is_after_number(&self) -> bool {
        let before = self.pos.checked_sub(2).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.kind == SyntaxKind::Int)
    }

    /// The kind of the token after the partner of the bracket so many further on.
    pub(crate) fn after_partner(&self, ahead: usize) -> Option<SyntaxKind> {
        let partner = self.partner(self.pos + ahead)?;
        Some(self.tokens.get(partner + 1).map_or(SyntaxKind::Eof, |token| token.kind))
    }

    /// How many tokens further on stands the one behind the partner of the bracket so many
    /// further on.
    pub(crate) fn behind_partner(&self, ahead: usize) -> Option<usize> {
        self.partner(self.pos + ahead)?.checked_sub(self.pos).map(|ahead| ahead + 1)
    }

    /// Whether nothing stands between the token so many further on and the one before it.
    pub(crate) fn touches(&self, ahead: usize) -> bool {
        self.before(ahead).is_some_and(str::is_empty)
    }

    /// Whether the token so many further on stands on the line of the one before it.
    pub(crate) fn nth_on_line(&self, ahead: usize) -> bool {
        self.before(ahead).is_some_and(|between| !between.contains('\n'))
    }

    /// What stands between a token and the one before it.
    fn before(&self, ahead: usize) -> Option<&'a str> {
        let at = self.pos + ahead;
        let (before, token) = (self.tokens.get(at.checked_sub(1)?)?, self.tokens.get(at)?);
        self.text.get(before.end as usize..token.start as usize)
    }

    /// From a token to the one before another.
    pub(crate) fn text_between(&self, first: usize, end: usize) -> &'a str {
        let span = self.token_span(first).to(self.token_span(end.saturating_sub(1)));
        &self.text[span.start as usize..span.end as usize]
    }

    /// Whether a `let` before the current token binds the name.
    pub(crate) fn is_bound_above(&mut self, name: &str) -> bool {
        let bound = match self.bound.take() {
            Some(bound) => bound,
            None => self.bound_names(),
        };
        let above = bound.get(name).is_some_and(|at| *at < self.pos);
        self.bound = Some(bound);
        above
    }

    fn bound_names(&self) -> FxHashMap<&'a str, usize> {
        let mut bound = FxHashMap::default();
        for at in 1..self.tokens.len() {
            if self.tokens[at - 1].kind == SyntaxKind::LetKw {
                bound.entry(self.token_text(at)).or_insert(at);
            }
        }
        bound
    }

    /// Takes the lines below that stand further in than the line of a token.
    pub(crate) fn bump_indented(&mut self, head: usize) {
        let column = self.indentation(head);
        let mut below = false;
        while self.pos < self.tokens.len() {
            if self.on_new_line() {
                below = self.indentation(self.pos) > column;
            }
            if !below {
                break;
            }
            self.bump();
        }
    }

    /// How far in the line of a token begins.
    fn indentation(&self, at: usize) -> usize {
        let start = self.tokens.get(at).map_or(self.text.len(), |t| t.start as usize);
        let line = self.text[..start].rfind('\n').map_or(0, |n| n + 1);
        self.text[line..].len() - self.text[line..].trim_start_matches([' ', '\t']).len()
    }

    /// Whether the current token is of that kind, and the lexer's addition.
    pub(crate) fn at_missing(&self, kind: SyntaxKind) -> bool {
        self.at(kind) && self.current_text().is_empty()
    }

    /// Whether the partner of the current bracket is the lexer's addition.
    pub(crate) fn partner_is_missing(&self) -> bool {
        self.partner(self.pos).is_none_or(|partner| self.token_text(partner).is_empty())
    }

    fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().flatten().map(|partner| partner as usize)
    }

    /// Whether the token is an opening bracket without a partner.
    pub(super) fn is_unclosed(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| closer(t.kind).is_some()) && !self.is_paired(at)
    }

    /// Whether a bracket has a partner.
    pub(super) fn is_paired(&self, at: usize) -> bool {
        self.partner(at).is_some()
    }

    /// Whether a line break stands before the current token.
    pub(crate) fn on_new_line(&self) -> bool {
        let start = self.tokens.get(self.pos).map_or(self.text.len(), |t| t.start as usize);
        let end = self.previous().map_or(0, |t| t.end as usize);
        self.text.get(end..start).is_some_and(|between| between.contains('\n'))
    }

    pub(super) fn previous(&self) -> Option<Token> {
        self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).copied()
    }

    /// The current token; an empty span after the last one at the end.
    pub(crate) fn current_span(&self) -> Span {
        match self.tokens.get(self.pos) {
            Some(token) => self.bytes(token.start, token.end),
            None => self.end_span(),
        }
    }

    /// The place right after the previous token.
    pub(crate) fn end_span(&self) -> Span {
        let last = self.previous().or(self.tokens.last().copied());
        let end = last.map_or(0, |token| token.end);
        self.bytes(end, end)
    }

    pub(crate) fn token_span(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(self.end_span(), |t| self.bytes(t.start, t.end))
    }

    /// From the first token of a node to the previous token.
    pub(crate) fn span_of(&self, node: Completed) -> Span {
        self.token_span(node.first).to(self.end_span())
    }

    /// The source of [`Self::span_of`].
    pub(crate) fn text_of(&self, node: Completed) -> &'a str {
        let span = self.span_of(node);
        &self.text[span.start as usize..span.end as usize]
    }

    /// Takes the current token.
    pub(crate) fn bump(&mut self) {
        self.bump_as(self.current());
    }

    /// Takes the current token, as another kind than the lexer's.
    pub(crate) fn bump_as(&mut self, kind: SyntaxKind) {
        if let Some(token) = self.tokens.get(self.pos) {
            self.events.push(Event::Token { kind, len: token.end - token.start });
            self.pos += 1;
        }
    }

    /// Takes the first bytes of the current token; the others become a token `rest`.
    pub(crate) fn bump_prefix(&mut self, kind: SyntaxKind, len: u32, rest: SyntaxKind) {
        self.events.push(Event::Token { kind, len });
        let token = &mut self.tokens[self.pos];
        token.start += len;
        token.kind = rest;
    }

    /// Takes the current token if it is of that kind.
    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Ends the parse: nothing but the end of the text follows.
    pub(super) fn give_up(&mut self) {
        let rest = std::mem::replace(&mut self.pos, self.tokens.len());
        for at in rest..self.tokens.len() {
            let token = self.tokens[at];
            self.events.push(Event::Token { kind: token.kind, len: token.end - token.start });
        }
    }

    /// Takes tokens, a bracketed group as one, into an `Error` node, until `stop` or the
    /// end of a statement.
    pub(crate) fn skip_until(&mut self, stop: &[SyntaxKind]) {
        let first = self.pos;
        let marker = self.start();
        while !self.at_any(stop) && !self.at_stmt_end() {
            self.bump_group();
        }
        if self.pos > first {
            self.finish(marker, SyntaxKind::Error);
        }
    }

    /// After a fault between brackets: takes everything up to the closing one, where that
    /// is near enough to be the right one.
    pub(crate) fn skip_to_partner(&mut self, opener: usize) {
        let near = |&closer: &usize| closer < self.pos + NEAR && self.on_one_line(closer);
        let Some(closer) = self.partner(opener).filter(near) else { return };
        let marker = self.start();
        while self.pos <= closer {
            self.bump();
        }
        self.finish(marker, SyntaxKind::Error);
    }

    /// Whether the token `at` is ahead, on the line of the current one.
    fn on_one_line(&self, at: usize) -> bool {
        let (Some(here), Some(there)) = (self.tokens.get(self.pos), self.tokens.get(at)) else {
            return false;
        };
        let between = self.text.get(here.start as usize..there.start as usize);
        between.is_some_and(|between| !between.contains('\n'))
    }

    /// Whether an error can go no further than here.
    fn at_stmt_end(&self) -> bool {
        use SyntaxKind as K;
        match self.current() {
            K::Eof | K::Semi | K::LetKw | K::ConstKw | K::FnKw | K::PubKw | K::UseKw => true,
            _ => self.at_outer_closer(),
        }
    }

    /// Whether something that was opened before closes here.
    pub(crate) fn at_outer_closer(&self) -> bool {
        let kind = self.current();
        kind == SyntaxKind::StrClose || (is_closer(kind) && self.is_paired(self.pos))
    }

    /// Takes a string with all that it interpolates; the lexer closes each.
    fn bump_string(&mut self) {
        let mut open = 0;
        loop {
            match self.current() {
                SyntaxKind::StrOpen => open += 1,
                SyntaxKind::StrClose => open -= 1,
                SyntaxKind::Eof => return,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return;
            }
        }
    }

    /// Takes a token, or everything between brackets or quotes that belong together.
    pub(crate) fn bump_group(&mut self) {
        if self.at(SyntaxKind::StrOpen) {
            return self.bump_string();
        }
        let end = match closer(self.current()) {
            Some(_) => self.partner(self.pos).unwrap_or(self.pos),
            None => self.pos,
        };
        while self.pos <= end && !self.at(SyntaxKind::Eof) {
            self.bump();
        }
    }
}
