//! From quotients to sweeps: each read of a quotient says what it needs of it, and gets no
//! more.
//!
//! All axes of the target fixed: one reverse sweep (a row). All axes of the independent
//! tensor fixed: one forward sweep (a column). Axes that read and independent tensor share
//! (`@h[t] / @x[t]`) and along which the dependence is diagonal: one sweep for all places
//! (see `align`). The rest: as many sweeps as the smaller side has cells, batched.

use crate::align::{Alignment, align};
use crate::cut::cutting_operation;
use crate::forward::forward_sweep;
use crate::path::{Edge, Path};
use crate::refusal::{Cause, Refusal};
use crate::reverse::reverse_sweep;
use crate::seed::Seed;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Span;
use weft_scalar::Scalar;
use weft_shape::{Param, Size};
use weft_tensor::{AssignId, Expr, ExprId, Graph, IndexTerm, TensorId, rewrite};

/// `@target / @independent`, a tensor without a definition whose axes are those of both.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The tensor that stands for it. After expansion nobody reads it.
    pub tensor: TensorId,
    /// What is differentiated.
    pub target: TensorId,
    /// By what.
    pub independent: TensorId,
    /// Whether single cells of the independent tensor are meant, each by itself
    /// (`@y / @h[t]`), not the tensor as a whole, cut from what defines it.
    pub cells: bool,
    /// Where it is asked for.
    pub span: Option<Span>,
}

/// How sweeps are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// By what a read asks for, the fewest.
    #[default]
    Fewest,
    /// Reverse sweeps, whatever they take: for checks.
    Reverse,
    /// Forward sweeps, whatever they take: for checks.
    Forward,
}

/// What expansion has found.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Quotients that are zero everywhere.
    pub zero: Vec<Zero>,
}

/// A quotient that is zero, for no smooth path leads from one tensor to the other.
#[derive(Clone, Debug)]
pub struct Zero {
    /// Where it is asked for.
    pub span: Option<Span>,
    /// What cuts the path; `None` where there is no path at all.
    pub cut: Option<&'static str>,
}

/// Replaces every read of a quotient by a read of a derivative tensor.
///
/// # Errors
///
/// The first quotient that cannot be had.
pub fn expand_quotients(
    graph: &mut Graph,
    quotients: &[Quotient],
    strategy: Strategy,
) -> Result<Expansion, Refusal> {
    let mut open: Vec<&Quotient> = quotients.iter().collect();
    let mut done = Expansion::default();
    while !open.is_empty() {
        let pending: BTreeSet<TensorId> = open.iter().map(|q| q.tensor).collect();
        let ready = open.iter().position(|q| is_ready(graph, q, &pending));
        let q = open.remove(ready.unwrap_or(0));
        let refused = |cause| Refusal { span: q.span, cause };
        if ready.is_none() {
            return Err(refused(Cause::Cycle));
        }
        if !expand(graph, q, strategy).map_err(refused)? {
            done.zero.push(Zero { span: q.span, cut: cutting_operation(graph, q) });
        }
    }
    Ok(done)
}

/// Whether no other quotient stands in what this one differentiates.
fn is_ready(graph: &Graph, q: &Quotient, pending: &BTreeSet<TensorId>) -> bool {
    let mut seen = BTreeSet::from([q.target]);
    let mut stack = vec![q.target];
    while let Some(t) = stack.pop() {
        if t == q.independent && !q.cells {
            continue;
        }
        for &p in graph.pieces(t) {
            let exprs = &graph.assigns[p].exprs;
            for e in exprs.ids() {
                let Expr::Read { tensor, .. } = exprs.get(e) else { continue };
                // What a step of a recurrence takes from its own derivative is the past.
                if pending.contains(tensor) && *tensor != q.tensor {
                    return false;
                }
                if *tensor != q.tensor && seen.insert(*tensor) {
                    stack.push(*tensor);
                }
            }
        }
    }
    true
}

/// What a target is a plain copy of: its derivatives are the same.
fn behind_copies(graph: &Graph, q: &Quotient) -> TensorId {
    let mut t = q.target;
    while t != q.independent
        && let [p] = graph.pieces(t)
        && let Some(source) = copied(graph, *p)
    {
        t = source;
    }
    t
}

/// The tensor that an assignment copies cell by cell.
fn copied(graph: &Graph, p: AssignId) -> Option<TensorId> {
    let a = &graph.assigns[p];
    let Expr::Read { tensor, index, .. } = a.exprs.get(a.body) else { return None };
    let whole = |(term, extent): (&IndexTerm, &Size)| {
        let range = term.as_affine()?.as_iter().and_then(|i| a.space.range(i))?;
        (range.lo.as_constant() == Some(0) && range.hi.as_size() == Some(extent)).then_some(())
    };
    let plain = a.accumulator == weft_tensor::Accumulator::Set
        && a.space.guards.is_empty()
        && *index == a.write
        && index.iter().enumerate().all(|(n, t)| !index[..n].contains(t))
        && index.iter().zip(graph.shape(a.target)).all(|pair| whole(pair).is_some())
        && graph.shape(a.target).eq(graph.shape(*tensor));
    plain.then_some(*tensor)
}

/// How one read asks for a quotient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pattern {
    /// Per axis of the target, then of the independent tensor.
    axes: Vec<Asked>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Asked {
    /// At one place.
    Fixed(Size),
    /// Everywhere.
    Ranged,
    /// Together with an axis of the other side, at a constant distance: target less
    /// independent.
    Tied(usize, i64),
}

/// Expands one quotient; whether anything depends.
fn expand(graph: &mut Graph, q: &Quotient, strategy: Strategy) -> Result<bool, Cause> {
    let readers: Vec<AssignId> =
        graph.assigns.iter().filter(|(_, a)| reads_quotient(a, q.tensor)).map(|(p, _)| p).collect();
    let passes = |_: Edge| true;
    let q = &Quotient { target: behind_copies(graph, q), ..q.clone() };
    let path = Path::compute(graph, q.independent, q.target, !q.cells, &passes);
    let mut made: BTreeMap<Pattern, Answer> = BTreeMap::new();
    for p in readers {
        let patterns = patterns(graph, p, q);
        for pattern in patterns {
            let Entry::Vacant(open) = made.entry(pattern) else { continue };
            let answer = match &path {
                None => Answer::Zero,
                Some(path) => answer(graph, q, path, open.key(), strategy)?,
            };
            open.insert(answer);
        }
        replace(graph, p, q, &made);
    }
    Ok(path.is_some())
}

fn reads_quotient(a: &weft_tensor::Assignment, quotient: TensorId) -> bool {
    let is_read =
        |e: ExprId| matches!(a.exprs.get(e), Expr::Read { tensor, .. } if *tensor == quotient);
    a.exprs.ids().any(is_read)
}

fn patterns(graph: &Graph, p: AssignId, q: &Quotient) -> Vec<Pattern> {
    let exprs = &graph.assigns[p].exprs;
    let of = |e: ExprId| match exprs.get(e) {
        Expr::Read { tensor, index, .. } if *tensor == q.tensor => Some(pattern(graph, q, index)),
        _ => None,
    };
    exprs.ids().filter_map(of).collect()
}

fn pattern(graph: &Graph, q: &Quotient, index: &[IndexTerm]) -> Pattern {
    let rank = graph.tensors[q.target].rank();
    let (target, independent) = index.split_at(rank);
    let mut axes: Vec<Asked> = index
        .iter()
        .map(|t| match t.as_affine().and_then(|a| a.as_size()) {
            Some(s) => Asked::Fixed(s.clone()),
            None => Asked::Ranged,
        })
        .collect();
    for (k, y) in target.iter().enumerate() {
        let Some(y) = y.as_affine().filter(|a| a.as_size().is_none()) else { continue };
        let distance = |x: &IndexTerm| crate::align::difference(y, x.as_affine()?);
        let tied = independent.iter().enumerate().find_map(|(l, x)| {
            (axes[rank + l] == Asked::Ranged).then_some(())?;
            Some((l, distance(x)?))
        });
        if let Some((l, d)) = tied {
            axes[k] = Asked::Tied(l, d);
            axes[rank + l] = Asked::Tied(k, d);
        }
    }
    Pattern { axes }
}

/// What a read of a quotient becomes.
#[derive(Clone, Debug)]
enum Answer {
    Zero,
    /// Sweeps over the target's axes in this order, then all axes of the independent one.
    Reverse {
        tensor: TensorId,
        swept: Vec<usize>,
    },
    /// Sweeps over the independent one's axes in this order, then all axes of the target.
    Forward {
        tensor: TensorId,
        swept: Vec<usize>,
    },
}

fn answer(
    graph: &mut Graph,
    q: &Quotient,
    whole: &Path,
    pattern: &Pattern,
    strategy: Strategy,
) -> Result<Answer, Cause> {
    let rank = graph.tensors[q.target].rank();
    let mut axes = pattern.axes.clone();
    let mut path = whole.clone();
    let mut aligned: Vec<(usize, Alignment)> = Vec::new();
    for k in 0..rank {
        let Asked::Tied(l, d) = axes[k] else { continue };
        match align(graph, &path, l, k, d) {
            Err(_) => return Ok(Answer::Zero),
            Ok(Some(found)) => {
                let kept: BTreeSet<Edge> = path
                    .edges
                    .values()
                    .flatten()
                    .filter(|e| !found.crossing.contains(e))
                    .copied()
                    .collect();
                aligned.push((k, found));
                let passes = |e: Edge| kept.contains(&e);
                let narrowed = Path::compute(graph, q.independent, q.target, !q.cells, &passes);
                match narrowed {
                    None => return Ok(Answer::Zero),
                    Some(p) => path = p,
                }
            }
            Ok(None) => {
                axes[k] = Asked::Ranged;
                axes[rank + l] = Asked::Ranged;
            }
        }
    }
    if !own_reads(graph, q, &path)
        .iter()
        .all(|&edge| aligned.iter().any(|(k, found)| found.is_past(graph, edge, *k, q.target)))
    {
        return Err(Cause::Cycle);
    }
    let (target, independent) = axes.split_at(rank);
    let rows = sweeps(graph, q.target, target);
    let columns = sweeps(graph, q.independent, independent);
    let reverse = match strategy {
        Strategy::Fewest => {
            rows < columns || (rows == columns && rows > 1.0 && rank < independent.len())
        }
        Strategy::Reverse => true,
        Strategy::Forward => false,
    };
    if reverse {
        let (seeds, swept) = seeds(target);
        let tensor = reverse_sweep(graph, &path, &seeds)?;
        return Ok(Answer::Reverse { tensor, swept });
    }
    let (seeds, swept) = seeds(independent);
    let tensor = forward_sweep(graph, &path, &seeds)?;
    Ok(Answer::Forward { tensor, swept })
}

/// The reads of the quotient itself by what lies on its path.
fn own_reads(graph: &Graph, q: &Quotient, path: &Path) -> Vec<Edge> {
    let mut found = Vec::new();
    for &t in &path.tensors {
        for &p in path.pieces(graph, t) {
            let exprs = &graph.assigns[p].exprs;
            let own = |e: &ExprId| matches!(exprs.get(*e), Expr::Read { tensor, .. } if *tensor == q.tensor);
            found.extend(exprs.ids().filter(own).map(|e| (p, e)));
        }
    }
    found
}

/// About how many sweeps a side takes.
fn sweeps(graph: &Graph, t: TensorId, asked: &[Asked]) -> f64 {
    let extent = |(axis, asked): (usize, &Asked)| match asked {
        Asked::Ranged => typical(graph, &graph.tensors[t].axes[axis].extent),
        Asked::Fixed(_) | Asked::Tied(..) => 1.0,
    };
    asked.iter().enumerate().map(extent).product()
}

/// A size where parameters have their defaults, or else are a thousand.
fn typical(graph: &Graph, size: &Size) -> f64 {
    let value = |p: Param| graph.params[p].default.or(Some(1000));
    size.eval(&value).map_or(1000.0, |n| n as f64)
}

fn seeds(asked: &[Asked]) -> (Vec<Seed>, Vec<usize>) {
    let mut swept = Vec::new();
    let seed = |(axis, asked): (usize, &Asked)| match asked {
        Asked::Fixed(at) => Seed::Fixed(at.clone()),
        Asked::Tied(..) => Seed::Together,
        Asked::Ranged => {
            swept.push(axis);
            Seed::Swept(swept.len() - 1)
        }
    };
    let seeds = asked.iter().enumerate().map(seed).collect();
    (seeds, swept)
}

/// Puts the answers in place of the reads.
fn replace(graph: &mut Graph, p: AssignId, q: &Quotient, made: &BTreeMap<Pattern, Answer>) {
    let a = &graph.assigns[p];
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let rank = graph.tensors[q.target].rank();
    let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
        let Expr::Read { tensor, index, site } = &node else { return into.add(node, ty) };
        if *tensor != q.tensor {
            return into.add(node, ty);
        }
        let (target, independent) = index.split_at(rank);
        let (tensor, swept, rest) = match &made[&pattern(graph, q, index)] {
            Answer::Zero => return into.constant(Scalar::zero(ty)),
            Answer::Reverse { tensor, swept } => (*tensor, pick(target, swept), independent),
            Answer::Forward { tensor, swept } => (*tensor, pick(independent, swept), target),
        };
        let index = swept.into_iter().chain(rest.iter().cloned()).collect();
        let read = Expr::Read { tensor, index, site: *site };
        let value = into.add(read, graph.tensors[tensor].elem);
        into.cast(ty, value)
    });
    let a = &mut graph.assigns[p];
    a.exprs = exprs;
    a.body = *roots.last().expect("the body is a root");
    a.mask = a.mask.map(|_| roots[0]);
}

fn pick(terms: &[IndexTerm], axes: &[usize]) -> Vec<IndexTerm> {
    axes.iter().map(|n| terms[*n].clone()).collect()
}
