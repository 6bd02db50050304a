//! Programs inside a Rust program: a [`Compiler`] makes a [`Program`] of a text, which runs on
//! [`Inputs`] and gives [`Outputs`]. The crate's own documentation shows them at work.

use crate::inputs::Given;
use crate::session::{Checked, Options, Session};
use crate::{Emit, render_all};
use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weft_diag::Diagnostic;
use weft_executor::{RunOptions, Warm};
use weft_host::{Outputs, RunError};
use weft_pipeline::Semantics;
use weft_tensor::Array;

/// Makes programs of texts. Machine code that one of them needed is there for the next ones.
#[derive(Default)]
pub struct Compiler {
    session: Session,
    semantics: Semantics,
    memory_limit: Option<u64>,
    threads: Option<usize>,
}

impl Compiler {
    /// A compiler for this machine, with all its threads and memory.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// What numbers are, where the language may choose.
    pub fn semantics(mut self, semantics: Semantics) -> Compiler {
        self.semantics = semantics;
        self
    }

    /// Bytes that one run may allocate for tensors: results and what is computed on the way, not
    /// arrays that the caller gives. Without it as many as there are.
    pub fn memory_limit(mut self, bytes: u64) -> Compiler {
        self.memory_limit = Some(bytes);
        self
    }

    /// Threads that compute, at least one; who calls is one of them. Without it as many as the
    /// process may use. Results do not depend on them.
    pub fn threads(mut self, count: usize) -> Compiler {
        self.threads = Some(count);
        self
    }

    /// Checks a text; `name` stands for it in messages. Modules are those of the library.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], with all that is wrong.
    pub fn compile(&mut self, name: &str, source: &str) -> Result<Program<'_>, Error> {
        let options = Options { semantics: self.semantics, ..Options::default() };
        let (checked, found) = self.session.check(name, source, &options);
        let found = found.sorted();
        match checked {
            Some(checked) => {
                Ok(Program { compiler: self, checked, warnings: found, warm: Warm::repeated() })
            }
            None => Err(Error::Refused(self.report(found))),
        }
    }

    fn report(&self, diagnostics: Vec<Diagnostic>) -> Report {
        let text = render_all(&diagnostics, &self.session.sources);
        Report { diagnostics, text }
    }

    fn error(&self, e: RunError) -> Error {
        match e {
            RunError::Diagnostic(d) => Error::Failed(self.report(vec![*d])),
            RunError::Interrupted => Error::Interrupted,
            RunError::Output(e) => Error::Output(e),
        }
    }
}

/// A program that was checked. It keeps what its runs need again: machine code by the extents of
/// the inputs, and memory that the last run used.
pub struct Program<'c> {
    compiler: &'c mut Compiler,
    checked: Checked,
    warnings: Vec<Diagnostic>,
    /// Routines by extents, and memory of the last run.
    warm: Warm,
}

impl Program<'_> {
    /// What was found that is not wrong.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Computes what is asked for. What the program prints is dropped. Inputs are read where they
    /// are and never written; results are the caller's. The first run on some extents makes what
    /// the next ones on the same find.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] where an input is missing or has another type or shape than it is
    /// declared with, where there is no output of a name, where the program fails, and where the
    /// memory limit does not suffice; [`Error::Interrupted`]. The program can be run again.
    pub fn run(&mut self, inputs: &Inputs<'_>) -> Result<Outputs, Error> {
        self.run_into(inputs, &mut std::io::sink())
    }

    /// As [`Program::run`]; what the program prints goes to `out`.
    ///
    /// # Errors
    ///
    /// Those of [`Program::run`], and [`Error::Output`] where `out` takes no more.
    pub fn run_into(&mut self, inputs: &Inputs<'_>, out: &mut dyn Write) -> Result<Outputs, Error> {
        for name in &inputs.asked {
            let there = self.checked.require_output(name);
            there.map_err(|d| self.compiler.error(d.into()))?;
        }
        let (options, how) = self.options(inputs);
        let wanted = |name: &str| inputs.asks(name);
        let ended = self.compiler.session.run_again(
            &self.checked,
            &options,
            &how,
            &wanted,
            (out, &mut self.warm),
        );
        ended.map_err(|e| self.compiler.error(e))
    }

    /// The plan that a run on these inputs follows: what is computed in which order, what is
    /// stored, and why.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] where an input is given wrong, or a definition has no order.
    pub fn plan(&self, inputs: &Inputs<'_>) -> Result<String, Error> {
        let (options, how) = self.options(inputs);
        let wanted = |name: &str| inputs.asks(name);
        let session = &self.compiler.session;
        let text = session.emit(&self.checked, &options, &how, &wanted, Emit::Plan);
        text.map_err(|e| self.compiler.error(e))
    }

    fn options<'i>(&self, inputs: &Inputs<'i>) -> (Options, RunOptions<'i>) {
        let Compiler { semantics, memory_limit, threads, .. } = *self.compiler;
        let options = Options { given: inputs.given.clone(), semantics, ..Options::default() };
        let how = RunOptions {
            memory_limit: memory_limit.unwrap_or(u64::MAX),
            threads,
            interrupt: inputs.interrupt,
            ..RunOptions::default()
        };
        (options, how)
    }
}

/// What a run is given and asked for.
#[derive(Clone, Default)]
pub struct Inputs<'i> {
    given: std::collections::BTreeMap<String, Given>,
    asked: Vec<String>,
    interrupt: Option<&'i AtomicBool>,
}

impl<'i> Inputs<'i> {
    /// Nothing.
    pub fn new() -> Inputs<'i> {
        Inputs::default()
    }

    /// An array for an input, of its element type and rank; extents of one name must agree over all
    /// inputs. It is shared, never copied, and let go when the run ends. One of rank 0 is a number.
    pub fn array(mut self, name: &str, array: impl Into<Arc<Array>>) -> Inputs<'i> {
        self.given.insert(name.to_string(), Given::Array(array.into()));
        self
    }

    /// A literal for an input, as it would be written in the language: `3`, `[[1.0, 2.0]]`. Its
    /// numbers are read as the declared type.
    pub fn literal(mut self, name: &str, text: &str) -> Inputs<'i> {
        self.given.insert(name.to_string(), Given::Literal(text.to_string()));
        self
    }

    /// Asks for a top-level `let`; [`Outputs`] has it then.
    pub fn ask(mut self, name: &str) -> Inputs<'i> {
        self.asked.push(name.to_string());
        self
    }

    fn asks(&self, name: &str) -> bool {
        self.asked.iter().any(|n| n == name)
    }

    /// A flag that ends the run when it is set, from any thread.
    pub fn interrupt(mut self, flag: &'i AtomicBool) -> Inputs<'i> {
        self.interrupt = Some(flag);
        self
    }
}

/// Diagnostics, and the same for people.
#[derive(Debug)]
pub struct Report {
    /// One by one, with their codes and places.
    pub diagnostics: Vec<Diagnostic>,
    text: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

/// Why there is no program, or no result.
#[derive(Debug)]
pub enum Error {
    /// The text is no program.
    Refused(Report),
    /// The run failed.
    Failed(Report),
    /// The flag of [`Inputs::interrupt`] was set.
    Interrupted,
    /// What the program prints could not be written.
    Output(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(report) | Error::Failed(report) => report.fmt(f),
            Error::Interrupted => f.write_str("interrupted"),
            Error::Output(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
