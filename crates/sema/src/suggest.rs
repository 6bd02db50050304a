//! Suggestions: the nearest of the names in reach, and where else a name does exist.

use crate::checker::Checker;
use crate::elsewhere;
use crate::modules::{ROOT, STD};
use crate::scope::{Binding, ModuleId};
use weft_base::{FileId, Name, Span};
use weft_diag::Diagnostic;
use weft_syntax::ast;

/// Names that are looked for among all others: of more mistakes no more are shown.
const MOST_SUGGESTED: u32 = 64;

impl Checker<'_> {
    /// Where a plain `let` binds a name that is used before it.
    pub fn bound_later(&self, name: &ast::Ident) -> Option<Span> {
        let blocks = self.bodies.iter().flat_map(|b| &b.upcoming);
        let later = |s: &Span| s.file == name.span.file && s.start > name.span.start;
        blocks
            .filter_map(|names| names.get(&name.name))
            .find_map(|all| all.iter().copied().find(later))
    }

    /// What may be meant by a value that is not known: a name nearly like it in reach, or
    /// the same name in a module.
    pub fn suggest_value(&mut self, d: Diagnostic, name: &ast::Ident) -> Diagnostic {
        if self.suggested >= MOST_SUGGESTED {
            return d;
        }
        self.suggested += 1;
        let places = self.places_of_item(name.as_str());
        if !places.is_empty() {
            return self.suggest_import(d, name, &places);
        }
        if ast::Accumulator::from_name(name.as_str()).is_some() {
            return d.help(format!("a reduction names its indices: `{}[i](x[i])`", name.name));
        }
        if let Some((words, meant)) = elsewhere::value(name.as_str()) {
            return self.of_another_language(d, name, words, meant);
        }
        if let Some(path) = self.variant_of(name) {
            return d.help_edit("a variant is named with its enum", name.span, path);
        }
        if let Some(span) = self.ended(name) {
            let text = &name.name;
            return d.secondary(span, format!("this `{text}` ends with the block around it"));
        }
        let known = self.visible_names();
        let near = self.closest(name, &known).is_some();
        match self.index_help(name) {
            Some(help) if !near => d.help(help),
            _ => self.suggest(d, name, known),
        }
    }

    /// Where a name does exist, in words.
    pub fn suggest_place(&mut self, d: Diagnostic, name: &ast::Ident) -> Diagnostic {
        match self.places_of_item(name.as_str()).first() {
            Some(place) => d.help(format!("there is a `{place}`")),
            None => d,
        }
    }

    fn suggest_import(&self, d: Diagnostic, name: &ast::Ident, places: &[String]) -> Diagnostic {
        let at = self.import_place(name.span.file);
        let of_library = places[0].starts_with("std::");
        let what = match of_library {
            true => "the library has it: import it".to_string(),
            false => format!("`{}` has this name: import it", places[0]),
        };
        let d = d.help_edit(what, at, format!("use {};\n", places[0]));
        match places.get(1) {
            Some(other) => d.help(format!("there is also a `{other}`")),
            None => d,
        }
    }

    /// Where a new `use` goes: above the first statement.
    fn import_place(&self, file: FileId) -> Span {
        let text = &self.source.file(file).text;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim();
            if !(trimmed.is_empty() || trimmed.starts_with("//")) {
                break;
            }
            at += line.len();
        }
        let at = if at >= text.len() { 0 } else { at as u32 };
        Span::new(file, at, at)
    }

    /// The shortest paths under which modules offer a value of this name: of the program
    /// first, at most two.
    fn places_of_item(&mut self, name: &str) -> Vec<String> {
        let from = self.current_module();
        self.load_library();
        let mut found: Vec<(bool, usize, String)> = Vec::new();
        let all: Vec<ModuleId> = self.modules.all.keys().filter(|m| *m != ROOT).collect();
        for m in all {
            let shown = self.path_below(m, name);
            let of_library = self.modules.is_inside(m, STD);
            if shown.starts_with("std::intrinsics") || !self.reachable(m, from) {
                continue;
            }
            if let Ok(Some(_)) = self.value_in(m, name, from, &mut Vec::new()) {
                found.push((of_library, shown.matches("::").count(), shown));
            }
        }
        found.sort();
        let library = found.first().is_some_and(|f| f.0);
        // The library offers its functions under several paths: the shortest is enough.
        let keep = if library { 1 } else { 2 };
        found.into_iter().filter(|f| f.0 == library).take(keep).map(|f| f.2).collect()
    }

    /// Whether a module and those around it may be named from `from`.
    fn reachable(&self, m: ModuleId, from: ModuleId) -> bool {
        let Some(parent) = self.modules.all[m].parent else { return true };
        let items = self.modules.all[parent].items.values().flatten();
        let private = items
            .filter(|i| i.binding == Binding::Module(m))
            .any(|i| !i.public && !self.modules.is_inside(from, parent));
        !private && self.reachable(parent, from)
    }

    /// Reads all of the bundled library, to know what it has.
    fn load_library(&mut self) {
        for path in crate::library_sources::all() {
            let mut at = STD;
            for name in &path[1..] {
                match self.child_file(at, &Name::new(name)) {
                    crate::modules::Child::Loaded(id) => at = id,
                    _ => break,
                }
            }
        }
    }

    fn visible_names(&mut self) -> Vec<String> {
        let scopes = self.bodies.iter().flat_map(|b| &b.scopes);
        let mut names: Vec<String> =
            scopes.flat_map(|s| s.names().map(|n| n.to_string())).collect();
        let m = self.current_module();
        if m != ROOT {
            names.extend(self.names_in(m, m));
        }
        names.extend(crate::call::BUILTINS.map(String::from));
        names
    }

    /// Adds the closest of some names as a suggestion, if one is close.
    pub fn suggest(&self, d: Diagnostic, name: &ast::Ident, known: Vec<String>) -> Diagnostic {
        match self.closest(name, &known) {
            Some(k) => d.help_edit(format!("did you mean `{k}`?"), name.span, k),
            None => d,
        }
    }

    /// The name most like another, if it is like it at all.
    pub fn closest(&self, name: &ast::Ident, known: &[String]) -> Option<String> {
        weft_diag::closest_name(name.as_str(), known.iter().map(String::as_str)).map(String::from)
    }
}
