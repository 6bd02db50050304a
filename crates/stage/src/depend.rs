//! The indices around that expressions depend on.
//!
//! What is found holds before anything is lowered: an expression may mention an index, or a
//! name that stands for something which does. Indices and names bound inside it are its own.

use crate::env::{Bound, EnvId};
use crate::stager::Stager;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use weft_domain::{Affine, Iter};
use weft_sema::thir::{Block, Call, Clause, Definition, Expr, ExprKind, Item, LocalId, Stmt};

/// The iterators of a frame.
pub(crate) type Iters = BTreeSet<Iter>;

/// A walk over expressions and what their names stand for.
#[derive(Default)]
struct Walk {
    found: Iters,
    seen: FxHashSet<(*const Expr, EnvId)>,
}

impl<'p> Stager<'p> {
    /// What an expression depends on.
    pub fn depends(&self, e: &Expr, env: EnvId) -> Iters {
        self.walked(|this, walk| this.walk(e, env, walk))
    }

    /// What a call depends on: what its arguments do.
    pub fn call_depends(&self, call: &Call, env: EnvId) -> Iters {
        self.walked(|this, walk| call.args.iter().for_each(|x| this.walk(x, env, walk)))
    }

    /// What a block depends on.
    pub fn block_depends(&self, block: &Block, env: EnvId) -> Iters {
        self.walked(|this, walk| this.walk_block(block, env, walk))
    }

    /// What definitions depend on.
    pub fn group_depends(&self, group: &[Definition], env: EnvId) -> Iters {
        self.walked(|this, walk| this.walk_group(group, env, walk))
    }

    /// Whether nothing in an expression depends on an index around.
    pub fn at_host_level(&self, e: &Expr, env: EnvId) -> bool {
        self.depends(e, env).is_empty()
    }

    fn walked(&self, of: impl FnOnce(&Self, &mut Walk)) -> Iters {
        let mut walk = Walk::default();
        of(self, &mut walk);
        walk.found
    }

    fn walk(&self, e: &Expr, env: EnvId, walk: &mut Walk) {
        if !walk.seen.insert((std::ptr::from_ref(e), env)) {
            return;
        }
        e.term.iter().for_each(|t| self.mention(t, env, walk));
        match &e.kind {
            ExprKind::Index(a) => self.mention(a, env, walk),
            ExprKind::Local(id) if e.term.is_none() => self.walk_name(*id, env, walk),
            ExprKind::Read(_, _, items) => items.iter().for_each(|i| match i {
                Item::At(a) => self.mention(a, env, walk),
                Item::Range(lo, hi) => {
                    [lo, hi].into_iter().for_each(|a| self.mention(a, env, walk))
                }
                Item::Data(_) => {}
            }),
            ExprKind::Reduce { iters, .. } => self.walk_ranges(iters, env, walk),
            ExprKind::Block(block) => return self.walk_block(block, env, walk),
            _ => {}
        }
        e.children(&mut |x| self.walk(x, env, walk));
    }

    fn walk_block(&self, block: &Block, env: EnvId, walk: &mut Walk) {
        block.children(&mut |x| self.walk(x, env, walk));
        for stmt in &block.stmts {
            if let Stmt::Tensors(group) = stmt {
                self.walk_group(group, env, walk);
            }
        }
    }

    fn walk_group(&self, group: &[Definition], env: EnvId, walk: &mut Walk) {
        group.iter().flat_map(|d| &d.clauses).for_each(|c| self.walk_clause(c, env, walk));
    }

    fn walk_clause(&self, clause: &Clause, env: EnvId, walk: &mut Walk) {
        self.walk_ranges(&clause.iters, env, walk);
        clause.pieces.iter().flatten().for_each(|c| self.mention(&c.term, env, walk));
        clause.binds.iter().for_each(|(_, x)| self.walk(x, env, walk));
        let parts = clause.guards.iter().chain(&clause.otherwise).chain([&clause.body]);
        parts.for_each(|x| self.walk(x, env, walk));
    }

    fn walk_ranges(&self, iters: &[Iter], env: EnvId, walk: &mut Walk) {
        for i in iters {
            let range = self.body(env).iters[*i].range.as_ref();
            range.iter().for_each(|(lo, hi)| {
                self.mention(lo, env, walk);
                self.mention(hi, env, walk);
            });
        }
    }

    fn walk_name(&self, id: LocalId, env: EnvId, walk: &mut Walk) {
        if let Some((bound, _)) = self.lookup(env, id) {
            self.walk_bound(&bound, walk);
        }
    }

    fn walk_bound(&self, bound: &Bound<'p>, walk: &mut Walk) {
        match bound {
            Bound::Tensor { outer, .. } => outer.iter().for_each(|a| walk.found.extend(a.iters())),
            Bound::Thunk(e, env) => self.walk(e, *env, walk),
            Bound::Tuple(members) => members.iter().for_each(|m| self.walk_bound(m, walk)),
            Bound::Host(_) => {}
        }
    }

    /// A term of the body: its indices in scope in terms of those around.
    fn mention(&self, term: &Affine, env: EnvId, walk: &mut Walk) {
        let around = term.iters().into_iter().filter_map(|i| self.iter_in(env, i));
        around.for_each(|a| walk.found.extend(a.iters()));
    }
}
