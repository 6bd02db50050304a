//! Parallel loops.
//!
//! The body becomes a function of its own, called by whoever runs threads with a range of
//! iterations, through a block of what it reads from outside. Iterations are divided into
//! chunks by extents alone, and what they accumulate is combined chunk after chunk, so
//! results do not depend on how many threads there are.

use super::ops::{Ops, V, built, result};
use super::outline::{given, interrupt_flag, mark_scratch, scratch_used, set_target, stack};
use super::uses::{Names, Uses, has_loop};
use super::value::{Slot, Value};
use super::{Emitter, SecondaryMap};
use crate::kernel::DONE;
use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{FloatValue, FunctionValue, InstructionOpcode as Op, IntValue, PointerValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_base::entity::PrimaryMap;
use weft_loops::{Buffer, BufferKind, For, Local, Param, Var};
use weft_scalar::{BinaryOp, ScalarType};

/// Parts of a parallel loop: enough to keep the threads of a large machine busy.
const MOST_CHUNKS: u64 = 64;

/// Operations that a part has at least: about a microsecond, so that handing it out is
/// little beside it.
const CHUNK_WORK: f64 = 16_384.0;

/// Names of the outside in a body, in the order of the function's arguments; what it
/// does not name is not passed, since each value costs code on both sides of the call.
struct Captured<'c> {
    buffers: Vec<Buffer>,
    params: Vec<Param>,
    vars: Vec<Var>,
    locals: Vec<Local>,
    reductions: Vec<(Local, BinaryOp)>,
    /// Values of buffers, parameters, variables, locals, and the loop's first value.
    values: Vec<V<'c>>,
    /// For each reduction the addresses of the chunks' results.
    partials: Vec<PointerValue<'c>>,
}

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn parallel_for(&mut self, f: &'a For, (lo, hi): (IntValue<'c>, IntValue<'c>)) {
        let count = self.trip_count(lo, hi, f.step);
        let captured = self.capture(f, lo);
        let inner = self.inner(f, &captured);
        let thunk = self.thunk(&captured, inner);
        let work = self.whole_work(f, count);
        let least = work.get_type().const_float(self.options.least_parallel_work.into());
        let enough = self.ops.fcmp(FloatPredicate::OGE, work.into(), least.into()).into_int_value();
        let (some, end) = (self.new_block("some"), self.new_block("end"));
        let (fork, alone) = (self.new_block("fork"), self.new_block("alone"));
        let any = self.ops.icmp(IntPredicate::NE, count.into(), self.ops.i64(0).into());
        self.jump_if(any.into_int_value(), some, end);
        self.at(some);
        let size = self.chunk_size(enough, work, count);
        let join = self.new_block("join");
        self.jump_if(enough, fork, alone);
        self.at(fork);
        let environment = self.environment(&captured);
        self.run_chunks(environment, thunk, count, size);
        self.jump(join);
        self.at(alone);
        self.run_alone(&captured, inner, count);
        self.jump(join);
        self.at(join);
        self.combine_chunks(&captured, count, size);
        self.jump(end);
        self.at(end);
    }

    fn capture(&mut self, f: &For, lo: IntValue<'c>) -> Captured<'c> {
        let (uses, names) = (Uses::compute(&f.body), Names::compute(self.function, &f.body));
        let buffers: Vec<Buffer> =
            given(self.function).filter(|&b| names.buffers.contains(b)).collect();
        let sized = self.params_of_sizes(&buffers);
        let named = |&p: &Param| names.params.contains(p) || sized.contains(p);
        let params: Vec<Param> = self.params.keys().filter(named).collect();
        let known = |&v: &Var| names.vars.contains(v) && self.vars[v].is_some();
        let vars: Vec<Var> = self.function.vars.keys().filter(known).collect();
        let set_outside = |l: Local| !uses.set[l] && !matches!(self.locals[l], Slot::Unset);
        let read = |&l: &Local| names.locals.contains(l) && set_outside(l);
        let locals: Vec<Local> = self.function.locals.keys().filter(read).collect();
        let reductions = uses.reductions(self.function);
        let mut values: Vec<V<'c>> = buffers.iter().map(|&b| self.buffers[b].into()).collect();
        values.extend(params.iter().map(|&p| self.params[p]));
        values.extend(vars.iter().map(|&v| self.spread(self.vars[v].expect("filtered"))));
        for &l in &locals {
            let value = self.local(l);
            values.push(self.spread(value));
        }
        values.push(lo.into());
        let slots = self.ops.context().i64_type().array_type(MOST_CHUNKS as u32);
        let partials =
            reductions.iter().map(|_| built(self.entry.build_alloca(slots, ""))).collect();
        Captured { buffers, params, vars, locals, reductions, values, partials }
    }

    /// Whether the call runs on one thread.
    pub(super) fn is_single_threaded(&self) -> V<'c> {
        let byte = self.ops.memory_type(ScalarType::Bool);
        let offset = self.ops.i64(std::mem::offset_of!(crate::Status, alone) as i64);
        let field = self.ops.element(byte, self.status, offset);
        unboxed(self.ops, self.ops.scalar_type(ScalarType::Bool), field)
    }

    /// Operations in all iterations.
    fn whole_work(&mut self, f: &For, count: IntValue<'c>) -> FloatValue<'c> {
        let f64 = self.ops.context().f64_type();
        let uses = Uses::compute(&f.body);
        for l in self.function.locals.keys().filter(|&l| uses.set[l]) {
            self.unknown.insert(l);
        }
        let each = self.work(&f.body);
        self.unknown.clear();
        let trips = built(self.ops.builder.build_unsigned_int_to_float(count, f64, ""));
        self.ops.bin(Op::FMul, each.into(), trips.into()).into_float_value()
    }

    /// Iterations per chunk: all of them where they are little work.
    fn chunk_size(
        &self,
        enough: IntValue<'c>,
        work: FloatValue<'c>,
        count: IntValue<'c>,
    ) -> IntValue<'c> {
        let (f64, i64) = (work.get_type(), count.get_type());
        let chunks = self.ops.bin(Op::FMul, work.into(), f64.const_float(1.0 / CHUNK_WORK).into());
        let most = f64.const_float(MOST_CHUNKS as f64);
        let few = self.ops.fcmp(FloatPredicate::OLT, chunks, most.into());
        let chunks = self.ops.select(few, chunks, most.into()).into_float_value();
        let one = f64.const_float(1.0);
        let many = self.ops.fcmp(FloatPredicate::OGT, chunks.into(), one.into());
        let chunks = self.ops.select(many, chunks.into(), one.into()).into_float_value();
        let chunks = built(self.ops.builder.build_float_to_unsigned_int(chunks, i64, ""));
        let less = self.int(Op::Sub, chunks, self.ops.i64(1));
        let part = self.int(Op::UDiv, self.int(Op::Add, count, less), chunks);
        self.ops.select(enough.into(), part.into(), count.into()).into_int_value()
    }

    /// Runs all iterations here: what is little work must not pay for asking others.
    fn run_alone(&self, captured: &Captured<'c>, inner: FunctionValue<'c>, count: IntValue<'c>) {
        let mut args = captured.values.clone();
        args.extend(captured.partials.iter().map(|&p| V::from(p)));
        args.extend([V::from(self.ops.i64(0)), count.into()]);
        args.extend([V::from(self.interrupt), self.status.into()]);
        let code = result(self.ops.call(inner, &args));
        self.return_if_failed(code);
    }

    /// The block of captured values, 8 bytes each.
    fn environment(&self, captured: &Captured<'c>) -> PointerValue<'c> {
        let slot = self.ops.context().i64_type();
        let partials = captured.partials.iter().map(|&p| V::from(p));
        let values: Vec<V<'c>> = captured.values.iter().copied().chain(partials).collect();
        let block = built(self.entry.build_alloca(slot.array_type(values.len() as u32), ""));
        for (i, &value) in values.iter().enumerate() {
            let at = self.ops.element(slot.into(), block, self.ops.i64(i as i64));
            built(self.ops.builder.build_store(at, self.boxed(value)));
        }
        block
    }

    /// A truth value as a byte; others as they are.
    fn boxed(&self, value: V<'c>) -> V<'c> {
        match value {
            V::IntValue(v) if v.get_type().get_bit_width() == 1 => {
                self.to_memory(ScalarType::Bool, value)
            }
            _ => value,
        }
    }

    fn run_chunks(
        &self,
        environment: PointerValue<'c>,
        thunk: FunctionValue<'c>,
        count: IntValue<'c>,
        size: IntValue<'c>,
    ) {
        let context = self.ops.context();
        let (pointer, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
        let ty = context.i32_type().fn_type(
            &[pointer.into(), pointer.into(), i64.into(), i64.into(), pointer.into()],
            false,
        );
        let offset = self.ops.i64(std::mem::offset_of!(crate::Status, parallel_for) as i64);
        let field = self.ops.element(context.i8_type().into(), self.status, offset);
        let run = built(self.ops.builder.build_load(pointer, field, "")).into_pointer_value();
        let body = thunk.as_global_value().as_pointer_value();
        let args = [environment.into(), body.into(), count.into(), size.into(), self.status.into()];
        let call = built(self.ops.builder.build_indirect_call(ty, run, &args, ""));
        let code = result(call);
        self.return_if_failed(code);
    }

    fn return_if_failed(&self, code: V<'c>) {
        let done = self.ops.context().i32_type().const_int(DONE, false);
        let failed = self.ops.icmp(IntPredicate::NE, code, done.into());
        let (stop, go) = (self.new_block("failed"), self.new_block("joined"));
        self.jump_if(failed.into_int_value(), stop, go);
        self.at(stop);
        built(self.ops.builder.build_return(Some(&code)));
        self.at(go);
    }

    /// Adds the chunks' results to the accumulators, in order.
    fn combine_chunks(&mut self, captured: &Captured<'c>, count: IntValue<'c>, size: IntValue<'c>) {
        if captured.reductions.is_empty() {
            return;
        }
        let slot = self.ops.context().i64_type();
        let less = self.int(Op::Sub, size, self.ops.i64(1));
        let chunks = self.int(Op::UDiv, self.int(Op::Add, count, less), size);
        let latch = self.counted(chunks, 1, false, &mut |this, chunk| {
            for (&(l, op), &partial) in captured.reductions.iter().zip(&captured.partials) {
                let ty = this.function.locals[l].ty;
                let at = this.ops.element(slot.into(), partial, chunk);
                let value = unboxed(this.ops, this.ops.scalar_type(ty), at);
                let Slot::Cell { at: total, .. } = this.locals[l] else {
                    unreachable!("an accumulator has a cell");
                };
                let old = built(this.ops.builder.build_load(value.get_type(), total, ""));
                let sum = this.arith().binary(op, ty, old, value);
                built(this.ops.builder.build_store(total, sum));
            }
        });
        self.ops.keep_rolled(latch);
    }

    /// `i32 (environment, chunk, begin, end, status)`: takes the block apart.
    fn thunk(&self, captured: &Captured<'c>, inner: FunctionValue<'c>) -> FunctionValue<'c> {
        let context = self.ops.context();
        let builder = context.create_builder();
        let ops = Ops { module: self.ops.module, builder: &builder };
        let (pointer, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
        let ty = context
            .i32_type()
            .fn_type(&[pointer.into(), i64.into(), i64.into(), i64.into(), pointer.into()], false);
        let name = format!("{}.chunk", self.function.name);
        let thunk = self.ops.module.add_function(&name, ty, Some(Linkage::Internal));
        set_target(ops, thunk, &self.options.target);
        builder.position_at_end(context.append_basic_block(thunk, "entry"));
        let argument = |i: u32| thunk.get_nth_param(i).expect("five");
        let (environment, status) =
            (argument(0).into_pointer_value(), argument(4).into_pointer_value());
        let types = captured.values.iter().map(|v| v.get_type());
        let types = types.chain(captured.partials.iter().map(|_| pointer.into()));
        let mut args: Vec<V<'c>> = types
            .enumerate()
            .map(|(i, ty)| {
                let at = ops.element(i64.into(), environment, ops.i64(i as i64));
                unboxed(ops, ty, at)
            })
            .collect();
        for partial in args.iter_mut().skip(captured.values.len()) {
            let base = partial.into_pointer_value();
            *partial = ops.element(i64.into(), base, argument(1).into_int_value()).into();
        }
        args.extend([argument(2), argument(3)]);
        args.extend([V::from(interrupt_flag(ops, status)), status.into()]);
        let code = result(ops.call(inner, &args));
        built(builder.build_return(Some(&code)));
        thunk
    }

    /// `i32 (captured values…, addresses of results…, begin, end, interrupt flag, status)`.
    fn inner(&self, f: &'a For, captured: &Captured<'c>) -> FunctionValue<'c> {
        let context = self.ops.context();
        let (builder, allocations) = (context.create_builder(), context.create_builder());
        let ops = Ops { module: self.ops.module, builder: &builder };
        let pointer: BasicTypeEnum<'c> = context.ptr_type(AddressSpace::default()).into();
        let i64: BasicTypeEnum<'c> = context.i64_type().into();
        let mut types: Vec<BasicMetadataTypeEnum<'c>> =
            captured.values.iter().map(|v| v.get_type().into()).collect();
        types.extend(captured.partials.iter().map(|_| BasicMetadataTypeEnum::from(pointer)));
        types.extend([i64, i64, pointer, pointer].map(BasicMetadataTypeEnum::from));
        let ty = context.i32_type().fn_type(&types, false);
        let name = format!("{}.parallel", self.function.name);
        let body = self.ops.module.add_function(&name, ty, Some(Linkage::Internal));
        set_target(ops, body, &self.options.target);
        // Two callers: inlined, the loop would be compiled twice.
        body.add_attribute(AttributeLoc::Function, ops.attribute("noinline"));
        for i in 0..captured.buffers.len() {
            body.add_attribute(AttributeLoc::Param(i as u32), ops.attribute("noalias"));
        }
        let entry = context.append_basic_block(body, "entry");
        let start = context.append_basic_block(body, "start");
        allocations.position_at_end(entry);
        builder.position_at_end(start);
        self.fill_inner(f, captured, ops, &allocations, body);
        built(allocations.build_unconditional_branch(start));
        body
    }

    fn fill_inner<'b>(
        &self,
        f: &'b For,
        captured: &Captured<'c>,
        ops: Ops<'b, 'c>,
        allocations: &'b inkwell::builder::Builder<'c>,
        body: FunctionValue<'c>,
    ) where
        'a: 'b,
    {
        let mut arguments = body.get_param_iter();
        let mut next = move || arguments.next().expect("one argument per value");
        let mut buffers = PrimaryMap::new();
        let used = scratch_used(self.function, &f.body);
        let nowhere = ops.context().ptr_type(AddressSpace::default()).const_null();
        mark_scratch(ops, body, self.function, &used);
        for (b, decl) in &self.function.buffers {
            buffers.push(match decl.kind {
                BufferKind::Stack => stack(ops, allocations, self.function, b, &used),
                _ if captured.buffers.contains(&b) => next().into_pointer_value(),
                _ => nowhere,
            });
        }
        let mut params = PrimaryMap::new();
        for (p, decl) in &self.function.params {
            let unnamed = || ops.scalar_type(decl.ty).const_zero();
            params.push(if captured.params.contains(&p) { next() } else { unnamed() });
        }
        let mut vars = SecondaryMap::new();
        for &v in &captured.vars {
            vars[v] = Some(Value::Uniform(next()));
        }
        let mut locals = SecondaryMap::new();
        for &l in &captured.locals {
            locals[l] = Slot::Fixed(Value::Uniform(next()));
        }
        let lo = next().into_int_value();
        let results: Vec<PointerValue<'c>> =
            captured.partials.iter().map(|_| next().into_pointer_value()).collect();
        let (begin, end) = (next().into_int_value(), next().into_int_value());
        let (interrupt, status) = (next().into_pointer_value(), next().into_pointer_value());
        let mut emitter = Emitter {
            ops,
            function: self.function,
            options: self.options,
            body,
            entry: allocations,
            params,
            buffers,
            sizes: SecondaryMap::new(),
            interrupt,
            status,
            vars,
            locals,
            single: self.single.clone(),
            partials: SecondaryMap::new(),
            carries: SecondaryMap::new(),
            unknown: super::cost::Locals::new(),
            values: SecondaryMap::new(),
            statement: 0,
            lanes: 1,
            mask: None,
            filled: None,
            notes: None,
            ahead: None,
            depth: self.depth,
            forked: true,
        };
        emitter.read_sizes(captured.buffers.iter().copied());
        emitter.run_chunk(f, captured, (lo, begin, end));
        emitter.store_results(captured, &results);
        let done = ops.context().i32_type().const_int(DONE, false);
        built(ops.builder.build_return(Some(&done)));
    }

    fn run_chunk(
        &mut self,
        f: &'a For,
        captured: &Captured<'c>,
        (lo, begin, end): (IntValue<'c>, IntValue<'c>, IntValue<'c>),
    ) {
        let uses = Uses::compute(&f.body);
        for l in self.function.locals.keys() {
            if uses.set[l] && !self.single[l] {
                self.new_cell(l);
            }
        }
        for &(l, op) in &captured.reductions {
            self.new_cell(l);
            self.write_identity(l, op);
        }
        let count = self.int(Op::Sub, end, begin);
        let poll = self.depth <= 2 && has_loop(&f.body);
        let partials = self.open_partials(f);
        self.counted(count, 1, poll, &mut |this, k| {
            let k = this.int(Op::Add, begin, k);
            let offset = this.int(Op::Mul, k, this.ops.i64(f.step));
            let value = this.int(Op::Add, lo, offset);
            this.vars[f.var] = Some(Value::Uniform(value.into()));
            this.block(&f.body);
        });
        self.close_partials(partials);
    }

    fn store_results(&mut self, captured: &Captured<'c>, results: &[PointerValue<'c>]) {
        for (&(l, _), &at) in captured.reductions.iter().zip(results) {
            let value = self.local(l);
            let value = self.boxed(self.spread(value));
            built(self.ops.builder.build_store(at, value));
        }
    }
}

/// A value of a type as [`Emitter::boxed`] left it.
fn unboxed<'c>(ops: Ops<'_, 'c>, ty: BasicTypeEnum<'c>, at: PointerValue<'c>) -> V<'c> {
    let is_bool = matches!(ty, BasicTypeEnum::IntType(t) if t.get_bit_width() == 1);
    if !is_bool {
        return built(ops.builder.build_load(ty, at, ""));
    }
    let byte = built(ops.builder.build_load(ops.memory_type(ScalarType::Bool), at, ""));
    ops.icmp(IntPredicate::NE, byte, byte.get_type().const_zero())
}
