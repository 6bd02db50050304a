//! Statements and definitions.

use super::Verifier;
use super::scopes::Binder;
use crate::{
    Block, Clause, Const, Definition, DiffRule, FnDef, Ident, Input, Let, LetPattern,
    LetPatternKind, Param, Part, PartKind, Rest, Slot, SlotKind, Stmt, StmtKind, VarId,
};

impl Verifier<'_> {
    /// Binds what statements define wherever they stand; constants where these are global.
    pub(super) fn hoist(&mut self, stmts: &[Stmt], global: bool) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Fn(def) => self.scopes.bind(def.name.var, Binder::Function),
                StmtKind::Const(c) if global => self.scopes.bind(c.name.var, Binder::Const),
                _ => {}
            }
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.scoped(|v| {
            v.hoist(&block.stmts, false);
            block.stmts.iter().for_each(|s| v.stmt(s));
            block.tail.iter().for_each(|e| v.expr(e));
        });
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(l) => self.let_stmt(l),
            StmtKind::Const(c) => {
                self.constant(c);
                if !self.scopes.is_top() {
                    self.scopes.bind(c.name.var, Binder::Const);
                }
            }
            StmtKind::Definitions(all) => self.definitions(all),
            StmtKind::Fn(def) => self.function(def),
            StmtKind::DiffRule(rule) => self.rule(rule),
            StmtKind::Input(input) => self.input(input),
            StmtKind::Expr(e) => self.expr(e),
        }
    }

    /// An item of a module, whose name is bound.
    pub(super) fn module_item(&mut self, item: &Stmt) {
        self.scoped(|v| match &item.kind {
            StmtKind::Fn(def) => v.function(def),
            StmtKind::Const(c) => v.constant(c),
            StmtKind::DiffRule(rule) => v.rule(rule),
            StmtKind::Let(_)
            | StmtKind::Definitions(_)
            | StmtKind::Input(_)
            | StmtKind::Expr(_) => {
                v.scopes.wrong("a module holds a statement that would have to run".to_string());
            }
        });
    }

    fn let_stmt(&mut self, l: &Let) {
        self.expr(&l.value);
        l.ty.iter().for_each(|t| self.ty(t));
        l.replaced.iter().for_each(|e| self.expr(e));
        self.let_pattern(&l.pattern);
    }

    fn let_pattern(&mut self, pattern: &LetPattern) {
        match &pattern.kind {
            LetPatternKind::Error | LetPatternKind::Discard => {}
            LetPatternKind::Name(name) => self.scopes.bind(name.var, Binder::Value),
            LetPatternKind::Tuple(members) => {
                for member in members {
                    member.ty.iter().for_each(|t| self.ty(t));
                    self.let_pattern(&member.pattern);
                }
            }
        }
    }

    fn constant(&mut self, c: &Const) {
        self.expr(&c.value);
        c.ty.iter().for_each(|t| self.ty(t));
    }

    fn input(&mut self, input: &Input) {
        if !self.scopes.is_top() {
            self.wrong(input.name.var, "is an input inside a block");
        }
        self.ty(&input.ty);
        input.default.iter().for_each(|e| self.expr(e));
        self.scopes.bind(input.name.var, Binder::Value);
    }

    /// Those that are made together know each other.
    fn definitions(&mut self, all: &[Definition]) {
        all.iter().for_each(|d| self.scopes.bind(d.name.var, Binder::Value));
        for d in all {
            if d.clauses.is_empty() {
                self.wrong(d.name.var, "is a definition without clauses");
            }
            for clause in &d.clauses {
                if clause.name.var != d.name.var {
                    let other = self.scopes.show(clause.name.var);
                    self.wrong(d.name.var, &format!("has a clause of {other}"));
                }
                self.clause(clause);
            }
        }
    }

    fn clause(&mut self, c: &Clause) {
        self.scoped(|v| {
            let mut known = Vec::new();
            c.slots.iter().for_each(|s| v.slot(s, &mut known));
            v.where_items(&c.where_items);
            c.alternatives.iter().chain(&c.otherwise).for_each(|e| v.expr(e));
            c.ty.iter().for_each(|t| v.ty(t));
        });
    }

    /// A slot; `known` are the indices of those before.
    fn slot(&mut self, slot: &Slot, known: &mut Vec<VarId>) {
        match &slot.kind {
            SlotKind::Index { name, range, hides } => {
                range.iter().for_each(|e| self.expr(e));
                hides.iter().for_each(|var| self.scopes.used(*var));
                self.bind_slot(name, known);
            }
            SlotKind::Fixed(e) => self.expr(e),
            SlotKind::Rest(rest) => self.new_rest(rest),
            SlotKind::Coproduct(parts) => parts.iter().for_each(|p| self.component(p, known)),
        }
    }

    /// An index; slots of one clause may share it.
    fn bind_slot(&mut self, name: &Ident, known: &mut Vec<VarId>) {
        if !known.contains(&name.var) {
            known.push(name.var);
            self.scopes.bind(name.var, Binder::Value);
        }
    }

    /// A part of a joined axis in a slot.
    fn component(&mut self, part: &Part, known: &mut Vec<VarId>) {
        let PartKind::Index { name, range } = &part.kind else { return };
        range.iter().for_each(|e| self.expr(e));
        self.bind_slot(name, known);
        if !self.scopes.is_bound(name.var) || std::mem::replace(&mut self.joined[name.var], true) {
            return;
        }
        match self.scopes.component(name.var) {
            Some((size, idle)) => {
                self.scopes.bind(size, Binder::Component);
                self.scopes.bind(idle, Binder::Component);
            }
            None => self.wrong(name.var, "is an index of a joined axis, and has no component"),
        }
    }

    /// A run of axes that a slot or a head binds.
    pub(super) fn new_rest(&mut self, rest: &Rest) {
        match rest.var {
            Some(var) => self.scopes.bind(var, Binder::Rest),
            None => {
                self.scopes.wrong(format!("the rest `{}` is bound to no variable", rest.name()));
            }
        }
        rest.rank.iter().for_each(|e| self.expr(e));
    }

    fn function(&mut self, def: &FnDef) {
        self.scopes.open();
        self.params(&def.params);
        self.block(&def.body);
        def.ret.iter().for_each(|t| self.ty(t));
        let signature = self.scopes.close();
        if self.scopes.is_bound(def.name.var) {
            self.signatures[def.name.var] = signature;
        }
    }

    /// Parameters: a default sees those before it, the types see all of them.
    pub(super) fn params(&mut self, params: &[Param]) {
        for p in params {
            p.default.iter().for_each(|e| self.expr(e));
            self.scopes.bind(p.name.var, Binder::Value);
        }
        params.iter().filter_map(|p| p.ty.as_ref()).for_each(|t| self.ty(t));
    }

    /// A rule stands behind its function, and sees what the signature of that binds.
    fn rule(&mut self, rule: &DiffRule) {
        self.scoped(|v| {
            if let Some(function) = rule.function {
                v.scopes.used_as(function, &[Binder::Function], "a function");
                let signature = v.signatures[function].clone();
                signature.into_iter().for_each(|var| v.scopes.enter(var));
            }
            v.params(&rule.params);
            v.block(&rule.body);
        });
    }
}
