//! Facts of parameters, and cheap questions that they decide.

use crate::{Atom, Param, Size};
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

/// Extrema of a size that their parts are put in the places of.
const MOST_EXTREMA: usize = 3;

/// The bounds of the largest, or the smallest, of some sizes.
fn extremum_of(is_max: bool, all: &[Interval]) -> Interval {
    let (los, his) = (all.iter().map(|b| b.0), all.iter().map(|b| b.1));
    match is_max {
        true => (los.flatten().max(), his.collect::<Option<Vec<_>>>().and_then(largest)),
        false => (los.collect::<Option<Vec<_>>>().and_then(smallest), his.flatten().min()),
    }
}

fn largest(all: Vec<i128>) -> Option<i128> {
    all.into_iter().max()
}

fn smallest(all: Vec<i128>) -> Option<i128> {
    all.into_iter().min()
}

/// A size with an extremum in it as the largest (`true`) or the smallest of some sizes: those
/// with each part in the extremum's place.
fn choices(s: &Size) -> Option<(bool, Vec<Size>)> {
    s.terms().iter().find_map(|(m, c)| {
        let [atom @ (Atom::Max(parts) | Atom::Min(parts))] = m.as_slice() else { return None };
        let factor = Size::constant(i64::try_from(*c).ok()?);
        let rest = s.minus(&Size::atom(atom.clone()).times(&factor));
        let is_max = matches!(atom, Atom::Max(_)) == (*c > 0);
        Some((is_max, parts.iter().map(|p| rest.plus(&p.times(&factor))).collect()))
    })
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

    /// Bounds of a parameter: the least and the largest value, where known.
    pub fn param_bounds(&self, p: Param) -> (Option<i64>, Option<i64>) {
        self.bounds.get(&p).copied().unwrap_or_default()
    }

    /// Bounds of a size: least and largest value, where known. By interval arithmetic, and with
    /// each part in the place of an extremum: `max(3 - n, 0) + n` is at least 3.
    pub fn bounds(&self, s: &Size) -> Interval {
        self.bounds_within(s, MOST_EXTREMA)
    }

    fn bounds_within(&self, s: &Size, extrema: usize) -> Interval {
        let plain = self.term_bounds(s);
        let Some(inner) = extrema.checked_sub(1) else { return plain };
        let Some((is_max, choices)) = choices(s) else { return plain };
        let all: Vec<Interval> = choices.iter().map(|c| self.bounds_within(c, inner)).collect();
        let (lo, hi) = extremum_of(is_max, &all);
        (lo.max(plain.0), hi.map_or(plain.1, |hi| Some(plain.1.map_or(hi, |p| p.min(hi)))))
    }

    fn term_bounds(&self, s: &Size) -> Interval {
        let constant = s.constant_term();
        let mut total = (Some(constant), Some(constant));
        for (m, c) in s.terms() {
            let product = m.iter().fold((Some(1), Some(1)), |p, a| mul(p, self.atom_bounds(a)));
            total = add(total, mul((Some(*c), Some(*c)), product));
        }
        total
    }

    fn atom_bounds(&self, a: &Atom) -> (Option<i128>, Option<i128>) {
        match a {
            Atom::Param(p) => {
                let (lo, hi) = self.param_bounds(*p);
                (lo.map(i128::from), hi.map(i128::from))
            }
            Atom::Div(a, b) => self.div_bounds(a, b),
            Atom::Mod(_, b) => match b.as_constant() {
                Some(b) if b > 0 => (Some(0), Some(i128::from(b) - 1)),
                _ => self.mod_bounds(b),
            },
            Atom::Max(parts) | Atom::Min(parts) => {
                let all: Vec<Interval> = parts.iter().map(|s| self.bounds(s)).collect();
                extremum_of(matches!(a, Atom::Max(_)), &all)
            }
        }
    }

    fn mod_bounds(&self, by: &Size) -> (Option<i128>, Option<i128>) {
        match self.bounds(by) {
            (Some(lo), hi) if lo > 0 => (Some(0), hi.map(|h| h - 1)),
            _ => (None, None),
        }
    }

    fn div_bounds(&self, a: &Size, b: &Size) -> (Option<i128>, Option<i128>) {
        let (alo, ahi) = self.bounds(a);
        match b.as_constant() {
            Some(n) if n > 0 => {
                let n = i128::from(n);
                (alo.map(|v| v.div_euclid(n)), ahi.map(|v| v.div_euclid(n)))
            }
            _ => match (self.bounds(b).0, alo) {
                (Some(blo), Some(alo)) if blo > 0 && alo >= 0 => (Some(0), ahi),
                _ => (None, None),
            },
        }
    }

    /// Whether `s >= 0` for all parameter values within the facts.
    pub fn non_negative(&self, s: &Size) -> Verdict {
        match self.bounds(s) {
            (Some(lo), _) if lo >= 0 => Verdict::Yes,
            (_, Some(hi)) if hi < 0 => Verdict::No,
            _ => Verdict::Unknown,
        }
    }

    /// Whether `a <= b`.
    pub fn le(&self, a: &Size, b: &Size) -> Verdict {
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            return if a <= b { Verdict::Yes } else { Verdict::No };
        }
        let direct = self.non_negative(&b.minus(a));
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
        match self.bounds(&a.minus(b)) {
            (Some(lo), _) if lo > 0 => Verdict::No,
            (_, Some(hi)) if hi < 0 => Verdict::No,
            _ => Verdict::Unknown,
        }
    }
}

type Bounds = (Option<i128>, Option<i128>);

fn add(a: Bounds, b: Bounds) -> Bounds {
    let sum = |x: Option<i128>, y: Option<i128>| x?.checked_add(y?);
    (sum(a.0, b.0), sum(a.1, b.1))
}

fn mul(a: Bounds, b: Bounds) -> Bounds {
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

fn scale(n: i128, b: Bounds) -> Bounds {
    let by = |x: Option<i128>| x?.checked_mul(n);
    match n {
        0 => (Some(0), Some(0)),
        1.. => (by(b.0), by(b.1)),
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
