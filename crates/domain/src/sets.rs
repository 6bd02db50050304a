//! Questions about regions, and their three-valued answers.

use crate::boxes;
use crate::isl::{GaveUp, Session, Set, ask};
use crate::translate::Names;
use crate::{Affine, ConvexSet, Formula, Iter, Region};
use std::borrow::Cow;
use std::collections::BTreeMap;
use weft_shape::{Facts, Param, Size};

/// Values at which a statement is false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// The parameters that matter, ascending.
    pub params: Vec<(Param, i64)>,
    /// The iterators, in the order of the region.
    pub iters: Vec<(Iter, i64)>,
}

/// Whether a statement holds at all points, for all parameters within the facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It does.
    Yes,
    /// It does not: the least counterexample, parameters first.
    No(Witness),
    /// Not decided: too hard, or about products and quotients of sizes.
    Unknown,
}

/// Whether an index stays inside its extent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// It does.
    Inside,
    /// It does not.
    Outside {
        /// A point where it leaves.
        witness: Witness,
        /// Whether it is known to leave whatever the parameters are, as long as there is
        /// a point.
        always: bool,
    },
    /// Not decided.
    Unknown,
}

/// Operations of isl that one question may take; about a tenth of a second.
const BUDGET: u64 = 400_000;

/// Answers questions under facts, and under values for some parameters.
#[derive(Clone, Debug)]
pub struct Sets<'a> {
    facts: &'a Facts,
    values: BTreeMap<Param, i64>,
    budget: u64,
}

impl<'a> Sets<'a> {
    /// Questions for all parameters within the facts.
    pub fn new(facts: &'a Facts) -> Sets<'a> {
        Sets { facts, values: BTreeMap::new(), budget: BUDGET }
    }

    /// Questions for these values only; other parameters stay open.
    pub fn with_values(facts: &'a Facts, values: BTreeMap<Param, i64>) -> Sets<'a> {
        Sets { facts, values, budget: BUDGET }
    }

    /// Questions with another budget of operations.
    pub fn with_budget(self, budget: u64) -> Sets<'a> {
        Sets { budget, ..self }
    }

    /// Whether a region has no point.
    pub fn is_empty(&self, region: &Region) -> Answer {
        if boxes::is_empty(self.facts, &self.at_values(region)) {
            return Answer::Yes;
        }
        self.no_point(&[region], &|names, s| names.region(s, region))
    }

    /// Whether a region surely has no point. Cheaper than [`Sets::is_empty`]: no witness.
    pub fn is_surely_empty(&self, region: &Region) -> bool {
        let here = self.at_values(region);
        if boxes::is_empty(self.facts, &here) {
            return true;
        }
        if boxes::has_points(self.facts, &here) {
            return false;
        }
        let answer = self.question(&[region], &|names, s| {
            names.region(s, region)?.and(names.context(s)?)?.is_empty()
        });
        answer == Ok(true)
    }

    /// Whether no point lies in both.
    pub fn disjoint(&self, a: &Region, b: &Region) -> Answer {
        let (left, right) = (self.at_values(a), self.at_values(b));
        if boxes::disjoint(self.facts, &left, &right) {
            return Answer::Yes;
        }
        if let Some(point) = boxes::least_in_both(&left, &right) {
            return Answer::No(self.witness(point));
        }
        self.no_point(&[a, b], &|names, s| names.region(s, a)?.and(names.region(s, b)?))
    }

    /// Whether every point of `a` is one of `b`; a witness lies in `a` only.
    pub fn subset(&self, a: &Region, b: &Region) -> Answer {
        self.covers(std::slice::from_ref(b), a)
    }

    /// Whether every point of `whole` lies in some region; a witness lies in none.
    pub fn covers(&self, regions: &[Region], whole: &Region) -> Answer {
        let here: Vec<Region> = regions.iter().map(|r| self.at_values(r).into_owned()).collect();
        let all = self.at_values(whole);
        if boxes::covers(self.facts, &here, &all) {
            return Answer::Yes;
        }
        if let Some(point) = boxes::least_outside(self.facts, &here, &all) {
            return Answer::No(self.witness(point));
        }
        let all: Vec<&Region> = std::iter::once(whole).chain(regions).collect();
        self.no_point(&all, &|names, s| {
            let whole = names.region(s, whole)?;
            regions.iter().try_fold(whole, |rest, r| rest.minus(names.region(s, r)?))
        })
    }

    /// Whether every point of `whole` surely lies in some region. Cheaper than [`Sets::covers`]: the
    /// points in none are not gathered.
    pub fn surely_cover(&self, regions: &[Region], whole: &Region) -> bool {
        let here: Vec<Region> = regions.iter().map(|r| self.at_values(r).into_owned()).collect();
        if boxes::covers(self.facts, &here, &self.at_values(whole)) {
            return true;
        }
        let all: Vec<&Region> = std::iter::once(whole).chain(regions).collect();
        let answer = self.question(&all, &|names, s| {
            let whole = names.region(s, whole)?.and(names.context(s)?)?;
            let union = regions.iter().try_fold(s.nothing()?, |u, r| u.or(names.region(s, r)?))?;
            whole.is_subset(&union)
        });
        answer == Ok(true)
    }

    /// Whether both have the same points; a witness lies in one only.
    pub fn equal(&self, a: &Region, b: &Region) -> Answer {
        match self.subset(a, b) {
            Answer::Yes => self.subset(b, a),
            other => other,
        }
    }

    /// Whether `0 <= term < extent` at every point.
    pub fn within(&self, region: &Region, term: &Affine, extent: &Size) -> Bounds {
        if boxes::within(self.facts, region, term, extent) {
            return Bounds::Inside;
        }
        let extent = Affine::fixed(extent.clone());
        let below = term.scaled(-1).map(|t| Formula::at_least_zero(t.plus_size(&(-1).into())));
        let (Some(below), Some(above)) = (below, Formula::le(&extent, term)) else {
            return Bounds::Unknown;
        };
        let violation = region.clone().and(below.or(above));
        match self.is_empty(&violation) {
            Answer::Yes => Bounds::Inside,
            Answer::Unknown => Bounds::Unknown,
            Answer::No(witness) => {
                Bounds::Outside { witness, always: self.whenever(region, &violation) }
            }
        }
    }

    /// Whether the parameters that give `cause` a point give `effect` one.
    fn whenever(&self, cause: &Region, effect: &Region) -> bool {
        let answer = self.question(&[effect, cause], &|names, s| {
            if names.has_opaque_dims() {
                return Err(GaveUp);
            }
            let context = names.context(s)?;
            let cause = names.region(s, cause)?.and(context)?.params()?;
            cause.is_subset(&names.region(s, effect)?.params()?)
        });
        answer == Ok(true)
    }

    /// The points of `whole` in none of the regions, as disjoint pieces over the same
    /// iterators. `None` where that is not decided. A piece may be empty for some
    /// parameters.
    pub fn subtract(&self, whole: &Region, regions: &[Region]) -> Option<Vec<ConvexSet>> {
        if self.values.is_empty()
            && let Some(pieces) = boxes::subtract(self.facts, whole, regions)
        {
            return Some(pieces);
        }
        let all: Vec<&Region> = std::iter::once(whole).chain(regions).collect();
        let pieces = self.question(&all, &|names, s| {
            let context = names.context(s)?;
            let mut rest = names.region(s, whole)?;
            for region in regions {
                rest = rest.minus(names.region(s, region)?)?;
            }
            let rest = rest.and(context)?;
            if rest.is_empty()? {
                return Ok(Vec::new());
            }
            let pieces = s.pieces(rest.copy()?)?;
            let pieces = pieces.iter().map(|raw| ConvexSet::read_back(names, raw));
            let pieces: Vec<ConvexSet> = pieces.collect::<Result<_, _>>()?;
            partition(names, s, &rest, &pieces)?;
            Ok(pieces)
        });
        let mut pieces = pieces.ok()?;
        pieces.iter_mut().for_each(|p| p.drop_known(self.facts));
        Some(pieces)
    }

    /// The region as disjoint conjunctions of constraints.
    pub fn pieces(&self, region: &Region) -> Option<Vec<ConvexSet>> {
        self.subtract(region, &[])
    }

    /// A region with the values of the parameters that have one.
    pub fn at_values<'r>(&self, region: &'r Region) -> Cow<'r, Region> {
        if self.values.is_empty() {
            return Cow::Borrowed(region);
        }
        let value = |p: Param| self.values.get(&p).map_or(Size::param(p), |v| Size::from(*v));
        let formula = region.formula.map_sizes(&|s| s.substitute(&value));
        Cow::Owned(Region { formula, ..region.clone() })
    }

    pub(crate) fn question<T>(
        &self,
        regions: &[&Region],
        question: &dyn for<'s> Fn(&Names<'_>, &'s Session<'s>) -> Result<T, GaveUp>,
    ) -> Result<T, GaveUp> {
        weft_base::interrupt::poll();
        let names = Names::new(self.facts, &self.values, regions);
        let (params, dims) = names.counts();
        ask(params, dims, self.budget, |s| question(&names, s))
    }

    /// Whether the set that `build` makes of `regions` has no point within the facts.
    fn no_point(&self, regions: &[&Region], build: &Build<'_>) -> Answer {
        let answer = self.question(regions, &|names, s| {
            let set = build(names, s)?.and(names.context(s)?)?;
            if set.is_empty()? {
                return Ok(Some(Answer::Yes));
            }
            // With opaques the point found may be none: they are not what they stand for.
            let exact = !names.has_opaque();
            exact.then(|| Ok(Answer::No(self.least_point(names, s, set)?))).transpose()
        });
        match answer {
            Ok(Some(answer)) => answer,
            Ok(None) => self.point_for_some_values(regions, build),
            Err(GaveUp) => Answer::Unknown,
        }
    }

    /// A point for one of a few choices of values for all parameters, where sizes are
    /// numbers and nothing is opaque.
    fn point_for_some_values(&self, regions: &[&Region], build: &Build<'_>) -> Answer {
        let mut open: Vec<Param> = regions.iter().flat_map(|r| r.params()).collect();
        open.sort_unstable();
        open.dedup();
        open.retain(|p| !self.values.contains_key(p));
        if open.is_empty() {
            return Answer::Unknown;
        }
        for choice in 0..CHOICES {
            let values = open.iter().enumerate().map(|(at, &p)| (p, self.some_size(p, at, choice)));
            let values = self.values.clone().into_iter().chain(values).collect();
            let sets = Sets { facts: self.facts, values, budget: self.budget };
            if let witness @ Answer::No(_) = sets.no_point(regions, build) {
                return witness;
            }
        }
        Answer::Unknown
    }

    /// A value of a parameter, number `at` of all, within the facts.
    fn some_size(&self, p: Param, at: usize, choice: usize) -> i64 {
        let wanted = [1, 2, 3, at as i64 + 2, 7 - at as i64, 0][choice % CHOICES];
        let (lo, hi) = self.facts.param_bounds(p);
        let raised = lo.map_or(wanted, |lo| wanted.max(lo));
        hi.map_or(raised, |hi| raised.min(hi))
    }

    /// A point beside the values of the parameters.
    fn witness(&self, iters: Vec<(Iter, i64)>) -> Witness {
        Witness { params: self.values.iter().map(|(&p, &v)| (p, v)).collect(), iters }
    }

    /// The least point of a set that is not empty, parameters first.
    fn least_point<'s>(
        &self,
        names: &Names<'_>,
        s: &'s Session<'s>,
        set: Set<'s>,
    ) -> Result<Witness, GaveUp> {
        let (params, dims) = names.counts();
        let mut set = set.params_as_dims(params)?;
        let mut point = Vec::new();
        for at in 0..params + dims {
            let value = least_value(s, &set, at)?;
            set = s.fixed(set, at, value)?;
            point.push(value);
        }
        let params = (0..params).filter_map(|at| Some((names.param(at)?, point[at])));
        let mut params: Vec<_> = params.chain(self.values.iter().map(|(&p, &v)| (p, v))).collect();
        params.sort_unstable();
        let coordinates = point[names.counts().0..].iter();
        let iters = names.iters().iter().copied().zip(coordinates.copied()).collect();
        Ok(Witness { params, iters })
    }
}

/// Makes sure that the pieces are disjoint and make up the set: isl simplifies a lot on
/// the way to them, and has been seen to do it wrong.
fn partition<'s>(
    names: &Names<'_>,
    s: &'s Session<'s>,
    whole: &Set<'s>,
    pieces: &[ConvexSet],
) -> Result<(), GaveUp> {
    let mut union = s.nothing()?;
    for piece in pieces {
        let piece = names.region(s, &piece.region(Vec::new()))?;
        if !union.copy()?.and(piece.copy()?)?.is_empty()? {
            return Err(GaveUp);
        }
        union = union.or(piece)?;
    }
    let same = union.is_subset(whole)? && whole.is_subset(&union)?;
    if same { Ok(()) } else { Err(GaveUp) }
}

/// Makes a set of the regions of a question.
type Build<'b> = dyn for<'s> Fn(&Names<'_>, &'s Session<'s>) -> Result<Set<'s>, GaveUp> + 'b;

/// Choices of values that are tried where sizes are not linear.
const CHOICES: usize = 6;

/// The least value of a dimension, or one of small magnitude where there is no least.
fn least_value<'s>(s: &'s Session<'s>, set: &Set<'s>, at: usize) -> Result<i64, GaveUp> {
    let mut rest = set.copy()?;
    while let Some(bound) = s.least(&rest, at)? {
        if !s.fixed(set.copy()?, at, bound)?.is_empty()? {
            return Ok(bound);
        }
        rest = s.from(rest, at, bound.checked_add(1).ok_or(GaveUp)?)?;
    }
    some_value(s, set, at)
}

/// A value of a dimension without a least one: small in size if possible.
fn some_value<'s>(s: &'s Session<'s>, set: &Set<'s>, at: usize) -> Result<i64, GaveUp> {
    for magnitude in 0..62 {
        for value in [0, 1 << magnitude, -(1 << magnitude)] {
            if !s.fixed(set.copy()?, at, value)?.is_empty()? {
                return Ok(value);
            }
        }
    }
    Err(GaveUp)
}
