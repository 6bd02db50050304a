//! A case file.

use crate::arguments::Arguments;
use crate::directive::Directives;
use crate::scratch::Scratch;
use crate::{Failure, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A case: a file with directives.
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// Its text, up to the first `//@ file:`.
    pub text: String,
    /// The files of its modules: what follows each `//@ file: a/b.ein`.
    pub files: BTreeMap<PathBuf, String>,
    /// What it says of itself.
    pub directives: Directives,
}

impl Case {
    /// Reads a case.
    pub fn read(path: &Path) -> Result<Case, Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let (text, files) = split_files(&text);
        let directives = Directives::parse(&text)?;
        Ok(Case { path: path.to_path_buf(), text, files, directives })
    }

    /// The arguments it is run with.
    pub fn arguments(&self) -> Result<Arguments, Failure> {
        let arguments = Arguments::parse(&self.directives.args, self.folder())?;
        let scratch = match self.directives.folder.as_deref() {
            None => None,
            Some("empty") => Some(Scratch::new(None)?),
            Some(name) => Some(Scratch::new(Some(self.folder().join(name)))?),
        };
        let scratch = scratch.map(Arc::new);
        Ok(Arguments { files: self.files.clone(), scratch, ..arguments })
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

/// The program, and the texts of its modules by their paths.
fn split_files(text: &str) -> (String, BTreeMap<PathBuf, String>) {
    let mut parts = text.split("//@ file: ");
    let main = parts.next().unwrap_or_default().to_string();
    let file = |part: &str| {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        (PathBuf::from(name.trim()), text.to_string())
    };
    (main, parts.map(file).collect())
}

/// The files in a folder, sorted.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_file()).collect();
    found.sort();
    found
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
