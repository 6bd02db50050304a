//! How much work a segment is for the evaluator: an upper bound from extents alone.

use std::collections::BTreeSet;
use weft_shape::Param;
use weft_tensor::eval::Binding;
use weft_tensor::{Affine, Assignment, Dim, Expr, Graph, Space, TensorId};

/// Scalar operations that observing some tensors takes at most, every cell of everything
/// they read computed once; `None` where a size has no value.
pub(crate) fn evaluator_work(graph: &Graph, binding: &Binding, wanted: &[TensorId]) -> Option<u64> {
    let value = |p: Param| {
        binding.params.get(&p).copied().or_else(|| graph.params.get(p).and_then(|i| i.default))
    };
    let mut seen = BTreeSet::new();
    let mut stack = wanted.to_vec();
    let mut total: u64 = 0;
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        for &a in graph.pieces(t) {
            let a = &graph.assigns[a];
            total = total.saturating_add(assignment_work(a, &value)?);
            stack.extend(reads(a));
        }
    }
    Some(total)
}

/// A call of a recursive function: how long it runs is not known.
const WORK_OF_CALL: u64 = 1 << 40;

fn reads(a: &Assignment) -> Vec<TensorId> {
    let tensor = |e| match a.exprs.get(e) {
        Expr::Read { tensor, .. } => Some(*tensor),
        _ => None,
    };
    a.exprs.ids().filter_map(tensor).collect()
}

fn assignment_work(a: &Assignment, value: &dyn Fn(Param) -> Option<i64>) -> Option<u64> {
    let mut points: u64 = 1;
    for r in a.space.ranges() {
        let n =
            end(&a.space, &r.hi, true, value)?.saturating_sub(end(&a.space, &r.lo, false, value)?);
        points = points.saturating_mul(u64::try_from(n.max(0)).ok()?);
    }
    let calls = a.exprs.ids().any(|e| matches!(a.exprs.get(e), Expr::Call { .. }));
    let each = a.exprs.len() as u64 + 1 + if calls { WORK_OF_CALL } else { 0 };
    Some(points.saturating_mul(each))
}

/// The least or largest value of a term over a space.
fn end(
    space: &Space,
    a: &Affine,
    upper: bool,
    value: &dyn Fn(Param) -> Option<i64>,
) -> Option<i64> {
    let mut total = a.offset().eval(value)?;
    for (dim, c) in a.terms() {
        let most = (*c > 0) == upper;
        let v = match dim {
            Dim::Iter(i) => {
                let r = space.range(*i)?;
                if most {
                    end(space, &r.hi, true, value)?.saturating_sub(1)
                } else {
                    end(space, &r.lo, false, value)?
                }
            }
            Dim::Div(x, s) => end(space, x, most, value)?.checked_div_euclid(s.eval(value)?)?,
            Dim::Mod(_, s) if most => s.eval(value)?.saturating_sub(1),
            Dim::Mod(..) => 0,
        };
        total = total.saturating_add(v.saturating_mul(*c));
    }
    Some(total)
}
