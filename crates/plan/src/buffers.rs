//! Buffers: memory for what is stored, reused when its contents are dead.
//!
//! Lives are counted in top-level items: a time loop is one point. A temporary takes over
//! the buffer of a dead one of its type, and a tensor computed cell by cell from a
//! temporary that dies there takes its buffer in place; so it does in a loop over rows,
//! where both have their life in one row.

use crate::routine::{Buffer, BufferId, BufferRole, Item, Nest, Plan, Storage};
use crate::storage::Window;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::entity::SecondaryMap;
use weft_shape::Size;
use weft_tensor::reads;
use weft_tensor::{Accumulator, TensorId};

/// Gives every given and every computed tensor a buffer.
pub(crate) fn assign_buffers(
    plan: &mut Plan,
    given: &[TensorId],
    computed: &[TensorId],
    windows: BTreeMap<TensorId, Window>,
    reasons: &BTreeMap<TensorId, String>,
) {
    for &t in given {
        let buffer = add(plan, t, BufferRole::Given(t), whole(plan, t));
        plan.storage[t] = Storage::Given { buffer };
    }
    let lives = lives(plan, computed);
    let births = births(plan);
    let mut order = computed.to_vec();
    order.sort_by_key(|&t| (lives[t].0, births[t], t));
    // The last point at which each scratch buffer is in use.
    let mut busy: BTreeMap<BufferId, usize> = BTreeMap::new();
    for t in order {
        let (first, last) = lives[t];
        let observed = plan.observed.contains(&t);
        let size = size_of(plan, t, windows.get(&t));
        let reused = reuse(plan, t, &size, first, observed, &busy, &lives);
        let buffer = reused.unwrap_or_else(|| add(plan, t, BufferRole::Scratch, size.clone()));
        if reused.is_some() {
            plan.buffers[buffer].tenants.push(t);
            let sizes = &mut plan.buffers[buffer].sizes;
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        if observed {
            plan.buffers[buffer].role = BufferRole::Result(t);
            busy.insert(buffer, usize::MAX);
        } else {
            busy.insert(buffer, last);
        }
        plan.storage[t] = storage(plan, t, buffer, windows.get(&t), reasons);
    }
}

fn storage(
    plan: &Plan,
    t: TensorId,
    buffer: BufferId,
    window: Option<&Window>,
    reasons: &BTreeMap<TensorId, String>,
) -> Storage {
    if let Some(w) = window {
        return Storage::Window { buffer, axis: w.axis, size: w.size, reason: w.reason.clone() };
    }
    let default =
        if plan.observed.contains(&t) { "observed" } else { "read by what is computed later" };
    let reason = reasons.get(&t).cloned().unwrap_or_else(|| default.to_string());
    Storage::Stored { buffer, reason }
}

fn add(plan: &mut Plan, t: TensorId, role: BufferRole, size: Size) -> BufferId {
    let elem = plan.graph.tensors[t].elem;
    plan.buffers.push(Buffer { elem, role, tenants: vec![t], sizes: vec![size] })
}

fn whole(plan: &Plan, t: TensorId) -> Size {
    plan.graph.shape(t).fold(Size::constant(1), |n, e| n.times(e))
}

fn size_of(plan: &Plan, t: TensorId, window: Option<&Window>) -> Size {
    let extent = |(axis, e): (usize, &Size)| match window {
        Some(w) if w.axis == axis => Size::constant(w.size),
        _ => e.clone(),
    };
    plan.graph.shape(t).enumerate().map(extent).fold(Size::constant(1), |n, e| n.times(&e))
}

type Lives = SecondaryMap<TensorId, (usize, usize)>;

/// First and last top-level item that touches each computed tensor.
fn lives(plan: &Plan, computed: &[TensorId]) -> Lives {
    let wanted: BTreeSet<TensorId> = computed.iter().copied().collect();
    let mut lives: Lives = SecondaryMap::with_default((usize::MAX, 0));
    for (at, item) in plan.items.iter().enumerate() {
        for t in touched(plan, item).intersection(&wanted) {
            let (first, last) = lives[*t];
            lives[*t] = (first.min(at), last.max(at));
        }
    }
    lives
}

/// Where among all nests, in their order, a tensor is first written: what lives in the
/// place of another is looked at after it.
fn births(plan: &Plan) -> SecondaryMap<TensorId, usize> {
    let mut births = SecondaryMap::with_default(usize::MAX);
    for (at, nest) in plan.items.iter().flat_map(Item::nests).enumerate() {
        let t = plan.graph.assigns[nest.assign].target;
        births[t] = births[t].min(at);
    }
    births
}

/// Every tensor an item reads or writes.
fn touched(plan: &Plan, item: &Item) -> BTreeSet<TensorId> {
    let mut found = BTreeSet::new();
    let mut stack = vec![item];
    while let Some(item) = stack.pop() {
        match item {
            Item::Fill(f) => drop(found.insert(f.target)),
            Item::Nest(n) => {
                let a = &plan.graph.assigns[n.assign];
                found.insert(a.target);
                found.extend(reads(a).iter().map(|r| r.tensor));
            }
            Item::Loop(l) => stack.extend(&l.body),
        }
    }
    found
}

/// A buffer that `t` may take over.
fn reuse(
    plan: &Plan,
    t: TensorId,
    size: &Size,
    first: usize,
    observed: bool,
    busy: &BTreeMap<BufferId, usize>,
    lives: &Lives,
) -> Option<BufferId> {
    if !plan.options.share_buffers {
        return None;
    }
    let elem = plan.graph.tensors[t].elem;
    if let Some(b) = in_place(plan, t, size, first, busy, lives) {
        return Some(b);
    }
    let free = |b: &BufferId| {
        let buffer = &plan.buffers[*b];
        // What is handed out is as large as it must be, no larger.
        let fits = if observed {
            buffer.sizes.iter().all(|s| s == size)
        } else {
            buffer.sizes.contains(size) || constants(buffer, size)
        };
        busy[b] < first && buffer.elem == elem && fits
    };
    busy.keys().copied().find(free)
}

fn constants(buffer: &Buffer, size: &Size) -> bool {
    size.as_constant().is_some() && buffer.sizes.iter().all(|s| s.as_constant().is_some())
}

/// The buffer of a temporary that dies where `t` is computed from it cell by cell.
fn in_place(
    plan: &Plan,
    t: TensorId,
    size: &Size,
    first: usize,
    busy: &BTreeMap<BufferId, usize>,
    lives: &Lives,
) -> Option<BufferId> {
    let (nest, rows) = birth(plan, t, plan.items.get(first)?)?;
    let a = &plan.graph.assigns[nest.assign];
    let single = plan.graph.pieces(t).len() == 1 && a.target == t;
    if !single || a.accumulator != Accumulator::Set || !is_plain(nest) {
        return None;
    }
    let all = reads(a);
    let candidate = |x: TensorId| {
        let b = plan.storage[x].buffer()?;
        let dies = *busy.get(&b)? == first && lives[x].1 == first;
        let in_row = rows.iter().all(|row| lives[x].0 == first && dies_at(plan, x, row, nest));
        let matching = plan.graph.shape(x).eq(plan.graph.shape(t))
            && plan.storage[x].window().is_none()
            && plan.buffers[b].elem == plan.graph.tensors[t].elem
            && plan.buffers[b].sizes.iter().all(|s| s == size);
        let same_cell = all.iter().filter(|r| r.tensor == x).all(|r| r.index == a.write);
        (dies && in_row && matching && same_cell).then_some(b)
    };
    all.iter().find_map(|r| candidate(r.tensor))
}

/// The nest that first touches `t` in an item, and the bodies of the loops around it, from
/// the outermost. Only loops whose steps are independent are looked into: what a step of
/// these reads of its loop's own results it has written itself.
fn birth<'p>(plan: &Plan, t: TensorId, item: &'p Item) -> Option<(&'p Nest, Vec<&'p [Item]>)> {
    let (mut item, mut around) = (item, Vec::new());
    loop {
        match item {
            Item::Nest(nest) => return Some((nest, around)),
            Item::Loop(l) if l.parallel => {
                around.push(l.body.as_slice());
                item = l.body.iter().find(|i| touched(plan, i).contains(&t))?;
            }
            Item::Loop(_) | Item::Fill(_) => return None,
        }
    }
}

/// Whether the steps of a loop write `x` before they come to a nest, and do not touch it
/// after that.
fn dies_at(plan: &Plan, x: TensorId, body: &[Item], nest: &Nest) -> bool {
    let holds = |item: &Item| item.nests().into_iter().any(|n| std::ptr::eq(n, nest));
    let Some(at) = body.iter().position(holds) else { return false };
    let writes = |n: &Nest| plan.graph.assigns[n.assign].target == x;
    let first = body.iter().find(|i| touched(plan, i).contains(&x));
    let written = first.is_some_and(|i| i.nests().into_iter().any(writes));
    written && !body[at + 1..].iter().any(|i| touched(plan, i).contains(&x))
}

/// Whether a nest computes every cell of its rows, whatever holds elsewhere.
fn is_plain(nest: &Nest) -> bool {
    nest.tested.is_empty() && nest.when.is_empty() && !nest.continues
}
