//! Items of `where`: each where it counts, which for those about the index of a reduction is
//! that reduction.

use crate::names::Divided;
use crate::resolver::Resolver;
use rustc_hash::FxHashMap;
use weft_hir as hir;
use weft_syntax::ast;

/// Items that wait for the reductions that they are about, by the place of these in the tree.
pub(crate) type Moved = FxHashMap<*const ast::Expr, Vec<ast::WhereItem>>;

impl Resolver<'_> {
    /// What `inside` does where the moved ones of divided items wait for their reductions.
    pub fn with_moved<T>(
        &mut self,
        divided: &Divided<'_>,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut moved = Moved::default();
        for (reduction, item) in &divided.moved {
            moved.entry(std::ptr::from_ref(*reduction)).or_default().push((*item).clone());
        }
        self.moved.push(moved);
        let found = inside(self);
        self.moved.pop();
        found
    }

    /// The items that wait for a reduction.
    pub fn take_moved(&mut self, reduction: &ast::Expr) -> Vec<ast::WhereItem> {
        let place = std::ptr::from_ref(reduction);
        let waiting = self.moved.iter_mut().rev().find_map(|m| m.remove(&place));
        waiting.unwrap_or_default()
    }

    /// Items in order: a name is known behind its own.
    pub fn where_items<'t>(
        &mut self,
        items: impl IntoIterator<Item = &'t ast::WhereItem>,
    ) -> Vec<hir::WhereItem> {
        let resolved = |item: &ast::WhereItem| {
            let kind = match &item.kind {
                ast::WhereItemKind::Bind { name, value } => {
                    let value = self.expr(value);
                    hir::WhereItemKind::Bind { name: self.bind_value(name), value }
                }
                ast::WhereItemKind::Guard(g) => hir::WhereItemKind::Guard(self.expr(g)),
            };
            hir::WhereItem { span: item.span, kind }
        };
        items.into_iter().map(resolved).collect()
    }

    /// `body where items`.
    pub fn where_expr(&mut self, body: &ast::Expr, items: &[ast::WhereItem]) -> hir::ExprKind {
        let divided = crate::names::split_where(std::slice::from_ref(body), &[], items);
        self.scoped(|r| {
            r.with_moved(&divided, |r| {
                let items = r.where_items(divided.own.iter().copied());
                hir::ExprKind::Where { body: Box::new(r.expr(body)), items }
            })
        })
    }
}
