//! What was lifted and entered already: at however many places it is wanted, it is there once.

use crate::scope::EnvId;
use rustc_hash::FxHashMap;
use weft_domain::{Affine, Iter};
use weft_scalar::ScalarType;
use weft_sema::thir::Expr;
use weft_tensor::{IndexTerm, TensorId};

/// What tells one lifted definition from another: an expression of the program in one
/// environment, over terms of its own or another type, under one path, over one space.
pub(crate) type LiftKey = (*const Expr, EnvId, Option<ScalarType>, String);

/// A space and path, and the indices that stay.
pub(crate) type TakenKey = (String, Vec<Iter>);

/// A call or block by its place in the program, where it is entered from, and over which
/// space and under which path.
pub(crate) type EnterKey = (*const (), EnvId, String);

/// What was lifted: the tensor, and the cells of its leading axes at the indices around.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub tensor: TensorId,
    pub outer: Vec<Affine>,
}

impl Lifted {
    /// The index of a cell of it.
    pub fn index(self, own: &[IndexTerm]) -> Vec<IndexTerm> {
        self.outer.into_iter().map(IndexTerm::Affine).chain(own.iter().cloned()).collect()
    }
}

/// What was entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    /// The environment, in which the names of the block are bound.
    pub env: EnvId,
    /// Whether anything in it was lifted under the path.
    pub lifts: bool,
}

/// All of it.
#[derive(Default)]
pub(crate) struct Lifts {
    lifted: FxHashMap<LiftKey, Lifted>,
    /// Where paths are taken for some values of the indices that go.
    taken: FxHashMap<TakenKey, Lifted>,
    entered: FxHashMap<EnterKey, Entered>,
}

impl Lifts {
    /// What was lifted of this.
    pub fn lifted(&self, key: &LiftKey) -> Option<Lifted> {
        self.lifted.get(key).cloned()
    }

    /// Notes what was lifted.
    pub fn lift(&mut self, key: LiftKey, made: &Lifted) {
        self.lifted.insert(key, made.clone());
    }

    /// The tensor that says where a path is taken.
    pub fn taken(&self, key: &TakenKey) -> Option<Lifted> {
        self.taken.get(key).cloned()
    }

    /// Notes it.
    pub fn take(&mut self, key: TakenKey, made: &Lifted) {
        self.taken.insert(key, made.clone());
    }

    /// What was entered of this.
    pub fn entered(&self, key: &EnterKey) -> Option<Entered> {
        self.entered.get(key).copied()
    }

    /// Notes what was entered.
    pub fn enter(&mut self, key: EnterKey, entered: Entered) {
        self.entered.insert(key, entered);
    }
}
