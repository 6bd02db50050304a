//! From quotients to sweeps: each read of a quotient says what it needs of it, and gets no
//! more.
//!
//! All axes of the target fixed: one reverse sweep (a row). All axes of the independent
//! tensor fixed: one forward sweep (a column). Axes that read and independent tensor share
//! (`@h[t] / @x[t]`) and along which the dependence is diagonal: one sweep for all places
//! (see `align`). Cells that the target's cell chooses by data: one sweep for all places (see
//! `compress`). The rest: as many sweeps as the smaller side has cells, batched.

use crate::align::{Alignment, align};
use crate::calls::Calls;
use crate::chosen::Chosen;
use crate::compress::Compressed;
use crate::copies::{copied, take_over_copied};
use crate::explain;
use crate::forward::forward_sweep;
use crate::non_differentiable::blocking_operation;
use crate::path::{Edge, Path};
use crate::refusal::{Cause, Refusal};
use crate::reverse::reverse_sweep;
use crate::seed::Seed;
use crate::shared_adjoints::Adjoints;
use crate::split::split_sums;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_domain::Affine;
use weft_scalar::Scalar;
use weft_shape::{Param, Size};
use weft_tensor::{AssignId, Assignment, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId, rewrite};

/// `@target / @independent`, a tensor without a definition whose axes are those of both.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The tensor that stands for it. After expansion nobody reads it.
    pub tensor: TensorId,
    /// The target.
    pub target: TensorId,
    /// By what.
    pub independent: TensorId,
    /// Whether single cells of the independent tensor are meant, each by itself
    /// (`@y / @h[t]`), not the tensor as a whole, cut from what defines it.
    pub cells: bool,
    /// Where it is asked for.
    pub span: Option<Span>,
}

/// A piece's stand-in for derivatives.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The piece.
    pub piece: AssignId,
    /// An assignment to the same cells. Only its derivative counts, never its value.
    pub stands_in: Assignment,
    /// For a copy that hides a tensor from derivatives: that tensor. Sweeps read it, so
    /// that they can be differentiated in turn.
    pub hides: Option<TensorId>,
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

/// Results of an expansion.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Quotients that are zero everywhere.
    pub zero: Vec<Zero>,
    /// How the others are had.
    pub sweeps: Vec<Sweep>,
    /// How reads ask for quotients, each way once.
    pub reads: Vec<(TensorId, Pattern)>,
}

/// How a part of a quotient is had, for people.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Where it is asked for.
    pub span: Option<Span>,
    /// The target.
    pub target: TensorId,
    /// By what.
    pub independent: TensorId,
    /// Which sweeps, and why.
    pub text: String,
}

/// A quotient that is zero, for no smooth path leads from one tensor to the other.
#[derive(Clone, Debug)]
pub struct Zero {
    /// Where it is asked for.
    pub span: Option<Span>,
    /// The operation that cuts the path; `None` where there is no path at all.
    pub cut: Option<&'static str>,
}

/// Replaces every read of a quotient by a read of a derivative tensor. Pieces with a rule
/// are differentiated as it says.
///
/// # Errors
///
/// The first quotient that cannot be had.
pub fn expand_quotients(
    graph: &mut Graph,
    quotients: &[Quotient],
    rules: &[Rule],
    strategy: Strategy,
) -> Result<Expansion, Refusal> {
    let mut values: Vec<(AssignId, Assignment)> = rules
        .iter()
        .map(|r| (r.piece, std::mem::replace(&mut graph.assigns[r.piece], r.stands_in.clone())))
        .collect();
    let hidden: BTreeMap<TensorId, TensorId> =
        rules.iter().filter_map(|r| Some((r.stands_in.target, r.hides?))).collect();
    let (known, tensors) = (graph.assigns.len(), graph.tensors.len());
    let expansion = expand_all(graph, &mut values, quotients, &hidden, strategy);
    // Last: what is differentiated again is differentiated as a whole.
    split_sums(graph, known);
    let ruled = values.iter().map(|(piece, _)| *piece).collect();
    take_over_copied(graph, TensorId::new(tensors), &ruled);
    for (piece, value) in values {
        graph.assigns[piece] = value;
    }
    expansion
}

/// Expands the quotients one after another; `values` are the pieces that rules stand in for:
/// no sweep goes through them, but they may read quotients like all others.
fn expand_all(
    graph: &mut Graph,
    values: &mut [(AssignId, Assignment)],
    quotients: &[Quotient],
    hidden: &BTreeMap<TensorId, TensorId>,
    strategy: Strategy,
) -> Result<Expansion, Refusal> {
    let mut open: Vec<&Quotient> = quotients.iter().collect();
    let mut done = Expansion::default();
    let mut adjoints = Adjoints::default();
    let mut calls = Calls::default();
    while !open.is_empty() {
        let pending: BTreeSet<TensorId> = open.iter().map(|q| q.tensor).collect();
        let targets: BTreeMap<TensorId, TensorId> =
            open.iter().map(|q| (q.tensor, behind_copies(graph, q))).collect();
        // In a recurrence whose steps take several derivatives none is ready: what a step
        // takes of the others must be the past as well.
        let ready = open.iter().position(|q| is_ready(graph, q, &pending));
        let q = open.remove(ready.unwrap_or(0));
        let refused = |cause| Refusal { span: q.span, cause };
        let known = graph.assigns.len();
        let (sweeps, asked) = (Vec::new(), q.target);
        let mut context =
            Context { targets: &targets, asked, strategy, adjoints, calls: &mut calls, sweeps };
        let (depends, patterns) = expand(graph, values, q, &mut context).map_err(refused)?;
        done.reads.extend(patterns.into_iter().map(|p| (q.tensor, p)));
        adjoints = context.adjoints;
        done.sweeps.append(&mut context.sweeps);
        if !hidden.is_empty() {
            reveal(graph, known, hidden);
        }
        if !depends {
            done.zero.push(Zero { span: q.span, cut: blocking_operation(graph, q) });
        }
    }
    Ok(done)
}

/// Has what a sweep defines read the tensors behind copies that hid them.
fn reveal(graph: &mut Graph, known: usize, hidden: &BTreeMap<TensorId, TensorId>) {
    for a in graph.assigns.values_mut().skip(known) {
        let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
        let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| match node {
            Expr::Read { tensor, index, site } => {
                let tensor = hidden.get(&tensor).copied().unwrap_or(tensor);
                into.add(Expr::Read { tensor, index, site }, ty)
            }
            other => into.add(other, ty),
        });
        a.exprs = exprs;
        a.body = *roots.last().expect("the body is a root");
        a.mask = a.mask.map(|_| roots[0]);
    }
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

/// The tensor that a target is a plain copy of: its derivatives are the same.
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

/// How one read asks for a quotient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pattern {
    /// Per axis of the target, then of the independent tensor.
    pub axes: Vec<Asked>,
}

/// How one axis of a quotient is asked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asked {
    /// At one place.
    Fixed(Size),
    /// Everywhere.
    Ranged,
    /// Together with an axis of the other side, at a constant distance: target less
    /// independent.
    Tied(usize, i64),
    /// An axis of the independent tensor, at a place that the cell of the target chooses.
    Chosen(Chosen),
}

/// Context of the expansion of one quotient.
struct Context<'a> {
    /// Targets and sources of those that are still open.
    targets: &'a BTreeMap<TensorId, TensorId>,
    /// Target and source of this one, as it was asked for.
    asked: TensorId,
    strategy: Strategy,
    adjoints: Adjoints,
    calls: &'a mut Calls,
    sweeps: Vec<Sweep>,
}

/// Expands one quotient; whether anything depends, and how it was asked for.
fn expand(
    graph: &mut Graph,
    values: &mut [(AssignId, Assignment)],
    q: &Quotient,
    context: &mut Context<'_>,
) -> Result<(bool, Vec<Pattern>), Cause> {
    let readers: Vec<AssignId> =
        graph.assigns.iter().filter(|(_, a)| reads_quotient(a, q.tensor)).map(|(p, _)| p).collect();
    let ruled = values.iter_mut().map(|(_, value)| value);
    let ruled: Vec<&mut Assignment> = ruled.filter(|a| reads_quotient(a, q.tensor)).collect();
    let passes = |_: Edge| true;
    let q = &Quotient { target: behind_copies(graph, q), ..q.clone() };
    let path = Path::compute(graph, q.independent, q.target, !q.cells, &passes);
    if let Some(path) = &path {
        context.calls.prepare(graph, path);
    }
    let mut made: BTreeMap<Pattern, Answer> = BTreeMap::new();
    for &p in &readers {
        let asked = patterns(graph, &graph.assigns[p], q);
        answer_all(graph, q, path.as_ref(), asked, &mut made, context)?;
        graph.assigns[p] = replaced(graph, &graph.assigns[p], q, &made);
    }
    for a in ruled {
        answer_all(graph, q, path.as_ref(), patterns(graph, a, q), &mut made, context)?;
        *a = replaced(graph, a, q, &made);
    }
    context.adjoints.forget(&readers.into_iter().collect());
    Ok((path.is_some(), made.into_keys().collect()))
}

/// Adds the answers to the ways of asking that are new.
fn answer_all(
    graph: &mut Graph,
    q: &Quotient,
    path: Option<&Path>,
    asked: Vec<Pattern>,
    made: &mut BTreeMap<Pattern, Answer>,
    context: &mut Context<'_>,
) -> Result<(), Cause> {
    for pattern in asked {
        let Entry::Vacant(open) = made.entry(pattern) else { continue };
        let answer = match path {
            None => Answer::Zero,
            Some(path) => answer(graph, q, path, open.key(), context)?,
        };
        open.insert(answer);
    }
    Ok(())
}

impl Context<'_> {
    fn note(&mut self, q: &Quotient, text: String) {
        let (span, target, independent) = (q.span, self.asked, q.independent);
        self.sweeps.push(Sweep { span, target, independent, text });
    }
}

fn reads_quotient(a: &Assignment, quotient: TensorId) -> bool {
    let is_read =
        |e: ExprId| matches!(a.exprs.get(e), Expr::Read { tensor, .. } if *tensor == quotient);
    a.exprs.ids().any(is_read)
}

/// The ways in which an assignment asks for a quotient, in the order of its reads.
fn patterns(graph: &Graph, a: &Assignment, q: &Quotient) -> Vec<Pattern> {
    let exprs = &a.exprs;
    let of = |e: ExprId| match exprs.get(e) {
        Expr::Read { tensor, index, .. } if *tensor == q.tensor => {
            Some(pattern(graph, q, exprs, index))
        }
        _ => None,
    };
    needed(a).into_iter().filter_map(of).collect()
}

/// The nodes that mask and body need, operands before users.
fn needed(a: &Assignment) -> BTreeSet<ExprId> {
    let mut found = BTreeSet::new();
    let mut stack: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    while let Some(e) = stack.pop() {
        if found.insert(e) {
            stack.extend(a.exprs.get(e).operands());
        }
    }
    found
}

fn pattern(graph: &Graph, q: &Quotient, exprs: &Exprs, index: &[IndexTerm]) -> Pattern {
    let rank = graph.tensors[q.target].rank();
    let (target, independent) = index.split_at(rank);
    let is_open = |t: TensorId| t == q.tensor;
    let chosen = |e: ExprId| Chosen::of(exprs, e, target, &is_open);
    let axis = |(n, term): (usize, &IndexTerm)| match term {
        IndexTerm::Data(e) if n >= rank => chosen(*e).map_or(Asked::Ranged, Asked::Chosen),
        _ => match term.as_affine().and_then(Affine::as_size) {
            Some(s) => Asked::Fixed(s.clone()),
            None => Asked::Ranged,
        },
    };
    let mut axes: Vec<Asked> = index.iter().enumerate().map(axis).collect();
    for (k, y) in target.iter().enumerate() {
        let Some(y) = y.as_affine().filter(|a| a.as_size().is_none()) else { continue };
        let distance = |x: &IndexTerm| crate::align::difference(y, x.as_affine()?);
        let tied = independent.iter().enumerate().find_map(|(l, x)| {
            if axes[rank + l] != Asked::Ranged {
                return None;
            }
            Some((l, distance(x)?))
        });
        if let Some((l, d)) = tied {
            axes[k] = Asked::Tied(l, d);
            axes[rank + l] = Asked::Tied(k, d);
        }
    }
    Pattern { axes }
}

/// Replacement for a read of a quotient.
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
    context: &mut Context<'_>,
) -> Result<Answer, Cause> {
    let rank = graph.tensors[q.target].rank();
    let mut axes = pattern.axes.clone();
    let mut path = whole.clone();
    let mut aligned: Vec<Alignment> = Vec::new();
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
                aligned.push(found);
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
    let is_past = |(edge, of): &(Edge, TensorId)| {
        aligned.iter().any(|found| found.is_past(graph, *edge, *of))
    };
    if !open_reads(graph, context.targets, &path).iter().all(is_past) {
        return Err(Cause::Cycle);
    }
    if let Some(answer) = chosen_cells(graph, q, &path, &axes[rank..], context)? {
        return Ok(answer);
    }
    for asked in axes.iter_mut().filter(|a| matches!(a, Asked::Chosen(_))) {
        *asked = Asked::Ranged;
    }
    let (target, independent) = axes.split_at(rank);
    let rows = sweeps(graph, q.target, target);
    let columns = sweeps(graph, q.independent, independent);
    let reverse = match context.strategy {
        Strategy::Fewest => {
            // As many either way: rows lie as they are asked for, and columns across; but
            // rows want the whole history of a recurrence, columns a window of it.
            let lies_well = rank < independent.len() || !path.is_recurrent(graph);
            rows < columns || (rows == columns && rows > 1.0 && lies_well)
        }
        Strategy::Reverse => true,
        Strategy::Forward => false,
    };
    if reverse {
        let (seeds, swept) = seeds(target);
        let (tensor, shared) =
            reverse_sweep(graph, &path, &seeds, &mut context.adjoints, context.calls)?;
        let text = explain::reverse(graph, q, &seeds, (rows, columns), shared);
        context.note(q, text);
        return Ok(Answer::Reverse { tensor, swept });
    }
    let (seeds, swept) = seeds(independent);
    let tensor = forward_sweep(graph, &path, &seeds, None, context.calls)?;
    let text = explain::forward(graph, q, &seeds, (rows, columns));
    context.note(q, text);
    Ok(Answer::Forward { tensor, swept })
}

/// One sweep for the cells that those of the target choose, where some axes of the independent
/// tensor are asked for so and all such cells have their place in it.
fn chosen_cells(
    graph: &mut Graph,
    q: &Quotient,
    path: &Path,
    asked: &[Asked],
    context: &mut Context<'_>,
) -> Result<Option<Answer>, Cause> {
    let of = |(n, asked): (usize, &Asked)| match asked {
        Asked::Chosen(c) => Some((n, c.clone())),
        _ => None,
    };
    let chosen: Vec<(usize, Chosen)> = asked.iter().enumerate().filter_map(of).collect();
    if chosen.is_empty() || context.strategy == Strategy::Reverse || feeds_itself(graph, path) {
        return Ok(None);
    }
    // Nothing leads back to the independent tensor: it is as good as cut.
    let path = Path { cut: true, ..path.clone() };
    let Some(found) = Compressed::find(graph, &path, chosen) else { return Ok(None) };
    let (seeds, swept) = seeds(asked);
    let tensor = forward_sweep(graph, &path, &seeds, Some(&found), context.calls)?;
    let text = explain::chosen(graph, q, &seeds);
    context.note(q, text);
    Ok(Some(Answer::Forward { tensor, swept }))
}

/// Whether cells of the independent tensor depend on others of it.
fn feeds_itself(graph: &Graph, path: &Path) -> bool {
    let own = path.pieces(graph, path.from);
    path.edges.values().flatten().any(|(p, _)| own.contains(p))
}

/// The reads of open quotients by what lies on a path, with what each is a quotient of.
fn open_reads(
    graph: &Graph,
    targets: &BTreeMap<TensorId, TensorId>,
    path: &Path,
) -> Vec<(Edge, TensorId)> {
    let mut found = Vec::new();
    for &t in &path.tensors {
        for &p in path.pieces(graph, t) {
            let exprs = &graph.assigns[p].exprs;
            found.extend(exprs.ids().filter_map(|e| match exprs.get(e) {
                Expr::Read { tensor, .. } => Some(((p, e), *targets.get(tensor)?)),
                _ => None,
            }));
        }
    }
    found
}

/// About how many sweeps a side takes.
fn sweeps(graph: &Graph, t: TensorId, asked: &[Asked]) -> f64 {
    let extent = |(axis, asked): (usize, &Asked)| match asked {
        Asked::Ranged => typical(graph, &graph.tensors[t].axes[axis].extent),
        Asked::Fixed(_) | Asked::Tied(..) | Asked::Chosen(_) => 1.0,
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
        Asked::Tied(..) | Asked::Chosen(_) => Seed::Together,
        Asked::Ranged => {
            swept.push(axis);
            Seed::Swept(swept.len() - 1)
        }
    };
    let seeds = asked.iter().enumerate().map(seed).collect();
    (seeds, swept)
}

/// An assignment with the answers in place of its reads.
fn replaced(
    graph: &Graph,
    a: &Assignment,
    q: &Quotient,
    made: &BTreeMap<Pattern, Answer>,
) -> Assignment {
    // The reads are met in the same order below, with other ids.
    let mut asked = patterns(graph, a, q).into_iter();
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let rank = graph.tensors[q.target].rank();
    let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| {
        let Expr::Read { tensor, index, site } = &node else { return into.add(node, ty) };
        if *tensor != q.tensor {
            return into.add(node, ty);
        }
        let (target, independent) = index.split_at(rank);
        let pattern = asked.next().expect("as many reads as before");
        let (tensor, swept, rest) = match &made[&pattern] {
            Answer::Zero => return into.constant(Scalar::zero(ty)),
            Answer::Reverse { tensor, swept } => (*tensor, pick(target, swept), independent),
            Answer::Forward { tensor, swept } => (*tensor, pick(independent, swept), target),
        };
        let index = swept.into_iter().chain(rest.iter().cloned()).collect();
        let read = Expr::Read { tensor, index, site: *site };
        let value = into.add(read, graph.tensors[tensor].elem);
        into.cast(ty, value)
    });
    let body = *roots.last().expect("the body is a root");
    Assignment { exprs, body, mask: a.mask.map(|_| roots[0]), ..a.clone() }
}

fn pick(terms: &[IndexTerm], axes: &[usize]) -> Vec<IndexTerm> {
    axes.iter().map(|n| terms[*n].clone()).collect()
}
