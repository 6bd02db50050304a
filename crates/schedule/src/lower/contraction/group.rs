//! Groups of iterators that are counted by one flat index, the last one fastest.

use crate::group::Group;
use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use weft_base::Name;
use weft_domain::Iter;
use weft_loops::{Expr as Value, IntOp};
use weft_scalar::BinaryOp;

/// A group with its bounds as values.
pub(super) struct Flat {
    /// First values and extents.
    parts: Vec<(Value, Value)>,
    /// How many points there are; possibly negative where there are none.
    pub count: Value,
}

/// A walk along the last iterator of a group.
pub(super) struct Run {
    /// The flat index of its first point.
    start: Value,
    from: Value,
    to: Value,
}

impl<'p> Emitter<'p> {
    /// The bounds of a group here.
    pub(super) fn flat(&mut self, body: &Body<'p>, g: &Group) -> Flat {
        let mut parts = Vec::new();
        for r in g.ranges() {
            let ((lo, _), (hi, _)) = (self.bound(body, &r.lo), self.bound(body, &r.hi));
            parts.push((lo, self.f.sub(hi, lo)));
        }
        if let [(_, count)] = parts.as_slice() {
            return Flat { count: *count, parts };
        }
        // A product of two negative extents is no count.
        let zero = self.f.int(0);
        let mut count = self.f.int(1);
        for (_, extent) in &mut parts {
            *extent = self.f.binary(BinaryOp::Max, zero, *extent);
            count = self.f.mul(count, *extent);
        }
        Flat { parts, count }
    }

    /// Gives the iterators the values that a flat index stands for.
    pub(super) fn bind_flat(
        &mut self,
        body: &mut Body<'p>,
        (g, flat): (&Group, &Flat),
        at: Value,
        block: usize,
    ) {
        self.bind_first(body, (g, flat), flat.parts.len(), at, block);
    }

    /// The same for the first `n` iterators.
    fn bind_first(
        &mut self,
        body: &mut Body<'p>,
        (g, flat): (&Group, &Flat),
        n: usize,
        mut at: Value,
        block: usize,
    ) {
        for (axis, r) in g.ranges()[..n].iter().enumerate().rev() {
            let (lo, extent) = flat.parts[axis];
            let own = match axis {
                0 => at,
                _ => self.f.int_op(IntOp::FloorMod, at, extent),
            };
            let value = self.f.add(lo, own);
            body.bind(r.iter, value, block);
            if axis > 0 {
                at = self.f.int_op(IntOp::FloorDiv, at, extent);
            }
        }
    }

    /// Lets the last iterator alone count to a flat index, from the first values of all.
    pub(super) fn bind_line(
        &mut self,
        body: &mut Body<'p>,
        (g, flat): (&Group, &Flat),
        at: Value,
        block: usize,
    ) {
        for (r, (lo, _)) in g.ranges().iter().zip(&flat.parts) {
            body.bind(r.iter, *lo, block);
        }
        let last = g.ranges().len() - 1;
        let value = self.f.add(flat.parts[last].0, at);
        body.bind(g.ranges()[last].iter, value, block);
    }

    /// Begins a walk over a range of flat indices. Of several iterators all but the last
    /// get a loop here, the last one in [`Emitter::open_last`]: one run along memory each.
    /// With `in_line` the runs follow each other in memory, and the last iterator counts
    /// on through all of them.
    pub(super) fn open_run(
        &mut self,
        body: &mut Body<'p>,
        (g, flat): (&Group, &Flat),
        (from, to): (Value, Value),
        in_line: bool,
    ) -> Run {
        let last = g.ranges().len() - 1;
        let zero = self.f.int(0);
        if last == 0 || in_line {
            for (r, (lo, _)) in g.ranges()[..last].iter().zip(&flat.parts) {
                body.bind(r.iter, *lo, body.base);
            }
            return Run { start: zero, from, to };
        }
        let (_, extent) = flat.parts[last];
        let first = self.f.int_op(IntOp::FloorDiv, from, extent);
        let one = self.f.int(1);
        let before = self.f.sub(to, one);
        let past = self.f.int_op(IntOp::FloorDiv, before, extent);
        let past = self.f.add(past, one);
        let var = self.new_var(Name::new("run"));
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo: first, hi: past, step: 1, bounds_in });
        let run = self.f.var(var);
        self.bind_first(body, (g, flat), last, run, self.top());
        let start = self.f.mul(run, extent);
        let (from, to) = (self.f.sub(from, start), self.f.sub(to, start));
        let from = self.f.binary(BinaryOp::Max, zero, from);
        let to = self.f.binary(BinaryOp::Min, extent, to);
        Run { start, from, to }
    }

    /// Opens the loop over a run's last iterator; gives the flat index.
    pub(super) fn open_last(
        &mut self,
        body: &mut Body<'p>,
        (g, flat): (&Group, &Flat),
        run: &Run,
    ) -> Value {
        let last = g.ranges().len() - 1;
        let (iter, first) = (g.ranges()[last].iter, flat.parts[last].0);
        let ends = guarded(self, body, iter, (first, run.from, run.to));
        let own = self.open_lanes(body, g, ends);
        let value = self.f.add(first, own);
        body.bind(iter, value, self.top());
        self.test_guards(body);
        self.f.add(run.start, own)
    }

    /// Opens a loop for lanes, not for threads, named after a group's last iterator.
    pub(super) fn open_lanes(
        &mut self,
        body: &Body<'p>,
        g: &Group,
        (lo, hi): (Value, Value),
    ) -> Value {
        let last = g.ranges().last().expect("a group has a range").iter;
        let name = body.assignment.space.iters[last].clone();
        let var = self.new_var(name.unwrap_or_else(|| Name::new("i")));
        self.independent[var] = true;
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        self.f.var(var)
    }
}

/// The ends of a loop over an iterator, counted from its first value, without the points at
/// which guards fail that wait for it; those that wait for nothing are tested before it.
fn guarded<'p>(
    e: &mut Emitter<'p>,
    body: &mut Body<'p>,
    iter: Iter,
    (first, from, to): (Value, Value, Value),
) -> (Value, Value) {
    if body.waiting.is_empty() {
        return (from, to);
    }
    e.test_guards(body);
    let ends = (e.f.add(first, from), e.f.add(first, to));
    let (lo, hi, _) = e.narrowed(body, iter, ends);
    (e.f.sub(lo, first), e.f.sub(hi, first))
}
