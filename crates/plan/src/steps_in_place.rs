//! Steps in place: a ring gives up the slot of the oldest step where each cell of it is
//! read for the last time by the cell that takes its place.
//!
//! ```text
//! for k { d[k, i, j] = f(d[k-1, i, j], …); … }      two steps of `d`  =>  one
//! ```
//!
//! Other readers of the oldest step must run in front of all that writes the new one, or
//! be a sweep: loops in order inside the step, which get to a cell of the new step only
//! after all that need the old one in its place. What is then a copy of cells to their own
//! places is left out.
//! Only states of two axes or more are looked at: for less a slot is nothing beside the
//! tiles in time that several slots may have.

use crate::routine::{Fill, Item, LoopVar, Nest, TimeLoop};
use crate::storage::Window;
use std::collections::BTreeMap;
use weft_domain::{Affine, Iter};
use weft_shape::{Size, Verdict};
use weft_tensor::reads;
use weft_tensor::{Accumulator, Assignment, Expr, Graph, IndexTerm, TensorId};

/// Axes besides time from which on a slot is worth giving up.
const LEAST_AXES: usize = 2;

/// Narrows every ring that can be, and takes out what has become a copy in place.
pub(crate) fn narrow_rings(
    graph: &Graph,
    items: &mut Vec<Item>,
    windows: &mut BTreeMap<TensorId, Window>,
) {
    for (&t, window) in windows.iter_mut() {
        let rank = graph.tensors[t].axes.len();
        let spare = window.size > 1 && window.tail < window.size;
        let ring = Ring { graph, t, axis: window.axis, oldest: window.size - 1 };
        if rank > LEAST_AXES && spare && items.iter().all(|i| ring.allows(i)) {
            window.size -= 1;
            window.reason =
                format!("{}, and each cell takes its predecessor's place", window.reason);
            drop_copies(&ring, items);
        }
    }
}

/// Takes out the pieces of steps that leave every cell what it was.
fn drop_copies(ring: &Ring<'_>, items: &mut Vec<Item>) {
    for item in items {
        if let Item::Loop(l) = item {
            let var = l.var;
            l.body.retain(|i| !matches!(i, Item::Nest(n) if ring.is_copy(n, var)));
        }
    }
}

/// A tensor kept in a ring.
struct Ring<'a> {
    graph: &'a Graph,
    t: TensorId,
    axis: usize,
    /// How many steps back the slot is that is to be given up.
    oldest: i64,
}

impl Ring<'_> {
    /// Whether an item leaves the oldest step alone once the new one overwrites it.
    fn allows(&self, item: &Item) -> bool {
        match item {
            Item::Fill(Fill { target, .. }) => *target != self.t,
            // Outside of loops no step is written, or one alone.
            Item::Nest(n) => self.target(n) != self.t || n.bound.is_empty(),
            Item::Loop(l) => match self.first_write(&l.body, l.var) {
                Some(at) => self.allows_steps(&l.body, at, l.var),
                // What only reads comes after all steps, or looks less far back.
                None => l.body.iter().all(|i| self.looks_less_far(i, l.var)),
            },
        }
    }

    fn looks_less_far(&self, item: &Item, var: LoopVar) -> bool {
        match item {
            Item::Nest(n) => self.reads_by(n, var, &|back, _| back < self.oldest),
            Item::Fill(_) | Item::Loop(_) => !item.touches(self.graph, self.t),
        }
    }

    fn target(&self, n: &Nest) -> TensorId {
        self.graph.assigns[n.assign].target
    }

    fn writes(&self, item: &Item) -> bool {
        item.nests().into_iter().any(|n| self.target(n) == self.t)
    }

    /// The first item of a body that changes the tensor.
    fn first_write(&self, body: &[Item], var: LoopVar) -> Option<usize> {
        let copies = |i: &Item| matches!(i, Item::Nest(n) if self.is_copy(n, var));
        let first = body.iter().position(|i| self.writes(i) && !copies(i));
        first.or_else(|| body.iter().position(|i| self.writes(i)))
    }

    fn allows_steps(&self, body: &[Item], first: usize, var: LoopVar) -> bool {
        body.iter().enumerate().all(|(at, item)| match item {
            Item::Nest(n) if self.target(n) == self.t => {
                self.begins(n) && body.iter().all(|i| self.leaves_beginning(n, i, var))
                    || self.is_copy(n, var)
                    || self.in_place(n, var)
            }
            Item::Nest(n) => self.reads_by(n, var, &|back, _| at < first || back < self.oldest),
            Item::Fill(fill) => fill.target != self.t,
            Item::Loop(l) if self.writes(item) => {
                let alone = |(other, i): (usize, &Item)| {
                    other == at || !self.writes(i) || self.is_still(i, var)
                };
                body.iter().enumerate().all(alone) && self.sweeps(l, var)
            }
            Item::Loop(_) => !item.touches(self.graph, self.t),
        })
    }

    /// Whether an item changes no cell in steps in which others look at the oldest.
    fn is_still(&self, item: &Item, var: LoopVar) -> bool {
        matches!(item, Item::Nest(n) if self.begins(n) || self.is_copy(n, var))
    }

    /// Whether an item does not look at the oldest step when a piece begins.
    fn leaves_beginning(&self, first: &Nest, item: &Item, var: LoopVar) -> bool {
        let step = self.graph.assigns[first.assign].write[self.axis].as_affine();
        let later = |n: &Nest| self.is_later(n, step.and_then(Affine::as_size));
        self.looks_less_far(item, var) || item.nests().into_iter().all(later)
    }

    /// Whether a piece writes later steps than a fixed one alone.
    fn is_later(&self, n: &Nest, step: Option<&Size>) -> bool {
        let a = &self.graph.assigns[n.assign];
        let written = || {
            let term = a.write.get(self.axis).filter(|_| a.target == self.t)?.as_affine()?;
            let range = a.space.range(*term.iters().first()?)?;
            let ahead = term.minus(&Affine::iter(range.iter))?;
            range.lo.plus(&ahead)?.as_size().cloned()
        };
        let after = |from: Size| Some(self.graph.facts.le(&step?.plus_const(1), &from));
        written().and_then(after) == Some(Verdict::Yes)
    }

    /// Whether a piece gives cells of a step what they were in the oldest.
    fn is_copy(&self, n: &Nest, var: LoopVar) -> bool {
        let a = &self.graph.assigns[n.assign];
        let Expr::Read { tensor, index, .. } = a.exprs.get(a.body) else { return false };
        let set = a.accumulator == Accumulator::Set && a.target == self.t && *tensor == self.t;
        let back = |i: &[IndexTerm]| n.step_of(var, &i[self.axis]);
        set && back(&a.write) == Some(0)
            && back(index) == Some(-self.oldest)
            && self.is_own(a, index)
    }

    /// Whether an index is the cell that a piece writes, in whatever step.
    fn is_own(&self, a: &Assignment, index: &[IndexTerm]) -> bool {
        let mut places = index.iter().zip(&a.write).enumerate();
        places.all(|(axis, (r, w))| axis == self.axis || r == w)
    }

    /// Whether loops inside a step, each around one thing, get to each cell after all that
    /// need what was there in the oldest step.
    fn sweeps(&self, l: &TimeLoop, var: LoopVar) -> bool {
        let mut around = vec![l];
        let nest = loop {
            match around[around.len() - 1].body.as_slice() {
                [Item::Loop(inner)] => around.push(inner),
                [Item::Nest(n)] if self.target(n) == self.t => break n,
                _ => return false,
            }
        };
        let a = &self.graph.assigns[nest.assign];
        let plain = a.accumulator == Accumulator::Set && is_cell(a);
        plain
            && nest.step_of(var, &a.write[self.axis]) == Some(0)
            && self.reads_by(nest, var, &|back, index| {
                back < self.oldest || self.is_ahead(nest, &around, index)
            })
    }

    /// Whether loops have yet to get to a cell, or are at it.
    fn is_ahead(&self, n: &Nest, around: &[&TimeLoop], index: &[IndexTerm]) -> bool {
        let a = &self.graph.assigns[n.assign];
        for l in around {
            let along = |axis: &usize| n.step_of(l.var, &a.write[*axis]).is_some();
            let Some(axis) = (0..a.write.len()).find(along) else { return false };
            let step = |t: &IndexTerm| n.step_of(l.var, t);
            let (Some(own), Some(read)) = (step(&a.write[axis]), step(&index[axis])) else {
                return false;
            };
            if own != read {
                return !l.parallel && (own < read) != l.descending;
            }
        }
        self.is_own(a, index)
    }

    /// Whether a piece writes one fixed step and reads none.
    fn begins(&self, n: &Nest) -> bool {
        let a = &self.graph.assigns[n.assign];
        let fixed = a.write[self.axis].as_affine().is_some_and(|x| x.as_size().is_some());
        fixed && reads(a).iter().all(|r| r.tensor != self.t)
    }

    /// Whether a piece writes one step, of whose oldest it reads its own cells alone.
    fn in_place(&self, n: &Nest, var: LoopVar) -> bool {
        let a = &self.graph.assigns[n.assign];
        let Some(step) = n.step_of(var, &a.write[self.axis]) else { return false };
        let plain = a.accumulator == Accumulator::Set && step == 0 && is_cell(a);
        plain && self.reads_by(n, var, &|back, index| back < self.oldest || self.is_own(a, index))
    }

    /// Whether of every read of the tensor its steps back and its index are as wanted.
    fn reads_by(&self, n: &Nest, var: LoopVar, wanted: &dyn Fn(i64, &[IndexTerm]) -> bool) -> bool {
        let all = reads(&self.graph.assigns[n.assign]);
        all.iter().filter(|r| r.tensor == self.t).all(|r| {
            let back = n.step_of(var, &r.index[self.axis]).map(|s| -s);
            back.is_some_and(|back| (0..=self.oldest).contains(&back) && wanted(back, r.index))
        })
    }
}

/// Whether each axis is written along an iterator of its own.
fn is_cell(a: &Assignment) -> bool {
    let along = |t: &IndexTerm| t.as_affine().and_then(Affine::as_iter);
    let iters: Vec<Option<Iter>> = a.write.iter().map(along).collect();
    let apart = |(n, i): (usize, &Option<Iter>)| i.is_some() && !iters[..n].contains(i);
    iters.iter().enumerate().all(apart)
}
