//! Elimination of iterators, with what the questions about one scope have in common found once:
//! the places of iterators, and the ends of ranges down to what is no iterator of the scope.

use super::Scope;
use crate::bounds::End;
use crate::{Affine, Dim, Iter};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use weft_shape::{Facts, Param};

/// Terms and guards over one scope.
pub struct Ends<'s> {
    scope: &'s Scope,
    /// The innermost range of each iterator.
    places: FxHashMap<Iter, usize>,
    /// Ranges that are linked by what their ends mention have the same number.
    linked: Vec<usize>,
    /// Whether the ends of each range mention outer iterators only.
    nested: bool,
    /// The ends of iterators without an iterator of the scope.
    found: RefCell<FxHashMap<(usize, End), Option<Affine>>>,
    guards: OnceCell<Vec<Guard<'s>>>,
}

/// A guard, and what tells whether it may help.
struct Guard<'s> {
    term: &'s Affine,
    /// The parts that iterators of the scope must be eliminated from; `None` where none occurs.
    open: Option<Open>,
}

/// A guard with iterators of the scope.
struct Open {
    support: Support,
    /// The end of the guard alone.
    upper: Option<Affine>,
}

/// Everything that may occur when iterators are eliminated.
#[derive(Default)]
struct Support {
    iters: Vec<Iter>,
    params: Vec<Param>,
}

impl Support {
    fn is_apart_from(&self, other: &Support) -> bool {
        let iters = self.iters.iter().all(|i| !other.iters.contains(i));
        iters && self.params.iter().all(|p| !other.params.contains(p))
    }
}

impl<'s> Ends<'s> {
    /// Nothing is asked yet.
    pub fn new(scope: &'s Scope) -> Ends<'s> {
        let ranges = &scope.ranges;
        let places: FxHashMap<Iter, usize> =
            ranges.iter().enumerate().map(|(place, r)| (r.iter, place)).collect();
        let mut linked: Vec<usize> = (0..ranges.len()).collect();
        let mut nested = places.len() == ranges.len();
        for (place, r) in ranges.iter().enumerate() {
            let mentioned = r.lo.iters().into_iter().chain(r.hi.iters());
            for &outer in mentioned.filter_map(|i| places.get(&i)) {
                nested &= outer < place;
                join(&mut linked, outer, place);
            }
        }
        for place in 0..linked.len() {
            linked[place] = root(&linked, place);
        }
        let (found, guards) = Default::default();
        Ends { scope, places, linked, nested, found, guards }
    }

    /// The term without iterators of the scope: at least, or at most, what it was.
    pub fn eliminate(&self, term: &Affine, end: End) -> Option<Affine> {
        let quotient = |d: &Dim| matches!(d, Dim::Div(a, _) | Dim::Mod(a, _) if self.uses(a));
        if !self.nested || term.terms().iter().any(|(d, _)| quotient(d)) {
            return self.eliminate_in_turn(term, end);
        }
        let mut total = Affine::fixed(term.offset().clone());
        // Iterators whose ranges are linked go together: they may cancel each other.
        let mut parts: Vec<(usize, Vec<(Iter, i64)>)> = Vec::new();
        for (d, c) in term.terms() {
            match d {
                Dim::Iter(i) if self.places.contains_key(i) => {
                    let link = self.linked[self.places[i]];
                    match parts.iter_mut().find(|(l, _)| *l == link) {
                        Some((_, part)) => part.push((*i, *c)),
                        None => parts.push((link, vec![(*i, *c)])),
                    }
                }
                d => total = total.plus(&Affine::dim(d.clone()).scaled(*c)?)?,
            }
        }
        for (_, part) in parts {
            total = total.plus(&self.end_of_part(&part, end)?)?;
        }
        Some(total)
    }

    fn end_of_part(&self, part: &[(Iter, i64)], end: End) -> Option<Affine> {
        if let [(i, c)] = part {
            return self.end_of(*i, if *c > 0 { end } else { end.other() })?.scaled(*c);
        }
        let sum = |total: Affine, (i, c): &(Iter, i64)| total.plus(&Affine::iter(*i).scaled(*c)?);
        let term = part.iter().try_fold(Affine::fixed(0), sum)?;
        self.eliminate_in_turn(&term, end)
    }

    /// An end of an iterator of the scope.
    fn end_of(&self, i: Iter, end: End) -> Option<Affine> {
        let place = self.places[&i];
        if let Some(known) = self.found.borrow().get(&(place, end)) {
            return known.clone();
        }
        let found = self.eliminate(&self.scope.ranges[place].end(end), end);
        self.found.borrow_mut().insert((place, end), found.clone());
        found
    }

    /// The same for any term, iterator by iterator, the innermost first.
    fn eliminate_in_turn(&self, term: &Affine, end: End) -> Option<Affine> {
        let mut term = self.without_quotients(term, end)?;
        for r in self.scope.ranges.iter().rev() {
            let c = term.coefficient(r.iter);
            if c == 0 {
                continue;
            }
            let by = r.end(if c > 0 { end } else { end.other() });
            let rest = term.minus(&Affine::iter(r.iter).scaled(c)?)?;
            term = self.without_quotients(&rest.plus(&by.scaled(c)?)?, end)?;
        }
        Some(term)
    }

    /// Quotients and remainders that use iterators of the scope, replaced by bounds.
    fn without_quotients(&self, term: &Affine, end: End) -> Option<Affine> {
        if term.is_affine() {
            return Some(term.clone());
        }
        let mut total = Affine::fixed(term.offset().clone());
        for (d, c) in term.terms() {
            let toward = if *c > 0 { end } else { end.other() };
            let new = match d {
                Dim::Div(a, s) if self.uses(a) => self.eliminate(a, toward)?.floor_div(s),
                Dim::Mod(a, s) if self.uses(a) => match toward {
                    End::Lower => Affine::fixed(0),
                    End::Upper => Affine::fixed(s.plus_const(-1)),
                },
                d => Affine::dim(d.clone()),
            };
            total = total.plus(&new.scaled(*c)?)?;
        }
        Some(total)
    }

    fn uses(&self, a: &Affine) -> bool {
        a.iters().iter().any(|i| self.places.contains_key(i))
    }

    /// The least number known that `term` does not exceed. One guard may help.
    pub fn size_upper(&self, term: &Affine, facts: &Facts) -> Option<i128> {
        let number = |a: &Affine| facts.bounds(a.as_size()?).1;
        let plain = self.eliminate(term, End::Upper);
        let support = OnceCell::new();
        let helped = self.guards().iter().filter_map(|g| match (&plain, &g.open) {
            // What has no iterator of the scope stays as it is.
            (Some(end), None) => opposite(end, g.term)
                .then(|| facts.bounds(&Affine::offset(end).plus(Affine::offset(g.term))).1)?,
            // What has nothing in common adds up.
            (Some(end), Some(open))
                if open.support.is_apart_from(support.get_or_init(|| self.support(term))) =>
            {
                number(end)?.checked_add(open.upper.as_ref().and_then(number)?)
            }
            _ => number(&self.eliminate(&term.plus(g.term)?, End::Upper)?),
        });
        helped.chain(plain.as_ref().and_then(number)).min()
    }

    /// The largest number known that `term` does not fall below.
    pub fn size_lower(&self, term: &Affine, facts: &Facts) -> Option<i128> {
        self.size_upper(&term.scaled(-1)?, facts).map(|n| -n)
    }

    /// Whether `term <= bound` at every point, as far as facts and guards show.
    pub fn at_most(&self, term: &Affine, bound: i128, facts: &Facts) -> bool {
        self.size_upper(term, facts).is_some_and(|n| n <= bound)
    }

    /// Whether `term >= bound` at every point, as far as facts and guards show.
    pub fn at_least(&self, term: &Affine, bound: i128, facts: &Facts) -> bool {
        term.scaled(-1).is_some_and(|t| self.at_most(&t, -bound, facts))
    }

    fn guards(&self) -> &[Guard<'s>] {
        let open = |g: &Affine| {
            self.uses(g)
                .then(|| Open { support: self.support(g), upper: self.eliminate(g, End::Upper) })
        };
        self.guards.get_or_init(|| {
            self.scope.guards.iter().map(|term| Guard { term, open: open(term) }).collect()
        })
    }

    /// Iterators and parameters of a term, and those of their ranges.
    fn support(&self, term: &Affine) -> Support {
        let mut support = Support { iters: term.iters(), params: term.params() };
        let mut at = 0;
        while let Some(i) = support.iters.get(at) {
            if let Some(&place) = self.places.get(i) {
                let r = &self.scope.ranges[place];
                for a in [&r.lo, &r.hi] {
                    support.params.extend(a.params());
                    let new = a.iters().into_iter().filter(|i| !support.iters.contains(i));
                    let new: Vec<Iter> = new.collect();
                    support.iters.extend(new);
                }
            }
            at += 1;
        }
        support
    }
}

/// Whether nothing but sizes is left of `a + b`.
fn opposite(a: &Affine, b: &Affine) -> bool {
    let (a, b) = (a.terms(), b.terms());
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0 && x.1.checked_neg() == Some(y.1))
}

/// The first of the places that are linked with one.
fn root(linked: &[usize], place: usize) -> usize {
    let mut at = place;
    while linked[at] != at {
        at = linked[at];
    }
    at
}

fn join(linked: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(linked, a), root(linked, b));
    linked[a.max(b)] = a.min(b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Range;
    use weft_base::entity::EntityRef;
    use weft_shape::Size;

    /// One question, from the beginning: iterators in turn, each guard beside the term.
    fn in_turn(scope: &Scope, term: &Affine, facts: &Facts) -> Option<i128> {
        let ends = Ends::new(scope);
        let number = |t: &Affine| facts.bounds(ends.eliminate_in_turn(t, End::Upper)?.as_size()?).1;
        let helped = scope.guards.iter().filter_map(|g| number(&term.plus(g)?));
        helped.chain(number(term)).min()
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }

        fn size(&mut self) -> Size {
            let n = Size::constant(self.below(9) as i64 - 3);
            match self.below(4) {
                0 => n.plus(&Size::param(Param::new(self.below(3) as usize)).scaled(self.sign())),
                _ => n,
            }
        }

        fn sign(&mut self) -> i64 {
            [1, -1, 2][self.below(3) as usize]
        }

        /// A term over iterators below `iters`, some of them in quotients.
        fn term(&mut self, iters: u64, depth: u64) -> Affine {
            let mut total = Affine::fixed(self.size());
            for _ in 0..self.below(4).min(iters) {
                let i = Affine::iter(Iter::new(self.below(iters) as usize));
                let by = Size::constant(2 + self.below(2) as i64);
                let d = match self.below(8) {
                    0 if depth > 0 => self.term(iters, depth - 1).floor_div(&by),
                    1 if depth > 0 => self.term(iters, depth - 1).modulo(&by),
                    _ => i,
                };
                let sign = self.sign();
                total = d.scaled(sign).and_then(|d| total.plus(&d)).unwrap_or(total);
            }
            total
        }

        /// Ranges of the iterators from the third on; the first two are free.
        fn scope(&mut self) -> Scope {
            let mut scope = Scope::default();
            // At times a range mentions what lies inside it, or stands twice.
            let wild = self.below(4) == 0;
            for k in 2..2 + self.below(6) {
                let mentioned = match self.below(3) {
                    0 if wild => 8,
                    0 | 1 => k,
                    _ => 2,
                };
                let iter = Iter::new(if wild && self.below(4) == 0 { 2 } else { k as usize });
                let depth = u64::from(!wild);
                let (lo, hi) = (self.term(mentioned, depth), self.term(mentioned, depth));
                scope.ranges.push(Range { iter, lo, hi });
            }
            for _ in 0..self.below(5) {
                scope.guards.push(self.term(8, 1));
            }
            scope
        }
    }

    #[test]
    fn what_is_found_once_is_what_is_found_in_turn() {
        let mut random = Random(7);
        let mut facts = Facts::new();
        facts.at_least(Param::new(0), 1);
        facts.at_most(Param::new(0), 6);
        facts.at_least(Param::new(1), 0);
        let mut known = 0;
        for _ in 0..20_000 {
            let scope = random.scope();
            let ends = Ends::new(&scope);
            for _ in 0..4 {
                let term = random.term(8, 2);
                let expected = in_turn(&scope, &term, &facts);
                assert_eq!(ends.size_upper(&term, &facts), expected, "{term} in {scope:?}");
                known += i32::from(expected.is_some());
            }
        }
        assert!(known > 10_000, "{known} answers");
    }
}
