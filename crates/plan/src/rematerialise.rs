//! Recurrences that a later pass over the steps computes once more, as copies of their own.
//!
//! ```text
//! u up; u' down, reads u; v up, reads u and the end of u'; w down, reads u, u', v
//!   =>   u up; u' down, reads u;  u2, v up;  u'2, w down, reads u2, v
//! ```
//!
//! A step loop runs once in its direction. What reads a history in a loop that must wait for
//! the end of that history (here `v`, and `w` after it: the gradient of a gradient's norm)
//! would have it kept whole. Where memory is short such a loop computes the history beside
//! itself, or the loop before does, whose checkpoints then serve it (see `checkpoint`, which
//! finds sweeps over copies as over all else). What comes out is the same: the copies are the
//! same assignments.

use crate::checkpoint::{MOST_REACH, is_descending};
use crate::order::{Orderer, TimeAxes};
use crate::recurrence_groups::{RecurrenceGroup, reads_of};
use std::collections::{BTreeMap, BTreeSet};
use weft_depend::Read;
use weft_domain::Affine;
use weft_tensor::reachable;
use weft_tensor::{AssignId, Assignment, Definition, Expr, ExprId, Graph, TensorId, rewrite};

/// Copies of recurrences, at most.
const MOST_COPIES: usize = 64;

/// The graph with the copies that later passes need; `None` where they need none, or many.
/// `units` come after what they read.
pub(crate) fn rematerialise(orderer: &Orderer<'_>, units: &[RecurrenceGroup]) -> Option<Graph> {
    let passes = Passes::find(orderer, units);
    let mut copies =
        Copies { passes: &passes, graph: orderer.graph.clone(), made: BTreeMap::new() };
    for (u, unit) in units.iter().enumerate() {
        let pass = passes.of[u];
        for &t in &unit.tensors {
            for &p in orderer.graph.pieces(t) {
                let replaced = copies.replaced(u, pass, p)?;
                if !replaced.is_empty() {
                    copies.graph.assigns[p] = with_reads(&orderer.graph.assigns[p], &replaced);
                }
            }
        }
    }
    (!copies.made.is_empty()).then_some(copies.graph)
}

/// How a unit reads another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// Near its own step, in a loop of the same direction.
    Beside,
    /// Near its own step, in a loop of the other direction.
    Swept,
    /// Near its own step, where that must be kept whole.
    Whole,
    /// When that is complete.
    Behind,
}

/// In which pass over the steps each unit runs at the earliest.
struct Passes<'a> {
    orderer: &'a Orderer<'a>,
    /// With a time axis also for what runs beside a copy.
    units: Vec<RecurrenceGroup>,
    unit_of: BTreeMap<TensorId, usize>,
    of: Vec<usize>,
}

impl<'a> Passes<'a> {
    fn find(orderer: &'a Orderer<'a>, units: &[RecurrenceGroup]) -> Passes<'a> {
        let tensors = |(u, unit): (usize, &RecurrenceGroup)| -> Vec<(TensorId, usize)> {
            unit.tensors.iter().map(|&t| (t, u)).collect()
        };
        let unit_of = units.iter().enumerate().flat_map(tensors).collect();
        let mut passes = Passes { orderer, units: units.to_vec(), unit_of, of: Vec::new() };
        for (u, unit) in units.iter().enumerate() {
            passes.of.push(0);
            match unit.time {
                Some(_) => passes.of[u] = passes.pass_of(u),
                None => passes.float(u),
            }
        }
        passes
    }

    /// The pass of a unit whose producers have theirs.
    fn pass_of(&self, u: usize) -> usize {
        let after = |(p, r): (AssignId, &Read)| {
            let (from, edge) = self.edge(u, p, r)?;
            Some(self.of.get(from)? + self.waits(from, edge))
        };
        reads_of(self.orderer, &self.units[u]).filter_map(after).max().unwrap_or(0)
    }

    /// Gives a unit without a loop of its own one, where it can run beside what it reads, or
    /// beside a copy of that: the one in which it wants least kept whole, and that is first.
    fn float(&mut self, u: usize) {
        let alone = self.units[u].clone();
        let mut best: Option<((usize, usize), RecurrenceGroup)> = None;
        for unit in self.with_steps(&alone) {
            self.units[u] = unit;
            let edges: Vec<Edge> = reads_of(self.orderer, &alone)
                .filter_map(|(p, r)| Some(self.edge(u, p, r)?.1))
                .collect();
            let count = |wanted: &[Edge]| edges.iter().filter(|e| wanted.contains(e)).count();
            let rank = (count(&[Edge::Whole]), self.pass_of(u));
            if count(&[Edge::Beside, Edge::Swept]) > 0 && best.as_ref().is_none_or(|b| rank < b.0) {
                best = Some((rank, self.units[u].clone()));
            }
        }
        self.units[u] = best.map_or(alone, |(_, unit)| unit);
        self.of[u] = self.pass_of(u);
    }

    /// A unit with each loop that it could run in: along an axis, or along what one tensor is
    /// reduced over.
    fn with_steps(&self, unit: &RecurrenceGroup) -> Vec<RecurrenceGroup> {
        let graph = self.orderer.graph;
        let rank = unit.tensors.iter().map(|&t| graph.tensors[t].rank()).min().unwrap_or(0);
        let mut all: Vec<RecurrenceGroup> =
            (0..rank).filter_map(|axis| self.with_steps_along(unit, axis)).collect();
        if let &[t] = unit.tensors.as_slice()
            && let &[p] = graph.pieces(t)
        {
            all.extend(graph.assigns[p].reduced().into_iter().map(|k| {
                let time = BTreeMap::from([(p, Affine::iter(k))]);
                let time = TimeAxes { time, ..TimeAxes::default() };
                RecurrenceGroup {
                    time: Some(time),
                    carried_reductions: BTreeSet::from([t]),
                    ..unit.clone()
                }
            }));
        }
        let down = |u: &RecurrenceGroup| {
            let time = u.time.clone().map(|time| TimeAxes { descending: true, ..time });
            RecurrenceGroup { time, ..u.clone() }
        };
        all.iter().flat_map(|u| [u.clone(), down(u)]).collect()
    }

    fn with_steps_along(&self, unit: &RecurrenceGroup, axis: usize) -> Option<RecurrenceGroup> {
        let mut time = TimeAxes::default();
        for &t in &unit.tensors {
            time.axis.insert(t, axis);
            for &p in self.orderer.graph.pieces(t) {
                time.time.insert(p, self.orderer.pieces.get(p).write[axis].clone());
            }
        }
        Some(RecurrenceGroup { time: Some(time), ..unit.clone() })
    }

    /// How many passes a unit is behind what it reads.
    fn waits(&self, from: usize, edge: Edge) -> usize {
        usize::from(edge != Edge::Beside && self.units[from].time.is_some())
    }

    /// Whether a unit reads what a loop of the other direction computes.
    fn is_sweep(&self, u: usize) -> bool {
        let swept = |(p, r)| self.edge(u, p, r).is_some_and(|(_, edge)| edge == Edge::Swept);
        reads_of(self.orderer, &self.units[u]).any(swept)
    }

    /// The unit that a read of another goes to; `None` for a unit's own tensors.
    fn edge(&self, u: usize, p: AssignId, r: &Read) -> Option<(usize, Edge)> {
        let from = *self.unit_of.get(&r.tensor)?;
        (from != u).then(|| (from, self.edge_to(u, from, p, r)))
    }

    fn edge_to(&self, u: usize, from: usize, p: AssignId, r: &Read) -> Edge {
        let (by, of) = (&self.units[u], &self.units[from]);
        let (Some(time), Some(steps)) = (&by.time, &of.time) else { return Edge::Behind };
        if of.carried_reductions.contains(&r.tensor) {
            return Edge::Behind;
        }
        let mut axes = time.clone();
        axes.axis.extend(&steps.axis);
        let d = self.orderer.distance(p, r, &axes);
        let near = |n: Option<i128>| n.is_some_and(|n| n.abs() < i128::from(MOST_REACH));
        match is_descending(by) == is_descending(of) {
            _ if !near(d.least) || !near(d.most) => Edge::Behind,
            // The steps of a sweep are not computed again for another.
            false if self.is_sweep(from) => Edge::Whole,
            false => Edge::Swept,
            true if d.is_ordered(is_descending(by)) => Edge::Beside,
            true => Edge::Whole,
        }
    }
}

/// The copies that there are, by what is copied and for which pass.
struct Copies<'a> {
    passes: &'a Passes<'a>,
    graph: Graph,
    made: BTreeMap<(usize, usize), BTreeMap<TensorId, TensorId>>,
}

impl Copies<'_> {
    /// The reads of a piece of unit `u` that go to copies where the unit runs in `pass`.
    fn replaced(
        &mut self,
        u: usize,
        pass: usize,
        p: AssignId,
    ) -> Option<BTreeMap<ExprId, TensorId>> {
        let passes = self.passes;
        let mut found = BTreeMap::new();
        for r in &passes.orderer.pieces.get(p).reads {
            let Some((from, edge)) = passes.edge(u, p, r) else { continue };
            let wanted = match edge {
                Edge::Beside => pass,
                Edge::Swept => pass - 1,
                Edge::Whole | Edge::Behind => continue,
            };
            if passes.of[from] < wanted {
                found.insert(r.expr, self.copy(from, wanted)?[&r.tensor]);
            }
        }
        Some(found)
    }

    /// The copies of a unit's tensors for a pass.
    fn copy(&mut self, u: usize, pass: usize) -> Option<BTreeMap<TensorId, TensorId>> {
        if let Some(known) = self.made.get(&(u, pass)) {
            return Some(known.clone());
        }
        if self.made.len() >= MOST_COPIES {
            return None;
        }
        let (unit, from) = (&self.passes.units[u], self.passes.orderer.graph);
        let copied = unit.tensors.iter().filter(|t| !unit.carried_reductions.contains(t));
        let copies: BTreeMap<TensorId, TensorId> = copied
            .map(|&t| {
                let definition = match from.tensors[t].definition {
                    Definition::Assigned { covered, .. } => {
                        Definition::Assigned { pieces: Vec::new(), covered }
                    }
                    ref other => other.clone(),
                };
                let like = from.tensors[t].clone();
                (t, self.graph.tensors.push(weft_tensor::Tensor { definition, ..like }))
            })
            .collect();
        self.made.insert((u, pass), copies.clone());
        for (&t, &copy) in &copies {
            for &p in from.pieces(t) {
                let mut replaced = self.replaced(u, pass, p)?;
                let own = self.passes.orderer.pieces.get(p).reads.iter();
                replaced.extend(own.filter_map(|r| Some((r.expr, *copies.get(&r.tensor)?))));
                let piece = with_reads(&from.assigns[p], &replaced);
                self.graph.assign(Assignment { target: copy, ..piece });
            }
        }
        Some(copies)
    }
}

/// An assignment with other tensors in some of its reads.
fn with_reads(a: &Assignment, replaced: &BTreeMap<ExprId, TensorId>) -> Assignment {
    // Nodes are rewritten in this order.
    let mut ids = reachable(a).into_iter();
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
        let id = ids.next().expect("as many nodes");
        match (node, replaced.get(&id)) {
            (Expr::Read { index, site, .. }, Some(&tensor)) => {
                into.add(Expr::Read { tensor, index, site }, ty)
            }
            (node, _) => into.add(node, ty),
        }
    });
    let body = *roots.last().expect("the body is a root");
    Assignment { exprs, body, mask: a.mask.map(|_| roots[0]), ..a.clone() }
}
