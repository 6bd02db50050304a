//! Ctrl-C while a program computes: it ends the computation, and Python then does what it does
//! with the signal.
//!
//! Python's own handler only notes a signal, and acts on it when the main thread is back in the
//! interpreter. So while the main thread computes, a handler stands before it that sets the flag
//! which runs look at, and calls it.

#![allow(unsafe_code, reason = "signal handlers")]

use crate::errors::exception;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use weft::Error;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The handler that was there before, as an address.
static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);

/// The flag of what the main thread computes. No other thread is interrupted, as in Python.
pub(crate) struct Watch {
    handler: Handler,
}

/// Who takes Ctrl-C.
enum Handler {
    /// Ours, in place of this one.
    Before(libc::sigaction),
    /// Ours already: a program runs that called what runs now.
    Outer,
    /// Not this thread's.
    Other,
}

impl Watch {
    /// Watches for Ctrl-C until it is dropped, if this is the main thread.
    pub fn begin() -> Watch {
        Watch { handler: if is_main_thread() { install() } else { Handler::Other } }
    }

    /// The flag that is set by Ctrl-C; nothing where this thread is not watched.
    pub fn flag(&self) -> Option<&'static AtomicBool> {
        self.is_watched().then(|| &**flag())
    }

    /// The same, shared.
    pub fn shared_flag(&self) -> Option<Arc<AtomicBool>> {
        self.is_watched().then(|| flag().clone())
    }

    fn is_watched(&self) -> bool {
        !matches!(self.handler, Handler::Other)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Handler::Before(before) = &self.handler {
            // SAFETY: an action that the system gave out.
            unsafe { libc::sigaction(libc::SIGINT, before, std::ptr::null_mut()) };
        }
    }
}

/// Does something that Ctrl-C interrupts; again, where Python goes on after that.
pub(crate) fn until_done<T>(
    py: Python<'_>,
    mut act: impl FnMut() -> Result<T, Error>,
) -> PyResult<T> {
    loop {
        match act() {
            Err(Error::Interrupted) => py.check_signals()?,
            ended => return ended.map_err(|e| exception(py, &e)),
        }
    }
}

fn flag() -> &'static Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default)
}

fn is_main_thread() -> bool {
    thread_local! {
        static MAIN: bool = has_number_of_process();
    }
    MAIN.with(|main| *main)
}

fn has_number_of_process() -> bool {
    // SAFETY: both take nothing and only answer.
    unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) }
}

/// Puts the handler before the one that is there; nothing where that is none that can be called.
fn install() -> Handler {
    flag().store(false, Ordering::Relaxed);
    // SAFETY: actions are numbers and addresses, of which zeros are some; the system reads one and
    // fills in the other.
    unsafe {
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = interrupted as *const () as usize;
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGINT, &raw const ours, &raw mut before) != 0 {
            return Handler::Other;
        }
        if before.sa_sigaction == ours.sa_sigaction {
            return Handler::Outer;
        }
        BEFORE.store(before.sa_sigaction, Ordering::Relaxed);
        let callable = before.sa_sigaction != libc::SIG_DFL && before.sa_sigaction != libc::SIG_IGN;
        if !callable || before.sa_flags & libc::SA_SIGINFO != 0 {
            libc::sigaction(libc::SIGINT, &raw const before, std::ptr::null_mut());
            return Handler::Other;
        }
        Handler::Before(before)
    }
}

/// Stores and loads of atomics are all that it does itself.
extern "C" fn interrupted(signal: libc::c_int) {
    if let Some(flag) = FLAG.get() {
        flag.store(true, Ordering::Relaxed);
    }
    let before = BEFORE.load(Ordering::Relaxed);
    if before != libc::SIG_DFL && before != libc::SIG_IGN {
        // SAFETY: the address of a handler that takes the signal's number, as `install` saw.
        let handler: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(before) };
        handler(signal);
    }
}
