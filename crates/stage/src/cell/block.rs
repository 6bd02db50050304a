//! Calls and blocks inside cell code. They are entered once for the indices that they depend
//! on, at however many places and cells their values are wanted: their definitions are lifted,
//! their names are evaluated where they are used, and what they assert guards the value.

use super::{Cell, plain_text};
use crate::frame::Frame;
use crate::lift::{Lifting, narrowed};
use crate::refusal;
use crate::scope::depend::Iters;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId};
use crate::unit::lifts::{EnterKey, Entered};
use weft_base::Span;
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Block, Call, Expr, ExprKind, LocalId, Stmt, Ty};
use weft_shape::Size;
use weft_tensor::{Expr as Node, ExprId, Exprs, IndexTerm, SiteId};

/// A condition that must hold, and what is said where it does not.
type Assertion = (ExprId, SiteId);

/// Calls and blocks that are entered, and what their names stand for.
impl<'p> Cell<'_, 'p> {
    /// The environment of a call, with the arguments bound and sizes translated.
    pub fn enter(&mut self, call: &'p Call, span: Span) -> EnvId {
        let env = self.env;
        let inner = self.work.scopes.called(call.body, env, span);
        for (p, s) in &call.sizes {
            let size = self.work.scopes.size(env, s);
            self.work.scopes.bind_size(inner, *p, size);
        }
        let body = self.work.scopes.body(inner);
        for (id, arg) in body.arguments.iter().zip(&call.args) {
            let known = match &arg.kind {
                _ if body.locals[*id].differentiated => Some(self.differentiable(*id, arg, inner)),
                ExprKind::Local(local) if arg.term.is_none() => {
                    self.work.scopes.lookup(env, *local).map(|(b, _)| b)
                }
                _ => None,
            };
            let bound = known.unwrap_or(Bound::Thunk(arg, env));
            self.work.scopes.bind(inner, *id, bound);
        }
        inner
    }

    /// The environment of a call, with the names of the function bound.
    pub fn enter_call(&mut self, call: &'p Call, span: Span) -> EnvId {
        let make = |cell: &mut Cell<'_, 'p>| {
            let inner = cell.enter(call, span);
            let block = &cell.work.scopes.body(inner).block;
            cell.within(inner).bind_statements(block);
            inner
        };
        if self.work.bodies.is_of_scalars(call.body) {
            // Nothing in it is a tensor of its own, under whatever path.
            let key = (std::ptr::from_ref(call).cast(), self.env, String::new());
            let entered = |env| Entered { env, lifts: false };
            return self.remembered(key, |cell| entered(make(cell))).env;
        }
        let depends = self.work.scopes.call_depends(call, self.env);
        self.entered_once(std::ptr::from_ref(call).cast(), depends, span, make)
    }

    /// The environment of a block, with its names bound.
    pub fn enter_block(&mut self, block: &'p Block, span: Span) -> EnvId {
        let make = |cell: &mut Cell<'_, 'p>| {
            let inner = cell.work.scopes.child(cell.env);
            cell.within(inner).bind_statements(block);
            inner
        };
        if block.stmts.is_empty() {
            return make(self);
        }
        let depends = self.work.scopes.block_depends(block, self.env);
        self.entered_once(std::ptr::from_ref(block).cast(), depends, span, make)
    }

    fn entered_once(
        &mut self,
        place: *const (),
        depends: Iters,
        span: Span,
        make: impl FnOnce(&mut Cell<'_, 'p>) -> EnvId,
    ) -> EnvId {
        let mut around: Frame<'p> = narrowed(self.work, self.frame, depends, span);
        let key = (place, self.env, around.signature());
        let entered = self.remembered(key, |cell| {
            let env = make(&mut Cell::new(cell.work, cell.env, &mut around));
            Entered { env, lifts: around.has_lifted() }
        });
        if entered.lifts {
            self.frame.lifts(&around);
        }
        entered.env
    }

    fn remembered(&mut self, key: EnterKey, make: impl FnOnce(&mut Self) -> Entered) -> Entered {
        if let Some(known) = self.work.unit.lifts.entered(&key) {
            return known;
        }
        let entered = make(self);
        self.work.unit.lifts.enter(key, entered);
        entered
    }

    fn bind_statements(&mut self, block: &'p Block) {
        block.stmts.iter().for_each(|stmt| self.bind_statement(stmt));
    }

    /// Binds the names of a statement.
    pub fn bind_statement(&mut self, stmt: &'p Stmt) {
        let env = self.env;
        match stmt {
            Stmt::Let(id, e) if self.work.bodies.is_for_effect(e) => {
                self.work.scopes.bind(env, *id, Bound::Tuple(Vec::new()));
            }
            Stmt::Let(id, e) => {
                let bound = match self.work.scopes.local(env, *id).differentiated {
                    true => self.differentiable(*id, e, env),
                    false => self.bind(e),
                };
                self.work.scopes.bind(env, *id, bound);
            }
            Stmt::Tensors(definitions) => {
                let depends = self.work.scopes.group_depends(definitions, env);
                let span = self.work.scopes.local(env, definitions[0].local).span;
                Lifting::out_of(self.work, env, self.frame, depends, span).definitions(definitions);
            }
            Stmt::Check(check) => self.work.check(check, env),
            Stmt::Define(p, e) => {
                self.work.tell(refusal::extent_in_cells(e.span));
                self.work.scopes.bind_size(env, *p, Size::from(0));
            }
            Stmt::Measure(id, params) => {
                let span = self.work.scopes.local(env, *id).span;
                self.work.tell(refusal::extent_in_cells(span));
                params.iter().for_each(|p| self.work.scopes.bind_size(env, *p, Size::from(0)));
            }
            Stmt::Expr(_) => {}
        }
    }

    /// A value named inside cell code: evaluated where it is used.
    pub fn bind(&mut self, e: &'p Expr) -> Bound<'p> {
        let env = self.env;
        match &e.kind {
            ExprKind::Tuple(members) => {
                Bound::Tuple(members.iter().map(|m| self.bind(m)).collect())
            }
            ExprKind::Call(call) if self.work.bodies.is_hosted(call.body) => Bound::Thunk(e, env),
            _ if self.work.asserting_block(e).is_some() => Bound::Thunk(e, env),
            ExprKind::Call(call) if e.ty.members().is_some() => {
                let inner = self.enter_call(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.within(inner).bind_tail(block)
            }
            ExprKind::Block(block) if e.ty.members().is_some() => {
                let inner = self.enter_block(block, e.span);
                self.within(inner).bind_tail(block)
            }
            ExprKind::Local(id) if e.term.is_none() => match self.work.scopes.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) if value.ty.members().is_some() => {
                    self.within(at).bind(value)
                }
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            ExprKind::Field(x, n) => match self.bind(x) {
                Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                _ => Bound::Thunk(e, env),
            },
            _ => Bound::Thunk(e, env),
        }
    }

    fn bind_tail(&mut self, block: &'p Block) -> Bound<'p> {
        match &block.tail {
            Some(tail) => self.bind(tail),
            None => Bound::Tuple(Vec::new()),
        }
    }

    /// A value that derivatives are taken of, or by, bound in the environment `home`: a tensor
    /// over the indices around that it needs, so that it has an identity.
    pub fn differentiable(&mut self, id: LocalId, e: &'p Expr, home: EnvId) -> Bound<'p> {
        if e.ty.members().is_some() {
            let bound = self.bind(e);
            return self.members_as_tensors(bound);
        }
        let lifted = self.lifting(e).value(e);
        let name = self.work.scopes.local(home, id).name.clone();
        self.work.unit.tensors.rename(lifted.tensor, name);
        Bound::Tensor { tensor: lifted.tensor, outer: lifted.outer }
    }

    /// A tuple whose floats are tensors, each with an identity.
    fn members_as_tensors(&mut self, bound: Bound<'p>) -> Bound<'p> {
        match bound {
            Bound::Tuple(members) => {
                Bound::Tuple(members.into_iter().map(|m| self.members_as_tensors(m)).collect())
            }
            Bound::Thunk(e, env) if matches!(e.ty, Ty::Array(..)) && e.term.is_none() => {
                let lifted = self.within(env).lifting(e).value(e);
                Bound::Tensor { tensor: lifted.tensor, outer: lifted.outer }
            }
            other => other,
        }
    }
}

/// Values of blocks, and what they assert.
impl<'p> Cell<'_, 'p> {
    /// The value of a block whose names are bound.
    pub fn block(&mut self, block: &'p Block, idx: &[IndexTerm], span: Span) -> ExprId {
        self.under_asserts(block, span, |cell, tail| cell.lower_lifted(tail, idx))
    }

    /// What `value` makes of a block's tail, behind its statements.
    pub fn under_asserts(
        &mut self,
        block: &'p Block,
        span: Span,
        value: impl FnOnce(&mut Self, &'p Expr) -> ExprId,
    ) -> ExprId {
        let mut asserts = Vec::new();
        block.stmts.iter().for_each(|stmt| self.statement_effect(stmt, &mut asserts));
        let Some(tail) = &block.tail else {
            unreachable!("a block without a value is no number: {span:?}");
        };
        let value = value(self, tail);
        checked(&mut self.frame.exprs, value, asserts)
    }

    /// The value of a call, behind what its arguments assert beside sizes that they are.
    pub fn call(&mut self, call: &'p Call, idx: &[IndexTerm], span: Span) -> ExprId {
        let mut asserts = Vec::new();
        for arg in call.args.iter().filter(|arg| arg.term.is_some()) {
            self.effect(arg, &mut asserts);
        }
        let inner = self.enter_call(call, span);
        let block = &self.work.scopes.body(inner).block;
        let value = self.within(inner).block(block, idx, span);
        checked(&mut self.frame.exprs, value, asserts)
    }

    /// What a statement asserts, once the names of its block are bound.
    pub fn statement_effect(&mut self, stmt: &'p Stmt, asserts: &mut Vec<Assertion>) {
        match stmt {
            Stmt::Let(_, e) if self.work.bodies.has_effects_beside(e) => self.effect(e, asserts),
            Stmt::Expr(e) => self.effect(e, asserts),
            _ => {}
        }
    }

    /// What an expression asserts; its value is not looked at.
    fn effect(&mut self, e: &'p Expr, asserts: &mut Vec<Assertion>) {
        match &e.kind {
            ExprKind::Assert(c, message) => {
                let text = message.as_deref().and_then(plain_text);
                let text =
                    text.map_or("assertion failed".into(), |t| format!("assertion failed: {t}"));
                let site = self.work.site(self.env, e.span, text);
                let condition = self.lower(c, &[]);
                asserts.push((condition, site));
            }
            ExprKind::Print(_) => self.work.tell(refusal::print_in_cells(e.span)),
            _ if !self.work.bodies.has_effects_beside(e) => {}
            ExprKind::If(c, a, b) => {
                let condition = self.lower(c, &[]);
                self.effect_where((c, condition), true, a, asserts);
                self.effect_where((c, condition), false, b, asserts);
            }
            ExprKind::Block(block) => {
                let inner = self.enter_block(block, e.span);
                self.within(inner).block_effects(block, asserts);
            }
            ExprKind::Call(call) if self.work.bodies.is_hosted(call.body) => {
                let condition = self.by_the_host(e, &[], ScalarType::Bool);
                let site = self.work.site(self.env, e.span, "assertion failed");
                asserts.push((condition, site));
            }
            ExprKind::Call(call) => {
                call.args.iter().for_each(|arg| self.effect(arg, asserts));
                let inner = self.enter_call(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.within(inner).block_effects(block, asserts);
            }
            _ => {}
        }
    }

    fn block_effects(&mut self, block: &'p Block, asserts: &mut Vec<Assertion>) {
        block.stmts.iter().for_each(|stmt| self.statement_effect(stmt, asserts));
        block.tail.iter().for_each(|tail| self.effect(tail, asserts));
    }

    /// What `side` asserts, where a condition turns out as it `holds`.
    fn effect_where(
        &mut self,
        (c, condition): (&'p Expr, ExprId),
        holds: bool,
        side: &'p Expr,
        asserts: &mut Vec<Assertion>,
    ) {
        let mut found = Vec::new();
        self.under([Path::Expr(c, self.env, holds)], |cell| {
            let inner = cell.work.scopes.child(cell.env);
            cell.within(inner).effect(side, &mut found);
        });
        let exprs = &mut self.frame.exprs;
        for (asserted, site) in found {
            let yes = exprs.constant(Scalar::Bool(true));
            let (then, other) = if holds { (asserted, yes) } else { (yes, asserted) };
            asserts.push((exprs.if_else(condition, then, other), site));
        }
    }
}

/// A value, once all that is asserted holds.
fn checked(exprs: &mut Exprs, value: ExprId, asserts: Vec<Assertion>) -> ExprId {
    asserts.into_iter().rev().fold(value, |value, (condition, site)| {
        let ty = exprs.ty(value);
        exprs.add(Node::Check { condition, value, site }, ty)
    })
}
