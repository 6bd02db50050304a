//! Results on several threads: bit for bit those on one, and the same failure.
//!
//! The same holds where a trace asks for one definition at a time, as far as roundings are those of
//! the source: what is fused depends on what is compiled together. Parallel loops are divided here however little they do.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::execute::{Executor, MEMORY_LIMIT, options};
use crate::run_case::executors;
use weft::testing::Knobs;
use weft::{Checked, Options, RunError, RunOptions, Semantics, Session, Tier};

/// Fewer, as many and more than the parts of a small loop, and an odd number.
const COUNTS: [usize; 4] = [1, 2, 3, 8];

/// The same where loops are cut small.
const COUNTS_CUT: [usize; 2] = [1, 3];

/// What came of a run.
#[derive(PartialEq, Eq, Debug)]
struct Result {
    printed: String,
    failure: Option<String>,
    digest: u64,
}

/// Runs a case on each number of threads; one that does not get to run is none.
pub fn check(case: &Case) -> std::result::Result<(), Failure> {
    if !executors(case)?.contains(&Executor::Native) {
        return Ok(());
    }
    let arguments = case.arguments()?;
    let (mut session, options) = (Session::new(), options(&arguments));
    let (checked, _) = session.check(&case.file_name(), &case.text, &options);
    let Some(program) = checked else { return Ok(()) };
    let on = |session: &mut Session, count, cut_small| {
        run(session, (&program, &options), &arguments, (count, cut_small))
    };
    // Few recurrences are long: the same with blocks of a few steps.
    let same_on = |session: &mut Session, counts: &[usize], cut_small| {
        let alone = on(session, counts[0], cut_small)?;
        for &count in &counts[1..] {
            let together = on(session, count, cut_small)?;
            if together != alone {
                return Err(format!("on {count} threads {together:#?}, but on one {alone:#?}"));
            }
        }
        Ok(alone)
    };
    same_on(&mut session, &COUNTS_CUT, true)?;
    same_on(&mut session, &COUNTS, false)?;
    let semantics = Semantics { strict_fp: true, ..options.semantics };
    let strictly = Options { semantics, ..options.clone() };
    let strict =
        |session: &mut Session| run(session, (&program, &strictly), &arguments, (1, false));
    let at_once = strict(&mut session)?;
    session.keep_timeline();
    let apart = strict(&mut session)?;
    if apart != at_once {
        return Err(format!("one definition at a time {apart:#?}, but at once {at_once:#?}"));
    }
    Ok(())
}

fn run(
    session: &mut Session,
    (program, options): (&Checked, &Options),
    arguments: &Arguments,
    (threads, cut_small): (usize, bool),
) -> std::result::Result<Result, Failure> {
    let how = RunOptions {
        tier: Tier::Native,
        memory_limit: arguments.memory_limit.unwrap_or(MEMORY_LIMIT),
        show_result: !arguments.quiet,
        threads: Some(threads),
        cpu: crate::execute::cpu(),
        knobs: Knobs { fork_always: true, cut_small, ..Knobs::default() },
        ..RunOptions::default()
    };
    arguments.begin()?;
    let wanted = |name: &str| arguments.outputs.iter().any(|n| n == name);
    let mut printed = Vec::new();
    let ended = session.run(program, options, &how, &wanted, &mut printed);
    let failure = match ended {
        Ok(_) => None,
        Err(RunError::Diagnostic(d)) => Some(weft::render_all(&[*d], &session.sources)),
        Err(other) => return Err(format!("{other:?}")),
    };
    let printed = String::from_utf8(printed).map_err(|_| "the output is not UTF-8")?;
    Ok(Result { printed, failure, digest: session.digest() })
}
