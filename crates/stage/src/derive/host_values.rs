//! Host values that a derivative leads through, as definitions of the graph.
//!
//! A call of a recursive function of scalars is made by the host where no index reaches it.
//! Where a derivative asks how it changes, the graph makes the call.

use crate::frame::Frame;
use crate::stager::Stager;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_host::{Scalars, Value, VarId};
use weft_scalar::function::FunctionId;
use weft_tensor::{Accumulator, Assignment, Definition, Expr as Node, ExprId, Space, TensorId};

impl Stager<'_> {
    /// Has the graph compute what the host would, where derivatives lead through it.
    ///
    /// # Errors
    ///
    /// Where a derivative leads through what only the host computes.
    pub fn define_host_values(&mut self, scalars: &Scalars) -> Result<(), Option<Span>> {
        while let Some((t, span)) = self.host_value_between() {
            let value = self.unit.out.sources[&t].clone();
            let known = BTreeMap::new();
            let mut writer = Writer { stager: self, scalars, frame: Frame::default(), known };
            let body = writer.value(&value).ok_or(span)?;
            let Writer { frame: Frame { exprs, .. }, .. } = writer;
            self.unit.out.sources.remove(&t);
            self.unit.sources.retain(|_, known| *known != t);
            self.graph().tensors[t].definition =
                Definition::Assigned { pieces: Vec::new(), covered: true };
            self.graph().assign(Assignment {
                target: t,
                space: Space::default(),
                write: Vec::new(),
                accumulator: Accumulator::Set,
                mask: None,
                body,
                exprs,
            });
        }
        Ok(())
    }

    /// A float of the host between what is differentiated and by what, and where that is
    /// asked for.
    fn host_value_between(&self) -> Option<(TensorId, Option<Span>)> {
        let out = &self.unit.out;
        let float = |t: &TensorId| out.graph.tensors[*t].elem.is_float();
        self.unit.quotients.iter().find_map(|q| {
            let leads = |t: &TensorId| {
                let mut read = BTreeSet::new();
                tensors_in(out, &out.sources[t], &mut read);
                read.iter().any(|r| self.above(*r).contains(&q.independent))
            };
            let above = self.above(q.target);
            let mut sources = above.iter().filter(|t| out.sources.contains_key(t) && float(t));
            Some((*sources.find(|t| leads(t))?, q.span))
        })
    }

    /// A tensor and all that it is computed from, however indirectly.
    pub(crate) fn above(&self, t: TensorId) -> BTreeSet<TensorId> {
        let out = &self.unit.out;
        let mut seen = BTreeSet::from([t]);
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            let mut read = BTreeSet::new();
            for p in out.graph.pieces(t) {
                read.extend(crate::linear::reads(&out.graph.assigns[*p].exprs));
            }
            if let Some(value) = out.sources.get(&t) {
                tensors_in(out, value, &mut read);
            }
            stack.extend(read.into_iter().filter(|r| seen.insert(*r)));
        }
        seen
    }
}

/// The tensors that a host value is computed from.
pub(crate) fn tensors_in(program: &weft_host::Program, v: &Value, out: &mut BTreeSet<TensorId>) {
    let mut all = |vs: &[Value]| vs.iter().for_each(|v| tensors_in(program, v, out));
    match v {
        Value::Tensor(t) => {
            out.insert(*t);
        }
        Value::Var(id) => {
            if let Some(v) = &program.vars[*id] {
                tensors_in(program, v, out);
            }
        }
        Value::Tuple(vs) | Value::Call(_, vs, _) | Value::Data(_, vs, _) => all(vs),
        Value::Field(v, _) | Value::Unary(_, v, _) | Value::Cast(_, v) => {
            tensors_in(program, v, out);
        }
        Value::Binary(_, a, b, _) => [a, b].into_iter().for_each(|v| tensors_in(program, v, out)),
        Value::If(c, a, b) => {
            tensors_in(program, c, out);
            [a, b].into_iter().for_each(|b| tensors_in(program, &b.value, out));
        }
        Value::Block(b) => tensors_in(program, &b.value, out),
        // An extent is locally constant.
        Value::Int(..) | Value::Const(_) | Value::Text(_) | Value::Extent(..) => {}
    }
}

/// Writes a host value as a scalar body; `None` for what only the host can compute.
struct Writer<'s, 'p> {
    stager: &'s mut Stager<'p>,
    scalars: &'s Scalars,
    /// The body under construction; a host value has no indices.
    frame: Frame<'p>,
    known: BTreeMap<VarId, ExprId>,
}

impl Writer<'_, '_> {
    fn value(&mut self, v: &Value) -> Option<ExprId> {
        match v {
            Value::Tensor(t) => {
                let tensor = &self.stager.unit.out.graph.tensors[*t];
                let read = Node::Read { tensor: *t, index: Vec::new(), site: None };
                (tensor.rank() == 0).then(|| self.frame.exprs.add(read, tensor.elem))
            }
            Value::Int(size, ty, span) => {
                let term = weft_domain::Affine::fixed(size.clone());
                let n = self.stager.lower_index(term, *span, &mut self.frame);
                Some(self.stager.fitted(*ty, n, *span, &mut self.frame))
            }
            Value::Const(v) => Some(self.frame.exprs.constant(*v)),
            Value::Var(id) => self.var(*id),
            Value::Unary(op, x, span) => {
                let x = self.value(x)?;
                Some(self.stager.operate_on(*op, x, *span, &mut self.frame))
            }
            Value::Binary(op, a, b, span) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Some(self.stager.operate(*op, (a, b), *span, &mut self.frame))
            }
            Value::Cast(ty, x) => {
                let x = self.value(x)?;
                Some(self.frame.exprs.cast(*ty, x))
            }
            Value::If(c, a, b) if a.steps.is_empty() && b.steps.is_empty() => {
                let (c, a, b) = (self.value(c)?, self.value(&a.value)?, self.value(&b.value)?);
                Some(self.frame.exprs.if_else(c, a, b))
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
        let value = self.stager.unit.out.vars[id].clone()?;
        let e = self.value(&value)?;
        self.known.insert(id, e);
        Some(e)
    }

    fn call(&mut self, f: weft_host::FunctionId, args: &[Value]) -> Option<ExprId> {
        self.scalars.of_one_value(f)?;
        let (forms, result) = self.stager.functions[f].scalars.clone()?;
        let mut given = Vec::new();
        for (arg, form) in args.iter().zip(forms) {
            for (path, ty) in form.paths().into_iter().zip(form.leaves()) {
                let leaf = self.member(arg, &path)?;
                given.push(self.frame.exprs.cast(ty, leaf));
            }
        }
        let function = FunctionId::new(f.index());
        let ty = *result.leaves().first()?;
        Some(self.frame.exprs.add(Node::Call { function, args: given }, ty))
    }

    /// The member of a tuple that `path` leads to.
    fn member(&mut self, v: &Value, path: &[usize]) -> Option<ExprId> {
        match (v, path) {
            (v, []) => self.value(v),
            (Value::Tuple(members), [n, rest @ ..]) => self.member(members.get(*n)?, rest),
            (Value::Field(whole, n), _) => self.member(whole, &[&[*n], path].concat()),
            (Value::Var(id), _) => {
                let value = self.stager.unit.out.vars[*id].clone()?;
                self.member(&value, path)
            }
            _ => None,
        }
    }
}
