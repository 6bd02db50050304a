//! Points found by trial: a piece that has one is not empty, and nobody else need be asked.
//!
//! Integer sets take long over pieces of many constraints, and nearly all pieces that are asked
//! about have points. A few values of the sizes are tried: such that make the constraints likely
//! to hold, and typical ones. For each of them a few values of each index are.

use super::known::Known;
use super::regions::{typical_value, within_facts};
use std::cell::Cell;
use std::collections::BTreeMap;
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_shape::{Atom, Param, Size};

/// Choices of values for the sizes.
const CHOICES: i64 = 3;

/// Values that are tried of each index, by how many indices there are; two where there are more.
const TRIES: [i64; 4] = [64, 12, 5, 3];

/// Coordinates that are tried for one choice of sizes, of all points together.
const MOST_TRIES: u32 = 300;

/// Sizes that should be large, and such that should be small.
const LARGE: i64 = 40;
const SMALL: i64 = 1;

/// Whether a point of a piece was found, for some sizes within the facts.
pub(crate) fn has_point(known: &Known<'_>, piece: &[Constraint], iters: &[Iter]) -> bool {
    let (here, _) = known.narrowed(piece, iters);
    let slopes = slopes(piece);
    let likely = |p: Param| {
        let wanted = if slopes.get(&p).is_some_and(|s| *s < 0) { SMALL } else { LARGE };
        within_facts(known.facts(), p, wanted)
    };
    let search = |value: &dyn Fn(Param) -> Option<i64>| {
        let left = Cell::new(MOST_TRIES);
        Search { known: &here, piece, iters, value, left }.extends(&mut Vec::new())
    };
    let typical =
        |p: Param, choice| within_facts(known.facts(), p, typical_value(known.body(), p, choice));
    search(&|p| Some(likely(p))) || (0..CHOICES).any(|choice| search(&|p| Some(typical(p, choice))))
}

/// Which way each size should go for the constraints to hold: up, or down where it is negative.
fn slopes(piece: &[Constraint]) -> BTreeMap<Param, i32> {
    let mut out = BTreeMap::new();
    for c in piece.iter().filter(|c| c.relation == Relation::AtLeastZero) {
        for (monomial, factor) in c.term.offset().terms() {
            if let [Atom::Param(p)] = monomial.as_slice() {
                *out.entry(*p).or_default() += if *factor > 0 { 1 } else { -1 };
            }
        }
    }
    out
}

struct Search<'s> {
    /// With the ranges as the piece narrows them.
    known: &'s Known<'s>,
    piece: &'s [Constraint],
    iters: &'s [Iter],
    value: &'s dyn Fn(Param) -> Option<i64>,
    /// Coordinates that may still be tried.
    left: Cell<u32>,
}

impl Search<'_> {
    /// Whether some point begins with the coordinates `at`.
    fn extends(&self, at: &mut Vec<i64>) -> bool {
        let Some(next) = self.iters.get(at.len()) else { return self.all_hold(at) };
        let Some((lo, hi)) = self.known.range(*next) else { return false };
        let (Some(lo), Some(hi)) = (self.number(lo, at), self.number(hi, at)) else { return false };
        let tries = TRIES.get(self.iters.len() - 1).copied().unwrap_or(2);
        let Some(count) = hi.checked_sub(lo).filter(|n| *n > 0) else { return false };
        let step = (count / tries).max(1);
        (0..tries.min(count)).any(|n| {
            let Some(left) = self.left.get().checked_sub(1) else { return false };
            self.left.set(left);
            at.push(lo + n * step);
            let found = self.extends(at);
            at.pop();
            found
        })
    }

    fn all_hold(&self, at: &[i64]) -> bool {
        self.piece.iter().all(|c| match (self.number(&c.term, at), c.relation) {
            (Some(n), Relation::AtLeastZero) => n >= 0,
            (Some(n), Relation::Zero) => n == 0,
            (None, _) => false,
        })
    }

    /// The value of a term that uses no index but the first ones.
    fn number(&self, term: &Affine, at: &[i64]) -> Option<i64> {
        let place = |i: Iter| self.iters.iter().position(|j| *j == i).filter(|n| *n < at.len());
        if term.iters().iter().any(|i| place(*i).is_none()) {
            return None;
        }
        let iter = |i: Iter| place(i).map_or(0, |n| at[n]);
        term.eval(&iter, &|s: &Size| s.eval(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thir::{Body, IterInfo, ParamInfo, ParamOrigin};
    use weft_base::{FileId, Span};

    /// A body with as many indices over `0..end` as are asked for.
    fn body(count: usize, end: impl Fn(&mut Body) -> Size) -> (Body, Vec<Iter>) {
        let mut body = Body::default();
        let span = Span::new(FileId::from_u32(0), 0, 0);
        let mut index = |_| {
            let range = Some((Affine::fixed(0), Affine::fixed(end(&mut body))));
            body.iters.push(IterInfo { name: "i".into(), span, range, source: None })
        };
        let iters = (0..count).map(&mut index).collect();
        (body, iters)
    }

    fn at_least_zero(term: Affine) -> Constraint {
        Constraint { term, relation: Relation::AtLeastZero }
    }

    #[test]
    fn a_point_of_remainders_is_found_and_none_where_there_is_none() {
        let (body, iters) = body(1, |_| 10.into());
        let known = Known::of(&body);
        // i % n >= 1: 1 is such a point for all, and no number is for `n = 1`.
        let not_a_multiple = |n: i64| {
            at_least_zero(Affine::iter(iters[0]).modulo(&n.into()).plus_size(&(-1).into()))
        };
        let piece: Vec<Constraint> = (2..9).map(not_a_multiple).collect();
        assert!(has_point(&known, &piece, &iters));
        assert!(!has_point(&known, &[not_a_multiple(1)], &iters));
    }

    #[test]
    fn sizes_go_the_way_that_the_constraints_want() {
        let param = |body: &mut Body| {
            let span = Span::new(FileId::from_u32(0), 0, 0);
            let info = ParamInfo { name: "n".into(), span, origin: ParamOrigin::Input };
            Size::param(body.params.push(info))
        };
        let (body, iters) = body(2, param);
        let known = Known::of(&body);
        let [small, _] = [0, 1].map(Param::from_u32);
        // The first index goes as far as its own size, from the size of the second on.
        let from_second = Affine::iter(iters[0]).plus_size(&Size::param(small).scaled(-1));
        assert!(!has_point(&known, &[at_least_zero(from_second.clone())], &iters));
        let other = Affine::iter(iters[1]).plus_size(&Size::param(small).scaled(-1));
        assert!(has_point(&known, &[at_least_zero(other)], &iters));
    }

    #[test]
    fn many_indices_are_not_tried_together() {
        let (body, iters) = body(60, |_| 2.into());
        let known = Known::of(&body);
        let never = at_least_zero(Affine::iter(iters[59]).plus_size(&(-2).into()));
        let hidden = Affine::iter(iters[59]).modulo(&2.into()).plus_size(&(-2).into());
        assert!(!has_point(&known, &[never], &iters));
        assert!(!has_point(&known, &[at_least_zero(hidden)], &iters));
    }
}
