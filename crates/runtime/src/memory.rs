//! Counting the memory of buffers against a limit.

use crate::Failure;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes the buffers of one context use.
#[derive(Debug)]
pub struct MemoryAccount {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
}

impl MemoryAccount {
    /// An account that allows `limit` bytes at a time; `None` allows any number.
    pub fn new(limit: Option<u64>) -> MemoryAccount {
        let limit = limit.unwrap_or(u64::MAX);
        MemoryAccount { limit, used: AtomicU64::new(0), peak: AtomicU64::new(0) }
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The most bytes that were in use at one time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    pub(crate) fn take(&self, bytes: u64) -> Result<(), Failure> {
        let limit = self.limit;
        let fits = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= limit);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(used) => Err(Failure::OverLimit { bytes, used, limit }),
        }
    }

    pub(crate) fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Default for MemoryAccount {
    fn default() -> Self {
        MemoryAccount::new(None)
    }
}
