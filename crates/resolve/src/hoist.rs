//! What a block knows from its start: functions, types, modules, imports.

use crate::modules::{Item, ROOT, defined_twice};
use crate::resolver::Resolver;
use crate::scope::{Binding, ImportId};
use rustc_hash::FxHashMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::VarId;
use weft_syntax::ast;

/// What the statements of a block define wherever they stand, by the statement.
#[derive(Default)]
pub(crate) struct Hoisted {
    /// Functions and constants.
    pub vars: FxHashMap<usize, VarId>,
    /// The rules of each function.
    pub rules: FxHashMap<VarId, Vec<usize>>,
    /// Where each name is defined.
    defined: FxHashMap<Name, Span>,
    imports: Vec<ImportId>,
}

impl Resolver<'_> {
    /// Binds what a block's statements define wherever they stand; `top` is the program.
    pub fn hoist(&mut self, stmts: &[ast::Stmt], top: bool) -> Hoisted {
        let mut known = Hoisted::default();
        let types = self.hoist_types(stmts, top);
        for (at, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                ast::StmtKind::Fn(def) => self.hoist_function(def, at, top, &mut known),
                ast::StmtKind::Use(u) => self.hoist_use(u, top, &mut known.imports),
                ast::StmtKind::Const(c) if top => {
                    known.vars.insert(at, self.hoist_constant(c));
                }
                _ => {}
            }
        }
        self.hoist_rules(stmts, &mut known);
        // Modules see everything at the root, so they come after it.
        for stmt in stmts {
            if let ast::StmtKind::Mod(m) = &stmt.kind {
                self.hoist_module(m, top, stmt.span);
            }
        }
        if !known.imports.is_empty() {
            self.m.settle_imports(&known.imports, &known.defined);
        }
        for (at, var) in types {
            self.type_def(&stmts[at], var);
        }
        self.m.visit_modules();
        known
    }

    /// Types may be used before they are defined, and name each other.
    fn hoist_types(&mut self, stmts: &[ast::Stmt], top: bool) -> Vec<(usize, VarId)> {
        let mut found: FxHashMap<&Name, Span> = FxHashMap::default();
        let mut out = Vec::new();
        for (at, stmt) in stmts.iter().enumerate() {
            let Some((ident, public)) = type_name(stmt) else { continue };
            if let Some(first) = found.get(&ident.name) {
                self.report(type_defined_twice(ident, *first));
                continue;
            }
            let Some(id) = self.m.declare_type(stmt, top) else { continue };
            found.insert(&ident.name, ident.span);
            out.push((at, self.m.types[id].var));
            self.m.scopes.bind(&ident.name, Binding::Type(id));
            if top {
                let item = Item { binding: Binding::Type(id), public, span: ident.span };
                self.m.all[ROOT].add(&ident.name, item);
            }
        }
        out
    }

    fn hoist_function(&mut self, def: &ast::FnDef, at: usize, top: bool, known: &mut Hoisted) {
        let name = &def.name;
        if let Some(first) = known.defined.get(&name.name) {
            let d = Diagnostic::error(
                Code::E0428,
                format!("the function `{}` is defined twice", name.name),
            )
            .primary(name.span, "defined again here")
            .secondary(*first, "first defined here")
            .help("a function is known in its whole block: give one of them another name");
            self.report(d);
            return self.m.scopes.bind(&name.name, Binding::Poisoned);
        }
        known.defined.insert(name.name.clone(), name.span);
        let var = self.m.vars.ident(name, top).var;
        known.vars.insert(at, var);
        self.m.scopes.bind(&name.name, Binding::Function(var));
        if top {
            let binding = Binding::Function(var);
            let item = Item { binding, public: def.public, span: name.span };
            self.m.all[ROOT].add(&name.name, item);
        }
    }

    fn hoist_constant(&mut self, c: &ast::Const) -> VarId {
        let var = self.m.vars.ident(&c.name, true).var;
        let item = Item { binding: Binding::Const(var), public: c.public, span: c.name.span };
        self.m.all[ROOT].add(&c.name.name, item);
        var
    }

    /// Rules belong to functions of their block.
    fn hoist_rules(&mut self, stmts: &[ast::Stmt], known: &mut Hoisted) {
        for (at, stmt) in stmts.iter().enumerate() {
            let ast::StmtKind::DiffRule(rule) = &stmt.kind else { continue };
            if !known.defined.contains_key(&rule.name.name) {
                continue;
            }
            if let Some(Binding::Function(f)) = self.m.lookup(rule.name.as_str()) {
                known.rules.entry(f).or_default().push(at);
            }
        }
    }

    fn hoist_use(&mut self, u: &ast::Use, top: bool, imports: &mut Vec<ImportId>) {
        let module = self.m.scopes.module;
        for id in self.m.imports_of(u, module, !top) {
            imports.push(id);
            if top {
                self.m.list_import(ROOT, id);
            }
            let import = &self.m.imports[id];
            if import.glob {
                self.m.scopes.last().bind_glob(id);
            } else {
                let name = import.name.name.clone();
                self.m.scopes.bind(&name, Binding::Import(id));
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
        let parent = self.m.scopes.module;
        let first = self.m.all[parent].items.get(&m.name.name).and_then(|all| {
            all.iter().find(|i| matches!(i.binding, Binding::Module(_))).map(|i| i.span)
        });
        if let Some(first) = first.filter(|_| top) {
            return self.report(defined_twice(&m.name, first));
        }
        let Some(id) = self.m.declare_mod(parent, m) else { return };
        self.m.scopes.bind(&m.name.name, Binding::Module(id));
        if top {
            let item = Item { binding: Binding::Module(id), public: m.public, span: m.name.span };
            self.m.all[ROOT].add(&m.name.name, item);
        }
    }

    /// From its statement on, an import hides what was bound before it.
    pub fn place_use(&mut self, u: &ast::Use) {
        let names: Vec<&Name> = match &u.kind {
            ast::UseKind::Plain { alias } => vec![&alias.as_ref().unwrap_or(u.path.last()).name],
            ast::UseKind::List(list) => {
                list.iter().map(|item| &item.alias.as_ref().unwrap_or(&item.name).name).collect()
            }
            ast::UseKind::Glob { .. } => Vec::new(),
        };
        for name in names {
            let scope = self.m.scopes.last();
            let import = scope.all(name.as_str()).find(|b| matches!(b, Binding::Import(_)));
            if let Some(import) = import {
                scope.bind(name, import);
            }
        }
    }
}

fn type_defined_twice(name: &ast::Ident, first: Span) -> Diagnostic {
    Diagnostic::error(Code::E0428, format!("the type `{}` is defined twice", name.name))
        .primary(name.span, "defined again here")
        .secondary(first, "first defined here")
        .help("a type is known in its whole block: give one of them another name")
}

/// The name that a definition of a type gives it, and whether others may see it.
fn type_name(stmt: &ast::Stmt) -> Option<(&ast::Ident, bool)> {
    match &stmt.kind {
        ast::StmtKind::Struct(s) => Some((&s.name, s.public)),
        ast::StmtKind::Enum(e) => Some((&e.name, e.public)),
        _ => None,
    }
}
