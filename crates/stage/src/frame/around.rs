//! What surrounds a lifted definition: what is left of the conditions on the path to it.
//!
//! A definition that ignores an index is one for all its values, and so is computed where
//! the path is taken for some of them. For affine conditions that is again a conjunction of
//! such; else it takes a tensor of truth values over the indices that stay.

use super::Frame;
use crate::scope::Scopes;
use crate::scope::depend::Iters;
use crate::scope::path::Path;
use weft_domain::{Affine, Constraint, Iter, Relation, Space, project};
use weft_shape::{Facts, Verdict};

/// What the path to something says of the indices that it ignores.
pub(crate) enum Left {
    /// These conditions on the others.
    Affine(Vec<Constraint>),
    /// More than affine conditions on the others could.
    Data,
}

impl<'p> Frame<'p> {
    /// What is left of the path without some indices.
    pub fn left_without(&self, gone: &[Iter], scopes: &Scopes<'p>, facts: &Facts) -> Left {
        let mut ranges = Vec::new();
        for r in self.space.ranges.iter().filter(|r| gone.contains(&r.iter)) {
            let i = Affine::iter(r.iter);
            let below = r.hi.minus(&i).map(|t| t.plus_size(&(-1).into()));
            let (Some(above), Some(below)) = (i.minus(&r.lo), below) else { return Left::Data };
            let bound = |term| Constraint { term, relation: Relation::AtLeastZero };
            ranges.extend([bound(above), bound(below)]);
        }
        let mut all = ranges.clone();
        all.extend(self.space.guards.iter().filter(|g| is_over(&g.term, gone)).cloned());
        for p in self.path.iter().filter(|p| mentions(scopes, p, gone)) {
            match scopes.path_constraints(p) {
                Some(constraints) => all.extend(constraints),
                None => return Left::Data,
            }
        }
        let Some(left) = project(&all, gone) else { return Left::Data };
        // Whether a range is empty for all cells is not asked: where it is, nobody looks.
        let empty = project(&ranges, gone).unwrap_or_default();
        let says = |c: &Constraint| match c.term.as_size() {
            Some(s) => {
                let known =
                    c.relation == Relation::AtLeastZero && facts.non_negative(s) == Verdict::Yes;
                !known && !empty.contains(c)
            }
            None => true,
        };
        Left::Affine(left.into_iter().filter(says).collect())
    }

    /// The conditions that mention none of some indices; where others are a tensor's to say
    /// (`data`), only those that are affine, for that says what it says with all others.
    pub fn path_without(&self, gone: &[Iter], data: bool, scopes: &Scopes<'p>) -> Vec<Path<'p>> {
        let stays = |p: &&Path<'p>| {
            !mentions(scopes, p, gone) && (!data || scopes.path_constraints(p).is_some())
        };
        self.path.iter().filter(stays).cloned().collect()
    }

    /// The space of some indices, without the others.
    pub fn space_of(&self, kept: &Iters, gone: &[Iter]) -> Space {
        let mut space = self.space.clone();
        space.ranges.retain(|r| kept.contains(&r.iter));
        space.guards.retain(|g| !is_over(&g.term, gone));
        space
    }

    /// Which of some indices conditions mention that are not affine.
    pub fn needed_by_data(&self, gone: &[Iter], scopes: &Scopes<'p>) -> Iters {
        let data = self.path.iter().filter(|p| scopes.path_constraints(p).is_none());
        let mentioned = data.flat_map(|p| scopes.path_depends(p));
        mentioned.filter(|i| gone.contains(i)).collect()
    }

    /// Adds the iterators that ranges of kept ones mention.
    pub fn close(&self, kept: &mut Iters) {
        // Ranges mention earlier iterators only.
        let ranges: Vec<_> = self.space.ranges.iter().collect();
        for r in ranges.into_iter().rev() {
            if kept.contains(&r.iter) {
                kept.extend(r.lo.iters());
                kept.extend(r.hi.iters());
            }
        }
    }
}

/// Whether a condition depends on one of some indices.
fn mentions<'p>(scopes: &Scopes<'p>, p: &Path<'p>, gone: &[Iter]) -> bool {
    scopes.path_depends(p).iter().any(|i| gone.contains(i))
}

fn is_over(term: &Affine, gone: &[Iter]) -> bool {
    term.iters().iter().any(|i| gone.contains(i))
}
