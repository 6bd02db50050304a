//! Steps in place: a ring gives up the slot of the oldest step where each cell of it is
//! read for the last time by the cell that takes its place.
//!
//! ```text
//! for k { d[k, i, j] = f(d[k-1, i, j], …); … }      two steps of `d`  =>  one
//! ```
//!
//! What reads the oldest step otherwise must run in front of all that writes the new one.
//! Only states of two axes or more are looked at: for less a slot is nothing beside the
//! tiles in time that several slots may have.

use crate::reads::reads;
use crate::routine::{Fill, Item, LoopVar, Nest};
use crate::storage::Window;
use std::collections::BTreeMap;
use weft_domain::{Affine, Iter};
use weft_tensor::{Accumulator, Assignment, Graph, IndexTerm, TensorId};

/// Axes besides time from which on a slot is worth giving up.
const LEAST_AXES: usize = 2;

/// Narrows every ring that can be.
pub(crate) fn narrow_rings(
    graph: &Graph,
    items: &[Item],
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
            Item::Loop(l) => match self.first_write(&l.body) {
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

    /// The first item of a body that writes the tensor itself.
    fn first_write(&self, body: &[Item]) -> Option<usize> {
        body.iter().position(|i| matches!(i, Item::Nest(n) if self.target(n) == self.t))
    }

    fn allows_steps(&self, body: &[Item], first: usize, var: LoopVar) -> bool {
        body.iter().enumerate().all(|(at, item)| match item {
            Item::Nest(n) if self.target(n) == self.t => {
                self.begins(n) && body.iter().all(|i| self.looks_less_far(i, var))
                    || self.in_place(n, var)
            }
            Item::Nest(n) => self.reads_by(n, var, &|back, _| at < first || back < self.oldest),
            Item::Fill(fill) => fill.target != self.t,
            Item::Loop(_) => !item.touches(self.graph, self.t),
        })
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
        let own = |index: &[IndexTerm]| {
            let places = index.iter().zip(&a.write).enumerate();
            places.into_iter().all(|(axis, (r, w))| axis == self.axis || r == w)
        };
        plain && self.reads_by(n, var, &|back, index| back < self.oldest || own(index))
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
