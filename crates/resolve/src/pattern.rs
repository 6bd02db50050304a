//! The arms of `match`, and their patterns.

use crate::resolver::Resolver;
use crate::scope::Binding;
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

impl Resolver<'_> {
    pub fn match_expr(&mut self, m: &ast::Match) -> hir::Match {
        let scrutinee = Box::new(self.expr(&m.scrutinee));
        let arms = m.arms.iter().map(|a| self.scoped(|r| r.arm(a))).collect();
        hir::Match { scrutinee, arms }
    }

    fn arm(&mut self, arm: &ast::Arm) -> hir::Arm {
        let mut patterns = Patterns { r: self, known: Vec::new(), bound: Vec::new() };
        let pats = arm.pats.iter().map(|p| patterns.alternative(p)).collect();
        let guard = arm.guard.as_ref().map(|g| self.expr(g));
        hir::Arm { span: arm.span, pats, guard, body: self.expr(&arm.body) }
    }
}

/// The patterns of an arm.
struct Patterns<'r, 'a> {
    r: &'r mut Resolver<'a>,
    /// What the alternatives before bind.
    known: Vec<Ident>,
    /// What this one binds besides.
    bound: Vec<Ident>,
}

impl Patterns<'_, '_> {
    fn alternative(&mut self, p: &ast::Pat) -> hir::Pat {
        let made = self.pat(p);
        self.known.append(&mut self.bound);
        made
    }

    /// A pattern: names that the alternatives before bind are the same variables in it.
    fn pat(&mut self, p: &ast::Pat) -> hir::Pat {
        let kind = match &p.kind {
            ast::PatKind::Error => hir::PatKind::Error,
            ast::PatKind::Wildcard => hir::PatKind::Wildcard,
            ast::PatKind::Bind { name, sub } => {
                return self.bind_pat(p, name, sub.as_deref());
            }
            ast::PatKind::Number(n) => hir::PatKind::Number(n.clone()),
            ast::PatKind::Range { start, end, inclusive } => hir::PatKind::Range {
                start: start.clone(),
                end: end.clone(),
                inclusive: *inclusive,
            },
            ast::PatKind::Str(text) => hir::PatKind::Str(text.clone()),
            ast::PatKind::Bool(b) => hir::PatKind::Bool(*b),
            ast::PatKind::Path(path) => hir::PatKind::Path(self.r.constructor(path)),
            ast::PatKind::TupleStruct { path, elems } => {
                let path = self.r.constructor(path);
                hir::PatKind::TupleStruct { path, elems: self.pats(elems) }
            }
            ast::PatKind::Struct { path, fields, rest } => {
                let path = self.r.constructor(path);
                let field = |f: &ast::FieldPat| {
                    let pat = self.field_pat(f);
                    hir::FieldPat { name: f.name.clone(), pat }
                };
                hir::PatKind::Struct {
                    path,
                    fields: fields.iter().map(field).collect(),
                    rest: *rest,
                }
            }
            ast::PatKind::Tuple(ps) => hir::PatKind::Tuple(self.pats(ps)),
            ast::PatKind::Array(ps) => hir::PatKind::Array(self.pats(ps)),
            ast::PatKind::Rest(name) => {
                hir::PatKind::Rest(name.as_ref().map(|n| self.bind_in_pat(n)))
            }
        };
        hir::Pat { span: p.span, kind }
    }

    fn pats(&mut self, all: &[ast::Pat]) -> Vec<hir::Pat> {
        all.iter().map(|p| self.pat(p)).collect()
    }

    /// A bare name. One that a constant has means that constant, wherever it stands.
    fn bind_pat(&mut self, p: &ast::Pat, name: &ast::Ident, sub: Option<&ast::Pat>) -> hir::Pat {
        let constant = match self.r.m.lookup(name.as_str()) {
            Some(Binding::Const(var)) if sub.is_none() => Some(var),
            _ => None,
        };
        let name = match constant {
            Some(_) => self.r.ident(name),
            None => self.bind_in_pat(name),
        };
        let sub = sub.map(|s| Box::new(self.pat(s)));
        hir::Pat { span: p.span, kind: hir::PatKind::Bind { name, constant, sub } }
    }

    fn field_pat(&mut self, f: &ast::FieldPat) -> hir::Pat {
        match &f.pat {
            Some(p) => self.pat(p),
            None => {
                let name = self.bind_in_pat(&f.name);
                let kind = hir::PatKind::Bind { name, constant: None, sub: None };
                hir::Pat { span: f.name.span, kind }
            }
        }
    }

    fn bind_in_pat(&mut self, name: &ast::Ident) -> Ident {
        // A name that stands twice may be that of a variant, which binds nothing.
        if let Some(before) = self.bound.iter().chain(&self.known).find(|k| k.name == name.name) {
            return Ident { name: name.name.clone(), span: name.span, var: before.var };
        }
        let ident = self.r.bind_value(name);
        self.bound.push(ident.clone());
        ident
    }
}
