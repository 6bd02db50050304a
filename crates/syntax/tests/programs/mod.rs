//! The programs of the repository, for tests that want all there are.

use std::path::{Path, PathBuf};

/// All `.ein` files below some folders of the repository, sorted.
pub fn below(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    folders.iter().for_each(|folder| collect(&root.join(folder), &mut files));
    files.sort();
    files
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder of the repository").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "ein") {
            out.push(path);
        }
    }
}
