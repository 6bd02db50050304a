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
//! the steps, so much is kept as one segment has. Where that is too much, segments are divided
//! in turn: before a segment is swept, its steps are computed once more to keep those at which
//! its own segments begin. So `n` levels take the `n + 1`st root, and `n` more times the steps
//! (Griewank and Walther, *Evaluating Derivatives*, 2008, chapter 12).
//!
//! Where memory would do for all steps, those that take little are computed again all the
//! same if they are more than caches hold ([`Segments::light`]).

use crate::context::Context;
use crate::cost::{LIGHT, piece_weight};
use crate::order::Orderer;
use crate::placed::Placed;
use crate::recurrence_groups::{RecurrenceGroup, depends_on, placed, reads_of};
use crate::routine::{Item, LoopVar, Nest, Segments, TimeLoop, name_of};
use crate::storage::{Kept, Window, lookback, window_of};
use std::collections::BTreeMap;
use weft_base::Name;
use weft_base::entity::EntityRef;
use weft_depend::{Read, Statement};
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
    /// From the shortest segments to those that all steps are divided into.
    levels: Vec<Level>,
    /// Whether all steps would have had room.
    light: bool,
    /// How far sweeps read from their step, at the least and at the most.
    reach: (i64, i64),
    /// Where the steps end.
    end: Size,
    /// By the first tensor of the unit that computes it.
    histories: BTreeMap<TensorId, History>,
    /// Of each unit with a sweep backwards, by its first tensor: the histories it reads.
    sweeps: BTreeMap<TensorId, Vec<TensorId>>,
    /// Tensors of the kept steps.
    pub added: Added,
}

/// Segments of one length.
#[derive(Clone)]
struct Level {
    /// Their steps.
    every: i64,
    /// How many there are in one of the next level, or in all.
    count: Size,
}

/// Tensors and assignments that are not in the graph yet.
#[derive(Default)]
pub(crate) struct Added {
    pub tensors: Vec<Tensor>,
    pub assigns: Vec<Assignment>,
}

/// The part of a recurrence that is computed again.
#[derive(Default)]
struct History {
    /// The tensors with their time axes, and the steps they look back.
    tensors: BTreeMap<TensorId, (usize, i64)>,
    /// Whether its steps run downwards, and sweeps upwards.
    down: bool,
    /// How sweeps see the steps of a segment, once the recurrence is emitted.
    again: Vec<Item>,
    /// The steps of them that are kept at the ends of the longest segments.
    kept: Vec<Row>,
}

impl History {
    /// Whether its steps take little to compute; what they begin with is computed once.
    fn is_light(&self, orderer: &Orderer<'_>) -> bool {
        let graph = orderer.graph;
        let own = |r: &Read| self.tensors.contains_key(&r.tensor);
        let steps = |p: &AssignId| orderer.pieces.get(*p).reads.iter().any(own);
        let pieces = self.tensors.keys().flat_map(|&t| graph.pieces(t)).copied().filter(steps);
        let mut weights = pieces.map(|p| piece_weight(&graph.assigns[p]));
        weights.all(|weight| weight.is_some_and(|w| w <= LIGHT))
    }
}

/// One of the steps before a segment, as it is kept.
#[derive(Clone, Copy)]
struct Row {
    history: TensorId,
    axis: usize,
    /// Whether steps run downwards.
    down: bool,
    /// Where it lies before the segment: negative, but behind its end where steps run down.
    ahead: i64,
    /// The tensor that keeps it, segment by segment.
    kept: TensorId,
}

/// Marks for each recurrence the sweeps backwards that read it: they will find what they
/// read, and so does what reads its first steps behind them (the first segment is what each
/// sweep leaves).
pub(crate) fn mark_served(orderer: &Orderer<'_>, units: &mut [RecurrenceGroup], least: i64) {
    for f in 0..units.len() {
        let backward = if units[f].recurrent { sweeps_over(orderer, units, f) } else { Vec::new() };
        let down = is_descending(&units[f]);
        let near = |&r: &usize| reach_of(orderer, &units[f], &units[r]).is_some();
        if backward.is_empty() || !backward.iter().all(near) {
            continue;
        }
        // Sweeps upwards leave the last steps behind, of which there may be few.
        let behind = |u: &usize| {
            let after = |&r: &usize| depends_on(orderer.graph, units, *u, r);
            !down && !backward.contains(u) && backward.iter().any(after)
        };
        let tensors = |u: usize| units[u].tensors.clone();
        let behind = (f + 1..units.len()).filter(behind).flat_map(tensors).collect();
        let served = backward.iter().copied().flat_map(tensors).collect();
        units[f] = RecurrenceGroup { served, behind, left: least, ..units[f].clone() };
    }
}

/// Whether the steps of a unit run downwards.
pub(crate) fn is_descending(u: &RecurrenceGroup) -> bool {
    u.time.as_ref().is_some_and(|t| t.descending)
}

/// The units with a loop the other way that read what unit `f` computes.
fn sweeps_over(orderer: &Orderer<'_>, units: &[RecurrenceGroup], f: usize) -> Vec<usize> {
    (0..units.len()).filter(|&u| u != f && sweeps(orderer, &units[f], &units[u])).collect()
}

/// Whether a unit runs against another's direction and reads what that computes.
fn sweeps(orderer: &Orderer<'_>, of: &RecurrenceGroup, by: &RecurrenceGroup) -> bool {
    of.time.is_some()
        && by.time.is_some()
        && is_descending(of) != is_descending(by)
        && reads_between(orderer, of, by).next().is_some()
}

/// Whether a unit is such a sweep.
pub(crate) fn is_sweep(orderer: &Orderer<'_>, units: &[RecurrenceGroup], u: usize) -> bool {
    units.iter().any(|f| f.recurrent && sweeps(orderer, f, &units[u]))
}

/// Reads between the pieces of two units.
fn reads_between<'a>(
    orderer: &'a Orderer<'_>,
    of: &'a RecurrenceGroup,
    by: &'a RecurrenceGroup,
) -> impl Iterator<Item = (&'a Statement, &'a Read)> {
    reads_of(orderer, by).filter(|(_, r)| of.tensors.contains(&r.tensor)).map(|(p, r)| {
        let piece = orderer.pieces.get(p);
        (piece, r)
    })
}

/// How far a sweep reads a recurrence from its own step; `None` where that has no bounds.
fn reach_of(
    orderer: &Orderer<'_>,
    forward: &RecurrenceGroup,
    sweep: &RecurrenceGroup,
) -> Option<(i64, i64)> {
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

/// Steps of the longest segments that are divided in turn.
const LONGEST: i64 = 1 << 40;

/// A sweep that reads further away than this wants the whole history.
pub(crate) const MOST_REACH: i64 = 64;

impl Checkpoints {
    /// The part of the recurrences that sweeps read which can be computed again. The others, and what
    /// must not wait, are said to be read as always. Also gives what must run before what:
    /// positions in `units`.
    pub fn find(
        orderer: &Orderer<'_>,
        units: &mut [RecurrenceGroup],
        context: &Context<'_>,
        segments: Segments,
    ) -> Option<(Checkpoints, Vec<(usize, usize)>)> {
        let mut found = Checkpoints {
            levels: Vec::new(),
            light: segments.light,
            reach: (0, 0),
            end: Size::constant(0),
            histories: BTreeMap::new(),
            sweeps: BTreeMap::new(),
            added: Added::default(),
        };
        let mut before = Vec::new();
        for f in 0..units.len() {
            if units[f].served.is_empty() {
                continue;
            }
            let added = found.add(orderer, units, f, context, &mut before);
            match added {
                Some(last) => found.end = found.end.larger(&last),
                None => {
                    units[f].served.clear();
                    units[f].behind.clear();
                }
            }
        }
        if found.histories.is_empty() {
            return None;
        }
        found.divide(orderer.graph, context, segments);
        Some((found, before))
    }

    /// Adds the history of unit `f`; gives where its steps and those of its sweeps end.
    fn add(
        &mut self,
        orderer: &Orderer<'_>,
        units: &[RecurrenceGroup],
        f: usize,
        context: &Context<'_>,
        before: &mut Vec<(usize, usize)>,
    ) -> Option<Size> {
        let unit = &units[f];
        let sweeps = sweeps_over(orderer, units, f);
        // What is swept is no sweep itself: its steps would be computed again within others.
        let nested = sweeps.iter().any(|&r| self.histories.contains_key(&units[r].tensors[0]));
        if nested || self.sweeps.contains_key(&unit.tensors[0]) {
            return None;
        }
        let history = history(orderer, units, unit, &sweeps, context)?;
        if self.light && !history.is_light(orderer) {
            return None;
        }
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
        // What is behind and reads more than is left there has kept that whole.
        let served = |u: &usize| {
            let mut tensors = units[*u].tensors.iter();
            tensors.all(|t| unit.served.contains(t) || unit.behind.contains(t))
        };
        let first = (0..units.len()).filter(|u| *u != f && reads(u) && !served(u));
        for u in first {
            for &r in &sweeps {
                if depends_on(orderer.graph, units, u, r) {
                    return None;
                }
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

    /// Chooses the lengths of segments: what is kept at each level is about one segment.
    fn divide(&mut self, graph: &Graph, context: &Context<'_>, segments: Segments) {
        let likely = |p: Param| context.options.likely.get(&p).copied();
        let value = |s: &Size| s.eval(&likely).filter(|n| *n > 0);
        let row = |(t, (axis, _)): (&TensorId, &(usize, i64))| -> f64 {
            let beside = graph.shape(*t).enumerate().filter(|(a, _)| a != axis);
            beside.map(|(_, e)| value(e).unwrap_or(1) as f64).product()
        };
        let all = || self.histories.values().flat_map(|h| &h.tensors);
        let cells: f64 = all().map(row).sum();
        let kept: f64 = all().map(|x| row(x) * x.1.1 as f64).sum();
        let share = kept / cells.max(1.0);
        let steps = value(&self.end).unwrap_or(LIKELY_STEPS) as f64;
        let levels = segments.levels as i32;
        let best = (steps * share.powi(levels)).powf(1.0 / f64::from(levels + 1)).min(1e9) as i64;
        let back = all().map(|x| x.1.1).max().unwrap_or(0);
        let least = segments.least.max(back - self.reach.0);
        let mut every = (best.max(least) as u64).next_power_of_two() as i64;
        let within = ((every as f64 / share.max(1e-3)) as u64).clamp(2, 1 << 20);
        let within = within.next_power_of_two() as i64;
        for _ in 1..segments.levels {
            self.levels.push(Level { every, count: Size::constant(within) });
            every = every.saturating_mul(within).min(LONGEST);
        }
        // Sweeps upwards are as far below the steps that they read.
        let down = self.histories.values().any(|h| h.down);
        let beyond = if down { self.reach.1.max(-self.reach.0) } else { -self.reach.0 };
        let whole = self.end.plus_const(every - 1 + beyond);
        let count = whole.floor_div(&Size::constant(every)).expect("segments are not empty");
        self.levels.push(Level { every, count });
    }

    /// The storage of a tensor that is computed again, in place of its own.
    pub fn ring(&self, unit: &RecurrenceGroup, t: TensorId, found: Kept) -> Kept {
        let history = self.histories.get(&unit.tensors[0]);
        let Some((axis, back)) = history.and_then(|h| h.tensors.get(&t)) else { return found };
        let every = self.levels[0].every;
        let segment = every + self.reach.1 - self.reach.0 + back;
        let size = segment.max(found.map_or(0, |w| w.size));
        let levels = match self.levels.len() {
            1 => String::new(),
            n => format!(", in segments of {n} levels"),
        };
        let sooner = if self.light { ", sooner than it is kept whole in memory" } else { "" };
        let reason = format!(
            "one segment: its history is computed again backwards, from {back} of every {every} \
             steps{levels}{sooner}"
        );
        // All of a segment is read after its loop: by the sweep.
        Ok(Window { axis: *axis, size, tail: size, reason })
    }

    /// The loops of a unit, segment by segment.
    pub fn segments(
        &mut self,
        orderer: &mut Orderer<'_>,
        unit: &RecurrenceGroup,
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

    /// The steps for the first time, from one of the longest segments to the next.
    fn forward(
        &mut self,
        orderer: &mut Orderer<'_>,
        history: &mut History,
        body: Vec<Item>,
    ) -> Vec<Item> {
        let top = self.levels.len() - 1;
        let at = Place::new(orderer, &[], self.levels.len());
        history.again = only(orderer.graph, &body, &|t| history.tensors.contains_key(&t));
        let offset = self.offset(history.down);
        let mut items = self.within(body, &at, offset, offset);
        let (rows, saved) = self.keep(orderer.graph, history, top, &at);
        history.kept = rows;
        items.extend(saved);
        vec![self.looped(&at, items, history.down)]
    }

    fn backward(
        &mut self,
        orderer: &mut Orderer<'_>,
        read: &[TensorId],
        body: Vec<Item>,
    ) -> Vec<Item> {
        let kept: Vec<Row> = read.iter().flat_map(|key| self.histories[key].kept.clone()).collect();
        let kept = BTreeMap::from([(self.levels.len() - 1, kept)]);
        vec![self.swept(orderer, read, body, &[], &kept)]
    }

    /// The sweep over the segments of a level, within those of the levels around.
    fn swept(
        &mut self,
        orderer: &mut Orderer<'_>,
        read: &[TensorId],
        body: Vec<Item>,
        around: &[LoopVar],
        kept: &BTreeMap<usize, Vec<Row>>,
    ) -> Item {
        let at = Place::new(orderer, around, self.levels.len());
        let mut items = self.restored(orderer.graph, &at, kept);
        // All histories of a sweep run against it.
        let down = self.histories[&read[0]].down;
        if at.level == 0 {
            let (least, most) = self.reach;
            let sweep = self.offset(down) - if down { most } else { least };
            for key in read {
                let again = self.histories[key].again.clone();
                items.extend(self.within(again, &at, sweep + least, sweep + most));
            }
            items.extend(self.within(body, &at, sweep, sweep));
            return self.looped(&at, items, !down);
        }
        let offset = self.offset(down);
        let inner = Place::new(orderer, &at.vars, self.levels.len());
        let (mut again, mut kept) = (Vec::new(), kept.clone());
        for key in read {
            let steps = self.histories[key].again.clone();
            again.extend(self.within(steps, &inner, offset, offset));
            let history = self.histories.remove(key).expect("it is read");
            let (rows, saved) = self.keep(orderer.graph, &history, inner.level, &inner);
            self.histories.insert(*key, history);
            kept.entry(inner.level).or_default().extend(rows);
            again.extend(saved);
        }
        items.push(self.looped(&inner, again, down));
        items.push(self.swept(orderer, read, body, &at.vars, &kept));
        self.looped(&at, items, !down)
    }

    /// Where the steps of a segment begin from its start: as far as sweeps read ahead of
    /// themselves. Where they run down, sweeps are moved instead.
    fn offset(&self, down: bool) -> i64 {
        if down { 0 } else { self.reach.0 }
    }

    /// Where a segment starts.
    fn start(&self, at: &Place) -> Affine {
        let mut start = Affine::fixed(0);
        for (n, var) in at.vars.iter().enumerate() {
            let every = self.levels[self.levels.len() - 1 - n].every;
            let term = Affine::iter(*var).scaled(every).expect("one term");
            start = start.plus(&term).expect("different iterators");
        }
        start
    }

    /// Loops over the steps of a segment, and so many before (negative) or behind its ends.
    fn within(&self, body: Vec<Item>, at: &Place, lo: i64, hi: i64) -> Vec<Item> {
        let start = self.start(at);
        let bound = |n: i64| start.plus_size(&Size::constant(n));
        let (lo, hi) = (bound(lo), bound(self.levels[at.level].every + hi));
        let clipped = |item: Item| match item {
            Item::Loop(l) => Item::Loop(TimeLoop { within: Some((lo.clone(), hi.clone())), ..l }),
            other => other,
        };
        body.into_iter().map(clipped).collect()
    }

    fn looped(&self, at: &Place, body: Vec<Item>, descending: bool) -> Item {
        let (var, count) = (at.own(), self.levels[at.level].count.clone());
        let (lo, hi) = (Affine::fixed(0), Affine::fixed(count));
        Item::Loop(TimeLoop { var, lo, hi, within: None, descending, parallel: false, body })
    }

    /// Keeps the last steps of a segment for the next one: the tensors, and the copies.
    fn keep(
        &mut self,
        graph: &Graph,
        history: &History,
        level: usize,
        at: &Place,
    ) -> (Vec<Row>, Vec<Item>) {
        let (mut rows, mut items) = (Vec::new(), Vec::new());
        let down = history.down;
        let start = self.start(at);
        let next = start.plus_size(&Size::constant(self.levels[level].every));
        for (&t, &(axis, back)) in &history.tensors {
            for ahead in if down { 0..back } else { -back..0 } {
                let kept = TensorId::new(graph.tensors.len() + self.added.tensors.len());
                let row = Row { history: t, axis, down, ahead, kept };
                let tensor = self.kept_tensor(graph, level, &row);
                let assign = self.next_assign(graph);
                let definition = Definition::Assigned { pieces: vec![assign], covered: true };
                self.added.tensors.push(Tensor { definition, ..tensor });
                self.added.assigns.push(self.copy(graph, &row, at.vars.len(), Copy::Saved));
                // The last segment is there when the sweep begins, or is computed again.
                let when = self.has_step(if down { &start } else { &next }, &row);
                items.push(copy_at(assign, at, vec![when]));
                rows.push(row);
            }
        }
        (rows, items)
    }

    /// That a kept step is there, for the segment before which it lies: the one that starts
    /// at `border`, or ends there where steps run down.
    fn has_step(&self, border: &Affine, row: &Row) -> Constraint {
        let beyond = if row.down { row.ahead } else { self.reach.0 };
        let end = Affine::fixed(self.end.plus_const(-beyond - 1));
        let term = end.minus(border).expect("different iterators");
        Constraint { term, relation: Relation::AtLeastZero }
    }

    /// The steps before a segment, from where they are kept: at its own level, or further out
    /// where it is the first within another.
    fn restored(
        &mut self,
        graph: &Graph,
        at: &Place,
        kept: &BTreeMap<usize, Vec<Row>>,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        let start = self.start(at);
        let next = start.plus_size(&Size::constant(self.levels[at.level].every));
        for (&level, rows) in kept {
            let depth = self.levels.len() - level;
            for row in rows {
                let assign = self.next_assign(graph);
                self.added.assigns.push(self.copy(graph, row, depth, Copy::Restored));
                let place = Place { vars: at.vars[..depth].to_vec(), level };
                let mut when = self.is_outermost(at, depth, row.down);
                when.push(self.has_step(if row.down { &next } else { &start }, row));
                items.push(copy_at(assign, &place, when));
            }
        }
        items
    }

    /// That a segment is the first to run within the loop over segments at `depth`, which is
    /// not at its first.
    fn is_outermost(&self, at: &Place, depth: usize, down: bool) -> Vec<Constraint> {
        let last = |n: usize| self.levels[self.levels.len() - 1 - n].count.plus_const(-1);
        // How far a loop is from where it begins.
        let done = |n: usize| {
            if down {
                Affine::fixed(last(n)).minus(&Affine::iter(at.vars[n])).expect("one iterator")
            } else {
                Affine::iter(at.vars[n])
            }
        };
        let not_first = done(depth - 1).plus_size(&Size::constant(-1));
        let first = (depth..at.vars.len()).map(|n| done(n).scaled(-1).expect("one term"));
        let terms = [not_first].into_iter().chain(first);
        terms.map(|term| Constraint { term, relation: Relation::AtLeastZero }).collect()
    }

    fn next_assign(&self, graph: &Graph) -> AssignId {
        AssignId::new(graph.assigns.len() + self.added.assigns.len())
    }

    fn kept_tensor(&self, graph: &Graph, level: usize, row: &Row) -> Tensor {
        let history = &graph.tensors[row.history];
        let segments = Axis { extent: self.levels[level].count.clone(), name: None };
        Tensor {
            name: Some(Name::new(&format!("{} kept", name_of(graph, row.history)))),
            span: history.span,
            elem: history.elem,
            axes: [vec![segments], beside(graph, row)].concat(),
            definition: Definition::Input,
        }
    }

    /// The copy of a step to where it is kept, or back; its first iterators are the segments
    /// around, of so many levels.
    fn copy(&self, graph: &Graph, row: &Row, depth: usize, copy: Copy) -> Assignment {
        let mut space = Space::default();
        let mut start = Affine::fixed(0);
        let mut own = Affine::fixed(0);
        for level in self.levels.iter().rev().take(depth) {
            let (zero, count) = (Affine::fixed(0), Affine::fixed(level.count.clone()));
            own = Affine::iter(space.push(Some(Name::new("segment")), zero, count));
            let term = own.scaled(level.every).expect("one term");
            start = start.plus(&term).expect("different iterators");
        }
        let cells: Vec<IndexTerm> = beside(graph, row)
            .iter()
            .map(|a| {
                let (lo, hi) = (Affine::fixed(0), Affine::fixed(a.extent.clone()));
                Affine::iter(space.push(a.name.clone(), lo, hi)).into()
            })
            .collect();
        let index = |at: Affine, axis: usize| -> Vec<IndexTerm> {
            let (before, behind) = cells.split_at(axis);
            [before, &[at.into()], behind].concat()
        };
        let every = self.levels[self.levels.len() - depth].every;
        // Steps that run down begin at the end of a segment.
        let (begin, end, before) = if row.down { (every, 0, 1) } else { (0, every, -1) };
        let step = |at: i64| {
            let at = Size::constant(at + self.offset(row.down) + row.ahead);
            index(start.plus_size(&at), row.axis)
        };
        let (to, from) = match copy {
            Copy::Saved => ((row.kept, index(own, 0)), (row.history, step(end))),
            Copy::Restored => {
                let kept = index(own.plus_size(&Size::constant(before)), 0);
                ((row.history, step(begin)), (row.kept, kept))
            }
        };
        let mut exprs = Exprs::new();
        let read = Expr::Read { tensor: from.0, index: from.1, site: None };
        let body = exprs.add(read, graph.tensors[row.history].elem);
        let (accumulator, mask) = (Accumulator::Set, None);
        Assignment { target: to.0, space, write: to.1, accumulator, mask, body, exprs }
    }
}

/// Which way a step is copied.
#[derive(Clone, Copy)]
enum Copy {
    Saved,
    Restored,
}

/// The loops over segments around some items, the longest segments first.
struct Place {
    vars: Vec<LoopVar>,
    /// The level of the innermost.
    level: usize,
}

impl Place {
    /// One loop more within others, of so many levels in all.
    fn new(orderer: &mut Orderer<'_>, around: &[LoopVar], levels: usize) -> Place {
        let var = orderer.loop_vars.push(Some(Name::new("segment")));
        let vars = around.iter().copied().chain([var]).collect();
        Place { vars, level: levels - 1 - around.len() }
    }

    fn own(&self) -> LoopVar {
        *self.vars.last().expect("there is a loop")
    }
}

/// The axes of a history besides that of its steps.
fn beside(graph: &Graph, row: &Row) -> Vec<Axis> {
    let axes = graph.tensors[row.history].axes.iter().enumerate();
    axes.filter(|(a, _)| *a != row.axis).map(|(_, axis)| axis.clone()).collect()
}

/// The tensors that a unit must compute again for sweeps, if all of it can be kept as rings.
fn history(
    orderer: &Orderer<'_>,
    units: &[RecurrenceGroup],
    unit: &RecurrenceGroup,
    sweeps: &[usize],
    context: &Context<'_>,
) -> Option<History> {
    let time = unit.time.as_ref()?;
    let of_unit = |t: &TensorId| unit.tensors.contains(t);
    let mut open: Vec<TensorId> = sweeps
        .iter()
        .flat_map(|&r| reads_of(orderer, &units[r]).map(|(_, r)| r.tensor))
        .filter(of_unit)
        .collect();
    let mut tensors = BTreeMap::new();
    while let Some(t) = open.pop() {
        // What somebody else wants whole is there whole.
        let ring = window_of(orderer, unit, t, &context.observed).is_ok();
        if tensors.contains_key(&t) || unit.carried_reductions.contains(&t) || !ring {
            continue;
        }
        let back = i64::try_from(lookback(orderer, unit, time, t).ok()?).ok()?;
        if back >= MOST_REACH {
            return None;
        }
        tensors.insert(t, (*time.axis.get(&t)?, back));
        let pieces = orderer.graph.pieces(t).iter();
        let read = pieces.flat_map(|&p| &orderer.pieces.get(p).reads).map(|r| r.tensor);
        open.extend(read.filter(of_unit));
    }
    if tensors.is_empty() {
        return None;
    }
    Some(History { tensors, down: is_descending(unit), ..History::default() })
}

/// Where the steps of a unit end, if they surely begin at 0 or later.
fn end_of(orderer: &Orderer<'_>, unit: &RecurrenceGroup) -> Option<Size> {
    let time = unit.time.as_ref()?;
    let mut end = Size::constant(0);
    for p in placed(orderer.graph, &unit.tensors) {
        let (lo, hi) = orderer.hull(&Placed::free(p.id), &time.time[&p.id])?;
        let facts = &orderer.graph.facts;
        if facts.non_negative(&lo) != Verdict::Yes {
            return None;
        }
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

/// A copy of kept steps for one segment.
fn copy_at(assign: AssignId, at: &Place, when: Vec<Constraint>) -> Item {
    // The segments are the first iterators of such copies.
    let bound = |(n, var): (usize, &LoopVar)| (weft_domain::Iter::new(n), Affine::iter(*var));
    let bound = at.vars.iter().enumerate().map(bound).collect();
    Item::Nest(Nest { assign, bound, tested: Vec::new(), when, continues: false })
}
