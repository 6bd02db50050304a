//! Declaring modules: reading their texts and listing what they hold.

use super::{Found, Import, ImportState, Item, Module, STD};
use crate::checker::{Checker, ConstState, Constant, Function};
use crate::library_sources;
use crate::scope::{Binding, ConstId, FnId, ImportId, ModuleId};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
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

impl Checker<'_> {
    /// The module in the file `name` below another, read at the first time.
    pub fn child_file(&mut self, parent: ModuleId, name: &Name) -> Child {
        let Some(mut path) = self.modules.all[parent].folder.clone() else {
            return Child::Missing(Vec::new());
        };
        // `a/mod.ein` is the text of `a`, and no module below it.
        if name.as_str() == "mod" {
            return Child::Missing(Vec::new());
        }
        if let Some(Some(known)) = self.modules.all[parent].files.get(name) {
            return Child::Loaded(*known);
        }
        path.push(name.clone());
        match self.read_module(&path, parent) {
            Found::Text { name: shown, text } => {
                let file = self.source.add(shown, text.as_str());
                let id = self.new_module(parent, name, Some(path));
                self.modules.all[id].file = Some(file);
                self.modules.all[parent].files.insert(name.clone(), Some(id));
                let parsed = weft_syntax::parse(file, &text);
                let (program, found) = parsed.into_parts();
                self.of_modules.extend(found);
                self.unread.extend(program.unread);
                if self.modules.package(parent) != STD {
                    self.of_modules.extend(crate::lint::tree::lint(&program.stmts, None));
                }
                self.declare_all(id, &program.stmts);
                if let Some(tail) = &program.tail {
                    self.not_in_a_module(tail.span, "an expression");
                }
                self.modules.unvisited.push_back(id);
                Child::Loaded(id)
            }
            Found::Folder => {
                let id = self.new_module(parent, name, Some(path));
                self.modules.all[parent].files.insert(name.clone(), Some(id));
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
            Found::Missing(_) if self.modules.package(parent) == STD => {
                library_sources::find(&path)
            }
            found => found,
        }
    }

    fn new_module(&mut self, parent: ModuleId, name: &Name, folder: Option<Vec<Name>>) -> ModuleId {
        let shown = match self.modules.all[parent].shown.as_str() {
            "crate" => name.to_string(),
            above => format!("{above}::{name}"),
        };
        self.modules.all.push(Module::new(&shown, Some(parent), folder))
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
                let id = self.module_function(module, def);
                self.add_item(module, &def.name, Binding::Function(id), def.public);
            }
            ast::StmtKind::Const(def) => {
                let id = self.declare_constant(module, def, false);
                self.add_item(module, &def.name, Binding::Const(id), def.public);
            }
            ast::StmtKind::Let(l) => self.declare_let(module, l),
            ast::StmtKind::Use(u) => self.declare_use(module, u),
            ast::StmtKind::Mod(m) => {
                if let Some(id) = self.declare_mod(module, m) {
                    self.add_item(module, &m.name, Binding::Module(id), m.public);
                }
            }
            ast::StmtKind::Indexed(_) => self.not_in_a_module(stmt.span, "a definition by clauses"),
            ast::StmtKind::Input(_) => self.not_in_a_module(stmt.span, "an input"),
            ast::StmtKind::Expr(_) => self.not_in_a_module(stmt.span, "an expression"),
            ast::StmtKind::DiffRule(rule) => {
                let items = self.modules.all[module].items.get(&rule.name.name);
                let f = match items.and_then(|all| all.first()).map(|i| &i.binding) {
                    Some(Binding::Function(f)) => Some(*f),
                    _ => None,
                };
                self.hoist_rule(rule, f);
            }
            ast::StmtKind::Struct(ast::StructDef { name, public, .. })
            | ast::StmtKind::Enum(ast::EnumDef { name, public, .. }) => {
                let id = self.declare_type(stmt, Some(module));
                self.add_item(module, name, Binding::Type(id), *public);
            }
        }
    }

    /// What would have to run when the module is imported.
    fn not_in_a_module(&mut self, span: Span, what: &str) {
        let d = Diagnostic::error(Code::E0436, format!("{what} in a module"))
            .primary(span, "importing a module runs nothing")
            .note("a module holds functions, types, constants, `let`s of values known before the program runs, and modules")
            .help("put it into a function");
        self.of_modules.push(d);
    }

    fn declare_let(&mut self, module: ModuleId, l: &ast::Let) {
        match &l.pattern.kind {
            ast::LetPatternKind::Name(name) => {
                let def = ast::Const {
                    public: l.public,
                    name: name.clone(),
                    ty: l.ty.clone(),
                    value: l.value.clone(),
                };
                let id = self.declare_constant(module, &def, true);
                self.add_item(module, name, Binding::Const(id), l.public);
            }
            ast::LetPatternKind::Error => {}
            ast::LetPatternKind::Discard | ast::LetPatternKind::Tuple(_) => {
                let d = Diagnostic::error(Code::E0436, "a pattern in a module's `let`")
                    .primary(l.pattern.span, "a module's `let` binds one name")
                    .help("bind the value to a name");
                self.of_modules.push(d);
            }
        }
    }

    /// A module that a `mod` statement names: declared now.
    pub fn declare_mod(&mut self, parent: ModuleId, m: &ast::Mod) -> Option<ModuleId> {
        if let Some(stmts) = &m.body {
            let id = self.new_module(parent, &m.name.name, None);
            self.modules.all[id].file = Some(m.name.span.file);
            self.declare_all(id, stmts);
            self.modules.unvisited.push_back(id);
            return Some(id);
        }
        match self.child_file(parent, &m.name.name) {
            Child::Loaded(id) => Some(id),
            other => {
                let d = self.no_such_module(&m.name, m.name.as_str(), other);
                self.of_modules.push(d);
                None
            }
        }
    }

    /// A function of a module: it sees what the module holds.
    fn module_function(&mut self, module: ModuleId, def: &ast::FnDef) -> FnId {
        self.functions.push(Function {
            def: Rc::new(def.clone()),
            home: 0,
            depth: 0,
            order: 0,
            module: Some(module),
            rule: None,
            closure: None,
        })
    }

    /// A constant, to be evaluated where it is first needed.
    pub fn declare_constant(
        &mut self,
        module: ModuleId,
        def: &ast::Const,
        closed: bool,
    ) -> ConstId {
        let def = Rc::new(def.clone());
        self.constants.push(Constant { def, module, closed, state: ConstState::New })
    }

    /// Lists an item of a module; two that claim one name are an error.
    pub fn add_item(
        &mut self,
        module: ModuleId,
        name: &ast::Ident,
        binding: Binding,
        public: bool,
    ) {
        let is_module = |b: &Binding| matches!(b, Binding::Module(_));
        let same = |i: &&Item| {
            !matches!(i.binding, Binding::Import(_)) && is_module(&i.binding) == is_module(&binding)
        };
        let items = self.modules.all[module].items.get(&name.name);
        if let Some(first) = items.and_then(|all| all.iter().find(same)) {
            let d = defined_twice(name, first.span);
            return self.of_modules.push(d);
        }
        self.modules.all[module].add(&name.name, Item { binding, public, span: name.span });
    }

    fn declare_use(&mut self, module: ModuleId, u: &ast::Use) {
        for import in self.imports_of(u, module, false) {
            self.list_import(module, import);
        }
    }

    /// Lists an import among what a module holds.
    pub fn list_import(&mut self, module: ModuleId, import: ImportId) {
        let Import { name, public, glob, .. } = &self.modules.imports[import];
        if *glob {
            return self.modules.all[module].globs.push(import);
        }
        let (name, public) = (name.clone(), *public);
        let item = Item { binding: Binding::Import(import), public, span: name.span };
        self.modules.all[module].add(&name.name, item);
    }

    /// The imports a `use` makes, one for each name; not looked up yet.
    pub fn imports_of(&mut self, u: &ast::Use, module: ModuleId, block: bool) -> Vec<ImportId> {
        let whole = &u.path.segments;
        let mut made = Vec::new();
        let mut make = |this: &mut Self, path: Vec<ast::Ident>, name: ast::Ident, glob: bool| {
            let (public, state) = (u.public, ImportState::New);
            let import = Import { module, block, path, name, public, glob, state };
            made.push(this.modules.imports.push(import));
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
