//! Ctrl-C: the first asks running kernels to stop, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The flag that kernels and the evaluator watch.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Exit status of a process ended by Ctrl-C, as shells have it.
const EXIT_CODE: i32 = 130;

/// Takes over Ctrl-C for this process; an error if something else has it already.
pub fn install() -> Result<(), String> {
    let handler = || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT_CODE);
        }
    };
    ctrlc::set_handler(handler).map_err(|e| e.to_string())
}

/// Asks running kernels to stop.
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Whether an end was asked for and not yet taken back.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Takes a request back, so that later kernels run.
pub fn clear() {
    REQUESTED.store(false, Ordering::Relaxed);
}
