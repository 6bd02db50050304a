//! Whether the derivatives of a program are right: against central differences by sweeps
//! of both directions, by what the program says of them, and on every executor.

use crate::arguments::Arguments;
use crate::execute::{Executor, compute};
use crate::random::Program;
use crate::sandbox;
use std::collections::BTreeMap;
use weft::{Options, RunError, Session};

/// What a program may be off by in what must be 0.
const AGREEMENT: f64 = 1e-7;
/// What executors may differ by, relative to a value and 1.
const EXECUTORS: f64 = 1e-7;

/// The kinds of wrongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// A program that is right by construction was refused, with this headline.
    Refused(String),
    /// A derivative is not what differences say.
    Derivative,
    /// Two forms of one derivative differ.
    Forms,
    /// Two executors differ.
    Executors,
    /// Something panicked, failed or did not end.
    Broken,
}

/// A wrong, with what there is to see.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its kind.
    pub wrong: Wrong,
    /// What happened, for people.
    pub report: String,
}

/// What a check without a wrong amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// Every entry was compared with differences.
    Whole,
    /// Differences could not judge every entry: those were compared between directions.
    InPart,
}

/// Checks a program.
///
/// # Errors
///
/// The first wrong found.
pub fn check(program: &Program) -> Result<Judged, Finding> {
    let text = program.text();
    let (send, receive) = std::sync::mpsc::channel();
    let ended = sandbox::run(move || {
        // The receiver waits for the end of this.
        let _ = send.send(checked(&text));
        Ok(())
    });
    match receive.try_recv() {
        Ok(result) => result,
        Err(_) => Err(found(Wrong::Broken, ended.err().unwrap_or_default())),
    }
}

/// Whether a program shows the same wrong as `finding`.
pub fn shows(program: &Program, finding: &Finding) -> bool {
    check(program).err().is_some_and(|f| f.wrong == finding.wrong)
}

fn found(wrong: Wrong, report: impl Into<String>) -> Finding {
    Finding { wrong, report: report.into() }
}

fn checked(text: &str) -> Result<Judged, Finding> {
    let judged = differences(text)?;
    let arguments = Arguments { outputs: statements_about(text), ..Arguments::default() };
    let mut first: Option<BTreeMap<String, f64>> = None;
    for executor in [Executor::Evaluator, Executor::Native, Executor::Checkpointed] {
        let all = compute("random.ein", text, &arguments, executor)
            .map_err(|e| found(Wrong::Broken, e))?;
        let value = |a: &weft_tensor::Array| a.get(0).as_f64().unwrap_or(f64::NAN);
        let values: BTreeMap<String, f64> =
            all.iter().map(|(name, a)| (name.clone(), value(a))).collect();
        let is_far = |v: f64| v.is_nan() || v.abs() > AGREEMENT;
        if let Some((name, v)) = values.iter().find(|(n, v)| n.starts_with("agree") && is_far(**v))
        {
            // What the evaluator agreed to, another executor has wrong.
            let wrong = if first.is_none() { Wrong::Forms } else { Wrong::Executors };
            return Err(found(wrong, format!("{name} is {v} on {}", executor.name())));
        }
        compare(first.get_or_insert(values.clone()), &values, executor.name())?;
    }
    Ok(judged)
}

/// The scalars that a program defines for this purpose.
fn statements_about(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("let ")?.split_once(" = ")?;
        let is_scalar = name.chars().all(char::is_alphanumeric);
        (is_scalar && name.starts_with(['a', 's'])).then(|| name.to_string())
    };
    text.lines().filter_map(name).collect()
}

fn compare(
    a: &BTreeMap<String, f64>,
    b: &BTreeMap<String, f64>,
    executor: &str,
) -> Result<(), Finding> {
    for (name, x) in a.iter().filter(|(n, _)| !n.starts_with("agree")) {
        let y = b.get(name).copied().unwrap_or(f64::NAN);
        let apart = (x - y).abs();
        if apart.is_nan() || apart > EXECUTORS * x.abs().max(1.0) {
            return Err(found(Wrong::Executors, format!("{name} is {x}, and {y} on {executor}")));
        }
    }
    Ok(())
}

fn differences(text: &str) -> Result<Judged, Finding> {
    let mut session = Session::new();
    let options = Options { verify: true, ..Options::default() };
    let (program, said) = session.check("random.ein", text, &options);
    let Some(program) = program else {
        let errors: Vec<_> = said.sorted().into_iter().filter(|d| d.is_error()).collect();
        let headline = errors.first().map_or(String::new(), |d| d.message.clone());
        let named = |c: &char| !c.is_ascii_digit();
        let headline = headline.chars().filter(named).collect();
        let report = weft::render_all(&errors, &session.sources);
        return Err(found(Wrong::Refused(headline), report));
    };
    let checks = session.check_gradients(&program, &options).map_err(|e| match e {
        RunError::Diagnostic(d) => found(Wrong::Broken, weft::render_all(&[*d], &session.sources)),
        other => found(Wrong::Broken, format!("{other:?}")),
    })?;
    match checks.iter().find(|c| !c.agrees()) {
        Some(c) => Err(found(Wrong::Derivative, format!("{} is off: {:?}", c.name, c.worst))),
        None if checks.iter().all(|c| c.unjudged == 0) => Ok(Judged::Whole),
        None => Ok(Judged::InPart),
    }
}
