//! Calls: what is called, and its arguments held against the parameters.
//!
//! A function is checked once for each key (element types and ranks of its arguments);
//! its extents are parameters, and a call says what they stand for.

use crate::checker::{Instance, InstanceKey};
use crate::handles::Calls;
use crate::instance::Lookup;
use crate::prove::pattern::Constructor;
use crate::scope::{Binding, FnId};
use crate::thir::{Elem, Expr, Nominal, Ty};
use crate::typed::body_cx::Need;
use crate::typed::keys::{ArgKey, arg_key};
use crate::typed::runs::{has_run, least_rank};
use crate::typed::values::error_expr;
use std::collections::BTreeMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_resolve::suggest::suggest;

/// Calls of a function inside of itself that still specialise by value.
const DEEPEST_STATIC: usize = 32;

impl Calls<'_, '_> {
    pub fn call(&mut self, callee: &hir::Expr, args: &[hir::Arg], span: Span) -> Expr {
        let hir::ExprKind::Use(used) = &callee.kind else {
            return self.call_value(callee, args, span);
        };
        let var = match &used.meaning {
            hir::Meaning::Var(var) => *var,
            hir::Meaning::Foreign(path) => {
                let why = (span, "it is not a function of the program");
                return self.checker.applied().of_unknown_type(path, args, why);
            }
            hir::Meaning::Variant(ty) => {
                return match self.checker.cx().patterns().variant_of(*ty, &used.name) {
                    Some(c) => self.checker.matches().construct_call(c, args, span),
                    None => error_expr(span),
                };
            }
            hir::Meaning::Library(hir::LibraryItem::File(op)) => {
                let (path, why) = (Name::new(&op.path()), "it is known when the file is read");
                return self.checker.applied().of_unknown_type(&path, args, (span, why));
            }
            hir::Meaning::Library(item) => {
                return match self.positional(args) {
                    Some(all) => self.checker.cx().operators().call_library(*item, used, all, span),
                    None => error_expr(span),
                };
            }
            hir::Meaning::Builtin => return self.builtin(&used.name, args, span),
        };
        if let Some(ty) =
            self.checker.types.of_var(var).filter(|ty| !self.checker.types.def(*ty).is_enum)
        {
            return self.checker.matches().construct_call(
                Constructor { ty, variant: 0 },
                args,
                span,
            );
        }
        match self.checker.lookup(var) {
            Some(Binding::Function(f)) => self.call_function(f, args, span),
            Some(Binding::Poisoned) => error_expr(span),
            Some(Binding::Local(_)) => self.call_value(callee, args, span),
            Some(_) => {
                let name = &used.name.name;
                let d = Diagnostic::error(Code::E0308, format!("`{name}` is not a function"))
                    .primary(callee.span, "called here");
                self.checker.error(d)
            }
            None if self.checker.types.of_var(var).is_some() => self.checker.expr(callee),
            None => {
                args.iter().for_each(|a| drop(self.checker.expr(&a.value)));
                self.checker.not_bound_yet(var, used)
            }
        }
    }

    /// A value as the first argument of what stands behind a pipe.
    pub fn pipe(&mut self, first: hir::Expr, rhs: &hir::Expr, span: Span) -> Expr {
        let first = hir::Arg { span: first.span, name: None, value: first };
        match &rhs.kind {
            hir::ExprKind::Call { callee, args } => {
                let all: Vec<hir::Arg> = [first].into_iter().chain(args.iter().cloned()).collect();
                self.call(callee, &all, span)
            }
            _ => self.call(rhs, &[first], span),
        }
    }

    pub fn call_function(&mut self, f: FnId, args: &[hir::Arg], span: Span) -> Expr {
        let def = self.checker.functions[f].def.clone();
        let Some(args) = self.held_arguments(&def, args, span) else { return error_expr(span) };
        let lifted = self.checker.cx().parts().lifted_positions(&def, &args);
        self.call_held(f, args, &lifted, span)
    }

    /// Arguments in the order of the parameters, held against their types; `None` after an
    /// error.
    pub fn held_arguments(
        &mut self,
        def: &hir::FnDef,
        args: &[hir::Arg],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let args = self.arrange(def, args, span)?;
        let mut held: Vec<Option<Expr>> = Vec::new();
        for (arg, param) in args.into_iter().zip(&def.params) {
            held.push(arg.map(|a| {
                let a = self.held_by(a, param);
                self.checker.cx().conversions().known_or_absent(a)
            }));
        }
        // An error inside an argument would be an instance of its own: where calls are nested in
        // each other's arguments, twice as many with each level.
        let failed = held.iter().flatten().any(|a| a.ty.has_error());
        (!failed).then_some(held)
    }

    /// A call with arguments that fit; the tensors at `lifted` are taken cell by cell.
    pub fn call_held(
        &mut self,
        f: FnId,
        args: Vec<Option<Expr>>,
        lifted: &[usize],
        span: Span,
    ) -> Expr {
        if lifted.is_empty() {
            return self.call_instance(f, args, span);
        }
        self.lift(args, lifted, span, &mut |this, args| this.call_instance(f, args, span))
    }

    /// A call with arguments that fit their parameters.
    fn call_instance(&mut self, f: FnId, mut args: Vec<Option<Expr>>, span: Span) -> Expr {
        let f = self.checker.meant(f);
        // Each round makes another parameter static, so there are few.
        loop {
            let wanted = self.wanted(f);
            self.checker.cx().terms().with_static_values(&mut args, &wanted);
            let args_key = (0..args.len()).map(|n| self.part_of_key(&args, n, &wanted)).collect();
            let without_rule = self.checker.without_rule.clone();
            let mut key = InstanceKey { function: f, args: args_key, without_rule };
            self.keep_whole_lists(&mut key, &args);
            match self.checker.callables().instance(f, key, &args, &wanted, span) {
                Lookup::Found(body, _)
                    if self.checker.callables().chooses_extents(body, &args, span) => {}
                Lookup::Found(body, captures) => {
                    return self.checker.callables().apply(
                        f,
                        body,
                        captures,
                        args.into_iter().flatten().collect(),
                        span,
                    );
                }
                Lookup::Recursive(assumed) => {
                    let args = args.into_iter().flatten().collect();
                    return self.checker.callables().recursive_call(f, assumed, args, span);
                }
                Lookup::Again => {}
                Lookup::Failed => return error_expr(span),
            }
        }
    }

    /// Arguments in the order of the parameters; `None` for one that is left to its default.
    fn arrange(
        &mut self,
        def: &hir::FnDef,
        args: &[hir::Arg],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        let mut slots: Vec<Option<Expr>> = vec![None; def.params.len()];
        for (n, arg) in args.iter().enumerate() {
            let e = self.checker.expr(&arg.value);
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

    /// An argument held against its parameter's type, as far as elements go; extents are
    /// checked inside, once for all calls.
    pub fn held_by(&mut self, e: Expr, param: &hir::Param) -> Expr {
        let Some(ty) = &param.ty else { return e };
        if e.ty == Ty::Error {
            return e;
        }
        use crate::declared::Declared;
        match (self.checker.cx().conversions().declared(ty), e.ty.rank()) {
            (Some(Declared::Scalar(t)), Some(_)) => {
                self.checker.cx().conversions().expect_elem(e, Elem::Fixed(t), "this argument")
            }
            (Some(Declared::Array(t, dims)), Some(rank))
                if rank > 0 || dims.as_ref().is_some_and(|d| least_rank(d) == 0) =>
            {
                let e =
                    self.checker.cx().conversions().expect_elem(e, Elem::Fixed(t), "this argument");
                let (stated, open) = match &dims {
                    None => (1, false),
                    Some(dims) => (least_rank(dims), has_run(dims)),
                };
                match if open { rank >= stated } else { rank == stated } {
                    false if e.ty != Ty::Error => {
                        let wanted = if open { "at least rank" } else { "rank" };
                        let d = Diagnostic::error(
                            Code::E0308,
                            format!("expected a tensor of {wanted} {stated}, found rank {rank}"),
                        )
                        .primary(e.span, format!("this has {rank} axes"))
                        .secondary(ty.span, "stated here");
                        self.checker.error(d)
                    }
                    _ => e,
                }
            }
            (Some(declared), _) => self.checker.applied().held_against(e, &declared, ty.span),
            (None, _) => error_expr(e.span),
        }
    }

    fn positional(&mut self, args: &[hir::Arg]) -> Option<Vec<Expr>> {
        if let Some(named) = args.iter().find_map(|a| a.name.as_ref()) {
            let d = Diagnostic::error(Code::E0061, format!("unknown argument `{}`", named.name))
                .primary(named.span, "this function has no named parameters");
            self.checker.report(match named.as_str() {
                "sep" | "end" | "file" | "flush" => {
                    d.help("one string says how values stand together: `print(\"{a}, {b}\")`")
                }
                "axis" | "axes" | "dim" | "dims" | "keepdim" | "keepdims" => d.help(
                    "an index says what a reduction runs over: `let s[j] = sum[i](x[i, j]);`",
                ),
                _ => d,
            });
            return None;
        }
        Some(args.iter().map(|a| self.checker.expr(&a.value)).collect())
    }

    /// A builtin: one makes a definition, the others are operators.
    fn builtin(&mut self, name: &hir::Label, args: &[hir::Arg], span: Span) -> Expr {
        let Some(mut all) = self.positional(args) else { return error_expr(span) };
        if name.as_str() != "array_append" {
            return self.checker.cx().operators().builtin(name, all, span);
        }
        let n = all.len();
        if !self.checker.cx().operators().count(name.as_str(), "2 arguments", n == 2, n, span) {
            return error_expr(span);
        }
        let (v, x) = (all.remove(1), all.remove(0));
        self.checker.sequences().appended(x, v, span)
    }
}

impl Calls<'_, '_> {
    /// The parameters that specialise a function where it is called now. Inside of itself only
    /// structure does, and not for ever: a number that counts up may have its end in the run, and
    /// then stays a value of the run as well.
    pub fn wanted(&self, f: FnId) -> BTreeMap<usize, Need> {
        let depth = self.checker.under_way.iter().filter(|a| a.function == f).count();
        let all = self.checker.statics.get(&f).into_iter().flatten();
        let wanted = all
            .filter(|(_, need)| depth == 0 || **need == Need::Structure && depth < DEEPEST_STATIC);
        wanted.map(|(at, need)| (*at, *need)).collect()
    }

    /// Leaves lists whole in a function that calls itself with the same key: it runs as a function
    /// of the host then, which takes them so.
    fn keep_whole_lists(&self, key: &mut InstanceKey, args: &[Option<Expr>]) {
        if !matches!(self.checker.instances.get(key), Some(Instance::UnderWay(_))) {
            return;
        }
        for (part, arg) in key.args.iter_mut().zip(args) {
            if let (ArgKey::Sizes(..), Some(arg)) = (&part, arg) {
                *part = arg_key(self.checker.at(), arg);
            }
        }
    }

    /// What of argument `n` specialises.
    fn part_of_key(
        &self,
        args: &[Option<Expr>],
        n: usize,
        wanted: &BTreeMap<usize, Need>,
    ) -> ArgKey {
        let Some(arg) = &args[n] else { return ArgKey::Default };
        let by_value = wanted.contains_key(&n).then(|| self.checker.at().static_key(arg)).flatten();
        by_value.unwrap_or_else(|| arg_key(self.checker.at(), arg))
    }

    fn misplaced(&mut self, def: &hir::FnDef, arg: &hir::Arg, given: usize, span: Span) {
        match &arg.name {
            None if given <= def.params.len() => {
                let d = Diagnostic::error(Code::E0061, "a positional argument after a named one")
                    .primary(arg.span, "which parameter this is for is not said")
                    .secondary(def.name.span, "defined here")
                    .help("write positional arguments first, or name this one too");
                self.checker.report(d);
            }
            None => self.missing(def, given, span),
            Some(name) => {
                let known = def.params.iter().any(|p| p.name.name == name.name);
                let headline = match known {
                    true => {
                        format!("argument `{}` of `{}` is given twice", name.name, def.name.name)
                    }
                    false => format!("`{}` is no parameter of `{}`", name.name, def.name.name),
                };
                let d = Diagnostic::error(Code::E0061, headline)
                    .primary(name.span, "this argument")
                    .secondary(def.name.span, "defined here");
                let names = def.params.iter().map(|p| p.name.as_str().to_string()).collect();
                let d = if known { d } else { suggest(d, name, names) };
                self.checker.report(d);
            }
        }
    }

    fn missing(&mut self, def: &hir::FnDef, given: usize, span: Span) {
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
        self.checker.report(d);
    }
}

impl Calls<'_, '_> {
    /// A call of what an expression gives.
    pub fn call_value(&mut self, callee: &hir::Expr, args: &[hir::Arg], span: Span) -> Expr {
        let f = self.checker.expr(callee);
        match &f.ty {
            Ty::Error => {
                args.iter().for_each(|a| drop(self.checker.expr(&a.value)));
                error_expr(span)
            }
            Ty::Named(Nominal::Function(id), _) => self.call_closure(*id, f.clone(), args, span),
            _ => {
                let (text, found) =
                    (self.checker.at().text(callee.span), self.checker.at().show_ty(&f.ty));
                let d = Diagnostic::error(Code::E0308, format!("`{text}` is not a function"))
                    .primary(callee.span, format!("this is {found}"));
                let property = matches!(callee.kind, hir::ExprKind::Field { .. });
                self.checker.error(match property && args.is_empty() {
                    true => {
                        let call = Span { start: callee.span.end, end: span.end, ..span };
                        d.help_edit("a property is not called", call, "")
                    }
                    false => d,
                })
            }
        }
    }

    pub fn call_closure(&mut self, id: FnId, f: Expr, args: &[hir::Arg], span: Span) -> Expr {
        let Some(closure) = self.checker.functions[id].closure.clone() else {
            return self.call_function(id, args, span);
        };
        let Some(mut held) = self.held_arguments(&closure.shown, args, span) else {
            return error_expr(span);
        };
        let lifted = self.checker.cx().parts().lifted_positions(&closure.shown, &held);
        held.extend(
            (0..closure.captured.len())
                .map(|n| Some(self.checker.cx().parts().member(f.clone(), n, span))),
        );
        self.call_held(id, held, &lifted, span)
    }

    /// A function value applied to values.
    pub fn apply_function(&mut self, f: &Expr, args: Vec<Expr>, span: Span) -> Expr {
        let Ty::Named(Nominal::Function(id), members) = &f.ty else { return error_expr(span) };
        let (id, captured) = (*id, members.len());
        let def = match &self.checker.functions[id].closure {
            Some(c) => c.shown.clone(),
            None => self.checker.functions[id].def.clone(),
        };
        let least = def.params.iter().filter(|p| p.default.is_none()).count();
        if !(least..=def.params.len()).contains(&args.len()) {
            let (has, wanted) = (def.params.len(), args.len());
            let d = Diagnostic::error(
                Code::E0061,
                format!("a function of {wanted} parameters is called here, this one has {has}"),
            )
            .primary(f.span, format!("this takes {has}"));
            return self.checker.error(d);
        }
        let count = def.params.len();
        let mut held: Vec<Option<Expr>> =
            args.into_iter().zip(&def.params).map(|(a, p)| Some(self.held_by(a, p))).collect();
        held.resize(count, None);
        if held.iter().flatten().any(|a| a.ty == Ty::Error) {
            return error_expr(span);
        }
        let lifted = self.checker.cx().parts().lifted_positions(&def, &held);
        held.extend(
            (0..captured).map(|n| Some(self.checker.cx().parts().member(f.clone(), n, span))),
        );
        self.call_held(id, held, &lifted, span)
    }
}
