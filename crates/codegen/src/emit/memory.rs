//! Loads and stores: scalar, contiguous, backward, and one address per lane.

use super::Emitter;
use super::ops::{Ops, V, built, lanes_of, result};
use super::value::Value;
use inkwell::values::{InstructionOpcode as Op, IntValue, PointerValue};
use weft_loops::{Buffer, BufferKind};
use weft_scalar::{Scalar, ScalarType};

/// How the lanes of an access lie in memory.
enum Access<'c> {
    /// All at one element.
    Same(IntValue<'c>),
    /// Next to each other, lane 0 at this element.
    Forward(IntValue<'c>),
    /// Next to each other, lane 0 at this element and the others before it.
    Backward(IntValue<'c>),
    /// Anywhere.
    Scattered(V<'c>),
}

impl<'a, 'c> Emitter<'a, 'c> {
    fn access(&self, index: Value<'c>) -> Access<'c> {
        match index {
            Value::Uniform(v) => Access::Same(v.into_int_value()),
            Value::Linear { base, step } => match step.get_sign_extended_constant() {
                Some(1) => Access::Forward(base),
                Some(-1) => Access::Backward(base),
                _ => Access::Scattered(self.spread(index)),
            },
            Value::Varying(v) => Access::Scattered(v),
        }
    }

    fn elem(&self, buffer: Buffer) -> ScalarType {
        self.function.buffers[buffer].elem
    }

    fn address(&self, buffer: Buffer, index: IntValue<'c>) -> PointerValue<'c> {
        let elem = self.ops.memory_type(self.elem(buffer));
        self.ops.element(elem, self.buffers[buffer], index)
    }

    /// The first in memory of the lanes of a backward access.
    fn last_lane(&self, base: IntValue<'c>) -> IntValue<'c> {
        let back = self.ops.i64(i64::from(self.lanes) - 1);
        self.ops.bin(Op::Sub, base.into(), back.into()).into_int_value()
    }

    pub(super) fn load(&mut self, buffer: Buffer, index: Value<'c>) -> Value<'c> {
        let elem = self.elem(buffer);
        self.check_bounds(buffer, index);
        match self.access(index) {
            Access::Same(index) => {
                let ty = self.ops.memory_type(elem);
                let address = self.address(buffer, index);
                let value = built(self.ops.builder.build_load(ty, address, ""));
                Value::Uniform(self.of_memory(elem, value))
            }
            Access::Forward(base) => {
                self.emit_prefetch(buffer, base);
                let mask = self.mask.filter(|_| !self.may_load_all(buffer));
                let value = self.load_vector(elem, self.address(buffer, base), mask);
                Value::Varying(self.of_memory(elem, value))
            }
            Access::Backward(base) => {
                let first = self.last_lane(base);
                let mask = self.mask.map(|mask| self.reverse(mask));
                let value = self.load_vector(elem, self.address(buffer, first), mask);
                Value::Varying(self.of_memory(elem, self.reverse(value)))
            }
            Access::Scattered(index) => {
                let value = self.gather(buffer, index);
                Value::Varying(self.of_memory(elem, value))
            }
        }
    }

    /// Whether a contiguous load may take the lanes that have no iteration with it: scratch
    /// has room behind its end, and the first lane runs.
    fn may_load_all(&self, buffer: Buffer) -> bool {
        let scratch = self.function.buffers[buffer].kind == BufferKind::Stack;
        scratch && self.mask == self.filled
    }

    fn vector_type(&self, elem: ScalarType) -> inkwell::types::BasicTypeEnum<'c> {
        super::ops::with_lanes(self.ops.memory_type(elem), self.lanes)
    }

    fn load_vector(&self, elem: ScalarType, at: PointerValue<'c>, mask: Option<V<'c>>) -> V<'c> {
        let ty = self.vector_type(elem);
        let Some(mask) = mask else {
            let value = built(self.ops.builder.build_load(ty, at, ""));
            set_alignment(value, elem);
            return value;
        };
        let types = [ty, at.get_type().into()];
        let call =
            self.ops.intrinsic("llvm.masked.load", &types, &[at.into(), mask, ty.const_zero()]);
        Ops::align(call, 0, elem.bytes());
        result(call)
    }

    fn all_lanes(&self) -> V<'c> {
        self.mask
            .unwrap_or_else(|| self.ops.splat(self.ops.constant(Scalar::Bool(true)), self.lanes))
    }

    fn gather(&self, buffer: Buffer, index: V<'c>) -> V<'c> {
        let elem = self.elem(buffer);
        let ty = self.vector_type(elem);
        let at = self.addresses(buffer, index);
        let types = [ty, at.get_type()];
        let args = [at, self.all_lanes(), ty.const_zero()];
        let call = self.ops.intrinsic("llvm.masked.gather", &types, &args);
        Ops::align(call, 0, elem.bytes());
        result(call)
    }

    fn addresses(&self, buffer: Buffer, index: V<'c>) -> V<'c> {
        let elem = self.ops.memory_type(self.elem(buffer));
        self.ops.elements(elem, self.buffers[buffer], index.into_vector_value()).into()
    }

    fn reverse(&self, v: V<'c>) -> V<'c> {
        let order: Vec<u32> = (0..self.lanes).rev().collect();
        self.ops.shuffle(v.into_vector_value(), &order).into()
    }

    /// `bool`s are bytes in memory, small floats their bits.
    pub(super) fn of_memory(&self, elem: ScalarType, value: V<'c>) -> V<'c> {
        if elem.is_small_float() {
            return self.arith().of_bits(elem, value);
        }
        if elem != ScalarType::Bool {
            return value;
        }
        let zero = value.get_type().const_zero();
        self.ops.icmp(inkwell::IntPredicate::NE, value, zero)
    }

    pub(super) fn to_memory(&self, elem: ScalarType, value: V<'c>) -> V<'c> {
        if elem.is_small_float() {
            return self.arith().bits_of(elem, value);
        }
        if elem != ScalarType::Bool {
            return value;
        }
        let ty = super::ops::with_lanes(self.ops.memory_type(elem), lanes_of(value));
        self.ops.cast(Op::ZExt, value, ty)
    }

    pub(super) fn store(&mut self, buffer: Buffer, index: Value<'c>, value: Value<'c>) {
        let elem = self.elem(buffer);
        self.check_bounds(buffer, index);
        if self.lanes == 1 {
            let (Value::Uniform(index), Value::Uniform(value)) = (index, value) else {
                unreachable!("scalar code has uniform values");
            };
            let at = self.address(buffer, index.into_int_value());
            built(self.ops.builder.build_store(at, self.to_memory(elem, value)));
            return;
        }
        let value = self.to_memory(elem, self.spread(value));
        match self.access(index) {
            Access::Forward(base) => {
                self.store_vector(elem, self.address(buffer, base), value, self.mask);
            }
            Access::Backward(base) => {
                let at = self.address(buffer, self.last_lane(base));
                let mask = self.mask.map(|mask| self.reverse(mask));
                self.store_vector(elem, at, self.reverse(value), mask);
            }
            Access::Same(_) => self.scatter(buffer, self.spread(index), value),
            Access::Scattered(index) => self.scatter(buffer, index, value),
        }
    }

    fn store_vector(
        &self,
        elem: ScalarType,
        at: PointerValue<'c>,
        value: V<'c>,
        mask: Option<V<'c>>,
    ) {
        let Some(mask) = mask else {
            let store = built(self.ops.builder.build_store(at, value));
            store.set_alignment(elem.bytes() as u32).expect("a power of two");
            return;
        };
        // For AVX-512 LLVM 22 stores a whole register where the value was narrowed and the mask is
        // one lane that it knows, by itself or behind its passes: it is not to know.
        let mask = if elem.bytes() < 4 { self.ops.hidden_mask(mask) } else { mask };
        let types = [value.get_type(), at.get_type().into()];
        let call = self.ops.intrinsic("llvm.masked.store", &types, &[value, at.into(), mask]);
        Ops::align(call, 1, elem.bytes());
    }

    /// Lanes that meet are written in order, the last one last.
    fn scatter(&self, buffer: Buffer, index: V<'c>, value: V<'c>) {
        let at = self.addresses(buffer, index);
        let types = [value.get_type(), at.get_type()];
        let args = [value, at, self.all_lanes()];
        let call = self.ops.intrinsic("llvm.masked.scatter", &types, &args);
        Ops::align(call, 1, self.elem(buffer).bytes());
    }
}

/// Buffers are aligned to their elements, not to vectors.
fn set_alignment(value: V<'_>, elem: ScalarType) {
    use inkwell::values::BasicValue;
    let load = value.as_instruction_value().expect("a load is an instruction");
    load.set_alignment(elem.bytes() as u32).expect("a power of two");
}
