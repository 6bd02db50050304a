//! Imports: what a `use` brings in, circles and clashes among them.

use super::{Import, ImportState, Modules, Target};
use crate::scope::{Binding, ImportId, ModuleId};
use rustc_hash::FxHashMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast::Ident;

/// Imports of imports of imports: a longer chain is refused.
const LONGEST_CHAIN: usize = 200;

impl Modules<'_> {
    /// What an import means, looked up at the first time.
    pub fn import(&mut self, id: ImportId) -> Target {
        match &self.imports[id].state {
            ImportState::Done(target) => target.clone(),
            ImportState::UnderWay => {
                let import = &self.imports[id];
                let shown = import.path.iter().map(Ident::as_str).collect::<Vec<_>>().join("::");
                let span = path_span(&import.path);
                self.diagnostics.push(circle(&shown, span));
                Target { value: Some(Binding::Poisoned), module: None }
            }
            ImportState::New => self.look_up_import(id),
        }
    }

    /// The same, or nothing where it is being looked up already: a `use` does not see itself.
    pub fn import_if_free(&mut self, id: ImportId) -> Option<Target> {
        match self.imports[id].state {
            ImportState::UnderWay => None,
            _ => Some(self.import(id)),
        }
    }

    fn look_up_import(&mut self, id: ImportId) -> Target {
        self.imports[id].state = ImportState::UnderWay;
        let Import { path, module, block, glob, .. } = &self.imports[id];
        let (path, from, block, glob) = (path.clone(), *module, *block, *glob);
        self.under_way.push(id);
        let found = if self.under_way.len() > LONGEST_CHAIN {
            let d = Diagnostic::error(Code::E0003, "a chain of imports that is too long")
                .primary(path_span(&path), format!("more than {LONGEST_CHAIN} imports deep"));
            Err(Some(Box::new(d)))
        } else {
            self.target_of(&path, from, block, glob)
        };
        self.under_way.pop();
        let target = found.unwrap_or_else(|lost| {
            self.diagnostics.extend(lost.map(|d| *d));
            Target { value: Some(Binding::Poisoned), module: None }
        });
        self.imports[id].state = ImportState::Done(target.clone());
        target
    }

    fn target_of(
        &mut self,
        path: &[Ident],
        from: ModuleId,
        block: bool,
        glob: bool,
    ) -> Result<Target, super::resolve::Lost> {
        let Some((last, before)) = path.split_last() else { return Err(None) };
        if glob || before.is_empty() {
            let m = self.module_path(path, from, block)?;
            if glob && self.all[m].foreign {
                return Err(Some(Box::new(names_unknown(&self.all[m].shown, path_span(path)))));
            }
            self.needs(from, m, path)?;
            return Ok(Target { value: None, module: Some(m) });
        }
        if matches!(last.as_str(), "self" | "super" | "crate") {
            let d =
                Diagnostic::error(Code::E0432, format!("`{}` has no name of its own", last.name))
                    .primary(last.span, "a `use` that ends here brings in nothing")
                    .help("name the module");
            return Err(Some(Box::new(d)));
        }
        let m = self.module_path(before, from, block)?;
        self.needs(from, m, path)?;
        let target = self.member_of(m, last, from)?;
        if let (None, Some(inner)) = (&target.value, target.module) {
            self.needs(from, inner, path)?;
        }
        Ok(target)
    }

    /// Notes that one module imports from another, which must not need it in turn.
    fn needs(
        &mut self,
        from: ModuleId,
        on: ModuleId,
        path: &[Ident],
    ) -> Result<(), super::resolve::Lost> {
        let own_file = self.all[on].file == self.all[from].file;
        if from == on || (own_file && self.is_inside(from, on)) {
            return Ok(());
        }
        if let Some(way) = self.way(on, from) {
            let shown: Vec<String> =
                way.iter().map(|m| format!("`{}`", self.all[*m].shown)).collect();
            let name = &self.all[from].shown;
            let d = circle(name, path_span(path))
                .note(format!("`{name}` is needed by {}", shown.join(", which is needed by ")));
            return Err(Some(Box::new(d)));
        }
        if !self.all[from].needs.contains(&on) {
            self.all[from].needs.push(on);
        }
        Ok(())
    }

    /// The modules on a way of imports from one to another, the nearer to `to` first.
    fn way(&self, from: ModuleId, to: ModuleId) -> Option<Vec<ModuleId>> {
        let mut seen = vec![from];
        let mut before = vec![0];
        let mut at = 0;
        while at < seen.len() {
            for next in &self.all[seen[at]].needs {
                if *next == to {
                    let mut way = vec![seen[at]];
                    while at != 0 {
                        at = before[at];
                        way.push(seen[at]);
                    }
                    return Some(way);
                }
                if !seen.contains(next) {
                    seen.push(*next);
                    before.push(at);
                }
            }
            at += 1;
        }
        None
    }

    /// Looks all imports of a block or module up, and reports those that clash: with each
    /// other, or with a definition beside them.
    pub fn settle_imports(&mut self, imports: &[ImportId], defined: &FxHashMap<Name, Span>) {
        let mut named: Vec<(Ident, Target)> = Vec::new();
        for id in imports {
            let target = self.import(*id);
            let Import { name, glob, .. } = &self.imports[*id];
            if *glob {
                continue;
            }
            let name = name.clone();
            let poisoned = target.value == Some(Binding::Poisoned);
            let other = named.iter().find(|(n, t)| n.name == name.name && clash(t, &target));
            let own = defined.get(&name.name).filter(|_| target.value.is_some());
            let first = other.map(|(n, _)| n.span).or(own.copied());
            match first {
                Some(first) if !poisoned => self.import_clash(&name, first),
                _ => named.push((name, target)),
            }
        }
        self.settle_globs(imports, &named, defined);
    }

    fn import_clash(&mut self, name: &Ident, first: Span) {
        let d = Diagnostic::error(Code::E0428, format!("`{}` is defined twice", name.name))
            .primary(name.span, "imported here")
            .secondary(first, "already the name of something else")
            .help(format!("give it another name: `as other_{}`", name.name));
        self.diagnostics.push(d);
    }

    /// Two wildcards that bring in different things under one name, which nothing else
    /// beside them has.
    fn settle_globs(
        &mut self,
        imports: &[ImportId],
        named: &[(Ident, Target)],
        defined: &FxHashMap<Name, Span>,
    ) {
        let globs: Vec<ImportId> =
            imports.iter().copied().filter(|i| self.imports[*i].glob).collect();
        let (mut earlier, mut spans): (Vec<ModuleId>, Vec<Span>) = Default::default();
        for id in globs {
            let Import { path, module, .. } = &self.imports[id];
            let (span, from) = (path_span(path), *module);
            let Some(m) = self.import(id).module else { continue };
            for name in if earlier.is_empty() { Vec::new() } else { self.names_in(m, from) } {
                let chosen = named.iter().any(|(n, _)| n.as_str() == name)
                    || defined.contains_key(name.as_str());
                let Some(value) = self.seen_in(m, &name, from).filter(|_| !chosen) else {
                    continue;
                };
                let other = (0..earlier.len())
                    .find(|k| self.seen_in(earlier[*k], &name, from).is_some_and(|o| o != value));
                if let Some(k) = other {
                    self.glob_clash(&name, span, spans[k]);
                    break;
                }
            }
            earlier.push(m);
            spans.push(span);
        }
    }

    fn seen_in(&mut self, m: ModuleId, name: &str, from: ModuleId) -> Option<Binding> {
        self.value_in(m, name, from, &mut Vec::new()).ok().flatten()
    }

    fn glob_clash(&mut self, name: &str, span: Span, first: Span) {
        let d = Diagnostic::error(Code::E0428, format!("two wildcards bring in `{name}`"))
            .primary(span, format!("this module has a `{name}`"))
            .secondary(first, "and so has this one")
            .help("name what you need of one of them: `use module::{a, b};`");
        self.diagnostics.push(d);
    }
}

fn clash(a: &Target, b: &Target) -> bool {
    let differ = |x: &Option<Binding>, y: &Option<Binding>| x.is_some() && y.is_some() && x != y;
    let poisoned = |t: &Target| t.value == Some(Binding::Poisoned);
    let modules = a.module.is_some() && b.module.is_some() && a.module != b.module;
    !poisoned(a) && !poisoned(b) && (differ(&a.value, &b.value) || modules)
}

fn circle(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0434, format!("`{name}` is imported in a circle"))
        .primary(span, "this import closes the circle")
        .help("move what both need into a third module")
}

/// Only modules with a text say what is in them.
fn names_unknown(module: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0432, format!("the names in `{module}` are not known here"))
        .primary(span, "a wildcard of a module without a text")
        .help("name what you need: `use python::numpy::linalg;`")
}

/// A path as it stands in the source.
pub(crate) fn path_span(path: &[Ident]) -> Span {
    let (first, last) = (path[0].span, path[path.len() - 1].span);
    first.to(last)
}
