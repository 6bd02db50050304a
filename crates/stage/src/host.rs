//! The host level: what runs once, in source order. Numbers and tensors are definitions of the
//! graph as long as they can be; an expression that looks at host data, or calls what is a
//! function of the host, is a host expression.

pub(crate) mod function;
mod kind;
mod statement;
mod value;

use crate::cell::Cell;
use crate::frame::Frame;
use crate::known::types::elem_of;
use crate::scope::{Bound, EnvId};
use crate::unit::tensors::unnamed;
use crate::work::Work;
use weft_base::Span;
use weft_host::{self as host, Value};
use weft_sema::thir::{Block, Call, Expr, ExprKind, LocalId, Ty};
use weft_shape::Size;
use weft_syntax::ast;
use weft_tensor::{Accumulator, Assignment, TensorId};

/// A place at host level: what its names stand for, its values and statements.
pub(crate) struct Host<'a, 'p> {
    work: &'a mut Work<'p>,
    env: EnvId,
}

impl<'a, 'p> Host<'a, 'p> {
    /// A place where names are those of an environment.
    pub fn new(work: &'a mut Work<'p>, env: EnvId) -> Self {
        Host { work, env }
    }

    /// The same with the names of another environment.
    fn within(&mut self, env: EnvId) -> Host<'_, 'p> {
        Host { work: &mut *self.work, env }
    }

    /// The same with names of its own.
    fn child(&mut self) -> Host<'_, 'p> {
        let env = self.work.scopes.child(self.env);
        self.within(env)
    }

    /// What a name stands for. Arrays become tensors, once.
    pub fn bind(&mut self, e: &'p Expr, name: Option<LocalId>) -> Bound<'p> {
        let env = self.env;
        if e.ty == Ty::unit() {
            if self.work.bodies.has_effects(e) {
                self.effect(e);
            }
            return Bound::Tuple(Vec::new());
        }
        if e.term.is_none() && kind::is_hosty(self.work, e, env) {
            return self.bind_host(e);
        }
        match (&e.kind, &e.ty) {
            (ExprKind::Local(id), _) if e.term.is_none() => {
                match self.work.scopes.lookup(env, *id) {
                    Some((Bound::Thunk(value, at), _)) => self.within(at).bind(value, name),
                    Some((bound, _)) => bound,
                    None => Bound::Thunk(e, env),
                }
            }
            (ExprKind::Call(call), _) => {
                let inner = self.enter(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.bind_block(block, inner, name, e)
            }
            (ExprKind::Block(block), _) => {
                let inner = self.work.scopes.child(env);
                self.bind_block(block, inner, name, e)
            }
            (ExprKind::Tuple(members), _) => {
                Bound::Tuple(members.iter().map(|m| self.bind(m, None)).collect())
            }
            (ExprKind::Field(x, n), _) => match self.bind(x, None) {
                Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                _ => Bound::Thunk(e, env),
            },
            // Each use says which part it needs.
            (ExprKind::Quotient(..), _) if name.is_some() => Bound::Thunk(e, env),
            (_, Ty::Array(..)) if e.term.is_none() => Bound::whole(self.array(e, name)),
            (ExprKind::Str(parts), _) if parts.len() > 1 => self.bind_host(e),
            _ => Bound::Thunk(e, env),
        }
    }

    /// As `bind`, for what is known to be no host expression at its root.
    fn bind_plain(&mut self, e: &'p Expr) -> Bound<'p> {
        let env = self.env;
        match &e.kind {
            ExprKind::Field(x, n) if kind::reaches_host(self.work, e, x, env) => {
                match self.bind(x, None) {
                    Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                    Bound::Host(v) => Bound::of_host(Value::Field(Box::new(v), *n), &e.ty),
                    _ => Bound::Thunk(e, env),
                }
            }
            ExprKind::Call(call) => {
                let inner = self.enter(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.bind_block(block, inner, None, e)
            }
            ExprKind::Block(block) => {
                let inner = self.work.scopes.child(env);
                self.bind_block(block, inner, None, e)
            }
            ExprKind::Local(id) => match self.work.scopes.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) => self.within(at).bind(value, None),
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            _ => self.bind(e, None),
        }
    }

    /// A value of the host under a name, computed at most once.
    fn bind_host(&mut self, e: &'p Expr) -> Bound<'p> {
        let var = match self.value(e) {
            Value::Var(id) => id,
            // Files are as they are here, not where the value is looked at.
            value if self.work.bodies.touches_files(e) => self.in_turn(value),
            value => self.work.unit.values.name(value),
        };
        Bound::of_host(Value::Var(var), &e.ty)
    }

    /// A call: array arguments are computed once.
    fn enter(&mut self, call: &'p Call, span: Span) -> EnvId {
        let inner = self.work.scopes.called(call.body, self.env, span);
        for (p, s) in &call.sizes {
            let size = self.work.scopes.size(self.env, s);
            self.work.scopes.bind_size(inner, *p, size);
        }
        let body = self.work.scopes.body(inner);
        for (id, arg) in body.arguments.iter().zip(&call.args) {
            let bound = match body.locals[*id].differentiated {
                true => self.differentiable(arg, None),
                false => self.bind(arg, None),
            };
            self.work.scopes.bind(inner, *id, bound);
        }
        inner
    }

    fn bind_block(
        &mut self,
        block: &'p Block,
        inner: EnvId,
        name: Option<LocalId>,
        e: &'p Expr,
    ) -> Bound<'p> {
        self.within(inner).statements(&block.stmts);
        let bound = match &block.tail {
            // A term is known without running the block again: where it is used it stands for
            // its tail, whose own statements run now.
            Some(tail) if e.term.is_some() => self.within(inner).bind(tail, None),
            Some(tail) => {
                let same_body = self.work.scopes.same_body(inner, self.env);
                self.within(inner).bind(tail, name.filter(|_| same_body))
            }
            None => Bound::Tuple(Vec::new()),
        };
        // The value itself may be a block that finds its extents.
        if let ExprKind::Call(call) = &e.kind {
            for (here, there) in &call.results {
                let size = self.work.scopes.size(inner, &Size::param(*there));
                let home = self.work.scopes.outermost(self.env);
                self.work.scopes.bind_size(home, *here, size);
            }
        }
        bound
    }

    /// A value that derivatives are taken of, or by: a tensor of its own, so that it has an
    /// identity.
    fn differentiable(&mut self, e: &'p Expr, name: Option<LocalId>) -> Bound<'p> {
        if e.ty.members().is_some() {
            let bound = self.bind(e, None);
            return self.members_as_tensors(bound);
        }
        Bound::whole(self.define(e, name))
    }

    /// A tuple whose floats are tensors, each with an identity.
    fn members_as_tensors(&mut self, bound: Bound<'p>) -> Bound<'p> {
        match bound {
            Bound::Tuple(members) => {
                Bound::Tuple(members.into_iter().map(|m| self.members_as_tensors(m)).collect())
            }
            Bound::Thunk(e, env) if matches!(e.ty, Ty::Array(..)) && e.term.is_none() => {
                Bound::whole(self.within(env).define(e, None))
            }
            other => other,
        }
    }

    fn array(&mut self, e: &'p Expr, name: Option<LocalId>) -> TensorId {
        if let ExprKind::Array(_) = e.kind
            && let Some(t) = self.work.unit.tensors.constant_array(e)
        {
            if let Some(id) = name {
                let local = self.work.scopes.local(self.env, id);
                self.work.unit.tensors.call(t, local.name.clone(), local.span);
            }
            return t;
        }
        self.define(e, name)
    }

    /// A plain tensor value as a definition of its own: `let y = a + b;`.
    pub fn define(&mut self, e: &'p Expr, name: Option<LocalId>) -> TensorId {
        let mut frame = Frame::default();
        let shape = self.work.scopes.shape(self.env, &e.ty);
        let (_, write) = frame.open_axes(shape.clone());
        let body = Cell::new(self.work, self.env, &mut frame).lower(e, &write);
        let named = name.map(|id| {
            let local = self.work.scopes.local(self.env, id);
            (local.name.clone(), local.span)
        });
        let tensors = &mut self.work.unit.tensors;
        let axes = shape.into_iter().map(unnamed).collect();
        let target = tensors.tensor(named, elem_of(&e.ty), axes);
        tensors.span_or(target, e.span);
        let (Frame { space, exprs, .. }, accumulator, mask) = (frame, Accumulator::Set, None);
        tensors.define_covered(Assignment { target, space, write, accumulator, mask, body, exprs });
        target
    }
}

/// A format as the host applies it.
pub(crate) fn format(spec: &ast::FormatSpec) -> host::Format {
    host::Format {
        fill: spec.fill,
        align: spec.align.map(|a| match a {
            ast::Align::Left => host::Align::Left,
            ast::Align::Center => host::Align::Center,
            ast::Align::Right => host::Align::Right,
        }),
        plus: spec.plus,
        zero: spec.zero,
        width: spec.width.map(|w| w as usize),
        grouped: spec.grouped,
        precision: spec.precision.map(|p| p as usize),
        kind: spec.kind.map(|k| match k {
            ast::FormatKind::Exponent => host::FormatKind::Exponent,
            ast::FormatKind::Decimal => host::FormatKind::Decimal,
            ast::FormatKind::Hex => host::FormatKind::Hex,
            ast::FormatKind::Fixed => host::FormatKind::Fixed,
            ast::FormatKind::Percent => host::FormatKind::Percent,
        }),
    }
}
