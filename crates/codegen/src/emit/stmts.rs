//! Statements.

use super::Emitter;
use super::loops::Poll;
use super::ops::{V, built};
use super::uses::writes;
use super::value::{Slot, Value};
use crate::kernel::TRAPPED;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionOpcode as Op, InstructionValue, IntValue};
use weft_loops::{Buffer, Expr, ExprData, Local, Stmt};
use weft_scalar::BinaryOp;

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn block(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            self.begin_statement();
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For(f) => self.for_loop(f),
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Stmt::Store { buffer, index, value } => {
                let index = self.eval(*index);
                let value = self.eval(*value);
                self.store(*buffer, index, value);
            }
            Stmt::Set { local, value } => self.set(*local, *value),
            Stmt::Accumulate { local, op, value } => self.accumulate(*local, *op, *value),
            Stmt::Scan { locals, op, values, by } => self.scan(locals, *op, values, by),
            Stmt::Fill { buffer, lo, hi, value } => self.fill(*buffer, *lo, *hi, *value),
            Stmt::Call { local, function, args, site, point } => {
                self.call_function((*local, *function), args, *site, point);
            }
            Stmt::Flag { cond } => self.flag(*cond),
            Stmt::Trap { site, args } => self.trap(*site, args),
        }
    }

    pub(super) fn new_block(&self, name: &str) -> BasicBlock<'c> {
        self.ops.context().append_basic_block(self.body, name)
    }

    pub(super) fn at(&self, block: BasicBlock<'c>) {
        self.ops.builder.position_at_end(block);
    }

    pub(super) fn here(&self) -> BasicBlock<'c> {
        self.ops.builder.get_insert_block().expect("the builder is positioned")
    }

    pub(super) fn jump(&self, to: BasicBlock<'c>) {
        built(self.ops.builder.build_unconditional_branch(to));
    }

    pub(super) fn jump_if(
        &self,
        cond: IntValue<'c>,
        then: BasicBlock<'c>,
        otherwise: BasicBlock<'c>,
    ) -> InstructionValue<'c> {
        built(self.ops.builder.build_conditional_branch(cond, then, otherwise))
    }

    fn branch(&mut self, cond: Expr, then: &'a [Stmt], otherwise: &'a [Stmt]) {
        match self.eval(cond) {
            Value::Uniform(cond) => {
                let (yes, no, end) =
                    (self.new_block("then"), self.new_block("else"), self.new_block("end"));
                self.jump_if(cond.into_int_value(), yes, no);
                for (block, body) in [(yes, then), (no, otherwise)] {
                    self.at(block);
                    self.block(body);
                    self.jump(end);
                }
                self.at(end);
            }
            cond => {
                let cond = self.spread(cond);
                self.under(cond, then);
                self.under(self.ops.not(cond), otherwise);
            }
        }
    }

    /// Runs a body in the lanes where a condition holds, if there are any.
    fn under(&mut self, cond: V<'c>, body: &'a [Stmt]) {
        if !body.is_empty() {
            self.masked(cond, &mut |this| this.block(body));
        }
    }

    /// Runs code in the lanes where a condition holds, if there are any.
    pub(super) fn masked(&mut self, cond: V<'c>, code: &mut dyn FnMut(&mut Self)) {
        let outer = self.mask;
        let mask = match outer {
            Some(outer) => self.ops.bin(Op::And, outer, cond),
            None => cond,
        };
        let (some, end) = (self.new_block("lanes"), self.new_block("end"));
        self.jump_if(self.ops.any(mask), some, end);
        self.at(some);
        self.mask = Some(mask);
        code(self);
        self.mask = outer;
        self.jump(end);
        self.at(end);
    }

    fn set(&mut self, local: Local, value: Expr) {
        let value = self.eval(value);
        self.set_to(local, value);
    }

    /// Gives a local its value.
    pub(super) fn set_to(&mut self, local: Local, value: Value<'c>) {
        if self.single[local] {
            self.locals[local] = Slot::Fixed(value);
            return;
        }
        self.write_cell(local, value);
    }

    /// Writes the lanes that run.
    pub(super) fn write_cell(&mut self, local: Local, value: Value<'c>) {
        let Slot::Cell { at, lanes } = self.locals[local] else {
            unreachable!("every local that is not set once has a cell");
        };
        debug_assert_eq!(lanes, self.lanes, "a cell belongs to the loop that sets it");
        let mut value = self.spread(value);
        if let Some(mask) = self.mask.filter(|_| !self.writes_all(local)) {
            let old = built(self.ops.builder.build_load(value.get_type(), at, ""));
            value = self.ops.select(mask, value, old);
        }
        built(self.ops.builder.build_store(at, value));
    }

    /// Whether what the lanes that do not run hold of a local is never looked at: it is the
    /// iteration's own, and these lanes have none.
    fn writes_all(&self, local: Local) -> bool {
        self.mask == self.filled && self.partials[local].is_empty()
    }

    pub(super) fn accumulate(&mut self, local: Local, op: BinaryOp, value: Expr) {
        let value = self.eval_lanes(value);
        let ty = self.function.locals[local].ty;
        let Slot::Cell { at, .. } = self.locals[local] else {
            unreachable!("an accumulator has a cell");
        };
        let old = built(self.ops.builder.build_load(value.get_type(), at, ""));
        let sum = self.arith().binary(op, ty, old, value);
        self.write_cell(local, Value::Varying(sum));
    }

    fn fill(&mut self, buffer: Buffer, lo: Expr, hi: Expr, value: Expr) {
        let (lo, hi) = (self.eval(lo), self.eval(hi));
        let filler = self.eval(value);
        let zero = matches!(self.function.expr(value), ExprData::Const(c) if c.bits() == 0);
        let (Value::Uniform(start), Value::Uniform(end), 1) = (lo, hi, self.lanes) else {
            self.serial_loop(lo, hi, 1, Poll::Never, &mut |this, i| this.store(buffer, i, filler));
            return;
        };
        if zero {
            self.fill_zero(buffer, start.into_int_value(), end.into_int_value());
            return;
        }
        let lanes = self.options.target.processor.vector_bytes
            / self.function.buffers[buffer].elem.bytes() as u32;
        let range = (start.into_int_value(), end.into_int_value());
        self.vector_loop(range, lanes, &mut |this, i| this.store(buffer, i, filler));
    }

    fn fill_zero(&mut self, buffer: Buffer, lo: IntValue<'c>, hi: IntValue<'c>) {
        self.check_range(buffer, lo, hi);
        let elem = self.function.buffers[buffer].elem;
        let count = self.trip_count(lo, hi, 1);
        let width = self.ops.i64(elem.bytes() as i64);
        let bytes = self.ops.bin(Op::Mul, count.into(), width.into()).into_int_value();
        let memory = self.ops.memory_type(elem);
        let at = self.ops.element(memory, self.buffers[buffer], lo);
        let zero = self.ops.context().i8_type().const_zero();
        let memset = self.ops.builder.build_memset(at, elem.bytes() as u32, zero, bytes);
        memset.expect("an alignment that is a power of two");
    }

    /// Records the arguments in the first lane that runs, and returns. Code never runs
    /// under an empty mask, so nothing is left to decide here.
    fn trap(&mut self, site: u32, args: &'a [Expr]) {
        let lane = self.mask.map(|mask| self.first_lane(mask));
        let i32 = self.ops.context().i32_type();
        self.write_status(1, i32.const_int(site.into(), false).into());
        self.write_status(2, i32.const_int(args.len() as u64, false).into());
        for (i, &arg) in args.iter().enumerate() {
            let value = self.eval(arg);
            let value = self.in_lane(value, lane);
            self.write_status(3 + i as u64, value);
        }
        built(self.ops.builder.build_return(Some(&i32.const_int(TRAPPED, false))));
        // Whatever follows is unreachable but must stand somewhere.
        let dead = self.new_block("dead");
        self.at(dead);
    }

    pub(super) fn first_lane(&self, mask: V<'c>) -> IntValue<'c> {
        let word = self.ops.mask_word(mask.into_vector_value());
        let poison = self.ops.context().bool_type().const_all_ones();
        let count = self.ops.math("llvm.cttz", &[word.into(), poison.into()]).into_int_value();
        let i64 = self.ops.context().i64_type();
        built(self.ops.builder.build_int_z_extend_or_bit_cast(count, i64, ""))
    }

    /// The value in one lane, by default the first.
    fn in_lane(&self, value: Value<'c>, lane: Option<IntValue<'c>>) -> V<'c> {
        match value {
            Value::Uniform(v) => v,
            other => {
                let vector = self.spread(other).into_vector_value();
                let lane = lane.unwrap_or_else(|| self.ops.i64(0));
                built(self.ops.builder.build_extract_element(vector, lane, ""))
            }
        }
    }

    /// Writes a field of the status: 1 the site, 2 the count, from 3 on the arguments.
    pub(super) fn write_status(&self, field: u64, value: V<'c>) {
        let offset = match field {
            1 => std::mem::offset_of!(crate::Status, site),
            2 => std::mem::offset_of!(crate::Status, arg_count),
            n => std::mem::offset_of!(crate::Status, args) + (n as usize - 3) * 8,
        };
        let byte = self.ops.context().i8_type().into();
        let at = self.ops.element(byte, self.status, self.ops.i64(offset as i64));
        built(self.ops.builder.build_store(at, value));
    }
}

/// Which locals have one `Set` and no `Accumulate`, so that they are values, not memory.
///
/// A `Set` beside a trap in the other branch reaches code after the `If` without
/// dominating it once the branches become masks; such locals are not taken.
pub(super) fn single_assignments(
    function: &weft_loops::Function,
) -> weft_base::entity::SecondaryMap<Local, bool> {
    let mut counts = weft_base::entity::SecondaryMap::new();
    count_sets(&function.body, 1, &mut counts);
    let mut single = weft_base::entity::SecondaryMap::new();
    for l in function.locals.keys() {
        single[l] = counts[l] == 1;
    }
    single
}

fn count_sets(
    body: &[Stmt],
    weight: u32,
    counts: &mut weft_base::entity::SecondaryMap<Local, u32>,
) {
    for stmt in body {
        let mut weight = weight;
        match stmt {
            Stmt::Set { local, .. } | Stmt::Call { local, .. } => {
                counts[*local] = counts[*local].saturating_add(weight);
            }
            Stmt::Accumulate { local, .. } => counts[*local] = 2,
            Stmt::Scan { locals, .. } => locals.iter().for_each(|&l| counts[l] = 2),
            Stmt::If { then, otherwise, .. } if traps(then) || traps(otherwise) => weight = 2,
            _ => {}
        }
        for block in stmt.blocks() {
            count_sets(block, weight, counts);
        }
    }
}

fn traps(body: &[Stmt]) -> bool {
    writes(body, &mut |stmt| matches!(stmt, Stmt::Trap { .. }))
}
