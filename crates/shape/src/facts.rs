//! Facts of parameters, and cheap questions that they decide.

use crate::{Atom, Param, Size, size::Monomial};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A three-valued answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Always.
    Yes,
    /// Never.
    No,
    /// Not decided by this means: it may be either, or depend on parameters.
    Unknown,
}

/// Interval bounds of parameters. Extents of inputs are at least 0.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    bounds: BTreeMap<Param, (Option<i64>, Option<i64>)>,
}

/// The least and the largest value, where known.
type Interval = (Option<i128>, Option<i128>);

/// Sizes that a size is looked at as, each part of an extremum in its place.
const MOST_CHOICES: usize = 8;

/// The parts of the first extremum among other terms, if they are few; whether it is a largest one.
fn few_parts(s: &Size, most: usize) -> Option<(&Monomial, i128, &[Size], bool)> {
    let several = s.terms().len() > 1;
    s.terms().iter().filter(|_| several).find_map(|(m, c)| match m.as_slice() {
        [Atom::Max(parts)] if parts.len() <= most => Some((m, *c, parts.as_slice(), true)),
        [Atom::Min(parts)] if parts.len() <= most => Some((m, *c, parts.as_slice(), false)),
        _ => None,
    })
}

fn has_extremum_of_few(s: &Size) -> bool {
    s.terms().iter().any(|(m, _)| match m.as_slice() {
        [Atom::Max(parts) | Atom::Min(parts)] => parts.len() <= MOST_CHOICES,
        _ => false,
    })
}

/// A size with an extremum in it as the largest (`true`) or the smallest of some sizes, up to so
/// many: those with each part in the extremum's place.
fn choices(s: &Size, most: usize) -> Option<(bool, Vec<Size>)> {
    let (m, c, parts, is_max) = few_parts(s, most)?;
    let factor = Size::constant(i64::try_from(c).ok()?);
    let rest = s.minus(&Size::atom(m.first()?.clone()).times(&factor));
    Some((is_max == (c > 0), parts.iter().map(|p| rest.plus(&p.times(&factor))).collect()))
}

impl Facts {
    /// Nothing is known.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// Records `p >= n`.
    pub fn at_least(&mut self, p: Param, n: i64) {
        let lo = &mut self.bounds.entry(p).or_default().0;
        *lo = Some(lo.map_or(n, |m| m.max(n)));
    }

    /// Records `p <= n`.
    pub fn at_most(&mut self, p: Param, n: i64) {
        let hi = &mut self.bounds.entry(p).or_default().1;
        *hi = Some(hi.map_or(n, |m| m.min(n)));
    }

    /// Interval of a parameter: the least and the largest value, where known.
    pub fn param_bounds(&self, p: Param) -> (Option<i64>, Option<i64>) {
        self.bounds.get(&p).copied().unwrap_or_default()
    }

    /// Interval of a size: least and largest value, where known. By interval arithmetic, and with
    /// each part in the place of an extremum: `max(3 - n, 0) + n` is at least 3.
    pub fn bounds(&self, s: &Size) -> Interval {
        self.bounds_within(s, MOST_CHOICES)
    }

    fn bounds_within(&self, s: &Size, most: usize) -> Interval {
        let plain = self.plain_bounds(s, most);
        let Some((is_max, choices)) = choices(s, most) else { return plain };
        let inner = most / choices.len();
        let all = choices.iter().map(|c| self.bounds_within(c, inner));
        let (lo, hi) = extremum_of(is_max, all);
        (lo.max(plain.0), hi.into_iter().chain(plain.1).min())
    }

    fn plain_bounds(&self, s: &Size, most: usize) -> Interval {
        let constant = s.constant_term();
        let mut total = (Some(constant), Some(constant));
        for (m, c) in s.terms() {
            total = add(total, self.term_bounds(m, *c, most));
        }
        total
    }

    fn term_bounds(&self, m: &Monomial, c: i128, most: usize) -> Interval {
        let mut atoms = m.iter().map(|a| self.atom_bounds(a, most));
        let first = atoms.next().unwrap_or((Some(1), Some(1)));
        scale(c, atoms.fold(first, mul))
    }

    /// The bounds of `a - b`, which is made only where an extremum of few parts is in it.
    fn bounds_of_difference(&self, a: &Size, b: &Size) -> Interval {
        if [a, b].iter().any(|s| has_extremum_of_few(s)) {
            return self.bounds(&a.minus(b));
        }
        let constant = a.constant_term().saturating_sub(b.constant_term());
        let mut total = (Some(constant), Some(constant));
        let (mut a, mut b) = (a.terms().iter().peekable(), b.terms().iter().peekable());
        while total != (None, None) {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((m, _)), Some((n, _))) => m.cmp(n),
            };
            let left = if order.is_le() { a.next() } else { None };
            let right = if order.is_ge() { b.next() } else { None };
            let Some((m, _)) = left.or(right) else { break };
            let c = |term: Option<&(Monomial, i128)>| term.map_or(0, |t| t.1);
            total = add(total, self.term_bounds(m, c(left).saturating_sub(c(right)), MOST_CHOICES));
        }
        total
    }

    fn atom_bounds(&self, a: &Atom, most: usize) -> Interval {
        match a {
            Atom::Param(p) => {
                let (lo, hi) = self.param_bounds(*p);
                (lo.map(i128::from), hi.map(i128::from))
            }
            Atom::Div(a, b) => self.div_bounds(a, b, most),
            Atom::Mod(_, b) => match b.as_constant() {
                Some(b) if b > 0 => (Some(0), Some(i128::from(b) - 1)),
                _ => self.mod_bounds(b, most),
            },
            Atom::Max(parts) | Atom::Min(parts) => {
                // Extrema within each other share the choices: they would multiply.
                let inner = most / parts.len();
                let all = parts.iter().map(|s| self.bounds_within(s, inner));
                extremum_of(matches!(a, Atom::Max(_)), all)
            }
        }
    }

    fn mod_bounds(&self, by: &Size, most: usize) -> Interval {
        match self.bounds_within(by, most) {
            (Some(lo), hi) if lo > 0 => (Some(0), hi.map(|h| h - 1)),
            _ => (None, None),
        }
    }

    fn div_bounds(&self, a: &Size, b: &Size, most: usize) -> Interval {
        let (alo, ahi) = self.bounds_within(a, most);
        match b.as_constant() {
            Some(n) if n > 0 => {
                let n = i128::from(n);
                (alo.map(|v| v.div_euclid(n)), ahi.map(|v| v.div_euclid(n)))
            }
            _ => match (self.bounds_within(b, most).0, alo) {
                (Some(blo), Some(alo)) if blo > 0 && alo >= 0 => (Some(0), ahi),
                _ => (None, None),
            },
        }
    }

    /// Whether `s >= 0` for all parameter values within the facts.
    pub fn non_negative(&self, s: &Size) -> Verdict {
        at_least_zero(self.bounds(s))
    }

    /// Whether `a <= b`.
    pub fn le(&self, a: &Size, b: &Size) -> Verdict {
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            return if a <= b { Verdict::Yes } else { Verdict::No };
        }
        if a == b {
            return Verdict::Yes;
        }
        let direct = at_least_zero(self.bounds_of_difference(b, a));
        if direct != Verdict::Unknown {
            return direct;
        }
        if self.le_by_parts(a, b) { Verdict::Yes } else { Verdict::Unknown }
    }

    /// `max(..) <= b` holds if every part is; `a <= max(..)` if some part is; dually `min`.
    fn le_by_parts(&self, a: &Size, b: &Size) -> bool {
        let yes = |a: &Size, b: &Size| self.le(a, b) == Verdict::Yes;
        match (a.single_atom(), b.single_atom()) {
            (Some(Atom::Max(parts)), _) => parts.iter().all(|p| yes(p, b)),
            (_, Some(Atom::Min(parts))) => parts.iter().all(|p| yes(a, p)),
            (_, Some(Atom::Max(parts))) => parts.iter().any(|p| yes(a, p)),
            (Some(Atom::Min(parts)), _) => parts.iter().any(|p| yes(p, b)),
            _ => false,
        }
    }

    /// The smaller of two: one of them where that is known.
    pub fn smaller(&self, a: &Size, b: &Size) -> Size {
        match (self.le(a, b), self.le(b, a)) {
            (Verdict::Yes, _) => a.clone(),
            (_, Verdict::Yes) => b.clone(),
            _ => a.smaller(b),
        }
    }

    /// The larger of two: one of them where that is known.
    pub fn larger(&self, a: &Size, b: &Size) -> Size {
        match (self.le(a, b), self.le(b, a)) {
            (Verdict::Yes, _) => b.clone(),
            (_, Verdict::Yes) => a.clone(),
            _ => a.larger(b),
        }
    }

    /// Whether `a < b`.
    pub fn lt(&self, a: &Size, b: &Size) -> Verdict {
        self.le(&a.plus_const(1), b)
    }

    /// Whether `a == b`.
    pub fn equal(&self, a: &Size, b: &Size) -> Verdict {
        if a == b {
            return Verdict::Yes;
        }
        match self.bounds_of_difference(a, b) {
            (Some(lo), _) if lo > 0 => Verdict::No,
            (_, Some(hi)) if hi < 0 => Verdict::No,
            _ => Verdict::Unknown,
        }
    }
}

fn at_least_zero(b: Interval) -> Verdict {
    match b {
        (Some(lo), _) if lo >= 0 => Verdict::Yes,
        (_, Some(hi)) if hi < 0 => Verdict::No,
        _ => Verdict::Unknown,
    }
}

/// The bounds of the largest, or the smallest, of some sizes.
fn extremum_of(is_max: bool, all: impl Iterator<Item = Interval>) -> Interval {
    all.reduce(if is_max { larger } else { smaller }).unwrap_or_default()
}

/// The bounds of the larger of two: it is at least either, where that is known.
fn larger(a: Interval, b: Interval) -> Interval {
    // Nothing known is less than all numbers.
    (a.0.max(b.0), a.1.zip(b.1).map(|(x, y)| x.max(y)))
}

fn smaller(a: Interval, b: Interval) -> Interval {
    let least = a.1.into_iter().chain(b.1).min();
    (a.0.zip(b.0).map(|(x, y)| x.min(y)), least)
}

fn add(a: Interval, b: Interval) -> Interval {
    let sum = |x: Option<i128>, y: Option<i128>| x?.checked_add(y?);
    (sum(a.0, b.0), sum(a.1, b.1))
}

fn mul(a: Interval, b: Interval) -> Interval {
    let product = |x: Option<i128>, y: Option<i128>| x?.checked_mul(y?);
    match (a, b) {
        ((Some(n), Some(m)), other) | (other, (Some(n), Some(m))) if n == m => scale(n, other),
        ((Some(l), h), (Some(m), k)) if l >= 0 && m >= 0 => {
            (Some(l.saturating_mul(m)), product(h, k))
        }
        ((Some(_), Some(_)), (Some(_), Some(_))) => {
            let corners: Option<Vec<i128>> =
                [product(a.0, b.0), product(a.0, b.1), product(a.1, b.0), product(a.1, b.1)]
                    .into_iter()
                    .collect();
            match corners {
                Some(c) => (c.iter().min().copied(), c.iter().max().copied()),
                None => (None, None),
            }
        }
        _ => (None, None),
    }
}

fn scale(n: i128, b: Interval) -> Interval {
    let by = |x: Option<i128>| x?.checked_mul(n);
    match n {
        0 => (Some(0), Some(0)),
        1 => b,
        2.. => (by(b.0), by(b.1)),
        _ => (by(b.1), by(b.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_base::entity::EntityRef;

    #[test]
    fn normal_form_makes_equal_sizes_equal() {
        let (n, k) = (Size::param(Param::new(0)), Size::param(Param::new(1)));
        assert_eq!(n.plus(&k).minus(&n), k);
        assert_eq!(n.plus_const(1).times(&n.plus_const(-1)), n.times(&n).plus_const(-1));
        assert_eq!(n.larger(&n.plus_const(2)), n.plus_const(2));
        assert_eq!(n.scaled(4).floor_div(&2.into()), Some(n.scaled(2)));
    }

    #[test]
    fn facts_decide_what_intervals_decide() {
        let (n, k) = (Size::param(Param::new(0)), Size::param(Param::new(1)));
        let mut facts = Facts::new();
        facts.at_least(Param::new(0), 0);
        assert_eq!(facts.le(&0.into(), &n), Verdict::Yes);
        assert_eq!(facts.le(&n, &k), Verdict::Unknown);
        assert_eq!(facts.lt(&n.plus_const(3), &n), Verdict::No);
        assert_eq!(facts.le(&0.into(), &k.larger(&0.into())), Verdict::Yes);
        assert_eq!(facts.le(&n.smaller(&k), &n), Verdict::Yes);
    }
}
