//! What variables stand for where they are in scope.

use crate::thir::LocalId;
use rpds::{RedBlackTreeMap, Vector};
use weft_base::entity::entity_impl;
use weft_domain::Iter;
use weft_hir::VarId;

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

/// What a variable stands for.
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
    /// A binding that failed; uses are silent.
    Poisoned,
}

/// The variables that are bound in a block, a clause or a reduction itself.
///
/// A clone shares what it has in common.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    bound: RedBlackTreeMap<VarId, Binding>,
    /// Values bound since this scope was opened.
    locals: Vector<LocalId>,
}

impl Scope {
    /// Binds a variable.
    pub fn bind(&mut self, var: VarId, binding: Binding) {
        if let Binding::Local(id) = binding {
            self.locals.push_back_mut(id);
        }
        self.bound.insert_mut(var, binding);
    }

    /// What a variable stands for.
    pub fn get(&self, var: VarId) -> Option<&Binding> {
        self.bound.get(&var)
    }

    /// Every value bound since the scope was opened.
    pub fn locals(&self) -> &Vector<LocalId> {
        &self.locals
    }
}
