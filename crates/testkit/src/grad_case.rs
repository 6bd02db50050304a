//! `tests/grad`: every derivative that a program asks for agrees with central differences,
//! by sweeps of both directions; and all executors print the same, also where histories are
//! computed again from checkpoints.

use crate::Failure;
use crate::case::Case;
use crate::execute::{Executor, execute, options};
use crate::{run_case, snapshot};

/// What executors may differ by where a case says nothing.
const TOLERANCE: f64 = 1e-5;

/// Checks a case.
pub fn check(case: &Case) -> Result<(), Failure> {
    match (&case.directives.kink, &case.directives.expect) {
        (Some(_), None) => return Err("a case at a kink states what it prints".into()),
        (Some(_), Some(_)) => {}
        (None, _) => differences(case)?,
    }
    if case.directives.expect.is_some() {
        run_case::check(case)?;
        return run_case::check_on(case, &case.arguments()?, Executor::Checkpointed);
    }
    let arguments = case.arguments()?;
    let mut first: Option<String> = None;
    for executor in Executor::ALL.into_iter().chain([Executor::Checkpointed]) {
        let outcome = execute(&case.file_name(), &case.text, &arguments, executor)?;
        if !outcome.succeeded() {
            return Err(format!("fails on {}:\n{}", executor.name(), outcome.stderr));
        }
        match &first {
            None => first = Some(outcome.stdout),
            Some(text) => {
                let tolerance = case.directives.tolerance.unwrap_or(TOLERANCE);
                snapshot::compare_numbers(text, &outcome.stdout, tolerance)
                    .map_err(|e| format!("on {}: {e}", executor.name()))?;
            }
        }
    }
    Ok(())
}

fn differences(case: &Case) -> Result<(), Failure> {
    let options = options(&case.arguments()?);
    let mut session = weft::Session::new();
    let (checked, found) = session.check(&case.file_name(), &case.text, &options);
    let refused = weft::render_all(&found.sorted(), &session.sources);
    let program = checked.ok_or(refused)?;
    let checks = session.check_gradients(&program, &options).map_err(|e| match e {
        weft::RunError::Diagnostic(d) => weft::render_all(&[*d], &session.sources),
        other => format!("{other:?}"),
    })?;
    if checks.iter().all(|c| c.entries == 0) {
        return Err("no derivative with an entry is asked for".into());
    }
    if let Some(c) = checks.iter().find(|c| !c.agrees()) {
        return Err(format!("{} is wrong: {:?}", c.name, c.worst));
    }
    let unjudged = checks.iter().find_map(|c| Some((c, c.first_unjudged.as_ref()?)));
    unjudged.map_or(Ok(()), |(c, e)| {
        Err(format!("{}{:?} is not judged: {}", c.name, e.cell, e.why.text()))
    })
}
