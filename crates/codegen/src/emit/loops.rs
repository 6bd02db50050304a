//! Loops: serial ones, ones whose bounds differ between lanes, and vector ones.

use super::Emitter;
use super::ops::{V, built};
use super::value::{Slot, Value};
use crate::kernel::INTERRUPTED;
use inkwell::values::{InstructionOpcode as Op, IntValue};
use inkwell::{AtomicOrdering, IntPredicate};
use weft_base::entity::SecondaryMap;
use weft_loops::{ExprData, For, ForKind, Function, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// The most lanes of a vector loop.
const MOST_LANES: u32 = 64;

/// Vectors of partial sums in a reduction, enough to hide the latency of an addition.
const PARTIALS: u32 = 4;

/// Whether any statement, nested ones included, satisfies `test`.
pub(super) fn writes(body: &[Stmt], test: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    body.iter().any(|stmt| test(stmt) || stmt.blocks().any(|block| writes(block, test)))
}

pub(super) fn has_loop(body: &[Stmt]) -> bool {
    writes(body, &mut |stmt| matches!(stmt, Stmt::For(_)))
}

/// How a vector loop's body uses locals.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) set: SecondaryMap<Local, bool>,
    accumulated: SecondaryMap<Local, Option<BinaryOp>>,
}

impl Uses {
    pub(super) fn compute(body: &[Stmt]) -> Uses {
        let mut uses = Uses::default();
        writes(body, &mut |stmt| {
            match stmt {
                Stmt::Set { local, .. } => uses.set[*local] = true,
                Stmt::Accumulate { local, op, .. } => uses.accumulated[*local] = Some(*op),
                _ => {}
            }
            false
        });
        uses
    }

    /// Accumulators that cross the loop's iterations, with their operators.
    pub(super) fn reductions(&self, function: &Function) -> Vec<(Local, BinaryOp)> {
        let crosses = |l: Local| self.accumulated[l].filter(|_| !self.set[l]).map(|op| (l, op));
        function.locals.keys().filter_map(crosses).collect()
    }
}

/// A partial result that an outer loop keeps in lanes.
struct Partial<'c> {
    local: Local,
    op: BinaryOp,
    cell: Slot<'c>,
    lanes: u32,
}

fn is_read(function: &Function, body: &[Stmt], l: Local) -> bool {
    let holds = |stmt: &Stmt| {
        let reachable = function.reachable(&stmt.exprs());
        reachable.into_iter().any(|e| function.expr(e) == ExprData::Local(l))
    };
    writes(body, &mut |stmt| holds(stmt))
}

fn accumulates(stmt: &Stmt, l: Local) -> bool {
    matches!(stmt, Stmt::Accumulate { local, .. } if *local == l)
}

/// The vector loop that holds all accumulation into a local, if there is one.
fn only_vector_loop(body: &[Stmt], l: Local) -> Option<&For> {
    let mut holders = body
        .iter()
        .filter(|stmt| writes(std::slice::from_ref(*stmt), &mut |stmt| accumulates(stmt, l)));
    let (Some(holder), None) = (holders.next(), holders.next()) else { return None };
    match holder {
        Stmt::For(f) if matches!(f.kind, ForKind::Vector(_)) => Some(f),
        // The body of a parallel loop is a function of its own.
        Stmt::For(f) if f.kind == ForKind::Parallel => None,
        Stmt::For(f) => only_vector_loop(&f.body, l),
        Stmt::If { then, otherwise, .. } if otherwise.is_empty() => only_vector_loop(then, l),
        _ => None,
    }
}

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn for_loop(&mut self, f: &'a For) {
        let (lo, hi) = (self.eval(f.lo), self.eval(f.hi));
        self.depth += 1;
        let lanes = self.lanes_for(f);
        match (lo, hi) {
            (Value::Uniform(lo), Value::Uniform(hi)) if lanes > 1 => {
                self.vector_for(f, (lo.into_int_value(), hi.into_int_value()), lanes);
            }
            (Value::Uniform(lo), Value::Uniform(hi)) if self.forks(f) => {
                self.parallel_for(f, (lo.into_int_value(), hi.into_int_value()));
            }
            _ => {
                let poll = self.lanes == 1 && self.depth <= 2 && has_loop(&f.body);
                let partials = self.open_partials(f);
                self.serial_loop(lo, hi, f.step, poll, &mut |this, value| {
                    this.vars[f.var] = Some(value);
                    this.block(&f.body);
                });
                self.close_partials(partials);
            }
        }
        self.vars[f.var] = None;
        self.depth -= 1;
    }

    /// Accumulators whose partial results stay in lanes over all iterations of a serial
    /// loop: those that only one vector loop inside adds to and nothing inside reads.
    fn open_partials(&mut self, f: &'a For) -> Vec<Partial<'c>> {
        let mut opened = Vec::new();
        if self.lanes > 1 || !has_loop(&f.body) {
            return opened;
        }
        let uses = Uses::compute(&f.body);
        for (l, op) in uses.reductions(self.function) {
            let alone = self.partials[l].is_none() && !is_read(self.function, &f.body, l);
            let lanes = only_vector_loop(&f.body, l).map_or(1, |inner| self.lanes_for(inner));
            if alone && lanes > 1 {
                let outer = self.locals[l];
                self.lanes = lanes;
                self.new_cell(l);
                self.write_identity(l, op);
                self.lanes = 1;
                let cell = std::mem::replace(&mut self.locals[l], outer);
                self.partials[l] = Some(cell);
                opened.push(Partial { local: l, op, cell, lanes });
            }
        }
        opened
    }

    fn close_partials(&mut self, opened: Vec<Partial<'c>>) {
        for Partial { local, op, cell, lanes } in opened {
            self.partials[local] = None;
            self.combine(local, op, cell, lanes);
        }
    }

    /// Whether a loop is run by threads.
    fn forks(&self, f: &For) -> bool {
        let reorders = self.function.strict && self.reorders(f);
        f.kind == ForKind::Parallel && self.lanes == 1 && !self.forked && !reorders
    }

    /// Lanes for a loop: 1 if it is or must be serial.
    fn lanes_for(&self, f: &For) -> u32 {
        let ForKind::Vector(wanted) = f.kind else { return 1 };
        if self.lanes > 1 || self.function.strict && self.reorders(f) {
            return 1;
        }
        wanted.map_or_else(|| self.natural_lanes(f), u32::from)
    }

    /// Whether lanes would add or multiply floats in another order than written.
    fn reorders(&self, f: &For) -> bool {
        Uses::compute(&f.body).reductions(self.function).iter().any(|&(l, op)| {
            self.function.locals[l].ty.is_float() && matches!(op, BinaryOp::Add | BinaryOp::Mul)
        })
    }

    /// As many lanes as a register has for the widest element, several registers for a
    /// plain reduction, fewer where the loop is known to be short.
    fn natural_lanes(&self, f: &For) -> u32 {
        let mut lanes = self.options.target.vector_bytes / self.widest(&f.body).bytes() as u32;
        let reduces = !Uses::compute(&f.body).reductions(self.function).is_empty();
        if reduces && !has_loop(&f.body) {
            lanes = (lanes * PARTIALS).min(MOST_LANES);
        }
        let bounds = (self.function.as_int(f.lo), self.function.as_int(f.hi));
        if let (Some(lo), Some(hi)) = bounds {
            let trips = hi.abs_diff(lo).div_ceil(f.step.unsigned_abs());
            while lanes > 1 && u64::from(lanes / 2) >= trips {
                lanes /= 2;
            }
        }
        lanes
    }

    /// The widest type that a body loads, stores or keeps in locals.
    fn widest(&self, body: &[Stmt]) -> ScalarType {
        let mut widest = ScalarType::Bool;
        let mut see = |ty: ScalarType| {
            if ty.bytes() > widest.bytes() {
                widest = ty;
            }
        };
        writes(body, &mut |stmt| {
            match stmt {
                Stmt::Store { buffer, .. } => see(self.function.buffers[*buffer].elem),
                Stmt::Accumulate { local, .. } => see(self.function.locals[*local].ty),
                _ => {}
            }
            for e in self.function.reachable(&stmt.exprs()) {
                if let ExprData::Load { buffer, .. } = self.function.expr(e) {
                    see(self.function.buffers[buffer].elem);
                }
            }
            false
        });
        if widest == ScalarType::Bool { ScalarType::I32 } else { widest }
    }

    /// Runs `body` for each value in order.
    pub(super) fn serial_loop(
        &mut self,
        lo: Value<'c>,
        hi: Value<'c>,
        step: i64,
        poll: bool,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        match (lo, hi) {
            (Value::Uniform(lo), Value::Uniform(hi)) => {
                let range = (lo.into_int_value(), hi.into_int_value());
                self.uniform_loop(range, step, poll, body);
            }
            _ => self.divergent_loop(lo, hi, step, body),
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
        poll: bool,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        let count = self.trip_count(lo, hi, step);
        self.counted(count, 1, poll, &mut |this, k| {
            let offset = this.int(Op::Mul, k, this.ops.i64(step));
            body(this, Value::Uniform(this.int(Op::Add, lo, offset).into()));
        });
    }

    /// Runs `body` with 0, `stride`, … below `count`, which is a multiple of `stride`.
    pub(super) fn counted(
        &mut self,
        count: IntValue<'c>,
        stride: i64,
        poll: bool,
        body: &mut dyn FnMut(&mut Self, IntValue<'c>),
    ) {
        let before = self.here();
        let (head, end) = (self.new_block("loop"), self.new_block("loop.end"));
        let zero = self.ops.i64(0);
        let some = self.ops.icmp(IntPredicate::NE, count.into(), zero.into()).into_int_value();
        self.jump_if(some, head, end);
        self.at(head);
        let phi = built(self.ops.builder.build_phi(zero.get_type(), ""));
        let k = phi.as_basic_value().into_int_value();
        if poll {
            self.poll();
        }
        body(self, k);
        let next = built(self.ops.builder.build_int_nuw_add(k, self.ops.i64(stride), ""));
        let more = self.ops.icmp(IntPredicate::NE, next.into(), count.into()).into_int_value();
        phi.add_incoming(&[(&zero, before), (&next, self.here())]);
        self.jump_if(more, head, end);
        self.at(end);
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

    fn vector_for(&mut self, f: &'a For, range: (IntValue<'c>, IntValue<'c>), lanes: u32) {
        let uses = Uses::compute(&f.body);
        let reductions = uses.reductions(self.function);
        let outside = self.locals.clone();
        self.lanes = lanes;
        for l in self.function.locals.keys() {
            if uses.set[l] && !self.single[l] {
                self.new_cell(l);
            }
        }
        for &(l, op) in &reductions {
            match self.partials[l] {
                Some(cell) => self.locals[l] = cell,
                None => {
                    self.new_cell(l);
                    self.write_identity(l, op);
                }
            }
        }
        self.lanes = 1;
        self.vector_loop(range, f.step, lanes, &mut |this, value| {
            this.vars[f.var] = Some(value);
            this.block(&f.body);
        });
        let partial = std::mem::replace(&mut self.locals, outside);
        for (l, op) in reductions {
            if self.partials[l].is_none() {
                self.combine(l, op, partial[l], lanes);
            }
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
            let half = |from: u32| -> V<'c> {
                let lanes: Vec<u32> = (from..from + width).collect();
                self.ops.shuffle(vector, &lanes).into()
            };
            value = arith.binary(op, ty, half(0), half(width));
        }
        let only = built(self.ops.builder.build_extract_element(
            value.into_vector_value(),
            self.ops.i64(0),
            "",
        ));
        let old = built(self.ops.builder.build_load(only.get_type(), total, ""));
        built(self.ops.builder.build_store(total, arith.binary(op, ty, old, only)));
    }

    /// Runs `body` for `lanes` values at a time, then once under a mask for those left.
    pub(super) fn vector_loop(
        &mut self,
        (lo, hi): (IntValue<'c>, IntValue<'c>),
        step: i64,
        lanes: u32,
        body: &mut dyn FnMut(&mut Self, Value<'c>),
    ) {
        let count = self.trip_count(lo, hi, step);
        let low_bits = self.ops.i64(i64::from(lanes) - 1);
        let left = self.int(Op::And, count, low_bits);
        let whole = self.int(Op::Sub, count, left);
        let step = self.ops.i64(step);
        let linear = |this: &Self, k: IntValue<'c>| {
            let offset = this.int(Op::Mul, k, step);
            Value::Linear { base: this.int(Op::Add, lo, offset), step }
        };
        self.lanes = lanes;
        if !is_zero(whole) {
            self.counted(whole, lanes.into(), false, &mut |this, k| {
                let value = linear(this, k);
                body(this, value);
            });
        }
        if !is_zero(left) {
            let limit = self.ops.splat(left.into(), lanes);
            let active = self.ops.icmp(IntPredicate::ULT, self.ops.iota(lanes), limit);
            let value = linear(self, whole);
            self.masked(active, &mut |this| body(this, value));
        }
        self.lanes = 1;
    }
}

fn is_zero(v: IntValue<'_>) -> bool {
    v.get_zero_extended_constant() == Some(0)
}

/// What changes nothing when combined; of addition -0, so that a sum of -0 stays -0.
fn identity(op: BinaryOp, ty: ScalarType) -> Scalar {
    match (op, ty) {
        (BinaryOp::Add, ScalarType::F32) => Scalar::F32(-0.0),
        (BinaryOp::Add, ScalarType::F64) => Scalar::F64(-0.0),
        (BinaryOp::Add | BinaryOp::Or, _) => Scalar::zero(ty),
        (BinaryOp::Mul | BinaryOp::And, _) => Scalar::one(ty),
        (BinaryOp::Min, ScalarType::F32) => Scalar::F32(f32::INFINITY),
        (BinaryOp::Min, ScalarType::F64) => Scalar::F64(f64::INFINITY),
        (BinaryOp::Min, ScalarType::I32) => Scalar::I32(i32::MAX),
        (BinaryOp::Min, ScalarType::I64) => Scalar::I64(i64::MAX),
        (BinaryOp::Min, ScalarType::Bool) => Scalar::Bool(true),
        (BinaryOp::Max, ScalarType::F32) => Scalar::F32(f32::NEG_INFINITY),
        (BinaryOp::Max, ScalarType::F64) => Scalar::F64(f64::NEG_INFINITY),
        (BinaryOp::Max, ScalarType::I32) => Scalar::I32(i32::MIN),
        (BinaryOp::Max, ScalarType::I64) => Scalar::I64(i64::MIN),
        (BinaryOp::Max, ScalarType::Bool) => Scalar::Bool(false),
        _ => unreachable!("verified: {} does not accumulate", op.name()),
    }
}
