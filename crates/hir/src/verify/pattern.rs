//! The patterns of an arm.

use super::Verifier;
use super::scopes::Binder;
use crate::{Arm, Constructor, Ident, Pat, PatKind, VarId};

impl Verifier<'_> {
    pub(super) fn arm(&mut self, arm: &Arm) {
        self.scoped(|v| {
            let mut alternatives = Alternatives::default();
            for pat in &arm.pats {
                v.pat(pat, &mut alternatives);
                alternatives.next();
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
                if let Some(constant) = constant {
                    self.scopes.used_as(*constant, &[Binder::Const], "a constant");
                }
                self.bind_in_pat(name, of);
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
        if !of.shares(name.var) {
            self.scopes.bind(name.var, Binder::Value);
        }
    }

    pub(super) fn constructor(&mut self, path: &Constructor) {
        if let Some(ty) = path.ty {
            self.scopes.used_as(ty, &[Binder::Struct, Binder::Enum], "a type");
        }
    }
}

/// What the alternatives of an arm bind.
#[derive(Default)]
struct Alternatives {
    /// Those before.
    before: Vec<VarId>,
    /// The one that we are in.
    here: Vec<VarId>,
}

impl Alternatives {
    /// Whether an alternative before binds a variable, and this one did not so far.
    fn shares(&mut self, var: VarId) -> bool {
        let shared = self.before.contains(&var) && !self.here.contains(&var);
        self.here.push(var);
        shared
    }

    /// The next alternative.
    fn next(&mut self) {
        self.before.append(&mut self.here);
    }
}
