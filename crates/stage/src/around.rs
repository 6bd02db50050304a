//! What surrounds a lifted definition: the indices that it depends on, and what is left of
//! the conditions on the path to it.
//!
//! A definition that ignores an index is one for all its values, and so is computed where
//! the path is taken for some of them. For affine conditions that is again a conjunction of
//! such; else it is a tensor of truth values over the indices that stay.

use crate::depend::Iters;
use crate::frame::{Frame, Path};
use crate::lift::{Lifted, conjunction};
use crate::stager::Stager;
use weft_base::Span;
use weft_domain::{Affine, Constraint, Iter, Relation, Space, project};
use weft_scalar::Scalar;
use weft_shape::Verdict;
use weft_tensor::{Accumulator, Definition, TensorId};

/// What the path to something says of the indices that it ignores.
enum Left {
    /// These conditions on the others.
    Affine(Vec<Constraint>),
    /// More than affine conditions on the others could.
    Data,
}

impl<'p> Stager<'p> {
    /// A frame within another, over those indices that what is lifted depends on.
    pub fn narrowed(&mut self, frame: &Frame<'p>, depends: Iters, span: Span) -> Frame<'p> {
        let mut kept = depends;
        let mut inner = loop {
            close(&frame.space, &mut kept);
            let gone: Vec<Iter> = frame.iters().into_iter().filter(|i| !kept.contains(i)).collect();
            if gone.is_empty() {
                break frame.nested();
            }
            match self.without(frame, &kept, &gone, span) {
                Ok(inner) => break inner,
                Err(mut needed) => kept.append(&mut needed),
            }
        };
        inner.path.retain(|p| !matches!(p, Path::Local));
        inner
    }

    /// The frame without some indices. Where that would make a recurrence depend on itself,
    /// those that must stay.
    fn without(
        &mut self,
        frame: &Frame<'p>,
        kept: &Iters,
        gone: &[Iter],
        span: Span,
    ) -> Result<Frame<'p>, Iters> {
        let mut path = Vec::new();
        let first: Vec<Path<'p>> = match self.left_of(frame, gone) {
            Left::Affine(constraints) => {
                let stays = frame.path.iter().filter(|p| !self.mentions(p, gone));
                path.extend(stays.cloned());
                constraints.into_iter().map(Path::Affine).collect()
            }
            Left::Data => {
                // What it says it says with all other conditions that are not affine.
                let affine = frame
                    .path
                    .iter()
                    .filter(|p| !self.mentions(p, gone) && self.constraints_of(p).is_some());
                path.extend(affine.cloned());
                let Lifted { tensor, outer } = self.taken(frame, kept, gone, span)?;
                vec![Path::Cell(tensor, outer)]
            }
        };
        path.splice(0..0, first);
        let mut space = frame.space.clone();
        space.factors.retain(|f| f.ranges.iter().all(|r| kept.contains(&r.iter)));
        space.guards.retain(|g| !is_over(&g.term, gone));
        Ok(Frame::new(space, path))
    }

    fn left_of(&self, frame: &Frame<'p>, gone: &[Iter]) -> Left {
        let mut ranges = Vec::new();
        for r in frame.space.ranges().filter(|r| gone.contains(&r.iter)) {
            let i = Affine::iter(r.iter);
            let below = r.hi.minus(&i).map(|t| t.plus_size(&(-1).into()));
            let (Some(above), Some(below)) = (i.minus(&r.lo), below) else { return Left::Data };
            let bound = |term| Constraint { term, relation: Relation::AtLeastZero };
            ranges.extend([bound(above), bound(below)]);
        }
        let mut all = ranges.clone();
        all.extend(frame.space.guards.iter().filter(|g| is_over(&g.term, gone)).cloned());
        for p in frame.path.iter().filter(|p| self.mentions(p, gone)) {
            match self.constraints_of(p) {
                Some(constraints) => all.extend(constraints),
                None => return Left::Data,
            }
        }
        let Some(left) = project(&all, gone) else { return Left::Data };
        // Whether a range is empty for all cells is not asked: where it is, nobody looks.
        let empty = project(&ranges, gone).unwrap_or_default();
        let says = |c: &Constraint| match c.term.as_size() {
            Some(s) => {
                let facts = &self.unit.out.graph.facts;
                let known =
                    c.relation == Relation::AtLeastZero && facts.non_negative(s) == Verdict::Yes;
                !known && !empty.contains(c)
            }
            None => true,
        };
        Left::Affine(left.into_iter().filter(says).collect())
    }

    /// Whether a condition depends on one of some indices.
    fn mentions(&self, p: &Path<'p>, gone: &[Iter]) -> bool {
        self.path_depends(p).iter().any(|i| gone.contains(i))
    }

    /// What a condition says, where that is affine.
    fn constraints_of(&self, p: &Path<'p>) -> Option<Vec<Constraint>> {
        match p {
            Path::Expr(e, env, holds) => self.affine_condition(e, *env, *holds),
            Path::Affine(c) => Some(vec![c.clone()]),
            Path::Cell(..) => None,
            Path::Local => Some(Vec::new()),
        }
    }

    /// Whether the path is taken for some values of the indices that go, over those that stay.
    fn taken(
        &mut self,
        frame: &Frame<'p>,
        kept: &Iters,
        gone: &[Iter],
        span: Span,
    ) -> Result<Lifted, Iters> {
        let key = (frame.signature(), kept.iter().copied().collect::<Vec<Iter>>());
        if let Some(known) = self.unit.taken.get(&key) {
            return Ok(known.clone());
        }
        let mut inner = frame.nested();
        // What stays is written, and written factors come first.
        inner.space.factors.sort_by_key(|f| f.ranges.iter().any(|r| gone.contains(&r.iter)));
        let conditions = self.lower_path(&mut inner);
        if crate::linear::reads(&inner.exprs).any(|t| self.is_under_way(t)) {
            let mut needed = Iters::new();
            for p in frame.path.iter().filter(|p| self.constraints_of(p).is_none()) {
                needed.extend(self.path_depends(p).into_iter().filter(|i| gone.contains(i)));
            }
            return Err(match needed.is_empty() {
                true => gone.iter().copied().collect(),
                false => needed,
            });
        }
        let yes = inner.exprs.constant(Scalar::Bool(true));
        let mask = conjunction(&mut inner, &conditions);
        let around = inner.iters().into_iter().filter(|i| kept.contains(i)).collect();
        let made =
            self.finish_reduction(span, Accumulator::Any, inner, around, Vec::new(), mask, yes);
        self.unit.taken.insert(key, made.clone());
        Ok(made)
    }

    fn path_depends(&self, p: &Path<'p>) -> Iters {
        match p {
            Path::Expr(e, env, _) => self.depends(e, *env),
            Path::Affine(c) => c.term.iters().into_iter().collect(),
            Path::Cell(_, at) => at.iter().flat_map(Affine::iters).collect(),
            Path::Local => Iters::new(),
        }
    }

    /// Whether a tensor depends on one whose clauses are still being lowered.
    fn is_under_way(&self, t: TensorId) -> bool {
        let graph = &self.unit.out.graph;
        let open = |t: &TensorId| {
            let definition = &graph.tensors[*t].definition;
            matches!(definition, Definition::Assigned { pieces, .. } if pieces.is_empty())
        };
        self.above(t).iter().any(open)
    }
}

fn is_over(term: &Affine, gone: &[Iter]) -> bool {
    term.iters().iter().any(|i| gone.contains(i))
}

/// Adds the iterators that ranges of kept ones mention.
fn close(space: &Space, kept: &mut Iters) {
    // Ranges mention earlier iterators only.
    let ranges: Vec<_> = space.ranges().collect();
    for r in ranges.into_iter().rev() {
        if kept.contains(&r.iter) {
            kept.extend(r.lo.iters());
            kept.extend(r.hi.iters());
        }
    }
}
