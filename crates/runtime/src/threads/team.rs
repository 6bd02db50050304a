//! Threads that help with parallel loops, and stay awake between loops that follow each
//! other closely.

use super::PATIENCE;
use super::fork::Fork;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use weft_codegen::Status;

/// What a kernel's parts may take of the stack.
const STACK_BYTES: usize = 16 << 20;

/// Whoever forks, and the threads of a pool.
#[derive(Debug)]
pub(super) struct Team {
    pool: ThreadPool,
    board: Arc<Board>,
}

/// Where forks are announced.
struct Board {
    /// For each seat whether somebody looks at the board from there; whoever forks has the
    /// first one.
    taken: Box<[AtomicBool]>,
    /// How many forks there were.
    round: AtomicU64,
    latest: Mutex<Option<Arc<Fork>>>,
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Board").field("seats", &self.taken.len()).finish_non_exhaustive()
    }
}

impl Team {
    /// Of `size` threads with whoever forks; none where the system has no more.
    pub(super) fn new(size: usize) -> Option<Team> {
        let builder = ThreadPoolBuilder::new().num_threads(size - 1).stack_size(STACK_BYTES);
        let pool = builder.thread_name(|n| format!("weft-{}", n + 1)).build().ok()?;
        let taken = (0..size).map(|_| AtomicBool::new(false)).collect();
        let board = Board { taken, round: AtomicU64::new(0), latest: Mutex::new(None) };
        Some(Team { pool, board: Arc::new(board) })
    }

    /// How many, with whoever forks.
    pub(super) fn size(&self) -> usize {
        self.board.taken.len()
    }

    /// Runs all chunks; the first one that failed.
    pub(super) fn run(&self, fork: Fork) -> Option<(u32, Status)> {
        let fork = Arc::new(fork);
        self.board.announce(&fork);
        call_below(&self.board, 0, &|f| self.pool.spawn(f));
        fork.take_part(0);
        fork.wait()
    }
}

/// Has the vacant seats below one taken: those of twice its number and on, so that whoever
/// forks need not wake everybody itself.
fn call_below(board: &Arc<Board>, seat: usize, spawn: &dyn Fn(Box<dyn FnOnce() + Send>)) {
    for seat in [2 * seat + 1, 2 * seat + 2] {
        let Some(taken) = board.taken.get(seat) else { return };
        if taken.swap(true, Ordering::SeqCst) {
            call_below(board, seat, spawn);
            continue;
        }
        let board = Arc::clone(board);
        spawn(Box::new(move || {
            call_below(&board, seat, &|f| rayon::spawn(f));
            board.linger(seat);
        }));
    }
}

impl Board {
    fn announce(&self, fork: &Arc<Fork>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(fork));
        self.round.fetch_add(1, Ordering::SeqCst);
    }

    /// Takes part in what is announced, from a seat that is taken, until there has been
    /// nothing for a while.
    fn linger(&self, seat: usize) {
        let mut seen = 0;
        loop {
            self.look(seat, &mut seen);
            // Who announces something looks at the seats afterwards: it finds this one
            // vacant, or is found here.
            self.taken[seat].store(false, Ordering::SeqCst);
            let missed = self.round.load(Ordering::SeqCst) != seen;
            if !missed || self.taken[seat].swap(true, Ordering::SeqCst) {
                return;
            }
        }
    }

    fn look(&self, seat: usize, seen: &mut u64) {
        let mut idle = Instant::now();
        while idle.elapsed() < PATIENCE {
            let round = self.round.load(Ordering::SeqCst);
            if round == *seen {
                std::hint::spin_loop();
                continue;
            }
            *seen = round;
            let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(fork) = latest {
                fork.take_part(seat);
            }
            idle = Instant::now();
        }
    }
}
