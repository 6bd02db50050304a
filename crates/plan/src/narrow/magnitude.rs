//! Magnitudes of the integers of a graph, estimated by its extents.
//!
//! A body is at most some multiple of the largest cell that it reads of its own group, and
//! something more. Where the multiple is one the cells grow by that much a step, and a chain of
//! steps is taken to be as long as the extents of the group together. What is added below a
//! maximum or minimum counts as one cell: optima over parts are sums over what parts divide.

use super::{MOST, extent};
use crate::indices::Ranges;
use std::collections::BTreeSet;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_base::scc::components;
use weft_domain::Iter;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::Param;
use weft_tensor::{Accumulator, Array, Assignment, Definition, Expr, ExprId, Graph, TensorId};
use weft_tensor::{reachable, reads};

/// At most `cells` times the largest cell of the group so far, and `rest` more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Magnitude {
    cells: i128,
    rest: i128,
}

/// The magnitudes of tensors.
pub(super) struct Magnitudes<'a> {
    graph: &'a Graph,
    likely: &'a dyn Fn(Param) -> Option<i64>,
    most: SecondaryMap<TensorId, Option<i128>>,
    recurrences: Vec<Vec<TensorId>>,
}

impl<'a> Magnitudes<'a> {
    /// Those of all tensors, of which some are computed from others.
    pub fn compute(
        graph: &'a Graph,
        computed: &[TensorId],
        likely: &'a dyn Fn(Param) -> Option<i64>,
    ) -> Magnitudes<'a> {
        let mut found =
            Magnitudes { graph, likely, most: SecondaryMap::new(), recurrences: Vec::new() };
        for (t, tensor) in graph.tensors.iter() {
            if let Definition::Constant(array) = &tensor.definition {
                found.most[t] = largest(array);
            }
        }
        let computed: BTreeSet<TensorId> = computed.iter().copied().collect();
        let needs = |t: usize| -> Vec<usize> {
            let t = TensorId::new(t);
            let pieces = graph.pieces(t).iter().filter(|_| computed.contains(&t));
            pieces.flat_map(|&p| reads(&graph.assigns[p])).map(|r| r.tensor.index()).collect()
        };
        for group in components(graph.tensors.len(), &needs) {
            let recurrent = group.len() > 1 || needs(group[0]).contains(&group[0]);
            let group: Vec<TensorId> = group.into_iter().map(TensorId::new).collect();
            if recurrent {
                found.take_recurrence(&group);
                found.recurrences.push(group);
            } else if computed.contains(&group[0]) {
                let own = found.of_definition(group[0], &BTreeSet::new());
                found.most[group[0]] = own.map(|m| m.0);
            }
        }
        found
    }

    /// The groups of tensors that read each other.
    pub fn recurrences(&self) -> impl Iterator<Item = &Vec<TensorId>> {
        self.recurrences.iter()
    }

    /// Whether all cells are taken to fit 32 bits.
    pub fn is_small(&self, t: TensorId) -> bool {
        self.most[t].is_some_and(|m| m <= MOST)
    }

    /// Of the integers of a body and mask, by node.
    pub fn of_nodes(&self, a: &Assignment) -> Vec<Option<i128>> {
        let nodes = self.nodes(a, &BTreeSet::new());
        nodes.into_iter().map(|m| m.map(|m| m.rest)).collect()
    }

    fn take_recurrence(&mut self, group: &[TensorId]) {
        let members: BTreeSet<TensorId> =
            group.iter().copied().filter(|&t| self.is_integer(t)).collect();
        let of_members = members.iter().map(|&t| self.of_definition(t, &members));
        let ends: Option<Vec<(i128, i128)>> = of_members.collect();
        let axes = members.iter().flat_map(|&t| self.graph.shape(t));
        let steps: Option<i128> = axes.map(|n| extent(n, self.likely)).sum();
        let (Some(ends), Some(steps)) = (ends, steps) else { return };
        let first = ends.iter().map(|e| e.0).max().unwrap_or(0);
        let growth = ends.iter().map(|e| e.1).max().unwrap_or(0);
        let most = growth.saturating_mul(steps).saturating_add(first);
        members.into_iter().for_each(|t| self.most[t] = Some(most));
    }

    fn is_integer(&self, t: TensorId) -> bool {
        self.graph.tensors[t].elem.is_int()
    }

    /// The largest cell that reads none of the group, and by how much a step grows.
    fn of_definition(&self, t: TensorId, group: &BTreeSet<TensorId>) -> Option<(i128, i128)> {
        let (mut first, mut growth) = (0, 0);
        for &p in self.graph.pieces(t) {
            let a = &self.graph.assigns[p];
            let body = self.nodes(a, group)[a.body.index()];
            let m = self.accumulated(a, a.accumulator, &a.reduced(), body)?;
            match m.cells {
                0 => first = m.rest.max(first),
                1 => growth = m.rest.max(growth),
                _ => return None,
            }
        }
        Some((first, growth))
    }

    fn nodes(&self, a: &Assignment, group: &BTreeSet<TensorId>) -> Vec<Option<Magnitude>> {
        let mut found: Vec<Option<Magnitude>> = vec![None; a.exprs.len()];
        let likely = |p: Param| (self.likely)(p);
        let ranges = Ranges::of(a, &likely);
        for e in reachable(a) {
            let own = self.node(a, e, &ranges, group, &|x: ExprId| found[x.index()]);
            found[e.index()] = within_type(own, a.exprs.ty(e));
        }
        found
    }

    fn node(
        &self,
        a: &Assignment,
        e: ExprId,
        ranges: &Ranges<'_>,
        group: &BTreeSet<TensorId>,
        of: &dyn Fn(ExprId) -> Option<Magnitude>,
    ) -> Option<Magnitude> {
        match a.exprs.get(e) {
            Expr::Const(v) => magnitude_of(*v).map(number),
            Expr::Index(term) => {
                let (lo, hi) = ranges.interval(term)?;
                Some(number(lo.saturating_abs().max(hi.saturating_abs())))
            }
            Expr::Read { tensor, .. } if group.contains(tensor) => {
                Some(Magnitude { cells: 1, rest: 0 })
            }
            Expr::Read { tensor, .. } => self.most[*tensor].map(number),
            Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, x) | Expr::Cast(_, x) => of(*x),
            Expr::Check { value, .. } => of(*value),
            Expr::Binary(op, x, y, _) => binary(*op, of(*x), of(*y)),
            Expr::If(_, x, y) => Some(larger(of(*x)?, of(*y)?)),
            Expr::Reduce(r) => {
                let reduced: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
                self.accumulated(a, r.accumulator, &reduced, of(r.body))
            }
            Expr::Unary(..) | Expr::Call { .. } => None,
        }
    }

    fn accumulated(
        &self,
        a: &Assignment,
        accumulator: Accumulator,
        reduced: &[Iter],
        body: Option<Magnitude>,
    ) -> Option<Magnitude> {
        let body = body?;
        match accumulator {
            Accumulator::Set => Some(body),
            Accumulator::Max | Accumulator::Min => Some(one_cell(body)),
            Accumulator::ExactSum(_) => {
                let likely = |p: Param| (self.likely)(p);
                let terms = Ranges::of(a, &likely).count(reduced)?;
                Some(Magnitude {
                    cells: body.cells.saturating_mul(terms),
                    rest: body.rest.saturating_mul(terms),
                })
            }
            _ => None,
        }
    }
}

fn number(rest: i128) -> Magnitude {
    Magnitude { cells: 0, rest }
}

fn larger(x: Magnitude, y: Magnitude) -> Magnitude {
    Magnitude { cells: x.cells.max(y.cells), rest: x.rest.max(y.rest) }
}

fn one_cell(m: Magnitude) -> Magnitude {
    Magnitude { cells: m.cells.min(1), ..m }
}

fn binary(op: BinaryOp, x: Option<Magnitude>, y: Option<Magnitude>) -> Option<Magnitude> {
    use BinaryOp::{Add, Div, Max, Min, Mul, Rem, Sub};
    match (op, x, y) {
        (Add | Sub, Some(x), Some(y)) => Some(Magnitude {
            cells: x.cells.saturating_add(y.cells),
            rest: x.rest.saturating_add(y.rest),
        }),
        (Max | Min, Some(x), Some(y)) => Some(one_cell(larger(x, y))),
        (Mul, Some(x), Some(y)) if x.cells == 0 && y.cells == 0 => {
            Some(number(x.rest.saturating_mul(y.rest)))
        }
        (Div, Some(x), _) => Some(x),
        (Rem, _, Some(Magnitude { cells: 0, rest })) => Some(number(rest)),
        (Rem, Some(x), _) => Some(x),
        _ => None,
    }
}

/// The bound that the type of a node sets.
fn within_type(m: Option<Magnitude>, ty: ScalarType) -> Option<Magnitude> {
    if ty.is_float() {
        return None;
    }
    let ends = [Scalar::least(ty), Scalar::greatest(ty)].map(magnitude_of);
    let most = ends[0].zip(ends[1]).map(|(lo, hi)| number(lo.max(hi)));
    match (m, most) {
        (Some(m), Some(most)) if m.cells == 0 && most.rest < m.rest => Some(most),
        (m, most) => m.or(most),
    }
}

fn magnitude_of(v: Scalar) -> Option<i128> {
    v.as_i64().map(|n| i128::from(n).abs())
}

fn largest(array: &Array) -> Option<i128> {
    let mut all = (0..array.len()).map(|at| magnitude_of(array.get(at)));
    all.try_fold(0, |most: i128, m| Some(most.max(m?)))
}
