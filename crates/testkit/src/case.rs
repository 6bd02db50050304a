//! A case file.

use crate::directive::Directives;
use crate::{Failure, root};
use std::path::{Path, PathBuf};

/// A case: a file with directives.
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says of itself.
    pub directives: Directives,
}

impl Case {
    /// Reads a case.
    pub fn read(path: &Path) -> Result<Case, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let directives = Directives::parse(&text)?;
        Ok(Case { path: path.to_path_buf(), text, directives })
    }

    /// The name in messages: the file's, without folders.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The file beside this one with another suffix.
    pub fn beside(&self, suffix: &str) -> PathBuf {
        self.path.with_extension(suffix)
    }

    /// The folder of the file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

/// The files of these suffixes below a folder, sorted; none where there is no folder.
pub fn files_below(folder: &Path, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path, suffixes));
        } else if path.extension().is_some_and(|s| suffixes.iter().any(|w| s == *w)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The path below the root, which names the test.
pub fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
