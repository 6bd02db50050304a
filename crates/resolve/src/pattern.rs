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
        let mut known = Vec::new();
        let mut pats = Vec::new();
        for pat in &arm.pats {
            let mut bound = Vec::new();
            pats.push(self.pat(pat, &known, &mut bound));
            known.extend(bound);
        }
        let guard = arm.guard.as_ref().map(|g| self.expr(g));
        hir::Arm { span: arm.span, pats, guard, body: self.expr(&arm.body) }
    }

    /// A pattern: names that the alternatives before bind are the same variables in it.
    fn pat(&mut self, p: &ast::Pat, known: &[Ident], bound: &mut Vec<Ident>) -> hir::Pat {
        let kind = match &p.kind {
            ast::PatKind::Error => hir::PatKind::Error,
            ast::PatKind::Wildcard => hir::PatKind::Wildcard,
            ast::PatKind::Bind { name, sub } => {
                return self.bind_pat(p, name, sub.as_deref(), known, bound);
            }
            ast::PatKind::Number(n) => hir::PatKind::Number(n.clone()),
            ast::PatKind::Range { start, end, inclusive } => hir::PatKind::Range {
                start: start.clone(),
                end: end.clone(),
                inclusive: *inclusive,
            },
            ast::PatKind::Str(text) => hir::PatKind::Str(text.clone()),
            ast::PatKind::Bool(b) => hir::PatKind::Bool(*b),
            ast::PatKind::Path(path) => hir::PatKind::Path(self.constructor(path)),
            ast::PatKind::TupleStruct { path, elems } => {
                let path = self.constructor(path);
                hir::PatKind::TupleStruct { path, elems: self.pats(elems, known, bound) }
            }
            ast::PatKind::Struct { path, fields, rest } => {
                let path = self.constructor(path);
                let field = |f: &ast::FieldPat| {
                    let pat = self.field_pat(f, known, bound);
                    hir::FieldPat { name: f.name.clone(), pat }
                };
                hir::PatKind::Struct {
                    path,
                    fields: fields.iter().map(field).collect(),
                    rest: *rest,
                }
            }
            ast::PatKind::Tuple(ps) => hir::PatKind::Tuple(self.pats(ps, known, bound)),
            ast::PatKind::Array(ps) => hir::PatKind::Array(self.pats(ps, known, bound)),
            ast::PatKind::Rest(name) => {
                hir::PatKind::Rest(name.as_ref().map(|n| self.bind_in_pat(n, known, bound)))
            }
        };
        hir::Pat { span: p.span, kind }
    }

    fn pats(&mut self, all: &[ast::Pat], known: &[Ident], bound: &mut Vec<Ident>) -> Vec<hir::Pat> {
        all.iter().map(|p| self.pat(p, known, bound)).collect()
    }

    /// A bare name. One that a constant has means that constant, wherever it stands.
    fn bind_pat(
        &mut self,
        p: &ast::Pat,
        name: &ast::Ident,
        sub: Option<&ast::Pat>,
        known: &[Ident],
        bound: &mut Vec<Ident>,
    ) -> hir::Pat {
        let constant = match self.m.lookup(name.as_str()) {
            Some(Binding::Const(var)) if sub.is_none() => Some(var),
            _ => None,
        };
        let name = match constant {
            Some(_) => self.ident(name),
            None => self.bind_in_pat(name, known, bound),
        };
        let sub = sub.map(|s| Box::new(self.pat(s, known, bound)));
        hir::Pat { span: p.span, kind: hir::PatKind::Bind { name, constant, sub } }
    }

    fn field_pat(
        &mut self,
        f: &ast::FieldPat,
        known: &[Ident],
        bound: &mut Vec<Ident>,
    ) -> hir::Pat {
        match &f.pat {
            Some(p) => self.pat(p, known, bound),
            None => {
                let name = self.bind_in_pat(&f.name, known, bound);
                let kind = hir::PatKind::Bind { name, constant: None, sub: None };
                hir::Pat { span: f.name.span, kind }
            }
        }
    }

    fn bind_in_pat(&mut self, name: &ast::Ident, known: &[Ident], bound: &mut Vec<Ident>) -> Ident {
        if let Some(before) = known.iter().find(|k| k.name == name.name) {
            return Ident { name: name.name.clone(), span: name.span, var: before.var };
        }
        let ident = self.bind_value(name);
        bound.push(ident.clone());
        ident
    }
}
