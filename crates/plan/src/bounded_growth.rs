//! Integers of recurrences that cannot leave their type at the extents at hand: no look at them.
//!
//! A cell grows by so much a step at most, and a chain of steps is only so long. Where the two
//! together stay in the type, its operators are told to be safe, and the plan holds for these
//! parameters alone. Elsewhere each of them is looked at as before.

use crate::magnitude::{Certainty, Magnitudes};
use std::cell::RefCell;
use std::collections::BTreeMap;
use weft_base::entity::EntityRef;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Param;
use weft_tensor::{AssignId, Assignment, Expr, ExprId, Exprs, Graph, TensorId, reachable};

/// Takes the sites of sums, differences and products that cannot leave their type, in
/// recurrences; the parameters of which that is so.
pub(crate) fn drop_overflow_sites(
    graph: &mut Graph,
    computed: &[TensorId],
    likely: &BTreeMap<Param, i64>,
) -> BTreeMap<Param, i64> {
    let asked = RefCell::new(BTreeMap::new());
    let value = |p: Param| {
        let n = graph.param_value(likely, p)?;
        asked.borrow_mut().insert(p, n);
        Some(n)
    };
    // A size of no value has no bound either.
    if graph.params.keys().any(|p| graph.param_value(likely, p).is_none()) {
        return BTreeMap::new();
    }
    let magnitudes = Magnitudes::compute(graph, computed, &value, Certainty::Bound);
    let members = magnitudes.recurrences().flatten();
    let pieces: Vec<AssignId> = members.flat_map(|&t| graph.pieces(t)).copied().collect();
    let without = |p: AssignId| Some((p, without_sites(&graph.assigns[p], &magnitudes)?));
    let new: Vec<(AssignId, Assignment)> = pieces.into_iter().filter_map(without).collect();
    if new.is_empty() {
        return BTreeMap::new();
    }
    for (p, a) in new {
        graph.assigns[p] = a;
    }
    asked.into_inner()
}

/// An assignment without the sites of operators that cannot leave their type, if it has such.
fn without_sites(a: &Assignment, magnitudes: &Magnitudes<'_>) -> Option<Assignment> {
    let reachable = reachable(a);
    let is_sited = |e: &ExprId| sited(&a.exprs, *e).is_some();
    reachable.iter().find(|e| is_sited(e))?;
    let most = magnitudes.of_nodes(a);
    let is_safe = |e: ExprId| {
        let most = most[e.index()].zip(greatest(a.exprs.ty(e)));
        is_sited(&e) && most.is_some_and(|(most, greatest)| most <= greatest)
    };
    reachable.iter().find(|e| is_safe(**e))?;
    let mut new = Assignment { exprs: Exprs::new(), ..a.clone() };
    let mut moved: Vec<Option<ExprId>> = vec![None; a.exprs.len()];
    for &e in &reachable {
        let to = |x: ExprId| moved[x.index()].expect("operands come first");
        let node = match sited(&a.exprs, e).filter(|_| is_safe(e)) {
            Some((op, x, y)) => Expr::Binary(op, to(x), to(y), None),
            None => a.exprs.get(e).with_operands(&to),
        };
        moved[e.index()] = Some(new.exprs.add(node, a.exprs.ty(e)));
    }
    new.mask = a.mask.and_then(|m| moved[m.index()]);
    new.body = moved[a.body.index()].expect("the body is reachable");
    Some(new)
}

/// A sum, difference or product that fails where it leaves its type.
fn sited(exprs: &Exprs, e: ExprId) -> Option<(BinaryOp, ExprId, ExprId)> {
    use BinaryOp::{Add, Mul, Sub};
    match exprs.get(e) {
        Expr::Binary(op @ (Add | Sub | Mul), x, y, Some(_)) => Some((*op, *x, *y)),
        _ => None,
    }
}

fn greatest(ty: ScalarType) -> Option<i128> {
    Scalar::greatest(ty).as_i64().filter(|_| ty.is_signed()).map(i128::from)
}
