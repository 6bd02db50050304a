//! What binds indices: slots, heads of reductions, parts of joined axes; and the items of reads.

use crate::resolver::Resolver;
use crate::scope::Binding;
use crate::unknown::Unknown;
use weft_base::{Name, Span};
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

impl Resolver<'_> {
    /// The slots of a clause, which see those before them.
    pub fn slots(&mut self, slots: &[ast::Slot]) -> Vec<hir::Slot> {
        let mut known: Vec<Ident> = Vec::new();
        slots.iter().map(|s| self.slot(s, &mut known)).collect()
    }

    fn slot(&mut self, slot: &ast::Slot, known: &mut Vec<Ident>) -> hir::Slot {
        let kind = match &slot.kind {
            ast::SlotKind::Index { name, range } => {
                let range = range.as_ref().map(|r| self.expr(r));
                let again = known.iter().any(|k| k.name == name.name);
                let hides = if again { None } else { self.var_of(name.as_str()) };
                hir::SlotKind::Index { name: self.index_once(name, known), range, hides }
            }
            ast::SlotKind::Fixed(e) => hir::SlotKind::Fixed(self.expr(e)),
            ast::SlotKind::Rest(rest) => hir::SlotKind::Rest(self.new_rest(rest)),
            ast::SlotKind::Coproduct(parts) => {
                hir::SlotKind::Coproduct(parts.iter().map(|p| self.component(p, known)).collect())
            }
        };
        hir::Slot { span: slot.span, kind }
    }

    /// The index of a slot: slots of one name have one.
    fn index_once(&mut self, name: &ast::Ident, known: &mut Vec<Ident>) -> Ident {
        let before = known.iter().find(|k| k.name == name.name && !name.is_discard());
        if let Some(before) = before {
            return Ident { name: name.name.clone(), span: name.span, var: before.var };
        }
        let made = self.bind_index(name);
        known.push(made.clone());
        made
    }

    /// A part of a joined axis in a slot.
    fn component(&mut self, part: &ast::Part, known: &mut Vec<Ident>) -> hir::Part {
        let kind = match &part.kind {
            ast::PartKind::Error => hir::PartKind::Error,
            ast::PartKind::Size(n) => hir::PartKind::Size(*n),
            ast::PartKind::Discard => hir::PartKind::Discard,
            ast::PartKind::Index { name, range } => {
                let range = range.as_ref().map(|r| Box::new(self.expr(r)));
                let name = self.index_once(name, known);
                self.component_vars(&name);
                hir::PartKind::Index { name, range }
            }
        };
        hir::Part { span: part.span, kind }
    }

    /// The variables for a component's size, and for its not being used.
    fn component_vars(&mut self, name: &Ident) {
        if self.m.vars.all[name.var].component.is_some() {
            return;
        }
        let mut hidden = |text: String| self.m.vars.add(&Name::new(&text), name.span, false);
        let size = hidden(format!("_size of {}", name.name));
        let idle = hidden(format!("_not {}", name.name));
        self.m.vars.all[name.var].component = Some((size, idle));
    }

    /// A run of axes that a slot or a head introduces.
    fn new_rest(&mut self, rest: &ast::Rest) -> hir::Rest {
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
        if let Some(var) = self.var_of(name.as_str()) {
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

/// The names that a slot binds to indices, and where.
pub(crate) fn names_of_slot(slot: &ast::Slot) -> Vec<(&ast::Ident, Span)> {
    match &slot.kind {
        ast::SlotKind::Index { name, .. } => vec![(name, slot.span)],
        ast::SlotKind::Coproduct(parts) => {
            let name = |p| match p {
                &ast::Part { kind: ast::PartKind::Index { ref name, .. }, span } => {
                    Some((name, span))
                }
                _ => None,
            };
            parts.iter().filter_map(name).collect()
        }
        ast::SlotKind::Fixed(_) | ast::SlotKind::Rest(_) => Vec::new(),
    }
}
