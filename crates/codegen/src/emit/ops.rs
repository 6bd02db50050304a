//! LLVM's instructions on values that are scalars or vectors alike.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{AsTypeRef, BasicTypeEnum, VectorType};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, FastMathFlags,
    FunctionValue, InstructionOpcode, InstructionValue, IntValue, PointerValue, VectorValue,
};
use inkwell::{AtomicOrdering, FloatPredicate, IntPredicate};
use weft_scalar::eval::cast;
use weft_scalar::{Scalar, ScalarType};

/// A scalar or a vector of scalars; `bool` is `i1`.
pub(super) type V<'c> = BasicValueEnum<'c>;

/// A place to put instructions.
#[derive(Clone, Copy)]
pub(super) struct Ops<'a, 'c> {
    pub(super) module: &'a Module<'c>,
    pub(super) builder: &'a Builder<'c>,
}

/// Builders fail only when they are not positioned, and ours are.
pub(super) fn built<T>(result: Result<T, BuilderError>) -> T {
    result.expect("the builder is positioned and the operands have the right types")
}

/// How often a branch is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likely {
    /// Nobody knows.
    Unknown,
    /// Hardly ever.
    Rare,
}

impl<'a, 'c> Ops<'a, 'c> {
    pub(super) fn context(&self) -> ContextRef<'c> {
        self.module.get_context()
    }

    /// The type of one value in a register.
    pub(super) fn scalar_type(&self, ty: ScalarType) -> BasicTypeEnum<'c> {
        let context = self.context();
        match ty {
            ScalarType::Bool => context.bool_type().into(),
            ScalarType::I8 | ScalarType::U8 => context.i8_type().into(),
            ScalarType::I16 | ScalarType::U16 => context.i16_type().into(),
            ScalarType::I32 | ScalarType::U32 => context.i32_type().into(),
            ScalarType::I64 | ScalarType::U64 => context.i64_type().into(),
            // Small floats are rounded `f32`s in registers.
            ScalarType::F8e4m3 | ScalarType::F16 | ScalarType::Bf16 | ScalarType::F32 => {
                context.f32_type().into()
            }
            ScalarType::F64 => context.f64_type().into(),
        }
    }

    /// The type of one element in memory.
    pub(super) fn memory_type(&self, ty: ScalarType) -> BasicTypeEnum<'c> {
        match ty {
            ScalarType::Bool | ScalarType::F8e4m3 => self.context().i8_type().into(),
            ScalarType::F16 | ScalarType::Bf16 => self.context().i16_type().into(),
            _ => self.scalar_type(ty),
        }
    }

    pub(super) fn ty(&self, ty: ScalarType, lanes: u32) -> BasicTypeEnum<'c> {
        with_lanes(self.scalar_type(ty), lanes)
    }

    pub(super) fn constant(&self, value: Scalar) -> V<'c> {
        let ty = value.ty();
        match self.scalar_type(ty) {
            _ if ty.is_small_float() => self.constant(cast(value, ScalarType::F32)),
            BasicTypeEnum::IntType(int) => int.const_int(value.bits(), false).into(),
            _ => self.float_from_bits(ty, value.bits()),
        }
    }

    /// By way of bits, so that NaNs come through unchanged.
    fn float_from_bits(&self, ty: ScalarType, bits: u64) -> V<'c> {
        let context = self.context();
        let int = match ty {
            ScalarType::F32 => context.i32_type(),
            _ => context.i64_type(),
        };
        self.bitcast(int.const_int(bits, false).into(), self.scalar_type(ty))
    }

    pub(super) fn i64(&self, value: i64) -> IntValue<'c> {
        self.context().i64_type().const_int(value as u64, false)
    }

    /// A scalar in every lane.
    pub(super) fn splat(&self, value: V<'c>, lanes: u32) -> V<'c> {
        if lanes == 1 {
            return value;
        }
        if is_constant(value) {
            return VectorType::const_vector(&vec![value; lanes as usize]).into();
        }
        let vector = with_lanes(value.get_type(), lanes).into_vector_type();
        let zero = self.context().i32_type().const_zero();
        let first = built(self.builder.build_insert_element(vector.get_undef(), value, zero, ""));
        self.shuffle(first, &vec![0; lanes as usize]).into()
    }

    /// `0, 1, 2, …` as `i64`s.
    pub(super) fn iota(&self, lanes: u32) -> V<'c> {
        let each: Vec<IntValue<'c>> = (0..lanes).map(|i| self.i64(i.into())).collect();
        VectorType::const_vector(&each).into()
    }

    pub(super) fn shuffle(&self, v: VectorValue<'c>, lanes: &[u32]) -> VectorValue<'c> {
        let i32 = self.context().i32_type();
        let order: Vec<IntValue<'c>> =
            lanes.iter().map(|&i| i32.const_int(i.into(), false)).collect();
        let order = VectorType::const_vector(&order);
        built(self.builder.build_shuffle_vector(v, v.get_type().get_undef(), order, ""))
    }

    pub(super) fn bin(&self, op: InstructionOpcode, a: V<'c>, b: V<'c>) -> V<'c> {
        built(self.builder.build_binop(op, a, b, ""))
    }

    /// A float operation that may be fused with another unless `strict`.
    pub(super) fn float_bin(
        &self,
        op: InstructionOpcode,
        a: V<'c>,
        b: V<'c>,
        strict: bool,
    ) -> V<'c> {
        let value = self.bin(op, a, b);
        if let (false, Some(instruction)) = (strict, value.as_instruction_value()) {
            instruction
                .set_fast_math_flags(FastMathFlags::AllowContract)
                .expect("a float operation takes the flag");
        }
        value
    }

    pub(super) fn cast(&self, op: InstructionOpcode, a: V<'c>, to: BasicTypeEnum<'c>) -> V<'c> {
        built(self.builder.build_cast(op, a, to, ""))
    }

    pub(super) fn bitcast(&self, a: V<'c>, to: BasicTypeEnum<'c>) -> V<'c> {
        built(self.builder.build_bit_cast(a, to, ""))
    }

    pub(super) fn icmp(&self, predicate: IntPredicate, a: V<'c>, b: V<'c>) -> V<'c> {
        match (a, b) {
            (V::IntValue(a), V::IntValue(b)) => {
                built(self.builder.build_int_compare(predicate, a, b, "")).into()
            }
            (V::VectorValue(a), V::VectorValue(b)) => {
                built(self.builder.build_int_compare(predicate, a, b, "")).into()
            }
            _ => unreachable!("integers of one shape are compared"),
        }
    }

    pub(super) fn fcmp(&self, predicate: FloatPredicate, a: V<'c>, b: V<'c>) -> V<'c> {
        match (a, b) {
            (V::FloatValue(a), V::FloatValue(b)) => {
                built(self.builder.build_float_compare(predicate, a, b, "")).into()
            }
            (V::VectorValue(a), V::VectorValue(b)) => {
                built(self.builder.build_float_compare(predicate, a, b, "")).into()
            }
            _ => unreachable!("floats of one shape are compared"),
        }
    }

    pub(super) fn select(&self, c: V<'c>, a: V<'c>, b: V<'c>) -> V<'c> {
        match c {
            V::IntValue(c) => built(self.builder.build_select(c, a, b, "")),
            V::VectorValue(c) => built(self.builder.build_select(c, a, b, "")),
            _ => unreachable!("a condition is of i1"),
        }
    }

    pub(super) fn float_neg(&self, a: V<'c>) -> V<'c> {
        match a {
            V::FloatValue(a) => built(self.builder.build_float_neg(a, "")).into(),
            V::VectorValue(a) => built(self.builder.build_float_neg(a, "")).into(),
            _ => unreachable!("a float is negated"),
        }
    }

    /// Not, of truth values.
    pub(super) fn not(&self, a: V<'c>) -> V<'c> {
        let truth = self.constant(Scalar::Bool(true));
        self.bin(InstructionOpcode::Xor, a, self.splat(truth, lanes_of(a)))
    }

    /// An intrinsic declared for the given types.
    pub(super) fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[V<'c>],
    ) -> CallSiteValue<'c> {
        let intrinsic = Intrinsic::find(name).expect("LLVM has the intrinsic");
        let callee =
            intrinsic.get_declaration(self.module, types).expect("it is defined for the types");
        self.call(callee, args)
    }

    pub(super) fn call(&self, callee: FunctionValue<'c>, args: &[V<'c>]) -> CallSiteValue<'c> {
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        built(self.builder.build_call(callee, &args, ""))
    }

    /// An intrinsic of one result over the type of its first operand.
    pub(super) fn math(&self, name: &str, args: &[V<'c>]) -> V<'c> {
        result(self.intrinsic(name, &[args[0].get_type()], args))
    }

    /// The address of an element.
    pub(super) fn element(
        &self,
        elem: BasicTypeEnum<'c>,
        base: PointerValue<'c>,
        index: IntValue<'c>,
    ) -> PointerValue<'c> {
        // SAFETY: building the instruction is always sound; that the address is in bounds
        // is the loop level's promise.
        built(unsafe { self.builder.build_in_bounds_gep(elem, base, &[index], "") })
    }

    /// Stores a word that others may read meanwhile, in no order to anything else.
    pub(super) fn store_relaxed(&self, at: PointerValue<'c>, word: IntValue<'c>) {
        let store = built(self.builder.build_store(at, word));
        store.set_atomic_ordering(AtomicOrdering::Monotonic).expect("stores can be monotonic");
    }

    /// The addresses of one element per lane.
    pub(super) fn elements(
        &self,
        elem: BasicTypeEnum<'c>,
        base: PointerValue<'c>,
        index: VectorValue<'c>,
    ) -> VectorValue<'c> {
        let mut indices = [index.as_value_ref()];
        // SAFETY: an LLVM call on live objects of one context; the result of an address
        // computation with a vector of indices is a vector.
        unsafe {
            VectorValue::new(llvm_sys::core::LLVMBuildInBoundsGEP2(
                self.builder.as_mut_ptr(),
                elem.as_type_ref(),
                base.as_value_ref(),
                indices.as_mut_ptr(),
                1,
                c"".as_ptr(),
            ))
        }
    }

    /// The value of `compute` where any lane of a condition holds, and `otherwise` where none does.
    pub(super) fn if_any(
        &self,
        when: V<'c>,
        otherwise: V<'c>,
        likely: Likely,
        compute: impl FnOnce() -> V<'c>,
    ) -> V<'c> {
        let before = self.builder.get_insert_block().expect("the builder is positioned");
        let some = self.context().insert_basic_block_after(before, "some");
        let after = self.context().insert_basic_block_after(some, "none");
        let branch = built(self.builder.build_conditional_branch(self.any(when), some, after));
        if likely == Likely::Rare {
            self.rarely(branch);
        }
        self.builder.position_at_end(some);
        let computed = compute();
        let end = self.builder.get_insert_block().expect("the builder is positioned");
        built(self.builder.build_unconditional_branch(after));
        self.builder.position_at_end(after);
        let phi = built(self.builder.build_phi(otherwise.get_type(), ""));
        phi.add_incoming(&[(&otherwise, before), (&computed, end)]);
        phi.as_basic_value()
    }

    /// Whether any lane of a condition holds.
    pub(super) fn any(&self, mask: V<'c>) -> IntValue<'c> {
        let V::VectorValue(vector) = mask else { return mask.into_int_value() };
        let word = self.mask_word(vector);
        built(self.builder.build_int_compare(
            IntPredicate::NE,
            word,
            word.get_type().const_zero(),
            "",
        ))
    }

    /// A mask as an integer with one bit per lane.
    pub(super) fn mask_word(&self, mask: VectorValue<'c>) -> IntValue<'c> {
        let lanes =
            std::num::NonZeroU32::new(mask.get_type().get_size()).expect("vectors have lanes");
        let word = self.context().custom_width_int_type(lanes).expect("a width LLVM supports");
        self.bitcast(mask.into(), word.into()).into_int_value()
    }

    /// A mask of which LLVM's passes know nothing: it goes through a register of its own.
    pub(super) fn hidden_mask(&self, mask: V<'c>) -> V<'c> {
        let word = self.mask_word(mask.into_vector_value());
        let register = self.context().i64_type();
        let wide = built(self.builder.build_int_z_extend(word, register, ""));
        let ty = register.fn_type(&[register.into()], false);
        let (nothing, same) = (String::new(), "=r,0".to_string());
        let code = self.context().create_inline_asm(ty, nothing, same, false, false, None, false);
        let call = built(self.builder.build_indirect_call(ty, code, &[wide.into()], ""));
        let hidden = result(call).into_int_value();
        let word = built(self.builder.build_int_truncate(hidden, word.get_type(), ""));
        self.bitcast(word.into(), mask.get_type())
    }

    pub(super) fn attribute(&self, name: &str) -> Attribute {
        let kind = Attribute::get_named_enum_kind_id(name);
        self.context().create_enum_attribute(kind, 0)
    }

    /// Says how many rounds of the loop of a branch back make one.
    pub(super) fn unroll(&self, latch: InstructionValue<'c>, rounds: u32) {
        let rounds = self.context().i32_type().const_int(rounds.into(), false);
        self.hint(latch, "llvm.loop.unroll.count", &[rounds.into()]);
    }

    /// Says that the loop of a branch back has few rounds: more code would be of no use.
    pub(super) fn keep_rolled(&self, latch: InstructionValue<'c>) {
        self.hint(latch, "llvm.loop.unroll.disable", &[]);
    }

    fn hint(&self, latch: InstructionValue<'c>, name: &str, values: &[BasicMetadataValueEnum<'c>]) {
        let context = self.context();
        let mut words = vec![context.metadata_string(name).into()];
        words.extend_from_slice(values);
        let hint = context.metadata_node(&words);
        let id = context.metadata_node(&[hint.into(), hint.into()]);
        // SAFETY: an LLVM call on a live node of two operands, of which the first is to
        // be the node itself: that is what makes it a loop's own.
        unsafe {
            let own = llvm_sys::core::LLVMValueAsMetadata(id.as_value_ref());
            llvm_sys::core::LLVMReplaceMDNodeOperandWith(id.as_value_ref(), 0, own);
        }
        let kind = context.get_kind_id("llvm.loop");
        latch.set_metadata(id, kind).expect("a branch takes metadata");
    }

    /// Says that a branch is hardly ever taken, so that nothing of it is computed in advance.
    pub(super) fn rarely(&self, branch: InstructionValue<'c>) {
        let context = self.context();
        let weight = |n| context.i32_type().const_int(n, false).into();
        let name = context.metadata_string("branch_weights").into();
        let weights = context.metadata_node(&[name, weight(1), weight(1 << 20)]);
        let kind = context.get_kind_id("prof");
        branch.set_metadata(weights, kind).expect("a branch takes metadata");
    }

    pub(super) fn align(call: CallSiteValue<'c>, operand: u32, bytes: usize) {
        call.set_alignment_attribute(AttributeLoc::Param(operand), bytes as u32);
    }
}

/// The value a call gives.
pub(super) fn result(call: CallSiteValue<'_>) -> V<'_> {
    call.try_as_basic_value().expect_basic("the callee gives a value")
}

/// A type in every lane.
pub(super) fn with_lanes(ty: BasicTypeEnum<'_>, lanes: u32) -> BasicTypeEnum<'_> {
    match ty {
        _ if lanes == 1 => ty,
        BasicTypeEnum::IntType(t) => t.vec_type(lanes).into(),
        BasicTypeEnum::FloatType(t) => t.vec_type(lanes).into(),
        BasicTypeEnum::PointerType(t) => t.vec_type(lanes).into(),
        _ => unreachable!("lanes hold scalars"),
    }
}

/// How many lanes a value has.
pub(super) fn lanes_of(v: V<'_>) -> u32 {
    match v {
        V::VectorValue(v) => v.get_type().get_size(),
        _ => 1,
    }
}

/// The integer in all lanes of a constant.
pub(super) fn same_in_all_lanes(v: VectorValue<'_>) -> Option<i64> {
    use llvm_sys::core::{LLVMConstIntGetSExtValue, LLVMGetAggregateElement, LLVMIsAConstantInt};
    let lane = |n: u32| {
        // SAFETY: the vector is a live constant and has the lane; what is no number is not
        // asked for its value.
        unsafe {
            let value = LLVMGetAggregateElement(v.as_value_ref(), n);
            let known = !value.is_null() && !LLVMIsAConstantInt(value).is_null();
            known.then(|| LLVMConstIntGetSExtValue(value))
        }
    };
    let first = lane(0)?;
    (1..v.get_type().get_size()).all(|n| lane(n) == Some(first)).then_some(first)
}

/// Whether LLVM knows the value now.
pub(super) fn is_constant(v: V<'_>) -> bool {
    match v {
        V::IntValue(v) => v.is_const(),
        V::FloatValue(v) => v.is_const(),
        V::VectorValue(v) => v.is_const(),
        V::PointerValue(v) => v.is_const(),
        _ => false,
    }
}
