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

/// A point of a piece, for some sizes within the facts.
pub(crate) struct Point {
    sizes: Sizes,
    at: Vec<(Iter, i64)>,
}

/// A choice of values for the sizes.
enum Sizes {
    /// Such that the constraints are likely to hold: which way each should go.
    Likely(BTreeMap<Param, i32>),
    /// Number so much of the typical ones.
    Typical(i64),
}

impl Sizes {
    fn value(&self, known: &Known<'_>, p: Param) -> i64 {
        let wanted = match self {
            Sizes::Likely(slopes) if slopes.get(&p).is_some_and(|s| *s < 0) => SMALL,
            Sizes::Likely(_) => LARGE,
            Sizes::Typical(choice) => typical_value(known.body(), p, *choice),
        };
        within_facts(known.facts(), p, wanted)
    }
}

impl Point {
    /// Whether a constraint holds at it.
    pub fn meets(&self, known: &Known<'_>, c: &Constraint) -> bool {
        let (iters, at): (Vec<Iter>, Vec<i64>) = self.at.iter().copied().unzip();
        let value = |p: Param| Some(self.sizes.value(known, p));
        meets(c, &iters, &at, &value)
    }
}

/// A point of a piece, if one is found with the ranges as the piece narrows them; and how many
/// constraints were tried.
pub(crate) fn find(
    here: &Known<'_>,
    piece: &[Constraint],
    iters: &[Iter],
) -> (Option<Point>, usize) {
    let choices = std::iter::once(Sizes::Likely(slopes(piece)));
    let mut tried = 0;
    for sizes in choices.chain((0..CHOICES).map(Sizes::Typical)) {
        let mut at = Vec::new();
        let value = |p: Param| Some(sizes.value(here, p));
        let (left, constraints) = (Cell::new(MOST_TRIES), Cell::new(0));
        let search = Search { known: here, piece, iters, value: &value, left, tried: constraints };
        let found = search.extends(&mut at);
        tried += search.tried.get();
        if found {
            let at = iters.iter().copied().zip(at).collect();
            return (Some(Point { sizes, at }), tried);
        }
    }
    (None, tried)
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
    /// Constraints that were.
    tried: Cell<usize>,
}

impl Search<'_> {
    /// Whether some point begins with the coordinates `at`, which are then all of it.
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
            if !found {
                at.pop();
            }
            found
        })
    }

    fn all_hold(&self, at: &[i64]) -> bool {
        self.piece.iter().all(|c| {
            self.tried.set(self.tried.get() + 1);
            meets(c, self.iters, at, self.value)
        })
    }

    fn number(&self, term: &Affine, at: &[i64]) -> Option<i64> {
        number(term, self.iters, at, self.value)
    }
}

fn meets(c: &Constraint, iters: &[Iter], at: &[i64], value: &dyn Fn(Param) -> Option<i64>) -> bool {
    match (number(&c.term, iters, at, value), c.relation) {
        (Some(n), Relation::AtLeastZero) => n >= 0,
        (Some(n), Relation::Zero) => n == 0,
        (None, _) => false,
    }
}

/// The value of a term that uses no index but the first ones.
fn number(
    term: &Affine,
    iters: &[Iter],
    at: &[i64],
    value: &dyn Fn(Param) -> Option<i64>,
) -> Option<i64> {
    let place = |i: Iter| iters.iter().position(|j| *j == i).filter(|n| *n < at.len());
    if term.iters().iter().any(|i| place(*i).is_none()) {
        return None;
    }
    let iter = |i: Iter| place(i).map_or(0, |n| at[n]);
    term.eval(&iter, &|s: &Size| s.eval(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thir::{Body, IterInfo, ParamInfo, ParamOrigin};
    use weft_base::{FileId, Span};

    fn has_point(known: &Known<'_>, piece: &[Constraint], iters: &[Iter]) -> bool {
        let (here, _) = known.narrowed(piece, iters);
        let (point, _) = find(&here, piece, iters);
        let found = point.is_some();
        assert!(point.is_none_or(|p| piece.iter().all(|c| p.meets(known, c))));
        found
    }

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
