//! Kernels with the signatures of the functions they were made from, called with checked
//! arguments.

use crate::{Buffer, Failure, Threads, interrupt, progress};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weft_base::entity::EntityRef;
use weft_codegen::{Kernel, Loaded, Object, Outcome, Status, Symbol};
use weft_loops::{Buffer as Buf, BufferKind, Function, eval};
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
    loaded: Loaded,
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
        let inner = Inner { kernels: kernels?, functions, symbols, loaded };
        Ok(Library { inner: Arc::new(inner) })
    }

    /// The routine of the `index`th function.
    pub fn routine(&self, index: usize) -> Routine {
        assert!(index < self.inner.kernels.len(), "the library has a routine {index}");
        Routine { library: Arc::clone(&self.inner), index }
    }

    /// Address, size and name of each piece of code, for profilers, with the index of the
    /// function it is made from. All code of one of an object's files lies in one section.
    pub(crate) fn functions_in_memory(&self) -> Vec<(u64, u64, &str, usize)> {
        let symbols = &self.inner.symbols;
        let mut found = Vec::new();
        for file in symbols.chunk_by(|a, b| a.piece == b.piece) {
            let Some(base) = self.section(file) else { continue };
            let line = |s: &'_ Symbol| Some((base + s.offset, s.size, self.made_from(&s.name)?));
            let lines =
                file.iter().filter_map(|s| line(s).map(|l| (l.0, l.1, s.name.as_str(), l.2)));
            found.extend(lines);
        }
        found
    }

    /// The function that has this name, or a part of which has.
    fn made_from(&self, symbol: &str) -> Option<usize> {
        let is_of = |f: &Function| {
            let rest = symbol.strip_prefix(f.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.inner.functions.iter().position(is_of)
    }

    /// Where the section of a file's functions lies.
    fn section(&self, symbols: &[Symbol]) -> Option<u64> {
        let known = symbols.iter().find(|s| s.exported)?;
        let address = self.inner.loaded.address(&known.name).ok()?;
        (address as u64).checked_sub(known.offset)
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

    /// Runs the kernel, its parallel loops on `threads`, and says to [`crate::progress`] how
    /// far it is. `buffers` holds an argument for each buffer that is not on the kernel's
    /// stack, in order.
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
        self.call_until(interrupt::flag(), params, buffers, threads)
    }

    /// As [`Routine::call`], until a flag is set that is not the process's.
    pub fn call_until(
        &self,
        flag: &AtomicBool,
        params: &[Scalar],
        buffers: &mut [Argument<'_>],
        threads: &Threads,
    ) -> Result<(), Failure> {
        self.check(params, buffers);
        let words: Vec<u64> = params.iter().map(|p| p.bits()).collect();
        let addresses: Vec<*mut u8> = buffers.iter().map(|b| b.buffer().address()).collect();
        let watched = progress::begin();
        let status = Status::new(flag).with_progress(watched.progress());
        let mut status = threads.serve(status);
        let kernel = self.library.kernels[self.index];
        // SAFETY: the code is kept mapped by `library`, and `flag` is borrowed; types and sizes were checked; each
        // written buffer is borrowed mutably, so it is neither shared nor passed twice.
        // That accesses are in bounds of the declared sizes is what makes a function valid.
        match unsafe { kernel.call(&words, &addresses, &mut status) } {
            Outcome::Done => Ok(()),
            Outcome::Trapped => {
                Err(Failure::Trap { site: status.site, args: status.args().to_vec() })
            }
            Outcome::Interrupted => Err(Failure::Interrupted),
            Outcome::Outside => {
                let buffer = &self.function().buffers[Buf::new(status.site as usize)];
                let (name, args) = (&self.function().name, status.args());
                panic!("{name} leaves `{}`: index {} of {}", buffer.name, args[0], args[1])
            }
            Outcome::Overflowed => Err(Failure::Overflow),
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
