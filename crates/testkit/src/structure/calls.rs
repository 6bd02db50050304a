//! Which files call which: what bodies of functions name, as far as the text says whose it is.
//!
//! Paths are followed through imports. Of a method the type of what it is called on decides,
//! where that is `self`, a field, an argument, or a name that says it; else the one type of the
//! crate that has a method of the name, unless the standard library has one too.

use super::names::{Names, Thing};
use super::source::{Source, is_test};
use super::types::{Known, TypeId, known, parameters, segments};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Item, Pat, TraitItem};

/// Methods of the standard library and of the crates used, by names that ours have as well.
const COMMON: [&str; 66] = [
    "add",
    "all",
    "and",
    "any",
    "append",
    "as_ref",
    "as_str",
    "at",
    "chain",
    "children",
    "clear",
    "clone",
    "cmp",
    "collect",
    "contains",
    "contains_key",
    "count",
    "drain",
    "end",
    "entry",
    "eq",
    "extend",
    "filter",
    "find",
    "first",
    "fmt",
    "fold",
    "get",
    "get_mut",
    "index",
    "insert",
    "into",
    "is_empty",
    "iter",
    "join",
    "keys",
    "kind",
    "last",
    "len",
    "lines",
    "map",
    "max",
    "min",
    "name",
    "next",
    "parse",
    "pop",
    "position",
    "push",
    "read",
    "remove",
    "replace",
    "retain",
    "send",
    "set",
    "shape",
    "sort",
    "split",
    "start",
    "sum",
    "take",
    "text",
    "then",
    "to_string",
    "values",
    "write",
];

/// For each file the files whose functions it calls, itself too.
pub fn edges(sources: &[Source], names: &Names<'_>) -> Vec<BTreeSet<usize>> {
    let one = |(n, source): (usize, &Source)| {
        let mut walk = Walk::new(n, names);
        source.items.iter().for_each(|item| walk.item(item));
        walk.found
    };
    sources.iter().enumerate().map(one).collect()
}

/// A walk over the bodies of one file.
struct Walk<'n, 's> {
    names: &'n Names<'s>,
    file: usize,
    /// The type whose `impl` block it is in.
    of: Option<TypeId>,
    generics: Vec<String>,
    /// The types of names, as far as they are told.
    locals: FxHashMap<String, Known>,
    found: BTreeSet<usize>,
}

impl<'n, 's> Walk<'n, 's> {
    fn new(file: usize, names: &'n Names<'s>) -> Self {
        let (generics, locals, found) = (Vec::new(), FxHashMap::default(), BTreeSet::new());
        Walk { names, file, of: None, generics, locals, found }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Fn(f) => self.body(&f.sig, &f.block),
            Item::Impl(i) if !is_test(&i.attrs) => {
                let own = parameters(&i.generics);
                let ty = known(&i.self_ty, self.file, None, &own, self.names);
                self.of = if let Known::Own(id) = ty { Some(id) } else { None };
                for item in &i.items {
                    self.generics.clone_from(&own);
                    if let ImplItem::Fn(f) = item {
                        self.body(&f.sig, &f.block);
                    }
                }
            }
            Item::Trait(t) => {
                self.of = Some((self.file, t.ident.to_string()));
                for item in &t.items {
                    if let TraitItem::Fn(syn::TraitItemFn { sig, default: Some(block), .. }) = item
                    {
                        self.body(sig, block);
                    }
                }
            }
            Item::Const(c) => self.visit_expr(&c.expr),
            Item::Static(s) => self.visit_expr(&s.expr),
            _ => {}
        }
        self.of = None;
        self.generics.clear();
    }

    fn body(&mut self, sig: &syn::Signature, block: &syn::Block) {
        self.locals.clear();
        self.generics.extend(parameters(&sig.generics));
        for input in &sig.inputs {
            if let syn::FnArg::Typed(arg) = input {
                self.bind(&arg.pat, self.known(&arg.ty));
            }
        }
        self.visit_block(block);
    }

    fn known(&self, ty: &syn::Type) -> Known {
        known(ty, self.file, self.of.as_ref(), &self.generics, self.names)
    }

    fn bind(&mut self, pat: &Pat, ty: Known) {
        match pat {
            Pat::Ident(p) => {
                self.locals.insert(p.ident.to_string(), ty);
            }
            Pat::Type(p) => {
                let ty = self.known(&p.ty);
                self.bind(&p.pat, ty);
            }
            Pat::Reference(p) => self.bind(&p.pat, ty),
            _ => self.visit_pat(pat),
        }
    }

    /// Where a path leads, `Self` being the type around.
    fn leads(&self, path: &syn::Path) -> Option<Thing> {
        let names = segments(path);
        match (names.as_slice(), &self.of) {
            ([first, method], Some(of)) if first == "Self" => {
                Some(Thing::Method(of.clone(), method.clone()))
            }
            _ => self.names.resolve(self.file, &names),
        }
    }

    fn type_of(&self, e: &Expr) -> Known {
        match e {
            Expr::Path(p) if p.path.is_ident("self") => self.own(),
            Expr::Path(p) => {
                let local = p.path.get_ident().and_then(|i| self.locals.get(&i.to_string()));
                local.cloned().unwrap_or(Known::No)
            }
            Expr::Field(f) => match (self.type_of(&f.base), &f.member) {
                (Known::Own(id), syn::Member::Named(name)) => {
                    self.names.field(&id, &name.to_string())
                }
                (Known::Own(id), syn::Member::Unnamed(n)) => {
                    self.names.field(&id, &n.index.to_string())
                }
                _ => Known::No,
            },
            Expr::Reference(r) => self.type_of(&r.expr),
            Expr::Paren(p) => self.type_of(&p.expr),
            Expr::Unary(u) => match u.op {
                syn::UnOp::Deref(_) => self.type_of(&u.expr),
                _ => Known::Foreign,
            },
            Expr::Struct(s) if s.path.is_ident("Self") => self.own(),
            Expr::Struct(s) => match self.names.resolve(self.file, &segments(&s.path)) {
                Some(Thing::Type(id)) => Known::Own(id),
                _ => Known::No,
            },
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => self.leads(&p.path).map_or(Known::No, |t| self.names.gives(&t)),
                _ => Known::No,
            },
            Expr::MethodCall(c) => match self.type_of(&c.receiver) {
                Known::Own(id) => self.names.gives(&Thing::Method(id, c.method.to_string())),
                _ => Known::No,
            },
            Expr::Lit(_) | Expr::Array(_) | Expr::Tuple(_) => Known::Foreign,
            _ => Known::No,
        }
    }

    fn own(&self) -> Known {
        self.of.clone().map_or(Known::No, Known::Own)
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = call.method.to_string();
        let of = match self.type_of(&call.receiver) {
            Known::Own(id) => Some(id),
            Known::Foreign => None,
            Known::No if COMMON.contains(&method.as_str()) => None,
            Known::No => self.names.only_with(&method).cloned(),
        };
        of.iter().for_each(|id| self.found.extend(self.names.files_with(id, &method)));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
        let local = e.path.get_ident().is_some_and(|i| self.locals.contains_key(&i.to_string()));
        match self.leads(&e.path) {
            Some(Thing::Function(file, _)) if !local => {
                self.found.insert(file);
            }
            Some(Thing::Method(of, name)) => {
                self.found.extend(self.names.files_with(&of, &name));
            }
            _ => {}
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let ty = local.init.as_ref().map_or(Known::No, |init| {
            self.visit_expr(&init.expr);
            init.diverge.iter().for_each(|(_, e)| self.visit_expr(e));
            self.type_of(&init.expr)
        });
        self.bind(&local.pat, ty);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.locals.insert(p.ident.to_string(), Known::No);
    }

    fn visit_pat_type(&mut self, p: &'ast syn::PatType) {
        self.bind(&p.pat, self.known(&p.ty));
    }

    /// Arguments of macros are expressions as a rule.
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        let all = m.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let first = |input: syn::parse::ParseStream<'_>| {
            let e = input.parse::<Expr>()?;
            input.step(|at| {
                let rest = std::iter::successors(Some(*at), |c| c.token_tree().map(|(_, c)| c));
                Ok(((), rest.last().unwrap_or(*at)))
            })?;
            Ok(e)
        };
        match all {
            Ok(all) => all.iter().for_each(|e| self.visit_expr(e)),
            Err(_) => m.parse_body_with(first).iter().for_each(|e| self.visit_expr(e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges_of(texts: &[(&str, &str)]) -> Vec<Vec<usize>> {
        let parse = |(path, text): &(&str, &str)| Source::parse(path.to_string(), text);
        let files: Vec<Source> = texts.iter().map(|f| parse(f).expect("it is Rust")).collect();
        let names = Names::of(&files);
        edges(&files, &names).into_iter().map(|e| e.into_iter().collect()).collect()
    }

    #[test]
    fn methods_are_found_by_the_type_of_what_they_are_called_on() {
        let deep = "pub struct Deep;
            impl Deep {
                pub fn len(&self) {}
                pub fn push(&mut self, n: u8) { crate::one::begin(self) }
            }";
        let one = "use crate::deep::Deep;
            use crate::walk::Walk;
            impl Walk { pub fn one(&mut self) {} }
            pub fn begin(d: &mut Deep) { d.push(1); vec![2].push(3); }";
        let walk = "use crate::deep::Deep;
            pub struct Walk { deep: Deep }
            impl Walk { pub fn all(&mut self) { self.one(); self.deep.len(); } }";
        let found =
            edges_of(&[("deep.rs", deep), ("one.rs", one), ("walk.rs", walk), ("lib.rs", "")]);
        assert_eq!(found, [vec![1], vec![0], vec![0, 1], vec![]]);
    }

    #[test]
    fn functions_are_found_through_imports_and_in_macros() {
        let a = "pub use crate::b::inner as other; pub fn f() {}";
        let b = "use super::a::f; pub fn inner() { assert!(f() == ()); }";
        let c = "use crate::a;
            fn g() { let f = 1; h(f); [1].map(a::other); }
            fn h(f: u8) {}
            #[cfg(test)] mod tests { fn t() { crate::a::f() } }";
        let found = edges_of(&[("a.rs", a), ("b.rs", b), ("c.rs", c), ("lib.rs", "")]);
        assert_eq!(found, [vec![], vec![0], vec![1, 2], vec![]]);
    }
}
