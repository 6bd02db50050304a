//! Ctrl-C: the first asks for an end and waits a moment for it, the second ends the process.
//!
//! Kernels, the evaluator and who writes files look at a flag and stop in good order. What
//! does not look (checking, a compiler of machine code, a read that waits) is left where it
//! is: the process ends without it. Nothing is lost by that, since whatever is on a disk is
//! there as a whole or known as a draft; only what must happen together is waited for
//! ([`together`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static TOGETHER: Mutex<()> = Mutex::new(());
static LAST_WORDS: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// The flag that kernels and the evaluator watch.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Exit status of a process ended by Ctrl-C, as shells have it.
const EXIT_CODE: i32 = 130;

/// How long a process may take to stop in good order: a person does not notice.
const PATIENCE: Duration = Duration::from_millis(120);

/// Takes over Ctrl-C for this process; an error if something else has it already. Where the
/// process does not end by itself, `last_words` are said before it is ended.
pub fn install(last_words: impl Fn() + Send + Sync + 'static) -> Result<(), String> {
    let _ = LAST_WORDS.set(Box::new(last_words));
    let handler = || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end();
        }
        // Without a thread there is still the second Ctrl-C.
        let _ = std::thread::Builder::new().name("weft-end".into()).spawn(end_soon);
    };
    ctrlc::set_handler(handler).map_err(|e| e.to_string())
}

/// Ends the process if it does not stop by itself.
fn end_soon() {
    std::thread::sleep(PATIENCE);
    if !requested() {
        return;
    }
    let _whole = TOGETHER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(say) = LAST_WORDS.get() {
        say();
    }
    end();
}

/// Ends the process at once. Its other threads may be anywhere, so nothing is taken down.
pub fn end() -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(EXIT_CODE) }
}

/// Does what must happen as a whole, like giving several files their names: a first Ctrl-C
/// waits for it.
pub fn together<T>(act: impl FnOnce() -> T) -> T {
    let _whole = TOGETHER.lock().unwrap_or_else(PoisonError::into_inner);
    act()
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
