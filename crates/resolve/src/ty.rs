//! Types as written, and definitions of types.

use crate::resolver::Resolver;
use crate::scope::Binding;
use crate::unknown::Unknown;
use std::rc::Rc;
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir, Ident, VarId};
use weft_syntax::ast;

impl Resolver<'_> {
    /// A type; what is no type is reported.
    pub fn ty(&mut self, ty: &ast::Type) -> hir::Type {
        Types { r: self, params: &[] }.ty(ty)
    }

    /// Notes a struct or an enum, in a scope of its own.
    pub fn type_def(&mut self, stmt: &ast::Stmt, var: VarId) {
        let (name, generics) = match &stmt.kind {
            ast::StmtKind::Struct(s) => (&s.name, &s.generics),
            ast::StmtKind::Enum(e) => (&e.name, &e.generics),
            _ => return,
        };
        let variants = self.scoped(|r| Types { r, params: generics }.variants(stmt));
        let is_enum = matches!(stmt.kind, ast::StmtKind::Enum(_));
        let name = Ident { name: name.name.clone(), span: name.span, var };
        let def = hir::TypeDef { name, generics: generics.clone(), is_enum, variants };
        self.types.push(Rc::new(def));
    }
}

/// Types, where some names are type parameters.
struct Types<'r, 'a, 't> {
    r: &'r mut Resolver<'a>,
    /// Of the struct or enum around.
    params: &'t [ast::Ident],
}

impl Types<'_, '_, '_> {
    /// A type; what is no type is reported.
    fn ty(&mut self, ty: &ast::Type) -> hir::Type {
        let kind = match &ty.kind {
            ast::TypeKind::Error => hir::TypeKind::Error,
            ast::TypeKind::Prim(p) => hir::TypeKind::Prim(*p),
            ast::TypeKind::Array { elem, dims } => {
                let elem = Box::new(self.ty(elem));
                let dims = dims.as_ref().map(|all| all.iter().map(|d| self.dim(d)).collect());
                hir::TypeKind::Array { elem, dims }
            }
            ast::TypeKind::Jagged { elem, rank } => {
                hir::TypeKind::Jagged { elem: *elem, rank: *rank }
            }
            ast::TypeKind::Tuple(members) => {
                hir::TypeKind::Tuple(members.iter().map(|m| self.ty(m)).collect())
            }
            ast::TypeKind::Fn { params, .. } => hir::TypeKind::Fn { params: params.len() },
            ast::TypeKind::Path { path, args } => self.named_type(path, args),
        };
        hir::Type { span: ty.span, kind }
    }

    /// A struct, an enum, or a type parameter.
    fn named_type(&mut self, path: &ast::Path, args: &[ast::Type]) -> hir::TypeKind {
        let name = path.as_name().map(|n| &n.name);
        if let Some(n) = self.params.iter().position(|p| Some(&p.name) == name) {
            return hir::TypeKind::Generic(n);
        }
        let Some(id) = self.r.m.type_at(&path.segments) else {
            let d = Unknown::new(&mut self.r.m).ty(path, args);
            self.r.report(d);
            return hir::TypeKind::Error;
        };
        let ty = self.r.m.types[id].var;
        hir::TypeKind::Named { ty, args: args.iter().map(|a| self.ty(a)).collect() }
    }

    fn dim(&mut self, dim: &ast::Dim) -> hir::Dim {
        let kind = match &dim.kind {
            ast::DimKind::Error => hir::DimKind::Error,
            ast::DimKind::Name(name) => self.dim_name(name),
            ast::DimKind::Expr(e) => hir::DimKind::Expr(self.r.expr(e)),
            ast::DimKind::Unknown => hir::DimKind::Unknown,
            ast::DimKind::Star => hir::DimKind::Star,
            ast::DimKind::Rest(name) => hir::DimKind::Rest(self.r.ident(name)),
        };
        hir::Dim { span: dim.span, kind }
    }

    /// A name as an extent: where it means nothing, it is bound here.
    fn dim_name(&mut self, name: &ast::Ident) -> hir::DimKind {
        if let Some(var) = self.r.m.var_of(name.as_str()) {
            let ident = Ident { name: name.name.clone(), span: name.span, var };
            return hir::DimKind::Name(ident);
        }
        match self.r.m.lookup(name.as_str()) {
            None => hir::DimKind::Name(self.r.bind_value(name)),
            Some(Binding::Poisoned) => hir::DimKind::Error,
            Some(_) => {
                let d = Diagnostic::error(Code::E0425, format!("unknown extent `{}`", name.name))
                    .primary(name.span, "not an integer in scope");
                self.r.report(d);
                hir::DimKind::Error
            }
        }
    }

    fn variants(&mut self, stmt: &ast::Stmt) -> Vec<hir::Variant> {
        match &stmt.kind {
            ast::StmtKind::Struct(s) => {
                let fields = self.fields(&s.body);
                vec![hir::Variant { name: s.name.clone(), fields }]
            }
            ast::StmtKind::Enum(e) => {
                let variant = |v: &ast::Variant| {
                    let fields = self.fields(&v.body);
                    hir::Variant { name: v.name.clone(), fields }
                };
                e.variants.iter().map(variant).collect()
            }
            _ => Vec::new(),
        }
    }

    fn fields(&mut self, body: &ast::VariantBody) -> Vec<(Option<hir::Label>, hir::Type)> {
        match body {
            ast::VariantBody::Unit => Vec::new(),
            ast::VariantBody::Tuple(types) => types.iter().map(|t| (None, self.ty(t))).collect(),
            ast::VariantBody::Record(fields) => {
                fields.iter().map(|f| (Some(f.name.clone()), self.ty(&f.ty))).collect()
            }
        }
    }
}
