//! Names that mean nothing: the nearest of the names in reach, and where else a name does exist.

use crate::elsewhere;
use crate::modules::{Child, INTRINSICS, Modules, NoModules, ROOT, STD};
use crate::scope::{Binding, ModuleId};
use crate::suggest::{closest, suggest};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use weft_base::{FileId, Name, SourceMap, Span};
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast;

/// Names that are looked for among all others: of more mistakes no more are shown.
const MOST_SUGGESTED: u32 = 64;

/// What is said of a name that means nothing where it stands.
pub(crate) struct Unknown<'r, 'a> {
    m: &'r mut Modules<'a>,
}

impl<'r, 'a> Unknown<'r, 'a> {
    /// For the place where we are.
    pub fn new(m: &'r mut Modules<'a>) -> Self {
        Unknown { m }
    }

    /// A value that nothing binds.
    pub fn value(&mut self, name: &ast::Ident) -> Diagnostic {
        if self.m.lookup_module(name.as_str()).is_some() {
            return self.is_a_module(name.span);
        }
        let d = Diagnostic::error(Code::E0425, format!("unknown value `{}`", name.name))
            .primary(name.span, "not found in this scope");
        match self.bound_later(name) {
            Some(span) => d
                .secondary(span, "bound here, later")
                .note("a plain `let` is known from its statement on; only definitions with indices may be named before"),
            None => self.suggest_value(d, name),
        }
    }

    /// A module where a value is needed.
    pub fn is_a_module(&self, span: Span) -> Diagnostic {
        let shown = self.m.source.short_text(span);
        Diagnostic::error(Code::E0425, format!("`{shown}` is a module, not a value"))
            .primary(span, "a value is expected here")
            .help(format!("name something in it: `{shown}::…`"))
    }

    /// A type that nothing defines.
    pub fn ty(&self, path: &ast::Path, args: &[ast::Type]) -> Diagnostic {
        let d = Diagnostic::error(Code::E0412, format!("unknown type `{}`", path.last().name))
            .primary(path.span, "not a type");
        self.suggest_type(d, path, args)
    }
    /// Where a plain `let` binds a name that is used before it.
    fn bound_later(&self, name: &ast::Ident) -> Option<Span> {
        let blocks = self.m.scopes.open.iter().map(|s| &s.upcoming);
        let later = |s: &Span| s.file == name.span.file && s.start > name.span.start;
        blocks
            .filter_map(|names| names.get(&name.name))
            .find_map(|all| all.iter().copied().find(later))
    }

    /// What may be meant by a value that is not known: a name nearly like it in reach, or
    /// the same name in a module.
    fn suggest_value(&mut self, d: Diagnostic, name: &ast::Ident) -> Diagnostic {
        if self.m.suggested >= MOST_SUGGESTED {
            return d;
        }
        self.m.suggested += 1;
        let places = self.places_of_item(name.as_str());
        if !places.is_empty() && !elsewhere::is_of_the_language(name.as_str()) {
            return self.suggest_import(d, name, &places);
        }
        if ast::Accumulator::from_name(name.as_str()).is_some() {
            return d.help(format!("a reduction names its indices: `{}[i](x[i])`", name.name));
        }
        if let Some((words, meant)) = elsewhere::value(name.as_str()) {
            return elsewhere::of_another_language(self.m.source, d, name, words, meant);
        }
        if let Some(path) = self.variant_of(name) {
            return d.help_edit("a variant is named with its enum", name.span, path);
        }
        if let Some(span) = self.m.vars.bound_before(name, &self.m.scopes.bodies) {
            let text = &name.name;
            return d.secondary(span, format!("this `{text}` ends with the block around it"));
        }
        if let Some(help) = elsewhere::in_a_head(self.m.source, name) {
            return d.help(help);
        }
        let known = self.visible_names();
        let near = closest(name, &known).is_some();
        match elsewhere::index_help(self.m.source, name) {
            Some(help) if !near => d.help(help),
            _ => suggest(d, name, known),
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
        let edit = |d: Diagnostic, what| d.help_edit(what, at, format!("use {};\n", places[0]));
        match (places[0].starts_with("std::"), places.get(1)) {
            (true, None) => edit(d, "the library has it: import it".to_string()),
            (true, Some(other)) => d.help(format!(
                "the library has two of this name: `use {};` or `use {other};`",
                places[0]
            )),
            (false, other) => {
                let d = edit(d, format!("`{}` has this name: import it", places[0]));
                match other {
                    Some(other) => d.help(format!("there is also a `{other}`")),
                    None => d,
                }
            }
        }
    }

    /// Where a new `use` goes: above the first statement.
    fn import_place(&self, file: FileId) -> Span {
        let text = &self.m.source.file(file).text;
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

    /// The shortest paths under which modules offer a value of this name: at most two of the
    /// program, or of the library. Modules of another language might have any name.
    fn places_of_item(&mut self, name: &str) -> Vec<String> {
        let from = self.m.scopes.module;
        let own =
            |m: &ModuleId| *m != ROOT && !self.m.all[*m].foreign && !self.m.is_inside(*m, STD);
        let own: Vec<ModuleId> = self.m.all.keys().filter(own).collect();
        let mut found: Vec<(usize, String)> = Vec::new();
        for m in own {
            if reachable(self.m, m, from)
                && let Ok(Some(_)) = self.m.value_in(m, name, from, &mut Vec::new())
            {
                let shown = self.m.path_below(m, name);
                found.push((shown.matches("::").count(), shown));
            }
        }
        if found.is_empty() {
            return library_places().get(name).cloned().unwrap_or_default();
        }
        found.sort();
        found.into_iter().take(2).map(|f| f.1).collect()
    }

    fn visible_names(&mut self) -> Vec<String> {
        let mut names: Vec<String> =
            self.m.scopes.open.iter().flat_map(|s| s.names().map(|n| n.to_string())).collect();
        let m = self.m.scopes.module;
        if m != ROOT {
            names.extend(self.m.names_in(m, m));
        }
        names.extend(weft_hir::BUILTINS.map(String::from));
        names
    }

    /// The path of a variant that an enum in reach has under this name.
    fn variant_of(&mut self, name: &ast::Ident) -> Option<String> {
        let has = |t: &&crate::modules::TypeInfo| t.is_enum && t.variants.contains(&name.name);
        let of: Vec<Name> =
            self.m.types.values().filter(has).map(|t| t.name.name.clone()).collect();
        let reached =
            of.into_iter().find(|t| matches!(self.m.lookup(t.as_str()), Some(Binding::Type(_))));
        reached.map(|t| format!("{t}::{}", name.name))
    }

    fn suggest_type(&self, d: Diagnostic, path: &ast::Path, args: &[ast::Type]) -> Diagnostic {
        let name = path.last();
        if elsewhere::has_type(name.as_str()) {
            return elsewhere::type_(self.m.source, d, path, args);
        }
        let types = self.m.types.values().map(|t| t.name.name.to_string());
        let scalars = ["bool", "i32", "i64", "f32", "f64", "str"].map(String::from);
        suggest(d, name, types.chain(scalars).collect())
    }
}

/// Whether a module and those around it may be named from `from`.
fn reachable(m: &Modules<'_>, module: ModuleId, from: ModuleId) -> bool {
    let Some(parent) = m.all[module].parent else { return true };
    let items = m.all[parent].items.values().flatten();
    let private = items
        .filter(|i| i.binding == Binding::Module(module))
        .any(|i| !i.public && !m.is_inside(from, parent));
    !private && reachable(m, parent, from)
}

/// The shortest path of each value that the bundled library offers. (It offers its functions
/// under several.) Found once: reading all of the library takes longer than most programs.
fn library_places() -> &'static FxHashMap<String, Vec<String>> {
    static PLACES: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let source = SourceMap::new();
        let mut m = Modules::new(&source, &NoModules);
        load_library(&mut m);
        let mut places: FxHashMap<String, Vec<(usize, String, Binding)>> = FxHashMap::default();
        let all: Vec<ModuleId> = m.all.keys().filter(|id| m.is_inside(*id, STD)).collect();
        for module in all {
            if module == INTRINSICS || !reachable(&m, module, ROOT) {
                continue;
            }
            for name in m.names_in(module, ROOT) {
                let Ok(Some(value)) = m.value_in(module, &name, ROOT, &mut Vec::new()) else {
                    continue;
                };
                let shown = m.path_below(module, &name);
                let depth = shown.matches("::").count();
                places.entry(name).or_default().push((depth, shown, value));
            }
        }
        places.into_iter().map(|(name, all)| (name, shortest(all))).collect()
    })
}

/// The shortest path of each value, of two at most: the library gives some under several names.
fn shortest(mut all: Vec<(usize, String, Binding)>) -> Vec<String> {
    all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let first = all.remove(0);
    let other = all.into_iter().find(|place| place.2 != first.2);
    [Some(first.1), other.map(|place| place.1)].into_iter().flatten().collect()
}

/// Reads all of the bundled library, to know what it has.
fn load_library(m: &mut Modules<'_>) {
    for path in crate::library_sources::all() {
        let mut at = STD;
        for name in &path[1..] {
            match m.child_file(at, &Name::new(name)) {
                Child::Loaded(id) => at = id,
                _ => break,
            }
        }
    }
}
