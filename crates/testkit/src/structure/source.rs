//! The files of a crate, parsed; without tests, which may call what they like.

use crate::{Failure, root};
use std::path::Path;
use syn::Item;

/// A file of a crate.
pub struct Source {
    /// From the crate's `src` on.
    pub path: String,
    /// The module that it is: `["grad", "calls"]`; none of the crate's root.
    pub module: Vec<String>,
    pub items: Vec<Item>,
}

impl Source {
    /// A file with its text.
    pub fn parse(path: String, text: &str) -> Result<Source, Failure> {
        let file = syn::parse_file(text).map_err(|e| format!("{path}: {e}"))?;
        let mut items = Vec::new();
        flatten(file.items, &mut items);
        Ok(Source { module: module_of(&path), path, items })
    }
}

/// The files below `crates/NAME/src`, sorted.
pub fn files_of(name: &str) -> Result<Vec<Source>, Failure> {
    let src = root().join("crates").join(name).join("src");
    let mut paths = Vec::new();
    collect(&src, &mut paths)?;
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let full = src.join(&path);
        let text = std::fs::read_to_string(&full);
        let text = text.map_err(|e| format!("cannot read {path}: {e}"))?;
        out.push(Source::parse(path, &text).map_err(|e| format!("{name}: {e}"))?);
    }
    Ok(out)
}

fn collect(src: &Path, out: &mut Vec<String>) -> Result<(), Failure> {
    let mut folders = vec![src.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(src).map_err(|e| e.to_string())?;
                out.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    Ok(())
}

fn module_of(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let mut module: Vec<String> = stem.split('/').map(String::from).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// Modules written within a file count as the file; tests are left out.
fn flatten(items: Vec<Item>, out: &mut Vec<Item>) {
    for item in items {
        match item {
            Item::Mod(m) if is_test(&m.attrs) => {}
            Item::Mod(syn::ItemMod { content: Some((_, inner)), .. }) => flatten(inner, out),
            Item::Fn(f) if is_test(&f.attrs) => {}
            other => out.push(other),
        }
    }
}

/// Whether something is there for tests only.
pub fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| {
        a.path().is_ident("test")
            || a.path().is_ident("cfg")
                && a.parse_args::<syn::Path>().is_ok_and(|p| p.is_ident("test"))
    })
}
