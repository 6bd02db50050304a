//! Operations that cut a path: behind them nothing changes nearby.

use crate::expand::Quotient;
use std::collections::BTreeSet;
use weft_scalar::UnaryOp;
use weft_tensor::{Accumulator, AssignId, Expr, Graph, TensorId};

/// The name of a locally constant operation between the independent tensor and the target;
/// `None` where the target does not depend at all.
pub(crate) fn blocking_operation(graph: &Graph, q: &Quotient) -> Option<&'static str> {
    let above = upstream(graph, q.target);
    if !above.contains(&q.independent) {
        return None;
    }
    let mut pieces = above.iter().flat_map(|t| graph.pieces(*t));
    pieces.find_map(|p| constant_operation(graph, *p, q.independent)).or(Some("a condition"))
}

/// A tensor and all that it reads, however indirectly.
fn upstream(graph: &Graph, t: TensorId) -> BTreeSet<TensorId> {
    let mut seen = BTreeSet::from([t]);
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        for p in graph.pieces(t) {
            let exprs = &graph.assigns[*p].exprs;
            for e in exprs.ids() {
                if let Expr::Read { tensor, .. } = exprs.get(e)
                    && seen.insert(*tensor)
                {
                    stack.push(*tensor);
                }
            }
        }
    }
    seen
}

/// A locally constant operation of an assignment whose target depends on `x`.
fn constant_operation(graph: &Graph, p: AssignId, x: TensorId) -> Option<&'static str> {
    let a = &graph.assigns[p];
    if !upstream(graph, a.target).contains(&x) {
        return None;
    }
    match a.accumulator {
        Accumulator::ArgMax(_) => return Some("`argmax`"),
        Accumulator::ArgMin(_) => return Some("`argmin`"),
        Accumulator::All => return Some("`all`"),
        Accumulator::Any => return Some("`any`"),
        _ => {}
    }
    a.exprs.ids().find_map(|e| match a.exprs.get(e) {
        Expr::Unary(UnaryOp::Floor, _) => Some("`floor`"),
        Expr::Unary(UnaryOp::Ceil, _) => Some("`ceil`"),
        Expr::Unary(UnaryOp::Round, _) => Some("`round`"),
        Expr::Unary(UnaryOp::Trunc, _) => Some("`trunc`"),
        Expr::Unary(UnaryOp::Sign, _) => Some("`sign`"),
        Expr::Call { .. } => Some("a recursive function"),
        Expr::Cast(to, from) if to.is_int() && a.exprs.ty(*from).is_float() => {
            Some("a cast to an integer")
        }
        Expr::Binary(op, x, _, _) if op.is_comparison() && a.exprs.ty(*x).is_float() => {
            Some("a comparison")
        }
        _ => None,
    })
}
