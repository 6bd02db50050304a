//! Functions as values.
//!
//! A function value is a tuple of what it captures, and its type says which function it is:
//! so a call of it is a call of a known function with more arguments, and passing it on
//! specialises. What lies at the top level is not captured; it is always in reach.

use crate::checker::{Checker, Function, error_expr};
use crate::expr::{integer, value};
use crate::library::LibraryItem;
use crate::modules::ROOT;
use crate::names::names_in;
use crate::pattern::path_to;
use crate::scope::Binding;
use crate::thir::{Expr, ExprKind, FnId, Nominal, Ty};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_syntax::ast;

/// What a function value knows besides its definition.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// The definition as its callers see it: without what is captured.
    pub shown: Rc<ast::FnDef>,
    /// The captured names, in order; they are the last parameters.
    pub captured: Vec<Name>,
    /// Names around it that stand for no values: types, constants, library items.
    pub bound: Vec<(Name, Binding)>,
}

impl Checker<'_> {
    /// `|x| x + k`.
    pub fn lambda(&mut self, l: &ast::Lambda, span: Span) -> Expr {
        let name = ast::Ident { name: "lambda".into(), span };
        let body = match &l.body.kind {
            ast::ExprKind::Block(b) => b.clone(),
            _ => ast::Block { span: l.body.span, stmts: Vec::new(), tail: Some(l.body.clone()) },
        };
        let def = ast::FnDef { public: false, name, params: l.params.clone(), ret: None, body };
        self.closure(def, span)
    }

    /// A named function as a value.
    pub fn function_value(&mut self, f: FnId, span: Span) -> Expr {
        let function = &self.functions[f];
        if function.module.is_some() || function.home == 0 && function.depth == 1 {
            return value(ExprKind::Tuple(vec![]), Ty::Named(Nominal::Function(f), vec![]), span);
        }
        let def = (*function.def).clone();
        let mut calls_itself = false;
        let whole = ast::Expr { span, kind: ast::ExprKind::Block(def.body.clone()) };
        names_in(&whole, &mut |n| calls_itself |= n == def.name.as_str());
        if calls_itself {
            let d = Diagnostic::error(
                Code::E0308,
                format!("`{}` calls itself and is no value here", def.name.name),
            )
            .primary(span, "used as a value")
            .help("define it at the top level");
            return self.error(d);
        }
        let place = def.name.span;
        let e = self.closure(def, place);
        Expr { span, ..e }
    }

    /// A function of the library as a value.
    pub fn library_value(&mut self, item: LibraryItem, p: &ast::Path) -> Expr {
        let count = match item {
            LibraryItem::Unary(..) | LibraryItem::Square | LibraryItem::Ord => 1,
            LibraryItem::Binary(_) => 2,
            LibraryItem::Constant(v) => return self.float(f64::from_bits(v), p.span),
        };
        let ident = |n: usize| ast::Ident { name: Name::new(&format!("x{n}")), span: p.span };
        let param = |n| ast::Param { span: p.span, name: ident(n), ty: None, default: None };
        let arg = |n| ast::Arg { span: p.span, name: None, value: path_to(&ident(n).name, p.span) };
        let callee = Box::new(ast::Expr { span: p.span, kind: ast::ExprKind::Path(p.clone()) });
        let args = (0..count).map(arg).collect();
        let body = ast::Expr { span: p.span, kind: ast::ExprKind::Call { callee, args } };
        let params = (0..count).map(param).collect();
        self.lambda(&ast::Lambda { params, body: Box::new(body) }, p.span)
    }

    /// A function value of a definition that stands here.
    fn closure(&mut self, def: ast::FnDef, span: Span) -> Expr {
        let f = match self.lambdas.get(&span) {
            Some(f) => *f,
            None => {
                let f = self.new_closure(def);
                self.lambdas.insert(span, f);
                f
            }
        };
        let captured = self.functions[f].closure.as_ref().map(|c| c.captured.clone());
        let members: Vec<Expr> = captured
            .unwrap_or_default()
            .iter()
            .map(|name| self.captured_value(name, span))
            .collect();
        if members.iter().any(|m| m.ty == Ty::Error) {
            return error_expr(span);
        }
        let types = members.iter().map(|m| m.ty.clone()).collect();
        value(ExprKind::Tuple(members), Ty::Named(Nominal::Function(f), types), span)
    }

    fn captured_value(&mut self, name: &Name, span: Span) -> Expr {
        match self.lookup(name.as_str()) {
            Some(Binding::Local(id)) => self.local_value(id, span),
            Some(Binding::Index(i)) => integer(Affine::iter(i), span),
            Some(Binding::Function(f)) => self.function_value(f, span),
            _ => error_expr(span),
        }
    }

    fn new_closure(&mut self, def: ast::FnDef) -> FnId {
        let (captured, bound) = self.surroundings(&def);
        let order = self.global_order();
        let module = Some(self.current_module()).filter(|m| *m != ROOT);
        let mut full = def.clone();
        for name in &captured {
            let ident = ast::Ident { name: name.clone(), span: def.name.span };
            full.params.push(ast::Param {
                span: def.name.span,
                name: ident,
                ty: None,
                default: None,
            });
        }
        let closure = Closure { shown: Rc::new(def), captured, bound };
        self.functions.push(Function {
            def: Rc::new(full),
            home: 0,
            depth: 1,
            order,
            module,
            rule: None,
            closure: Some(Rc::new(closure)),
        })
    }

    /// The names around a definition that it mentions and that are not at the top level:
    /// those of values, and the others with what they stand for.
    fn surroundings(&mut self, def: &ast::FnDef) -> (Vec<Name>, Vec<(Name, Binding)>) {
        let mut names: Vec<String> = Vec::new();
        let whole = ast::Expr { span: def.name.span, kind: ast::ExprKind::Block(def.body.clone()) };
        names_in(&whole, &mut |n| {
            if !names.iter().any(|m| m == n) {
                names.push(n.to_string());
            }
        });
        for p in &def.params {
            names.retain(|n| p.name.as_str() != n);
        }
        let (mut captured, mut bound) = (Vec::new(), Vec::new());
        for name in names {
            if self.is_global(&name) {
                continue;
            }
            match self.lookup(&name) {
                Some(Binding::Local(_) | Binding::Index(_)) => captured.push(Name::new(&name)),
                Some(Binding::Function(f)) if self.functions[f].home > 0 => {
                    captured.push(Name::new(&name));
                }
                Some(other) => bound.push((Name::new(&name), other)),
                None => {}
            }
        }
        (captured, bound)
    }

    /// Whether a name is found at the top level only, or nowhere.
    fn is_global(&self, name: &str) -> bool {
        let (mut body, mut depth, mut limit) =
            (self.bodies.len() - 1, self.bodies[self.bodies.len() - 1].scopes.len(), u32::MAX);
        loop {
            let first = usize::from(body == 0);
            let scopes = &self.bodies[body].scopes[first.min(depth)..depth];
            if scopes.iter().any(|s| s.find(name, limit).is_some()) {
                return false;
            }
            match self.bodies[body].parent {
                Some((parent, d, o)) => (body, depth, limit) = (parent, d, o),
                None => return true,
            }
        }
    }

    /// What was bound at the top level when control came here.
    fn global_order(&mut self) -> u32 {
        let mut body = self.bodies.len() - 1;
        let mut order = None;
        while let Some((parent, _, o)) = self.bodies[body].parent {
            order = Some(o);
            body = parent;
        }
        order.unwrap_or_else(|| self.next_order())
    }

    /// A call of what an expression gives.
    pub fn call_value(&mut self, callee: &ast::Expr, args: &[ast::Arg], span: Span) -> Expr {
        let f = self.expr(callee);
        match &f.ty {
            Ty::Error => {
                args.iter().for_each(|a| drop(self.expr(&a.value)));
                error_expr(span)
            }
            Ty::Named(Nominal::Function(id), _) => self.call_closure(*id, f.clone(), args, span),
            _ => {
                let (text, found) = (self.text(callee.span), self.show_ty(&f.ty));
                let d = Diagnostic::error(Code::E0308, format!("`{text}` is not a function"))
                    .primary(callee.span, format!("this is {found}"));
                let property = matches!(callee.kind, ast::ExprKind::Field { .. });
                self.error(match property && args.is_empty() {
                    true => {
                        let call = Span { start: callee.span.end, end: span.end, ..span };
                        d.help_edit("a property is not called", call, "")
                    }
                    false => d,
                })
            }
        }
    }

    fn call_closure(&mut self, id: FnId, f: Expr, args: &[ast::Arg], span: Span) -> Expr {
        let Some(closure) = self.functions[id].closure.clone() else {
            return self.call_function(id, args, span);
        };
        let Some(mut held) = self.held_arguments(&closure.shown, args, span) else {
            return error_expr(span);
        };
        let lifted = self.lifted_positions(&closure.shown, &held);
        held.extend((0..closure.captured.len()).map(|n| Some(self.member(f.clone(), n, span))));
        self.call_held(id, held, &lifted, span)
    }

    /// A function value applied to values.
    pub fn apply_function(&mut self, f: &Expr, args: Vec<Expr>, span: Span) -> Expr {
        let Ty::Named(Nominal::Function(id), members) = &f.ty else { return error_expr(span) };
        let (id, captured) = (*id, members.len());
        let def = match &self.functions[id].closure {
            Some(c) => c.shown.clone(),
            None => self.functions[id].def.clone(),
        };
        let least = def.params.iter().filter(|p| p.default.is_none()).count();
        if !(least..=def.params.len()).contains(&args.len()) {
            let (has, wanted) = (def.params.len(), args.len());
            let d = Diagnostic::error(
                Code::E0061,
                format!("a function of {wanted} parameters is called here, this one has {has}"),
            )
            .primary(f.span, format!("this takes {has}"));
            return self.error(d);
        }
        let count = def.params.len();
        let mut held: Vec<Option<Expr>> =
            args.into_iter().zip(&def.params).map(|(a, p)| Some(self.held_by(a, p))).collect();
        held.resize(count, None);
        if held.iter().flatten().any(|a| a.ty == Ty::Error) {
            return error_expr(span);
        }
        let lifted = self.lifted_positions(&def, &held);
        held.extend((0..captured).map(|n| Some(self.member(f.clone(), n, span))));
        self.call_held(id, held, &lifted, span)
    }
}
