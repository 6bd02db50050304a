//! Names in scope. A later binding of a name hides an earlier one.

use crate::hir::{LocalId, TypeId};
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
    /// A binding that failed; uses are silent.
    Poisoned,
}

/// One scope: bindings in the order they were made, each with its place in that order.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    entries: Vec<(Name, Binding, u32)>,
}

impl Scope {
    /// Binds `name`; `order` grows with every binding of a check.
    pub fn bind(&mut self, name: Name, binding: Binding, order: u32) {
        self.entries.push((name, binding, order));
    }

    /// The last binding of `name` made before `limit`. Functions are hoisted: they are
    /// found wherever they stand.
    pub fn find(&self, name: &str, limit: u32) -> Option<&Binding> {
        let visible = |b: &Binding, order: u32| order < limit || matches!(b, Binding::Function(_) | Binding::Type(_));
        self.entries
            .iter()
            .rev()
            .find(|(n, b, o)| n.as_str() == name && visible(b, *o))
            .map(|e| &e.1)
    }

    /// Every value bound here, once each.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.entries.iter().filter_map(|(_, b, _)| match b {
            Binding::Local(id) => Some(*id),
            _ => None,
        })
    }

    /// Every name bound here.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.entries.iter().map(|(n, _, _)| n)
    }
}
