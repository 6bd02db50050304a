//! Whether numbers that are indices stay in 64 bits, and sums of integers in the words that
//! they run in, with the extents of a call.
//!
//! Machine code computes them without a look; terms of extents and small numbers stay there
//! by far, and a range or a number from outside that is next to the end is found here.

use crate::routine::{Item, Plan};
use std::cell::Cell;
use std::collections::BTreeMap;
use weft_base::entity::PrimaryMap;
use weft_domain::{Affine, Constraint, Dim, End, Iter, Range, bounds};
use weft_scalar::ScalarType;
use weft_shape::{Param, Size};
use weft_tensor::reachable;
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, Exprs, IndexTerm};

/// The least and the greatest value.
pub(crate) type Interval = (i128, i128);

/// Terms of up to 32 bits, or halves of 64, that one word holds; and terms of one bit.
const MOST_TERMS: i128 = 1 << 31;
const MOST_COUNTED: i128 = 1 << 62;

/// A magnitude that 64 bits never hold.
const BEYOND: i128 = i128::MAX / 4;

/// The largest value of guards and addresses.
const ROOM: i64 = 1 << 62;

impl Plan {
    /// Whether every index that is used as a number is in 64 bits wherever its ranges lead.
    pub fn indices_fit(&self, params: &PrimaryMap<Param, i64>) -> bool {
        let nests = self.items.iter().flat_map(Item::nests);
        let value = |p: Param| params.get(p).copied();
        nests.into_iter().all(|n| {
            let a = &self.graph.assigns[n.assign];
            let ranges = Ranges::of(a, &value);
            ranges.indices_fit(a) && ranges.sums_fit(a)
        })
    }
}

/// The ranges of an assignment's iterators, where parameters have values.
pub(crate) struct Ranges<'a> {
    ranges: BTreeMap<Iter, &'a Range>,
    value: &'a dyn Fn(Param) -> Option<i64>,
}

impl<'a> Ranges<'a> {
    /// Those of the space and of nested reductions.
    pub fn of(a: &'a Assignment, value: &'a dyn Fn(Param) -> Option<i64>) -> Ranges<'a> {
        let mut ranges: BTreeMap<Iter, &Range> =
            a.space.ranges.iter().map(|r| (r.iter, r)).collect();
        for e in a.exprs.ids() {
            if let Expr::Reduce(r) = a.exprs.get(e) {
                ranges.extend(r.ranges.iter().map(|r| (r.iter, r)));
            }
        }
        Ranges { ranges, value }
    }

    fn indices_fit(&self, a: &Assignment) -> bool {
        let is_guarded = |g: &Constraint| self.has_room(&g.term);
        a.space.guards.iter().all(is_guarded)
            && reachable(a).into_iter().all(|e| match a.exprs.get(e) {
                Expr::Index(term) => self.fits(term, i64::MAX),
                Expr::Read { index, .. } => {
                    index.iter().filter_map(IndexTerm::as_affine).all(|term| self.has_room(term))
                }
                Expr::Reduce(r) => r.guards.iter().all(is_guarded),
                _ => true,
            })
    }

    /// Whether a term is in 64 bits with its parts moved to the other side of a comparison, as
    /// they are where guards become ends of loops.
    fn has_room(&self, term: &Affine) -> bool {
        self.fits(term, ROOM)
    }

    /// Whether a term, and what it divides, lie in `-most - 1..=most`.
    fn fits(&self, term: &Affine, most: i64) -> bool {
        let most = i128::from(most);
        let fits = |(lo, hi): Interval| lo >= -most - 1 && hi <= most;
        let inside = |(dim, _): &(Dim, i64)| match dim {
            Dim::Iter(_) => true,
            Dim::Div(inner, _) | Dim::Mod(inner, _) => self.has_room(inner),
        };
        self.interval(term).is_none_or(fits) && term.terms().iter().all(inside)
    }

    /// Whether no exact sum has more terms than its words are made for.
    fn sums_fit(&self, a: &Assignment) -> bool {
        let own = a.reduced();
        let outer = !matches!(a.accumulator, Accumulator::ExactSum(_))
            || self.holds_terms(&own, &a.exprs, a.body);
        let inner = |e: ExprId| match a.exprs.get(e) {
            Expr::Reduce(r) if matches!(r.accumulator, Accumulator::ExactSum(_)) => {
                let own: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
                self.holds_terms(&own, &a.exprs, r.body)
            }
            _ => true,
        };
        outer && reachable(a).into_iter().all(inner)
    }

    fn holds_terms(&self, reduced: &[Iter], exprs: &Exprs, body: ExprId) -> bool {
        let Some(terms) = self.count(reduced) else { return true };
        // A choice of constants, as what is counted, is small.
        let small = |e: &ExprId| match exprs.get(*e) {
            Expr::Const(v) => v.as_i64().is_some_and(|n| (0..=1).contains(&n)),
            Expr::Cast(_, x) => exprs.ty(*x) == ScalarType::Bool,
            _ => false,
        };
        let counts = match exprs.get(body) {
            Expr::If(_, x, y) => small(x) && small(y),
            _ => small(&body),
        };
        terms <= if counts { MOST_COUNTED } else { MOST_TERMS }
    }

    /// How many points some iterators have together, at most; nothing where they have none.
    pub fn count(&self, iters: &[Iter]) -> Option<i128> {
        let mut points: i128 = 1;
        for i in iters {
            let ((lo, hi), known) = self.interval_if_known(&Affine::iter(*i))?;
            // Two sizes that nobody knows are both beyond, and may be far apart.
            let own = if known { hi.saturating_sub(lo).saturating_add(1) } else { BEYOND };
            points = points.saturating_mul(own);
        }
        Some(points)
    }

    /// Whether each iterator surely has a value; nothing is said of ends that others move.
    pub fn never_empty(&self, iters: &[Iter]) -> bool {
        let end = |end: &Affine| end.as_size()?.eval(self.value);
        iters.iter().all(|i| {
            self.ranges
                .get(i)
                .is_some_and(|r| end(&r.lo).zip(end(&r.hi)).is_some_and(|(lo, hi)| lo < hi))
        })
    }

    /// Where a term lies; nothing where it has no value at all.
    pub fn interval(&self, term: &Affine) -> Option<Interval> {
        Some(self.interval_if_known(term)?.0)
    }

    /// The same, and whether all sizes have values: one that has none, or none in 64 bits, is
    /// beyond.
    fn interval_if_known(&self, term: &Affine) -> Option<(Interval, bool)> {
        let known = Cell::new(true);
        let size = |s: &Size| {
            let value = s.eval(self.value);
            known.set(known.get() && value.is_some());
            Some(value.map_or(BEYOND, i128::from))
        };
        let found = bounds::interval(self, term, &size).ok()?;
        Some((found, known.get()))
    }
}

impl bounds::Ranges for Ranges<'_> {
    fn end(&self, iter: Iter, end: End) -> Option<Affine> {
        Some(self.ranges.get(&iter)?.end(end))
    }
}
