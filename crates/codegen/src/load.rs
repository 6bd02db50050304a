//! From object bytes to kernels, through ORC's LLJIT.
//!
//! One path for objects just compiled and objects read back from a cache.

use crate::kernel::{Entry, Kernel};
use crate::object_archive;
use inkwell::targets::{InitializationConfig, Target as InkwellTarget};
use llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::*;
use llvm_sys::orc2::*;
use std::ffi::{CStr, CString};

/// An object mapped into this process; unmapped when dropped.
pub struct Loaded {
    jit: LLVMOrcLLJITRef,
}

// SAFETY: LLJIT synchronises its own state; after loading this type only looks symbols up.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    /// Maps an object that [`crate::compile`] made. What its pieces do not define is looked
    /// up in this process.
    pub fn new(object: &[u8]) -> Result<Loaded, String> {
        // An object read back from disk may be the first thing this process asks LLVM for.
        InkwellTarget::initialize_x86(&InitializationConfig::default());
        let mut jit = std::ptr::null_mut();
        // SAFETY: a null builder asks for the defaults of the host; `jit` is an out pointer.
        check(unsafe { LLVMOrcCreateLLJIT(&mut jit, std::ptr::null_mut()) })?;
        let loaded = Loaded { jit };
        loaded.resolve_in_process()?;
        object_archive::split(object)?.into_iter().try_for_each(|file| loaded.add(file))?;
        Ok(loaded)
    }

    /// Lets the object call what this process has: `memset` and `memcpy`.
    fn resolve_in_process(&self) -> Result<(), String> {
        let mut generator = std::ptr::null_mut();
        // SAFETY: `self.jit` is live; the new generator is owned by the library it is added to.
        unsafe {
            let prefix = LLVMOrcLLJITGetGlobalPrefix(self.jit);
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut generator,
                prefix,
                None,
                std::ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(self.jit), generator);
        }
        Ok(())
    }

    fn add(&self, file: &[u8]) -> Result<(), String> {
        // SAFETY: the buffer copies `file`, and adding it hands it over, on failure too.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                file.as_ptr().cast(),
                file.len(),
                c"kernels".as_ptr(),
            );
            let library = LLVMOrcLLJITGetMainJITDylib(self.jit);
            check(LLVMOrcLLJITAddObjectFile(self.jit, library, buffer))
        }
    }

    /// The kernel of the function called `name`.
    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        let address = self.address(name)?;
        // SAFETY: objects are made by `compile`, whose exported symbols are all of this type.
        Ok(Kernel::new(unsafe { std::mem::transmute::<usize, Entry>(address) }))
    }

    /// The address of a symbol that its object shows to others, valid while `self` lives.
    pub fn address(&self, symbol: &str) -> Result<usize, String> {
        let name = CString::new(symbol).map_err(|_| format!("symbol {symbol:?} holds a NUL"))?;
        let mut address = 0;
        // SAFETY: `self.jit` is live and `name` is a C string.
        check(unsafe { LLVMOrcLLJITLookup(self.jit, &mut address, name.as_ptr()) })?;
        Ok(address as usize)
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: created by `LLVMOrcCreateLLJIT`, disposed once. An error here leaves
        // nothing to undo.
        unsafe {
            let error = LLVMOrcDisposeLLJIT(self.jit);
            drop(check(error));
        }
    }
}

fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: a non-null error is owned by us until its message is taken.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::OptimizationLevel;
    use inkwell::context::Context;
    use inkwell::targets::{CodeModel, FileType, RelocMode};
    use inkwell::targets::{Target, TargetMachine};

    #[test]
    fn an_addition_runs() {
        Target::initialize_x86(&InitializationConfig::default());
        let context = Context::create();
        let module = context.create_module("m");
        let i64 = context.i64_type();
        let function =
            module.add_function("add", i64.fn_type(&[i64.into(), i64.into()], false), None);
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(function, "entry"));
        let parameter = |n| function.get_nth_param(n).unwrap().into_int_value();
        let sum = builder.build_int_add(parameter(0), parameter(1), "").unwrap();
        builder.build_return(Some(&sum)).unwrap();
        let triple = TargetMachine::get_default_triple();
        let machine = Target::from_triple(&triple)
            .unwrap()
            .create_target_machine(
                &triple,
                "x86-64",
                "",
                OptimizationLevel::None,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .unwrap();
        let object = machine.write_to_memory_buffer(&module, FileType::Object).unwrap();
        let loaded = Loaded::new(&object_archive::join(&[object.as_slice().to_vec()])).unwrap();
        let address = loaded.address("add").unwrap();
        // SAFETY: the symbol is the function built above.
        let add: extern "C" fn(i64, i64) -> i64 = unsafe { std::mem::transmute(address) };
        assert_eq!(add(40, 2), 42);
        assert!(loaded.address("subtract").is_err());
    }
}
