//! Statements: the top level, blocks, functions with their rules.

use crate::hoist::Hoisted;
use crate::resolver::{Resolver, lone_rule};
use crate::scope::Binding;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir, Ident, VarId};
use weft_syntax::ast;

/// The statements of a block, and its value.
pub(crate) type Content = (Vec<hir::Stmt>, Option<Box<hir::Expr>>);

impl Resolver<'_> {
    /// Statements and a value, in a scope of their own.
    pub fn block(&mut self, b: &ast::Block) -> hir::Block {
        let (stmts, tail) = self.scoped(|r| r.content(&b.stmts, b.tail.as_deref(), false));
        hir::Block { span: b.span, stmts, tail }
    }

    /// The same in the scope that is open; `top` is the program itself.
    pub fn content(&mut self, stmts: &[ast::Stmt], tail: Option<&ast::Expr>, top: bool) -> Content {
        self.m.scopes.last().upcoming = plain_names(stmts);
        let known = self.hoist(stmts, top);
        let mut clauses = self.block_clauses(stmts);
        let mut out = Vec::new();
        for (at, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                ast::StmtKind::Indexed(c) => clauses.at_clause(self, c, at, &mut out),
                ast::StmtKind::Fn(def) => {
                    let Some(&var) = known.vars.get(&at) else { continue };
                    let rules = rules_of(&known, var, stmts);
                    self.function(def, var, &rules, stmt.span, &mut out);
                }
                ast::StmtKind::Const(c) => {
                    out.push(self.const_stmt(c, known.vars.get(&at), stmt.span));
                }
                ast::StmtKind::DiffRule(rule) => {
                    out.extend((!known.placed.contains(&at)).then(|| lone_rule(rule, stmt.span)));
                }
                _ => out.extend(self.statement(stmt, top)),
            }
        }
        self.m.scopes.last().upcoming.clear();
        let tail = tail.map(|e| Box::new(self.expr(e)));
        (out, tail)
    }

    /// A statement that is neither a clause nor known in its whole block.
    fn statement(&mut self, stmt: &ast::Stmt, top: bool) -> Option<hir::Stmt> {
        let kind = match &stmt.kind {
            ast::StmtKind::Let(l) => hir::StmtKind::Let(self.let_stmt(l, top)),
            ast::StmtKind::Input(i) => hir::StmtKind::Input(self.input(i, top, stmt.span)?),
            ast::StmtKind::Expr(e) => hir::StmtKind::Expr(self.expr(&e.expr)),
            ast::StmtKind::Use(u) => {
                self.place_use(u);
                return None;
            }
            _ => return None,
        };
        Some(hir::Stmt { span: stmt.span, kind })
    }

    fn let_stmt(&mut self, l: &ast::Let, top: bool) -> hir::Let {
        let value = self.expr(&l.value);
        let ty = l.ty.as_ref().map(|ty| self.ty(ty));
        let overrides = self.overrides;
        let replaced = match &l.pattern.kind {
            ast::LetPatternKind::Name(name) if top => overrides.get(name.as_str()),
            _ => None,
        };
        let replaced = replaced.map(|with| self.expr(with));
        let pattern = self.let_pattern(&l.pattern);
        hir::Let { pattern, ty, value, replaced }
    }

    fn let_pattern(&mut self, p: &ast::LetPattern) -> hir::LetPattern {
        let kind = match &p.kind {
            ast::LetPatternKind::Error => hir::LetPatternKind::Error,
            ast::LetPatternKind::Discard => hir::LetPatternKind::Discard,
            ast::LetPatternKind::Name(name) => hir::LetPatternKind::Name(self.bind_value(name)),
            ast::LetPatternKind::Tuple(members) => {
                let member = |m: &ast::TypedPattern| {
                    let ty = m.ty.as_ref().map(|ty| self.ty(ty));
                    hir::TypedPattern { pattern: self.let_pattern(&m.pattern), ty }
                };
                hir::LetPatternKind::Tuple(members.iter().map(member).collect())
            }
        };
        hir::LetPattern { span: p.span, kind }
    }

    /// A `const`, which sees what was bound before it.
    fn const_stmt(&mut self, c: &ast::Const, known: Option<&VarId>, span: Span) -> hir::Stmt {
        let var = match known {
            Some(var) => *var,
            None => self.ident(&c.name).var,
        };
        let made = self.constant(c, var, false);
        self.bind(&c.name, Binding::Const(var));
        hir::Stmt { span, kind: hir::StmtKind::Const(Rc::new(made)) }
    }

    pub fn constant(&mut self, c: &ast::Const, var: VarId, closed: bool) -> hir::Const {
        let value = self.expr(&c.value);
        let ty = c.ty.as_ref().map(|ty| self.ty(ty));
        let name = Ident { name: c.name.name.clone(), span: c.name.span, var };
        hir::Const { name, ty, value, closed }
    }

    fn input(&mut self, i: &ast::Input, top: bool, span: Span) -> Option<hir::Input> {
        if !top {
            let d = Diagnostic::error(Code::E0001, "an `input` inside a block")
                .primary(span, "inputs are what the caller of the whole program gives")
                .help("declare it at the top level, and pass it as an argument");
            self.report(d);
            self.bind(&i.name, Binding::Poisoned);
            return None;
        }
        let ty = self.ty(&i.ty);
        let default = i.default.as_ref().map(|e| self.expr(e));
        let name = self.bind_value(&i.name);
        Some(hir::Input { name, ty, default })
    }

    /// A function with its rules, which see its parameters and the extents that its signature
    /// names.
    pub fn function(
        &mut self,
        def: &ast::FnDef,
        var: VarId,
        rules: &[(&ast::DiffRule, Span)],
        span: Span,
        out: &mut Vec<hir::Stmt>,
    ) {
        let name = Ident { name: def.name.name.clone(), span: def.name.span, var };
        let made = self.in_body(|r| {
            let params = r.params(&def.params);
            let body = r.block(&def.body);
            let ret = def.ret.as_ref().map(|ty| r.ty(ty));
            let rules: Vec<hir::Stmt> =
                rules.iter().map(|(rule, span)| r.rule(rule, var, *span)).collect();
            (hir::FnDef { name, params, ret, body }, rules)
        });
        out.push(hir::Stmt { span, kind: hir::StmtKind::Fn(Rc::new(made.0)) });
        out.extend(made.1);
    }

    /// Parameters: a default sees those before it, the types see all of them.
    fn params(&mut self, params: &[ast::Param]) -> Vec<hir::Param> {
        let mut out: Vec<hir::Param> = Vec::new();
        for p in params {
            let default = p.default.as_ref().map(|e| self.expr(e));
            let name = self.bind_value(&p.name);
            out.push(hir::Param { span: p.span, name, ty: None, default });
        }
        for (made, p) in out.iter_mut().zip(params) {
            made.ty = p.ty.as_ref().map(|ty| self.ty(ty));
        }
        out
    }

    /// A rule: of its parameters the names count, what they are the function says.
    fn rule(&mut self, rule: &ast::DiffRule, function: VarId, span: Span) -> hir::Stmt {
        let made = self.scoped(|r| {
            let param = |p: &ast::Param| {
                let name = r.bind_value(&p.name);
                hir::Param { span: p.span, name, ty: None, default: None }
            };
            let params = rule.params.iter().map(param).collect();
            let body = r.block(&rule.body);
            hir::DiffRule { name: rule.name.clone(), function: Some(function), params, body }
        });
        hir::Stmt { span, kind: hir::StmtKind::DiffRule(Rc::new(made)) }
    }

    /// `|x| x + k`.
    pub fn lambda(&mut self, l: &ast::Lambda) -> hir::Lambda {
        self.in_body(|r| {
            let params = r.params(&l.params);
            hir::Lambda { params, body: Box::new(r.expr(&l.body)) }
        })
    }
}

/// The rules of a function among a block's statements.
fn rules_of<'s>(
    known: &Hoisted,
    var: VarId,
    stmts: &'s [ast::Stmt],
) -> Vec<(&'s ast::DiffRule, Span)> {
    let rules = known.rules.get(&var).into_iter().flatten();
    let rule = |at: &usize| match &stmts[*at].kind {
        ast::StmtKind::DiffRule(rule) => Some((rule, stmts[*at].span)),
        _ => None,
    };
    rules.filter_map(rule).collect()
}

/// The names that plain `let`s of a block bind, and where.
fn plain_names(stmts: &[ast::Stmt]) -> FxHashMap<Name, Vec<Span>> {
    let mut all: FxHashMap<Name, Vec<Span>> = FxHashMap::default();
    for stmt in stmts {
        if let ast::StmtKind::Let(l) = &stmt.kind
            && let ast::LetPatternKind::Name(name) = &l.pattern.kind
        {
            all.entry(name.name.clone()).or_default().push(name.span);
        }
    }
    all
}
