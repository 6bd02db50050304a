//! `tests/run`: what a program prints, on every executor by force.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::execute::{Executor, Outcome, execute};
use crate::{claims, error_case, ir_case, snapshot};

/// Runs a case wherever it is to run.
pub fn check(case: &Case) -> Result<(), Failure> {
    let arguments = case.arguments()?;
    for executor in executors(case)? {
        check_on(case, &arguments, executor)?;
    }
    claims::check(case, &arguments)
}

/// What a case prints on one executor.
pub fn check_on(case: &Case, arguments: &Arguments, executor: Executor) -> Result<(), Failure> {
    let outcome = execute(&case.file_name(), &case.text, arguments, executor)?;
    compare(case, &outcome).map_err(|e| format!("on {}: {e}", executor.name()))?;
    if executor == Executor::Evaluator {
        texts_read_back(&outcome)?;
    }
    Ok(())
}

/// The executors that a case runs on.
pub fn executors(case: &Case) -> Result<Vec<Executor>, Failure> {
    let Some(names) = &case.directives.executors else { return Ok(Executor::ALL.to_vec()) };
    let find = |name: &String| {
        let mut all = Executor::ALL.into_iter().chain([Executor::Checkpointed]);
        let found = all.find(|e| e.name() == name);
        found.ok_or_else(|| format!("no executor is called `{name}`"))
    };
    names.iter().map(find).collect()
}

fn compare(case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    if !outcome.succeeded() {
        return Err(format!("the program fails:\n{}", outcome.stderr));
    }
    error_case::compare_diagnostics(case, outcome)?;
    compare_output(case, outcome)
}

/// Standard output against what the case or the file beside it says.
fn compare_output(case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    let Some(expected) = expected(case) else {
        return snapshot::compare_file(&case.beside("stdout"), &outcome.stdout);
    };
    match case.directives.tolerance {
        Some(tolerance) => snapshot::compare_numbers(&expected, &outcome.stdout, tolerance),
        None => snapshot::compare(&expected, &outcome.stdout),
    }
}

/// The output that the case itself states.
pub fn expected(case: &Case) -> Option<String> {
    let lines = case.directives.expect.as_ref()?;
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Every case is also one for the text forms of the graph and of loops.
fn texts_read_back(outcome: &Outcome) -> Result<(), Failure> {
    let Some(program) = &outcome.checked else { return Ok(()) };
    let options = weft::Options::default();
    let emitted = |stage| outcome.session.emit(program, &options, stage);
    ir_case::graph_reads_back(&emitted(weft::Emit::Graph)?)?;
    ir_case::loops_read_back(&emitted(weft::Emit::Loops)?)
}
