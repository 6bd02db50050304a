//! What the steps of a loop compute: a few cells of each step, axes of few cells being
//! written out.
//!
//! ```text
//! y[t, i] = sum[j](a[i, j] * y[t - 1, j]) + x[t, i], i and j in 0..2
//!     =>  y[t, 0] = a[0, 0] * y[t - 1, 0] + a[0, 1] * y[t - 1, 1] + x[t, 0]
//!         y[t, 1] = a[1, 0] * y[t - 1, 0] + a[1, 1] * y[t - 1, 1] + x[t, 1]
//! ```

use crate::analysis::View;
use crate::nodes::Nodes;
use crate::recognise::points;
use std::collections::BTreeSet;
use weft_domain::{Affine, Iter, Range};
use weft_shape::Size;
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, IndexTerm, TensorId};

/// The values of iterators that are written out.
pub(crate) type Point = Vec<(Iter, i64)>;

/// Cells of one step, and terms of a sum, that are written out.
pub(crate) const MOST_POINTS: usize = 16;

/// In cells' indices: the loop's variable. After it come the loops around the steps.
const STEP: u32 = 0;

/// Which axes beside time are written out, if their extents are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    None,
    /// Those behind time, which lie in each step.
    Behind,
    All,
}

/// A nest of the loop.
pub(crate) struct Part<'p> {
    pub view: View<'p>,
    pub a: &'p Assignment,
    pub nodes: &'p Nodes,
    pub time: Iter,
    /// By how much the iterator is ahead of the loop's variable.
    pub ahead: i64,
    /// Whether it adds to what its cells hold.
    continues: bool,
    /// Loops that run around the steps.
    pub around: Vec<Range>,
    /// Where its cells are, and the terms of each, one after the other.
    written: Vec<Point>,
    summed: Vec<Point>,
    /// Of each node whether it reads what the loop writes, or has sums in it.
    looks: Vec<bool>,
    sums: Vec<bool>,
}

/// Where a cell lies: one term per axis over the loop's variable and the loops around.
pub(crate) struct Place {
    pub tensor: TensorId,
    index: Vec<Affine>,
}

/// A cell that each step writes.
pub(crate) struct Cell {
    pub part: usize,
    /// Which of the points.
    pub point: usize,
    pub place: Place,
    pub keep: Keep,
}

/// Which steps of a cell are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Whole,
    /// The last few.
    Window(i64),
    /// None: it is of use in its own step.
    Step,
}

/// What a nest is to the steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Others of the loop read what it writes.
    Cells,
    /// None does.
    CarriedReduction,
}

impl<'p> Part<'p> {
    /// A nest inside a loop over `var`.
    pub fn of(
        view: View<'p>,
        var: Iter,
        targets: &BTreeSet<TensorId>,
        (spread, role): (Spread, Role),
    ) -> Option<Part<'p>> {
        let View { nest, assignment: a, nodes, .. } = view;
        let [(time, bound)] = nest.bound.as_slice() else { return None };
        let ahead = bound.minus(&Affine::iter(var))?.as_constant()?;
        let conditions = nest.when.len() + nest.tested.len() + a.space.guards.len();
        let sum = a.accumulator == Accumulator::Sum && !nest.continues && a.mask.is_none();
        let plain = a.accumulator == Accumulator::Set || sum || role == Role::CarriedReduction;
        (conditions == 0 && plain).then_some(())?;
        let of_cells = a.written();
        let spreads = |i: Iter| match spread {
            Spread::None => false,
            Spread::Behind => axis_of(a, i) > axis_of(a, *time),
            Spread::All => true,
        };
        let (mut around, mut written, mut summed) = (Vec::new(), Vec::new(), Vec::new());
        for range in &a.space.ranges {
            let fixed = range.lo.as_constant().is_some() && range.hi.as_constant().is_some();
            match of_cells.contains(&range.iter) {
                _ if range.iter == *time => {}
                true if fixed && spreads(range.iter) => written.push(range.clone()),
                true => around.push(range.clone()),
                false => summed.push(range.clone()),
            }
        }
        let all = |loops: &[Range]| points(loops, MOST_POINTS);
        let (written, summed) = (all(&written)?, all(&summed)?);
        let (looks, sums) = marks(a, targets);
        let continues = nest.continues;
        let time = *time;
        let part =
            Part { view, a, nodes, time, ahead, continues, around, written, summed, looks, sums };
        let still = |x: &Affine| !x.iters().contains(&time);
        let apart = part.around.iter().all(|r| still(&r.lo) && still(&r.hi));
        let fits = match role {
            Role::Cells => part.runs_along_rows(),
            Role::CarriedReduction => part.takes_all(),
        };
        (apart && a.write.iter().all(|t| t.as_affine().is_some()) && fits).then_some(part)
    }

    /// Whether a carried reduction writes a cell of its own in each step, or brings all steps together.
    fn takes_all(&self) -> bool {
        let moves = self.axis_of(self.time).is_some();
        match self.a.accumulator {
            Accumulator::Set => moves,
            Accumulator::Sum | Accumulator::Prod | Accumulator::Min | Accumulator::Max => {
                !moves && self.continues
            }
            _ => false,
        }
    }

    /// Whether cells of neighbouring steps lie beside each other: axes of loops around are
    /// in front of that of time.
    fn runs_along_rows(&self) -> bool {
        let Some(axis) = self.axis_of(self.time) else { return false };
        let step = self.a.write[axis].as_affine().and_then(|x| x.minus(&Affine::iter(self.time)));
        let moves = |i: Iter| i == self.time || self.around.iter().any(|r| r.iter == i);
        let behind = self.a.write[axis + 1..].iter().filter_map(IndexTerm::as_affine);
        step.is_some_and(|x| x.as_constant().is_some())
            && !behind.flat_map(Affine::iters).any(moves)
    }

    /// The first axis whose cells an iterator chooses.
    pub fn axis_of(&self, i: Iter) -> Option<usize> {
        axis_of(self.a, i)
    }

    /// The cells of a step.
    pub fn written(&self) -> &[Point] {
        &self.written
    }

    /// The terms of a cell that is a sum, or the one there is.
    pub fn summed(&self) -> &[Point] {
        &self.summed
    }

    /// Whether a node is the same for whatever came before in the loop, and simple.
    pub fn is_given(&self, e: ExprId) -> bool {
        let at = e.as_u32() as usize;
        !self.looks[at] && !self.sums[at]
    }

    /// Whether a node reads what the loop writes.
    pub fn looks(&self, e: ExprId) -> bool {
        self.looks[e.as_u32() as usize]
    }

    /// A cell of a tensor; `None` where its place depends on more than the loops.
    pub fn place(&self, tensor: TensorId, index: &[IndexTerm], point: &Point) -> Option<Place> {
        let term = |t: &IndexTerm| self.canonical(t.as_affine()?, point);
        Some(Place { tensor, index: index.iter().map(term).collect::<Option<_>>()? })
    }

    /// The loops around, where they are the same for all parts.
    pub fn bounds_around(&self) -> Option<Vec<(Affine, Affine)>> {
        let bound = |x: &Affine| self.canonical(x, &Vec::new());
        self.around.iter().map(|r| Some((bound(&r.lo)?, bound(&r.hi)?))).collect()
    }

    fn canonical(&self, x: &Affine, point: &Point) -> Option<Affine> {
        let of = |i: Iter| -> Option<Affine> {
            if i == self.time {
                return Some(
                    Affine::iter(Iter::from_u32(STEP)).plus_size(&Size::constant(self.ahead)),
                );
            }
            if let Some((_, at)) = point.iter().find(|(own, _)| *own == i) {
                return Some(Affine::fixed(*at));
            }
            let around = self.around.iter().position(|r| r.iter == i)?;
            Some(Affine::iter(Iter::from_u32(STEP + 1 + around as u32)))
        };
        x.iters().into_iter().all(|i| of(i).is_some()).then_some(())?;
        x.compose(&|i| of(i).expect("each iterator was looked at"))
    }
}

impl Place {
    /// By how many indices along time this one is before `cell`, where it is the same cell of
    /// another step.
    pub fn indices_before(&self, cell: &Place) -> Option<i64> {
        (self.tensor == cell.tensor).then_some(())?;
        let step = Iter::from_u32(STEP);
        let mut back = None;
        for (now, then) in cell.index.iter().zip(&self.index) {
            let between = now.minus(then)?.as_constant()?;
            match now.coefficient(step) {
                0 if between != 0 => return None,
                0 => {}
                _ => back = Some(between),
            }
        }
        back
    }
}

fn axis_of(a: &Assignment, i: Iter) -> Option<usize> {
    a.write.iter().position(|t| t.as_affine().is_some_and(|x| x.iters().contains(&i)))
}

/// Of each node whether it reads one of `targets`, and whether it has sums in it.
fn marks(a: &Assignment, targets: &BTreeSet<TensorId>) -> (Vec<bool>, Vec<bool>) {
    let (mut looks, mut sums) = (Vec::new(), Vec::new());
    for e in a.exprs.ids() {
        let expr = a.exprs.get(e);
        let below = expr.operands();
        let any = |of: &[bool]| below.iter().any(|x| of[x.as_u32() as usize]);
        let own = matches!(expr, Expr::Read { tensor, .. } if targets.contains(tensor));
        let (look, sum) = (own || any(&looks), matches!(expr, Expr::Reduce(_)) || any(&sums));
        looks.push(look);
        sums.push(sum);
    }
    (looks, sums)
}
