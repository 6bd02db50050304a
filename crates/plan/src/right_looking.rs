//! Sums that are pushed: inside a recurrence, terms are added as soon as they are known.
//!
//! ```text
//! for j: s[j] = sum[k in 0..j](x[k] * U[k, j]);  x[j] = … s[j] …
//!   =>   s[..] = 0;  for k: x[k] = … s[k] …;  for j in k + 1..: s[j] += x[k] * U[k, j]
//! ```
//!
//! The order of the terms of a cell stays. It gains where one term of each cell lies beside
//! that of the next, and the terms of one cell do not: triangular factors by rows. Golub and
//! Van Loan, *Matrix Computations*, 3.2.9, have both forms of the elimination.

use crate::fuse::may_fail;
use crate::order::{Orderer, TimeAxes, UncarriedReads};
use crate::placed::Placed;
use crate::recurrence_groups::can_run_on;
use crate::routine::{Fill, FillValue, Item};
use crate::storage::is_covered;
use std::collections::BTreeMap;
use weft_depend::{Distance, Read};
use weft_domain::{Affine, Iter};
use weft_tensor::{AssignId, Assignment, ExprId, IndexTerm, TensorId};

/// The sums of a loop that it pushes, each with the reduced iterator that is the step.
pub(crate) type Pushed = BTreeMap<AssignId, Iter>;

impl Orderer<'_> {
    /// The sums that a loop along `axes` can push with gain. The outermost loop of a
    /// recurrence, which keeps windows of the rest, pushes vectors alone: they are small.
    pub fn scatter_form(
        &self,
        members: &[Placed],
        axes: &TimeAxes,
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        outermost: bool,
    ) -> Pushed {
        if axes.descending {
            return Pushed::new();
        }
        let small = |p: &&Placed| !outermost || self.pieces.get(p.id).write.len() == 1;
        let step = |p: &Placed| Some((p.id, self.scatter_step(p, members, axes, alive, used)?));
        members.iter().filter(small).filter_map(step).collect()
    }

    /// The reduced iterator along which the loop can push a sum.
    fn scatter_step(
        &self,
        p: &Placed,
        members: &[Placed],
        axes: &TimeAxes,
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Option<Iter> {
        let a = &self.graph.assigns[p.id];
        let cell = axes.time.get(&p.id)?.as_iter().filter(|&j| !p.fixes(j))?;
        let term = *a.reduced().first()?;
        let alone = self.graph.pieces(a.target).len() == 1;
        let exact = a.exprs.ty(a.body) == self.graph.tensors[a.target].elem;
        let filled = a.accumulator.is_sum() || is_covered(self.graph, a.target);
        let plain = alone && exact && filled && can_run_on(a.accumulator);
        let sliced = used.get(&a.target).is_none_or(|u| u.len() <= 1);
        if !plain || !sliced || may_fail(self.graph, a) || !lies_across(a, cell, term) {
            return None;
        }
        let now = Affine::iter(term);
        let scope = &self.pieces.get(p.id).scope;
        let ahead = Distance::compute(scope, &now, &Affine::iter(cell), &self.graph.facts);
        let known = |r: &Read| {
            let at = axes.axis.get(&r.tensor).map(|&axis| &r.index[axis]);
            let scope = self.pieces.get(p.id).scope_at(r);
            let there = |at| Distance::compute(&scope, at, &now, &self.graph.facts);
            !self.writes(members, r.tensor) || at.is_some_and(|at| there(at).is_ordered(false))
        };
        let legal = ahead.is_carried(false) && self.alive_reads(p.id, alive).all(known);
        legal.then_some(term)
    }

    /// Whether a read is of a pushed sum: complete before the step of its cell.
    pub fn reads_pushed(&self, p: AssignId, expr: ExprId, pushed: &Pushed) -> bool {
        let of = |r: &Read| pushed.keys().any(|&q| self.pieces.get(q).target == r.tensor);
        self.pieces.get(p).reads.iter().any(|r| r.expr == expr && of(r))
    }

    /// First values of pushed sums, before the loop.
    pub fn scatter_starts(
        &self,
        pushed: &Pushed,
        members: &[Placed],
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Vec<Item> {
        let start = |p: &Placed| {
            let a = &self.graph.assigns[p.id];
            let outer = used.get(&a.target).and_then(|u| u.first());
            let slice = outer.map(|&axis| {
                let at = a.write[axis].as_affine().expect("a time axis is affine");
                (axis, at.compose(&p.renaming()).expect("a step of an outer loop is small"))
            });
            let value = FillValue::Identity(a.accumulator);
            Item::Fill(Fill { target: a.target, value, slice, when: None })
        };
        members.iter().filter(|p| pushed.contains_key(&p.id)).map(start).collect()
    }
}

/// Whether the terms of one cell lie across memory, and those that neighbouring cells have
/// at one `term` side by side.
fn lies_across(a: &Assignment, cell: Iter, term: Iter) -> bool {
    let mentions = |t: &IndexTerm, i: Iter| t.as_affine().is_none_or(|t| t.iters().contains(&i));
    let mut across = false;
    for r in weft_tensor::reads(a) {
        let Some((last, before)) = r.index.split_last() else { continue };
        let moves = |i| r.index.iter().any(|t| mentions(t, i));
        if !moves(cell) {
            continue;
        }
        let beside = last.as_affine().is_some_and(|t| t.coefficient(cell).abs() == 1);
        if !beside || mentions(last, term) || before.iter().any(|t| mentions(t, cell)) {
            return false;
        }
        across |= before.iter().any(|t| mentions(t, term));
    }
    across
}
