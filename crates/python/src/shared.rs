//! A program that several Python threads call, one at a time.
//!
//! Whoever waits for its turn or computes has let go of the interpreter's lock before.

use crate::errors::exception;
use crate::signals::{Watch, until_done};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use weft::{Declared, Error, Inputs, Program};

/// How long a thread waits for its turn before it looks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(20);

/// A program and what it declares.
pub(crate) struct Shared {
    /// Nothing while a thread has it.
    program: Mutex<Option<Program>>,
    free: Condvar,
    pub inputs: Vec<Declared>,
    pub outputs: Vec<Declared>,
    pub warnings: weft::Report,
}

/// Gives the program back, however its use ends.
struct Turn<'s> {
    of: &'s Shared,
    program: Option<Program>,
}

impl Turn<'_> {
    fn program(&mut self) -> &mut Program {
        self.program.as_mut().expect("it is this thread's turn")
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let program = self.program.take();
        *self.of.program.lock().unwrap_or_else(PoisonError::into_inner) = program;
        self.of.free.notify_one();
    }
}

impl Shared {
    pub fn new(program: Program) -> Shared {
        let (inputs, outputs) = (program.inputs(), program.outputs());
        let warnings = program.warnings().clone();
        let (program, free) = (Mutex::new(Some(program)), Condvar::new());
        Shared { program, free, inputs, outputs, warnings }
    }

    /// Computes what is asked for; what the program prints goes to Python's standard output if
    /// it is to be `shown`.
    pub fn run(
        &self,
        py: Python<'_>,
        inputs: &Inputs<'static>,
        shown: bool,
    ) -> PyResult<weft::Outputs> {
        let (printed, outputs) = until_done(py, || {
            let watch = Watch::begin();
            let inputs = match watch.flag() {
                Some(flag) => &inputs.clone().interrupt(flag),
                None => inputs,
            };
            py.detach(|| {
                let mut printed = Vec::new();
                match self.turn(watch.flag())?.program().run_into(inputs, &mut printed) {
                    Err(Error::Interrupted) => Err(Error::Interrupted),
                    ended => Ok((printed, ended)),
                }
            })
        })?;
        // What was printed before a failure is seen, too.
        if shown && !printed.is_empty() {
            print(py, &printed)?;
        }
        outputs.map_err(|e| exception(py, &e))
    }

    /// Whether inputs are such as they are declared.
    pub fn admit(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<()> {
        until_done(py, || py.detach(|| self.turn(None)?.program().admit(inputs)))
    }

    /// The plan of a run.
    pub fn plan(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<String> {
        until_done(py, || py.detach(|| self.turn(None)?.program().plan(inputs)))
    }

    /// The program, when nobody else has it. Who has no flag yet watches for Ctrl-C while waiting.
    fn turn(&self, flag: Option<&AtomicBool>) -> Result<Turn<'_>, Error> {
        let mut own = None;
        let mut there = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(program) = there.take() {
                return Ok(Turn { of: self, program: Some(program) });
            }
            let flag = flag.or_else(|| own.get_or_insert_with(Watch::begin).flag());
            if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Error::Interrupted);
            }
            let waited = self.free.wait_timeout(there, PATIENCE);
            there = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Writes as Python's `print` does.
fn print(py: Python<'_>, text: &[u8]) -> PyResult<()> {
    let out = py.import("sys")?.getattr("stdout")?;
    if out.is_none() {
        return Ok(());
    }
    out.call_method1("write", (PyString::new(py, &String::from_utf8_lossy(text)),))?;
    Ok(())
}
