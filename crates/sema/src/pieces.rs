//! Clause pieces: what each clause defines once later clauses have taken their cells.
//!
//! Subtraction is by constraints (`A \ {c₁, c₂}` is `A ∧ ¬c₁` and `A ∧ c₁ ∧ ¬c₂`), so it
//! needs no decision about symbolic sizes; pieces that are empty for certain are dropped.

use crate::bounds::{flatten, negated};
use crate::checker::Checker;
use crate::condition::condition;
use crate::hir::{Clause, Slot};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_shape::{Size, Verdict};

/// Pieces of one clause are capped; beyond that the definition is refused.
const MOST_PIECES: usize = 64;

impl Checker<'_> {
    /// Gives every clause its pieces; returns whether together they cover `extents`.
    pub fn resolve_pieces(&mut self, clauses: &mut [Clause], extents: &[Size]) -> bool {
        for clause in clauses.iter_mut() {
            let own = self.own_guards(clause);
            clause.masked = own.is_none();
            clause.pieces = vec![own.unwrap_or_default()];
        }
        for earlier in 0..clauses.len() {
            for later in earlier + 1..clauses.len() {
                let coordinates = coordinates(&clauses[earlier]);
                let taken = self.domain(&clauses[later], &coordinates);
                let pieces = std::mem::take(&mut clauses[earlier].pieces);
                clauses[earlier].pieces =
                    self.subtract_all(pieces, &taken, &clauses[earlier].iters);
                if clauses[earlier].pieces.len() > MOST_PIECES {
                    let span = clauses[earlier].span;
                    let d = Diagnostic::error(Code::E0010, "clauses that overlap in too many ways")
                        .primary(span, "later clauses cut this one into more than 64 pieces");
                    self.report(d);
                    clauses[earlier].pieces.clear();
                }
            }
        }
        self.covers(clauses, extents)
    }

    /// A clause's affine guards; `None` where data or a disjunction decides.
    fn own_guards(&self, clause: &Clause) -> Option<Vec<Constraint>> {
        if clause.otherwise.is_some() && !clause.guards.is_empty() {
            return None;
        }
        let mut out = Vec::new();
        let all = clause.guards.iter().all(|g| flatten(&condition(g), &mut out));
        all.then_some(out)
    }

    /// A clause's domain as constraints on the coordinates of a cell. A masked clause
    /// takes all cells in its ranges: it answers for the earlier ones where it declines.
    fn domain(&self, clause: &Clause, coordinates: &[Affine]) -> Vec<Constraint> {
        let mut out = Vec::new();
        let mut known: Vec<(Iter, Affine)> = Vec::new();
        for (slot, at) in clause.slots.iter().zip(coordinates) {
            match slot {
                Slot::Fixed(s) => {
                    let term = at.plus_size(&s.scaled(-1));
                    out.push(Constraint { term, relation: Relation::Zero });
                }
                Slot::Index(i) => match known.iter().find(|(k, _)| k == i) {
                    Some((_, first)) => {
                        let term = at.minus(first).expect("coefficients are 1");
                        out.push(Constraint { term, relation: Relation::Zero });
                    }
                    None => known.push((*i, at.clone())),
                },
            }
        }
        let at = |i: Iter| {
            known.iter().find(|(k, _)| *k == i).map_or_else(|| Affine::iter(i), |(_, a)| a.clone())
        };
        for (i, coordinate) in &known {
            let Some((lo, hi)) = self.body().iters[*i].range.clone() else { continue };
            let (lo, hi) = (lo.compose(&at), hi.compose(&at));
            let above = lo.and_then(|lo| coordinate.minus(&lo));
            let below = hi.and_then(|hi| hi.minus(coordinate)).map(|t| t.plus_size(&(-1).into()));
            for term in [above, below].into_iter().flatten() {
                out.push(Constraint { term, relation: Relation::AtLeastZero });
            }
        }
        if !clause.masked {
            let mut guards = Vec::new();
            clause.guards.iter().for_each(|g| {
                flatten(&condition(g), &mut guards);
            });
            out.extend(guards.into_iter().filter_map(|c| {
                Some(Constraint { term: c.term.compose(&at)?, relation: c.relation })
            }));
        }
        out
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
        let verdicts: Vec<Verdict> = taken.iter().map(|c| self.holds(c, &piece, iters)).collect();
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
        out
    }

    /// Whether a constraint holds everywhere on a piece.
    fn holds(&mut self, c: &Constraint, piece: &[Constraint], iters: &[Iter]) -> Verdict {
        self.narrowed(piece, iters, |this| {
            let facts = &this.body().facts;
            let (lo, hi) = (this.bound(&c.term, false), this.bound(&c.term, true));
            let (Some(lo), Some(hi)) = (lo, hi) else { return Verdict::Unknown };
            let at_least = facts.non_negative(&lo);
            let negative = facts.lt(&hi, &0.into());
            let positive = facts.lt(&0.into(), &lo);
            let at_most = facts.le(&hi, &0.into());
            match c.relation {
                Relation::AtLeastZero if at_least == Verdict::Yes => Verdict::Yes,
                Relation::AtLeastZero if negative == Verdict::Yes => Verdict::No,
                Relation::Zero if at_least == Verdict::Yes && at_most == Verdict::Yes => {
                    Verdict::Yes
                }
                Relation::Zero if positive == Verdict::Yes || negative == Verdict::Yes => {
                    Verdict::No
                }
                _ => Verdict::Unknown,
            }
        })
    }

    fn surely_empty(&mut self, piece: &[Constraint], iters: &[Iter]) -> bool {
        let some_fail = piece.iter().any(|c| self.holds(c, &[], iters) == Verdict::No);
        some_fail
            || self.narrowed(piece, iters, |this| {
                iters.iter().any(|i| {
                    let range = this.body().iters[*i].range.clone();
                    let Some((lo, hi)) = range else { return false };
                    match (this.bound(&lo, false), this.bound(&hi, true)) {
                        (Some(lo), Some(hi)) => this.body().facts.le(&hi, &lo) == Verdict::Yes,
                        _ => false,
                    }
                })
            })
    }

    /// Runs `f` with the ranges narrowed by a piece's constraints.
    fn narrowed<T>(
        &mut self,
        piece: &[Constraint],
        iters: &[Iter],
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let saved: Vec<_> = iters.iter().map(|i| self.body().iters[*i].range.clone()).collect();
        self.narrow_by(piece, iters);
        let result = f(self);
        for (i, range) in iters.iter().zip(saved) {
            self.cx().hir.iters[*i].range = range;
        }
        result
    }

    /// Whether the clauses cover the box `extents` for certain.
    fn covers(&mut self, clauses: &[Clause], extents: &[Size]) -> bool {
        let mut iters = Vec::new();
        for s in extents {
            let name = weft_base::Name::new("cell");
            let span = clauses[0].span;
            let range = Some((Affine::fixed(0), Affine::fixed(s.clone())));
            let info = crate::hir::IterInfo { name, span, range, source: None };
            iters.push(self.cx().hir.iters.push(info));
        }
        let coordinates: Vec<Affine> = iters.iter().map(|i| Affine::iter(*i)).collect();
        let mut left = vec![Vec::new()];
        for clause in clauses {
            let taken = self.domain(clause, &coordinates);
            left = self.subtract_all(left, &taken, &iters);
            if left.len() > MOST_PIECES {
                return false;
            }
        }
        left.is_empty()
    }
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
