//! Kernels with the signatures of the functions they were made from, called with checked
//! arguments.

use crate::buffer::array_bytes;
use crate::{Buffer, Failure, Threads, interrupt, progress};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weft_base::entity::EntityRef;
use weft_codegen::{Kernel, Loaded, Object, Outcome, Status, Symbol};
use weft_loops::{Buffer as Buf, BufferKind, Function, eval};
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::Array;

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

/// Memory as an argument.
pub enum Argument<'a> {
    /// For a buffer that is only read.
    Read(&'a Buffer),
    /// The same, of numbers that lie elsewhere.
    Array(&'a Array),
    /// For any buffer.
    Write(&'a mut Buffer),
}

/// What an argument passes to machine code, found once for a call.
struct Passed {
    ty: ScalarType,
    len: usize,
    address: *mut u8,
    writable: bool,
}

impl Argument<'_> {
    fn passed(&self) -> Passed {
        let (ty, bytes, writable) = match self {
            Argument::Read(buffer) => (buffer.ty(), buffer.bytes(), false),
            Argument::Array(array) => (array.elem(), array_bytes(array), false),
            Argument::Write(buffer) => (buffer.ty(), buffer.bytes(), true),
        };
        // What is written is addressed by a pointer that came of no shared reference.
        let address = match self {
            Argument::Write(buffer) => buffer.address(),
            _ => bytes.as_ptr().cast_mut(),
        };
        Passed { ty, len: bytes.len() / ty.bytes(), address, writable }
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

    /// The routine with the values of its parameters.
    ///
    /// Panics where one is of another type than declared.
    pub fn fitted(&self, params: &[Scalar]) -> Fitted {
        let function = self.function();
        let types = |given: &[Scalar]| given.iter().map(|p| p.ty()).collect::<Vec<_>>();
        let declared: Vec<ScalarType> = function.params.values().map(|p| p.ty).collect();
        assert_eq!(types(params), declared, "types of the parameters of {}", function.name);
        let words = params.iter().map(|p| p.bits()).collect();
        Fitted { routine: self.clone(), words, sizes: self.sizes(params) }
    }

    /// Runs the kernel once, as [`Fitted::call_until`] does, until the process is interrupted.
    pub fn call(
        &self,
        params: &[Scalar],
        buffers: &mut [Argument<'_>],
        threads: &Threads,
    ) -> Result<(), Failure> {
        self.fitted(params).call_until(interrupt::flag(), buffers, threads)
    }
}

/// A routine with the values of its parameters, so that how large its buffers must be is found
/// once for many calls.
pub struct Fitted {
    routine: Routine,
    /// The bits of the parameters.
    words: Vec<u64>,
    /// Type and least length of each buffer that a caller provides.
    sizes: Vec<(ScalarType, u64)>,
}

impl Fitted {
    /// Runs the kernel, its parallel loops on `threads`, and says to [`crate::progress`] how
    /// far it is; until the flag is set. `buffers` holds an argument for each buffer that is not
    /// on the kernel's stack, in order.
    ///
    /// Panics if an argument is of another type than declared, smaller, or may only be
    /// read where the kernel writes. After a failure, what the kernel writes is undefined
    /// but valid.
    pub fn call_until(
        &self,
        flag: &AtomicBool,
        buffers: &mut [Argument<'_>],
        threads: &Threads,
    ) -> Result<(), Failure> {
        let passed: Vec<Passed> = buffers.iter().map(Argument::passed).collect();
        self.check(&passed);
        let addresses: Vec<*mut u8> = passed.iter().map(|p| p.address).collect();
        let watched = progress::begin();
        let status = Status::new(flag).with_progress(watched.progress());
        let mut status = threads.serve(status);
        let library = &self.routine.library;
        let kernel = library.kernels[self.routine.index];
        // SAFETY: the code is kept mapped by `library`, and `flag` is borrowed; types and sizes were checked; each
        // written buffer is borrowed mutably, so it is neither shared nor passed twice.
        // That accesses are in bounds of the declared sizes is what makes a function valid.
        match unsafe { kernel.call(&self.words, &addresses, &mut status) } {
            Outcome::Done => Ok(()),
            Outcome::Trapped => {
                Err(Failure::Trap { site: status.site, args: status.args().to_vec() })
            }
            Outcome::Interrupted => Err(Failure::Interrupted),
            Outcome::Outside => {
                let function = self.routine.function();
                let buffer = &function.buffers[Buf::new(status.site as usize)];
                let (name, args) = (&function.name, status.args());
                panic!("{name} leaves `{}`: index {} of {}", buffer.name, args[0], args[1])
            }
            Outcome::Overflowed => Err(Failure::Overflow),
        }
    }

    fn check(&self, passed: &[Passed]) {
        let function = self.routine.function();
        let name = &function.name;
        assert_eq!(passed.len(), self.sizes.len(), "count of the buffers of {name}");
        let given = function.buffers.values().filter(|b| b.kind != BufferKind::Stack);
        for ((decl, &(ty, size)), passed) in given.zip(&self.sizes).zip(passed) {
            assert_eq!(passed.ty, ty, "type of buffer {} of {name}", decl.name);
            let (len, enough) = (passed.len, passed.len as u64 >= size);
            assert!(enough, "{len} of {ty} for {size} elements of {} of {name}", decl.name);
            let allowed = passed.writable || decl.kind == BufferKind::In;
            assert!(allowed, "{} of {name} is written", decl.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Foreign, Held, MemoryAccount, Released, to_array};
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use weft_tensor::Element;

    /// Bytes for twelve numbers, aligned to any of them.
    fn bytes() -> Vec<u64> {
        vec![0x0001_0001_0100_0001; 12]
    }

    fn address<T: Element>(array: &Array) -> *const u8 {
        array.as_slice::<T>().expect("of this type").as_ptr().cast()
    }

    /// A number goes into machine code and comes out of it where it lies.
    fn stays<T: Element>() {
        let (memory, released) = (bytes(), Arc::new(AtomicUsize::new(0)));
        let (first, count) = (memory.as_ptr().cast::<u8>(), released.clone());
        let owner = (memory, Released::by(move || _ = count.fetch_add(1, SeqCst)));
        // SAFETY: the owner has twelve words that nobody writes.
        let foreign = unsafe { Foreign::new(first, T::TYPE, vec![3, 4], owner) };
        let (array, copied) = foreign.array().expect("twelve numbers");
        assert_eq!((copied, address::<T>(&array)), (None, first), "{}", T::TYPE);
        let (array, mut context) = (Arc::new(array), Context::new(Some(0)));
        let t = weft_tensor::TensorId::new(0);
        let held = context.insert_array(t, &array, true).expect("it takes nothing");
        assert_eq!(held.argument().passed().address.cast_const(), first);
        assert!(!held.argument().passed().writable);
        assert!(context.insert_array(t, &array, false).is_err(), "what is not lent counts");
        let again = held.array(&[3, 4]).expect("of this shape");
        drop((held, array, context));
        assert_eq!((released.load(SeqCst), address::<T>(&again)), (0, first));
        drop(again);
        assert_eq!(released.load(SeqCst), 1);

        let account = Arc::new(MemoryAccount::default());
        let buffer = Arc::new(Buffer::zeroed(&account, T::TYPE, 12).expect("twelve numbers"));
        let result = to_array(&buffer, &[2, 5]).expect("ten of twelve");
        assert_eq!((result.len(), address::<T>(&result)), (10, buffer.bytes().as_ptr()));
        let fed = Argument::Array(&result).passed();
        assert_eq!((fed.len, fed.address.cast_const()), (10, buffer.bytes().as_ptr()));
        drop(buffer);
        assert_eq!(account.used(), 12 * size_of::<T>() as u64, "the array has it");
        drop(result);
        assert_eq!(account.used(), 0);
    }

    #[test]
    fn numbers_of_every_type_stay_where_they_are() {
        macro_rules! each {
            ($($variant:ident($rust:ty))*) => { $(stays::<$rust>();)* };
        }
        weft_scalar::for_each_type!(each);
    }

    #[test]
    fn memory_of_a_context_that_is_gone_is_kept_by_its_results_alone() {
        let context = Context::new(None);
        let scratch = context.unset(ScalarType::F64, 1 << 10).expect("some memory");
        let result = context.unset(ScalarType::F64, 1).expect("some memory");
        let account = context.account().clone();
        drop(scratch);
        let result = Held::Buffer(Arc::new(result)).array(&[1]).expect("one number");
        drop(context);
        drop(result);
        assert_eq!(account.used(), 0);
        let fresh = Buffer::unset(&account, ScalarType::F64, 1 << 10).expect("some memory");
        assert!(fresh.bytes().iter().all(|b| *b == 0), "it waited for nobody");
    }
}
