//! Functions of scalars that call each other: run on nodes and a stack of scalars, without
//! a frame of the host for every call.
//!
//! Only what is pure and computes with scalars alone has such code; its meaning is that of
//! the host expressions it is made from.

use crate::evaluate::{DEEPEST_CALL, failed, too_deep};
use crate::{Function, FunctionId, Program, RunError, Step, Value, VarId};
use std::collections::BTreeMap;
use weft_base::Span;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp, eval};
use weft_shape::{Atom, Param, Size};

/// A place in a function's code.
type NodeId = u32;

#[derive(Debug)]
enum Node {
    Const(Scalar),
    /// An argument, or a value that is kept once it is computed.
    Slot(u32),
    /// The value of a slot, computed at its first use in a call.
    Kept(u32, NodeId),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId, Span),
    Cast(ScalarType, NodeId),
    If(NodeId, NodeId, NodeId),
    Call(FunctionId, Vec<NodeId>, Span),
}

/// The code of a function: its arguments are the first slots.
#[derive(Debug)]
struct Code {
    nodes: Vec<Node>,
    root: NodeId,
    args: usize,
    slots: usize,
}

/// The code of all functions of a program that have some.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    codes: Vec<Option<Code>>,
}

impl Codes {
    /// Makes code of every function that allows it, and whose callees do.
    pub fn compute(functions: &PrimaryMap<FunctionId, Function>) -> Codes {
        let mut codes: Vec<Option<Code>> = functions.values().map(Builder::code).collect();
        loop {
            let lacks = |code: &Code| {
                code.nodes.iter().any(|n| match n {
                    Node::Call(f, ..) => codes[f.index()].is_none(),
                    _ => false,
                })
            };
            let lost: Vec<usize> =
                (0..codes.len()).filter(|n| codes[*n].as_ref().is_some_and(lacks)).collect();
            if lost.is_empty() {
                return Codes { codes };
            }
            lost.into_iter().for_each(|n| codes[n] = None);
        }
    }

    /// Whether a function has code.
    pub fn has(&self, f: FunctionId) -> bool {
        self.codes[f.index()].is_some()
    }

    /// A function applied to scalars.
    pub fn call(
        &self,
        functions: &PrimaryMap<FunctionId, Function>,
        f: FunctionId,
        args: &[Scalar],
        depth: usize,
        span: Span,
    ) -> Result<Scalar, RunError> {
        let mut machine = Machine { codes: self, functions, stack: Vec::new(), depth };
        machine.stack.extend(args.iter().copied().map(Some));
        machine.call(f, span)
    }
}

struct Machine<'c> {
    codes: &'c Codes,
    functions: &'c PrimaryMap<FunctionId, Function>,
    /// The slots of the calls under way.
    stack: Vec<Option<Scalar>>,
    depth: usize,
}

/// What the place of a result gives.
enum Tail {
    Done(Scalar),
    /// A call whose arguments lie on top of the stack.
    Call(FunctionId),
}

impl Machine<'_> {
    /// Calls a function whose arguments lie on top of the stack, and takes them away.
    fn call(&mut self, f: FunctionId, span: Span) -> Result<Scalar, RunError> {
        if self.depth >= DEEPEST_CALL {
            return Err(too_deep(self.functions, f, span));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(32 << 10, 1 << 20, || self.run(f));
        self.depth -= 1;
        result
    }

    fn run(&mut self, f: FunctionId) -> Result<Scalar, RunError> {
        let codes = self.codes;
        let code = |f: FunctionId| codes.codes[f.index()].as_ref().expect("callees have code");
        let mut current = code(f);
        let base = self.stack.len() - current.args;
        loop {
            self.stack.resize(base + current.slots, None);
            match self.tail(current, base, current.root)? {
                Tail::Done(v) => {
                    self.stack.truncate(base);
                    return Ok(v);
                }
                Tail::Call(next) => {
                    let first = self.stack.len() - code(next).args;
                    self.stack.drain(base..first);
                    current = code(next);
                }
            }
        }
    }

    fn tail(&mut self, code: &Code, base: usize, at: NodeId) -> Result<Tail, RunError> {
        match &code.nodes[at as usize] {
            Node::If(c, a, b) => {
                let taken = self.eval(code, base, *c)? == Scalar::Bool(true);
                self.tail(code, base, if taken { *a } else { *b })
            }
            Node::Call(f, args, _) => {
                self.push_all(code, base, args)?;
                Ok(Tail::Call(*f))
            }
            _ => Ok(Tail::Done(self.eval(code, base, at)?)),
        }
    }

    fn push_all(&mut self, code: &Code, base: usize, args: &[NodeId]) -> Result<(), RunError> {
        for a in args {
            let v = self.eval(code, base, *a)?;
            self.stack.push(Some(v));
        }
        Ok(())
    }

    fn eval(&mut self, code: &Code, base: usize, at: NodeId) -> Result<Scalar, RunError> {
        Ok(match &code.nodes[at as usize] {
            Node::Const(v) => *v,
            Node::Slot(n) => self.stack[base + *n as usize].expect("arguments are there"),
            Node::Kept(n, value) => match self.stack[base + *n as usize] {
                Some(v) => v,
                None => {
                    let v = self.eval(code, base, *value)?;
                    self.stack[base + *n as usize] = Some(v);
                    v
                }
            },
            Node::Unary(op, x) => eval::unary(*op, self.eval(code, base, *x)?),
            Node::Binary(op, a, b, span) => {
                let (a, b) = (self.eval(code, base, *a)?, self.eval(code, base, *b)?);
                eval::binary(*op, a, b).map_err(|trap| failed(trap.to_string(), *span))?
            }
            Node::Cast(ty, x) => eval::cast(self.eval(code, base, *x)?, *ty),
            Node::If(c, a, b) => {
                let taken = self.eval(code, base, *c)? == Scalar::Bool(true);
                self.eval(code, base, if taken { *a } else { *b })?
            }
            Node::Call(f, args, span) => {
                self.push_all(code, base, args)?;
                self.call(*f, *span)?
            }
        })
    }
}

/// Makes the code of a function.
struct Builder<'f> {
    program: &'f Program,
    nodes: Vec<Node>,
    vars: BTreeMap<VarId, NodeId>,
    params: BTreeMap<Param, NodeId>,
    slots: u32,
}

impl<'f> Builder<'f> {
    fn code(f: &'f Function) -> Option<Code> {
        let mut b = Builder {
            program: &f.body,
            nodes: Vec::new(),
            vars: BTreeMap::new(),
            params: BTreeMap::new(),
            slots: f.args.len() as u32,
        };
        for (n, var) in f.args.iter().enumerate() {
            let node = b.add(Node::Slot(n as u32));
            b.vars.insert(*var, node);
        }
        b.steps(&f.body.steps)?;
        let root = b.value(&f.body.result.as_ref()?.value)?;
        Some(Code { nodes: b.nodes, root, args: f.args.len(), slots: b.slots as usize })
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    /// Steps that only name integers.
    fn steps(&mut self, steps: &[Step]) -> Option<()> {
        for step in steps {
            let Step::Define(p, value) = step else { return None };
            let value = self.value(value)?;
            let wide = self.add(Node::Cast(ScalarType::I64, value));
            self.params.insert(*p, wide);
        }
        Some(())
    }

    fn value(&mut self, v: &Value) -> Option<NodeId> {
        let node = match v {
            Value::Const(v) => Node::Const(*v),
            Value::Int(size, ty) => {
                let n = self.size(size)?;
                Node::Cast(*ty, n)
            }
            Value::Var(id) => return self.var(*id),
            Value::Unary(op, x) => Node::Unary(*op, self.value(x)?),
            Value::Binary(op, a, b, span) => {
                Node::Binary(*op, self.value(a)?, self.value(b)?, *span)
            }
            Value::Cast(ty, x) => Node::Cast(*ty, self.value(x)?),
            Value::If(c, a, b) => {
                let c = self.value(c)?;
                Node::If(c, self.block(a)?, self.block(b)?)
            }
            Value::Block(b) => return self.block(b),
            Value::Call(f, args, span) => {
                let args: Option<Vec<NodeId>> = args.iter().map(|a| self.value(a)).collect();
                Node::Call(*f, args?, *span)
            }
            _ => return None,
        };
        Some(self.add(node))
    }

    fn block(&mut self, b: &crate::Block) -> Option<NodeId> {
        if !b.steps.is_empty() {
            return None;
        }
        self.value(&b.value)
    }

    fn var(&mut self, id: VarId) -> Option<NodeId> {
        if let Some(known) = self.vars.get(&id) {
            return Some(*known);
        }
        let value = self.value(self.program.vars[id].as_ref()?)?;
        let slot = self.slots;
        self.slots += 1;
        let node = self.add(Node::Kept(slot, value));
        self.vars.insert(id, node);
        Some(node)
    }

    /// A parameter times a number, and a number more; other sizes have no code.
    fn size(&mut self, size: &Size) -> Option<NodeId> {
        let here = Span::new(weft_base::FileId::from_u32(0), 0, 0);
        let constant = i64::try_from(size.constant_term()).ok()?;
        let mut sum = self.add(Node::Const(Scalar::I64(constant)));
        for (monomial, factor) in size.terms() {
            let [Atom::Param(p)] = monomial.as_slice() else { return None };
            let factor = i64::try_from(*factor).ok()?;
            let mut term = *self.params.get(p)?;
            if factor != 1 {
                let factor = self.add(Node::Const(Scalar::I64(factor)));
                term = self.add(Node::Binary(BinaryOp::Mul, term, factor, here));
            }
            sum = match self.nodes[sum as usize] {
                Node::Const(Scalar::I64(0)) => term,
                _ => self.add(Node::Binary(BinaryOp::Add, term, sum, here)),
            };
        }
        Some(sum)
    }
}
