//! The threads that run parallel loops.
//!
//! How a loop is divided is fixed by the kernel, so results are the same on any number of
//! threads.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, OnceLock};
use weft_codegen::{ParallelBody, Progress, Status};

/// What a kernel's parts may take of the stack.
const STACK_BYTES: usize = 16 << 20;

/// Some threads, shared by whoever holds a copy. They start when first needed.
#[derive(Clone, Debug)]
pub struct Threads {
    count: usize,
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Threads {
    /// This many threads, at least one.
    pub fn new(count: usize) -> Threads {
        Threads { count: count.max(1), pool: Arc::default() }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The pool; nothing for one thread, or where the system has no more threads.
    fn pool(&self) -> Option<&ThreadPool> {
        if self.count == 1 {
            return None;
        }
        let start = || {
            let builder = ThreadPoolBuilder::new().num_threads(self.count);
            let builder = builder.stack_size(STACK_BYTES);
            builder.thread_name(|n| format!("weft-{n}")).build().ok()
        };
        self.pool.get_or_init(start).as_ref()
    }

    /// What a call with `status` is to be told, so that its loops run on these threads.
    pub(crate) fn serve(&self, status: Status) -> Status {
        status.with_threads(parallel_for, std::ptr::from_ref(self).cast())
    }
}

impl Default for Threads {
    /// As many as the machine, the container or the affinity of this process allows.
    fn default() -> Threads {
        Threads::new(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

/// What a kernel hands over, shared among threads.
struct Job {
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    parent: Status,
    /// Told of each chunk, where no loop is around this one.
    progress: Option<&'static Progress>,
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
        if let Some(progress) = self.progress {
            progress.advance(end - begin);
        }
        (code, status)
    }

    /// The first chunk that fails, of those up to which all were run.
    fn run_all(&self, chunks: u64, pool: Option<&ThreadPool>) -> Option<(u32, Status)> {
        let failed = |(code, _): &(u32, Status)| *code != Status::DONE;
        match pool.filter(|_| chunks > 1) {
            None => (0..chunks).map(|chunk| self.run(chunk)).find(failed),
            Some(pool) => pool.install(|| {
                (0..chunks).into_par_iter().map(|chunk| self.run(chunk)).find_first(failed)
            }),
        }
    }
}

/// A [`weft_codegen::ParallelFor`] on the [`Threads`] that the status names.
///
/// # Safety
///
/// As [`weft_codegen::ParallelFor`] says, and the status names threads that live.
unsafe extern "C" fn parallel_for(
    environment: *const u8,
    body: ParallelBody,
    count: u64,
    size: u64,
    status: *mut Status,
) -> u32 {
    // SAFETY: the kernel passes the status it was called with, which nobody else uses.
    let status = unsafe { &mut *status };
    // SAFETY: only `Threads::serve` pairs this function with a pointer, to threads that
    // are borrowed during the call.
    let threads = unsafe { &*status.threads().cast::<Threads>() };
    let progress = Some(status.progress()).filter(|p| p.steps().is_none());
    progress.inspect(|p| p.begin(count));
    let job = Job { environment, body, count, size, parent: status.clone(), progress };
    let failed = job.run_all(count.div_ceil(size), threads.pool());
    progress.inspect(|p| p.begin(0));
    match failed {
        None => Status::DONE,
        Some((code, own)) => {
            (status.site, status.arg_count, status.args) = (own.site, own.arg_count, own.args);
            code
        }
    }
}
