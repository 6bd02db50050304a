//! Types, read.

use super::form::Form;
use super::{Parser, Result, nowhere};
use crate::sexp::Sexp;
use crate::{Dim, DimKind, JaggedRank, Prim, Type, TypeDef, TypeKind, Variant};

impl Parser {
    pub(super) fn ty(&self, e: &Sexp) -> Result<Type> {
        let kind = match e.as_word() {
            Some("error") => TypeKind::Error,
            Some(_) => TypeKind::Prim(prim(e)?),
            None => self.type_form(e)?,
        };
        Ok(Type { span: nowhere(), kind })
    }

    fn type_form(&self, e: &Sexp) -> Result<TypeKind> {
        let mut form = Form::new(e)?;
        form.next();
        let kind = match e.head() {
            Some("vector") => {
                TypeKind::Array { elem: Box::new(self.next_type(&mut form)?), dims: None }
            }
            Some("array") => {
                let elem = Box::new(self.next_type(&mut form)?);
                TypeKind::Array { elem, dims: Some(form.map(|d| self.dim(d))?) }
            }
            Some("jagged") => {
                let elem = prim(form.any("a type")?)?;
                TypeKind::Jagged { elem, rank: jagged_rank(&mut form)? }
            }
            Some("tuple") => TypeKind::Tuple(form.map(|t| self.ty(t))?),
            Some("fn") => TypeKind::Fn { params: form.count()? },
            Some("named") => {
                let ty = self.next_var(&mut form)?;
                TypeKind::Named { ty, args: form.map(|t| self.ty(t))? }
            }
            Some("generic") => TypeKind::Generic(form.count()?),
            _ => return Err(e.at.error("expected a type")),
        };
        form.end()?;
        Ok(kind)
    }

    pub(super) fn next_type(&self, form: &mut Form<'_>) -> Result<Type> {
        self.ty(form.any("a type")?)
    }

    fn dim(&self, e: &Sexp) -> Result<Dim> {
        let kind = match (e.as_word(), e.head()) {
            (Some("error"), _) => DimKind::Error,
            (Some("?"), _) => DimKind::Unknown,
            (Some("*"), _) => DimKind::Star,
            (_, Some(head @ ("expr" | "rest"))) => {
                let mut form = Form::new(e)?;
                form.next();
                let inside = form.any("an extent")?;
                form.end()?;
                match head {
                    "expr" => DimKind::Expr(self.expr(inside)?),
                    _ => DimKind::Rest(self.ident(inside)?),
                }
            }
            _ => DimKind::Name(self.ident(e)?),
        };
        Ok(Dim { span: nowhere(), kind })
    }

    /// A struct or an enum.
    pub(super) fn type_def(&self, e: &Sexp) -> Result<TypeDef> {
        let is_enum = e.head() == Some("enum");
        let mut form = Form::new(e)?;
        form.next();
        let name = self.next_ident(&mut form)?;
        let mut generics = Vec::new();
        if let Some(mut all) = form.optional("generics") {
            while all.len() > 0 {
                generics.push(all.label()?);
            }
        }
        let variants = form.map(|v| self.variant(v))?;
        Ok(TypeDef { name, generics, is_enum, variants })
    }

    fn variant(&self, e: &Sexp) -> Result<Variant> {
        let mut form = Form::new(e)?;
        form.word("variant")?;
        let name = form.label()?;
        let fields = form.map(|e| match e.head() {
            Some("field") => {
                let mut form = Form::new(e)?;
                form.next();
                let name = form.label()?;
                let ty = self.next_type(&mut form)?;
                form.end()?;
                Ok((Some(name), ty))
            }
            _ => Ok((None, self.ty(e)?)),
        })?;
        Ok(Variant { name, fields })
    }
}

/// A type that has a word of its own.
fn prim(e: &Sexp) -> Result<Prim> {
    let found = e.as_word().and_then(|w| Prim::from_name(w).filter(|p| p.as_str() == w));
    found.ok_or_else(|| e.at.error("expected a type"))
}

fn jagged_rank(form: &mut Form<'_>) -> Result<Option<JaggedRank>> {
    if form.len() == 0 {
        return Ok(None);
    }
    if form.flag("?") {
        return Ok(Some(JaggedRank::Unknown));
    }
    Ok(Some(JaggedRank::Known(form.count()?)))
}
