//! Which loops over time are prefixes.

use super::carried_reductions::CarriedReduction;
use super::cells::{Keep, Part, Role, Spread};
use super::groups::ScanGroup;
use super::linear::{Factor, State, Step, Term, Transition, constant};
use super::{Scan, groups};
use crate::analysis::{Context, View};
use crate::strategy::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use weft_plan::{Item, Storage, TimeLoop};
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::reads;
use weft_tensor::{Accumulator, ExprId, TensorId};

/// Values that run together: a map from so many to as many takes fewer operations in lanes
/// than the steps wait for each other.
const MOST_STATES: usize = 2;

/// The same where the maps are computed once for all steps.
const MOST_STEADY_STATES: usize = 4;

/// A factor that makes a state small before rounding does.
const FORGETS: f64 = 63.0 / 64.0;

/// Values that run beside each other.
const MOST_BESIDE: usize = 6;

/// The nests of a loop by what they are to it.
struct Parts<'p> {
    cells: Vec<Part<'p>>,
    carried_reductions: Vec<Part<'p>>,
}

impl<'p> Parts<'p> {
    /// Loops around the steps, the same for all parts.
    fn share_rows(&self) -> bool {
        let mut all = self.cells.iter().chain(&self.carried_reductions);
        let Some(first) = all.next() else { return false };
        // The bounds of one part alone may follow from each other.
        let alone = self.cells.len() + self.carried_reductions.len() == 1;
        let around = first.bounds_around();
        alone || around.is_some() && all.all(|p| p.bounds_around() == around)
    }
}

impl<'p> Context<'p> {
    /// A loop over time as a scan.
    pub fn scan(&self, l: &'p TimeLoop) -> Result<Scan<'p>, Refusal> {
        if l.parallel || l.lo.as_size().is_none() {
            return Err(Refusal::Direction);
        }
        let nest = |item: &'p Item| match item {
            Item::Nest(nest) => Ok(self.view(nest)),
            Item::Fill(_) => Err(Refusal::Fills),
            Item::Loop(_) => Err(Refusal::NestedSteps),
        };
        let nests = l.body.iter().map(nest).collect::<Result<Vec<View<'p>>, Refusal>>()?;
        let targets: BTreeSet<TensorId> = nests.iter().map(|n| n.assignment.target).collect();
        let read: BTreeSet<TensorId> =
            nests.iter().flat_map(|n| reads(n.assignment)).map(|r| r.tensor).collect();
        // What none of the others reads is a carried reduction.
        let (cells, carried_reductions): (Vec<View<'p>>, Vec<View<'p>>) =
            nests.into_iter().partition(|n| read.contains(&n.assignment.target));
        if cells.is_empty() {
            return Err(Refusal::Foreign);
        }
        // What lies in rows of its own is left there, if that will do.
        let mut refused = Refusal::NotRows;
        for spread in [Spread::None, Spread::Behind, Spread::All] {
            let parts = |nests: &[View<'p>], role| {
                let part = |n: &View<'p>| Part::of(*n, l.var, &targets, (spread, role));
                nests.iter().map(part).collect::<Option<Vec<Part<'p>>>>()
            };
            let Some((cells, carried_reductions)) =
                parts(&cells, Role::Cells).zip(parts(&carried_reductions, Role::CarriedReduction))
            else {
                continue;
            };
            let parts = Parts { cells, carried_reductions };
            if !parts.share_rows() {
                continue;
            }
            match self.prefix_of(l, parts, &targets) {
                Ok(found) => return Ok(found),
                Err(why) => refused = why,
            }
        }
        Err(refused)
    }

    /// The loop, which writes `targets`, as a scan.
    fn prefix_of(
        &self,
        l: &'p TimeLoop,
        parts: Parts<'p>,
        targets: &BTreeSet<TensorId>,
    ) -> Result<Scan<'p>, Refusal> {
        let Parts { cells: mut parts, carried_reductions: ends } = parts;
        let first = parts.first().ok_or(Refusal::Foreign)?;
        let ty = first.a.exprs.ty(first.a.body);
        let elem = |t: TensorId| self.plan.graph.tensors[t].elem;
        let alike = |p: &Part<'_>| p.a.exprs.ty(p.a.body) == ty && elem(p.a.target) == ty;
        if !parts.iter().all(alike) {
            return Err(Refusal::NotLinear);
        }
        let keeps = self.keeps(l, &parts).ok_or(Refusal::NotKept)?;
        let manner = (l.descending, !ty.is_float(), !self.machine.is_precise());
        let step = Step::of(&parts, |t| keeps[&t], manner);
        let mut step = step.ok_or(Refusal::NotLinear)?;
        let mut carried_reductions = Vec::new();
        for (n, part) in ends.iter().enumerate() {
            let found = CarriedReduction::of((parts.len() + n, part), &mut step, targets);
            carried_reductions.extend(found.ok_or(Refusal::NotKept)?);
        }
        let asked: Vec<State> =
            carried_reductions.iter().flat_map(CarriedReduction::states).collect();
        let Step { cells, transitions, points, reads, .. } = step;
        let groups = groups::find(&cells, &transitions, &asked).ok_or(Refusal::NotKept)?;
        parts.extend(ends);
        let window = window_of(&keeps);
        let long = self.is_long(l);
        let descending = l.descending;
        let mut p = Scan {
            parts,
            points,
            cells,
            transitions,
            groups,
            carried_reductions,
            ty,
            window,
            long,
            descending,
        };
        p.groups.iter_mut().for_each(|r| r.steady = r.is_steady(&p.parts, &p.transitions));
        let calm = reads.iter().all(|&(part, e)| !p.parts[part].nodes.get(e).traps);
        if !calm || !p.is_calm() {
            return Err(Refusal::Statements);
        }
        if !self.is_worth(&p, l) {
            return Err(Refusal::Small);
        }
        p.gains(self.plan.options.strict)?;
        Ok(p)
    }

    /// Whether a loop has as many steps as are shared, by the extents that the routine is
    /// planned for; also where these are not known.
    fn is_long(&self, l: &TimeLoop) -> bool {
        self.likely_count(&l.lo, &l.hi).is_none_or(|n| n >= self.machine.sizes.long_row)
    }

    /// Which steps of the cells of parts are stored; `None` where they lie otherwise.
    fn keeps(&self, l: &TimeLoop, parts: &[Part<'p>]) -> Option<BTreeMap<TensorId, Keep>> {
        parts.iter().map(|p| Some((p.a.target, self.keep(l, p)?))).collect()
    }

    fn keep(&self, l: &TimeLoop, part: &Part<'_>) -> Option<Keep> {
        let own = |i: &&Item| matches!(i, Item::Loop(x) if std::ptr::eq(x, l));
        match &self.plan.storage[part.a.target] {
            Storage::Stored { .. } => Some(Keep::Whole),
            Storage::Window { axis, size, .. } => {
                let along = part.axis_of(part.time) == Some(*axis);
                (along && self.plan.items.iter().any(|i| own(&i))).then_some(())?;
                let mut others = self.plan.items.iter().filter(|i| !own(i));
                let seen = others.any(|i| i.touches(&self.plan.graph, part.a.target));
                Some(if seen { Keep::Window(*size) } else { Keep::Step })
            }
            Storage::Unused | Storage::Virtual { .. } | Storage::Given { .. } => None,
        }
    }

    /// Whether lanes pay for their code: where nothing is stored steps are soon done, and
    /// rows beside each other fill lanes as well.
    fn is_worth(&self, p: &Scan<'_>, l: &TimeLoop) -> bool {
        let few = || {
            self.likely_count(&l.lo, &l.hi).is_some_and(|n| n < self.machine.sizes.least_unstored)
        };
        let rows = p.parts.iter().any(|p| !p.around.is_empty());
        let whole = |s: &CarriedReduction| {
            let target = p.parts[s.part].a.target;
            matches!(self.plan.storage[target], Storage::Stored { .. })
        };
        p.carried_reductions.iter().all(whole) && (p.window.is_none() || !rows && !few())
    }
}

/// The steps that are kept, where these are the last ones only.
fn window_of(keeps: &BTreeMap<TensorId, Keep>) -> Option<i64> {
    let size = |k: &Keep| match k {
        Keep::Window(size) => Some(*size),
        Keep::Whole | Keep::Step => None,
    };
    keeps.values().filter_map(size).max()
}

impl Scan<'_> {
    /// Whether nothing fails, or needs statements of its own.
    fn is_calm(&self) -> bool {
        let plain = |part: usize, e: ExprId| !self.parts[part].nodes.get(e).statements;
        let carried = |s: &CarriedReduction| {
            let a = self.parts[s.part].a;
            a.mask.into_iter().chain([a.body]).all(|e| plain(s.part, e))
        };
        let factors = self.transitions.iter().flat_map(Transition::factors);
        factors.into_iter().all(|f: Factor| plain(f.part, f.expr))
            && self.carried_reductions.iter().all(carried)
    }

    /// Refuses what may not run in lanes, or gains nothing.
    fn gains(&self, strict: bool) -> Result<(), Refusal> {
        let plain = |r: &ScanGroup| matches!(r.op, BinaryOp::Min | BinaryOp::Max);
        let exact = !self.ty.is_float() || self.groups.iter().all(plain);
        let turns = self.transitions.iter().flat_map(Transition::terms).any(|t| t.negative);
        let single = self.groups.iter().all(|r| r.is_single(&self.transitions));
        let multiplies = self.groups.iter().any(|r| r.op == BinaryOp::Mul);
        let able = (!turns || self.ty.is_float() || self.ty.is_signed())
            && (!self.ty.is_small_float() || single && !multiplies);
        let few = |r: &ScanGroup| match r.states.len() {
            1 => true,
            // There is no fast product of such integers, and maps of `f32` drift.
            _ if matches!(self.ty, ScalarType::I64 | ScalarType::U64 | ScalarType::F32) => false,
            n if n <= MOST_STATES => true,
            // Older steps are no longer way for what each step waits for.
            n => n <= MOST_STEADY_STATES && r.steady && r.states.iter().all(|s| s.back == 1),
        };
        let few = |r: &ScanGroup| few(r) && !self.drifts(r);
        let beside: usize = self.groups.iter().map(|r| r.states.len()).sum();
        let few = self.groups.iter().all(few) && beside <= MOST_BESIDE;
        let exact = exact && !self.carried_reductions.iter().any(|s| self.is_ordered(s));
        if !exact && strict {
            return Err(Refusal::StrictFloats);
        }
        if able && few { Ok(()) } else { Err(Refusal::ManyStates) }
    }

    /// Whether a power of what a state is multiplied by in every step, rounded to `f32` and
    /// used again and again, leads astray: where it may be next to one, but is not one.
    fn drifts(&self, r: &ScanGroup) -> bool {
        if self.ty != ScalarType::F32 || !r.steady || r.is_single(&self.transitions) {
            return false;
        }
        let terms = r.states.iter().flat_map(|s| self.transitions[s.cell].terms());
        let own = terms.filter(|t| t.state.is_some());
        let factor = |f: &Factor| constant(&self.parts[f.part].a.exprs, f.expr);
        let forgets = |t: &Term| match (t.factors.as_slice(), t.divisors.as_slice()) {
            ([], []) => true,
            ([f], []) => factor(f).is_some_and(|c| c.abs() <= FORGETS || c.abs() == 1.0),
            _ => false,
        };
        !own.into_iter().all(forgets)
    }

    /// Whether the value of a carried reduction depends on the order in which steps come together.
    fn is_ordered(&self, s: &CarriedReduction) -> bool {
        let a = self.parts[s.part].a;
        let adds = matches!(a.accumulator, Accumulator::Sum | Accumulator::Prod);
        adds && a.exprs.ty(a.body).is_float()
    }
}
