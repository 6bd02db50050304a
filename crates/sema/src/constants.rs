//! Constants: values that are known wherever the program runs, evaluated once.
//!
//! The value is an expression that stands for itself in any body: literals, and operators
//! on them. So it can be used anywhere, and stays as open as its literals are.

use crate::checker::{ConstState, Constant, error_expr};
use crate::instance::Callables;
use crate::scope::{Binding, ConstId};
use crate::thir::{Expr, ExprKind, StrPart, Ty};
use std::rc::Rc;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

impl Callables<'_, '_> {
    /// A constant, to be evaluated where it is first needed.
    pub fn declare_constant(&mut self, def: &Rc<hir::Const>) -> ConstId {
        self.checker.constants.push(Constant { def: def.clone(), state: ConstState::New })
    }

    /// A `const` of a block: evaluated where it stands.
    pub fn const_stmt(&mut self, c: &Rc<hir::Const>) {
        let id = match self.checker.items.get(&c.name.var) {
            Some(Binding::Const(id)) => *id,
            _ => self.declare_constant(c),
        };
        if matches!(self.checker.constants[id].state, ConstState::New) {
            let e = self.const_value(id);
            self.checker.constants[id].state = e.map_or(ConstState::Failed, ConstState::Done);
        }
        match self.checker.constants[id].state {
            ConstState::Failed => self.checker.cx().bind(c.name.var, Binding::Poisoned),
            _ => self.checker.cx().bind(c.name.var, Binding::Const(id)),
        }
    }

    /// A constant's value, where it is used.
    pub fn constant_value(&mut self, id: ConstId, span: Span) -> Expr {
        match self.constant(id) {
            Some(e) => Expr { span, ..e },
            None => {
                self.checker.cx().ranges().poison();
                error_expr(span)
            }
        }
    }

    /// A constant's value; one of a module is evaluated at its first use.
    pub fn constant(&mut self, id: ConstId) -> Option<Expr> {
        match &self.checker.constants[id].state {
            ConstState::Done(e) => return Some(e.clone()),
            ConstState::Failed => return None,
            ConstState::UnderWay => {
                let def = self.checker.constants[id].def.clone();
                let name = &def.name.name;
                let d = Diagnostic::error(Code::E0437, format!("`{name}` is defined by itself"))
                    .primary(def.name.span, "its value needs its value")
                    .help("give one of the constants of the circle a value of its own");
                self.checker.of_constants.push(d);
                self.checker.constants[id].state = ConstState::Failed;
                return None;
            }
            ConstState::New => {}
        }
        self.checker.constants[id].state = ConstState::UnderWay;
        // What is found belongs to the definition, whoever asks, and however often.
        self.checker.open_body(None);
        let e = self.const_value(id);
        let found = self.checker.bodies.pop().map(|cx| cx.sink).unwrap_or_default();
        self.checker.of_constants.extend(found.all(&self.checker.of_bodies));
        if matches!(self.checker.constants[id].state, ConstState::Failed) {
            return None;
        }
        self.checker.constants[id].state = e.clone().map_or(ConstState::Failed, ConstState::Done);
        e
    }

    /// Evaluates a definition in the body under way.
    fn const_value(&mut self, id: ConstId) -> Option<Expr> {
        let def = self.checker.constants[id].def.clone();
        let e = self.checker.expr(&def.value);
        let e = match &def.ty {
            Some(ty) => self.checker.applied().annotated(e, ty),
            None if def.closed => self.checker.cx().conversions().close(e),
            None => e,
        };
        if e.ty == Ty::Error {
            return None;
        }
        if !is_static(&e) {
            let name = &def.name.name;
            let d = Diagnostic::error(
                Code::E1107,
                format!("the value of `{name}` is not known before the program runs"),
            )
            .primary(def.value.span, "not made of literals and constants alone")
            .help("use a `let` of the program, or a function");
            self.checker.report(d);
            return None;
        }
        Some(e)
    }
}

/// Whether an expression means the same in every body.
fn is_static(e: &Expr) -> bool {
    let sizes = e.ty.shape().unwrap_or_default();
    if !sizes.iter().all(|s| s.as_constant().is_some()) {
        return false;
    }
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Index(term) => term.as_constant().is_some(),
        ExprKind::Str(parts) => parts.iter().all(|p| match p {
            StrPart::Text(_) => true,
            StrPart::Value(v, _) => is_static(v),
        }),
        ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Adapted(_, a)
        | ExprKind::Field(a, _) => is_static(a),
        ExprKind::Binary(_, a, b) => is_static(a) && is_static(b),
        ExprKind::If(c, a, b) => is_static(c) && is_static(a) && is_static(b),
        ExprKind::Tuple(all) | ExprKind::Array(all) => all.iter().all(is_static),
        _ => false,
    }
}
