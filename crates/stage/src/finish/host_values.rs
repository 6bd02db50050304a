//! Host values that a derivative leads through, as definitions of the graph.
//!
//! A call of a recursive function of scalars is made by the host where no index reaches it.
//! Where a derivative asks how it changes, the graph makes the call.

use crate::unit::Unit;
use crate::unit::arithmetic::Arithmetic;
use crate::unit::tensors::reads;
use crate::unit::values::tensors_in;
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Space};
use weft_host::{Scalars, Value, VarId};
use weft_scalar::function::FunctionId;
use weft_tensor::{Accumulator, Assignment, Expr as Node, ExprId, Exprs, TensorId};

/// Has the graph compute what the host would, where derivatives lead through it.
///
/// # Errors
///
/// Where a derivative leads through what only the host computes.
pub(super) fn define(work: &mut Work<'_>, scalars: &Scalars) -> Result<(), Option<Span>> {
    while let Some((target, span)) = between(&work.unit) {
        let value = work.unit.values.given(target).cloned().ok_or(span)?;
        let (exprs, known) = Default::default();
        let mut writer = Writer { work: &mut *work, scalars, exprs, known };
        let body = writer.value(&value).ok_or(span)?;
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
fn between(unit: &Unit) -> Option<(TensorId, Option<Span>)> {
    let float = |t: &TensorId| unit.tensors.elem(*t).is_float();
    unit.derivatives.quotients().iter().find_map(|q| {
        let leads = |value: &Value| {
            let mut read = BTreeSet::new();
            tensors_in(unit.values.vars(), value, &mut read);
            read.iter().any(|r| unit.above(*r).contains(&q.independent))
        };
        let above = differentiated(unit, q.target);
        let mut sources = above.iter().filter(|t| float(t));
        Some((*sources.find(|t| unit.values.given(**t).is_some_and(leads))?, q.span))
    })
}

/// All that a derivative of a tensor may lead through. What a derivative in it is made of counts
/// too, since that is differentiated again: with all that its rules read, in sight and hidden.
fn differentiated(unit: &Unit, t: TensorId) -> BTreeSet<TensorId> {
    let mut all = unit.above(t);
    loop {
        let inside = unit.derivatives.quotients().iter().filter(|q| all.contains(&q.tensor));
        let mut found: Vec<TensorId> = inside.map(|q| q.target).collect();
        if found.is_empty() {
            return all;
        }
        let pieces = |t: &TensorId| unit.tensors.graph().pieces(*t).to_vec();
        let made: BTreeSet<_> = found.iter().chain(&all).flat_map(pieces).collect();
        for rule in unit.derivatives.rules().iter().filter(|r| made.contains(&r.piece)) {
            found.extend(reads(&rule.stands_in.exprs).chain(rule.hides));
        }
        let before = all.len();
        all.extend(found.into_iter().flat_map(|t| unit.above(t)));
        if all.len() == before {
            return all;
        }
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
