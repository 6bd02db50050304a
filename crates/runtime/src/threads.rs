//! The threads that run parallel loops.
//!
//! How a loop is divided is fixed by the kernel, so results are the same on any number of
//! threads.

mod fork;
mod team;

use fork::Fork;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use team::Team;
use weft_codegen::{ParallelBody, Progress, Status};

/// How long threads look for what comes next before they sleep. Loops inside a serial one
/// follow each other within microseconds, and waking costs tens of them.
const PATIENCE: Duration = Duration::from_micros(100);

/// Some threads, shared by whoever holds a copy. They start when first needed.
#[derive(Clone, Debug)]
pub struct Threads {
    count: usize,
    team: Arc<OnceLock<Option<Team>>>,
}

impl Threads {
    /// This many threads, at least one; who calls a kernel is one of them.
    pub fn new(count: usize) -> Threads {
        Threads { count: count.max(1), team: Arc::default() }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Who helps; nobody for one thread, or where the system has no more threads.
    fn team(&self) -> Option<&Team> {
        if self.count == 1 {
            return None;
        }
        self.team.get_or_init(|| Team::new(self.count)).as_ref()
    }

    /// What a call with `status` is to be told, so that its loops run on these threads.
    pub(crate) fn serve(&self, status: Status) -> Status {
        status.with_threads(parallel_for, std::ptr::from_ref(self).cast(), self.count)
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
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    /// Its parts.
    fn chunks(&self) -> u64 {
        self.count.div_ceil(self.size)
    }

    /// Runs one chunk with a status of its own.
    ///
    /// # Safety
    ///
    /// Once for each chunk, while `parallel_for`'s caller waits.
    unsafe fn run(&self, chunk: u64) -> (u32, Status) {
        let begin = chunk * self.size;
        let end = self.count.min(begin + self.size);
        let mut status = self.parent.fork();
        // SAFETY: the caller's promise.
        let code = unsafe { (self.body)(self.environment, chunk, begin, end, &mut status) };
        if let Some(progress) = self.progress {
            progress.advance(end - begin);
        }
        (code, status)
    }

    /// The first chunk that fails, of those up to which all were run.
    fn run_all(self, team: Option<&Team>) -> Option<(u32, Status)> {
        match team.filter(|_| self.chunks() > 1) {
            // SAFETY: each once, and the caller waits for this to return.
            None => (0..self.chunks())
                .map(|chunk| unsafe { self.run(chunk) })
                .find(|(code, _)| *code != Status::DONE),
            Some(team) => team.run(Fork::new(self, team.size())),
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
    let failed = job.run_all(threads.team());
    progress.inspect(|p| p.begin(0));
    match failed {
        None => Status::DONE,
        Some((code, own)) => {
            (status.site, status.arg_count, status.args) = (own.site, own.arg_count, own.args);
            code
        }
    }
}
