//! Names in scope. A later binding of a name hides an earlier one.

use crate::thir::{LocalId, TypeId};
use rpds::{RedBlackTreeMap, Vector};
use weft_base::Name;
use weft_base::entity::entity_impl;
use weft_domain::Iter;

use crate::library::LibraryItem;

/// A function definition (not an instance).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(u32);
entity_impl!(FnId, "fn");

/// A rest pattern of a clause or reduction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RestId(u32);
entity_impl!(RestId, "rest");

/// An open constant: the definition is elaborated again at each use, so it stays a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(u32);
entity_impl!(ModuleId, "module");

/// The program.
pub const ROOT: ModuleId = ModuleId(0);
/// The library.
pub const STD: ModuleId = ModuleId(1);
/// What the library's sources stand on.
pub const INTRINSICS: ModuleId = ModuleId(2);

/// A name that a `use` brings in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImportId(u32);
entity_impl!(ImportId, "import");

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// A named value.
    Local(LocalId),
    /// An index variable.
    Index(Iter),
    /// A rest pattern.
    Rest(RestId),
    /// A function.
    Function(FnId),
    /// A constant.
    Const(ConstId),
    /// A struct or an enum.
    Type(TypeId),
    /// An item of the library.
    Library(LibraryItem),
    /// A module.
    Module(ModuleId),
    /// What a `use` names, a value or a module or both; looked up where it is needed.
    Import(ImportId),
    /// A binding that failed; uses are silent.
    Poisoned,
}

impl Binding {
    /// Whether the name is known in its whole block, also before its definition.
    pub fn is_hoisted(&self) -> bool {
        matches!(
            self,
            Binding::Function(_) | Binding::Type(_) | Binding::Module(_) | Binding::Import(_)
        )
    }
}

/// One scope: bindings in the order they were made, each with its place in that order.
///
/// A clone shares what it has in common: a state of the checker is put aside for each pass.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    entries: Vector<Entry>,
    last: RedBlackTreeMap<Name, u32>,
    globs: Vec<ImportId>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: Name,
    binding: Binding,
    order: u32,
    /// The binding of the same name before this one.
    before: Option<u32>,
}

impl Scope {
    /// Binds `name`; `order` grows with every binding of a check.
    pub fn bind(&mut self, name: Name, binding: Binding, order: u32) {
        let before = self.last.get(&name).copied();
        self.last.insert_mut(name.clone(), self.entries.len() as u32);
        self.entries.push_back_mut(Entry { name, binding, order, before });
    }

    /// Brings in all names of a module, behind those that are bound one by one.
    pub fn bind_glob(&mut self, import: ImportId) {
        self.globs.push(import);
    }

    /// The modules whose names are all known here, the last first.
    pub fn globs(&self) -> impl Iterator<Item = ImportId> + '_ {
        self.globs.iter().rev().copied()
    }

    /// The bindings of `name` made before `limit`, the last first. Functions, modules and
    /// imports are hoisted: they are found wherever they stand.
    pub fn all(&self, name: &str, limit: u32) -> impl Iterator<Item = &Binding> {
        let mut next = self.last.get(name).copied();
        let chain = std::iter::from_fn(move || {
            let entry = self.entries.get(next? as usize)?;
            next = entry.before;
            Some(entry)
        });
        let visible = move |e: &&Entry| e.order < limit || e.binding.is_hoisted();
        chain.filter(visible).map(|e| &e.binding)
    }

    /// The last binding of `name` made before `limit`.
    pub fn find(&self, name: &str, limit: u32) -> Option<&Binding> {
        self.all(name, limit).next()
    }

    /// Every value bound here, once each.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.entries.iter().filter_map(|e| match e.binding {
            Binding::Local(id) => Some(id),
            _ => None,
        })
    }

    /// Every name bound here.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.entries.iter().map(|e| &e.name)
    }
}
