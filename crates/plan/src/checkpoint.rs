//! Checkpoints: a history that nothing but sweeps backwards reads is computed again, segment
//! by segment, from kept steps.
//!
//! ```text
//! for c in 0..C                          for c in 0..C down
//!   h[t]  for t of segment c               h[…] = kept[c - 1, …]
//!   kept[c, …] = h's last steps            h[t]  for t of segment c
//!                                          h'[t] for t of segment c, down
//! ```
//!
//! It is a decision about storage and order: the graph stays as it is, and the same pieces
//! run twice. `h` becomes a ring of one segment. With segments of about the square root of
//! the steps, so much is kept as one segment has (Griewank and Walther, *Evaluating
//! Derivatives*, 2008, chapter 12, with one level).

use crate::depend::{Piece, Placed, Read};
use crate::order::Orderer;
use crate::pipeline::Context;
use crate::routine::{Item, LoopVar, Nest, TimeLoop, name_of};
use crate::storage::{Kept, Window, lookback, window_of};
use crate::units::{Unit, depends_on, placed, reads_of};
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Constraint, Relation, Space};
use weft_shape::{Param, Size, Verdict};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, Exprs, Graph, IndexTerm, Tensor,
    TensorId,
};

/// Steps of a recurrence whose extent is not known when it is planned.
const LIKELY_STEPS: i64 = 1 << 16;

/// The histories of a routine that are computed again.
pub(crate) struct Checkpoints {
    /// Steps of a segment.
    every: i64,
    /// How far sweeps read from their step, at the least and at the most.
    reach: (i64, i64),
    /// How many segments there are.
    count: Size,
    /// By the first tensor of the unit that computes it.
    histories: BTreeMap<TensorId, History>,
    /// Of each unit with a sweep backwards, by its first tensor: the histories it reads.
    sweeps: BTreeMap<TensorId, Vec<TensorId>>,
    /// What the graph gets for the kept steps.
    pub added: Added,
}

/// Tensors and assignments that are not in the graph yet.
#[derive(Default)]
pub(crate) struct Added {
    pub tensors: Vec<Tensor>,
    pub assigns: Vec<Assignment>,
}

/// What of a recurrence is computed again.
#[derive(Default)]
struct History {
    /// The tensors with their time axes, and the steps they look back.
    tensors: BTreeMap<TensorId, (usize, i64)>,
    /// How sweeps see the steps of a segment, once the recurrence is emitted.
    again: Vec<Item>,
    restore: Vec<Assignment>,
}

/// Marks for each recurrence the sweeps backwards that read it: they will find what they
/// read, and so does what reads its first steps behind them.
pub(crate) fn mark_served(orderer: &Orderer<'_>, units: &mut [Unit], least: i64) {
    for f in 0..units.len() {
        let backward = match &units[f].time {
            Some(time) if units[f].recurrent && !time.descending => sweeps_over(orderer, units, f),
            _ => Vec::new(),
        };
        let near = |&r: &usize| reach_of(orderer, &units[f], &units[r]).is_some();
        if backward.is_empty() || !backward.iter().all(near) {
            continue;
        }
        let behind = |u: &usize| {
            !backward.contains(u)
                && backward.iter().any(|&r| depends_on(orderer.graph, units, *u, r))
                && reads_between(orderer, &units[f], &units[*u]).all(|(p, r)| {
                    let axis = units[f].time.as_ref().and_then(|time| time.axis.get(&r.tensor));
                    let at = axis.and_then(|&a| r.index[a].as_ref());
                    // The first segment is what each sweep leaves behind.
                    let last = i128::from(least) - 1;
                    at.is_some_and(|at| p.scope_at(r).at_most(at, last, &orderer.graph.facts))
                })
        };
        let behind: Vec<usize> = (f + 1..units.len()).filter(behind).collect();
        let served = backward.iter().chain(&behind).flat_map(|&u| units[u].tensors.clone());
        units[f].served = served.collect();
    }
}

/// The units with a loop backwards that read what unit `f` computes.
fn sweeps_over(orderer: &Orderer<'_>, units: &[Unit], f: usize) -> Vec<usize> {
    let descending = |u: &Unit| u.time.as_ref().is_some_and(|t| t.descending);
    let reads = |u: &Unit| reads_between(orderer, &units[f], u).next().is_some();
    (0..units.len()).filter(|&u| u != f && descending(&units[u]) && reads(&units[u])).collect()
}

/// What the pieces of one unit read of another.
fn reads_between<'a>(
    orderer: &'a Orderer<'_>,
    of: &'a Unit,
    by: &'a Unit,
) -> impl Iterator<Item = (&'a Piece, &'a Read)> {
    reads_of(orderer, by).filter(|(_, r)| of.tensors.contains(&r.tensor)).map(|(p, r)| {
        let piece = orderer.pieces.get(p);
        (piece, r)
    })
}

/// How far a sweep reads a recurrence from its own step; `None` where that has no bounds.
fn reach_of(orderer: &Orderer<'_>, forward: &Unit, sweep: &Unit) -> Option<(i64, i64)> {
    let mut axes = sweep.time.clone()?;
    axes.axis.extend(&forward.time.as_ref()?.axis);
    let (mut least, mut most) = (0, 0);
    for (p, r) in reads_of(orderer, sweep) {
        if forward.tensors.contains(&r.tensor) {
            let d = orderer.distance(p, r, &axes);
            least = least.min(i64::try_from(d.least?).ok()?);
            most = most.max(i64::try_from(d.most?).ok()?);
        }
    }
    (least > -MOST_REACH && most < MOST_REACH).then_some((least, most))
}

/// A sweep that reads further away than this wants the whole history.
const MOST_REACH: i64 = 64;

impl Checkpoints {
    /// What can be computed again of the recurrences that sweeps read. The others, and what
    /// must not wait, are said to be read as always. Also gives what must run before what:
    /// positions in `units`.
    pub fn find(
        orderer: &Orderer<'_>,
        units: &mut [Unit],
        context: &Context<'_>,
        least: i64,
    ) -> Option<(Checkpoints, Vec<(usize, usize)>)> {
        let mut found = Checkpoints {
            every: 0,
            reach: (0, 0),
            count: Size::constant(0),
            histories: BTreeMap::new(),
            sweeps: BTreeMap::new(),
            added: Added::default(),
        };
        let mut before = Vec::new();
        let mut end = Size::constant(0);
        for f in 0..units.len() {
            if units[f].served.is_empty() {
                continue;
            }
            let added = found.add(orderer, units, f, context, &mut before);
            match added {
                Some(last) => end = end.larger(&last),
                None => units[f].served.clear(),
            }
        }
        (!found.histories.is_empty()).then_some(())?;
        found.divide(orderer.graph, &end, context, least);
        Some((found, before))
    }

    /// Adds the history of unit `f`; gives where its steps and those of its sweeps end.
    fn add(
        &mut self,
        orderer: &Orderer<'_>,
        units: &[Unit],
        f: usize,
        context: &Context<'_>,
        before: &mut Vec<(usize, usize)>,
    ) -> Option<Size> {
        let unit = &units[f];
        let sweeps = sweeps_over(orderer, units, f);
        let history = history(orderer, units, unit, &sweeps, context)?;
        let mut reach = self.reach;
        let mut end = end_of(orderer, unit)?;
        for &r in &sweeps {
            let (least, most) = reach_of(orderer, unit, &units[r])?;
            reach = (reach.0.min(least), reach.1.max(most));
            end = end.larger(&end_of(orderer, &units[r])?);
        }
        let reads = |u: &usize| {
            let mut all = reads_of(orderer, &units[*u]);
            all.any(|(_, r)| history.tensors.contains_key(&r.tensor))
        };
        let served = |u: &usize| units[*u].tensors.iter().all(|t| unit.served.contains(t));
        let first = (0..units.len()).filter(|u| *u != f && reads(u) && !served(u));
        for u in first {
            for &r in &sweeps {
                (!depends_on(orderer.graph, units, u, r)).then_some(())?;
                before.push((u, r));
            }
        }
        self.reach = reach;
        for &r in &sweeps {
            self.sweeps.entry(units[r].tensors[0]).or_default().push(unit.tensors[0]);
        }
        self.histories.insert(unit.tensors[0], history);
        Some(end)
    }

    /// Chooses the length of segments: what is kept is then about one segment.
    fn divide(&mut self, graph: &Graph, end: &Size, context: &Context<'_>, least: i64) {
        let likely = |p: Param| context.options.likely.get(&p).copied();
        let value = |s: &Size| s.eval(&likely).filter(|n| *n > 0);
        let row = |(t, (axis, _)): (&TensorId, &(usize, i64))| -> f64 {
            let beside = graph.shape(*t).enumerate().filter(|(a, _)| a != axis);
            beside.map(|(_, e)| value(e).unwrap_or(1) as f64).product()
        };
        let all = || self.histories.values().flat_map(|h| &h.tensors);
        let cells: f64 = all().map(row).sum();
        let kept: f64 = all().map(|x| row(x) * x.1.1 as f64).sum();
        let steps = value(end).unwrap_or(LIKELY_STEPS) as f64;
        let best = (steps * kept / cells.max(1.0)).sqrt().min(1e9) as i64;
        let back = all().map(|x| x.1.1).max().unwrap_or(0);
        let least = least.max(back - self.reach.0);
        self.every = (best.max(least) as u64).next_power_of_two() as i64;
        let whole = end.plus_const(self.every - 1 - self.reach.0);
        let count = whole.floor_div(&Size::constant(self.every));
        self.count = count.expect("segments are not empty");
    }

    /// What is kept of a tensor that is computed again, in place of what would be kept of it.
    pub fn ring(&self, unit: &Unit, t: TensorId, found: Kept) -> Kept {
        let history = self.histories.get(&unit.tensors[0]);
        let Some((axis, back)) = history.and_then(|h| h.tensors.get(&t)) else { return found };
        let segment = self.every + self.reach.1 - self.reach.0 + back;
        let size = segment.max(found.map_or(0, |w| w.size));
        let reason = format!(
            "one segment: its history is computed again backwards, from {back} of every {} steps",
            self.every
        );
        // All of a segment is read after its loop: by the sweep.
        Ok(Window { axis: *axis, size, tail: size, reason })
    }

    /// The loops of a unit, segment by segment.
    pub fn segments(
        &mut self,
        orderer: &mut Orderer<'_>,
        unit: &Unit,
        body: Vec<Item>,
    ) -> Vec<Item> {
        let key = unit.tensors[0];
        if let Some(read) = self.sweeps.get(&key).cloned() {
            return self.backward(orderer, &read, body);
        }
        match self.histories.remove(&key) {
            None => body,
            Some(mut history) => {
                let items = self.forward(orderer, &mut history, body);
                self.histories.insert(key, history);
                items
            }
        }
    }

    fn forward(
        &mut self,
        orderer: &mut Orderer<'_>,
        history: &mut History,
        body: Vec<Item>,
    ) -> Vec<Item> {
        let graph = orderer.graph;
        let segment = orderer.loop_vars.push(Some(Name::new("segment")));
        history.again = only(graph, &body, &|t| history.tensors.contains_key(&t));
        let mut items = self.within(body, segment, self.reach.0, self.reach.0);
        for (&t, &(axis, back)) in &history.tensors {
            for step in 0..back {
                let (kept, save, restore) = self.keep(graph, t, axis, step - back);
                let assign = self.add_to(graph, kept, save);
                history.restore.push(restore);
                // The last segment is there when the sweep begins, or is computed again.
                let left = Affine::fixed(self.count.plus_const(-2)).minus(&Affine::iter(segment));
                let when = left.expect("one iterator");
                items.push(copy_at(assign, segment, when));
            }
        }
        vec![self.looped(segment, items, false)]
    }

    fn backward(
        &mut self,
        orderer: &mut Orderer<'_>,
        read: &[TensorId],
        body: Vec<Item>,
    ) -> Vec<Item> {
        let segment = orderer.loop_vars.push(Some(Name::new("segment")));
        let mut items = Vec::new();
        for key in read {
            let history = &self.histories[key];
            let later = Affine::iter(segment).plus_size(&Size::constant(-1));
            for restore in history.restore.clone() {
                let assign = AssignId::new(orderer.graph.assigns.len() + self.added.assigns.len());
                self.added.assigns.push(restore);
                items.push(copy_at(assign, segment, later.clone()));
            }
            let again = self.histories[key].again.clone();
            items.extend(self.within(again, segment, self.reach.0, self.reach.1));
        }
        items.extend(self.within(body, segment, 0, 0));
        vec![self.looped(segment, items, true)]
    }

    /// Loops over the steps of a segment, and so many before (negative) or behind its ends.
    fn within(&self, body: Vec<Item>, segment: LoopVar, lo: i64, hi: i64) -> Vec<Item> {
        let start = Affine::iter(segment).scaled(self.every).expect("one term");
        let at = |n: i64| start.plus_size(&Size::constant(n));
        let (lo, hi) = (at(lo), at(self.every + hi));
        let clipped = |item: Item| match item {
            Item::Loop(l) => Item::Loop(TimeLoop { within: Some((lo.clone(), hi.clone())), ..l }),
            other => other,
        };
        body.into_iter().map(clipped).collect()
    }

    fn looped(&self, var: LoopVar, body: Vec<Item>, descending: bool) -> Item {
        let (lo, hi) = (Affine::fixed(0), Affine::fixed(self.count.clone()));
        Item::Loop(TimeLoop { var, lo, hi, within: None, descending, parallel: false, body })
    }

    fn add_to(&mut self, graph: &Graph, tensor: Tensor, save: Assignment) -> AssignId {
        let assign = AssignId::new(graph.assigns.len() + self.added.assigns.len());
        let definition = Definition::Assigned { pieces: vec![assign], covered: true };
        self.added.tensors.push(Tensor { definition, ..tensor });
        self.added.assigns.push(save);
        assign
    }

    /// The step at `ahead` (negative) of each segment's first one: the tensor that keeps it,
    /// how it gets there from the segment before, and how it comes back.
    fn keep(
        &self,
        graph: &Graph,
        t: TensorId,
        axis: usize,
        ahead: i64,
    ) -> (Tensor, Assignment, Assignment) {
        let history = &graph.tensors[t];
        let kept = TensorId::new(graph.tensors.len() + self.added.tensors.len());
        let mut space = Space::default();
        let (zero, count) = (Affine::fixed(0), Affine::fixed(self.count.clone()));
        let segment = space.push(Some(Name::new("segment")), zero, count);
        let beside: Vec<Axis> = history
            .axes
            .iter()
            .enumerate()
            .filter(|(a, _)| *a != axis)
            .map(|x| x.1.clone())
            .collect();
        let cells: Vec<IndexTerm> = beside
            .iter()
            .map(|a| {
                let (lo, hi) = (Affine::fixed(0), Affine::fixed(a.extent.clone()));
                Affine::iter(space.push(a.name.clone(), lo, hi)).into()
            })
            .collect();
        let row = |at: Affine, axis: usize| -> Vec<IndexTerm> {
            let (before, behind) = cells.split_at(axis);
            [before, &[at.into()], behind].concat()
        };
        let start = Affine::iter(segment).scaled(self.every).expect("one term");
        let first = start.plus_size(&Size::constant(self.reach.0 + ahead));
        let next = first.plus_size(&Size::constant(self.every));
        let before = Affine::iter(segment).plus_size(&Size::constant(-1));
        let copy = |target, write, tensor, index| {
            let mut exprs = Exprs::new();
            let body = exprs.add(Expr::Read { tensor, index, site: None }, history.elem);
            let (space, accumulator) = (space.clone(), Accumulator::Set);
            Assignment { target, space, write, accumulator, mask: None, body, exprs }
        };
        let save = copy(kept, row(Affine::iter(segment), 0), t, row(next, axis));
        let restore = copy(t, row(first, axis), kept, row(before, 0));
        let segments = Axis { extent: self.count.clone(), name: None };
        let tensor = Tensor {
            name: Some(Name::new(&format!("{} kept", name_of(graph, t)))),
            span: history.span,
            elem: history.elem,
            axes: [vec![segments], beside].concat(),
            definition: Definition::Input,
        };
        (tensor, save, restore)
    }
}

/// What a unit must compute again for sweeps, if all of it can be kept as rings.
fn history(
    orderer: &Orderer<'_>,
    units: &[Unit],
    unit: &Unit,
    sweeps: &[usize],
    context: &Context<'_>,
) -> Option<History> {
    let time = unit.time.as_ref()?;
    let observed: BTreeSet<TensorId> = context.observed.iter().copied().collect();
    let of_unit = |t: &TensorId| unit.tensors.contains(t);
    let mut open: Vec<TensorId> = sweeps
        .iter()
        .flat_map(|&r| reads_of(orderer, &units[r]).map(|(_, r)| r.tensor))
        .filter(of_unit)
        .collect();
    let mut tensors = BTreeMap::new();
    while let Some(t) = open.pop() {
        // What somebody else wants whole is there whole.
        let ring = window_of(orderer, unit, t, &observed).is_ok();
        if tensors.contains_key(&t) || unit.sinks.contains(&t) || !ring {
            continue;
        }
        let back = i64::try_from(lookback(orderer, unit, time, t).ok()?).ok()?;
        (back < MOST_REACH).then_some(())?;
        tensors.insert(t, (*time.axis.get(&t)?, back));
        let pieces = orderer.graph.pieces(t).iter();
        let read = pieces.flat_map(|&p| &orderer.pieces.get(p).reads).map(|r| r.tensor);
        open.extend(read.filter(of_unit));
    }
    (!tensors.is_empty()).then_some(())?;
    Some(History { tensors, ..History::default() })
}

/// Where the steps of a unit end, if they surely begin at 0 or later.
fn end_of(orderer: &Orderer<'_>, unit: &Unit) -> Option<Size> {
    let time = unit.time.as_ref()?;
    let mut end = Size::constant(0);
    for p in placed(orderer.graph, &unit.tensors) {
        let (lo, hi) = orderer.hull(&Placed::free(p.id), &time.time[&p.id])?;
        let facts = &orderer.graph.facts;
        (facts.non_negative(&lo) == Verdict::Yes).then_some(())?;
        end = end.larger(&hi);
    }
    for (t, &axis) in &time.axis {
        end = end.larger(&orderer.graph.tensors[*t].axes[axis].extent);
    }
    Some(end)
}

/// The items that touch the tensors asked for.
fn only(graph: &Graph, items: &[Item], wanted: &dyn Fn(TensorId) -> bool) -> Vec<Item> {
    let one = |item: &Item| match item {
        Item::Fill(f) => wanted(f.target).then(|| item.clone()),
        Item::Nest(n) => wanted(graph.assigns[n.assign].target).then(|| item.clone()),
        Item::Loop(l) => {
            let body = only(graph, &l.body, wanted);
            (!body.is_empty()).then(|| Item::Loop(TimeLoop { body, ..l.clone() }))
        }
    };
    items.iter().filter_map(one).collect()
}

/// A copy of kept steps for one segment, where `when` is not negative.
fn copy_at(assign: AssignId, segment: LoopVar, when: Affine) -> Item {
    // The segment is the first iterator of such copies.
    let bound = vec![(weft_domain::Iter::new(0), Affine::iter(segment))];
    let when = vec![Constraint { term: when, relation: Relation::AtLeastZero }];
    Item::Nest(Nest { assign, bound, tested: Vec::new(), when, continues: false })
}
