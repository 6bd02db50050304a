//! Host-level values: what names stand for, and what can be shown.
//!
//! Numbers and tensors are definitions of the graph as long as they can be; an expression
//! that looks at host data, or calls what is a function of the host, is a host expression.

use crate::bodies::is_host_type;
use crate::env::{Bound, EnvId};
use crate::frame::Frame;
use crate::stager::Stager;
use weft_host::{self as host, Form, Piece, Shown, Step, Value};
use weft_sema::thir::{Block, Call, Expr, ExprKind, HostOp, LocalId, Stmt, StrPart, Ty};
use weft_shape::Size;
use weft_tensor::{Axis, Definition, Tensor, TensorId};

impl<'p> Stager<'p> {
    /// The environment of a call: arguments bound, sizes translated.
    pub fn enter_call(
        &mut self,
        call: &'p Call,
        env: EnvId,
        mut around: Option<&mut Frame<'p>>,
    ) -> EnvId {
        let inner = self.new_env(call.body, None);
        for (p, s) in &call.sizes {
            let size: Size = self.size(env, s);
            self.envs[inner].sizes.insert(*p, size);
        }
        let arguments = &self.body(inner).arguments;
        for (id, arg) in arguments.iter().zip(&call.args) {
            let bound = match &arg.kind {
                _ if around.is_some() && self.body(inner).locals[*id].differentiated => {
                    self.differentiable(*id, arg, env, inner, around.as_deref_mut())
                }
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
        if e.ty == Ty::unit() {
            if self.bodies.has_effects(e) {
                self.effect(e, env);
            }
            return Bound::Tuple(Vec::new());
        }
        if e.term.is_none() && self.is_hosty(e, env) {
            return self.bind_host(e, env);
        }
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
            (ExprKind::Str(parts), _) if parts.len() > 1 => self.bind_host(e, env),
            _ => Bound::Thunk(e, env),
        }
    }

    /// A value of the host under a name, computed at most once.
    fn bind_host(&mut self, e: &'p Expr, env: EnvId) -> Bound<'p> {
        let value = self.value_of(e, env);
        let var = match value {
            Value::Var(id) => id,
            value => self.unit.out.vars.push(Some(value)),
        };
        bound_of(Value::Var(var), &e.ty)
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
    pub fn enter_host_call(&mut self, call: &'p Call, env: EnvId) -> EnvId {
        let inner = self.enter_call(call, env, None);
        let arguments = &self.body(inner).arguments;
        for (id, arg) in arguments.iter().zip(&call.args) {
            let bound = match self.body(inner).locals[*id].differentiated {
                true => self.differentiable(*id, arg, env, inner, None),
                false => self.bind_value(arg, env, None),
            };
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
        let bound = match &block.tail {
            // A term is known without running the block again: where it is used it stands for
            // its tail, whose own statements run now.
            Some(tail) if e.term.is_some() => self.bind_value(tail, inner, None),
            Some(tail) => {
                let same_body = self.envs[inner].body == self.envs[env].body;
                self.bind_value(tail, inner, name.filter(|_| same_body))
            }
            None => Bound::Tuple(Vec::new()),
        };
        // The value itself may be a block that finds its extents.
        if let ExprKind::Call(call) = &e.kind {
            for (here, there) in &call.results {
                let size = self.size(inner, &Size::param(*there));
                let home = self.outermost(env);
                self.envs[home].sizes.insert(*here, size);
            }
        }
        bound
    }

    /// Whether an expression at host level is for the host: looking at host data, or
    /// choosing by it, or calling its functions.
    pub fn is_hosty(&self, e: &Expr, env: EnvId) -> bool {
        self.is_hosty_within(e, env, false)
    }

    /// The same inside a choice that is known to have no effects, if it is `calm`: long
    /// chains of choices are looked through once.
    fn is_hosty_within(&self, e: &Expr, env: EnvId, calm: bool) -> bool {
        if is_host_type(&e.ty) {
            return true;
        }
        match &e.kind {
            ExprKind::Host(..) => true,
            ExprKind::Call(c) if self.bodies.called.contains(&c.body) => true,
            ExprKind::If(c, a, b) if chooses_extents(e, c, [a, b]) => true,
            ExprKind::If(..) if e.ty == Ty::Str || !calm && self.bodies.has_effects(e) => true,
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((Bound::Host(_), _)) => true,
                Some((Bound::Thunk(value, at), _)) => self.is_hosty(value, at),
                _ => false,
            },
            ExprKind::Unary(_, x) | ExprKind::Cast(_, x) | ExprKind::Adapted(_, x) => {
                e.ty.rank() == Some(0) && self.is_hosty_part(x, env, calm)
            }
            ExprKind::Binary(_, a, b) => {
                let part = |x: &Expr| self.is_hosty_part(x, env, calm);
                e.ty.rank() == Some(0) && (part(a) || part(b))
            }
            ExprKind::If(c, a, b) => [c, a, b].iter().any(|x| self.is_hosty_part(x, env, true)),
            _ => false,
        }
    }

    /// The same of an operand: there a call, a block or a member counts by what it gives.
    fn is_hosty_part(&self, e: &Expr, env: EnvId, calm: bool) -> bool {
        let part = |x: &Expr| self.is_hosty_part(x, env, calm);
        match &e.kind {
            _ if self.is_hosty_within(e, env, calm) => true,
            ExprKind::Call(c) => self.bodies.hosty.contains(&c.body) || c.args.iter().any(part),
            ExprKind::Block(b) => {
                let mut found = false;
                b.children(&mut |e| found |= part(e));
                found
            }
            ExprKind::Field(x, n) => match &x.kind {
                ExprKind::Local(id) => match self.lookup(env, *id) {
                    Some((Bound::Tuple(members), _)) => {
                        matches!(members.get(*n), Some(Bound::Host(_)))
                    }
                    Some((Bound::Thunk(value, at), _)) => self.is_hosty_part(value, at, false),
                    _ => false,
                },
                _ => part(x),
            },
            ExprKind::Tuple(members) => members.iter().any(part),
            _ => false,
        }
    }

    /// A value as a host expression.
    pub fn value_of(&mut self, e: &'p Expr, env: EnvId) -> Value {
        if let (Some(term), Ty::Array(..)) = (&e.term, &e.ty)
            && let Some(size) = self.term(env, term).as_size()
            && !self.bodies.has_effects(e)
        {
            return Value::Int(size.clone(), self.elem(&e.ty), e.span);
        }
        match &e.kind {
            ExprKind::Str(parts) => Value::Text(parts.iter().map(|p| self.piece(p, env)).collect()),
            ExprKind::SourceForm(d) => self.source_form(d, env),
            ExprKind::Const(v) => Value::Const(*v),
            ExprKind::Host(op, operands) => self.data_value(op, operands, e, env),
            ExprKind::Call(call) if self.bodies.called.contains(&call.body) => {
                let f = self.hosted_function(call.body);
                let args = call.args.iter().map(|a| self.value_of(a, env)).collect();
                Value::Call(f, args, e.span)
            }
            ExprKind::Tuple(members) => {
                Value::Tuple(members.iter().map(|m| self.value_of(m, env)).collect())
            }
            ExprKind::If(c, a, b) if self.is_hosty(e, env) => {
                let c = self.value_of(c, env);
                Value::If(
                    Box::new(c),
                    Box::new(self.side_value(a, env)),
                    Box::new(self.side_value(b, env)),
                )
            }
            ExprKind::Unary(op, x) if self.is_hosty(e, env) => {
                Value::Unary(*op, Box::new(self.value_of(x, env)), e.span)
            }
            ExprKind::Cast(ty, x) | ExprKind::Adapted(ty, x) if self.is_hosty(e, env) => {
                Value::Cast(*ty, Box::new(self.value_of(x, env)))
            }
            ExprKind::Binary(op, a, b) if self.is_hosty(e, env) => {
                let (a, b) = (self.value_of(a, env), self.value_of(b, env));
                Value::Binary(*op, Box::new(a), Box::new(b), e.span)
            }
            ExprKind::Local(id) if matches!(self.lookup(env, *id), Some((Bound::Host(_), _))) => {
                match self.lookup(env, *id) {
                    Some((Bound::Host(v), _)) => v,
                    _ => unreachable!("just found"),
                }
            }
            ExprKind::Print(_) | ExprKind::Assert(..) => {
                self.effect(e, env);
                Value::Tuple(Vec::new())
            }
            _ => {
                let bound = self.bind_plain(e, env);
                self.bound_value(bound, e)
            }
        }
    }

    /// As `bind_value`, for what is known to be no host expression at its root.
    fn bind_plain(&mut self, e: &'p Expr, env: EnvId) -> Bound<'p> {
        match &e.kind {
            ExprKind::Field(x, n) if is_host_type(&e.ty) || self.is_hosty(x, env) => {
                match self.bind_value(x, env, None) {
                    Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                    Bound::Host(v) => bound_of(Value::Field(Box::new(v), *n), &e.ty),
                    _ => Bound::Thunk(e, env),
                }
            }
            ExprKind::Call(call) => {
                let inner = self.enter_host_call(call, env);
                let block = &self.body(inner).block;
                self.bind_host_block(block, inner, None, e, env)
            }
            ExprKind::Block(block) => {
                let inner = self.child(env);
                self.bind_host_block(block, inner, None, e, env)
            }
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) => self.bind_value(value, at, None),
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            _ => self.bind_value(e, env, None),
        }
    }

    /// One side of a choice of the host: its steps run where it is taken.
    fn side_value(&mut self, e: &'p Expr, env: EnvId) -> host::Block {
        self.unit.steps.push(Vec::new());
        let value = match (&e.kind, e.ty == Ty::unit()) {
            (_, true) => {
                self.effect(e, env);
                Value::Tuple(Vec::new())
            }
            (ExprKind::Block(block), false) => {
                let inner = self.child(env);
                self.block_value(block, inner)
            }
            _ => self.value_of(e, env),
        };
        host::Block { steps: self.unit.steps.pop().expect("pushed above"), value }
    }

    /// The value of a block, whose statements run first. Extents of the value itself are
    /// not measured: so a call in its place stays there.
    fn block_value(&mut self, block: &'p Block, env: EnvId) -> Value {
        let Some(tail) = block.tail.as_deref() else {
            self.statements(&block.stmts, env);
            return Value::Tuple(Vec::new());
        };
        match (&tail.kind, block.stmts.as_slice()) {
            (
                ExprKind::Local(id),
                [before @ .., Stmt::Let(bound, e)]
                | [before @ .., Stmt::Let(bound, e), Stmt::Measure(_, _)],
            ) if id == bound => {
                self.statements(before, env);
                self.value_of(e, env)
            }
            (ExprKind::Block(inner), stmts) => {
                self.statements(stmts, env);
                let env = self.child(env);
                self.block_value(inner, env)
            }
            _ => {
                self.statements(&block.stmts, env);
                self.value_of(tail, env)
            }
        }
    }

    /// The function of the host that an instance is.
    pub fn hosted_function(&mut self, body: weft_sema::thir::BodyId) -> host::FunctionId {
        if let Some(f) = self.hosted.get(&body) {
            return *f;
        }
        let id = self.functions.push(host::Function::default());
        self.hosted.insert(body, id);
        self.hosting += 1;
        let outer = std::mem::replace(&mut self.unit, crate::stager::Unit::new());
        let env = self.new_env(body, None);
        let instance = self.body(env);
        let mut args = Vec::new();
        for local in &instance.arguments {
            let var = self.unit.out.vars.push(None);
            args.push(var);
            let bound = bound_of(Value::Var(var), &instance.locals[*local].ty);
            self.envs[env].values.insert(*local, bound);
        }
        self.argument_params(env, &args);
        if let Some(tail) = instance.block.tail.as_deref() {
            let value = match tail.ty == Ty::unit() {
                true => {
                    self.statements(&instance.block.stmts, env);
                    self.effect(tail, env);
                    Value::Tuple(Vec::new())
                }
                false => self.block_value(&instance.block, env),
            };
            let look = host::Look::Plain;
            self.unit.out.result = Some(Shown { value, look });
        }
        self.unit.out.steps = self.unit.steps.pop().expect("the outermost list");
        self.refuse_calls_in_recurrences();
        let mut unit = std::mem::replace(&mut self.unit, outer);
        let name = instance.name.clone();
        let scalars = self.scalar_forms(instance);
        let mut body = host::Program::default();
        // Sweeps go through other functions, which must be known: they come last, and so do the
        // texts of differentials.
        match unit.quotients.is_empty() && unit.shown.is_empty() {
            true => body = std::mem::take(&mut unit.out),
            false => self.open.push((id, unit)),
        }
        self.functions[id] = host::Function { name, args, scalars, body };
        self.hosting -= 1;
        id
    }

    /// What an instance is given and gives, where these are scalars and tuples of them.
    pub fn scalar_forms(&self, body: &weft_sema::thir::Body) -> Option<(Vec<Form>, Form)> {
        let args = body.arguments.iter().map(|a| self.form(&body.locals[*a].ty));
        Some((args.collect::<Option<_>>()?, self.form(&body.result)?))
    }

    fn form(&self, ty: &Ty) -> Option<Form> {
        match (ty, ty.members()) {
            (Ty::Array(_, shape), _) if shape.is_empty() => Some(Form::Scalar(self.elem(ty))),
            (_, Some(members)) => {
                Some(Form::Tuple(members.iter().map(|m| self.form(m)).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The function of the host that gives one member of what another gives, as cells take
    /// it.
    pub fn member_function(
        &mut self,
        f: host::FunctionId,
        path: &[usize],
        span: weft_base::Span,
    ) -> host::FunctionId {
        let key = (f, path.to_vec());
        if let Some(known) = self.members.get(&key) {
            return *known;
        }
        let whole = &self.functions[f];
        let name = whole.name.clone();
        let member = |(args, result): &(Vec<Form>, Form)| {
            result.member(path).map(|m| (args.clone(), m.clone()))
        };
        let scalars = whole.scalars.as_ref().and_then(member);
        let mut body = host::Program::default();
        let args: Vec<host::VarId> = whole.args.iter().map(|_| body.vars.push(None)).collect();
        let given = args.iter().map(|a| Value::Var(*a)).collect();
        let call = Value::Call(f, given, span);
        let value = path.iter().fold(call, |v, n| v.field(*n));
        body.result = Some(Shown { value, look: host::Look::Plain });
        let id = self.functions.push(host::Function { name, args, scalars, body });
        self.members.insert(key, id);
        id
    }

    /// The integers and extents that arguments of a function of the host fix.
    fn argument_params(&mut self, env: EnvId, args: &[host::VarId]) {
        use weft_sema::thir::ParamOrigin::{Argument, Extent};
        let instance = self.body(env);
        let place = |local: LocalId| instance.arguments.iter().position(|a| *a == local);
        for (p, info) in instance.params.iter() {
            let value = match info.origin {
                Argument(local) => place(local).map(|n| Value::Var(args[n])),
                Extent(local, axis) => {
                    place(local).map(|n| Value::Extent(Box::new(Value::Var(args[n])), axis))
                }
                _ => None,
            };
            let Some(value) = value else { continue };
            let new = self.graph_param(info);
            self.envs[env].sizes.insert(p, Size::param(new));
            let (lo, hi) = instance.facts.param_bounds(p);
            lo.into_iter().for_each(|n| self.graph().facts.at_least(new, n));
            hi.into_iter().for_each(|n| self.graph().facts.at_most(new, n));
            self.step(Step::Define(new, value));
        }
        for check in &instance.checks {
            self.emit_check(check, env);
        }
    }

    fn data_value(&mut self, op: &HostOp, operands: &'p [Expr], e: &'p Expr, env: EnvId) -> Value {
        match op {
            HostOp::Try => {
                // What the value needs first may fail as well.
                let block = self.side_value(&operands[0], env);
                Value::Data(host::DataOp::Try, vec![Value::Block(Box::new(block))], e.span)
            }
            HostOp::Succeeded => self.value_of(&operands[0], env),
            op => {
                let all = operands.iter().map(|x| self.value_of(x, env)).collect();
                let op = self.data_op(op, e).expect("the others are above");
                Value::Data(op, all, e.span)
            }
        }
    }

    /// The operation on values that are computed before it; none where that is not so.
    pub fn data_op(&mut self, op: &HostOp, e: &Expr) -> Option<host::DataOp> {
        Some(match op {
            HostOp::Variant(_, n) => host::DataOp::Variant(*n),
            HostOp::IsVariant(n) => host::DataOp::IsVariant(*n),
            HostOp::Payload(v, n) => host::DataOp::Payload(*v, *n),
            HostOp::Compare(op) => host::DataOp::Compare(*op),
            HostOp::Length => host::DataOp::Length,
            HostOp::At => host::DataOp::At,
            HostOp::Slice => host::DataOp::Slice,
            HostOp::Contains => host::DataOp::Contains,
            HostOp::List => host::DataOp::List,
            HostOp::Append => host::DataOp::Append,
            HostOp::Flatten => host::DataOp::Flatten,
            HostOp::Stack => host::DataOp::Stack(self.elem(&e.ty)),
            HostOp::Count => host::DataOp::Count,
            HostOp::Codes => host::DataOp::Codes,
            HostOp::Ord => host::DataOp::Ord,
            HostOp::Map(body) => host::DataOp::Map(self.hosted_function(*body)),
            HostOp::Failed => host::DataOp::Failed,
            HostOp::Message => host::DataOp::Message,
            HostOp::Try | HostOp::Succeeded => return None,
        })
    }

    /// A tensor of the graph that holds a host value.
    pub fn source(&mut self, value: Value, ty: &Ty, env: EnvId) -> TensorId {
        let key = format!("{value:?}");
        if let Some(t) = self.unit.sources.get(&key) {
            return *t;
        }
        let axes =
            self.shape(env, ty).into_iter().map(|extent| Axis { extent, name: None }).collect();
        let (elem, definition) = (self.elem(ty), Definition::Input);
        let tensor = Tensor { name: None, span: None, elem, axes, definition };
        let t = self.graph().tensors.push(tensor);
        self.unit.out.sources.insert(t, value);
        self.unit.sources.insert(key, t);
        t
    }

    /// A value that can be shown or handed out.
    pub fn host_value(&mut self, e: &'p Expr, env: EnvId) -> Shown {
        if crate::statement::holds_differential(&e.ty) {
            let headline = "a differential where a value is needed";
            let d = weft_diag::Diagnostic::error(weft_diag::Code::E0603, headline)
                .primary(e.span, "this is a differential")
                .help("divide it first: `@y / @x` is a value");
            self.diagnostics.push(d);
            return Shown { value: Value::Tuple(Vec::new()), look: host::Look::Plain };
        }
        Shown { value: self.value_of(e, env), look: self.look_of(e, self.body(env)) }
    }

    /// A bound value as a host expression.
    pub fn bound_value(&mut self, bound: Bound<'p>, e: &Expr) -> Value {
        match bound {
            Bound::Tensor { tensor, .. } => Value::Tensor(tensor),
            Bound::Tuple(members) => {
                Value::Tuple(members.into_iter().map(|m| self.bound_value(m, e)).collect())
            }
            Bound::Host(v) => v,
            Bound::Thunk(value, env) => match (&value.kind, &value.term) {
                (ExprKind::Str(_) | ExprKind::Const(_), _) | (_, Some(_)) => {
                    self.value_of(value, env)
                }
                (ExprKind::Quotient(..), _) => Value::Tensor(self.define_value(value, env, None)),
                (ExprKind::Local(id), _) => match self.lookup(env, *id) {
                    Some((b, _)) => self.bound_value(b, e),
                    None => self.cannot_show(e),
                },
                _ => self.cannot_show(e),
            },
        }
    }

    fn cannot_show(&mut self, e: &Expr) -> Value {
        let d = weft_diag::Diagnostic::error(weft_diag::Code::E1107, "a value of cells alone")
            .primary(e.span, "it can be used in clauses, and not be shown or handed out");
        self.diagnostics.push(d);
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
}

/// Whether a choice has the extents of the side that is taken, whatever those are.
fn chooses_extents(e: &Expr, c: &Expr, sides: [&Expr; 2]) -> bool {
    let ranked = e.ty.rank().is_some_and(|r| r > 0) && c.ty.rank() == Some(0);
    ranked && sides.iter().all(|s| s.ty.extents() != e.ty.extents())
}

/// What a value of the host of some type is bound as: tuples by their members.
pub(crate) fn bound_of<'p>(value: Value, ty: &Ty) -> Bound<'p> {
    match ty.members() {
        None => Bound::Host(value),
        Some(members) => Bound::Tuple(
            members
                .iter()
                .enumerate()
                .map(|(n, m)| bound_of(Value::Field(Box::new(value.clone()), n), m))
                .collect(),
        ),
    }
}
