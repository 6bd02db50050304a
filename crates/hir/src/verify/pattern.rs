//! The patterns of an arm.

use super::Verifier;
use super::scopes::Binder;
use crate::{Arm, Constructor, Ident, Pat, PatKind, VarId};
use std::collections::BTreeSet;

impl Verifier<'_> {
    pub(super) fn arm(&mut self, arm: &Arm) {
        self.scoped(|v| {
            let mut alternatives = Alternatives::default();
            for pat in &arm.pats {
                alternatives.0.push(Vec::new());
                v.pat(pat, &mut alternatives);
            }
            for var in alternatives.unshared() {
                v.wrong(var, "is not what every alternative that has the name binds to it");
            }
            arm.guard.iter().for_each(|g| v.expr(g));
            v.expr(&arm.body);
        });
    }

    fn pat(&mut self, pat: &Pat, of: &mut Alternatives) {
        match &pat.kind {
            PatKind::Error
            | PatKind::Wildcard
            | PatKind::Number(_)
            | PatKind::Range { .. }
            | PatKind::Str(_)
            | PatKind::Bool(_)
            | PatKind::Rest(None) => {}
            PatKind::Bind { name, constant, sub } => {
                match constant {
                    Some(constant) => {
                        self.scopes.used_as(*constant, &[Binder::Const], "a constant");
                        self.scopes.bind(name.var, Binder::Value);
                    }
                    None => self.bind_in_pat(name, of),
                }
                sub.iter().for_each(|p| self.pat(p, of));
            }
            PatKind::Path(path) => self.constructor(path),
            PatKind::TupleStruct { path, elems } => {
                self.constructor(path);
                elems.iter().for_each(|p| self.pat(p, of));
            }
            PatKind::Struct { path, fields, .. } => {
                self.constructor(path);
                fields.iter().for_each(|f| self.pat(&f.pat, of));
            }
            PatKind::Tuple(pats) | PatKind::Array(pats) => {
                pats.iter().for_each(|p| self.pat(p, of));
            }
            PatKind::Rest(Some(name)) => self.bind_in_pat(name, of),
        }
    }

    fn bind_in_pat(&mut self, name: &Ident, of: &mut Alternatives) {
        if !of.shares(name) {
            self.scopes.bind(name.var, Binder::Value);
        }
    }

    pub(super) fn constructor(&mut self, path: &Constructor) {
        if let Some(ty) = path.ty {
            self.scopes.used_as(ty, &[Binder::Struct, Binder::Enum], "a type");
        }
    }
}

/// What each alternative of an arm binds, up to the one that we are in.
#[derive(Default)]
struct Alternatives(Vec<Vec<Ident>>);

impl Alternatives {
    /// Whether the arm bound a variable before. (A name that stands twice in one alternative may
    /// be that of a variant, which binds nothing.)
    fn shares(&mut self, name: &Ident) -> bool {
        let shared = self.0.iter().flatten().any(|n| n.var == name.var);
        if let Some(here) = self.0.last_mut() {
            here.push(name.clone());
        }
        shared
    }

    /// The variables that an alternative does not bind, although it binds their name.
    fn unshared(&self) -> BTreeSet<VarId> {
        let lacks = |name: &Ident| {
            self.0.iter().any(|all| {
                let mut same = all.iter().filter(|n| n.name == name.name).peekable();
                same.peek().is_some() && same.all(|n| n.var != name.var)
            })
        };
        self.0.iter().flatten().filter(|name| lacks(name)).map(|name| name.var).collect()
    }
}
