//! Calling machine code.

use std::ptr;
use std::sync::atomic::AtomicBool;
use weft_loops::Stmt;

/// What a kernel reports beside its result, and what it watches while it runs.
#[repr(C)]
#[derive(Debug)]
pub struct Status {
    /// Becomes true to stop the kernel at the next iteration of an outer loop; may be null.
    interrupt: *const AtomicBool,
    /// Site of the trap.
    pub site: u32,
    /// How many of [`Status::args`] the trap gave.
    pub arg_count: u32,
    /// Arguments of the trap.
    pub args: [i64; Stmt::TRAP_ARGS],
}

impl Status {
    /// For a call that stops when `interrupt` becomes true.
    pub fn new(interrupt: &'static AtomicBool) -> Status {
        Status { interrupt, ..Status::uninterruptible() }
    }

    /// For a call that runs to its end.
    pub fn uninterruptible() -> Status {
        Status { interrupt: ptr::null(), site: 0, arg_count: 0, args: [0; Stmt::TRAP_ARGS] }
    }

    /// The arguments the trap gave.
    pub fn args(&self) -> &[i64] {
        &self.args[..self.arg_count as usize]
    }
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All of it ran.
    Done,
    /// A trap: see [`Status::site`] and [`Status::args`].
    Trapped,
    /// [`Status::new`]'s flag was seen.
    Interrupted,
}

/// Value returned by machine code for each outcome.
pub(crate) const DONE: u64 = 0;
pub(crate) const TRAPPED: u64 = 1;
pub(crate) const INTERRUPTED: u64 = 2;

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
            other => unreachable!("machine code returned {other}"),
        }
    }
}
