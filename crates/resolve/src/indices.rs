//! Reductions with the indices that they bind, and the items of reads.

use crate::resolver::Resolver;
use crate::scope::Binding;
use crate::unknown::Unknown;
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

impl Resolver<'_> {
    /// A run of axes that a slot or a head introduces.
    pub fn new_rest(&mut self, rest: &ast::Rest) -> hir::Rest {
        let var = self.ident(&rest.name).var;
        self.bind(&rest.name, Binding::Rest(var));
        let rank = rest.rank.as_ref().map(|r| Box::new(self.expr(r)));
        hir::Rest { name: rest.name.clone(), var: Some(var), rank }
    }

    /// The heads of a reduction, which see those before them.
    pub fn heads(&mut self, heads: &[ast::Head]) -> Vec<hir::Head> {
        let head = |h: &ast::Head| {
            let kind = match &h.kind {
                ast::HeadKind::Index { name, range } => {
                    let range = range.as_ref().map(|r| Box::new(self.expr(r)));
                    hir::HeadKind::Index { name: self.bind_index(name), range }
                }
                ast::HeadKind::Rest(rest) => hir::HeadKind::Rest(self.new_rest(rest)),
            };
            hir::Head { span: h.span, kind }
        };
        heads.iter().map(head).collect()
    }

    /// An item of a read.
    pub fn item(&mut self, item: &ast::Item) -> hir::Item {
        let kind = match &item.kind {
            ast::ItemKind::Expr(e) => hir::ItemKind::Expr(self.expr(e)),
            ast::ItemKind::Rest(rest) => {
                let var = match self.m.lookup(rest.name.as_str()) {
                    Some(Binding::Rest(var)) => Some(var),
                    _ => None,
                };
                let rank = rest.rank.as_ref().map(|r| Box::new(self.expr(r)));
                hir::ItemKind::Rest(hir::Rest { name: rest.name.clone(), var, rank })
            }
            ast::ItemKind::Coproduct(parts) => {
                hir::ItemKind::Coproduct(parts.iter().map(|p| self.part(p)).collect())
            }
        };
        hir::Item { span: item.span, kind }
    }

    /// A part of an item: an index that is bound, or the size of a stretch.
    fn part(&mut self, part: &ast::Part) -> hir::Part {
        let kind = match &part.kind {
            ast::PartKind::Error => hir::PartKind::Error,
            ast::PartKind::Size(n) => hir::PartKind::Size(*n),
            ast::PartKind::Discard => hir::PartKind::Discard,
            ast::PartKind::Index { name, range } => {
                let range = range.as_ref().map(|r| Box::new(self.expr(r)));
                match self.used_name(name) {
                    Some(name) => hir::PartKind::Index { name, range },
                    None => hir::PartKind::Error,
                }
            }
        };
        hir::Part { span: part.span, kind }
    }

    /// A name with the variable that it means; what means nothing is reported.
    fn used_name(&mut self, name: &ast::Ident) -> Option<Ident> {
        if let Some(var) = self.m.var_of(name.as_str()) {
            return Some(Ident { name: name.name.clone(), span: name.span, var });
        }
        if self.m.lookup(name.as_str()) != Some(Binding::Poisoned) {
            let d = Unknown::new(&mut self.m).value(name);
            self.report(d);
        }
        None
    }

    /// `sum[i](body where …)`.
    pub fn reduction(&mut self, e: &ast::Expr, r: &ast::Reduction) -> hir::Reduction {
        let terms = self.terms(e, &r.heads, &r.where_items, &r.body);
        let Terms { heads, where_items, body } = terms;
        hir::Reduction { op: r.op, name: r.name.clone(), heads, body, where_items }
    }

    /// `reduce[f, e, i](body where …)`.
    pub fn reduce(&mut self, e: &ast::Expr, r: &ast::Reduce) -> hir::Reduce {
        let function = Box::new(self.callee(&r.function));
        let identity = Box::new(self.expr(&r.identity));
        let Terms { heads, where_items, body } = self.terms(e, &r.heads, &r.where_items, &r.body);
        hir::Reduce { name: r.name.clone(), function, identity, heads, body, where_items }
    }

    fn terms(
        &mut self,
        e: &ast::Expr,
        heads: &[ast::Head],
        items: &[ast::WhereItem],
        body: &ast::Expr,
    ) -> Terms {
        let moved = self.take_moved(e);
        self.scoped(|r| {
            let heads = r.heads(heads);
            let where_items = r.where_items(items.iter().chain(&moved));
            Terms { heads, where_items, body: Box::new(r.expr(body)) }
        })
    }
}

/// What a reduction goes over.
struct Terms {
    heads: Vec<hir::Head>,
    where_items: Vec<hir::WhereItem>,
    body: Box<hir::Expr>,
}
