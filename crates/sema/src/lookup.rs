//! What a name means where it stands: from the innermost scope outwards, then what the
//! module holds.

use crate::checker::Checker;
use crate::modules::ROOT;
use crate::scope::{Binding, ImportId, ModuleId, Scope};
use crate::thir::LocalId;
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast;

/// Where a name is looked for: so many scopes of a body, with what was bound in them before.
#[derive(Clone, Copy)]
struct Around {
    body: usize,
    depth: usize,
    limit: u32,
}

impl Checker<'_> {
    /// What a name means here: the innermost binding, captured if it lies outside.
    pub fn lookup(&mut self, name: &str) -> Option<Binding> {
        let here = self.bodies.len() - 1;
        let around = Around { body: here, depth: self.bodies[here].scopes.len(), limit: u32::MAX };
        if self.bodies.iter().all(|b| b.limits.is_empty()) {
            return self.lookup_in(around, name, false);
        }
        let latest = self.lookup_in(around, name, false);
        let cx = self.cx();
        let (member, definition) = match &latest {
            Some(Binding::Local(id)) => (cx.group.contains_key(id), cx.defined.contains(id)),
            _ => (false, false),
        };
        if member {
            return latest;
        }
        let found = self.lookup_in(around, name, true);
        // A definition may be named before it stands.
        found.or(latest.filter(|_| definition))
    }

    /// What `f` finds where names mean what was bound before a clause that stands before its
    /// definition's site.
    pub fn within_limit<T>(&mut self, limit: Option<u32>, f: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.cx().scopes.len();
        self.cx().limits.extend(limit.map(|order| (depth, order)));
        let found = f(self);
        if limit.is_some() {
            self.cx().limits.pop();
        }
        found
    }

    /// What a name means in some scopes of a body and those around; `limited` where clauses under
    /// way see only what was bound before them.
    fn lookup_in(&mut self, around: Around, name: &str, limited: bool) -> Option<Binding> {
        let Around { body, depth, limit } = around;
        for scope in (0..depth).rev() {
            let limits = self.bodies[body].limits.iter().filter(|_| limited);
            let of_clause = limits.filter(|(open, _)| scope < *open && *open < depth);
            let limit = of_clause.map(|(_, order)| *order).chain([limit]).min().unwrap_or(limit);
            let found = first_value(&self.bodies[body].scopes[scope], name, limit);
            match found {
                Some(Binding::Import(_)) => {}
                None if self.bodies[body].scopes[scope].globs().next().is_none() => continue,
                None => {}
                found => return found,
            }
            let found = self.value_in_scope(body, scope, limit, name);
            if found.is_some() {
                return found;
            }
        }
        let Some((outer, depth, limit)) = self.bodies[body].parent else {
            return self.value_around(body, name);
        };
        match self.lookup_in(Around { body: outer, depth, limit }, name, limited)? {
            Binding::Local(id) => Some(Binding::Local(self.capture(body, outer, id))),
            other => Some(other),
        }
    }

    /// The same for a scope with imports, which may or may not bring a value in.
    fn value_in_scope(
        &mut self,
        body: usize,
        scope: usize,
        limit: u32,
        name: &str,
    ) -> Option<Binding> {
        let scope = &self.bodies[body].scopes[scope];
        let all: Vec<Binding> = scope.all(name, limit).cloned().collect();
        let globs: Vec<ImportId> = scope.globs().collect();
        for binding in all {
            match binding {
                Binding::Module(_) => {}
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
            let from = self.modules.imports[id].module;
            self.value_in(m, name, from, &mut Vec::new()).ok().flatten()
        })
    }

    /// What the module around an outermost body holds.
    fn value_around(&mut self, body: usize, name: &str) -> Option<Binding> {
        if body == 0 {
            return None;
        }
        let m = self.bodies[body].module;
        self.value_in(m, name, m, &mut Vec::new()).ok().flatten()
    }

    /// The module that a name means in the scopes of the body under way.
    pub fn lookup_module(&mut self, name: &str) -> Option<ModuleId> {
        let mut body = self.bodies.len() - 1;
        let mut depth = self.bodies[body].scopes.len();
        loop {
            for scope in (0..depth).rev() {
                let scope = &self.bodies[body].scopes[scope];
                let all: Vec<Binding> = scope.all(name, 0).cloned().collect();
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
            (body, depth, _) = self.bodies[body].parent?;
        }
    }

    /// The module that the text of the body under way belongs to.
    pub fn current_module(&self) -> ModuleId {
        let mut body = self.bodies.len() - 1;
        while let Some((outer, ..)) = self.bodies[body].parent {
            body = outer;
        }
        if body == 0 { ROOT } else { self.bodies[body].module }
    }

    /// Makes a value of `outer` an extra argument of `body`.
    pub fn capture(&mut self, body: usize, outer: usize, id: LocalId) -> LocalId {
        if let Some((_, here)) = self.bodies[body].captures.iter().find(|(there, _)| *there == id) {
            return *here;
        }
        self.bodies[outer].used[id] = true;
        let local = self.bodies[outer].hir.locals[id].clone();
        let is_term = local.term.as_ref().is_some_and(|t| t.as_size().is_some());
        let here = self.argument_in(body, &local.name, local.span, &local.ty, is_term);
        self.bodies[body].captures.push((id, here));
        if let Some(fields) = self.bodies[outer].fields.get(&id).cloned() {
            let fields = fields.into_iter().map(|f| self.capture(body, outer, f)).collect();
            self.bodies[body].fields.insert_mut(here, fields);
        }
        if let Some(cell) = self.bodies[outer].cells.get(&id).cloned() {
            self.bodies[body].cells.insert_mut(here, cell);
        }
        here
    }

    /// What a path names; unknown names are reported.
    pub fn resolve(&mut self, p: &ast::Path) -> Option<Binding> {
        let (last, before) = p.segments.split_last().expect("a path has a last segment");
        if before.is_empty() {
            let found = self.lookup(last.as_str());
            if found.is_none() {
                self.unknown_value(last);
            }
            return found;
        }
        let from = self.current_module();
        let found =
            self.module_path(before, from, true).and_then(|m| self.member_of(m, last, from));
        match found {
            Ok(target) => match (target.value, target.module) {
                (Some(value), _) => Some(value),
                (None, _) => {
                    self.is_a_module(p);
                    None
                }
            },
            Err(lost) => {
                self.poison();
                if let Some(d) = lost {
                    self.report(*d);
                }
                None
            }
        }
    }

    fn is_a_module(&mut self, p: &ast::Path) {
        self.poison();
        let shown = self.text(p.span);
        let d = Diagnostic::error(Code::E0425, format!("`{shown}` is a module, not a value"))
            .primary(p.span, "a value is expected here")
            .help(format!("name something in it: `{shown}::…`"));
        self.report(d);
    }

    /// Reports a name that nothing binds.
    pub fn unknown_value(&mut self, name: &ast::Ident) {
        self.poison();
        if self.lookup_module(name.as_str()).is_some() {
            let path = ast::Path { span: name.span, segments: vec![name.clone()] };
            return self.is_a_module(&path);
        }
        let d = Diagnostic::error(Code::E0425, format!("unknown value `{}`", name.name))
            .primary(name.span, "not found in this scope");
        let d = match self.bound_later(name) {
            Some(span) => d
                .secondary(span, "bound here, later")
                .note("a plain `let` is known from its statement on; only definitions with indices may be named before"),
            None => self.suggest_value(d, name),
        };
        self.report(d);
    }
}

/// The last binding of a name in a scope that is no module, or is an import.
fn first_value(scope: &Scope, name: &str, limit: u32) -> Option<Binding> {
    scope.all(name, limit).find(|b| !matches!(b, Binding::Module(_))).cloned()
}
