//! Files of the repository.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).expect("two levels below the root").to_path_buf()
}

/// The text of a file of the repository.
pub fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|e| format!("cannot read {path}: {e}"))
}

/// The Rust files of a folder and of those in it, sorted.
pub fn files_in(folder: &str) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(root().join(folder));
    let mut found = Vec::new();
    for entry in entries.map_err(|e| format!("cannot read {folder}: {e}"))?.flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(files_in(&path)?);
        } else if path.ends_with(".rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
