//! Expressions.

use crate::resolver::Resolver;
use weft_base::{SourceMap, Span};
use weft_hir::{self as hir, ExprKind as K};
use weft_syntax::ast;

impl Resolver<'_> {
    /// An expression with its names resolved.
    pub fn expr(&mut self, e: &ast::Expr) -> hir::Expr {
        let kind = match &e.kind {
            ast::ExprKind::Error => K::Error,
            ast::ExprKind::Unit => K::Unit,
            ast::ExprKind::Bool(b) => K::Bool(*b),
            ast::ExprKind::Number(n) => K::Number(n.clone()),
            ast::ExprKind::Str(s) => K::Str(self.string(s)),
            ast::ExprKind::Path(p) => self.path(p, false).kind,
            ast::ExprKind::Tuple(members) => K::Tuple(self.exprs(members)),
            ast::ExprKind::Array(elements) => K::Array(self.exprs(elements)),
            ast::ExprKind::Comprehension { body, items } => {
                K::Comprehension(self.comprehension(body, items))
            }
            ast::ExprKind::Reduction(r) => K::Reduction(self.reduction(e, r)),
            ast::ExprKind::Reduce(r) => K::Reduce(self.reduce(e, r)),
            ast::ExprKind::If(i) => K::If(self.if_else(i)),
            ast::ExprKind::Match(m) => K::Match(self.match_expr(m)),
            ast::ExprKind::Block(b) => K::Block(self.block(b)),
            ast::ExprKind::Lambda(l) => K::Lambda(self.lambda(l)),
            ast::ExprKind::StructLit(s) => K::StructLit(self.struct_literal(s)),
            ast::ExprKind::Call { callee, args } => self.call(callee, None, args),
            ast::ExprKind::Index { base, items } => {
                let base = self.boxed(base);
                K::Index { base, items: items.iter().map(|i| self.item(i)).collect() }
            }
            ast::ExprKind::Field { base, field } => {
                K::Field { base: self.boxed(base), field: field_name(field) }
            }
            ast::ExprKind::Where { body, items } => self.where_expr(body, items),
            _ => self.operation(&e.kind),
        };
        hir::Expr { span: e.span, kind }
    }

    /// Operators of all kinds.
    fn operation(&mut self, kind: &ast::ExprKind) -> K {
        match kind {
            ast::ExprKind::Unary { op, op_span, operand } => {
                K::Unary { op: *op, op_span: *op_span, operand: self.boxed(operand) }
            }
            ast::ExprKind::Binary { op, op_span, lhs, rhs } => {
                let lhs = self.boxed(lhs);
                K::Binary { op: *op, op_span: *op_span, lhs, rhs: self.boxed(rhs) }
            }
            ast::ExprKind::Range { start, end, inclusive } => {
                let start = self.boxed(start);
                K::Range { start, end: self.boxed(end), inclusive: *inclusive }
            }
            ast::ExprKind::In { item, set } => {
                let item = self.boxed(item);
                K::In { item, set: self.boxed(set) }
            }
            ast::ExprKind::Cast { value, ty } => {
                let value = self.boxed(value);
                K::Cast { value, ty: self.ty(ty) }
            }
            ast::ExprKind::Pipe { op: ast::PipeOp::Pass, lhs, rhs, .. } => self.pipe(lhs, rhs),
            ast::ExprKind::Pipe { op, op_span, lhs, rhs } => {
                let lhs = self.boxed(lhs);
                K::Pipe { op: *op, op_span: *op_span, lhs, rhs: Box::new(self.callee(rhs)) }
            }
            ast::ExprKind::Recover { chain, handler } => {
                let chain = self.boxed(chain);
                let handler = match handler {
                    ast::Handler::Else(v) => hir::Handler::Else(self.boxed(v)),
                    ast::Handler::Catch(f) => hir::Handler::Catch(self.boxed(f)),
                };
                K::Recover { chain, handler }
            }
            _ => K::Error,
        }
    }

    fn exprs(&mut self, all: &[ast::Expr]) -> Vec<hir::Expr> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&mut self, e: &ast::Expr) -> Box<hir::Expr> {
        Box::new(self.expr(e))
    }

    /// An expression that is called: a name may be that of a function that needs no import.
    pub fn callee(&mut self, e: &ast::Expr) -> hir::Expr {
        match &e.kind {
            ast::ExprKind::Path(p) => hir::Expr { span: e.span, ..self.path(p, true) },
            _ => self.expr(e),
        }
    }

    /// A call, perhaps with what is piped into it.
    fn call(&mut self, callee: &ast::Expr, first: Option<hir::Arg>, args: &[ast::Arg]) -> K {
        let callee = Box::new(self.callee(callee));
        let arg = |a: &ast::Arg| hir::Arg {
            span: a.span,
            name: a.name.clone(),
            value: self.expr(&a.value),
        };
        let args: Vec<hir::Arg> = args.iter().map(arg).collect();
        K::Call { callee, args: first.into_iter().chain(args).collect() }
    }

    /// `a |> f(b)` is `f(a, b)`.
    fn pipe(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) -> K {
        let first = hir::Arg { span: lhs.span, name: None, value: self.expr(lhs) };
        match &rhs.kind {
            ast::ExprKind::Call { callee, args } => self.call(callee, Some(first), args),
            _ => self.call(rhs, Some(first), &[]),
        }
    }

    fn if_else(&mut self, i: &ast::If) -> hir::If {
        let cond = self.boxed(&i.cond);
        let then = self.block(&i.then);
        let otherwise = i.otherwise.as_ref().map(|e| self.boxed(e));
        hir::If { cond, then, otherwise }
    }

    fn struct_literal(&mut self, s: &ast::StructLit) -> hir::StructLit {
        let constructor = self.constructor(&s.path);
        let field = |f: &ast::FieldInit| {
            let value = match &f.value {
                Some(v) => self.expr(v),
                None => {
                    let path = ast::Path { span: f.name.span, segments: vec![f.name.clone()] };
                    self.path(&path, false)
                }
            };
            hir::FieldInit { name: f.name.clone(), value }
        };
        hir::StructLit { constructor, fields: s.fields.iter().map(field).collect() }
    }

    fn string(&mut self, s: &ast::StrLit) -> hir::StrLit {
        let part = |p: &ast::StrPart| {
            let kind = match &p.kind {
                ast::StrPartKind::Text(text) => hir::StrPartKind::Text(text.clone()),
                // A brace that is not matched is said already.
                ast::StrPartKind::Value { value, .. } if !is_closed(self.m.source, value.span) => {
                    hir::StrPartKind::Text(String::new())
                }
                ast::StrPartKind::Value { value, spec } => {
                    hir::StrPartKind::Value { value: self.boxed(value), spec: spec.clone() }
                }
            };
            hir::StrPart { span: p.span, kind }
        };
        hir::StrLit { parts: s.parts.iter().map(part).collect() }
    }
}

/// Whether a value in a string is followed by what ends it.
fn is_closed(source: &SourceMap, value: Span) -> bool {
    let text = &source.file(value.file).text;
    let rest = text.get(value.end as usize..).unwrap_or_default();
    rest.trim_start().starts_with(['}', ':'])
}

fn field_name(field: &ast::FieldName) -> hir::FieldName {
    match field {
        ast::FieldName::Named(name) => hir::FieldName::Named(name.clone()),
        ast::FieldName::Position { index, span } => {
            hir::FieldName::Position { index: *index, span: *span }
        }
    }
}
