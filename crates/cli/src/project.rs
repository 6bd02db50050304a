//! Projects: a folder with a `weft.toml`, and the programs in it.

use std::path::{Path, PathBuf};

/// A project.
#[derive(Debug, PartialEq, Eq)]
pub struct Project {
    /// The folder of its `weft.toml`.
    pub folder: PathBuf,
    /// Its program.
    pub entry: PathBuf,
}

/// The file that makes a folder a project.
pub const FILE: &str = "weft.toml";

/// The project that a folder lies in; an error where its file makes no sense.
pub fn find(from: &Path) -> Result<Option<Project>, String> {
    let from = std::fs::canonicalize(from).unwrap_or_else(|_| from.to_path_buf());
    match from.ancestors().find(|f| f.join(FILE).is_file()) {
        Some(folder) => read(&from_here(folder)).map(Some),
        None => Ok(None),
    }
}

/// A folder as seen from the working directory, where one lies in the other: so its files are
/// named in messages.
fn from_here(folder: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    let Ok(here) = here else { return folder.to_path_buf() };
    match (folder.strip_prefix(&here), here.strip_prefix(folder)) {
        (Ok(below), _) => below.to_path_buf(),
        (_, Ok(above)) => above.components().map(|_| "..").collect(),
        _ => folder.to_path_buf(),
    }
}

fn read(folder: &Path) -> Result<Project, String> {
    let file = folder.join(FILE);
    let text = std::fs::read_to_string(&file)
        .map_err(|e| format!("cannot read `{}`: {e}", file.display()))?;
    let entry = parse(&text).map_err(|e| format!("`{}`: {e}", file.display()))?;
    Ok(Project { folder: folder.to_path_buf(), entry: folder.join(entry) })
}

/// The entry that a project's file names.
fn parse(text: &str) -> Result<String, String> {
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let unknown = |t: &toml::Table, known: &[&str]| {
        t.keys().find(|k| !known.contains(&k.as_str())).map(|k| format!("unknown key `{k}`"))
    };
    if let Some(why) = unknown(&table, &["project"]) {
        return Err(why);
    }
    let Some(project) = table.get("project").and_then(toml::Value::as_table) else {
        return Err("there is no table `[project]`".to_string());
    };
    if let Some(why) = unknown(project, &["name", "entry"]) {
        return Err(why);
    }
    match project.get("entry") {
        None => Ok("main.ein".to_string()),
        Some(toml::Value::String(entry)) => Ok(entry.clone()),
        Some(_) => Err("`entry` is the path of a file".to_string()),
    }
}

/// The `.ein` files below a folder, sorted; hidden folders and `target` are left out.
pub fn programs_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(listed) else { return found };
    for entry in entries.flatten() {
        let (path, name) = (folder.join(entry.file_name()), entry.file_name());
        let name = name.to_string_lossy();
        // A link may lead back up.
        let folder = entry.file_type().is_ok_and(|t| t.is_dir());
        if folder && !name.starts_with('.') && name != "target" {
            found.extend(programs_below(&path));
        } else if !folder && path.extension().is_some_and(|e| e == "ein") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_project_names_its_entry() {
        assert_eq!(parse("[project]\nname = \"a\"\n"), Ok("main.ein".to_string()));
        assert_eq!(parse("[project]\nentry = \"a/b.ein\"\n"), Ok("a/b.ein".to_string()));
        assert!(parse("").unwrap_err().contains("[project]"));
        assert!(parse("[project]\nentri = \"x\"\n").unwrap_err().contains("`entri`"));
        assert!(parse("[project]\nentry = 3\n").is_err());
        assert!(parse("[project").is_err());
    }
}
