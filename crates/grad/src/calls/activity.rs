//! Activity in functions when an argument changes: registers, arguments of calls, results.
//!
//! A value that cannot change has no tangent at all, so that nothing is multiplied by a zero that
//! only running would show (no `0 · ∞`). A register that is set twice counts for both sets,
//! and a function for all calls of it but the first.

use crate::rules::is_smooth;
use std::collections::{BTreeMap, BTreeSet};
use weft_scalar::function::{Block, Call, End, Function, FunctionId, Functions, Op, Reg, Step};

/// Which registers, arguments or results change.
pub(super) type Changes = Vec<bool>;

/// Activity in a function that is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Changing {
    /// Per argument.
    pub args: Changes,
    /// Per result.
    pub results: Changes,
}

/// The functions that are called with arguments that change.
pub(super) type Called = BTreeMap<FunctionId, Changing>;

/// Activity where `f` is called with another argument `n`: all calls that this leads to,
/// growing until nothing does.
pub(super) fn called(functions: &Functions, f: FunctionId, n: usize) -> Called {
    let mut found = Called::new();
    loop {
        let before = found.clone();
        let first = function(functions, f);
        Survey::of(first, &by(first, n), &before).note_calls(functions, &mut found);
        for (g, changing) in &before {
            let survey = Survey::of(function(functions, *g), &changing.args, &before);
            survey.note_calls(functions, &mut found);
            let results = &mut found.get_mut(g).expect("it was there before").results;
            unite(results, &survey.results);
            // A call in the place of the result stays there: both give the same changes.
            let results = results.clone();
            for callee in &survey.tails {
                if let Some(callee) = found.get_mut(callee) {
                    unite(&mut callee.results, &results);
                }
            }
            for callee in &survey.tails {
                let Some(given) = found.get(callee).map(|c| c.results.clone()) else { continue };
                unite(&mut found.get_mut(g).expect("it was there before").results, &given);
            }
        }
        if found == before {
            return found;
        }
    }
}

/// The argument `n` alone.
pub(super) fn by(f: &Function, n: usize) -> Changes {
    (0..f.args).map(|k| k == n).collect()
}

pub(super) fn function(functions: &Functions, f: FunctionId) -> &Function {
    functions.get(f).expect("what is called is there")
}

fn unite(into: &mut Changes, more: &Changes) {
    into.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
}

/// Activity within a function.
pub(super) struct Survey<'f> {
    called: &'f Called,
    function: &'f Function,
    /// Per register.
    pub regs: Changes,
    /// Per result.
    pub results: Changes,
    calls: Vec<(FunctionId, Changes)>,
    tails: BTreeSet<FunctionId>,
}

impl<'f> Survey<'f> {
    /// Where the arguments `args` change, and calls give what `called` says.
    pub fn of(function: &'f Function, args: &Changes, called: &'f Called) -> Survey<'f> {
        let mut regs = args.clone();
        regs.resize(function.regs.len(), false);
        let results = vec![false; function.results.len()];
        let (calls, tails) = (Vec::new(), BTreeSet::new());
        let mut survey = Survey { called, function, regs, results, calls, tails };
        loop {
            let before = survey.regs.clone();
            survey.calls.clear();
            survey.block(&function.body);
            if survey.regs == before {
                return survey;
            }
        }
    }

    /// Whether a register changes.
    pub fn changes(&self, r: Reg) -> bool {
        self.regs[r.index()]
    }

    /// The changes of what a call gives; none where nothing does.
    pub fn of_call(&self, call: &Call) -> Option<&'f Changing> {
        let changing = self.called.get(&call.function)?;
        let any = call.args.iter().any(|a| self.changes(*a));
        (any && changing.results.contains(&true)).then_some(changing)
    }

    /// Whether what an operator gives changes.
    pub fn of_op(&self, op: &Op) -> bool {
        match op {
            Op::Const(_) => false,
            Op::Copy(x) => self.changes(*x),
            Op::Unary(op, x) => self.changes(*x) && op.derivative().is_some(),
            Op::Binary(op, a, b, _) => {
                !op.is_comparison() && (self.changes(*a) || self.changes(*b))
            }
            Op::Cast(ty, x) => self.changes(*x) && is_smooth(*ty),
        }
    }

    fn note_calls(&self, functions: &Functions, found: &mut Called) {
        for (f, args) in &self.calls {
            let callee = function(functions, *f);
            let nothing = Changing {
                args: vec![false; callee.args],
                results: vec![false; callee.results.len()],
            };
            unite(&mut found.entry(*f).or_insert(nothing).args, args);
        }
    }

    fn block(&mut self, block: &Block) {
        self.steps(&block.steps);
        match &block.end {
            End::Give(regs) => {
                let changes: Changes = regs.iter().map(|r| self.changes(*r)).collect();
                unite(&mut self.results, &changes);
            }
            End::Call(call) => {
                self.note(call);
                if let Some(changing) = self.of_call(call) {
                    unite(&mut self.results, &changing.results);
                    self.tails.insert(call.function);
                }
            }
            End::If(_, a, b) => {
                self.block(a);
                self.block(b);
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Set(to, op) => {
                    let smooth = is_smooth(self.function.regs[to.index()]);
                    self.regs[to.index()] |= smooth && self.of_op(op);
                }
                Step::Call(to, call) => {
                    self.note(call);
                    if let Some(changing) = self.of_call(call) {
                        let given = to.iter().zip(&changing.results);
                        given.for_each(|(to, changes)| self.regs[to.index()] |= changes);
                    }
                }
                Step::Require(..) => {}
                Step::If(_, a, b) => {
                    self.steps(a);
                    self.steps(b);
                }
            }
        }
    }

    fn note(&mut self, call: &Call) {
        let args: Changes = call.args.iter().map(|a| self.changes(*a)).collect();
        if args.contains(&true) {
            self.calls.push((call.function, args));
        }
    }
}
