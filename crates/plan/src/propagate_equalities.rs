//! Propagate equalities: where a number is known to be an index, a read at the number is a
//! read at the index.
//!
//! ```text
//! sum[k](a[k] * x[ix[k]] where ix[k] == i)   =>   sum[k](a[k] * x[i] where ix[k] == i)
//! ```
//!
//! Gradients of gathers are such sums. A read at an index is known to sets, and is proven to
//! lie inside where a computed one is looked at in every point; so are the checks of the number
//! that reads left behind when they were inlined.

use std::collections::BTreeMap;
use weft_depend::scope_of;
use weft_domain::{Affine, Scope};
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::Facts;
use weft_tensor::{
    Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, Reduction, conjuncts, reachable,
    reachable_from, rewrite,
};

/// Propagates in every assignment.
pub(crate) fn propagate_equalities(graph: &mut Graph) {
    for a in graph.assigns.values_mut() {
        if has_computed_reads(a) {
            *a = propagated(a, &graph.facts);
        }
    }
}

fn has_computed_reads(a: &Assignment) -> bool {
    let is_computed = |t: &IndexTerm| t.as_affine().is_none();
    let all = reachable(a).into_iter();
    all.into_iter().any(|e| match a.exprs.get(e) {
        Expr::Read { index, .. } => index.iter().any(is_computed),
        Expr::Check { .. } => true,
        _ => false,
    })
}

fn propagated(a: &Assignment, facts: &Facts) -> Assignment {
    let scope = scope_of(a);
    let known = Known { scope: &scope, facts };
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let (mut exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
        let node = match node {
            Expr::If(c, x, y) => Expr::If(c, known.under(into, c, x), y),
            Expr::Reduce(r) if r.mask.is_some() => {
                let mask = r.mask.expect("just looked");
                let body = known.under(into, mask, r.body);
                Expr::Reduce(Box::new(Reduction { body, ..*r }))
            }
            other => other,
        };
        into.add(node, ty)
    });
    let (mask, body) = match roots[..] {
        [mask, body] => (Some(mask), known.under(&mut exprs, mask, body)),
        _ => (None, roots[0]),
    };
    Assignment { exprs, mask, body, ..a.clone() }
}

/// Where the iterators lie, and what is known of sizes.
struct Known<'a> {
    scope: &'a Scope,
    facts: &'a Facts,
}

impl Known<'_> {
    /// A node where a condition holds.
    fn under(&self, exprs: &mut Exprs, condition: ExprId, node: ExprId) -> ExprId {
        let equal = equalities(exprs, condition);
        if equal.is_empty() {
            return node;
        }
        let mut moved: BTreeMap<ExprId, ExprId> = BTreeMap::new();
        for e in reachable_from(exprs, [node]) {
            let ty = exprs.ty(e);
            let old = exprs.get(e);
            let new = match old.with_operands(&|x| moved[&x]) {
                // Another place may have the same reduction, and its iterators are its own.
                Expr::Reduce(r) if Expr::Reduce(r.clone()) != *old => return node,
                Expr::Check { condition, value, .. } if self.holds(exprs, &equal, condition) => {
                    moved.insert(e, value);
                    continue;
                }
                Expr::Read { tensor, index, site } => {
                    let index = index.into_iter().map(|t| in_place(exprs, &equal, t)).collect();
                    Expr::Read { tensor, index, site }
                }
                other => other,
            };
            let new = exprs.add(new, ty);
            moved.insert(e, new);
        }
        moved[&node]
    }

    /// Whether a comparison of indices, or several, hold wherever the iterators lead.
    fn holds(&self, exprs: &Exprs, equal: &BTreeMap<ExprId, Affine>, e: ExprId) -> bool {
        let Expr::Binary(op, x, y, _) = exprs.get(e) else { return false };
        if *op == BinaryOp::And {
            return self.holds(exprs, equal, *x) && self.holds(exprs, equal, *y);
        }
        let index = |e: ExprId| match exprs.get(e) {
            Expr::Index(term) => Some(term.clone()),
            Expr::Const(c) => Some(Affine::fixed(c.as_i64()?)),
            _ => equal.get(&plain(exprs, e)).cloned(),
        };
        let (Some(x), Some(y)) = (index(*x), index(*y)) else { return false };
        let at_most = |a: &Affine, b: &Affine, bound: i128| {
            a.minus(b).is_some_and(|d| self.scope.at_most(&d, bound, self.facts))
        };
        match op {
            BinaryOp::Ge => at_most(&y, &x, 0),
            BinaryOp::Gt => at_most(&y, &x, -1),
            BinaryOp::Le => at_most(&x, &y, 0),
            BinaryOp::Lt => at_most(&x, &y, -1),
            _ => false,
        }
    }
}

fn in_place(exprs: &Exprs, equal: &BTreeMap<ExprId, Affine>, term: IndexTerm) -> IndexTerm {
    match term {
        IndexTerm::Data(e) => match equal.get(&plain(exprs, e)) {
            Some(index) => IndexTerm::Affine(index.clone()),
            None => IndexTerm::Data(e),
        },
        affine => affine,
    }
}

/// The numbers that are indices where a condition holds.
fn equalities(exprs: &Exprs, condition: ExprId) -> BTreeMap<ExprId, Affine> {
    let (mut parts, mut equal) = (Vec::new(), BTreeMap::new());
    conjuncts(exprs, condition, &|_| true, &mut parts);
    for part in parts {
        let Expr::Binary(BinaryOp::Eq, x, y, _) = exprs.get(part) else { continue };
        for (index, number) in [(*x, *y), (*y, *x)] {
            if let Some(index) = exact_index(exprs, index) {
                equal.entry(plain(exprs, number)).or_insert(index);
            }
        }
    }
    equal
}

/// The index that a node is, in whatever type a check says that it is in.
fn exact_index(exprs: &Exprs, e: ExprId) -> Option<Affine> {
    let e = exprs.fitted(e).unwrap_or(e);
    match exprs.get(e) {
        Expr::Index(term) => Some(term.clone()),
        _ => None,
    }
}

/// A number without conversions that keep it.
fn plain(exprs: &Exprs, mut e: ExprId) -> ExprId {
    while let Expr::Cast(ty, x) = exprs.get(e) {
        let from = exprs.ty(*x);
        let keeps = ty.is_int() && from.is_int() && *ty == ScalarType::I64 && from.bytes() <= 4;
        if !keeps {
            break;
        }
        e = *x;
    }
    e
}
