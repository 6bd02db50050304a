//! Definitions by clauses, at host level or inside cell code.

use crate::env::{Bound, EnvId};
use crate::frame::{Frame, Path};
use crate::lift::{conjunction, restrict_to};
use crate::remap::{needed, rebuild, restrict};
use crate::stager::Stager;
use std::collections::BTreeSet;
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar};
use weft_sema::thir::{Clause, Definition, LocalId, Slot};
use weft_tensor::{
    Accumulator, Assignment, Axis, Definition as Defined, Expr as Node, ExprId, IndexTerm, TensorId,
};

/// An assignment before its surroundings are cut down to what it needs.
struct Draft<'p> {
    frame: Frame<'p>,
    write: Vec<IndexTerm>,
    body: ExprId,
}

impl<'p> Stager<'p> {
    /// Definitions that may read each other. Inside cell code they become tensors over
    /// the indices around: all of them in a recurrence, else those that are needed.
    pub fn define_group(
        &mut self,
        group: &'p [Definition],
        env: EnvId,
        around: Option<&mut Frame<'p>>,
    ) {
        let surroundings = match around {
            Some(frame) => {
                let span = self.body(env).locals[group[0].local].span;
                let around = self.narrowed(frame, self.group_depends(group, env), span);
                frame.lifts(&around);
                around
            }
            None => Frame::default(),
        };
        let around = surroundings.iters();
        let (axes, outer) = self.axes_over(&surroundings.space, &around);
        let ids: Vec<TensorId> = group.iter().map(|d| self.declare(d, env, axes.clone())).collect();
        for (d, id) in group.iter().zip(&ids) {
            let bound = Bound::Tensor { tensor: *id, outer: outer.clone() };
            self.envs[env].values.insert(d.local, bound);
        }
        let outer: Vec<(Iter, Affine)> = around.into_iter().zip(outer).collect();
        let mut drafts = Vec::new();
        for d in group {
            drafts.push(self.clauses(d, env, &surroundings, &outer));
        }
        let recurrent = drafts.iter().flatten().any(|d| reads_any(d, &ids));
        for ((d, id), list) in group.iter().zip(ids).zip(drafts) {
            self.finish(d, id, list, env, &outer, recurrent || group.len() > 1);
        }
    }

    /// A tensor for a definition; its first axes are those over the indices around.
    fn declare(&mut self, d: &Definition, env: EnvId, mut axes: Vec<Axis>) -> TensorId {
        let local = &self.body(env).locals[d.local];
        let names = slot_names(d, self, env);
        for (n, extent) in self.shape(env, &local.ty).into_iter().enumerate() {
            axes.push(Axis { extent, name: names.get(n).cloned().flatten() });
        }
        let elem = self.elem(&local.ty);
        self.tensor(Some((local.name.clone(), local.span)), elem, axes)
    }

    fn clauses(
        &mut self,
        d: &'p Definition,
        env: EnvId,
        around: &Frame<'p>,
        outer: &[(Iter, Affine)],
    ) -> Vec<Draft<'p>> {
        let mut out = Vec::new();
        for (at, clause) in d.clauses.iter().enumerate() {
            for piece in &clause.pieces {
                let mut draft = self.clause_piece(&d.clauses[..at], clause, piece, env, around);
                let outer = outer.iter().map(|(_, cell)| IndexTerm::Affine(cell.clone()));
                draft.write.splice(0..0, outer);
                out.push(draft);
            }
        }
        out
    }

    fn clause_piece(
        &mut self,
        earlier: &'p [Clause],
        clause: &'p Clause,
        piece: &'p [Constraint],
        env: EnvId,
        around: &Frame<'p>,
    ) -> Draft<'p> {
        let mut frame = around.nested();
        let mut conditions = self.lower_path(&mut frame);
        let inner = self.child(env);
        for i in &clause.iters {
            self.open_range(inner, *i, &mut frame);
        }
        let guards: Vec<Constraint> = piece
            .iter()
            .map(|c| Constraint { term: self.term(inner, &c.term), relation: c.relation })
            .collect();
        frame.path.extend(guards.iter().cloned().map(Path::Affine));
        restrict_to(&mut frame, guards);
        let slots: Vec<Affine> = clause.slots.iter().map(|s| self.cell(s, inner)).collect();
        let axes = self.body_axes(inner, &clause.body.ty, &mut frame);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let body = self.clause_value(earlier, clause, env, inner, &slots, &idx, &mut frame, false);
        let body = match conjunction(&mut frame, &std::mem::take(&mut conditions)) {
            Some(reached) => {
                let zero = Scalar::zero(frame.exprs.ty(body));
                let zero = frame.exprs.constant(zero);
                frame.exprs.if_else(reached, body, zero)
            }
            None => body,
        };
        let write = slots.into_iter().map(IndexTerm::Affine).chain(idx).collect();
        Draft { frame, write, body }
    }

    fn cell(&self, slot: &Slot, env: EnvId) -> Affine {
        match slot {
            Slot::Index(i) => self.term(env, &Affine::iter(*i)),
            Slot::Fixed(s) => Affine::fixed(self.size(env, s)),
        }
    }

    /// The value of a clause at a cell: where its guards fail, its `else`, or what the
    /// clauses before it say, or zero.
    #[allow(clippy::too_many_arguments, reason = "a clause has these parts")]
    fn clause_value(
        &mut self,
        earlier: &'p [Clause],
        clause: &'p Clause,
        env: EnvId,
        inner: EnvId,
        slots: &[Affine],
        idx: &[IndexTerm],
        frame: &mut Frame<'p>,
        fallback: bool,
    ) -> ExprId {
        for (id, value) in &clause.binds {
            self.envs[inner].values.insert(*id, Bound::Thunk(value, inner));
        }
        // Guards of several pieces say nothing where the clause is a fallback: they are
        // tested there, as a mask is.
        let tested = clause.masked || (fallback && !weft_sema::guards_are_flat(clause));
        if !tested {
            return self.lower(&clause.body, inner, frame, idx);
        }
        let depth = frame.path.len();
        let mut tests = Vec::new();
        for g in &clause.guards {
            tests.push(self.lower(g, inner, frame, &[]));
            frame.path.push(Path::Expr(g, inner, true));
        }
        let value = self.lower(&clause.body, inner, frame, idx);
        frame.leave(depth);
        let otherwise = match &clause.otherwise {
            Some(e) => self.lower(e, inner, frame, idx),
            None => self.earlier_value(earlier, env, slots, idx, frame, value),
        };
        tests.into_iter().rev().fold(value, |v, test| frame.exprs.if_else(test, v, otherwise))
    }

    /// What the clauses before a masked one say of a cell; the latest first.
    fn earlier_value(
        &mut self,
        earlier: &'p [Clause],
        env: EnvId,
        slots: &[Affine],
        idx: &[IndexTerm],
        frame: &mut Frame<'p>,
        like: ExprId,
    ) -> ExprId {
        let Some((clause, before)) = earlier.split_last() else {
            let zero = Scalar::zero(frame.exprs.ty(like));
            return frame.exprs.constant(zero);
        };
        let inner = self.child(env);
        let domain = self.domain_at(clause, inner, slots);
        let depth = frame.path.len();
        frame.path.extend(domain.iter().cloned().map(Path::Affine));
        let value = self.clause_value(before, clause, env, inner, slots, idx, frame, true);
        frame.leave(depth);
        let fallback = self.earlier_value(before, env, slots, idx, frame, like);
        domain.into_iter().rev().fold(value, |v, c| {
            let term = frame.exprs.index(c.term);
            let zero = frame.exprs.index(Affine::fixed(0));
            let op = match c.relation {
                Relation::AtLeastZero => BinaryOp::Ge,
                Relation::Zero => BinaryOp::Eq,
            };
            let test = frame.exprs.binary(op, term, zero);
            frame.exprs.if_else(test, v, fallback)
        })
    }

    /// The conditions on a cell to lie in a clause's ranges (and affine guards); binds
    /// the clause's indices to the cell.
    fn domain_at(&mut self, clause: &'p Clause, env: EnvId, slots: &[Affine]) -> Vec<Constraint> {
        let mut out = Vec::new();
        for (slot, at) in clause.slots.iter().zip(slots) {
            match slot {
                Slot::Fixed(s) => {
                    let term = at.plus_size(&self.size(env, s).scaled(-1));
                    out.push(Constraint { term, relation: Relation::Zero });
                }
                Slot::Index(i) => match self.envs[env].iters.get(i).cloned() {
                    Some(first) => {
                        let term = at.minus(&first).expect("coefficients stay small");
                        out.push(Constraint { term, relation: Relation::Zero });
                    }
                    None => {
                        self.envs[env].iters.insert(*i, at.clone());
                    }
                },
            }
        }
        for i in &clause.iters {
            let (lo, hi) = self.body(env).iters[*i].range.clone().expect("ranges are known");
            let at = self.term(env, &Affine::iter(*i));
            let (lo, hi) = (self.term(env, &lo), self.term(env, &hi));
            let above = at.minus(&lo);
            let below = hi.minus(&at).map(|t| t.plus_size(&(-1).into()));
            for term in [above, below].into_iter().flatten() {
                out.push(Constraint { term, relation: Relation::AtLeastZero });
            }
        }
        if !clause.masked {
            let mut guards = Vec::new();
            clause.guards.iter().for_each(|g| {
                weft_sema::flatten(&weft_sema::condition(g), &mut guards);
            });
            out.extend(
                guards
                    .into_iter()
                    .map(|c| Constraint { term: self.term(env, &c.term), relation: c.relation }),
            );
        }
        out
    }

    /// Turns drafts into assignments, over the surroundings that are needed.
    fn finish(
        &mut self,
        d: &Definition,
        id: TensorId,
        drafts: Vec<Draft<'p>>,
        env: EnvId,
        outer: &[(Iter, Affine)],
        recurrent: bool,
    ) {
        let around: Vec<Iter> = outer.iter().map(|(i, _)| *i).collect();
        let kept =
            if recurrent { around.iter().copied().collect() } else { kept_outer(&drafts, &around) };
        let dropped: Vec<usize> =
            (0..around.len()).filter(|n| !kept.contains(&around[*n])).collect();
        let tensor = &mut self.graph().tensors[id];
        let mut n = 0;
        tensor.axes.retain(|_| {
            n += 1;
            !dropped.contains(&(n - 1))
        });
        let kept_outer = outer.iter().filter(|(i, _)| kept.contains(i));
        let kept_terms: Vec<Affine> = kept_outer.map(|(_, cell)| cell.clone()).collect();
        self.envs[env].values.insert(d.local, Bound::Tensor { tensor: id, outer: kept_terms });
        for draft in drafts {
            self.finish_draft(id, draft, &around, &kept, &dropped);
        }
        if let Defined::Assigned { covered, .. } = &mut self.graph().tensors[id].definition {
            *covered = d.covered;
        }
    }

    fn finish_draft(
        &mut self,
        id: TensorId,
        draft: Draft<'p>,
        around: &[Iter],
        kept: &BTreeSet<Iter>,
        dropped: &[usize],
    ) {
        let Draft { frame, write, body } = draft;
        let all: BTreeSet<Iter> = frame
            .space
            .ranges()
            .map(|r| r.iter)
            .filter(|i| !around.contains(i) || kept.contains(i))
            .collect();
        let (space, replace) = restrict(&frame.space, &all);
        let (exprs, roots) = rebuild(&frame.exprs, &[body], &replace);
        let write = write
            .into_iter()
            .enumerate()
            .filter(|(n, _)| !dropped.contains(n))
            .map(|(_, t)| match t {
                IndexTerm::Affine(a) => {
                    IndexTerm::Affine(a.compose(&replace).expect("renaming does not overflow"))
                }
                other => other,
            })
            .collect();
        let accumulator = Accumulator::Set;
        let assignment =
            Assignment { target: id, space, write, accumulator, mask: None, body: roots[0], exprs };
        self.graph().assign(assignment);
    }

    /// A plain tensor value as a definition of its own: `let y = a + b;`.
    pub fn define_value(
        &mut self,
        e: &'p weft_sema::thir::Expr,
        env: EnvId,
        name: Option<LocalId>,
    ) -> TensorId {
        let mut frame = Frame::default();
        let axes = self.body_axes(env, &e.ty, &mut frame);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let body = self.lower(e, env, &mut frame, &idx);
        let tensor_axes =
            self.shape(env, &e.ty).into_iter().map(|extent| Axis { extent, name: None }).collect();
        let named = name.map(|id| {
            let local = &self.body(env).locals[id];
            (local.name.clone(), local.span)
        });
        let elem = self.elem(&e.ty);
        let t = self.tensor(named, elem, tensor_axes);
        if self.graph().tensors[t].span.is_none() {
            self.graph().tensors[t].span = Some(e.span);
        }
        let (space, exprs) = (frame.space, frame.exprs);
        let (write, accumulator) = (idx, Accumulator::Set);
        let a = Assignment { target: t, space, write, accumulator, mask: None, body, exprs };
        self.define_covered(t, a);
        t
    }
}

fn slot_names(d: &Definition, stager: &Stager<'_>, env: EnvId) -> Vec<Option<weft_base::Name>> {
    (0..d.slots)
        .map(|n| {
            d.clauses.iter().find_map(|c| match c.slots.get(n)? {
                Slot::Index(i) => Some(stager.body(env).iters[*i].name.clone()),
                Slot::Fixed(_) => None,
            })
        })
        .collect()
}

/// Whether a draft reads one of some tensors.
fn reads_any(d: &Draft<'_>, ids: &[TensorId]) -> bool {
    d.frame.exprs.ids().any(|e| match d.frame.exprs.get(e) {
        Node::Read { tensor, .. } => ids.contains(tensor),
        _ => false,
    })
}

/// The surrounding iterators that any of the drafts needs.
fn kept_outer(drafts: &[Draft<'_>], around: &[Iter]) -> BTreeSet<Iter> {
    let mut kept = BTreeSet::new();
    for d in drafts {
        let own: Vec<Iter> =
            d.frame.space.ranges().map(|r| r.iter).filter(|i| !around.contains(i)).collect();
        kept.extend(needed(&d.frame, &[d.body], &own).into_iter().filter(|i| around.contains(i)));
    }
    // Ranges of kept iterators may use others; `needed` closed each draft by itself.
    kept
}
