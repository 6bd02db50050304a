//! Statements and definitions, written.

use super::{Printer, flag, label, section};
use crate::sexp::Sexp;
use crate::{
    Block, Clause, Const, Definition, DiffRule, FnDef, Input, Let, LetPattern, LetPatternKind,
    Param, Part, PartKind, Slot, SlotKind, Stmt, StmtKind, TypedPattern,
};

impl Printer<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Sexp> {
        stmts.iter().map(|s| self.stmt(s)).collect()
    }

    pub(super) fn block(&mut self, block: &Block) -> Sexp {
        let stmts = self.stmts(&block.stmts);
        let tail = section("tail", block.tail.as_ref().map(|e| self.expr(e)));
        Sexp::form("block", stmts.into_iter().chain(tail))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Sexp {
        match &stmt.kind {
            StmtKind::Let(l) => self.let_stmt(l),
            StmtKind::Const(c) => self.constant(c),
            StmtKind::Definitions(all) => {
                let all: Vec<Sexp> = all.iter().map(|d| self.definition(d)).collect();
                Sexp::form("definitions", all)
            }
            StmtKind::Fn(def) => self.function(def),
            StmtKind::DiffRule(rule) => self.rule(rule),
            StmtKind::Input(input) => self.input(input),
            StmtKind::Expr(e) => Sexp::form("do", [self.expr(e)]),
        }
    }

    fn let_stmt(&mut self, l: &Let) -> Sexp {
        let pattern = self.let_pattern(&l.pattern);
        let ty = section("type", l.ty.as_ref().map(|t| self.ty(t)));
        let value = self.expr(&l.value);
        let replaced = section("replaced", l.replaced.as_ref().map(|e| self.expr(e)));
        Sexp::form("let", [pattern].into_iter().chain(ty).chain([value]).chain(replaced))
    }

    fn let_pattern(&mut self, pattern: &LetPattern) -> Sexp {
        match &pattern.kind {
            LetPatternKind::Error => Sexp::word("error"),
            LetPatternKind::Discard => Sexp::word("_"),
            LetPatternKind::Name(name) => self.ident(name),
            LetPatternKind::Tuple(members) => {
                let members: Vec<Sexp> = members.iter().map(|m| self.typed_pattern(m)).collect();
                Sexp::form("tuple", members)
            }
        }
    }

    fn typed_pattern(&mut self, member: &TypedPattern) -> Sexp {
        let pattern = self.let_pattern(&member.pattern);
        match &member.ty {
            Some(ty) => Sexp::form("typed", [pattern, self.ty(ty)]),
            None => pattern,
        }
    }

    fn constant(&mut self, c: &Const) -> Sexp {
        let name = self.ident(&c.name);
        let closed = flag("closed", c.closed);
        let ty = section("type", c.ty.as_ref().map(|t| self.ty(t)));
        let value = self.expr(&c.value);
        Sexp::form("const", [name].into_iter().chain(closed).chain(ty).chain([value]))
    }

    fn definition(&mut self, d: &Definition) -> Sexp {
        let name = self.ident(&d.name);
        let clauses: Vec<Sexp> = d.clauses.iter().map(|c| self.clause(c)).collect();
        Sexp::form("definition", [name].into_iter().chain(clauses))
    }

    fn clause(&mut self, c: &Clause) -> Sexp {
        let name = self.ident(&c.name);
        let slots: Vec<Sexp> = c.slots.iter().map(|s| self.slot(s)).collect();
        let mut all = vec![name, Sexp::form("slots", slots)];
        all.extend(section("type", c.ty.as_ref().map(|t| self.ty(t))));
        all.extend(self.given(&c.where_items));
        let alternatives: Vec<Sexp> = c.alternatives.iter().map(|e| self.expr(e)).collect();
        all.push(Sexp::form("=", alternatives));
        all.extend(section("else", c.otherwise.as_ref().map(|e| self.expr(e))));
        let stretch = (c.stretch != 0).then(|| Sexp::word(c.stretch.to_string()));
        all.extend(section("stretch", stretch));
        Sexp::form("clause", all)
    }

    fn slot(&mut self, slot: &Slot) -> Sexp {
        match &slot.kind {
            SlotKind::Index { name, range: None, hides: None } => self.ident(name),
            SlotKind::Index { name, range, hides } => {
                let name = self.ident(name);
                let range = section("range", range.as_ref().map(|e| self.expr(e)));
                let hides = section("hides", hides.map(|v| self.var(v)));
                Sexp::form("index", [name].into_iter().chain(range).chain(hides))
            }
            SlotKind::Fixed(e) => Sexp::form("fixed", [self.expr(e)]),
            SlotKind::Rest(rest) => self.rest(rest),
            SlotKind::Coproduct(parts) => self.coproduct(parts),
        }
    }

    /// A joined axis, in a slot or an item.
    pub(super) fn coproduct(&mut self, parts: &[Part]) -> Sexp {
        let parts: Vec<Sexp> = parts.iter().map(|p| self.part(p)).collect();
        Sexp::form("coproduct", parts)
    }

    fn part(&mut self, part: &Part) -> Sexp {
        match &part.kind {
            PartKind::Error => Sexp::word("error"),
            PartKind::Index { name, range: None } => self.ident(name),
            PartKind::Index { name, range: Some(range) } => {
                Sexp::form("in", [self.ident(name), self.expr(range)])
            }
            PartKind::Size(n) => Sexp::form("size", [Sexp::word(n.to_string())]),
            PartKind::Discard => Sexp::word("_"),
        }
    }

    fn function(&mut self, def: &FnDef) -> Sexp {
        let name = self.ident(&def.name);
        let params = self.params(&def.params);
        let ret = section("returns", def.ret.as_ref().map(|t| self.ty(t)));
        let body = self.block(&def.body);
        Sexp::form("fn", [name, params].into_iter().chain(ret).chain([body]))
    }

    fn rule(&mut self, rule: &DiffRule) -> Sexp {
        let function = section("function", rule.function.map(|f| self.var(f)));
        let params = self.params(&rule.params);
        let body = self.block(&rule.body);
        Sexp::form("rule", [label(&rule.name)].into_iter().chain(function).chain([params, body]))
    }

    pub(super) fn params(&mut self, params: &[Param]) -> Sexp {
        let params: Vec<Sexp> = params.iter().map(|p| self.param(p)).collect();
        Sexp::form("params", params)
    }

    fn param(&mut self, p: &Param) -> Sexp {
        let name = self.ident(&p.name);
        if p.ty.is_none() && p.default.is_none() {
            return name;
        }
        let ty = section("type", p.ty.as_ref().map(|t| self.ty(t)));
        let default = section("default", p.default.as_ref().map(|e| self.expr(e)));
        Sexp::form("param", [name].into_iter().chain(ty).chain(default))
    }

    fn input(&mut self, input: &Input) -> Sexp {
        let (name, ty) = (self.ident(&input.name), self.ty(&input.ty));
        let default = section("default", input.default.as_ref().map(|e| self.expr(e)));
        Sexp::form("input", [name, ty].into_iter().chain(default))
    }
}
