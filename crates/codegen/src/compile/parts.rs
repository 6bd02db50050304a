//! Compiling one module's functions in parts, on several processors at once.
//!
//! Each part emits the whole module, which is quick, and optimises and selects
//! instructions only for its own functions, which is slow.

use inkwell::GlobalVisibility;
use inkwell::module::{Linkage, Module};
use inkwell::values::FunctionValue;
use std::num::NonZero;
use weft_loops::{For, ForKind, Function, Stmt};

/// Expressions below which a part is not worth a thread.
const LEAST_EXPRS: usize = 200;
/// Emission is repeated in each part.
const MOST_PARTS: usize = 8;

/// One of so many parts.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) index: usize,
    pub(super) of: usize,
}

/// In how many parts to compile functions on this machine.
pub(super) fn worthwhile(functions: &[Function]) -> usize {
    let exprs: usize = functions.iter().map(|f| f.exprs().count()).sum();
    let separate: usize = functions.iter().map(|f| 1 + bodies_apart(&f.body)).sum();
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (exprs / LEAST_EXPRS).min(separate).min(processors).clamp(1, MOST_PARTS)
}

/// The parallel loops, whose bodies are functions of their own.
fn bodies_apart(body: &[Stmt]) -> usize {
    let inside = |stmt: &Stmt| stmt.blocks().map(|b| bodies_apart(b)).sum::<usize>();
    let apart = |stmt: &Stmt| matches!(stmt, Stmt::For(For { kind: ForKind::Parallel, .. }));
    body.iter().map(|stmt| inside(stmt) + usize::from(apart(stmt))).sum()
}

/// Marks the functions of other parts as to be found elsewhere: `elim-avail-extern` then
/// drops their bodies. Those of this part become visible to the others.
pub(super) fn keep(module: &Module<'_>, part: Part) {
    for (function, owner) in owners(module, part.of) {
        let mine = owner == part.index;
        let linkage = if mine { Linkage::External } else { Linkage::AvailableExternally };
        function.set_linkage(linkage);
        function.as_global_value().set_visibility(GlobalVisibility::Default);
    }
}

/// Which part compiles each function: the longest first, each to the part with the least.
fn owners<'c>(module: &Module<'c>, parts: usize) -> Vec<(FunctionValue<'c>, usize)> {
    let bodies = module.get_functions().filter(|f| f.count_basic_blocks() > 0);
    let mut sized: Vec<(usize, FunctionValue<'c>)> = bodies.map(|f| (length(f), f)).collect();
    sized.sort_by_key(|&(length, _)| std::cmp::Reverse(length));
    let mut load = vec![0; parts];
    let give = |(length, function)| {
        let owner = (0..parts).min_by_key(|&p| load[p]).expect("a part");
        load[owner] += length;
        (function, owner)
    };
    sized.into_iter().map(give).collect()
}

/// Instructions, which compile time is about proportional to.
fn length(function: FunctionValue<'_>) -> usize {
    function.get_basic_block_iter().map(|b| b.get_instructions().count()).sum()
}
