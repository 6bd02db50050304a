//! Declaring modules: reading their texts and listing what they hold.

use super::{Found, Import, ImportState, Item, Module, Modules, Pending, PendingKind, STD};
use crate::library_sources;
use crate::scope::{Binding, ImportId, ModuleId};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::VarId;
use weft_syntax::ast;

/// What comes of looking for a module's file.
pub(crate) enum Child {
    Loaded(ModuleId),
    /// The places where it could be.
    Missing(Vec<String>),
    /// It is the program's own file.
    Entry,
    Failed(String),
}

impl Modules<'_> {
    /// The module in the file `name` below another, read at the first time.
    pub fn child_file(&mut self, parent: ModuleId, name: &Name) -> Child {
        let Some(mut path) = self.all[parent].folder.clone() else {
            return Child::Missing(Vec::new());
        };
        // `a/mod.ein` is the text of `a`, and no module below it.
        if name.as_str() == "mod" {
            return Child::Missing(Vec::new());
        }
        if let Some(Some(known)) = self.all[parent].files.get(name) {
            return Child::Loaded(*known);
        }
        path.push(name.clone());
        match self.read_module(&path, parent) {
            Found::Text { name: shown, text } => {
                let file = self.source.add(shown, text.as_str());
                let id = self.new_module(parent, name, Some(path));
                self.all[id].file = Some(file);
                self.all[parent].files.insert(name.clone(), Some(id));
                let parsed = weft_syntax::parse(file, &text);
                let (program, found) = parsed.into_parts();
                self.diagnostics.extend(found);
                self.unread.extend(program.unread);
                self.declare_all(id, &program.stmts);
                if let Some(tail) = &program.tail {
                    self.not_in_a_module(tail.span, "an expression");
                }
                if self.package(parent) == STD {
                    self.library.push(file);
                }
                self.unvisited.push_back(id);
                Child::Loaded(id)
            }
            Found::Folder => {
                let id = self.new_module(parent, name, Some(path));
                self.all[parent].files.insert(name.clone(), Some(id));
                Child::Loaded(id)
            }
            Found::Foreign => {
                let id = self.new_module(parent, name, Some(path));
                self.all[id].foreign = true;
                self.all[parent].files.insert(name.clone(), Some(id));
                Child::Loaded(id)
            }
            Found::Missing(places) => Child::Missing(places),
            Found::Entry => Child::Entry,
            Found::Failed(why) => Child::Failed(why),
        }
    }

    fn read_module(&self, path: &[Name], parent: ModuleId) -> Found {
        let path: Vec<&str> = path.iter().map(Name::as_str).collect();
        match self.reader.read(&path) {
            Found::Missing(_) if self.package(parent) == STD => library_sources::find(&path),
            found => found,
        }
    }

    fn new_module(&mut self, parent: ModuleId, name: &Name, folder: Option<Vec<Name>>) -> ModuleId {
        let shown = match self.all[parent].shown.as_str() {
            "crate" => name.to_string(),
            above => format!("{above}::{name}"),
        };
        self.all.push(Module::new(&shown, Some(parent), folder))
    }

    /// Lists what a module's statements define.
    fn declare_all(&mut self, module: ModuleId, stmts: &[ast::Stmt]) {
        for stmt in stmts {
            self.declare_stmt(module, stmt);
        }
    }

    fn declare_stmt(&mut self, module: ModuleId, stmt: &ast::Stmt) {
        match &stmt.kind {
            ast::StmtKind::Error => {}
            ast::StmtKind::Fn(def) => {
                let var = self.vars.ident(&def.name, true).var;
                if self.add_item(module, &def.name, Binding::Function(var), def.public) {
                    self.later(module, var, stmt.span, PendingKind::Fn(Box::new(def.clone())));
                }
            }
            ast::StmtKind::Const(def) => self.declare_constant(module, def, stmt.span, false),
            ast::StmtKind::Let(l) => self.declare_let(module, l, stmt.span),
            ast::StmtKind::Use(u) => self.declare_use(module, u),
            ast::StmtKind::Mod(m) => {
                if let Some(id) = self.declare_mod(module, m) {
                    self.add_item(module, &m.name, Binding::Module(id), m.public);
                }
            }
            ast::StmtKind::Indexed(_) => self.not_in_a_module(stmt.span, "a definition by clauses"),
            ast::StmtKind::Input(_) => self.not_in_a_module(stmt.span, "an input"),
            ast::StmtKind::Expr(_) => self.not_in_a_module(stmt.span, "an expression"),
            ast::StmtKind::DiffRule(rule) => self.declare_rule(module, rule, stmt.span),
            ast::StmtKind::Struct(ast::StructDef { name, public, .. })
            | ast::StmtKind::Enum(ast::EnumDef { name, public, .. }) => {
                let Some(id) = self.declare_type(stmt, true) else { return };
                if self.add_item(module, name, Binding::Type(id), *public) {
                    let var = self.types[id].var;
                    self.later(module, var, stmt.span, PendingKind::Type(Box::new(stmt.clone())));
                }
            }
        }
    }

    /// Notes an item whose names are resolved behind the program.
    fn later(&mut self, module: ModuleId, var: VarId, span: Span, kind: PendingKind) {
        self.pending.push_back(Pending { module, var, span, kind });
    }

    /// A rule of a function that the module holds so far.
    fn declare_rule(&mut self, module: ModuleId, rule: &ast::DiffRule, span: Span) {
        let items = self.all[module].items.get(&rule.name.name);
        match items.and_then(|all| all.first()).map(|i| &i.binding) {
            Some(Binding::Function(f)) => {
                self.rules.entry(*f).or_default().push((rule.clone(), span));
            }
            _ => {
                let var = self.vars.ident(&rule.name, true).var;
                self.later(module, var, span, PendingKind::Rule(Box::new(rule.clone())));
            }
        }
    }

    /// What would have to run when the module is imported.
    fn not_in_a_module(&mut self, span: Span, what: &str) {
        let d = Diagnostic::error(Code::E0436, format!("{what} in a module"))
            .primary(span, "importing a module runs nothing")
            .note("a module holds functions, types, constants, `let`s of values known before the program runs, and modules")
            .help("put it into a function");
        self.diagnostics.push(d);
    }

    fn declare_let(&mut self, module: ModuleId, l: &ast::Let, span: Span) {
        match &l.pattern.kind {
            ast::LetPatternKind::Name(name) => {
                let def = ast::Const {
                    public: l.public,
                    name: name.clone(),
                    ty: l.ty.clone(),
                    value: l.value.clone(),
                };
                self.declare_constant(module, &def, span, true);
            }
            ast::LetPatternKind::Error => {}
            ast::LetPatternKind::Discard | ast::LetPatternKind::Tuple(_) => {
                let d = Diagnostic::error(Code::E0436, "a pattern in a module's `let`")
                    .primary(l.pattern.span, "a module's `let` binds one name")
                    .help("bind the value to a name");
                self.diagnostics.push(d);
            }
        }
    }

    /// A module that a `mod` statement names: declared now.
    pub fn declare_mod(&mut self, parent: ModuleId, m: &ast::Mod) -> Option<ModuleId> {
        if let Some(stmts) = &m.body {
            let id = self.new_module(parent, &m.name.name, None);
            self.all[id].file = Some(m.name.span.file);
            self.declare_all(id, stmts);
            self.unvisited.push_back(id);
            return Some(id);
        }
        match self.child_file(parent, &m.name.name) {
            Child::Loaded(id) => Some(id),
            other => {
                let d = self.no_such_module(&m.name, m.name.as_str(), other);
                self.diagnostics.push(d);
                None
            }
        }
    }

    /// A constant of a module.
    fn declare_constant(&mut self, module: ModuleId, def: &ast::Const, span: Span, closed: bool) {
        let var = self.vars.ident(&def.name, true).var;
        if self.add_item(module, &def.name, Binding::Const(var), def.public) {
            self.later(module, var, span, PendingKind::Const(Box::new(def.clone()), closed));
        }
    }

    /// Lists an item of a module, unless another claims its name: that is an error.
    pub fn add_item(
        &mut self,
        module: ModuleId,
        name: &ast::Ident,
        binding: Binding,
        public: bool,
    ) -> bool {
        let is_module = |b: &Binding| matches!(b, Binding::Module(_));
        let same = |i: &&Item| {
            !matches!(i.binding, Binding::Import(_)) && is_module(&i.binding) == is_module(&binding)
        };
        let items = self.all[module].items.get(&name.name);
        if let Some(first) = items.and_then(|all| all.iter().find(same)) {
            let d = defined_twice(name, first.span);
            self.diagnostics.push(d);
            return false;
        }
        self.all[module].add(&name.name, Item { binding, public, span: name.span });
        true
    }

    fn declare_use(&mut self, module: ModuleId, u: &ast::Use) {
        for import in self.imports_of(u, module, false) {
            self.list_import(module, import);
        }
    }

    /// Lists an import among what a module holds.
    pub fn list_import(&mut self, module: ModuleId, import: ImportId) {
        let Import { name, public, glob, .. } = &self.imports[import];
        if *glob {
            return self.all[module].globs.push(import);
        }
        let (name, public) = (name.clone(), *public);
        let item = Item { binding: Binding::Import(import), public, span: name.span };
        self.all[module].add(&name.name, item);
    }

    /// The imports a `use` makes, one for each name; not looked up yet.
    pub fn imports_of(&mut self, u: &ast::Use, module: ModuleId, block: bool) -> Vec<ImportId> {
        let whole = &u.path.segments;
        let mut made = Vec::new();
        let mut make = |this: &mut Self, path: Vec<ast::Ident>, name: ast::Ident, glob: bool| {
            let (public, state) = (u.public, ImportState::New);
            let import = Import { module, block, path, name, public, glob, state };
            made.push(this.imports.push(import));
        };
        match &u.kind {
            ast::UseKind::Plain { alias } => {
                let name = alias.as_ref().unwrap_or(u.path.last()).clone();
                make(self, whole.clone(), name, false);
            }
            ast::UseKind::Glob { span } => {
                let star = ast::Ident { name: "*".into(), span: *span };
                make(self, whole.clone(), star, true);
            }
            ast::UseKind::List(list) => {
                for item in list {
                    let mut path = whole.clone();
                    path.push(item.name.clone());
                    let name = item.alias.as_ref().unwrap_or(&item.name).clone();
                    make(self, path, name, false);
                }
            }
        }
        made
    }
}

/// Two definitions that claim one name.
pub(crate) fn defined_twice(name: &ast::Ident, first: Span) -> Diagnostic {
    Diagnostic::error(Code::E0428, format!("`{}` is defined twice", name.name))
        .primary(name.span, "defined again here")
        .secondary(first, "first defined here")
        .help("give one of them another name")
}
