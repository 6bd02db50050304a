//! The tangent of a function, step by step: each register that changes has one beside it for
//! its change, set where the register is.
//!
//! The formulas are those of [`rules`], with registers as reads.

use super::activity::{Called, Survey, by, function};
use crate::build;
use crate::rules::{self, Side};
use std::collections::BTreeMap;
use weft_base::entity::EntityRef;
use weft_scalar::function::{Block, Call, End, Function, FunctionId, Functions, Op, Reg, Step};
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::{Expr, ExprId, Exprs, TensorId};

/// The functions whose tangents are made together, and the numbers that these will have.
pub(super) struct Tangents<'f> {
    pub functions: &'f Functions,
    pub called: &'f Called,
    pub ids: BTreeMap<FunctionId, FunctionId>,
}

/// A function that takes the changes of some arguments behind all arguments, and gives the
/// changes of some results behind all results.
pub(super) fn tangent(all: &Tangents<'_>, f: FunctionId) -> Function {
    let function = function(all.functions, f);
    let changing = &all.called[&f];
    let survey = Survey::of(function, &changing.args, all.called);
    let gives = Gives::All(changing.results.clone());
    let mut builder = Builder::new(all, function, survey, gives);
    // The changes of the arguments are arguments: those registers come first.
    for n in (0..function.args).filter(|n| changing.args[*n]) {
        builder.changes[n] = Some(builder.reg(function.regs[n]));
    }
    let args = builder.regs.len();
    let body = builder.body(Vec::new());
    let changes = function.results.iter().zip(&changing.results).filter(|(_, c)| **c);
    let results = function.results.iter().copied().chain(changes.map(|(ty, _)| *ty)).collect();
    Function { name: format!("@{}", function.name), regs: builder.regs, args, results, body }
}

/// The change of what `f` gives where its argument `n` changes by one; `None` where that has
/// no influence.
pub(super) fn partial(all: &Tangents<'_>, f: FunctionId, n: usize) -> Option<Function> {
    let function = function(all.functions, f);
    let survey = Survey::of(function, &by(function, n), all.called);
    if !survey.results[0] {
        return None;
    }
    let mut builder = Builder::new(all, function, survey, Gives::Change);
    let ty = function.regs[n];
    let seed = builder.reg(ty);
    builder.changes[n] = Some(seed);
    let body = builder.body(vec![Step::Set(seed, Op::Const(Scalar::one(ty)))]);
    let (name, results) = (format!("@{}/@{}", function.name, n + 1), vec![function.results[0]]);
    Some(Function { name, regs: builder.regs, args: function.args, results, body })
}

/// Results of the function that is made.
enum Gives {
    /// All results, and the changes of those marked.
    All(Vec<bool>),
    /// The change of the first result alone.
    Change,
}

struct Builder<'a> {
    all: &'a Tangents<'a>,
    function: &'a Function,
    survey: Survey<'a>,
    gives: Gives,
    /// The types of the registers: first the arguments.
    regs: Vec<ScalarType>,
    /// Where each register of the function is now.
    places: Vec<Reg>,
    /// Where its change is.
    changes: Vec<Option<Reg>>,
}

impl<'a> Builder<'a> {
    fn new(
        all: &'a Tangents<'a>,
        function: &'a Function,
        survey: Survey<'a>,
        gives: Gives,
    ) -> Builder<'a> {
        let regs = function.regs[..function.args].to_vec();
        let places = (0..function.args).map(Reg::new).collect();
        let changes = vec![None; function.regs.len()];
        Builder { all, function, survey, gives, regs, places, changes }
    }

    fn reg(&mut self, ty: ScalarType) -> Reg {
        self.regs.push(ty);
        Reg::new(self.regs.len() - 1)
    }

    /// The steps of the function, with those of the changes, behind some first steps.
    fn body(&mut self, mut steps: Vec<Step>) -> Block {
        for n in self.function.args..self.function.regs.len() {
            let place = self.reg(self.function.regs[n]);
            self.places.push(place);
        }
        for n in 0..self.function.regs.len() {
            if self.survey.regs[n] && self.changes[n].is_none() {
                // An argument that is set later, and does not change before.
                let change = self.reg(self.function.regs[n]);
                self.changes[n] = Some(change);
                if n < self.function.args {
                    steps.push(zero(self.function.regs[n], change));
                }
            }
        }
        let function = self.function;
        let mut block = self.block(&function.body);
        steps.append(&mut block.steps);
        Block { steps, ..block }
    }

    fn place(&self, r: Reg) -> Reg {
        self.places[r.index()]
    }

    fn change(&self, r: Reg) -> Option<Reg> {
        self.changes[r.index()]
    }

    /// The change of a register, or a zero.
    fn change_or_zero(&mut self, r: Reg, out: &mut Vec<Step>) -> Reg {
        self.change(r).unwrap_or_else(|| {
            let ty = self.function.regs[r.index()];
            let none = self.reg(ty);
            out.push(zero(ty, none));
            none
        })
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut steps = Vec::new();
        block.steps.iter().for_each(|s| self.step(s, &mut steps));
        let end = match &block.end {
            End::Give(regs) => self.give(regs, &mut steps),
            End::Call(call) => self.end_in(call, &mut steps),
            End::If(c, a, b) => {
                End::If(self.place(*c), Box::new(self.block(a)), Box::new(self.block(b)))
            }
        };
        Block { steps, end }
    }

    fn give(&mut self, regs: &[Reg], steps: &mut Vec<Step>) -> End {
        let marked = match &self.gives {
            Gives::Change => return End::Give(vec![self.change_or_zero(regs[0], steps)]),
            Gives::All(marked) => marked.clone(),
        };
        let mut given: Vec<Reg> = regs.iter().map(|r| self.place(*r)).collect();
        for (r, _) in regs.iter().zip(marked).filter(|(_, marked)| *marked) {
            given.push(self.change_or_zero(*r, steps));
        }
        End::Give(given)
    }

    /// A call in the place of the result: it stays there where it gives the same.
    fn end_in(&mut self, call: &Call, steps: &mut Vec<Step>) -> End {
        let same = match (&self.gives, self.survey.of_call(call)) {
            (Gives::All(marked), Some(changing)) => *marked == changing.results,
            _ => false,
        };
        if same {
            return End::Call(self.tangent_call(call, steps));
        }
        let callee = function(self.all.functions, call.function);
        let to: Vec<Reg> = callee.results.iter().map(|ty| self.reg(*ty)).collect();
        let Some(changing) = self.survey.of_call(call).map(|c| c.results.clone()) else {
            steps.push(Step::Call(to.clone(), self.plain(call)));
            return self.give_fresh(&to, &vec![None; to.len()], steps);
        };
        let change = |(ty, changes): (&ScalarType, bool)| changes.then(|| self.reg(*ty));
        let changes: Vec<Option<Reg>> = callee.results.iter().zip(changing).map(change).collect();
        let made = self.tangent_call(call, steps);
        steps.push(Step::Call(to.iter().chain(changes.iter().flatten()).copied().collect(), made));
        self.give_fresh(&to, &changes, steps)
    }

    /// Gives what stands in registers of the new function.
    fn give_fresh(&mut self, to: &[Reg], changes: &[Option<Reg>], steps: &mut Vec<Step>) -> End {
        let (mut given, marked) = match &self.gives {
            Gives::Change => (Vec::new(), vec![true]),
            Gives::All(marked) => (to.to_vec(), marked.clone()),
        };
        for (n, _) in marked.iter().enumerate().filter(|(_, marked)| **marked) {
            given.push(changes[n].unwrap_or_else(|| {
                let ty = self.regs[to[n].index()];
                let none = self.reg(ty);
                steps.push(zero(ty, none));
                none
            }));
        }
        End::Give(given)
    }

    fn plain(&self, call: &Call) -> Call {
        let args = call.args.iter().map(|a| self.place(*a)).collect();
        Call { args, ..call.clone() }
    }

    /// The call of the tangent in place of a call that gives changes.
    fn tangent_call(&mut self, call: &Call, steps: &mut Vec<Step>) -> Call {
        let mut args = self.plain(call).args;
        let marked = &self.all.called[&call.function].args;
        for (a, _) in call.args.iter().zip(marked).filter(|(_, marked)| **marked) {
            args.push(self.change_or_zero(*a, steps));
        }
        Call { function: self.all.ids[&call.function], args, site: call.site }
    }

    fn step(&mut self, step: &Step, out: &mut Vec<Step>) {
        match step {
            Step::Set(to, op) => self.set(*to, op, out),
            Step::Call(to, call) => self.call(to, call, out),
            Step::Require(c, site) => out.push(Step::Require(self.place(*c), *site)),
            Step::If(c, a, b) => {
                let mut side = |steps: &[Step]| {
                    let mut out = Vec::new();
                    steps.iter().for_each(|s| self.step(s, &mut out));
                    out
                };
                let (a, b) = (side(a), side(b));
                out.push(Step::If(self.place(*c), a, b));
            }
        }
    }

    fn call(&mut self, to: &[Reg], call: &Call, out: &mut Vec<Step>) {
        let mut places: Vec<Reg> = to.iter().map(|r| self.place(*r)).collect();
        let changing = self.survey.of_call(call).map(|c| c.results.clone());
        let marked = changing.clone().unwrap_or_else(|| vec![false; to.len()]);
        let made = match changing {
            None => self.plain(call),
            Some(_) => self.tangent_call(call, out),
        };
        for (r, _) in to.iter().zip(&marked).filter(|(_, marked)| **marked) {
            places.push(self.change(*r).expect("what a call changes has a change"));
        }
        out.push(Step::Call(places, made));
        for (r, _) in to.iter().zip(marked).filter(|(_, marked)| !marked) {
            self.stays(*r, out);
        }
    }

    /// Notes that what a register is set to does not change.
    fn stays(&self, r: Reg, out: &mut Vec<Step>) {
        if let Some(change) = self.change(r) {
            out.push(zero(self.function.regs[r.index()], change));
        }
    }

    fn set(&mut self, to: Reg, op: &Op, out: &mut Vec<Step>) {
        // Operands keep their values behind the step, for the formulas.
        let mut operand = |r: Reg| {
            if r != to || self.change(to).is_none() {
                return (self.place(r), self.change(r));
            }
            let ty = self.function.regs[r.index()];
            let (value, change) = (self.reg(ty), self.reg(ty));
            out.push(Step::Set(value, Op::Copy(self.place(r))));
            let old = self.change(r).expect("asked above");
            out.push(Step::Set(change, Op::Copy(old)));
            (value, Some(change))
        };
        let (op, operands) = match op {
            Op::Const(v) => (Op::Const(*v), Vec::new()),
            Op::Copy(x) => {
                let x = operand(*x);
                (Op::Copy(x.0), vec![x])
            }
            Op::Cast(ty, x) => {
                let x = operand(*x);
                (Op::Cast(*ty, x.0), vec![x])
            }
            Op::Unary(op, x) => {
                let x = operand(*x);
                (Op::Unary(*op, x.0), vec![x])
            }
            Op::Binary(op, a, b, site) => {
                let (a, b) = (operand(*a), operand(*b));
                (Op::Binary(*op, a.0, b.0, *site), vec![a, b])
            }
        };
        out.push(Step::Set(self.place(to), op));
        let Some(change) = self.change(to) else { return };
        let mut formula = Formula { exprs: Exprs::new(), regs: &self.regs };
        let value = formula.change(self.places[to.index()], &op, &operands);
        let Formula { exprs, .. } = formula;
        let mut known = BTreeMap::new();
        let from = match value {
            Some(e) => self.emit(&exprs, e, &mut known, out),
            None => return self.stays(to, out),
        };
        out.push(Step::Set(change, Op::Copy(from)));
    }

    /// The steps of an expression over registers.
    fn emit(
        &mut self,
        exprs: &Exprs,
        e: ExprId,
        known: &mut BTreeMap<ExprId, Reg>,
        out: &mut Vec<Step>,
    ) -> Reg {
        if let Some(r) = known.get(&e) {
            return *r;
        }
        let op = match exprs.get(e) {
            Expr::Read { tensor, .. } => return Reg::new(tensor.index()),
            Expr::Const(v) => Op::Const(*v),
            Expr::Unary(op, x) => Op::Unary(*op, self.emit(exprs, *x, known, out)),
            Expr::Binary(op, a, b, _) => {
                let a = self.emit(exprs, *a, known, out);
                Op::Binary(*op, a, self.emit(exprs, *b, known, out), None)
            }
            Expr::Cast(ty, x) => Op::Cast(*ty, self.emit(exprs, *x, known, out)),
            Expr::If(c, a, b) => {
                let c = self.emit(exprs, *c, known, out);
                let r = self.reg(exprs.ty(e));
                let sides = [*a, *b].map(|side| {
                    let mut steps = Vec::new();
                    let value = self.emit(exprs, side, &mut known.clone(), &mut steps);
                    steps.push(Step::Set(r, Op::Copy(value)));
                    steps
                });
                let [a, b] = sides;
                out.push(Step::If(c, a, b));
                known.insert(e, r);
                return r;
            }
            Expr::Index(_) | Expr::Check { .. } | Expr::Call { .. } | Expr::Reduce(_) => {
                unreachable!("no formula has these")
            }
        };
        let r = self.reg(exprs.ty(e));
        out.push(Step::Set(r, op));
        known.insert(e, r);
        r
    }
}

fn zero(ty: ScalarType, r: Reg) -> Step {
    Step::Set(r, Op::Const(Scalar::zero(ty)))
}

/// A register of the new function, and that of its change.
type Operand = (Reg, Option<Reg>);

/// The change of a register as an expression whose reads are registers.
struct Formula<'r> {
    exprs: Exprs,
    regs: &'r [ScalarType],
}

impl Formula<'_> {
    fn read(&mut self, r: Reg) -> ExprId {
        let tensor = TensorId::new(r.index());
        let read = Expr::Read { tensor, index: Vec::new(), site: None };
        self.exprs.add(read, self.regs[r.index()])
    }

    /// The change of what stands in `to`; `None` where there is none.
    fn change(&mut self, to: Reg, op: &Op, operands: &[Operand]) -> Option<ExprId> {
        let changes: Vec<Option<ExprId>> =
            operands.iter().map(|(_, change)| change.map(|r| self.read(r))).collect();
        match *op {
            Op::Const(_) => None,
            Op::Copy(_) => changes[0],
            Op::Cast(ty, _) if rules::is_smooth(ty) => changes[0].map(|g| self.exprs.cast(ty, g)),
            Op::Cast(..) => None,
            Op::Unary(op, x) => {
                let (x, y) = (self.read(x), self.read(to));
                rules::unary(&mut self.exprs, op, x, y, changes[0]?)
            }
            Op::Binary(op, a, b, _) => {
                let (a, b, y) = (self.read(a), self.read(b), self.read(to));
                let by_a = changes[0]
                    .and_then(|g| rules::binary(&mut self.exprs, op, (a, b), y, g, Side::First));
                let by_b = changes[1]
                    .and_then(|g| rules::binary(&mut self.exprs, op, (a, b), y, g, Side::Second));
                match (by_a, by_b) {
                    (Some(p), Some(q)) => Some(build::plus(&mut self.exprs, p, q)),
                    (p, q) => p.or(q),
                }
            }
        }
    }
}
