//! Programs inside a Rust program: a [`Compiler`] makes a [`Program`] of a text, which runs on
//! [`Inputs`] and gives [`Outputs`]. The crate's own documentation shows them at work.

use crate::declared::{Declared, inputs_of, outputs_of};
use crate::files::Changes;
use crate::inputs::{Given, bind_inputs};
use crate::modules::Modules;
use crate::report::Report;
use crate::session::{Checked, Options, Session, Staged};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weft_base::SourceMap;
use weft_executor::{DEFAULT_CACHE_BYTES, KernelCache, RunOptions, Warm};
use weft_host::{ForeignFunctions, Outputs, RunError};
use weft_pipeline::Semantics;
use weft_runtime::{Store, Threads};
use weft_tensor::Array;
use weft_tensor::eval::Binding;

/// Makes programs of texts. They share its threads, and machine code that one of them needed is
/// there for the others; so do those of its clones.
#[derive(Clone, Default)]
pub struct Compiler {
    kernels: KernelCache,
    threads: Threads,
    limits: Limits,
}

/// What all runs of a program have in common.
#[derive(Clone, Copy, Default)]
struct Limits {
    semantics: Semantics,
    memory: Option<u64>,
    threads: Option<usize>,
}

impl Compiler {
    /// A compiler for this machine, with all its threads and memory.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// What numbers are, where the language may choose.
    pub fn semantics(mut self, semantics: Semantics) -> Compiler {
        self.limits.semantics = semantics;
        self
    }

    /// Bytes that one run may allocate for tensors: results and what is computed on the way, not
    /// arrays that the caller gives. Without it as many as there are.
    pub fn memory_limit(mut self, bytes: u64) -> Compiler {
        self.limits.memory = Some(bytes);
        self
    }

    /// Threads that compute, at least one; who calls is one of them. Without it as many as the
    /// process may use. Results do not depend on them.
    pub fn threads(mut self, count: usize) -> Compiler {
        (self.limits.threads, self.threads) = (Some(count), Threads::new(count));
        self
    }

    /// Keeps machine code in a folder, for later processes too: as much as the command keeps.
    pub fn keep_code_in(self, folder: PathBuf) -> Compiler {
        self.kernels.set_store(Store::new(folder, DEFAULT_CACHE_BYTES));
        self
    }

    /// Checks a text; `name` stands for it in messages. Modules are those of the library.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], with all that is wrong.
    pub fn compile(&self, name: &str, text: &str) -> Result<Program, Error> {
        self.compile_source(&Source::new(name, text))
    }

    /// Checks a text with modules of its own.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], with all that is wrong, and [`Error::Interrupted`].
    pub fn compile_source(&self, source: &Source) -> Result<Program, Error> {
        let (session, checked, warnings) = self.checked(source)?;
        Ok(Program {
            texts: session.sources.len(),
            session,
            staged: checked.staged,
            warnings,
            warm: Warm::repeated(),
            limits: self.limits,
            identity: Arc::default(),
        })
    }

    /// The equations of a text's definitions: index spaces, where sizes come from, what is stored
    /// and why. Of one definition, or of all.
    ///
    /// # Errors
    ///
    /// Those of [`Compiler::compile_source`]; [`Error::Failed`] where there is no definition of
    /// the name.
    pub fn explain(&self, source: &Source, name: Option<&str>) -> Result<String, Error> {
        let (session, checked, _) = self.checked(source)?;
        let nothing = Inputs::new();
        let (options, how) = (self.limits.options(&nothing), self.limits.how(&nothing));
        session.explain(&checked, name, &options, &how).map_err(|e| told(e, &session.sources))
    }

    /// A text that was checked, with what was found that is not wrong.
    fn checked(&self, source: &Source) -> Result<(Session, Checked, Report), Error> {
        let Source { name, text, modules, interrupt } = source;
        let (modules, semantics) = (modules.clone(), self.limits.semantics);
        let options = Options { semantics, modules, ..Options::default() };
        let threads = (self.limits.threads, self.threads.clone());
        let mut session = Session::sharing(self.kernels.clone(), threads);
        let (checked, found) = match interrupt {
            None => session.check(name, text, &options),
            Some(flag) => {
                let checked = session.check_unless(flag, name, text, &options);
                checked.map_err(|_| Error::Interrupted)?
            }
        };
        let found = Report::new(found.sorted(), &session.sources);
        match checked {
            Some(checked) => Ok((session, checked, found)),
            None => Err(Error::Refused(found)),
        }
    }
}

/// A text to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Source {
    name: String,
    text: String,
    modules: Modules,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Source {
    /// A text; `name` stands for it in messages.
    pub fn new(name: &str, text: &str) -> Source {
        Source { name: name.to_string(), text: text.to_string(), ..Source::default() }
    }

    /// Where its modules are.
    pub fn modules(mut self, modules: Modules) -> Source {
        self.modules = modules;
        self
    }

    /// A flag that has the check given up when it is set, from any thread.
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Source {
        self.interrupt = Some(flag);
        self
    }
}

/// A program that was checked. It keeps what its runs need again: machine code by the extents of
/// the inputs, and memory that the last run used. It can go to another thread.
pub struct Program {
    session: Session,
    /// The texts that it consists of: those behind them are of values given for a run.
    texts: usize,
    staged: Staged,
    warnings: Report,
    /// Routines by extents, and memory of the last run.
    warm: Warm,
    limits: Limits,
    /// The one that inputs name which this program admitted.
    identity: Arc<()>,
}

impl Program {
    /// What was found that is not wrong.
    pub fn warnings(&self) -> &Report {
        &self.warnings
    }

    /// What the program takes, in the order of the source.
    pub fn inputs(&self) -> Vec<Declared> {
        inputs_of(&self.staged.host)
    }

    /// What can be asked for, in the order of the source.
    pub fn outputs(&self) -> Vec<Declared> {
        outputs_of(&self.staged.host)
    }

    /// The same inputs, where they are such as they are declared, and all names that are asked for
    /// are there. Nothing is computed, and extents of defaults are not looked at. Runs of this
    /// program on what this gives do not look at the inputs again.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] where they are not.
    pub fn admit<'i>(&mut self, inputs: Inputs<'i>) -> Result<Inputs<'i>, Error> {
        let bound = self.bound(&inputs);
        let bound = bound.and_then(|bound| self.require_asked(&inputs).map(|()| Arc::new(bound)));
        let admitted = self.ended(bound)?;
        Ok(Inputs { admitted: Some((self.identity.clone(), admitted)), ..inputs })
    }

    /// Inputs by the tensors and parameters that they are for.
    fn bound(&self, inputs: &Inputs<'_>) -> Result<Binding, RunError> {
        match &inputs.admitted {
            Some((by, bound)) if Arc::ptr_eq(by, &self.identity) => Ok(Binding::clone(bound)),
            _ => bind_inputs(&self.session.sources, &self.staged, &inputs.given),
        }
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
        let how = (self.limits.semantics, &self.limits.how(inputs));
        let wanted = |name: &str| inputs.asks(name);
        let bound = self.require_asked(inputs).and_then(|()| self.bound(inputs));
        let outputs = bound.and_then(|bound| {
            let warm = (out, &mut self.warm);
            let changes = if inputs.looks_again { Changes::LeftOut } else { Changes::Made };
            self.session.run_again((&self.staged, changes), bound, how, &wanted, warm)
        });
        self.ended(outputs)
    }

    /// The plan that a run on these inputs follows: what is computed in which order, what is
    /// stored, and why.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] where an input is given wrong, or a definition has no order.
    pub fn plan(&mut self, inputs: &Inputs<'_>) -> Result<String, Error> {
        let (options, how) = (self.limits.options(inputs), self.limits.how(inputs));
        let wanted = |name: &str| inputs.asks(name);
        let segments = self.session.segments(&self.staged, &options, &how, &wanted);
        let text = segments.map(|all| all.iter().map(|(_, c)| format!("{}\n", c.plan)).collect());
        self.ended(text)
    }

    fn require_asked(&self, inputs: &Inputs<'_>) -> Result<(), RunError> {
        inputs.asked.iter().try_for_each(|name| Ok(self.staged.require_output(name)?))
    }

    /// What a run came to; nothing is kept of the texts that were given for it.
    fn ended<T>(&mut self, result: Result<T, RunError>) -> Result<T, Error> {
        let sources = &mut self.session.sources;
        let result = result.map_err(|e| told(e, sources));
        sources.truncate(self.texts);
        result
    }
}

/// What went wrong, with the texts that it is about.
fn told(e: RunError, sources: &SourceMap) -> Error {
    match e {
        RunError::Diagnostic(d) => Error::Failed(Report::new(vec![*d], sources)),
        RunError::Interrupted => Error::Interrupted,
        RunError::Output(e) => Error::Output(e),
    }
}

impl Limits {
    fn options(self, inputs: &Inputs<'_>) -> Options {
        let (given, semantics) = (BTreeMap::clone(&inputs.given), self.semantics);
        Options { given, semantics, ..Options::default() }
    }

    fn how<'i>(self, inputs: &Inputs<'i>) -> RunOptions<'i> {
        RunOptions {
            memory_limit: self.memory.unwrap_or(u64::MAX),
            threads: self.threads,
            interrupt: inputs.interrupt,
            foreign: inputs.foreign,
            show_result: inputs.shows_value,
            ..RunOptions::default()
        }
    }
}

/// What a run is given and asked for.
#[derive(Clone, Default)]
pub struct Inputs<'i> {
    given: Arc<BTreeMap<String, Given>>,
    /// Their binding in the program of this identity.
    admitted: Option<(Arc<()>, Arc<Binding>)>,
    asked: Vec<String>,
    shows_value: bool,
    looks_again: bool,
    interrupt: Option<&'i AtomicBool>,
    foreign: Option<&'i dyn ForeignFunctions>,
}

impl<'i> Inputs<'i> {
    /// Nothing.
    pub fn new() -> Inputs<'i> {
        Inputs::default()
    }

    /// An array for an input, of its element type and rank; extents of one name must agree over all
    /// inputs. It is shared, never copied, and let go when the run ends. One of rank 0 is a number.
    pub fn array(self, name: &str, array: impl Into<Arc<Array>>) -> Inputs<'i> {
        self.with(name, Given::Array(array.into()))
    }

    /// A literal for an input, as it would be written in the language: `3`, `[[1.0, 2.0]]`. Its
    /// numbers are read as the declared type.
    pub fn literal(self, name: &str, text: &str) -> Inputs<'i> {
        self.with(name, Given::Literal(text.to_string()))
    }

    fn with(mut self, name: &str, value: Given) -> Inputs<'i> {
        Arc::make_mut(&mut self.given).insert(name.to_string(), value);
        self.admitted = None;
        self
    }

    /// Asks for a top-level `let`; [`Outputs`] has it then.
    pub fn ask(mut self, name: &str) -> Inputs<'i> {
        self.asked.push(name.to_string());
        self
    }

    /// Prints the program's own value, what stands behind its last statement, as the command does.
    pub fn show_value(mut self) -> Inputs<'i> {
        self.shows_value = true;
        self
    }

    /// Looks at more of what a run on these inputs gave: what changes files did so then, and does
    /// nothing now.
    pub fn look_again(mut self) -> Inputs<'i> {
        self.looks_again = true;
        self
    }

    fn asks(&self, name: &str) -> bool {
        self.asked.iter().any(|n| n == name)
    }

    /// The functions of the modules that [`Modules::foreign`] names.
    pub fn foreign(mut self, functions: &'i dyn ForeignFunctions) -> Inputs<'i> {
        self.foreign = Some(functions);
        self
    }

    /// A flag that ends the run when it is set, from any thread.
    pub fn interrupt(mut self, flag: &'i AtomicBool) -> Inputs<'i> {
        self.interrupt = Some(flag);
        self
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_values_are_gone_when_the_run_ends() {
        let compiler = Compiler::new().threads(1);
        let program = compiler.compile("test.ein", "input n: i32; let third = 12 / n;");
        let mut program = program.unwrap_or_else(|e| panic!("{e}"));
        let texts = program.session.sources.len();
        for n in 0..20 {
            let inputs = Inputs::new().literal("n", &n.to_string()).ask("third");
            assert_eq!(program.run(&inputs).is_ok(), n != 0);
        }
        let wrong = Inputs::new().literal("n", "2.5").ask("third");
        let told = program.admit(wrong).err().expect("no integer").to_string();
        assert!(told.contains("2.5"), "{told}");
        assert_eq!(program.session.sources.len(), texts);
    }
}
