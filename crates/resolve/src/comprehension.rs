//! Comprehensions: each item sees what those before it bind.

use crate::resolver::Resolver;
use weft_base::Name;
use weft_hir as hir;
use weft_syntax::ast;

impl Resolver<'_> {
    /// `[body | items]`.
    pub fn comprehension(
        &mut self,
        body: &ast::Expr,
        items: &[ast::GenItem],
    ) -> hir::Comprehension {
        self.scoped(|r| {
            let mut generated: Vec<&Name> = Vec::new();
            let items = items.iter().map(|i| r.gen_item(i, &mut generated)).collect();
            hir::Comprehension { body: Box::new(r.expr(body)), items, inner: false }
        })
    }

    fn gen_item<'t>(
        &mut self,
        item: &'t ast::GenItem,
        generated: &mut Vec<&'t Name>,
    ) -> hir::GenItem {
        let kind = match &item.kind {
            ast::GenItemKind::In { name, set } if generated.contains(&&name.name) => {
                let path = ast::Path { span: name.span, segments: vec![name.clone()] };
                let item = self.path(&path, false);
                hir::GenItemKind::Test { item, set: self.expr(set) }
            }
            ast::GenItemKind::In { name, set } => {
                let set = self.expr(set);
                if !name.is_discard() {
                    generated.push(&name.name);
                }
                hir::GenItemKind::In { name: self.bind_value(name), set }
            }
            ast::GenItemKind::Bind { name, value } => {
                let value = self.expr(value);
                hir::GenItemKind::Bind { name: self.bind_value(name), value }
            }
            ast::GenItemKind::Guard(g) => hir::GenItemKind::Guard(self.expr(g)),
        };
        hir::GenItem { span: item.span, kind }
    }
}
