//! Functions of the host that compute with scalars alone, as functions of scalars: run
//! without a frame of the host for every call, called by bodies of the graph, and compiled
//! where they run long.

use crate::{Form, Function, FunctionId, Program, Step, Value, VarId};
use std::collections::BTreeMap;
use weft_base::Span;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_scalar::eval::{self, OVERFLOW, Overflow, Trap};
use weft_scalar::function::{self, Block, Call, DEEPEST_CALL, End, Functions, Op, Reg};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::{Atom, Param, Size};
use weft_tensor::{Graph, Site, SiteId};

type Id = function::FunctionId;

/// Steps and registers of one function; what takes more stays with the host.
const MOST_STEPS: usize = 2000;
const MOST_REGS: usize = 256;

/// The functions of a program that are functions of scalars, under the same numbers.
#[derive(Debug, Default)]
pub struct Scalars {
    pub(crate) functions: Functions,
    /// What their places stand for.
    pub(crate) sites: Vec<Site>,
}

impl Scalars {
    /// Translates every function that allows it, and whose callees do.
    pub fn compute(functions: &PrimaryMap<FunctionId, Function>, overflow: Overflow) -> Scalars {
        let mut sites = Vec::new();
        let mut all: Vec<Option<function::Function>> = functions
            .values()
            .map(|f| Builder::function(functions, f, overflow, &mut sites))
            .collect();
        loop {
            let lacks = |f: &function::Function| {
                let mut found = false;
                f.body.each_call(&mut |c| found |= all[c.function.index()].is_none());
                found
            };
            let lost: Vec<usize> =
                (0..all.len()).filter(|n| all[*n].as_ref().is_some_and(lacks)).collect();
            if lost.is_empty() {
                return Scalars { functions: Functions::new(all), sites };
            }
            lost.into_iter().for_each(|n| all[n] = None);
        }
    }

    /// The function of scalars that a function of the host is.
    pub fn get(&self, f: FunctionId) -> Option<Id> {
        let id = Id::new(f.index());
        self.functions.get(id).map(|_| id)
    }

    /// The same where it gives one scalar, and no tuple of them.
    pub fn of_one_value(&self, f: FunctionId) -> Option<Id> {
        self.get(f).filter(|id| self.functions.get(*id).is_some_and(|f| f.result().is_some()))
    }

    /// Puts the functions that `roots` reach, with their places, into a graph that has none.
    pub fn put_into(&self, graph: &mut Graph, roots: impl IntoIterator<Item = Id>) {
        let kept = self.functions.reached(roots);
        let first = graph.sites.len() as u32;
        for site in &self.sites {
            graph.sites.push(site.clone());
        }
        graph.functions = self.functions.only(&kept, &mut |site| first + site);
    }

    /// A place of the table.
    pub(crate) fn site(&self, n: u32) -> &Site {
        &self.sites[n as usize]
    }
}

/// The registers of a scalar, or of a tuple's members.
#[derive(Clone)]
enum Regs {
    One(Reg),
    Many(Vec<Regs>),
}

impl Regs {
    fn one(&self) -> Option<Reg> {
        match self {
            Regs::One(r) => Some(*r),
            Regs::Many(_) => None,
        }
    }

    fn member(self, n: usize) -> Option<Regs> {
        match self {
            Regs::Many(mut members) if n < members.len() => Some(members.swap_remove(n)),
            _ => None,
        }
    }

    fn leaves(&self) -> Vec<Reg> {
        match self {
            Regs::One(r) => vec![*r],
            Regs::Many(members) => members.iter().flat_map(Regs::leaves).collect(),
        }
    }

    /// The same tuple of other registers.
    fn with(&self, leaves: &mut impl Iterator<Item = Reg>) -> Option<Regs> {
        Some(match self {
            Regs::One(_) => Regs::One(leaves.next()?),
            Regs::Many(members) => {
                Regs::Many(members.iter().map(|m| m.with(leaves)).collect::<Option<_>>()?)
            }
        })
    }
}

/// A scope: what is known in it, and its steps.
#[derive(Default)]
struct Scope {
    vars: BTreeMap<VarId, Regs>,
    params: BTreeMap<Param, Reg>,
    steps: Vec<function::Step>,
}

/// Translates a function.
struct Builder<'f> {
    all: &'f PrimaryMap<FunctionId, Function>,
    program: &'f Program,
    overflow: Overflow,
    sites: &'f mut Vec<Site>,
    regs: Vec<ScalarType>,
    scopes: Vec<Scope>,
    steps: usize,
    results: Vec<ScalarType>,
}

impl<'f> Builder<'f> {
    fn function(
        all: &'f PrimaryMap<FunctionId, Function>,
        f: &'f Function,
        overflow: Overflow,
        sites: &'f mut Vec<Site>,
    ) -> Option<function::Function> {
        let (args, results) = f.scalars.as_ref()?;
        let mut b = Builder {
            all,
            program: &f.body,
            overflow,
            sites,
            regs: Vec::new(),
            scopes: vec![Scope::default()],
            steps: 0,
            results: results.leaves(),
        };
        for (var, form) in f.args.iter().zip(args) {
            let regs = b.fresh(form)?;
            b.top().vars.insert(*var, regs);
        }
        let args = b.regs.len();
        b.begin(&f.body.steps)?;
        let body = b.end(&f.body.result.as_ref()?.value)?;
        let name = f.name.as_ref().map_or("lambda", |n| n.as_str()).to_string();
        Some(function::Function { name, regs: b.regs, args, results: results.leaves(), body })
    }

    fn top(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope is open")
    }

    fn reg(&mut self, ty: ScalarType) -> Option<Reg> {
        self.regs.push(ty);
        (self.regs.len() <= MOST_REGS).then(|| Reg::new(self.regs.len() - 1))
    }

    fn step(&mut self, step: function::Step) -> Option<()> {
        self.top().steps.push(step);
        self.steps += 1;
        (self.steps <= MOST_STEPS).then_some(())
    }

    fn ty(&self, r: Reg) -> ScalarType {
        self.regs[r.index()]
    }

    fn set(&mut self, ty: ScalarType, op: Op) -> Option<Reg> {
        let r = self.reg(ty)?;
        self.step(function::Step::Set(r, op))?;
        Some(r)
    }

    fn site(&mut self, span: Span, message: String) -> u32 {
        let site = Site { span: Some(span), message };
        let known = self.sites.iter().position(|s| *s == site);
        known.unwrap_or_else(|| {
            self.sites.push(site);
            self.sites.len() - 1
        }) as u32
    }

    /// Registers that nothing is in yet.
    fn fresh(&mut self, form: &Form) -> Option<Regs> {
        Some(match form {
            Form::Scalar(ty) => Regs::One(self.reg(*ty)?),
            Form::Tuple(members) => {
                Regs::Many(members.iter().map(|m| self.fresh(m)).collect::<Option<_>>()?)
            }
        })
    }

    /// Steps that name integers or compute a value, and assertions that say nothing of values.
    fn begin(&mut self, steps: &[Step]) -> Option<()> {
        for step in steps {
            match step {
                Step::Define(p, value) => {
                    let r = self.value(value)?;
                    self.top().params.insert(*p, r);
                }
                Step::Assert { condition, message: None, span, called } => {
                    let holds = self.value(condition)?;
                    let site = self.site(called.unwrap_or(*span), "assertion failed".to_string());
                    self.step(function::Step::Require(holds, site))?;
                }
                Step::Run(var) => drop(self.var(*var)?),
                _ => return None,
            }
        }
        Some(())
    }

    /// The value of a scalar.
    fn value(&mut self, v: &Value) -> Option<Reg> {
        match v {
            Value::Const(v) => self.set(v.ty(), Op::Const(*v)),
            Value::Int(size, ty, span) => self.size(size, *ty, *span),
            Value::Unary(op, x, span) => {
                let x = self.value(x)?;
                self.unary(*op, x, *span)
            }
            Value::Binary(op, a, b, span) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(*op, a, b, *span)
            }
            Value::Cast(ty, x) => {
                let x = self.value(x)?;
                self.cast(*ty, x)
            }
            Value::Field(..)
            | Value::Var(_)
            | Value::If(..)
            | Value::Block(_)
            | Value::Call(..) => self.values(v)?.one(),
            _ => None,
        }
    }

    /// A scalar, or the members of a tuple.
    fn values(&mut self, v: &Value) -> Option<Regs> {
        match v {
            Value::Tuple(members) => {
                Some(Regs::Many(members.iter().map(|m| self.values(m)).collect::<Option<_>>()?))
            }
            Value::Field(x, n) => match &**x {
                Value::Tuple(members) => self.values(members.get(*n)?),
                x => self.values(x)?.member(*n),
            },
            Value::Var(id) => self.var(*id),
            Value::If(c, a, b) => self.choice(c, a, b),
            Value::Block(b) => {
                self.begin(&b.steps)?;
                self.values(&b.value)
            }
            Value::Call(f, args, span) => {
                let call = self.call(*f, args, *span)?;
                let given = self.fresh(&self.all[*f].scalars.as_ref()?.1)?;
                self.step(function::Step::Call(given.leaves(), call))?;
                Some(given)
            }
            _ => Some(Regs::One(self.value(v)?)),
        }
    }

    fn cast(&mut self, ty: ScalarType, x: Reg) -> Option<Reg> {
        if self.ty(x) == ty { Some(x) } else { self.set(ty, Op::Cast(ty, x)) }
    }

    fn unary(&mut self, op: UnaryOp, x: Reg, span: Span) -> Option<Reg> {
        let ty = self.ty(x);
        let traps = self.overflow == Overflow::Trap && eval::is_bounded(ty);
        match op {
            UnaryOp::Neg if traps => self.negated(x, span),
            UnaryOp::Abs if traps && ty.is_signed() => {
                let zero = self.zero(ty)?;
                let positive =
                    self.set(ScalarType::Bool, Op::Binary(BinaryOp::Ge, x, zero, None))?;
                let result = self.reg(ty)?;
                self.scopes.push(Scope::default());
                let negated = self.negated(x, span);
                let mut steps = self.scopes.pop().expect("pushed above").steps;
                steps.push(function::Step::Set(result, Op::Copy(negated?)));
                let same = vec![function::Step::Set(result, Op::Copy(x))];
                self.step(function::Step::If(positive, same, steps))?;
                Some(result)
            }
            _ => self.set(ty, Op::Unary(op, x)),
        }
    }

    fn zero(&mut self, ty: ScalarType) -> Option<Reg> {
        self.set(ty, Op::Const(Scalar::zero(ty)))
    }

    /// `0 - x`, which may leave the type.
    fn negated(&mut self, x: Reg, span: Span) -> Option<Reg> {
        let zero = self.zero(self.ty(x))?;
        self.binary(BinaryOp::Sub, zero, x, span)
    }

    fn binary(&mut self, op: BinaryOp, a: Reg, b: Reg, span: Span) -> Option<Reg> {
        let ty = self.ty(a);
        let overflows = eval::may_overflow(op, ty);
        if self.overflow == Overflow::Wrap && overflows {
            return self.wrapping(op, a, b, span);
        }
        let trap = eval::trap_by(op, ty, None);
        let trap = trap.or(overflows.then_some(Trap::Overflow));
        let site = trap.map(|trap| self.site(span, trap.to_string()));
        let result = if op.is_comparison() { ScalarType::Bool } else { ty };
        self.set(result, Op::Binary(op, a, b, site))
    }

    /// An operator of integers that wrap: the traps that are left are found before.
    fn wrapping(&mut self, op: BinaryOp, a: Reg, b: Reg, span: Span) -> Option<Reg> {
        let ty = self.ty(a);
        match op {
            BinaryOp::Div => {
                let minus = self.set(ty, Op::Const(Scalar::from_i64(ty, -1)))?;
                let turns = self.set(ScalarType::Bool, Op::Binary(BinaryOp::Eq, b, minus, None))?;
                let site = self.site(span, Trap::DivisionByZero.to_string());
                let (zero, result) = (self.zero(ty)?, self.reg(ty)?);
                let set = |op| vec![function::Step::Set(result, op)];
                let negated = set(Op::Binary(BinaryOp::Sub, zero, a, None));
                let quotient = set(Op::Binary(op, a, b, Some(site)));
                self.step(function::Step::If(turns, negated, quotient))?;
                Some(result)
            }
            BinaryOp::Pow => {
                let zero = self.zero(ty)?;
                let able = self.set(ScalarType::Bool, Op::Binary(BinaryOp::Ge, b, zero, None))?;
                let site = self.site(span, Trap::NegativeExponent.to_string());
                self.step(function::Step::Require(able, site))?;
                self.set(ty, Op::Binary(op, a, b, None))
            }
            _ => self.set(ty, Op::Binary(op, a, b, None)),
        }
    }

    fn choice(&mut self, c: &Value, a: &crate::Block, b: &crate::Block) -> Option<Regs> {
        let c = self.value(c)?;
        let (a, then) = self.side(a)?;
        let (b, otherwise) = self.side(b)?;
        let (from_a, from_b) = (a.leaves(), b.leaves());
        if from_a.len() != from_b.len() {
            return None;
        }
        let chosen: Vec<Reg> =
            from_a.iter().map(|r| self.reg(self.ty(*r))).collect::<Option<_>>()?;
        let both = [(from_a, then), (from_b, otherwise)].map(|(from, mut steps)| {
            let copies = chosen.iter().zip(from);
            steps.extend(copies.map(|(to, from)| function::Step::Set(*to, Op::Copy(from))));
            steps
        });
        let [then, otherwise] = both;
        self.step(function::Step::If(c, then, otherwise))?;
        a.with(&mut chosen.into_iter())
    }

    /// One side of a choice: its values and its steps.
    fn side(&mut self, b: &crate::Block) -> Option<(Regs, Vec<function::Step>)> {
        self.scopes.push(Scope::default());
        let found = self.begin(&b.steps).and_then(|()| self.values(&b.value));
        let scope = self.scopes.pop().expect("pushed above");
        Some((found?, scope.steps))
    }

    fn known_var(&self, id: VarId) -> Option<&Regs> {
        self.scopes.iter().rev().find_map(|s| s.vars.get(&id))
    }

    fn var(&mut self, id: VarId) -> Option<Regs> {
        if let Some(known) = self.known_var(id) {
            return Some(known.clone());
        }
        let values = self.values(self.program.vars[id].as_ref()?)?;
        self.top().vars.insert(id, values.clone());
        Some(values)
    }

    fn call(&mut self, f: FunctionId, args: &[Value], span: Span) -> Option<Call> {
        let given = args.iter().map(|a| self.values(a)).collect::<Option<Vec<Regs>>>()?;
        let args: Vec<Reg> = given.iter().flat_map(Regs::leaves).collect();
        let site = self.site(span, too_deep(self.all, f));
        Some(Call { function: Id::new(f.index()), args, site })
    }

    /// What stands in the place of the result, in a scope that ends with it.
    fn end(&mut self, v: &Value) -> Option<Block> {
        let end = match v {
            Value::If(c, a, b) => {
                let c = self.value(c)?;
                End::If(c, Box::new(self.end_of(a)?), Box::new(self.end_of(b)?))
            }
            Value::Block(b) => {
                self.begin(&b.steps)?;
                return self.end(&b.value);
            }
            Value::Var(id) if self.known_var(*id).is_none() => {
                return self.end(self.program.vars[*id].as_ref()?);
            }
            Value::Call(f, args, span)
                if self.all[*f].scalars.as_ref()?.1.leaves() == self.results =>
            {
                End::Call(self.call(*f, args, *span)?)
            }
            _ => {
                let values = self.values(v)?.leaves();
                let types = self.results.clone();
                if values.len() != types.len() {
                    return None;
                }
                let cast = values.into_iter().zip(types).map(|(r, ty)| self.cast(ty, r));
                End::Give(cast.collect::<Option<_>>()?)
            }
        };
        Some(Block { steps: std::mem::take(&mut self.top().steps), end })
    }

    fn end_of(&mut self, b: &crate::Block) -> Option<Block> {
        self.scopes.push(Scope::default());
        let block = self.begin(&b.steps).and_then(|()| self.end(&b.value));
        self.scopes.pop();
        block
    }

    fn param(&self, p: Param) -> Option<Reg> {
        self.scopes.iter().rev().find_map(|s| s.params.get(&p)).copied()
    }

    /// Parameters times numbers, and a number; other sizes stay with the host. Integers of
    /// one type meet in that type; else in 64 bits.
    fn size(&mut self, size: &Size, ty: ScalarType, span: Span) -> Option<Reg> {
        let mut terms = Vec::new();
        for (monomial, factor) in size.terms() {
            let [Atom::Param(p)] = monomial.as_slice() else { return None };
            terms.push((self.param(*p)?, i64::try_from(*factor).ok()?));
        }
        let constant = i64::try_from(size.constant_term()).ok()?;
        let one_type = terms.iter().all(|(r, _)| self.ty(*r) == ty);
        let meet = if one_type { ty } else { ScalarType::I64 };
        let sum = self.combination(&terms, constant, meet, span)?;
        let value = self.cast(ty, sum)?;
        if self.overflow == Overflow::Trap && meet != ty {
            // The conversion saturates.
            let back = self.cast(meet, value)?;
            let same = self.set(ScalarType::Bool, Op::Binary(BinaryOp::Eq, back, sum, None))?;
            let site = self.site(span, OVERFLOW.to_string());
            self.step(function::Step::Require(same, site))?;
        }
        Some(value)
    }

    /// Registers times numbers, and a number, in one type. A number that the type does not
    /// hold stays with the host.
    fn combination(
        &mut self,
        terms: &[(Reg, i64)],
        constant: i64,
        ty: ScalarType,
        span: Span,
    ) -> Option<Reg> {
        let number = |n: i64| match Scalar::exactly(ty, n) {
            Some(n) => Some(Op::Const(n)),
            None => (!eval::is_bounded(ty)).then(|| Op::Const(Scalar::from_i64(ty, n))),
        };
        let mut sum: Option<Reg> = None;
        for (r, factor) in terms {
            let term = self.cast(ty, *r)?;
            sum = Some(match (sum, *factor) {
                (None, 1) => term,
                (Some(sum), 1) => self.binary(BinaryOp::Add, sum, term, span)?,
                (Some(sum), -1) => self.binary(BinaryOp::Sub, sum, term, span)?,
                (sum, factor) => {
                    let factor = self.set(ty, number(factor)?)?;
                    let product = self.binary(BinaryOp::Mul, term, factor, span)?;
                    match sum {
                        Some(sum) => self.binary(BinaryOp::Add, sum, product, span)?,
                        None => product,
                    }
                }
            });
        }
        match sum {
            Some(sum) if constant == 0 => Some(sum),
            Some(sum) => {
                let constant = self.set(ty, number(constant)?)?;
                self.binary(BinaryOp::Add, sum, constant, span)
            }
            None => self.set(ty, number(constant)?),
        }
    }
}

/// What is said of a recursion that does not end.
pub(crate) fn too_deep(functions: &PrimaryMap<FunctionId, Function>, f: FunctionId) -> String {
    let name = functions[f].name.as_ref().map_or("lambda", |n| n.as_str());
    format!("`{name}` calls itself too often: {DEEPEST_CALL} calls are within each other")
}

/// A graph whose one computed tensor is a function applied to its inputs.
pub(crate) fn graph_of_call(scalars: &Scalars, f: Id) -> Graph {
    use weft_tensor::{Accumulator, Assignment, Definition, Expr, Exprs, Space, Tensor};
    let mut graph = Graph::new();
    scalars.put_into(&mut graph, [f]);
    let called = scalars.functions.get(f).expect("it has code");
    let scalar = |elem: ScalarType, definition: Definition| Tensor {
        name: None,
        span: None,
        elem,
        axes: Vec::new(),
        definition,
    };
    let mut exprs = Exprs::new();
    let mut args = Vec::new();
    for ty in &called.regs[..called.args] {
        let tensor = graph.tensors.push(scalar(*ty, Definition::Input));
        args.push(exprs.add(Expr::Read { tensor, index: Vec::new(), site: None }, *ty));
    }
    let result = called.result().expect("the host's functions give one value");
    let body = exprs.add(Expr::Call { function: f, args }, result);
    let none = Definition::Assigned { pieces: Vec::new(), covered: true };
    let target = graph.tensors.push(scalar(result, none));
    graph.assign(Assignment {
        target,
        space: Space::default(),
        exprs,
        write: Vec::new(),
        mask: None,
        accumulator: Accumulator::Set,
        body,
    });
    graph
}

/// Whether a failure at a site of a graph is a recursion that does not end.
pub(crate) fn is_too_deep(graph: &Graph, site: SiteId) -> bool {
    graph.functions.call_at(site.as_u32())
}
