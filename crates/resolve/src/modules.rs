//! Modules: the tree of them, what each holds, who may see it, and where texts come from.
//!
//! A module is declared (its text is parsed and its names are listed) when a path first
//! enters it; what it holds is resolved behind the program. Nothing here evaluates.

mod import;
mod load;
mod resolve;
mod visit;

pub(crate) use load::{Child, defined_twice};

use crate::scope::{Binding, ImportId, ModuleId, Scopes, TypeId};
pub(crate) use crate::scope::{INTRINSICS, ROOT, STD};
use crate::vars::Vars;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use weft_base::entity::PrimaryMap;
use weft_base::{FileId, Name, SourceMap, Span};
use weft_diag::Diagnostics;
use weft_hir::VarId;
use weft_syntax::ast::{self, Ident};

/// Where the texts of modules come from: a disk, an editor's buffers, a test.
pub trait ModuleReader {
    /// The module at a path from the program's root (`["a", "b"]`), or of the library
    /// (`["std", "math"]`) where that is not the bundled one.
    fn read(&self, path: &[&str]) -> Found;
}

/// What a reader finds at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A text, and its name in messages.
    Text {
        /// The name in messages.
        name: String,
        /// The source.
        text: String,
    },
    /// No text of its own, but modules below it.
    Folder,
    /// Nothing; the places where it could be.
    Missing(Vec<String>),
    /// The file that the program itself is.
    Entry,
    /// No text: whoever runs the program has functions of any name there.
    Foreign,
    /// Something that cannot be used, and why.
    Failed(String),
}

/// A program without modules of its own.
pub struct NoModules;

impl ModuleReader for NoModules {
    fn read(&self, _: &[&str]) -> Found {
        Found::Missing(Vec::new())
    }
}

/// A module, declared.
pub(crate) struct Module {
    /// Its path as messages show it: `crate`, `a::b`, `std::math`.
    pub shown: String,
    pub parent: Option<ModuleId>,
    /// Where its child files are; inline modules have none.
    pub folder: Option<Vec<Name>>,
    /// The file it stands in, if it has a text.
    pub file: Option<FileId>,
    /// Whether its functions are those of whoever runs the program.
    pub foreign: bool,
    /// What it defines or imports, by name.
    pub items: FxHashMap<Name, Vec<Item>>,
    /// The names of the items, in source order.
    pub names: Vec<Name>,
    /// The modules whose names it brings in, all at once.
    pub globs: Vec<ImportId>,
    /// Child files that were looked for.
    pub files: FxHashMap<Name, Option<ModuleId>>,
    /// The modules it imports from, with the place of the `use`.
    pub needs: Vec<ModuleId>,
}

/// Something a module holds.
#[derive(Clone)]
pub(crate) struct Item {
    pub binding: Binding,
    pub public: bool,
    pub span: Span,
}

/// A `use` of one name, or of all names of a module.
pub(crate) struct Import {
    /// The module it stands in.
    pub module: ModuleId,
    /// Whether it stands in a block, whose scopes it sees.
    pub block: bool,
    /// The whole path.
    pub path: Vec<Ident>,
    /// The name it has here.
    pub name: Ident,
    pub public: bool,
    pub glob: bool,
    pub state: ImportState,
}

/// How far an import is looked up.
#[derive(Clone)]
pub(crate) enum ImportState {
    New,
    UnderWay,
    Done(Target),
}

/// What a path means: a value, a module, or both.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Target {
    pub value: Option<Binding>,
    pub module: Option<ModuleId>,
}

/// A struct or an enum, as far as names go.
pub(crate) struct TypeInfo {
    pub var: VarId,
    pub name: Ident,
    pub is_enum: bool,
    pub variants: Vec<Name>,
}

/// An item of a module whose names are not resolved yet.
pub(crate) struct Pending {
    pub module: ModuleId,
    pub var: VarId,
    /// The statement.
    pub span: Span,
    pub kind: PendingKind,
}

/// The kinds of such items.
pub(crate) enum PendingKind {
    Fn(Box<ast::FnDef>),
    /// With whether it is a `let`.
    Const(Box<ast::Const>, bool),
    /// A struct or an enum.
    Type(Box<ast::Stmt>),
    /// A rule of no function.
    Rule(Box<ast::DiffRule>),
}

/// All modules of a program, and the names in scope where we are.
pub(crate) struct Modules<'a> {
    pub source: &'a SourceMap,
    pub reader: &'a dyn ModuleReader,
    pub all: PrimaryMap<ModuleId, Module>,
    pub imports: PrimaryMap<ImportId, Import>,
    pub types: PrimaryMap<TypeId, TypeInfo>,
    pub vars: Vars,
    pub scopes: Scopes,
    /// Imports that are being looked up, each for the one before.
    pub under_way: Vec<ImportId>,
    /// Declared modules whose imports nobody has looked at yet.
    pub unvisited: VecDeque<ModuleId>,
    /// Items in the order of declaration.
    pub pending: VecDeque<Pending>,
    /// The rules of modules' functions, by function.
    pub rules: FxHashMap<VarId, Vec<(ast::DiffRule, Span)>>,
    /// The files of the library.
    pub library: Vec<FileId>,
    /// What of the texts could not be read.
    pub unread: weft_syntax::Unread,
    pub diagnostics: Diagnostics,
    /// Unknown names that a known one was sought for.
    pub suggested: u32,
}

impl<'a> Modules<'a> {
    /// The root, and the library's.
    pub fn new(source: &'a SourceMap, reader: &'a dyn ModuleReader) -> Modules<'a> {
        let mut all = PrimaryMap::new();
        all.push(Module::new("crate", None, Some(Vec::new())));
        let mut std = Module::new("std", None, Some(vec!["std".into()]));
        let span = Span::new(FileId::from_u32(0), 0, 0);
        std.add(
            &"intrinsics".into(),
            Item { binding: Binding::Module(INTRINSICS), public: true, span },
        );
        all.push(std);
        all.push(Module::new("std::intrinsics", Some(STD), None));
        let mut vars = Vars::default();
        let body = vars.new_body();
        Modules {
            source,
            reader,
            all,
            imports: PrimaryMap::new(),
            types: PrimaryMap::new(),
            vars,
            scopes: Scopes::new(ROOT, true, body),
            under_way: Vec::new(),
            unvisited: VecDeque::new(),
            pending: VecDeque::new(),
            rules: FxHashMap::default(),
            library: Vec::new(),
            unread: weft_syntax::Unread::default(),
            diagnostics: Diagnostics::new(),
            suggested: 0,
        }
    }

    /// Whether `inner` is `outer`, or lies inside it.
    pub fn is_inside(&self, inner: ModuleId, outer: ModuleId) -> bool {
        let mut at = Some(inner);
        while let Some(m) = at {
            if m == outer {
                return true;
            }
            at = self.all[m].parent;
        }
        false
    }

    /// The root of the program, or of the library: what `crate` means.
    pub fn package(&self, of: ModuleId) -> ModuleId {
        if self.is_inside(of, STD) { STD } else { ROOT }
    }

    /// A struct or an enum, known by its name; what it holds is resolved later.
    pub fn declare_type(&mut self, stmt: &ast::Stmt, global: bool) -> Option<TypeId> {
        let (name, variants) = match &stmt.kind {
            ast::StmtKind::Struct(s) => (&s.name, None),
            ast::StmtKind::Enum(e) => (&e.name, Some(&e.variants)),
            _ => return None,
        };
        let is_enum = variants.is_some();
        let names = variants.into_iter().flatten().map(|v| v.name.name.clone()).collect();
        let var = self.vars.ident(name, global).var;
        Some(self.types.push(TypeInfo { var, name: name.clone(), is_enum, variants: names }))
    }
}

impl Module {
    fn new(shown: &str, parent: Option<ModuleId>, folder: Option<Vec<Name>>) -> Module {
        Module {
            shown: shown.to_string(),
            parent,
            folder,
            file: None,
            foreign: false,
            items: FxHashMap::default(),
            names: Vec::new(),
            globs: Vec::new(),
            files: FxHashMap::default(),
            needs: Vec::new(),
        }
    }

    /// Lists an item.
    pub fn add(&mut self, name: &Name, item: Item) {
        self.items.entry(name.clone()).or_default().push(item);
        self.names.push(name.clone());
    }
}
