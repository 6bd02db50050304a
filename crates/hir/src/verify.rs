//! The verifier: what resolution gives and everything behind it may rely on.
//!
//! - Every variable that is mentioned is in the table, and each is bound once: by a pattern, a
//!   slot, a head, a parameter, an item of `where`, a generator, a definition, a function, a
//!   type, a constant, an input, or by a type that names it as an extent where nothing else binds
//!   it. Slots of one clause may share a variable, and in the patterns of one arm a
//!   name has one.
//! - A variable is used where it is in scope. Types, functions and global constants are so in
//!   their whole block, and what is an item of a module everywhere; definitions from the statement
//!   that makes them on, and in it; all else behind its binder. Rules see the parameters of their
//!   functions. An extent that a type binds is in scope in the whole scope that the type stands in.
//! - A variable is `global` if and only if it is bound at the top level or by an item of a module
//!   (types know it themselves).
//! - The clauses of a definition carry its variable, and each definition has one.
//! - What is used as a type, an enum, a constant, a function or a rest is bound as such; type
//!   parameters stand in definitions of types that have them.
//! - Indices of joined axes in slots have `component` variables, and nothing else has.
//! - Rests in slots and heads have variables. `|>` is a call. Inputs stand at the top level.
//!   Modules hold functions, constants and rules. Builtins are called, and are such.
//!
//! Not checked: that a type's extents are in scope where the type is defined, since the tree
//! does not say where that is.

mod expr;
mod item;
mod pattern;
mod scopes;
mod ty;

use crate::{Program, StmtKind, VarId};
use scopes::{Binder, Scopes};
use weft_base::entity::SecondaryMap;

/// Checks everything listed above: all violations that are found, with the ids they are about.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut verifier = Verifier {
        scopes: Scopes::new(program),
        joined: SecondaryMap::new(),
        signatures: SecondaryMap::new(),
        generics: 0,
    };
    verifier.program(program);
    let wrong = verifier.scopes.finish();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

struct Verifier<'p> {
    scopes: Scopes<'p>,
    /// The indices of joined axes.
    joined: SecondaryMap<VarId, bool>,
    /// What the parameters and the signature of each function bind.
    signatures: SecondaryMap<VarId, Vec<VarId>>,
    /// The type parameters of the type that we are in.
    generics: usize,
}

impl<'p> Verifier<'p> {
    fn program(&mut self, program: &'p Program) {
        for def in &program.types {
            self.scopes.bind(def.name.var, if def.is_enum { Binder::Enum } else { Binder::Struct });
        }
        self.hoist(&program.items, true);
        self.hoist(&program.stmts, true);
        program.items.iter().for_each(|item| self.module_item(item));
        program.stmts.iter().for_each(|s| self.stmt(s));
        program.tail.iter().for_each(|e| self.expr(e));
        if let Some(main) = &program.main {
            self.main(main.var, program);
        }
        self.scopes.reopen_all();
        program.types.iter().for_each(|def| self.type_def(def));
        self.components(program);
    }

    fn main(&mut self, main: VarId, program: &Program) {
        let is_main = |kind: &StmtKind| matches!(kind, StmtKind::Fn(def) if def.name.var == main);
        if !program.stmts.iter().any(|s| is_main(&s.kind)) {
            self.wrong(main, "is `main`, and no function of the top level");
        }
    }

    /// Only indices of joined axes have components.
    fn components(&mut self, program: &Program) {
        for (var, known) in &program.vars {
            let joined = self.joined[var] || !self.scopes.is_bound(var);
            if known.component.is_some() && !joined {
                self.wrong(var, "has a component, and is no index of a joined axis");
            }
        }
    }

    /// Notes what is wrong with a variable.
    fn wrong(&mut self, var: VarId, what: &str) {
        let shown = self.scopes.show(var);
        self.scopes.wrong(format!("{shown} {what}"));
    }

    /// What `inside` does in a scope of its own.
    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes.open();
        inside(self);
        self.scopes.close();
    }
}
