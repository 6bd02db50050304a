//! Writes inside their tensors: shown once for all extents, or asked of the extents at
//! binding, before any machine code runs.
//!
//! Whoever makes assignments keeps to this (pieces are cut at the ends of their tensors,
//! lifted tensors have a cell for each value of an index). Here it is proved, since what runs
//! below has no other bounds of what it stores.

use crate::routine::Plan;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::entity::PrimaryMap;
use weft_depend::scope_of;
use weft_domain::Scope;
use weft_domain::{Affine, Bounds, Constraint, Range, Region, Sets, Space};
use weft_shape::{Facts, Param, Size, Verdict};
use weft_tensor::{AssignId, TensorId};

/// A term of a write whose place is not shown for all extents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenWrite {
    /// The assignment.
    pub assign: AssignId,
    /// The axis of its target.
    pub axis: usize,
}

impl Plan {
    /// The writes of its nests that facts and guards do not show to stay in their tensors.
    pub(crate) fn compute_open_writes(&self) -> Vec<OpenWrite> {
        let nests = self.items.iter().flat_map(|i| i.nests());
        let assigns: BTreeSet<AssignId> = nests.map(|n| n.assign).collect();
        let facts = &self.graph.facts;
        let mut open = Vec::new();
        for assign in assigns {
            let a = &self.graph.assigns[assign];
            let scope = scope_of(a);
            for (axis, (term, extent)) in a.write.iter().zip(self.graph.shape(a.target)).enumerate()
            {
                // A ring has a place for every step.
                let ring = self.storage[a.target].window().is_some_and(|(at, _)| at == axis);
                let shown = ring
                    || term.as_affine().is_some_and(|x| {
                        scope.within(x, extent, facts) || is_below(&scope, x, extent, facts)
                    });
                if !shown {
                    open.push(OpenWrite { assign, axis });
                }
            }
        }
        open
    }

    /// The first tensor that a write leaves with these parameters, or may leave.
    pub(crate) fn tensor_left(&self, params: &PrimaryMap<Param, i64>) -> Option<TensorId> {
        let known = |s: &Size| {
            s.eval(&|p| params.get(p).copied()).map_or_else(|| s.clone(), Size::constant)
        };
        let left = |w: &&OpenWrite| {
            let a = &self.graph.assigns[w.assign];
            let extent = self.graph.shape(a.target).nth(w.axis).map(known);
            let (Some(term), Some(extent)) = (a.write[w.axis].as_affine(), extent) else {
                return true;
            };
            let space = at_values(&a.space, &known);
            !stays_within(&space, &term.map_sizes(&known), &extent)
        };
        self.open_writes.iter().find(left).map(|w| self.graph.assigns[w.assign].target)
    }
}

/// Whether a term is shown to lie in `0..extent`, the ends compared as sizes: an extent that
/// is the larger of several ends is no number.
fn is_below(scope: &Scope, x: &Affine, extent: &Size, facts: &Facts) -> bool {
    let last = scope.upper(x).and_then(|t| t.as_size().cloned());
    scope.at_least(x, 0, facts) && last.is_some_and(|last| facts.lt(&last, extent) == Verdict::Yes)
}

fn at_values(space: &Space, known: &dyn Fn(&Size) -> Size) -> Space {
    let mut space = space.clone();
    for range in &mut space.ranges {
        let Range { lo, hi, .. } = range;
        (*lo, *hi) = (lo.map_sizes(known), hi.map_sizes(known));
    }
    for Constraint { term, .. } in &mut space.guards {
        *term = term.map_sizes(known);
    }
    space
}

/// Whether a term lies in `0..extent` at all points of a space of numbers.
fn stays_within(space: &Space, term: &Affine, extent: &Size) -> bool {
    let facts = Facts::new();
    let mut scope = Scope::default();
    scope.ranges.extend(space.ranges.iter().cloned());
    space.guards.iter().for_each(|g| scope.add_guard(g));
    if scope.within(term, extent, &facts) {
        return true;
    }
    let sets = Sets::with_values(&facts, BTreeMap::new());
    Region::of_space(space)
        .is_some_and(|region| sets.within(&region, term, extent) == Bounds::Inside)
}
