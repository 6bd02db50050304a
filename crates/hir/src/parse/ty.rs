//! Types, read.

use super::form::Form;
use super::{Parser, Result, nowhere};
use crate::sexp::Sexp;
use crate::{Dim, DimKind, JaggedRank, Prim, Type, TypeDef, TypeKind, Variant};

pub(super) fn ty(p: &Parser, e: &Sexp) -> Result<Type> {
    let kind = match e.as_word() {
        Some("error") => TypeKind::Error,
        Some(_) => TypeKind::Prim(prim(e)?),
        None => type_form(p, e)?,
    };
    Ok(Type { span: nowhere(), kind })
}

fn type_form(p: &Parser, e: &Sexp) -> Result<TypeKind> {
    let mut form = Form::new(e)?;
    form.next();
    let kind = match e.head() {
        Some("vector") => TypeKind::Array { elem: Box::new(next_type(p, &mut form)?), dims: None },
        Some("array") => {
            let elem = Box::new(next_type(p, &mut form)?);
            TypeKind::Array { elem, dims: Some(form.map(|d| dim(p, d))?) }
        }
        Some("jagged") => {
            let elem = prim(form.any("a type")?)?;
            TypeKind::Jagged { elem, rank: jagged_rank(&mut form)? }
        }
        Some("tuple") => TypeKind::Tuple(form.map(|t| ty(p, t))?),
        Some("fn") => TypeKind::Fn { params: form.count()? },
        Some("named") => {
            let named = p.next_var(&mut form)?;
            TypeKind::Named { ty: named, args: form.map(|t| ty(p, t))? }
        }
        Some("generic") => TypeKind::Generic(form.count()?),
        _ => return Err(e.at.error("expected a type")),
    };
    form.end()?;
    Ok(kind)
}

pub(super) fn next_type(p: &Parser, form: &mut Form<'_>) -> Result<Type> {
    ty(p, form.any("a type")?)
}

fn dim(p: &Parser, e: &Sexp) -> Result<Dim> {
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
                "expr" => DimKind::Expr(p.expr(inside)?),
                _ => DimKind::Rest(p.ident(inside)?),
            }
        }
        _ => DimKind::Name(p.ident(e)?),
    };
    Ok(Dim { span: nowhere(), kind })
}

/// A struct or an enum.
pub(super) fn type_def(p: &Parser, e: &Sexp) -> Result<TypeDef> {
    let is_enum = e.head() == Some("enum");
    let mut form = Form::new(e)?;
    form.next();
    let name = p.next_ident(&mut form)?;
    let mut generics = Vec::new();
    if let Some(mut all) = form.optional("generics") {
        while all.len() > 0 {
            generics.push(all.label()?);
        }
    }
    let variants = form.map(|v| variant(p, v))?;
    Ok(TypeDef { name, generics, is_enum, variants })
}

fn variant(p: &Parser, e: &Sexp) -> Result<Variant> {
    let mut form = Form::new(e)?;
    form.word("variant")?;
    let name = form.label()?;
    let fields = form.map(|e| match e.head() {
        Some("field") => {
            let mut form = Form::new(e)?;
            form.next();
            let name = form.label()?;
            let ty = next_type(p, &mut form)?;
            form.end()?;
            Ok((Some(name), ty))
        }
        _ => Ok((None, ty(p, e)?)),
    })?;
    Ok(Variant { name, fields })
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
