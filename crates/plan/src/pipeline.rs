//! From a simplified graph and what is observed of it to a plan.

use crate::attempts::Simplified;
use crate::bounded_growth::bound_growth;
use crate::buffers::assign_buffers;
use crate::checkpoint::{self, Added, Checkpoints};
use crate::context::Context;
use crate::divide_nests::divide_nests;
use crate::drop_overflow_checks::drop_overflow_checks;
use crate::fuse::fuse_rows;
use crate::narrow::narrow_recurrences;
use crate::no_order::Refusal;
use crate::order::{AxisSearch, Orderer, PlainSteps, Steps};
use crate::recurrence_groups::{self, RecurrenceGroup, find_units, join_consumers, sort_units};
use crate::rematerialise::rematerialise;
use crate::right_looking::Pushed;
use crate::routine::{Fill, FillValue, Item, LoopVar, Plan, PlanOptions, Segments, Storage};
use crate::split_index_sets::split_index_sets;
use crate::steps_in_place::narrow_rings;
use crate::storage::{Kept, Window, is_covered, window_of};
use crate::wavefront::along_diagonals;
use crate::window_steps::WindowSteps;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::entity::{PrimaryMap, SecondaryMap};
use weft_depend::Statements;
use weft_tensor::compute_demand;
use weft_tensor::{AssignId, Definition, Graph, TensorId};

/// Whether recurrences have an order along their axes as they stand, before any pass. It
/// costs a third of [`crate::plan`], which may find an order where this does not.
pub fn have_order(graph: &Graph, recurrences: &[TensorId]) -> bool {
    let options = PlanOptions { windows: false, share_buffers: false, ..PlanOptions::default() };
    let stored = BTreeSet::new();
    let (virtuals, kept) = (BTreeMap::new(), BTreeMap::new());
    let observed = recurrences.iter().copied().collect();
    let context = Context { observed, stored: &stored, options: &options, virtuals, kept };
    order_items(graph, recurrences, &context, AxisSearch::Axes).is_ok()
}

/// A plan for a simplified graph.
pub(crate) fn order(
    simplified: &Simplified,
    observed: &[TensorId],
    stored: &BTreeSet<TensorId>,
    options: &PlanOptions,
) -> Result<Plan, Refusal> {
    let mut graph = simplified.graph.clone();
    let (virtuals, kept) = (simplified.virtuals.clone(), simplified.kept.clone());
    let context =
        Context { observed: observed.iter().copied().collect(), stored, options, virtuals, kept };
    let (mut needed, mut computed) = compute_needed(&graph, &context);
    let mut narrowed = BTreeSet::new();
    if options.narrow
        && let Some(found) = narrow_recurrences(&graph, &computed, &context)
    {
        (graph, narrowed) = found;
        (needed, computed) = compute_needed(&graph, &context);
    }
    let growth = bound_growth(&graph, &computed, &options.likely);
    if let Some(copied) = rematerialise_for_passes(&graph, &computed, &context) {
        graph = copied;
        (needed, computed) = compute_needed(&graph, &context);
    }
    let (mut graph, ordered) = find_order(graph, &computed, &context)?;
    let Ordered { mut items, mut loop_vars, mut windows, reasons, added, .. } = ordered;
    let computed: Vec<TensorId> = computed
        .into_iter()
        .chain(added.tensors.into_iter().map(|t| graph.tensors.push(t)))
        .collect();
    for assign in added.assigns {
        graph.assigns.push(assign);
    }
    if options.share_buffers {
        narrow_rings(&graph, &mut items, &mut windows);
    }
    let items = fuse_rows(&graph, items, &mut loop_vars, options);
    let items = divide_nests(&mut graph, items, options);
    drop_overflow_checks(&mut graph, &items, &growth);
    let mut storage: SecondaryMap<TensorId, Storage> = SecondaryMap::new();
    for (t, reason) in context.virtuals {
        storage[t] = Storage::Virtual { reason };
    }
    let mut plan = Plan {
        graph,
        observed: observed.to_vec(),
        items,
        loop_vars,
        storage,
        buffers: PrimaryMap::new(),
        narrowed,
        open_writes: Vec::new(),
        pinned: growth.holds_for,
        passes: simplified.records.clone(),
        options: options.clone(),
    };
    let given: Vec<TensorId> =
        plan.graph.tensors.keys().filter(|&t| needed[t] && !computed.contains(&t)).collect();
    let mut all_reasons = context.kept;
    all_reasons.extend(reasons);
    assign_buffers(&mut plan, &given, &computed, windows, &all_reasons);
    plan.open_writes = plan.compute_open_writes();
    Ok(plan)
}

/// The tensors that are needed, and those of them that this routine computes.
fn compute_needed(
    graph: &Graph,
    context: &Context<'_>,
) -> (SecondaryMap<TensorId, bool>, Vec<TensorId>) {
    let needed = compute_demand(graph, context.observed.iter().copied(), context.stored);
    let is_computed = |&t: &TensorId| {
        let assigned = matches!(graph.tensors[t].definition, Definition::Assigned { .. });
        needed[t] && assigned && !context.stored.contains(&t)
    };
    let computed = graph.tensors.keys().filter(is_computed).collect();
    (needed, computed)
}

/// Where histories are computed again for want of memory: the graph with a copy of those that
/// several passes over the steps want.
fn rematerialise_for_passes(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Option<Graph> {
    context.options.checkpoints.filter(|s| !s.light)?;
    let pieces = Statements::compute(graph, computed.iter().copied());
    let orderer = Orderer::new(graph, &pieces, AxisSearch::Axes);
    rematerialise(&orderer, &timed_units(&orderer, computed, context))
}

/// Findings for a graph.
struct Ordered {
    items: Vec<Item>,
    loop_vars: PrimaryMap<LoopVar, Option<weft_base::Name>>,
    windows: BTreeMap<TensorId, Window>,
    /// Why tensors are stored whole.
    reasons: BTreeMap<TensorId, String>,
    /// See [`Orderer::tangled`].
    tangled: Vec<AssignId>,
    /// Additions to the graph.
    added: Added,
}

/// Rounds of dividing pieces for which no order was found.
const MAX_ROUNDS: usize = 4;

/// An order of everything: along axes; with pieces divided; with steps along no axis.
fn find_order(
    graph: Graph,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Result<(Graph, Ordered), Refusal> {
    if let Some(found) = find_wavefronts(&graph, computed, context) {
        return Ok(found);
    }
    let refusal = match order_items(&graph, computed, context, AxisSearch::Axes) {
        Ok(found) => return Ok(untangled(graph, found, computed, context)),
        Err(refusal) if refusal.cyclic => return Err(refusal),
        Err(refusal) => refusal,
    };
    let mut finer = graph.clone();
    let mut refused = refusal.pieces.clone();
    for _ in 0..MAX_ROUNDS {
        let Some(divided) = split_index_sets(&finer, &refused) else { break };
        finer = divided;
        match order_items(&finer, computed, context, AxisSearch::AxesOfParts) {
            Ok(found) => return Ok((finer, found)),
            Err(next) => refused = next.pieces,
        }
    }
    for graph in [graph, finer] {
        if let Ok(found) = order_items(&graph, computed, context, AxisSearch::Rows) {
            return Ok((graph, found));
        }
    }
    Err(refusal)
}

/// An order with tables along their diagonals, where of all of them few cells are kept.
fn find_wavefronts(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Option<(Graph, Ordered)> {
    if !context.options.windows {
        return None;
    }
    let mut except = BTreeSet::new();
    loop {
        let (skewed, tables) = along_diagonals(graph, computed, context, &except)?;
        let found = order_items(&skewed, computed, context, AxisSearch::Axes).ok()?;
        // Only along the last axis nothing is kept of a diagonal.
        let last = |t: &TensorId| skewed.tensors[*t].rank() - 1;
        let kept = |t: &TensorId| found.windows.get(t).is_some_and(|w| w.axis < last(t));
        let before = except.len();
        except.extend(tables.into_iter().filter(|t| !kept(t)));
        if except.len() == before {
            return Some((skewed, found));
        }
    }
}

/// An order with tangled pieces divided, where that has fewer loops inside each other.
fn untangled(
    graph: Graph,
    found: Ordered,
    computed: &[TensorId],
    context: &Context<'_>,
) -> (Graph, Ordered) {
    let divided = match found.tangled.as_slice() {
        [] => None,
        tangled => split_index_sets(&graph, tangled),
    };
    let Some(divided) = divided else { return (graph, found) };
    let targets: BTreeSet<TensorId> =
        found.tangled.iter().map(|&p| graph.assigns[p].target).collect();
    match order_items(&divided, computed, context, AxisSearch::AxesOfParts) {
        Ok(apart) if depth(&divided, &apart, &targets) < depth(&graph, &found, &targets) => {
            (divided, apart)
        }
        _ => (graph, found),
    }
}

/// The most loops in order around a piece of the targets.
fn depth(graph: &Graph, ordered: &Ordered, targets: &BTreeSet<TensorId>) -> usize {
    let mut most = 0;
    let mut stack: Vec<(&Item, usize)> = ordered.items.iter().map(|i| (i, 0)).collect();
    while let Some((item, around)) = stack.pop() {
        match item {
            Item::Fill(_) => {}
            Item::Loop(l) => {
                let around = around + usize::from(!l.parallel);
                stack.extend(l.body.iter().map(|i| (i, around)));
            }
            Item::Nest(n) if targets.contains(&graph.assigns[n.assign].target) => {
                most = most.max(around);
            }
            Item::Nest(_) => {}
        }
    }
    most
}

/// The items that compute everything, with windows and the reasons for whole storage.
fn order_items(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
    means: AxisSearch,
) -> Result<Ordered, Refusal> {
    let pieces = Statements::compute(graph, computed.iter().copied());
    let mut orderer = Orderer::new(graph, &pieces, means);
    let (units, checkpoints) = match context.options.checkpoints {
        Some(segments) => form_checkpointed(&orderer, computed, context, segments),
        None => (form_units(&orderer, computed, context), None),
    };
    let mut out = Emission { checkpoints, ..Emission::default() };
    for unit in &units {
        out.emit(&mut orderer, unit, context)?;
    }
    Ok(Ordered {
        items: out.items,
        loop_vars: orderer.loop_vars,
        windows: out.windows,
        reasons: out.reasons,
        tangled: orderer.tangled.into_inner(),
        added: out.checkpoints.map(|c| c.added).unwrap_or_default(),
    })
}

/// Units in order, recurrences with their time axes and with what runs beside them.
fn form_units(
    orderer: &Orderer<'_>,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Vec<RecurrenceGroup> {
    let mut units = find_units(orderer.graph, computed);
    let mut at = 0;
    while at < units.len() {
        // A recurrence without a common axis is ordered piece by piece when emitted.
        if units[at].recurrent {
            recurrence_groups::assign_time(
                orderer,
                &mut units[at],
                &context.observed,
                context.options.windows,
            );
        }
        if units[at].time.is_some() {
            join(orderer, &mut units, at, context);
        }
        at += 1;
    }
    sort_units(orderer.graph, units, &[]).expect("what joins a loop waits for none behind it")
}

/// As [`form_units`], with histories that are computed again where sweeps backwards alone
/// read them.
fn form_checkpointed(
    orderer: &Orderer<'_>,
    computed: &[TensorId],
    context: &Context<'_>,
    segments: Segments,
) -> (Vec<RecurrenceGroup>, Option<Checkpoints>) {
    let mut units = timed_units(orderer, computed, context);
    // What joins a sweep is part of what reads a history.
    for sweeps in [true, false] {
        if !sweeps {
            checkpoint::mark_served(orderer, &mut units, segments.least);
        }
        let mut at = 0;
        while at < units.len() {
            let is_sweep = checkpoint::is_sweep(orderer, &units, at);
            if units[at].time.is_some() && is_sweep == sweeps {
                join(orderer, &mut units, at, context);
            }
            at += 1;
        }
    }
    let (found, before) = match Checkpoints::find(orderer, &mut units, context, segments) {
        Some((found, before)) => (Some(found), before),
        None => (None, Vec::new()),
    };
    match sort_units(orderer.graph, units, &before) {
        Some(sorted) => (sorted, found),
        None => (form_units(orderer, computed, context), None),
    }
}

/// Units, recurrences with the time axes along which windows keep least.
fn timed_units(
    orderer: &Orderer<'_>,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Vec<RecurrenceGroup> {
    let mut units = find_units(orderer.graph, computed);
    for unit in units.iter_mut().filter(|u| u.recurrent) {
        recurrence_groups::assign_time(orderer, unit, &context.observed, true);
    }
    units
}

/// Joins consumers to a recurrence where that lets it keep a window.
fn join(orderer: &Orderer<'_>, units: &mut Vec<RecurrenceGroup>, at: usize, context: &Context<'_>) {
    if !context.options.windows {
        return;
    }
    let joined = join_consumers(orderer, units, at, context.options);
    let windowed = |t: TensorId| window_of(orderer, &joined.unit, t, &context.observed).is_ok();
    let worthwhile = units[at]
        .tensors
        .iter()
        .any(|&t| windowed(t) && window_of(orderer, &units[at], t, &context.observed).is_err());
    if !worthwhile {
        return;
    }
    units[at] = joined.unit;
    let mut position = 0;
    units.retain(|_| {
        position += 1;
        !joined.taken.contains(&(position - 1))
    });
}

#[derive(Default)]
struct Emission {
    items: Vec<Item>,
    windows: BTreeMap<TensorId, Window>,
    reasons: BTreeMap<TensorId, String>,
    checkpoints: Option<Checkpoints>,
}

impl Emission {
    fn emit(
        &mut self,
        orderer: &mut Orderer<'_>,
        unit: &RecurrenceGroup,
        context: &Context<'_>,
    ) -> Result<(), Refusal> {
        if unit.time.is_some() {
            match self.emit_stepwise(orderer, unit, context) {
                Ok(()) => return Ok(()),
                // What reads the unit counts on its segments.
                Err(refusal) if self.checkpoints.is_some() => return Err(refusal),
                Err(_) => {}
            }
        }
        let members = recurrence_groups::placed(orderer.graph, &unit.tensors);
        let alive = recurrence_groups::all_reads(orderer.pieces, &members);
        let body = orderer.order(&members, &alive, &BTreeMap::new(), &PlainSteps)?;
        self.zero_uncovered(orderer.graph, unit);
        if unit.recurrent {
            let why = "a recurrence whose clauses share no time loop is stored whole";
            self.reasons.extend(unit.tensors.iter().map(|&t| (t, why.to_string())));
        }
        self.items.extend(body);
        Ok(())
    }

    /// One time loop for the whole unit.
    fn emit_stepwise(
        &mut self,
        orderer: &mut Orderer<'_>,
        unit: &RecurrenceGroup,
        context: &Context<'_>,
    ) -> Result<(), Refusal> {
        let time = unit.time.as_ref().expect("the caller looked");
        let members = recurrence_groups::placed(orderer.graph, &unit.tensors);
        let alive = recurrence_groups::all_reads(orderer.pieces, &members);
        let mut steps = WindowSteps::new(self.checkpoints.is_none());
        let pushed = if steps.pushes() {
            orderer.scatter_form(&members, time, &alive, &BTreeMap::new(), true)
        } else {
            Pushed::new()
        };
        let mut kept: Vec<(TensorId, Kept)> = Vec::new();
        for &t in &unit.tensors {
            let found = match context.options.windows {
                _ if pushed.keys().any(|&p| orderer.pieces.get(p).target == t) => {
                    Err("its terms are added as soon as they are known".to_string())
                }
                true => window_of(orderer, unit, t, &context.observed),
                false => Err("windows are switched off".to_string()),
            };
            let found = match &self.checkpoints {
                Some(c) => c.ring(unit, t, found),
                None => found,
            };
            if let (Ok(w), false) = (&found, is_covered(orderer.graph, t)) {
                steps.add_slot(orderer.graph, t, w);
            }
            kept.push((t, found));
        }
        let sink_pieces = unit.carried_reductions.iter().flat_map(|&t| orderer.graph.pieces(t));
        steps.carried_reductions = sink_pieces.copied().collect();
        let body = orderer.time_loops(&members, time, &alive, &BTreeMap::new(), &steps, true)?;
        let body = match &mut self.checkpoints {
            Some(c) => c.segments(orderer, unit, body),
            None => body,
        };
        self.zero_uncovered(orderer.graph, unit);
        for &t in &unit.carried_reductions {
            self.fill_identity(orderer.graph, t);
        }
        for (t, found) in kept {
            match found {
                Ok(w) => drop(self.windows.insert(t, w)),
                Err(why) => drop(self.reasons.insert(t, why)),
            }
        }
        self.items.extend(body);
        Ok(())
    }

    /// Zeros in what the pieces of a tensor do not write. Sinks get their identity.
    fn zero_uncovered(&mut self, graph: &Graph, unit: &RecurrenceGroup) {
        for &target in unit.tensors.iter().filter(|&&t| !is_covered(graph, t)) {
            let fill = Fill { target, value: FillValue::Zero, slice: None, when: None };
            self.items.push(Item::Fill(fill));
        }
    }

    fn fill_identity(&mut self, graph: &Graph, target: TensorId) {
        for &p in graph.pieces(target) {
            let value = FillValue::Identity(graph.assigns[p].accumulator);
            self.items.push(Item::Fill(Fill { target, value, slice: None, when: None }));
        }
    }
}
