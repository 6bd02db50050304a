//! Calls: builtins, library functions, and functions of the program.
//!
//! A function is checked once for each key (element types and ranks of its arguments);
//! its extents are parameters, and a call says what they stand for.

use crate::checker::{ArgKey, BodyCx, Checker, Effects, Instance, InstanceKey, error_expr};
use crate::expr::value;
use crate::hir::Item;
use crate::hir::{
    Body, BodyId, Call, Elem, Expr, ExprKind, IterInfo, LocalId, ParamOrigin, RangeSource,
    ReadInfo, Stmt, Ty,
};
use crate::library::{LibraryItem, Operands};
use crate::scope::{Binding, FnId};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::{Param, Size};
use weft_syntax::ast;
use weft_tensor::Accumulator;

/// Functions that need no import.
const BUILTINS: [&str; 8] = ["print", "assert", "len", "shape", "typeof", "sum", "max", "min"];

/// Instances under way at once: deeper nesting is refused.
const DEEPEST_CALL: u32 = 64;

/// What comes of looking for an instance.
enum Lookup {
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
    pub fn call(&mut self, callee: &ast::Expr, args: &[ast::Arg], span: Span) -> Expr {
        let ast::ExprKind::Path(path) = &callee.kind else {
            return self.unsupported(callee.span, "a call of a computed function");
        };
        if let Some(name) = path.as_name() {
            let builtin = BUILTINS.contains(&name.as_str()) && self.lookup(name.as_str()).is_none();
            if builtin {
                return self.builtin(name, args, span);
            }
        }
        match self.resolve(path) {
            Some(Binding::Function(f)) => self.call_function(f, args, span),
            Some(Binding::Library(item)) => self.call_library(item, path, args, span),
            Some(Binding::Poisoned) => error_expr(span),
            Some(_) => {
                let name = path.last();
                let d =
                    Diagnostic::error(Code::E0308, format!("`{}` is not a function", name.name))
                        .primary(callee.span, "called here");
                self.error(d)
            }
            None => {
                args.iter().for_each(|a| {
                    self.expr(&a.value);
                });
                error_expr(span)
            }
        }
    }

    /// `a |> f(b)` is `f(a, b)`.
    pub fn pipe(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let first = ast::Arg { span: lhs.span, name: None, value: lhs.clone() };
        match &rhs.kind {
            ast::ExprKind::Call { callee, args } => {
                let all: Vec<ast::Arg> = [first].into_iter().chain(args.iter().cloned()).collect();
                self.call(callee, &all, span)
            }
            _ => self.call(rhs, &[first], span),
        }
    }

    fn count(&mut self, name: &str, wanted: &str, ok: bool, found: usize, span: Span) -> bool {
        if !ok {
            let s = if found == 1 { "" } else { "s" };
            let d =
                Diagnostic::error(Code::E0061, format!("`{name}` takes {wanted}, {found} given"))
                    .primary(span, format!("{found} argument{s}"));
            self.report(d);
        }
        ok
    }

    fn positional(&mut self, args: &[ast::Arg]) -> Option<Vec<Expr>> {
        if let Some(named) = args.iter().find_map(|a| a.name.as_ref()) {
            let d = Diagnostic::error(Code::E0061, format!("unknown argument `{}`", named.name))
                .primary(named.span, "this function has no named parameters");
            self.report(d);
            return None;
        }
        Some(args.iter().map(|a| self.expr(&a.value)).collect())
    }

    fn builtin(&mut self, name: &ast::Ident, args: &[ast::Arg], span: Span) -> Expr {
        let Some(mut all) = self.positional(args) else { return error_expr(span) };
        let n = all.len();
        let text = name.as_str();
        match text {
            "print" => {
                if !self.at_host_level(span, "print") {
                    return error_expr(span);
                }
                self.has_effect(Effects::Prints);
                let all = all.into_iter().map(|e| self.close(e)).collect();
                value(ExprKind::Print(all), Ty::unit(), span)
            }
            "assert" => {
                if !self.count(text, "1 or 2 arguments", n == 1 || n == 2, n, span) {
                    return error_expr(span);
                }
                let message = (n == 2).then(|| Box::new(all.remove(1)));
                self.assertion(all.remove(0), message, span)
            }
            "max" | "min" if n == 2 => {
                let op = if text == "max" { BinaryOp::Max } else { BinaryOp::Min };
                let (b, a) = (all.remove(1), all.remove(0));
                self.apply_binary(op, a, b, span)
            }
            _ => {
                if !self.count(text, "1 argument", n == 1, n, span) {
                    return error_expr(span);
                }
                let x = all.remove(0);
                match text {
                    "len" => self.length_of(&x, span),
                    "typeof" => self.type_name(&x, span),
                    "shape" if x.ty == Ty::Error => error_expr(span),
                    "shape" => self.shape_of(&x, span),
                    "sum" => self.reduce_all(Accumulator::Sum, x, span),
                    "max" => self.reduce_all(Accumulator::Max, x, span),
                    "min" => self.reduce_all(Accumulator::Min, x, span),
                    _ => self.unsupported(span, "this builtin"),
                }
            }
        }
    }

    fn at_host_level(&mut self, span: Span, what: &str) -> bool {
        let inside = !self.is_host();
        if inside {
            let d = Diagnostic::error(Code::E1107, format!("`{what}` inside a clause"))
                .primary(span, "cells are computed in no particular order")
                .help("bind the tensor, and print it after its definition");
            self.report(d);
        }
        !inside
    }

    fn assertion(&mut self, cond: Expr, message: Option<Box<Expr>>, span: Span) -> Expr {
        if cond.ty == Ty::Error {
            return error_expr(span);
        }
        let cond = self.expect_elem(cond, Elem::Fixed(ScalarType::Bool), "an assertion");
        if message.as_ref().is_some_and(|m| m.ty != Ty::Str && m.ty != Ty::Error) {
            return self.unsupported(span, "a message that is not a string");
        }
        self.has_effect(Effects::Asserts);
        value(ExprKind::Assert(Box::new(cond), message), Ty::unit(), span)
    }

    /// A builtin reduction over all elements.
    fn reduce_all(&mut self, accumulator: Accumulator, x: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error {
            return error_expr(span);
        }
        let x = self.known_elements(x);
        let x = self.numeric(x, "this reduction");
        let (Some(shape), Some(elem)) = (x.ty.shape().map(<[Size]>::to_vec), x.ty.elem()) else {
            return error_expr(span);
        };
        let mut iters = Vec::new();
        for (axis, s) in shape.into_iter().enumerate() {
            let range = Some((Affine::fixed(0), Affine::fixed(s)));
            let name = Name::new(&format!("axis{axis}"));
            let source = Some(RangeSource::Read(x.span));
            iters.push(self.cx().hir.iters.push(IterInfo { name, span, range, source }));
        }
        if iters.is_empty() {
            return x;
        }
        let read = self.cx().hir.reads.push(ReadInfo { span, checked: false });
        let items = iters.iter().map(|i| Item::At(Affine::iter(*i))).collect();
        let body = value(ExprKind::Read(read, Box::new(x), items), Ty::scalar(elem), span);
        let (binds, guards, body) = (Vec::new(), Vec::new(), Box::new(body));
        let kind = ExprKind::Reduce { accumulator, iters, binds, guards, body };
        value(kind, Ty::scalar(elem), span)
    }

    fn call_library(
        &mut self,
        item: LibraryItem,
        path: &ast::Path,
        args: &[ast::Arg],
        span: Span,
    ) -> Expr {
        let name = path.last().name.clone();
        let Some(mut all) = self.positional(args) else { return error_expr(span) };
        let (wanted, text) = match item {
            LibraryItem::Unary(..) | LibraryItem::Square => (1, "1 argument"),
            LibraryItem::Binary(_) => (2, "2 arguments"),
            LibraryItem::Constant(_) => (0, "no arguments"),
            LibraryItem::Module(_) => {
                let d = Diagnostic::error(Code::E0308, format!("`{name}` is a module"))
                    .primary(path.span, "called here");
                return self.error(d);
            }
        };
        if !self.count(name.as_str(), text, all.len() == wanted, all.len(), span) {
            return error_expr(span);
        }
        match item {
            LibraryItem::Constant(v) => self.float(v, span),
            LibraryItem::Unary(op, operands) => {
                let x = all.remove(0);
                let x = match operands {
                    Operands::Float => self.float_operand(x, name.as_str()),
                    Operands::Number => self.numeric(x, &format!("`{name}`")),
                };
                self.apply_unary(op, x, span)
            }
            LibraryItem::Square => {
                let x = self.numeric(all.remove(0), "`square`");
                self.apply_binary(BinaryOp::Mul, x.clone(), x, span)
            }
            LibraryItem::Binary(op) => {
                let (b, a) = (all.remove(1), all.remove(0));
                self.apply_binary(op, a, b, span)
            }
            LibraryItem::Module(_) => error_expr(span),
        }
    }

    /// Floats, or a literal that becomes one.
    fn float_operand(&mut self, x: Expr, name: &str) -> Expr {
        match x.ty.elem() {
            Some(Elem::OpenInt) => self.adapt(x, Elem::OpenFloat),
            Some(Elem::OpenFloat | Elem::Unknown) => x,
            Some(Elem::Fixed(t)) if t.is_float() => x,
            _ if x.ty == Ty::Error => x,
            _ => {
                let found = self.show_ty(&x.ty);
                let d = Diagnostic::error(
                    Code::E0308,
                    format!("`{name}` takes a float, found {found}"),
                )
                .primary(x.span, format!("this is {found}"))
                .help_edit(
                    "convert it",
                    Span::new(x.span.file, x.span.end, x.span.end),
                    " as f32",
                );
                self.error(d)
            }
        }
    }

    fn call_function(&mut self, f: FnId, args: &[ast::Arg], span: Span) -> Expr {
        let def = self.functions[f].def.clone();
        let Some(args) = self.arrange(&def, args, span) else { return error_expr(span) };
        let mut held: Vec<Option<Expr>> = Vec::new();
        for (arg, param) in args.into_iter().zip(&def.params) {
            held.push(arg.map(|a| {
                let a = self.held_by(a, param);
                self.known_elements(a)
            }));
        }
        let args = held;
        if args.iter().flatten().any(|a| a.ty == Ty::Error) {
            return error_expr(span);
        }
        let lifted = self.lifted_positions(&def, &args);
        if lifted.is_empty() {
            return self.call_instance(f, args, span);
        }
        self.lift(args, &lifted, span, &mut |this, args| this.call_instance(f, args, span))
    }

    /// A call with arguments that fit their parameters.
    fn call_instance(&mut self, f: FnId, mut args: Vec<Option<Expr>>, span: Span) -> Expr {
        // Each round makes another parameter static, so there are few.
        loop {
            let wanted: Vec<usize> = self.statics.get(&f).into_iter().flatten().copied().collect();
            self.with_static_values(&mut args, &wanted);
            let args_key = (0..args.len()).map(|n| self.part_of_key(&args, n, &wanted)).collect();
            let key = InstanceKey { function: f, args: args_key };
            match self.instance(f, key, &args, span) {
                Lookup::Found(body, captures) => {
                    return self.apply(
                        f,
                        body,
                        captures,
                        args.into_iter().flatten().collect(),
                        span,
                    );
                }
                Lookup::Again => {}
                Lookup::Failed => return error_expr(span),
            }
        }
    }

    /// What of argument `n` specialises.
    fn part_of_key(&self, args: &[Option<Expr>], n: usize, wanted: &[usize]) -> ArgKey {
        let Some(arg) = &args[n] else { return ArgKey::Default };
        let known = self.size_of(arg).and_then(|s| s.as_constant());
        match (known, arg.ty.elem()) {
            (Some(value), Some(elem)) if wanted.contains(&n) => ArgKey::Static(elem, value),
            _ => arg_key(arg),
        }
    }

    /// Arguments in the order of the parameters; `None` for one that is left to its default.
    fn arrange(
        &mut self,
        def: &ast::FnDef,
        args: &[ast::Arg],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let mut slots: Vec<Option<Expr>> = vec![None; def.params.len()];
        for (n, arg) in args.iter().enumerate() {
            let e = self.expr(&arg.value);
            let at = match &arg.name {
                None => Some(n),
                Some(name) => def.params.iter().position(|p| p.name.name == name.name),
            };
            match at.filter(|at| *at < slots.len() && slots[*at].is_none()) {
                Some(at) => slots[at] = Some(e),
                None => {
                    self.misplaced(def, arg, args.len(), span);
                    return None;
                }
            }
        }
        if slots.iter().zip(&def.params).any(|(s, p)| s.is_none() && p.default.is_none()) {
            self.missing(def, args.len(), span);
            return None;
        }
        Some(slots)
    }

    fn misplaced(&mut self, def: &ast::FnDef, arg: &ast::Arg, given: usize, span: Span) {
        match &arg.name {
            None => self.missing(def, given, span),
            Some(name) => {
                let known = def.params.iter().any(|p| p.name.name == name.name);
                let what = if known { "is given twice" } else { "is no parameter" };
                let d = Diagnostic::error(
                    Code::E0061,
                    format!("`{}` {what} of `{}`", name.name, def.name.name),
                )
                .primary(name.span, "this argument")
                .secondary(def.name.span, "defined here");
                self.report(d);
            }
        }
    }

    fn missing(&mut self, def: &ast::FnDef, given: usize, span: Span) {
        let most = def.params.len();
        let least = def.params.iter().filter(|p| p.default.is_none()).count();
        let wanted = match (least == most, most) {
            (true, 1) => "1 argument".to_string(),
            (true, n) => format!("{n} arguments"),
            (false, n) => format!("{least} to {n} arguments"),
        };
        let s = if given == 1 { "" } else { "s" };
        let d = Diagnostic::error(
            Code::E0061,
            format!("`{}` takes {wanted}, {given} given", def.name.name),
        )
        .primary(span, format!("{given} argument{s}"))
        .secondary(def.name.span, "defined here");
        self.report(d);
    }

    /// An argument held against its parameter's type, as far as elements go; extents are
    /// checked inside, once for all calls.
    fn held_by(&mut self, e: Expr, param: &ast::Param) -> Expr {
        let Some(ty) = &param.ty else { return e };
        if e.ty == Ty::Error {
            return e;
        }
        use crate::types::Declared;
        match (self.declared(ty), e.ty.rank()) {
            (Some(Declared::Scalar(t)), Some(_)) => {
                self.expect_elem(e, Elem::Fixed(t), "this argument")
            }
            (Some(Declared::Array(t, dims)), Some(rank)) if rank > 0 => {
                let e = self.expect_elem(e, Elem::Fixed(t), "this argument");
                let run =
                    |d: &ast::Dim| matches!(d.kind, ast::DimKind::Star | ast::DimKind::Rest(_));
                let stated = match &dims {
                    None => Some(1),
                    Some(dims) if dims.iter().any(run) => None,
                    Some(dims) => Some(dims.len()),
                };
                match stated {
                    Some(stated) if stated != rank && e.ty != Ty::Error => {
                        let d = Diagnostic::error(
                            Code::E0308,
                            format!("expected a tensor of rank {stated}, found rank {rank}"),
                        )
                        .primary(e.span, format!("this has {rank} axes"))
                        .secondary(ty.span, "stated here");
                        self.error(d)
                    }
                    _ => e,
                }
            }
            (Some(declared), _) => self.held_against(e, &declared, ty.span),
            (None, _) => error_expr(e.span),
        }
    }

    /// The instance for a key: found, or checked now.
    fn instance(&mut self, f: FnId, key: InstanceKey, args: &[Option<Expr>], span: Span) -> Lookup {
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
        let (def, parent) = (function.def.clone(), (function.home, function.depth, function.order));
        // Bodies above the function's home stay where they are: names are looked up by
        // the home's number, and the new body stands on top of the stack.
        self.bodies.push(BodyCx::new(Some(parent)));
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
            self.stated_shape(e, dims, *span);
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
    fn apply(
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
        Ty::Array(_, shape) => shape.clone(),
        Ty::Tuple(members) => members.iter().flat_map(sizes_of).collect(),
        Ty::Str | Ty::Error => Vec::new(),
    }
}

fn substitute(ty: &Ty, replace: &dyn Fn(Param) -> Size) -> Ty {
    match ty {
        Ty::Array(elem, shape) => {
            Ty::Array(*elem, shape.iter().map(|s| s.substitute(replace)).collect())
        }
        Ty::Tuple(members) => Ty::Tuple(members.iter().map(|m| substitute(m, replace)).collect()),
        Ty::Str | Ty::Error => ty.clone(),
    }
}

fn arg_key(e: &Expr) -> ArgKey {
    let host_int = e.term.as_ref().is_some_and(|t| t.as_size().is_some());
    match &e.ty {
        Ty::Array(elem, shape) if shape.is_empty() && host_int => ArgKey::HostInt(*elem),
        Ty::Array(elem, shape) => ArgKey::Array(*elem, shape.len()),
        Ty::Str => ArgKey::Str,
        Ty::Tuple(members) => ArgKey::Tuple(members.iter().map(ty_key).collect()),
        Ty::Error => ArgKey::Error,
    }
}

fn ty_key(ty: &Ty) -> ArgKey {
    match ty {
        Ty::Array(elem, shape) => ArgKey::Array(*elem, shape.len()),
        Ty::Str => ArgKey::Str,
        Ty::Tuple(members) => ArgKey::Tuple(members.iter().map(ty_key).collect()),
        Ty::Error => ArgKey::Error,
    }
}
