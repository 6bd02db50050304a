//! The path of a derivative: the tensors and reads through which one tensor depends on
//! another, smoothly.

use crate::calls::has_influence;
use crate::rules::is_smooth;
use std::collections::{BTreeMap, BTreeSet};
use weft_tensor::{AssignId, Expr, ExprId, Graph, TensorId};

/// A read that passes a derivative on: a node of an assignment.
pub(crate) type Edge = (AssignId, ExprId);

/// The tensors between an independent tensor and a target.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The independent tensor.
    pub from: TensorId,
    /// The target.
    pub to: TensorId,
    /// All tensors that `from` reaches and that reach `to`, these two included.
    pub tensors: BTreeSet<TensorId>,
    /// The reads between them, by the tensor read.
    pub edges: BTreeMap<TensorId, Vec<Edge>>,
    /// Whether cells of `from` stand for themselves, whatever defines them.
    pub cut: bool,
}

impl Path {
    /// The path from `from` to `to`, along reads that `passes` allows; `None` where there
    /// is none. With `cut`, what defines `from` is left out.
    pub fn compute(
        graph: &Graph,
        from: TensorId,
        to: TensorId,
        cut: bool,
        passes: &dyn Fn(Edge) -> bool,
    ) -> Option<Path> {
        let below = edges_below(graph, from, to, cut, passes);
        let mut tensors = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(t) = stack.pop() {
            for (assign, _) in below.get(&t).into_iter().flatten() {
                let reader = graph.assigns[*assign].target;
                if tensors.insert(reader) {
                    stack.push(reader);
                }
            }
        }
        if !tensors.contains(&to) {
            return None;
        }
        let mut edges: BTreeMap<TensorId, Vec<Edge>> = BTreeMap::new();
        for (t, all) in below {
            if tensors.contains(&t) {
                edges.insert(t, all);
            }
        }
        Some(Path { from, to, tensors, edges, cut })
    }

    /// Whether a read passes a derivative on.
    pub fn is_active(&self, edge: Edge, read: TensorId) -> bool {
        self.edges.get(&read).is_some_and(|all| all.contains(&edge))
    }

    /// Whether a tensor on the path is computed from itself, however indirectly.
    pub fn is_recurrent(&self, graph: &Graph) -> bool {
        let mut open = self.tensors.clone();
        // What no open tensor is read for is in no cycle.
        loop {
            let before = open.len();
            let is_read = |t: &TensorId| {
                let readers = self.edges.get(t).into_iter().flatten();
                readers.into_iter().any(|(p, _)| open.contains(&graph.assigns[*p].target))
            };
            let kept = open.iter().copied().filter(is_read).collect::<BTreeSet<_>>();
            open = kept;
            if open.len() == before {
                return !open.is_empty();
            }
        }
    }

    /// The pieces of path tensors that are differentiated, ascending.
    pub fn pieces<'g>(&self, graph: &'g Graph, t: TensorId) -> &'g [AssignId] {
        if self.cut && t == self.from { &[] } else { graph.pieces(t) }
    }
}

/// Every smooth read below `to`, by the tensor read.
fn edges_below(
    graph: &Graph,
    from: TensorId,
    to: TensorId,
    cut: bool,
    passes: &dyn Fn(Edge) -> bool,
) -> BTreeMap<TensorId, Vec<Edge>> {
    let mut edges: BTreeMap<TensorId, Vec<Edge>> = BTreeMap::new();
    let mut seen = BTreeSet::from([to]);
    let mut stack = vec![to];
    while let Some(t) = stack.pop() {
        if (cut && t == from) || !is_smooth(graph.tensors[t].elem) {
            continue;
        }
        for &p in graph.pieces(t) {
            for (e, read) in smooth_reads(graph, p) {
                if !passes((p, e)) {
                    continue;
                }
                edges.entry(read).or_default().push((p, e));
                if seen.insert(read) {
                    stack.push(read);
                }
            }
        }
    }
    edges
}

/// The reads of float tensors that an assignment's body needs for its value.
pub(crate) fn smooth_reads(graph: &Graph, p: AssignId) -> Vec<(ExprId, TensorId)> {
    let a = &graph.assigns[p];
    let mut seen = BTreeSet::new();
    let mut stack = vec![a.body];
    let mut found = Vec::new();
    while let Some(e) = stack.pop() {
        if !seen.insert(e) {
            continue;
        }
        match a.exprs.get(e) {
            Expr::Read { tensor, .. } => {
                if is_smooth(graph.tensors[*tensor].elem) {
                    found.push((e, *tensor));
                }
            }
            Expr::Unary(op, _) if op.derivative().is_none() => {}
            Expr::Cast(_, x) if !is_smooth(a.exprs.ty(e)) || !is_smooth(a.exprs.ty(*x)) => {}
            // Conditions decide, and pass nothing on.
            Expr::If(_, x, y) => stack.extend([*x, *y]),
            Expr::Check { value, .. } => stack.push(*value),
            Expr::Call { function, args } => {
                let counts = |n: &usize| has_influence(&graph.functions, *function, *n);
                stack.extend((0..args.len()).filter(counts).map(|n| args[n]));
            }
            other => stack.extend(other.operands()),
        }
    }
    found.sort();
    found
}
