//! Lints about names and literals.

use crate::checker::Checker;
use crate::hir::{self, Elem, Expr, ExprKind, LocalId, Ty};
use crate::scope::Binding;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::BinaryOp;
use weft_syntax::ast;
use weft_tensor::Accumulator;

impl Checker<'_> {
    /// `shadowed-integer`: a slot that is one bare name, which is an integer outside.
    pub fn lint_shadowed_integer(&mut self, name: &ast::Ident) {
        if self.muted > 0 {
            return;
        }
        let Some(span) = self.integer_named(name) else { return };
        let text = &name.name;
        let edited = format!("({text})");
        let d = Diagnostic::warning(
            Code::ShadowedInteger,
            format!("the index `{text}` shadows an integer"),
        )
        .primary(name.span, "a new index, over a whole axis")
        .secondary(span, "the integer")
        .help_edit("if the one cell is meant, put it in parentheses", name.span, edited);
        self.report(d);
    }

    /// Where the integer is bound that a name means here, if it means one.
    fn integer_named(&mut self, name: &ast::Ident) -> Option<Span> {
        match self.lookup(name.as_str())? {
            Binding::Local(id) => {
                let local = &self.body().locals[id];
                let scalar = matches!(&local.ty, Ty::Array(_, shape) if shape.is_empty());
                (scalar && local.term.is_some()).then_some(local.span)
            }
            Binding::Const(id) => {
                let def = &self.constants[id].def;
                let int = |e: &ast::Expr| match &e.kind {
                    ast::ExprKind::Number(n) => matches!(n.value, ast::NumberValue::Int(_)),
                    _ => false,
                };
                int(&def.value).then_some(def.name.span)
            }
            _ => None,
        }
    }

    /// Remembers that a name must be used, or is linted.
    pub fn must_be_used(&mut self, id: LocalId) {
        let top = self.bodies.len() == 1 && self.cx().scopes.len() == 1;
        let hir::Local { name, span, .. } = &self.body().locals[id];
        // A fold of nothing does without its cells.
        let discarded = name.as_str().starts_with('_') || crate::fold::is_fold(name);
        if !top && !discarded && !self.fold_indices.contains(span) {
            self.cx().to_use.insert_mut(id);
        }
    }

    /// `unused-name`, for the names of the scope that ends.
    pub fn lint_unused(&mut self) {
        let scope = self.cx().scopes.last().expect("a scope is open");
        let locals: Vec<LocalId> = scope.locals().collect();
        for id in locals {
            let cx = self.cx();
            if !cx.to_use.remove_mut(&id) || cx.used[id] {
                continue;
            }
            let local = &cx.hir.locals[id];
            let (name, span) = (local.name.clone(), local.span);
            let d = Diagnostic::warning(Code::UnusedName, format!("`{name}` is never used"))
                .primary(span, "nothing is computed for it")
                .help(format!("remove it, or call it `_{name}`"));
            self.report(d);
        }
    }

    /// `float-equality`: an assertion that two floats have the same bits.
    pub fn lint_float_equality(&mut self, cond: &Expr) {
        match &cond.kind {
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let float = |e: &Expr| e.ty.elem().is_some_and(Elem::is_float);
                if !float(a) && !float(b) {
                    return;
                }
                let d = Diagnostic::warning(Code::FloatEquality, "floats are compared exactly")
                    .primary(cond.span, "true only of the same bits")
                    .help("say how near is near enough: `abs(a - b) < 1e-6`");
                self.report(d);
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.lint_float_equality(a);
                self.lint_float_equality(b);
            }
            ExprKind::If(a, b, _) if cond.ty == Ty::bool() => {
                self.lint_float_equality(a);
                self.lint_float_equality(b);
            }
            ExprKind::Reduce { accumulator: Accumulator::All, body, .. } => {
                self.lint_float_equality(body);
            }
            _ => {}
        }
    }
}
