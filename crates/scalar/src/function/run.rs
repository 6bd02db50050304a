//! Running a function: the reference for machine code.

use super::code::{Code, Instr};
use super::{Call, DEEPEST_CALL, FunctionId, Functions, Op, Reg};
use crate::Scalar;
use crate::eval::{self, Trap};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a call gives nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An operator has no value.
    Trap {
        /// Where that is told.
        site: u32,
        /// Why.
        trap: Trap,
    },
    /// A requirement that does not hold.
    Unmet {
        /// Where that is told.
        site: u32,
    },
    /// [`DEEPEST_CALL`] calls are within each other.
    TooDeep {
        /// Where that is told.
        site: u32,
    },
    /// More calls than allowed.
    Exhausted,
    /// Asked to stop.
    Interrupted,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// So many calls; any number without.
    pub calls: Option<u64>,
    /// Set by another thread to stop the run.
    pub interrupt: Option<&'a AtomicBool>,
}

/// How often the interrupt is looked at: once in so many calls, a power of two.
const POLL: u64 = 1024;

/// The first result of a function for some arguments.
///
/// # Errors
///
/// The first fault in the order of evaluation.
pub fn run(
    functions: &Functions,
    f: FunctionId,
    args: &[Scalar],
    limits: &Limits<'_>,
) -> Result<Scalar, Fault> {
    let mut machine = Machine {
        functions,
        limits,
        calls: 0,
        stack: Vec::new(),
        frames: Vec::new(),
        given: Vec::new(),
    };
    machine.run(f, args)
}

/// A call that waits for what it called.
struct Frame<'f> {
    code: &'f Code,
    base: usize,
    at: usize,
    to: &'f [Reg],
}

struct Machine<'f, 'l> {
    functions: &'f Functions,
    limits: &'l Limits<'l>,
    calls: u64,
    /// The registers of the calls under way.
    stack: Vec<Scalar>,
    frames: Vec<Frame<'f>>,
    /// Results of the call that ended last.
    given: Vec<Scalar>,
}

/// The value of a register before it is set.
const UNSET: Scalar = Scalar::Bool(false);

impl<'f> Machine<'f, '_> {
    fn run(&mut self, f: FunctionId, args: &[Scalar]) -> Result<Scalar, Fault> {
        let mut code = self.functions.code(f);
        let (mut base, mut at) = (0, 0);
        self.stack.extend_from_slice(args);
        self.stack.resize(code.regs, UNSET);
        loop {
            match &code.instrs[at] {
                Instr::Set(to, op) => {
                    self.stack[base + to.index()] = self.op(base, op)?;
                    at += 1;
                }
                Instr::Unless(c, to) => {
                    let holds = self.stack[base + c.index()] == Scalar::Bool(true);
                    at = if holds { at + 1 } else { *to as usize };
                }
                Instr::Require(c, site) => {
                    if self.stack[base + c.index()] != Scalar::Bool(true) {
                        return Err(Fault::Unmet { site: *site });
                    }
                    at += 1;
                }
                Instr::Jump(to) => at = *to as usize,
                Instr::Call(to, call) => {
                    self.count()?;
                    if self.frames.len() as u32 + 1 >= DEEPEST_CALL {
                        return Err(Fault::TooDeep { site: call.site });
                    }
                    self.frames.push(Frame { code, base, at: at + 1, to });
                    let top = self.stack.len();
                    self.push_args(base, call);
                    (code, base, at) = (self.functions.code(call.function), top, 0);
                    self.stack.resize(base + code.regs, UNSET);
                }
                Instr::Tail(call) => {
                    self.count()?;
                    let top = self.stack.len();
                    self.push_args(base, call);
                    self.stack.copy_within(top.., base);
                    (code, at) = (self.functions.code(call.function), 0);
                    self.stack.resize(base + code.regs, UNSET);
                }
                Instr::Give(given) => {
                    let values = given.iter().map(|r| self.stack[base + r.index()]);
                    self.given.clear();
                    self.given.extend(values);
                    self.stack.truncate(base);
                    let Some(frame) = self.frames.pop() else { return Ok(self.given[0]) };
                    (code, base, at) = (frame.code, frame.base, frame.at);
                    for (to, value) in frame.to.iter().zip(&self.given) {
                        self.stack[base + to.index()] = *value;
                    }
                }
            }
        }
    }

    fn push_args(&mut self, base: usize, call: &Call) {
        for a in &call.args {
            self.stack.push(self.stack[base + a.index()]);
        }
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.calls += 1;
        if self.limits.calls.is_some_and(|most| self.calls > most) {
            return Err(Fault::Exhausted);
        }
        let stop = self.limits.interrupt.is_some_and(|i| i.load(Ordering::Relaxed));
        if self.calls.is_multiple_of(POLL) && stop {
            return Err(Fault::Interrupted);
        }
        Ok(())
    }

    fn op(&self, base: usize, op: &Op) -> Result<Scalar, Fault> {
        let reg = |r: &Reg| self.stack[base + r.index()];
        Ok(match op {
            Op::Const(v) => *v,
            Op::Copy(r) => reg(r),
            Op::Unary(op, x) => eval::unary(*op, reg(x)),
            Op::Binary(op, a, b, Some(site)) => eval::checked(*op, reg(a), reg(b))
                .map_err(|trap| Fault::Trap { site: *site, trap })?,
            Op::Binary(op, a, b, None) => {
                eval::binary(*op, reg(a), reg(b)).expect("what may trap has a place")
            }
            Op::Cast(ty, x) => eval::cast(reg(x), *ty),
        })
    }
}
