//! State in registers: what a loop over time carries from step to step, if it is a few
//! numbers.
//!
//! ```text
//! for t { x[t mod 2, …] = f(x[(t - 1) mod 2, …]) }
//! =>
//! slot[0, …] = x[(lo - 1) mod 2, …]; …
//! for t { slot[1, …] = slot[0, …]; slot[0, …] = f(slot[1, …]) }
//! x[(hi - 1) mod 2, …] = slot[0, …]; …
//! ```
//!
//! The newest step lies in slot 0, and each step begins by moving all slots one back. Every
//! place is then known when compiled: loops over a few cells are written out, the slots
//! become registers, and moving them costs nothing. What is around the loop finds the ring
//! as ever.

use crate::lower::Emitter;
use weft_base::Name;
use weft_domain::{Affine, Constraint, Relation};
use weft_loops::{BufferKind, Expr, IntOp, Stmt};
use weft_plan::{BufferId, BufferRole, Item, Nest, Plan, TimeLoop};
use weft_scalar::BinaryOp;
use weft_shape::Verdict;
use weft_tensor::reads;
use weft_tensor::{IndexTerm, TensorId};

/// Cells of one step that registers hold.
const MOST_CELLS: i64 = 16;

/// Steps that are worth moving.
const MOST_SLOTS: i64 = 4;

/// Scratch that lives in registers while a loop runs.
pub(crate) struct State {
    buffers: Vec<(BufferId, i64)>,
    slots: Vec<Slots>,
}

/// A tensor kept in slots.
struct Slots {
    tensor: TensorId,
    /// How far the step that a step writes is ahead of it.
    ahead: i64,
    /// Whether anything but the loop touches the tensor.
    seen: bool,
}

impl State {
    /// Whether nothing is in registers.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// What loops bring outside with them.
pub(crate) struct Outside {
    /// The plan's own scratch.
    buffers: Vec<(BufferId, weft_loops::Buffer)>,
}

impl<'p> Emitter<'p> {
    /// The scratch of this loop, one of the plan's own, that is small; what others touch
    /// too is kept as rings.
    pub fn register_state(&self, l: &'p TimeLoop) -> State {
        let mut state = State { buffers: Vec::new(), slots: Vec::new() };
        let own = |i: &&Item| matches!(i, Item::Loop(x) if std::ptr::eq(x, l));
        if l.parallel || l.descending || !self.plan.items.iter().any(|i| own(&i)) {
            return state;
        }
        let others: Vec<&Item> = self.plan.items.iter().filter(|i| !own(i)).collect();
        let inside: Vec<&Nest> = l.body.iter().flat_map(Item::nests).collect();
        for (id, buffer) in self.plan.buffers.iter() {
            let seen = |t: TensorId| others.iter().any(|i| i.touches(&self.plan.graph, t));
            let ringed = |t: &TensorId| self.plan.storage[*t].window().is_some();
            let fits = |t: &TensorId| ringed(t) || !seen(*t);
            if buffer.role != BufferRole::Scratch || !buffer.tenants.iter().all(fits) {
                continue;
            }
            let count = |&t: &TensorId| self.few_cells(t);
            let Some(counts) = buffer.tenants.iter().map(count).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let slots = buffer.tenants.iter().copied().filter(ringed);
            let ahead = slots.map(|tensor| {
                let (ahead, seen) = (self.ahead(tensor, &inside, l)?, seen(tensor));
                let whole = !seen || self.ends_with(tensor, l, ahead);
                whole.then_some(Slots { tensor, ahead, seen })
            });
            if let Some(slots) = ahead.collect::<Option<Vec<_>>>() {
                state.buffers.push((id, counts.into_iter().max().unwrap_or(0)));
                state.slots.extend(slots);
            }
        }
        state
    }

    /// Whether the loop has no steps behind the last one of a tensor, of which step by step
    /// nothing would be left for those who look at it afterwards.
    fn ends_with(&self, t: TensorId, l: &TimeLoop, ahead: i64) -> bool {
        let graph = &self.plan.graph;
        let Some((axis, _)) = self.plan.storage[t].window() else { return false };
        let extent = &graph.tensors[t].axes[axis].extent;
        let end = l.hi.as_size().map(|hi| hi.plus_const(ahead));
        end.is_some_and(|end| graph.facts.le(&end, extent) == Verdict::Yes)
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

    /// Makes scratch of the function's own of state, before a loop whose first step is
    /// `lo`. What comes back is for [`Emitter::close_state`].
    pub fn open_state(&mut self, state: &State, lo: Expr) -> Outside {
        let mut outside = Outside { buffers: Vec::new() };
        for &(id, count) in &state.buffers {
            let before = self.buffers[id].expect("every buffer is declared");
            let decl = self.f.buffers[before].clone();
            let size = self.f.int(count);
            let name = Name::new(&format!("{}'", decl.name));
            let own = self.f.add_buffer(name, decl.elem, BufferKind::Stack, size);
            self.buffers[id] = Some(own);
            outside.buffers.push((id, before));
        }
        for slots in state.slots.iter().filter(|s| s.seen) {
            let ring = outside.of(self.plan, slots.tensor);
            let own = self.buffer_of(slots.tensor);
            self.each_cell(slots, lo, &mut |this, at, place| {
                let value = this.f.load(ring, place);
                this.push(Stmt::Store { buffer: own, index: at, value });
            });
        }
        outside
    }

    /// Begins a step of a loop: all slots move one back.
    pub fn move_slots(&mut self, state: &State, l: &TimeLoop) {
        let now = self.loop_vars[l.var].expect("the loop is open");
        for slots in &state.slots {
            let t = slots.tensor;
            let ahead = self.f.int(slots.ahead);
            self.newest[t] = Some(self.f.add(now, ahead));
            let buffer = self.buffer_of(t);
            let (_, size) = self.plan.storage[t].window().expect("it is kept in slots");
            for slot in (1..size).rev() {
                for cell in 0..self.cells_of_slot(t) {
                    let (from, to) =
                        (self.slot_place(t, slot - 1, cell), self.slot_place(t, slot, cell));
                    let (from, to) = (self.f.int(from), self.f.int(to));
                    let value = self.f.load(buffer, from);
                    self.push(Stmt::Store { buffer, index: to, value });
                }
            }
        }
    }

    /// After the loop, past whose last step is `hi` or, where it has none, `lo`, the plan's
    /// own scratch is meant again.
    pub fn close_state(&mut self, state: &State, outside: Outside, (lo, hi): (Expr, Expr)) {
        for slots in state.slots.iter().filter(|s| s.seen) {
            let ring = outside.of(self.plan, slots.tensor);
            let own = self.buffer_of(slots.tensor);
            let end = self.f.binary(BinaryOp::Max, lo, hi);
            self.each_cell(slots, end, &mut |this, at, place| {
                let value = this.f.load(own, at);
                this.push(Stmt::Store { buffer: ring, index: place, value });
            });
        }
        for (id, before) in outside.buffers {
            self.buffers[id] = Some(before);
        }
        for slots in &state.slots {
            self.newest[slots.tensor] = None;
        }
    }

    /// Every cell as slots have it before step `next`, with where it lies in the ring.
    fn each_cell(
        &mut self,
        slots: &Slots,
        next: Expr,
        with: &mut dyn FnMut(&mut Self, Expr, Expr),
    ) {
        let t = slots.tensor;
        let (_, size) = self.plan.storage[t].window().expect("it is kept in slots");
        for slot in 0..size {
            let back = self.f.int(slots.ahead - 1 - slot);
            let step = self.f.add(next, back);
            let count = self.f.int(size);
            let lies = self.f.int_op(IntOp::FloorMod, step, count);
            for cell in 0..self.cells_of_slot(t) {
                let at = self.slot_place(t, slot, cell);
                let (first, stride) = (self.slot_place(t, 0, cell), self.slot_place(t, 1, cell));
                let stride = self.f.int(stride - first);
                let (at, first) = (self.f.int(at), self.f.int(first));
                let along = self.f.mul(lies, stride);
                let place = self.f.add(first, along);
                with(self, at, place);
            }
        }
    }

    fn cells_of_slot(&self, t: TensorId) -> i64 {
        let (_, size) = self.plan.storage[t].window().expect("it is kept in slots");
        self.few_cells(t).expect("it has few cells") / size
    }

    /// Where a cell of a slot lies.
    fn slot_place(&self, t: TensorId, slot: i64, cell: i64) -> i64 {
        let (axis, size) = self.plan.storage[t].window().expect("it is kept in slots");
        let beside = self.plan.stored_shape(t).split_off(axis + 1);
        let inner: i64 = beside.iter().map(|e| e.as_constant().expect("few cells")).product();
        (cell / inner * size + slot) * inner + cell % inner
    }
}

impl Outside {
    /// The buffer in which a tensor's ring lies.
    fn of(&self, plan: &Plan, t: TensorId) -> weft_loops::Buffer {
        let id = plan.storage[t].buffer().expect("it is kept");
        self.buffers.iter().find(|b| b.0 == id).expect("it is part of the state").1
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
