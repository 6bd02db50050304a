//! Frames: an assignment under construction.

pub(crate) mod around;
pub(crate) mod remap;

use crate::scope::path::Path;
use crate::scope::{EnvId, Scopes};
use rustc_hash::FxHashMap;
use weft_domain::{Affine, Constraint, End, Iter, Range, Relation, Space};
use weft_scalar::Scalar;
use weft_sema::thir::{Expr, LocalId};
use weft_shape::{Facts, Size, Verdict};
use weft_tensor::{ExprId, Exprs, IndexTerm};

/// An assignment under construction: the space so far, and the arena of its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame<'p> {
    pub space: Space,
    pub exprs: Exprs,
    pub path: Vec<Path<'p>>,
    /// Values of locals already lowered in this arena.
    pub memo: FxHashMap<LocalKey, Lowered>,
    /// How often a local was lowered under a path that has ended, and the shortest path
    /// since.
    again: FxHashMap<LocalKey, (u32, usize)>,
    /// The longest path under which something was lifted; see [`Frame::lifts`].
    lifted_at: usize,
    /// The greatest depth in `memo`.
    deepest: usize,
}

/// A local, or a member of a tuple that has no name, at an index.
pub(crate) type LocalKey = (EnvId, Place, Vec<IndexTerm>);

/// Where a value stands that is lowered once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A name of the environment.
    Local(LocalId),
    /// An expression in it.
    Member(*const Expr),
}

/// The value of a local in an arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowered {
    pub value: ExprId,
    /// The length of the path that what it reads was lifted under: elsewhere it is another
    /// value, for what is lifted is there under the conditions of its path alone.
    pub depth: usize,
}

/// Paths under which one local is lowered each by itself.
const MOST_PATHS: u32 = 8;

impl<'p> Frame<'p> {
    /// A frame for something lifted out of this one: the same space and path, a new arena.
    pub fn nested(&self) -> Frame<'p> {
        Frame::new(self.space.clone(), self.path.clone())
    }

    /// A frame over a space, under a path.
    pub fn new(space: Space, path: Vec<Path<'p>>) -> Frame<'p> {
        Frame { space, path, ..Frame::default() }
    }

    /// Whether what is lowered here is evaluated under a condition of the program.
    pub fn is_conditional(&self) -> bool {
        self.path.iter().any(|p| matches!(p, Path::Expr(..) | Path::Cell(..)))
    }

    /// What tells one space and path from another of the same indices.
    pub fn signature(&self) -> String {
        let path: Vec<String> = self.path.iter().map(Path::signature).collect();
        let ranges: Vec<&Range> = self.space.ranges.iter().collect();
        format!("{ranges:?} {:?} {path:?}", self.space.guards)
    }

    /// Notes that something is lifted, under what is left of the path where that is `around`.
    pub fn lifts(&mut self, around: &Frame<'p>) {
        if !around.path.is_empty() {
            self.lifted_at = self.lifted_at.max(self.path.len());
        }
    }

    /// Whether anything was lifted under the path.
    pub fn has_lifted(&self) -> bool {
        self.lifted_at > 0
    }

    /// Shortens the path, and forgets what holds under the longer one alone.
    pub fn leave(&mut self, depth: usize) {
        self.path.truncate(depth);
        if self.deepest <= depth {
            return;
        }
        self.deepest = depth;
        // In no order: each is forgotten by itself.
        let ended: Vec<LocalKey> =
            self.memo.iter().filter(|(_, v)| v.depth > depth).map(|(k, _)| k.clone()).collect();
        for key in ended {
            self.memo.remove(&key);
            let (count, shortest) = self.again.entry(key).or_insert((0, usize::MAX));
            (*count, *shortest) = (*count + 1, depth.min(*shortest));
        }
    }

    /// The value of a local: that which is known here, or what `lower` gives.
    pub fn once(&mut self, key: LocalKey, lower: impl FnOnce(&mut Frame<'p>) -> ExprId) -> ExprId {
        if let Some(known) = self.memo.get(&key) {
            self.lifted_at = self.lifted_at.max(known.depth);
            return known.value;
        }
        // Wanted under ever more paths, it is lowered under what they have in common: else
        // a chain of branches would double with each.
        let common = match self.again.get(&key) {
            Some((count, shortest)) if *count >= MOST_PATHS => (*shortest).min(self.path.len()),
            _ => self.path.len(),
        };
        let rest = self.path.split_off(common);
        let before = std::mem::take(&mut self.lifted_at);
        let value = lower(self);
        let depth = self.lifted_at;
        self.path.extend(rest);
        self.memo.insert(key, Lowered { value, depth });
        self.deepest = self.deepest.max(depth);
        self.lifted_at = before.max(depth);
        value
    }

    /// Adds guards that are not there yet.
    pub fn restrict_to(&mut self, guards: impl IntoIterator<Item = Constraint>) {
        for g in guards {
            if !self.space.guards.contains(&g) {
                self.space.guards.push(g);
            }
        }
    }

    /// All of some conditions, each evaluated only where those before hold.
    pub fn conjunction(&mut self, conditions: &[ExprId]) -> Option<ExprId> {
        let (last, before) = conditions.split_last()?;
        Some(before.iter().rev().fold(*last, |rest, c| {
            let no = self.exprs.constant(Scalar::Bool(false));
            self.exprs.if_else(*c, rest, no)
        }))
    }

    /// A value where some conditions hold; elsewhere it is zero, and nothing depends on it.
    pub fn where_reached(&mut self, conditions: &[ExprId], value: ExprId) -> ExprId {
        let Some(reached) = self.conjunction(conditions) else { return value };
        let zero = self.exprs.constant(Scalar::zero(self.exprs.ty(value)));
        self.exprs.if_else(reached, value, zero)
    }

    /// Loops over extents, and an index for each.
    pub fn open_axes(&mut self, extents: Vec<Size>) -> (Vec<Iter>, Vec<IndexTerm>) {
        let push = |s| self.space.push(None, Affine::fixed(0), Affine::fixed(s));
        let axes: Vec<Iter> = extents.into_iter().map(push).collect();
        let idx = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        (axes, idx)
    }

    /// Opens the loop of an index of the body, for the names of an environment.
    pub fn open_range(&mut self, i: Iter, env: EnvId, scopes: &mut Scopes<'p>) -> Iter {
        let info = &scopes.body(env).iters[i];
        let (lo, hi) = info.range.as_ref().expect("checked programs have every range");
        let (lo, hi) = (scopes.term(env, lo), scopes.term(env, hi));
        let name = (info.name.as_str() != "_").then(|| info.name.clone());
        let new = self.space.push(name, lo, hi);
        scopes.bind_index(env, i, Affine::iter(new));
        new
    }

    /// The iterators so far, outermost first.
    pub fn iters(&self) -> Vec<Iter> {
        self.space.ranges.iter().map(|r| r.iter).collect()
    }
}

/// An axis over the values of an iterator.
pub(crate) struct IterAxis {
    /// How many cells it has.
    pub extent: Size,
    /// The cell of a value.
    pub cell: Affine,
}

/// Axes that begin so few cells too early begin at zero all the same: a recurrence whose
/// steps run from 1 on and what is lifted out of it then have one length.
const MOST_UNUSED: i64 = 16;

/// The axis over an iterator's values. It begins at the least of them, so that values below
/// zero have cells, and great ones take no more memory than they need.
pub(crate) fn axis_over(space: &Space, i: Iter, facts: &Facts) -> Option<IterAxis> {
    let value = Affine::iter(i);
    let (least, end) =
        (space.bound(&value, End::Lower)?, space.bound(&value, End::Upper)?.plus_const(1));
    // Of a definition's slot, that there are no cells below zero.
    let from = |g: &Constraint| {
        let ahead = g.term.minus(&value)?.as_size()?.clone();
        (g.relation == Relation::AtLeastZero).then(|| ahead.scaled(-1))
    };
    let least = space.guards.iter().filter_map(from).fold(least, |a, b| facts.larger(&a, &b));
    let at_zero = least.as_constant().is_some_and(|n| (0..=MOST_UNUSED).contains(&n));
    let least = if at_zero { 0.into() } else { least };
    let count = end.minus(&least);
    let extent = match facts.non_negative(&count) {
        Verdict::Yes => count,
        _ => count.larger(&0.into()),
    };
    Some(IterAxis { extent, cell: value.plus_size(&least.scaled(-1)) })
}
