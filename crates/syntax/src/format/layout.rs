//! Nodes to documents.

use super::doc::Doc;
use super::space;
use crate::SyntaxKind as K;
use crate::{SyntaxElement, SyntaxNode, SyntaxToken};

/// The document of a whole source file.
pub(super) fn layout(root: &SyntaxNode) -> Vec<Doc> {
    let mut layout = Layout { last: None, must_break: false, runs: 0 };
    layout.file(root)
}

/// What was laid out last, on which the space before the next token depends.
pub(super) struct Layout {
    /// The last token.
    last: Option<(K, String)>,
    /// A comment came last: a line break must follow.
    must_break: bool,
    /// Runs of clauses so far.
    pub runs: u32,
}

/// What separates two tokens where a space would.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Gap {
    /// Whatever the tokens want.
    Usual,
    /// Nothing.
    None,
    Line,
    Soft,
    Hard,
}

impl Layout {
    /// Puts a gap before what follows, or the line break that a comment demands.
    pub fn gap(&mut self, node: K, next: Option<&SyntaxToken>, gap: Gap, out: &mut Vec<Doc>) {
        if std::mem::take(&mut self.must_break) {
            return out.push(Doc::Hard);
        }
        match gap {
            Gap::None => {}
            Gap::Line => out.push(Doc::Line),
            Gap::Soft => out.push(Doc::Soft),
            Gap::Hard => out.push(Doc::Hard),
            Gap::Usual => {
                if let (Some((kind, text)), Some(next)) = (&self.last, next)
                    && (space::between(node, (*kind, text), (next.kind(), next.text()))
                        || is_position_in_a_number(next))
                {
                    out.push(Doc::Text(" ".into()));
                }
            }
        }
    }

    pub fn token(&mut self, token: &SyntaxToken, out: &mut Vec<Doc>) {
        self.last = Some((token.kind(), token.text().to_string()));
        out.push(Doc::Text(token.text().to_string()));
    }

    /// A comment inside a statement: at the end of its line, or on one of its own.
    pub fn comment(&mut self, comment: &SyntaxToken, out: &mut Vec<Doc>) {
        let text = comment.text().trim_end().to_string();
        if own_line(comment) || self.must_break {
            out.push(Doc::Hard);
            out.push(Doc::Text(text));
        } else {
            out.push(Doc::Trailing(text));
        }
        self.must_break = true;
    }

    pub fn node(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        match node.kind() {
            K::StringExpr | K::StrPat => self.verbatim(node, out),
            K::BlockExpr => {
                let mut docs = Vec::new();
                self.block(node, &mut docs);
                out.push(Doc::group(docs));
            }
            K::IfExpr => {
                let mut docs = Vec::new();
                self.if_chain(node, &mut docs);
                out.push(Doc::group(docs));
            }
            K::BinaryExpr | K::PipeExpr => self.chain(node, out),
            K::LambdaExpr => self.lambda(node, out),
            _ => self.generic(node, out),
        }
    }

    fn verbatim(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let last = node.last_token().map_or(K::StrClose, |t| t.kind());
        self.last = Some((last, "\"".to_string()));
        out.push(Doc::Text(node.text().to_string()));
    }

    /// Children one after the other, brackets as groups.
    fn generic(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let elements: Vec<SyntaxElement> = node.children_with_tokens().collect();
        let mut at = 0;
        let mut first = true;
        while at < elements.len() {
            match &elements[at] {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => {}
                SyntaxElement::Token(t) if t.kind() == K::Comment => self.comment(t, out),
                SyntaxElement::Token(t) if is_value_sign(node.kind(), t.kind()) => {
                    self.value(node, &elements[at..], out);
                    return;
                }
                element => {
                    if !first {
                        self.gap(
                            node.kind(),
                            first_token(element).as_ref(),
                            gap(node.kind(), element),
                            out,
                        );
                    }
                    first = false;
                    match element {
                        SyntaxElement::Token(t) => match closer_at(&elements, at) {
                            Some(end) => {
                                self.brackets(node, &elements[at..=end], out);
                                at = end;
                            }
                            None => self.token(t, out),
                        },
                        SyntaxElement::Node(n) if hangs(node.kind(), n.kind()) => {
                            let line = out.pop();
                            let mut docs: Vec<Doc> = line.into_iter().collect();
                            self.node(n, &mut docs);
                            out.push(Doc::group(vec![Doc::Indent(docs)]));
                        }
                        SyntaxElement::Node(n) => self.node(n, out),
                    }
                }
            }
            at += 1;
        }
    }

    /// From the `=` of a definition on: the value on the same line, or on the next one.
    fn value(&mut self, node: &SyntaxNode, elements: &[SyntaxElement], out: &mut Vec<Doc>) {
        if node.kind() == K::IndexedStmt {
            out.push(Doc::Clause(self.runs));
        }
        let mut docs = Vec::new();
        let mut after_sign = false;
        for element in elements {
            match element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => continue,
                SyntaxElement::Token(t) if t.kind() == K::Comment => {
                    self.comment(t, &mut docs);
                    continue;
                }
                _ => {}
            }
            let wanted = match element {
                SyntaxElement::Node(n) if after_sign && !hugs(n.kind()) => Gap::Line,
                SyntaxElement::Node(n) if matches!(n.kind(), K::WhereClause | K::ElseValue) => {
                    Gap::Line
                }
                SyntaxElement::Token(t) if t.kind() == K::Caret => Gap::Line,
                _ => Gap::Usual,
            };
            self.gap(node.kind(), first_token(element).as_ref(), wanted, &mut docs);
            after_sign = matches!(element, SyntaxElement::Token(t) if t.kind() == K::Eq);
            match element {
                SyntaxElement::Token(t) => self.token(t, &mut docs),
                SyntaxElement::Node(n) => self.node(n, &mut docs),
            }
        }
        let hugged = elements.iter().filter_map(|e| e.as_node()).all(|n| hugs(n.kind()));
        match hugged {
            true => out.extend(docs),
            false => out.push(Doc::group(vec![Doc::Indent(docs)])),
        }
    }

    /// From an opening bracket to its closing one.
    fn brackets(&mut self, node: &SyntaxNode, elements: &[SyntaxElement], out: &mut Vec<Doc>) {
        let (open, close) = (&elements[0], &elements[elements.len() - 1]);
        let (Some(open), Some(close)) = (open.as_token(), close.as_token()) else { return };
        let inner = &elements[1..elements.len() - 1];
        let mut docs = Vec::new();
        self.token(open, &mut docs);
        let empty = !inner.iter().any(|e| e.kind() != K::Whitespace);
        if empty {
            self.token(close, &mut docs);
            return out.extend(docs);
        }
        let braces = open.kind() == K::LBrace && node.kind() != K::UseList;
        let edge = match (opened(inner), braces) {
            (true, _) => Gap::Hard,
            (false, true) => Gap::Line,
            (false, false) => Gap::Soft,
        };
        let mut items = Vec::new();
        let mut first = true;
        let mut fillable = numbers_only(node, inner);
        for element in inner {
            match element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => continue,
                SyntaxElement::Token(t) if t.kind() == K::Comment => {
                    fillable = false;
                    self.comment(t, &mut items);
                    first = false;
                    continue;
                }
                _ => {}
            }
            let after_separator =
                matches!(self.last, Some((K::Comma | K::Semi, _))) || element.kind() == K::Arm;
            let wanted = match (first, after_separator) {
                (true, _) => edge,
                (false, true) => Gap::Line,
                (false, false) if is_where(element) => Gap::Line,
                (false, false) => Gap::Usual,
            };
            self.gap(node.kind(), first_token(element).as_ref(), wanted, &mut items);
            first = false;
            match element {
                SyntaxElement::Token(t) => self.token(t, &mut items),
                SyntaxElement::Node(n) => self.node(n, &mut items),
            }
        }
        if fillable {
            let edge = items.remove(0);
            items = vec![edge, Doc::Fill(glued(items))];
        }
        docs.push(Doc::Indent(items));
        self.gap(node.kind(), None, edge, &mut docs);
        self.token(close, &mut docs);
        out.push(Doc::group(docs));
    }

    /// Operators of one level, one below the other where they do not fit on a line.
    fn chain(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let mut links = vec![node.clone()];
        while let Some(inner) = links[links.len() - 1].first_child()
            && same_level(&inner, node)
        {
            links.push(inner);
        }
        let mut docs = Vec::new();
        let innermost = links[links.len() - 1].first_child();
        if let Some(first) = &innermost {
            self.node(first, &mut docs);
        }
        let mut more = Vec::new();
        for link in links.iter().rev() {
            let operand = link.first_child();
            for element in link.children_with_tokens() {
                match &element {
                    SyntaxElement::Token(t) if t.kind() == K::Whitespace => {}
                    SyntaxElement::Token(t) if t.kind() == K::Comment => self.comment(t, &mut more),
                    SyntaxElement::Token(t) => {
                        self.gap(link.kind(), Some(t), Gap::Line, &mut more);
                        self.token(t, &mut more);
                    }
                    SyntaxElement::Node(n) if Some(n) == operand.as_ref() => {}
                    SyntaxElement::Node(n) => {
                        self.gap(link.kind(), n.first_token().as_ref(), Gap::Usual, &mut more);
                        self.node(n, &mut more);
                    }
                }
            }
        }
        docs.push(Doc::Indent(more));
        out.push(Doc::group(docs));
    }

    /// `if`, `else if` and `else`: open all, or none.
    fn if_chain(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let mut first = true;
        for element in node.children_with_tokens() {
            match &element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => continue,
                SyntaxElement::Token(t) if t.kind() == K::Comment => {
                    self.comment(t, out);
                    continue;
                }
                _ => {}
            }
            if !first {
                self.gap(K::IfExpr, first_token(&element).as_ref(), Gap::Usual, out);
            }
            first = false;
            match &element {
                SyntaxElement::Token(t) => self.token(t, out),
                SyntaxElement::Node(n) if n.kind() == K::BlockExpr => self.block(n, out),
                SyntaxElement::Node(n) if n.kind() == K::IfExpr => self.if_chain(n, out),
                SyntaxElement::Node(n) => self.node(n, out),
            }
        }
    }

    /// `|x, y| body`
    fn lambda(&mut self, node: &SyntaxNode, out: &mut Vec<Doc>) {
        let mut bars = 0;
        for element in node.children_with_tokens() {
            let bar = element.kind() == K::Pipe;
            match &element {
                SyntaxElement::Token(t) if t.kind() == K::Whitespace => continue,
                SyntaxElement::Token(t) if t.kind() == K::Comment => {
                    self.comment(t, out);
                    continue;
                }
                _ => {}
            }
            let tight = (bars == 1 && (bar || matches!(self.last, Some((K::Pipe, _)))))
                || (bars == 0 && bar);
            let wanted = if tight { Gap::None } else { Gap::Usual };
            if !(bars == 0 && matches!(element.kind(), K::Pipe | K::PipePipe)) {
                self.gap(K::LambdaExpr, first_token(&element).as_ref(), wanted, out);
            }
            bars += usize::from(bar);
            match &element {
                SyntaxElement::Token(t) => self.token(t, out),
                SyntaxElement::Node(n) => self.node(n, out),
            }
        }
    }

    /// Forgets what came last, at the start of a statement.
    pub fn start_anew(&mut self) {
        self.last = None;
        self.must_break = false;
    }
}

fn is_value_sign(node: K, token: K) -> bool {
    token == K::Eq && matches!(node, K::LetStmt | K::ConstStmt | K::IndexedStmt | K::InputStmt)
}

/// Values that open a bracket on the line of their `=`.
fn hugs(kind: K) -> bool {
    use K::*;
    matches!(
        kind,
        BlockExpr
            | IfExpr
            | MatchExpr
            | ArrayExpr
            | ComprehensionExpr
            | TupleExpr
            | StructExpr
            | LambdaExpr
            | CallExpr
            | StringExpr
            | LiteralExpr
            | PathExpr
    )
}

/// Parts that go to the next line, further to the right, where they do not fit.
fn hangs(node: K, part: K) -> bool {
    matches!((node, part), (K::WhereExpr, K::WhereClause))
}

fn gap(node: K, element: &SyntaxElement) -> Gap {
    match (node, element.kind()) {
        (K::WhereExpr, K::WhereClause) => Gap::Line,
        _ => Gap::Usual,
    }
}

fn is_where(element: &SyntaxElement) -> bool {
    element.kind() == K::WhereClause
}

/// Whether a comment stands on a line of its own.
pub(super) fn own_line(comment: &SyntaxToken) -> bool {
    match comment.prev_token() {
        Some(before) => before.kind() == K::Whitespace && before.text().contains('\n'),
        None => true,
    }
}

/// Whether the author broke the line after the opening bracket.
pub(super) fn opened(inner: &[SyntaxElement]) -> bool {
    match inner.first() {
        Some(SyntaxElement::Token(t)) => t.kind() == K::Whitespace && t.text().contains('\n'),
        _ => false,
    }
}

/// Whether a point takes a field of an integer: without a space they would read as a float.
fn is_position_in_a_number(point: &SyntaxToken) -> bool {
    let of = point.parent().filter(|p| p.kind() == K::FieldExpr && point.kind() == K::Dot);
    let base = of.and_then(|p| p.first_child());
    let literal = base.filter(|b| b.kind() == K::LiteralExpr).and_then(|b| b.first_token());
    literal.is_some_and(|t| t.kind() == K::Int)
}

/// The place of the bracket that closes the one at `at`, among the same children.
fn closer_at(elements: &[SyntaxElement], at: usize) -> Option<usize> {
    let closer = match elements[at].kind() {
        K::LParen => K::RParen,
        K::LBracket => K::RBracket,
        K::LBrace => K::RBrace,
        _ => return None,
    };
    (at + 1..elements.len()).find(|k| elements[*k].kind() == closer)
}

/// Whether an array holds many numbers and nothing else.
fn numbers_only(node: &SyntaxNode, inner: &[SyntaxElement]) -> bool {
    let is_number = |n: &SyntaxNode| match n.kind() {
        K::LiteralExpr => true,
        K::PrefixExpr => n.first_child().is_some_and(|c| c.kind() == K::LiteralExpr),
        _ => false,
    };
    let mut nodes = inner.iter().filter_map(|e| e.as_node());
    node.kind() == K::ArrayExpr && nodes.clone().count() > 8 && nodes.all(is_number)
}

/// Pieces with their commas as one text each, between the lines.
fn glued(docs: Vec<Doc>) -> Vec<Doc> {
    let mut out: Vec<Doc> = Vec::new();
    for doc in docs {
        match (out.last_mut(), doc) {
            (Some(Doc::Text(before)), Doc::Text(t)) => before.push_str(&t),
            (_, doc) => out.push(doc),
        }
    }
    out
}

fn first_token(element: &SyntaxElement) -> Option<SyntaxToken> {
    match element {
        SyntaxElement::Token(t) => Some(t.clone()),
        SyntaxElement::Node(n) => n.first_token(),
    }
}

/// Whether two chains are of operators that bind equally, from left to right.
fn same_level(inner: &SyntaxNode, outer: &SyntaxNode) -> bool {
    inner.kind() == outer.kind() && level(inner) == level(outer) && level(inner) != Some(0)
}

/// A number for the level of a chain's operator; 0 for those that do not chain.
fn level(node: &SyntaxNode) -> Option<u8> {
    let mut tokens = node.children_with_tokens().filter_map(|e| e.into_token());
    tokens.find_map(|t| match t.kind() {
        K::PipePipe => Some(1),
        K::AmpAmp => Some(2),
        K::Plus | K::Minus => Some(3),
        K::Star | K::Slash | K::Percent => Some(4),
        K::PipeGt | K::QuestionGt | K::BangGt => Some(5),
        K::Whitespace | K::Comment => None,
        _ => Some(0),
    })
}
