//! What can go wrong while a program runs.

use std::fmt;

/// Why a run ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A check in a kernel failed.
    Trap {
        /// Which check, in the table of whoever made the kernel.
        site: u32,
        /// What the check reports: index values and the like.
        args: Vec<i64>,
    },
    /// An integer left its type somewhere, or a part of a sum did.
    Overflow,
    /// The user asked for an end.
    Interrupted,
    /// The system has no memory left for a buffer.
    OutOfMemory {
        /// Size of the buffer.
        bytes: u64,
    },
    /// A buffer would exceed the limit that was set.
    OverLimit {
        /// Size of the buffer.
        bytes: u64,
        /// In use already.
        used: u64,
        /// The limit.
        limit: u64,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Trap { site, args } => write!(f, "check {site} failed at {args:?}"),
            Failure::Overflow => f.write_str("integer overflow"),
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::OutOfMemory { bytes } => write!(f, "out of memory for {bytes} bytes"),
            Failure::OverLimit { bytes, used, limit } => write!(
                f,
                "{bytes} bytes more would exceed the memory limit of {limit} bytes, of which {used} are in use"
            ),
        }
    }
}

impl std::error::Error for Failure {}
