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

use crate::lower::emitter::Emitter;
use crate::recognise::{Slots, State, few_cells};
use weft_base::Name;
use weft_loops::{BufferKind, Expr, IntOp, Stmt};
use weft_plan::{BufferId, Plan, TimeLoop};
use weft_scalar::BinaryOp;
use weft_tensor::TensorId;

/// What loops bring outside with them.
pub(crate) struct Outside {
    /// The plan's own scratch.
    buffers: Vec<(BufferId, weft_loops::Buffer)>,
}

impl<'p> Emitter<'p> {
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
                for cell in 0..cells_of_slot(self.plan, t) {
                    let (from, to) = (
                        slot_place(self.plan, t, slot - 1, cell),
                        slot_place(self.plan, t, slot, cell),
                    );
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
            for cell in 0..cells_of_slot(self.plan, t) {
                let at = slot_place(self.plan, t, slot, cell);
                let (first, stride) =
                    (slot_place(self.plan, t, 0, cell), slot_place(self.plan, t, 1, cell));
                let stride = self.f.int(stride - first);
                let (at, first) = (self.f.int(at), self.f.int(first));
                let along = self.f.mul(lies, stride);
                let place = self.f.add(first, along);
                with(self, at, place);
            }
        }
    }
}

fn cells_of_slot(plan: &Plan, t: TensorId) -> i64 {
    let (_, size) = plan.storage[t].window().expect("it is kept in slots");
    few_cells(plan, t).expect("it has few cells") / size
}

/// Where a cell of a slot lies.
fn slot_place(plan: &Plan, t: TensorId, slot: i64, cell: i64) -> i64 {
    let (axis, size) = plan.storage[t].window().expect("it is kept in slots");
    let beside = plan.stored_shape(t).split_off(axis + 1);
    let inner: i64 = beside.iter().map(|e| e.as_constant().expect("few cells")).product();
    (cell / inner * size + slot) * inner + cell % inner
}

impl Outside {
    /// The buffer in which a tensor's ring lies.
    fn of(&self, plan: &Plan, t: TensorId) -> weft_loops::Buffer {
        let id = plan.storage[t].buffer().expect("it is kept");
        self.buffers.iter().find(|b| b.0 == id).expect("it is part of the state").1
    }
}
