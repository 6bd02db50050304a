//! The programs in `examples` run clean, and print what the `.stdout` beside them says
//! (where there is one).
//!
//! `tests/examples.txt` has the arguments of those that need inputs.

use crate::arguments::Arguments;
use crate::case::{Case, files_below, relative};
use crate::execute::{Executor, execute};
use crate::{Failure, root, snapshot, trial};
use libtest_mimic::Trial;

/// A test per example.
pub fn trials() -> Vec<Trial> {
    let files = files_below(&root().join("examples"), &["ein"]);
    let all =
        files.into_iter().map(|path| trial(relative(&path), move || check(&Case::read(&path)?)));
    all.collect()
}

fn check(case: &Case) -> Result<(), Failure> {
    let arguments = Arguments::parse(&arguments(&case.file_name())?, &root())?;
    let outcome = execute(&case.file_name(), &case.text, &arguments, Executor::Native)?;
    if !outcome.diagnostics.is_empty() {
        return Err(outcome.stderr);
    }
    let beside = case.beside("stdout");
    if beside.exists() { snapshot::compare_file(&beside, &outcome.stdout) } else { Ok(()) }
}

/// The arguments that the table has for an example.
fn arguments(name: &str) -> Result<Vec<String>, Failure> {
    let table = root().join("tests/examples.txt");
    let text = std::fs::read_to_string(table).map_err(|e| format!("tests/examples.txt: {e}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(line.unwrap_or_default().split_whitespace().map(String::from).collect())
}
