//! Regions: where an access is evaluated, what a clause defines, in the terms of the
//! library of integer sets.
//!
//! Asked only where intervals do not decide: most programs never come here.

use crate::checker::Checker;
use crate::condition::{Cond, PathItem};
use crate::hir::{Clause, ParamOrigin, RangeSource, Slot};
use std::collections::BTreeMap;
use std::rc::Rc;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Constraint, Formula, Iter, Range, Region, Sets, Witness};
use weft_shape::{Param, Size};

/// What of a clause's domain is taken into account.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent<'a> {
    /// All of it.
    Exact,
    /// Guards are left out, and ranges that are written, and fixed cells along the
    /// `dependent` axes; but nothing along one axis.
    Meant { but: Option<usize>, dependent: &'a [bool] },
}

impl Checker<'_> {
    /// The points of `scope` at which a path and a piece hold, and whether nothing but
    /// affine conditions decides. `None` where a range is not known.
    pub fn scope_region(
        &self,
        scope: &[Iter],
        path: &[PathItem],
        piece: &[Constraint],
    ) -> Option<(Region, bool)> {
        let ranges: Option<Vec<Range>> = scope.iter().map(|i| self.range_of(*i)).collect();
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

    fn range_of(&self, iter: Iter) -> Option<Range> {
        let (lo, hi) = self.body().iters[iter].range.clone()?;
        Some(Range { iter, lo, hi })
    }

    /// The cells a clause defines, as points of `cells`.
    pub fn clause_region(&self, clause: &Clause, cells: &[Iter], extent: Extent<'_>) -> Region {
        let at: Vec<Affine> = cells.iter().map(|i| Affine::iter(*i)).collect();
        let keep = |axis: usize, slot: &Slot| match extent {
            Extent::Exact => true,
            Extent::Meant { but, .. } if but == Some(axis) => true,
            Extent::Meant { dependent, .. } => match slot {
                Slot::Index(_) => !self.is_written(slot),
                Slot::Fixed(_) => !dependent.get(axis).is_some_and(|d| *d),
            },
        };
        // A repeated slot says that it is the diagonal that is meant.
        if extent != Extent::Exact && clause.has_repeated_slot() {
            return Region::everywhere(cells.to_vec());
        }
        let ranges = self.ranges_at(clause, &at, &keep);
        let mut parts: Vec<Formula> = ranges.into_iter().map(Formula::Holds).collect();
        if extent == Extent::Exact {
            let pieces = self.guards_at(clause, &at);
            let any = pieces.into_iter().map(|p| {
                let all = p.into_iter().map(Formula::Holds).collect();
                Formula::All(all)
            });
            parts.push(Formula::Any(any.collect()));
        }
        Region { iters: cells.to_vec(), hidden: Vec::new(), formula: Formula::All(parts) }
    }

    /// Whether a slot is an index whose range is written.
    pub fn is_written(&self, slot: &Slot) -> bool {
        match slot {
            Slot::Index(i) => {
                matches!(self.body().iters[*i].source, Some(RangeSource::Written(_)))
            }
            Slot::Fixed(_) => false,
        }
    }

    /// Fresh indices for the cells of a tensor, and the box they lie in.
    pub fn cells(&mut self, extents: &[Size], span: weft_base::Span) -> (Vec<Iter>, Region) {
        let mut cells = Vec::new();
        for s in extents {
            let name = weft_base::Name::new("cell");
            let range = Some((Affine::fixed(0), Affine::fixed(s.clone())));
            let info = crate::hir::IterInfo { name, span, range, source: None };
            cells.push(self.cx().hir.iters.push(info));
        }
        let ranges = cells.iter().zip(extents).map(|(&iter, s)| Range {
            iter,
            lo: Affine::fixed(0),
            hi: Affine::fixed(s.clone()),
        });
        let ranges: Vec<Range> = ranges.collect();
        let region = Region::of_ranges(&ranges).expect("coefficients are 1");
        (cells, region)
    }

    /// Questions for all sizes.
    pub fn sets(&self) -> Sets<'_> {
        Sets::new(&self.body().facts)
    }

    /// The sizes of regions as they are in typical runs: literals as they stand, others of
    /// no special value. `choice` counts from 0.
    pub fn typical_values(&self, regions: &[&Region], choice: i64) -> BTreeMap<Param, i64> {
        let value = |p: Param| {
            if let Some(n) = self.known_value(p) {
                return (p, n);
            }
            let (lo, hi) = self.body().facts.param_bounds(p);
            let at = i64::try_from(p.index() % 8).unwrap_or(0);
            let wanted = [5 + 2 * at, 23 - at, 9][choice.rem_euclid(3) as usize];
            let raised = lo.map_or(wanted, |lo| wanted.max(lo));
            (p, hi.map_or(raised, |hi| raised.min(hi)))
        };
        regions.iter().flat_map(|r| r.params()).map(value).collect()
    }

    /// A point in words: `i = 3, k = 2`, with the sizes that are not literals.
    pub fn show_point(&self, iters: &[Iter], witness: &Witness) -> String {
        let value = |i: &Iter| witness.iters.iter().find(|(j, _)| j == i).map(|(_, v)| *v);
        let named = |i: &Iter| Some(format!("{} = {}", self.body().iters[*i].name, value(i)?));
        let mut all: Vec<String> = iters.iter().filter_map(named).collect();
        for (p, v) in &witness.params {
            let info = &self.body().params[*p];
            let nameless = matches!(info.origin, ParamOrigin::Literal(_) | ParamOrigin::Computed);
            if !nameless {
                all.push(format!("{} = {v}", info.name));
            }
        }
        all.join(", ")
    }
}

/// What a condition (or its opposite) implies, and whether that is all it says.
pub(crate) fn formula(cond: &Rc<Cond>, holds: bool) -> (Formula, bool) {
    match (&**cond, holds) {
        (Cond::Data, _) => (Formula::yes(), false),
        (Cond::Holds(term, relation), _) => {
            let c = Constraint { term: term.clone(), relation: *relation };
            let found = Formula::Holds(c);
            (if holds { found } else { found.negated() }, true)
        }
        (Cond::Not(c), _) => formula(c, !holds),
        (Cond::And(a, b), true) | (Cond::Or(a, b), false) => {
            let ((a, all), (b, whole)) = (formula(a, holds), formula(b, holds));
            (a.and(b), all && whole)
        }
        (Cond::Or(a, b), true) | (Cond::And(a, b), false) => {
            let ((a, all), (b, whole)) = (formula(a, holds), formula(b, holds));
            (Formula::Any(vec![a, b]), all && whole)
        }
    }
}
