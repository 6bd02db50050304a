//! Statements at host level, in source order.

use super::Host;
use super::value::extents_of;
use crate::lift::Lifting;
use crate::scope::Bound;
use weft_host::{Step, Value, VarId};
use weft_sema::thir::{Block, Expr, ExprKind, HostOp, LocalId, Stmt, Ty};
use weft_shape::{Param, Size};

impl<'p> Host<'_, 'p> {
    /// Statements, one after the other.
    pub fn statements(&mut self, stmts: &'p [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(id, e) => self.bind_let(*id, e),
                Stmt::Measure(id, params) => self.measure(*id, params),
                Stmt::Define(p, e) => {
                    // A host integer that must be observed before extents are known.
                    let value = self.value(e);
                    self.define_param(*p, value);
                }
                Stmt::Tensors(group) => {
                    Lifting::at_host_level(self.work, self.env).definitions(group);
                }
                Stmt::Check(check) => self.work.check(check, self.env),
                Stmt::Expr(e) => self.effect(e),
            }
        }
    }

    fn bind_let(&mut self, id: LocalId, e: &'p Expr) {
        let bound = if self.work.bodies.runs_in_its_turn(e) {
            Bound::of_host(Value::Var(self.run(e)), &e.ty)
        } else if self.work.scopes.local(self.env, id).differentiated {
            self.differentiable(e, Some(id))
        } else {
            self.bind(e, Some(id))
        };
        self.work.scopes.bind(self.env, id, bound);
    }

    /// Computes a value of the host here, whoever looks at it.
    fn run(&mut self, e: &'p Expr) -> VarId {
        let value = self.value(e);
        self.in_turn(value)
    }

    /// Names a value, and computes it here, whoever looks at it.
    pub(super) fn in_turn(&mut self, value: Value) -> VarId {
        let var = match value {
            Value::Var(var) => var,
            value => self.work.unit.values.name(value),
        };
        self.work.unit.values.step(Step::Run(var));
        var
    }

    /// The extents of host data become parameters.
    fn measure(&mut self, id: LocalId, params: &[Param]) {
        let Some((bound, _)) = self.work.scopes.lookup(self.env, id) else { return };
        let span = self.work.scopes.local(self.env, id).span;
        let like = Expr { kind: ExprKind::Local(id), ty: Ty::unit(), span, term: None };
        let value = self.bound_value(bound, &like);
        let extents = extents_of(value, &self.work.scopes.local(self.env, id).ty);
        for (p, extent) in params.iter().zip(extents) {
            self.define_param(*p, extent);
        }
    }

    fn define_param(&mut self, p: Param, value: Value) {
        let known = self.work.scopes.size_in(self.env, p).and_then(Size::as_param);
        let param = known.unwrap_or_else(|| {
            let info = &self.work.scopes.body(self.env).params[p];
            let new = self.work.unit.tensors.param(info);
            let home = self.work.scopes.outermost(self.env);
            self.work.scopes.bind_size(home, p, Size::param(new));
            new
        });
        self.work.unit.values.step(Step::Define(param, value));
    }

    /// An expression for its effect; a pure value is not computed.
    pub fn effect(&mut self, e: &'p Expr) {
        match &e.kind {
            ExprKind::Print(args) => {
                let values = args.iter().map(|a| self.shown(a)).collect();
                self.work.unit.values.step(Step::Print(values));
            }
            ExprKind::Assert(c, message) => self.assertion(c, message.as_deref(), e),
            ExprKind::If(c, a, b) => self.branch(c, a, b),
            ExprKind::Block(block) => self.child().block_effects(block),
            ExprKind::Call(_) | ExprKind::Host(HostOp::Try, _)
                if self.work.bodies.runs_in_its_turn(e) =>
            {
                self.run(e);
            }
            ExprKind::Call(call) => {
                let inner = self.enter(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.within(inner).block_effects(block);
            }
            ExprKind::Tuple(members) => members.iter().for_each(|m| self.effect(m)),
            ExprKind::Field(of, _) => self.effect(of),
            _ if self.work.bodies.touches_files(e) => {
                self.run(e);
            }
            _ => {}
        }
    }

    fn block_effects(&mut self, block: &'p Block) {
        self.statements(&block.stmts);
        block.tail.iter().for_each(|tail| self.effect(tail));
    }

    fn assertion(&mut self, c: &'p Expr, message: Option<&'p Expr>, e: &Expr) {
        let condition = self.value(c);
        let message = message.map(|m| self.shown(m));
        let called = self.work.scopes.call_of_program(self.env);
        self.work.unit.values.step(Step::Assert { condition, message, span: e.span, called });
    }

    fn branch(&mut self, c: &'p Expr, a: &'p Expr, b: &'p Expr) {
        if !self.work.bodies.has_effects(a) && !self.work.bodies.has_effects(b) {
            return;
        }
        let condition = self.value(c);
        let then = self.branch_side(a);
        let otherwise = self.branch_side(b);
        self.work.unit.values.step(Step::If { condition, then, otherwise });
    }

    fn branch_side(&mut self, e: &'p Expr) -> Vec<Step> {
        self.work.unit.values.open();
        self.child().effect(e);
        self.work.unit.values.close()
    }
}
