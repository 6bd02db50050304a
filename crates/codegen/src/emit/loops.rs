//! Loops that run one iteration after another: in scalar code, and in lanes whose bounds
//! may differ.

use super::Emitter;
use super::lanes::MANY_SUMS;
use super::ops::{V, built};
use super::uses::has_loop;
use super::value::Value;
use crate::kernel::{INTERRUPTED, Progress};
use inkwell::values::{InstructionOpcode as Op, InstructionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, AtomicOrdering, IntPredicate};
use weft_loops::{For, ForKind, Stmt};

/// When a loop looks at the caller's flag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Poll {
    /// Inner loops take short; something outside looks.
    Never,
    /// Before each iteration.
    Each,
    /// After some milliseconds of short iterations.
    Blocks,
}

/// Rounds at once of a loop whose sums take most of the registers: enough that what
/// counts the rounds does not.
const WIDE_ROUNDS: u32 = 2;

/// Turns of a loop that nobody waits for.
const BRIEF: u64 = 16;

/// Iterations without loops between two looks at the caller's flag.
const POLLED_BLOCK: i64 = 1 << 20;

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn for_loop(&mut self, f: &'a For) {
        let (lo, hi) = (self.eval(f.lo), self.eval(f.hi));
        // A few turns are no loop to look from, nor one around others.
        let counts = u32::from(!self.is_brief(f));
        self.depth += counts;
        let widths = self.widths_for(f);
        match (lo, hi, widths) {
            (Value::Uniform(lo), Value::Uniform(hi), Some(widths)) => {
                self.vector_for(f, (lo.into_int_value(), hi.into_int_value()), widths);
            }
            (Value::Uniform(lo), Value::Uniform(hi), None) if self.forks(f) => {
                self.parallel_for(f, (lo.into_int_value(), hi.into_int_value()));
            }
            _ => {
                let poll = match self.lanes == 1 && self.depth <= 2 && counts > 0 {
                    true if has_loop(&f.body) => Poll::Each,
                    true => Poll::Blocks,
                    false => Poll::Never,
                };
                let partials = self.open_partials(f);
                let latch = self.serial_loop(lo, hi, f.step, poll, &mut |this, value| {
                    this.vars[f.var] = Some(value);
                    this.block(&f.body);
                });
                if let Some(latch) = latch {
                    self.tune(f, latch);
                }
                self.close_partials(partials);
            }
        }
        self.vars[f.var] = None;
        self.depth -= counts;
    }

    /// Says how a serial loop is unrolled: not where it holds others, if only a vector that
    /// is no loop any more, since its rounds take long; and a little in lanes with many sums,
    /// so that rounds do not wait for each other.
    fn tune(&self, f: &For, latch: InstructionValue<'c>) {
        let sums = f.body.iter().filter(|s| matches!(s, Stmt::Accumulate { .. })).count();
        if has_loop(&f.body) && !self.is_brief(f) {
            self.ops.keep_rolled(latch);
        } else if self.lanes > 1 && sums >= MANY_SUMS as usize {
            self.ops.unroll(latch, WIDE_ROUNDS);
        }
    }

    /// Whether a loop has few turns, as is known now.
    fn is_brief(&self, f: &For) -> bool {
        match (self.function.as_int(f.lo), self.function.as_int(f.hi)) {
            (Some(lo), Some(hi)) => lo.abs_diff(hi) <= BRIEF * f.step.unsigned_abs(),
            _ => false,
        }
    }

    /// Whether a loop is run by threads.
    fn forks(&self, f: &For) -> bool {
        let reorders = self.function.strict && self.reorders(f);
        f.kind == ForKind::Parallel && self.lanes == 1 && !self.forked && !reorders
    }

    /// Runs `body` for each value in order; gives the branch back where there is one.
    pub(super) fn serial_loop(
        &mut self,
        lo: Value<'c>,
        hi: Value<'c>,
        step: i64,
        poll: Poll,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) -> Option<InstructionValue<'c>> {
        match (lo, hi) {
            (Value::Uniform(lo), Value::Uniform(hi)) => {
                let range = (lo.into_int_value(), hi.into_int_value());
                Some(self.uniform_loop(range, step, poll, body))
            }
            _ => {
                self.divergent_loop(lo, hi, step, body);
                None
            }
        }
    }

    /// How often a loop runs, unsigned.
    pub(super) fn trip_count(&self, lo: IntValue<'c>, hi: IntValue<'c>, step: i64) -> IntValue<'c> {
        let runs = self.runs(lo.into(), hi.into(), step);
        let count = self.trips_if_any(lo.into(), hi.into(), step);
        self.ops.select(runs, count, self.ops.i64(0).into()).into_int_value()
    }

    fn runs(&self, lo: V<'c>, hi: V<'c>, step: i64) -> V<'c> {
        let predicate = if step > 0 { IntPredicate::SLT } else { IntPredicate::SGT };
        self.ops.icmp(predicate, lo, hi)
    }

    /// How often a loop runs that runs at least once.
    fn trips_if_any(&self, lo: V<'c>, hi: V<'c>, step: i64) -> V<'c> {
        let lanes = super::ops::lanes_of(lo);
        let (from, to) = if step > 0 { (lo, hi) } else { (hi, lo) };
        let distance = self.ops.bin(Op::Sub, to, from);
        let step = step.unsigned_abs();
        if step == 1 {
            return distance;
        }
        let one = self.ops.splat(self.ops.i64(1).into(), lanes);
        let step = self.ops.splat(self.ops.i64(step as i64).into(), lanes);
        let less = self.ops.bin(Op::Sub, distance, one);
        let whole = self.ops.bin(Op::UDiv, less, step);
        self.ops.bin(Op::Add, whole, one)
    }

    pub(super) fn int(&self, op: Op, a: IntValue<'c>, b: IntValue<'c>) -> IntValue<'c> {
        self.ops.bin(op, a.into(), b.into()).into_int_value()
    }

    fn uniform_loop(
        &mut self,
        (lo, hi): (IntValue<'c>, IntValue<'c>),
        step: i64,
        poll: Poll,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) -> InstructionValue<'c> {
        let count = self.trip_count(lo, hi, step);
        let mut iteration = |this: &mut Self, k| {
            let offset = this.int(Op::Mul, k, this.ops.i64(step));
            body(this, Value::Uniform(this.int(Op::Add, lo, offset).into()));
        };
        match poll {
            Poll::Blocks => self.counted_in_blocks(count, 1, &mut iteration),
            _ => self.counted(count, 1, poll == Poll::Each, &mut iteration),
        }
    }

    /// Runs `body` with 0, `stride`, … below `count`, which is a multiple of `stride`, looking
    /// at the caller's flag now and then; gives the inner branch back. The stride divides
    /// [`POLLED_BLOCK`].
    pub(super) fn counted_in_blocks(
        &mut self,
        count: IntValue<'c>,
        stride: i64,
        body: &mut dyn FnMut(&mut Self, IntValue<'c>),
    ) -> InstructionValue<'c> {
        let size = self.ops.i64(POLLED_BLOCK);
        let less = self.ops.i64(POLLED_BLOCK - 1);
        let blocks = self.int(Op::UDiv, self.int(Op::Add, count, less), size);
        let mut inner = None;
        let outer = self.counted(blocks, 1, true, &mut |this, block| {
            let first = this.int(Op::Mul, block, size);
            let left = this.int(Op::Sub, count, first);
            let whole = this.ops.icmp(IntPredicate::ULT, size.into(), left.into());
            let length = this.ops.select(whole, size.into(), left.into()).into_int_value();
            inner = Some(this.counted(length, stride, false, &mut |this, k| {
                let k = this.int(Op::Add, first, k);
                body(this, k);
            }));
        });
        inner.unwrap_or(outer)
    }

    /// Runs `body` with 0, `stride`, … below `count`, which is a multiple of `stride`; gives
    /// the branch back.
    pub(super) fn counted(
        &mut self,
        count: IntValue<'c>,
        stride: i64,
        poll: bool,
        body: &mut dyn FnMut(&mut Self, IntValue<'c>),
    ) -> InstructionValue<'c> {
        let zero = self.ops.i64(0);
        let watched = poll && self.depth == 1 && !self.forked;
        let progress = watched.then(|| self.begin_progress(count));
        let before = self.here();
        let (head, end) = (self.new_block("loop"), self.new_block("loop.end"));
        let some = self.ops.icmp(IntPredicate::NE, count.into(), zero.into()).into_int_value();
        self.jump_if(some, head, end);
        self.at(head);
        let phi = built(self.ops.builder.build_phi(zero.get_type(), ""));
        let k = phi.as_basic_value().into_int_value();
        if poll {
            self.poll();
        }
        if let Some(done) = progress {
            self.ops.store_relaxed(done, k);
        }
        body(self, k);
        let next = built(self.ops.builder.build_int_nuw_add(k, self.ops.i64(stride), ""));
        let more = self.ops.icmp(IntPredicate::NE, next.into(), count.into()).into_int_value();
        phi.add_incoming(&[(&zero, before), (&next, self.here())]);
        let latch = self.jump_if(more, head, end);
        self.at(end);
        if progress.is_some() {
            self.begin_progress(zero);
        }
        latch
    }

    /// Tells whoever watches that a loop of so many turns begins, or with 0 that it ended;
    /// gives where to write the turns done.
    fn begin_progress(&self, count: IntValue<'c>) -> PointerValue<'c> {
        let context = self.ops.context();
        let byte = context.i8_type().into();
        let offset = |bytes: usize| self.ops.i64(bytes as i64);
        let field = offset(std::mem::offset_of!(crate::Status, progress));
        let field = self.ops.element(byte, self.status, field);
        let pointer = context.ptr_type(AddressSpace::default());
        let at = built(self.ops.builder.build_load(pointer, field, "")).into_pointer_value();
        self.ops.store_relaxed(at, self.ops.i64(0));
        let total = self.ops.element(byte, at, offset(Progress::TOTAL));
        self.ops.store_relaxed(total, count);
        at
    }

    /// Returns if the caller's flag is set.
    fn poll(&mut self) {
        let i8 = self.ops.context().i8_type();
        let flag = built(self.ops.builder.build_load(i8, self.interrupt, ""));
        let load = inkwell::values::BasicValue::as_instruction_value(&flag).expect("a load");
        load.set_atomic_ordering(AtomicOrdering::Monotonic).expect("loads can be monotonic");
        let set = self.ops.icmp(IntPredicate::NE, flag, i8.const_zero().into()).into_int_value();
        let (stop, go) = (self.new_block("interrupted"), self.new_block("go"));
        self.jump_if(set, stop, go);
        self.at(stop);
        let code = self.ops.context().i32_type().const_int(INTERRUPTED, false);
        built(self.ops.builder.build_return(Some(&code)));
        self.at(go);
    }

    /// A loop whose bounds differ between lanes: it runs as long as any lane does, each
    /// lane masked out after its own last iteration.
    fn divergent_loop(
        &mut self,
        lo: Value<'c>,
        hi: Value<'c>,
        step: i64,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        let (first, last) = (self.spread(lo), self.spread(hi));
        let runs = self.runs(first, last, step);
        let none = self.ops.splat(self.ops.i64(0).into(), self.lanes);
        let counts = self.ops.select(runs, self.trips_if_any(first, last, step), none);
        let counts = match self.mask {
            Some(mask) => self.ops.select(mask, counts, none),
            None => counts,
        };
        let most = super::ops::result(self.ops.intrinsic(
            "llvm.vector.reduce.umax",
            &[counts.get_type()],
            &[counts],
        ));
        self.counted(most.into_int_value(), 1, false, &mut |this, k| {
            let offset = this.int(Op::Mul, k, this.ops.i64(step));
            let value = match lo {
                Value::Uniform(lo) => {
                    Value::Uniform(this.int(Op::Add, lo.into_int_value(), offset).into())
                }
                _ => {
                    let offset = this.ops.splat(offset.into(), this.lanes);
                    Value::Varying(this.ops.bin(Op::Add, first, offset))
                }
            };
            let turn = this.ops.splat(k.into(), this.lanes);
            let active = this.ops.icmp(IntPredicate::ULT, turn, counts);
            let outer = this.mask.replace(active);
            body(this, value);
            this.mask = outer;
        });
    }
}
