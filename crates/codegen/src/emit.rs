//! From a loop-level function to LLVM IR.
//!
//! Statement for statement. In scalar code every expression is one LLVM value; inside a
//! vector loop it is a [`value::Value`]: the same in all lanes, advancing by a step from
//! lane to lane, or one value per lane. What is the same in all lanes stays scalar, what
//! advances by one makes loads and stores contiguous. Where lanes part, statements run
//! under a mask that is never empty.

mod arith;
mod bounds;
mod calls;
mod convert;
mod cost;
mod divide;
mod exprs;
mod lanes;
mod loops;
mod machine;
mod memory;
mod ops;
mod outline;
mod overflow;
mod parallel;
mod power;
mod prefetch;
mod quotient;
mod scan;
mod stmts;
mod uses;
mod value;
mod vector;

use crate::Options;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use ops::Ops;
pub(crate) use outline::STRENGTH;
use value::{Slot, Value};
use weft_base::entity::{PrimaryMap, SecondaryMap};
use weft_loops::{Buffer, Expr, Function, Local, Param, Var};

/// Emits a function's body and its entry point.
pub(crate) fn function(module: &Module<'_>, function: &Function, options: &Options) {
    outline::kernel(module, function, options);
}

/// The state of emission at one point of one LLVM function.
struct Emitter<'a, 'c> {
    ops: Ops<'a, 'c>,
    function: &'a Function,
    options: &'a Options,
    /// The LLVM function being filled.
    body: FunctionValue<'c>,
    /// Positioned in the entry block, for allocations.
    entry: &'a Builder<'c>,
    params: PrimaryMap<Param, BasicValueEnum<'c>>,
    buffers: PrimaryMap<Buffer, PointerValue<'c>>,
    /// Counts of elements, where accesses are checked.
    sizes: SecondaryMap<Buffer, Option<IntValue<'c>>>,
    /// One byte, not 0 when the caller wants an end.
    interrupt: PointerValue<'c>,
    status: PointerValue<'c>,
    vars: SecondaryMap<Var, Option<Value<'c>>>,
    locals: SecondaryMap<Local, Slot<'c>>,
    /// Whether a local has one `Set` in the whole function and nothing accumulates into it.
    single: SecondaryMap<Local, bool>,
    /// Cells of partial results that a loop around keeps in lanes.
    partials: SecondaryMap<Local, Vec<vector::Partial<'c>>>,
    /// Running values as the lanes before left them, in all lanes, while their loop is open.
    carries: SecondaryMap<Local, Option<(PointerValue<'c>, u32)>>,
    /// Locals whose values are of no use while the cost of a loop is estimated.
    unknown: cost::Locals,
    /// Values of the current statement's expressions, with the statement's number.
    values: SecondaryMap<Expr, (u32, Option<Value<'c>>)>,
    statement: u32,
    /// Lanes of the vector loop around, or 1.
    lanes: u32,
    /// Which lanes run; `None` where all do. Never empty.
    mask: Option<BasicValueEnum<'c>>,
    /// Which lanes of the vector loop around have an iteration at all.
    filled: Option<BasicValueEnum<'c>>,
    /// Where the vector loop around notes integers that leave their types.
    notes: Option<overflow::Notes<'c>>,
    /// In full vectors of a long loop, what was asked for ahead.
    ahead: Option<prefetch::Asked>,
    /// Loops around the current statement.
    depth: u32,
    /// Whether this is inside a parallel loop already.
    forked: bool,
}
