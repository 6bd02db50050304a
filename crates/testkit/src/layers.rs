//! The table of layers, `tests/layers.txt`, against the manifests: no crate imports one
//! further down, and what is one crate's business stays there. Folders inside crates are held
//! to what they say they use.

use crate::repository::{files_in, read, root};
use crate::{Failure, trial};
use libtest_mimic::Trial;
use std::collections::BTreeSet;

/// The tests of the table.
pub fn trials() -> Vec<Trial> {
    vec![
        trial("tests/layers.txt order", || order(&table()?)),
        trial("tests/layers.txt members", || members(&table()?)),
        trial("tests/layers.txt reserved", || reserved(&table()?)),
        trial("tests/layers.txt folders", || folders(&table()?)),
        trial("tests/layers.txt units", || units(&table()?)),
    ]
}

/// The table's content.
struct Table {
    /// Crates from the ground up.
    layers: Vec<String>,
    /// A dependency, and the crates that may have it.
    reserved: Vec<(String, Vec<String>)>,
    /// Folders, and the modules of their crate that they may use besides themselves.
    folders: Vec<Folder>,
}

/// A folder of a crate's source.
struct Folder {
    of: String,
    name: String,
    uses: Vec<String>,
}

fn table() -> Result<Table, Failure> {
    let text = read("tests/layers.txt")?;
    let mut table = Table { layers: Vec::new(), reserved: Vec::new(), folders: Vec::new() };
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(folder) = folder(line) {
            table.folders.push(folder);
            continue;
        }
        match line.split_once(" only ") {
            Some((dependency, crates)) => {
                let crates = crates.split_whitespace().map(String::from).collect();
                table.reserved.push((dependency.trim().to_string(), crates));
            }
            None => table.layers.push(line.to_string()),
        }
    }
    Ok(table)
}

/// `CRATE/FOLDER uses MODULE …`.
fn folder(line: &str) -> Option<Folder> {
    let (path, uses) = line.split_once(" uses")?;
    let (of, name) = path.split_once('/')?;
    let uses = uses.split_whitespace().map(String::from).collect();
    Some(Folder { of: of.to_string(), name: name.to_string(), uses })
}

/// The dependencies of a crate, those of its tests too.
fn dependencies(name: &str) -> Result<BTreeSet<String>, Failure> {
    let text = read(&format!("crates/{name}/Cargo.toml"))?;
    let mut found = BTreeSet::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            found.insert(line[..end].to_string());
        }
    }
    Ok(found)
}

/// The crate of the workspace that a dependency names.
fn member(dependency: &str) -> Option<&str> {
    dependency.strip_prefix("weft-").or((dependency == "weft").then_some("weft"))
}

fn order(table: &Table) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for (at, name) in table.layers.iter().enumerate() {
        for dependency in dependencies(name)? {
            let Some(other) = member(&dependency) else { continue };
            if !table.layers[..at].iter().any(|l| l == other) {
                wrong.push(format!("`{name}` imports `{other}`, which is not above it"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The table, the workspace's members and the folders are the same list.
fn members(table: &Table) -> Result<(), Failure> {
    let text = read("Cargo.toml")?;
    let listed = text
        .lines()
        .filter_map(|l| Some(l.trim().strip_prefix("\"crates/")?.strip_suffix("\",")?.to_string()));
    let listed: Vec<String> = listed.collect();
    if listed != table.layers {
        return Err(format!("Cargo.toml has {listed:?}, the table {:?}", table.layers));
    }
    let folders = std::fs::read_dir(root().join("crates")).map_err(|e| e.to_string())?;
    let folders = folders.flatten().map(|f| f.file_name().to_string_lossy().into_owned());
    let unknown: Vec<String> = folders.filter(|f| !table.layers.contains(f)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("not in the table: {unknown:?}")) }
}

/// A crate that is compiled once more for unit tests has some, and one that is not has none.
fn units(table: &Table) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for name in &table.layers {
        let mut unit = false;
        for file in files_in(&format!("crates/{name}/src"))? {
            unit |= read(&file)?.contains("#[cfg(test)]");
        }
        let left_out =
            read(&format!("crates/{name}/Cargo.toml"))?.contains("\n[lib]\ntest = false");
        match (unit, left_out) {
            (true, true) => wrong.push(format!("the unit tests of `{name}` do not run")),
            (false, false) => wrong.push(format!("`{name}` has no unit tests: say `test = false`")),
            _ => {}
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn reserved(table: &Table) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for name in &table.layers {
        let has = dependencies(name)?;
        for (dependency, allowed) in &table.reserved {
            if has.contains(dependency) && !allowed.contains(name) {
                wrong.push(format!("`{name}` has `{dependency}`, which is for {allowed:?}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn folders(table: &Table) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for folder in &table.folders {
        let src = format!("crates/{}/src", folder.of);
        let mut files = vec![format!("{src}/{}.rs", folder.name)];
        files.extend(files_in(&format!("{src}/{}", folder.name))?);
        for file in files {
            let text = read(&file)?;
            let allowed = |m: &&str| *m == folder.name || folder.uses.iter().any(|u| u == m);
            let foreign: BTreeSet<&str> = modules_in(&text).filter(|m| !allowed(m)).collect();
            if !foreign.is_empty() {
                wrong.push(format!("`{file}` uses {foreign:?}, which is not for its folder"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The modules of its own crate that a file names.
fn modules_in(text: &str) -> impl Iterator<Item = &str> {
    let paths = text.match_indices("crate::").map(|(at, found)| &text[at + found.len()..]);
    paths.map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}
