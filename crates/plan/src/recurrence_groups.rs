//! Units: the recurrences of a graph, what can run beside them, and an order of it all.
//!
//! A unit is a tensor, or a component of tensors that read each other. A unit that reads
//! a recurrence only at or before the current step may join its time loop, so that the
//! recurrence need not be stored whole for it: a running loss, a maximum over time.

use crate::order::{Orderer, ProofStrength, TimeAxes, UncarriedReads};
use crate::placed::Placed;
use crate::routine::PlanOptions;
use crate::storage::{is_covered, window_of};
use std::collections::{BTreeMap, BTreeSet};
use weft_base::scc::components;
use weft_depend::{Read, Statements, unit_iter};
use weft_domain::{Affine, Iter};
use weft_scalar::ScalarType;
use weft_tensor::reads;
use weft_tensor::{Accumulator, AssignId, Graph, TensorId};

/// Tensors that are computed together.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecurrenceGroup {
    /// The tensors, ascending.
    pub tensors: Vec<TensorId>,
    /// The time loop that runs them, where there is one.
    pub time: Option<TimeAxes>,
    /// Members that are no part of the recurrence itself.
    pub joined: Vec<TensorId>,
    /// Members reduced over time: complete after the last step only.
    pub carried_reductions: BTreeSet<TensorId>,
    /// Readers that find the steps they read by their being computed again.
    pub served: BTreeSet<TensorId>,
    /// Those that run after the last of these.
    pub behind: BTreeSet<TensorId>,
    /// So many of the first steps are there for what runs behind.
    pub left: i64,
    /// Whether its tensors read each other.
    pub recurrent: bool,
}

/// The tensors that a tensor's pieces read, ascending.
fn needs(graph: &Graph, t: TensorId) -> Vec<TensorId> {
    let all = graph.pieces(t).iter().flat_map(|&p| reads(&graph.assigns[p]));
    let set: BTreeSet<TensorId> = all.map(|r| r.tensor).collect();
    set.into_iter().collect()
}

/// The units of the tensors to be computed, producers first.
pub(crate) fn find_units(graph: &Graph, computed: &[TensorId]) -> Vec<RecurrenceGroup> {
    let at: BTreeMap<TensorId, usize> = computed.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    let edges: Vec<Vec<usize>> = computed
        .iter()
        .map(|&t| needs(graph, t).iter().filter_map(|n| at.get(n).copied()).collect())
        .collect();
    components(computed.len(), &|v| edges[v].clone())
        .into_iter()
        .map(|members| RecurrenceGroup {
            recurrent: members.len() > 1 || edges[members[0]].contains(&members[0]),
            tensors: members.into_iter().map(|m| computed[m]).collect(),
            ..RecurrenceGroup::default()
        })
        .collect()
}

/// Every piece of the unit's tensors, outside all loops.
pub(crate) fn placed(graph: &Graph, tensors: &[TensorId]) -> Vec<Placed> {
    tensors.iter().flat_map(|&t| graph.pieces(t)).map(|&p| Placed::free(p)).collect()
}

/// Every read of the given pieces.
pub(crate) fn all_reads(pieces: &Statements, placed: &[Placed]) -> UncarriedReads {
    let one = |p: &Placed| {
        let id = p.id;
        pieces.get(id).reads.iter().map(move |r| (id, r.expr))
    };
    placed.iter().flat_map(one).collect()
}

/// Gives a recurrence one time loop over all its pieces, where that is legal: of several
/// axes the one along which most is kept as windows, and of those the one that keeps least.
pub(crate) fn assign_time(
    orderer: &Orderer<'_>,
    unit: &mut RecurrenceGroup,
    observed: &BTreeSet<TensorId>,
    windows: bool,
) {
    let members = placed(orderer.graph, &unit.tensors);
    let alive = all_reads(orderer.pieces, &members);
    let none = BTreeMap::new();
    let all = orderer.all_axes(&members, &alive, &none, ProofStrength::Ranges, true);
    // Equally good ones: the first, which is the outermost axis upwards.
    let best =
        all.min_by_key(
            |time| if windows { kept_along(orderer, unit, time, observed) } else { (0, 0) },
        );
    unit.time = best.or_else(|| orderer.choose_axes(&members, &alive, &none));
}

/// How many of the unit's tensors would be stored whole, and how many cells its windows
/// would have, where that is a number.
fn kept_along(
    orderer: &Orderer<'_>,
    unit: &RecurrenceGroup,
    time: &TimeAxes,
    observed: &BTreeSet<TensorId>,
) -> (usize, i64) {
    let timed = RecurrenceGroup { time: Some(time.clone()), ..unit.clone() };
    let (mut whole, mut cells) = (0, 0i64);
    for &t in &unit.tensors {
        match window_of(orderer, &timed, t, observed) {
            Ok(w) => {
                let beside = orderer.graph.shape(t).enumerate().filter(|(a, _)| *a != w.axis);
                let sizes: Option<Vec<i64>> = beside.map(|(_, e)| e.as_constant()).collect();
                let count =
                    sizes.map_or(i64::MAX, |s| s.iter().fold(w.size, |n, e| n.saturating_mul(*e)));
                cells = cells.saturating_add(count);
            }
            Err(_) => whole += 1,
        }
    }
    (whole, cells)
}

/// Joins to the recurrence `units[at]` the later units that can run beside it; the others
/// keep their order. With strict floats, sums over time join only where the order of their
/// terms stays.
pub(crate) fn join_consumers(
    orderer: &Orderer<'_>,
    units: &[RecurrenceGroup],
    at: usize,
    options: &PlanOptions,
) -> Joined {
    let mut joined = Joined { unit: units[at].clone(), taken: Vec::new() };
    let late = dependents(orderer.graph, units, at);
    for (i, u) in units.iter().enumerate().skip(at + 1) {
        let read: BTreeSet<TensorId> =
            u.tensors.iter().flat_map(|&t| needs(orderer.graph, t)).collect();
        let of_loop = read.iter().any(|t| joined.unit.tensors.contains(t));
        let waits = |t: &&TensorId| {
            late.contains(t)
                && !u.tensors.contains(t)
                && (!joined.unit.tensors.contains(t) || joined.unit.carried_reductions.contains(t))
        };
        if of_loop && read.iter().find(waits).is_none() && joined.admit(orderer, u, options) {
            joined.taken.push(i);
        }
    }
    joined
}

/// The tensors of a unit and of all that read it, however indirectly: of units in front of
/// it too, where these took in what reads it.
fn dependents(graph: &Graph, units: &[RecurrenceGroup], of: usize) -> BTreeSet<TensorId> {
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for (u, reads) in edges(graph, units).into_iter().enumerate() {
        reads.into_iter().for_each(|r| readers[r].push(u));
    }
    let (mut seen, mut stack) = (BTreeSet::from([of]), vec![of]);
    while let Some(u) = stack.pop() {
        stack.extend(readers[u].iter().copied().filter(|r| seen.insert(*r)));
    }
    seen.into_iter().flat_map(|u| units[u].tensors.clone()).collect()
}

/// A recurrence with what joined its loop.
pub(crate) struct Joined {
    pub unit: RecurrenceGroup,
    /// The positions of the units that joined.
    pub taken: Vec<usize>,
}

impl Joined {
    fn admit(&mut self, orderer: &Orderer<'_>, u: &RecurrenceGroup, options: &PlanOptions) -> bool {
        let found = self.as_member(orderer, u).map(|t| (t, false));
        let found = found.or_else(|| self.as_sink(orderer, u, options).map(|t| (t, true)));
        let Some((time, sink)) = found else { return false };
        self.unit.time = Some(time);
        self.unit.tensors.extend(&u.tensors);
        self.unit.joined.extend(&u.tensors);
        if sink {
            self.unit.carried_reductions.extend(&u.tensors);
        }
        true
    }

    /// The loop's axes with those under which every read of `u` is at a constant distance
    /// at or behind its step.
    fn as_member(&self, orderer: &Orderer<'_>, u: &RecurrenceGroup) -> Option<TimeAxes> {
        let members = placed(orderer.graph, &u.tensors);
        let rank = orderer.graph.tensors[u.tensors[0]].rank();
        (0..rank).find_map(|axis| self.member_along(orderer, u, &members, axis))
    }

    fn member_along(
        &self,
        orderer: &Orderer<'_>,
        u: &RecurrenceGroup,
        members: &[Placed],
        axis: usize,
    ) -> Option<TimeAxes> {
        let mut time = self.unit.time.clone()?;
        for &t in &u.tensors {
            (axis < orderer.graph.tensors[t].rank()).then(|| time.axis.insert(t, axis))?;
        }
        for p in members {
            let term = orderer.pieces.get(p.id).write[axis].clone();
            if unit_iter(&term).is_none() && !term.terms().is_empty() {
                return None;
            }
            time.time.insert(p.id, term);
        }
        members.iter().all(|p| self.reads_fit(orderer, p.id, &time)).then_some(time)
    }

    /// `u` as one reduction whose first reduced iterator is the loop's step.
    fn as_sink(
        &self,
        orderer: &Orderer<'_>,
        u: &RecurrenceGroup,
        options: &PlanOptions,
    ) -> Option<TimeAxes> {
        let [t] = u.tensors.as_slice() else { return None };
        let [p] = orderer.graph.pieces(*t) else { return None };
        let a = &orderer.graph.assigns[*p];
        let loop_time = self.unit.time.as_ref()?;
        let zero_start = a.accumulator.is_sum();
        let filled = zero_start || is_covered(orderer.graph, *t);
        if u.recurrent || !can_run_on(a.accumulator) || !filled {
            return None;
        }
        let exact = !orderer.graph.tensors[*t].elem.is_float()
            || matches!(a.accumulator, Accumulator::Max | Accumulator::Min)
            || orderer.graph.tensors[*t].elem == ScalarType::Bool;
        let in_order = options.strict && !exact;
        let apart = options.checkpoints.is_none() && self.is_contraction(orderer, *p);
        if loop_time.descending && (in_order || apart) {
            return None;
        }
        let reduced = a.reduced();
        let candidates = if in_order { reduced.get(..1)? } else { reduced.as_slice() };
        candidates.iter().find_map(|&k| {
            let range = a.space.range(k)?;
            if range.lo.as_size().is_none() || range.hi.as_size().is_none() {
                return None;
            }
            let mut time = loop_time.clone();
            time.time.insert(*p, Affine::iter(k));
            self.reads_fit(orderer, *p, &time).then_some(time)
        })
    }

    /// Whether a reduction has cells that a read of the loop's tensors does not tell apart,
    /// as in a product of matrices: after the loop it runs in tiles, and much faster.
    fn is_contraction(&self, orderer: &Orderer<'_>, p: AssignId) -> bool {
        let piece = orderer.pieces.get(p);
        let of_loop = piece.reads.iter().filter(|r| self.unit.tensors.contains(&r.tensor));
        let mentioned =
            |r: &Read| -> BTreeSet<Iter> { r.index.iter().flat_map(Affine::iters).collect() };
        let mut seen = of_loop.map(mentioned);
        seen.any(|m| piece.cells.iter().any(|i| !m.contains(i)))
    }

    /// Whether every read of the loop's tensors is at a constant distance not ahead.
    fn reads_fit(&self, orderer: &Orderer<'_>, p: AssignId, time: &TimeAxes) -> bool {
        orderer.pieces.get(p).reads.iter().all(|r| {
            if !time.axis.contains_key(&r.tensor) {
                return !self.unit.carried_reductions.contains(&r.tensor);
            }
            let d = orderer.distance(p, r, time);
            d.constant().is_some() && d.is_ordered(time.descending)
        })
    }
}

/// Whether a partial result of an accumulator is a value of the target.
pub(crate) fn can_run_on(a: Accumulator) -> bool {
    use Accumulator::{All, Any, ExactSum, Max, Min, Prod, Sum};
    matches!(a, Sum | ExactSum(_) | Prod | Max | Min | All | Any)
}

/// Everything that the pieces of a unit read.
pub(crate) fn reads_of<'a>(
    orderer: &'a Orderer<'_>,
    unit: &'a RecurrenceGroup,
) -> impl Iterator<Item = (AssignId, &'a Read)> {
    let pieces = unit.tensors.iter().flat_map(|&t| orderer.graph.pieces(t));
    pieces.flat_map(|&p| orderer.pieces.get(p).reads.iter().map(move |r| (p, r)))
}

/// Whether one unit reads, however indirectly, what another one computes.
pub(crate) fn depends_on(
    graph: &Graph,
    units: &[RecurrenceGroup],
    one: usize,
    other: usize,
) -> bool {
    let edges = edges(graph, units);
    let mut seen = BTreeSet::from([one]);
    let mut stack = vec![one];
    while let Some(u) = stack.pop() {
        stack.extend(edges[u].iter().copied().filter(|v| seen.insert(*v)));
    }
    one != other && seen.contains(&other)
}

/// The positions of the units that each unit reads.
fn edges(graph: &Graph, units: &[RecurrenceGroup]) -> Vec<Vec<usize>> {
    let mut of: BTreeMap<TensorId, usize> = BTreeMap::new();
    for (i, u) in units.iter().enumerate() {
        of.extend(u.tensors.iter().map(|&t| (t, i)));
    }
    let one = |u: &RecurrenceGroup| {
        let read = u.tensors.iter().flat_map(|&t| needs(graph, t));
        let set: BTreeSet<usize> = read.filter_map(|t| of.get(&t).copied()).collect();
        set.into_iter().collect()
    };
    units.iter().map(one).collect()
}

/// The order of units in which each comes after what it reads, and the second of each of
/// the given pairs after the first; `None` where there is none.
pub(crate) fn sort_units(
    graph: &Graph,
    units: Vec<RecurrenceGroup>,
    before: &[(usize, usize)],
) -> Option<Vec<RecurrenceGroup>> {
    let mut edges = edges(graph, &units);
    for &(first, then) in before {
        edges[then].push(first);
    }
    let mut units: Vec<Option<RecurrenceGroup>> = units.into_iter().map(Some).collect();
    let order = components(units.len(), &|v| edges[v].clone());
    let one = |c: Vec<usize>| match c.as_slice() {
        [i] => units[*i].take(),
        _ => None,
    };
    order.into_iter().map(one).collect()
}
