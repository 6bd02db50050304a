//! The glossary, `docs/glossary.md`, against the source: each word stands there as a name.

use crate::repository::{files_in, read};
use std::collections::BTreeSet;

/// A line of a table: the idea, and `crate::name`.
struct Entry<'t> {
    of: &'t str,
    name: &'t str,
}

fn entries(text: &str) -> impl Iterator<Item = Entry<'_>> {
    text.lines().filter_map(|line| {
        let cell = line.strip_prefix("| ")?.split('|').nth(1)?.trim();
        let (of, name) = cell.strip_prefix('`')?.strip_suffix('`')?.split_once("::")?;
        Some(Entry { of, name })
    })
}

/// Each word of the glossary stands in the source.
pub fn names_exist() -> Result<(), String> {
    let text = read("docs/glossary.md")?;
    let entries: Vec<Entry<'_>> = entries(&text).collect();
    if entries.len() < 30 {
        return Err(format!("only {} words were found", entries.len()));
    }
    let mut missing = Vec::new();
    for e in &entries {
        if !names_in(&format!("crates/{}/src", e.of))?.contains(e.name) {
            missing.push(format!("`{}::{}`", e.of, e.name));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no item or file has the name of {}", missing.join(", ")))
}

/// The names of the items, fields and files below a folder.
fn names_in(folder: &str) -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    for file in files_in(folder)? {
        let stem = file.rsplit('/').next().and_then(|f| f.strip_suffix(".rs"));
        names.extend(stem.map(String::from));
        names.extend(read(&file)?.lines().filter_map(declared).map(String::from));
    }
    Ok(names)
}

/// The name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let end = |s: &str| s.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(s.len());
    for word in ["fn ", "struct ", "enum ", "trait ", "type ", "mod ", "const "] {
        if let Some(rest) = line.strip_prefix(word) {
            return Some(&rest[..end(rest)]);
        }
    }
    // A field: `name: Type,`.
    let name = &line[..end(line)];
    (!name.is_empty() && line[name.len()..].starts_with(": ")).then_some(name)
}

/// Crates whose documentation begins with noun phrases and verbs. The others follow.
const VOICED: [&str; 10] =
    ["scalar", "target", "shape", "domain", "tensor", "depend", "grad", "plan", "loops", "codegen"];

/// No line of documentation begins with "What": it would go round the thing instead of naming it.
pub fn voice() -> Result<(), String> {
    let mut found = Vec::new();
    for of in VOICED {
        for file in files_in(&format!("crates/{of}/src"))? {
            let text = read(&file)?;
            let lines = text.lines().map(str::trim_start).zip(1..);
            let mut was_doc = false;
            for (line, number) in lines {
                let words = line.strip_prefix("/// ").or(line.strip_prefix("//! "));
                if !was_doc && words.is_some_and(|w| w.starts_with("What ")) {
                    found.push(format!("{file}:{number}: {line}"));
                }
                was_doc = line.starts_with("///") || line.starts_with("//!");
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}
