//! The case runner: one test per case file, without any Rust in the cases.
//!
//! - `tests/run`: programs and what they print, on every executor by force.
//! - `tests/structure`: the same, with claims about kernels, storage and windows.
//! - `tests/errors`: programs that are refused or fail, with the rendered message beside
//!   them; each edit that a message offers is applied, and must cure it.
//! - `tests/planted/run` and `…/errors`: cases like those, which planted bugs asked for.
//! - `tests/known`: programs that go wrong today although they are right. Each must still
//!   go wrong, so that a cure is noticed.
//! - `tests/grad`: derivatives against central differences.
//! - `tests/ir`: stages of the compiler as text.
//! - `tests/polybench`: known kernels against reference values.
//! - Windows of recurrences, generated: each lookback with each observation.
//! - The table of `docs/recurrences.md`: what becomes of each recurrence in it.
//! - Pages of codes, examples, snippets of the README, and the tables of layers and of structure.
//!
//! `BLESS=1` writes the expected texts beside the cases anew; `FAIL_FAST=1` ends the run at
//! the first failure. Directives are described
//! in [`directive`].

mod arguments;
mod case;
mod claims;
pub mod directive;
mod edits;
mod error_case;
mod examples;
mod execute;
mod glossary;
mod grad_case;
mod ir_case;
mod known_case;
mod layers;
pub mod orders;
mod orders_table;
mod pages;
mod polybench;
pub mod random;
pub mod random_grad;
mod repository;
mod run_case;
mod sandbox;
mod scratch;
pub mod seeds;
mod snapshot;
mod snippets;
mod structure;
mod threads;
pub mod uniform;
mod windows;

use case::Case;
use libtest_mimic::{Arguments, Trial};
use repository::root;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is wrong, for people.
type Failure = String;

/// Runs the tests that the command line selects, and ends with the runner's summary.
pub fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, all_trials()).exit_code()
}

/// As [`main`], for the tests that results do not depend on the number of threads.
pub fn main_threads() -> ExitCode {
    let arguments = Arguments::from_args();
    let folders = ["run", "structure", "errors", "planted/run", "planted/errors"];
    let trials = folders.iter().flat_map(|folder| cases(folder, &["ein"], threads::check));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn all_trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    trials.extend(cases("run", &["ein"], run_case::check));
    trials.extend(cases("structure", &["ein"], run_case::check));
    trials.extend(cases("planted/run", &["ein"], run_case::check));
    trials.extend(cases("planted/errors", &["ein"], error_case::check));
    trials.extend(cases("errors", &["ein"], error_case::check));
    trials.extend(cases("known", &["ein"], known_case::check));
    trials.extend(cases("ir", &["ein", "graph", "loops"], ir_case::check));
    trials.extend(cases("grad", &["ein"], grad_case::check));
    trials.extend(edits::trials());
    trials.extend(windows::trials());
    trials.extend(polybench::trials());
    trials.extend(orders_table::trials());
    trials.extend(pages::trials());
    trials.extend(examples::trials());
    trials.extend(snippets::trials());
    trials.push(trial("docs/glossary.md", glossary::names_exist));
    trials.push(trial("docs/glossary.md voice", glossary::voice));
    trials.extend(layers::trials());
    trials.extend(structure::trials());
    trials
}

/// A test per case file below `tests/FOLDER`.
fn cases(folder: &str, suffixes: &[&str], check: fn(&Case) -> Result<(), Failure>) -> Vec<Trial> {
    let folder = root().join("tests").join(folder);
    let files = case::files_below(&folder, suffixes);
    files.into_iter().map(|path| case_trial(path, check)).collect()
}

fn case_trial(path: PathBuf, check: fn(&Case) -> Result<(), Failure>) -> Trial {
    let name = case::relative(&path);
    trial(name, move || check(&Case::read(&path)?))
}

/// A test of the name; it runs where deep programs and panics do no harm.
fn trial(
    name: impl Into<String>,
    body: impl FnOnce() -> Result<(), Failure> + Send + 'static,
) -> Trial {
    let name = name.into();
    let label = name.clone();
    Trial::test(name, move || {
        let outcome = sandbox::run(body);
        if outcome.is_err() && std::env::var_os("FAIL_FAST").is_some_and(|v| v == "1") {
            println!("test {label} ... FAILED");
            std::process::exit(101);
        }
        outcome.map_err(libtest_mimic::Failed::from)
    })
}
