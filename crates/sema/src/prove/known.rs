//! What proofs rest on: facts of sizes, and how far indices go.
//!
//! A condition narrows ranges for one question. The narrowed ranges lie over those of the
//! body, and so do those of cells, indices that the body does not have: the body itself stays
//! as it is.

use crate::thir::Body;
use weft_base::entity::EntityRef;
use weft_domain::bounds;
use weft_domain::{Affine, Constraint, Dim, End, Iter, Range, Ranges, Region, Relation, Sets};
use weft_shape::{Facts, Size};

/// The first value and one past the last.
type Ends = (Affine, Affine);

/// What is known of sizes and indices where a question is asked.
#[derive(Clone)]
pub(crate) struct Known<'a> {
    body: &'a Body,
    /// Ranges that are others here than in the body, or of indices that it does not have;
    /// once each.
    overlay: Vec<(Iter, Ends)>,
}

/// The cells of a tensor as points of indices that no body has.
pub(crate) struct Cells {
    /// An index for each axis.
    pub iters: Vec<Iter>,
    /// The box of all cells.
    pub whole: Region,
}

impl Cells {
    /// The indices as terms.
    pub fn coordinates(&self) -> Vec<Affine> {
        self.iters.iter().map(|i| Affine::iter(*i)).collect()
    }
}

impl<'a> Known<'a> {
    /// What a body says.
    pub fn of(body: &'a Body) -> Known<'a> {
        Known { body, overlay: Vec::new() }
    }

    /// The same with other ranges for some indices.
    pub fn with_ranges(mut self, ranges: &[(Iter, Ends)]) -> Known<'a> {
        ranges.iter().for_each(|(i, range)| self.set(*i, range.clone()));
        self
    }

    /// The body it is known of.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// What is known of sizes.
    pub fn facts(&self) -> &'a Facts {
        &self.body.facts
    }

    /// Questions for all sizes.
    pub fn sets(&self) -> Sets<'a> {
        Sets::new(self.facts())
    }

    /// The range of an index here.
    pub fn range(&self, i: Iter) -> Option<&Ends> {
        match self.overlay.iter().find(|(j, _)| *j == i) {
            Some((_, range)) => Some(range),
            None => self.body.iters.get(i)?.range.as_ref(),
        }
    }

    /// The range of an index, where it depends on no other index.
    pub fn size_range(&self, i: Iter) -> Option<(&Size, &Size)> {
        let (lo, hi) = self.range(i)?;
        Some((lo.as_size()?, hi.as_size()?))
    }

    /// The same where constraints hold, as far as each of them bounds one index of `scope`;
    /// whether all of them do.
    pub fn narrowed(&self, constraints: &[Constraint], scope: &[Iter]) -> (Known<'a>, bool) {
        let mut here = self.clone();
        let mut all = true;
        for c in constraints {
            match here.narrowed_range(c, scope) {
                Some((i, range)) => here.set(i, range),
                None => all = false,
            }
        }
        (here, all)
    }

    fn set(&mut self, i: Iter, range: Ends) {
        match self.overlay.iter_mut().find(|(j, _)| *j == i) {
            Some((_, old)) => *old = range,
            None => self.overlay.push((i, range)),
        }
    }

    /// The range that a constraint leaves to the one index it bounds.
    fn narrowed_range(&self, c: &Constraint, scope: &[Iter]) -> Option<(Iter, Ends)> {
        let [(Dim::Iter(i), factor @ (1 | -1))] = c.term.terms() else { return None };
        let (i, factor) = (*i, *factor);
        if !scope.contains(&i) {
            return None;
        }
        // factor·i + offset >= 0
        let end = || c.term.offset().scaled(-factor);
        let least = (factor == 1 || c.relation == Relation::Zero).then(end);
        let most = (factor == -1 || c.relation == Relation::Zero).then(end);
        let (lo, hi) = self.size_range(i)?;
        let lo = least.map_or_else(|| lo.clone(), |l| self.facts().larger(lo, &l));
        let hi = most.map_or_else(|| hi.clone(), |m| self.facts().smaller(hi, &m.plus_const(1)));
        Some((i, (Affine::fixed(lo), Affine::fixed(hi))))
    }

    /// The same with an index for each axis of a tensor, over the whole axis.
    pub fn with_cells(&self, extents: &[Size]) -> (Known<'a>, Cells) {
        let own = self.body.iters.len();
        let before = self.overlay.iter().filter(|(i, _)| i.index() >= own).count();
        let ranges: Vec<Range> = extents
            .iter()
            .enumerate()
            .map(|(axis, s)| Range {
                iter: Iter::new(own + before + axis),
                lo: Affine::fixed(0),
                hi: Affine::fixed(s.clone()),
            })
            .collect();
        let whole = Region::of_ranges(&ranges).expect("coefficients are 1");
        let mut here = self.clone();
        let iters = ranges.iter().map(|r| r.iter).collect();
        here.overlay.extend(ranges.into_iter().map(|r| (r.iter, (r.lo, r.hi))));
        (here, Cells { iters, whole })
    }

    /// The least (or largest) value of a term over the ranges of its indices; `None` where
    /// one has no range that would say it: what its range will be begins at 0, or behind it.
    pub fn bound(&self, a: &Affine, end: End) -> Option<Size> {
        bounds::bound(self, a, end)
    }

    /// The same in terms of an index that is left as it is, with the quotient it stands in.
    pub fn bound_over(&self, a: &Affine, end: End, kept: Iter) -> Option<Affine> {
        bounds::bound_over(self, a, end, &|i| i == kept)
    }

    /// Whether [`Known::bound`] is exact for a term: no quotients, no dependent ranges.
    pub fn bound_is_exact(&self, a: &Affine) -> bool {
        a.is_affine() && a.iters().iter().all(|i| self.size_range(*i).is_some())
    }
}

impl Ranges for Known<'_> {
    fn end(&self, iter: Iter, end: End) -> Option<Affine> {
        match (self.range(iter), end) {
            (Some((_, hi)), End::Upper) => Some(hi.plus_size(&(-1).into())),
            (Some((lo, _)), End::Lower) => Some(lo.clone()),
            // A range that is still to be found is cut at 0.
            (None, End::Lower) => Some(Affine::fixed(0)),
            (None, End::Upper) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thir::IterInfo;
    use weft_base::{FileId, Span};

    /// A body with one index, over `0..10`.
    fn body() -> (Body, Iter) {
        let mut body = Body::default();
        let range = Some((Affine::fixed(0), Affine::fixed(10)));
        let span = Span::new(FileId::from_u32(0), 0, 0);
        let i = body.iters.push(IterInfo { name: "i".into(), span, range, source: None });
        (body, i)
    }

    fn at_least_zero(term: Affine) -> Constraint {
        Constraint { term, relation: Relation::AtLeastZero }
    }

    #[test]
    fn a_condition_narrows_a_range_for_one_question() {
        let (body, i) = body();
        let known = Known::of(&body);
        let from_three = at_least_zero(Affine::iter(i).plus_size(&(-3).into()));
        let (here, all) = known.narrowed(std::slice::from_ref(&from_three), &[i]);
        assert!(all);
        assert_eq!(here.size_range(i), Some((&3.into(), &10.into())));
        assert_eq!(known.size_range(i), Some((&0.into(), &10.into())));
        let (here, all) = known.narrowed(&[from_three], &[]);
        assert!(!all, "an index that is not in scope is left alone");
        assert_eq!(here.size_range(i), Some((&0.into(), &10.into())));
    }

    #[test]
    fn cells_are_indices_that_the_body_does_not_have() {
        let (body, i) = body();
        let (here, cells) = Known::of(&body).with_cells(&[4.into(), 5.into()]);
        assert_eq!(cells.iters, [Iter::new(1), Iter::new(2)]);
        assert_eq!(here.size_range(cells.iters[1]), Some((&0.into(), &5.into())));
        assert_eq!(here.size_range(i), Some((&0.into(), &10.into())));
        let (_, more) = here.with_cells(&[6.into()]);
        assert_eq!(more.iters, [Iter::new(3)]);
    }
}
