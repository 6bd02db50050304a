//! Frames: an assignment under construction.

use crate::env::EnvId;
use rustc_hash::FxHashMap;
use weft_domain::{Affine, Constraint, Iter, Space};
use weft_sema::hir::{Expr, LocalId};
use weft_shape::{Facts, Size, Verdict};
use weft_tensor::{ExprId, Exprs, IndexTerm};

/// A condition on the path to what is being lowered. Lifted definitions repeat it.
#[derive(Clone, Debug)]
pub(crate) enum Path<'p> {
    /// A scalar condition of the program, and whether it holds.
    Expr(&'p Expr, EnvId, bool),
    /// An affine condition.
    Affine(Constraint),
    /// A condition that cannot be repeated elsewhere.
    Local,
}

/// An assignment under construction: the space so far, and the arena of its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame<'p> {
    pub space: Space,
    pub exprs: Exprs,
    pub path: Vec<Path<'p>>,
    /// Values of locals already lowered in this arena.
    pub memo: FxHashMap<(EnvId, LocalId, Vec<IndexTerm>), ExprId>,
}

impl<'p> Frame<'p> {
    /// A frame for something lifted out of this one: the same space and path, a new arena.
    pub fn nested(&self) -> Frame<'p> {
        Frame { space: self.space.clone(), path: self.path.clone(), ..Frame::default() }
    }

    /// The iterators so far, outermost first, each as a term.
    pub fn iters(&self) -> Vec<Affine> {
        self.space.ranges().map(|r| Affine::iter(r.iter)).collect()
    }
}

/// The extent of an axis that an iterator writes at itself: its largest value plus one.
pub(crate) fn extent(space: &Space, i: Iter, facts: &Facts) -> Option<Size> {
    let end = space.bound(&Affine::iter(i), true)?.plus_const(1);
    Some(match facts.non_negative(&end) {
        Verdict::Yes => end,
        _ => end.larger(&0.into()),
    })
}
