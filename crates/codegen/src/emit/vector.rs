//! Vector loops: full vectors, then what is left under a mask; and the partial results of
//! reductions, one per lane.

use super::Emitter;
use super::lanes::Widths;
use super::loops::Poll;
use super::ops::{V, built};
use super::uses::{Uses, has_loop, is_read, only_vector_loop};
use super::value::{Slot, Value};
use inkwell::IntPredicate;
use inkwell::values::{InstructionOpcode as Op, IntValue};
use weft_loops::{For, Local};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// A partial result of some lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial<'c> {
    cell: Slot<'c>,
    lanes: u32,
}

/// The range of a vector loop, taken apart.
struct Split<'c> {
    lo: IntValue<'c>,
    step: IntValue<'c>,
    /// Iterations in full vectors.
    whole: IntValue<'c>,
    /// Iterations in all.
    count: IntValue<'c>,
}

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn vector_for(
        &mut self,
        f: &'a For,
        range: (IntValue<'c>, IntValue<'c>),
        widths: Widths,
    ) {
        let Widths { wide, narrow, once } = widths;
        let uses = Uses::compute(&f.body);
        let reductions = uses.reductions(self.function);
        let mut opened = reductions.clone();
        opened.retain(|&(l, _)| self.open_partial(l, widths));
        for &(l, op) in &opened {
            self.clear_partial(l, op);
        }
        let scans = uses.scans(self.function);
        let outside = self.locals.clone();
        self.open_carries(&scans, wide);
        let mut body = |this: &mut Self, value: Value<'c>| {
            this.vars[f.var] = Some(value);
            this.block(&f.body);
        };
        let mut split = self.split(range, f.step, wide);
        if once {
            split.whole = self.ops.i64(0);
        }
        self.enter(&uses, &reductions, wide);
        let notes = self.open_notes(f, wide);
        let narrow_notes = if narrow == wide { None } else { self.open_notes(f, narrow) };
        self.notes = notes;
        self.ahead = self.is_stream(f).then(Default::default);
        let poll = self.polls_in_lanes(!scans.is_empty());
        self.whole_vectors(&split, wide, poll, &mut body);
        self.ahead = None;
        if narrow == wide {
            self.rest_at_once(&split, wide, &mut body);
        } else {
            self.locals = outside.clone();
            self.enter(&uses, &reductions, narrow);
            self.notes = narrow_notes;
            self.rest_in_vectors(&split, narrow, &mut body);
        }
        self.notes = None;
        self.close_notes(notes);
        self.close_notes(narrow_notes);
        self.locals = outside;
        self.close_carries(&scans);
        for (l, op) in opened {
            self.close_partial(l, op);
        }
    }

    /// Gives the body's locals cells of some lanes: its own new ones, and for reductions
    /// those of the partial results.
    fn enter(&mut self, uses: &Uses, reductions: &[(Local, BinaryOp)], lanes: u32) {
        self.lanes = lanes;
        for l in self.function.locals.keys() {
            if (uses.set[l] || self.carries[l].is_some()) && !self.single[l] {
                self.new_cell(l);
            }
        }
        self.lanes = 1;
        for &(l, _) in reductions {
            let partial = self.partials[l].iter().find(|partial| partial.lanes == lanes);
            self.locals[l] = partial.expect("made before the loop").cell;
        }
    }

    /// Makes partial results for an accumulator, unless a loop around has.
    fn open_partial(&mut self, l: Local, Widths { wide, narrow, .. }: Widths) -> bool {
        if !self.partials[l].is_empty() {
            return false;
        }
        let outer = self.locals[l];
        for lanes in [wide, narrow].into_iter().take(1 + usize::from(wide != narrow)) {
            self.lanes = lanes;
            self.new_cell(l);
            let cell = self.locals[l];
            self.partials[l].push(Partial { cell, lanes });
        }
        self.lanes = 1;
        self.locals[l] = outer;
        true
    }

    /// Sets new partial results to what changes nothing.
    fn clear_partial(&mut self, l: Local, op: BinaryOp) {
        let outer = self.locals[l];
        for Partial { cell, .. } in self.partials[l].clone() {
            self.locals[l] = cell;
            self.write_identity(l, op);
        }
        self.locals[l] = outer;
    }

    /// Adds partial results to their accumulator.
    fn close_partial(&mut self, l: Local, op: BinaryOp) {
        for Partial { cell, lanes } in std::mem::take(&mut self.partials[l]) {
            self.combine(l, op, cell, lanes);
        }
    }

    /// Accumulators whose partial results stay in lanes over all iterations of a serial
    /// loop: those that only one vector loop inside adds to and nothing inside reads.
    pub(super) fn open_partials(&mut self, f: &'a For) -> Vec<(Local, BinaryOp)> {
        let mut opened = Vec::new();
        if self.lanes > 1 || !has_loop(&f.body) {
            return opened;
        }
        for (l, op) in Uses::compute(&f.body).reductions(self.function) {
            let inner =
                only_vector_loop(&f.body, l).filter(|_| !is_read(self.function, &f.body, l));
            if let Some(widths) = inner.and_then(|inner| self.widths_for(inner))
                && self.open_partial(l, widths)
            {
                self.clear_partial(l, op);
                opened.push((l, op));
            }
        }
        opened
    }

    pub(super) fn close_partials(&mut self, opened: Vec<(Local, BinaryOp)>) {
        for (l, op) in opened {
            self.close_partial(l, op);
        }
    }

    pub(super) fn write_identity(&mut self, l: Local, op: BinaryOp) {
        let Slot::Cell { at, lanes } = self.locals[l] else { unreachable!("just made") };
        let identity = self.ops.constant(identity(op, self.function.locals[l].ty));
        built(self.ops.builder.build_store(at, self.ops.splat(identity, lanes)));
    }

    /// Folds the lanes of a partial result, halves upon halves, and adds it to the
    /// accumulator: an order fixed by the number of lanes.
    fn combine(&mut self, l: Local, op: BinaryOp, partial: Slot<'c>, lanes: u32) {
        let Slot::Cell { at, .. } = partial else { unreachable!("a reduction has a cell") };
        let Slot::Cell { at: total, .. } = self.locals[l] else {
            unreachable!("an accumulator has a cell");
        };
        let ty = self.function.locals[l].ty;
        let arith = self.arith();
        let mut value = built(self.ops.builder.build_load(self.ops.ty(ty, lanes), at, ""));
        let mut width = lanes;
        while width > 1 {
            width /= 2;
            let vector = value.into_vector_value();
            let lane = |at: u32| {
                let at = self.ops.i64(at.into());
                built(self.ops.builder.build_extract_element(vector, at, ""))
            };
            let half = |from: u32| -> V<'c> {
                if width == 1 {
                    return lane(from);
                }
                let lanes: Vec<u32> = (from..from + width).collect();
                self.ops.shuffle(vector, &lanes).into()
            };
            value = arith.binary(op, ty, half(0), half(width));
        }
        let only = value;
        let old = built(self.ops.builder.build_load(only.get_type(), total, ""));
        built(self.ops.builder.build_store(total, arith.binary(op, ty, old, only)));
    }

    fn split(&self, (lo, hi): (IntValue<'c>, IntValue<'c>), step: i64, lanes: u32) -> Split<'c> {
        let count = self.trip_count(lo, hi, step);
        let left = self.int(Op::And, count, self.ops.i64(i64::from(lanes) - 1));
        Split { lo, step: self.ops.i64(step), whole: self.int(Op::Sub, count, left), count }
    }

    /// The loop's variable from iteration `k` on.
    fn from(&self, split: &Split<'c>, k: IntValue<'c>) -> Value<'c> {
        let offset = self.int(Op::Mul, k, split.step);
        Value::Linear { base: self.int(Op::Add, split.lo, offset), step: split.step }
    }

    /// When a vector loop looks at the caller's flag: where no loop around it does, or few
    /// turns of that one can be all. One inside another has that look for it, but where its
    /// steps wait for each other: these alone may take hours, and do not feel the looking.
    fn polls_in_lanes(&self, scans: bool) -> Poll {
        match (self.depth, scans) {
            (1, _) | (2, true) => Poll::Blocks,
            _ => Poll::Never,
        }
    }

    fn whole_vectors(
        &mut self,
        split: &Split<'c>,
        lanes: u32,
        poll: Poll,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        if is_zero(split.whole) {
            return;
        }
        self.lanes = lanes;
        let mut vector = |this: &mut Self, k| {
            let value = this.from(split, k);
            body(this, value);
        };
        match poll {
            Poll::Blocks => self.counted_in_blocks(split.whole, lanes.into(), &mut vector),
            _ => self.counted(split.whole, lanes.into(), poll == Poll::Each, &mut vector),
        };
        self.lanes = 1;
    }

    /// Which of `lanes` iterations from `k` on there are.
    fn remaining(&self, split: &Split<'c>, k: IntValue<'c>, lanes: u32) -> V<'c> {
        let left = self.int(Op::Sub, split.count, k);
        let limit = self.ops.splat(left.into(), lanes);
        self.ops.icmp(IntPredicate::ULT, self.ops.iota(lanes), limit)
    }

    /// The rest, fewer than one vector.
    fn rest_at_once(
        &mut self,
        split: &Split<'c>,
        lanes: u32,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        if is_zero(self.int(Op::Sub, split.count, split.whole)) {
            return;
        }
        self.lanes = lanes;
        let active = self.remaining(split, split.whole, lanes);
        let value = self.from(split, split.whole);
        self.masked(active, &mut |this| {
            this.filled = this.mask;
            body(this, value);
            this.filled = None;
        });
        self.lanes = 1;
    }

    /// The rest, in narrower vectors of which the last may not be full.
    fn rest_in_vectors(
        &mut self,
        split: &Split<'c>,
        lanes: u32,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        let left = self.int(Op::Sub, split.count, split.whole);
        if is_zero(left) {
            return;
        }
        let up = self.int(Op::Add, left, self.ops.i64(i64::from(lanes) - 1));
        let count = self.int(Op::And, up, self.ops.i64(-i64::from(lanes)));
        self.lanes = lanes;
        let latch = self.counted(count, lanes.into(), false, &mut |this, k| {
            let k = this.int(Op::Add, split.whole, k);
            let outer = this.mask.replace(this.remaining(split, k, lanes));
            this.filled = this.mask;
            let value = this.from(split, k);
            body(this, value);
            (this.mask, this.filled) = (outer, None);
        });
        self.ops.keep_rolled(latch);
        self.lanes = 1;
    }

    /// Runs `body` for `lanes` values at a time, then once under a mask for those left.
    pub(super) fn vector_loop(
        &mut self,
        range: (IntValue<'c>, IntValue<'c>),
        lanes: u32,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        let split = self.split(range, 1, lanes);
        self.whole_vectors(&split, lanes, Poll::Never, body);
        self.rest_at_once(&split, lanes, body);
    }
}

fn is_zero(v: IntValue<'_>) -> bool {
    v.get_zero_extended_constant() == Some(0)
}

/// The value that changes nothing when combined; of addition -0, so that a sum of -0 stays -0.
pub(super) fn identity(op: BinaryOp, ty: ScalarType) -> Scalar {
    match op {
        BinaryOp::Add if ty.is_float() => weft_scalar::eval::cast(Scalar::F64(-0.0), ty),
        BinaryOp::Add | BinaryOp::Or => Scalar::zero(ty),
        BinaryOp::Mul | BinaryOp::And => Scalar::one(ty),
        BinaryOp::Min => Scalar::greatest(ty),
        BinaryOp::Max => Scalar::least(ty),
        _ => unreachable!("verified: {} does not accumulate", op.name()),
    }
}
