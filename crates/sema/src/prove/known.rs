//! What proofs rest on: facts of sizes, and how far indices go.
//!
//! A condition narrows ranges for one question. The narrowed ranges lie over those of the
//! body, and so do those of cells, indices that the body does not have: the body itself stays
//! as it is.

use super::solve::moving;
use crate::thir::Body;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Constraint, Dim, Iter, Range, Region, Relation, Sets};
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
    /// one has no range that would say it: what its range will be begins at 0, or behind it. Exact over boxes; an outer bound where ranges depend on each other.
    pub fn bound(&self, a: &Affine, upper: bool) -> Option<Size> {
        // Terms are sorted by index, and later indices depend on earlier ones only: taking
        // the last away first leaves no dependent range behind.
        Some(self.bound_over(a, upper, None)?.offset().clone())
    }

    /// The same in terms of an index that is left as it is, with the quotient it stands in.
    pub fn bound_over(&self, a: &Affine, upper: bool, kept: Option<Iter>) -> Option<Affine> {
        let mut a = a.clone();
        let mut of_kept = Affine::fixed(0);
        while !a.terms().is_empty() {
            let (rest, dim, c) = a.split_last()?;
            a = match kept {
                Some(k) if moving(&Affine::dim(dim.clone())).contains(&k) => {
                    let dim = match &dim {
                        Dim::Div(x, s) => self.bound_over(x, (c > 0) == upper, kept)?.floor_div(s),
                        _ => Affine::dim(dim),
                    };
                    of_kept = of_kept.plus(&dim.scaled(c)?)?;
                    rest
                }
                _ => rest.plus(&self.dim_bound(&dim, (c > 0) == upper)?.scaled(c)?)?,
            };
        }
        a.plus(&of_kept)
    }

    fn dim_bound(&self, dim: &Dim, upper: bool) -> Option<Affine> {
        match dim {
            Dim::Iter(i) => match (self.range(*i), upper) {
                (Some((_, hi)), true) => Some(hi.plus_size(&(-1).into())),
                (Some((lo, _)), false) => Some(lo.clone()),
                // A range that is still to be found is cut at 0.
                (None, false) => Some(Affine::fixed(0)),
                (None, true) => None,
            },
            Dim::Div(x, s) => Some(Affine::fixed(self.bound(x, upper)?.floor_div(s)?)),
            Dim::Mod(_, s) => Some(Affine::fixed(if upper { s.plus_const(-1) } else { 0.into() })),
        }
    }

    /// Whether [`Known::bound`] is exact for a term: no quotients, no dependent ranges.
    pub fn bound_is_exact(&self, a: &Affine) -> bool {
        a.is_affine() && a.iters().iter().all(|i| self.size_range(*i).is_some())
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
