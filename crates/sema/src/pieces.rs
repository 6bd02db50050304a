//! Clause pieces: what each clause defines once later clauses have taken their cells.
//!
//! Subtraction is by constraints (`A \ {c₁, c₂}` is `A ∧ ¬c₁` and `A ∧ c₁ ∧ ¬c₂`), so it
//! needs no decision about symbolic sizes; pieces that are empty for certain are dropped,
//! by intervals or, failing that, by integer sets.

use crate::bounds::negated;
use crate::checker::Checker;
use crate::condition::{Cond, condition};
use crate::hir::{Clause, Slot};
use crate::regions::Extent;
use std::rc::Rc;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Answer, Constraint, Iter, Region, Relation};
use weft_shape::{Size, Verdict};

/// Pieces of one clause are capped; beyond that the definition is refused.
const MOST_PIECES: usize = 256;

/// Guards that split a clause into more pieces are tested at each cell instead.
const MOST_GUARD_PIECES: usize = 4;

/// The least and the largest of some numbers.
type Interval = (i128, i128);

/// A conjunction.
type Conjunction = Vec<Constraint>;

impl Checker<'_> {
    /// Gives every clause its pieces; returns whether together they cover `extents`.
    pub fn resolve_pieces(&mut self, clauses: &mut [Clause], extents: &[Size]) -> bool {
        for clause in clauses.iter_mut() {
            let own = guard_pieces(clause);
            clause.masked = own.is_none();
            clause.pieces = own.unwrap_or_else(|| vec![Vec::new()]);
            self.cut_at_zero(clause);
        }
        let boxes: Vec<Vec<Interval>> = clauses.iter().map(|c| self.bounding_box(c)).collect();
        for earlier in 0..clauses.len() {
            for later in earlier + 1..clauses.len() {
                if clauses[earlier].pieces.is_empty() {
                    break;
                }
                if !are_apart(&boxes[earlier], &boxes[later]) {
                    self.take_away(clauses, earlier, later, extents);
                }
            }
        }
        if self.covers(clauses, extents) {
            return true;
        }
        let few = clauses.len() <= MOST_PIECES;
        self.muted == 0 && few && self.covers_by_sets(clauses, extents)
    }

    /// Leaves out what a clause would define below the first cell of an axis. Above the last
    /// one it defines nothing: extents reach as far as the clauses do.
    fn cut_at_zero(&self, clause: &mut Clause) {
        let inside = self.cells_from_zero_on(clause);
        if inside.iter().any(|c| self.holds(c) == Verdict::No) {
            clause.pieces.clear();
        }
        clause.pieces.iter_mut().for_each(|p| p.extend(inside.iter().cloned()));
    }

    /// That a clause's cells are none below the first, where its slots leave that open.
    pub fn cells_from_zero_on(&self, clause: &Clause) -> Conjunction {
        let inside = |term| Constraint { term, relation: Relation::AtLeastZero };
        let terms = coordinates(clause).into_iter().map(inside);
        terms.filter(|c| self.holds(c) != Verdict::Yes).collect()
    }

    /// The numbers between which the cells of a clause lie, by slot.
    fn bounding_box(&self, clause: &Clause) -> Vec<Interval> {
        let facts = &self.body().facts;
        let of_slot = |slot: &Slot| {
            let (lo, hi) = match slot {
                Slot::Fixed(s) => facts.bounds(s),
                Slot::Index(i) => match &self.body().iters[*i].range {
                    Some((lo, hi)) => {
                        let lo = lo.as_size().and_then(|s| facts.bounds(s).0);
                        let hi = hi.as_size().and_then(|s| facts.bounds(s).1);
                        (lo, hi.map(|n| n - 1))
                    }
                    None => (None, None),
                },
            };
            (lo.unwrap_or(i128::MIN), hi.unwrap_or(i128::MAX))
        };
        clause.slots.iter().map(of_slot).collect()
    }

    /// Takes the cells of a later clause from an earlier one.
    fn take_away(&mut self, clauses: &mut [Clause], earlier: usize, later: usize, e: &[Size]) {
        let coordinates = coordinates(&clauses[earlier]);
        let taken = self.domain(&clauses[later], &coordinates);
        let iters = clauses[earlier].iters.clone();
        let before = std::mem::take(&mut clauses[earlier].pieces);
        let mut pieces = before.clone();
        for part in &taken {
            pieces = self.subtract_all(pieces, part, &iters);
        }
        if pieces != before {
            self.drop_empty(&mut pieces, &before, &iters);
            self.lint_overlap(clauses, earlier, later, e);
        }
        if pieces.len() > MOST_PIECES {
            let (span, by) = (clauses[earlier].span, clauses[later].span);
            let headline = "later clauses cut a clause into more than 256 pieces";
            let d = Diagnostic::error(Code::E0507, headline)
                .primary(span, "each piece of this is a loop of its own")
                .secondary(by, "this clause is the one too many")
                .help("choose within one clause: `if i == j { 1 } else if i > n { 2 } else { 0 }`");
            self.report(d);
            pieces.clear();
        }
        clauses[earlier].pieces = pieces;
    }

    /// Drops new pieces that integer sets show to be empty.
    fn drop_empty(&mut self, pieces: &mut Vec<Conjunction>, old: &[Conjunction], iters: &[Iter]) {
        if self.muted > 0 {
            return;
        }
        let empty = |p: &Conjunction| {
            let region = self.scope_region(iters, &[], p);
            region.is_some_and(|(r, _)| self.sets().is_surely_empty(&r))
        };
        pieces.retain(|p| old.contains(p) || !empty(p));
    }

    /// A clause's domain, as a union of conjunctions of constraints on the coordinates of
    /// a cell. A masked clause takes all cells in its ranges: it answers for the earlier
    /// ones where it declines.
    fn domain(&self, clause: &Clause, coordinates: &[Affine]) -> Vec<Conjunction> {
        let ranges = self.ranges_at(clause, coordinates, &|_, _| true);
        let guards = self.guards_at(clause, coordinates);
        guards.into_iter().map(|g| ranges.iter().cloned().chain(g).collect()).collect()
    }

    /// The ranges of a clause's indices at a cell, and what fixed cells and repeated slots
    /// say; only what `keep` wants, by axis and slot.
    pub fn ranges_at(
        &self,
        clause: &Clause,
        coordinates: &[Affine],
        keep: &dyn Fn(usize, &Slot) -> bool,
    ) -> Conjunction {
        let mut out = Vec::new();
        let mut known: Vec<(Iter, Affine)> = Vec::new();
        let mut axes: Vec<usize> = Vec::new();
        for (axis, (slot, at)) in clause.slots.iter().zip(coordinates).enumerate() {
            match slot {
                Slot::Fixed(_) if !keep(axis, slot) => {}
                Slot::Fixed(s) => {
                    let term = at.plus_size(&s.scaled(-1));
                    out.push(Constraint { term, relation: Relation::Zero });
                }
                Slot::Index(i) => match known.iter().find(|(k, _)| k == i) {
                    Some((_, first)) => {
                        let term = at.minus(first).expect("coefficients are 1");
                        out.push(Constraint { term, relation: Relation::Zero });
                    }
                    None => {
                        known.push((*i, at.clone()));
                        axes.push(axis);
                    }
                },
            }
        }
        for ((i, coordinate), axis) in known.iter().zip(axes) {
            let Some((lo, hi)) = self.body().iters[*i].range.clone() else { continue };
            if !keep(axis, &Slot::Index(*i)) {
                continue;
            }
            let (lo, hi) = (lo.compose(&replacing(&known)), hi.compose(&replacing(&known)));
            let above = lo.and_then(|lo| coordinate.minus(&lo));
            let below = hi.and_then(|hi| hi.minus(coordinate)).map(|t| t.plus_size(&(-1).into()));
            for term in [above, below].into_iter().flatten() {
                out.push(Constraint { term, relation: Relation::AtLeastZero });
            }
        }
        out
    }

    /// A clause's guards at a cell, as disjoint conjunctions.
    pub fn guards_at(&self, clause: &Clause, coordinates: &[Affine]) -> Vec<Conjunction> {
        let known: Vec<(Iter, Affine)> = clause
            .slots
            .iter()
            .zip(coordinates)
            .filter_map(|(slot, at)| match slot {
                Slot::Index(i) => Some((*i, at.clone())),
                Slot::Fixed(_) => None,
            })
            .collect();
        let pieces = match clause.masked {
            true => vec![Vec::new()],
            false => guard_pieces(clause).unwrap_or_else(|| vec![Vec::new()]),
        };
        let at = |c: Constraint| {
            let term =
                c.term.compose(&replacing(&known)).expect("coefficients are those of before");
            Constraint { term, relation: c.relation }
        };
        pieces.into_iter().map(|p| p.into_iter().map(at).collect()).collect()
    }

    fn subtract_all(
        &mut self,
        pieces: Vec<Vec<Constraint>>,
        taken: &[Constraint],
        iters: &[Iter],
    ) -> Vec<Vec<Constraint>> {
        pieces.into_iter().flat_map(|p| self.subtract(p, taken, iters)).collect()
    }

    fn subtract(
        &mut self,
        piece: Vec<Constraint>,
        taken: &[Constraint],
        iters: &[Iter],
    ) -> Vec<Vec<Constraint>> {
        let verdicts: Vec<Verdict> =
            self.narrowed(&piece, iters, |this| taken.iter().map(|c| this.holds(c)).collect());
        if verdicts.contains(&Verdict::No) {
            return vec![piece];
        }
        let mut out = Vec::new();
        let mut inside = piece;
        for (c, verdict) in taken.iter().zip(verdicts) {
            if verdict == Verdict::Yes {
                continue;
            }
            for opposite in opposites(c) {
                let mut rest = inside.clone();
                rest.push(opposite);
                out.push(rest);
            }
            inside.push(c.clone());
        }
        out.retain(|p| !self.surely_empty(p, iters));
        out.into_iter().map(|p| self.without_implied(p)).collect()
    }

    /// A piece without the constraints that another one of the same indices implies.
    fn without_implied(&self, piece: Conjunction) -> Conjunction {
        let facts = &self.body().facts;
        let implies = |strong: &Constraint, weak: &Constraint| {
            strong.relation == Relation::AtLeastZero
                && weak.relation == Relation::AtLeastZero
                && strong.term.terms() == weak.term.terms()
                && facts.le(strong.term.offset(), weak.term.offset()) == Verdict::Yes
        };
        let mut kept: Conjunction = Vec::new();
        for c in piece {
            if !kept.iter().any(|k| implies(k, &c)) {
                kept.retain(|k| !implies(&c, k));
                kept.push(c);
            }
        }
        kept
    }

    /// Whether a constraint holds everywhere in the ranges as they stand.
    fn holds(&self, c: &Constraint) -> Verdict {
        let facts = &self.body().facts;
        let (Some(lo), Some(hi)) = (self.bound(&c.term, false), self.bound(&c.term, true)) else {
            return Verdict::Unknown;
        };
        let at_least = facts.non_negative(&lo) == Verdict::Yes;
        let negative = facts.lt(&hi, &0.into()) == Verdict::Yes;
        match c.relation {
            Relation::AtLeastZero if at_least => Verdict::Yes,
            Relation::Zero if at_least && facts.le(&hi, &0.into()) == Verdict::Yes => Verdict::Yes,
            _ if negative => Verdict::No,
            Relation::Zero if facts.lt(&0.into(), &lo) == Verdict::Yes => Verdict::No,
            _ => Verdict::Unknown,
        }
    }

    fn surely_empty(&mut self, piece: &[Constraint], iters: &[Iter]) -> bool {
        piece.iter().any(|c| self.holds(c) == Verdict::No)
            || self.narrowed(piece, iters, |this| iters.iter().any(|i| this.ends_at_once(*i)))
    }

    /// Whether an index surely has no value.
    fn ends_at_once(&self, i: Iter) -> bool {
        let Some((lo, hi)) = &self.body().iters[i].range else { return false };
        match (self.bound(lo, false), self.bound(hi, true)) {
            (Some(lo), Some(hi)) => self.body().facts.le(&hi, &lo) == Verdict::Yes,
            _ => false,
        }
    }

    /// Runs `f` with the ranges narrowed by a piece's constraints.
    fn narrowed<T>(
        &mut self,
        piece: &[Constraint],
        iters: &[Iter],
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if piece.is_empty() {
            return f(self);
        }
        let saved: Vec<_> = iters.iter().map(|i| self.body().iters[*i].range.clone()).collect();
        self.narrow_by(piece, iters);
        let result = f(self);
        for (i, range) in iters.iter().zip(saved) {
            self.cx().hir.iters[*i].range = range;
        }
        result
    }

    /// Whether the clauses cover the box `extents` for certain, by intervals.
    fn covers(&mut self, clauses: &[Clause], extents: &[Size]) -> bool {
        let (cells, _) = self.cells(extents, clauses[0].span);
        let coordinates: Vec<Affine> = cells.iter().map(|i| Affine::iter(*i)).collect();
        let mut left = vec![Vec::new()];
        for clause in clauses {
            for taken in self.domain(clause, &coordinates) {
                left = self.subtract_all(left, &taken, &cells);
            }
            if left.len() > MOST_PIECES {
                return false;
            }
        }
        left.is_empty()
    }

    fn covers_by_sets(&mut self, clauses: &[Clause], extents: &[Size]) -> bool {
        let (cells, whole) = self.cells(extents, clauses[0].span);
        let region = |c: &Clause| self.clause_region(c, &cells, Extent::Exact);
        let regions: Vec<Region> = clauses.iter().map(region).collect();
        match self.sets().covers(&regions, &whole) {
            Answer::Yes => true,
            Answer::No(_) => {
                self.lint_uncovered(clauses, &cells, &whole);
                false
            }
            Answer::Unknown => false,
        }
    }
}

/// Whether two boxes have no cell in common.
fn are_apart(a: &[Interval], b: &[Interval]) -> bool {
    a.iter().zip(b).any(|(x, y)| x.1 < y.0 || y.1 < x.0)
}

/// Replaces the indices that are known.
fn replacing(known: &[(Iter, Affine)]) -> impl Fn(Iter) -> Affine + '_ {
    |i| known.iter().find(|(k, _)| *k == i).map_or_else(|| Affine::iter(i), |(_, a)| a.clone())
}

/// A clause's guards as disjoint conjunctions; `None` where data decides, where they are
/// many, or where cells that fail have a value too.
pub(crate) fn guard_pieces(clause: &Clause) -> Option<Vec<Conjunction>> {
    if clause.otherwise.is_some() && !clause.guards.is_empty() {
        return None;
    }
    let mut all = vec![Vec::new()];
    for guard in &clause.guards {
        all = product(&all, &disjoint_pieces(&condition(guard), true)?)?;
    }
    Some(all)
}

/// Whether a clause's guards are one conjunction: it needs no tests where it is a fallback.
pub fn guards_are_flat(clause: &Clause) -> bool {
    guard_pieces(clause).is_some_and(|p| p.len() == 1)
}

/// A condition (or its opposite) as disjoint conjunctions.
fn disjoint_pieces(cond: &Rc<Cond>, holds: bool) -> Option<Vec<Conjunction>> {
    match (&**cond, holds) {
        (Cond::Data, _) => None,
        (Cond::Holds(term, relation), true) => {
            Some(vec![vec![Constraint { term: term.clone(), relation: *relation }]])
        }
        (Cond::Holds(term, relation), false) => {
            let c = Constraint { term: term.clone(), relation: *relation };
            Some(opposites(&c).into_iter().map(|c| vec![c]).collect())
        }
        (Cond::Not(c), _) => disjoint_pieces(c, !holds),
        (Cond::And(a, b), true) | (Cond::Or(a, b), false) => {
            product(&disjoint_pieces(a, holds)?, &disjoint_pieces(b, holds)?)
        }
        // a or b: a, and where not a, b.
        (Cond::Or(a, b), true) | (Cond::And(a, b), false) => {
            let mut all = disjoint_pieces(a, holds)?;
            all.extend(product(&disjoint_pieces(a, !holds)?, &disjoint_pieces(b, holds)?)?);
            (all.len() <= MOST_GUARD_PIECES).then_some(all)
        }
    }
}

/// Every piece of one with every piece of the other.
fn product(a: &[Conjunction], b: &[Conjunction]) -> Option<Vec<Conjunction>> {
    if a.len() * b.len() > MOST_GUARD_PIECES {
        return None;
    }
    let both = |x: &Conjunction, y: &Conjunction| x.iter().chain(y).cloned().collect();
    Some(a.iter().flat_map(|x| b.iter().map(move |y| both(x, y))).collect())
}

/// A clause's cells in terms of its own indices.
fn coordinates(clause: &Clause) -> Vec<Affine> {
    let at = |s: &Slot| match s {
        Slot::Index(i) => Affine::iter(*i),
        Slot::Fixed(s) => Affine::fixed(s.clone()),
    };
    clause.slots.iter().map(at).collect()
}

/// The constraints whose union is the opposite of one.
fn opposites(c: &Constraint) -> Vec<Constraint> {
    match c.relation {
        Relation::AtLeastZero => negated(&c.term).into_iter().collect(),
        Relation::Zero => {
            let above = c.term.plus_size(&(-1).into());
            let above = Constraint { term: above, relation: Relation::AtLeastZero };
            negated(&c.term).into_iter().chain([above]).collect()
        }
    }
}
