//! Bounds proofs: every affine read stays inside its extent wherever it is evaluated.
//!
//! Conditions on the path that bound one index narrow its range first. What is not
//! decided by symbolic intervals becomes a check at entry where the bounds are exact,
//! and a check of each access otherwise.

use crate::checker::Checker;
use crate::condition::{Cond, PathItem};
use crate::ranges::{Access, Extent};
use std::rc::Rc;
use weft_domain::{Affine, Constraint, Dim, Iter, Relation};
use weft_shape::{CheckSubject, Size, SizeCheck, SizeRelation, Verdict};

type Range = Option<(Affine, Affine)>;

impl Checker<'_> {
    /// Proves an access on a piece of its clause's domain, or has it checked.
    pub fn prove(&mut self, access: &Access, piece: &[Constraint]) {
        let Some(extent) = self.extent_of(&access.extent) else { return };
        if access.term.iters().iter().any(|i| self.cx().conflicting.contains(i)) {
            return;
        }
        let saved = self.save_ranges(&access.scope);
        let all_used = self.narrow_scope(&access.path, piece, &access.scope);
        self.decide(access, &extent, all_used);
        for (i, range) in access.scope.iter().zip(saved) {
            self.cx().hir.iters[*i].range = range;
        }
    }

    fn extent_of(&mut self, extent: &Extent) -> Option<Size> {
        match extent {
            Extent::Known(s) => Some(s.clone()),
            Extent::Group(id, axis) => {
                self.cx().group.get(id)?.extents.as_ref()?.get(*axis).cloned()
            }
        }
    }

    fn save_ranges(&self, scope: &[Iter]) -> Vec<Range> {
        scope.iter().map(|i| self.body().iters[*i].range.clone()).collect()
    }

    /// Narrows ranges by every condition that bounds one index; whether all of them did.
    fn narrow_scope(&mut self, path: &[PathItem], piece: &[Constraint], scope: &[Iter]) -> bool {
        let mut conditions: Vec<Constraint> = piece.to_vec();
        let mut all = true;
        for p in path {
            all &= flatten(&p.cond, &mut conditions);
        }
        for c in &conditions {
            all &= self.narrow(c, scope);
        }
        all
    }

    /// Narrows ranges by constraints, where they bound one index.
    pub fn narrow_by(&mut self, constraints: &[Constraint], scope: &[Iter]) {
        constraints.iter().for_each(|c| {
            self.narrow(c, scope);
        });
    }

    fn narrow(&mut self, c: &Constraint, scope: &[Iter]) -> bool {
        if c.term.as_size().is_some() {
            return false;
        }
        let [(Dim::Iter(i), factor @ (1 | -1))] = c.term.terms() else { return false };
        let (i, factor) = (*i, *factor);
        if !scope.contains(&i) {
            return false;
        }
        // factor·i + offset >= 0
        let offset = c.term.offset().clone();
        let least = (factor == 1 || c.relation == Relation::Zero)
            .then(|| offset.scaled(if factor == 1 { -1 } else { 1 }));
        let most = (factor == -1 || c.relation == Relation::Zero)
            .then(|| offset.scaled(if factor == 1 { -1 } else { 1 }));
        let Some((lo, hi)) = self.body().iters[i].range.clone() else { return false };
        let (Some(lo), Some(hi)) = (lo.as_size().cloned(), hi.as_size().cloned()) else {
            return false;
        };
        let lo = least.map_or(lo.clone(), |l| self.larger(&lo, &l));
        let hi = most.map_or(hi.clone(), |m| self.smaller(&hi, &m.plus_const(1)));
        self.cx().hir.iters[i].range = Some((Affine::fixed(lo), Affine::fixed(hi)));
        true
    }

    fn decide(&mut self, access: &Access, extent: &Size, all_used: bool) {
        let (least, most) = (self.bound(&access.term, false), self.bound(&access.term, true));
        let (Some(least), Some(most)) = (least, most) else {
            self.cx().hir.reads[access.read].checked = true;
            return;
        };
        let facts = &self.body().facts;
        let inside =
            facts.non_negative(&least) == Verdict::Yes && facts.lt(&most, extent) == Verdict::Yes;
        if inside || self.never_reached(&access.scope) {
            return;
        }
        let exact = all_used && self.bound_is_exact(&access.term) && self.is_box(&access.scope);
        if !exact {
            self.cx().hir.reads[access.read].checked = true;
            return;
        }
        let when = self.scope_ranges(&access.scope);
        let check = |left: Size, right: Size, below| SizeCheck {
            when: when.clone(),
            relation: SizeRelation::AtMost,
            left,
            right,
            subject: CheckSubject::Read {
                read: access.excerpt.clone(),
                axis: access.axis,
                below,
                origin: access.origin.clone(),
                help: self.cure(access, below),
            },
            chain: Vec::new(),
        };
        let low = check(0.into(), least, true);
        let high = check(most.plus_const(1), extent.clone(), false);
        let _ = self.require(low) && self.require(high);
    }

    /// The cure for the commonest mistake: a recurrence that starts too early.
    fn cure(&self, access: &Access, below: bool) -> Option<String> {
        let [(Dim::Iter(i), 1)] = access.term.terms() else { return None };
        let back = access.term.offset().as_constant().filter(|c| *c < 0)?;
        let name = &self.body().iters[*i].name;
        let hi = self.body().iters[*i].range.as_ref()?.1.as_size()?;
        let start = -back;
        below.then(|| format!("start the index later: `{name} in {start}..{}`", self.show(hi)))
    }

    fn never_reached(&self, scope: &[Iter]) -> bool {
        self.scope_ranges(scope).iter().any(|(lo, hi)| self.body().facts.le(hi, lo) == Verdict::Yes)
    }

    fn is_box(&self, scope: &[Iter]) -> bool {
        self.scope_ranges(scope).len() == scope.len()
    }

    /// The ranges of indices that depend on no other index.
    fn scope_ranges(&self, scope: &[Iter]) -> Vec<(Size, Size)> {
        let range = |i: &Iter| {
            let (lo, hi) = self.body().iters[*i].range.as_ref()?;
            Some((lo.as_size()?.clone(), hi.as_size()?.clone()))
        };
        scope.iter().filter_map(range).collect()
    }
}

/// The affine conditions that a condition implies; whether they say all of it.
pub fn flatten(cond: &Rc<Cond>, out: &mut Vec<Constraint>) -> bool {
    match &**cond {
        Cond::Holds(term, relation) => {
            out.push(Constraint { term: term.clone(), relation: *relation });
            true
        }
        Cond::And(a, b) => flatten(a, out) & flatten(b, out),
        Cond::Not(c) => match &**c {
            Cond::Holds(term, Relation::AtLeastZero) => match negated(term) {
                Some(c) => {
                    out.push(c);
                    true
                }
                None => false,
            },
            Cond::Or(a, b) => flatten(&a.negate(), out) & flatten(&b.negate(), out),
            _ => false,
        },
        Cond::Or(..) | Cond::Data => false,
    }
}

/// `term < 0` as a constraint.
pub(crate) fn negated(term: &Affine) -> Option<Constraint> {
    let term = term.scaled(-1)?.plus_size(&(-1).into());
    Some(Constraint { term, relation: Relation::AtLeastZero })
}
