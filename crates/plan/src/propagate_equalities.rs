//! Propagate equalities: where a number is known to be an index, the index stands for it.
//!
//! ```text
//! sum[k](a[k] * x[ix[k]] where ix[k] == i)   =>   sum[k](a[k] * x[i] where ix[k] == i)
//! ```
//!
//! Gradients of gathers are such sums. A read at an index is known to sets, and folding proves
//! that it lies inside, as it proves the checks that reads left behind when they were inlined.

use std::collections::BTreeMap;
use weft_depend::{conjuncts, strip};
use weft_domain::Affine;
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{
    Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, Reduction, reachable, reachable_from,
    rewrite,
};

/// Propagates in every assignment.
pub(crate) fn propagate_equalities(graph: &mut Graph) {
    for a in graph.assigns.values_mut() {
        if has_computed_indices(a) {
            *a = propagated(a);
        }
    }
}

/// Whether a number is the index of a read, or was one and is checked.
fn has_computed_indices(a: &Assignment) -> bool {
    let is_computed = |t: &IndexTerm| t.as_affine().is_none();
    reachable(a).into_iter().any(|e| match a.exprs.get(e) {
        Expr::Read { index, .. } => index.iter().any(is_computed),
        Expr::Check { .. } => true,
        _ => false,
    })
}

fn propagated(a: &Assignment) -> Assignment {
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let (mut exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
        let node = match node {
            Expr::If(c, x, y) => Expr::If(c, under(into, c, x), y),
            Expr::Reduce(r) if r.mask.is_some() => {
                let mask = r.mask.expect("just looked");
                let body = under(into, mask, r.body);
                Expr::Reduce(Box::new(Reduction { body, ..*r }))
            }
            other => other,
        };
        into.add(node, ty)
    });
    let (mask, body) = match roots[..] {
        [mask, body] => (Some(mask), under(&mut exprs, mask, body)),
        _ => (None, roots[0]),
    };
    Assignment { exprs, mask, body, ..a.clone() }
}

/// A node where a condition holds.
fn under(exprs: &mut Exprs, condition: ExprId, node: ExprId) -> ExprId {
    let equal = equalities(exprs, condition);
    if equal.is_empty() {
        return node;
    }
    let mut moved: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    for e in reachable_from(exprs, [node]) {
        let (ty, old) = (exprs.ty(e), exprs.get(e));
        let known = |e: ExprId| equal.get(&strip(exprs, e)).cloned();
        let new = match old.with_operands(&|x| moved[&x]) {
            // Another place may have the same reduction, and its iterators are its own.
            Expr::Reduce(r) if Expr::Reduce(r.clone()) != *old => return node,
            Expr::Read { tensor, index, site } => {
                let index = index.into_iter().map(|t| match t {
                    IndexTerm::Data(e) => known(e).map_or(IndexTerm::Data(e), IndexTerm::Affine),
                    affine => affine,
                });
                Expr::Read { tensor, index: index.collect(), site }
            }
            other => other,
        };
        let new = match known(e).filter(|_| ty == ScalarType::I64) {
            Some(index) => Expr::Index(index),
            None => new,
        };
        let new = exprs.add(new, ty);
        moved.insert(e, new);
    }
    moved[&node]
}

/// The numbers that are indices where a condition holds; indices themselves are known to sets.
fn equalities(exprs: &Exprs, condition: ExprId) -> BTreeMap<ExprId, Affine> {
    let mut equal = BTreeMap::new();
    for part in conjuncts(exprs, condition, &|_| true) {
        let Expr::Binary(BinaryOp::Eq, x, y, _) = exprs.get(part) else { continue };
        let (x, y) = (strip(exprs, *x), strip(exprs, *y));
        match (exprs.get(x), exprs.get(y)) {
            (Expr::Index(_) | Expr::Const(_), Expr::Index(_) | Expr::Const(_)) => {}
            (Expr::Index(i), _) => drop(equal.entry(y).or_insert_with(|| i.clone())),
            (_, Expr::Index(i)) => drop(equal.entry(x).or_insert_with(|| i.clone())),
            _ => {}
        }
    }
    equal
}
