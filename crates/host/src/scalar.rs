//! Functions of the host that compute with scalars alone, as functions of scalars: run
//! without a frame of the host for every call, called by bodies of the graph, and compiled
//! where they run long.

use crate::{Function, FunctionId, Program, Step, Value, VarId};
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

/// A scope: what is known in it, and its steps.
#[derive(Default)]
struct Scope {
    vars: BTreeMap<VarId, Vec<Reg>>,
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
        let (args, results) = f.scalars.clone()?;
        let mut b = Builder {
            all,
            program: &f.body,
            overflow,
            sites,
            regs: args,
            scopes: vec![Scope::default()],
            steps: 0,
            results: results.clone(),
        };
        for (n, var) in f.args.iter().enumerate() {
            b.top().vars.insert(*var, vec![Reg::new(n)]);
        }
        b.defines(&f.body.steps)?;
        let body = b.end(&f.body.result.as_ref()?.value)?;
        let name = f.name.as_ref().map_or("lambda", |n| n.as_str()).to_string();
        Some(function::Function { name, regs: b.regs, args: f.args.len(), results, body })
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

    /// Steps that only name integers.
    fn defines(&mut self, steps: &[Step]) -> Option<()> {
        for step in steps {
            let Step::Define(p, value) = step else { return None };
            let r = self.value(value)?;
            self.top().params.insert(*p, r);
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
            Value::Field(x, n) => self.values(x)?.get(*n).copied(),
            Value::Var(_) | Value::If(..) | Value::Block(_) | Value::Call(..) => {
                match self.values(v)?[..] {
                    [r] => Some(r),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The members of a tuple of scalars; of a scalar itself.
    fn values(&mut self, v: &Value) -> Option<Vec<Reg>> {
        match v {
            Value::Tuple(members) => members.iter().map(|m| self.value(m)).collect(),
            Value::Var(id) => self.var(*id),
            Value::If(c, a, b) => self.choice(c, a, b),
            Value::Block(b) => {
                self.defines(&b.steps)?;
                self.values(&b.value)
            }
            Value::Call(f, args, span) => {
                let call = self.call(*f, args, *span)?;
                let types = self.all[*f].scalars.as_ref()?.1.clone();
                let given: Vec<Reg> =
                    types.into_iter().map(|ty| self.reg(ty)).collect::<Option<_>>()?;
                self.step(function::Step::Call(given.clone(), call))?;
                Some(given)
            }
            _ => Some(vec![self.value(v)?]),
        }
    }

    fn cast(&mut self, ty: ScalarType, x: Reg) -> Option<Reg> {
        if self.ty(x) == ty { Some(x) } else { self.set(ty, Op::Cast(ty, x)) }
    }

    fn unary(&mut self, op: UnaryOp, x: Reg, span: Span) -> Option<Reg> {
        let r = self.set(self.ty(x), Op::Unary(op, x))?;
        if self.overflow == Overflow::Fails && eval::negates(op) && self.ty(x).is_int() {
            let x = self.cast(ScalarType::F64, x)?;
            let exact = self.set(ScalarType::F64, Op::Unary(op, x))?;
            self.require_near(exact, r, span)?;
        }
        Some(r)
    }

    fn binary(&mut self, op: BinaryOp, a: Reg, b: Reg, span: Span) -> Option<Reg> {
        let ty = self.ty(a);
        let trap = match op {
            BinaryOp::Div | BinaryOp::Rem => Some(Trap::DivisionByZero),
            BinaryOp::Pow => Some(Trap::NegativeExponent),
            _ => None,
        };
        let site = trap.filter(|_| ty.is_int()).map(|trap| self.site(span, trap.to_string()));
        let result = if op.is_comparison() { ScalarType::Bool } else { ty };
        let r = self.set(result, Op::Binary(op, a, b, site))?;
        if self.overflow == Overflow::Fails && eval::may_overflow(op) && ty.is_int() {
            let exact = self.real(op, a, b)?;
            self.require_near(exact, r, span)?;
        }
        Some(r)
    }

    /// An operator of integers, in `f64`.
    fn real(&mut self, op: BinaryOp, a: Reg, b: Reg) -> Option<Reg> {
        let (a, b) = (self.cast(ScalarType::F64, a)?, self.cast(ScalarType::F64, b)?);
        self.set(ScalarType::F64, Op::Binary(op, a, b, None))
    }

    /// A failure where an integer is not what the same arithmetic in `f64` gave
    /// ([`eval::near`]).
    fn require_near(&mut self, exact: Reg, wrapped: Reg, span: Span) -> Option<()> {
        self.require_within(exact, wrapped, eval::half_of_range(self.ty(wrapped)), span)
    }

    /// A failure where an integer is `bound` or more from a number.
    fn require_within(&mut self, exact: Reg, value: Reg, bound: f64, span: Span) -> Option<()> {
        let off = self.real(BinaryOp::Sub, exact, value)?;
        let off = self.set(ScalarType::F64, Op::Unary(UnaryOp::Abs, off))?;
        let bound = self.set(ScalarType::F64, Op::Const(Scalar::F64(bound)))?;
        let near = self.set(ScalarType::Bool, Op::Binary(BinaryOp::Lt, off, bound, None))?;
        let site = self.site(span, OVERFLOW.to_string());
        self.step(function::Step::Require(near, site))
    }

    fn choice(&mut self, c: &Value, a: &crate::Block, b: &crate::Block) -> Option<Vec<Reg>> {
        let c = self.value(c)?;
        let (a, then) = self.side(a)?;
        let (b, otherwise) = self.side(b)?;
        if a.len() != b.len() {
            return None;
        }
        let chosen: Vec<Reg> = a.iter().map(|a| self.reg(self.ty(*a))).collect::<Option<_>>()?;
        let both = [(a, then), (b, otherwise)].map(|(from, mut steps)| {
            let copies = chosen.iter().zip(from);
            steps.extend(copies.map(|(to, from)| function::Step::Set(*to, Op::Copy(from))));
            steps
        });
        let [then, otherwise] = both;
        self.step(function::Step::If(c, then, otherwise))?;
        Some(chosen)
    }

    /// One side of a choice: its values and its steps.
    fn side(&mut self, b: &crate::Block) -> Option<(Vec<Reg>, Vec<function::Step>)> {
        self.scopes.push(Scope::default());
        let found = self.defines(&b.steps).and_then(|()| self.values(&b.value));
        let scope = self.scopes.pop().expect("pushed above");
        Some((found?, scope.steps))
    }

    fn known_var(&self, id: VarId) -> Option<&Vec<Reg>> {
        self.scopes.iter().rev().find_map(|s| s.vars.get(&id))
    }

    fn var(&mut self, id: VarId) -> Option<Vec<Reg>> {
        if let Some(known) = self.known_var(id) {
            return Some(known.clone());
        }
        let values = self.values(self.program.vars[id].as_ref()?)?;
        self.top().vars.insert(id, values.clone());
        Some(values)
    }

    fn call(&mut self, f: FunctionId, args: &[Value], span: Span) -> Option<Call> {
        let args = args.iter().map(|a| self.value(a)).collect::<Option<Vec<Reg>>>()?;
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
                self.defines(&b.steps)?;
                return self.end(&b.value);
            }
            Value::Var(id) if self.known_var(*id).is_none() => {
                return self.end(self.program.vars[*id].as_ref()?);
            }
            Value::Call(f, args, span) if self.all[*f].scalars.as_ref()?.1 == self.results => {
                End::Call(self.call(*f, args, *span)?)
            }
            _ => {
                let values = self.values(v)?;
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
        let block = self.defines(&b.steps).and_then(|()| self.end(&b.value));
        self.scopes.pop();
        block
    }

    fn param(&self, p: Param) -> Option<Reg> {
        self.scopes.iter().rev().find_map(|s| s.params.get(&p)).copied()
    }

    /// Parameters times numbers, and a number; other sizes stay with the host. Integers of
    /// one type wrap as that type does; else they meet in 64 bits.
    fn size(&mut self, size: &Size, ty: ScalarType, span: Span) -> Option<Reg> {
        let mut terms = Vec::new();
        for (monomial, factor) in size.terms() {
            let [Atom::Param(p)] = monomial.as_slice() else { return None };
            terms.push((self.param(*p)?, i64::try_from(*factor).ok()?));
        }
        let constant = i64::try_from(size.constant_term()).ok()?;
        let one_type = terms.iter().all(|(r, _)| self.ty(*r) == ty);
        let meet = if one_type { ty } else { ScalarType::I64 };
        let sum = self.combination(&terms, constant, meet)?;
        let value = self.cast(ty, sum)?;
        if self.overflow == Overflow::Wraps {
            return Some(value);
        }
        let exact = self.combination(&terms, constant, ScalarType::F64)?;
        match (meet == ty, ty) {
            (true, _) => self.require_near(exact, value, span)?,
            // The conversion saturates; those integers that have no exact `f64` stay with the host.
            (false, ScalarType::U64) => return None,
            (false, _) => self.require_within(exact, value, 0.5, span)?,
        }
        Some(value)
    }

    /// Registers times numbers, and a number, in one type; integers wrap.
    fn combination(&mut self, terms: &[(Reg, i64)], constant: i64, ty: ScalarType) -> Option<Reg> {
        let number = |n: i64| match ty.is_int() {
            true => Op::Const(Scalar::from_i64(ty, n)),
            false => Op::Const(eval::cast(Scalar::I64(n), ty)),
        };
        let plain = |op, a, b| Op::Binary(op, a, b, None);
        let mut sum: Option<Reg> = None;
        for (r, factor) in terms {
            let mut term = self.cast(ty, *r)?;
            if *factor != 1 {
                let factor = self.set(ty, number(*factor))?;
                term = self.set(ty, plain(BinaryOp::Mul, term, factor))?;
            }
            sum = Some(match sum {
                Some(sum) => self.set(ty, plain(BinaryOp::Add, sum, term))?,
                None => term,
            });
        }
        match sum {
            Some(sum) if constant == 0 => Some(sum),
            Some(sum) => {
                let constant = self.set(ty, number(constant))?;
                self.set(ty, plain(BinaryOp::Add, sum, constant))
            }
            None => self.set(ty, number(constant)),
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
