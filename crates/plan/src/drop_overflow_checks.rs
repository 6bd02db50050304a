//! Drop overflow checks: an operator or a sum of integers whose operands keep it inside its type
//! cannot fail there.
//!
//! ```text
//! sum[u in 0..3, v in 0..3] exactly (cell[i + u, j + v] as i32)   -- cells of 8 bits
//!   =>   sum[u, v] (cell[i + u, j + v] as i32)
//! ```
//!
//! This is interval analysis (Cousot and Cousot, 1977), of what types, constants and ranges say, and
//! of how far recurrences can grow ([`crate::bounded_growth`]).
//! Exact sums run in lanes of 64 bits or more and are looked at in the end; what is left here
//! runs in lanes of its own type.

use crate::bounded_growth::GrowthBounds;
use crate::indices::{Interval, Ranges};
use crate::routine::{Item, Nest};
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::Iter;
use weft_scalar::eval::is_within;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Definition, Expr, ExprId, Exprs, Graph, Reduction, TensorId,
    rewrite,
};

/// Definitions behind each other are looked through so far.
const MOST_DEPTH: usize = 16;

/// Drops them in every assignment that some items carry out; `growth` bounds the cells of recurrences.
pub(crate) fn drop_overflow_checks(graph: &mut Graph, items: &[Item], growth: &GrowthBounds) {
    let nests: Vec<&Nest> = items.iter().flat_map(Item::nests).collect();
    let shared: BTreeSet<TensorId> = nests
        .iter()
        .filter(|n| is_shared(graph, n))
        .map(|n| graph.assigns[n.assign].target)
        .collect();
    let all: BTreeSet<AssignId> = nests.iter().map(|n| n.assign).collect();
    let known = growth.most.iter().map(|(&t, &most)| (t, (-most, most))).collect();
    let mut values = Values { graph, shared, known, depth: 0 };
    let checked = |p: &AssignId| has_checks(&values.graph.assigns[*p]);
    let checked: Vec<AssignId> = all.into_iter().filter(checked).collect();
    let new: Vec<(AssignId, Assignment)> =
        checked.into_iter().map(|p| (p, values.unchecked(&values.graph.assigns[p]))).collect();
    for (p, a) in new {
        graph.assigns[p] = a;
    }
}

/// Whether a cell gets its terms from more than this nest: then none sees the whole sum.
fn is_shared(graph: &Graph, n: &Nest) -> bool {
    let reduced = graph.assigns[n.assign].reduced();
    n.continues || n.bound.iter().any(|(i, _)| reduced.contains(i))
}

fn has_checks(a: &Assignment) -> bool {
    let is_checked = |e: ExprId| match a.exprs.get(e) {
        Expr::Reduce(r) => r.accumulator.site().is_some(),
        other => is_checked_operator(other),
    };
    a.accumulator.site().is_some() || a.exprs.ids().any(is_checked)
}

/// Whether an operator fails where it leaves its type.
pub(crate) fn is_checked_operator(e: &Expr) -> bool {
    matches!(e, Expr::Binary(_, _, _, Some(_)))
}

/// Intervals of the cells of tensors.
struct Values<'a> {
    graph: &'a Graph,
    /// Tensors whose cells several nests make together.
    shared: BTreeSet<TensorId>,
    /// Those of bounded growth, those that were asked for, and those that are being looked at:
    /// whatever their type holds.
    known: BTreeMap<TensorId, Interval>,
    depth: usize,
}

impl Values<'_> {
    /// An assignment without the checks that always pass.
    fn unchecked(&mut self, a: &Assignment) -> Assignment {
        let ranges = Ranges::of(a, &|_| None);
        let (exprs, roots, value) = self.rewritten(a, &ranges);
        let body = roots[roots.len() - 1];
        let accumulator = match self.shared.contains(&a.target) {
            true => a.accumulator,
            false => self.plain(&ranges, &a.reduced(), a.accumulator, (exprs.ty(body), value)),
        };
        let mask = a.mask.map(|_| roots[0]);
        Assignment { exprs, accumulator, body, mask, ..a.clone() }
    }

    /// Mask and body of an assignment without checks, and the interval of the body.
    fn rewritten(&mut self, a: &Assignment, ranges: &Ranges<'_>) -> (Exprs, Vec<ExprId>, Interval) {
        let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
        let mut found: BTreeMap<ExprId, Interval> = BTreeMap::new();
        let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
            let (node, value) = self.node(ranges, into, node, ty, &found);
            let id = into.add(node, ty);
            found.insert(id, value);
            id
        });
        let body = found[&roots[roots.len() - 1]];
        (exprs, roots, body)
    }

    /// A node without its check where that always passes, and its interval.
    fn node(
        &mut self,
        ranges: &Ranges<'_>,
        exprs: &Exprs,
        node: Expr,
        ty: ScalarType,
        found: &BTreeMap<ExprId, Interval>,
    ) -> (Expr, Interval) {
        let any = of_type(ty);
        let (node, exact) = match node {
            Expr::Binary(op, x, y, site) if ty.is_int() => {
                let exact = binary(op, found[&x], found[&y]);
                let drops = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
                    && exact.is_some_and(|v| fits(ty, v));
                (Expr::Binary(op, x, y, site.filter(|_| !drops)), exact)
            }
            Expr::Reduce(r) => {
                let own: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
                let body = (exprs.ty(r.body), found[&r.body]);
                let exact = accumulated(ranges, &own, r.accumulator, body.1);
                let accumulator = self.plain(ranges, &own, r.accumulator, body);
                (Expr::Reduce(Box::new(Reduction { accumulator, ..*r })), exact)
            }
            node => {
                let exact = match &node {
                    Expr::Const(v) => v.as_i128().map(|n| (n, n)),
                    Expr::Index(term) => ranges.interval(term),
                    Expr::Read { tensor, .. } => Some(self.cells(*tensor)),
                    Expr::Unary(UnaryOp::Neg, x) if ty.is_int() => {
                        let (lo, hi) = found[x];
                        Some((-hi, -lo))
                    }
                    Expr::Cast(_, x) if !exprs.ty(*x).is_float() => Some(clamped(found[x], any)),
                    Expr::If(_, x, y) => Some(hull(found[x], found[y])),
                    Expr::Check { value, .. } => Some(found[value]),
                    _ => None,
                };
                (node, exact)
            }
        };
        let value = exact.filter(|v| ty.is_int() && fits(ty, *v)).unwrap_or(any);
        (node, value)
    }

    /// An accumulator without its check, where no part of the sum leaves the type.
    fn plain(
        &self,
        ranges: &Ranges<'_>,
        reduced: &[Iter],
        accumulator: Accumulator,
        (ty, body): (ScalarType, Interval),
    ) -> Accumulator {
        match accumulator {
            Accumulator::ExactSum(_) => {
                let sum = accumulated(ranges, reduced, accumulator, body);
                let inside = sum.is_some_and(|sum| ty.is_int() && fits(ty, sum));
                if inside { Accumulator::Sum } else { accumulator }
            }
            _ => accumulator,
        }
    }

    /// Where the cells of a tensor lie; those that no clause defines are zero.
    fn cells(&mut self, t: TensorId) -> Interval {
        let any = of_type(self.graph.tensors[t].elem);
        if let Some(known) = self.known.get(&t) {
            return *known;
        }
        self.known.insert(t, any);
        let pieces = match &self.graph.tensors[t].definition {
            Definition::Assigned { pieces, .. } => pieces,
            Definition::Constant(array) => {
                let own = array.extremes().unwrap_or(any);
                self.known.insert(t, own);
                return own;
            }
            _ => return any,
        };
        let elem = self.graph.tensors[t].elem;
        let alone = pieces.len() == 1 && !self.shared.contains(&t);
        if !elem.is_int() || self.depth >= MOST_DEPTH {
            return any;
        }
        self.depth += 1;
        let mut all = (0, 0);
        for &p in pieces {
            let a = &self.graph.assigns[p];
            let plain = alone || a.accumulator == Accumulator::Set;
            let ranges = Ranges::of(a, &|_| None);
            let (_, _, body) = self.rewritten(a, &ranges);
            let value = accumulated(&ranges, &a.reduced(), a.accumulator, body);
            all = hull(all, value.filter(|v| plain && fits(elem, *v)).unwrap_or(any));
        }
        self.depth -= 1;
        self.known.insert(t, all);
        all
    }
}

/// Bounds of a reduction of some values and of every part of it; nothing where nobody knows.
fn accumulated(
    ranges: &Ranges<'_>,
    reduced: &[Iter],
    accumulator: Accumulator,
    (lo, hi): Interval,
) -> Option<Interval> {
    match accumulator {
        Accumulator::Set => Some((lo, hi)),
        Accumulator::Sum | Accumulator::ExactSum(_) => {
            let count = ranges.count(reduced)?.max(0);
            Some((lo.min(0).saturating_mul(count), hi.max(0).saturating_mul(count)))
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    Some(match op {
        BinaryOp::Add => (a.checked_add(c)?, b.checked_add(d)?),
        BinaryOp::Sub => (a.checked_sub(d)?, b.checked_sub(c)?),
        BinaryOp::Mul => {
            let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
            let corners = corners.into_iter().collect::<Option<Vec<i128>>>()?;
            (*corners.iter().min()?, *corners.iter().max()?)
        }
        BinaryOp::Min => (a.min(c), b.min(d)),
        BinaryOp::Max => (a.max(c), b.max(d)),
        BinaryOp::Rem if c > 0 => (if a < 0 { 1 - d } else { 0 }, if b > 0 { d - 1 } else { 0 }),
        BinaryOp::BitsAnd if a >= 0 && c >= 0 => (0, b.min(d)),
        _ => return None,
    })
}

fn hull((a, b): Interval, (c, d): Interval) -> Interval {
    (a.min(c), b.max(d))
}

fn clamped((lo, hi): Interval, (least, greatest): Interval) -> Interval {
    (lo.clamp(least, greatest), hi.clamp(least, greatest))
}

/// Whether a type holds all of an interval.
pub(crate) fn fits(ty: ScalarType, (lo, hi): Interval) -> bool {
    is_within(ty, lo) && is_within(ty, hi)
}

/// All that a type holds; of truth values, what they are as integers.
fn of_type(ty: ScalarType) -> Interval {
    let end = |s: Scalar| s.as_i128().unwrap_or(0);
    (end(Scalar::least(ty)), end(Scalar::greatest(ty)))
}
