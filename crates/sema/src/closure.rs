//! Functions as values.
//!
//! A function value is a tuple of what it captures, and its type says which function it is:
//! so a call of it is a call of a known function with more arguments, and passing it on
//! specialises. What lies at the top level is not captured; it is always in reach.

use crate::checker::Function;
use crate::handles::Calls;
use crate::scope::Binding;
use crate::thir::{Expr, ExprKind, FnId, Members, Nominal, Ty};
use crate::typed::values::{error_expr, integer, value};
use std::rc::Rc;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::visit::{children, function_children, uses_in, uses_in_function};
use weft_hir::{self as hir, LibraryItem, VarId};

/// What a function value knows besides its definition.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// The definition as its callers see it: without what is captured.
    pub shown: Rc<hir::FnDef>,
    /// The captured variables, in order; they are the last parameters.
    pub captured: Vec<VarId>,
    /// Variables around it that stand for no values: types, constants, functions.
    pub bound: Vec<(VarId, Binding)>,
}

impl Calls<'_, '_> {
    /// `|x| x + k`.
    pub fn lambda(&mut self, l: &hir::Lambda, span: Span) -> Expr {
        let name = self.checker.fresh("lambda", span);
        self.named_lambda(name, l, span)
    }

    /// A lambda that is made up, known by the variable of its name.
    pub fn named_lambda(&mut self, name: hir::Ident, l: &hir::Lambda, span: Span) -> Expr {
        self.closure(name.var, span, || {
            let (at, tail) = (l.body.span, Some(l.body.clone()));
            let body = match &l.body.kind {
                hir::ExprKind::Block(b) => b.clone(),
                _ => hir::Block { span: at, stmts: Vec::new(), tail },
            };
            hir::FnDef { name, params: l.params.clone(), ret: None, body }
        })
    }

    /// A named function as a value.
    pub fn function_value(&mut self, f: FnId, span: Span) -> Expr {
        let function = &self.checker.functions[f];
        if self.checker.vars[function.def.name.var].global {
            return value(
                ExprKind::Tuple(vec![]),
                Ty::Named(Nominal::Function(f), Members::default()),
                span,
            );
        }
        let def = function.def.clone();
        if self.reaches_itself(&def) {
            let d = Diagnostic::error(
                Code::E0308,
                format!("`{}` calls itself and is no value here", def.name.name),
            )
            .primary(span, "used as a value")
            .help("define it at the top level");
            return self.checker.error(d);
        }
        let place = def.name.span;
        let e = self.closure(def.name.var, place, || (*def).clone());
        Expr { span, ..e }
    }

    /// Whether a local function calls itself, perhaps through others beside it.
    fn reaches_itself(&mut self, def: &hir::FnDef) -> bool {
        let (mut met, mut next) = (Vec::new(), 0);
        let uses = |def: &hir::FnDef, met: &mut Vec<VarId>| {
            uses_in_function(def, &mut |var| {
                if !met.contains(&var) {
                    met.push(var);
                }
            });
        };
        uses(def, &mut met);
        while let Some(var) = met.get(next).copied().filter(|_| !met.contains(&def.name.var)) {
            next += 1;
            if !self.checker.vars[var].global
                && let Some(Binding::Function(f)) = self.checker.lookup(var)
            {
                uses(&self.checker.functions[f].def.clone(), &mut met);
            }
        }
        met.contains(&def.name.var)
    }

    /// A function of the library as a value.
    pub fn library_value(&mut self, item: LibraryItem, used: &hir::Use) -> Expr {
        let span = used.span;
        let count = match item {
            LibraryItem::Unary(..) | LibraryItem::Square | LibraryItem::Ord => 1,
            LibraryItem::Binary(_) => 2,
            LibraryItem::Text(op) => op.params().len(),
            LibraryItem::File(_) => unreachable!("it is only called"),
            LibraryItem::Constant(v) => {
                return self.checker.cx().leaves().float(f64::from_bits(v), span);
            }
        };
        let names: Vec<hir::Ident> =
            (0..count).map(|n| self.checker.fresh(&format!("x{n}"), span)).collect();
        let arg = |x: &hir::Ident| hir::Arg { span, name: None, value: hir::Expr::of_var(x, span) };
        let callee = Box::new(hir::Expr { span, kind: hir::ExprKind::Use(used.clone()) });
        let args = names.iter().map(arg).collect();
        let body = hir::Expr { span, kind: hir::ExprKind::Call { callee, args } };
        let param = |name| hir::Param { span, name, ty: None, default: None };
        let params = names.into_iter().map(param).collect();
        let name = self.checker.fresh("lambda", span);
        self.named_lambda(name, &hir::Lambda { params, body: Box::new(body) }, span)
    }

    /// A function value of a definition that stands here, known by a variable of its own.
    fn closure(&mut self, key: VarId, span: Span, def: impl FnOnce() -> hir::FnDef) -> Expr {
        let f = match self.checker.lambdas.get(&key) {
            Some(f) => *f,
            None => {
                let f = self.new_closure(def());
                self.checker.lambdas.insert(key, f);
                f
            }
        };
        let closure = self.checker.functions[f].closure.clone();
        if let Some(c) = &closure {
            self.anchors_of(&c.shown);
        }
        let captured = closure.map(|c| c.captured.clone());
        let members: Vec<Expr> = captured
            .unwrap_or_default()
            .iter()
            .map(|var| self.captured_value(*var, span))
            .collect();
        if members.iter().any(|m| m.ty == Ty::Error) {
            return error_expr(span);
        }
        let types = members.iter().map(|m| m.ty.clone()).collect();
        value(ExprKind::Tuple(members), Ty::Named(Nominal::Function(f), types), span)
    }

    fn captured_value(&mut self, var: VarId, span: Span) -> Expr {
        match self.checker.lookup(var) {
            Some(Binding::Local(id)) => self.checker.cx().leaves().local_value(id, span),
            Some(Binding::Index(i)) => integer(Affine::iter(i), span),
            Some(Binding::Function(f)) => self.function_value(f, span),
            _ => error_expr(span),
        }
    }

    fn new_closure(&mut self, def: hir::FnDef) -> FnId {
        let (captured, bound) = self.surroundings(&def);
        let mut full = def.clone();
        for var in &captured {
            let (name, span) = (self.checker.vars[*var].name.clone(), def.name.span);
            let name = hir::Ident { name, span, var: *var };
            full.params.push(hir::Param { span, name, ty: None, default: None });
        }
        let closure = Closure { shown: Rc::new(def), captured, bound };
        self.checker.functions.push(Function {
            def: Rc::new(full),
            home: 0,
            rule: None,
            closure: Some(Rc::new(closure)),
        })
    }

    /// The variables around a definition that it uses and that not every function reaches: those
    /// of values, and the others with what they stand for.
    fn surroundings(&mut self, def: &hir::FnDef) -> (Vec<VarId>, Vec<(VarId, Binding)>) {
        let mut vars: Vec<VarId> = Vec::new();
        uses_in_function(def, &mut |var| {
            if !vars.contains(&var) {
                vars.push(var);
            }
        });
        vars.retain(|var| !self.checker.vars[*var].global);
        let (mut captured, mut bound) = (Vec::new(), Vec::new());
        for var in vars {
            match self.checker.lookup(var) {
                Some(Binding::Local(_) | Binding::Index(_)) => captured.push(var),
                Some(Binding::Function(f)) if self.checker.functions[f].home > 0 => {
                    captured.push(var);
                }
                Some(other) => bound.push((var, other)),
                None => {}
            }
        }
        (captured, bound)
    }
}

impl Calls<'_, '_> {
    /// Reads that a function makes at indices around it give these their ranges: they stand in
    /// the clause. What the function does with them is checked where it is called.
    pub fn anchors_of(&mut self, def: &hir::FnDef) {
        if self.checker.cx().ranges().has_open() {
            function_children(def, &mut |e| self.anchors_in(e, false));
        }
    }

    fn anchors_in(&mut self, e: &hir::Expr, conditional: bool) {
        if self.reads_at_an_index(e) {
            let before = self.checker.cx().ranges().frame().accesses.len();
            self.checker.unreported(|c| drop(c.expr(e)));
            if conditional {
                self.checker.cx().ranges().keep_direct(before);
            }
            return;
        }
        let first = decided_first(e);
        children(e, &mut |c| {
            let behind = first.is_some_and(|first| !std::ptr::eq(first, c));
            self.anchors_in(c, conditional || behind);
        });
    }

    /// Whether an expression reads cells at an index from around the function, and needs
    /// nothing of the function's own.
    fn reads_at_an_index(&mut self, e: &hir::Expr) -> bool {
        if !matches!(e.kind, hir::ExprKind::Index { .. }) {
            return false;
        }
        let (mut at_index, mut from_around) = (false, true);
        uses_in(e, &mut |var| match self.checker.lookup(var) {
            Some(Binding::Index(_)) => at_index = true,
            // Of cells under way the clause itself says which it needs.
            Some(Binding::Local(id)) if self.checker.cx().group.contains_key(&id) => {
                from_around = false;
            }
            Some(Binding::Local(_) | Binding::Const(_) | Binding::Function(_)) => {}
            Some(Binding::Rest(_) | Binding::Poisoned) | None => from_around = false,
        });
        at_index && from_around
    }
}

/// What is computed whatever else of an expression is.
fn decided_first(e: &hir::Expr) -> Option<&hir::Expr> {
    use hir::BinaryOp::{And, Or};
    match &e.kind {
        hir::ExprKind::If(i) => Some(&i.cond),
        hir::ExprKind::Match(m) => Some(&m.scrutinee),
        hir::ExprKind::Binary { op: And | Or, lhs, .. } => Some(lhs),
        _ => None,
    }
}
