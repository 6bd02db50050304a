//! `tests/run`: what a program prints, on every executor by force.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::execute::{Executor, Outcome, execute};
use crate::{claims, error_case, ir_case, snapshot};
use weft::testing::{Routine, finds_parameters, host_decides, shown_routines};

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
    match executor {
        Executor::Evaluator => texts_read_back(&outcome, arguments),
        Executor::Native => shown_is_run(&outcome, arguments),
        Executor::Plain | Executor::Checkpointed => Ok(()),
    }
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
fn texts_read_back(outcome: &Outcome, arguments: &Arguments) -> Result<(), Failure> {
    let Some(program) = &outcome.checked else { return Ok(()) };
    let options = crate::execute::options(arguments);
    let how = crate::execute::run_options(arguments);
    let emitted = |stage| {
        let text = outcome.session.emit(program, &options, &how, &|n| arguments.wants(n), stage);
        text.map_err(|e| format!("{e:?}"))
    };
    ir_case::graph_reads_back(&emitted(weft::Emit::Graph)?)?;
    ir_case::loops_read_back(&emitted(weft::Emit::Loops)?)
}

/// The routines that are shown of a program are those of its run.
///
/// What the run observes before its first step, for the defaults of inputs, is not shown. Where
/// the host looks at what was computed (branches, extents out of data, its own values), segments
/// are others than could be told before: then those that are in both are compared, and none where
/// the run finds extents, by which it chooses.
fn shown_is_run(outcome: &Outcome, arguments: &Arguments) -> Result<(), Failure> {
    let Some(program) = outcome.checked.as_ref().filter(|p| !finds_parameters(p)) else {
        return Ok(());
    };
    let options = crate::execute::options(arguments);
    let how = crate::execute::run_options(arguments);
    let wanted = |name: &str| arguments.wants(name);
    let shown = shown_routines(&outcome.session, program, &options, &how, &wanted);
    let shown = shown.map_err(|e| format!("{e:?}"))?;
    let defaults: Vec<_> = program.staged.host.inputs.iter().filter_map(|i| i.default).collect();
    let ran = outcome.session.routines().iter();
    for ran in ran.filter(|r| !r.observed.iter().all(|t| defaults.contains(t))) {
        let same = |s: &&Routine| s.observed == ran.observed && s.stored == ran.stored;
        let Some(shown) = shown.iter().find(same) else {
            if host_decides(program) {
                continue;
            }
            return Err(format!(
                "{:?} (given {:?}) runs, and is not shown:\n{}",
                ran.observed, ran.stored, ran.plan
            ));
        };
        snapshot::compare(&shown.plan, &ran.plan).map_err(|e| format!("the plan shown: {e}"))?;
        snapshot::compare(&shown.loops, &ran.loops).map_err(|e| format!("the loops shown: {e}"))?;
    }
    Ok(())
}
