//! Which loops over time are prefixes.

use super::cells::{Keep, Part, Role, Spread};
use super::linear::{Factor, Law, State, Step, Term, constant};
use super::runs::Run;
use super::sinks::Sink;
use super::{Prefix, runs};
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
    sinks: Vec<Part<'p>>,
}

impl<'p> Parts<'p> {
    /// Loops around the steps, the same for all parts.
    fn share_rows(&self) -> bool {
        let mut all = self.cells.iter().chain(&self.sinks);
        let Some(first) = all.next() else { return false };
        // The bounds of one part alone may follow from each other.
        let alone = self.cells.len() + self.sinks.len() == 1;
        let around = first.bounds_around();
        alone || around.is_some() && all.all(|p| p.bounds_around() == around)
    }
}

impl<'p> Context<'p> {
    /// A loop over time as a prefix.
    pub fn scan(&self, l: &'p TimeLoop) -> Result<Prefix<'p>, Refusal> {
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
        // What none of the others reads is a sink.
        let (cells, sinks): (Vec<View<'p>>, Vec<View<'p>>) =
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
            let Some((cells, sinks)) = parts(&cells, Role::Cells).zip(parts(&sinks, Role::Sink))
            else {
                continue;
            };
            let parts = Parts { cells, sinks };
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

    /// The loop, which writes `targets`, as a prefix.
    fn prefix_of(
        &self,
        l: &'p TimeLoop,
        parts: Parts<'p>,
        targets: &BTreeSet<TensorId>,
    ) -> Result<Prefix<'p>, Refusal> {
        let Parts { cells: mut parts, sinks: ends } = parts;
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
        let mut sinks = Vec::new();
        for (n, part) in ends.iter().enumerate() {
            let found = Sink::of((parts.len() + n, part), &mut step, targets);
            sinks.extend(found.ok_or(Refusal::NotKept)?);
        }
        let asked: Vec<State> = sinks.iter().flat_map(Sink::states).collect();
        let Step { cells, laws, points, reads, .. } = step;
        let runs = runs::find(&cells, &laws, &asked).ok_or(Refusal::NotKept)?;
        parts.extend(ends);
        let window = window_of(&keeps);
        let long = self.is_long(l);
        let descending = l.descending;
        let mut p =
            Prefix { parts, points, cells, laws, runs, sinks, ty, window, long, descending };
        p.runs.iter_mut().for_each(|r| r.steady = r.is_steady(&p.parts, &p.laws));
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
    fn is_worth(&self, p: &Prefix<'_>, l: &TimeLoop) -> bool {
        let few = || {
            self.likely_count(&l.lo, &l.hi).is_some_and(|n| n < self.machine.sizes.least_unstored)
        };
        let rows = p.parts.iter().any(|p| !p.around.is_empty());
        let whole = |s: &Sink| {
            let target = p.parts[s.part].a.target;
            matches!(self.plan.storage[target], Storage::Stored { .. })
        };
        p.sinks.iter().all(whole) && (p.window.is_none() || !rows && !few())
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

impl Prefix<'_> {
    /// Whether nothing fails, or needs statements of its own.
    fn is_calm(&self) -> bool {
        let plain = |part: usize, e: ExprId| !self.parts[part].nodes.get(e).statements;
        let sink = |s: &Sink| {
            let a = self.parts[s.part].a;
            a.mask.into_iter().chain([a.body]).all(|e| plain(s.part, e))
        };
        let factors = self.laws.iter().flat_map(Law::factors);
        factors.into_iter().all(|f: Factor| plain(f.part, f.expr)) && self.sinks.iter().all(sink)
    }

    /// Refuses what may not run in lanes, or gains nothing.
    fn gains(&self, strict: bool) -> Result<(), Refusal> {
        let plain = |r: &Run| matches!(r.op, BinaryOp::Min | BinaryOp::Max);
        let exact = !self.ty.is_float() || self.runs.iter().all(plain);
        let turns = self.laws.iter().flat_map(Law::terms).any(|t| t.negative);
        let single = self.runs.iter().all(|r| r.is_single(&self.laws));
        let multiplies = self.runs.iter().any(|r| r.op == BinaryOp::Mul);
        let able = (!turns || self.ty.is_float() || self.ty.is_signed())
            && (!self.ty.is_small_float() || single && !multiplies);
        let few = |r: &Run| match r.states.len() {
            1 => true,
            // There is no fast product of such integers, and maps of `f32` drift.
            _ if matches!(self.ty, ScalarType::I64 | ScalarType::U64 | ScalarType::F32) => false,
            n if n <= MOST_STATES => true,
            // Older steps are no longer way for what each step waits for.
            n => n <= MOST_STEADY_STATES && r.steady && r.states.iter().all(|s| s.back == 1),
        };
        let few = |r: &Run| few(r) && !self.drifts(r);
        let beside: usize = self.runs.iter().map(|r| r.states.len()).sum();
        let few = self.runs.iter().all(few) && beside <= MOST_BESIDE;
        let exact = exact && !self.sinks.iter().any(|s| self.is_ordered(s));
        if !exact && strict {
            return Err(Refusal::StrictFloats);
        }
        if able && few { Ok(()) } else { Err(Refusal::ManyStates) }
    }

    /// Whether a power of what a state is multiplied by in every step, rounded to `f32` and
    /// used again and again, leads astray: where it may be next to one, but is not one.
    fn drifts(&self, r: &Run) -> bool {
        if self.ty != ScalarType::F32 || !r.steady || r.is_single(&self.laws) {
            return false;
        }
        let terms = r.states.iter().flat_map(|s| self.laws[s.cell].terms());
        let own = terms.filter(|t| t.state.is_some());
        let factor = |f: &Factor| constant(&self.parts[f.part].a.exprs, f.expr);
        let forgets = |t: &Term| match (t.factors.as_slice(), t.divisors.as_slice()) {
            ([], []) => true,
            ([f], []) => factor(f).is_some_and(|c| c.abs() <= FORGETS || c.abs() == 1.0),
            _ => false,
        };
        !own.into_iter().all(forgets)
    }

    /// Whether a sink's value depends on the order in which steps come together.
    fn is_ordered(&self, s: &Sink) -> bool {
        let a = self.parts[s.part].a;
        let adds = matches!(a.accumulator, Accumulator::Sum | Accumulator::Prod);
        adds && a.exprs.ty(a.body).is_float()
    }
}
