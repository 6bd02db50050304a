//! The variables that are made, and the functions that they belong to.

use crate::scope::Scopes;
use std::rc::Rc;
use weft_base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use weft_base::{Name, Span};
use weft_hir::{Ident, Var, VarId};
use weft_syntax::ast;

/// A function, a lambda or the program: what values are local to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(u32);
entity_impl!(BodyId, "body");

/// Everything that is bound.
#[derive(Default)]
pub(crate) struct Vars {
    pub all: PrimaryMap<VarId, Var>,
    /// Of a value: what it is local to.
    body: SecondaryMap<VarId, Option<BodyId>>,
    bodies: u32,
}

impl Vars {
    /// A new function or program.
    pub fn new_body(&mut self) -> BodyId {
        self.bodies += 1;
        BodyId(self.bodies)
    }

    /// A new variable.
    pub fn add(&mut self, name: &Name, span: Span, global: bool) -> VarId {
        self.all.push(Var { name: name.clone(), span, global, component: None })
    }

    /// A new variable for a name as it stands in the source.
    pub fn ident(&mut self, name: &ast::Ident, global: bool) -> Ident {
        let var = self.add(&name.name, name.span, global);
        Ident { name: name.name.clone(), span: name.span, var }
    }

    /// Notes that a variable is a value of the function that we are in.
    pub fn note_local(&mut self, var: VarId, scopes: &Scopes) {
        self.body[var] = scopes.bodies.last().copied();
    }

    /// Where a value of this name was bound before, in the functions that we are in.
    pub fn bound_before(&self, name: &ast::Ident, bodies: &Rc<Vec<BodyId>>) -> Option<Span> {
        let before = |s: Span| s.file == name.span.file && s.end <= name.span.start;
        let same = |v: &Var| v.name == name.name && before(v.span);
        let of = |body: BodyId| {
            let mut found = self
                .all
                .iter()
                .filter(|(id, v)| self.body.get(*id).copied().flatten() == Some(body) && same(v));
            found.next_back().map(|(_, v)| v.span)
        };
        bodies.iter().find_map(|b| of(*b))
    }
}
