//! Forward sweeps: the tangent of each tensor, from the independent one to the target.
//!
//! The tangent of an assignment is the assignment with each read's partial derivative times
//! the tangent read there. Pieces keep their domains, recurrences their order and windows.
//! Griewank and Walther, *Evaluating Derivatives*, 2008, chapter 3.

use crate::accumulate::{Accumulators, ReductionAdjoint};
use crate::build;
use crate::calls::Calls;
use crate::compress::{Compressed, only_where};
use crate::partial::flow_to_reads;
use crate::path::Path;
use crate::refusal::Cause;
use crate::reverse::{finish, lazily};
use crate::seed::{Seed, add_up, derived_tensor, push_axes, seed_tensor, set_covered, sweep_axes};
use crate::solve::{Solver, Unsolved};
use std::cell::Cell;
use std::collections::BTreeMap;
use weft_domain::{Affine, Iter, Space};
use weft_scalar::Scalar;
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    TensorId, substitute,
};

/// The derivative of every cell of the target by the cells of the independent tensor that
/// `seeds` name: its axes are the sweeps, then those of the target. With `compressed`, by those
/// that the cell of the target chooses.
pub(crate) fn forward_sweep(
    graph: &mut Graph,
    path: &Path,
    seeds: &[Seed],
    compressed: Option<&Compressed>,
    calls: &Calls,
) -> Result<TensorId, Cause> {
    let sweeps = sweep_axes(graph, path.from, seeds);
    let seed = seed_tensor(graph, path.from, seeds);
    let tangents: BTreeMap<TensorId, TensorId> =
        path.tensors.iter().map(|&t| (t, derived_tensor(graph, t, &sweeps))).collect();
    let sweep = Forward { path, seeds, sweeps, tangents, compressed, calls };
    let mut accumulators = Accumulators::default();
    for &t in &path.tensors {
        let tangent = sweep.tangents[&t];
        if t == path.from {
            let carried = derived_tensor(graph, t, &sweep.sweeps);
            sweep.pieces(graph, t, carried, &mut accumulators)?;
            add_up(graph, tangent, &[seed, carried]);
        } else {
            sweep.pieces(graph, t, tangent, &mut accumulators)?;
        }
    }
    Ok(sweep.tangents[&path.to])
}

struct Forward<'a> {
    path: &'a Path,
    seeds: &'a [Seed],
    sweeps: Vec<Axis>,
    tangents: BTreeMap<TensorId, TensorId>,
    /// Where each cell of the target is about chosen cells of the independent tensor.
    compressed: Option<&'a Compressed>,
    calls: &'a Calls,
}

impl Forward<'_> {
    fn pieces(
        &self,
        graph: &mut Graph,
        t: TensorId,
        target: TensorId,
        accumulators: &mut Accumulators,
    ) -> Result<(), Cause> {
        let mut covered = match graph.tensors[t].definition {
            Definition::Assigned { covered, .. } => covered,
            Definition::Input | Definition::Constant(_) => false,
        };
        for p in self.path.pieces(graph, t).to_vec() {
            covered &= self.piece(graph, p, target, accumulators)?;
        }
        // Without pieces nothing flows.
        covered &= !graph.pieces(target).is_empty();
        set_covered(graph, target, covered);
        Ok(())
    }

    /// Adds the tangent of a piece to `target`; whether it writes what the piece writes.
    fn piece(
        &self,
        graph: &mut Graph,
        p: AssignId,
        target: TensorId,
        accumulators: &mut Accumulators,
    ) -> Result<bool, Cause> {
        let reads: Vec<(TensorId, ExprId)> = self.reads_of(p);
        if reads.is_empty() {
            return Ok(false);
        }
        let mut piece = graph.assigns[p].clone();
        let share = accumulators.share(graph, p, &mut piece).map_err(Cause::Operation)?;
        if !piece.reduced().is_empty() && self.reads_seeds_only(graph, p, &reads) {
            self.gathered(graph, piece, p, &share, &reads, target)?;
            return Ok(false);
        }
        self.stepwise(graph, piece, p, &share, target)?;
        Ok(true)
    }

    fn reads_of(&self, p: AssignId) -> Vec<(TensorId, ExprId)> {
        let of = |(t, edges): (&TensorId, &Vec<(AssignId, ExprId)>)| {
            let t = *t;
            edges.iter().filter(|(a, _)| *a == p).map(|(_, e)| (t, *e)).collect::<Vec<_>>()
        };
        self.path.edges.iter().flat_map(of).collect()
    }

    fn reads_seeds_only(&self, graph: &Graph, p: AssignId, reads: &[(TensorId, ExprId)]) -> bool {
        let affine = |e: &ExprId| match graph.assigns[p].exprs.get(*e) {
            Expr::Read { index, .. } => index.iter().all(|t| t.as_affine().is_some()),
            _ => false,
        };
        let swept = self.seeds.iter().any(|s| !matches!(s, Seed::Together));
        self.path.cut
            && self.compressed.is_none()
            && swept
            && reads.len() == 1
            && reads.iter().all(|(t, e)| *t == self.path.from && affine(e))
    }

    /// One assignment for the whole piece: Σ over reads of partial times tangent.
    fn stepwise(
        &self,
        graph: &mut Graph,
        mut piece: Assignment,
        p: AssignId,
        share: &ReductionAdjoint,
        target: TensorId,
    ) -> Result<(), Cause> {
        let mut outer = Space { iters: piece.space.iters.clone(), ..Space::default() };
        let sweeps = push_axes(&mut outer, &self.sweeps);
        let index: Vec<IndexTerm> = sweeps.iter().map(|i| Affine::iter(*i).into()).collect();
        let one = self.factor(graph, &mut piece, share);
        let active = |e: ExprId, node: &Expr| match node {
            Expr::Read { tensor, .. } => self.path.is_active((p, e), *tensor),
            _ => false,
        };
        let (to, write) = (piece.target, piece.write.clone());
        let refused = Cell::new(false);
        let arrive = |exprs: &mut Exprs, read: ExprId, g: ExprId| {
            let Some(tangent) = self.tangent_at(exprs, read, &index) else {
                refused.set(true);
                return g;
            };
            let product = build::times(exprs, g, tangent);
            let chosen = self.compressed.map(|c| c.conditions((to, &write), exprs, read));
            match chosen {
                Some(Some(conditions)) => only_where(exprs, &conditions, product),
                Some(None) => {
                    refused.set(true);
                    product
                }
                None => product,
            }
        };
        let body = piece.body;
        let flow = flow_to_reads(&mut piece.exprs, body, one, &active, &arrive, self.calls)?;
        if refused.get() {
            return Err(Cause::Index);
        }
        let elem = graph.tensors[piece.target].elem;
        let mut total = build::zero(&mut piece.exprs, elem);
        for value in flow.into_values() {
            let value = piece.exprs.cast(elem, value);
            total = build::plus(&mut piece.exprs, total, value);
        }
        let Space { iters, mut ranges, .. } = outer;
        ranges.append(&mut piece.space.ranges);
        let space = Space { iters, ranges, guards: piece.space.guards };
        let write = index.into_iter().chain(piece.write).collect();
        let loops = piece.accumulator != Accumulator::Set;
        let made = finish(target, space, write, loops, share.mask, total, piece.exprs);
        graph.assign(made);
        Ok(())
    }

    /// The tangent read beside a read; the seed itself where the read is of a cut tensor. `None`
    /// where that is at an index that cannot be compared with the seed's.
    fn tangent_at(&self, exprs: &mut Exprs, read: ExprId, sweeps: &[IndexTerm]) -> Option<ExprId> {
        let ty = exprs.ty(read);
        let Expr::Read { tensor, index, site } = exprs.get(read).clone() else {
            unreachable!("only reads have tangents");
        };
        if !(self.path.cut && tensor == self.path.from) {
            let index = sweeps.iter().chain(&index).cloned().collect();
            let tensor = self.tangents[&tensor];
            return Some(exprs.add(Expr::Read { tensor, index, site }, ty));
        }
        let mut conditions = Vec::new();
        for (term, seed) in index.iter().zip(self.seeds) {
            let equals = match seed {
                Seed::Together => continue,
                Seed::Fixed(at) => Affine::fixed(at.clone()),
                Seed::Swept(n) => sweeps[*n].as_affine().expect("sweeps are iterators").clone(),
            };
            let at = match term {
                IndexTerm::Affine(a) => exprs.index(a.clone()),
                IndexTerm::Data(e) => *e,
            };
            conditions.extend(build::equal(exprs, at, &equals));
        }
        let one = exprs.constant(Scalar::one(ty));
        let zero = build::zero(exprs, ty);
        Some(match build::all(exprs, &conditions) {
            Some(c) => exprs.if_else(c, one, zero),
            None => one,
        })
    }

    fn factor(&self, graph: &Graph, piece: &mut Assignment, share: &ReductionAdjoint) -> ExprId {
        let elem = graph.tensors[piece.target].elem;
        share.factor.unwrap_or_else(|| piece.exprs.constant(Scalar::one(elem)))
    }

    /// A reduction over the independent tensor itself: only the points that read the cell
    /// of the sweep count, so the equation is solved for the reduced iterators.
    fn gathered(
        &self,
        graph: &mut Graph,
        mut piece: Assignment,
        p: AssignId,
        share: &ReductionAdjoint,
        reads: &[(TensorId, ExprId)],
        target: TensorId,
    ) -> Result<(), Cause> {
        let [(_, read)] = reads else { unreachable!("the caller has looked") };
        let one = self.factor(graph, &mut piece, share);
        let active = |e: ExprId, node: &Expr| match node {
            Expr::Read { tensor, .. } => self.path.is_active((p, e), *tensor),
            _ => false,
        };
        let body = piece.body;
        let flow = flow_to_reads(&mut piece.exprs, body, one, &active, &|_, _, g| g, self.calls)?;
        let Some(&value) = flow.get(read) else { return Ok(()) };
        let mut space = Space::default();
        let sweeps = push_axes(&mut space, &self.sweeps);
        let mut solver = Solver::new(&piece, space);
        let Expr::Read { index, .. } = piece.exprs.get(*read) else { unreachable!("a read") };
        for (term, seed) in index.iter().zip(self.seeds) {
            let equals = match seed {
                Seed::Together => continue,
                Seed::Fixed(at) => Affine::fixed(at.clone()),
                Seed::Swept(n) => Affine::iter(sweeps[*n]),
            };
            let term = term.as_affine().ok_or(Cause::Index)?;
            solver.demand(term, &equals).ok_or(Cause::Index)?;
        }
        let solution = match solver.solve(&piece.reduced()) {
            Ok(s) => s,
            Err(Unsolved::Empty) => return Ok(()),
            Err(Unsolved::Unknown) => return Err(Cause::Index),
        };
        let replace = |i: Iter| solution.terms[&i].clone();
        let mut exprs = Exprs::new();
        let roots = share.mask.into_iter().chain([value]);
        let moved = substitute(&piece.exprs, &mut exprs, roots, &replace).ok_or(Cause::Index)?;
        let conditions: Vec<ExprId> = share.mask.iter().map(|m| moved[m]).collect();
        let mask = lazily(&mut exprs, &conditions);
        let mut write: Vec<IndexTerm> = sweeps.iter().map(|i| Affine::iter(*i).into()).collect();
        for w in &piece.write {
            let w = w.as_affine().ok_or(Cause::Index)?;
            write.push(w.compose(&replace).ok_or(Cause::Index)?.into());
        }
        let elem = graph.tensors[piece.target].elem;
        let value = exprs.cast(elem, moved[&value]);
        let written: usize = {
            let probe = Assignment {
                target,
                space: solution.space.clone(),
                write: write.clone(),
                accumulator: Accumulator::Sum,
                mask: None,
                body: value,
                exprs: Exprs::new(),
            };
            probe.reduced().len()
        };
        graph.assign(finish(target, solution.space, write, written > 0, mask, value, exprs));
        Ok(())
    }
}
