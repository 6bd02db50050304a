//! One program on every tier, and whether they agree.

use super::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use weft::{Given, OptLevel, Options, RunError, RunOptions, Session, Tier};

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The executor.
    pub tier: Tier,
    /// How much machine code is optimised.
    pub opt: OptLevel,
    /// Whether floats keep the source's order.
    pub strict_fp: bool,
}

/// The oracle.
pub const ORACLE: Setting = Setting { tier: Tier::Evaluator, opt: OptLevel::Full, strict_fp: true };

/// What is held against it, bit for bit.
pub const STRICT: [Setting; 2] = [
    Setting { tier: Tier::Native, opt: OptLevel::Full, strict_fp: true },
    Setting { tier: Tier::Native, opt: OptLevel::None, strict_fp: true },
];

/// What may differ from it by the rounding of sums taken in another order.
pub const LOOSE: Setting = Setting { tier: Tier::Native, opt: OptLevel::Full, strict_fp: false };

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was refused, with these errors.
    Refused(String),
    /// It printed this, and ended well or with an error.
    Ran { printed: String, failure: Option<String> },
    /// The compiler, or the run, panicked.
    Panicked(String),
}

/// The kinds of wrongs that a program can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// A program that is right by construction was refused.
    Refused,
    /// Something panicked.
    Panicked,
    /// Two tiers differ.
    Differs,
}

/// A wrong, with what there is to see.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its kind.
    pub wrong: Wrong,
    /// What happened, for people.
    pub report: String,
}

/// Memory that the tensors of a random program may take: far more than any needs.
const MEMORY_LIMIT: u64 = 1 << 30;

/// Runs a program.
pub fn run(program: &Program, how: Setting) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| run_unguarded(program, how))) {
        Ok(outcome) => outcome,
        Err(payload) => Outcome::Panicked(panic_text(&*payload)),
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a text").to_string()
}

fn run_unguarded(program: &Program, how: Setting) -> Outcome {
    let mut session = Session::new();
    let mut options = Options { verify: true, strict_fp: how.strict_fp, ..Options::default() };
    for (name, value) in &program.inputs {
        options.given.insert(name.clone(), Given::Literal(value.clone()));
    }
    let (checked, diagnostics) = session.check("random.ein", &program.text(), &options);
    let Some(checked) = checked else {
        let errors = diagnostics.sorted().into_iter().filter(|d| d.is_error());
        let text = errors.map(|d| weft::diag::render_human(&d, &session.sources, false)).collect();
        return Outcome::Refused(text);
    };
    let how = RunOptions {
        tier: how.tier,
        strict_fp: how.strict_fp,
        opt: how.opt,
        verify: true,
        memory_limit: MEMORY_LIMIT,
        time: false,
        show_result: true,
        interrupt: None,
    };
    let mut printed = Vec::new();
    let result = session.run(&checked, &options, &how, &|_| false, &mut printed);
    let failure = result.err().map(|e| match e {
        RunError::Diagnostic(d) => weft::diag::render_human(&d, &session.sources, false),
        other => format!("{other:?}"),
    });
    Outcome::Ran { printed: String::from_utf8_lossy(&printed).into_owned(), failure }
}

/// Runs a program on all tiers; what is wrong, if anything is.
pub fn check(program: &Program) -> Result<(), Finding> {
    let expected = run(program, ORACLE);
    match &expected {
        Outcome::Refused(text) => return found(Wrong::Refused, text.clone()),
        Outcome::Panicked(text) => {
            return found(Wrong::Panicked, format!("on the evaluator: {text}"));
        }
        Outcome::Ran { .. } => {}
    }
    for how in STRICT {
        compare(&expected, program, how, &|a, b| a == b)?;
    }
    if program.discrete {
        return Ok(());
    }
    compare(&expected, program, LOOSE, &|a, b| near(a, b))
}

fn found(wrong: Wrong, report: String) -> Result<(), Finding> {
    Err(Finding { wrong, report })
}

fn compare(
    expected: &Outcome,
    program: &Program,
    how: Setting,
    same: &dyn Fn(&str, &str) -> bool,
) -> Result<(), Finding> {
    let got = run(program, how);
    let agree = match (expected, &got) {
        (Outcome::Ran { printed: a, failure: x }, Outcome::Ran { printed: b, failure: y }) => {
            same(a, b) && x == y
        }
        (_, Outcome::Panicked(text)) => {
            return found(Wrong::Panicked, format!("on {how:?}: {text}"));
        }
        _ => false,
    };
    if agree {
        return Ok(());
    }
    let show = |o: &Outcome| match o {
        Outcome::Ran { printed, failure } => {
            format!("{printed}{}", failure.as_deref().unwrap_or(""))
        }
        other => format!("{other:?}"),
    };
    let report = format!("{how:?}\n--- evaluator\n{}\n--- found\n{}", show(expected), show(&got));
    found(Wrong::Differs, report)
}

/// How far two results may lie apart, as a part of the largest number printed: random
/// programs add tens of terms, and what amplifies rounding makes numbers large.
const TOLERANCE: f64 = 1e-3;

/// Whether two outputs are the same text but for the last digits of their numbers.
/// Where a number is not finite nothing is said: an overflow may come earlier or later.
fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (tokens(a), tokens(b));
    let numbers: Vec<f64> = a.iter().chain(&b).filter_map(|t| t.parse().ok()).collect();
    if numbers.iter().any(|x| !x.is_finite()) {
        return true;
    }
    let scale = numbers.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let close = |(x, y): (&&str, &&str)| match (x.parse::<f64>(), y.parse::<f64>()) {
        (Ok(x), Ok(y)) => (x - y).abs() <= TOLERANCE * scale,
        _ => x == y,
    };
    a.len() == b.len() && a.iter().zip(&b).all(close)
}

fn tokens(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "[](),".contains(c))
        .filter(|t| !t.is_empty())
        .collect()
}
