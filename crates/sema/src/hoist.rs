//! What is known from the start: the items of modules, and of a block its functions, rules
//! and, at the top level, constants.

use crate::checker::ConstState;
use crate::checker::Constant;
use crate::checker::Function;
use crate::handles::Callables;
use crate::scope::ConstId;
use crate::scope::{Binding, FnId};
use std::rc::Rc;
use weft_hir as hir;

impl Callables<'_, '_> {
    /// Makes the items of modules known to every body.
    pub fn declare_items(&mut self, items: &[hir::Stmt]) {
        for stmt in items {
            match &stmt.kind {
                hir::StmtKind::Fn(def) => {
                    let id = self.new_function(def, 0);
                    self.checker.items.insert(def.name.var, Binding::Function(id));
                }
                hir::StmtKind::Const(c) => self.declare_item_constant(c),
                _ => {}
            }
        }
        self.hoist_rules(items);
    }

    /// Binds what a block's statements define wherever they stand; `top` is the program.
    pub fn hoist(&mut self, stmts: &[hir::Stmt], top: bool) {
        let home = self.checker.bodies.len() - 1;
        for stmt in stmts {
            match &stmt.kind {
                hir::StmtKind::Fn(def) => {
                    let id = self.new_function(def, home);
                    self.checker.cx().bind(def.name.var, Binding::Function(id));
                }
                hir::StmtKind::Const(c) if top => self.declare_item_constant(c),
                _ => {}
            }
        }
        self.hoist_rules(stmts);
    }

    fn hoist_rules(&mut self, stmts: &[hir::Stmt]) {
        for stmt in stmts {
            if let hir::StmtKind::DiffRule(rule) = &stmt.kind {
                self.checker.calls().hoist_rule(rule);
            }
        }
    }

    fn new_function(&mut self, def: &Rc<hir::FnDef>, home: usize) -> FnId {
        let def = def.clone();
        self.checker.functions.push(Function { def, home, rule: None, closure: None })
    }

    fn declare_item_constant(&mut self, c: &Rc<hir::Const>) {
        let id = self.declare_constant(c);
        self.checker.items.insert(c.name.var, Binding::Const(id));
    }

    /// A constant, to be evaluated where it is first needed.
    pub fn declare_constant(&mut self, def: &Rc<hir::Const>) -> ConstId {
        self.checker.constants.push(Constant { def: def.clone(), state: ConstState::New })
    }
}
