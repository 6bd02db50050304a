//! State that a loop over time carries from step to step, if it is a few numbers.

use crate::analysis::Context;
use crate::strategy::Refusal;
use weft_domain::{Affine, Constraint, Relation};
use weft_plan::{BufferId, BufferRole, Item, Nest, Plan, TimeLoop};
use weft_shape::Verdict;
use weft_tensor::{IndexTerm, TensorId, reads};

/// Cells of one step that registers hold.
const MOST_CELLS: i64 = 16;

/// Steps that are worth moving.
const MOST_SLOTS: i64 = 4;

/// Scratch that lives in registers while a loop runs.
pub(crate) struct State {
    /// With how many numbers each is.
    pub buffers: Vec<(BufferId, i64)>,
    pub slots: Vec<Slots>,
}

/// A tensor kept in slots.
pub(crate) struct Slots {
    pub tensor: TensorId,
    /// How far the step that a step writes is ahead of it.
    pub ahead: i64,
    /// Whether anything but the loop touches the tensor.
    pub seen: bool,
}

impl Context<'_> {
    /// The scratch of this loop, one of the plan's own, that is small; what others touch
    /// too is kept as rings.
    pub fn register_state(&self, l: &TimeLoop) -> Result<State, Refusal> {
        let mut state = State { buffers: Vec::new(), slots: Vec::new() };
        let own = |i: &&Item| matches!(i, Item::Loop(x) if std::ptr::eq(x, l));
        if !self.plan.items.iter().any(|i| own(&i)) {
            return Err(Refusal::Foreign);
        }
        if l.parallel || l.descending {
            return Err(Refusal::Direction);
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
            let count = |&t: &TensorId| few_cells(self.plan, t);
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
        if state.buffers.is_empty() { Err(Refusal::ManyCells) } else { Ok(state) }
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
}

/// How many cells are stored of a tensor, if these are few.
pub(crate) fn few_cells(plan: &Plan, t: TensorId) -> Option<i64> {
    let shape = plan.stored_shape(t);
    let extents: Vec<i64> = shape.iter().map(|e| e.as_constant()).collect::<Option<_>>()?;
    let count = extents.iter().try_fold(1_i64, |n, &e| n.checked_mul(e))?;
    let slots = plan.storage[t].window().map_or(1, |(_, size)| size);
    let few = slots <= MOST_SLOTS && count <= MOST_CELLS.checked_mul(slots)?;
    (few && count > 0).then_some(count)
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
