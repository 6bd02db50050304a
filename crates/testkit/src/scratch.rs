//! A folder that a case's program lies in, for programs that read and write files.

use crate::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder of one case, removed with this.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// The folder whose files are there when a run begins.
    files: Option<PathBuf>,
}

impl Scratch {
    /// A folder with copies of the files of another, or none.
    pub fn new(files: Option<PathBuf>) -> Result<Scratch, Failure> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("weft-case-{}-{number}", std::process::id());
        let scratch = Scratch { folder: std::env::temp_dir().join(name), files };
        scratch.renew()?;
        Ok(scratch)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the program, which nobody reads.
    pub fn program(&self) -> PathBuf {
        self.folder.join("program.ein")
    }

    /// Makes the folder as it was.
    pub fn renew(&self) -> Result<(), Failure> {
        let told = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).map_err(told)?;
        }
        fs::create_dir_all(&self.folder).map_err(told)?;
        for file in self.files.iter().flat_map(|f| crate::case::files_in(f)) {
            let name = file.file_name().ok_or("a file without a name")?;
            fs::copy(&file, self.folder.join(name)).map_err(told)?;
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
