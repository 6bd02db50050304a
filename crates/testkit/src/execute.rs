//! Runs a program on one executor and keeps what it printed and what was said of it.

use crate::Failure;
use crate::arguments::Arguments;
use std::sync::{Arc, OnceLock};
use weft::diag::{Code, Diagnostic};
use weft::testing::{Guard, Knobs};
use weft::{
    Checked, Cpu, Modules, Observed, OptLevel, Options, Outputs, RunError, RunOptions, Session,
    Structure, Tier,
};
use weft_tensor::Array;

/// Segments within segments where histories are computed again.
const LEVELS: usize = 2;

/// A way to compute tensors, taken by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executor {
    /// The reference evaluator.
    Evaluator,
    /// Optimised machine code.
    Native,
    /// Machine code without optimisation, every stage verified.
    Plain,
    /// As [`Executor::Native`], with histories computed again wherever that is possible.
    Checkpointed,
}

impl Executor {
    /// All that a case runs on where it says nothing.
    pub const ALL: [Executor; 3] = [Executor::Evaluator, Executor::Native, Executor::Plain];

    /// The name in directives.
    pub fn name(self) -> &'static str {
        match self {
            Executor::Evaluator => "evaluator",
            Executor::Native => "native",
            Executor::Plain => "plain",
            Executor::Checkpointed => "checkpointed",
        }
    }

    fn tier(self) -> Tier {
        match self {
            Executor::Evaluator => Tier::Evaluator,
            Executor::Native | Executor::Plain | Executor::Checkpointed => Tier::Native,
        }
    }
}

/// What came of a run.
pub struct Outcome {
    /// Standard output.
    pub stdout: String,
    /// Warnings, and errors of checking or of the run.
    pub diagnostics: Vec<Diagnostic>,
    /// All of them as the command line shows them.
    pub stderr: String,
    /// The sources that the diagnostics point into.
    pub session: Session,
    /// The program, unless it was refused.
    pub checked: Option<Checked>,
}

impl Outcome {
    /// Whether the command would end with status 0.
    pub fn succeeded(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Whether a diagnostic of this code was shown.
    pub fn has(&self, code: Code) -> bool {
        self.diagnostics.iter().any(|d| d.code == code)
    }
}

/// No test needs nearly as much.
pub const MEMORY_LIMIT: u64 = 1 << 30;

/// Checks a program and, where it is right, runs it.
pub fn execute(
    name: &str,
    text: &str,
    arguments: &Arguments,
    executor: Executor,
) -> Result<Outcome, Failure> {
    let mut session = Session::new();
    let options = options(arguments);
    let (checked, found) = session.check(name, text, &options);
    let mut diagnostics = found.sorted();
    let mut stdout = String::new();
    if let Some(program) = &checked {
        let on = |session: &mut Session, guard| {
            run(session, program, &options, arguments, (executor, guard))
        };
        let found = on(&mut session, None)?;
        if executor == Executor::Native {
            for guard in [Guard::Before, Guard::After] {
                let guarded = on(&mut session, Some(guard))?;
                let (guarded, found) = (shown(&session, &guarded), shown(&session, &found));
                if guarded != found {
                    return Err(format!("with guard pages {guard:?}:\n{guarded}not\n{found}"));
                }
            }
        }
        stdout = found.0;
        diagnostics.extend(found.1);
    }
    let stderr = weft::render_all(&diagnostics, &session.sources);
    Ok(Outcome { stdout, diagnostics, stderr, session, checked })
}

/// Checks and runs a program for the arrays it is asked for by name.
pub fn compute(
    name: &str,
    text: &str,
    arguments: &Arguments,
    executor: Executor,
) -> Result<Vec<(String, Arc<Array>)>, Failure> {
    let mut session = Session::new();
    let options = options(arguments);
    let (checked, found) = session.check(name, text, &options);
    let refused = weft::render_all(&found.sorted(), &session.sources);
    let program = checked.ok_or(refused)?;
    let how = (executor, None);
    let outputs = observe(&mut session, &program, &options, arguments, how, &mut Vec::new())
        .map_err(|e| match e {
            RunError::Diagnostic(d) => weft::render_all(&[*d], &session.sources),
            other => format!("{other:?}"),
        })?;
    let array = |(name, value): (weft_base::Name, Observed)| {
        Some((name.as_str().to_string(), value.as_array()?.clone()))
    };
    Ok(outputs.named.into_iter().filter_map(array).collect())
}

/// The processor that machine code is made for: `WEFT_CPU`, else this one.
pub fn cpu() -> Cpu {
    static CPU: OnceLock<Cpu> = OnceLock::new();
    *CPU.get_or_init(|| match std::env::var("WEFT_CPU") {
        Ok(name) => crate::arguments::cpu(&name).expect("WEFT_CPU is a processor"),
        Err(_) => Cpu::Native,
    })
}

/// What a session is told of them.
pub fn options(arguments: &Arguments) -> Options {
    let semantics = arguments.semantics;
    let overlays = arguments.files.clone();
    let entry = arguments.scratch.as_ref().map(|s| s.program());
    let modules = Modules { overlays, entry, ..Modules::default() };
    let lints = arguments.lints.clone();
    let given = arguments.given.clone();
    Options { verify: true, semantics, given, modules, lints }
}

/// What a run prints, and the error that it ends with.
type Ran = (String, Option<Diagnostic>);

/// The same for people: places in what was given differ from run to run.
fn shown(session: &Session, (printed, failure): &Ran) -> String {
    format!("{printed}{}", weft::render_all(failure.as_slice(), &session.sources))
}

fn run(
    session: &mut Session,
    program: &Checked,
    options: &Options,
    arguments: &Arguments,
    how: (Executor, Option<Guard>),
) -> Result<Ran, Failure> {
    arguments.begin()?;
    let mut out = Vec::new();
    let failure = match observe(session, program, options, arguments, how, &mut out) {
        Ok(outputs) => {
            for name in &arguments.outputs {
                let value = outputs.named.iter().find(|(n, _)| n.as_str() == name);
                let text = value.map_or(String::new(), |(n, v)| weft::named_text(n.as_str(), v));
                out.extend(text.bytes());
            }
            None
        }
        Err(RunError::Diagnostic(d)) => Some(*d),
        Err(RunError::Interrupted) => return Err("interrupted".into()),
        Err(RunError::Output(e)) => return Err(format!("output failed: {e}")),
    };
    let out = String::from_utf8(out).map_err(|_| "the output is not UTF-8")?;
    Ok((out, failure))
}

fn observe(
    session: &mut Session,
    program: &Checked,
    options: &Options,
    arguments: &Arguments,
    (executor, guard): (Executor, Option<Guard>),
    out: &mut Vec<u8>,
) -> Result<Outputs, RunError> {
    for name in &arguments.outputs {
        program.staged.require_output(name)?;
    }
    let how = RunOptions {
        tier: executor.tier(),
        opt: if executor == Executor::Plain { OptLevel::None } else { OptLevel::Full },
        verify: executor == Executor::Plain,
        knobs: Knobs {
            checkpoints: (executor == Executor::Checkpointed).then_some(LEVELS),
            guard,
            keep_routines: true,
            ..Knobs::default()
        },
        ..run_options(arguments)
    };
    session.run(program, options, &how, &|name| arguments.wants(name), out)
}

/// What becomes of a program in a run with no arguments.
pub fn structure(
    session: &Session,
    program: &Checked,
    options: &Options,
) -> Result<Structure, Failure> {
    let how = run_options(&Arguments::default());
    weft::structure(session, program, options, &how).map_err(|e| format!("{e:?}"))
}

/// What a run is told of the arguments.
pub fn run_options(arguments: &Arguments) -> RunOptions<'static> {
    RunOptions {
        cpu: cpu(),
        memory_limit: arguments.memory_limit.unwrap_or(MEMORY_LIMIT),
        show_result: !arguments.quiet,
        passes: arguments.passes.clone(),
        ..RunOptions::default()
    }
}
