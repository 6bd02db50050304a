//! Reverse sweeps: the adjoint of each tensor, from the target back to the independent one.
//!
//! ```text
//! c[i, j] = sum[k](a[i, k] * b[k, j])   =>   a'[i, k] = sum[j](c'[i, j] * b[k, j])
//! ```
//!
//! An assignment's adjoint is the same index space with its sides swapped: it reads the
//! adjoint of what was written where it was written, and adds to what was read where it was
//! read. Solving the read projection (see `solve`) makes that a gather per cell read, so that no
//! two points ever meet in one cell but through a reduction. Griewank and Walther,
//! *Evaluating Derivatives*, 2008, chapter 3.

use crate::accumulate::Accumulators;
use crate::build;
use crate::calls::Calls;
use crate::partial::flow_to_reads;
use crate::path::{Edge, Path};
use crate::refusal::Cause;
use crate::seed::{Seed, add_up, derived_tensor, push_axes, seed_tensor, set_covered, sweep_axes};
use crate::shared_adjoints::Adjoints;
use crate::solve::{Solver, Unsolved};
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, Constraint, Iter, Relation, Space};
use weft_scalar::{BinaryOp, Scalar};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId,
    rewrite, substitute,
};

/// The derivative of the cells of the target that `seeds` name by every cell of the
/// independent tensor: its axes are the sweeps, then those of the independent tensor.
pub(crate) fn reverse_sweep(
    graph: &mut Graph,
    path: &Path,
    seeds: &[Seed],
    known: &mut Adjoints,
    calls: &Calls,
) -> Result<(TensorId, usize), Cause> {
    let shared = known.shared(graph, path, seeds);
    let sweeps = sweep_axes(graph, path.to, seeds);
    let aligned = aligned(graph, path, seeds);
    // Readers come before what they read, so that ids keep the order of computation.
    let adjoints: BTreeMap<TensorId, TensorId> = path
        .tensors
        .iter()
        .rev()
        .map(|t| match shared.get(t) {
            Some(adjoint) => (*t, *adjoint),
            None if is_compact(path, &aligned, *t) => (*t, derived_tensor(graph, *t, &[])),
            None => (*t, derived_tensor(graph, *t, &sweeps)),
        })
        .collect();
    let parts = BTreeMap::new();
    let mut sweep =
        Reverse { path, seeds, sweeps, adjoints, shared: &shared, parts, aligned, calls };
    let mut accumulators = Accumulators::default();
    for &t in path.tensors.iter().rev() {
        for p in path.pieces(graph, t).to_vec() {
            sweep.piece(graph, p, &mut accumulators)?;
        }
    }
    if !sweep.is_seed(path.to) || path.to == path.from {
        let seed = seed_tensor(graph, path.to, seeds);
        sweep.parts.entry(path.to).or_default().push(seed);
    }
    for (t, adjoint) in sweep.adjoints.iter().filter(|(t, _)| !shared.contains_key(t)) {
        let parts = sweep.parts.remove(t).unwrap_or_default();
        add_up(graph, *adjoint, &parts);
    }
    known.note(path, seeds, &sweep.adjoints);
    Ok((sweep.adjoints[&path.from], shared.len()))
}

struct Reverse<'a> {
    path: &'a Path,
    seeds: &'a [Seed],
    sweeps: Vec<Axis>,
    adjoints: BTreeMap<TensorId, TensorId>,
    /// Those of them that an earlier sweep has defined.
    shared: &'a BTreeMap<TensorId, TensorId>,
    /// Contributions to the adjoint of each tensor.
    parts: BTreeMap<TensorId, Vec<TensorId>>,
    /// Those whose adjoint is zero but at the cells that a sweep is about.
    aligned: BTreeSet<TensorId>,
    calls: &'a Calls,
}

/// A piece with what flows into its reads.
struct Flowing {
    piece: Assignment,
    /// The sweeps as iterators of the piece's arena.
    sweeps: Vec<Iter>,
    mask: Option<ExprId>,
}

fn is_seed(path: &Path, t: TensorId) -> bool {
    t == path.to && !path.edges.contains_key(&t)
}

/// See [`Reverse::is_compact`]. The derivative itself has all its axes.
fn is_compact(path: &Path, aligned: &BTreeSet<TensorId>, t: TensorId) -> bool {
    aligned.contains(&t) && !is_seed(path, t) && t != path.from
}

/// The tensors between the target and its first reduction or gather, cell by cell: what a
/// sweep brings to them lies where its seed does, and is summed over nothing.
fn aligned(graph: &Graph, path: &Path, seeds: &[Seed]) -> BTreeSet<TensorId> {
    let mut found: BTreeSet<TensorId> =
        [path.to].into_iter().filter(|t| is_seed(path, *t)).collect();
    loop {
        let before = found.len();
        let below = |(p, e): &Edge| {
            let piece = &graph.assigns[*p];
            found.contains(&piece.target) && keeps_cells(piece, *e, seeds)
        };
        let edges = path.edges.iter().filter(|(_, edges)| edges.iter().all(below));
        let more: Vec<TensorId> = edges.map(|(t, _)| *t).collect();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a piece reads at the very cell that it writes, along all axes that are swept.
fn keeps_cells(piece: &Assignment, read: ExprId, seeds: &[Seed]) -> bool {
    let Expr::Read { index, .. } = piece.exprs.get(read) else { return false };
    let swept = |(n, seed): (usize, &Seed)| match seed {
        Seed::Together => true,
        Seed::Fixed(_) | Seed::Swept(_) => {
            let (read, written) = (index.get(n), piece.write.get(n));
            read.is_some() && read == written && read.is_some_and(|i| i.as_affine().is_some())
        }
    };
    index.len() == piece.write.len() && seeds.iter().enumerate().all(swept)
}

impl Reverse<'_> {
    /// Adds what the reads of a piece receive.
    fn piece(
        &mut self,
        graph: &mut Graph,
        p: AssignId,
        accumulators: &mut Accumulators,
    ) -> Result<(), Cause> {
        let mut piece = graph.assigns[p].clone();
        let open = |(read, edges): (&TensorId, &Vec<Edge>)| {
            !self.shared.contains_key(read) && edges.iter().any(|(a, _)| *a == p)
        };
        if !self.path.edges.iter().any(open) {
            return Ok(());
        }
        let share = accumulators.share(graph, p, &mut piece).map_err(Cause::Operation)?;
        let names: Vec<_> = self.sweeps.iter().map(|a| a.name.clone()).collect();
        let sweeps: Vec<Iter> = names.into_iter().map(|n| piece.space.iters.push(n)).collect();
        let mut index: Vec<IndexTerm> = if self.is_compact(piece.target) {
            Vec::new()
        } else {
            sweeps.iter().map(|i| Affine::iter(*i).into()).collect()
        };
        index.extend(piece.write.iter().cloned());
        let elem = graph.tensors[piece.target].elem;
        let adjoint = self.adjoints[&piece.target];
        let mut g = if self.is_seed(piece.target) {
            piece.exprs.constant(Scalar::one(elem))
        } else {
            piece.exprs.add(Expr::Read { tensor: adjoint, index, site: None }, elem)
        };
        if let Some(f) = share.factor {
            g = build::times(&mut piece.exprs, g, f);
        }
        let active = |e: ExprId, node: &Expr| match node {
            Expr::Read { tensor, .. } => {
                self.path.is_active((p, e), *tensor) && !self.shared.contains_key(tensor)
            }
            _ => false,
        };
        let body = piece.body;
        let flow = flow_to_reads(&mut piece.exprs, body, g, &active, &|_, _, g| g, self.calls)?;
        let flowing = Flowing { piece, sweeps, mask: share.mask };
        for (read, flow) in flow {
            self.contribution(graph, &flowing, read, flow)?;
        }
        Ok(())
    }

    /// Whether the adjoint of `t` is the seed alone: then that stays virtual, as equations
    /// between the cell written and the sweep.
    fn is_seed(&self, t: TensorId) -> bool {
        is_seed(self.path, t)
    }

    /// Whether the adjoint of `t` has no axes for the sweeps: each cell has one sweep.
    fn is_compact(&self, t: TensorId) -> bool {
        is_compact(self.path, &self.aligned, t)
    }

    /// The cell that stands for each sweep where it is about one cell.
    fn cells_swept(&self, cells: &[Iter]) -> Vec<Iter> {
        let swept = |(seed, cell): (&Seed, &Iter)| matches!(seed, Seed::Swept(_)).then_some(*cell);
        self.seeds.iter().zip(cells).filter_map(swept).collect()
    }

    /// Restricts what a piece of the target writes to the cells that the sweeps are about.
    fn demand_seed(
        &self,
        solver: &mut Solver<'_>,
        write: &[IndexTerm],
        sweeps: &[Iter],
    ) -> Option<()> {
        for (term, seed) in write.iter().zip(self.seeds) {
            let equals = match seed {
                Seed::Together => continue,
                Seed::Fixed(at) => Affine::fixed(at.clone()),
                Seed::Swept(n) => Affine::iter(sweeps[*n]),
            };
            solver.demand(term.as_affine()?, &equals)?;
        }
        Some(())
    }

    /// The adjoint of one read, as a tensor over the cells read.
    fn contribution(
        &mut self,
        graph: &mut Graph,
        flowing: &Flowing,
        read: ExprId,
        flow: ExprId,
    ) -> Result<(), Cause> {
        let piece = &flowing.piece;
        let Expr::Read { tensor, index, .. } = piece.exprs.get(read) else {
            unreachable!("only reads receive");
        };
        let mut space = Space::default();
        let own = if self.is_compact(*tensor) { &[] } else { &self.sweeps[..] };
        let pushed = push_axes(&mut space, own);
        let cells = push_axes(&mut space, &graph.tensors[*tensor].axes);
        let sweeps = if own.is_empty() { self.cells_swept(&cells) } else { pushed.clone() };
        let mut solver = Solver::new(piece, space);
        let mut data = Vec::new();
        for (term, cell) in index.iter().zip(&cells) {
            let cell = Affine::iter(*cell);
            match term {
                IndexTerm::Affine(a) => solver.demand(a, &cell).ok_or(Cause::Index)?,
                IndexTerm::Data(e) => data.push((*e, cell)),
            }
        }
        if self.aligned.contains(&piece.target) {
            self.demand_seed(&mut solver, &piece.write, &sweeps).ok_or(Cause::Index)?;
        }
        let order: Vec<Iter> = piece.written().into_iter().chain(piece.reduced()).collect();
        let solution = match solver.solve(&order) {
            Ok(s) => s,
            Err(Unsolved::Empty) => return Ok(()),
            Err(Unsolved::Unknown) => return Err(Cause::Index),
        };
        let terms = solution.terms;
        let replace = |i: Iter| match flowing.sweeps.iter().position(|s| *s == i) {
            Some(n) => Affine::iter(sweeps[n]),
            None => terms[&i].clone(),
        };
        let mut exprs = Exprs::new();
        let roots = data.iter().map(|(e, _)| *e).chain(flowing.mask).chain([flow]);
        let moved = substitute(&piece.exprs, &mut exprs, roots, &replace).ok_or(Cause::Index)?;
        let (mut body, mut mask) = (moved[&flow], flowing.mask.map(|m| moved[&m]));
        if data.is_empty() {
            let (at, roots) = at_cells(&exprs, mask, body, moved.get(&read).copied(), &cells);
            (exprs, mask, body) = (at, mask.map(|_| roots[0]), roots[roots.len() - 1]);
        }
        let mut conditions: Vec<ExprId> = mask.into_iter().collect();
        let mut implied = Vec::new();
        for (e, cell) in &data {
            let taken = conditions.iter().copied().chain(condition_of(&exprs, body));
            taken.for_each(|c| bounds(&exprs, c, moved[e], cell, &mut implied));
        }
        for (e, cell) in &data {
            conditions.extend(build::equal(&mut exprs, moved[e], cell));
        }
        let mask = lazily(&mut exprs, &conditions);
        let mut space = solution.space;
        space.guards.extend(implied);
        let write = pushed.iter().chain(&cells).map(|i| Affine::iter(*i).into()).collect();
        let covered = space.guards.is_empty();
        let target = derived_tensor(graph, *tensor, own);
        let made = finish(target, space, write, solution.has_loops, mask, body, exprs);
        self.parts.entry(*tensor).or_default().push(target);
        graph.assign(made);
        set_covered(graph, target, covered);
        Ok(())
    }
}

/// Mask and body with the cells in place of the index of a read that is known to be there:
/// what a piece reads at the end of a recurrence (`h[T - 1]`) is so read at the step of the
/// adjoint, like all else of the history.
fn at_cells(
    exprs: &Exprs,
    mask: Option<ExprId>,
    body: ExprId,
    read: Option<ExprId>,
    cells: &[Iter],
) -> (Exprs, Vec<ExprId>) {
    let there: Vec<IndexTerm> = cells.iter().map(|i| Affine::iter(*i).into()).collect();
    let old = read.map(|r| exprs.get(r));
    let roots: Vec<ExprId> = mask.into_iter().chain([body]).collect();
    rewrite(exprs, &roots, &mut |into, node, ty| match node {
        Expr::Read { tensor, site, .. } if Some(&node) == old => {
            into.add(Expr::Read { tensor, index: there.clone(), site }, ty)
        }
        other => into.add(other, ty),
    })
}

/// The condition without which a value is zero.
fn condition_of(exprs: &Exprs, e: ExprId) -> Option<ExprId> {
    match exprs.get(e) {
        Expr::If(c, _, other) if build::as_number(exprs, *other) == Some(0.0) => Some(*c),
        _ => None,
    }
}

/// Bounds that a condition sets to a computed index where that is at `cell`: bounds that follow,
/// so that a recurrence behind a guard (`where parent[b] < b`) keeps its order backwards.
fn bounds(exprs: &Exprs, c: ExprId, index: ExprId, cell: &Affine, out: &mut Vec<Constraint>) {
    let plain = |mut e: ExprId| {
        loop {
            e = match (exprs.get(e), exprs.fitted(e)) {
                (Expr::Cast(_, x), _) => *x,
                (_, Some(x)) => x,
                _ => return e,
            };
        }
    };
    let affine = |e: ExprId| match exprs.get(plain(e)) {
        Expr::Index(a) => Some(a.clone()),
        _ => None,
    };
    let (op, a, b) = match exprs.get(c) {
        Expr::Binary(op, a, b, _) => (*op, *a, *b),
        Expr::If(first, then, other) if is_false(exprs, *other) => {
            bounds(exprs, *first, index, cell, out);
            return bounds(exprs, *then, index, cell, out);
        }
        _ => return,
    };
    let left = || (plain(a) == plain(index)).then(|| Some((cell.clone(), affine(b)?)))?;
    let right = || (plain(b) == plain(index)).then(|| Some((affine(a)?, cell.clone())))?;
    let Some((low, high)) = left().or_else(right) else { return };
    let (term, less) = match op {
        BinaryOp::Lt => (high.minus(&low), 1),
        BinaryOp::Le => (high.minus(&low), 0),
        BinaryOp::Gt => (low.minus(&high), 1),
        BinaryOp::Ge => (low.minus(&high), 0),
        _ => return,
    };
    if let Some(term) = term {
        let term = term.plus_size(&(-less).into());
        out.push(Constraint { term, relation: Relation::AtLeastZero });
    }
}

fn is_false(exprs: &Exprs, e: ExprId) -> bool {
    *exprs.get(e) == Expr::Const(Scalar::Bool(false))
}

/// All of some conditions, each evaluated only where those before hold.
pub(crate) fn lazily(exprs: &mut Exprs, conditions: &[ExprId]) -> Option<ExprId> {
    let (last, before) = conditions.split_last()?;
    Some(before.iter().rev().fold(*last, |rest, c| {
        let no = exprs.constant(Scalar::Bool(false));
        exprs.if_else(*c, rest, no)
    }))
}

/// A sum over what loops are left, or a plain value.
pub(crate) fn finish(
    target: TensorId,
    space: Space,
    write: Vec<IndexTerm>,
    has_loops: bool,
    mask: Option<ExprId>,
    body: ExprId,
    mut exprs: Exprs,
) -> Assignment {
    if has_loops {
        let accumulator = Accumulator::Sum;
        return Assignment { target, space, write, accumulator, mask, body, exprs };
    }
    let zero = exprs.constant(Scalar::zero(exprs.ty(body)));
    let body = match mask {
        Some(m) => exprs.if_else(m, body, zero),
        None => body,
    };
    let accumulator = Accumulator::Set;
    Assignment { target, space, write, accumulator, mask: None, body, exprs }
}
