//! From functions to an object: emission, LLVM's passes, machine code.

mod parts;
mod short_running;

use crate::{Target, emit, object_archive};
use inkwell::OptimizationLevel;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};
use inkwell::values::FunctionValue;
use parts::Part;
use std::fmt;
use weft_loops::{Function, verify};

/// How much LLVM is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OptLevel {
    /// Nothing: for comparing results.
    None,
    /// Registers and common subexpressions: for code that runs briefly.
    Cheap,
    /// Loop optimisations too.
    Full,
}

/// The target of a compilation, and its options.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// How much LLVM is asked to do at most: code that is known to run briefly gets less.
    pub opt: OptLevel,
    /// The processor.
    pub target: Target,
    /// Whether to verify the loop level before and LLVM's IR after emission, and to check
    /// that every access lies in its buffer.
    pub verify: bool,
    /// Operations below which a parallel loop stays on one thread.
    pub least_parallel_work: u32,
}

/// Some tens of microseconds: what waking threads costs, several times over.
const LEAST_PARALLEL_WORK: u32 = 200_000;

impl Options {
    /// Full optimisation for a target.
    pub fn new(target: Target) -> Options {
        Options {
            opt: OptLevel::Full,
            target,
            verify: false,
            least_parallel_work: LEAST_PARALLEL_WORK,
        }
    }
}

/// Why nothing was compiled: always a mistake in this compiler, never in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError(pub String);

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CompileError {}

/// Machine code that can be stored and loaded again on the same kind of processor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// ELF files, each behind its length; they refer to each other.
    pub bytes: Vec<u8>,
    /// The names of its kernels, in the order of the functions.
    pub kernels: Vec<String>,
}

/// Compiles functions of different names into one object, on several processors where they
/// are much code.
pub fn compile(functions: &[Function], options: &Options) -> Result<Object, CompileError> {
    compile_in(functions, options, parts::worthwhile(functions))
}

fn compile_in(
    functions: &[Function],
    options: &Options,
    parts: usize,
) -> Result<Object, CompileError> {
    let file = |index| {
        with_module(functions, options, Part { index, of: parts }, |machine, module| {
            let buffer = machine.write_to_memory_buffer(module, FileType::Object);
            buffer.map(|b| b.as_slice().to_vec()).map_err(|e| e.to_string())
        })
    };
    let files: Result<Vec<Vec<u8>>, CompileError> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..parts).map(|i| scope.spawn(move || file(i))).collect();
        let first = file(0);
        let others = others.into_iter().map(|t| t.join().expect("a part does not panic"));
        std::iter::once(first).chain(others).collect()
    });
    let kernels = functions.iter().map(|f| f.name.clone()).collect();
    Ok(Object { bytes: object_archive::join(&files?), kernels })
}

/// LLVM's IR of what [`compile`] makes, as text.
pub fn emit_llvm(functions: &[Function], options: &Options) -> Result<String, CompileError> {
    with_module(functions, options, WHOLE, |_, module| Ok(module.print_to_string().to_string()))
}

/// Assembly of what [`compile`] makes.
pub fn emit_asm(functions: &[Function], options: &Options) -> Result<String, CompileError> {
    with_module(functions, options, WHOLE, |machine, module| {
        let buffer = machine.write_to_memory_buffer(module, FileType::Assembly);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
        buffer.map(|b| text(b.as_slice())).map_err(|e| e.to_string())
    })
}

const WHOLE: Part = Part { index: 0, of: 1 };

fn with_module<T>(
    functions: &[Function],
    options: &Options,
    part: Part,
    then: impl FnOnce(&TargetMachine, &Module<'_>) -> Result<T, String>,
) -> Result<T, CompileError> {
    if options.verify {
        for function in functions {
            verify(function).map_err(|e| CompileError(format!("{}: {e}", function.name)))?;
        }
    }
    let level = if short_running::are_short_running(functions) {
        options.opt.min(OptLevel::Cheap)
    } else {
        options.opt
    };
    let machine = options.target.machine(codegen_level(level)).map_err(CompileError)?;
    let context = Context::create();
    let module = context.create_module("weft");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    for function in functions {
        emit::function(&module, function, options);
    }
    if options.verify {
        module.verify().map_err(|e| CompileError(e.to_string()))?;
    }
    if part.of > 1 {
        parts::keep(&module, part);
        run(&module, &machine, "elim-avail-extern").map_err(CompileError)?;
    }
    optimise(&module, &machine, level).map_err(CompileError)?;
    then(&machine, &module).map_err(CompileError)
}

fn codegen_level(opt: OptLevel) -> OptimizationLevel {
    match opt {
        OptLevel::None => OptimizationLevel::None,
        OptLevel::Cheap => OptimizationLevel::Less,
        OptLevel::Full => OptimizationLevel::Default,
    }
}

/// Pipelines without any vectoriser: loops are vectorised before they come here.
/// `sroa` turns locals into registers; `licm` takes loads and addresses that do not
/// change out of loops, and needs rotated loops; `gvn` removes what that made equal.
fn optimise(module: &Module<'_>, machine: &TargetMachine, opt: OptLevel) -> Result<(), String> {
    let passes = match opt {
        OptLevel::None => return Ok(()),
        OptLevel::Cheap => "function(sroa,early-cse,instsimplify,simplifycfg,tailcallelim)",
        OptLevel::Full => {
            "function(sroa,early-cse<memssa>,simplifycfg,tailcallelim,instcombine<no-verify-fixpoint>,\
             loop-mssa(loop-instsimplify,licm<allowspeculation>,loop-rotate,\
             licm<allowspeculation>),simplifycfg,instcombine<no-verify-fixpoint>,\
             loop(indvars,loop-deletion,loop-unroll-full),sroa,early-cse<memssa>,gvn,\
             loop-mssa(licm<allowspeculation>),loop-unroll<O2>,sroa,\
             instcombine<no-verify-fixpoint>,simplifycfg,dse)"
        }
    };
    run(module, machine, passes)?;
    if opt == OptLevel::Full { reduce_strength(module, machine) } else { Ok(()) }
}

/// Turns addresses into pointers that advance, where that was found to gain: contractions
/// are up to a third faster for it. For other loops the pass only takes long.
fn reduce_strength(module: &Module<'_>, machine: &TargetMachine) -> Result<(), String> {
    let marked = |f: &FunctionValue<'_>| {
        let at = AttributeLoc::Function;
        f.count_basic_blocks() > 0 && f.get_string_attribute(at, emit::STRENGTH).is_some()
    };
    module.get_functions().filter(marked).try_for_each(|f| {
        let options = PassBuilderOptions::create();
        let passes = "loop(canon-freeze,loop-reduce)";
        f.run_passes(passes, machine, options).map_err(|e| e.to_string())
    })
}

fn run(module: &Module<'_>, machine: &TargetMachine, passes: &str) -> Result<(), String> {
    module.run_passes(passes, machine, PassBuilderOptions::create()).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests;
