//! The names that a clause takes from around it: those it mentions and does not bind.
//!
//! Says which definitions belong together before anything is resolved, where a name that a
//! `match` binds counts as taken: whether it is one depends on the types.

use crate::names::{children, clause_name, reductions};
use weft_base::Name;
use weft_syntax::ast::{self, ExprKind as K};

/// Calls `f` with every name that `c` mentions outside its slots and does not bind.
pub(crate) fn free_names(c: &ast::Indexed, f: &mut dyn FnMut(&Name)) {
    Free { bound: Vec::new(), heads: Vec::new(), f }.clause(c);
}

/// Calls `f` with every name that a function's body uses and does not bind.
pub(crate) fn free_names_of_function(def: &ast::FnDef, f: &mut dyn FnMut(&Name)) {
    Free { bound: Vec::new(), heads: Vec::new(), f }.function(def);
}

/// The extents and runs of axes that a type names.
fn dim_names<'t>(ty: &'t ast::Type, out: &mut Vec<&'t Name>) {
    match &ty.kind {
        ast::TypeKind::Array { elem, dims } => {
            dim_names(elem, out);
            out.extend(dims.iter().flatten().filter_map(|d| match &d.kind {
                ast::DimKind::Name(name) | ast::DimKind::Rest(name) => Some(&name.name),
                _ => None,
            }));
        }
        ast::TypeKind::Tuple(types) => types.iter().for_each(|t| dim_names(t, out)),
        ast::TypeKind::Path { args, .. } => args.iter().for_each(|t| dim_names(t, out)),
        ast::TypeKind::Fn { params, ret } => {
            params.iter().for_each(|t| dim_names(t, out));
            dim_names(ret, out);
        }
        ast::TypeKind::Error | ast::TypeKind::Prim(_) | ast::TypeKind::Jagged { .. } => {}
    }
}

struct Free<'t, 'f> {
    /// What is bound where we are, innermost last.
    bound: Vec<&'t Name>,
    /// The indices of reductions that the items at hand may be about.
    heads: Vec<&'t str>,
    f: &'f mut dyn FnMut(&Name),
}

impl<'t> Free<'t, '_> {
    /// What `inside` does with the names that it binds, which end with it.
    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        inside(self);
        self.bound.truncate(depth);
    }

    fn clause(&mut self, c: &'t ast::Indexed) {
        self.scope(|this| {
            c.slots.iter().for_each(|s| this.slot(s));
            this.moved_items(&c.where_items, &c.alternatives);
            c.alternatives.iter().chain(&c.otherwise).for_each(|e| this.expr(e));
        });
    }

    fn slot(&mut self, slot: &'t ast::Slot) {
        match &slot.kind {
            ast::SlotKind::Index { name, .. } => self.bound.push(&name.name),
            ast::SlotKind::Coproduct(parts) => {
                self.bound.extend(parts.iter().filter_map(|p| match &p.kind {
                    ast::PartKind::Index { name, .. } => Some(&name.name),
                    _ => None,
                }));
            }
            ast::SlotKind::Fixed(_) | ast::SlotKind::Rest(_) => {}
        }
    }

    /// Items behind bodies: those about the index of a reduction in them belong to it.
    fn moved_items(&mut self, items: &'t [ast::WhereItem], bodies: &'t [ast::Expr]) {
        let mut binders = Vec::new();
        if !items.is_empty() {
            bodies.iter().for_each(|e| reductions(e, &mut binders));
        }
        let depth = self.heads.len();
        self.heads.extend(binders.into_iter().flat_map(|b| b.names));
        self.where_items(items);
        self.heads.truncate(depth);
    }

    fn where_items(&mut self, items: &'t [ast::WhereItem]) {
        for item in items {
            match &item.kind {
                ast::WhereItemKind::Bind { name, value } => {
                    self.expr(value);
                    self.bound.push(&name.name);
                }
                ast::WhereItemKind::Guard(g) => self.expr(g),
            }
        }
    }

    fn heads(&mut self, heads: &'t [ast::Head]) {
        for head in heads {
            if let ast::HeadKind::Index { name, range } = &head.kind {
                range.iter().for_each(|r| self.expr(r));
                self.bound.push(&name.name);
            }
        }
    }

    fn generators(&mut self, items: &'t [ast::GenItem]) {
        for item in items {
            match &item.kind {
                ast::GenItemKind::In { name, set: e }
                | ast::GenItemKind::Bind { name, value: e } => {
                    self.expr(e);
                    self.bound.push(&name.name);
                }
                ast::GenItemKind::Guard(g) => self.expr(g),
            }
        }
    }

    fn function(&mut self, def: &'t ast::FnDef) {
        self.scope(|this| {
            for param in &def.params {
                param.ty.iter().for_each(|ty| dim_names(ty, &mut this.bound));
                param.default.iter().for_each(|e| this.expr(e));
                this.bound.push(&param.name.name);
            }
            this.block(&def.body);
        });
    }

    fn block(&mut self, b: &'t ast::Block) {
        self.bound.extend(b.stmts.iter().filter_map(clause_name));
        for stmt in &b.stmts {
            match &stmt.kind {
                ast::StmtKind::Let(l) => {
                    self.expr(&l.value);
                    self.pattern(&l.pattern);
                }
                ast::StmtKind::Expr(e) => self.expr(&e.expr),
                ast::StmtKind::Indexed(c) => self.clause(c),
                ast::StmtKind::Fn(def) => self.function(def),
                _ => {}
            }
        }
        b.tail.iter().for_each(|e| self.expr(e));
    }

    fn pattern(&mut self, p: &'t ast::LetPattern) {
        match &p.kind {
            ast::LetPatternKind::Name(name) => self.bound.push(&name.name),
            ast::LetPatternKind::Tuple(parts) => {
                parts.iter().for_each(|p| self.pattern(&p.pattern));
            }
            ast::LetPatternKind::Error | ast::LetPatternKind::Discard => {}
        }
    }

    fn expr(&mut self, e: &'t ast::Expr) {
        match &e.kind {
            K::Path(p) => {
                let bound = |n: &&ast::Ident| {
                    self.bound.contains(&&n.name) || self.heads.contains(&n.as_str())
                };
                if let Some(name) = p.as_name().filter(|n| !bound(n)) {
                    (self.f)(&name.name);
                }
            }
            K::Reduction(r) => self.scope(|this| {
                this.heads(&r.heads);
                this.where_items(&r.where_items);
                this.expr(&r.body);
            }),
            K::Reduce(r) => self.scope(|this| {
                this.expr(&r.function);
                this.expr(&r.identity);
                this.heads(&r.heads);
                this.where_items(&r.where_items);
                this.expr(&r.body);
            }),
            K::Comprehension { body, items } => self.scope(|this| {
                this.generators(items);
                this.expr(body);
            }),
            K::Lambda(l) => self.scope(|this| {
                this.bound.extend(l.params.iter().map(|p| &p.name.name));
                this.expr(&l.body);
            }),
            K::Where { body, items } => self.scope(|this| {
                this.moved_items(items, std::slice::from_ref(&**body));
                this.expr(body);
            }),
            K::If(i) => {
                self.expr(&i.cond);
                self.scope(|this| this.block(&i.then));
                i.otherwise.iter().for_each(|e| self.expr(e));
            }
            K::Block(b) => self.scope(|this| this.block(b)),
            // A conversion to a shape binds the names in it, for what comes after.
            K::Cast { value, ty } => {
                self.expr(value);
                dim_names(ty, &mut self.bound);
            }
            _ => children(e, &mut |c| self.expr(c)),
        }
    }
}
