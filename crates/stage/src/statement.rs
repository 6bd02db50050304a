//! Host-level statements, in source order.

use crate::env::{Bound, EnvId};
use crate::stager::Stager;
use indexmap::IndexMap;
use weft_base::Name;
use weft_host::{self as host, InputTarget, Shown, Step, Value, VarId};
use weft_sema::thir::{
    Block, Expr, ExprKind, HostOp, Input, LocalId, Nominal, ParamOrigin, Stmt, Ty,
};
use weft_shape::{Size, SizeCheck};
use weft_syntax::ast;
use weft_tensor::{Axis, Definition, Tensor};

impl<'p> Stager<'p> {
    /// The top level.
    pub fn main(&mut self) {
        let program = self.program;
        let Some(body) = program.main else { return };
        let env = self.new_env(body, None);
        for (p, info) in program.bodies[body].params.iter() {
            let new = self.graph_param(info);
            self.envs[env].sizes.insert(p, Size::param(new));
            let (lo, hi) = program.bodies[body].facts.param_bounds(p);
            lo.into_iter().for_each(|n| self.graph().facts.at_least(new, n));
            hi.into_iter().for_each(|n| self.graph().facts.at_most(new, n));
        }
        for input in &program.inputs {
            self.input(input, env);
        }
        let block = &program.bodies[body].block;
        self.statements(&block.stmts, env);
        if let Some(tail) = block.tail.as_deref() {
            if tail.ty == Ty::unit() {
                self.effect(tail, env);
            } else {
                self.unit.out.result = Some(self.host_value(tail, env));
            }
        }
        self.outputs(env);
        self.unit.out.steps = self.unit.steps.pop().expect("the outermost list");
    }

    fn input(&mut self, input: &'p Input, env: EnvId) {
        let shape: Vec<Size> = input.shape.iter().map(|s| self.size(env, s)).collect();
        let target = match input.param {
            Some(p) => {
                let size = self.size(env, &Size::param(p));
                InputTarget::Param(size.as_param().expect("an input is a parameter"))
            }
            None => {
                let axes = shape.iter().map(|s| Axis { extent: s.clone(), name: None }).collect();
                let (name, span) = (Some(input.name.clone()), Some(input.span));
                let (elem, definition) = (input.elem, Definition::Input);
                let tensor =
                    self.graph().tensors.push(Tensor { name, span, elem, axes, definition });
                let bound = Bound::Tensor { tensor, outer: Vec::new() };
                self.envs[env].values.insert(input.local, bound);
                InputTarget::Tensor(tensor)
            }
        };
        let default = input.default.as_ref().map(|e| self.define_value(e, env, None));
        let (name, span, elem) = (input.name.clone(), input.span, input.elem);
        self.unit.out.inputs.push(host::Input { name, span, elem, shape, target, default });
    }

    /// Every top-level name that a `let` binds; the last of shadowed ones.
    fn outputs(&mut self, env: EnvId) {
        let locals: Vec<(LocalId, Name)> = self
            .body(env)
            .locals
            .iter()
            .filter(|(id, l)| {
                let bound = self.envs[env].values.contains_key(id);
                let number = l.term.is_some() && matches!(l.ty, Ty::Array(..));
                bound || number
            })
            .map(|(id, l)| (id, l.name.clone()))
            .collect();
        let inputs: Vec<LocalId> = self.program.inputs.iter().map(|i| i.local).collect();
        let mut found: IndexMap<Name, Shown> = IndexMap::new();
        for (id, name) in locals {
            if inputs.contains(&id) || !self.is_output(env, id) {
                continue;
            }
            if let Some(value) = self.output_value(env, id) {
                found.shift_remove(&name);
                found.insert(name, value);
            }
        }
        self.unit.out.outputs = found.into_iter().collect();
    }

    /// Extent names and helper tuples are no outputs.
    fn is_output(&self, env: EnvId, id: LocalId) -> bool {
        let body = self.body(env);
        let local = &body.locals[id];
        let extent = local
            .term
            .as_ref()
            .and_then(|t| t.as_size()?.as_param())
            .is_some_and(|p| body.params[p].origin == ParamOrigin::Input);
        let hidden = !local.is_written();
        !extent && !hidden && !holds_differential(&local.ty)
    }

    fn output_value(&mut self, env: EnvId, id: LocalId) -> Option<Shown> {
        let local = &self.body(env).locals[id];
        let look = self.look_of_local(local);
        if is_function(&local.ty) {
            return None;
        }
        if let Some(size) = local.term.as_ref().and_then(|t| t.as_size()) {
            let value = Value::Int(self.size(env, size), self.elem(&local.ty), local.span);
            return Some(Shown { value, look });
        }
        let value = self.bound_output(self.envs[env].values.get(&id).cloned()?)?;
        Some(Shown { value, look })
    }

    fn bound_output(&mut self, bound: Bound<'p>) -> Option<Value> {
        match bound {
            Bound::Tensor { tensor, .. } => Some(Value::Tensor(tensor)),
            Bound::Tuple(members) => {
                let all: Option<Vec<Value>> =
                    members.into_iter().map(|m| self.bound_output(m)).collect();
                all.map(Value::Tuple)
            }
            Bound::Host(v) => Some(v),
            Bound::Thunk(e, env) => {
                let plain = matches!(
                    e.kind,
                    ExprKind::Str(_) | ExprKind::Const(_) | ExprKind::Quotient(..)
                );
                (plain || e.term.is_some()).then(|| self.value_of(e, env))
            }
        }
    }

    /// Statements at host level.
    pub fn statements(&mut self, stmts: &'p [Stmt], env: EnvId) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(id, e) => self.bind_let(*id, e, env),
                Stmt::Measure(id, params) => self.measure(*id, params, env),
                Stmt::Define(p, e) => self.define_param(*p, e, env),
                Stmt::Tensors(definitions) => self.define_group(definitions, env, None),
                Stmt::Check(check) => self.emit_check(check, env),
                Stmt::Expr(e) => self.effect(e, env),
            }
        }
    }

    fn bind_let(&mut self, id: LocalId, e: &'p Expr, env: EnvId) {
        if self.runs_in_its_turn(e) {
            let var = self.run(e, env);
            let bound = crate::value::bound_of(Value::Var(var), &e.ty);
            self.envs[env].values.insert(id, bound);
            return;
        }
        let bound = match self.body(env).locals[id].differentiated {
            true => self.differentiable(id, e, env, env, None),
            false => self.bind_value(e, env, Some(id)),
        };
        self.envs[env].values.insert(id, bound);
    }

    /// Whether an expression of the host has effects that no steps of their own stand for: a
    /// choice, a call of a function of the host, what is tried.
    fn runs_in_its_turn(&self, e: &Expr) -> bool {
        let host = match &e.kind {
            ExprKind::If(..) | ExprKind::Host(HostOp::Try, _) => true,
            ExprKind::Call(c) => self.bodies.called.contains(&c.body),
            _ => false,
        };
        host && self.bodies.has_effects(e)
    }

    /// Computes a value of the host here, whoever looks at it.
    fn run(&mut self, e: &'p Expr, env: EnvId) -> VarId {
        let value = self.value_of(e, env);
        let var = self.unit.out.vars.push(Some(value));
        self.step(Step::Run(var));
        var
    }

    /// The extents of host data become parameters.
    fn measure(&mut self, id: LocalId, params: &[weft_shape::Param], env: EnvId) {
        let Some((bound, _)) = self.lookup(env, id) else { return };
        let span = self.body(env).locals[id].span;
        let like = Expr { kind: ExprKind::Local(id), ty: Ty::unit(), span, term: None };
        let value = self.bound_value(bound, &like);
        for (axis, p) in params.iter().enumerate() {
            self.define_as(*p, Value::Extent(Box::new(value.clone()), axis), env);
        }
    }

    /// A host integer that must be observed before extents are known.
    fn define_param(&mut self, p: weft_shape::Param, e: &'p Expr, env: EnvId) {
        let value = self.value_of(e, env);
        self.define_as(p, value, env);
    }

    fn define_as(&mut self, p: weft_shape::Param, value: Value, env: EnvId) {
        let known = self.envs[env].sizes.get(&p).and_then(Size::as_param);
        let param = match known {
            Some(param) => param,
            None => {
                let info = self.body(env).params[p].clone();
                let new = self.graph_param(&info);
                let home = self.outermost(env);
                self.envs[home].sizes.insert(p, Size::param(new));
                new
            }
        };
        self.step(Step::Define(param, value));
    }

    pub fn outermost(&self, env: EnvId) -> EnvId {
        let mut at = env;
        while let Some(parent) = self.envs[at].parent {
            at = parent;
        }
        at
    }

    /// A condition on sizes, where their parameters are known.
    pub fn emit_check(&mut self, check: &SizeCheck, env: EnvId) {
        let mapped = SizeCheck {
            when: check.when.iter().map(|(a, b)| (self.size(env, a), self.size(env, b))).collect(),
            left: self.size(env, &check.left),
            right: self.size(env, &check.right),
            ..check.clone()
        };
        self.step(Step::Check(mapped));
    }

    /// An expression for its effect; a pure value is not computed.
    pub fn effect(&mut self, e: &'p Expr, env: EnvId) {
        match &e.kind {
            ExprKind::Print(args) => {
                let values = args.iter().map(|a| self.host_value(a, env)).collect();
                self.step(Step::Print(values));
            }
            ExprKind::Assert(c, message) => self.assertion(c, message.as_deref(), e, env),
            ExprKind::If(c, a, b) => self.branch(c, a, b, env),
            ExprKind::Block(block) => {
                let inner = self.child(env);
                self.block_effects(block, inner);
            }
            ExprKind::Call(_) | ExprKind::Host(HostOp::Try, _) if self.runs_in_its_turn(e) => {
                self.run(e, env);
            }
            ExprKind::Call(call) => {
                let inner = self.enter_host_call(call, env);
                let block = &self.body(inner).block;
                self.block_effects(block, inner);
            }
            ExprKind::Tuple(members) => members.iter().for_each(|m| self.effect(m, env)),
            ExprKind::Field(of, _) => self.effect(of, env),
            _ => {}
        }
    }

    fn block_effects(&mut self, block: &'p Block, inner: EnvId) {
        self.statements(&block.stmts, inner);
        block.tail.iter().for_each(|tail| self.effect(tail, inner));
    }

    fn assertion(&mut self, c: &'p Expr, message: Option<&'p Expr>, e: &Expr, env: EnvId) {
        let condition = self.value_of(c, env);
        let message = message.map(|m| self.host_value(m, env));
        self.step(Step::Assert { condition, message, span: e.span });
    }

    fn branch(&mut self, c: &'p Expr, a: &'p Expr, b: &'p Expr, env: EnvId) {
        if !self.bodies.has_effects(a) && !self.bodies.has_effects(b) {
            return;
        }
        let condition = self.value_of(c, env);
        let then = self.side(a, env);
        let otherwise = self.side(b, env);
        self.step(Step::If { condition, then, otherwise });
    }

    fn side(&mut self, e: &'p Expr, env: EnvId) -> Vec<Step> {
        self.unit.steps.push(Vec::new());
        let inner = self.child(env);
        self.effect(e, inner);
        self.unit.steps.pop().expect("pushed above")
    }
}

/// Whether there is a differential in a value: it is linear in its leaves, and no number.
pub(crate) fn holds_differential(ty: &Ty) -> bool {
    matches!(ty, Ty::Differential(..))
        || ty.members().is_some_and(|all| all.iter().any(holds_differential))
}

fn is_function(ty: &Ty) -> bool {
    matches!(ty, Ty::Named(Nominal::Function(_), _))
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
