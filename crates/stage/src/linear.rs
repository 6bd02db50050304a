//! Differentials that are more than a leaf: sums, clauses, rules.
//!
//! A differential is linear over its leaves. As a tensor it is written with the leaves'
//! values in place of their differentials, each through a *live* copy, and with every
//! other value it reads *kept*: a copy whose derivative is nothing. So the derivative of
//! that tensor is the differential; its value is never asked for.

use crate::derive::where_reached;
use crate::env::EnvId;
use crate::frame::Frame;
use crate::lift::written_at;
use crate::remap::{needed, rebuild, restrict};
use crate::stager::Stager;
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, Iter, Space};
use weft_grad::Rule;
use weft_scalar::Scalar;
use weft_sema::thir::{Expr, ExprKind};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Definition, Expr as Node, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId, rewrite,
};

impl<'p> Stager<'p> {
    /// `@x` within a larger differential: the cell of a live copy.
    pub fn lower_leaf(
        &mut self,
        x: &'p Expr,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let elem = self.elem(&e.ty);
        let Some(cells) = self.cells(x, env, frame) else {
            self.unsupported(e.span, "the differential of this");
            return frame.exprs.constant(Scalar::zero(elem));
        };
        let tensor = self.live(cells.tensor);
        let index = cells.index.iter().chain(idx).cloned().collect();
        let value = frame.exprs.add(Node::Read { tensor, index, site: None }, elem);
        self.where_there(value, &cells, x.span, frame)
    }

    fn live(&mut self, of: TensorId) -> TensorId {
        if let Some(t) = self.unit.live.get(&of) {
            return *t;
        }
        let t = copy_of(self.graph(), of);
        self.unit.live.insert(of, t);
        t
    }

    /// A value with a rule of its own: a tensor whose piece the rule stands in for.
    pub fn lower_ruled(
        &mut self,
        value: &'p Expr,
        differential: &'p Expr,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let mut depends = self.depends(value, env);
        depends.append(&mut self.depends(differential, env));
        let mut inner = self.narrowed(frame, depends, e.span);
        frame.lifts(&inner);
        let around = inner.iters();
        let conditions = self.lower_path(&mut inner);
        let axes = self.body_axes(env, &e.ty, &mut inner);
        let own: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let body = self.lower(value, env, &mut inner, &own);
        let body = where_reached(&mut inner, &conditions, body);
        let linear = self.lower(differential, env, &mut inner, &own);
        let linear = where_reached(&mut inner, &conditions, linear);
        let kept = needed(&inner, &[body, linear], &axes);
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let (space, replace) = restrict(&inner.space, &kept);
        let written: Vec<Iter> = outer.iter().chain(&axes).copied().collect();
        let (tensor_axes, cells) = self.axes_over(&inner.space, &written);
        let elem = self.elem(&e.ty);
        let target = self.tensor(None, elem, tensor_axes);
        self.graph().tensors[target].span = Some(e.span);
        let write = written_at(&cells, &replace);
        let assignment = |root: ExprId| {
            let (exprs, roots) = rebuild(&inner.exprs, &[root], &replace);
            let (space, write) = (space.clone(), write.clone());
            let accumulator = Accumulator::Set;
            let body = roots[0];
            Assignment { target, space, write, accumulator, mask: None, body, exprs }
        };
        let (value, stands_in) = (assignment(body), assignment(linear));
        self.define_covered(target, value);
        let piece = self.graph().pieces(target)[0];
        self.unit.rules.push(Rule { piece, stands_in, hides: None });
        let outer = cells.into_iter().take(outer.len()).map(IndexTerm::Affine);
        let index = outer.chain(idx.iter().cloned()).collect();
        frame.exprs.add(Node::Read { tensor: target, index, site: None }, elem)
    }

    /// A differential as a number, where every leaf changes by one.
    pub fn lower_seeded(
        &mut self,
        d: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let elem = self.elem(&d.ty);
        match &d.kind {
            ExprKind::Differential(_) => frame.exprs.constant(Scalar::one(elem)),
            ExprKind::Unary(op, x) => {
                let x = self.lower_seeded(x, env, frame, idx);
                frame.exprs.unary(*op, x)
            }
            ExprKind::Binary(op, a, b) => {
                let mut side = |e: &'p Expr, frame: &mut Frame<'p>| {
                    let idx = if e.ty.extents().is_none_or(<[_]>::is_empty) { &[] } else { idx };
                    match weft_sema::is_differential(e) {
                        true => self.lower_seeded(e, env, frame, idx),
                        false => self.lower(e, env, frame, idx),
                    }
                };
                let (a, b) = (side(a, frame), side(b, frame));
                frame.exprs.binary(*op, a, b)
            }
            ExprKind::If(c, a, b) => {
                let c = self.lower(c, env, frame, &[]);
                let a = self.lower_seeded(a, env, frame, idx);
                let b = self.lower_seeded(b, env, frame, idx);
                frame.exprs.if_else(c, a, b)
            }
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((crate::env::Bound::Thunk(e, home), _)) => {
                    self.lower_seeded(e, home, frame, idx)
                }
                _ => self.not_seeded(d, frame),
            },
            _ => self.not_seeded(d, frame),
        }
    }

    fn not_seeded(&mut self, d: &Expr, frame: &mut Frame<'p>) -> ExprId {
        self.unsupported(d.span, "this differential as a number");
        frame.exprs.constant(Scalar::zero(self.elem(&d.ty)))
    }

    /// Keeps what differentials read besides their leaves from being differentiated.
    pub fn keep_factors(&mut self) {
        let live: BTreeSet<TensorId> = self.unit.live.values().copied().collect();
        if live.is_empty() && self.unit.rules.is_empty() {
            return;
        }
        let graph = &mut self.unit.out.graph;
        let linear = linear_tensors(graph, live);
        let pieces: Vec<AssignId> = graph
            .assigns
            .iter()
            .filter(|(_, a)| linear.contains(&a.target) && reads_any(&a.exprs, &linear))
            .map(|(p, _)| p)
            .collect();
        let mut kept = Kept { linear, copies: BTreeMap::new(), rules: Vec::new() };
        for p in pieces {
            let a = graph.assigns[p].clone();
            graph.assigns[p] = kept.assignment(graph, a);
        }
        for rule in &mut self.unit.rules {
            rule.stands_in = kept.assignment(graph, rule.stands_in.clone());
        }
        self.unit.rules.append(&mut kept.rules);
    }
}

pub(crate) fn reads(exprs: &Exprs) -> impl Iterator<Item = TensorId> + '_ {
    exprs.ids().filter_map(|e| match exprs.get(e) {
        Node::Read { tensor, .. } => Some(*tensor),
        _ => None,
    })
}

fn reads_any(exprs: &Exprs, tensors: &BTreeSet<TensorId>) -> bool {
    reads(exprs).any(|t| tensors.contains(&t))
}

/// What reads a live copy, or what does.
pub(crate) fn linear_tensors(graph: &Graph, live: BTreeSet<TensorId>) -> BTreeSet<TensorId> {
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

/// A tensor with the cells of another.
fn copy_of(graph: &mut Graph, of: TensorId) -> TensorId {
    let like = &graph.tensors[of];
    let (elem, axes, span) = (like.elem, like.axes.clone(), like.span);
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let mut space = Space::default();
    let whole = |a: &weft_tensor::Axis| {
        let (lo, hi) = (Affine::fixed(0), Affine::fixed(a.extent.clone()));
        IndexTerm::from(Affine::iter(space.push(a.name.clone(), lo, hi)))
    };
    let write: Vec<IndexTerm> = axes.iter().map(whole).collect();
    let target = graph.tensors.push(Tensor { name: None, span, elem, axes, definition });
    let mut exprs = Exprs::new();
    let read = Node::Read { tensor: of, index: write.clone(), site: None };
    let body = exprs.add(read, elem);
    let accumulator = Accumulator::Set;
    graph.assign(Assignment { target, space, write, accumulator, mask: None, body, exprs });
    target
}
