//! How values of a type are shown.

use std::sync::Arc;
use weft_base::Name;
use weft_host::{BoxedType, Fields, Look};
use weft_scalar::ScalarType;
use weft_sema::thir::{self, Expr, ExprKind, Nominal, Ty};

/// How the value of an expression of a body is shown: open floats as their uses say.
pub(crate) fn look_of(program: &thir::Program, e: &Expr, body: &thir::Body) -> Look {
    match (&e.kind, look(program, &e.ty)) {
        (ExprKind::Tuple(members), Look::Tuple(_)) => {
            Look::Tuple(members.iter().map(|m| look_of(program, m, body)).collect())
        }
        (_, look) => seen_as(look, e.seen_as(body)),
    }
}

/// How a named value is shown.
pub(crate) fn look_of_local(program: &thir::Program, local: &thir::Local) -> Look {
    seen_as(look(program, &local.ty), local.seen_as)
}

/// An open float as an element of the type that its uses say, if they say one.
fn seen_as(look: Look, used_as: Option<ScalarType>) -> Look {
    match (&look, used_as) {
        (Look::Open(least), Some(used)) if least.is_float() => {
            Look::Open(least.join(used).unwrap_or(used))
        }
        _ => look,
    }
}

/// How a value of a type is shown.
pub(crate) fn look(program: &thir::Program, ty: &Ty) -> Look {
    let all = |ts: &[Ty]| -> Vec<Look> { ts.iter().map(|t| look(program, t)).collect() };
    match ty {
        Ty::Array(elem, _) if elem.is_open() && *elem != thir::Elem::OpenWide => {
            match elem.closed() {
                thir::Elem::Fixed(t) => Look::Open(t),
                _ => Look::Plain,
            }
        }
        Ty::Array(..) | Ty::Differential(..) | Ty::Str | Ty::Absent | Ty::Error => Look::Plain,
        Ty::Tuple(members) => Look::Tuple(all(members)),
        Ty::Named(Nominal::Struct(id), members) => {
            let def = &program.types[*id];
            Look::Struct(Arc::new(fields(def, 0)), all(members))
        }
        Ty::Named(Nominal::Enum(id), members) => {
            let def = &program.types[*id];
            let variants: Arc<[Fields]> = (0..def.variants.len()).map(|n| fields(def, n)).collect();
            Look::Enum(variants, all(members))
        }
        Ty::Named(Nominal::Function(_), _) => Look::Function(Name::new("function")),
        Ty::Named(Nominal::Range, _) => Look::Range,
        Ty::Named(Nominal::Character, members) => Look::Tuple(all(members)),
        Ty::Named(Nominal::Cells { cell, slots }, _) => {
            Look::Cells(Box::new(look(program, cell)), *slots)
        }
        Ty::Boxed(id, _) => Look::Boxed(id.as_u32() as usize),
        Ty::List(of) => Look::List(Box::new(look(program, of))),
        Ty::Fallible(of) => Look::Fallible(Box::new(look(program, of))),
    }
}

fn fields(def: &thir::TypeDef, n: usize) -> Fields {
    let variant = &def.variants[n];
    let name = match def.is_enum {
        true => Name::new(&format!("{}::{}", def.name, variant.name)),
        false => def.name.clone(),
    };
    Fields { name, fields: variant.fields.clone() }
}

/// How values of the enums that are host data are shown, by the number of the type.
pub(crate) fn boxed_types(program: &thir::Program) -> Vec<BoxedType> {
    let variant = |def: &thir::TypeDef, n: usize| {
        let looks = def.variants[n].types.iter().map(|t| look(program, t)).collect();
        (fields(def, n), looks)
    };
    program
        .types
        .values()
        .map(|def| BoxedType {
            variants: (0..def.variants.len()).map(|n| variant(def, n)).collect(),
        })
        .collect()
}
