//! Kernels with the signatures of the functions they were made from, called with checked
//! arguments.

use crate::{Buffer, Failure, Threads, interrupt};
use std::sync::Arc;
use weft_codegen::{Kernel, Loaded, Object, Outcome, Status, Symbol};
use weft_loops::{BufferKind, Function, eval};
use weft_scalar::{Scalar, ScalarType};

/// The loaded machine code of some functions.
#[derive(Clone)]
pub struct Library {
    inner: Arc<Inner>,
}

struct Inner {
    functions: Vec<Function>,
    kernels: Vec<Kernel>,
    symbols: Vec<Symbol>,
    /// Keeps the kernels' code mapped.
    _loaded: Loaded,
}

/// One kernel of a library.
#[derive(Clone)]
pub struct Routine {
    library: Arc<Inner>,
    index: usize,
}

/// A buffer as an argument.
pub enum Argument<'a> {
    /// For a buffer that is only read.
    Read(&'a Buffer),
    /// For any buffer.
    Write(&'a mut Buffer),
}

impl Argument<'_> {
    fn buffer(&self) -> &Buffer {
        match self {
            Argument::Read(buffer) => buffer,
            Argument::Write(buffer) => buffer,
        }
    }
}

impl Library {
    /// Loads the object made from exactly these functions.
    pub fn new(functions: Vec<Function>, object: &Object) -> Result<Library, String> {
        let loaded = Loaded::new(&object.bytes)?;
        let kernels: Result<Vec<Kernel>, String> =
            functions.iter().map(|f| loaded.kernel(&f.name)).collect();
        let symbols = weft_codegen::symbols(&object.bytes)?;
        let inner = Inner { kernels: kernels?, functions, symbols, _loaded: loaded };
        Ok(Library { inner: Arc::new(inner) })
    }

    /// The routine of the `index`th function.
    pub fn routine(&self, index: usize) -> Routine {
        assert!(index < self.inner.kernels.len(), "the library has a routine {index}");
        Routine { library: Arc::clone(&self.inner), index }
    }

    /// Address, size and name of each piece of code, for profilers. All of an object's code
    /// lies in one section, as its kernels do.
    pub(crate) fn functions_in_memory(&self) -> impl Iterator<Item = (u64, u64, &str)> {
        let Inner { functions, kernels, symbols, .. } = &*self.inner;
        let known = functions.iter().zip(kernels).find_map(|(f, k)| {
            let symbol = symbols.iter().find(|s| s.name == f.name)?;
            (k.address() as u64).checked_sub(symbol.offset)
        });
        let lines = symbols.iter().map(|s| (s.offset, s.size, s.name.as_str()));
        known.into_iter().flat_map(move |base| {
            lines.clone().map(move |(offset, size, name)| (base + offset, size, name))
        })
    }

    /// All routines, in the order of the functions.
    pub fn routines(&self) -> impl Iterator<Item = Routine> {
        (0..self.inner.kernels.len()).map(|i| self.routine(i))
    }
}

impl Routine {
    /// The function it was made from.
    pub fn function(&self) -> &Function {
        &self.library.functions[self.index]
    }

    /// How many elements each buffer that a caller provides must have.
    pub fn sizes(&self, params: &[Scalar]) -> Vec<(ScalarType, u64)> {
        let function = self.function();
        let given = function.buffers.values().filter(|b| b.kind != BufferKind::Stack);
        given
            .map(|b| {
                let size = eval::over_params(function, b.size, params).as_i64();
                (b.elem, size.expect("verified: an i64").max(0) as u64)
            })
            .collect()
    }

    /// Runs the kernel, its parallel loops on `threads`. `buffers` holds an argument for each buffer that is not on the
    /// kernel's stack, in order.
    ///
    /// Panics if an argument is of another type than declared, smaller, or may only be
    /// read where the kernel writes. After a failure, what the kernel writes is undefined
    /// but valid.
    pub fn call(
        &self,
        params: &[Scalar],
        buffers: &mut [Argument<'_>],
        threads: &Threads,
    ) -> Result<(), Failure> {
        self.check(params, buffers);
        let words: Vec<u64> = params.iter().map(|p| p.bits()).collect();
        let addresses: Vec<*mut u8> = buffers.iter().map(|b| b.buffer().address()).collect();
        let mut status = threads.serve(Status::new(interrupt::flag()));
        let kernel = self.library.kernels[self.index];
        // SAFETY: the code is kept mapped by `library`; types and sizes were checked; each
        // written buffer is borrowed mutably, so it is neither shared nor passed twice.
        // That accesses are in bounds of the declared sizes is what makes a function valid.
        match unsafe { kernel.call(&words, &addresses, &mut status) } {
            Outcome::Done => Ok(()),
            Outcome::Trapped => {
                Err(Failure::Trap { site: status.site, args: status.args().to_vec() })
            }
            Outcome::Interrupted => Err(Failure::Interrupted),
        }
    }

    fn check(&self, params: &[Scalar], buffers: &[Argument<'_>]) {
        let function = self.function();
        let name = &function.name;
        let types = |given: &[Scalar]| given.iter().map(|p| p.ty()).collect::<Vec<_>>();
        let declared: Vec<ScalarType> = function.params.values().map(|p| p.ty).collect();
        assert_eq!(types(params), declared, "types of the parameters of {name}");
        let sizes = self.sizes(params);
        assert_eq!(buffers.len(), sizes.len(), "count of the buffers of {name}");
        let given = function.buffers.values().filter(|b| b.kind != BufferKind::Stack);
        for ((decl, &(ty, size)), argument) in given.zip(&sizes).zip(buffers) {
            let buffer = argument.buffer();
            assert_eq!(buffer.ty(), ty, "type of buffer {} of {name}", decl.name);
            let enough = buffer.len() as u64 >= size;
            assert!(enough, "{buffer:?} for {size} elements of {} of {name}", decl.name);
            let writable = matches!(argument, Argument::Write(_));
            let allowed = writable || decl.kind == BufferKind::In;
            assert!(allowed, "{} of {name} is written", decl.name);
        }
    }
}
