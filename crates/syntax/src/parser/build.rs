//! Events to the lossless tree.
//!
//! Chains such as `a + b + c` nest to the left without the grammar nesting, so the depth
//! of the tree has its own limit here: beyond it nodes are left out, and their tokens
//! belong to the node above.

use super::report::chain_error;
use super::{Event, Parsed};
use crate::SyntaxKind;
use crate::lexer::Token;
use rowan::{GreenNode, GreenNodeBuilder};
use weft_base::{FileId, Span};
use weft_diag::Diagnostic;

/// How deep the tree may be.
const MAX_DEPTH: usize = 600;

/// The tree over `text`, and the complaints, one more where it is too deep.
pub(crate) fn build(file: FileId, text: &str, parsed: Parsed) -> (GreenNode, Vec<Diagnostic>) {
    let Parsed { trivia, mut events, mut diagnostics } = parsed;
    let mut builder = Builder {
        text,
        trivia: &trivia,
        inner: GreenNodeBuilder::new(),
        at: 0,
        depth: 0,
        too_deep: None,
    };
    for event in 0..events.len() {
        builder.event(&mut events, event);
    }
    let too_deep = builder.too_deep.map(|at| chain_error(Span::new(file, at, at)));
    diagnostics.extend(too_deep);
    (builder.inner.finish(), diagnostics)
}

struct Builder<'a> {
    text: &'a str,
    trivia: &'a [Token],
    inner: GreenNodeBuilder<'static>,
    at: u32,
    depth: usize,
    too_deep: Option<u32>,
}

impl Builder<'_> {
    fn event(&mut self, events: &mut [Event], at: usize) {
        match std::mem::replace(&mut events[at], Event::Nothing) {
            Event::Start { kind, forward: 0 } => self.open(kind),
            Event::Start { kind, forward } => {
                let mut kinds = vec![kind];
                outer_kinds(events, at, forward, &mut kinds);
                kinds.iter().rev().for_each(|&kind| self.open(kind));
            }
            Event::Finish => self.close(),
            Event::Token { kind, len } => self.token(kind, len),
            Event::Nothing => {}
        }
    }

    /// Trivia before a node belong to the node around it.
    fn open(&mut self, kind: SyntaxKind) {
        if self.depth > 0 {
            self.take_trivia();
        }
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            self.inner.start_node(rowan::SyntaxKind(kind as u16));
        } else {
            self.too_deep.get_or_insert(self.at);
        }
    }

    fn close(&mut self) {
        if self.depth == 1 {
            self.take_trivia();
        }
        if self.depth <= MAX_DEPTH {
            self.inner.finish_node();
        }
        self.depth -= 1;
    }

    fn token(&mut self, kind: SyntaxKind, len: u32) {
        self.take_trivia();
        if len > 0 {
            self.push(kind, len);
        }
    }

    fn take_trivia(&mut self) {
        while let [first, rest @ ..] = self.trivia
            && first.start == self.at
        {
            self.trivia = rest;
            self.push(first.kind, first.end - first.start);
        }
    }

    fn push(&mut self, kind: SyntaxKind, len: u32) {
        let end = self.at + len;
        let text = &self.text[self.at as usize..end as usize];
        self.inner.token(rowan::SyntaxKind(kind as u16), text);
        self.at = end;
    }
}

/// The kinds of the nodes that were opened around a closed one, inner before outer.
fn outer_kinds(events: &mut [Event], mut at: usize, mut forward: u32, kinds: &mut Vec<SyntaxKind>) {
    while forward > 0 {
        at += forward as usize;
        match std::mem::replace(&mut events[at], Event::Nothing) {
            Event::Start { kind, forward: next } => {
                kinds.push(kind);
                forward = next;
            }
            _ => return,
        }
    }
}
