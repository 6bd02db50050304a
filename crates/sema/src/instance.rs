//! Instances of functions: one per key, checked at its first call.

use crate::checker::{Assumed, Checker, Instance, InstanceKey};
use crate::handles::Callables;
use crate::library_call::{LibraryCall, given, signature};
use crate::scope::{Binding, FnId};
use crate::sink::{self, Sink};
use crate::thir::{Body, BodyId, Call, Expr, ExprKind, LocalId, ParamOrigin, Stmt, Ty};
use crate::typed::absent::passed;
use crate::typed::body_cx::{Effects, MOST_LEAVES, Need, leaves_of};
use crate::typed::differential::holds_differentials;
use crate::typed::forms::{is_absent, without_extents};
use crate::typed::handles::{Conversions, Terms};
use crate::typed::keys::{ArgKey, captured_member, ty_key};
use crate::typed::terms::replaced;
use crate::typed::values::{error_expr, value};
use std::collections::BTreeMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::Scalar;
use weft_shape::{Param, Size, SizeCheck, Verdict};

/// Instances of one function under way at once: more are refused.
const MOST_INSTANCES: usize = 64;

/// Instances under way at once, of all functions.
const DEEPEST_CALL: usize = 500;

/// What the instances of a program may weigh together: each as much as the members of its
/// arguments, and as [`INSTANCE`] of them. Functions within functions that are called twice by
/// each are twice as many with each.
const MOST_INSTANTIATED: usize = 1 << 20;

/// Members of arguments in the time that an instance takes by itself.
const INSTANCE: usize = 128;

/// How often a recursive function is gone over to find the type of its value.
const ROUNDS: usize = 8;

/// What comes of looking for an instance.
pub(crate) enum Lookup {
    Found(BodyId, Vec<LocalId>),
    /// It is being checked: the call is a recursive one.
    Recursive(Assumed),
    /// More is known of what specialises.
    Again,
    Failed,
}

/// A checked instance.
struct Checked {
    body: Body,
    captures: Vec<LocalId>,
    /// Positions of the parameters that should be static.
    asked: BTreeMap<usize, Need>,
    effects: Effects,
    /// The division that the value is the quotient of.
    quotient: Option<Span>,
    sink: Sink,
}

impl Callables<'_, '_> {
    /// The instance for a key: found, or checked now.
    pub fn instance(
        &mut self,
        f: FnId,
        key: InstanceKey,
        args: &[Option<Expr>],
        wanted: &BTreeMap<usize, Need>,
        span: Span,
    ) -> Lookup {
        match self.checker.instances.get(&key) {
            Some(Instance::Done { body, captures, rests_on }) => {
                let (body, captures, rests_on) = (*body, captures.clone(), *rests_on);
                self.rest_on(rests_on);
                if self.checker.of_bodies.has(body) {
                    let call = self.call_of(f, args, span);
                    let errors = self.checker.of_bodies.has_errors(body);
                    self.checker.cx().sink.mention(body, call, errors);
                }
                return Lookup::Found(body, captures);
            }
            Some(Instance::UnderWay(at)) => {
                let at = *at;
                // All that are under way since then call each other.
                self.checker.recursive.extend(self.checker.under_way[at..].iter().map(|a| a.body));
                self.rest_on(Some(at));
                let assumed = &mut self.checker.under_way[at];
                assumed.called = true;
                return Lookup::Recursive(assumed.clone());
            }
            None => {}
        }
        if let Some(d) = self.refused_before(f) {
            self.checker.report(d);
            return Lookup::Failed;
        }
        let leaves: usize = args.iter().flatten().map(|a| leaves_of(&a.ty)).sum();
        self.checker.instantiated += INSTANCE + leaves;
        if self.checker.instantiated > MOST_INSTANTIATED {
            let d = self.too_much_instantiated(f, span);
            self.checker.report(d);
            return Lookup::Failed;
        }
        let refused = match leaves > MOST_LEAVES {
            true => Some(self.too_large_arguments(f, leaves, span)),
            false => self.too_many_instances(f, span),
        };
        if let Some(d) = refused {
            self.checker.refused.insert(f, d.clone());
            self.checker.report(d);
            return Lookup::Failed;
        }
        stacker::maybe_grow(256 << 10, 4 << 20, || self.new_instance(f, key, args, wanted, span))
    }

    /// What was said of a function that calls itself without end, as long as it is under way: each
    /// of its instances would go there again, by all ways that there are.
    fn refused_before(&mut self, f: FnId) -> Option<Diagnostic> {
        if !self.checker.under_way.iter().any(|a| a.function == f) {
            self.checker.refused.remove(&f);
        }
        self.checker.refused.get(&f).cloned()
    }

    /// Checks an instance; one that calls itself in rounds, until the type of its value is
    /// what the round before assumed.
    fn new_instance(
        &mut self,
        f: FnId,
        key: InstanceKey,
        args: &[Option<Expr>],
        wanted: &BTreeMap<usize, Need>,
        span: Span,
    ) -> Lookup {
        let id = self.checker.program.bodies.push(Body::default());
        let result = self.stated_result(f);
        let mut assumed = Assumed {
            function: f,
            body: id,
            result,
            captures: Vec::new(),
            effects: Effects::None,
            called: false,
            rests_on: None,
        };
        for _ in 0..ROUNDS {
            let before = self.checker.instances.count();
            let place = self.checker.under_way.len();
            self.checker.instances.set(&key, Instance::UnderWay(place));
            self.checker.under_way.push(assumed.clone());
            let unknown = assumed.result.is_none();
            let Checked { body, captures, asked, effects, quotient, sink } =
                self.check_instance(f, args, &key);
            let (called, rests_on) =
                self.checker.under_way.pop().map_or((false, None), |a| (a.called, a.rests_on));
            let calls_those_around = rests_on.is_some();
            // What rests on this instance alone is settled with it.
            let rests_on = rests_on.filter(|at| *at < place);
            self.rest_on(rests_on);
            if self.becomes_static(f, args, wanted, &asked) {
                self.forget_dependent(before);
                return Lookup::Again;
            }
            let found = without_extents(&body.result);
            let stands = found == Ty::Error && !unknown
                || assumed.result.as_ref().is_some_and(|r| ty_key(r) == ty_key(&found))
                    && assumed.captures == captures
                    && assumed.effects == effects;
            if called && !stands && (found != Ty::Error || !unknown) {
                self.forget_dependent(before);
                assumed = Assumed { result: Some(found), captures, effects, ..assumed };
                continue;
            }
            if self.checker.of_bodies.set(id, sink) {
                let call = self.call_of(f, args, span);
                let errors = self.checker.of_bodies.has_errors(id);
                self.checker.cx().sink.mention(id, call, errors);
            }
            let leaves = leaves_of(&body.result);
            if leaves > MOST_LEAVES {
                let name = self.checker.functions[f].def.name.clone();
                self.checker.cx().too_large_value(
                    format!("what `{}` gives has {leaves} members", name.name),
                    name.span,
                );
                self.forget_dependent(before);
                return Lookup::Failed;
            }
            if called && unknown {
                self.unknown_result(f);
                self.forget_dependent(before);
                return Lookup::Failed;
            }
            self.checker.program.bodies[id] = body;
            self.checker.effects.insert(id, effects);
            self.checker.quotients.extend(quotient.map(|span| (id, span)));
            let done = Instance::Done { body: id, captures: captures.clone(), rests_on };
            self.checker.instances.set(&key, done);
            self.checker.instances.confirm_since(before, place);
            if called || calls_those_around {
                self.note_recursion(id);
            }
            return Lookup::Found(id, captures);
        }
        self.unknown_result(f);
        Lookup::Failed
    }

    /// A call of a function, for what is reported inside it.
    fn call_of(&self, f: FnId, args: &[Option<Expr>], span: Span) -> sink::Call {
        let def = &self.checker.functions[f].def;
        let (name, at) = (def.name.name.clone(), def.name.span);
        let params: Vec<Name> = def.params.iter().map(|p| p.name.name.clone()).collect();
        let is_library = self.checker.tree.library.contains(&at.file);
        let cx = self.checker.at();
        let of_library = is_library.then(|| LibraryCall {
            found: given(&params, args, at, |e| cx.show_ty(&e.ty)),
            taken: signature(cx.source, at),
        });
        sink::Call { span, name, of_library }
    }

    /// Notes that what is being checked rests on what is assumed of an instance under way.
    fn rest_on(&mut self, at: Option<usize>) {
        if let (Some(at), Some(top)) = (at, self.checker.under_way.last_mut()) {
            top.rests_on = Some(top.rests_on.map_or(at, |other| other.min(at)));
        }
    }

    /// Forgets the instances that a round made and that rest on what it assumed, and the one it
    /// was about.
    fn forget_dependent(&mut self, before: usize) {
        let independent =
            |_, instance: &Instance| matches!(instance, Instance::Done { rests_on: None, .. });
        self.checker.instances.retain_since(before, independent);
    }

    /// Notes whether an instance calls itself, perhaps through others: then those are
    /// called when the program runs as well.
    fn note_recursion(&mut self, id: BodyId) {
        let reached = self.checker.program.calls_from(id);
        if !reached.contains(&id) {
            return;
        }
        for other in reached {
            if self.checker.program.calls_from(other).contains(&id) {
                self.checker.recursive.insert(other);
            }
        }
    }

    /// The type of a function's value as its signature states it.
    fn stated_result(&mut self, f: FnId) -> Option<Ty> {
        let ret = self.checker.functions[f].def.ret.clone()?;
        let declared = self.checker.unreported(|c| c.cx().conversions().declared(&ret));
        let ty = self.checker.types.type_of(&declared?, &[]);
        (ty != Ty::Error).then_some(ty)
    }

    fn unknown_result(&mut self, f: FnId) {
        let name = self.checker.functions[f].def.name.clone();
        let d = Diagnostic::error(
            Code::E0309,
            format!("the type of what `{}` gives is not known", name.name),
        )
        .primary(name.span, "every branch calls it again")
        .help("annotate the result: `-> f32`");
        self.checker.report(d);
    }

    fn too_large_arguments(&self, f: FnId, leaves: usize, span: Span) -> Diagnostic {
        let name = self.checker.functions[f].def.name.clone();
        Diagnostic::error(
            Code::E0309,
            format!("the arguments of `{}` have {leaves} members", name.name),
        )
        .primary(span, format!("more than {MOST_LEAVES} are not allowed"))
        .secondary(name.span, "defined here")
    }

    fn too_much_instantiated(&self, f: FnId, span: Span) -> Diagnostic {
        let name = self.checker.functions[f].def.name.clone();
        let headline = "functions are called with too many kinds of arguments";
        Diagnostic::error(Code::E0309, headline)
            .primary(span, "this call needs one more instance")
            .secondary(name.span, "defined here")
            .help("functions within functions have instances for each instance around them")
    }

    fn too_many_instances(&self, f: FnId, span: Span) -> Option<Diagnostic> {
        let same = self.checker.under_way.iter().filter(|a| a.function == f).count();
        if same < MOST_INSTANCES && self.checker.under_way.len() < DEEPEST_CALL {
            return None;
        }
        let name = self.checker.functions[f].def.name.clone();
        let d = match same < MOST_INSTANCES {
            true => Diagnostic::error(
                Code::E0309,
                format!("{DEEPEST_CALL} functions call each other in one chain"),
            ),
            false => Diagnostic::error(
                Code::E0309,
                format!("`{}` calls itself with ever other types: {same} instances", name.name),
            ),
        };
        let d = d.primary(span, "this call needs one more").secondary(name.span, "defined here");
        let chain: Vec<String> = self
            .checker
            .under_way
            .iter()
            .rev()
            .take(4)
            .rev()
            .map(|a| format!("`{}`", self.checker.functions[a.function].def.name.name))
            .collect();
        let d = d
            .note(format!("the chain of calls ends in {}", chain.join(" → ")))
            .help("the recursion must end by what is known while checking: a rank, a number");
        Some(d)
    }

    /// A call of a function that is being checked.
    pub fn recursive_call(
        &mut self,
        f: FnId,
        assumed: Assumed,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let Some(ty) = assumed.result else { return error_expr(span) };
        if ty == Ty::Error || self.refuse_differentials(f, &args) {
            return error_expr(span);
        }
        args = args.into_iter().map(passed).collect();
        self.with_captures(f, &assumed.captures, &mut args, span);
        let call = Call { body: assumed.body, args, sizes: Vec::new(), results: Vec::new() };
        let e = value(ExprKind::Call(call), ty, span);
        self.checker.cx().turns().called(e, assumed.effects)
    }

    fn with_captures(&mut self, f: FnId, captures: &[LocalId], args: &mut Vec<Expr>, span: Span) {
        let home = self.checker.functions[f].home;
        let here = self.checker.bodies.len() - 1;
        for outer in captures {
            let id = self.reach(here, home, *outer);
            // That a function reads a definition under way is told where it does.
            args.push(match self.checker.cx().group.contains_key(&id) {
                true => error_expr(span),
                false => self.checker.cx().leaves().local_value(id, span),
            });
        }
    }

    /// Notes which parameters specialise by value; whether an argument's value is known
    /// and was not used, as it was not `wanted` yet.
    fn becomes_static(
        &mut self,
        f: FnId,
        args: &[Option<Expr>],
        wanted: &BTreeMap<usize, Need>,
        asked: &BTreeMap<usize, Need>,
    ) -> bool {
        let mut again = false;
        for (at, need) in asked {
            let noted = self.checker.statics.entry(f).or_default().entry(*at).or_insert(*need);
            *noted = (*noted).max(*need);
        }
        let now = self.checker.calls().wanted(f);
        let new = asked.iter().filter(|(at, _)| now.contains_key(at) && !wanted.contains_key(at));
        for (at, need) in new {
            let Some(mut arg) = args[*at].clone() else { continue };
            self.checker.cx().terms().make_static(&mut arg, *need);
            again |= self.checker.at().static_key(&arg).is_some();
        }
        again
    }

    /// Checks an instance.
    fn check_instance(&mut self, f: FnId, args: &[Option<Expr>], key: &InstanceKey) -> Checked {
        let function = &self.checker.functions[f];
        let (def, home) = (function.def.clone(), function.home);
        // Bodies above the function's home stay where they are: variables are looked up by
        // the home's number, and the new body stands on top of the stack.
        self.checker.open_body(Some(home));
        let here = self.checker.bodies.len() - 1;
        let closure = self.checker.functions[f].closure.clone();
        for (var, binding) in closure.iter().flat_map(|c| &c.bound) {
            self.checker.cx().bind(*var, binding.clone());
        }
        let (mut params, mut stmts) = (Vec::new(), Vec::new());
        for ((param, arg), part) in def.params.iter().zip(args).zip(&key.args) {
            let name = &param.name;
            let id = match arg {
                Some(arg) => {
                    let is_static = matches!(part, ArgKey::Static(..));
                    let host_int = !is_static && self.checker.at().is_host_int(arg);
                    let id = self.checker.cx().argument(&name.name, name.span, &arg.ty, host_int);
                    self.checker.cx().terms().know_argument(id, part, name.span);
                    id
                }
                None => self.default_argument(param, &mut stmts),
            };
            if !name.is_discard() {
                self.checker.cx().bind(name.var, Binding::Local(id));
            }
            params.push(id);
        }
        let known = self.checker.under_way.last().map(|a| a.captures.clone());
        for outer in known.unwrap_or_default() {
            self.reach(here, home, outer);
        }
        self.signature_extents(&def, &params);
        stmts.append(&mut self.checker.cx().pending);
        let block = self.checker.blocks().block(&def.body.stmts, def.body.tail.as_deref());
        let tail = block.tail.as_deref().cloned();
        let span = def.body.span;
        let tail = tail.unwrap_or_else(|| value(ExprKind::Tuple(vec![]), Ty::unit(), span));
        let tail = match &def.ret {
            Some(ty) => self.checker.applied().annotated(tail, ty),
            None => tail,
        };
        let tail = self.ruled(f, &params, tail);
        let quotient = self.checker.at().truncated_in(&tail);
        let mut cx = self.checker.bodies.pop().expect("pushed above");
        cx.body.name = Some(def.name.name.clone());
        cx.body.of_library = self.checker.tree.library.contains(&def.name.span.file);
        cx.body.result = tail.ty.clone();
        stmts.extend(block.stmts);
        stmts.append(&mut cx.pending);
        cx.body.block = crate::thir::Block { stmts, tail: Some(Box::new(tail)) };
        cx.conversions().refuse_absent();
        let captures = cx.captures.iter().map(|(there, _)| *there).collect();
        let asked = Terms::static_positions(&params, &cx.wants_static);
        Checked { body: cx.body, captures, asked, effects: cx.effects, quotient, sink: cx.sink }
    }

    /// A parameter that a call leaves to its default: a value of the instance, which may
    /// use the parameters before it.
    fn default_argument(&mut self, param: &hir::Param, stmts: &mut Vec<Stmt>) -> LocalId {
        let default = param.default.as_ref().expect("a parameter without one is given");
        let e = self.checker.expr(default);
        let e = self.checker.calls().held_by(e, param);
        let e = self.checker.cx().conversions().known_or_absent(e);
        let id = self.checker.cx().local(
            &param.name.name,
            param.name.span,
            e.ty.clone(),
            e.term.clone(),
        );
        if let Some(text) = crate::typed::values::constant_text(&e) {
            self.checker.cx().texts.insert_mut(id, text);
        }
        self.checker.cx().remember_value(id, &e);
        if let ExprKind::Const(Scalar::Bool(flag)) = e.kind {
            self.checker.cx().flags.insert_mut(id, flag);
        }
        stmts.append(&mut self.checker.cx().pending);
        if e.ty != Ty::Error && !is_absent(&e.ty) {
            stmts.push(Stmt::Let(id, e));
        }
        id
    }

    /// Binds the named extents of a signature, and has them agree.
    fn signature_extents(&mut self, def: &hir::FnDef, params: &[LocalId]) {
        for (n, param) in def.params.iter().enumerate() {
            let Some(hir::Type { kind: hir::TypeKind::Array { dims: Some(dims), .. }, span }) =
                &param.ty
            else {
                continue;
            };
            let id = params[n];
            let local = &self.checker.body().locals[id];
            let e = value(ExprKind::Local(id), local.ty.clone(), local.span);
            let e = self.checker.applied().stated_shape(e, dims, *span);
            self.checker.cx().body.locals[id].ty = e.ty;
        }
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
        let is_recursive = self.is_recursive(body);
        if is_recursive && self.refuse_differentials(f, &args) {
            return error_expr(span);
        }
        args = args.into_iter().map(passed).collect();
        self.with_captures(f, &captures, &mut args, span);
        if is_recursive {
            return self.call_of_host(body, args, span);
        }
        if let Some(flag) = self.known_result(body) {
            return Expr { span, ..flag };
        }
        let sizes = self.argument_sizes(body, &args);
        let lookup = |p: Param| {
            sizes.iter().find(|(q, _)| *q == p).map_or_else(|| Size::param(p), |(_, s)| s.clone())
        };
        if let Some(quotient) = self.checker.quotients.get(&body).copied() {
            self.checker.cx().call_quotients.insert(body, quotient);
        }
        let instance = &self.checker.program.bodies[body];
        let known = |s: &Size| s.params().iter().all(|p| sizes.iter().any(|(q, _)| q == p));
        let result = instance.result.clone();
        let checks = instance.checks.clone();
        let mut inner: Vec<Param> =
            sizes_of_result(&result).iter().flat_map(Size::params).collect();
        inner.retain(|p| !known(&Size::param(*p)));
        inner.sort();
        inner.dedup();
        if !inner.is_empty() && !self.checker.cx().is_host() {
            return self.checker.cx().extents_within_cells(span);
        }
        let mut results: Vec<(Param, Param)> = Vec::new();
        for p in inner {
            let name = self.checker.program.bodies[body].params[p].name.clone();
            let (least, _) = self.checker.program.bodies[body].facts.param_bounds(p);
            let here = self.checker.cx().param(name, span, ParamOrigin::Computed);
            least.into_iter().for_each(|n| self.checker.cx().body.facts.at_least(here, n));
            results.push((here, p));
        }
        let lookup = |p: Param| match results.iter().find(|(_, inner)| *inner == p) {
            Some((here, _)) => Size::param(*here),
            None => lookup(p),
        };
        let instance = &self.checker.program.bodies[body];
        let known = |s: &Size| s.params().iter().all(|p| sizes.iter().any(|(q, _)| q == p));
        let term = instance
            .block
            .tail
            .as_ref()
            .and_then(|t| t.term.as_ref()?.as_size().cloned())
            .filter(|s| known(s))
            .and_then(|s| replaced(&s, &lookup))
            .map(Affine::fixed);
        if sizes_of_result(&result).iter().any(|s| replaced(s, &lookup).is_none()) {
            return self.too_long_extent(f, span);
        }
        let ty = substitute(&result, &lookup);
        let checks: Vec<_> = checks.iter().map(|c| c.through_call(span, &lookup)).collect();
        self.checker.cx().require_all(checks);
        let measured = !results.is_empty();
        let kind = ExprKind::Call(Call { body, args, sizes, results });
        let call = self.run_once(Expr { kind, ty, span, term }, body);
        if measured { self.checker.cx().turns().bound_first(call) } else { call }
    }

    /// Whether a call at the top level gives choices inside other extents on their sides, which
    /// was not known: then their instances are forgotten, and made anew with measured extents.
    pub fn chooses_extents(&mut self, body: BodyId, args: &[Option<Expr>], span: Span) -> bool {
        let checks = &self.checker.program.bodies[body].checks;
        if !checks.iter().any(|c| Conversions::choice_of(c).is_some())
            || !self.checker.at().is_main
            || !self.checker.cx().is_host()
        {
            return false;
        }
        let args: Vec<Expr> = args.iter().flatten().cloned().collect();
        let sizes = self.argument_sizes(body, &args);
        let lookup = |p: Param| {
            sizes.iter().find(|(q, _)| *q == p).map_or_else(|| Size::param(p), |(_, s)| s.clone())
        };
        let at = self.checker.at();
        let fails = |c: &SizeCheck| {
            let check = c.through_call(span, &lookup);
            match check.decide(&at.body.facts) {
                Verdict::Yes => false,
                Verdict::No => true,
                Verdict::Unknown => check.holds(&|p| at.known_value(p)) == Some(false),
            }
        };
        let checks = &self.checker.program.bodies[body].checks;
        let found: Vec<(Span, Span)> = checks
            .iter()
            .filter_map(|c| Some((Conversions::choice_of(c)?, c)))
            .filter(|(_, c)| fails(c))
            .map(|(choice, _)| choice)
            .collect();
        let before = self.checker.measured_choices.len();
        self.checker.measured_choices.extend(found);
        if self.checker.measured_choices.len() == before {
            return false;
        }
        let Checker { instances, program, measured_choices, .. } = &mut *self.checker;
        let measured = |c: &SizeCheck| {
            Conversions::choice_of(c).is_some_and(|choice| measured_choices.contains(&choice))
        };
        instances.retain_since(0, |_, instance| match instance {
            Instance::Done { body, .. } => !program.bodies[*body].checks.iter().any(measured),
            Instance::UnderWay(_) => true,
        });
        true
    }

    fn too_long_extent(&mut self, f: FnId, span: Span) -> Expr {
        let name = self.checker.functions[f].def.name.clone();
        let headline = format!("an extent of what `{}` gives takes too much to write", name.name);
        let d = Diagnostic::error(Code::E0309, headline)
            .primary(span, "it is made of more than 1024 sizes here")
            .secondary(name.span, "defined here")
            .note("extents are compared as sums of products of sizes");
        self.checker.error(d)
    }

    /// The value of an instance that is one truth value, whatever its arguments are.
    fn known_result(&self, body: BodyId) -> Option<Expr> {
        let instance = &self.checker.program.bodies[body];
        let tail = instance.block.tail.as_deref()?;
        let known = self.effects_of(body) == Effects::None && instance.checks.is_empty();
        (known && matches!(tail.kind, ExprKind::Const(Scalar::Bool(_)))).then(|| tail.clone())
    }

    /// What running an instance does.
    fn effects_of(&self, body: BodyId) -> Effects {
        self.checker.effects.get(&body).copied().unwrap_or_default()
    }

    fn is_recursive(&self, body: BodyId) -> bool {
        self.checker.recursive.contains(&body)
    }

    /// Refuses differentials for a function that calls itself: it is called when the program runs,
    /// with values.
    fn refuse_differentials(&mut self, f: FnId, args: &[Expr]) -> bool {
        let Some(arg) = args.iter().find(|a| holds_differentials(&a.ty)) else { return false };
        let name = self.checker.functions[f].def.name.clone();
        let headline = format!("a differential for `{}`, which calls itself", name.name);
        let d = Diagnostic::error(Code::E0603, headline)
            .primary(arg.span, "this is a differential")
            .secondary(name.span, "defined here")
            .help("divide it first: `@y / @x` is a value");
        self.checker.report(d);
        true
    }

    /// A call of a function that calls itself, from outside.
    fn call_of_host(&mut self, body: BodyId, args: Vec<Expr>, span: Span) -> Expr {
        let sizes = self.argument_sizes(body, &args);
        let lookup = |p: Param| {
            sizes.iter().find(|(q, _)| *q == p).map_or_else(|| Size::param(p), |(_, s)| s.clone())
        };
        let instance = &self.checker.program.bodies[body];
        let known = |p: &Param| sizes.iter().any(|(q, _)| q == p);
        let checks: Vec<_> = instance
            .checks
            .iter()
            .filter(|c| c.params().iter().all(known))
            .map(|c| c.through_call(span, &lookup))
            .collect();
        let ty = without_extents(&instance.result);
        if !self.checker.cx().is_host() && !sizes_of(&ty).is_empty() {
            return self.checker.cx().extents_within_cells(span);
        }
        for check in checks {
            self.checker.cx().require(check);
        }
        let call = Call { body, args, sizes: Vec::new(), results: Vec::new() };
        let effects = self.effects_of(body);
        if !self.checker.cx().is_host() && effects >= Effects::Prints {
            return self.not_in_cells(effects, span);
        }
        self.checker.cx().turns().called(value(ExprKind::Call(call), ty, span), effects)
    }

    /// E1107 for a call with effects that cells would make.
    fn not_in_cells(&mut self, effects: Effects, span: Span) -> Expr {
        match effects {
            Effects::Files => self.checker.cx().operators().files_in_cells(span),
            _ => drop(self.checker.cx().operators().at_host_level(span, "print")),
        }
        error_expr(span)
    }

    /// A call with effects is a statement of its own: it runs once, in its turn.
    fn run_once(&mut self, call: Expr, body: BodyId) -> Expr {
        let effects = self.effects_of(body);
        self.checker.cx().has_effect(effects);
        let host = self.checker.cx().is_host();
        if !host && effects >= Effects::Prints {
            return self.not_in_cells(effects, call.span);
        }
        if !host || effects == Effects::None || call.ty == Ty::unit() {
            return call;
        }
        let id = self.checker.cx().local(
            &Name::new(crate::thir::UNWRITTEN),
            call.span,
            call.ty.clone(),
            call.term.clone(),
        );
        let (ty, term, span) = (call.ty.clone(), call.term.clone(), call.span);
        self.checker.cx().pending.push(Stmt::Let(id, call));
        Expr { kind: ExprKind::Local(id), ty, span, term }
    }

    /// A local of `home` as seen from the body under way.
    fn reach(&mut self, here: usize, home: usize, outer: LocalId) -> LocalId {
        if here == home {
            return outer;
        }
        match self.checker.bodies[here].parent {
            Some(parent) => {
                let there = self.reach(parent, home, outer);
                self.checker.capture(here, parent, there)
            }
            None => outer,
        }
    }

    /// What the parameters of an instance stand for at a call.
    fn argument_sizes(&self, body: BodyId, args: &[Expr]) -> Vec<(Param, Size)> {
        let instance = &self.checker.program.bodies[body];
        let sizes: Vec<Vec<Size>> = args.iter().map(|a| sizes_of(&a.ty)).collect();
        let mut out = Vec::new();
        for (p, info) in instance.params.iter() {
            let size = match info.origin {
                ParamOrigin::Extent(local, axis) => {
                    let n = instance.arguments.iter().position(|a| *a == local);
                    n.and_then(|n| sizes.get(n)?.get(axis).cloned())
                }
                ParamOrigin::Argument(local) => {
                    let n = instance.arguments.iter().position(|a| *a == local);
                    n.and_then(|n| self.checker.at().size_of(args.get(n)?))
                }
                ParamOrigin::Captured(local, ref path) => {
                    let n = instance.arguments.iter().position(|a| *a == local);
                    let at = self.checker.at();
                    let inside = |e, n: &usize| captured_member(at, e, *n);
                    n.and_then(|n| at.size_of(path.iter().try_fold(args.get(n)?, inside)?))
                }
                _ => None,
            };
            out.extend(size.map(|s| (p, s)));
        }
        out
    }

    /// The value of an instance with the differential that its function's rule gives.
    fn ruled(&mut self, f: FnId, params: &[LocalId], tail: Expr) -> Expr {
        let Some((rule, _)) = self.checker.functions[f].rule.clone() else { return tail };
        if tail.ty == Ty::Error {
            return tail;
        }
        self.checker.cx().push_scope();
        // The rule may use the function's value, also through other functions and their rules:
        // there it has no rule.
        let without = self.checker.without_rule.clone();
        self.checker.without_rule.insert(f);
        for (param, id) in rule.params.iter().zip(params) {
            self.checker.cx().used[*id] = true;
            if !param.name.is_discard() {
                self.checker.cx().bind(param.name.var, Binding::Local(*id));
            }
        }
        let block = self.checker.blocks().block(&rule.body.stmts, rule.body.tail.as_deref());
        self.checker.without_rule = without;
        self.checker.cx().pop_scope();
        let ty = block.tail.as_ref().map_or(Ty::unit(), |t| t.ty.clone());
        if ty == Ty::Error {
            return tail;
        }
        let d = value(ExprKind::Block(block), ty, rule.body.span);
        self.checker.cx().operators().with_differential(&rule, tail, d)
    }
}

/// The extents of a type, through tuples, in order.
fn sizes_of(ty: &Ty) -> Vec<Size> {
    let mut out = Vec::new();
    ty.each_leaf(&mut |leaf| out.extend_from_slice(leaf.extents().unwrap_or_default()));
    out
}

/// The extents of a result, also of what may be a failure.
fn sizes_of_result(ty: &Ty) -> Vec<Size> {
    let mut out = Vec::new();
    ty.each_leaf(&mut |leaf| match leaf {
        Ty::Fallible(of) => out.extend(sizes_of_result(of)),
        _ => out.extend_from_slice(leaf.extents().unwrap_or_default()),
    });
    out
}

fn substitute(ty: &Ty, replace: &dyn Fn(Param) -> Size) -> Ty {
    ty.map_leaves(&mut |leaf| match leaf {
        Ty::Fallible(of) => Ty::Fallible(Box::new(substitute(of, replace))),
        _ => {
            let extents = leaf.extents().unwrap_or_default();
            leaf.with_extents(extents.iter().map(|s| s.substitute(replace)))
        }
    })
}
