//! `weft fmt`: programs in their one layout.

use crate::console::{self, Console};
use crate::project::programs_below;
use crate::source::{self, Source};
use crate::status::Status;
use clap::Args;
use std::path::{Path, PathBuf};
use weft::Session;

/// Gives programs their one layout
///
/// Only white space changes. Files are rewritten where they differ; standard input (`-`) goes
/// to standard output. A file with errors is left as it is.
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Files, folders with `.ein` files in them, or `-`; without any the working directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Change nothing; name the files that differ, and end with status 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// Formats.
pub fn fmt(args: &FmtArgs, console: &mut Console) -> Status {
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let mut status = Status::Done;
    for path in paths {
        let files = match path.is_dir() {
            true => programs_below(path),
            false => vec![path.clone()],
        };
        for file in files {
            let of_file = one(&file, args.check, console);
            if of_file != Status::Done {
                status = of_file;
            }
        }
    }
    status
}

fn one(file: &Path, check: bool, console: &mut Console) -> Status {
    let mut session = Session::new();
    let source = match source::read_file(file) {
        Ok(source) => source,
        Err(d) => {
            console.diagnose(&[d], &session.sources);
            return Status::Failed;
        }
    };
    let (text, errors) = session.format(&source.name, &source.text);
    console.diagnose(&errors.sorted(), &session.sources);
    let Some(text) = text else { return Status::Failed };
    let written = match (file.as_os_str() == "-", check) {
        (true, false) => console.out().write_all(text.as_bytes()),
        _ if text == source.text => return Status::Done,
        (_, true) => return differs(&source, console),
        (false, false) => return rewrite(file, &text, console),
    };
    written.map_or_else(|e| Status::of_write_error(&e), |()| Status::Done)
}

fn differs(source: &Source, console: &mut Console) -> Status {
    match writeln!(console.out(), "{}", source.name) {
        Ok(()) => Status::Failed,
        Err(e) => Status::of_write_error(&e),
    }
}

/// Writes beside the file first, so that it is never half written.
fn rewrite(file: &Path, text: &str, console: &mut Console) -> Status {
    match console::write_whole(file, text) {
        Ok(()) => {
            console.progress(|| format!("weft: formatted {}", file.display()));
            Status::Done
        }
        Err(e) => {
            console::say(&format!("error: cannot write `{}`: {e}", file.display()));
            Status::Failed
        }
    }
}
