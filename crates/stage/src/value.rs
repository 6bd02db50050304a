//! Host-level values: what names stand for, and what can be shown.

use crate::env::{Bound, EnvId};
use crate::stager::Stager;
use weft_host::{Piece, Value};
use weft_sema::hir::{Block, Call, Expr, ExprKind, LocalId, StrPart, Ty};
use weft_shape::Size;
use weft_tensor::TensorId;

impl<'p> Stager<'p> {
    /// The environment of a call: arguments bound, sizes translated.
    pub fn enter_call(&mut self, call: &'p Call, env: EnvId) -> EnvId {
        let inner = self.new_env(call.body, None);
        for (p, s) in &call.sizes {
            let size: Size = self.size(env, s);
            self.envs[inner].sizes.insert(*p, size);
        }
        let arguments = &self.body(inner).arguments;
        for (id, arg) in arguments.iter().zip(&call.args) {
            let bound = match &arg.kind {
                ExprKind::Local(local) if arg.term.is_none() => {
                    self.lookup(env, *local).map_or(Bound::Thunk(arg, env), |(b, _)| b)
                }
                _ => Bound::Thunk(arg, env),
            };
            self.envs[inner].values.insert(*id, bound);
        }
        inner
    }

    /// What a host-level name stands for. Arrays become tensors, once.
    pub fn bind_value(&mut self, e: &'p Expr, env: EnvId, name: Option<LocalId>) -> Bound<'p> {
        match (&e.kind, &e.ty) {
            (ExprKind::Local(id), _) if e.term.is_none() => match self.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) => self.bind_value(value, at, name),
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            (ExprKind::Call(call), _) => {
                let inner = self.enter_host_call(call, env);
                let block = &self.body(inner).block;
                self.bind_host_block(block, inner, name, e, env)
            }
            (ExprKind::Block(block), _) => {
                let inner = self.child(env);
                self.bind_host_block(block, inner, name, e, env)
            }
            (ExprKind::Tuple(members), _) => {
                Bound::Tuple(members.iter().map(|m| self.bind_value(m, env, None)).collect())
            }
            (ExprKind::Field(x, n), _) => match self.bind_value(x, env, None) {
                Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                _ => Bound::Thunk(e, env),
            },
            // Each use says which part it needs.
            (ExprKind::Quotient(..), _) if name.is_some() => Bound::Thunk(e, env),
            (_, Ty::Array(..)) if e.term.is_none() => {
                let tensor = self.array_tensor(e, env, name);
                Bound::Tensor { tensor, outer: Vec::new() }
            }
            _ => Bound::Thunk(e, env),
        }
    }

    fn array_tensor(&mut self, e: &'p Expr, env: EnvId, name: Option<LocalId>) -> TensorId {
        if let ExprKind::Array(_) = e.kind
            && let Some(t) = self.constant_array(e)
        {
            if let Some(id) = name {
                let local = &self.body(env).locals[id];
                let (name, span) = (local.name.clone(), local.span);
                let tensor = &mut self.graph().tensors[t];
                tensor.name.get_or_insert(name);
                tensor.span = Some(span);
            }
            return t;
        }
        self.define_value(e, env, name)
    }

    /// A call at host level: array arguments are computed once.
    fn enter_host_call(&mut self, call: &'p Call, env: EnvId) -> EnvId {
        let inner = self.enter_call(call, env);
        let arguments = &self.body(inner).arguments;
        for (id, arg) in arguments.iter().zip(&call.args) {
            let bound = self.bind_value(arg, env, None);
            self.envs[inner].values.insert(*id, bound);
        }
        inner
    }

    fn bind_host_block(
        &mut self,
        block: &'p Block,
        inner: EnvId,
        name: Option<LocalId>,
        e: &'p Expr,
        env: EnvId,
    ) -> Bound<'p> {
        self.statements(&block.stmts, inner);
        match &block.tail {
            // A term is known without running the block again.
            Some(_) if e.term.is_some() => Bound::Thunk(e, env),
            Some(tail) => {
                let same_body = self.envs[inner].body == self.envs[env].body;
                self.bind_value(tail, inner, name.filter(|_| same_body))
            }
            None => Bound::Tuple(Vec::new()),
        }
    }

    /// A value that can be shown or handed out.
    pub fn host_value(&mut self, e: &'p Expr, env: EnvId) -> Value {
        if let (Some(term), Ty::Array(..)) = (&e.term, &e.ty)
            && let Some(size) = self.term(env, term).as_size()
        {
            return Value::Int(size.clone(), self.elem(&e.ty));
        }
        match (&e.kind, &e.ty) {
            (ExprKind::Str(parts), _) => {
                Value::Text(parts.iter().map(|p| self.piece(p, env)).collect())
            }
            _ => {
                let bound = self.bind_value(e, env, None);
                self.shown(bound, e)
            }
        }
    }

    fn shown(&mut self, bound: Bound<'p>, e: &'p Expr) -> Value {
        match bound {
            Bound::Tensor { tensor, .. } => Value::Tensor(tensor),
            Bound::Tuple(members) => {
                Value::Tuple(members.into_iter().map(|m| self.shown(m, e)).collect())
            }
            Bound::Thunk(value, env) => match (&value.kind, &value.term) {
                (ExprKind::Str(_), _) | (_, Some(_)) => self.host_value(value, env),
                (ExprKind::Quotient(..), _) => Value::Tensor(self.define_value(value, env, None)),
                (ExprKind::Local(id), _) => match self.lookup(env, *id) {
                    Some((b, _)) => self.shown(b, e),
                    None => self.cannot_show(e),
                },
                _ => self.cannot_show(e),
            },
        }
    }

    fn cannot_show(&mut self, e: &Expr) -> Value {
        self.unsupported(e.span, "this value here");
        Value::Tuple(Vec::new())
    }

    fn piece(&mut self, p: &'p StrPart, env: EnvId) -> Piece {
        match p {
            StrPart::Text(t) => Piece::Text(t.clone()),
            StrPart::Value(e, spec) => {
                let format = spec.as_ref().map(crate::statement::format);
                Piece::Value(self.host_value(e, env), format)
            }
        }
    }

    /// A rank-0 tensor of an expression that is observed.
    pub fn observed_scalar(&mut self, e: &'p Expr, env: EnvId) -> TensorId {
        match self.bind_value(e, env, None) {
            Bound::Tensor { tensor, .. } => tensor,
            _ => self.define_value(e, env, None),
        }
    }
}
