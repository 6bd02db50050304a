//! Identity of machine code besides the functions it is made from.

use crate::Options;

/// Sources of the code generator, from `build.rs`.
const CODEGEN: &str = env!("WEFT_CODEGEN_ID");

/// A text that is equal for two compilers only where they make the same objects of the
/// same functions: this compiler's sources, LLVM's version, the processor, the flags.
pub fn identity(options: &Options) -> String {
    let Options { opt, target, verify, least_parallel_work } = options;
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    let crate::Target { triple, cpu, features, processor } = target;
    let vector_bytes = processor.vector_bytes;
    format!(
        "weft {} {CODEGEN}\nllvm {major}.{minor}.{patch}\n{triple} {cpu} {vector_bytes}\n\
         {features}\nopt {opt:?} verify {verify} least-parallel-work {least_parallel_work}\n",
        env!("CARGO_PKG_VERSION"),
    )
}
