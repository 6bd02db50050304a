//! Flags about the machine: how many threads compute, and where machine code is kept.

use crate::console::Console;
use crate::limits::parse_bytes;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use weft::CodeStore;
use weft::Session;

/// More than any machine has; each thread takes address space.
const MOST_THREADS: u64 = 1024;

/// How a run uses the machine.
#[derive(Args, Debug)]
pub struct MachineArgs {
    /// Threads that compute; without it as many as the machine or container allows
    #[arg(long, value_name = "N", env = "WEFT_THREADS", hide_env_values = true)]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..=MOST_THREADS))]
    pub threads: Option<u64>,
    #[command(flatten)]
    pub cache: CachePlace,
}

/// Where machine code is kept between runs.
#[derive(Args, Debug)]
pub struct CachePlace {
    /// Where machine code is kept for later runs; `off` keeps none
    #[arg(long, value_name = "DIR", env = "WEFT_CACHE_DIR", hide_env_values = true)]
    pub cache_dir: Option<PathBuf>,
    /// Bytes of machine code that are kept, as `500M` or `2G`
    #[arg(long, value_name = "BYTES", env = "WEFT_CACHE_LIMIT", hide_env_values = true)]
    #[arg(value_parser = parse_bytes)]
    pub cache_limit: Option<u64>,
}

impl MachineArgs {
    /// The number of threads, where one is given.
    pub fn thread_count(&self) -> Option<usize> {
        self.threads.map(|n| n as usize)
    }

    /// Tells a session where machine code is kept.
    pub fn prepare(&self, session: &mut Session, console: &Console) {
        match self.cache.store() {
            Some(store) => session.keep_kernels_in(store),
            None => console.progress(|| "weft: machine code is not kept".into()),
        }
    }
}

impl CachePlace {
    /// The store of machine code; nothing where it is off, or there is no place for it.
    pub fn store(&self) -> Option<CodeStore> {
        let dir = match &self.cache_dir {
            Some(dir) if dir.as_os_str() == "off" => None,
            Some(dir) => Some(dir.clone()),
            None => weft::default_cache_dir(),
        };
        Some(CodeStore::new(dir?, self.cache_limit.unwrap_or(weft::DEFAULT_CACHE_BYTES)))
    }
}

/// Says once why machine code was not kept, if so: the run is none the worse.
pub fn report_trouble(session: &Session, console: &Console) {
    if let Some(why) = session.cache_trouble() {
        console.progress(|| format!("weft: machine code is not kept in {why}"));
    }
}
