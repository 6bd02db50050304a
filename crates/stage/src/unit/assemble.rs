//! Assignments out of frames: their surroundings are cut down to what they need.

use super::lifts::Lifted;
use super::tensors::Tensors;
use crate::frame::Frame;
use crate::frame::remap::{needed, rebuild, restrict, written_at};
use std::collections::BTreeSet;
use weft_base::Span;
use weft_domain::Iter;
use weft_scalar::ScalarType;
use weft_tensor::{Accumulator, Assignment, ExprId, Exprs, IndexTerm, TensorId};

/// Terms in their loops, before they become a tensor over the indices around that they need.
pub(crate) struct Terms<'p> {
    pub frame: Frame<'p>,
    /// The indices around.
    pub around: Vec<Iter>,
    /// The axes of the terms.
    pub axes: Vec<Iter>,
    pub mask: Option<ExprId>,
    pub value: ExprId,
}

impl Terms<'_> {
    /// The tensor in which the terms come together.
    pub fn combined(self, accumulator: Accumulator, span: Span, tensors: &mut Tensors) -> Lifted {
        let Terms { frame, around, axes, mask, value } = self;
        let own: Vec<Iter> =
            frame.space.ranges.iter().map(|r| r.iter).filter(|i| !around.contains(i)).collect();
        let roots: Vec<ExprId> = mask.into_iter().chain([value]).collect();
        let kept = needed(&frame, &roots, &own);
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let (space, replace) = restrict(&frame.space, &kept);
        let (exprs, roots) = rebuild(&frame.exprs, &roots, &replace);
        let written: Vec<Iter> = outer.iter().chain(&axes).copied().collect();
        let (tensor_axes, mut cells) = tensors.axes_over(&frame.space, &written);
        let body = *roots.last().expect("the value is a root");
        let elem = match accumulator {
            Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => ScalarType::I64,
            _ => exprs.ty(body),
        };
        let target = tensors.tensor(None, elem, tensor_axes);
        tensors.set_span(target, span);
        let write = written_at(&cells, &replace);
        let mask = mask.map(|_| roots[0]);
        tensors.define_covered(Assignment { target, space, write, accumulator, mask, body, exprs });
        cells.truncate(outer.len());
        Lifted { tensor: target, outer: cells }
    }
}

/// A value under the conditions of the path, before it is known which indices it keeps.
pub(crate) struct Draft<'p> {
    pub frame: Frame<'p>,
    /// Its own axes, behind the indices around.
    pub axes: Vec<Iter>,
    pub value: ExprId,
}

impl Draft<'_> {
    /// The indices that it needs.
    pub fn needs(&self) -> BTreeSet<Iter> {
        needed(&self.frame, &[self.value], &self.axes)
    }

    /// A tensor over the indices `outer` and its own axes; zero where the path is not taken.
    pub fn over(self, outer: &[Iter], span: Span, tensors: &mut Tensors) -> TensorId {
        let written: Vec<Iter> = outer.iter().chain(&self.axes).copied().collect();
        let (space, replace) = restrict(&self.frame.space, &written.iter().copied().collect());
        let (exprs, roots) = rebuild(&self.frame.exprs, &[self.value], &replace);
        let (body, mask) = (roots[0], None);
        let (axes, cells) = tensors.axes_over(&self.frame.space, &written);
        let target = tensors.tensor(None, exprs.ty(body), axes);
        let write = written_at(&cells, &replace);
        let accumulator = Accumulator::Set;
        tensors.assign(Assignment { target, space, write, accumulator, mask, body, exprs });
        tensors.set_span(target, span);
        tensors.set_covered(target, false);
        target
    }
}

/// A piece of a definition, whose tensor was declared over all indices around.
pub(crate) struct Piece<'p> {
    pub frame: Frame<'p>,
    pub write: Vec<IndexTerm>,
    pub body: ExprId,
}

impl Piece<'_> {
    /// Whether it reads one of some tensors.
    pub fn reads_any(&self, ids: &[TensorId]) -> bool {
        super::tensors::reads(&self.frame.exprs).any(|t| ids.contains(&t))
    }

    /// The indices around that it needs.
    pub fn kept_of(&self, around: &[Iter]) -> BTreeSet<Iter> {
        let ranges = self.frame.space.ranges.iter().map(|r| r.iter);
        let own: Vec<Iter> = ranges.filter(|i| !around.contains(i)).collect();
        let mut kept = needed(&self.frame, &[self.body], &own);
        kept.retain(|i| around.contains(i));
        kept
    }

    /// The assignment to its tensor, over those indices around that are kept.
    pub fn assigned(self, target: TensorId, around: &[Iter], kept: &BTreeSet<Iter>) -> Assignment {
        let Piece { frame, write, body } = self;
        let stays = |i: &Iter| !around.contains(i) || kept.contains(i);
        let all: BTreeSet<Iter> = frame.space.ranges.iter().map(|r| r.iter).filter(stays).collect();
        let (space, replace) = restrict(&frame.space, &all);
        let (exprs, roots) = rebuild(&frame.exprs, &[body], &replace);
        let renamed = |t: IndexTerm| match t {
            IndexTerm::Affine(a) => {
                IndexTerm::Affine(a.compose(&replace).expect("renaming does not overflow"))
            }
            other => other,
        };
        let is_kept = |n: usize| around.get(n).is_none_or(|i| kept.contains(i));
        let write = write.into_iter().enumerate().filter(|(n, _)| is_kept(*n));
        let write = write.map(|(_, t)| renamed(t)).collect();
        let (accumulator, mask) = (Accumulator::Set, None);
        Assignment { target, space, write, accumulator, mask, body: roots[0], exprs }
    }
}

/// A value with a rule of its own: the tensor that holds it, and what stands in for its piece
/// where that is differentiated.
pub(crate) struct Ruled<'p> {
    pub frame: Frame<'p>,
    /// The indices around.
    pub around: Vec<Iter>,
    pub axes: Vec<Iter>,
    pub value: ExprId,
    pub differential: ExprId,
}

impl Ruled<'_> {
    /// The tensor, and the assignment that stands in.
    pub fn defined(
        self,
        elem: ScalarType,
        span: Span,
        tensors: &mut Tensors,
    ) -> (Lifted, Assignment) {
        let Ruled { frame, around, axes, value, differential } = self;
        let kept = needed(&frame, &[value, differential], &axes);
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let (space, replace) = restrict(&frame.space, &kept);
        let written: Vec<Iter> = outer.iter().chain(&axes).copied().collect();
        let (tensor_axes, mut cells) = tensors.axes_over(&frame.space, &written);
        let target = tensors.tensor(None, elem, tensor_axes);
        tensors.set_span(target, span);
        let write = written_at(&cells, &replace);
        let assignment = |root: ExprId| {
            let (exprs, roots): (Exprs, Vec<ExprId>) = rebuild(&frame.exprs, &[root], &replace);
            let (space, write) = (space.clone(), write.clone());
            let (accumulator, mask, body) = (Accumulator::Set, None, roots[0]);
            Assignment { target, space, write, accumulator, mask, body, exprs }
        };
        let (value, stands_in) = (assignment(value), assignment(differential));
        tensors.define_covered(value);
        cells.truncate(outer.len());
        (Lifted { tensor: target, outer: cells }, stands_in)
    }
}
