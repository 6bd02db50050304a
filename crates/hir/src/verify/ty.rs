//! Types and their definitions.

use super::Verifier;
use super::scopes::Binder;
use crate::{DimKind, Ident, Type, TypeDef, TypeKind};

impl Verifier<'_> {
    /// A struct or an enum.
    pub(super) fn type_def(&mut self, def: &TypeDef) {
        self.generics = def.generics.len();
        self.scoped(|v| {
            let fields = def.variants.iter().flat_map(|variant| &variant.fields);
            fields.for_each(|(_, ty)| v.ty(ty));
        });
        self.generics = 0;
        if !def.is_enum && def.variants.len() != 1 {
            self.wrong(def.name.var, "is a struct without one body");
        }
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Error | TypeKind::Prim(_) | TypeKind::Jagged { .. } | TypeKind::Fn { .. } => {
            }
            TypeKind::Array { elem, dims } => {
                self.ty(elem);
                dims.iter().flatten().for_each(|d| self.dim(&d.kind));
            }
            TypeKind::Tuple(members) => members.iter().for_each(|t| self.ty(t)),
            TypeKind::Named { ty, args } => {
                self.scopes.used_as(*ty, &[Binder::Struct, Binder::Enum], "a type");
                args.iter().for_each(|t| self.ty(t));
            }
            TypeKind::Generic(n) if *n >= self.generics => {
                self.scopes.wrong(format!("there is no type parameter {n} here"));
            }
            TypeKind::Generic(_) => {}
        }
    }

    fn dim(&mut self, dim: &DimKind) {
        match dim {
            DimKind::Error | DimKind::Unknown | DimKind::Star => {}
            DimKind::Name(name) | DimKind::Rest(name) => self.extent(name),
            DimKind::Expr(e) => self.expr(e),
        }
    }

    /// A name that is bound here where nothing else binds it.
    fn extent(&mut self, name: &Ident) {
        if self.scopes.is_bound(name.var) {
            self.scopes.used(name.var);
        } else {
            self.scopes.bind(name.var, Binder::Extent);
        }
    }
}
