//! The machine under the grammar: a cursor over tokens that emits events.
//!
//! Nothing here knows a production. The grammar never fails and never loops: after
//! nesting too deep the cursor stands at the end of the text for good.

mod build;
mod cursor;
mod report;

pub(crate) use build::build;

use crate::SyntaxKind;
use crate::lexer::Token;
use rustc_hash::FxHashMap;
use weft_base::{FileId, Span};
use weft_diag::Diagnostic;

/// How deep the grammar may nest.
const MAX_NESTING: u32 = 200;

/// A step of building the tree, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// Opens a node; `forward` is the distance to the event of the node around it.
    Start { kind: SyntaxKind, forward: u32 },
    /// Closes the innermost open node.
    Finish,
    /// A token of so many bytes.
    Token { kind: SyntaxKind, len: u32 },
    /// Nothing: an abandoned start, or one that was opened through `forward`.
    Nothing,
}

/// What the surroundings of an expression allow.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// A struct literal needs parentheses: a `{` opens a body.
    pub(crate) no_struct: bool,
    /// `^` separates parts or alternatives, and belongs to the caller.
    pub(crate) caret: bool,
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    file: FileId,
    /// Without trivia and stray text.
    tokens: Vec<Token>,
    /// For each token that is a bracket: the index of its partner.
    partners: Vec<Option<u32>>,
    /// Indices of tokens with stray text before them, which was reported.
    after_stray: Vec<usize>,
    pos: usize,
    events: Vec<Event>,
    diagnostics: Vec<Diagnostic>,
    last_error: Option<usize>,
    last_unclosed: Option<usize>,
    nesting: u32,
    /// The names that a `let` binds, with the first place; filled when it is first asked for.
    bound: Option<FxHashMap<&'a str, usize>>,
    /// The `{` of the block around.
    pub(crate) block: Option<usize>,
    /// Whether a branch was met that ends with its indentation: what such a text says besides
    /// follows from that.
    pub(crate) seen_indented: bool,
    pub(crate) context: Context,
    /// Coproducts seen so far.
    pub(crate) coproducts: u32,
    /// `try`s seen so far.
    pub(crate) tries: u32,
}

/// An open node.
#[must_use]
pub(crate) struct Marker {
    event: usize,
    first: usize,
}

/// A closed node, which can still be put inside another.
#[derive(Clone, Copy)]
pub(crate) struct Completed {
    event: usize,
    /// The token it starts at.
    first: usize,
}

/// What a parse leaves behind: all tokens, the events, the complaints.
pub(crate) struct Parsed {
    pub(crate) trivia: Vec<Token>,
    pub(crate) events: Vec<Event>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Runs `grammar` over the tokens of `text`.
pub(crate) fn run(
    file: FileId,
    text: &str,
    tokens: Vec<Token>,
    grammar: fn(&mut Parser<'_>),
) -> Parsed {
    let (trivia, tokens) = without_trivia(tokens);
    let mut parser = Parser {
        text,
        file,
        partners: partners(&tokens),
        // Two for a node that is no token, and nodes are about as many as tokens.
        events: Vec::with_capacity(3 * tokens.len()),
        tokens,
        after_stray: Vec::new(),
        pos: 0,
        diagnostics: Vec::new(),
        last_error: None,
        last_unclosed: None,
        nesting: 0,
        bound: None,
        block: None,
        seen_indented: false,
        context: Context::default(),
        coproducts: 0,
        tries: 0,
    };
    parser.report_strays(&trivia);
    grammar(&mut parser);
    Parsed { trivia, events: parser.events, diagnostics: parser.diagnostics }
}

/// Trivia and stray text, and all else.
fn without_trivia(mut tokens: Vec<Token>) -> (Vec<Token>, Vec<Token>) {
    let count = tokens.iter().filter(|t| skipped(t.kind)).count();
    let mut trivia = Vec::with_capacity(count);
    trivia.extend(tokens.extract_if(.., |t| skipped(t.kind)));
    (trivia, tokens)
}

fn skipped(kind: SyntaxKind) -> bool {
    kind.is_trivia() || matches!(kind, SyntaxKind::Stray | SyntaxKind::BlockComment)
}

/// Pairs brackets; one that does not fit its surroundings stays alone.
fn partners(tokens: &[Token]) -> Vec<Option<u32>> {
    let mut partners = vec![None; tokens.len()];
    let mut stack: Vec<(SyntaxKind, usize)> = Vec::new();
    let mut open = [0usize; 4];
    for (at, token) in tokens.iter().enumerate() {
        if let Some(closer) = closer(token.kind) {
            open[class(closer)] += 1;
            stack.push((closer, at));
        } else if is_closer(token.kind) && open[class(token.kind)] > 0 {
            while let Some((closer, opener)) = stack.pop() {
                open[class(closer)] -= 1;
                if closer == token.kind {
                    partners[opener] = Some(at as u32);
                    partners[at] = Some(opener as u32);
                    break;
                }
            }
        }
    }
    partners
}

/// What closes an opening bracket.
fn closer(kind: SyntaxKind) -> Option<SyntaxKind> {
    match kind {
        SyntaxKind::LParen => Some(SyntaxKind::RParen),
        SyntaxKind::LBracket => Some(SyntaxKind::RBracket),
        SyntaxKind::LBrace => Some(SyntaxKind::RBrace),
        SyntaxKind::InterpOpen => Some(SyntaxKind::InterpClose),
        _ => None,
    }
}

fn is_closer(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(kind, K::RParen | K::RBracket | K::RBrace | K::InterpClose)
}

fn class(closer: SyntaxKind) -> usize {
    match closer {
        SyntaxKind::RParen => 0,
        SyntaxKind::RBracket => 1,
        SyntaxKind::RBrace => 2,
        _ => 3,
    }
}

impl Parser<'_> {
    /// Runs `inner` one level deeper; `None` where that is too deep, which is reported
    /// and ends the parse.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.nesting == MAX_NESTING {
            self.too_deep();
            return None;
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        Some(result)
    }

    /// Runs `inner` with another context.
    pub(crate) fn with<T>(&mut self, context: Context, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context, context);
        let result = inner(self);
        self.context = outer;
        result
    }

    /// Opens a node at the current token.
    pub(crate) fn start(&mut self) -> Marker {
        self.events.push(Event::Nothing);
        Marker { event: self.events.len() - 1, first: self.pos }
    }

    /// Opens a node around one that is closed already.
    pub(crate) fn start_before(&mut self, inner: Completed) -> Marker {
        let marker = Marker { first: inner.first, ..self.start() };
        let distance = (marker.event - inner.event) as u32;
        if let Event::Start { forward, .. } = &mut self.events[inner.event] {
            *forward = distance;
        }
        marker
    }

    /// Closes a node, and says what it is.
    pub(crate) fn finish(&mut self, marker: Marker, kind: SyntaxKind) -> Completed {
        self.events[marker.event] = Event::Start { kind, forward: 0 };
        self.events.push(Event::Finish);
        Completed { event: marker.event, first: marker.first }
    }

    /// The index of the current token, which says where a node starts.
    pub(crate) fn position(&self) -> usize {
        self.pos
    }

    /// The bytes `start..end` of the file.
    fn bytes(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }
}
