//! The edits that messages offer cure what they are offered for: each is applied to its case
//! of `tests/errors`, and the program is judged again.
//!
//! What comes of it has no error that the case did not have, and one complaint less of the
//! kind. `tests/errors/edits.txt` lists the others, as `CASE NUMBER REASON`: the edits of a
//! case are counted in the order of the messages. Each of these must still fail.

use crate::case::{self, Case};
use crate::execute::{Executor, Outcome, execute};
use crate::{Failure, root, trial};
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use weft::diag::{Diagnostic, Edit, Severity};

const LIST: &str = "tests/errors/edits.txt";

/// A test per case, and one of the list.
pub fn trials() -> Vec<Trial> {
    let listed = listed();
    let cases = case::files_below(&root().join("tests/errors"), &["ein"]);
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|path| {
            let name = case::relative(&path);
            let short = name.trim_start_matches("tests/errors/").to_string();
            let fails: Vec<usize> =
                listed.iter().filter(|(case, _)| *case == short).map(|(_, n)| *n).collect();
            trial(format!("edits of {name}"), move || check(&Case::read(&path)?, &fails))
        })
        .collect();
    trials.push(trial(LIST, move || check_list(&read_list())));
    trials
}

fn read_list() -> String {
    std::fs::read_to_string(root().join(LIST)).unwrap_or_default()
}

fn entries(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().collect())
}

fn listed() -> Vec<(String, usize)> {
    let text = read_list();
    let entry = |words: Vec<&str>| Some((words.first()?.to_string(), words.get(1)?.parse().ok()?));
    entries(&text).filter_map(entry).collect()
}

/// Every line names a case that is there, a number, and a reason.
fn check_list(text: &str) -> Result<(), Failure> {
    for words in entries(text) {
        let [case, number, _, ..] = words.as_slice() else {
            return Err(format!("not CASE NUMBER REASON: {}", words.join(" ")));
        };
        let there = root().join("tests/errors").join(case).is_file();
        if !there || number.parse::<usize>().is_err() {
            return Err(format!("no such case: {case} {number}"));
        }
    }
    Ok(())
}

/// Tries every edit of a case; those numbered in `fails` must fail.
fn check(case: &Case, fails: &[usize]) -> Result<(), Failure> {
    let arguments = case.arguments()?;
    let before = execute(&case.file_name(), &case.text, &arguments, Executor::Evaluator)?;
    let helps = before.diagnostics.iter().flat_map(|d| d.helps.iter().map(move |help| (d, help)));
    let offered: Vec<_> = helps.filter(|(_, help)| !help.edits.is_empty()).collect();
    if let Some(number) = fails.iter().find(|n| !(1..=offered.len()).contains(n)) {
        return Err(format!("there is no edit {number}: remove it from {LIST}"));
    }
    for (at, (d, help)) in offered.into_iter().enumerate() {
        let Some((text, files)) = edited(case, &before, &help.edits) else { continue };
        let arguments = crate::arguments::Arguments { files, ..case.arguments()? };
        let after = execute(&case.file_name(), &text, &arguments, Executor::Evaluator)?;
        let result = cured(d, &before, &after);
        match (result, fails.contains(&(at + 1))) {
            (Ok(()), true) => {
                return Err(format!("edit {} works now: remove it from {LIST}", at + 1));
            }
            (Err(why), false) => {
                let what = format!("edit {}, `{}`: {why}", at + 1, help.message);
                return Err(format!("{what}\n{text}\n{}", after.stderr));
            }
            _ => {}
        }
    }
    Ok(())
}

type Files = BTreeMap<std::path::PathBuf, String>;

/// The texts behind the edits; nothing where they are of no text of the case, as of a value
/// on the command line.
fn edited(case: &Case, outcome: &Outcome, edits: &[Edit]) -> Option<(String, Files)> {
    let (mut text, mut files) = (case.text.clone(), case.files.clone());
    let sources = &outcome.session.sources;
    let main = sources.ids().next()?;
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    for Edit { span, replacement } in edits {
        let name = &sources.file(span.file).name;
        let text = match span.file == main {
            true => &mut text,
            false => files.iter_mut().find(|(path, _)| name.ends_with(&*path.to_string_lossy()))?.1,
        };
        text.replace_range(span.start as usize..span.end as usize, replacement);
    }
    Some((text, files))
}

/// Whether nothing new is wrong, and less of what was complained of.
fn cured(d: &Diagnostic, before: &Outcome, after: &Outcome) -> Result<(), Failure> {
    let (was, is) = (counted(before), counted(after));
    let key = key(d);
    let times = |of: &Counted, key| of.get(key).copied().unwrap_or(0);
    if times(&is, &key) >= times(&was, &key) {
        return Err("the same is said again".into());
    }
    let new = is.iter().find(|(k, n)| k.0 == Severity::Error && **n > times(&was, k));
    match new {
        Some(((_, code, message), _)) => Err(format!("a new error, {code}: {message}")),
        None => Ok(()),
    }
}

type Key = (Severity, &'static str, String);
type Counted = BTreeMap<Key, usize>;

fn key(d: &Diagnostic) -> Key {
    (d.severity, d.code.as_str(), d.message.clone())
}

fn counted(outcome: &Outcome) -> Counted {
    let mut counted = Counted::new();
    for d in &outcome.diagnostics {
        *counted.entry(key(d)).or_default() += 1;
    }
    counted
}
