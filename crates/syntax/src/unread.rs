//! What of a text could not be read: nobody complains of what only follows from that.

use crate::{SyntaxKind as K, SyntaxNode};
use rustc_hash::FxHashSet;
use weft_base::{FileId, Span};
use weft_diag::{Code, Diagnostic};

/// The statements that hold something that could not be read, in order and none inside
/// another, and the names in what was skipped: these may have been definitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unread {
    statements: Vec<Span>,
    names: FxHashSet<String>,
}

impl Unread {
    /// What the tree of a file holds of it. Whatever is held was reported.
    pub(crate) fn of(file: FileId, root: &SyntaxNode) -> Unread {
        let mut unread = Unread::default();
        for node in root.descendants().filter(|node| is_error(node.kind())) {
            let range = statement(&node).text_range();
            let span = Span::new(file, range.start().into(), range.end().into());
            unread.statements.push(span);
            if node.kind() == K::Error {
                let tokens = node.descendants_with_tokens().filter_map(|e| e.into_token());
                let names = tokens.filter(|token| token.kind() == K::Ident);
                unread.names.extend(names.map(|token| token.text().to_owned()));
            }
        }
        unread.merge();
        unread
    }

    /// Puts the statements in order, and those inside others away.
    fn merge(&mut self) {
        self.statements.sort_by_key(|s| (s.file, s.start, std::cmp::Reverse(s.end)));
        self.statements.dedup_by(|inner, outer| holds(*outer, *inner));
    }

    /// Adds that of another file.
    pub fn extend(&mut self, other: Unread) {
        self.statements.extend(other.statements);
        self.names.extend(other.names);
        self.merge();
    }

    /// Whether a complaint about the meaning of the text may follow from what was not read;
    /// `text` gives the source of a span.
    pub fn explains<'a>(&self, d: &Diagnostic, text: impl Fn(Span) -> &'a str) -> bool {
        if self.statements.is_empty() {
            return false;
        }
        let Some(span) = d.span() else { return false };
        let about_a_name = matches!(
            d.code,
            Code::E0412 | Code::E0425 | Code::E0432 | Code::E0433 | Code::UnusedName
        );
        let behind =
            self.statements.partition_point(|s| (s.file, s.start) <= (span.file, span.start));
        let before = behind.checked_sub(1).and_then(|at| self.statements.get(at));
        before.is_some_and(|s| holds(*s, span)) || (about_a_name && self.names.contains(text(span)))
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn is_error(kind: K) -> bool {
    matches!(kind, K::Error | K::ErrorExpr | K::ErrorPat | K::ErrorPat1 | K::ErrorType)
}

/// The innermost statement around a node, or the value in its place.
fn statement(node: &SyntaxNode) -> SyntaxNode {
    let holds = |node: &SyntaxNode| {
        let parent = node.parent().map(|parent| parent.kind());
        matches!(parent, None | Some(K::SourceFile | K::BlockExpr | K::ModStmt))
    };
    node.ancestors().find(holds).unwrap_or_else(|| node.clone())
}
