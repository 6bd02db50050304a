//! Definitions by clauses, at host level or inside cell code.

use super::{Lifting, Opened};
use crate::cell::Cell;
use crate::frame::Frame;
use crate::known::types::elem_of;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId, Scopes};
use crate::unit::assemble::Piece;
use crate::work::Work;
use std::collections::BTreeSet;
use weft_base::Name;
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar};
use weft_sema::thir::{Clause, Definition, Slot};
use weft_tensor::{Axis, ExprId, IndexTerm, TensorId};

impl<'p> Lifting<'_, 'p> {
    /// Definitions that may read each other. Inside cell code they become tensors over
    /// the indices around: all of them in a recurrence, else those that are needed.
    pub fn definitions(mut self, group: &'p [Definition]) {
        let around = self.around.iters();
        let (axes, outer) = self.work.unit.tensors.axes_over(&self.around.space, &around);
        let ids: Vec<TensorId> = group.iter().map(|d| self.declare(d, axes.clone())).collect();
        for (d, tensor) in group.iter().zip(&ids) {
            let bound = Bound::Tensor { tensor: *tensor, outer: outer.clone() };
            self.work.scopes.bind(self.env, d.local, bound);
        }
        let outer: Vec<(Iter, Affine)> = around.into_iter().zip(outer).collect();
        let drafts: Vec<Vec<Piece<'p>>> = group.iter().map(|d| self.clauses(d, &outer)).collect();
        let recurrent = group.len() > 1 || drafts.iter().flatten().any(|d| d.reads_any(&ids));
        for ((d, id), pieces) in group.iter().zip(ids).zip(drafts) {
            self.finish(d, id, pieces, &outer, recurrent);
        }
    }

    /// A tensor for a definition; its first axes are those over the indices around.
    fn declare(&mut self, d: &Definition, mut axes: Vec<Axis>) -> TensorId {
        let local = self.work.scopes.local(self.env, d.local);
        let names = slot_names(d, &self.work.scopes, self.env);
        for (n, extent) in self.work.scopes.shape(self.env, &local.ty).into_iter().enumerate() {
            axes.push(Axis { extent, name: names.get(n).cloned().flatten() });
        }
        let name = Some((local.name.clone(), local.span));
        self.work.unit.tensors.tensor(name, elem_of(&local.ty), axes)
    }

    fn clauses(&mut self, d: &'p Definition, outer: &[(Iter, Affine)]) -> Vec<Piece<'p>> {
        let mut out = Vec::new();
        for (at, clause) in d.clauses.iter().enumerate() {
            for piece in &clause.pieces {
                let mut made = self.clause(&d.clauses[..at], clause, piece);
                let outer = outer.iter().map(|(_, cell)| IndexTerm::Affine(cell.clone()));
                made.write.splice(0..0, outer);
                out.push(made);
            }
        }
        out
    }

    /// One piece of a clause.
    fn clause(
        &mut self,
        earlier: &'p [Clause],
        clause: &'p Clause,
        piece: &'p [Constraint],
    ) -> Piece<'p> {
        let Opened { mut frame, conditions, .. } = self.open();
        let scopes = &mut self.work.scopes;
        let inner = scopes.child(self.env);
        for i in &clause.iters {
            frame.open_range(*i, inner, scopes);
        }
        let guards: Vec<Constraint> = piece.iter().map(|c| scopes.constraint(inner, c)).collect();
        frame.path.extend(guards.iter().cloned().map(Path::Affine));
        frame.restrict_to(guards);
        let slots: Vec<Affine> = clause.slots.iter().map(|s| scopes.slot(inner, s)).collect();
        let (_, idx) = frame.open_axes(scopes.shape(inner, &clause.body.ty));
        let at = At { env: self.env, slots: &slots, idx: &idx };
        let mut point = Point { work: &mut *self.work, frame: &mut frame, at };
        let body = match Point::is_tested(clause, false) {
            true => point.tested(clause, inner, |point, value| point.earlier(earlier, value)),
            false => point.value(clause, inner),
        };
        let body = frame.where_reached(&conditions, body);
        let write = slots.into_iter().map(IndexTerm::Affine).chain(idx).collect();
        Piece { frame, write, body }
    }

    /// Turns pieces into assignments, over the surroundings that are needed.
    fn finish(
        &mut self,
        d: &Definition,
        tensor: TensorId,
        pieces: Vec<Piece<'p>>,
        outer: &[(Iter, Affine)],
        recurrent: bool,
    ) {
        let around: Vec<Iter> = outer.iter().map(|(i, _)| *i).collect();
        // Ranges of kept iterators may use others; each piece closes its own by itself.
        let kept: BTreeSet<Iter> = match recurrent {
            true => around.iter().copied().collect(),
            false => pieces.iter().flat_map(|p| p.kept_of(&around)).collect(),
        };
        let gone = |n: &usize| !kept.contains(&around[*n]);
        let dropped: Vec<usize> = (0..around.len()).filter(gone).collect();
        self.work.unit.tensors.drop_axes(tensor, &dropped);
        let kept_outer = outer.iter().filter(|(i, _)| kept.contains(i));
        let outer: Vec<Affine> = kept_outer.map(|(_, cell)| cell.clone()).collect();
        self.work.scopes.bind(self.env, d.local, Bound::Tensor { tensor, outer });
        for piece in pieces {
            let assignment = piece.assigned(tensor, &around, &kept);
            self.work.unit.tensors.assign(assignment);
        }
        self.work.unit.tensors.set_covered(tensor, d.covered);
    }
}

fn slot_names(d: &Definition, scopes: &Scopes<'_>, env: EnvId) -> Vec<Option<Name>> {
    let name = |n: usize| {
        d.clauses.iter().find_map(|c| match c.slots.get(n)? {
            Slot::Index(i) => Some(scopes.body(env).iters[*i].name.clone()),
            Slot::Fixed(_) => None,
        })
    };
    (0..d.slots).map(name).collect()
}

/// The cell that clauses are asked about.
#[derive(Clone, Copy)]
struct At<'i> {
    /// The names around the definition.
    env: EnvId,
    /// Its slots.
    slots: &'i [Affine],
    /// Its index in the axes of the clauses' own values.
    idx: &'i [IndexTerm],
}

/// A cell in a frame, where clauses say what it holds.
struct Point<'a, 'p> {
    work: &'a mut Work<'p>,
    frame: &'a mut Frame<'p>,
    at: At<'a>,
}

impl<'p> Point<'_, 'p> {
    fn cell(&mut self, env: EnvId) -> Cell<'_, 'p> {
        Cell::new(self.work, env, self.frame)
    }

    /// Whether a clause's guards are tested at the cell. Guards of several pieces say nothing
    /// where the clause is a fallback: they are tested there, as a mask is.
    fn is_tested(clause: &Clause, fallback: bool) -> bool {
        clause.masked || (fallback && !weft_sema::guards_are_flat(clause))
    }

    /// The value of a clause where its guards hold; its names are in `inner`.
    fn value(&mut self, clause: &'p Clause, inner: EnvId) -> ExprId {
        self.bind(clause, inner);
        let idx = self.at.idx;
        self.cell(inner).lower(&clause.body, idx)
    }

    fn bind(&mut self, clause: &'p Clause, inner: EnvId) {
        for (id, value) in &clause.binds {
            self.work.scopes.bind(inner, *id, Bound::Thunk(value, inner));
        }
    }

    /// The same with its guards tested: where they fail, its `else`, or what `otherwise` gives.
    fn tested(
        &mut self,
        clause: &'p Clause,
        inner: EnvId,
        otherwise: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        self.bind(clause, inner);
        let idx = self.at.idx;
        let depth = self.frame.path.len();
        let mut tests = Vec::new();
        for g in &clause.guards {
            tests.push(self.cell(inner).lower(g, &[]));
            self.frame.path.push(Path::Expr(g, inner, true));
        }
        let value = self.cell(inner).lower(&clause.body, idx);
        self.frame.leave(depth);
        let otherwise = match &clause.otherwise {
            Some(e) => self.cell(inner).lower(e, idx),
            None => otherwise(self, value),
        };
        let exprs = &mut self.frame.exprs;
        tests.into_iter().rev().fold(value, |v, test| exprs.if_else(test, v, otherwise))
    }

    /// What the clauses before a masked one say of the cell; the latest first.
    fn earlier(&mut self, earlier: &'p [Clause], like: ExprId) -> ExprId {
        let Some((clause, before)) = earlier.split_last() else {
            let zero = Scalar::zero(self.frame.exprs.ty(like));
            return self.frame.exprs.constant(zero);
        };
        let inner = self.work.scopes.child(self.at.env);
        let domain = self.domain(clause, inner);
        // Beside the clause's ranges and where its guards fail it is the same value.
        let fallback = self.earlier(before, like);
        let depth = self.frame.path.len();
        self.frame.path.extend(domain.iter().cloned().map(Path::Affine));
        let value = match Self::is_tested(clause, true) {
            true => self.tested(clause, inner, |_, _| fallback),
            false => self.value(clause, inner),
        };
        self.frame.leave(depth);
        let exprs = &mut self.frame.exprs;
        domain.into_iter().rev().fold(value, |v, c| {
            let term = exprs.index(c.term);
            let zero = exprs.index(Affine::fixed(0));
            let op = match c.relation {
                Relation::AtLeastZero => BinaryOp::Ge,
                Relation::Zero => BinaryOp::Eq,
            };
            let test = exprs.binary(op, term, zero);
            exprs.if_else(test, v, fallback)
        })
    }

    /// The conditions on the cell to lie in a clause's ranges (and affine guards); binds
    /// the clause's indices to the cell.
    fn domain(&mut self, clause: &'p Clause, env: EnvId) -> Vec<Constraint> {
        let scopes = &mut self.work.scopes;
        let mut out = Vec::new();
        for (slot, at) in clause.slots.iter().zip(self.at.slots) {
            let term = match slot {
                Slot::Fixed(s) => Some(at.plus_size(&scopes.size(env, s).scaled(-1))),
                Slot::Index(i) => match scopes.index_in(env, *i) {
                    Some(first) => Some(at.minus(first).expect("coefficients stay small")),
                    None => {
                        scopes.bind_index(env, *i, at.clone());
                        None
                    }
                },
            };
            out.extend(term.map(|term| Constraint { term, relation: Relation::Zero }));
        }
        for i in &clause.iters {
            let (lo, hi) = scopes.body(env).iters[*i].range.clone().expect("ranges are known");
            let at = scopes.term(env, &Affine::iter(*i));
            let (lo, hi) = (scopes.term(env, &lo), scopes.term(env, &hi));
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
            out.extend(guards.iter().map(|c| scopes.constraint(env, c)));
        }
        out
    }
}
