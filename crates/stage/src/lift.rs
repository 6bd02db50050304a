//! Lifting: a reduction becomes a tensor over the indices around it that it depends on.

use crate::env::EnvId;
use crate::frame::{Frame, IterAxis, Path, axis_over};
use crate::remap::{needed, rebuild, restrict};
use crate::stager::Stager;
use weft_base::{Name, Span};
use weft_domain::{Affine, Constraint, Iter, Space};
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{self, Expr, ExprKind};
use weft_tensor::{Accumulator, Assignment, Axis, ExprId, IndexTerm, TensorId};

/// A reduction of the program in one environment, over terms of its own or another type, under
/// one path, over one space.
pub(crate) type LiftKey = (*const Expr, EnvId, Option<ScalarType>, String);

/// What was lifted: the tensor, and the cells of its leading axes at the indices around.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub tensor: TensorId,
    pub outer: Vec<Affine>,
}

/// A reduction whose loops are open: where its terms are lowered.
struct Opened<'p> {
    env: EnvId,
    frame: Frame<'p>,
    /// The indices around.
    around: Vec<Iter>,
    /// The axes of the terms.
    axes: Vec<Iter>,
    /// What must hold of a point, in order.
    conditions: Vec<ExprId>,
}

impl<'p> Stager<'p> {
    /// The value of a reduction at `idx` of its body's own axes.
    pub fn lower_reduction(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let value = self.read_reduction(e, env, frame, idx);
        self.require_a_point(e, env, value, frame)
    }

    fn read_reduction(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let around = self.narrowed(frame, self.depends(e, env), e.span);
        frame.lifts(&around);
        let key = self.lift_key(e, env, None, &around);
        let lifted = self.lifted_once(key, |this| this.lift_reduction(e, env, &around));
        let mut index: Vec<IndexTerm> = lifted.outer.into_iter().map(IndexTerm::Affine).collect();
        index.extend(idx.iter().cloned());
        let elem = self.graph().tensors[lifted.tensor].elem;
        let read = weft_tensor::Expr::Read { tensor: lifted.tensor, index, site: None };
        frame.exprs.add(read, elem)
    }

    /// `argmax` and `argmin` of nothing are errors: the index is -1 where no point was.
    fn require_a_point(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        value: ExprId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let ExprKind::Reduce { accumulator, iters, guards, .. } = &e.kind else { return value };
        if !matches!(accumulator, Accumulator::ArgMax(_) | Accumulator::ArgMin(_)) {
            return value;
        }
        if guards.is_empty() && iters.iter().all(|i| self.surely_has_a_point(env, *i)) {
            return value;
        }
        let condition = match iters.iter().all(|i| self.starts_at_zero_or_later(env, *i)) {
            true => {
                let zero = frame.exprs.constant(Scalar::I64(0));
                frame.exprs.binary(weft_scalar::BinaryOp::Ge, value, zero)
            }
            // -1 is an index like others.
            false => self.has_points(e, env, frame),
        };
        let site = self.site(e.span, format!("the {} of nothing", accumulator.name()));
        frame.exprs.add(weft_tensor::Expr::Check { condition, value, site }, ScalarType::I64)
    }

    /// Whether a reduction has a point: another one, over the same points.
    fn has_points(&mut self, e: &'p Expr, env: EnvId, frame: &mut Frame<'p>) -> ExprId {
        let around = self.narrowed(frame, self.depends(e, env), e.span);
        frame.lifts(&around);
        let key = self.lift_key(e, env, Some(ScalarType::Bool), &around);
        let lifted = self.lifted_once(key, |this| this.lift_points(e, env, &around));
        let index = lifted.outer.into_iter().map(IndexTerm::Affine).collect();
        let read = weft_tensor::Expr::Read { tensor: lifted.tensor, index, site: None };
        frame.exprs.add(read, ScalarType::Bool)
    }

    fn lift_points(&mut self, e: &'p Expr, env: EnvId, frame: &Frame<'p>) -> Lifted {
        let mut opened = self.open_reduction(e, env, frame, None);
        let yes = opened.frame.exprs.constant(Scalar::Bool(true));
        let mask = conjunction(&mut opened.frame, &opened.conditions);
        let Opened { frame, around, axes, .. } = opened;
        self.finish_reduction(e.span, Accumulator::Any, frame, around, axes, mask, yes)
    }

    fn starts_at_zero_or_later(&self, env: EnvId, i: Iter) -> bool {
        let range = self.body(env).iters[i].range.as_ref();
        range.and_then(|(lo, _)| lo.as_size()).is_some_and(|lo| {
            let lo = self.size(env, lo);
            self.unit.out.graph.facts.non_negative(&lo) == weft_shape::Verdict::Yes
        })
    }

    fn surely_has_a_point(&self, env: EnvId, i: Iter) -> bool {
        let range = self.body(env).iters[i].range.as_ref();
        let Some((lo, hi)) = range.and_then(|(lo, hi)| Some((lo.as_size()?, hi.as_size()?))) else {
            return false;
        };
        let (lo, hi) = (self.size(env, lo), self.size(env, hi));
        self.unit.out.graph.facts.lt(&lo, &hi) == weft_shape::Verdict::Yes
    }

    /// What has this key already, or what `make` lifts.
    pub fn lifted_once(&mut self, key: LiftKey, make: impl FnOnce(&mut Self) -> Lifted) -> Lifted {
        if let Some(known) = self.unit.lifted.get(&key) {
            return known.clone();
        }
        let made = make(self);
        self.unit.lifted.insert(key, made.clone());
        made
    }

    /// What tells one lifted definition from another.
    pub fn lift_key(
        &self,
        e: &Expr,
        env: EnvId,
        over: Option<ScalarType>,
        frame: &Frame<'p>,
    ) -> LiftKey {
        (e, env, over, frame.signature())
    }

    fn lift_reduction(&mut self, e: &'p Expr, env: EnvId, frame: &Frame<'p>) -> Lifted {
        let ExprKind::Reduce { accumulator, body, .. } = &e.kind else {
            unreachable!("only reductions are lifted here");
        };
        let mut opened = self.open_reduction(e, env, frame, Some(&body.ty));
        let idx: Vec<IndexTerm> = opened.axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let value = self.lower(body, opened.env, &mut opened.frame, &idx);
        let Opened { frame: mut inner, around, axes, conditions, .. } = opened;
        let mask = conjunction(&mut inner, &conditions);
        self.finish_reduction(e.span, *accumulator, inner, around, axes, mask, value)
    }

    /// The loops and conditions of a reduction, within those around; with axes for terms of a
    /// type.
    fn open_reduction(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &Frame<'p>,
        terms: Option<&thir::Ty>,
    ) -> Opened<'p> {
        let ExprKind::Reduce { iters, binds, guards, .. } = &e.kind else {
            unreachable!("only reductions are opened");
        };
        let mut inner = frame.nested();
        let around = inner.iters();
        let mut conditions = self.lower_path(&mut inner);
        let env = self.child(env);
        let axes = terms.map_or(Vec::new(), |ty| self.body_axes(env, ty, &mut inner));
        let own: Vec<Iter> = iters.iter().map(|i| self.open_range(env, *i, &mut inner)).collect();
        for (id, value) in binds {
            let bound = crate::env::Bound::Thunk(value, env);
            self.envs[env].values.insert(*id, bound);
        }
        for g in guards {
            self.lower_reduction_guard(g, env, &own, &mut inner, &mut conditions);
        }
        Opened { env, frame: inner, around, axes, conditions }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one assignment")]
    pub fn finish_reduction(
        &mut self,
        span: Span,
        accumulator: Accumulator,
        inner: Frame<'p>,
        around: Vec<Iter>,
        axes: Vec<Iter>,
        mask: Option<ExprId>,
        value: ExprId,
    ) -> Lifted {
        let own: Vec<Iter> =
            inner.space.ranges().map(|r| r.iter).filter(|i| !around.contains(i)).collect();
        let roots: Vec<ExprId> = mask.into_iter().chain([value]).collect();
        let kept = needed(&inner, &roots, &own);
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let (space, replace) = restrict(&inner.space, &kept);
        let (exprs, roots) = rebuild(&inner.exprs, &roots, &replace);
        let written: Vec<Iter> = outer.iter().chain(&axes).copied().collect();
        let (tensor_axes, mut cells) = self.axes_over(&inner.space, &written);
        let elem = match accumulator {
            Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => ScalarType::I64,
            _ => exprs.ty(*roots.last().expect("the value is a root")),
        };
        let accumulator = self.accumulator_at(accumulator, elem, span);
        let tensor = self.tensor(None, elem, tensor_axes);
        self.graph().tensors[tensor].span = Some(span);
        let write = written_at(&cells, &replace);
        let body = *roots.last().expect("the value is a root");
        let mask = mask.map(|_| roots[0]);
        let assignment =
            Assignment { target: tensor, space, write, accumulator, mask, body, exprs };
        self.define_covered(tensor, assignment);
        cells.truncate(outer.len());
        Lifted { tensor, outer: cells }
    }

    /// Adds an assignment whose target is read at its points only.
    pub fn define_covered(&mut self, tensor: TensorId, assignment: Assignment) {
        self.graph().assign(assignment);
        if let weft_tensor::Definition::Assigned { covered, .. } =
            &mut self.graph().tensors[tensor].definition
        {
            *covered = true;
        }
    }

    /// Axes over the values of iterators, and the cell of each value.
    pub fn axes_over(&mut self, space: &Space, iters: &[Iter]) -> (Vec<Axis>, Vec<Affine>) {
        let axis = |i: &Iter| {
            let axis = axis_over(space, *i, &self.unit.out.graph.facts);
            let IterAxis { extent, cell } = axis.expect("ranges use earlier iterators only");
            (Axis { extent, name: space.iters[*i].clone() }, cell)
        };
        iters.iter().map(axis).unzip()
    }

    /// Iterators over the axes of a tensor-valued body.
    pub fn body_axes(&mut self, env: EnvId, ty: &thir::Ty, frame: &mut Frame<'p>) -> Vec<Iter> {
        let extents = self.shape(env, ty);
        let push = |s| frame.space.push(None, Affine::fixed(0), Affine::fixed(s));
        extents.into_iter().map(push).collect()
    }

    /// Opens the loop of an index.
    pub fn open_range(&mut self, env: EnvId, i: Iter, frame: &mut Frame<'p>) -> Iter {
        let info = &self.body(env).iters[i];
        let (lo, hi) = info.range.as_ref().expect("checked programs have every range");
        let (lo, hi) = (self.term(env, lo), self.term(env, hi));
        let name: Option<Name> = (info.name.as_str() != "_").then(|| info.name.clone());
        let new = frame.space.push(name, lo, hi);
        self.envs[env].iters.insert(i, Affine::iter(new));
        new
    }

    /// Repeats a path in a new arena: affine parts become guards, the rest conditions.
    pub fn lower_path(&mut self, frame: &mut Frame<'p>) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        let path = frame.path.clone();
        frame.path.clear();
        for p in path {
            match &p {
                Path::Affine(c) => restrict_to(frame, [c.clone()]),
                Path::Expr(e, env, holds) => {
                    self.lower_condition(e, *env, *holds, frame, &mut conditions);
                    continue;
                }
                Path::Cell(tensor, at) => {
                    let index = at.iter().cloned().map(IndexTerm::Affine).collect();
                    let read = weft_tensor::Expr::Read { tensor: *tensor, index, site: None };
                    conditions.push(frame.exprs.add(read, ScalarType::Bool));
                }
                // It says which elements are taken, and not whether what they share is.
                Path::Local => {}
            }
            frame.path.push(p);
        }
        conditions
    }

    /// A condition on an assignment's points: a guard of the space where it is affine,
    /// else an expression. From here on it is on the path.
    pub fn lower_condition(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        holds: bool,
        frame: &mut Frame<'p>,
        conditions: &mut Vec<ExprId>,
    ) {
        match self.affine_condition(e, env, holds) {
            Some(constraints) => restrict_to(frame, constraints),
            None => {
                let c = self.lower(e, env, frame, &[]);
                let c = if holds { c } else { frame.exprs.unary(weft_scalar::UnaryOp::Not, c) };
                conditions.push(c);
            }
        }
        frame.path.push(Path::Expr(e, env, holds));
    }

    /// A guard of a reduction. One that mentions no reduced index leaves out all points of
    /// a cell, which then holds the identity: it is a mask, never a restriction of the
    /// cells that exist.
    fn lower_reduction_guard(
        &mut self,
        g: &'p Expr,
        env: EnvId,
        own: &[Iter],
        frame: &mut Frame<'p>,
        conditions: &mut Vec<ExprId>,
    ) {
        let restricts = |c: &Constraint| c.term.iters().iter().any(|i| own.contains(i));
        match self.affine_condition(g, env, true) {
            Some(constraints) if constraints.iter().all(restricts) => {
                restrict_to(frame, constraints);
            }
            _ => {
                let c = self.lower(g, env, frame, &[]);
                conditions.push(c);
            }
        }
        frame.path.push(Path::Expr(g, env, true));
    }

    /// A condition as constraints on the indices around.
    pub fn affine_condition(&self, e: &Expr, env: EnvId, holds: bool) -> Option<Vec<Constraint>> {
        let cond = weft_sema::condition(e);
        let cond = if holds { cond } else { cond.negate() };
        let mut out = Vec::new();
        if !weft_sema::flatten(&cond, &mut out) {
            return None;
        }
        let map =
            |c: Constraint| Constraint { term: self.term(env, &c.term), relation: c.relation };
        Some(out.into_iter().map(map).collect())
    }
}

/// Cells of lifted tensors over other iterators, as a write.
pub(crate) fn written_at(cells: &[Affine], replace: &impl Fn(Iter) -> Affine) -> Vec<IndexTerm> {
    let term = |c: &Affine| c.compose(replace).expect("renaming does not overflow");
    cells.iter().map(|c| IndexTerm::Affine(term(c))).collect()
}

/// Adds guards that are not there yet.
pub(crate) fn restrict_to(frame: &mut Frame<'_>, guards: impl IntoIterator<Item = Constraint>) {
    for g in guards {
        if !frame.space.guards.contains(&g) {
            frame.space.guards.push(g);
        }
    }
}

/// All of some conditions, each evaluated only where those before hold.
pub(crate) fn conjunction(frame: &mut Frame<'_>, conditions: &[ExprId]) -> Option<ExprId> {
    let (last, before) = conditions.split_last()?;
    Some(before.iter().rev().fold(*last, |rest, c| {
        let no = frame.exprs.constant(Scalar::Bool(false));
        frame.exprs.if_else(*c, rest, no)
    }))
}
