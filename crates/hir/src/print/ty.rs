//! Types, written.

use super::{Printer, label};
use crate::sexp::Sexp;
use crate::{Dim, DimKind, JaggedRank, Type, TypeDef, TypeKind, Variant};

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: &Type) -> Sexp {
        match &ty.kind {
            TypeKind::Error => Sexp::word("error"),
            TypeKind::Prim(prim) => Sexp::word(prim.as_str()),
            TypeKind::Array { elem, dims: None } => Sexp::form("vector", [self.ty(elem)]),
            TypeKind::Array { elem, dims: Some(dims) } => {
                let elem = self.ty(elem);
                let dims: Vec<Sexp> = dims.iter().map(|d| self.dim(d)).collect();
                Sexp::form("array", [elem].into_iter().chain(dims))
            }
            TypeKind::Jagged { elem, rank } => {
                let rank = rank.map(|rank| match rank {
                    JaggedRank::Known(n) => Sexp::word(n.to_string()),
                    JaggedRank::Unknown => Sexp::word("?"),
                });
                Sexp::form("jagged", [Sexp::word(elem.as_str())].into_iter().chain(rank))
            }
            TypeKind::Tuple(members) => Sexp::form("tuple", self.types(members)),
            TypeKind::Fn { params } => Sexp::form("fn", [Sexp::word(params.to_string())]),
            TypeKind::Named { ty, args } => {
                let ty = self.var(*ty);
                Sexp::form("named", [ty].into_iter().chain(self.types(args)))
            }
            TypeKind::Generic(n) => Sexp::form("generic", [Sexp::word(n.to_string())]),
        }
    }

    fn types(&mut self, types: &[Type]) -> Vec<Sexp> {
        types.iter().map(|t| self.ty(t)).collect()
    }

    fn dim(&mut self, dim: &Dim) -> Sexp {
        match &dim.kind {
            DimKind::Error => Sexp::word("error"),
            DimKind::Name(name) => self.ident(name),
            DimKind::Expr(e) => Sexp::form("expr", [self.expr(e)]),
            DimKind::Unknown => Sexp::word("?"),
            DimKind::Star => Sexp::word("*"),
            DimKind::Rest(name) => Sexp::form("rest", [self.ident(name)]),
        }
    }

    /// A struct or an enum.
    pub(super) fn type_def(&mut self, def: &TypeDef) -> Sexp {
        let name = self.ident(&def.name);
        let generics = (!def.generics.is_empty())
            .then(|| Sexp::form("generics", def.generics.iter().map(label)));
        let variants: Vec<Sexp> = def.variants.iter().map(|v| self.variant(v)).collect();
        let word = if def.is_enum { "enum" } else { "struct" };
        Sexp::form(word, [name].into_iter().chain(generics).chain(variants))
    }

    fn variant(&mut self, variant: &Variant) -> Sexp {
        let fields = variant.fields.iter().map(|(name, ty)| match name {
            Some(name) => Sexp::form("field", [label(name), self.ty(ty)]),
            None => self.ty(ty),
        });
        let fields: Vec<Sexp> = fields.collect();
        Sexp::form("variant", [label(&variant.name)].into_iter().chain(fields))
    }
}
