//! State in registers: what a loop over time carries from step to step, if it is a few
//! numbers.
//!
//! ```text
//! for t { x[t mod 2, …] = f(x[(t - 1) mod 2, …]) }
//! =>
//! for t { slot[0, …] = f(slot[1, …]); slot[1, …] = slot[0, …] }
//! ```
//!
//! The newest step lies in slot 0, and each step ends by moving all slots one back. Every
//! place is then known when compiled: loops over a few cells are written out, the slots
//! become registers, and moving them costs nothing.

use crate::lower::Emitter;
use weft_base::Name;
use weft_domain::{Affine, Constraint, Relation};
use weft_loops::{BufferKind, Stmt};
use weft_plan::{BufferId, BufferRole, Item, Nest, TimeLoop, reads};
use weft_tensor::{IndexTerm, TensorId};

/// Cells of one step that registers hold.
const MOST_CELLS: i64 = 16;

/// Steps that are worth moving.
const MOST_SLOTS: i64 = 4;

/// Scratch that lives in registers while a loop runs.
pub(crate) struct State {
    buffers: Vec<(BufferId, i64)>,
    /// Tensors kept in slots, with how far the step that a step writes is ahead of it.
    slots: Vec<(TensorId, i64)>,
}

impl<'p> Emitter<'p> {
    /// The scratch that nothing but this loop, one of the plan's own, touches, and that is
    /// small.
    pub fn small_state(&self, l: &'p TimeLoop) -> State {
        let mut state = State { buffers: Vec::new(), slots: Vec::new() };
        let own = |i: &&Item| matches!(i, Item::Loop(x) if std::ptr::eq(x, l));
        if l.parallel || l.descending || !self.plan.items.iter().any(|i| own(&i)) {
            return state;
        }
        let others: Vec<&Item> = self.plan.items.iter().filter(|i| !own(i)).collect();
        let inside: Vec<&Nest> = l.body.iter().flat_map(Item::nests).collect();
        for (id, buffer) in self.plan.buffers.iter() {
            let touched = |t: &TensorId| others.iter().any(|i| i.touches(&self.plan.graph, *t));
            if buffer.role != BufferRole::Scratch || buffer.tenants.iter().any(touched) {
                continue;
            }
            let count = |&t: &TensorId| self.few_cells(t);
            let Some(counts) = buffer.tenants.iter().map(count).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let ringed = |t: &&TensorId| self.plan.storage[**t].window().is_some();
            let slots = buffer.tenants.iter().filter(ringed);
            let ahead = slots.map(|&t| Some((t, self.ahead(t, &inside, l)?)));
            if let Some(slots) = ahead.collect::<Option<Vec<_>>>() {
                state.buffers.push((id, counts.into_iter().max().unwrap_or(0)));
                state.slots.extend(slots);
            }
        }
        state
    }

    /// How many cells are stored of a tensor, if these are few.
    fn few_cells(&self, t: TensorId) -> Option<i64> {
        let shape = self.plan.stored_shape(t);
        let extents: Vec<i64> = shape.iter().map(|e| e.as_constant()).collect::<Option<_>>()?;
        let count = extents.iter().try_fold(1_i64, |n, &e| n.checked_mul(e))?;
        let slots = self.plan.storage[t].window().map_or(1, |(_, size)| size);
        let few = slots <= MOST_SLOTS && count <= MOST_CELLS.checked_mul(slots)?;
        (few && count > 0).then_some(count)
    }

    /// How far ahead of the loop's step the newest one is that it writes. What is written
    /// or read of another must lie at a known distance.
    fn ahead(&self, t: TensorId, inside: &[&Nest], l: &TimeLoop) -> Option<i64> {
        let (axis, size) = self.plan.storage[t].window()?;
        let writers = || inside.iter().filter(|n| self.plan.graph.assigns[n.assign].target == t);
        let write = |n: &&&Nest| self.plan.graph.assigns[n.assign].write[axis].clone();
        let is_fixed = |t: &IndexTerm| t.as_affine().is_some_and(|x| x.as_size().is_some());
        let moving = writers().filter(|n| !is_fixed(&write(n)));
        let steps = moving.map(|n| n.step_of(l.var, &write(&n))).collect::<Option<Vec<_>>>()?;
        let newest = *steps.iter().max()?;
        let fixed = writers().filter(|n| is_fixed(&write(n)));
        let in_time = |n: &&Nest| is_its_step(n, l, newest, &write(&n));
        let read = |n: &&Nest| {
            let all = reads(&self.plan.graph.assigns[n.assign]);
            let mut own = all.iter().filter(|r| r.tensor == t);
            // Of steps in place the oldest is where the newest will be.
            let is_there = |s: i64| s <= newest && (size == 1 || newest - s < size);
            own.all(|r| n.step_of(l.var, &r.index[axis]).is_some_and(is_there))
        };
        (fixed.copied().all(|n| in_time(&n)) && inside.iter().all(read)).then_some(newest)
    }

    /// Makes scratch of the function's own of state. What comes back is put back by
    /// [`Emitter::close_state`].
    pub fn open_state(
        &mut self,
        state: &State,
        l: &TimeLoop,
    ) -> Vec<(BufferId, weft_loops::Buffer)> {
        let mut outside = Vec::new();
        for &(id, count) in &state.buffers {
            let before = self.buffers[id].expect("every buffer is declared");
            let decl = self.f.buffers[before].clone();
            let size = self.f.int(count);
            let name = Name::new(&format!("{}'", decl.name));
            let own = self.f.add_buffer(name, decl.elem, BufferKind::Stack, size);
            self.buffers[id] = Some(own);
            outside.push((id, before));
        }
        let now = self.loop_vars[l.var].expect("the loop is open");
        for &(t, ahead) in &state.slots {
            let ahead = self.f.int(ahead);
            self.newest[t] = Some(self.f.add(now, ahead));
        }
        outside
    }

    /// Ends a step: all slots move one back.
    pub fn move_slots(&mut self, state: &State) {
        for &(t, _) in &state.slots {
            let (axis, size) = self.plan.storage[t].window().expect("it is kept in slots");
            let shape = self.plan.stored_shape(t);
            let count = |part: &[weft_shape::Size]| -> i64 {
                part.iter().map(|e| e.as_constant().expect("few cells")).product()
            };
            let (outer, inner) = (count(&shape[..axis]), count(&shape[axis + 1..]));
            let buffer = self.buffer_of(t);
            for slot in (1..size).rev() {
                for cell in 0..outer * inner {
                    let at = |s: i64| (cell / inner * size + s) * inner + cell % inner;
                    let (from, to) = (self.f.int(at(slot - 1)), self.f.int(at(slot)));
                    let value = self.f.load(buffer, from);
                    self.push(Stmt::Store { buffer, index: to, value });
                }
            }
        }
    }

    /// After the loop the plan's own scratch is meant again.
    pub fn close_state(&mut self, state: &State, outside: Vec<(BufferId, weft_loops::Buffer)>) {
        for (id, before) in outside {
            self.buffers[id] = Some(before);
        }
        for &(t, _) in &state.slots {
            self.newest[t] = None;
        }
    }
}

/// Whether a nest runs in no step but the one whose newest step its fixed term means.
fn is_its_step(n: &Nest, l: &TimeLoop, newest: i64, t: &IndexTerm) -> bool {
    let term = || {
        let now = Affine::iter(l.var).plus(&Affine::fixed(newest))?;
        now.minus(t.as_affine()?)
    };
    let Some(term) = term() else { return false };
    let is = |c: &Constraint| {
        c.relation == Relation::Zero
            && (c.term == term || Some(&c.term) == term.scaled(-1).as_ref())
    };
    n.when.iter().any(is)
}
