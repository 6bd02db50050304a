//! The patterns of `match`.

use super::{Lower, child, children, has_token, tokens};
use crate::ast::{FieldPat, Pat, PatKind, PatNumber};
use crate::{SyntaxKind as K, SyntaxNode};
use weft_diag::{Code, Diagnostic};

impl Lower {
    /// The pattern at `node`.
    pub(super) fn pattern(&mut self, node: &SyntaxNode) -> Pat {
        let kind = self.pattern_kind(node).unwrap_or(PatKind::Error);
        Pat { span: self.span(node), kind }
    }

    fn pattern_kind(&mut self, node: &SyntaxNode) -> Option<PatKind> {
        Some(match node.kind() {
            K::WildcardPat => PatKind::Wildcard,
            K::BindPat => PatKind::Bind { name: self.name(node)?, sub: self.sub_pattern(node) },
            K::NumberPat => PatKind::Number(self.pattern_number(node, 0)?),
            K::RangePat => PatKind::Range {
                start: self.pattern_number(node, 0)?,
                end: self.pattern_number(node, 1)?,
                inclusive: has_token(node, K::DotDotEq),
            },
            K::StrPat => PatKind::Str(self.plain_string(node)?),
            K::BoolPat => PatKind::Bool(has_token(node, K::TrueKw)),
            K::PathPat => PatKind::Path(self.path(node)?),
            K::TupleStructPat => {
                PatKind::TupleStruct { path: self.path(node)?, elems: self.patterns(node) }
            }
            K::StructPat => self.struct_pattern(node)?,
            K::TuplePat => self.tuple_pattern(node),
            K::ArrayPat => self.array_pattern(node),
            K::RestPat => PatKind::Rest(self.name(node)),
            _ => return None,
        })
    }

    fn patterns(&mut self, node: &SyntaxNode) -> Vec<Pat> {
        children(node, K::is_pattern).map(|pat| self.pattern(&pat)).collect()
    }

    fn sub_pattern(&mut self, node: &SyntaxNode) -> Option<Box<Pat>> {
        child(node, K::is_pattern).map(|pat| Box::new(self.pattern(&pat)))
    }

    fn pattern_number(&mut self, node: &SyntaxNode, n: usize) -> Option<PatNumber> {
        let node = children(node, |kind| kind == K::PatNumber).nth(n)?;
        let digits = tokens(&node).find(|t| matches!(t.kind(), K::Int | K::Float))?;
        let number = self.number(&digits)?;
        Some(PatNumber { span: self.span(&node), negative: has_token(&node, K::Minus), number })
    }

    fn struct_pattern(&mut self, node: &SyntaxNode) -> Option<PatKind> {
        let path = self.path(node)?;
        let fields = children(node, |kind| kind == K::FieldPat);
        let fields = fields.filter_map(|field| self.field_pattern(&field)).collect();
        let rest = child(node, |kind| kind == K::RestPat).is_some();
        Some(PatKind::Struct { path, fields, rest })
    }

    fn field_pattern(&mut self, node: &SyntaxNode) -> Option<FieldPat> {
        let name = self.name(node)?;
        Some(FieldPat { name, pat: self.sub_pattern(node).map(|pat| *pat) })
    }

    /// `(a, b)`; one element without a comma is that element.
    fn tuple_pattern(&mut self, node: &SyntaxNode) -> PatKind {
        let mut elems = self.patterns(node);
        match elems.pop() {
            Some(only) if elems.is_empty() && !has_token(node, K::Comma) => only.kind,
            last => {
                elems.extend(last);
                PatKind::Tuple(elems)
            }
        }
    }

    fn array_pattern(&mut self, node: &SyntaxNode) -> PatKind {
        let rests: Vec<_> = children(node, |kind| kind == K::RestPat).collect();
        if let [first, second, ..] = rests.as_slice() {
            let diagnostic = Diagnostic::error(Code::E0005, "two rests in one array pattern")
                .primary(self.span(second), "how many elements this takes is not determined")
                .secondary(self.span(first), "the first rest");
            self.report(diagnostic);
        }
        PatKind::Array(self.patterns(node))
    }
}
