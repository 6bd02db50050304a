//! Archives of arrays: a ZIP file with a `.npy` file for each name, as NumPy writes them.

use super::array::Wanted;
use super::{unreadable, wrong};
use crate::npy::Stored;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use weft_host::Refused;
use weft_tensor::Array;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const SUFFIX: &str = ".npy";

/// One array, plain or compressed.
pub(super) fn load(path: &Path, name: &str, wanted: &Wanted<'_>) -> Result<Array, Refused> {
    let mut archive = open(path)?;
    let names = names_in(&archive, path)?;
    if !names.iter().any(|n| n == name) {
        return Err(missing(path, name, &names));
    }
    let entry = archive.by_name(&format!("{name}{SUFFIX}")).map_err(|e| damaged(path, &e))?;
    let length = entry.size();
    wanted.read(path, Stored::begin(BufReader::new(entry), length))
}

/// The names of the arrays, in the order of the file.
pub(super) fn names(path: &Path) -> Result<Vec<String>, Refused> {
    names_in(&open(path)?, path)
}

fn names_in(archive: &ZipArchive<BufReader<File>>, path: &Path) -> Result<Vec<String>, Refused> {
    let mut names = Vec::new();
    for name in archive.file_names() {
        let name = name.map_err(|e| damaged(path, &e))?;
        names.extend(name.strip_suffix(SUFFIX).map(str::to_string));
    }
    Ok(names)
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, Refused> {
    let file = weft_runtime::open_regular(path).map_err(|e| unreadable(path, &e))?;
    ZipArchive::new(BufReader::new(file)).map_err(|e| damaged(path, &e))
}

fn damaged(path: &Path, e: &ZipError) -> Refused {
    wrong(path, &format!("it is no .npz file that can be read ({e})"))
}

/// E1105 for a name that is not in a file.
pub(super) fn missing(path: &Path, name: &str, known: &[String]) -> Refused {
    const SHOWN: usize = 12;
    let mut listed: Vec<String> = known.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    if known.len() > SHOWN {
        listed.push("…".to_string());
    }
    let there = if known.is_empty() { "nothing".to_string() } else { listed.join(", ") };
    wrong(path, &format!("there is no `{name}` in it, only {there}"))
}

/// Writes arrays uncompressed.
pub(super) fn put(to: &mut impl Write, entries: &[(&str, &Array)]) -> io::Result<()> {
    // The oldest date that the format has, so that the same arrays make the same file.
    let plain = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true)
        .last_modified_time(zip::DateTime::default());
    let mut archive = ZipWriter::new_stream(to);
    for (name, array) in entries {
        archive.start_file(format!("{name}{SUFFIX}"), plain).map_err(io::Error::other)?;
        crate::npy::write(&mut archive, array)?;
    }
    archive.finish().map_err(io::Error::other)?;
    Ok(())
}
