//! Lifting: what is a tensor over the indices around that it depends on, and not a part of the
//! cell that looks at it.
//!
//! A reduction, a definition inside of cell code, what the host computes for cells, and what
//! has an identity for derivatives are lifted. It is there once for all places that want it
//! under the same conditions.

pub(crate) mod clauses;
pub(crate) mod outline;
pub(crate) mod reduction;

use crate::cell::{Asked, Cell};
use crate::frame::Frame;
use crate::frame::around::Left;
use crate::known::types::elem_of;
use crate::scope::depend::Iters;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId};
use crate::unit::assemble::{Draft, Ruled, Terms};
use crate::unit::lifts::{LiftKey, Lifted};
use crate::work::Work;
use weft_base::Span;
use weft_domain::Iter;
use weft_scalar::{Scalar, ScalarType, UnaryOp};
use weft_sema::thir::Expr;
use weft_tensor::{Accumulator, Assignment, Expr as Node, ExprId, IndexTerm};

/// Something lifted, in the indices around that it depends on.
pub(crate) struct Lifting<'a, 'p> {
    work: &'a mut Work<'p>,
    /// What names stand for.
    env: EnvId,
    around: Frame<'p>,
}

/// The loops around, in an arena of its own.
struct Opened<'p> {
    frame: Frame<'p>,
    /// The indices around.
    around: Vec<Iter>,
    /// What must hold of a point, in order.
    conditions: Vec<ExprId>,
}

impl<'a, 'p> Lifting<'a, 'p> {
    /// What is lifted out of a frame.
    pub fn out_of(
        work: &'a mut Work<'p>,
        env: EnvId,
        frame: &mut Frame<'p>,
        depends: Iters,
        span: Span,
    ) -> Self {
        let around = narrowed(work, frame, depends, span);
        frame.lifts(&around);
        Lifting { work, env, around }
    }

    /// What stands at host level.
    pub fn at_host_level(work: &'a mut Work<'p>, env: EnvId) -> Self {
        Lifting { work, env, around: Frame::default() }
    }

    /// What has this key already, or what `make` lifts.
    fn once(&mut self, key: LiftKey, make: impl FnOnce(&mut Self) -> Lifted) -> Lifted {
        if let Some(known) = self.work.unit.lifts.lifted(&key) {
            return known;
        }
        let made = make(self);
        self.work.unit.lifts.lift(key, &made);
        made
    }

    /// What tells one lifted definition from another.
    fn key(&self, e: &Expr, over: Option<ScalarType>) -> LiftKey {
        (e, self.env, over, self.around.signature())
    }

    /// The loops around, and the conditions on the path.
    fn open(&mut self) -> Opened<'p> {
        let mut frame = self.around.nested();
        let around = frame.iters();
        let conditions = repeat_path(self.work, &mut frame);
        Opened { frame, around, conditions }
    }

    /// A value of cell code as a tensor.
    pub fn value(mut self, e: &'p Expr) -> Lifted {
        weft_base::interrupt::poll();
        let Opened { mut frame, around, conditions } = self.open();
        let (axes, idx) = frame.open_axes(self.work.scopes.shape(self.env, &e.ty));
        let value = Cell::new(self.work, self.env, &mut frame).lower(e, &idx);
        let value = frame.where_reached(&conditions, value);
        let terms = Terms { frame, around, axes, mask: None, value };
        terms.combined(Accumulator::Set, e.span, &mut self.work.unit.tensors)
    }

    /// The tensor of a value with a rule of its own, and what stands in for its piece where
    /// that is differentiated.
    pub fn ruled(
        mut self,
        value: &'p Expr,
        differential: &'p Expr,
        e: &'p Expr,
    ) -> (Lifted, Assignment) {
        let Opened { mut frame, around, conditions } = self.open();
        let (axes, own) = frame.open_axes(self.work.scopes.shape(self.env, &e.ty));
        let value = Cell::new(self.work, self.env, &mut frame).lower(value, &own);
        let value = frame.where_reached(&conditions, value);
        let differential = Cell::new(self.work, self.env, &mut frame).lower(differential, &own);
        let differential = frame.where_reached(&conditions, differential);
        let ruled = Ruled { frame, around, axes, value, differential };
        ruled.defined(elem_of(&e.ty), e.span, &mut self.work.unit.tensors)
    }
}

/// What a name stands for, under the path of a frame and over it.
fn draft<'p>(
    work: &mut Work<'p>,
    bound: &Bound<'p>,
    asked: Asked<'_>,
    around: &Frame<'p>,
) -> Draft<'p> {
    let mut frame = around.nested();
    let conditions = repeat_path(work, &mut frame);
    let (axes, idx) = frame.open_axes(work.scopes.shape(asked.1, asked.0));
    let value = Cell::new(work, asked.1, &mut frame).bound(bound, asked, &idx);
    let value = frame.where_reached(&conditions, value);
    Draft { frame, axes, value }
}

/// Repeats a path in a new arena: affine parts become guards, the rest conditions.
fn repeat_path<'p>(work: &mut Work<'p>, frame: &mut Frame<'p>) -> Vec<ExprId> {
    let mut conditions = Vec::new();
    for p in std::mem::take(&mut frame.path) {
        match &p {
            Path::Affine(c) => frame.restrict_to([c.clone()]),
            // A guard of the space where it is affine, else an expression.
            Path::Expr(e, env, holds) => match work.scopes.affine_condition(e, *env, *holds) {
                Some(constraints) => frame.restrict_to(constraints),
                None => {
                    let c = Cell::new(work, *env, frame).lower(e, &[]);
                    let c = if *holds { c } else { frame.exprs.unary(UnaryOp::Not, c) };
                    conditions.push(c);
                }
            },
            Path::Cell(tensor, at) => {
                let index = at.iter().cloned().map(IndexTerm::Affine).collect();
                let read = Node::Read { tensor: *tensor, index, site: None };
                conditions.push(frame.exprs.add(read, ScalarType::Bool));
            }
            // It says which elements are taken, and not whether what they share is.
            Path::Local => {}
        }
        frame.path.push(p);
    }
    conditions
}

/// A frame within another, over those indices that what is lifted depends on.
pub(crate) fn narrowed<'p>(
    work: &mut Work<'p>,
    frame: &Frame<'p>,
    depends: Iters,
    span: Span,
) -> Frame<'p> {
    let mut kept = depends;
    let mut inner = loop {
        frame.close(&mut kept);
        let gone: Vec<Iter> = frame.iters().into_iter().filter(|i| !kept.contains(i)).collect();
        if gone.is_empty() {
            break frame.nested();
        }
        match without(work, frame, &kept, &gone, span) {
            Ok(inner) => break inner,
            Err(mut needed) => kept.append(&mut needed),
        }
    };
    inner.path.retain(|p| !matches!(p, Path::Local));
    inner
}

/// The frame without some indices. Where that would make a recurrence depend on itself,
/// those that must stay.
fn without<'p>(
    work: &mut Work<'p>,
    frame: &Frame<'p>,
    kept: &Iters,
    gone: &[Iter],
    span: Span,
) -> Result<Frame<'p>, Iters> {
    let left = frame.left_without(gone, &work.scopes, work.unit.tensors.facts());
    let data = matches!(left, Left::Data);
    let rest = frame.path_without(gone, data, &work.scopes);
    let mut path: Vec<Path<'p>> = match left {
        Left::Affine(constraints) => constraints.into_iter().map(Path::Affine).collect(),
        Left::Data => {
            let Lifted { tensor, outer } = taken(work, frame, kept, gone, span)?;
            vec![Path::Cell(tensor, outer)]
        }
    };
    path.extend(rest);
    Ok(Frame::new(frame.space_of(kept, gone), path))
}

/// Whether the path is taken for some values of the indices that go, over those that stay.
fn taken<'p>(
    work: &mut Work<'p>,
    frame: &Frame<'p>,
    kept: &Iters,
    gone: &[Iter],
    span: Span,
) -> Result<Lifted, Iters> {
    let key = (frame.signature(), kept.iter().copied().collect::<Vec<Iter>>());
    if let Some(known) = work.unit.lifts.taken(&key) {
        return Ok(known);
    }
    let mut inner = frame.nested();
    // What stays is written, and written ranges come first.
    inner.space.ranges.sort_by_key(|r| gone.contains(&r.iter));
    let conditions = repeat_path(work, &mut inner);
    if work.unit.reads_unfinished(&inner.exprs) {
        let needed = frame.needed_by_data(gone, &work.scopes);
        let all = || gone.iter().copied().collect();
        return Err(if needed.is_empty() { all() } else { needed });
    }
    let value = inner.exprs.constant(Scalar::Bool(true));
    let mask = inner.conjunction(&conditions);
    let around = inner.iters().into_iter().filter(|i| kept.contains(i)).collect();
    let terms = Terms { frame: inner, around, axes: Vec::new(), mask, value };
    let made = terms.combined(Accumulator::Any, span, &mut work.unit.tensors);
    work.unit.lifts.take(key, &made);
    Ok(made)
}
