//! Host values that a derivative leads through, as definitions of the graph.
//!
//! A call of a recursive function of scalars is made by the host where no index reaches it.
//! Where a derivative asks how it changes, the graph makes the call.

use super::kept::linear_tensors;
use crate::unit::Unit;
use crate::unit::arithmetic::Arithmetic;
use crate::unit::tensors::reads;
use crate::unit::values::tensors_in;
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::entity::EntityRef;
use weft_base::{Name, Span};
use weft_domain::{Affine, Space};
use weft_host::{DataOp, Scalars, Value, VarId, Vars};
use weft_scalar::function::FunctionId;
use weft_tensor::{Accumulator, AssignId, Assignment, Expr as Node, ExprId, Exprs, TensorId};

/// A derivative that leads through what only the host computes.
pub(super) struct Blocked {
    /// The place that asks for it.
    pub span: Option<Span>,
    /// The function outside of the program that computes it, if one does.
    pub foreign: Option<Name>,
}

/// Has the graph compute what the host would, where derivatives lead through it.
///
/// # Errors
///
/// Where a derivative leads through what only the host computes.
pub(super) fn define(work: &mut Work<'_>, scalars: &Scalars) -> Result<(), Blocked> {
    while let Some((target, value, span)) = between(&work.unit) {
        let (exprs, known) = Default::default();
        let mut writer = Writer { work: &mut *work, scalars, exprs, known };
        let Some(body) = writer.value(&value) else {
            let foreign = called_outside(work.unit.values.vars(), &value).cloned();
            return Err(Blocked { span, foreign });
        };
        let exprs = writer.exprs;
        work.unit.values.take_back(target);
        work.unit.tensors.undefine(target);
        let (space, write) = (Space::default(), Vec::new());
        let (accumulator, mask) = (Accumulator::Set, None);
        let assignment = Assignment { target, space, write, accumulator, mask, body, exprs };
        work.unit.tensors.assign(assignment);
    }
    Ok(())
}

/// A float of the host between what is differentiated and by what, and where that is
/// asked for.
fn between(unit: &Unit) -> Option<(TensorId, Value, Option<Span>)> {
    // Most programs have no values of the host, and need no look at their graph.
    unit.values.sources().next()?;
    let float = |t: &TensorId| unit.tensors.elem(*t).is_float();
    let paths = Paths::of(unit);
    unit.derivatives.quotients().iter().find_map(|q| {
        let leads = |value: &Value| {
            let mut read = BTreeSet::new();
            tensors_in(unit.values.vars(), value, &mut read);
            read.iter().any(|r| unit.above(*r).contains(&q.independent))
        };
        let above = paths.differentiated(q.target);
        let given = |t: &TensorId| Some((*t, unit.values.given(*t).filter(|v| leads(v))?.clone()));
        let (target, value) = above.iter().filter(|t| float(t)).find_map(given)?;
        Some((target, value, q.span))
    })
}

/// The first function outside of the program that a value is made by.
fn called_outside<'v>(vars: &'v Vars, value: &'v Value) -> Option<&'v Name> {
    match value {
        Value::Data(DataOp::Foreign(call), ..) => Some(&call.path),
        Value::Var(id) => called_outside(vars, vars[*id].as_ref()?),
        Value::Field(v, _) | Value::Unary(_, v, _) | Value::Cast(_, v) => called_outside(vars, v),
        Value::Binary(_, a, b, _) => called_outside(vars, a).or_else(|| called_outside(vars, b)),
        Value::Tuple(all) | Value::Call(_, all, _) | Value::Data(_, all, _) => {
            all.iter().find_map(|v| called_outside(vars, v))
        }
        _ => None,
    }
}

/// The ways from tensors to those that they are computed from, as far as a derivative takes them:
/// through what stands in for a piece, and of a differential through its leaves alone.
struct Paths<'u> {
    unit: &'u Unit,
    /// Stand-ins for pieces.
    rules: BTreeMap<AssignId, &'u Assignment>,
    /// The leaves of differentials, and what is made of them.
    linear: BTreeSet<TensorId>,
}

impl<'u> Paths<'u> {
    fn of(unit: &'u Unit) -> Paths<'u> {
        let rules = unit.derivatives.rules().iter().map(|r| (r.piece, &r.stands_in)).collect();
        let linear = linear_tensors(unit.tensors.graph(), unit.derivatives.live_copies());
        Paths { unit, rules, linear }
    }

    /// All that a derivative of a tensor may lead through. A derivative in it is differentiated
    /// again: its target once more than it is, and the factors there as often as it is.
    fn differentiated(&self, t: TensorId) -> BTreeSet<TensorId> {
        let quotients = self.unit.derivatives.quotients();
        // By how often each is differentiated besides once; in recurrences that has no end.
        let mut known: BTreeMap<TensorId, usize> = BTreeMap::new();
        let mut stack = vec![(t, 0)];
        while let Some((t, again)) = stack.pop() {
            if known.get(&t).is_some_and(|most| *most >= again) {
                continue;
            }
            known.insert(t, again);
            let (followed, factors) = self.reads(t);
            stack.extend(followed.into_iter().map(|r| (r, again)));
            if again > 0 {
                stack.extend(factors.into_iter().map(|f| (f, again - 1)));
            }
            let deeper = quotients.iter().filter(|q| q.tensor == t);
            stack.extend(deeper.map(|q| (q.target, (again + 1).min(quotients.len()))));
        }
        known.into_keys().collect()
    }

    /// Reads of a tensor's pieces: those that a derivative follows, and the factors that it has there.
    fn reads(&self, t: TensorId) -> (Vec<TensorId>, Vec<TensorId>) {
        let graph = self.unit.tensors.graph();
        let (mut followed, mut factors) = (Vec::new(), Vec::new());
        for p in graph.pieces(t) {
            let rule = self.rules.get(p).copied();
            let exprs = &rule.unwrap_or(&graph.assigns[*p]).exprs;
            let is_leaf = |r: &TensorId| self.linear.contains(r);
            // A live copy reads what it stands for, and no leaf.
            let linear = self.linear.contains(&t) && reads(exprs).any(|r| is_leaf(&r));
            let (leaves, others): (Vec<_>, Vec<_>) = reads(exprs).partition(is_leaf);
            followed.extend(leaves);
            match rule.is_some() || linear {
                true => factors.extend(others),
                false => followed.extend(others),
            }
        }
        if let Some(value) = self.unit.values.given(t) {
            let mut read = BTreeSet::new();
            tensors_in(self.unit.values.vars(), value, &mut read);
            followed.extend(read);
        }
        (followed, factors)
    }
}

/// Writes a host value as a scalar body; `None` for what only the host can compute.
struct Writer<'s, 'p> {
    work: &'s mut Work<'p>,
    scalars: &'s Scalars,
    /// The body under construction; a host value has no indices.
    exprs: Exprs,
    known: BTreeMap<VarId, ExprId>,
}

impl Writer<'_, '_> {
    fn arithmetic(&mut self) -> Arithmetic<'_> {
        self.work.unit.tensors.arithmetic(&mut self.exprs)
    }

    fn value(&mut self, v: &Value) -> Option<ExprId> {
        match v {
            Value::Tensor(t) => {
                let tensor = &self.work.unit.tensors.graph().tensors[*t];
                let read = Node::Read { tensor: *t, index: Vec::new(), site: None };
                (tensor.rank() == 0).then(|| self.exprs.add(read, tensor.elem))
            }
            Value::Int(size, ty, span) => {
                let mut arithmetic = self.arithmetic();
                let n = arithmetic.index(Affine::fixed(size.clone()), *span);
                Some(arithmetic.fitted(*ty, n, *span))
            }
            Value::Const(v) => Some(self.exprs.constant(*v)),
            Value::Var(id) => self.var(*id),
            Value::Unary(op, x, span) => {
                let x = self.value(x)?;
                Some(self.arithmetic().operate_on(*op, x, *span))
            }
            Value::Binary(op, a, b, span) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(self.arithmetic().operate(*op, (a, b), *span))
            }
            Value::Cast(ty, x) => {
                let x = self.value(x)?;
                Some(self.exprs.cast(*ty, x))
            }
            Value::If(c, a, b) if a.steps.is_empty() && b.steps.is_empty() => {
                let (c, a, b) = (self.value(c)?, self.value(&a.value)?, self.value(&b.value)?);
                Some(self.exprs.if_else(c, a, b))
            }
            Value::Block(b) if b.steps.is_empty() => self.value(&b.value),
            Value::Call(f, args, _) => self.call(*f, args),
            Value::Field(whole, n) => self.member(whole, &[*n]),
            _ => None,
        }
    }

    fn var(&mut self, id: VarId) -> Option<ExprId> {
        if let Some(e) = self.known.get(&id) {
            return Some(*e);
        }
        let value = self.work.unit.values.var(id).cloned()?;
        let e = self.value(&value)?;
        self.known.insert(id, e);
        Some(e)
    }

    fn call(&mut self, f: weft_host::FunctionId, args: &[Value]) -> Option<ExprId> {
        self.scalars.of_one_value(f)?;
        let (forms, result) = self.work.functions.get(f).scalars.clone()?;
        let mut given = Vec::new();
        for (arg, form) in args.iter().zip(forms) {
            for (path, ty) in form.paths().into_iter().zip(form.leaves()) {
                let leaf = self.member(arg, &path)?;
                given.push(self.exprs.cast(ty, leaf));
            }
        }
        let function = FunctionId::new(f.index());
        let ty = *result.leaves().first()?;
        Some(self.exprs.add(Node::Call { function, args: given }, ty))
    }

    /// The member of a tuple that `path` leads to.
    fn member(&mut self, v: &Value, path: &[usize]) -> Option<ExprId> {
        match (v, path) {
            (v, []) => self.value(v),
            (Value::Tuple(members), [n, rest @ ..]) => self.member(members.get(*n)?, rest),
            (Value::Field(whole, n), _) => self.member(whole, &[&[*n], path].concat()),
            (Value::Var(id), _) => {
                let value = self.work.unit.values.var(*id).cloned()?;
                self.member(&value, path)
            }
            _ => None,
        }
    }
}
