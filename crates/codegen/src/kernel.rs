//! Calling machine code.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use weft_loops::Stmt;

/// Iterations `begin..end` of a parallel loop, the `chunk`th part of it. Returns what a
/// kernel does.
pub type ParallelBody = unsafe extern "C" fn(
    environment: *const u8,
    chunk: u64,
    begin: u64,
    end: u64,
    status: *mut Status,
) -> u32;

/// Runs iterations `0..count` of a parallel loop in chunks of `size`, in any order, each
/// with a [`Status::fork`]; returns [`Status::DONE`], or the code of the first chunk that
/// fails, whose status is copied to `status`.
///
/// # Safety
///
/// `body` may be called with `environment` from any thread until this returns, once for
/// each chunk.
pub type ParallelFor = unsafe extern "C" fn(
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    status: *mut Status,
) -> u32;

/// One chunk after the other.
unsafe extern "C" fn in_order(
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    status: *mut Status,
) -> u32 {
    for chunk in 0..count.div_ceil(size) {
        let (begin, end) = (chunk * size, count.min((chunk + 1) * size));
        // SAFETY: each chunk is run once; the status is the caller's.
        let code = unsafe { body(environment, chunk, begin, end, status) };
        if code != Status::DONE {
            return code;
        }
    }
    Status::DONE
}

/// How far the outermost loop of a kernel is, for whoever watches: written now and then by
/// the kernel, with no order to anything else.
#[repr(C)]
#[derive(Default, Debug)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Where the number of iterations lies, in bytes; how many are done lies first.
    pub(crate) const TOTAL: usize = std::mem::offset_of!(Progress, total);

    /// Nothing begun.
    pub const fn new() -> Progress {
        Progress { done: AtomicU64::new(0), total: AtomicU64::new(0) }
    }

    /// How many of the loop's iterations are done, and of how many; nothing outside a loop.
    pub fn steps(&self) -> Option<(u64, u64)> {
        let total = self.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.done.load(Ordering::Relaxed).min(total), total))
    }

    /// A loop of so many iterations begins; with 0, it ended.
    pub fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// That many more iterations are done.
    pub fn advance(&self, iterations: u64) {
        self.done.fetch_add(iterations, Ordering::Relaxed);
    }
}

/// For kernels that nobody watches.
static UNWATCHED: Progress = Progress::new();

/// The reports of a kernel beside its result, and the flags that it watches while it runs.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct Status {
    /// Becomes true to stop the kernel at the next iteration of an outer loop; may be null.
    interrupt: *const AtomicBool,
    /// Runs parallel loops.
    pub(crate) parallel_for: ParallelFor,
    /// The team that [`Status::parallel_for`] runs them on, in its own terms.
    threads: *const u8,
    /// Site of the trap.
    pub site: u32,
    /// How many of [`Status::args`] the trap gave.
    pub arg_count: u32,
    /// Arguments of the trap.
    pub args: [i64; Stmt::TRAP_ARGS],
    /// Whether one thread runs the whole call; the same in all its chunks.
    pub(crate) alone: bool,
    /// Where the kernel says how far it is; never null.
    pub(crate) progress: *const Progress,
}

impl Status {
    /// For a call that stops when `interrupt` becomes true; the flag must outlive the call.
    pub fn new(interrupt: &AtomicBool) -> Status {
        Status { interrupt, ..Status::uninterruptible() }
    }

    /// For a call that runs to its end.
    pub fn uninterruptible() -> Status {
        Status {
            interrupt: ptr::null(),
            parallel_for: in_order,
            threads: ptr::null(),
            site: 0,
            arg_count: 0,
            args: [0; Stmt::TRAP_ARGS],
            alone: true,
            progress: &raw const UNWATCHED,
        }
    }

    /// The same, for a kernel that says how far it is.
    pub fn with_progress(self, progress: &'static Progress) -> Status {
        Status { progress, ..self }
    }

    /// Where the kernel says how far it is.
    pub fn progress(&self) -> &'static Progress {
        // SAFETY: it was made from a reference of that lifetime, here or above.
        unsafe { &*self.progress }
    }

    /// The same, with parallel loops run by `parallel_for`, which finds `threads` here: so
    /// many.
    pub fn with_threads(
        self,
        parallel_for: ParallelFor,
        threads: *const u8,
        count: usize,
    ) -> Status {
        Status { parallel_for, threads, alone: count == 1, ..self }
    }

    /// The data given with the function that runs parallel loops.
    pub fn threads(&self) -> *const u8 {
        self.threads
    }

    /// For one chunk of a parallel loop: stops when `self` does, and runs loops in order.
    pub fn fork(&self) -> Status {
        let (interrupt, alone) = (self.interrupt, self.alone);
        Status { interrupt, alone, ..Status::uninterruptible() }
    }

    /// Returned by machine code of which all ran.
    pub const DONE: u32 = 0;

    /// The arguments the trap gave.
    pub fn args(&self) -> &[i64] {
        &self.args[..self.arg_count as usize]
    }
}

// SAFETY: flag and progress are atomic and static; the rest are numbers, a function, and what only
// that function looks at.
unsafe impl Send for Status {}
// SAFETY: as above.
unsafe impl Sync for Status {}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All of it ran.
    Done,
    /// A trap: see [`Status::site`] and [`Status::args`].
    Trapped,
    /// [`Status::new`]'s flag was seen.
    Interrupted,
    /// Code that checks its accesses would have left a buffer: [`Status::site`] is its
    /// number, [`Status::args`] the index and the count of elements.
    Outside,
    /// An integer left its type ([`Stmt::Flag`]).
    Overflowed,
}

/// Value returned by machine code for each outcome.
pub(crate) const DONE: u64 = Status::DONE as u64;
pub(crate) const TRAPPED: u64 = 1;
pub(crate) const INTERRUPTED: u64 = 2;
pub(crate) const OUTSIDE: u64 = 3;
pub(crate) const OVERFLOWED: u64 = 4;

pub(crate) type Entry =
    unsafe extern "C" fn(params: *const u64, buffers: *const *mut u8, status: *mut Status) -> u32;

/// One function's machine code; valid while its [`crate::Loaded`] lives.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    entry: Entry,
}

impl Kernel {
    pub(crate) fn new(entry: Entry) -> Kernel {
        Kernel { entry }
    }

    /// Where its code begins.
    pub fn address(&self) -> usize {
        self.entry as usize
    }

    /// Runs the function.
    ///
    /// # Safety
    ///
    /// The object is still loaded. `params` holds the bits of each parameter as
    /// `Scalar::bits` gives them. `buffers` holds, for each buffer that is not on the
    /// stack, an address aligned to its elements, of memory as large as the declared size
    /// and, for buffers not only read, not accessed by anyone else during the call. No two
    /// buffers overlap. All accesses of the function are in bounds for these.
    pub unsafe fn call(&self, params: &[u64], buffers: &[*mut u8], status: &mut Status) -> Outcome {
        // SAFETY: the caller's promise; the pointers are those of live slices.
        let code = unsafe { (self.entry)(params.as_ptr(), buffers.as_ptr(), status) };
        match u64::from(code) {
            DONE => Outcome::Done,
            TRAPPED => Outcome::Trapped,
            INTERRUPTED => Outcome::Interrupted,
            OUTSIDE => Outcome::Outside,
            OVERFLOWED => Outcome::Overflowed,
            other => unreachable!("machine code returned {other}"),
        }
    }
}
