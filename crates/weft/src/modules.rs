//! Where the modules of a program are: files below a folder, texts in memory before them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use weft_sema::{Found, ModuleReader};
use weft_syntax::MAX_SOURCE_BYTES;

/// Where the modules of a program are. By default there are none but the library's.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    /// The folder that paths begin in: that of the program's file. Without it only overlays
    /// are read.
    pub root: Option<PathBuf>,
    /// The program's file, which is no module.
    pub entry: Option<PathBuf>,
    /// A folder with the library's sources, in place of the bundled ones.
    pub library: Option<PathBuf>,
    /// Modules that have no text: whoever runs the program has their functions
    /// ([`crate::Inputs::foreign`]). A file of that name goes first.
    pub foreign: Vec<String>,
    /// Texts in place of files, by their paths below the root: an editor's, a test's.
    pub overlays: BTreeMap<PathBuf, String>,
}

impl ModuleReader for Modules {
    fn read(&self, path: &[&str]) -> Found {
        match (path, &self.library) {
            (["std", below @ ..], Some(folder)) => self.module(below, Some(folder), false),
            (["std", ..], None) => Found::Missing(Vec::new()),
            (path, _) => match self.module(path, self.root.as_deref(), true) {
                Found::Missing(_) | Found::Folder if self.is_foreign(path) => Found::Foreign,
                found => found,
            },
        }
    }
}

impl Modules {
    /// The folder of the program's file, if it has one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.entry.as_deref()?.parent()
    }

    fn is_foreign(&self, path: &[&str]) -> bool {
        path.first().is_some_and(|root| self.foreign.iter().any(|f| f == root))
    }

    fn module(&self, path: &[&str], base: Option<&Path>, overlaid: bool) -> Found {
        let folder: PathBuf = path.iter().collect();
        let places = [folder.with_extension("ein"), folder.join("mod.ein")];
        let shown = |p: &Path| base.map_or(p.to_path_buf(), |b| b.join(p)).display().to_string();
        let there: Vec<&PathBuf> =
            places.iter().filter(|p| self.exists(p, base, overlaid)).collect();
        match there.as_slice() {
            [] if self.has_below(&folder, base, overlaid) => Found::Folder,
            [] => match places.iter().find(|p| base.is_some_and(|b| b.join(p).exists())) {
                Some(other) => Found::Failed(format!("`{}` is not a regular file", shown(other))),
                None => Found::Missing(places.iter().map(|p| shown(p)).collect()),
            },
            [one] if self.is_entry(&shown(one)) => Found::Entry,
            [one] => match self.text(one, base, overlaid) {
                Ok(text) => Found::Text { name: shown(one), text },
                Err(e) => Found::Failed(format!("`{}`: {}", shown(one), reason(&e))),
            },
            [a, b, ..] => Found::Failed(format!(
                "there are both `{}` and `{}`: keep one of them",
                shown(a),
                shown(b)
            )),
        }
    }

    fn exists(&self, path: &Path, base: Option<&Path>, overlaid: bool) -> bool {
        let on_disk = || base.is_some_and(|b| b.join(path).is_file());
        (overlaid && self.overlays.contains_key(path)) || on_disk()
    }

    fn has_below(&self, folder: &Path, base: Option<&Path>, overlaid: bool) -> bool {
        let on_disk = || base.is_some_and(|b| b.join(folder).is_dir());
        (overlaid && self.overlays.keys().any(|p| p.starts_with(folder))) || on_disk()
    }

    fn is_entry(&self, path: &str) -> bool {
        let Some(entry) = &self.entry else { return false };
        match (std::fs::canonicalize(path), std::fs::canonicalize(entry)) {
            (Ok(a), Ok(b)) => a == b,
            _ => Path::new(path) == entry,
        }
    }

    fn text(&self, path: &Path, base: Option<&Path>, overlaid: bool) -> io::Result<String> {
        if let Some(text) = self.overlays.get(path).filter(|_| overlaid) {
            return Ok(text.clone());
        }
        let mut bytes = Vec::new();
        let file = weft_runtime::open_regular(&base.unwrap_or(Path::new("")).join(path))?;
        // One byte more than the parser takes is enough for it to refuse the text.
        file.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::InvalidData => "it is not UTF-8".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => e.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlaid(paths: &[&str]) -> Modules {
        let overlays = paths.iter().map(|p| (PathBuf::from(p), format!("// {p}"))).collect();
        Modules { overlays, ..Modules::default() }
    }

    #[test]
    fn a_module_is_a_file_or_a_folder_with_one() {
        let modules = overlaid(&["a.ein", "b/mod.ein", "c/d.ein"]);
        assert!(matches!(modules.read(&["a"]), Found::Text { name, .. } if name == "a.ein"));
        assert!(matches!(modules.read(&["b"]), Found::Text { name, .. } if name == "b/mod.ein"));
        assert_eq!(modules.read(&["c"]), Found::Folder);
        assert!(matches!(modules.read(&["c", "d"]), Found::Text { .. }));
        let places = vec!["e.ein".to_string(), "e/mod.ein".to_string()];
        assert_eq!(modules.read(&["e"]), Found::Missing(places));
    }

    #[test]
    fn two_files_for_one_module_are_refused() {
        assert!(matches!(overlaid(&["a.ein", "a/mod.ein"]).read(&["a"]), Found::Failed(_)));
    }

    #[test]
    fn the_program_is_no_module() {
        let modules = Modules { entry: Some("m.ein".into()), ..overlaid(&["m.ein"]) };
        assert_eq!(modules.read(&["m"]), Found::Entry);
    }

    #[test]
    fn the_library_is_not_overlaid_by_the_program() {
        assert_eq!(overlaid(&["std/math.ein"]).read(&["std", "math"]), Found::Missing(vec![]));
    }
}
