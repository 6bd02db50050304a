//! Counting the memory of buffers against a limit, and keeping some for the next ones.

use crate::Failure;
use crate::pages::{Guard, Pages};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory that waits to be used again: more than any routine has buffers.
const MOST_WAITING: usize = 64;

/// How many bytes the buffers of one context use.
///
/// What a buffer leaves is kept for the next one of its size, as long as buffers and
/// waiting memory together stay within the limit.
#[derive(Debug)]
pub struct MemoryAccount {
    limit: u64,
    guard: Option<Guard>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    peak: u64,
    /// With the call that left them.
    waiting: Vec<(u64, Pages)>,
    /// Calls that began.
    calls: u64,
    /// Whether nothing is to wait any more.
    closed: bool,
}

impl State {
    /// What an earlier call took counts no more.
    fn gives_back(&mut self, bytes: u64, call: u64) {
        if call == self.calls {
            self.used -= bytes;
        }
    }

    fn waiting_bytes(&self) -> u64 {
        self.waiting.iter().map(|(_, p)| p.size() as u64).sum()
    }
}

impl MemoryAccount {
    /// An account that allows `limit` bytes at a time; `None` allows any number.
    pub fn new(limit: Option<u64>) -> MemoryAccount {
        MemoryAccount { limit: limit.unwrap_or(u64::MAX), guard: None, state: Mutex::default() }
    }

    /// For tests: every buffer has new pages, flush against one that nobody may touch.
    pub fn guarded(limit: Option<u64>, guard: Option<Guard>) -> MemoryAccount {
        MemoryAccount { guard, ..MemoryAccount::new(limit) }
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.state().used
    }

    /// The most bytes that were in use at one time.
    pub fn peak(&self) -> u64 {
        self.state().peak
    }

    /// Counts memory that lies elsewhere for as long as the charge is kept. Fails beyond the limit.
    pub fn charge(self: &Arc<Self>, bytes: u64) -> Result<Charge, Failure> {
        let mut state = self.state();
        let sum = self.sum(&state, bytes)?;
        (state.used, state.peak) = (sum, state.peak.max(sum));
        Ok(Charge { account: Arc::clone(self), bytes, call: state.calls })
    }

    /// Begins a call: what is in use is the caller's from now on and counts no more. Memory that
    /// the last call had no use for waits no longer.
    pub fn begin(&self) {
        let mut state = self.state();
        let last = state.calls;
        (state.used, state.calls) = (0, last + 1);
        state.waiting.retain(|(call, _)| *call >= last);
    }

    /// Keeps no memory for later buffers from now on. Buffers may outlive who made them.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting.clear();
    }

    /// What will be in use with so many bytes more. Fails beyond the limit.
    fn sum(&self, state: &State, bytes: u64) -> Result<u64, Failure> {
        let (used, limit) = (state.used, self.limit);
        let sum = used.checked_add(bytes).filter(|&sum| sum <= limit);
        sum.ok_or(Failure::OverLimit { bytes, used, limit })
    }

    /// Zeros for a buffer with the call that takes them, or whatever an earlier buffer of this size left where `any` will do.
    pub(crate) fn take(&self, bytes: u64, any: bool) -> Result<(Pages, u64), Failure> {
        let mut state = self.state();
        let size = usize::try_from(bytes).map_err(|_| Failure::OutOfMemory { bytes })?;
        let sum = self.sum(&state, bytes)?;
        let found = state.waiting.iter().position(|(_, p)| any && p.size() == size);
        let pages = match found {
            Some(at) => state.waiting.swap_remove(at).1,
            None => {
                if state.waiting_bytes().saturating_add(sum) > self.limit {
                    state.waiting.clear();
                }
                let zeroed = || match self.guard {
                    Some(guard) => Pages::guarded(size, guard),
                    None => Pages::zeroed(size),
                };
                let retried = || {
                    state.waiting.clear();
                    zeroed()
                };
                let pages = zeroed().or_else(retried);
                pages.ok_or(Failure::OutOfMemory { bytes })?
            }
        };
        (state.used, state.peak) = (sum, state.peak.max(sum));
        Ok((pages, state.calls))
    }

    /// Takes back what a call took.
    pub(crate) fn give_back(&self, pages: Pages, bytes: u64, call: u64) {
        let mut state = self.state();
        state.gives_back(bytes, call);
        if self.guard.is_some() || state.closed {
            return;
        }
        if state.waiting.len() == MOST_WAITING {
            state.waiting.remove(0);
        }
        let now = state.calls;
        state.waiting.push((now, pages));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two of its statements that may panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Memory that lies elsewhere, counted until dropped.
#[derive(Debug)]
pub struct Charge {
    account: Arc<MemoryAccount>,
    bytes: u64,
    call: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.account.state().gives_back(self.bytes, self.call);
    }
}

impl Default for MemoryAccount {
    fn default() -> Self {
        MemoryAccount::new(None)
    }
}
