//! The threads that run parallel loops.
//!
//! How a loop is divided is fixed by the kernel, so results are the same on any number of
//! threads.

use rayon::prelude::*;
use weft_codegen::{ParallelBody, Status};

/// Sets the number of threads, before anything ran in parallel; an error if it is too late.
/// The default is one per core, or what `RAYON_NUM_THREADS` says.
pub fn set_count(count: usize) -> Result<(), String> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
    builder.build_global().map_err(|e| e.to_string())
}

/// What a kernel hands over, shared among threads.
struct Job {
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    parent: Status,
}

// SAFETY: `parallel_for` may be called only if `body` and `environment` may be used from
// any thread; the rest are numbers.
unsafe impl Sync for Job {}

impl Job {
    /// Runs one chunk with a status of its own.
    fn run(&self, chunk: u64) -> (u32, Status) {
        let begin = chunk * self.size;
        let end = self.count.min(begin + self.size);
        let mut status = self.parent.fork();
        // SAFETY: each chunk is run once, while `parallel_for`'s caller waits.
        let code = unsafe { (self.body)(self.environment, chunk, begin, end, &mut status) };
        (code, status)
    }
}

/// A [`weft_codegen::ParallelFor`] on all threads.
///
/// # Safety
///
/// As [`weft_codegen::ParallelFor`] says.
pub(crate) unsafe extern "C" fn parallel_for(
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    status: *mut Status,
) -> u32 {
    // SAFETY: the kernel passes the status it was called with, which nobody else uses.
    let status = unsafe { &mut *status };
    let job = Job { environment, body, count, size, parent: status.clone() };
    let chunks = count.div_ceil(size);
    if chunks == 1 {
        let (code, own) = job.run(0);
        return settle(status, Some((code, own)));
    }
    let results = (0..chunks).into_par_iter().map(|chunk| job.run(chunk));
    settle(status, results.find_first(|(code, _)| *code != Status::DONE))
}

/// Leaves the first failure in the caller's status.
fn settle(status: &mut Status, failure: Option<(u32, Status)>) -> u32 {
    let Some((code, own)) = failure else { return Status::DONE };
    if code != Status::DONE {
        (status.site, status.arg_count, status.args) = (own.site, own.arg_count, own.args);
    }
    code
}
