//! What a name means where it stands: from the innermost scope outwards, then what the
//! module holds, then definitions that come later.

use crate::modules::Modules;
use crate::scope::{Binding, ImportId, ModuleId, TypeId};
use weft_base::Name;
use weft_hir::{Meaning, VarId};
use weft_syntax::ast;

impl Modules<'_> {
    /// What a name means here: the innermost binding.
    pub fn lookup(&mut self, name: &str) -> Option<Binding> {
        self.lookup_around(name).or_else(|| self.scopes.later(name).map(Binding::Value))
    }

    /// The same without the definitions that only come later.
    pub fn lookup_around(&mut self, name: &str) -> Option<Binding> {
        for scope in (0..self.scopes.open.len()).rev() {
            let found = self.value_in_scope(scope, name);
            if found.is_some() {
                return found;
            }
        }
        self.value_around(name)
    }

    /// What a name means in one scope, with imports, which may or may not bring a value in.
    fn value_in_scope(&mut self, scope: usize, name: &str) -> Option<Binding> {
        let scope = &self.scopes.open[scope];
        let is_import = |b: &Binding| matches!(b, Binding::Import(_));
        let value = |b: &Binding| !matches!(b, Binding::Module(_));
        match scope.all(name).find(value) {
            Some(b) if is_import(&b) => {}
            None if scope.globs().next().is_some() => {}
            found => return found,
        }
        let all: Vec<Binding> = scope.all(name).filter(value).collect();
        let globs: Vec<ImportId> = scope.globs().collect();
        for binding in all {
            match binding {
                Binding::Import(id) => {
                    if let Some(value) = self.import(id).value {
                        return Some(value);
                    }
                }
                value => return Some(value),
            }
        }
        globs.into_iter().find_map(|id| {
            let m = self.import(id).module?;
            let from = self.imports[id].module;
            self.value_in(m, name, from, &mut Vec::new()).ok().flatten()
        })
    }

    /// What the module around the outermost scope holds.
    fn value_around(&mut self, name: &str) -> Option<Binding> {
        if self.scopes.of_program {
            return None;
        }
        let m = self.scopes.module;
        self.value_in(m, name, m, &mut Vec::new()).ok().flatten()
    }

    /// The module that a name means in the scopes that are open.
    pub fn lookup_module(&mut self, name: &str) -> Option<ModuleId> {
        for scope in (0..self.scopes.open.len()).rev() {
            let all: Vec<Binding> = self.scopes.open[scope].all(name).collect();
            for binding in all {
                match binding {
                    Binding::Module(id) => return Some(id),
                    Binding::Import(id) => {
                        if let Some(m) = self.import_if_free(id).and_then(|t| t.module) {
                            return Some(m);
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// The variable that a name means, if it means one.
    pub fn var_of(&mut self, name: &str) -> Option<VarId> {
        match self.lookup(name)? {
            Binding::Value(v) | Binding::Rest(v) | Binding::Function(v) | Binding::Const(v) => {
                Some(v)
            }
            Binding::Type(id) => Some(self.types[id].var),
            Binding::Definition(_)
            | Binding::Library(_)
            | Binding::Foreign(_)
            | Binding::Module(_)
            | Binding::Import(_)
            | Binding::Poisoned => None,
        }
    }

    /// What a binding means as a value.
    pub fn meaning_of(&self, binding: Binding) -> Option<Meaning> {
        match binding {
            Binding::Value(v) | Binding::Rest(v) | Binding::Function(v) | Binding::Const(v) => {
                Some(Meaning::Var(v))
            }
            Binding::Type(id) => Some(Meaning::Var(self.types[id].var)),
            Binding::Library(item) => Some(Meaning::Library(item)),
            Binding::Foreign(id) => Some(Meaning::Foreign(Name::new(&self.all[id].shown))),
            Binding::Definition(_)
            | Binding::Module(_)
            | Binding::Import(_)
            | Binding::Poisoned => None,
        }
    }

    /// The type that a path names.
    pub fn type_at(&mut self, path: &[ast::Ident]) -> Option<TypeId> {
        let (last, before) = path.split_last()?;
        let found = match before.is_empty() {
            true => self.lookup(last.as_str()),
            false => {
                let from = self.scopes.module;
                let m = self.module_path(before, from, true).ok()?;
                self.member_of(m, last, from).ok()?.value
            }
        };
        match found {
            Some(Binding::Type(id)) => Some(id),
            _ => None,
        }
    }
}
