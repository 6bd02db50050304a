//! Statements under time loops.

use crate::routine::LoopVar;
use weft_depend::{Access, Statements, renaming};
use weft_domain::{Affine, Constraint, Iter};
use weft_tensor::AssignId;

/// A statement under time loops that fix some of its iterators.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub id: AssignId,
    pub bound: Vec<(Iter, Affine)>,
    pub tested: Vec<Iter>,
    pub when: Vec<Constraint>,
    /// The step at which each loop around it runs an instance, outermost first.
    pub rows: Vec<Affine>,
    /// Steps that fix no iterator yet: the term is to have the loop variable's value.
    pub pending: Vec<(Affine, LoopVar)>,
    /// Whether a loop around it pushes its terms.
    pub pushed: bool,
}

impl Placed {
    /// Outside all loops.
    pub fn free(id: AssignId) -> Placed {
        Placed {
            id,
            bound: Vec::new(),
            tested: Vec::new(),
            when: Vec::new(),
            rows: Vec::new(),
            pending: Vec::new(),
            pushed: false,
        }
    }

    /// Whether a loop around it gives an iterator its value.
    pub fn fixes(&self, i: Iter) -> bool {
        self.bound.iter().any(|(b, _)| *b == i)
    }

    /// Iterators as terms over loop variables, where loops give them values.
    pub fn renaming(&self) -> impl Fn(Iter) -> Affine + use<'_> {
        renaming(&self.bound, 0)
    }

    /// Its accesses.
    pub fn access<'a>(&'a self, statements: &'a Statements) -> Access<'a> {
        Access { statement: statements.get(self.id), bound: &self.bound, when: &self.when }
    }
}
