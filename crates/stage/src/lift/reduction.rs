//! Reductions: each is a tensor over the indices around that it depends on.

use super::{Lifting, Opened};
use crate::cell::Cell;
use crate::frame::Frame;
use crate::known::types::elem_of;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId};
use crate::unit::assemble::Terms;
use crate::unit::lifts::Lifted;
use crate::work::Work;
use weft_domain::{Constraint, Iter};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, Ty};
use weft_shape::Verdict;
use weft_tensor::{Accumulator, Expr as Node, ExprId, IndexTerm};

/// A reduction whose loops are open: where its terms are lowered.
struct Points<'p> {
    env: EnvId,
    opened: Opened<'p>,
    /// The axes of the terms, and the index in them.
    axes: Vec<Iter>,
    idx: Vec<IndexTerm>,
}

impl<'p> Lifting<'_, 'p> {
    /// The tensor of a reduction.
    pub fn reduction(mut self, e: &'p Expr) -> Lifted {
        self.once(self.key(e, None), |this| this.reduce(e))
    }

    /// Whether a reduction has a point: another one, over the same points.
    pub fn has_points(mut self, e: &'p Expr) -> Lifted {
        self.once(self.key(e, Some(ScalarType::Bool)), |this| this.reduce_points(e))
    }

    /// A sum and the number of its points. Terms that are numbers share their loops and
    /// conditions with that: what stands in these is made once.
    pub fn with_count(mut self, e: &'p Expr) -> [Lifted; 2] {
        let of_sum = self.key(e, None);
        let of_count = self.key(e, Some(elem_of(&e.ty)));
        let known = [&of_sum, &of_count].map(|key| self.work.unit.lifts.lifted(key));
        let [sum, count] = match (known, e.ty.rank()) {
            ([Some(sum), Some(count)], _) => return [sum, count],
            (_, Some(0)) => self.reduce_with_count(e),
            _ => {
                let sum = self.once(of_sum.clone(), |this| this.reduce(e));
                [sum, self.count_points(e)]
            }
        };
        self.work.unit.lifts.lift(of_sum, &sum);
        self.work.unit.lifts.lift(of_count, &count);
        [sum, count]
    }

    fn reduce_with_count(&mut self, e: &'p Expr) -> [Lifted; 2] {
        let ExprKind::Reduce { body, .. } = &e.kind else {
            unreachable!("only reductions are lifted here");
        };
        let Points { env, opened, axes, idx } = self.open_reduction(e, Some(&body.ty));
        let Opened { mut frame, around, conditions } = opened;
        let points = (frame.clone(), around.clone(), conditions.clone());
        let value = Cell::new(self.work, env, &mut frame).lower(body, &idx);
        let mask = frame.conjunction(&conditions);
        let terms = Terms { frame, around, axes, mask, value };
        let sum = terms.combined(Accumulator::Sum, e.span, &mut self.work.unit.tensors);
        [sum, self.counted(points, e)]
    }

    fn count_points(&mut self, e: &'p Expr) -> Lifted {
        let Points { opened, .. } = self.open_reduction(e, None);
        self.counted((opened.frame, opened.around, opened.conditions), e)
    }

    /// The number of points of loops, the indices around them and their conditions; in the type of
    /// a sum over them.
    fn counted(
        &mut self,
        (mut frame, around, conditions): (Frame<'p>, Vec<Iter>, Vec<ExprId>),
        e: &'p Expr,
    ) -> Lifted {
        let value = frame.exprs.constant(Scalar::one(elem_of(&e.ty)));
        let mask = frame.conjunction(&conditions);
        let terms = Terms { frame, around, axes: Vec::new(), mask, value };
        terms.combined(Accumulator::Sum, e.span, &mut self.work.unit.tensors)
    }

    fn reduce(&mut self, e: &'p Expr) -> Lifted {
        let ExprKind::Reduce { accumulator, body, .. } = &e.kind else {
            unreachable!("only reductions are lifted here");
        };
        let Points { env, opened, axes, idx } = self.open_reduction(e, Some(&body.ty));
        let Opened { mut frame, around, conditions } = opened;
        let value = Cell::new(self.work, env, &mut frame).lower(body, &idx);
        let elem = frame.exprs.ty(value);
        let mask = frame.conjunction(&conditions);
        let terms = Terms { frame, around, axes, mask, value };
        let (told, tensors) = (self.work.told(self.env, e.span), &mut self.work.unit.tensors);
        let accumulator = tensors.accumulator_at(*accumulator, elem, told);
        terms.combined(accumulator, e.span, tensors)
    }

    fn reduce_points(&mut self, e: &'p Expr) -> Lifted {
        let Points { opened, axes, .. } = self.open_reduction(e, None);
        let Opened { mut frame, around, conditions } = opened;
        let value = frame.exprs.constant(Scalar::Bool(true));
        let mask = frame.conjunction(&conditions);
        let terms = Terms { frame, around, axes, mask, value };
        terms.combined(Accumulator::Any, e.span, &mut self.work.unit.tensors)
    }

    /// The loops and conditions of a reduction, within those around; with axes for terms of a
    /// type.
    fn open_reduction(&mut self, e: &'p Expr, terms: Option<&Ty>) -> Points<'p> {
        let ExprKind::Reduce { iters, binds, guards, .. } = &e.kind else {
            unreachable!("only reductions are opened");
        };
        let mut opened = self.open();
        let scopes = &mut self.work.scopes;
        let env = scopes.child(self.env);
        let extents = terms.map_or(Vec::new(), |ty| scopes.shape(env, ty));
        let (axes, idx) = opened.frame.open_axes(extents);
        let own: Vec<Iter> =
            iters.iter().map(|i| opened.frame.open_range(*i, env, scopes)).collect();
        for (id, value) in binds {
            scopes.bind(env, *id, Bound::Thunk(value, env));
        }
        guards.iter().for_each(|g| opened.guard(g, env, &own, self.work));
        Points { env, opened, axes, idx }
    }
}

impl<'p> Opened<'p> {
    /// A guard of a reduction. One that mentions no reduced index leaves out all points of
    /// a cell, which then holds the identity: it is a mask, never a restriction of the
    /// cells that exist.
    fn guard(&mut self, g: &'p Expr, env: EnvId, own: &[Iter], work: &mut Work<'p>) {
        let restricts = |c: &Constraint| c.term.iters().iter().any(|i| own.contains(i));
        match work.scopes.affine_condition(g, env, true) {
            Some(constraints) if constraints.iter().all(restricts) => {
                self.frame.restrict_to(constraints);
            }
            _ => {
                let c = Cell::new(work, env, &mut self.frame).lower(g, &[]);
                self.conditions.push(c);
            }
        }
        self.frame.path.push(Path::Expr(g, env, true));
    }
}

/// A reduction where its value is looked at.
pub(crate) struct Reduced<'a, 'p> {
    pub work: &'a mut Work<'p>,
    pub env: EnvId,
    pub frame: &'a mut Frame<'p>,
    /// The reduction.
    pub e: &'p Expr,
}

impl<'p> Reduced<'_, 'p> {
    /// Its value at an index of its terms' own axes.
    pub fn at(&mut self, idx: &[IndexTerm]) -> ExprId {
        let e = self.e;
        let lifted = self.lifting().reduction(e);
        let elem = self.work.elem(lifted.tensor);
        let (tensor, index) = (lifted.tensor, lifted.index(idx));
        let value = self.frame.exprs.add(Node::Read { tensor, index, site: None }, elem);
        self.require_a_point(value)
    }

    /// The value of a sum at an index, and how many points it has.
    pub fn with_count(&mut self, idx: &[IndexTerm]) -> (ExprId, ExprId) {
        let e = self.e;
        let [sum, count] = self.lifting().with_count(e);
        let mut read = |lifted: Lifted, idx: &[IndexTerm]| {
            let elem = self.work.elem(lifted.tensor);
            let (tensor, index) = (lifted.tensor, lifted.index(idx));
            self.frame.exprs.add(Node::Read { tensor, index, site: None }, elem)
        };
        (read(sum, idx), read(count, &[]))
    }

    fn lifting(&mut self) -> Lifting<'_, 'p> {
        let depends = self.work.scopes.depends(self.e, self.env);
        Lifting::out_of(self.work, self.env, self.frame, depends, self.e.span)
    }

    /// `argmax` and `argmin` of nothing are errors: the index is -1 where no point was.
    fn require_a_point(&mut self, value: ExprId) -> ExprId {
        let ExprKind::Reduce { accumulator, iters, guards, .. } = &self.e.kind else {
            return value;
        };
        if !matches!(accumulator, Accumulator::ArgMax(_) | Accumulator::ArgMin(_)) {
            return value;
        }
        if guards.is_empty() && iters.iter().all(|i| self.surely_has_a_point(*i)) {
            return value;
        }
        let condition = match iters.iter().all(|i| self.starts_at_zero_or_later(*i)) {
            true => {
                let zero = self.frame.exprs.constant(Scalar::I64(0));
                self.frame.exprs.binary(BinaryOp::Ge, value, zero)
            }
            // -1 is an index like others.
            false => self.has_points(),
        };
        let text = format!("the {} of nothing", accumulator.name());
        let site = self.work.site(self.env, self.e.span, text);
        self.frame.exprs.add(Node::Check { condition, value, site }, ScalarType::I64)
    }

    fn has_points(&mut self) -> ExprId {
        let e = self.e;
        let lifted = self.lifting().has_points(e);
        let read = Node::Read { tensor: lifted.tensor, index: lifted.index(&[]), site: None };
        self.frame.exprs.add(read, ScalarType::Bool)
    }

    fn starts_at_zero_or_later(&self, i: Iter) -> bool {
        let range = self.work.scopes.body(self.env).iters[i].range.as_ref();
        range.and_then(|(lo, _)| lo.as_size()).is_some_and(|lo| {
            let lo = self.work.scopes.size(self.env, lo);
            self.work.unit.tensors.facts().non_negative(&lo) == Verdict::Yes
        })
    }

    fn surely_has_a_point(&self, i: Iter) -> bool {
        let range = self.work.scopes.fixed_range(self.env, i);
        range.is_some_and(|(lo, hi)| self.work.unit.tensors.facts().lt(&lo, &hi) == Verdict::Yes)
    }
}
