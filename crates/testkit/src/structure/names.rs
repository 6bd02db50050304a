//! What the files of a crate define and import, and where a path leads.

use super::source::{Source, is_test};
use super::types::{Known, TypeId, known, parameters, segments};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use syn::{ImplItem, Item, TraitItem, Type, UseTree};

/// What a path leads to.
#[derive(Clone, PartialEq, Eq)]
pub enum Thing {
    /// A function outside of `impl` blocks.
    Function(usize, String),
    /// A type or trait.
    Type(TypeId),
    /// A function of one.
    Method(TypeId, String),
    /// A module, by its file.
    Module(usize),
}

/// What one file has.
#[derive(Default)]
struct File {
    module: Vec<String>,
    functions: BTreeSet<String>,
    types: BTreeSet<String>,
    /// `use … as NAME`.
    uses: Vec<(String, Vec<String>)>,
    /// `use …::*`.
    globs: Vec<Vec<String>>,
}

/// What a type has.
#[derive(Default)]
struct Members {
    /// How many methods all its `impl` blocks have.
    count: usize,
    /// The files that define a method of the name.
    methods: BTreeMap<String, BTreeSet<usize>>,
    fields: FxHashMap<String, Known>,
    /// Of a trait: the types that have it.
    implementors: BTreeSet<TypeId>,
}

/// The names of a crate.
#[derive(Default)]
pub struct Names<'s> {
    files: Vec<File>,
    modules: FxHashMap<Vec<String>, usize>,
    members: BTreeMap<TypeId, Members>,
    /// What other names of types stand for.
    aliases: FxHashMap<TypeId, &'s Type>,
    /// The types that have a method of the name.
    having: FxHashMap<String, BTreeSet<TypeId>>,
    /// What functions and methods give.
    results: FxHashMap<(Option<TypeId>, usize, String), Known>,
}

/// Paths are followed through so many imports.
const MOST_IMPORTS: usize = 8;

impl<'s> Names<'s> {
    /// Reads the files of a crate.
    pub fn of(sources: &'s [Source]) -> Names<'s> {
        let mut names = Names::default();
        for (n, source) in sources.iter().enumerate() {
            names.modules.insert(source.module.clone(), n);
            names.files.push(File { module: source.module.clone(), ..File::default() });
            source.items.iter().for_each(|item| names.declare(n, item));
        }
        for (n, source) in sources.iter().enumerate() {
            source.items.iter().for_each(|item| names.describe(n, item));
        }
        names
    }

    fn declare(&mut self, n: usize, item: &'s Item) {
        let file = &mut self.files[n];
        let ty = match item {
            Item::Fn(f) => {
                file.functions.insert(f.sig.ident.to_string());
                return;
            }
            Item::Use(u) => return imports(&u.tree, &mut Vec::new(), file),
            Item::Struct(s) => &s.ident,
            Item::Enum(e) => &e.ident,
            Item::Union(u) => &u.ident,
            Item::Trait(t) => &t.ident,
            Item::Type(t) => {
                self.aliases.insert((n, t.ident.to_string()), &t.ty);
                &t.ident
            }
            _ => return,
        };
        file.types.insert(ty.to_string());
    }

    /// What an item says of types, once all are declared.
    fn describe(&mut self, n: usize, item: &Item) {
        match item {
            Item::Fn(f) => self.result(None, n, &f.sig),
            Item::Struct(s) => {
                let generics = parameters(&s.generics);
                let id = (n, s.ident.to_string());
                for (at, field) in s.fields.iter().enumerate() {
                    let name = field.ident.as_ref().map_or(at.to_string(), ToString::to_string);
                    let ty = known(&field.ty, n, Some(&id), &generics, self);
                    self.members.entry(id.clone()).or_default().fields.insert(name, ty);
                }
            }
            Item::Trait(t) => {
                let id = (n, t.ident.to_string());
                for item in &t.items {
                    if let TraitItem::Fn(f) = item {
                        let body = f.default.is_some();
                        self.result(Some(&id), n, &f.sig);
                        self.method(&id, f.sig.ident.to_string(), body.then_some(n));
                    }
                }
            }
            Item::Impl(i) if !is_test(&i.attrs) => self.describe_impl(n, i),
            _ => {}
        }
    }

    fn describe_impl(&mut self, n: usize, block: &syn::ItemImpl) {
        let generics = parameters(&block.generics);
        let Known::Own(id) = known(&block.self_ty, n, None, &generics, self) else { return };
        if let Some((path, _)) = &block.trait_
            && let Some(Thing::Type(of)) = self.resolve(n, &segments(path))
        {
            self.members.entry(of).or_default().implementors.insert(id.clone());
        }
        for item in &block.items {
            if let ImplItem::Fn(f) = item {
                self.result(Some(&id), n, &f.sig);
                self.method(&id, f.sig.ident.to_string(), Some(n));
                self.members.entry(id.clone()).or_default().count += 1;
            }
        }
    }

    fn method(&mut self, of: &TypeId, name: String, body: Option<usize>) {
        self.having.entry(name.clone()).or_default().insert(of.clone());
        let members = self.members.entry(of.clone()).or_default();
        members.methods.entry(name).or_default().extend(body);
    }

    fn result(&mut self, of: Option<&TypeId>, n: usize, sig: &syn::Signature) {
        let ty = match &sig.output {
            syn::ReturnType::Default => Known::Foreign,
            syn::ReturnType::Type(_, ty) => known(ty, n, of, &parameters(&sig.generics), self),
        };
        let at = if of.is_some() { 0 } else { n };
        self.results.insert((of.cloned(), at, sig.ident.to_string()), ty);
    }

    /// Types and how many methods they have.
    pub fn methods_per_type(&self) -> impl Iterator<Item = (TypeId, usize)> + '_ {
        self.members.iter().filter(|(_, m)| m.count > 0).map(|(id, m)| (id.clone(), m.count))
    }

    /// The files that define a method of a type; of a trait, those of all that have it.
    pub fn files_with(&self, of: &TypeId, method: &str) -> BTreeSet<usize> {
        let Some(members) = self.members.get(of) else { return BTreeSet::new() };
        let own = members.methods.get(method);
        let theirs = members.implementors.iter().filter(|_| own.is_some());
        let theirs = theirs.filter_map(|t| self.members.get(t)?.methods.get(method));
        own.into_iter().chain(theirs).flatten().copied().collect()
    }

    /// The only type that has a method of the name.
    pub fn only_with(&self, method: &str) -> Option<&TypeId> {
        let all = self.having.get(method)?;
        all.first().filter(|_| all.len() == 1)
    }

    /// The type of a field.
    pub fn field(&self, of: &TypeId, name: &str) -> Known {
        let found = self.members.get(of).and_then(|m| m.fields.get(name));
        found.cloned().unwrap_or(Known::No)
    }

    /// What a function gives.
    pub fn gives(&self, thing: &Thing) -> Known {
        let key = match thing {
            Thing::Function(file, name) => (None, *file, name.clone()),
            Thing::Method(of, name) => (Some(of.clone()), 0, name.clone()),
            Thing::Type(_) | Thing::Module(_) => return Known::No,
        };
        self.results.get(&key).cloned().unwrap_or(Known::No)
    }

    /// What another name of a type stands for, and where it says so.
    pub fn alias(&self, id: &TypeId) -> Option<(usize, &'s Type)> {
        self.aliases.get(id).map(|ty| (id.0, *ty))
    }

    /// Where a path in a file leads, if it stays in the crate.
    pub fn resolve(&self, file: usize, path: &[String]) -> Option<Thing> {
        self.follow(file, path, MOST_IMPORTS)
    }

    fn follow(&self, file: usize, path: &[String], left: usize) -> Option<Thing> {
        let (first, rest) = path.split_first()?;
        let module = &self.files[file].module;
        let thing = match first.as_str() {
            "crate" => Thing::Module(self.modules.get(&Vec::new()).copied()?),
            "self" => Thing::Module(file),
            "super" => Thing::Module(*self.modules.get(module.split_last()?.1)?),
            name => self.look_up(file, name, rest.is_empty(), left)?,
        };
        rest.iter().enumerate().try_fold(thing, |thing, (n, name)| match thing {
            Thing::Module(at) if name == "super" => {
                let module = self.files[at].module.split_last()?.1;
                self.modules.get(module).map(|f| Thing::Module(*f))
            }
            Thing::Module(at) => self.look_up(at, name, n + 1 == rest.len(), left),
            Thing::Type(id) => Some(Thing::Method(id, name.clone())),
            Thing::Function(..) | Thing::Method(..) => None,
        })
    }

    /// What a name stands for in a module; the last of a path may be a function.
    fn look_up(&self, at: usize, name: &str, last: bool, left: usize) -> Option<Thing> {
        let file = &self.files[at];
        if last && file.functions.contains(name) {
            return Some(Thing::Function(at, name.to_string()));
        }
        if file.types.contains(name) {
            return Some(Thing::Type((at, name.to_string())));
        }
        let within = |name: &str, path: &[String]| -> Vec<String> {
            path.iter().cloned().chain([name.to_string()]).collect()
        };
        let left = left.checked_sub(1)?;
        let named = file.uses.iter().filter(|(own, _)| own == name);
        let named = named.filter_map(|(_, path)| self.follow(at, path, left));
        let child = self.modules.get(&within(name, &file.module)).map(|f| Thing::Module(*f));
        let globs = file.globs.iter().filter_map(|g| self.follow(at, &within(name, g), left));
        let all: Vec<Thing> = named.chain(child).chain(globs).collect();
        // A module and what it is for may share a name.
        let meant = all.iter().find(|t| last != matches!(t, Thing::Module(_)));
        meant.or(all.first()).cloned()
    }
}

/// The names that an import binds.
fn imports(tree: &UseTree, before: &mut Vec<String>, file: &mut File) {
    let path = |last: &syn::Ident| -> Vec<String> {
        let last = (last != "self").then(|| last.to_string());
        before.iter().cloned().chain(last).collect()
    };
    match tree {
        UseTree::Path(p) => {
            before.push(p.ident.to_string());
            imports(&p.tree, before, file);
            before.pop();
        }
        UseTree::Name(n) => {
            let path = path(&n.ident);
            file.uses.extend(path.last().cloned().map(|name| (name, path)));
        }
        UseTree::Rename(r) => {
            let path = path(&r.ident);
            file.uses.push((r.rename.to_string(), path));
        }
        UseTree::Glob(_) => file.globs.push(before.clone()),
        UseTree::Group(g) => g.items.iter().for_each(|t| imports(t, before, file)),
    }
}
