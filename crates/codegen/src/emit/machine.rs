//! Elementary functions as instructions: the programs of `weft_scalar` on LLVM values.

use super::ops::{Likely, Ops, V, built, lanes_of, result, with_lanes};
use inkwell::module::Linkage;
use inkwell::values::{FunctionValue, InstructionOpcode as Op, IntValue, PointerValue};
use inkwell::{AddressSpace, FloatPredicate, IntPredicate};
use weft_scalar::program::{Direct, Format, Machine, Rare};
use weft_scalar::{Scalar, ScalarType};

/// Floats of one type in some lanes.
#[derive(Clone, Copy)]
pub(super) struct LlvmMachine<'a, 'c> {
    ops: Ops<'a, 'c>,
    ty: ScalarType,
    lanes: u32,
}

impl<'a, 'c> LlvmMachine<'a, 'c> {
    pub(super) fn new(ops: Ops<'a, 'c>, ty: ScalarType, lanes: u32) -> LlvmMachine<'a, 'c> {
        LlvmMachine { ops, ty, lanes }
    }

    fn int_type(&self) -> ScalarType {
        if self.ty == ScalarType::F32 { ScalarType::I32 } else { ScalarType::I64 }
    }

    fn splat(&self, value: Scalar) -> V<'c> {
        self.ops.splat(self.ops.constant(value), self.lanes)
    }

    fn wide(&self) -> LlvmMachine<'a, 'c> {
        LlvmMachine { ty: ScalarType::F64, ..*self }
    }

    pub(super) fn widen(&self, a: V<'c>) -> V<'c> {
        match self.ty {
            ScalarType::F64 => a,
            _ => self.ops.cast(Op::FPExt, a, self.ops.ty(ScalarType::F64, self.lanes)),
        }
    }

    fn narrow(&self, a: V<'c>) -> V<'c> {
        match self.ty {
            ScalarType::F64 => a,
            _ => self.ops.cast(Op::FPTrunc, a, self.ops.ty(self.ty, self.lanes)),
        }
    }

    /// The module's function of one `f64` for a rare case, made on first use.
    fn rare_function(&self, rare: &Rare<LlvmMachine<'a, 'c>>) -> FunctionValue<'c> {
        if let Some(function) = self.ops.module.get_function(rare.name) {
            return function;
        }
        let f64 = self.ops.context().f64_type();
        let ty = f64.fn_type(&[f64.into()], false);
        let function = self.ops.module.add_function(rare.name, ty, Some(Linkage::Internal));
        for name in ["cold", "noinline", "nounwind"] {
            let attribute = self.ops.attribute(name);
            function.add_attribute(inkwell::attributes::AttributeLoc::Function, attribute);
        }
        let Ops { builder, .. } = self.ops;
        let here = builder.get_insert_block().expect("the builder is positioned");
        builder.position_at_end(self.ops.context().append_basic_block(function, "entry"));
        let x = function.get_first_param().expect("one parameter");
        let scalar = LlvmMachine { ty: ScalarType::F64, lanes: 1, ..*self };
        let y = (rare.body)(&scalar, x);
        built(builder.build_return(Some(&y)));
        builder.position_at_end(here);
        function
    }

    /// Space for all lanes, in the entry block so that loops do not grow the stack.
    fn scratch(&self, like: V<'c>) -> PointerValue<'c> {
        let Ops { builder, .. } = self.ops;
        let here = builder.get_insert_block().expect("the builder is positioned");
        let function = here.get_parent().expect("blocks belong to functions");
        let entry = function.get_first_basic_block().expect("the function has begun");
        match entry.get_first_instruction() {
            Some(first) => builder.position_before(&first),
            None => builder.position_at_end(entry),
        }
        let space = built(builder.build_alloca(like.get_type(), ""));
        builder.position_at_end(here);
        space
    }

    /// In every lane whose bit is set in `word`, which is not 0, replaces what is at `out`
    /// by `callee` of what is at `x`: a loop over the set bits.
    fn each_lane(
        &self,
        word: IntValue<'c>,
        x: PointerValue<'c>,
        out: PointerValue<'c>,
        callee: FunctionValue<'c>,
    ) {
        let Ops { builder, .. } = self.ops;
        let (f64, i64) = (self.ops.context().f64_type(), self.ops.context().i64_type());
        let before = builder.get_insert_block().expect("the builder is positioned");
        let head = self.ops.context().insert_basic_block_after(before, "rare");
        let end = self.ops.context().insert_basic_block_after(head, "rare.end");
        let word = built(builder.build_int_z_extend_or_bit_cast(word, i64, ""));
        built(builder.build_unconditional_branch(head));
        builder.position_at_end(head);
        let phi = built(builder.build_phi(i64, ""));
        let left = phi.as_basic_value();
        let never_zero = self.ops.constant(Scalar::Bool(true));
        let lane = self.ops.math("llvm.cttz", &[left, never_zero]).into_int_value();
        let operand = built(builder.build_load(f64, self.ops.element(f64.into(), x, lane), ""));
        let y = result(self.ops.call(callee, &[operand]));
        built(builder.build_store(self.ops.element(f64.into(), out, lane), y));
        let one = self.ops.i64(1).into();
        let rest = self.ops.bin(Op::And, left, self.ops.bin(Op::Sub, left, one));
        let more = self.ops.icmp(IntPredicate::NE, rest, self.ops.i64(0).into());
        built(builder.build_conditional_branch(more.into_int_value(), head, end));
        phi.add_incoming(&[(&word, before), (&rest, head)]);
        builder.position_at_end(end);
    }
}

impl<'a, 'c> Machine for LlvmMachine<'a, 'c> {
    type F = V<'c>;
    type I = V<'c>;
    type B = V<'c>;
    type Wide = LlvmMachine<'a, 'c>;

    fn format(&self) -> &'static Format {
        match self.ty {
            ScalarType::F32 => Direct::<f32>::new().format(),
            _ => Direct::<f64>::new().format(),
        }
    }

    fn float(&self, value: f64) -> V<'c> {
        match self.ty {
            ScalarType::F32 => self.splat(Scalar::F32(value as f32)),
            _ => self.splat(Scalar::F64(value)),
        }
    }

    fn int(&self, value: i64) -> V<'c> {
        self.splat(Scalar::from_i64(self.int_type(), value))
    }

    fn add(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::FAdd, a, b)
    }
    fn sub(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::FSub, a, b)
    }
    fn mul(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::FMul, a, b)
    }
    fn div(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::FDiv, a, b)
    }
    fn fma(&self, a: V<'c>, b: V<'c>, c: V<'c>) -> V<'c> {
        self.ops.math("llvm.fma", &[a, b, c])
    }
    fn neg(&self, a: V<'c>) -> V<'c> {
        self.ops.float_neg(a)
    }
    fn abs(&self, a: V<'c>) -> V<'c> {
        self.ops.math("llvm.fabs", &[a])
    }
    fn sqrt(&self, a: V<'c>) -> V<'c> {
        self.ops.math("llvm.sqrt", &[a])
    }
    fn round(&self, a: V<'c>) -> V<'c> {
        self.ops.math("llvm.roundeven", &[a])
    }

    fn lt(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.fcmp(FloatPredicate::OLT, a, b)
    }
    fn eq(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.fcmp(FloatPredicate::OEQ, a, b)
    }
    fn and(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::And, a, b)
    }
    fn or(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Or, a, b)
    }
    fn not(&self, a: V<'c>) -> V<'c> {
        self.ops.not(a)
    }
    fn select(&self, c: V<'c>, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.select(c, a, b)
    }
    fn select_int(&self, c: V<'c>, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.select(c, a, b)
    }

    fn bits(&self, a: V<'c>) -> V<'c> {
        self.ops.bitcast(a, self.ops.ty(self.int_type(), self.lanes))
    }
    fn float_of_bits(&self, a: V<'c>) -> V<'c> {
        self.ops.bitcast(a, self.ops.ty(self.ty, self.lanes))
    }
    fn int_add(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Add, a, b)
    }
    fn int_sub(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Sub, a, b)
    }
    fn int_mul(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Mul, a, b)
    }
    fn int_and(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::And, a, b)
    }
    fn int_or(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Or, a, b)
    }
    fn int_xor(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.bin(Op::Xor, a, b)
    }
    fn shl(&self, a: V<'c>, n: V<'c>) -> V<'c> {
        self.ops.bin(Op::Shl, a, n)
    }
    fn shr(&self, a: V<'c>, n: V<'c>) -> V<'c> {
        self.ops.bin(Op::LShr, a, n)
    }
    fn sar(&self, a: V<'c>, n: V<'c>) -> V<'c> {
        self.ops.bin(Op::AShr, a, n)
    }
    fn int_eq(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.ops.icmp(IntPredicate::EQ, a, b)
    }

    /// Only rare functions read tables, and these have one lane.
    fn word(&self, words: &'static [u64], index: V<'c>) -> V<'c> {
        let i64 = self.ops.context().i64_type();
        let name = "weft_two_over_pi";
        let table = self.ops.module.get_global(name).unwrap_or_else(|| {
            let values: Vec<_> = words.iter().map(|&w| i64.const_int(w, false)).collect();
            let table = i64.const_array(&values);
            let global =
                self.ops.module.add_global(table.get_type(), Some(AddressSpace::default()), name);
            global.set_initializer(&table);
            global.set_constant(true);
            global.set_linkage(Linkage::Private);
            global
        });
        let at = self.ops.element(i64.into(), table.as_pointer_value(), index.into_int_value());
        built(self.ops.builder.build_load(i64, at, ""))
    }

    fn rare(
        &self,
        when: V<'c>,
        otherwise: V<'c>,
        x: V<'c>,
        function: Rare<LlvmMachine<'a, 'c>>,
    ) -> V<'c> {
        let Ops { builder, .. } = self.ops;
        let callee = self.rare_function(&function);
        let f64s = with_lanes(self.ops.scalar_type(ScalarType::F64), self.lanes);
        let space = [(); 2].map(|()| self.scratch(f64s.const_zero()));
        let computed = self.ops.if_any(when, otherwise, Likely::Unknown, || {
            built(builder.build_store(space[0], self.widen(x)));
            built(builder.build_store(space[1], self.widen(otherwise)));
            let word = match when {
                V::VectorValue(lanes) => self.ops.mask_word(lanes),
                scalar => scalar.into_int_value(),
            };
            self.each_lane(word, space[0], space[1], callee);
            self.narrow(built(builder.build_load(f64s, space[1], "")))
        });
        debug_assert_eq!(lanes_of(otherwise), self.lanes);
        computed
    }

    fn select_any(
        &self,
        when: V<'c>,
        otherwise: V<'c>,
        body: impl FnOnce(&Self) -> V<'c>,
    ) -> V<'c> {
        let compute = || self.ops.select(when, body(self), otherwise);
        self.ops.if_any(when, otherwise, Likely::Unknown, compute)
    }

    fn widened<const N: usize>(
        &self,
        operands: [V<'c>; N],
        body: impl FnOnce(&LlvmMachine<'a, 'c>, [V<'c>; N]) -> V<'c>,
    ) -> V<'c> {
        let y = body(&self.wide(), operands.map(|x| self.widen(x)));
        self.narrow(y)
    }
}
