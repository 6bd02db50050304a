//! Elementwise nests that read along one axis and write along another.

use crate::analysis::{Context, View};
use crate::strategy::Refusal;
use weft_domain::{Affine, Iter, Range};
use weft_tensor::{Accumulator, Expr, ExprId, IndexTerm};

/// The most operands that are turned.
const MOST_TURNED: usize = 4;

/// Cells of a nest that are near without tiles.
const SMALL: i64 = 64 * 64;

/// A nest with transposed operands.
pub(crate) struct Transposition {
    pub around: Vec<Range>,
    /// Along which the operands lie.
    pub across: Range,
    /// Along which the target lies.
    pub along: Range,
    pub turned: Vec<ExprId>,
}

impl Context<'_> {
    /// The tiles that an elementwise nest needs, if it does.
    pub fn transposition(&self, view: &View<'_>) -> Result<Transposition, Refusal> {
        let a = view.assignment;
        let found = self.turned(view).ok_or(Refusal::Foreign)?;
        if !a.space.guards.is_empty() || a.mask.is_some() || !view.nest.tested.is_empty() {
            return Err(Refusal::Guarded);
        }
        if view.nodes.get(a.body).traps || view.nodes.any_statements {
            return Err(Refusal::Statements);
        }
        let taken = [found.across.iter, found.along.iter];
        let fixed = |x: &Affine| x.iters().iter().all(|i| !taken.contains(i));
        let boxed = |r: &Range| fixed(&r.lo) && fixed(&r.hi);
        if !a.space.ranges.iter().all(boxed) {
            return Err(Refusal::DependentRanges);
        }
        if self.is_small(&found) { Err(Refusal::Small) } else { Ok(found) }
    }

    fn turned(&self, view: &View<'_>) -> Option<Transposition> {
        let a = view.assignment;
        let loops = &a.space.ranges;
        (a.accumulator == Accumulator::Set && a.is_plainly_injective()).then_some(())?;
        let free = || loops.iter().filter(|r| !view.is_bound(r.iter));
        let range = |i: Iter| free().find(|r| r.iter == i).cloned();
        let along = range(a.write.last()?.as_affine()?.as_iter()?)?;
        let lies = |e: ExprId| self.lies_along(view, e, along.iter);
        let across = a.exprs.ids().find_map(|e| range(lies(e)?))?;
        let is_turned = |&e: &ExprId| lies(e) == Some(across.iter);
        let turned = a.exprs.ids().filter(is_turned).take(MOST_TURNED).collect();
        let taken = [across.iter, along.iter];
        let around = loops.iter().filter(|r| !taken.contains(&r.iter)).cloned().collect();
        Some(Transposition { around, across, along, turned })
    }

    /// The iterator along which a read lies in memory, if it moves by lines with `along`.
    fn lies_along(&self, view: &View<'_>, e: ExprId, along: Iter) -> Option<Iter> {
        let a = view.assignment;
        let Expr::Read { tensor, index, .. } = a.exprs.get(e) else { return None };
        let terms: Vec<&Affine> = index.iter().map(IndexTerm::as_affine).collect::<Option<_>>()?;
        let (last, others) = terms.split_last()?;
        let i = last.as_iter()?;
        let moves = |i: Iter| others.iter().any(|t| t.iters().contains(&i));
        let storage = &self.plan.storage[*tensor];
        let own = storage.buffer() != self.plan.storage[a.target].buffer();
        let node = view.nodes.get(e);
        let free = node.uses > 0 || e == a.body;
        let safe = free && !node.unsafe_loads && own && storage.window().is_none();
        (safe && i != along && moves(along) && !moves(i)).then_some(i)
    }

    /// Whether a nest is small by the extents that the routine is planned for.
    fn is_small(&self, t: &Transposition) -> bool {
        let count = |r: &Range| self.likely_count(&r.lo, &r.hi);
        let cells = count(&t.across).zip(count(&t.along)).map(|(m, n)| m.saturating_mul(n));
        cells.is_some_and(|n| n <= SMALL)
    }
}
