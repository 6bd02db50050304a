//! Functions of scalars that call each other: recursion over numbers.
//!
//! Registers, structured steps, and an end that gives a value or calls: a call in the
//! place of the result takes the place of its caller, however often. [`run`] is the
//! meaning; the loop level emits the same steps. A place that may fail has a number, which
//! stands for an entry in a table of whoever holds the functions.

mod code;
mod run;
mod text;
mod verify;

pub use run::{Fault, Limits, run};
pub use text::parse;

use crate::{BinaryOp, Scalar, ScalarType, UnaryOp};
use code::Code;
use std::fmt;

/// Calls within each other: a deeper one fails, on every executor.
pub const DEEPEST_CALL: u32 = 10_000;

/// A function among [`Functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);

/// A register of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(u32);

macro_rules! numbered {
    ($name:ident, $prefix:literal) => {
        impl $name {
            /// The one of that number.
            pub fn new(number: usize) -> Self {
                Self(u32::try_from(number).expect("fewer than 2^32"))
            }

            /// Its number.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}
numbered!(FunctionId, "f");
numbered!(Reg, "r");

/// An operation that sets a register.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    /// A constant.
    Const(Scalar),
    /// The value of another register.
    Copy(Reg),
    /// An operator of one operand.
    Unary(UnaryOp, Reg),
    /// An operator of two operands of one type; the number is where a trap is told. Where it
    /// has one, integers that leave their type are a trap too; without, they wrap.
    Binary(BinaryOp, Reg, Reg, Option<u32>),
    /// Conversion, as the language's `as`.
    Cast(ScalarType, Reg),
}

/// A function applied.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// Which.
    pub function: FunctionId,
    /// To what.
    pub args: Vec<Reg>,
    /// Where a call too deep is told.
    pub site: u32,
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Sets a register.
    Set(Reg, Op),
    /// Runs one of two lists.
    If(Reg, Vec<Step>, Vec<Step>),
    /// Sets registers to what a function gives, in its order.
    Call(Vec<Reg>, Call),
    /// Fails, which is told at the place of that number, where a register is false.
    Require(Reg, u32),
}

/// Steps, and how they end.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// In order.
    pub steps: Vec<Step>,
    /// Behind them.
    pub end: End,
}

/// How a function ends.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// It gives what registers hold.
    Give(Vec<Reg>),
    /// It gives what another call gives, which takes its place.
    Call(Call),
    /// One of two blocks.
    If(Reg, Box<Block>, Box<Block>),
}

/// A function of scalars.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// For people.
    pub name: String,
    /// The types of the registers; the first hold the arguments.
    pub regs: Vec<ScalarType>,
    /// How many arguments there are.
    pub args: usize,
    /// The types of what it gives; whoever calls from outside wants one.
    pub results: Vec<ScalarType>,
    /// Its steps.
    pub body: Block,
}

/// Functions that may call each other, with their code.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    all: Vec<Option<(Function, Code)>>,
}

impl Functions {
    /// A table; numbers without a function are never called. Panics where a function calls
    /// one of those, or is not well-typed.
    pub fn new(all: Vec<Option<Function>>) -> Functions {
        match Functions::try_new(all) {
            Ok(functions) => functions,
            Err(wrong) => panic!("functions of scalars that are not valid: {wrong}"),
        }
    }

    /// The same.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the functions.
    pub fn try_new(all: Vec<Option<Function>>) -> Result<Functions, String> {
        verify::verify(&all)?;
        let coded = |f: Function| {
            let code = Code::of(&f);
            (f, code)
        };
        Ok(Functions { all: all.into_iter().map(|f| f.map(coded)).collect() })
    }

    /// The function of that number, if there is one.
    pub fn get(&self, id: FunctionId) -> Option<&Function> {
        self.all.get(id.index())?.as_ref().map(|(f, _)| f)
    }

    /// How many numbers are taken, those without a function too.
    pub fn slots(&self) -> usize {
        self.all.len()
    }

    /// Takes more functions in, under the next numbers: those. Panics where one is not valid.
    pub fn add(&mut self, more: Vec<Function>) -> Vec<FunctionId> {
        let first = self.all.len();
        let known = std::mem::take(&mut self.all).into_iter().map(|f| f.map(|(f, _)| f));
        *self = Functions::new(known.chain(more.into_iter().map(Some)).collect());
        (first..self.all.len()).map(FunctionId::new).collect()
    }

    /// The same with every type replaced, also that of constants.
    pub fn with_types(&self, to: &dyn Fn(ScalarType) -> ScalarType) -> Functions {
        let of = |f: &Function| {
            let all = |types: &[ScalarType]| types.iter().map(|ty| to(*ty)).collect();
            let mut f = Function { regs: all(&f.regs), results: all(&f.results), ..f.clone() };
            f.body.each_op(&mut |op| match op {
                Op::Const(v) => *v = crate::eval::cast(*v, to(v.ty())),
                Op::Cast(ty, _) => *ty = to(*ty),
                Op::Copy(_) | Op::Unary(..) | Op::Binary(..) => {}
            });
            f
        };
        Functions::new(self.all.iter().map(|f| f.as_ref().map(|(f, _)| of(f))).collect())
    }

    /// Every function with its number, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (FunctionId, &Function)> {
        let all = self.all.iter().enumerate();
        all.filter_map(|(n, f)| Some((FunctionId::new(n), &f.as_ref()?.0)))
    }

    /// Whether there is no function.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The functions that `roots` reach by calls, ascending.
    pub fn reached(&self, roots: impl IntoIterator<Item = FunctionId>) -> Vec<FunctionId> {
        let mut found = std::collections::BTreeSet::new();
        let mut open: Vec<FunctionId> = roots.into_iter().collect();
        while let Some(f) = open.pop() {
            if found.insert(f)
                && let Some(function) = self.get(f)
            {
                function.body.each_call(&mut |c| open.push(c.function));
            }
        }
        found.into_iter().collect()
    }

    /// Only the functions of `kept`, with the numbers of their places replaced.
    pub fn only(&self, kept: &[FunctionId], site: &mut dyn FnMut(u32) -> u32) -> Functions {
        let mut of = |n: usize| {
            let mut f = self.get(FunctionId::new(n))?.clone();
            f.body.each_site(&mut |s| *s = site(*s));
            Some(f)
        };
        let is_kept = |n: usize| kept.contains(&FunctionId::new(n));
        Functions::new((0..self.all.len()).map(|n| if is_kept(n) { of(n) } else { None }).collect())
    }

    /// Every place where one may fail, ascending.
    pub fn sites(&self) -> Vec<u32> {
        let mut found = std::collections::BTreeSet::new();
        for (_, f) in self.iter() {
            f.body.clone().each_site(&mut |site| _ = found.insert(*site));
        }
        found.into_iter().collect()
    }

    /// Whether a call somewhere tells its failure at `site`.
    pub fn call_at(&self, site: u32) -> bool {
        let mut found = false;
        self.iter().for_each(|(_, f)| f.body.each_call(&mut |c| found |= c.site == site));
        found
    }

    fn code(&self, id: FunctionId) -> &Code {
        &self.all[id.index()].as_ref().expect("a function that is called is there").1
    }
}

impl Function {
    /// The type of what it gives, where that is one value.
    pub fn result(&self) -> Option<ScalarType> {
        match self.results[..] {
            [ty] => Some(ty),
            _ => None,
        }
    }
}

impl PartialEq for Functions {
    fn eq(&self, other: &Functions) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Block {
    /// Calls `f` with every call.
    pub fn each_call(&self, f: &mut dyn FnMut(&Call)) {
        each_call_of(&self.steps, f);
        match &self.end {
            End::Give(_) => {}
            End::Call(call) => f(call),
            End::If(_, a, b) => {
                a.each_call(f);
                b.each_call(f);
            }
        }
    }

    fn each_op(&mut self, f: &mut dyn FnMut(&mut Op)) {
        each_op_of(&mut self.steps, f);
        if let End::If(_, a, b) = &mut self.end {
            a.each_op(f);
            b.each_op(f);
        }
    }

    fn each_site(&mut self, f: &mut dyn FnMut(&mut u32)) {
        each_site_of(&mut self.steps, f);
        match &mut self.end {
            End::Give(_) => {}
            End::Call(call) => f(&mut call.site),
            End::If(_, a, b) => {
                a.each_site(f);
                b.each_site(f);
            }
        }
    }
}

fn each_call_of(steps: &[Step], f: &mut dyn FnMut(&Call)) {
    for step in steps {
        match step {
            Step::Set(..) | Step::Require(..) => {}
            Step::Call(_, call) => f(call),
            Step::If(_, a, b) => {
                each_call_of(a, f);
                each_call_of(b, f);
            }
        }
    }
}

fn each_op_of(steps: &mut [Step], f: &mut dyn FnMut(&mut Op)) {
    for step in steps {
        match step {
            Step::Set(_, op) => f(op),
            Step::Call(..) | Step::Require(..) => {}
            Step::If(_, a, b) => {
                each_op_of(a, f);
                each_op_of(b, f);
            }
        }
    }
}

fn each_site_of(steps: &mut [Step], f: &mut dyn FnMut(&mut u32)) {
    for step in steps {
        match step {
            Step::Set(_, Op::Binary(.., Some(site))) => f(site),
            Step::Set(..) => {}
            Step::Call(_, call) => f(&mut call.site),
            Step::Require(_, site) => f(site),
            Step::If(_, a, b) => {
                each_site_of(a, f);
                each_site_of(b, f);
            }
        }
    }
}

#[cfg(test)]
mod tests;
