//! Magnitudes of the integers of a graph, by its extents.
//!
//! A body is at most some multiple of the largest cell that it reads of its own group, and
//! something more. Where the multiple is one the cells grow by that much a step, and no cell is
//! farther from the first ones than a chain of reads is long.
//!
//! A *bound* holds. An *estimate* supposes two things more, which most programs keep to: a chain of
//! reads is as long as the extents of the group together, and what is added below a maximum or
//! minimum is one cell (optima over parts are sums over what parts divide).

use crate::indices::Ranges;
use std::collections::BTreeSet;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_base::scc::components;
use weft_domain::Iter;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::Param;
use weft_tensor::{
    Accumulator, Array, Assignment, Definition, Expr, ExprId, Graph, IndexTerm, TensorId,
};
use weft_tensor::{reachable, reads};

/// At most `cells` times the largest cell of the group so far, and `rest` more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Magnitude {
    cells: i128,
    rest: i128,
}

/// How sure a magnitude is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Certainty {
    /// It is what is likely.
    Estimate,
    /// No value is larger at these extents.
    Bound,
}

/// The magnitudes of tensors.
pub(crate) struct Magnitudes<'a> {
    graph: &'a Graph,
    likely: &'a dyn Fn(Param) -> Option<i64>,
    certainty: Certainty,
    most: SecondaryMap<TensorId, Option<i128>>,
    recurrences: Vec<Vec<TensorId>>,
}

impl<'a> Magnitudes<'a> {
    /// Those of all tensors, of which some are computed from others.
    pub fn compute(
        graph: &'a Graph,
        computed: &[TensorId],
        likely: &'a dyn Fn(Param) -> Option<i64>,
        certainty: Certainty,
    ) -> Magnitudes<'a> {
        let (most, recurrences) = (SecondaryMap::new(), Vec::new());
        let mut found = Magnitudes { graph, likely, certainty, most, recurrences };
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

    /// The largest cell of a tensor.
    pub fn of_cells(&self, t: TensorId) -> Option<i128> {
        self.most[t]
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
        let (Some(ends), Some(steps)) = (ends, self.longest_chain(&members)) else { return };
        let first = ends.iter().map(|e| e.0).max().unwrap_or(0);
        let growth = ends.iter().map(|e| e.1).max().unwrap_or(0);
        let most = growth.saturating_mul(steps).saturating_add(first);
        members.into_iter().for_each(|t| self.most[t] = Some(most));
    }

    /// The steps of the longest chain of cells that each read the one before it.
    fn longest_chain(&self, members: &BTreeSet<TensorId>) -> Option<i128> {
        let extents = |t: &TensorId| -> Option<Vec<i128>> {
            self.graph.shape(*t).map(|n| n.eval(self.likely).map(i128::from)).collect()
        };
        let extents: Vec<Vec<i128>> = members.iter().map(extents).collect::<Option<_>>()?;
        let sums = extents.iter().map(|n| n.iter().sum::<i128>());
        Some(match self.certainty {
            Certainty::Estimate => sums.sum(),
            // The coordinates together grow along a chain, but for cells of different members at
            // one place.
            Certainty::Bound if self.reads_never_forward(members) => {
                sums.max()?.saturating_add(1).saturating_mul(extents.len() as i128)
            }
            // No cell stands in a chain twice.
            Certainty::Bound => {
                let cells = extents.iter().map(|n| n.iter().fold(1, |a, b| b.saturating_mul(a)));
                cells.fold(0, i128::saturating_add)
            }
        })
    }

    /// Whether no coordinate of a cell that is read lies behind that of the cell that reads it.
    fn reads_never_forward(&self, members: &BTreeSet<TensorId>) -> bool {
        let pieces = members.iter().flat_map(|&t| self.graph.pieces(t));
        let of_members = |a| reads(a).into_iter().filter(|r| members.contains(&r.tensor));
        pieces.map(|&p| &self.graph.assigns[p]).all(|a: &Assignment| {
            of_members(a).all(|r| {
                let ahead = |(own, read): (&IndexTerm, &IndexTerm)| {
                    let ahead = own.as_affine()?.minus(read.as_affine()?)?;
                    ahead.as_constant().map(|n| n >= 0)
                };
                a.write.len() == r.index.len()
                    && a.write.iter().zip(r.index).all(|terms| ahead(terms) == Some(true))
            })
        })
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
            let has_terms = a.mask.is_none() && a.space.guards.is_empty();
            let m = self.accumulated(a, a.accumulator, &a.reduced(), has_terms, body);
            let m = within_type(m, self.graph.tensors[t].elem)?;
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
            let ty = a.exprs.ty(e);
            // Modular types make large numbers of small ones.
            let own = own.filter(|_| ty.is_signed() || self.certainty == Certainty::Estimate);
            found[e.index()] = within_type(own, ty);
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
            Expr::Binary(op, x, y, _) => self.binary(*op, of(*x), of(*y)),
            Expr::If(_, x, y) => Some(larger(of(*x)?, of(*y)?)),
            Expr::Reduce(r) => {
                let reduced: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
                let has_terms = r.mask.is_none() && r.guards.is_empty();
                self.accumulated(a, r.accumulator, &reduced, has_terms, of(r.body))
            }
            Expr::Unary(..) | Expr::Call { .. } => None,
        }
    }

    fn binary(
        &self,
        op: BinaryOp,
        x: Option<Magnitude>,
        y: Option<Magnitude>,
    ) -> Option<Magnitude> {
        use BinaryOp::{Add, Div, Max, Min, Mul, Rem, Sub};
        match (op, x, y) {
            (Add | Sub, Some(x), Some(y)) => Some(Magnitude {
                cells: x.cells.saturating_add(y.cells),
                rest: x.rest.saturating_add(y.rest),
            }),
            (Max | Min, Some(x), Some(y)) => Some(match self.certainty {
                Certainty::Estimate => one_cell(larger(x, y)),
                Certainty::Bound => larger(x, y),
            }),
            (Mul, Some(x), Some(y)) if x.cells == 0 && y.cells == 0 => {
                Some(number(x.rest.saturating_mul(y.rest)))
            }
            (Div, Some(x), _) => Some(x),
            (Rem, _, Some(Magnitude { cells: 0, rest })) => Some(number(rest)),
            (Rem, Some(x), _) => Some(x),
            _ => None,
        }
    }

    /// Of what an accumulator makes of a body; `has_terms` where no condition leaves points out.
    fn accumulated(
        &self,
        a: &Assignment,
        accumulator: Accumulator,
        reduced: &[Iter],
        has_terms: bool,
        body: Option<Magnitude>,
    ) -> Option<Magnitude> {
        let body = body?;
        let likely = |p: Param| (self.likely)(p);
        let ranges = Ranges::of(a, &likely);
        match accumulator {
            Accumulator::Set => Some(body),
            // An optimum of nothing is an end of its type.
            Accumulator::Max | Accumulator::Min => match self.certainty {
                Certainty::Estimate => Some(one_cell(body)),
                Certainty::Bound => (has_terms && ranges.never_empty(reduced)).then_some(body),
            },
            Accumulator::ExactSum(_) => {
                let terms = ranges.count(reduced)?;
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
    v.as_i128().map(i128::abs)
}

fn largest(array: &Array) -> Option<i128> {
    let (lo, hi) = if array.is_empty() { (0, 0) } else { array.extremes()? };
    Some(lo.abs().max(hi.abs()))
}
