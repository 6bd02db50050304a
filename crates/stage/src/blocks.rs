//! Blocks inside cell code: their definitions are lifted, their names are evaluated where
//! they are used, and what they assert guards the value.

use crate::env::{Bound, EnvId};
use crate::frame::{Frame, Path};
use crate::lower::plain_text;
use crate::stager::Stager;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Block, Expr, ExprKind, Stmt, Ty};
use weft_shape::Size;
use weft_tensor::{Expr as Node, ExprId, IndexTerm, SiteId};

/// A condition that must hold, and what is said where it does not.
pub(crate) type Assertion = (ExprId, SiteId);

impl<'p> Stager<'p> {
    /// The value of a block.
    pub fn lower_block(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
        span: Span,
    ) -> ExprId {
        let value = |stager: &mut Self, tail, frame: &mut Frame<'p>| {
            stager.lower_lifted(tail, env, frame, idx)
        };
        self.lower_under_asserts(block, env, frame, span, value)
    }

    /// What `value` makes of a block's tail, behind its statements.
    pub fn lower_under_asserts(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        span: Span,
        value: impl FnOnce(&mut Self, &'p Expr, &mut Frame<'p>) -> ExprId,
    ) -> ExprId {
        let mut asserts = Vec::new();
        for stmt in &block.stmts {
            self.statement_effect(stmt, env, frame, &mut asserts);
        }
        let Some(tail) = &block.tail else {
            unreachable!("a block without a value is no number: {span:?}");
        };
        let value = value(self, tail, frame);
        asserts.into_iter().rev().fold(value, |value, (condition, site)| {
            let ty = frame.exprs.ty(value);
            frame.exprs.add(Node::Check { condition, value, site }, ty)
        })
    }

    /// Binds the names of a statement.
    pub fn bind_statement(&mut self, stmt: &'p Stmt, env: EnvId, frame: &mut Frame<'p>) {
        match stmt {
            Stmt::Let(id, e) if self.is_effect(e) => {
                self.envs[env].values.insert(*id, Bound::Tuple(Vec::new()));
            }
            Stmt::Let(id, e) => {
                let bound = match self.body(env).locals[*id].differentiated {
                    true => self.differentiable(*id, e, env, env, Some(frame)),
                    false => self.bind_in_frame(e, env, frame),
                };
                self.envs[env].values.insert(*id, bound);
            }
            Stmt::Tensors(definitions) => self.define_group(definitions, env, Some(frame)),
            Stmt::Check(check) => self.emit_check(check, env),
            Stmt::Define(p, e) => {
                self.refuse_extent(e.span);
                self.envs[env].sizes.insert(*p, Size::from(0));
            }
            Stmt::Measure(id, params) => {
                let span = self.body(env).locals[*id].span;
                self.refuse_extent(span);
                let none = params.iter().map(|p| (*p, Size::from(0)));
                self.envs[env].sizes.extend(none);
            }
            Stmt::Expr(_) => {}
        }
    }

    /// What a statement asserts, once the names of its block are bound.
    pub fn statement_effect(
        &mut self,
        stmt: &'p Stmt,
        env: EnvId,
        frame: &mut Frame<'p>,
        asserts: &mut Vec<Assertion>,
    ) {
        match stmt {
            Stmt::Let(_, e) if self.is_effect(e) => self.cell_effect(e, env, frame, asserts),
            Stmt::Expr(e) => self.cell_effect(e, env, frame, asserts),
            _ => {}
        }
    }

    /// Refuses what would have another shape in each cell.
    fn refuse_extent(&mut self, span: Span) {
        let d = Diagnostic::error(Code::E1107, "an extent that is computed inside a clause")
            .primary(span, "it could be another in each cell, and a tensor has one shape")
            .help("compute it before the clause, or pass it to the function");
        self.diagnostics.push(d);
    }

    /// Whether an expression has no value, and is there for what it asserts.
    fn is_effect(&self, e: &Expr) -> bool {
        e.ty == Ty::unit() && self.bodies.has_effects(e)
    }

    /// What an expression asserts; its value is not looked at.
    fn cell_effect(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        asserts: &mut Vec<Assertion>,
    ) {
        match &e.kind {
            ExprKind::Assert(c, message) => {
                let text = message.as_deref().and_then(plain_text);
                let text =
                    text.map_or("assertion failed".into(), |t| format!("assertion failed: {t}"));
                let site = self.site(e.span, text);
                let condition = self.lower(c, env, frame, &[]);
                asserts.push((condition, site));
            }
            ExprKind::Print(_) => {
                let d = Diagnostic::error(Code::E1107, "`print` inside a clause")
                    .primary(e.span, "cells are computed in no particular order");
                self.diagnostics.push(d);
            }
            _ if !self.is_effect(e) => {}
            ExprKind::If(c, a, b) => {
                let condition = self.lower(c, env, frame, &[]);
                self.effect_where((c, condition), true, a, env, frame, asserts);
                self.effect_where((c, condition), false, b, env, frame, asserts);
            }
            ExprKind::Block(block) => {
                let inner = self.enter_cell_block(block, env, frame, e.span);
                self.cell_effects(block, inner, frame, asserts);
            }
            ExprKind::Call(call) if self.bodies.is_hosted(call.body) => {
                let condition = self.lower_by_the_host(e, &[], ScalarType::Bool, env, frame);
                let site = self.site(e.span, "assertion failed");
                asserts.push((condition, site));
            }
            ExprKind::Call(call) => {
                let inner = self.enter_cell_call(call, env, frame, e.span);
                let block = &self.body(inner).block;
                self.cell_effects(block, inner, frame, asserts);
            }
            _ => {}
        }
    }

    fn cell_effects(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        asserts: &mut Vec<Assertion>,
    ) {
        for stmt in &block.stmts {
            self.statement_effect(stmt, env, frame, asserts);
        }
        block.tail.iter().for_each(|tail| self.cell_effect(tail, env, frame, asserts));
    }

    /// What `side` asserts, where a condition turns out as it `holds`.
    fn effect_where(
        &mut self,
        (c, condition): (&'p Expr, ExprId),
        holds: bool,
        side: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        asserts: &mut Vec<Assertion>,
    ) {
        let depth = frame.path.len();
        frame.path.push(Path::Expr(c, env, holds));
        let mut found = Vec::new();
        let inner = self.child(env);
        self.cell_effect(side, inner, frame, &mut found);
        frame.leave(depth);
        for (asserted, site) in found {
            let yes = frame.exprs.constant(Scalar::Bool(true));
            let (then, other) = if holds { (asserted, yes) } else { (yes, asserted) };
            asserts.push((frame.exprs.if_else(condition, then, other), site));
        }
    }

    /// A value named inside cell code: evaluated where it is used.
    pub fn bind_in_frame(&mut self, e: &'p Expr, env: EnvId, frame: &mut Frame<'p>) -> Bound<'p> {
        match &e.kind {
            ExprKind::Tuple(members) => {
                Bound::Tuple(members.iter().map(|m| self.bind_in_frame(m, env, frame)).collect())
            }
            ExprKind::Call(call) if self.bodies.is_hosted(call.body) => Bound::Thunk(e, env),
            _ if self.asserting_block(e).is_some() => Bound::Thunk(e, env),
            ExprKind::Call(call) if e.ty.members().is_some() => {
                let inner = self.enter_cell_call(call, env, frame, e.span);
                let block = &self.body(inner).block;
                self.bind_tail(block, inner, frame)
            }
            ExprKind::Block(block) if e.ty.members().is_some() => {
                let inner = self.enter_cell_block(block, env, frame, e.span);
                self.bind_tail(block, inner, frame)
            }
            ExprKind::Local(id) if e.term.is_none() => match self.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) if value.ty.members().is_some() => {
                    self.bind_in_frame(value, at, frame)
                }
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            ExprKind::Field(x, n) => match self.bind_in_frame(x, env, frame) {
                Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                _ => Bound::Thunk(e, env),
            },
            _ => Bound::Thunk(e, env),
        }
    }

    fn bind_tail(&mut self, block: &'p Block, env: EnvId, frame: &mut Frame<'p>) -> Bound<'p> {
        match &block.tail {
            Some(tail) => self.bind_in_frame(tail, env, frame),
            None => Bound::Tuple(Vec::new()),
        }
    }

    /// The block of a tuple beside which something is asserted: each member is had under the
    /// assertions, which hold wherever one is looked at.
    pub fn asserting_block(&self, e: &'p Expr) -> Option<&'p Block> {
        let program: &'p weft_sema::thir::Program = self.program;
        let block = match &e.kind {
            ExprKind::Block(block) => block,
            ExprKind::Call(call) => &program.bodies[call.body].block,
            _ => return None,
        };
        let asserts = |s: &Stmt| match s {
            Stmt::Expr(x) => self.bodies.has_effects(x),
            Stmt::Let(_, x) => self.is_effect(x),
            _ => false,
        };
        (e.ty.members().is_some() && block.stmts.iter().any(asserts)).then_some(block)
    }
}
