//! Functions of scalars as LLVM functions, and calling them.
//!
//! Besides its arguments a function is told how many calls it stands in, where the state of
//! the run is, and who wants to interrupt. After a failure, which is noted there, calls are
//! no longer made, so that all that are under way end soon; what they give is not used.

use super::Emitter;
use super::arith::Arith;
use super::ops::{Ops, V, built, result};
use super::outline::set_target;
use super::value::Value;
use crate::Options;
use crate::kernel::{INTERRUPTED, TRAPPED};
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{
    BasicValue, BasicValueEnum, CallSiteValue, FunctionValue, IntValue, PointerValue,
};
use inkwell::{AddressSpace, IntPredicate};
use weft_loops::{Expr, Function, Local};
use weft_scalar::function::{self, Block, Call, DEEPEST_CALL, End, FunctionId, Op, Reg, Step};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// LLVM's `tailcc`: calls in the place of the result take no stack, whatever the types.
const TAIL_CC: u32 = 18;

/// Words of the state: how many calls may stand in each other (0 after a failure), what
/// the kernel returns then, and the place.
const STATE_WORDS: u32 = 3;

fn name_of(kernel: &Function, f: FunctionId) -> String {
    format!("{}.{f}", kernel.name)
}

/// Emits the functions that a kernel calls.
pub(super) fn functions(module: &Module<'_>, kernel: &Function, options: &Options) {
    for (id, f) in kernel.callees.iter() {
        declare(module, &name_of(kernel, id), f, options);
    }
    for (id, f) in kernel.callees.iter() {
        let body = module.get_function(&name_of(kernel, id)).expect("just declared");
        define(module, kernel, f, body);
    }
}

fn declare(module: &Module<'_>, name: &str, f: &function::Function, options: &Options) {
    let context = module.get_context();
    let builder = context.create_builder();
    let ops = Ops { module, builder: &builder };
    let pointer = BasicMetadataTypeEnum::from(context.ptr_type(AddressSpace::default()));
    let mut types: Vec<BasicMetadataTypeEnum<'_>> =
        f.regs[..f.args].iter().map(|ty| ops.scalar_type(*ty).into()).collect();
    types.extend([context.i32_type().into(), pointer, pointer]);
    let ty = match results_type(ops, f) {
        BasicTypeEnum::IntType(t) => t.fn_type(&types, false),
        BasicTypeEnum::StructType(t) => t.fn_type(&types, false),
        t => t.into_float_type().fn_type(&types, false),
    };
    let declared = module.add_function(name, ty, Some(Linkage::Internal));
    declared.set_call_conventions(TAIL_CC);
    set_target(ops, declared, &options.target);
}

/// The type of what a function gives: several values are a structure.
fn results_type<'c>(ops: Ops<'_, 'c>, f: &function::Function) -> BasicTypeEnum<'c> {
    let types: Vec<BasicTypeEnum<'c>> = f.results.iter().map(|ty| ops.scalar_type(*ty)).collect();
    match types[..] {
        [one] => one,
        _ => ops.context().struct_type(&types, false).into(),
    }
}

fn define<'c>(
    module: &Module<'c>,
    kernel: &Function,
    f: &function::Function,
    body: FunctionValue<'c>,
) {
    let context = module.get_context();
    let builder = context.create_builder();
    let ops = Ops { module, builder: &builder };
    builder.position_at_end(context.append_basic_block(body, "entry"));
    let regs: Vec<PointerValue<'c>> =
        f.regs.iter().map(|ty| built(builder.build_alloca(ops.scalar_type(*ty), ""))).collect();
    let argument = |n: usize| body.get_nth_param(n as u32).expect("declared so");
    for (n, reg) in regs.iter().enumerate().take(f.args) {
        built(builder.build_store(*reg, argument(n)));
    }
    let depth = argument(f.args).into_int_value();
    let [state, interrupt] = [1, 2].map(|n| argument(f.args + n).into_pointer_value());
    let arith = Arith { ops, strict: kernel.strict };
    let e = FunctionEmitter { arith, kernel, f, body, regs, depth, state, interrupt };
    e.block(&f.body);
}

/// The function being filled.
struct FunctionEmitter<'a, 'c> {
    arith: Arith<'a, 'c>,
    kernel: &'a Function,
    f: &'a function::Function,
    body: FunctionValue<'c>,
    /// Where each register lies.
    regs: Vec<PointerValue<'c>>,
    depth: IntValue<'c>,
    state: PointerValue<'c>,
    interrupt: PointerValue<'c>,
}

impl<'c> FunctionEmitter<'_, 'c> {
    fn ops(&self) -> Ops<'_, 'c> {
        self.arith.ops
    }

    fn new_block(&self) -> BasicBlock<'c> {
        self.ops().context().append_basic_block(self.body, "")
    }

    fn at(&self, block: BasicBlock<'c>) {
        self.ops().builder.position_at_end(block);
    }

    fn ty(&self, r: Reg) -> ScalarType {
        self.f.regs[r.index()]
    }

    fn load(&self, r: Reg) -> V<'c> {
        let ty = self.ops().scalar_type(self.ty(r));
        built(self.ops().builder.build_load(ty, self.regs[r.index()], ""))
    }

    fn store(&self, r: Reg, value: V<'c>) {
        built(self.ops().builder.build_store(self.regs[r.index()], value));
    }

    fn branch(&self, c: V<'c>) -> (BasicBlock<'c>, BasicBlock<'c>) {
        let (yes, no) = (self.new_block(), self.new_block());
        built(self.ops().builder.build_conditional_branch(c.into_int_value(), yes, no));
        (yes, no)
    }

    fn block(&self, block: &Block) {
        self.steps(&block.steps);
        match &block.end {
            End::Give(regs) => self.give(regs.iter().map(|r| self.load(*r)).collect()),
            End::Call(call) => self.become_call(call),
            End::If(c, a, b) => {
                let (yes, no) = self.branch(self.load(*c));
                for (at, block) in [(yes, a), (no, b)] {
                    self.at(at);
                    self.block(block);
                }
            }
        }
    }

    fn steps(&self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Set(r, op) => self.store(*r, self.op(*r, op)),
                Step::Call(to, call) => self.call(to, call),
                Step::Require(c, site) => {
                    let holds = self.load(*c);
                    self.fail_if(self.ops().not(holds), *site, TRAPPED);
                }
                Step::If(c, a, b) => {
                    let (yes, no) = self.branch(self.load(*c));
                    let end = self.new_block();
                    for (at, steps) in [(yes, a), (no, b)] {
                        self.at(at);
                        self.steps(steps);
                        built(self.ops().builder.build_unconditional_branch(end));
                    }
                    self.at(end);
                }
            }
        }
    }

    fn op(&self, to: Reg, op: &Op) -> V<'c> {
        match op {
            Op::Const(v) => self.ops().constant(*v),
            Op::Copy(r) => self.load(*r),
            Op::Unary(op, x) => self.arith.unary(*op, self.ty(*x), self.load(*x)),
            Op::Binary(op, a, b, site) => {
                let (ty, x, y) = (self.ty(*a), self.load(*a), self.load(*b));
                if let (Some(site), true) = (site, ty.is_int()) {
                    self.check_operand(*op, ty, y, *site);
                    if weft_scalar::eval::may_overflow(*op, ty) {
                        let beyond = self.arith.overflows(*op, ty, x, y);
                        self.fail_if(beyond, *site, TRAPPED);
                    }
                }
                self.arith.binary(*op, ty, x, y)
            }
            Op::Cast(_, x) => self.arith.cast(self.ty(*x), self.ty(to), self.load(*x)),
        }
    }

    /// Ends where an integer operator has no value for its second operand.
    fn check_operand(&self, op: BinaryOp, ty: ScalarType, y: V<'c>, site: u32) {
        let zero = self.ops().constant(Scalar::zero(ty));
        let bad = match op {
            BinaryOp::Div | BinaryOp::Rem => self.ops().icmp(IntPredicate::EQ, y, zero),
            BinaryOp::Pow if ty.is_signed() => self.ops().icmp(IntPredicate::SLT, y, zero),
            _ if op.moves_bits() => {
                let width = Scalar::from_i64(ty, 8 * ty.bytes() as i64);
                self.ops().icmp(IntPredicate::UGE, y, self.ops().constant(width))
            }
            _ => return,
        };
        self.fail_if(bad, site, TRAPPED);
    }

    fn word(&self, n: u32) -> PointerValue<'c> {
        let i32 = self.ops().context().i32_type();
        self.ops().element(i32.into(), self.state, self.ops().i64(n.into()))
    }

    fn i32(&self, n: u64) -> V<'c> {
        self.ops().context().i32_type().const_int(n, false).into()
    }

    /// The calls that may stand in each other.
    fn most(&self) -> V<'c> {
        built(self.ops().builder.build_load(self.ops().context().i32_type(), self.word(0), ""))
    }

    /// Where a condition holds, notes a failure unless there was one, and ends.
    fn fail_if(&self, bad: V<'c>, site: u32, outcome: u64) {
        let (failed, on) = self.branch(bad);
        self.at(failed);
        let first = self.ops().icmp(IntPredicate::NE, self.most(), self.i32(0));
        let (note, end) = self.branch(first);
        self.at(note);
        for (n, value) in [(0, 0), (1, outcome), (2, site.into())] {
            built(self.ops().builder.build_store(self.word(n), self.i32(value)));
        }
        built(self.ops().builder.build_unconditional_branch(end));
        self.at(end);
        let zero = |ty: &ScalarType| self.ops().constant(Scalar::zero(*ty));
        self.give(self.f.results.iter().map(zero).collect());
        self.at(on);
    }

    /// Returns some values.
    fn give(&self, values: Vec<V<'c>>) {
        let builder = self.ops().builder;
        match values[..] {
            [one] => _ = built(builder.build_return(Some(&one))),
            _ => _ = built(builder.build_aggregate_return(&values)),
        }
    }

    fn poll(&self, site: u32) {
        let i8 = self.ops().context().i8_type();
        let flag = built(self.ops().builder.build_load(i8, self.interrupt, ""));
        let load = flag.as_instruction_value().expect("a load");
        load.set_volatile(true).expect("a load may be volatile");
        let set = self.ops().icmp(IntPredicate::NE, flag, i8.const_zero().into());
        self.fail_if(set, site, INTERRUPTED);
    }

    fn made(&self, call: &Call, depth: V<'c>) -> CallSiteValue<'c> {
        let callee = self.ops().module.get_function(&name_of(self.kernel, call.function));
        let mut args: Vec<V<'c>> = call.args.iter().map(|a| self.load(*a)).collect();
        args.extend([depth, self.state.into(), self.interrupt.into()]);
        let made = self.ops().call(callee.expect("every callee is declared"), &args);
        made.set_call_convention(TAIL_CC);
        made
    }

    fn call(&self, to: &[Reg], call: &Call) {
        let deep = self.ops().icmp(IntPredicate::UGE, self.depth.into(), self.most());
        self.fail_if(deep, call.site, TRAPPED);
        self.poll(call.site);
        let one = self.i32(1);
        let depth = self.ops().bin(inkwell::values::InstructionOpcode::Add, self.depth.into(), one);
        let value = result(self.made(call, depth));
        let [to] = to else {
            for (n, to) in to.iter().enumerate() {
                let all = value.into_struct_value();
                self.store(*to, built(self.ops().builder.build_extract_value(all, n as u32, "")));
            }
            return;
        };
        self.store(*to, value);
    }

    fn become_call(&self, call: &Call) {
        let ended = self.ops().icmp(IntPredicate::EQ, self.most(), self.i32(0));
        self.fail_if(ended, call.site, TRAPPED);
        self.poll(call.site);
        let made = self.made(call, self.depth.into());
        made.set_tail_call_kind(LLVMTailCallKindMustTail);
        built(self.ops().builder.build_return(Some(&result(made))));
    }
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// Sets a local to what a function gives, or ends the kernel as the function failed.
    pub(super) fn call_function(
        &mut self,
        (local, function): (Local, FunctionId),
        args: &[Expr],
        site: u32,
        point: &'a [Expr],
    ) {
        let i32 = self.ops.context().i32_type();
        let state = built(self.entry.build_alloca(i32.array_type(STATE_WORDS), ""));
        let word = |n: i64| self.ops.element(i32.into(), state, self.ops.i64(n));
        let most = i32.const_int(DEEPEST_CALL.into(), false);
        built(self.ops.builder.build_store(word(0), most));
        let (outcome, place) = (word(1), word(2));
        let mut values: Vec<BasicValueEnum<'c>> =
            args.iter().map(|&a| self.in_one_lane(a)).collect();
        let first = i32.const_int(1, false);
        values.extend([V::from(first), state.into(), self.interrupt.into()]);
        let name = name_of(self.function, function);
        let callee = self.ops.module.get_function(&name).expect("every callee is declared");
        let made = self.ops.call(callee, &values);
        made.set_call_convention(TAIL_CC);
        let value = result(made);
        let left = built(self.ops.builder.build_load(i32, state, ""));
        let failed = self.ops.icmp(IntPredicate::EQ, left, i32.const_zero().into());
        let (ended, on) = (self.new_block("failed"), self.new_block("called"));
        self.jump_if(failed.into_int_value(), ended, on);
        self.at(ended);
        let number = built(self.ops.builder.build_load(i32, place, ""));
        let base = i32.const_int(site.into(), false).into();
        let number = self.ops.bin(inkwell::values::InstructionOpcode::Add, number, base);
        self.write_status(1, number);
        self.write_status(2, i32.const_int(point.len() as u64, false).into());
        for (n, &at) in point.iter().enumerate() {
            let value = self.in_one_lane(at);
            self.write_status(3 + n as u64, value);
        }
        let code = built(self.ops.builder.build_load(i32, outcome, ""));
        built(self.ops.builder.build_return(Some(&code)));
        self.at(on);
        self.set_to(local, Value::Uniform(value));
    }

    /// A value outside vector loops.
    fn in_one_lane(&mut self, e: Expr) -> V<'c> {
        match self.eval(e) {
            Value::Uniform(v) => v,
            other => self.spread(other),
        }
    }
}
