//! A program that several Python threads call, one at a time.
//!
//! Whoever waits for its turn or computes has let go of the interpreter's lock before.

use crate::errors::exception;
use crate::signals::Watch;
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
        loop {
            let mut printed = Vec::new();
            let watch = Watch::begin();
            let flag = watch.flag().map(|flag| &**flag);
            let ended = py.detach(|| {
                let inputs = match flag {
                    Some(flag) => &inputs.clone().interrupt(flag),
                    None => inputs,
                };
                self.turn(flag)?.program().run_into(inputs, &mut printed)
            });
            drop(watch);
            if matches!(ended, Err(Error::Interrupted)) {
                // Where Python goes on, so does the computation.
                py.check_signals()?;
                continue;
            }
            if shown && !printed.is_empty() {
                print(py, &printed)?;
            }
            return ended.map_err(|e| exception(py, &e));
        }
    }

    /// Whether inputs are such as they are declared.
    pub fn admit(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<()> {
        let admitted = py.detach(|| self.turn(None)?.program().admit(inputs));
        admitted.map_err(|e| exception(py, &e))
    }

    /// The plan of a run.
    pub fn plan(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<String> {
        let plan = py.detach(|| self.turn(None)?.program().plan(inputs));
        plan.map_err(|e| exception(py, &e))
    }

    fn turn(&self, flag: Option<&AtomicBool>) -> Result<Turn<'_>, Error> {
        let mut there = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(program) = there.take() {
                return Ok(Turn { of: self, program: Some(program) });
            }
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
