//! Conditions on the path to where the checker stands, and the indices an expression mentions.

use crate::prove::condition::{PathItem, condition};
use crate::thir::{Expr, ExprKind, Item, LocalId};
use crate::typed::body_cx::BodyCx;
use rpds::RedBlackTreeMap;
use weft_domain::Iter;

impl BodyCx<'_> {
    /// Puts a condition on the path; the caller pops it.
    pub fn enter(&mut self, e: &Expr, holds: bool) {
        let cond = condition(e);
        let cond = if holds { cond } else { cond.negate() };
        let iters = self.iters_of(e);
        self.path.push(PathItem { cond, iters });
    }

    /// The indices an expression mentions, also through locals; sorted.
    pub fn iters_of(&self, e: &Expr) -> Vec<Iter> {
        let mut found = Vec::new();
        collect(e, &self.depends, &mut found);
        found.sort();
        found.dedup();
        found
    }
}

/// Adds the indices that are free in an expression.
pub(crate) fn collect(
    e: &Expr,
    depends: &RedBlackTreeMap<LocalId, Vec<Iter>>,
    out: &mut Vec<Iter>,
) {
    match &e.kind {
        ExprKind::Index(a) => out.extend(a.iters()),
        ExprKind::Local(id) => out.extend(depends.get(id).into_iter().flatten()),
        ExprKind::Read(_, _, items) => {
            items.iter().for_each(|i| match i {
                Item::At(a) => out.extend(a.iters()),
                Item::Range(a, b) => out.extend(a.iters().into_iter().chain(b.iters())),
                // Among the children.
                Item::Data(_) => {}
            });
            e.children(&mut |c| collect(c, depends, out));
        }
        ExprKind::Reduce { iters, .. } => {
            let mut inner = Vec::new();
            e.children(&mut |c| collect(c, depends, &mut inner));
            inner.retain(|i| !iters.contains(i));
            out.extend(inner);
        }
        _ => e.children(&mut |c| collect(c, depends, out)),
    }
}
