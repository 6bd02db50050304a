//! Regions: where an access is evaluated, what a clause defines, in the terms of the
//! library of integer sets.
//!
//! Asked only where intervals do not decide: most programs never come here.

use super::condition::{PathItem, formula};
use super::known::{Cells, Known};
use super::pieces::{guards_at, ranges_at};
use crate::thir::{Body, Clause, ParamOrigin, RangeSource, Slot};
use std::collections::BTreeMap;
use weft_base::entity::EntityRef;
use weft_domain::{Constraint, Formula, Iter, Range, Region, Witness};
use weft_shape::{Facts, Param};

/// What of a clause's domain is taken into account.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent<'a> {
    /// All of it.
    Exact,
    /// Guards are left out, and ranges that are written, and fixed cells along the
    /// `dependent` axes; but nothing along one axis, where no parts are joined: cells of
    /// padding are zeros that are meant.
    Meant { but: Option<usize>, dependent: &'a [bool] },
}

/// The points of `scope` at which a path and a piece hold, and whether nothing but
/// affine conditions decides. `None` where a range is not known.
pub(crate) fn scope_region(
    known: &Known<'_>,
    scope: &[Iter],
    path: &[PathItem],
    piece: &[Constraint],
) -> Option<(Region, bool)> {
    let range = |iter: &Iter| {
        let (lo, hi) = known.range(*iter)?.clone();
        Some(Range { iter: *iter, lo, hi })
    };
    let ranges: Option<Vec<Range>> = scope.iter().map(range).collect();
    let mut region = Region::of_ranges(&ranges?)?;
    let mut exact = true;
    for item in path {
        let (formula, all) = formula(&item.cond, true);
        exact &= all;
        region = region.and(formula);
    }
    for c in piece {
        region = region.and(Formula::Holds(c.clone()));
    }
    Some((region, exact))
}

/// The cells a clause defines, as points of `cells`.
pub(crate) fn clause_region(
    known: &Known<'_>,
    clause: &Clause,
    cells: &Cells,
    extent: Extent<'_>,
) -> Region {
    let at = cells.coordinates();
    let keep = |axis: usize, slot: &Slot| match extent {
        Extent::Exact => true,
        Extent::Meant { but, .. } if but == Some(axis) => !is_joined(known.body(), slot),
        Extent::Meant { dependent, .. } => match slot {
            Slot::Index(_) => !is_written(known.body(), slot),
            Slot::Fixed(_) => !dependent.get(axis).is_some_and(|d| *d),
        },
    };
    // A repeated slot says that it is the diagonal that is meant.
    if extent != Extent::Exact && clause.has_repeated_slot() {
        return Region::everywhere(cells.iters.clone());
    }
    let ranges = ranges_at(known, clause, &at, &keep);
    let mut parts: Vec<Formula> = ranges.into_iter().map(Formula::Holds).collect();
    if extent == Extent::Exact {
        let pieces = guards_at(clause, &at);
        let any = pieces.into_iter().map(|p| {
            let all = p.into_iter().map(Formula::Holds).collect();
            Formula::All(all)
        });
        parts.push(Formula::Any(any.collect()));
    }
    Region { iters: cells.iters.clone(), hidden: Vec::new(), formula: Formula::All(parts) }
}

/// Whether a slot is an index whose range is written; the parts of a joined axis are, as they
/// say how far it goes.
pub(crate) fn is_written(body: &Body, slot: &Slot) -> bool {
    let Slot::Index(i) = slot else { return false };
    matches!(body.iters[*i].source, Some(RangeSource::Written(_) | RangeSource::Joined(_)))
}

/// Whether a slot is a part of a joined axis.
fn is_joined(body: &Body, slot: &Slot) -> bool {
    matches!(slot, Slot::Index(i) if matches!(body.iters[*i].source, Some(RangeSource::Joined(_))))
}

/// The sizes of regions as they are in typical runs: literals as they stand, others of
/// no special value. `choice` counts from 0.
pub(crate) fn typical_values(
    body: &Body,
    regions: &[&Region],
    choice: i64,
) -> BTreeMap<Param, i64> {
    let params = regions.iter().flat_map(|r| r.params());
    params.map(|p| (p, typical_value(body, p, choice))).collect()
}

/// A size as it is in typical runs ([`typical_values`]).
pub(crate) fn typical_value(body: &Body, p: Param, choice: i64) -> i64 {
    if let Some(n) = body.known_value(p) {
        return n;
    }
    let at = i64::try_from(p.index() % 8).unwrap_or(0);
    let wanted = [5 + 2 * at, 23 - at, 9][choice.rem_euclid(3) as usize];
    within_facts(&body.facts, p, wanted)
}

/// The value of a size within the facts that is nearest to the one that is wanted.
pub(crate) fn within_facts(facts: &Facts, p: Param, wanted: i64) -> i64 {
    let (lo, hi) = facts.param_bounds(p);
    let raised = lo.map_or(wanted, |lo| wanted.max(lo));
    hi.map_or(raised, |hi| raised.min(hi))
}

/// A point in words: `i = 3, k = 2`, with the sizes that are not literals.
pub(crate) fn show_point(body: &Body, iters: &[Iter], witness: &Witness) -> String {
    let value = |i: &Iter| witness.iters.iter().find(|(j, _)| j == i).map(|(_, v)| *v);
    let named = |i: &Iter| Some(format!("{} = {}", body.iters[*i].name, value(i)?));
    let mut all: Vec<String> = iters.iter().filter_map(named).collect();
    for (p, v) in &witness.params {
        let info = &body.params[*p];
        let nameless = matches!(info.origin, ParamOrigin::Literal(_) | ParamOrigin::Computed);
        if !nameless {
            all.push(format!("{} = {v}", info.name));
        }
    }
    all.join(", ")
}
