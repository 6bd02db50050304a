//! Who waits for a long kernel sees how far it is.
//!
//! Kernels write the turns of their outermost loop into one place of the process; a thread
//! reads them now and then while a kernel runs, and has them drawn. What is drawn is taken
//! away before the kernel's caller goes on, so it never mixes with what a program prints.

use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use weft_codegen::Progress;

static PROGRESS: Progress = Progress::new();
static WATCHER: OnceLock<Mutex<Watcher>> = OnceLock::new();

/// Between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);

/// What is drawn while a kernel runs.
pub trait Draw: Send {
    /// Draws that a kernel has run so long, and that so many of so many turns of its
    /// outermost loop are done, where that is known.
    fn draw(&mut self, elapsed: Duration, steps: Option<(u64, u64)>);

    /// Takes away what was drawn.
    fn clear(&mut self);
}

struct Watcher {
    draw: Box<dyn Draw>,
    patience: Duration,
    /// Since when kernels run; several threads may call some.
    since: Instant,
    running: usize,
    drawn: bool,
}

/// Has kernels that run for longer than `patience` drawn from now on, from a thread of its
/// own.
///
/// Once per process; an error where the system has no thread for it.
pub fn watch(draw: Box<dyn Draw>, patience: Duration) -> io::Result<()> {
    let fresh = Watcher { draw, patience, since: Instant::now(), running: 0, drawn: false };
    if WATCHER.set(Mutex::new(fresh)).is_err() {
        return Ok(());
    }
    let body = || {
        loop {
            thread::sleep(INTERVAL);
            if let Some(mut w) = watcher() {
                w.look();
            }
        }
    };
    thread::Builder::new().name("weft-progress".into()).spawn(body).map(drop)
}

fn watcher() -> Option<MutexGuard<'static, Watcher>> {
    WATCHER.get().map(|w| w.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Watcher {
    fn look(&mut self) {
        let elapsed = self.since.elapsed();
        if self.running > 0 && elapsed > self.patience {
            self.draw.draw(elapsed, PROGRESS.steps());
            self.drawn = true;
        }
    }

    fn begin(&mut self) {
        if self.running == 0 {
            self.since = Instant::now();
        }
        self.running += 1;
    }

    fn end(&mut self) {
        self.running -= 1;
        if std::mem::take(&mut self.drawn) {
            self.draw.clear();
        }
    }
}

/// A kernel that runs, until it is dropped.
pub(crate) struct Watched(());

/// A kernel begins.
pub(crate) fn begin() -> Watched {
    // One that failed did not say that its loop ended.
    PROGRESS.begin(0);
    if let Some(mut w) = watcher() {
        w.begin();
    }
    Watched(())
}

impl Watched {
    /// Where the kernel says how far it is.
    pub(crate) fn progress(&self) -> &'static Progress {
        &PROGRESS
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(mut w) = watcher() {
            w.end();
        }
    }
}
