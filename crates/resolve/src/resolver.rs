//! The state of the resolution, and the program as a whole.

use crate::modules::{ModuleReader, Modules, Pending, PendingKind};
use crate::scope::{Binding, Scope, Scopes};
use crate::wheres::Moved;
use crate::{Overrides, Resolved};
use std::rc::Rc;
use weft_base::{SourceMap, Span};
use weft_diag::Diagnostic;
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

/// Makes the resolved tree.
pub(crate) struct Resolver<'a> {
    pub m: Modules<'a>,
    pub overrides: &'a Overrides,
    /// Items of `where` that wait for their reductions, of the clauses that we are in.
    pub moved: Vec<Moved>,
    /// Structs and enums so far.
    pub types: Vec<Rc<hir::TypeDef>>,
}

impl<'a> Resolver<'a> {
    pub fn new(
        source: &'a SourceMap,
        overrides: &'a Overrides,
        reader: &'a dyn ModuleReader,
    ) -> Self {
        let m = Modules::new(source, reader);
        Resolver { m, overrides, moved: Vec::new(), types: Vec::new() }
    }

    /// The program and all that its modules hold.
    pub fn program(mut self, program: &ast::Program) -> Resolved {
        let (stmts, tail) = self.content(&program.stmts, program.tail.as_deref(), true);
        let main = main_of(&mut self.m, program);
        let items = self.items();
        let (m, types) = (self.m, self.types);
        let program =
            hir::Program { vars: m.vars.all, types, items, stmts, tail, main, library: m.library };
        Resolved { program, diagnostics: m.diagnostics, unread: m.unread }
    }

    /// What modules hold, in the order in which it was declared. Items may lead to other modules.
    fn items(&mut self) -> Vec<hir::Stmt> {
        let mut out = Vec::new();
        while let Some(item) = self.m.pending.pop_front() {
            let body = self.m.vars.new_body();
            let scopes = Scopes::new(item.module, false, body);
            let outer = std::mem::replace(&mut self.m.scopes, scopes);
            self.module_item(&item, &mut out);
            self.m.scopes = outer;
            self.m.visit_modules();
        }
        out
    }

    fn module_item(&mut self, item: &Pending, out: &mut Vec<hir::Stmt>) {
        let span = item.span;
        match &item.kind {
            PendingKind::Fn(def) => {
                let rules = self.m.rules.remove(&item.var).unwrap_or_default();
                let rules: Vec<(&ast::DiffRule, Span)> =
                    rules.iter().map(|(r, s)| (r, *s)).collect();
                self.function(def, item.var, &rules, span, out);
            }
            PendingKind::Const(def, closed) => {
                let made = self.constant(def, item.var, *closed);
                let kind = hir::StmtKind::Const(Rc::new(made));
                out.push(hir::Stmt { span, kind });
            }
            PendingKind::Type(stmt) => self.type_def(stmt, item.var),
            PendingKind::Rule(rule) => out.push(lone_rule(rule, span)),
        }
    }

    pub fn report(&mut self, d: Diagnostic) {
        self.m.diagnostics.push(d);
    }

    /// What `inside` does in a scope of its own.
    pub fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.m.scopes.open.push(Scope::default());
        let found = inside(self);
        self.m.scopes.open.pop();
        found
    }

    /// What `inside` does in a function of its own.
    pub fn in_body<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let body = self.m.vars.new_body();
        let around = Rc::clone(&self.m.scopes.bodies);
        self.m.scopes.bodies = Rc::new(around.iter().copied().chain([body]).collect());
        let found = self.scoped(inside);
        self.m.scopes.bodies = around;
        found
    }

    /// A new variable for a name, which is not bound to it.
    pub fn ident(&mut self, name: &ast::Ident) -> Ident {
        let global = self.m.scopes.is_top();
        self.m.vars.ident(name, global)
    }

    /// Binds a name to a new variable that stands for a value.
    pub fn bind_value(&mut self, name: &ast::Ident) -> Ident {
        let ident = self.bind_index(name);
        self.m.vars.note_local(ident.var, &self.m.scopes);
        ident
    }

    /// Binds a name to a new index.
    pub fn bind_index(&mut self, name: &ast::Ident) -> Ident {
        let ident = self.ident(name);
        self.bind(name, Binding::Value(ident.var));
        ident
    }

    /// Binds a name, unless it is none.
    pub fn bind(&mut self, name: &ast::Ident, binding: Binding) {
        if !name.is_discard() {
            self.m.scopes.bind(&name.name, binding);
        }
    }
}

/// A rule that stands beside no function of its name: nothing asks what it says.
pub(crate) fn lone_rule(rule: &ast::DiffRule, span: Span) -> hir::Stmt {
    let body = hir::Block { span: rule.body.span, stmts: Vec::new(), tail: None };
    let (name, params) = (rule.name.clone(), Vec::new());
    let rule = hir::DiffRule { name, function: None, params, body };
    hir::Stmt { span, kind: hir::StmtKind::DiffRule(Rc::new(rule)) }
}

/// `fn main()`, which runs after the top level.
fn main_of(m: &mut Modules<'_>, program: &ast::Program) -> Option<Ident> {
    let main = program.stmts.iter().find_map(|s| match &s.kind {
        ast::StmtKind::Fn(def) if def.name.as_str() == "main" && def.params.is_empty() => {
            Some(&def.name)
        }
        _ => None,
    })?;
    let Binding::Function(var) = m.lookup(main.as_str())? else { return None };
    Some(Ident { name: main.name.clone(), span: main.span, var })
}
