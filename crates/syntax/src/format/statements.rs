//! Statements one below the other: files and blocks.

use super::doc::Doc;
use super::layout::{Gap, Layout, opened, own_line};
use crate::SyntaxKind as K;
use crate::{SyntaxElement, SyntaxNode};

/// What stands on lines of its own.
struct Entry {
    docs: Vec<Doc>,
    /// The comment at the end of its last line.
    trailing: Option<String>,
    blank_before: bool,
}

impl Layout {
    pub fn file(&mut self, root: &SyntaxNode) -> Vec<Doc> {
        let elements: Vec<SyntaxElement> = root.children_with_tokens().collect();
        let entries = self.entries(&elements);
        let mut out = Vec::new();
        for (at, entry) in entries.into_iter().enumerate() {
            if at > 0 {
                out.push(Doc::Hard);
            }
            self.entry(entry, at == 0, &mut out);
        }
        out
    }

    fn entry(&mut self, entry: Entry, first: bool, out: &mut Vec<Doc>) {
        if entry.blank_before && !first {
            out.push(Doc::Blank);
        }
        out.extend(entry.docs);
        out.extend(entry.trailing.map(Doc::Trailing));
    }

    /// `{ … }` of statements; not a group of its own.
    pub fn block(&mut self, block: &SyntaxNode, out: &mut Vec<Doc>) {
        let elements: Vec<SyntaxElement> = block.children_with_tokens().collect();
        let braces = |k: K| elements.iter().position(|e| e.kind() == k);
        let (Some(open), Some(close)) =
            (braces(K::LBrace), elements.iter().rposition(|e| e.kind() == K::RBrace))
        else {
            return;
        };
        if let Some(t) = elements[open].as_token() {
            self.token(t, out);
        }
        self.body(&elements[open + 1..close], out);
        if let Some(t) = elements[close].as_token() {
            self.token(t, out);
        }
    }

    /// The statements between braces, up to the closing one.
    pub fn body(&mut self, inner: &[SyntaxElement], out: &mut Vec<Doc>) {
        let open = opened(inner);
        let entries = self.entries(inner);
        if entries.is_empty() {
            return;
        }
        let commented = inner.iter().any(|e| e.kind() == K::Comment);
        let line = if open || commented { Doc::Hard } else { Doc::Line };
        let mut docs = Vec::new();
        for (at, entry) in entries.into_iter().enumerate() {
            docs.push(line.clone());
            self.entry(entry, at == 0, &mut docs);
        }
        out.push(Doc::Indent(docs));
        out.push(line);
    }

    fn entries(&mut self, elements: &[SyntaxElement]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut blank = false;
        let mut clause: Option<String> = None;
        for element in elements {
            match element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => {
                    blank |= t.text().matches('\n').count() > 1;
                    continue;
                }
                SyntaxElement::Token(t) if t.kind() == K::Comment => {
                    let text = t.text().trim_end().to_string();
                    match entries.last_mut() {
                        Some(last) if !own_line(t) && last.trailing.is_none() => {
                            last.trailing = Some(text);
                        }
                        _ => {
                            clause = None;
                            let docs = vec![Doc::Text(text)];
                            entries.push(Entry { docs, trailing: None, blank_before: blank });
                        }
                    }
                }
                SyntaxElement::Token(t) => {
                    let mut docs = Vec::new();
                    self.start_anew();
                    self.token(t, &mut docs);
                    entries.push(Entry { docs, trailing: None, blank_before: blank });
                }
                SyntaxElement::Node(n) => {
                    let name = clause_name(n);
                    if name.is_none() || name != clause || blank {
                        self.runs += 1;
                    }
                    clause = name;
                    let docs = self.statement(n);
                    entries.push(Entry { docs, trailing: None, blank_before: blank });
                }
            }
            blank = false;
        }
        entries
    }

    fn statement(&mut self, node: &SyntaxNode) -> Vec<Doc> {
        self.start_anew();
        let mut docs = Vec::new();
        match node.kind() {
            K::ModStmt => self.module(node, &mut docs),
            _ => self.node(node, &mut docs),
        }
        docs
    }

    /// `mod m { … }`, always open.
    fn module(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let elements: Vec<SyntaxElement> = node.children_with_tokens().collect();
        let open = elements.iter().position(|e| e.kind() == K::LBrace);
        let close = elements.iter().rposition(|e| e.kind() == K::RBrace);
        let head = &elements[..open.unwrap_or(elements.len())];
        let mut first = true;
        for element in head {
            match element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => {}
                SyntaxElement::Token(t) if t.kind() == K::Comment => self.comment(t, out),
                SyntaxElement::Token(t) => {
                    if !first {
                        self.gap(K::ModStmt, Some(t), Gap::Usual, out);
                    }
                    first = false;
                    self.token(t, out);
                }
                SyntaxElement::Node(n) => self.node(n, out),
            }
        }
        let (Some(open), Some(close)) = (open, close) else { return };
        if let Some(t) = elements[open].as_token() {
            self.gap(K::ModStmt, Some(t), Gap::Usual, out);
            self.token(t, out);
        }
        let mut docs = Vec::new();
        self.body(&elements[open + 1..close], &mut docs);
        out.push(Doc::group(docs));
        if let Some(t) = elements[close].as_token() {
            self.token(t, out);
        }
    }
}

/// The definition that a clause belongs to.
fn clause_name(node: &SyntaxNode) -> Option<String> {
    if node.kind() != K::IndexedStmt {
        return None;
    }
    let mut tokens = node.children_with_tokens().filter_map(|e| e.into_token());
    tokens.find(|t| t.kind() == K::Ident).map(|t| t.text().to_string())
}
