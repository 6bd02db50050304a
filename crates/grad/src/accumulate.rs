//! What a reduction's result owes to the value at each point.
//!
//! A sum passes what flows in on to every point; a largest or smallest one to the first
//! point that has it; a product multiplies by the product of all other points, from
//! before and from behind, so that zeros need no care and the rule can be differentiated
//! again.

use crate::build;
use crate::seed::{derived_tensor, set_covered};
use std::collections::BTreeMap;
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId,
};

/// What a derivative is multiplied by at a point, and where it goes at all.
#[derive(Clone, Default)]
pub(crate) struct Share {
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
    ) -> Result<Share, &'static str> {
        match work.accumulator {
            Accumulator::Set | Accumulator::Sum => Ok(Share { factor: None, mask: work.mask }),
            Accumulator::Max | Accumulator::Min => Ok(self.selected(graph, p, work)),
            Accumulator::Prod => self.product(graph, p, work),
            Accumulator::All
            | Accumulator::Any
            | Accumulator::ArgMax(_)
            | Accumulator::ArgMin(_) => Err("a reduction that is locally constant"),
        }
    }

    fn selected(&mut self, graph: &mut Graph, p: AssignId, work: &mut Assignment) -> Share {
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
        Share { factor: None, mask: build::all(&mut work.exprs, &conditions) }
    }

    fn product(
        &mut self,
        graph: &mut Graph,
        p: AssignId,
        work: &mut Assignment,
    ) -> Result<Share, &'static str> {
        let reduced = work.reduced();
        let [k] = reduced.as_slice() else {
            return Err("a product over several indices at once");
        };
        let others = match self.others.get(&p) {
            Some(known) => *known,
            None => {
                let new = product_of_others(graph, p, *k).ok_or("a product over this range")?;
                self.others.insert(p, new);
                new
            }
        };
        let mut index = work.write.clone();
        index.push(Affine::iter(*k).into());
        let elem = graph.tensors[work.target].elem;
        let read = Expr::Read { tensor: others, index, site: None };
        let factor = work.exprs.add(read, elem);
        Ok(Share { factor: Some(factor), mask: work.mask })
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

/// `before[w, k] · behind[w, k]`: the product over all points but `k`.
fn product_of_others(graph: &mut Graph, p: AssignId, k: Iter) -> Option<TensorId> {
    let piece = graph.assigns[p].clone();
    let range = piece.space.range(k)?.clone();
    let extent = piece.space.bound(&range.hi, true)?.larger(&0.into());
    let mut axes = graph.tensors[piece.target].axes.clone();
    axes.push(Axis { extent, name: piece.space.iters[k].clone() });
    let elem = graph.tensors[piece.target].elem;
    let fresh = |graph: &mut Graph| {
        let definition = Definition::Assigned { pieces: Vec::new(), covered: false };
        let axes = axes.clone();
        graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition })
    };
    let (value, before, behind) = (fresh(graph), fresh(graph), fresh(graph));
    let others = fresh(graph);
    let mut write = piece.write.clone();
    write.push(Affine::iter(k).into());
    let values = value_piece(&piece, value, &write);
    graph.assign(values);
    for (target, step, first) in
        [(before, -1, range.lo.clone()), (behind, 1, range.hi.plus_size(&(-1).into()))]
    {
        for a in running_product(&piece, k, &write, target, value, step, &first, elem)? {
            graph.assign(a);
        }
    }
    let mut exprs = Exprs::new();
    let read = |exprs: &mut Exprs, tensor| {
        exprs.add(Expr::Read { tensor, index: write.clone(), site: None }, elem)
    };
    let (a, b) = (read(&mut exprs, before), read(&mut exprs, behind));
    let body = exprs.binary(BinaryOp::Mul, a, b);
    let (space, accumulator) = (piece.space.clone(), Accumulator::Set);
    graph.assign(Assignment { target: others, space, write, accumulator, mask: None, body, exprs });
    Some(others)
}

/// The value at each point; 1 where the mask leaves it out.
fn value_piece(piece: &Assignment, target: TensorId, write: &[IndexTerm]) -> Assignment {
    let mut exprs = piece.exprs.clone();
    let one = exprs.constant(Scalar::one(exprs.ty(piece.body)));
    let body = match piece.mask {
        Some(mask) => exprs.if_else(mask, piece.body, one),
        None => piece.body,
    };
    let (space, write) = (piece.space.clone(), write.to_vec());
    Assignment { target, space, write, accumulator: Accumulator::Set, mask: None, body, exprs }
}

/// `run[first] = 1; run[k] = run[k + step] · value[k + step]` elsewhere. Points that guards
/// leave out count as 1.
#[allow(clippy::too_many_arguments, reason = "the parts of one recurrence")]
fn running_product(
    piece: &Assignment,
    k: Iter,
    write: &[IndexTerm],
    target: TensorId,
    value: TensorId,
    step: i64,
    first: &Affine,
    elem: ScalarType,
) -> Option<[Assignment; 2]> {
    if !piece.space.guards.is_empty() {
        return None;
    }
    let at = Affine::iter(k);
    let accumulator = Accumulator::Set;
    let make = |guard: Constraint, exprs: Exprs, body: ExprId| {
        let mut space = piece.space.clone();
        space.guards.push(guard);
        let write = write.to_vec();
        Assignment { target, space, write, accumulator, mask: None, body, exprs }
    };
    let mut exprs = Exprs::new();
    let one = exprs.constant(Scalar::one(elem));
    let is_first = Constraint { term: at.minus(first)?, relation: Relation::Zero };
    let start = make(is_first, exprs, one);
    let mut exprs = Exprs::new();
    let next = at.plus_size(&step.into());
    let mut index = write.to_vec();
    *index.last_mut()? = next.into();
    let mut read =
        |tensor| exprs.add(Expr::Read { tensor, index: index.clone(), site: None }, elem);
    let (a, b) = (read(target), read(value));
    let body = exprs.binary(BinaryOp::Mul, a, b);
    let beyond = at.minus(first)?.scaled(-step)?.plus_size(&(-1).into());
    let rest = make(Constraint { term: beyond, relation: Relation::AtLeastZero }, exprs, body);
    Some([start, rest])
}
