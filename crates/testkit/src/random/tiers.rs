//! One program on every tier, and whether they agree.

use super::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;
use weft::testing::{Guard, Knobs};
use weft::{
    Checked, Cpu, Given, OptLevel, Options, Overflow, RunError, RunOptions, Semantics, Session,
    Tier,
};

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The executor.
    pub tier: Tier,
    /// How much machine code is optimised.
    pub opt: OptLevel,
    /// Whether floats keep the source's order.
    pub strict_fp: bool,
    /// Whose instructions machine code uses.
    pub cpu: Cpu,
    /// Whether loops are cut into blocks of a few steps, which threads share.
    pub cut_small: bool,
    /// Whether machine code checks its accesses; code that does not runs with guard pages.
    pub verify: bool,
}

/// The oracle.
pub const ORACLE: Setting = Setting {
    tier: Tier::Evaluator,
    opt: OptLevel::Full,
    strict_fp: true,
    cpu: Cpu::Native,
    cut_small: false,
    verify: true,
};

/// What is held against it, bit for bit.
pub const STRICT: [Setting; 3] = [
    // What leaves a buffer is told by code that checks its accesses, and made small, before
    // it is a crash.
    Setting { tier: Tier::Native, opt: OptLevel::None, cut_small: true, ..ORACLE },
    Setting { tier: Tier::Native, verify: false, ..ORACLE },
    Setting { tier: Tier::Native, cpu: Cpu::Avx2, verify: false, ..ORACLE },
];

/// What may differ from it by the rounding of sums taken in another order.
pub const LOOSE: Setting =
    Setting { tier: Tier::Native, strict_fp: false, verify: false, ..ORACLE };

/// The same with loops cut.
pub const LOOSE_CUT: Setting = Setting { cut_small: true, ..LOOSE };

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was refused, with these errors.
    Refused(String),
    /// It printed something, and ended well or with an error.
    Ran {
        /// What it printed.
        printed: String,
        /// The error, rendered.
        failure: Option<String>,
    },
    /// The compiler, or the run, panicked.
    Panicked(String),
    /// It did not end in time, and was stopped.
    Stuck,
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
    /// A run did not end.
    Stuck,
}

/// A wrong, with what there is to see.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its kind.
    pub wrong: Wrong,
    /// Where it showed.
    pub setting: Setting,
    /// What happened, for people.
    pub report: String,
}

/// Time that a run may take: a thousand times what any needs.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Memory that the tensors of a random program may take: far more than any needs.
const MEMORY_LIMIT: u64 = 1 << 30;

/// Runs a program.
pub fn run(program: &Program, how: Setting) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| run_unguarded(program, how))) {
        Ok(outcome) => outcome,
        Err(payload) => Outcome::Panicked(panic_text(&*payload)),
    }
}

/// Sets a flag when time is up, unless it is dropped before.
struct Watch {
    _ends: Sender<()>,
    flag: Arc<AtomicBool>,
}

impl Watch {
    fn start() -> Watch {
        let (sender, ends) = channel::<()>();
        let flag = Arc::new(AtomicBool::new(false));
        let set = flag.clone();
        std::thread::spawn(move || {
            if ends.recv_timeout(TIME_LIMIT) == Err(RecvTimeoutError::Timeout) {
                set.store(true, Ordering::Relaxed);
            }
        });
        Watch { _ends: sender, flag }
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a text").to_string()
}

fn run_unguarded(program: &Program, how: Setting) -> Outcome {
    let mut session = Session::new();
    // Where integers wrap, programs go on that would fail.
    let overflow = if program.seed.is_multiple_of(3) { Overflow::Wrap } else { Overflow::Trap };
    let semantics = Semantics { strict_fp: how.strict_fp, overflow };
    let mut options = Options { verify: true, semantics, ..Options::default() };
    for (name, value) in &program.inputs {
        options.given.insert(name.clone(), Given::Literal(value.clone()));
    }
    let (checked, diagnostics) = session.check("random.ein", &program.text(), &options);
    let Some(checked) = checked else {
        let errors = diagnostics.sorted().into_iter().filter(|d| d.is_error());
        let text = errors.map(|d| weft::diag::render_human(&d, &session.sources, false)).collect();
        return Outcome::Refused(text);
    };
    let watch = Watch::start();
    let mut on = |guard| {
        let cut_small = how.cut_small;
        let knobs = Knobs { fork_always: cut_small, cut_small, guard, ..Knobs::default() };
        let how = RunOptions {
            tier: how.tier,
            opt: how.opt,
            cpu: how.cpu,
            verify: how.verify,
            memory_limit: MEMORY_LIMIT,
            show_result: true,
            knobs,
            interrupt: Some(&watch.flag),
            ..RunOptions::default()
        };
        ran(&mut session, (&checked, &options), &how)
    };
    let found = on(None);
    if how.tier == Tier::Native && !how.verify {
        for guard in [Guard::Before, Guard::After] {
            let guarded = on(Some(guard));
            if guarded != found {
                return Outcome::Panicked(format!("with guard pages {guard:?}: {guarded:?}"));
            }
        }
    }
    found
}

fn ran(
    session: &mut Session,
    (checked, options): (&Checked, &Options),
    how: &RunOptions<'_>,
) -> Outcome {
    let mut printed = Vec::new();
    let result = session.run(checked, options, how, &|_| false, &mut printed);
    if matches!(result, Err(RunError::Interrupted)) {
        return Outcome::Stuck;
    }
    let failure = result.err().map(|e| match e {
        RunError::Diagnostic(d) => weft::diag::render_human(&d, &session.sources, false),
        other => format!("{other:?}"),
    });
    Outcome::Ran { printed: String::from_utf8_lossy(&printed).into_owned(), failure }
}

/// Runs a program on all tiers; what is wrong, if anything is.
pub fn check(program: &Program) -> Result<(), Finding> {
    let loose = if program.seed.is_multiple_of(2) { LOOSE } else { LOOSE_CUT };
    let loose = (!program.discrete).then_some(loose);
    let settings: Vec<Setting> = STRICT.into_iter().chain(loose).collect();
    check_on(program, &settings)
}

/// Whether a smaller program shows the same wrong as `finding`.
pub fn shows(program: &Program, finding: &Finding) -> bool {
    let settings = [finding.setting];
    let settings = if finding.setting == ORACLE { &[] } else { settings.as_slice() };
    let again = check_on(program, settings).err();
    again.is_some_and(|f| {
        let same = f.wrong == finding.wrong && f.setting == finding.setting;
        same && (f.wrong != Wrong::Refused || headline(&f.report) == headline(&finding.report))
    })
}

/// The first line of an error, without the names that differ from program to program.
fn headline(report: &str) -> String {
    let line = report.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn check_on(program: &Program, settings: &[Setting]) -> Result<(), Finding> {
    let expected = run(program, ORACLE);
    match &expected {
        Outcome::Refused(text) => return found(Wrong::Refused, ORACLE, text.clone()),
        Outcome::Panicked(text) => return found(Wrong::Panicked, ORACLE, text.clone()),
        Outcome::Stuck => return found(Wrong::Stuck, ORACLE, String::new()),
        Outcome::Ran { .. } => {}
    }
    settings.iter().try_for_each(|&how| compare(&expected, program, how))
}

fn found(wrong: Wrong, setting: Setting, report: String) -> Result<(), Finding> {
    Err(Finding { wrong, setting, report })
}

fn compare(expected: &Outcome, program: &Program, how: Setting) -> Result<(), Finding> {
    let same = |a: &str, b: &str| if how.strict_fp { a == b } else { near(a, b) };
    let got = run(program, how);
    let agree = match (expected, &got) {
        (Outcome::Ran { printed: a, failure: x }, Outcome::Ran { printed: b, failure: y }) => {
            same(a, b) && x == y
        }
        (_, Outcome::Stuck) => return found(Wrong::Stuck, how, String::new()),
        (_, Outcome::Panicked(text)) => {
            return found(Wrong::Panicked, how, text.clone());
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
    let report = format!("--- evaluator\n{}\n--- found\n{}", show(expected), show(&got));
    found(Wrong::Differs, how, report)
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
