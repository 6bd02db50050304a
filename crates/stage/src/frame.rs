//! Frames: an assignment under construction.

use crate::env::EnvId;
use rustc_hash::FxHashMap;
use weft_domain::{Affine, Constraint, Dim, Iter, Range, Space};
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

/// The least or largest value of a term over a space; ranges may depend on earlier ones.
pub(crate) fn bound(space: &Space, a: &Affine, upper: bool) -> Option<Size> {
    let mut a = a.clone();
    // Later iterators depend on earlier ones only: the last is taken away first.
    while let Some((dim, c)) = a.terms().last().cloned() {
        let rest = a.minus(&Affine::dim(dim.clone()).scaled(c)?)?;
        let end = dim_bound(space, &dim, (c > 0) == upper)?;
        a = rest.plus(&end.scaled(c)?)?;
    }
    a.as_size().cloned()
}

fn dim_bound(space: &Space, dim: &Dim, upper: bool) -> Option<Affine> {
    match dim {
        Dim::Iter(i) => {
            let r: &Range = space.range(*i)?;
            Some(if upper { r.hi.plus_size(&(-1).into()) } else { r.lo.clone() })
        }
        Dim::Div(x, s) => Some(Affine::fixed(bound(space, x, upper)?.floor_div(s)?)),
        Dim::Mod(_, s) => Some(Affine::fixed(if upper { s.plus_const(-1) } else { 0.into() })),
    }
}

/// The extent of an axis that an iterator writes at itself: its largest value plus one.
pub(crate) fn extent(space: &Space, i: Iter, facts: &Facts) -> Option<Size> {
    let end = bound(space, &Affine::iter(i), true)?.plus_const(1);
    Some(match facts.non_negative(&end) {
        Verdict::Yes => end,
        _ => end.larger(&0.into()),
    })
}
