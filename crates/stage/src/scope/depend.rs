//! The indices around that expressions depend on.
//!
//! What is found holds before anything is lowered: an expression may mention an index, or a
//! name that stands for something which does. Indices and names bound inside it are its own.

use super::{Bound, EnvId, Scopes};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use weft_domain::{Affine, Iter};
use weft_sema::thir::{Block, Call, Clause, Definition, Expr, ExprKind, Item, LocalId, Stmt};

/// The iterators of a frame.
pub(crate) type Iters = BTreeSet<Iter>;

impl<'p> Scopes<'p> {
    /// What an expression depends on.
    pub fn depends(&self, e: &Expr, env: EnvId) -> Iters {
        self.found(|walk| walk.walk(e, env))
    }

    /// What a call depends on: what its arguments do.
    pub fn call_depends(&self, call: &Call, env: EnvId) -> Iters {
        self.found(|walk| call.args.iter().for_each(|x| walk.walk(x, env)))
    }

    /// What a block depends on.
    pub fn block_depends(&self, block: &Block, env: EnvId) -> Iters {
        self.found(|walk| walk.walk_block(block, env))
    }

    /// What definitions depend on.
    pub fn group_depends(&self, group: &[Definition], env: EnvId) -> Iters {
        self.found(|walk| walk.walk_group(group, env))
    }

    /// Whether nothing in an expression depends on an index around.
    pub fn at_host_level(&self, e: &Expr, env: EnvId) -> bool {
        self.depends(e, env).is_empty()
    }

    fn found(&self, look: impl FnOnce(&mut Walk<'_, 'p>)) -> Iters {
        let (found, seen) = Default::default();
        let mut walk = Walk { scopes: self, found, seen };
        look(&mut walk);
        walk.found
    }
}

/// A walk over expressions and what their names stand for.
struct Walk<'s, 'p> {
    scopes: &'s Scopes<'p>,
    found: Iters,
    seen: FxHashSet<(*const Expr, EnvId)>,
}

impl<'p> Walk<'_, 'p> {
    fn walk(&mut self, e: &Expr, env: EnvId) {
        if !self.seen.insert((std::ptr::from_ref(e), env)) {
            return;
        }
        e.term.iter().for_each(|t| self.mention(t, env));
        match &e.kind {
            ExprKind::Index(a) => self.mention(a, env),
            ExprKind::Local(id) if e.term.is_none() => self.walk_name(*id, env),
            ExprKind::Read(_, _, items) => items.iter().for_each(|i| match i {
                Item::At(a) => self.mention(a, env),
                Item::Range(lo, hi) => [lo, hi].into_iter().for_each(|a| self.mention(a, env)),
                Item::Data(_) => {}
            }),
            ExprKind::Reduce { iters, .. } => self.walk_ranges(iters, env),
            ExprKind::Block(block) => return self.walk_block(block, env),
            _ => {}
        }
        e.children(&mut |x| self.walk(x, env));
    }

    fn walk_block(&mut self, block: &Block, env: EnvId) {
        block.children(&mut |x| self.walk(x, env));
        for stmt in &block.stmts {
            if let Stmt::Tensors(group) = stmt {
                self.walk_group(group, env);
            }
        }
    }

    fn walk_group(&mut self, group: &[Definition], env: EnvId) {
        group.iter().flat_map(|d| &d.clauses).for_each(|c| self.walk_clause(c, env));
    }

    fn walk_clause(&mut self, clause: &Clause, env: EnvId) {
        self.walk_ranges(&clause.iters, env);
        clause.pieces.iter().flatten().for_each(|c| self.mention(&c.term, env));
        clause.binds.iter().for_each(|(_, x)| self.walk(x, env));
        let parts = clause.guards.iter().chain(&clause.otherwise).chain([&clause.body]);
        parts.for_each(|x| self.walk(x, env));
    }

    fn walk_ranges(&mut self, iters: &[Iter], env: EnvId) {
        for i in iters {
            let range = self.scopes.body(env).iters[*i].range.as_ref();
            range.iter().for_each(|(lo, hi)| {
                self.mention(lo, env);
                self.mention(hi, env);
            });
        }
    }

    fn walk_name(&mut self, id: LocalId, env: EnvId) {
        if let Some((bound, _)) = self.scopes.lookup(env, id) {
            self.walk_bound(&bound);
        }
    }

    fn walk_bound(&mut self, bound: &Bound<'p>) {
        match bound {
            Bound::Tensor { outer, .. } => outer.iter().for_each(|a| self.found.extend(a.iters())),
            Bound::Thunk(e, env) => self.walk(e, *env),
            Bound::Tuple(members) => members.iter().for_each(|m| self.walk_bound(m)),
            Bound::Host(_) => {}
        }
    }

    /// A term of the body: its indices in scope in terms of those around.
    fn mention(&mut self, term: &Affine, env: EnvId) {
        let around = term.iters().into_iter().filter_map(|i| self.scopes.index(env, i));
        around.for_each(|a| self.found.extend(a.iters()));
    }
}
