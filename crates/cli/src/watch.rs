//! Flags that watch a run: traces, and names for profilers.

use crate::args::parse_switch;
use crate::console::{self, Console};
use crate::status::Status;
use clap::{ArgAction, Args};
use std::path::PathBuf;
use weft::Session;

/// What is written about a run beside its results.
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Write what happened when, for Chrome's trace viewer
    #[arg(long, value_name = "FILE.json", env = "WEFT_TRACE", hide_env_values = true)]
    pub trace: Option<PathBuf>,
    /// Tell system profilers the names of machine code
    #[arg(long, env = "WEFT_PERF_MAP", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub perf_map: bool,
}

impl WatchArgs {
    /// Tells a session what to keep.
    pub fn prepare(&self, session: &mut Session, console: &Console) {
        if self.trace.is_some() {
            session.keep_timeline();
        }
        if self.perf_map
            && let Err(e) = session.tell_profilers()
        {
            console.progress(|| format!("weft: no map for profilers: {e}"));
        }
    }

    /// Writes the trace, if one was asked for.
    pub fn write(&self, session: &Session) -> Result<(), Status> {
        let Some((path, text)) = self.trace.as_ref().zip(session.timeline()) else {
            return Ok(());
        };
        console::write_whole(path, &text).map_err(|e| {
            console::say(&format!("error: cannot write `{}`: {e}", path.display()));
            Status::Failed
        })
    }
}
