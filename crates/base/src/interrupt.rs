//! Work that is given up from outside.
//!
//! Checking has no place where it could hand back half of its work, so it is unwound: what has
//! a long way to go calls [`poll`], and [`unless`] catches what unwinds from there. Nothing is
//! printed, since it is no panic.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The work was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

thread_local! {
    /// The flag of the work that this thread does.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Takes the flag of the work around back, however the work ends.
struct Restore(Option<Arc<AtomicBool>>);

impl Drop for Restore {
    fn drop(&mut self) {
        FLAG.set(self.0.take());
    }
}

/// Does some work on this thread, which is given up at its next [`poll`] once the flag is set.
/// What it changed till then stays changed.
///
/// # Errors
///
/// Where it was given up.
pub fn unless<T>(flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    let _restore = Restore(FLAG.replace(Some(Arc::clone(flag))));
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(interrupted) => *interrupted,
        Err(panic) => resume_unwind(panic),
    })
}

/// Gives the work around up, if its flag is set.
pub fn poll() {
    let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
    if FLAG.with_borrow(|flag| flag.as_ref().is_some_and(is_set)) {
        resume_unwind(Box::new(Interrupted));
    }
}
