//! Names in scope. A later binding of a name hides an earlier one.

use crate::vars::BodyId;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use weft_base::entity::entity_impl;
use weft_base::{Name, Span};
use weft_hir::{LibraryItem, VarId};

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ModuleId(u32);
entity_impl!(ModuleId, "module");

/// The program.
pub(crate) const ROOT: ModuleId = ModuleId(0);
/// The library.
pub(crate) const STD: ModuleId = ModuleId(1);
/// What the library's sources stand on.
pub(crate) const INTRINSICS: ModuleId = ModuleId(2);

/// A name that a `use` brings in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ImportId(u32);
entity_impl!(ImportId, "import");

/// A struct or an enum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeId(u32);
entity_impl!(TypeId, "type");

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binding {
    /// A value, or an index.
    Value(VarId),
    /// A rest pattern.
    Rest(VarId),
    /// A definition by clauses of the scope, by its number: known where it is made.
    Definition(usize),
    /// A function.
    Function(VarId),
    /// A constant.
    Const(VarId),
    /// A struct or an enum.
    Type(TypeId),
    /// An item of the library.
    Library(LibraryItem),
    /// A function of whoever runs the program, which may be a module of more of them as well.
    Foreign(ModuleId),
    /// A module.
    Module(ModuleId),
    /// What a `use` names, a value or a module or both; looked up where it is needed.
    Import(ImportId),
    /// A binding that failed; uses are silent.
    Poisoned,
}

/// A definition by clauses, seen from the block that it stands in.
#[derive(Clone, Debug)]
pub(crate) struct Defined {
    pub name: Name,
    pub var: VarId,
    /// The statement of its first clause.
    pub first: usize,
    /// Its group's place among those of the block, in the order in which they are made.
    pub order: usize,
}

/// The definitions by clauses of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    pub all: Vec<Defined>,
    by_name: FxHashMap<Name, Vec<usize>>,
    /// How many groups are made.
    pub made: usize,
    /// The definition whose clause we are in, and the statement of that clause.
    pub under_way: Option<(usize, usize)>,
}

impl Definitions {
    pub fn new(all: Vec<Defined>) -> Definitions {
        let mut by_name: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for (n, d) in all.iter().enumerate() {
            by_name.entry(d.name.clone()).or_default().push(n);
        }
        Definitions { all, by_name, made: 0, under_way: None }
    }

    /// The variable of a definition, where it is known: it is made, or will be where what we are
    /// in is made.
    fn known(&self, n: usize) -> Option<VarId> {
        let d = &self.all[n];
        let with = |(own, _): (usize, usize)| d.order <= self.all[own].order;
        (d.order < self.made || self.under_way.is_some_and(with)).then_some(d.var)
    }

    /// The first definition of a name from the clause on that we are in.
    fn later(&self, name: &str) -> Option<VarId> {
        let (_, at) = self.under_way?;
        let all = self.by_name.get(name)?;
        self.known(*all.iter().find(|n| self.all[**n].first >= at)?)
    }
}

/// One scope: bindings in the order they were made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    entries: Vec<Entry>,
    last: FxHashMap<Name, usize>,
    globs: Vec<ImportId>,
    pub definitions: Definitions,
    /// What plain `let`s of the block bind, while its statements are gone through.
    pub upcoming: FxHashMap<Name, Vec<Span>>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: Name,
    binding: Binding,
    /// The binding of the same name before this one.
    before: Option<usize>,
}

impl Scope {
    /// Binds a name.
    pub fn bind(&mut self, name: &Name, binding: Binding) {
        let before = self.last.insert(name.clone(), self.entries.len());
        self.entries.push(Entry { name: name.clone(), binding, before });
    }

    /// Brings in all names of a module, behind those that are bound one by one.
    pub fn bind_glob(&mut self, import: ImportId) {
        self.globs.push(import);
    }

    /// The modules whose names are all known here, the last first.
    pub fn globs(&self) -> impl Iterator<Item = ImportId> + '_ {
        self.globs.iter().rev().copied()
    }

    /// What `name` stands for, the last binding first: definitions where they are known.
    pub fn all<'s>(&'s self, name: &str) -> impl Iterator<Item = Binding> + 's {
        let mut next = self.last.get(name).copied();
        let chain = std::iter::from_fn(move || {
            let entry = &self.entries[next?];
            next = entry.before;
            Some(entry.binding)
        });
        chain.filter_map(|b| match b {
            Binding::Definition(n) => self.definitions.known(n).map(Binding::Value),
            other => Some(other),
        })
    }

    /// Every name bound here.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.entries.iter().map(|e| &e.name)
    }
}

/// The scopes that are open, outermost first.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    pub open: Vec<Scope>,
    /// The module that the text belongs to.
    pub module: ModuleId,
    /// Whether the outermost scope is that of the program, and not of an item of a module.
    pub of_program: bool,
    /// The functions that we are in, outermost first, the program before them.
    pub bodies: Rc<Vec<BodyId>>,
}

impl Scopes {
    /// The scope of the program, or of an item of a module.
    pub fn new(module: ModuleId, of_program: bool, body: BodyId) -> Scopes {
        let open = vec![Scope::default()];
        Scopes { open, module, of_program, bodies: Rc::new(vec![body]) }
    }

    /// The innermost scope.
    pub fn last(&mut self) -> &mut Scope {
        if self.open.is_empty() {
            self.open.push(Scope::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Binds a name in the innermost scope.
    pub fn bind(&mut self, name: &Name, binding: Binding) {
        self.last().bind(name, binding);
    }

    /// Whether what is bound here is bound at the top level of the program.
    pub fn is_top(&self) -> bool {
        self.of_program && self.open.len() == 1
    }

    /// A definition that comes behind the clause that we are in.
    pub fn later(&self, name: &str) -> Option<VarId> {
        self.open.iter().rev().find_map(|s| s.definitions.later(name))
    }
}
