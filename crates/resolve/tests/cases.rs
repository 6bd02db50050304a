//! The case files: those that run resolve without a complaint, and none fails to be judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weft_base::SourceMap;
use weft_resolve::{Found, ModuleReader, Overrides, Resolved, resolve};

/// The modules of a case: what follows each `//@ file: a/b.ein`, or files below a folder.
struct Files {
    texts: BTreeMap<PathBuf, String>,
    folder: PathBuf,
}

impl Files {
    fn text(&self, path: &Path) -> Option<String> {
        let written = self.texts.get(path).cloned();
        written.or_else(|| std::fs::read_to_string(self.folder.join(path)).ok())
    }
}

impl ModuleReader for Files {
    fn read(&self, path: &[&str]) -> Found {
        if path.first() == Some(&"std") {
            return Found::Missing(Vec::new());
        }
        let folder: PathBuf = path.iter().collect();
        let places = [folder.with_extension("ein"), folder.join("mod.ein")];
        for place in &places {
            if let Some(text) = self.text(place) {
                return Found::Text { name: place.display().to_string(), text };
            }
        }
        if self.texts.keys().any(|p| p.starts_with(&folder)) || self.folder.join(&folder).is_dir() {
            return Found::Folder;
        }
        Found::Missing(places.iter().map(|p| p.display().to_string()).collect())
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_some_and(|e| e == "ein") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn resolved(path: &Path) -> (Resolved, SourceMap) {
    let text = std::fs::read_to_string(path).expect("a case");
    let mut parts = text.split("//@ file: ");
    let main = parts.next().unwrap_or_default().to_string();
    let texts = parts.map(|p| {
        let (name, text) = p.split_once('\n').unwrap_or((p, ""));
        (PathBuf::from(name.trim()), text.to_string())
    });
    let folder = path.parent().expect("a folder").to_path_buf();
    let files = Files { texts: texts.collect(), folder };
    let source = SourceMap::new();
    let name = path.file_name().expect("a file").to_string_lossy().to_string();
    let file = source.add(name, main.as_str());
    let (program, _) = weft_syntax::parse(file, &main).into_parts();
    let found = resolve(&program, &source, &Overrides::new(), &files);
    (found, source)
}

#[test]
fn cases_that_run_resolve_without_a_complaint() {
    let mut wrong: Vec<String> = Vec::new();
    for folder in ["tests/run", "tests/grad", "tests/structure", "tests/polybench", "examples"] {
        for path in files_below(&root().join(folder)) {
            let (found, source) = resolved(&path);
            let shown = found.diagnostics.iter().map(|d| weft_diag::render_short(d, &source));
            wrong.extend(shown.map(|d| format!("{}: {d}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_program_of_the_repository_is_judged() {
    for folder in ["tests", "crates", "std"] {
        files_below(&root().join(folder)).iter().for_each(|p| drop(resolved(p)));
    }
}

#[test]
fn trees_are_valid_and_survive_their_text_form() {
    let mut wrong: Vec<String> = Vec::new();
    for path in
        ["tests", "examples", "crates", "std"].iter().flat_map(|f| files_below(&root().join(f)))
    {
        let (found, _) = resolved(&path);
        let faults = weft_hir::verify(&found.program).err().into_iter().flatten();
        wrong.extend(faults.map(|f| format!("{}: {f}", path.display())));
        wrong.extend(changed_by_text(&found.program).map(|w| format!("{}: {w}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the text form of a program.
fn changed_by_text(program: &weft_hir::Program) -> Option<String> {
    let text = weft_hir::print(program);
    match weft_hir::parse(&text) {
        Ok(again) if weft_hir::print(&again) == text => None,
        Ok(_) => Some("another program is read back".to_string()),
        Err(e) => Some(e.to_string()),
    }
}
