//! Expressions.

use super::Verifier;
use super::scopes::Binder;
use crate::{
    Arg, BUILTINS, Comprehension, Expr, ExprKind, GenItem, GenItemKind, Handler, Head, HeadKind,
    Item, ItemKind, Meaning, PartKind, PipeOp, StrPartKind, Use, WhereItem, WhereItemKind,
};

impl Verifier<'_> {
    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Error | ExprKind::Unit | ExprKind::Bool(_) | ExprKind::Number(_) => {}
            ExprKind::Str(s) => {
                for part in &s.parts {
                    if let StrPartKind::Value { value, .. } = &part.kind {
                        self.expr(value);
                    }
                }
            }
            ExprKind::Use(u) => self.name_use(u, false),
            ExprKind::Tuple(all) | ExprKind::Array(all) => all.iter().for_each(|e| self.expr(e)),
            ExprKind::Comprehension(c) => self.comprehension(c),
            ExprKind::Reduction(r) => self.terms(&r.heads, &r.where_items, &r.body),
            ExprKind::Reduce(r) => {
                self.callee(&r.function);
                self.expr(&r.identity);
                self.terms(&r.heads, &r.where_items, &r.body);
            }
            ExprKind::If(i) => {
                self.expr(&i.cond);
                self.block(&i.then);
                i.otherwise.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Match(m) => {
                self.expr(&m.scrutinee);
                m.arms.iter().for_each(|a| self.arm(a));
            }
            ExprKind::Block(b) => self.block(b),
            ExprKind::Lambda(l) => self.scoped(|v| {
                v.params(&l.params);
                v.expr(&l.body);
            }),
            ExprKind::StructLit(s) => {
                self.constructor(&s.constructor);
                s.fields.iter().for_each(|f| self.expr(&f.value));
            }
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Index { base, items } => {
                self.expr(base);
                items.iter().for_each(|i| self.item(i));
            }
            ExprKind::Field { base: e, .. } | ExprKind::Unary { operand: e, .. } => self.expr(e),
            ExprKind::Binary { lhs, rhs, .. } => self.both(lhs, rhs),
            ExprKind::Range { start, end, .. } => self.both(start, end),
            ExprKind::In { item, set } => self.both(item, set),
            ExprKind::Cast { value, ty } => {
                self.expr(value);
                self.ty(ty);
            }
            ExprKind::Pipe { op, lhs, rhs, .. } => self.pipe(*op, lhs, rhs),
            ExprKind::Recover { chain, handler: Handler::Else(e) | Handler::Catch(e) } => {
                self.both(chain, e);
            }
            ExprKind::Where { body, items } => self.scoped(|v| {
                v.where_items(items);
                v.expr(body);
            }),
        }
    }

    fn both(&mut self, lhs: &Expr, rhs: &Expr) {
        self.expr(lhs);
        self.expr(rhs);
    }

    fn call(&mut self, callee: &Expr, args: &[Arg]) {
        self.callee(callee);
        args.iter().for_each(|a| self.expr(&a.value));
    }

    fn pipe(&mut self, op: PipeOp, lhs: &Expr, rhs: &Expr) {
        if op == PipeOp::Pass {
            self.scopes.wrong("`|>` is no call".to_string());
        }
        self.expr(lhs);
        self.callee(rhs);
    }

    /// What is called may be a function that needs no import.
    fn callee(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Use(u) => self.name_use(u, true),
            _ => self.expr(e),
        }
    }

    fn name_use(&mut self, u: &Use, called: bool) {
        let name = u.name.as_str();
        match u.meaning {
            Meaning::Var(var) => self.scopes.used(var),
            Meaning::Variant(ty) => self.scopes.used_as(ty, &[Binder::Enum], "an enum"),
            Meaning::Library(_) | Meaning::Foreign(_) => {}
            Meaning::Builtin if !BUILTINS.contains(&name) => {
                self.scopes.wrong(format!("there is no builtin `{name}`"));
            }
            Meaning::Builtin if !called => {
                self.scopes.wrong(format!("the builtin `{name}` is not called"));
            }
            Meaning::Builtin => {}
        }
    }

    fn comprehension(&mut self, c: &Comprehension) {
        self.scoped(|v| {
            c.items.iter().for_each(|i| v.gen_item(i));
            v.expr(&c.body);
        });
    }

    fn gen_item(&mut self, item: &GenItem) {
        match &item.kind {
            GenItemKind::In { name, set: e } | GenItemKind::Bind { name, value: e } => {
                self.expr(e);
                self.scopes.bind(name.var, Binder::Value);
            }
            GenItemKind::Guard(e) => self.expr(e),
            GenItemKind::Test { item, set } => self.both(item, set),
        }
    }

    /// Items in order: a name is known behind its own.
    pub(super) fn where_items(&mut self, items: &[WhereItem]) {
        for item in items {
            match &item.kind {
                WhereItemKind::Bind { name, value } => {
                    self.expr(value);
                    self.scopes.bind(name.var, Binder::Value);
                }
                WhereItemKind::Guard(e) => self.expr(e),
            }
        }
    }

    /// What a reduction goes over, in its scope.
    fn terms(&mut self, heads: &[Head], items: &[WhereItem], body: &Expr) {
        self.scoped(|v| {
            heads.iter().for_each(|h| v.head(h));
            v.where_items(items);
            v.expr(body);
        });
    }

    fn head(&mut self, head: &Head) {
        match &head.kind {
            HeadKind::Index { name, range } => {
                range.iter().for_each(|e| self.expr(e));
                self.scopes.bind(name.var, Binder::Value);
            }
            HeadKind::Rest(rest) => self.new_rest(rest),
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Expr(e) => self.expr(e),
            ItemKind::Rest(rest) => {
                if let Some(var) = rest.var {
                    self.scopes.used_as(var, &[Binder::Rest], "a rest");
                }
                rest.rank.iter().for_each(|e| self.expr(e));
            }
            ItemKind::Coproduct(parts) => {
                for part in parts {
                    if let PartKind::Index { name, range } = &part.kind {
                        range.iter().for_each(|e| self.expr(e));
                        self.scopes.used(name.var);
                    }
                }
            }
        }
    }
}
