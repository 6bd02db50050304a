//! Factor contractions: a sum of products of several operands becomes sums of fewer, in
//! the order that takes the fewest operations.
//!
//! ```text
//! y[i, l] = sum[j, k](a[i, j] * b[j, k] * c[k, l])
//!     =>   t[i, k] = sum[j](a[i, j] * b[j, k]);  y[i, l] = sum[k](t[i, k] * c[k, l])
//! ```
//!
//! All orders of up to [`MOST`] operands are weighed, as dynamic programming over their
//! subsets (Pfeifer, Haegeman and Verstraete, *Faster identification of optimal contraction
//! sequences for tensor networks*, 2014). What is weighed are the extents that the options
//! call likely; the order decides no more than rounding. Needs sums whose terms cannot fail
//! and which are part of no recurrence.

use crate::context::Context;
use std::collections::BTreeMap;
use weft_depend::recurrent_tensors;
use weft_domain::{Affine, Iter};
use weft_scalar::BinaryOp;
use weft_shape::Param;
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId,
};
use weft_tensor::{compute_demand, iters_of, reachable};

/// Sums of more operands stay as they are.
const MOST: usize = 8;

/// How many times fewer operations a factored sum must take.
const GAIN: f64 = 2.0;

/// The cost of writing and reading one cell of an intermediate, in operations.
const CELL: f64 = 4.0;

/// An extent that nobody knows yet.
const UNKNOWN: f64 = 100.0;

/// Factors every sum where that pays.
pub(crate) fn factor_contractions(graph: &mut Graph, context: &Context<'_>) {
    let found = better_orders(graph, context);
    if found.is_empty() {
        return;
    }
    let recurrent = recurrent_tensors(graph);
    for (p, tree) in found {
        if recurrent.binary_search(&graph.assigns[p].target).is_err() {
            build(graph, p, &tree);
        }
    }
}

/// The sums that another order serves better, with that order.
fn better_orders(graph: &Graph, context: &Context<'_>) -> Vec<(AssignId, Tree)> {
    let needed = compute_demand(graph, context.observed.iter().copied(), context.stored);
    let mut found = Vec::new();
    for t in graph.tensors.keys() {
        let free = !graph.tensors[t].elem.is_float() || !context.options.strict;
        if !needed[t] || !free || context.stored.contains(&t) {
            continue;
        }
        for &p in graph.pieces(t) {
            let product = Product::of(&graph.assigns[p]);
            let tree = product.and_then(|f| f.best(graph, &context.options.likely));
            found.extend(tree.map(|tree| (p, tree)));
        }
    }
    found
}

/// A set of operands or of iterators, by position.
type Set = u64;

/// A sum of products.
struct Product<'a> {
    assignment: &'a Assignment,
    /// The operands, with the iterators that each depends on.
    operands: Vec<(ExprId, Set)>,
    /// All iterators by position.
    iters: Vec<Iter>,
    written: Set,
}

/// How a sum is computed.
enum Tree {
    /// An operand of the product.
    Operand(ExprId),
    /// The product of parts, summed over what only they depend on.
    Sum { parts: Vec<Tree>, kept: Vec<Iter>, over: Vec<Iter> },
}

impl<'a> Product<'a> {
    /// The assignment as a sum of products; `None` where it is something else.
    fn of(a: &'a Assignment) -> Option<Product<'a>> {
        let reduced = a.reduced();
        let fixed = |x: &Affine| x.as_size().is_some();
        let boxed = a.space.ranges.iter().all(|r| fixed(&r.lo) && fixed(&r.hi));
        let plain = a.accumulator == Accumulator::Sum && a.mask.is_none();
        if !plain || reduced.len() < 2 || !boxed || !a.space.guards.is_empty() {
            return None;
        }
        let iters: Vec<Iter> = a.space.ranges.iter().map(|r| r.iter).collect();
        let nodes = operands(&a.exprs, a.body);
        let sizes = (2..=MOST).contains(&nodes.len()) && iters.len() <= Set::BITS as usize;
        if !sizes || !reachable(a).into_iter().all(|e| is_calm(a.exprs.get(e))) {
            return None;
        }
        let set = |used: &[Iter]| {
            let at = |(n, i): (usize, &Iter)| if used.contains(i) { 1 << n } else { 0 };
            iters.iter().enumerate().map(at).fold(0, |all: Set, one: Set| all | one)
        };
        let operands: Vec<(ExprId, Set)> =
            nodes.iter().map(|&e| (e, set(&iters_of(&a.exprs, e)))).collect();
        let written = set(&a.written());
        // A sum over an iterator that no operand reads repeats terms; no order shows that.
        let read = operands.iter().fold(written, |all, (_, own)| all | own);
        let all_read = read.count_ones() as usize == iters.len();
        all_read.then_some(Product { assignment: a, operands, iters, written })
    }

    /// The best order, if it is much better than none.
    fn best(&self, graph: &Graph, likely: &BTreeMap<Param, i64>) -> Option<Tree> {
        let points = self.extents(graph, likely);
        let all: Set = (1 << self.operands.len()) - 1;
        let mut found: BTreeMap<Set, (f64, Set)> = BTreeMap::new();
        // Ascending: each subset after its own subsets.
        for s in 1..=all {
            let step = self.cheapest(s, &found, &points);
            found.insert(s, step);
        }
        let direct = self.operands.len() as f64 * size(self.union(all) | self.written, &points);
        let (cost, _) = found[&all];
        (cost * GAIN < direct).then(|| self.tree(all, &found))
    }

    fn extents(&self, graph: &Graph, likely: &BTreeMap<Param, i64>) -> Vec<f64> {
        let value = |p: Param| graph.param_value(likely, p);
        let extent = |r: &weft_domain::Range| {
            let n = r.hi.minus(&r.lo).and_then(|n| n.as_size()?.eval(&value));
            n.map_or(UNKNOWN, |n| n.max(1) as f64)
        };
        self.assignment.space.ranges.iter().map(extent).collect()
    }

    fn union(&self, s: Set) -> Set {
        self.members(s).fold(0, |all, (_, iters)| all | iters)
    }

    fn members(&self, s: Set) -> impl Iterator<Item = (ExprId, Set)> {
        self.operands.iter().enumerate().filter(move |(n, _)| s >> n & 1 == 1).map(|(_, &o)| o)
    }

    /// The iterators of the product of `s` that others or the target depend on.
    fn kept(&self, s: Set) -> Set {
        let all: Set = (1 << self.operands.len()) - 1;
        self.union(s) & (self.union(all & !s) | self.written)
    }

    /// Operations for the sum of the product of `s`, with the first of its two parts.
    fn cheapest(&self, s: Set, found: &BTreeMap<Set, (f64, Set)>, points: &[f64]) -> (f64, Set) {
        let store =
            |own: Set| if own == self.kept(s) { 0.0 } else { CELL * size(self.kept(s), points) };
        if s.count_ones() == 1 {
            let own = self.union(s);
            let summed = own != self.kept(s);
            return (if summed { size(own, points) + store(own) } else { 0.0 }, s);
        }
        let mut best = (f64::INFINITY, s);
        let mut part = (s - 1) & s;
        while part > 0 {
            let rest = s & !part;
            if part > rest {
                let union = self.kept(part) | self.kept(rest);
                let own = 2.0 * size(union, points) + store(union);
                let cost = found[&part].0 + found[&rest].0 + own;
                if cost < best.0 {
                    best = (cost, part);
                }
            }
            part = (part - 1) & s;
        }
        best
    }

    fn tree(&self, s: Set, found: &BTreeMap<Set, (f64, Set)>) -> Tree {
        let mut parts = Vec::new();
        let own = self.parts(s, found, &mut parts);
        Tree::Sum { parts, kept: self.axes(self.kept(s)), over: self.named(own & !self.kept(s)) }
    }

    /// Iterators in the order in which readers are best served: reduced ones last, but for
    /// the one along which the target lies in memory.
    fn axes(&self, s: Set) -> Vec<Iter> {
        let a = self.assignment;
        let last = a.write.last().and_then(IndexTerm::as_affine).and_then(Affine::as_iter);
        let written = a.written();
        let mut all = self.named(s);
        all.sort_by_key(|i| (Some(*i) == last, !written.contains(i)));
        all
    }

    /// Collects the factors of the product of `s`; gives the iterators that they depend
    /// on. A part that sums nothing is no sum of its own.
    fn parts(&self, s: Set, found: &BTreeMap<Set, (f64, Set)>, parts: &mut Vec<Tree>) -> Set {
        let (_, part) = found[&s];
        if part == s {
            parts.extend(self.members(s).map(|(e, _)| Tree::Operand(e)));
            return self.union(s);
        }
        for x in [part, s & !part] {
            if self.own(x, found) == self.kept(x) {
                self.parts(x, found, parts);
            } else {
                parts.push(self.tree(x, found))
            }
        }
        self.own(s, found)
    }

    /// The iterators of the product of `s` before it is summed.
    fn own(&self, s: Set, found: &BTreeMap<Set, (f64, Set)>) -> Set {
        let (_, part) = found[&s];
        if part == s { self.union(s) } else { self.kept(part) | self.kept(s & !part) }
    }

    fn named(&self, s: Set) -> Vec<Iter> {
        self.iters.iter().enumerate().filter(|(n, _)| s >> n & 1 == 1).map(|(_, &i)| i).collect()
    }
}

/// The count of points over some iterators.
fn size(s: Set, points: &[f64]) -> f64 {
    points.iter().enumerate().filter(|(n, _)| s >> n & 1 == 1).map(|(_, p)| p).product()
}

/// The factors of a product, in the order of the source.
fn operands(exprs: &Exprs, e: ExprId) -> Vec<ExprId> {
    match exprs.get(e) {
        Expr::Binary(BinaryOp::Mul, a, b, None) => {
            let mut all = operands(exprs, *a);
            all.extend(operands(exprs, *b));
            all
        }
        _ => vec![e],
    }
}

/// Whether a node cannot fail and says by itself which iterators it depends on.
fn is_calm(e: &Expr) -> bool {
    match e {
        Expr::Read { index, site, .. } => {
            site.is_none() && index.iter().all(|t| t.as_affine().is_some())
        }
        Expr::Binary(_, _, _, site) => site.is_none(),
        Expr::Check { .. } | Expr::Call { .. } | Expr::Reduce(_) => false,
        Expr::Const(_) | Expr::Index(_) | Expr::Unary(..) | Expr::Cast(..) | Expr::If(..) => true,
    }
}

/// Puts a tree in the place of an assignment's body.
fn build(graph: &mut Graph, p: AssignId, tree: &Tree) {
    let a = graph.assigns[p].clone();
    let Tree::Sum { parts, over, .. } = tree else { unreachable!("the whole is a sum") };
    let kept = a.written();
    graph.assigns[p] = sum(graph, &a, parts, &kept, over);
}

/// The sum of the product of parts over some of the iterators of `a`.
fn sum(
    graph: &mut Graph,
    a: &Assignment,
    parts: &[Tree],
    kept: &[Iter],
    over: &[Iter],
) -> Assignment {
    let mut new = a.clone();
    let ty = a.exprs.ty(a.body);
    let mut product = None;
    for part in parts {
        let factor = match part {
            Tree::Operand(e) => *e,
            Tree::Sum { parts, kept, over } => {
                let tensor = intermediate(graph, a, parts, kept, over);
                let index = cells(a, kept);
                new.exprs.add(Expr::Read { tensor, index, site: None }, ty)
            }
        };
        product = Some(match product {
            None => factor,
            Some(product) => new.exprs.binary(BinaryOp::Mul, product, factor),
        });
    }
    new.body = product.expect("a product has factors");
    let outer = a.space.ranges.iter().filter(|r| kept.contains(&r.iter));
    let inner = a.space.ranges.iter().filter(|r| over.contains(&r.iter));
    new.space.ranges = outer.chain(inner).cloned().collect();
    new.drop_unreachable();
    new
}

/// A tensor for a sum over some of the iterators of `a`.
fn intermediate(
    graph: &mut Graph,
    a: &Assignment,
    parts: &[Tree],
    kept: &[Iter],
    over: &[Iter],
) -> TensorId {
    let axis = |&i: &Iter| {
        let r = a.space.range(i).expect("kept iterators have ranges");
        let extent = r.hi.minus(&r.lo).and_then(|n| n.as_size().cloned());
        Axis { extent: extent.expect("bounds are sizes"), name: a.space.iters[i].clone() }
    };
    let mut new = sum(graph, a, parts, kept, over);
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let span = graph.tensors[a.target].span;
    let elem = a.exprs.ty(a.body);
    let axes = kept.iter().map(axis).collect();
    let t = graph.tensors.push(Tensor { name: None, span, elem, axes, definition });
    new.target = t;
    new.write = cells(a, kept);
    graph.assign(new);
    t
}

/// The cell of an intermediate at a point of `a`.
fn cells(a: &Assignment, kept: &[Iter]) -> Vec<IndexTerm> {
    let cell = |&i: &Iter| {
        let lo = &a.space.range(i).expect("kept iterators have ranges").lo;
        IndexTerm::Affine(Affine::iter(i).minus(lo).expect("bounds are sizes"))
    };
    kept.iter().map(cell).collect()
}
