//! The names that a clause takes from around it: those it mentions and does not bind.
//!
//! Says which definitions belong together before anything is resolved, where a name that a
//! `match` binds counts as taken: whether it is one depends on the types. And which names a
//! function that nothing calls could not find, where it counts as bound.

use crate::names::{children, clause_name, reduction_headers};
use weft_base::Name;
use weft_syntax::ast::{self, ExprKind as K};

/// Calls `f` with every name that `c` mentions outside its slots and does not bind.
pub(crate) fn free_names(c: &ast::Indexed, f: &mut dyn FnMut(&Name)) {
    Free {
        bound: Vec::new(),
        heads: Vec::new(),
        patterns_bind: false,
        opaque: false,
        f: &mut |n| f(&n.name),
    }
    .clause(c);
}

/// The names that a function mentions and does not bind; nothing where items of its own
/// change what names mean.
pub(crate) fn names_of_function(def: &ast::FnDef) -> Vec<ast::Ident> {
    let mut found = Vec::new();
    let mut f = |n: &ast::Ident| found.push(n.clone());
    let mut free = Free {
        bound: Vec::new(),
        heads: Vec::new(),
        patterns_bind: true,
        opaque: false,
        f: &mut f,
    };
    free.bound.extend(def.params.iter().map(|p| &p.name.name));
    let types = def.params.iter().filter_map(|p| p.ty.as_ref());
    types.chain(&def.ret).for_each(|ty| dim_names(ty, &mut free.bound));
    def.params.iter().flat_map(|p| &p.default).for_each(|e| free.expr(e));
    free.block(&def.body);
    let opaque = free.opaque;
    if opaque { Vec::new() } else { found }
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
    heads: Vec<String>,
    /// Whether every name in a pattern of a `match` is bound by it.
    patterns_bind: bool,
    /// Whether some block has items, which are not looked into.
    opaque: bool,
    f: &'f mut dyn FnMut(&ast::Ident),
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
            this.moved_items(&c.where_items, c.alternatives.iter());
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
    fn moved_items(
        &mut self,
        items: &'t [ast::WhereItem],
        bodies: impl Iterator<Item = &'t ast::Expr>,
    ) {
        let mut reductions = Vec::new();
        bodies.for_each(|e| reduction_headers(e, &mut reductions));
        let depth = self.heads.len();
        self.heads.extend(reductions.into_iter().flat_map(|(_, names)| names));
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
                _ => self.opaque = true,
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

    fn arm(&mut self, arm: &'t ast::Arm) {
        self.scope(|this| {
            arm.pats.iter().for_each(|p| this.match_pattern(p));
            arm.guard.iter().for_each(|g| this.expr(g));
            this.expr(&arm.body);
        });
    }

    fn match_pattern(&mut self, p: &'t ast::Pat) {
        match &p.kind {
            ast::PatKind::Bind { name, sub } => {
                self.bound.push(&name.name);
                sub.iter().for_each(|p| self.match_pattern(p));
            }
            ast::PatKind::Rest(name) => self.bound.extend(name.iter().map(|n| &n.name)),
            ast::PatKind::TupleStruct { elems, .. }
            | ast::PatKind::Tuple(elems)
            | ast::PatKind::Array(elems) => elems.iter().for_each(|p| self.match_pattern(p)),
            ast::PatKind::Struct { fields, .. } => fields.iter().for_each(|f| match &f.pat {
                Some(p) => self.match_pattern(p),
                None => self.bound.push(&f.name.name),
            }),
            ast::PatKind::Error
            | ast::PatKind::Wildcard
            | ast::PatKind::Number(_)
            | ast::PatKind::Range { .. }
            | ast::PatKind::Str(_)
            | ast::PatKind::Bool(_)
            | ast::PatKind::Path(_) => {}
        }
    }

    fn expr(&mut self, e: &'t ast::Expr) {
        match &e.kind {
            K::Path(p) => {
                let bound = |n: &&ast::Ident| {
                    self.bound.contains(&&n.name) || self.heads.iter().any(|h| h == n.as_str())
                };
                if let Some(name) = p.as_name().filter(|n| !bound(n)) {
                    (self.f)(name);
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
                this.moved_items(items, std::iter::once(&**body));
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
            K::Match(m) if self.patterns_bind => {
                self.expr(&m.scrutinee);
                m.arms.iter().for_each(|arm| self.arm(arm));
            }
            _ => children(e, &mut |c| self.expr(c)),
        }
    }
}
