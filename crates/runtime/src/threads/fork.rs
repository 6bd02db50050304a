//! One parallel loop on its way: who runs which chunk.
//!
//! Each thread begins with a share of its own, the same one in every loop of as many
//! chunks, so that what it wrote in the loop before is still in its cache; then it helps
//! the others from the ends of theirs.

use super::{Job, PATIENCE};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Instant;
use weft_codegen::Status;

/// A job and what of it is left.
pub(super) struct Fork {
    job: Job,
    shares: Box<[Share]>,
    /// Chunks that have not ended.
    left: AtomicU64,
    /// Chunks from here on need not run.
    failed: AtomicU64,
    failure: Mutex<Option<(u64, u32, Status)>>,
    /// Who waits.
    caller: Thread,
}

/// Chunks that nobody has begun: the first in the lower half, the end in the upper one. On
/// a cache line of its own.
#[repr(align(64))]
struct Share(AtomicU64);

impl Share {
    fn new(first: u64, end: u64) -> Share {
        Share(AtomicU64::new(end << 32 | first))
    }

    /// Takes the first chunk, or the last.
    fn take(&self, first: bool) -> Option<u64> {
        let less = |s: u64| {
            let some = s & u64::from(u32::MAX) < s >> 32;
            some.then(|| if first { s + 1 } else { s - (1 << 32) })
        };
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok()?;
        Some(if first { before & u64::from(u32::MAX) } else { (before >> 32) - 1 })
    }
}

impl Fork {
    /// For this thread, which must wait with [`Fork::wait`], and others, together `threads`.
    pub(super) fn new(job: Job, threads: usize) -> Fork {
        let (chunks, threads) = (job.chunks(), threads as u64);
        assert!(chunks <= u64::from(u32::MAX), "kernels make few chunks");
        let cut = |k: u64| chunks * k / threads;
        Fork {
            job,
            shares: (0..threads).map(|k| Share::new(cut(k), cut(k + 1))).collect(),
            left: AtomicU64::new(chunks),
            failed: AtomicU64::new(u64::MAX),
            failure: Mutex::new(None),
            caller: thread::current(),
        }
    }

    /// Runs chunks, those of the `seat`th share first, until nobody has any to begin.
    pub(super) fn take_part(&self, seat: usize) {
        let (before, own) = self.shares.split_at(seat);
        let mut ended = 0;
        for (k, share) in own.iter().chain(before).enumerate() {
            while let Some(chunk) = share.take(k == 0) {
                self.run(chunk);
                ended += 1;
            }
        }
        // Whoever sees that none is left sees what the chunks wrote.
        if ended > 0 && self.left.fetch_sub(ended, Ordering::AcqRel) == ended {
            self.caller.unpark();
        }
    }

    fn run(&self, chunk: u64) {
        if chunk > self.failed.load(Ordering::Relaxed) {
            return;
        }
        // SAFETY: a share gives each chunk once, and `wait` returns when all have ended.
        let (code, status) = unsafe { self.job.run(chunk) };
        if code != Status::DONE {
            self.failed.fetch_min(chunk, Ordering::Relaxed);
            let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|f| chunk < f.0) {
                *first = Some((chunk, code, status));
            }
        }
    }

    /// Waits until all chunks have ended; the first one that failed.
    pub(super) fn wait(&self) -> Option<(u32, Status)> {
        let ended = || self.left.load(Ordering::Acquire) == 0;
        let begun = Instant::now();
        while !ended() && begun.elapsed() < PATIENCE {
            std::hint::spin_loop();
        }
        while !ended() {
            thread::park();
        }
        let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().map(|(_, code, status)| (code, status))
    }
}
