//! The LLVM functions around a body: an entry point of the one type that kernels have,
//! and an inner function whose buffers are separate arguments, known not to overlap.

use super::arith::Arith;
use super::lanes::MOST_LANES;
use super::ops::{Ops, built, result};
use super::stmts::single_assignments;
use super::uses::Names;
use super::{Emitter, SecondaryMap};
use crate::kernel::DONE;
use crate::{Options, Target};
use inkwell::attributes::AttributeLoc;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use weft_base::entity::{EntityRef, EntitySet, PrimaryMap};
use weft_loops::{Buffer, BufferKind, For, ForKind, Function, Stmt};
use weft_scalar::ScalarType;

/// Emits both.
pub(super) fn kernel(module: &Module<'_>, function: &Function, options: &Options) {
    super::calls::functions(module, function, options);
    let inner = inner(module, function, options);
    entry(module, function, &options.target, inner);
}

pub(super) fn given(function: &Function) -> impl Iterator<Item = Buffer> {
    let passed = |&b: &Buffer| function.buffers[b].kind != BufferKind::Stack;
    function.buffers.keys().filter(passed)
}

pub(super) fn set_target(ops: Ops<'_, '_>, function: FunctionValue<'_>, target: &Target) {
    let width = (target.processor.vector_bytes * 8).to_string();
    for (key, value) in [("prefer-vector-width", width.as_str()), ("frame-pointer", "none")] {
        let attribute = ops.context().create_string_attribute(key, value);
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    function.add_attribute(AttributeLoc::Function, ops.attribute("nounwind"));
}

/// The attribute of functions whose loops gain by strength reduction.
pub(crate) const STRENGTH: &str = "weft-strength";

/// Gives a function that works on scratch [`STRENGTH`]: contractions and transposes walk
/// many rows of it at once.
pub(super) fn mark_scratch(
    ops: Ops<'_, '_>,
    body: FunctionValue<'_>,
    function: &Function,
    used: &EntitySet<Buffer>,
) {
    let scratch = |b: Buffer| function.buffers[b].kind == BufferKind::Stack && used.contains(b);
    if function.buffers.keys().any(scratch) {
        let attribute = ops.context().create_string_attribute(STRENGTH, "");
        body.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// `i32 (buffers…, parameters…, interrupt flag, status)`.
fn inner<'c>(module: &Module<'c>, function: &Function, options: &Options) -> FunctionValue<'c> {
    let context = module.get_context();
    let (builder, allocations) = (context.create_builder(), context.create_builder());
    let ops = Ops { module, builder: &builder };
    let pointer: BasicTypeEnum<'c> = context.ptr_type(AddressSpace::default()).into();
    let mut types: Vec<BasicMetadataTypeEnum<'c>> =
        given(function).map(|_| pointer.into()).collect();
    types.extend(
        function.params.values().map(|p| BasicMetadataTypeEnum::from(ops.scalar_type(p.ty))),
    );
    types.extend([BasicMetadataTypeEnum::from(pointer); 2]);
    let name = format!("{}.inner", function.name);
    let ty = context.i32_type().fn_type(&types, false);
    let body = module.add_function(&name, ty, Some(Linkage::Internal));
    set_target(ops, body, &options.target);
    for i in 0..given(function).count() {
        body.add_attribute(AttributeLoc::Param(i as u32), ops.attribute("noalias"));
    }
    let entry = context.append_basic_block(body, "entry");
    let start = context.append_basic_block(body, "start");
    allocations.position_at_end(entry);
    builder.position_at_end(start);

    let mut emitter = emitter(ops, &allocations, function, options, body);
    emitter.block(&function.body);
    built(builder.build_return(Some(&context.i32_type().const_int(DONE, false))));
    built(allocations.build_unconditional_branch(start));
    body
}

fn emitter<'a, 'c>(
    ops: Ops<'a, 'c>,
    allocations: &'a inkwell::builder::Builder<'c>,
    function: &'a Function,
    options: &'a Options,
    body: FunctionValue<'c>,
) -> Emitter<'a, 'c> {
    let mut arguments = body.get_param_iter();
    let mut next = move || arguments.next().expect("one argument per declaration");
    let mut buffers = PrimaryMap::new();
    let used = scratch_used(function, &function.body);
    mark_scratch(ops, body, function, &used);
    for (b, decl) in &function.buffers {
        buffers.push(match decl.kind {
            BufferKind::Stack => stack(ops, allocations, function, b, &used),
            _ => next().into_pointer_value(),
        });
    }
    let mut params = PrimaryMap::new();
    for _ in function.params.keys() {
        params.push(next());
    }
    let (interrupt, status) = (next().into_pointer_value(), next().into_pointer_value());
    let mut emitter = Emitter {
        ops,
        function,
        options,
        body,
        entry: allocations,
        params,
        buffers,
        sizes: SecondaryMap::new(),
        interrupt,
        status,
        vars: SecondaryMap::new(),
        locals: SecondaryMap::new(),
        partials: SecondaryMap::new(),
        carries: SecondaryMap::new(),
        unknown: super::cost::Locals::new(),
        single: single_assignments(function),
        values: SecondaryMap::new(),
        statement: 0,
        lanes: 1,
        mask: None,
        filled: None,
        notes: None,
        ahead: None,
        depth: 0,
        forked: false,
    };
    for l in function.locals.keys() {
        if !emitter.single[l] {
            emitter.new_cell(l);
        }
    }
    emitter.read_sizes(given(function));
    emitter
}

/// The buffers that statements touch, but for those in loops that threads share: these
/// are functions of their own, with scratch of their own.
pub(super) fn scratch_used(function: &Function, body: &[Stmt]) -> EntitySet<Buffer> {
    let apart = |f: &For| f.kind == ForKind::Parallel && !function.strict;
    Names::within(function, body, &|f| !apart(f)).buffers
}

/// Space for a stack buffer, aligned as all buffers are; nothing where it is not used.
pub(super) fn stack<'c>(
    ops: Ops<'_, 'c>,
    allocations: &inkwell::builder::Builder<'c>,
    function: &Function,
    b: Buffer,
    used: &EntitySet<Buffer>,
) -> PointerValue<'c> {
    if !used.contains(b) {
        return ops.context().ptr_type(AddressSpace::default()).const_null();
    }
    let decl = &function.buffers[b];
    let count = function.as_int(decl.size).expect("verified: a constant size");
    // Behind the end as many as a vector may load without need (`memory`).
    let count = count + i64::from(MOST_LANES);
    let ty = match ops.memory_type(decl.elem) {
        BasicTypeEnum::IntType(t) => t.array_type(count as u32),
        t => t.into_float_type().array_type(count as u32),
    };
    let space = built(allocations.build_alloca(ty, ""));
    let alloca = space.as_instruction_value().expect("an alloca is an instruction");
    alloca.set_alignment(64).expect("a power of two");
    space
}

/// `u32 (parameters, buffers, status)`, the type of [`crate::kernel::Entry`].
fn entry<'c>(module: &Module<'c>, function: &Function, target: &Target, inner: FunctionValue<'c>) {
    let context = module.get_context();
    let builder = context.create_builder();
    let ops = Ops { module, builder: &builder };
    let pointer = context.ptr_type(AddressSpace::default());
    let ty = context.i32_type().fn_type(&[pointer.into(); 3], false);
    let entry = module.add_function(&function.name, ty, None);
    set_target(ops, entry, target);
    builder.position_at_end(context.append_basic_block(entry, "entry"));
    let [params, buffers, status] =
        [0, 1, 2].map(|i| entry.get_nth_param(i).expect("three").into_pointer_value());

    let slot = context.i64_type().into();
    let mut arguments: Vec<BasicValueEnum<'_>> = Vec::new();
    for (i, _) in given(function).enumerate() {
        let at = ops.element(slot, buffers, ops.i64(i as i64));
        arguments.push(built(builder.build_load(pointer, at, "")));
    }
    for (p, decl) in &function.params {
        let at = ops.element(slot, params, ops.i64(p.index() as i64));
        let value = built(builder.build_load(ops.memory_type(decl.ty), at, ""));
        arguments.push(match decl.ty {
            ScalarType::Bool => ops.icmp(IntPredicate::NE, value, value.get_type().const_zero()),
            ty if ty.is_small_float() => Arith { ops, strict: true }.of_bits(ty, value),
            _ => value,
        });
    }
    arguments.push(interrupt_flag(ops, status).into());
    arguments.push(status.into());
    let code = result(ops.call(inner, &arguments));
    built(builder.build_return(Some(&code)));
}

/// The caller's flag, or one that is never set.
pub(super) fn interrupt_flag<'c>(ops: Ops<'_, 'c>, status: PointerValue<'c>) -> PointerValue<'c> {
    let context = ops.context();
    let pointer = context.ptr_type(AddressSpace::default());
    let i8 = context.i8_type();
    let never = ops.module.get_global("weft_never").unwrap_or_else(|| {
        let never = ops.module.add_global(i8, Some(AddressSpace::default()), "weft_never");
        never.set_initializer(&i8.const_zero());
        never.set_linkage(Linkage::Private);
        never
    });
    let flag = built(ops.builder.build_load(pointer, status, ""));
    let none = built(ops.builder.build_is_null(flag.into_pointer_value(), ""));
    ops.select(none.into(), never.as_pointer_value().into(), flag).into_pointer_value()
}
