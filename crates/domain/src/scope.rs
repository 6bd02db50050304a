//! Bounds of affine terms over nested ranges and guards, without a set library.
//!
//! An iterator is eliminated by putting an end of its range in its place, innermost
//! first, so that ranges which depend on outer iterators are respected. The answers are
//! bounds, not always exact: what they do not decide is unknown.

mod ends;

pub use ends::Ends;

use crate::bounds::End;
use crate::{Affine, Constraint, Iter, Range, Relation};
use weft_shape::{Facts, Size};

/// The ranges of iterators, outermost first, and the guards over them.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The ranges, in the order of nesting.
    pub ranges: Vec<Range>,
    /// Terms that are not negative at any point.
    pub guards: Vec<Affine>,
}

impl Scope {
    /// Adds what a guard says.
    pub fn add_guard(&mut self, g: &Constraint) {
        self.guards.push(g.term.clone());
        if g.relation == Relation::Zero {
            self.guards.extend(g.term.scaled(-1));
        }
    }

    /// A term that is at least `term` at every point and has no iterator of the scope.
    pub fn upper(&self, term: &Affine) -> Option<Affine> {
        Ends::new(self).eliminate(term, End::Upper)
    }

    /// A term that is at most `term` at every point and has no iterator of the scope.
    pub fn lower(&self, term: &Affine) -> Option<Affine> {
        Ends::new(self).eliminate(term, End::Lower)
    }

    /// Whether `term <= bound` at every point, as far as facts and guards show.
    pub fn at_most(&self, term: &Affine, bound: i128, facts: &Facts) -> bool {
        Ends::new(self).at_most(term, bound, facts)
    }

    /// Whether `term >= bound` at every point, as far as facts and guards show.
    pub fn at_least(&self, term: &Affine, bound: i128, facts: &Facts) -> bool {
        Ends::new(self).at_least(term, bound, facts)
    }

    /// The least number known that `term` does not exceed. One guard may help.
    pub fn size_upper(&self, term: &Affine, facts: &Facts) -> Option<i128> {
        Ends::new(self).size_upper(term, facts)
    }

    /// The largest number known that `term` does not fall below.
    pub fn size_lower(&self, term: &Affine, facts: &Facts) -> Option<i128> {
        Ends::new(self).size_lower(term, facts)
    }

    /// Whether an index lies in `0..extent` at every point.
    pub fn within(&self, index: &Affine, extent: &Size, facts: &Facts) -> bool {
        let above = index.plus_size(&extent.scaled(-1));
        let ends = Ends::new(self);
        ends.at_least(index, 0, facts) && ends.at_most(&above, -1, facts)
    }

    /// The scope with every iterator replaced. The range of an iterator that becomes one of
    /// those `is_free` names stays a range; of others it becomes guards.
    pub fn renamed(
        &self,
        replace: &dyn Fn(Iter) -> Affine,
        is_free: &dyn Fn(Iter) -> bool,
    ) -> Option<Scope> {
        let mut out = Scope::default();
        for r in &self.ranges {
            let (lo, hi) = (r.lo.compose(replace)?, r.hi.compose(replace)?);
            match replace(r.iter).as_iter().filter(|&i| is_free(i)) {
                Some(iter) => out.ranges.push(Range { iter, lo, hi }),
                None => out.add_range_guards(&replace(r.iter), &lo, &hi)?,
            }
        }
        for g in &self.guards {
            out.guards.push(g.compose(replace)?);
        }
        Some(out)
    }

    fn add_range_guards(&mut self, x: &Affine, lo: &Affine, hi: &Affine) -> Option<()> {
        self.guards.push(x.minus(lo)?);
        self.guards.push(hi.minus(x)?.plus_size(&Size::constant(-1)));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_base::entity::EntityRef;

    #[test]
    fn a_triangular_range_bounds_the_difference() {
        let (t, k) = (Iter::new(0), Iter::new(1));
        let scope = Scope {
            ranges: vec![
                Range { iter: t, lo: Affine::fixed(1), hi: Affine::fixed(10) },
                Range { iter: k, lo: Affine::fixed(0), hi: Affine::iter(t) },
            ],
            guards: Vec::new(),
        };
        let diff = Affine::iter(k).minus(&Affine::iter(t)).unwrap();
        assert_eq!(scope.size_upper(&diff, &Facts::new()), Some(-1));
        assert_eq!(scope.size_lower(&diff, &Facts::new()), Some(-9));
    }

    #[test]
    fn a_guard_helps() {
        let (i, j) = (Iter::new(0), Iter::new(1));
        let range = |iter| Range { iter, lo: Affine::fixed(0), hi: Affine::fixed(10) };
        let order = Affine::iter(j).minus(&Affine::iter(i)).unwrap();
        let scope = Scope {
            ranges: vec![range(i), range(j)],
            guards: vec![order.plus_size(&Size::constant(-1))],
        };
        let diff = Affine::iter(i).minus(&Affine::iter(j)).unwrap();
        assert_eq!(scope.size_upper(&diff, &Facts::new()), Some(-1));
    }
}
