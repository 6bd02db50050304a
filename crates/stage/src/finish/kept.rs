//! What differentials read besides their leaves is kept from being differentiated.

use crate::unit::derivatives::{Derivatives, copy_of};
use crate::unit::tensors::{Tensors, reads};
use std::collections::{BTreeMap, BTreeSet};
use weft_grad::Rule;
use weft_scalar::Scalar;
use weft_tensor::{AssignId, Assignment, Expr as Node, ExprId, Exprs, Graph, TensorId, rewrite};

/// Keeps what differentials read besides their leaves from being differentiated.
pub(super) fn keep_factors(tensors: &mut Tensors, derivatives: &mut Derivatives) {
    let live = derivatives.live_copies();
    if live.is_empty() && derivatives.rules().is_empty() {
        return;
    }
    let graph = tensors.graph_mut();
    let linear = linear_tensors(graph, live);
    let is_factor = |a: &Assignment| linear.contains(&a.target) && reads_any(&a.exprs, &linear);
    let pieces: Vec<AssignId> =
        graph.assigns.iter().filter(|(_, a)| is_factor(a)).map(|(p, _)| p).collect();
    let mut kept = Kept { linear, copies: BTreeMap::new(), rules: Vec::new() };
    for p in pieces {
        let a = graph.assigns[p].clone();
        graph.assigns[p] = kept.assignment(graph, a);
    }
    let rules = derivatives.rules_mut();
    for rule in rules.iter_mut() {
        rule.stands_in = kept.assignment(graph, rule.stands_in.clone());
    }
    rules.append(&mut kept.rules);
}

fn reads_any(exprs: &Exprs, tensors: &BTreeSet<TensorId>) -> bool {
    reads(exprs).any(|t| tensors.contains(&t))
}

/// What reads a live copy, or what does.
pub(super) fn linear_tensors(graph: &Graph, live: BTreeSet<TensorId>) -> BTreeSet<TensorId> {
    let mut found = live;
    loop {
        let before = found.len();
        for (_, a) in graph.assigns.iter() {
            if !found.contains(&a.target) && reads_any(&a.exprs, &found) {
                found.insert(a.target);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Copies whose derivative is nothing, made where they are needed.
struct Kept {
    linear: BTreeSet<TensorId>,
    copies: BTreeMap<TensorId, TensorId>,
    rules: Vec<Rule>,
}

impl Kept {
    /// A piece of a differential with every other value kept.
    fn assignment(&mut self, graph: &mut Graph, a: Assignment) -> Assignment {
        let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
        let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| match node {
            Node::Read { tensor, index, site }
                if ty.is_float() && !self.linear.contains(&tensor) =>
            {
                let tensor = self.copy(graph, tensor);
                into.add(Node::Read { tensor, index, site }, ty)
            }
            other => into.add(other, ty),
        });
        let body = *roots.last().expect("the body is a root");
        let mask = a.mask.map(|_| roots[0]);
        Assignment { exprs, body, mask, ..a }
    }

    fn copy(&mut self, graph: &mut Graph, of: TensorId) -> TensorId {
        if let Some(t) = self.copies.get(&of) {
            return *t;
        }
        let t = copy_of(graph, of);
        let piece = graph.pieces(t)[0];
        let mut stands_in = graph.assigns[piece].clone();
        let mut exprs = Exprs::new();
        stands_in.body = exprs.constant(Scalar::zero(graph.tensors[of].elem));
        stands_in.exprs = exprs;
        self.rules.push(Rule { piece, stands_in, hides: Some(of) });
        self.copies.insert(of, t);
        t
    }
}
