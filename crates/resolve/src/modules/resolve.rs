//! What a path means, from where it stands.

use super::load::Child;
use super::{INTRINSICS, Item, Modules, ROOT, STD, Target};
use crate::scope::{Binding, ModuleId};
use crate::suggest::{closest, suggest};
use crate::unknown::Unknown;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast::Ident;

/// A path that leads nowhere: the complaint, unless it has been made.
pub(crate) type Lost = Option<Box<Diagnostic>>;

impl Modules<'_> {
    /// The module that a path names, seen from `from`; `block` says whether the scopes of
    /// the body under way count.
    pub fn module_path(
        &mut self,
        path: &[Ident],
        from: ModuleId,
        block: bool,
    ) -> Result<ModuleId, Lost> {
        let Some((first, rest)) = path.split_first() else { return Err(None) };
        let mut at = self.first_module(first, from, block)?;
        for (n, segment) in rest.iter().enumerate() {
            at = match segment.as_str() {
                "super" => self.parent_of(at, segment)?,
                "self" if n == 0 => at,
                _ => self.child_module(at, segment, from)?,
            };
        }
        Ok(at)
    }

    fn first_module(
        &mut self,
        name: &Ident,
        from: ModuleId,
        block: bool,
    ) -> Result<ModuleId, Lost> {
        match name.as_str() {
            "crate" => return Ok(self.package(from)),
            "self" => return Ok(from),
            "super" => return self.parent_of(from, name),
            "std" => return Ok(STD),
            _ => {}
        }
        let scoped = if block { self.lookup_module(name.as_str()) } else { None };
        if let Some(m) = scoped.or_else(|| self.held_module(from, &name.name, from).ok().flatten())
        {
            return Ok(m);
        }
        let mut found = self.child_file(from, &name.name);
        let package = self.package(from);
        if matches!(found, Child::Missing(_)) && from != package {
            if let Ok(Some(m)) = self.held_module(package, &name.name, from) {
                return Ok(m);
            }
            found = self.child_file(package, &name.name);
        }
        match found {
            Child::Loaded(id) => Ok(id),
            _ if name.as_str() == "python" => Err(Some(Box::new(python(name)))),
            other => {
                let d = self.no_such_module(name, name.as_str(), other);
                let known = self.module_names(from);
                Err(Some(Box::new(suggest(d, name, known))))
            }
        }
    }

    fn parent_of(&mut self, m: ModuleId, at: &Ident) -> Result<ModuleId, Lost> {
        self.all[m].parent.ok_or_else(|| {
            let d = Diagnostic::error(Code::E0432, "`super` at the root")
                .primary(at.span, "there is no module around this one");
            Some(Box::new(d))
        })
    }

    fn child_module(
        &mut self,
        m: ModuleId,
        name: &Ident,
        from: ModuleId,
    ) -> Result<ModuleId, Lost> {
        match self.held_module(m, &name.name, from) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(private) => return Err(Some(Box::new(self.is_private(name, m, private)))),
        }
        match self.child_file(m, &name.name) {
            Child::Loaded(id) => Ok(id),
            other => {
                let shown = self.path_below(m, name.as_str());
                let d = self.no_such_module(name, &shown, other);
                let known = self.module_names(m);
                Err(Some(Box::new(suggest(d, name, known))))
            }
        }
    }

    /// A module that another defines or imports; `Err` where it may not be seen.
    fn held_module(
        &mut self,
        m: ModuleId,
        name: &Name,
        from: ModuleId,
    ) -> Result<Option<ModuleId>, Span> {
        self.held_through(m, name, from, &mut Vec::new())
    }

    /// The same; wildcards may lead back to the modules that `through` lists.
    fn held_through(
        &mut self,
        m: ModuleId,
        name: &Name,
        from: ModuleId,
        through: &mut Vec<ModuleId>,
    ) -> Result<Option<ModuleId>, Span> {
        if through.contains(&m) {
            return Ok(None);
        }
        through.push(m);
        let items = self.all[m].items.get(name).cloned().unwrap_or_default();
        for Item { binding, public, span } in items {
            let found = match binding {
                Binding::Module(id) => Some(id),
                Binding::Import(id) => self.import_if_free(id).and_then(|t| t.module),
                _ => None,
            };
            if let Some(found) = found {
                let seen = public || self.is_inside(from, m);
                return if seen { Ok(Some(found)) } else { Err(span) };
            }
        }
        for import in self.all[m].globs.clone() {
            let seen = self.imports[import].public || self.is_inside(from, m);
            let target = self.import_if_free(import).and_then(|t| t.module);
            if let Some(g) = target.filter(|_| seen)
                && let Ok(Some(found)) = self.held_through(g, name, from, through)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What a module holds under a name: a value, a module, or both.
    pub fn member_of(&mut self, m: ModuleId, name: &Ident, from: ModuleId) -> Result<Target, Lost> {
        let value = self.value_in(m, name.as_str(), from, &mut Vec::new());
        let module = match self.held_module(m, &name.name, from) {
            Ok(Some(found)) => Some(found),
            Ok(None) => match self.child_file(m, &name.name) {
                Child::Loaded(id) => Some(id),
                _ => None,
            },
            Err(private) if matches!(value, Ok(None)) => {
                return Err(Some(Box::new(self.is_private(name, m, private))));
            }
            Err(_) => None,
        };
        match value {
            Ok(value) if value.is_some() || module.is_some() => Ok(Target { value, module }),
            Ok(_) => Err(Some(Box::new(self.not_in_module(m, name, from)))),
            Err(private) => Err(Some(Box::new(self.is_private(name, m, private)))),
        }
    }

    /// A value that a module holds; `Err` where it may not be seen from `from`.
    pub fn value_in(
        &mut self,
        m: ModuleId,
        name: &str,
        from: ModuleId,
        through: &mut Vec<ModuleId>,
    ) -> Result<Option<Binding>, Span> {
        if m == INTRINSICS {
            return Ok(weft_hir::intrinsic(name).map(Binding::Library));
        }
        if self.all[m].foreign {
            let function = match self.child_file(m, &Name::new(name)) {
                Child::Loaded(id) => Some(Binding::Foreign(id)),
                _ => None,
            };
            return Ok(function);
        }
        if through.contains(&m) {
            return Ok(None);
        }
        through.push(m);
        let inside = self.is_inside(from, m);
        let items = self.all[m].items.get(name).cloned().unwrap_or_default();
        for Item { binding, public, span } in items {
            let found = match binding {
                Binding::Module(_) => None,
                // What a `use` brings in lies behind it.
                Binding::Import(id) if self.under_way.last() == Some(&id) => None,
                Binding::Import(id) => self.import(id).value,
                value => Some(value),
            };
            if let Some(found) = found {
                return if public || inside { Ok(Some(found)) } else { Err(span) };
            }
        }
        for import in self.all[m].globs.clone() {
            if !inside && !self.imports[import].public {
                continue;
            }
            if let Some(g) = self.import(import).module
                && let Ok(Some(found)) = self.value_in(g, name, from, through)
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The names of a module that may be seen from `from`.
    pub fn names_in(&mut self, m: ModuleId, from: ModuleId) -> Vec<String> {
        let mut out = Vec::new();
        self.collect_names(m, from, &mut out, &mut Vec::new());
        out
    }

    fn collect_names(
        &mut self,
        m: ModuleId,
        from: ModuleId,
        out: &mut Vec<String>,
        through: &mut Vec<ModuleId>,
    ) {
        if m == INTRINSICS {
            return out.extend(weft_hir::intrinsic_names().into_iter().map(String::from));
        }
        if through.contains(&m) {
            return;
        }
        through.push(m);
        let inside = self.is_inside(from, m);
        let module = &self.all[m];
        let seen = |n: &&Name| inside || module.items[*n].iter().any(|i| i.public);
        out.extend(module.names.iter().filter(seen).map(Name::to_string));
        for import in self.all[m].globs.clone() {
            let public = self.imports[import].public;
            if let Some(g) = self.import(import).module.filter(|_| inside || public) {
                self.collect_names(g, from, out, through);
            }
        }
    }

    /// The names of modules that a path may begin or go on with.
    fn module_names(&mut self, m: ModuleId) -> Vec<String> {
        let module = &self.all[m];
        let held = module
            .names
            .iter()
            .filter(|n| module.items[*n].iter().any(|i| matches!(i.binding, Binding::Module(_))));
        let mut names: Vec<String> = held.map(Name::to_string).collect();
        names.extend(crate::library_sources::below(&self.all[m].shown));
        if m == ROOT {
            names.push("std".to_string());
        }
        names
    }

    /// `module::name` as it is written from the outside.
    pub fn path_below(&self, m: ModuleId, name: &str) -> String {
        match m {
            ROOT => name.to_string(),
            _ => format!("{}::{name}", self.all[m].shown),
        }
    }

    fn is_private(&self, name: &Ident, m: ModuleId, defined: Span) -> Diagnostic {
        let shown = self.path_below(m, name.as_str());
        let at = Span::new(defined.file, defined.start, defined.start);
        let d = Diagnostic::error(Code::E0435, format!("`{shown}` is private"))
            .primary(name.span, "not visible here")
            .secondary(defined, "defined without `pub`");
        match self.line_before(at) {
            Some(start) => d.help_edit("make it public", start, "pub "),
            None => d,
        }
    }

    /// The start of the statement that a name stands in, where its line begins with it.
    fn line_before(&self, at: Span) -> Option<Span> {
        let text = &self.source.file(at.file).text[..at.start as usize];
        let line = text.rfind('\n').map_or(0, |n| n + 1);
        let words = ["fn ", "const ", "let ", "struct ", "enum ", "mod ", "use "];
        let start = words.iter().filter_map(|w| text[line..].rfind(w)).max()?;
        let start = (line + start) as u32;
        Some(Span::new(at.file, start, start))
    }

    fn not_in_module(&mut self, m: ModuleId, name: &Ident, from: ModuleId) -> Diagnostic {
        let shown = self.path_below(m, name.as_str());
        if let Some(instead) = planned(name.as_str()).filter(|_| m == STD) {
            return not_there_yet(name, &shown, instead);
        }
        let d = if self.is_inside(m, STD) {
            Diagnostic::error(Code::E0433, format!("the library has no `{shown}`"))
                .primary(name.span, "unknown function")
        } else if m == ROOT {
            Diagnostic::error(Code::E0432, format!("the program has no item `{shown}`"))
                .primary(name.span, "not found at the root")
                .note("a `let` of the program is a value of its run, not an item: make it a `const`, or pass it as an argument")
        } else {
            let module = &self.all[m].shown;
            Diagnostic::error(Code::E0432, format!("module `{module}` has no `{}`", name.name))
                .primary(name.span, format!("not found in `{module}`"))
        };
        let known = self.names_in(m, from);
        let near = closest(name, &known);
        match near {
            Some(_) => suggest(d, name, known),
            None => Unknown::new(self).suggest_place(d, name),
        }
    }

    /// The complaint about a module that is not there.
    pub fn no_such_module(&mut self, name: &Ident, shown: &str, why: Child) -> Diagnostic {
        if let Some(instead) = planned(name.as_str())
            && shown.strip_prefix("std::") == Some(name.as_str())
        {
            return not_there_yet(name, shown, instead);
        }
        let d = Diagnostic::error(Code::E0432, format!("unknown module `{shown}`"));
        match why {
            Child::Entry => {
                Diagnostic::error(Code::E0434, format!("module `{shown}` is the program itself"))
                    .primary(name.span, "this file runs; it is no module of its own")
                    .help("what it defines is reached as `crate::…`")
            }
            Child::Failed(why) => {
                let headline = format!("module `{shown}` cannot be read");
                Diagnostic::error(Code::E0432, headline)
                    .primary(name.span, "asked for here")
                    .note(why)
            }
            Child::Missing(places) if !places.is_empty() => {
                d.primary(name.span, "not found").note(format!("looked for {}", quoted(&places)))
            }
            _ => d.primary(name.span, "not found"),
        }
    }
}

/// What serves instead of a module of the library that is planned.
fn planned(name: &str) -> Option<&'static str> {
    Some(match name {
        "fft" => "a transform is a sum over `std::math::cos` and `std::math::sin`",
        "plot" => "values are written to files: `--output y=y.npy`",
        _ => return None,
    })
}

fn not_there_yet(name: &Ident, shown: &str, instead: &str) -> Diagnostic {
    Diagnostic::error(Code::E0010, format!("`{shown}` is planned, and not there yet"))
        .primary(name.span, "not in this version")
        .help(instead)
}

fn quoted(places: &[String]) -> String {
    places.iter().map(|p| format!("`{p}`")).collect::<Vec<_>>().join(" and ")
}

fn python(name: &Ident) -> Diagnostic {
    Diagnostic::error(Code::E0432, "Python modules are there only inside Python")
        .primary(name.span, "this program does not run inside Python")
        .help("run it through the Python package, or give the values as inputs")
}
