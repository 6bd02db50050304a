//! One piece of a clause: cells that constraints name together, with what follows from these.
//!
//! What follows is kept, and grows with each constraint: the ranges that are left to the indices,
//! and a point. So a constraint costs the same behind a hundred others as behind none.

use super::condition::{Conjunction, opposites};
use super::hulls::{self, Hull};
use super::known::Known;
use super::points::{Point, find};
use super::regions::scope_region;
use crate::thir::{Clause, Slot};
use std::rc::Rc;
use weft_domain::{Constraint, Dim, End, Iter, Relation};
use weft_shape::{Atom, Size, Verdict};

/// What the questions about empty pieces of one definition may still cost. Pieces that are not
/// asked about are kept, as they may be.
pub(super) struct Effort(usize);

/// Some tenths of a second. A question to integer sets about `n` constraints costs their square,
/// as many times more as there are [`alternatives`] among them.
const EFFORT: usize = 60_000;

/// So many constraints are tried at a point in the time that a unit of effort is.
const TRIED_PER_UNIT: usize = 25;

impl Effort {
    pub fn new() -> Effort {
        Effort(EFFORT)
    }

    fn is_spent(&self) -> bool {
        self.0 == 0
    }

    fn lose(&mut self, cost: usize) {
        self.0 = self.0.saturating_sub(cost);
    }

    fn spend(&mut self, cost: usize) -> bool {
        let enough = cost <= self.0;
        if enough {
            self.0 -= cost;
        }
        enough
    }
}

/// What pieces are pieces of.
pub(super) struct Whole<'f, 'a> {
    pub known: &'f Known<'a>,
    pub slots: &'f [Slot],
    pub iters: &'f [Iter],
}

impl<'f, 'a> Whole<'f, 'a> {
    pub fn of(known: &'f Known<'a>, clause: &'f Clause) -> Whole<'f, 'a> {
        Whole { known, slots: &clause.slots, iters: &clause.iters }
    }
}

/// Constraints that hold together, and what follows from them.
#[derive(Clone)]
pub(super) struct Piece<'a> {
    all: Conjunction,
    /// With the ranges that the constraints leave.
    here: Known<'a>,
    hull: Hull,
    point: Option<Rc<Point>>,
    /// Whether it was made since it was last asked whether it is empty.
    is_new: bool,
    /// Whether all of its ranges were asked whether they have values.
    was_asked: bool,
}

impl<'a> Piece<'a> {
    pub fn new(whole: &Whole<'_, 'a>, all: Conjunction) -> Piece<'a> {
        let (here, _) = whole.known.narrowed(&all, whole.iters);
        let hull = hulls::hull(&here, whole.slots);
        Piece { all, here, hull, point: None, is_new: false, was_asked: false }
    }

    pub fn constraints(&self) -> &Conjunction {
        &self.all
    }

    pub fn into_constraints(self) -> Conjunction {
        self.all
    }

    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Whether cells that lie in a hull may be among its own.
    pub fn may_meet(&self, hull: &Hull) -> bool {
        hulls::meet(&self.hull, hull)
    }

    /// What is left without the cells at which constraints hold together.
    pub fn without(self, whole: &Whole<'_, 'a>, taken: &[Constraint]) -> Vec<Piece<'a>> {
        let verdicts: Vec<Verdict> = taken.iter().map(|c| holds(&self.here, c)).collect();
        if verdicts.contains(&Verdict::No) {
            return vec![self];
        }
        let open = taken.iter().zip(verdicts).filter(|(_, v)| *v != Verdict::Yes);
        let mut open = open.map(|(c, _)| c).peekable();
        let mut out = Vec::new();
        let mut inside = self;
        while let Some(c) = open.next() {
            let outside = opposites(c).into_iter().filter(|o| inside.may_be(whole, o));
            let mut outside: Vec<Constraint> = outside.collect();
            // What nobody looks at behind it is not copied.
            let last = if open.peek().is_none() { outside.pop() } else { None };
            out.extend(outside.into_iter().filter_map(|o| inside.clone().and(whole, o)));
            let next = match last {
                Some(last) => return out.into_iter().chain(inside.and(whole, last)).collect(),
                None if open.peek().is_some() && inside.may_be(whole, c) => {
                    inside.and(whole, c.clone())
                }
                None => None,
            };
            match next {
                Some(next) => inside = next,
                None => break,
            }
        }
        out
    }

    /// Whether a constraint may hold at some of its cells.
    fn may_be(&self, whole: &Whole<'_, 'a>, c: &Constraint) -> bool {
        [whole.known, &self.here].iter().all(|known| holds(known, c) != Verdict::No)
    }

    /// The cells at which one more constraint holds; `None` where there surely are none.
    fn and(mut self, whole: &Whole<'_, 'a>, c: Constraint) -> Option<Piece<'a>> {
        if self.all.iter().any(|k| implies(whole.known, k, &c)) {
            return Some(self);
        }
        let ends = ends_by(&self.here, &c, whole.iters);
        self.here = self.here.narrowed(std::slice::from_ref(&c), whole.iters).0;
        // Where an end is the largest or the smallest of many sizes only what is new is compared.
        let asked = |i: &&Iter| !self.was_asked || !has_long_ends(&self.here, **i);
        if ends || whole.iters.iter().filter(asked).any(|i| ends_at_once(&self.here, *i)) {
            return None;
        }
        self.was_asked = true;
        self.hull = hulls::hull(&self.here, whole.slots);
        self.point = self.point.filter(|p| p.meets(whole.known, &c));
        self.all.retain(|k| !implies(whole.known, &c, k));
        self.all.push(c);
        self.is_new = true;
        Some(self)
    }

    /// Whether it is found to be empty, within some effort. Only what is new can be.
    pub fn is_found_empty(&mut self, whole: &Whole<'_, 'a>, effort: &mut Effort) -> bool {
        if !std::mem::take(&mut self.is_new) || self.point.is_some() {
            return false;
        }
        if effort.is_spent() {
            return false;
        }
        let (point, tried) = find(&self.here, &self.all, whole.iters);
        effort.lose(1 + tried / TRIED_PER_UNIT);
        self.point = point.map(Rc::new);
        if self.point.is_some() {
            return false;
        }
        if !effort.spend(self.all.len() * self.all.len() * (1 + alternatives(&self.all))) {
            return false;
        }
        let region = scope_region(whole.known, whole.iters, &[], &self.all);
        region.is_some_and(|(r, _)| whole.known.sets().is_surely_empty(&r))
    }
}

/// Quotients, and sizes of which one is the largest or the smallest.
fn alternatives(piece: &[Constraint]) -> usize {
    let quotients = piece.iter().filter(|c| !c.term.is_affine()).count();
    let atoms = piece.iter().flat_map(|c| c.term.offset().terms()).flat_map(|(m, _)| m);
    let parts = atoms.map(|a| match a {
        Atom::Max(parts) | Atom::Min(parts) => parts.len() - 1,
        Atom::Param(_) | Atom::Div(..) | Atom::Mod(..) => 0,
    });
    quotients + parts.sum::<usize>()
}

/// Whether a constraint implies one of the same indices.
fn implies(known: &Known<'_>, strong: &Constraint, weak: &Constraint) -> bool {
    strong.relation == Relation::AtLeastZero
        && weak.relation == Relation::AtLeastZero
        && strong.term.terms() == weak.term.terms()
        && known.facts().le(strong.term.offset(), weak.term.offset()) == Verdict::Yes
}

/// Whether a constraint holds everywhere in the ranges as they are known.
pub(super) fn holds(known: &Known<'_>, c: &Constraint) -> Verdict {
    let facts = known.facts();
    let Some(lo) = known.bound(&c.term, End::Lower) else { return Verdict::Unknown };
    let at_least = facts.non_negative(&lo) == Verdict::Yes;
    if at_least && c.relation == Relation::AtLeastZero {
        return Verdict::Yes;
    }
    let Some(hi) = known.bound(&c.term, End::Upper) else { return Verdict::Unknown };
    match c.relation {
        _ if facts.lt(&hi, &0.into()) == Verdict::Yes => Verdict::No,
        Relation::Zero if at_least && facts.le(&hi, &0.into()) == Verdict::Yes => Verdict::Yes,
        Relation::Zero if facts.lt(&0.into(), &lo) == Verdict::Yes => Verdict::No,
        _ => Verdict::Unknown,
    }
}

/// Whether a constraint leaves no value of an index that it bounds by itself.
fn ends_by(known: &Known<'_>, c: &Constraint, iters: &[Iter]) -> bool {
    let [(Dim::Iter(i), factor @ (1 | -1))] = c.term.terms() else { return false };
    let Some((lo, hi)) = known.size_range(*i).filter(|_| iters.contains(i)) else { return false };
    let end = c.term.offset().scaled(-factor);
    let below = |a: &Size, b: &Size| known.facts().le(a, b) == Verdict::Yes;
    let both = c.relation == Relation::Zero;
    (both || *factor == 1) && below(hi, &end)
        || (both || *factor == -1) && below(&end.plus_const(1), lo)
}

/// Parts of the ends of a range that are compared with each other again and again.
const FEW_PARTS: usize = 4;

/// Whether the ends of an index are made of many sizes.
fn has_long_ends(known: &Known<'_>, i: Iter) -> bool {
    let parts = |s: &Size| match s.single_atom() {
        Some(Atom::Max(parts) | Atom::Min(parts)) => parts.len(),
        _ => 1,
    };
    known.size_range(i).is_some_and(|(lo, hi)| parts(lo).max(parts(hi)) > FEW_PARTS)
}

/// Whether an index surely has no value.
fn ends_at_once(known: &Known<'_>, i: Iter) -> bool {
    let Some((lo, hi)) = known.range(i) else { return false };
    match (known.bound(lo, End::Lower), known.bound(hi, End::Upper)) {
        (Some(lo), Some(hi)) => known.facts().le(&hi, &lo) == Verdict::Yes,
        _ => false,
    }
}
