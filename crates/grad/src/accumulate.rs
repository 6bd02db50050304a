//! Adjoints of reductions with respect to their bodies.
//!
//! A sum passes what flows in on to every point; a largest or smallest one to the first
//! point that has it; a product multiplies by the product of all other points, from
//! before and from behind, so that zeros need no care and the rule can be differentiated
//! again.

use crate::build;
use crate::seed::{derived_tensor, set_covered};
use std::collections::BTreeMap;
use weft_domain::{Affine, Constraint, End, Iter, Relation, Space};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId,
};

/// The factor of a derivative at a point, and the condition under which it flows.
#[derive(Clone, Default)]
pub(crate) struct ReductionAdjoint {
    /// Factor, a node of the piece's arena; none is 1.
    pub factor: Option<ExprId>,
    /// Points where this is false have no share; a node of the piece's arena.
    pub mask: Option<ExprId>,
}

/// Tensors that derivatives of reductions need, made once each.
#[derive(Default)]
pub(crate) struct Accumulators {
    selections: BTreeMap<AssignId, Vec<TensorId>>,
    others: BTreeMap<AssignId, TensorId>,
}

impl Accumulators {
    /// The share of the points of a piece; `work` is the piece with its arena to extend.
    /// `Err` names what has no derivative.
    pub fn share(
        &mut self,
        graph: &mut Graph,
        p: AssignId,
        work: &mut Assignment,
    ) -> Result<ReductionAdjoint, &'static str> {
        match work.accumulator {
            Accumulator::Set | Accumulator::Sum | Accumulator::ExactSum(_) => {
                Ok(ReductionAdjoint { factor: None, mask: work.mask })
            }
            Accumulator::Max | Accumulator::Min => Ok(self.selected(graph, p, work)),
            Accumulator::Prod | Accumulator::ExactProd(_) => self.product(graph, p, work),
            Accumulator::All
            | Accumulator::Any
            | Accumulator::ArgMax(_)
            | Accumulator::ArgMin(_) => Err("a reduction that is locally constant"),
        }
    }

    fn selected(
        &mut self,
        graph: &mut Graph,
        p: AssignId,
        work: &mut Assignment,
    ) -> ReductionAdjoint {
        let places = match self.selections.get(&p) {
            Some(known) => known.clone(),
            None => {
                let new = select(graph, p);
                self.selections.insert(p, new.clone());
                new
            }
        };
        let mut conditions: Vec<ExprId> = work.mask.into_iter().collect();
        for (i, tensor) in work.reduced().into_iter().zip(places) {
            let read = Expr::Read { tensor, index: work.write.clone(), site: None };
            let at = work.exprs.add(read, ScalarType::I64);
            let i = work.exprs.index(Affine::iter(i));
            conditions.push(work.exprs.binary(BinaryOp::Eq, i, at));
        }
        ReductionAdjoint { factor: None, mask: build::all(&mut work.exprs, &conditions) }
    }

    fn product(
        &mut self,
        graph: &mut Graph,
        p: AssignId,
        work: &mut Assignment,
    ) -> Result<ReductionAdjoint, &'static str> {
        let others = match self.others.get(&p) {
            Some(known) => *known,
            None => {
                let new = product_of_others(graph, p).ok_or("a product over this range")?;
                self.others.insert(p, new);
                new
            }
        };
        let mut index = work.write.clone();
        index.extend(work.reduced().into_iter().map(|k| Affine::iter(k).into()));
        let elem = graph.tensors[work.target].elem;
        let read = Expr::Read { tensor: others, index, site: None };
        let factor = work.exprs.add(read, elem);
        Ok(ReductionAdjoint { factor: Some(factor), mask: work.mask })
    }
}

/// One tensor per reduced iterator: its value at the point that a selection takes.
fn select(graph: &mut Graph, p: AssignId) -> Vec<TensorId> {
    let piece = graph.assigns[p].clone();
    let place = |n: usize| match piece.accumulator {
        Accumulator::Min => Accumulator::ArgMin(n as u8),
        _ => Accumulator::ArgMax(n as u8),
    };
    (0..piece.reduced().len())
        .map(|n| {
            let t = derived_tensor(graph, piece.target, &[]);
            graph.tensors[t].elem = ScalarType::I64;
            graph.assign(Assignment { target: t, accumulator: place(n), ..piece.clone() });
            set_covered(graph, t, false);
            t
        })
        .collect()
}

/// The product over all points but one, index by index: of the products over the later
/// indices `q[w, k₁ … kⱼ]`, all but the one at `kⱼ`.
///
/// ```text
/// others[w, k₁, k₂] = before₁[w, k₁] · behind₁[w, k₁] · before₂[w, k₁, k₂] · behind₂[w, k₁, k₂]
/// ```
fn product_of_others(graph: &mut Graph, p: AssignId) -> Option<TensorId> {
    let piece = unguarded(graph.assigns[p].clone());
    let reduced = piece.reduced();
    let mut levels = vec![Level::whole(graph, &piece, &reduced)?];
    for _ in 1..reduced.len() {
        let inner = levels.last()?;
        levels.push(inner.outer(graph, &piece));
    }
    let mut exprs = Exprs::new();
    let mut body = None;
    for level in &levels {
        for tensor in level.runs(graph, &piece)? {
            let read = Expr::Read { tensor, index: level.write.clone(), site: None };
            let factor = exprs.add(read, level.elem);
            body = Some(match body {
                Some(before) => exprs.binary(BinaryOp::Mul, before, factor),
                None => factor,
            });
        }
    }
    let whole = levels.first()?;
    let target = fresh(graph, &whole.axes, whole.elem);
    let (space, write) = (whole.space.clone(), whole.write.clone());
    let accumulator = Accumulator::Set;
    graph.assign(Assignment { target, space, write, accumulator, mask: None, body: body?, exprs });
    Some(target)
}

/// The value at each point is 1 where a guard or the mask leaves it out: so that running
/// products go over whole ranges.
fn unguarded(mut piece: Assignment) -> Assignment {
    let exprs = &mut piece.exprs;
    let zero = exprs.constant(Scalar::I64(0));
    let holds = |g: &Constraint| {
        let term = exprs.index(g.term.clone());
        let op = match g.relation {
            Relation::Zero => BinaryOp::Eq,
            Relation::AtLeastZero => BinaryOp::Ge,
        };
        exprs.binary(op, term, zero)
    };
    let conditions: Vec<ExprId> = piece.space.guards.iter().map(holds).collect();
    let conditions: Vec<ExprId> = conditions.into_iter().chain(piece.mask).collect();
    piece.space.guards.clear();
    piece.mask = None;
    if let Some(all) = crate::reverse::lazily(exprs, &conditions) {
        let one = exprs.constant(Scalar::one(exprs.ty(piece.body)));
        piece.body = exprs.if_else(all, piece.body, one);
    }
    piece
}

/// A tensor that not every cell of is written.
fn fresh(graph: &mut Graph, axes: &[Axis], elem: ScalarType) -> TensorId {
    let definition = Definition::Assigned { pieces: Vec::new(), covered: false };
    let axes = axes.to_vec();
    graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition })
}

/// Products over all but the first so many reduced indices.
struct Level {
    tensor: TensorId,
    space: Space,
    /// Where the piece writes, then the indices that are left.
    write: Vec<IndexTerm>,
    axes: Vec<Axis>,
    elem: ScalarType,
    /// The last index that is left.
    k: Iter,
}

impl Level {
    /// The value at each point.
    fn whole(graph: &mut Graph, piece: &Assignment, reduced: &[Iter]) -> Option<Level> {
        let mut axes = graph.tensors[piece.target].axes.clone();
        let mut write = piece.write.clone();
        for &k in reduced {
            let range = piece.space.range(k)?;
            let extent = piece.space.bound(&range.hi, End::Upper)?.larger(&0.into());
            axes.push(Axis { extent, name: piece.space.iters[k].clone() });
            write.push(Affine::iter(k).into());
        }
        let elem = graph.tensors[piece.target].elem;
        let tensor = fresh(graph, &axes, elem);
        let (space, accumulator) = (piece.space.clone(), Accumulator::Set);
        let (mask, body, exprs) = (None, piece.body, piece.exprs.clone());
        let write_to = write.clone();
        let target = tensor;
        graph.assign(Assignment { target, space, write: write_to, accumulator, mask, body, exprs });
        Some(Level { tensor, space: piece.space.clone(), write, axes, elem, k: *reduced.last()? })
    }

    /// The products over the last index.
    fn outer(&self, graph: &mut Graph, piece: &Assignment) -> Level {
        let (mut space, mut write, mut axes) =
            (self.space.clone(), self.write.clone(), self.axes.clone());
        let mut exprs = Exprs::new();
        let read = Expr::Read { tensor: self.tensor, index: write.clone(), site: None };
        let body = exprs.add(read, self.elem);
        write.pop();
        axes.pop();
        let tensor = fresh(graph, &axes, self.elem);
        graph.assign(Assignment {
            target: tensor,
            space: space.clone(),
            write: write.clone(),
            accumulator: Accumulator::Prod,
            mask: None,
            body,
            exprs,
        });
        space.ranges.pop();
        let before = piece.reduced().into_iter().take_while(|i| *i != self.k).last();
        let k = before.expect("another index is left");
        Level { tensor, space, write, axes, elem: self.elem, k }
    }

    /// The products of what stands before each point, and of what stands behind it.
    fn runs(&self, graph: &mut Graph, piece: &Assignment) -> Option<[TensorId; 2]> {
        let range = piece.space.range(self.k)?.clone();
        let last = range.hi.plus_size(&(-1).into());
        Some([self.run(graph, -1, &range.lo)?, self.run(graph, 1, &last)?])
    }

    /// `run[first] = 1; run[k] = run[k + step] · value[k + step]` elsewhere.
    fn run(&self, graph: &mut Graph, step: i64, first: &Affine) -> Option<TensorId> {
        let target = fresh(graph, &self.axes, self.elem);
        let at = Affine::iter(self.k);
        let make = |guard: Constraint, exprs: Exprs, body: ExprId| {
            let mut space = self.space.clone();
            space.guards.push(guard);
            let (write, accumulator) = (self.write.clone(), Accumulator::Set);
            Assignment { target, space, write, accumulator, mask: None, body, exprs }
        };
        let mut exprs = Exprs::new();
        let one = exprs.constant(Scalar::one(self.elem));
        let is_first = Constraint { term: at.minus(first)?, relation: Relation::Zero };
        graph.assign(make(is_first, exprs, one));
        let mut exprs = Exprs::new();
        let mut index = self.write.clone();
        *index.last_mut()? = at.plus_size(&step.into()).into();
        let mut read =
            |tensor| exprs.add(Expr::Read { tensor, index: index.clone(), site: None }, self.elem);
        let (a, b) = (read(target), read(self.tensor));
        let body = exprs.binary(BinaryOp::Mul, a, b);
        let beyond = at.minus(first)?.scaled(-step)?.plus_size(&(-1).into());
        graph.assign(make(
            Constraint { term: beyond, relation: Relation::AtLeastZero },
            exprs,
            body,
        ));
        Some(target)
    }
}
