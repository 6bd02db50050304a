//! Bounds checks of every load and store, in code that is to be verified.
//!
//! Code without them relies on whoever made the loops: accesses are shown to be in
//! bounds above this level, or tested by statements of the loops. Here that is held to be
//! true, access by access, before memory is touched.

use super::Emitter;
use super::ops::{V, built};
use super::value::Value;
use crate::kernel::OUTSIDE;
use inkwell::IntPredicate;
use inkwell::values::{InstructionOpcode as Op, IntValue};
use weft_base::entity::{EntityRef, EntitySet};
use weft_loops::{Buffer, BufferKind, ExprData, Param};

impl<'a, 'c> Emitter<'a, 'c> {
    /// Computes the sizes of buffers at the beginning of a function, where everything in it
    /// sees them.
    pub(super) fn read_sizes(&mut self, buffers: impl IntoIterator<Item = Buffer>) {
        if !self.options.verify {
            return;
        }
        for b in buffers {
            let Value::Uniform(size) = self.eval(self.function.buffers[b].size) else {
                unreachable!("verified: over parameters");
            };
            self.sizes[b] = Some(size.into_int_value());
        }
        self.begin_statement();
    }

    /// The parameters that sizes of buffers are over, where they are looked at.
    pub(super) fn params_of_sizes(&self, buffers: &[Buffer]) -> EntitySet<Param> {
        let mut found = EntitySet::new();
        if self.options.verify {
            let sizes: Vec<_> = buffers.iter().map(|&b| self.function.buffers[b].size).collect();
            for e in self.function.reachable(&sizes) {
                if let ExprData::Param(p) = self.function.expr(e) {
                    found.insert(p);
                }
            }
        }
        found
    }

    fn size(&self, buffer: Buffer) -> IntValue<'c> {
        let decl = &self.function.buffers[buffer];
        match decl.kind {
            BufferKind::Stack => {
                self.ops.i64(self.function.as_int(decl.size).expect("verified: a constant"))
            }
            _ => self.sizes[buffer].expect("sizes are read where a function begins"),
        }
    }

    /// Ends the call where a lane that runs is outside of a buffer.
    pub(super) fn check_bounds(&mut self, buffer: Buffer, index: Value<'c>) {
        if !self.options.verify {
            return;
        }
        let size = self.size(buffer);
        // One access for all lanes.
        if let Value::Uniform(index) = index {
            let outside = self.ops.icmp(IntPredicate::UGE, index, size.into());
            return self.end_outside(buffer, outside.into_int_value(), index);
        }
        let all = self.spread(index);
        let outside =
            self.ops.icmp(IntPredicate::UGE, all, self.ops.splat(size.into(), self.lanes));
        let outside = match self.mask {
            Some(mask) => self.ops.bin(Op::And, outside, mask),
            None => outside,
        };
        let lane = self.first_lane(outside);
        // No lane where none is outside: its number is then not used.
        let last = self.ops.i64(i64::from(self.lanes) - 1);
        let lane = self.ops.bin(Op::And, lane.into(), last.into()).into_int_value();
        let index =
            built(self.ops.builder.build_extract_element(all.into_vector_value(), lane, ""));
        self.end_outside(buffer, self.ops.any(outside), index);
    }

    /// Ends the call where a range that is not empty leaves a buffer.
    pub(super) fn check_range(&mut self, buffer: Buffer, lo: IntValue<'c>, hi: IntValue<'c>) {
        if !self.options.verify {
            return;
        }
        let size = self.size(buffer);
        let some = self.ops.icmp(IntPredicate::SLT, lo.into(), hi.into());
        let below = self.ops.icmp(IntPredicate::SLT, lo.into(), self.ops.i64(0).into());
        let above = self.ops.icmp(IntPredicate::SGT, hi.into(), size.into());
        let outside = self.ops.bin(Op::And, some, self.ops.bin(Op::Or, below, above));
        let index = self.ops.select(below, lo.into(), hi.into());
        self.end_outside(buffer, outside.into_int_value(), index);
    }

    fn end_outside(&mut self, buffer: Buffer, outside: IntValue<'c>, index: V<'c>) {
        let (stop, go) = (self.new_block("outside"), self.new_block("inside"));
        self.jump_if(outside, stop, go);
        self.at(stop);
        let i32 = self.ops.context().i32_type();
        self.write_status(1, i32.const_int(buffer.index() as u64, false).into());
        self.write_status(2, i32.const_int(2, false).into());
        self.write_status(3, index);
        self.write_status(4, self.size(buffer).into());
        built(self.ops.builder.build_return(Some(&i32.const_int(OUTSIDE, false))));
        self.at(go);
    }
}
