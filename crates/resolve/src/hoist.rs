//! What a block knows from its start: functions, types, modules, imports.

use crate::modules::{Item, ROOT, defined_twice};
use crate::resolver::Resolver;
use crate::scope::{Binding, ImportId};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// All statements among these: they stand behind their functions.
    pub placed: FxHashSet<usize>,
    /// Where each name is defined.
    defined: FxHashMap<Name, Span>,
    imports: Vec<ImportId>,
}

impl Resolver<'_> {
    /// Binds what a block's statements define wherever they stand; `top` is the program.
    pub fn hoist(&mut self, stmts: &[ast::Stmt], top: bool) -> Hoisted {
        let mut hoist = Hoist { r: self, top, known: Hoisted::default() };
        let types = hoist.types(stmts);
        for (at, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                ast::StmtKind::Fn(def) => hoist.function(def, at),
                ast::StmtKind::Use(u) => hoist.imports(u),
                ast::StmtKind::Const(c) if top => hoist.constant(c, at),
                _ => {}
            }
        }
        hoist.rules(stmts);
        // Modules see everything at the root, so they come after it.
        for stmt in stmts {
            if let ast::StmtKind::Mod(m) = &stmt.kind {
                hoist.module(m, stmt.span);
            }
        }
        let known = hoist.known;
        if !known.imports.is_empty() {
            self.m.settle_imports(&known.imports, &known.defined);
        }
        for (at, var) in types {
            self.type_def(&stmts[at], var);
        }
        self.m.visit_modules();
        known
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

/// What is done when a block is entered.
struct Hoist<'r, 'a> {
    r: &'r mut Resolver<'a>,
    /// Whether the block is the program.
    top: bool,
    known: Hoisted,
}

impl Hoist<'_, '_> {
    /// Types may be used before they are defined, and name each other.
    fn types(&mut self, stmts: &[ast::Stmt]) -> Vec<(usize, VarId)> {
        let mut found: FxHashMap<&Name, Span> = FxHashMap::default();
        let mut out = Vec::new();
        for (at, stmt) in stmts.iter().enumerate() {
            let Some((ident, public)) = type_name(stmt) else { continue };
            if let Some(first) = found.get(&ident.name) {
                self.r.report(type_defined_twice(ident, *first));
                continue;
            }
            let Some(id) = self.r.m.declare_type(stmt, self.top) else { continue };
            found.insert(&ident.name, ident.span);
            out.push((at, self.r.m.types[id].var));
            self.r.m.scopes.bind(&ident.name, Binding::Type(id));
            if self.top {
                let item = Item { binding: Binding::Type(id), public, span: ident.span };
                self.r.m.all[ROOT].add(&ident.name, item);
            }
        }
        out
    }

    fn function(&mut self, def: &ast::FnDef, at: usize) {
        let name = &def.name;
        if let Some(first) = self.known.defined.get(&name.name) {
            let d = Diagnostic::error(
                Code::E0428,
                format!("the function `{}` is defined twice", name.name),
            )
            .primary(name.span, "defined again here")
            .secondary(*first, "first defined here")
            .help("a function is known in its whole block: give one of them another name");
            self.r.report(d);
            return self.r.m.scopes.bind(&name.name, Binding::Poisoned);
        }
        self.known.defined.insert(name.name.clone(), name.span);
        let var = self.r.m.vars.ident(name, self.top).var;
        self.known.vars.insert(at, var);
        self.r.m.scopes.bind(&name.name, Binding::Function(var));
        if self.top {
            let binding = Binding::Function(var);
            let item = Item { binding, public: def.public, span: name.span };
            self.r.m.all[ROOT].add(&name.name, item);
        }
    }

    fn constant(&mut self, c: &ast::Const, at: usize) {
        let var = self.r.m.vars.ident(&c.name, true).var;
        let item = Item { binding: Binding::Const(var), public: c.public, span: c.name.span };
        self.r.m.all[ROOT].add(&c.name.name, item);
        self.known.vars.insert(at, var);
    }

    /// Rules belong to functions of their block.
    fn rules(&mut self, stmts: &[ast::Stmt]) {
        for (at, stmt) in stmts.iter().enumerate() {
            let ast::StmtKind::DiffRule(rule) = &stmt.kind else { continue };
            if !self.known.defined.contains_key(&rule.name.name) {
                continue;
            }
            if let Some(Binding::Function(f)) = self.r.m.lookup(rule.name.as_str()) {
                self.known.rules.entry(f).or_default().push(at);
                self.known.placed.insert(at);
            }
        }
    }

    fn imports(&mut self, u: &ast::Use) {
        let module = self.r.m.scopes.module;
        for id in self.r.m.imports_of(u, module, !self.top) {
            self.known.imports.push(id);
            if self.top {
                self.r.m.list_import(ROOT, id);
            }
            let import = &self.r.m.imports[id];
            if import.glob {
                self.r.m.scopes.last().bind_glob(id);
            } else {
                let name = import.name.name.clone();
                self.r.m.scopes.bind(&name, Binding::Import(id));
            }
        }
    }

    fn module(&mut self, m: &ast::Mod, span: Span) {
        if m.body.is_none() && !self.top {
            let d = Diagnostic::error(Code::E0432, "a module's file is named inside a block")
                .primary(span, "not at the top of a file")
                .help("move the `mod` to the top, or write a `use`");
            return self.r.report(d);
        }
        let parent = self.r.m.scopes.module;
        let first = self.r.m.all[parent].items.get(&m.name.name).and_then(|all| {
            all.iter().find(|i| matches!(i.binding, Binding::Module(_))).map(|i| i.span)
        });
        if let Some(first) = first.filter(|_| self.top) {
            return self.r.report(defined_twice(&m.name, first));
        }
        let Some(id) = self.r.m.declare_mod(parent, m) else { return };
        self.r.m.scopes.bind(&m.name.name, Binding::Module(id));
        if self.top {
            let item = Item { binding: Binding::Module(id), public: m.public, span: m.name.span };
            self.r.m.all[ROOT].add(&m.name.name, item);
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
