//! The examples on the pages of the codes do what the pages claim.
//!
//! `tests/known/pages.txt` lists those that cannot yet, as `CODE NUMBER REASON`; each
//! must still fail.

use crate::arguments::Arguments;
use crate::execute::{Executor, Outcome, execute};
use crate::{Failure, root, trial};
use libtest_mimic::Trial;
use weft::diag::{Claim, Code, Example, examples};

/// A test per example.
pub fn trials() -> Vec<Trial> {
    let known = known();
    let pages = Code::ALL.iter().filter_map(|&code| Some((code, code.page()?)));
    let all = pages.flat_map(|(code, page)| {
        examples(page).into_iter().enumerate().map(move |(at, e)| (code, at + 1, e))
    });
    let trials = all.map(|(code, number, example)| {
        let fails = known.contains(&(code, number));
        trial(format!("docs/errors/{code}.md {number}"), move || {
            match (holds(code, &example), fails) {
                (Err(_), true) => Ok(()),
                (Ok(()), true) => Err("holds now: remove it from tests/known/pages.txt".into()),
                (result, false) => result,
            }
        })
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(trial("tests/known/pages.txt", || check_known(&read_known())));
    trials
}

fn read_known() -> String {
    std::fs::read_to_string(root().join("tests/known/pages.txt")).unwrap_or_default()
}

fn known() -> Vec<(Code, usize)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        Some((Code::parse(words.next()?)?, words.next()?.parse().ok()?))
    };
    read_known().lines().filter_map(line).collect()
}

/// Every line names an example that exists, and a reason.
fn check_known(text: &str) -> Result<(), Failure> {
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [code, number, _, ..] = words.as_slice() else {
            return Err(format!("not CODE NUMBER REASON: {line}"));
        };
        let page = Code::parse(code).and_then(Code::page);
        let count = page.map_or(0, |p| examples(p).len());
        if !number.parse().is_ok_and(|n: usize| (1..=count).contains(&n)) {
            return Err(format!("no such example: {line}"));
        }
    }
    Ok(())
}

fn holds(code: Code, example: &Example<'_>) -> Result<(), Failure> {
    let arguments = Arguments::parse(&example.args, &root())?;
    let outcome = execute("page.ein", example.text, &arguments, Executor::Native)?;
    match example.claim {
        Claim::Fails if outcome.succeeded() => Err(unexpected("no error", &outcome)),
        Claim::Fails if !only_error(code, &outcome) => Err(unexpected("another error", &outcome)),
        Claim::Warns if !outcome.succeeded() => Err(unexpected("an error", &outcome)),
        Claim::Warns if !outcome.has(code) => Err(unexpected("no warning", &outcome)),
        Claim::Works if !outcome.diagnostics.is_empty() => Err(unexpected("not clean", &outcome)),
        _ => Ok(()),
    }
}

fn only_error(code: Code, outcome: &Outcome) -> bool {
    outcome.diagnostics.iter().filter(|d| d.is_error()).all(|d| d.code == code)
}

fn unexpected(what: &str, outcome: &Outcome) -> Failure {
    format!("{what}:\n{}{}", outcome.stdout, outcome.stderr)
}
