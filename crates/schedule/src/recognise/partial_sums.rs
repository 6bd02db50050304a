//! In which order written and reduced loops run.

use super::contraction::is_direct;
use crate::analysis::{Context, View};
use crate::strategy::Refusal;
use weft_domain::{Affine, Iter, Range};
use weft_tensor::{Accumulator, Assignment, Expr, IndexTerm};

/// Where partial results of a reduction are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// In a local, one cell after the other.
    Cell,
    /// In the cells, so many of the written loops running inside the reduced ones.
    Cells(usize),
}

impl Context<'_> {
    /// The last written loop inside the reduced ones, where operands lie along it.
    pub fn partial_sums(
        &self,
        view: &View<'_>,
        outer: &[Range],
        reduced: &[Range],
    ) -> Result<Order, Refusal> {
        let a = view.assignment;
        let Some(range) = outer.last().filter(|r| prefers_interchange(a, r.iter)) else {
            return Err(Refusal::Foreign);
        };
        if !combines(view) || view.is_bound(range.iter) {
            return Err(Refusal::Foreign);
        }
        let uses = |x: &Affine| x.iters().contains(&range.iter);
        if reduced.iter().any(|r| uses(&r.lo) || uses(&r.hi)) {
            return Err(Refusal::DependentRanges);
        }
        Ok(Order::Cells(1))
    }
}

/// Whether partial results combine in their cells. Where a sum of integers leaves its type on
/// the way, a flag says so; what may fail is not looked at once `any` and `all` are settled.
fn combines(view: &View<'_>) -> bool {
    match view.assignment.accumulator {
        Accumulator::ExactSum(_) => true,
        Accumulator::All | Accumulator::Any => !view.may_fail(),
        other => is_direct(other),
    }
}

/// Whether an operand is contiguous along `last` and strided along a reduced iterator,
/// and none is contiguous along a reduced one alone.
fn prefers_interchange(a: &Assignment, last: Iter) -> bool {
    let reduced = a.reduced();
    let writes_last = a.write.last().and_then(IndexTerm::as_affine);
    if writes_last.is_none_or(|t| t.coefficient(last).abs() != 1) {
        return false;
    }
    let uses = |t: &IndexTerm, i: Iter| t.as_affine().is_some_and(|t| t.iters().contains(&i));
    let strided = a.exprs.ids().any(|e| match a.exprs.get(e) {
        Expr::Read { index, .. } => index.split_last().is_some_and(|(inner, outer)| {
            uses(inner, last)
                && !reduced.iter().any(|&k| uses(inner, k))
                && outer.iter().any(|t| reduced.iter().any(|&k| uses(t, k)))
        }),
        _ => false,
    });
    !reduced.is_empty() && strided
}
