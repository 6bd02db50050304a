//! How the process ends.

use std::io;
use std::process::ExitCode;

/// An exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// All went well.
    Done,
    /// The program was refused, or failed while it ran.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// A fault of Weft itself.
    Internal,
    /// Ended by Ctrl-C.
    Interrupted,
    /// Whoever read the output is gone: a quiet end, as of a process ended by `SIGPIPE`.
    ClosedPipe,
}

impl Status {
    /// The status for output that could not be written. Says why, unless the reader left.
    pub fn of_write_error(e: &io::Error) -> Status {
        if e.kind() == io::ErrorKind::BrokenPipe {
            return Status::ClosedPipe;
        }
        crate::console::say(&format!("error: cannot write to standard output: {e}"));
        Status::Failed
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Usage => 2,
            Status::Internal => 101,
            Status::Interrupted => 130,
            Status::ClosedPipe => 141,
        })
    }
}
