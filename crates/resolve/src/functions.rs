//! Functions, lambdas, and rules of differentials.

use crate::resolver::Resolver;
use std::rc::Rc;
use weft_base::Span;
use weft_hir::{self as hir, Ident, VarId};
use weft_syntax::ast;

impl Resolver<'_> {
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
