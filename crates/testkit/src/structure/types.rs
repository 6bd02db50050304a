//! Types as they stand in signatures and fields, as far as that says whose methods are called.

use super::names::{Names, Thing};
use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

/// A type or trait of the crate: the file that defines it, and its name.
pub type TypeId = (usize, String);

/// What is known of a type.
#[derive(Clone, PartialEq, Eq)]
pub enum Known {
    /// It is of the crate.
    Own(TypeId),
    /// It is of another.
    Foreign,
    /// It cannot be told.
    No,
}

/// Pointers that are called through.
const POINTERS: [&str; 6] = ["Box", "Rc", "Arc", "Ref", "RefMut", "Cow"];

/// What a type says in a file, where `Self` is `of`; `generics` are names that say nothing.
pub fn known(
    ty: &Type,
    file: usize,
    of: Option<&TypeId>,
    generics: &[String],
    names: &Names<'_>,
) -> Known {
    let inner = |ty: &Type| known(ty, file, of, generics, names);
    match ty {
        Type::Reference(r) => inner(&r.elem),
        Type::Paren(p) => inner(&p.elem),
        Type::Group(g) => inner(&g.elem),
        Type::TraitObject(t) => bound(&t.bounds, file, names),
        Type::ImplTrait(t) => bound(&t.bounds, file, names),
        Type::Path(p) => {
            let Some(last) = p.path.segments.last() else { return Known::No };
            let name = last.ident.to_string();
            if p.path.is_ident("Self") {
                return of.map_or(Known::No, |t| Known::Own(t.clone()));
            }
            if p.qself.is_some() || p.path.segments.len() == 1 && generics.contains(&name) {
                return Known::No;
            }
            if POINTERS.contains(&name.as_str()) {
                return argument(&last.arguments).map_or(Known::Foreign, inner);
            }
            match names.resolve(file, &segments(&p.path)) {
                Some(Thing::Type(id)) => names.alias(&id).map_or(Known::Own(id), inner_of(names)),
                _ => Known::Foreign,
            }
        }
        Type::Tuple(_) | Type::Slice(_) | Type::Array(_) | Type::Never(_) => Known::Foreign,
        _ => Known::No,
    }
}

/// What another name of a type stands for.
fn inner_of(names: &Names<'_>) -> impl Fn((usize, &Type)) -> Known {
    move |(file, ty)| known(ty, file, None, &[], names)
}

fn bound<'a>(
    bounds: impl IntoIterator<Item = &'a TypeParamBound>,
    file: usize,
    names: &Names<'_>,
) -> Known {
    let found = bounds.into_iter().find_map(|b| match b {
        TypeParamBound::Trait(t) => names.resolve(file, &segments(&t.path)),
        _ => None,
    });
    match found {
        Some(Thing::Type(id)) => Known::Own(id),
        _ => Known::No,
    }
}

fn argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(all) = arguments else { return None };
    all.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The names of a path.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// The names of type parameters.
pub fn parameters(generics: &syn::Generics) -> Vec<String> {
    generics.type_params().map(|p| p.ident.to_string()).collect()
}
