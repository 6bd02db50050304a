//! Types as declared, for what is held against them.

use crate::declared::Declared;
use crate::thir::{Elem, Expr, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Conversions;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_scalar::ScalarType;

impl Conversions<'_, '_> {
    /// A type as declared; what is wrong with it is reported.
    pub fn declared(&mut self, ty: &hir::Type) -> Option<Declared> {
        let mut found = Vec::new();
        let declared = self.cx.types.declared(ty, &mut found);
        found.into_iter().for_each(|d| self.cx.report(d));
        declared
    }

    /// An element type; others are refused by name.
    pub fn scalar_type(&mut self, ty: &hir::Type) -> Option<ScalarType> {
        let mut found = Vec::new();
        let scalar = self.cx.types.scalar(ty, &mut found);
        found.into_iter().for_each(|d| self.cx.report(d));
        scalar
    }

    pub fn list_against(&mut self, e: Expr, of: &Declared, at: Span) -> Expr {
        let Ty::List(found) = &e.ty else { return e };
        if fits(of, found) {
            return e;
        }
        let (found, stated) = (self.cx.show_ty(&e.ty), self.cx.text(at));
        let d = Diagnostic::error(Code::E0308, format!("expected {stated}, found {found}"))
            .primary(e.span, format!("this is {found}"))
            .secondary(at, "stated here");
        self.cx.error(d)
    }

    pub fn rank_stated(&mut self, e: Expr, stated: usize, found: usize, at: Span) -> Expr {
        let d =
            Diagnostic::error(Code::E0308, format!("expected rank {stated}, found rank {found}"))
                .primary(e.span, format!("this has {found} axes"))
                .secondary(at, "stated here");
        self.cx.error(d)
    }
}

impl BodyCx<'_> {
    /// A declared type for messages.
    pub fn show_declared(&self, declared: &Declared) -> String {
        match declared {
            Declared::Scalar(t) => t.name().into(),
            Declared::Array(t, _) => format!("a tensor of {t}"),
            Declared::Str => "str".into(),
            Declared::Tuple(ds) => {
                let all: Vec<String> = ds.iter().map(|d| self.show_declared(d)).collect();
                format!("({})", all.join(", "))
            }
            Declared::Named(id, _) => self.types.def(*id).name.to_string(),
            Declared::Generic(_) | Declared::Error => "another type".into(),
            Declared::GenericArray(..) | Declared::Cells(..) => "a tensor".into(),
            Declared::List(of) => format!("a list of {}", self.show_declared(of)),
            Declared::Fn(count) => format!("a function of {}", parameters(*count)),
        }
    }
}

pub(crate) fn parameters(count: usize) -> String {
    match count {
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

/// Whether elements are what is stated of them.
pub(crate) fn fits(stated: &Declared, found: &Ty) -> bool {
    match (stated, found) {
        (Declared::Array(t, _), Ty::Array(elem, _)) => *elem == Elem::Fixed(*t),
        (Declared::Str, Ty::Str) => true,
        (Declared::List(of), Ty::List(found)) => fits(of, found),
        (Declared::Named(id, _), Ty::Boxed(other, _)) => id == other,
        (_, Ty::Absent) => true,
        _ => false,
    }
}
