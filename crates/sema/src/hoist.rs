//! What a block knows from its start: functions, modules, imports.

use crate::checker::{Checker, Function};
use crate::modules::{Item, ROOT, defined_twice};
use crate::scope::{Binding, ImportId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast;

impl Checker<'_> {
    /// Binds what a block's statements define wherever they stand; `top` is the program.
    pub fn hoist(&mut self, stmts: &[ast::Stmt], top: bool) {
        self.hoist_types(stmts, top);
        let mut defined: FxHashMap<Name, Span> = FxHashMap::default();
        let mut imports: Vec<ImportId> = Vec::new();
        for stmt in stmts {
            match &stmt.kind {
                ast::StmtKind::Fn(def) => self.hoist_function(def, top, &mut defined),
                ast::StmtKind::Use(u) => self.hoist_use(u, top, &mut imports),
                ast::StmtKind::Const(c) if top => self.hoist_constant(c),
                _ => {}
            }
        }
        for stmt in stmts {
            if let ast::StmtKind::DiffRule(rule) = &stmt.kind {
                let f = match self.lookup(rule.name.as_str()) {
                    Some(Binding::Function(f)) => Some(f),
                    _ => None,
                };
                self.hoist_rule(rule, f.filter(|_| defined.contains_key(&rule.name.name)));
            }
        }
        // Modules see everything at the root, so they come after it.
        for stmt in stmts {
            if let ast::StmtKind::Mod(m) = &stmt.kind {
                self.hoist_module(m, top, stmt.span);
            }
        }
        if !imports.is_empty() {
            self.settle_imports(&imports, &defined);
        }
        if !self.undescribed.is_empty() {
            self.describe_types();
        }
        if self.is_host() {
            self.visit_modules();
        }
    }

    fn hoist_function(&mut self, def: &ast::FnDef, top: bool, defined: &mut FxHashMap<Name, Span>) {
        let name = &def.name;
        if let Some(first) = defined.get(&name.name) {
            let d = Diagnostic::error(
                Code::E0428,
                format!("the function `{}` is defined twice", name.name),
            )
            .primary(name.span, "defined again here")
            .secondary(*first, "first defined here")
            .help("a function is known in its whole block: give one of them another name");
            self.report(d);
            return self.bind(&name.name, Binding::Poisoned);
        }
        defined.insert(name.name.clone(), name.span);
        let home = self.bodies.len() - 1;
        let depth = self.cx().scopes.len();
        let def = Rc::new(def.clone());
        let public = def.public;
        let id = self.functions.push(Function {
            def,
            home,
            depth,
            order: u32::MAX,
            module: None,
            rule: None,
            closure: None,
        });
        self.bind(&name.name, Binding::Function(id));
        if top {
            let item = Item { binding: Binding::Function(id), public, span: name.span };
            self.modules.all[ROOT].add(&name.name, item);
        }
    }

    fn hoist_constant(&mut self, c: &ast::Const) {
        let id = self.declare_constant(ROOT, c, false);
        self.declared_consts.insert(c.name.span, id);
        let item = Item { binding: Binding::Const(id), public: c.public, span: c.name.span };
        self.modules.all[ROOT].add(&c.name.name, item);
    }

    fn hoist_use(&mut self, u: &ast::Use, top: bool, imports: &mut Vec<ImportId>) {
        let module = self.current_module();
        for id in self.imports_of(u, module, !top) {
            imports.push(id);
            if top {
                self.list_import(ROOT, id);
            }
            let import = &self.modules.imports[id];
            if import.glob {
                let scope = self.cx().scopes.last_mut().expect("a scope is open");
                scope.bind_glob(id);
            } else {
                let name = import.name.name.clone();
                self.bind(&name, Binding::Import(id));
            }
        }
    }

    fn hoist_module(&mut self, m: &ast::Mod, top: bool, span: Span) {
        if m.body.is_none() && !top {
            let d = Diagnostic::error(Code::E0432, "a module's file is named inside a block")
                .primary(span, "not at the top of a file")
                .help("move the `mod` to the top, or write a `use`");
            return self.report(d);
        }
        let parent = self.current_module();
        let first = self.modules.all[parent].items.get(&m.name.name).and_then(|all| {
            all.iter().find(|i| matches!(i.binding, Binding::Module(_))).map(|i| i.span)
        });
        if let Some(first) = first.filter(|_| top) {
            return self.report(defined_twice(&m.name, first));
        }
        let Some(id) = self.declare_mod(parent, m) else { return };
        self.bind(&m.name.name, Binding::Module(id));
        if top {
            let item = Item { binding: Binding::Module(id), public: m.public, span: m.name.span };
            self.modules.all[ROOT].add(&m.name.name, item);
        }
    }

    /// From its statement on, an import hides what was bound before it.
    pub fn place_use(&mut self, u: &ast::Use) {
        let names: Vec<Name> = match &u.kind {
            ast::UseKind::Plain { alias } => {
                vec![alias.as_ref().unwrap_or(u.path.last()).name.clone()]
            }
            ast::UseKind::List(list) => list
                .iter()
                .map(|item| item.alias.as_ref().unwrap_or(&item.name).name.clone())
                .collect(),
            ast::UseKind::Glob { .. } => Vec::new(),
        };
        for name in names {
            let scope = self.cx().scopes.last().expect("a scope is open");
            let import =
                scope.all(name.as_str(), u32::MAX).find(|b| matches!(b, Binding::Import(_)));
            if let Some(import) = import.cloned() {
                self.bind(&name, import);
            }
        }
    }
}
