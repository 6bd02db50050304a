//! Bounds proofs: every affine read stays inside its extent wherever it is evaluated.
//!
//! Conditions on the path that bound one index narrow its range first, and intervals
//! decide. Integer sets decide what intervals leave open. What is still open becomes a
//! check at entry where the bounds are exact, and a check of each access otherwise.

use crate::checker::Checker;
use crate::condition::{Cond, PathItem};
use crate::ranges::{Access, Extent};
use std::collections::BTreeMap;
use std::rc::Rc;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Answer, Bounds, Constraint, Dim, Iter, Region, Relation, Sets, Witness};
use weft_shape::{CheckSubject, Param, Size, SizeCheck, SizeRelation, Verdict};

type Range = Option<(Affine, Affine)>;

/// What intervals say of an access.
enum Decision {
    Inside,
    /// It is inside where both hold: the lower end, the upper end.
    Sizes(Box<[SizeCheck; 2]>),
    Open,
}

impl Checker<'_> {
    /// Proves an access on a piece of its clause's domain, or has it checked.
    pub fn prove(&mut self, access: &Access, piece: &[Constraint]) {
        if self.muted > 0 || access.term.iters().iter().any(|i| self.cx().conflicting.contains(i)) {
            return;
        }
        let Some(extent) = self.extent_of(&access.extent) else { return };
        let saved = self.save_ranges(&access.scope);
        let all_used = self.narrow_scope(&access.path, piece, &access.scope);
        let decision = self.decide(access, &extent, all_used);
        for (i, range) in access.scope.iter().zip(saved) {
            self.cx().hir.iters[*i].range = range;
        }
        match decision {
            Decision::Inside => {}
            Decision::Sizes(checks) => self.prove_by_sizes(*checks, access, piece, &extent),
            Decision::Open => self.prove_by_sets(access, piece, &extent),
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

    fn decide(&self, access: &Access, extent: &Size, all_used: bool) -> Decision {
        let (least, most) = (self.bound(&access.term, false), self.bound(&access.term, true));
        let (Some(least), Some(most)) = (least, most) else { return Decision::Open };
        let facts = &self.body().facts;
        let inside =
            facts.non_negative(&least) == Verdict::Yes && facts.lt(&most, extent) == Verdict::Yes;
        if inside || self.never_reached(&access.scope) {
            return Decision::Inside;
        }
        let exact = all_used && self.bound_is_exact(&access.term) && self.is_box(&access.scope);
        if !exact {
            return Decision::Open;
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
        Decision::Sizes(Box::new([low, high]))
    }

    /// Takes the conditions for an access to be inside; if one fails, the message has a
    /// point.
    fn prove_by_sizes(
        &mut self,
        checks: [SizeCheck; 2],
        access: &Access,
        piece: &[Constraint],
        extent: &Size,
    ) {
        let known = |p: Param| self.known_value(p);
        let fails = |c: &SizeCheck| match c.decide(&self.body().facts) {
            Verdict::Yes => false,
            Verdict::No => true,
            Verdict::Unknown => c.holds(&known) == Some(false),
        };
        if checks.iter().any(fails) {
            let found = self.scope_region(&access.scope, &access.path, piece);
            let bounds = found.map(|(r, _)| {
                let values = self.literals_of(&r, &access.term, extent);
                Sets::with_values(&self.body().facts, values).within(&r, &access.term, extent)
            });
            if let Some(Bounds::Outside { witness, .. }) = bounds {
                return self.outside(access, extent, &witness);
            }
        }
        let [low, high] = checks;
        let _ = self.require(low) && self.require(high);
    }

    /// Asks about integer sets: for all sizes, then for the literals as they stand.
    fn prove_by_sets(&mut self, access: &Access, piece: &[Constraint], extent: &Size) {
        let found = self.scope_region(&access.scope, &access.path, piece);
        let Some((region, exact)) = found else { return self.check_each(access) };
        let always = self.sets().within(&region, &access.term, extent);
        let values = self.literals_of(&region, &access.term, extent);
        let now = match always {
            Bounds::Outside { always: false, .. } | Bounds::Unknown if !values.is_empty() => {
                let sets = Sets::with_values(&self.body().facts, values.clone());
                sets.within(&region, &access.term, extent)
            }
            other => other,
        };
        match now {
            Bounds::Inside => values.into_iter().for_each(|(p, v)| self.pin(p, v)),
            Bounds::Outside { witness, always: true } if exact && self.is_usual(&region) => {
                self.outside(access, extent, &witness);
            }
            _ => self.check_each(access),
        }
    }

    /// Whether a region has points where no size is 0: what only empty inputs would reach
    /// is no mistake of the program.
    fn is_usual(&self, region: &Region) -> bool {
        let mut facts = self.body().facts.clone();
        self.body().params.keys().for_each(|p| facts.at_least(p, 1));
        Sets::new(&facts).is_empty(region) != Answer::Yes
    }

    fn check_each(&mut self, access: &Access) {
        self.cx().hir.reads[access.read].checked = true;
    }

    /// The literals that a question is about.
    fn literals_of(&self, region: &Region, term: &Affine, extent: &Size) -> BTreeMap<Param, i64> {
        let params = [extent.params(), term.params(), region.params()].into_iter().flatten();
        params.filter_map(|p| Some((p, self.known_value(p)?))).collect()
    }

    /// A proof that rests on the value of a literal is checked where a run replaces it.
    pub fn pin(&mut self, p: Param, value: i64) {
        if !self.cx().pinned.insert(p) {
            return;
        }
        let info = &self.body().params[p];
        let (what, span) = (info.name.to_string(), info.span);
        let subject = CheckSubject::Stated { what, span, value: None, axis: 0 };
        let (left, right) = (value.into(), Size::param(p));
        let (when, chain) = (Vec::new(), Vec::new());
        let relation = SizeRelation::Equal;
        let check = SizeCheck { when, relation, left, right, subject, chain };
        self.cx().pending.push(crate::hir::Stmt::Check(check.into()));
    }

    /// Reports an access that leaves its extent at a point.
    fn outside(&mut self, access: &Access, extent: &Size, witness: &Witness) {
        let iter = |i: Iter| witness.iters.iter().find(|(j, _)| *j == i).map_or(0, |(_, v)| *v);
        let param = |p: Param| {
            let given = witness.params.iter().find(|(q, _)| *q == p).map(|(_, v)| *v);
            given.or_else(|| self.known_value(p))
        };
        let index = access.term.eval(&iter, &|s| s.eval(&param));
        let size = extent.eval(&param);
        let point = self.show_point(&access.scope, witness);
        let at = if point.is_empty() { String::new() } else { format!("at {point} ") };
        let index = index.map_or("…".to_string(), |n| n.to_string());
        let size = size.map_or_else(|| self.show(extent), |n| n.to_string());
        let headline = format!(
            "`{}` reads outside the extent {size} of axis {}",
            access.excerpt.text, access.axis
        );
        let label = format!("{at}the index is {index}, but the extent is {size}");
        let d = Diagnostic::error(Code::E0503, headline).primary(access.excerpt.span, label);
        let d = match &access.origin {
            Some(o) => d.secondary(o.span, o.text.clone()),
            None => d,
        };
        let below = index.starts_with('-');
        let d = match (self.cx().overridden, self.cure(access, below)) {
            (Some(clause), _) => d
                .secondary(clause, "the clause that reads defines these cells too, and wins")
                .help("move this clause below the general one: the later clause wins"),
            (None, Some(help)) => d.help(help),
            (None, None) if access.term.as_constant().is_some_and(|n| n < 0) => {
                d.help("indices are not counted from the end: the last one is the extent less 1")
            }
            (None, None) => d,
        };
        self.report(d);
    }

    /// The cure for the commonest mistake: a recurrence that starts too early.
    fn cure(&self, access: &Access, below: bool) -> Option<String> {
        let [(Dim::Iter(i), 1)] = access.term.terms() else { return None };
        let back = access.term.offset().as_constant().filter(|c| *c < 0)?;
        let name = &self.body().iters[*i].name;
        let hi = self.body().iters[*i].range.as_ref()?.1.as_size()?;
        let start = back.checked_neg()?;
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
