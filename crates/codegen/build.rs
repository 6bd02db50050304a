//! A fingerprint of everything that machine code depends on besides its loops: the sources
//! of this crate and of those it emits from, and the versions of what it links to. Objects
//! kept on disk by another compiler are not taken for this one's.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// The crates whose text decides what an object holds, and the versions of the others.
const SOURCES: [&str; 4] = ["src", "../loops/src", "../scalar/src", "../../Cargo.lock"];

fn main() {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        collect(Path::new(source), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        hasher.write(file.to_string_lossy().as_bytes());
        hasher.write(&std::fs::read(file).expect("a source file is readable"));
    }
    println!("cargo::rustc-env=WEFT_CODEGEN_ID={:016x}", hasher.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        return files.push(path.to_path_buf());
    }
    let entries = std::fs::read_dir(path).expect("a source folder is readable");
    entries.for_each(|e| collect(&e.expect("a source folder is readable").path(), files));
}
