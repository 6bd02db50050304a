//! `docs/recurrences.md`: every line of its table is what becomes of a program here.

use crate::polybench::observed;
use crate::{Failure, root, trial};
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use weft::{Options, Session};

/// A test per program in the table.
pub fn trials() -> Vec<Trial> {
    let text = std::fs::read_to_string(root().join("docs/recurrences.md")).unwrap_or_default();
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        if let Some(path) = program_of(line) {
            rows.entry(path).or_default().push(line.trim().to_string());
        }
    }
    let test = |(path, rows): (String, Vec<String>)| {
        trial(format!("docs/recurrences.md {path}"), move || check(&path, &rows))
    };
    rows.into_iter().map(test).collect()
}

/// The path in the first cell of a row: `[cholesky](../tests/polybench/cholesky.ein)`.
fn program_of(line: &str) -> Option<String> {
    let cell = line.strip_prefix("| [")?.split('|').next()?;
    let (_, link) = cell.split_once("](../")?;
    link.trim().strip_suffix(')').map(String::from)
}

fn check(path: &str, rows: &[String]) -> Result<(), Failure> {
    let text = std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"))?;
    let name = path.rsplit('/').next().and_then(|n| n.strip_suffix(".ein")).unwrap_or(path);
    let text = match path.starts_with("tests/polybench/") {
        true => observed(name, &text).ok_or("the reference does not have the kernel")?,
        false => text,
    };
    let (mut session, options) = (Session::new(), Options::default());
    let (program, found) = session.check(name, &text, &options);
    let program = program.ok_or_else(|| format!("the program is refused: {found:?}"))?;
    let structure = crate::execute::structure(&session, &program, &options)?;
    let wanted: Vec<String> = structure
        .recurrences
        .iter()
        .map(|r| {
            let kept = if r.kept == r.full { "all".to_string() } else { format!("`{}`", r.kept) };
            let at_once = if r.at_once.is_empty() { "-" } else { &r.at_once };
            let (link, full) = (format!("[{name}](../{path})"), &r.full);
            format!("| {link} | `{}` | {} | {at_once} | {kept} | `{full}` |", r.name, r.order)
        })
        .collect();
    let none = format!("| [{name}](../{path}) | - | - | all | - | - |");
    let wanted = if wanted.is_empty() { vec![none] } else { wanted };
    match wanted == rows {
        true => Ok(()),
        false => Err(format!("the table should have\n{}", wanted.join("\n"))),
    }
}
