//! `tests/known`: programs that go wrong today although they are right, or are not
//! refused although they are wrong. Each must still go wrong.

use crate::case::Case;
use crate::{Failure, error_case, run_case, snapshot};

/// Succeeds as long as the case fails.
pub fn check(case: &Case) -> Result<(), Failure> {
    if case.directives.known_bug.is_none() {
        return Err("no `//@ known-bug:` says what is wrong".into());
    }
    if snapshot::blessing() {
        return Ok(());
    }
    let refused = case.directives.diagnostics.iter().any(|(code, _)| code.starts_with('E'));
    let result = if refused { announced_errors(case) } else { run_case::check(case) };
    match result {
        Err(_) => Ok(()),
        Ok(()) => Err("passes now: move it to `tests/run` or `tests/errors`".into()),
    }
}

/// As an error case, but without a message beside it.
fn announced_errors(case: &Case) -> Result<(), Failure> {
    let arguments = case.arguments()?;
    for executor in run_case::executors(case)? {
        let outcome = crate::execute::execute(&case.file_name(), &case.text, &arguments, executor)?;
        error_case::compare_diagnostics(case, &outcome)?;
    }
    Ok(())
}
