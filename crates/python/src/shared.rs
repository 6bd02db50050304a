//! A program that several Python threads call, one at a time.
//!
//! Whoever waits for its turn or computes has let go of the interpreter's lock before.

use crate::calls::Calls;
use crate::errors::{Kind, exception, told};
use crate::signals::{Watch, until_done};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;
use weft::{Declared, Error, Inputs, Program};

/// How long a thread waits for its turn before it looks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(20);

/// A program and what it declares.
pub(crate) struct Shared {
    program: Mutex<Held>,
    free: Condvar,
    pub inputs: Vec<Declared>,
    pub outputs: Vec<Declared>,
    pub warnings: weft::Report,
}

/// A program, or who has it.
enum Held {
    Free(Box<Program>),
    By(ThreadId),
}

/// Gives the program back, however its use ends.
struct Turn<'s> {
    of: &'s Shared,
    program: Option<Box<Program>>,
}

impl Turn<'_> {
    fn program(&mut self) -> &mut Program {
        self.program.as_mut().expect("it is this thread's turn")
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(program) = self.program.take() {
            *self.of.held() = Held::Free(program);
        }
        self.of.free.notify_one();
    }
}

impl Shared {
    pub fn new(program: Program) -> Shared {
        let (inputs, outputs) = (program.inputs(), program.outputs());
        let warnings = program.warnings().clone();
        let (program, free) = (Mutex::new(Held::Free(Box::new(program))), Condvar::new());
        Shared { program, free, inputs, outputs, warnings }
    }

    /// Computes what is asked for; what the program prints goes to Python's standard output, and
    /// what changes files does so, if it is to be `shown`: in the first run of a call.
    pub fn run(
        &self,
        py: Python<'_>,
        inputs: &Inputs<'static>,
        shown: bool,
    ) -> PyResult<weft::Outputs> {
        self.require_apart(py)?;
        let (printed, outputs) = until_done(py, || {
            let (watch, calls) = (Watch::begin(), Calls::default());
            let inputs = inputs.clone().foreign(&calls);
            let inputs = match watch.flag() {
                Some(flag) => inputs.interrupt(flag),
                None => inputs,
            };
            let inputs = if shown { inputs } else { inputs.look_again() };
            let mut printed = Vec::new();
            let ended = py
                .detach(|| Ok(self.turn(watch.flag())?.program().run_into(&inputs, &mut printed)));
            let ended = ended.flatten();
            let raised = ended.as_ref().err().and_then(|e| calls.ended(py, e));
            match (raised, ended) {
                (Some(raised), _) => Ok((printed, Err(raised))),
                (None, Err(Error::Interrupted)) => Err(Error::Interrupted),
                (None, ended) => Ok((printed, ended.map_err(|e| exception(py, &e)))),
            }
        })?;
        // What was printed before a failure is seen, too.
        if shown && !printed.is_empty() {
            print(py, &printed)?;
        }
        outputs
    }

    /// That this thread does not have the program: what a program calls may call others, but
    /// would wait for itself for ever.
    fn require_apart(&self, py: Python<'_>) -> PyResult<()> {
        match &*self.held() {
            Held::By(thread) if *thread == std::thread::current().id() => {
                let text = "a program is called by what it calls itself; give that one a \
                            program of its own";
                Err(told(py, Kind::Error, text.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same inputs, where they are such as they are declared: runs take them as they are.
    pub fn admit(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<Inputs<'static>> {
        self.require_apart(py)?;
        until_done(py, || match self.turn_at_once() {
            // It takes less than to let go of the interpreter's lock.
            Some(mut turn) => turn.program().admit(inputs.clone()),
            None => py.detach(|| self.turn(None)?.program().admit(inputs.clone())),
        })
    }

    /// The plan of a run.
    pub fn plan(&self, py: Python<'_>, inputs: &Inputs<'static>) -> PyResult<String> {
        self.require_apart(py)?;
        let calls = Calls::default();
        let inputs = inputs.clone().foreign(&calls);
        until_done(py, || py.detach(|| self.turn(None)?.program().plan(&inputs)))
    }

    /// The program, if nobody has it now.
    fn turn_at_once(&self) -> Option<Turn<'_>> {
        self.taken(&mut self.held())
    }

    fn taken(&self, there: &mut Held) -> Option<Turn<'_>> {
        let free = matches!(there, Held::Free(_));
        let mine = || Held::By(std::thread::current().id());
        match free.then(|| std::mem::replace(there, mine())) {
            Some(Held::Free(program)) => Some(Turn { of: self, program: Some(program) }),
            _ => None,
        }
    }

    /// The program, when nobody else has it. Who has no flag yet watches for Ctrl-C while waiting.
    fn turn(&self, flag: Option<&AtomicBool>) -> Result<Turn<'_>, Error> {
        let mut own = None;
        let mut there = self.held();
        loop {
            if let Some(turn) = self.taken(&mut there) {
                return Ok(turn);
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
