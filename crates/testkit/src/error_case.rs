//! `tests/errors`: programs that are refused or fail, the message beside them.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::execute::{Outcome, execute};
use crate::run_case::{executors, expected};
use crate::snapshot;

/// Checks a case; where the failure is one of the run, on every executor.
pub fn check(case: &Case) -> Result<(), Failure> {
    let arguments = case.arguments()?;
    for executor in executors(case)? {
        let outcome = execute(&case.file_name(), &case.text, &arguments, executor)?;
        compare(case, &arguments, &outcome).map_err(|e| format!("on {}: {e}", executor.name()))?;
        if outcome.checked.is_none() {
            break;
        }
    }
    Ok(())
}

fn compare(case: &Case, arguments: &Arguments, outcome: &Outcome) -> Result<(), Failure> {
    if outcome.succeeded() {
        return Err(format!("no error; it prints\n{}", outcome.stdout));
    }
    compare_diagnostics(case, outcome)?;
    snapshot::compare(&expected(case).unwrap_or_default(), &outcome.stdout)?;
    snapshot::compare_file(&case.beside("stderr"), &portable(case, arguments, &outcome.stderr))
}

/// Messages name files by their paths, which are others on another machine.
fn portable(case: &Case, arguments: &Arguments, text: &str) -> String {
    let text = text.replace(&format!("{}/", case.folder().display()), "$DIR/");
    match &arguments.scratch {
        Some(scratch) => text.replace(&format!("{}/", scratch.folder().display()), "$DIR/"),
        None => text,
    }
}

/// The diagnostics shown are those that the case announces, each on its line.
pub fn compare_diagnostics(case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    let mut announced: Vec<String> =
        case.directives.diagnostics.iter().map(|(code, line)| place(code, *line)).collect();
    let sources = &outcome.session.sources;
    let main = sources.ids().next();
    let mut shown: Vec<String> = outcome
        .diagnostics
        .iter()
        .map(|d| {
            let span = d.span().filter(|s| Some(s.file) == main);
            place(d.code.as_str(), span.map(|s| sources.line_col(s).line))
        })
        .collect();
    announced.sort();
    shown.sort();
    if announced == shown {
        return Ok(());
    }
    Err(format!("announced {announced:?}, but shown {shown:?}:\n{}", outcome.stderr))
}

fn place(code: &str, line: Option<usize>) -> String {
    line.map_or_else(|| code.to_string(), |line| format!("{code} on line {line}"))
}
