//! Names of machine code for system profilers: `/tmp/perf-PID.map`, which `perf` reads.

use crate::Library;
use std::fs::{File, remove_file};
use std::io::{self, Write};
use std::path::PathBuf;

/// The map of this process, a line for each function: address, size, name.
#[derive(Debug)]
pub struct PerfMap {
    file: File,
}

impl PerfMap {
    /// Begins the map where profilers look for it; one of an earlier process of this
    /// number gives way.
    ///
    /// # Errors
    ///
    /// Where the file cannot be made.
    pub fn new() -> io::Result<PerfMap> {
        let path = PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()));
        if path.symlink_metadata().is_ok() {
            remove_file(&path)?;
        }
        // Never through what somebody else put there in between.
        Ok(PerfMap { file: File::create_new(path)? })
    }

    /// Adds the code of each of a library's functions under a name that a person knows.
    ///
    /// # Errors
    ///
    /// Where writing fails.
    pub fn add(&mut self, library: &Library, labels: &[String]) -> io::Result<()> {
        let mut lines = String::new();
        for (address, size, name, function) in library.functions_in_memory() {
            let label = labels.get(function).map_or("", String::as_str);
            let label: String = label.chars().filter(|c| !c.is_control()).collect();
            lines.push_str(&format!("{address:x} {size:x} weft {label} [{name}]\n"));
        }
        self.file.write_all(lines.as_bytes())
    }
}
