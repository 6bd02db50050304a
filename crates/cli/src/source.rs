//! Where a program's text comes from.

use crate::args::SourceArgs;
use crate::console;
use crate::project;
use crate::status::Status;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use weft::diag::{Code, Diagnostic};

/// A program's text and the name it has in messages.
pub struct Source {
    pub name: String,
    pub text: String,
}

/// The program that is meant.
pub struct Chosen {
    pub source: SourceArgs,
    /// The folder of its modules, where that is a project's.
    pub root: Option<PathBuf>,
}

/// The program that is named, else the entry of the project around.
pub fn chosen(args: &SourceArgs) -> Result<Chosen, Status> {
    let (file, code) = (args.file.clone(), args.code.clone());
    if file.is_some() || code.is_some() {
        return Ok(Chosen { source: SourceArgs { file, code }, root: None });
    }
    match project::find(Path::new(".")) {
        Ok(Some(project)) => {
            let source = SourceArgs { file: Some(project.entry), code: None };
            Ok(Chosen { source, root: Some(project.folder) })
        }
        Ok(None) => {
            let file = project::FILE;
            console::say(&format!(
                "error: no program is named, and no folder around has a `{file}`\n\
                 help: name a file (`weft run FILE.ein`), or give the program (`-c CODE`)"
            ));
            Err(Status::Usage)
        }
        Err(e) => {
            console::say(&format!("error: {e}"));
            Err(Status::Failed)
        }
    }
}

/// Reads the program.
pub fn read(args: &SourceArgs) -> Result<Source, Diagnostic> {
    match (&args.code, &args.file) {
        (Some(code), _) => Ok(Source { name: "<command line>".into(), text: code.clone() }),
        (None, file) => read_file(file.as_deref().unwrap_or(Path::new("-"))),
    }
}

/// Reads a file, or standard input where the name is `-`.
pub fn read_file(file: &Path) -> Result<Source, Diagnostic> {
    let stdin = file.as_os_str() == "-";
    let name = if stdin { "<standard input>".into() } else { file.display().to_string() };
    let bytes = if stdin { read_stdin() } else { read_regular(file) };
    let bytes = bytes.map_err(|e| unreadable(&name, &weft::file_failure(&e)))?;
    let text = String::from_utf8(bytes).map_err(|e| not_utf8(&name, &e))?;
    Ok(Source { name, text })
}

fn read_stdin() -> io::Result<Vec<u8>> {
    read_limited(io::stdin().lock())
}

fn read_regular(file: &Path) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(file)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    read_limited(file)
}

/// An endless stream must not fill the memory: the parser refuses a text that is longer
/// than its limit, so one byte more than that is enough.
fn read_limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(weft::MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::E1105, format!("cannot read `{name}`: {why}"))
}

fn not_utf8(name: &str, e: &std::string::FromUtf8Error) -> Diagnostic {
    let at = e.utf8_error().valid_up_to();
    let line = e.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
    if at + 4 > weft::MAX_SOURCE_BYTES {
        // Cut inside a character by the limit: too long, whatever it says.
        let limit = weft::MAX_SOURCE_BYTES >> 20;
        return Diagnostic::error(Code::E0006, format!("`{name}` is longer than {limit} MiB"));
    }
    Diagnostic::error(Code::E0006, format!("`{name}` is not UTF-8"))
        .note(format!("line {line} holds a byte sequence that is no character (byte {at})"))
}
