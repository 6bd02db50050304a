//! Bounds proofs: every affine read stays inside its extent wherever it is evaluated.
//!
//! Conditions on the path that bound one index narrow its range first, and intervals
//! decide. Integer sets decide what intervals leave open. What is still open becomes a
//! check at entry where the bounds are exact, and a check of each access otherwise.

use super::access::Access;
use super::condition::flatten;
use super::cure::{self, Cure};
use super::known::Known;
use super::regions::{scope_region, show_point};
use std::collections::BTreeMap;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Answer, Bounds, Constraint, End, Iter, Region, Sets, Witness};
use weft_shape::{CheckSubject, Param, Size, SizeCheck, SizeRelation, Verdict};

/// An access, and where it is made.
pub(crate) struct Question<'q> {
    pub access: &'q Access,
    /// The extent that it must stay inside.
    pub extent: &'q Size,
    /// The piece of its clause's domain.
    pub piece: &'q [Constraint],
    /// A clause above that defines nothing, since later ones take all of its cells.
    pub overridden: Option<Span>,
}

/// What was found of an access.
pub(crate) enum Proof {
    /// It is inside, for these values of literals.
    Inside(BTreeMap<Param, i64>),
    /// It is inside where both hold: at the lower end, at the upper end.
    Sizes(Box<[SizeCheck; 2]>),
    /// It leaves its extent.
    Outside(Box<Diagnostic>),
    /// Not decided: each access must be checked when it happens.
    Open,
}

/// What intervals say of an access.
enum Decision {
    Inside,
    /// As [`Proof::Sizes`].
    Sizes(Box<[SizeCheck; 2]>),
    Open,
}

/// Looks whether an access stays inside its extent.
pub(crate) fn prove(known: &Known<'_>, q: &Question<'_>) -> Proof {
    let mut conditions: Vec<Constraint> = q.piece.to_vec();
    let mut all_used = true;
    for p in &q.access.path {
        all_used &= flatten(&p.cond, &mut conditions);
    }
    let (here, all_narrow) = known.narrowed(&conditions, &q.access.scope);
    match q.decide(&here, all_used && all_narrow) {
        Decision::Inside => Proof::Inside(BTreeMap::new()),
        Decision::Sizes(checks) => q.by_sizes(known, checks),
        Decision::Open => q.by_sets(known),
    }
}

impl Question<'_> {
    /// Asks about intervals, where the conditions have narrowed the ranges.
    fn decide(&self, here: &Known<'_>, all_used: bool) -> Decision {
        let Question { access, extent, .. } = *self;
        let (least, most) =
            (here.bound(&access.term, End::Lower), here.bound(&access.term, End::Upper));
        let (Some(least), Some(most)) = (least, most) else { return Decision::Open };
        let facts = here.facts();
        let inside =
            facts.non_negative(&least) == Verdict::Yes && facts.lt(&most, extent) == Verdict::Yes;
        let ranges: Vec<(Size, Size)> = access
            .scope
            .iter()
            .filter_map(|i| here.size_range(*i))
            .map(|(lo, hi)| (lo.clone(), hi.clone()))
            .collect();
        let never_reached = ranges.iter().any(|(lo, hi)| facts.le(hi, lo) == Verdict::Yes);
        if inside || never_reached {
            return Decision::Inside;
        }
        let is_box = ranges.len() == access.scope.len();
        if !all_used || !here.bound_is_exact(&access.term) || !is_box {
            return Decision::Open;
        }
        let check = |left: Size, right: Size, below| SizeCheck {
            when: ranges.clone(),
            relation: SizeRelation::AtMost,
            left,
            right,
            subject: CheckSubject::Read {
                read: access.excerpt.clone(),
                axis: access.axis,
                below,
                origin: access.origin.clone(),
                help: cure::of(here, access, extent, below).map(Cure::into_text),
            },
            chain: Vec::new(),
        };
        let low = check(0.into(), least, true);
        let high = check(most.plus_const(1), extent.clone(), false);
        Decision::Sizes(Box::new([low, high]))
    }

    /// Takes the conditions for an access to be inside; if one fails, the message has a
    /// point.
    fn by_sizes(&self, known: &Known<'_>, checks: Box<[SizeCheck; 2]>) -> Proof {
        let Question { access, extent, piece, .. } = *self;
        let value = |p: Param| known.body().known_value(p);
        let fails = |c: &SizeCheck| match c.decide(known.facts()) {
            Verdict::Yes => false,
            Verdict::No => true,
            Verdict::Unknown => c.holds(&value) == Some(false),
        };
        if checks.iter().any(fails) {
            let found = scope_region(known, &access.scope, &access.path, piece);
            let bounds = found.map(|(r, _)| {
                let values = self.literals_of(known, &r);
                Sets::with_values(known.facts(), values).within(&r, &access.term, extent)
            });
            if let Some(Bounds::Outside { witness, .. }) = bounds {
                return self.outside(known, &witness);
            }
        }
        Proof::Sizes(checks)
    }

    /// Asks about integer sets: for all sizes, then for the literals as they stand.
    fn by_sets(&self, known: &Known<'_>) -> Proof {
        let Question { access, extent, piece, .. } = *self;
        let found = scope_region(known, &access.scope, &access.path, piece);
        let Some((region, exact)) = found else { return Proof::Open };
        let always = known.sets().within(&region, &access.term, extent);
        let values = self.literals_of(known, &region);
        let now = match always {
            Bounds::Outside { always: false, .. } | Bounds::Unknown if !values.is_empty() => {
                let sets = Sets::with_values(known.facts(), values.clone());
                sets.within(&region, &access.term, extent)
            }
            other => other,
        };
        match now {
            Bounds::Inside => Proof::Inside(values),
            Bounds::Outside { witness, always: true } if exact && is_usual(known, &region) => {
                self.outside(known, &witness)
            }
            _ => Proof::Open,
        }
    }

    /// The literals that a question is about.
    fn literals_of(&self, known: &Known<'_>, region: &Region) -> BTreeMap<Param, i64> {
        let Question { access, extent, .. } = *self;
        let params = [extent.params(), access.term.params(), region.params()].into_iter().flatten();
        params.filter_map(|p| Some((p, known.body().known_value(p)?))).collect()
    }

    /// An access that leaves its extent at a point.
    fn outside(&self, known: &Known<'_>, witness: &Witness) -> Proof {
        let Question { access, extent, overridden, .. } = *self;
        let body = known.body();
        let iter = |i: Iter| witness.iters.iter().find(|(j, _)| *j == i).map_or(0, |(_, v)| *v);
        let param = |p: Param| {
            let given = witness.params.iter().find(|(q, _)| *q == p).map(|(_, v)| *v);
            given.or_else(|| body.known_value(p))
        };
        let index = access.term.eval(&iter, &|s| s.eval(&param));
        let size = extent.eval(&param);
        let point = show_point(body, &access.scope, witness);
        let at = if point.is_empty() { String::new() } else { format!("at {point} ") };
        let index = index.map_or("…".to_string(), |n| n.to_string());
        let size = size.map_or_else(|| body.show(extent), |n| n.to_string());
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
        let d = match cure::of(known, access, extent, below) {
            Some(cure) => cure.told(d),
            None => d,
        };
        let d = match overridden {
            Some(clause) => d
                .secondary(clause, "the clause that reads defines these cells too, and wins")
                .help("or move this clause below the general one: the later clause wins"),
            None => d,
        };
        Proof::Outside(Box::new(d))
    }
}

/// Whether a region has points where no size is 0: what only empty inputs would reach
/// is no mistake of the program.
fn is_usual(known: &Known<'_>, region: &Region) -> bool {
    let mut facts = known.facts().clone();
    known.body().params.keys().for_each(|p| facts.at_least(p, 1));
    Sets::new(&facts).is_empty(region) != Answer::Yes
}
