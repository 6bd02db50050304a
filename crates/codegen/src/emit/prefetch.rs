//! Long loops ask for what they read next.
//!
//! A loop in lanes that reads several vectors of each operand at once comes to the next
//! page of one before the processor has seen a stream in it; asked for some lines ahead,
//! memory answers as fast as it can. Loops over little data find it near, and do not ask.

use super::Emitter;
use super::ops::{V, built};
use super::uses::writes;
use inkwell::values::IntValue;
use weft_base::entity::EntitySet;
use weft_loops::{Buffer, BufferKind, For, Stmt};

/// How many lines ahead.
const AHEAD: u32 = 16;

/// Iterations of a block that is part of a long loop.
const BLOCK: u64 = 1024;

/// The buffers asked for in the body being emitted.
pub(super) type Asked = EntitySet<Buffer>;

impl<'c> Emitter<'_, 'c> {
    /// Whether a vector loop is a block of a long one that only accumulates: what it reads
    /// comes several vectors at a time.
    pub(super) fn is_stream(&self, f: &For) -> bool {
        let plain = |stmt: &Stmt| !matches!(stmt, Stmt::For(_) | Stmt::Store { .. });
        self.max_trip_count(f).is_some_and(|n| n >= BLOCK) && !writes(&f.body, &mut |s| !plain(s))
    }

    /// Asks for the cells behind those that a load of full vectors reads, once for each
    /// buffer.
    pub(super) fn emit_prefetch(&mut self, buffer: Buffer, first: IntValue<'c>) {
        let decl = &self.function.buffers[buffer];
        let Some(asked) = &mut self.ahead else { return };
        if decl.kind == BufferKind::Stack || !asked.insert(buffer) {
            return;
        }
        let (elem, width) = (decl.elem, decl.elem.bytes() as u32);
        let line_bytes = self.options.target.processor.line_bytes;
        let lines = (self.lanes * width).div_ceil(line_bytes);
        for line in 0..lines {
            let cells = (AHEAD + line) * line_bytes / width;
            let index = self.ops.bin(
                inkwell::values::InstructionOpcode::Add,
                first.into(),
                self.ops.i64(cells.into()).into(),
            );
            self.prefetch(elem, buffer, index.into_int_value());
        }
    }

    /// Asks for the line of a cell, which need not exist.
    fn prefetch(&self, elem: weft_scalar::ScalarType, buffer: Buffer, index: IntValue<'c>) {
        let memory = self.ops.memory_type(elem);
        // SAFETY: the address is not said to be in bounds, and nothing reads it.
        let at = built(unsafe {
            self.ops.builder.build_gep(memory, self.buffers[buffer], &[index], "")
        });
        let i32 = self.ops.context().i32_type();
        let word = |n| V::from(i32.const_int(n, false));
        // To be read, into every cache, data.
        let args = [at.into(), word(0), word(3), word(1)];
        self.ops.intrinsic("llvm.prefetch", &[at.get_type().into()], &args);
    }
}
