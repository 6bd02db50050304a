//! Instances of functions: one per key, checked at its first call.

use crate::checker::{ArgKey, BodyCx, Checker, Effects, Instance, InstanceKey, error_expr};
use crate::expr::value;
use crate::hir::{Body, BodyId, Call, Elem, Expr, ExprKind, LocalId, ParamOrigin, Stmt, Ty};
use crate::modules::ROOT;
use crate::scope::{Binding, FnId};
use weft_base::Span;
use weft_domain::Affine;
use weft_shape::{Param, Size};
use weft_syntax::ast;

/// Instances under way at once: deeper nesting is refused.
const DEEPEST_CALL: u32 = 64;

/// What comes of looking for an instance.
pub(crate) enum Lookup {
    Found(BodyId, Vec<LocalId>),
    /// More is known of what specialises.
    Again,
    Failed,
}

/// A checked instance.
struct Checked {
    body: Body,
    captures: Vec<LocalId>,
    /// Positions of the parameters that should be static.
    asked: Vec<usize>,
    effects: Effects,
}

impl Checker<'_> {
    /// The instance for a key: found, or checked now.
    pub fn instance(
        &mut self,
        f: FnId,
        key: InstanceKey,
        args: &[Option<Expr>],
        span: Span,
    ) -> Lookup {
        match self.instances.get(&key) {
            Some(Instance::Done { body, captures }) => {
                return Lookup::Found(*body, captures.clone());
            }
            Some(Instance::UnderWay) => {
                self.unsupported(span, "a recursive function");
                return Lookup::Failed;
            }
            None => {}
        }
        if self.call_depth >= DEEPEST_CALL {
            self.unsupported(span, "a chain of more than 64 calls");
            return Lookup::Failed;
        }
        self.instances.insert(key.clone(), Instance::UnderWay);
        let said = std::mem::take(&mut self.diagnostics);
        self.call_depth += 1;
        let Checked { body, captures, asked, effects } = self.check_instance(f, args, &key);
        self.call_depth -= 1;
        let of_it = std::mem::replace(&mut self.diagnostics, said);
        if self.becomes_static(f, args, &asked) {
            self.instances.remove(&key);
            return Lookup::Again;
        }
        self.diagnostics.extend(of_it);
        let id = self.program.bodies.push(body);
        self.effects.insert(id, effects);
        self.instances.insert(key, Instance::Done { body: id, captures: captures.clone() });
        Lookup::Found(id, captures)
    }

    /// Notes which parameters specialise by value; whether an argument's value is known
    /// and was not used.
    fn becomes_static(&mut self, f: FnId, args: &[Option<Expr>], asked: &[usize]) -> bool {
        let mut again = false;
        for at in asked {
            let new = self.statics.entry(f).or_default().insert(*at);
            let size = args[*at].as_ref().and_then(|a| self.size_of(a));
            again |= new && size.is_some_and(|s| self.static_value(&s).is_some());
        }
        again
    }

    /// Checks an instance.
    fn check_instance(&mut self, f: FnId, args: &[Option<Expr>], key: &InstanceKey) -> Checked {
        let function = &self.functions[f];
        let (def, module) = (function.def.clone(), function.module);
        let parent = (function.home, function.depth, function.order);
        // Bodies above the function's home stay where they are: names are looked up by
        // the home's number, and the new body stands on top of the stack.
        self.bodies.push(BodyCx::new(module.is_none().then_some(parent)));
        self.cx().module = module.unwrap_or(ROOT);
        let here = self.bodies.len() - 1;
        let (mut params, mut stmts) = (Vec::new(), Vec::new());
        for ((param, arg), part) in def.params.iter().zip(args).zip(&key.args) {
            let name = &param.name;
            let id = match arg {
                Some(arg) => {
                    let value = match part {
                        ArgKey::Static(_, n) => Some(*n),
                        _ => None,
                    };
                    let host_int = value.is_none() && self.is_host_int(arg);
                    let id = self.argument_in(here, &name.name, name.span, &arg.ty, host_int);
                    if let Some(n) = value {
                        self.cx().hir.locals[id].term = Some(Affine::fixed(n));
                    }
                    id
                }
                None => self.default_argument(param, &mut stmts),
            };
            if !name.is_discard() {
                self.bind(&name.name, Binding::Local(id));
            }
            params.push(id);
        }
        self.signature_extents(&def, &params);
        stmts.append(&mut self.cx().pending);
        let block = self.block(&def.body.stmts, def.body.tail.as_deref());
        let tail = block.tail.as_deref().cloned();
        let span = def.body.span;
        let tail = tail.unwrap_or_else(|| value(ExprKind::Tuple(vec![]), Ty::unit(), span));
        let tail = match &def.ret {
            Some(ty) => self.annotated(tail, ty),
            None => tail,
        };
        let mut cx = self.bodies.pop().expect("pushed above");
        cx.hir.name = Some(def.name.name.clone());
        cx.hir.result = tail.ty.clone();
        stmts.extend(block.stmts);
        stmts.append(&mut cx.pending);
        cx.hir.block = crate::hir::Block { stmts, tail: Some(Box::new(tail)) };
        let captures = cx.captures.iter().map(|(there, _)| *there).collect();
        let asked: Vec<LocalId> = cx.wants_static.into_iter().collect();
        let asked = Checker::static_positions(&params, &asked);
        Checked { body: cx.hir, captures, asked, effects: cx.effects }
    }

    /// A parameter that a call leaves to its default: a value of the instance, which may
    /// use the parameters before it.
    fn default_argument(&mut self, param: &ast::Param, stmts: &mut Vec<Stmt>) -> LocalId {
        let default = param.default.as_ref().expect("a parameter without one is given");
        let e = self.expr(default);
        let e = self.held_by(e, param);
        let e = self.known_elements(e);
        let id = self.local(&param.name, e.ty.clone(), e.term.clone());
        self.record_dependence(id, &e);
        stmts.append(&mut self.cx().pending);
        if e.ty != Ty::Error {
            stmts.push(Stmt::Let(id, e));
        }
        id
    }

    /// Binds the named extents of a signature, and has them agree.
    fn signature_extents(&mut self, def: &ast::FnDef, params: &[LocalId]) {
        for (n, param) in def.params.iter().enumerate() {
            let Some(ast::Type { kind: ast::TypeKind::Array { dims: Some(dims), .. }, span }) =
                &param.ty
            else {
                continue;
            };
            let run = |d: &ast::Dim| matches!(d.kind, ast::DimKind::Star | ast::DimKind::Rest(_));
            let id = params[n];
            if dims.iter().any(run) {
                if !matches!(dims.as_slice(), [ast::Dim { kind: ast::DimKind::Star, .. }]) {
                    self.unsupported(*span, "a run of axes in a signature");
                }
                continue;
            }
            let local = &self.body().locals[id];
            let e = value(ExprKind::Local(id), local.ty.clone(), local.span);
            let e = self.stated_shape(e, dims, *span);
            self.cx().hir.locals[id].ty = e.ty;
        }
    }

    fn is_host_int(&self, e: &Expr) -> bool {
        let int = match e.ty {
            Ty::Array(Elem::OpenInt, ref s) => s.is_empty(),
            Ty::Array(Elem::Fixed(t), ref s) => s.is_empty() && t.is_int(),
            _ => false,
        };
        int && self.size_of(e).is_some()
    }

    /// An instance applied to arguments.
    pub fn apply(
        &mut self,
        f: FnId,
        body: BodyId,
        captures: Vec<LocalId>,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let home = self.functions[f].home;
        let here = self.bodies.len() - 1;
        for outer in captures {
            let id = self.reach(here, home, outer);
            args.push(self.local_value(id, span));
        }
        let sizes = self.argument_sizes(body, &args);
        let lookup = |p: Param| {
            sizes.iter().find(|(q, _)| *q == p).map_or_else(|| Size::param(p), |(_, s)| s.clone())
        };
        let instance = &self.program.bodies[body];
        let known = |s: &Size| s.params().iter().all(|p| sizes.iter().any(|(q, _)| q == p));
        let result = instance.result.clone();
        let checks = instance.checks.clone();
        if !sizes_of(&result).iter().all(&known) {
            return self
                .unsupported(span, "a result whose extents are computed inside the function");
        }
        let term = instance
            .block
            .tail
            .as_ref()
            .and_then(|t| t.term.as_ref()?.as_size().cloned())
            .filter(|s| known(s))
            .map(|s| Affine::fixed(s.substitute(&lookup)));
        let ty = substitute(&result, &lookup);
        let checks: Vec<_> = checks.iter().map(|c| c.through_call(span, &lookup)).collect();
        for check in checks {
            self.require(check);
        }
        let kind = ExprKind::Call(Call { body, args, sizes });
        self.run_once(Expr { kind, ty, span, term }, body)
    }

    /// A call with effects is a statement of its own: it runs once, in its turn.
    fn run_once(&mut self, call: Expr, body: BodyId) -> Expr {
        let effects = self.effects.get(&body).copied().unwrap_or_default();
        self.has_effect(effects);
        let host = self.is_host();
        if !host && effects == Effects::Prints {
            self.at_host_level(call.span, "print");
            return error_expr(call.span);
        }
        if !host || effects == Effects::None || call.ty == Ty::unit() {
            return call;
        }
        let ident = ast::Ident { name: "tuple".into(), span: call.span };
        let id = self.local(&ident, call.ty.clone(), call.term.clone());
        let (ty, term, span) = (call.ty.clone(), call.term.clone(), call.span);
        self.cx().pending.push(Stmt::Let(id, call));
        Expr { kind: ExprKind::Local(id), ty, span, term }
    }

    /// A local of `home` as seen from the body under way.
    fn reach(&mut self, here: usize, home: usize, outer: LocalId) -> LocalId {
        if here == home {
            return outer;
        }
        match self.bodies[here].parent {
            Some((parent, ..)) => {
                let there = self.reach(parent, home, outer);
                self.capture(here, parent, there)
            }
            None => outer,
        }
    }

    /// What the parameters of an instance stand for at a call.
    fn argument_sizes(&self, body: BodyId, args: &[Expr]) -> Vec<(Param, Size)> {
        let instance = &self.program.bodies[body];
        let mut out = Vec::new();
        for (p, info) in instance.params.iter() {
            let size = match info.origin {
                ParamOrigin::Extent(local, axis) => {
                    let n = instance.arguments.iter().position(|a| *a == local);
                    n.and_then(|n| sizes_of(&args[n].ty).get(axis).cloned())
                }
                ParamOrigin::Argument(local) => {
                    let n = instance.arguments.iter().position(|a| *a == local);
                    n.and_then(|n| self.size_of(&args[n]))
                }
                _ => None,
            };
            out.extend(size.map(|s| (p, s)));
        }
        out
    }
}

/// The extents of a type, through tuples, in order.
fn sizes_of(ty: &Ty) -> Vec<Size> {
    match ty {
        Ty::Array(_, shape) | Ty::Differential(_, shape) => shape.clone(),
        Ty::Tuple(members) => members.iter().flat_map(sizes_of).collect(),
        Ty::Str | Ty::Error => Vec::new(),
    }
}

fn substitute(ty: &Ty, replace: &dyn Fn(Param) -> Size) -> Ty {
    match ty {
        Ty::Array(elem, shape) => {
            Ty::Array(*elem, shape.iter().map(|s| s.substitute(replace)).collect())
        }
        Ty::Differential(elem, shape) => {
            Ty::Differential(*elem, shape.iter().map(|s| s.substitute(replace)).collect())
        }
        Ty::Tuple(members) => Ty::Tuple(members.iter().map(|m| substitute(m, replace)).collect()),
        Ty::Str | Ty::Error => ty.clone(),
    }
}

pub(crate) fn arg_key(e: &Expr) -> ArgKey {
    let host_int = e.term.as_ref().is_some_and(|t| t.as_size().is_some());
    match &e.ty {
        Ty::Array(elem, shape) if shape.is_empty() && host_int => ArgKey::HostInt(*elem),
        Ty::Array(elem, shape) => ArgKey::Array(*elem, shape.len()),
        Ty::Str => ArgKey::Str,
        Ty::Tuple(members) => ArgKey::Tuple(members.iter().map(ty_key).collect()),
        Ty::Differential(..) | Ty::Error => ArgKey::Error,
    }
}

fn ty_key(ty: &Ty) -> ArgKey {
    match ty {
        Ty::Array(elem, shape) => ArgKey::Array(*elem, shape.len()),
        Ty::Str => ArgKey::Str,
        Ty::Tuple(members) => ArgKey::Tuple(members.iter().map(ty_key).collect()),
        Ty::Differential(..) | Ty::Error => ArgKey::Error,
    }
}
