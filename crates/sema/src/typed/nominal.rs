//! Structs and enums: constructors and fields by name.

use crate::declared::{Declared, TypeInfo};
use crate::prove::pattern::Constructor;
use crate::thir::{Elem, Expr, ExprKind, Members, Nominal, Ty};
use crate::typed::handles::Patterns;
use crate::typed::values::{absent, constant, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir, VarId};
use weft_resolve::suggest::suggest;
use weft_scalar::{Scalar, ScalarType};

impl Patterns<'_, '_> {
    /// The variant of an enum that a path names; one that is not there is reported.
    pub fn variant_of(&mut self, of: VarId, name: &hir::Label) -> Option<Constructor> {
        self.cx.types.clone().variant_of(of, name).unwrap_or_else(|d| {
            self.cx.report(*d);
            None
        })
    }

    /// The struct or variant that a path names; where it names none that is reported, with `what`
    /// at the path.
    pub fn known_constructor(
        &mut self,
        path: &hir::Constructor,
        what: &str,
    ) -> Option<Constructor> {
        let lost = match self.cx.types.constructor(path) {
            Ok(Some(found)) => return Some(found),
            Ok(None) => {
                let text = self.cx.text(path.span);
                let headline = format!("`{text}` is no struct and no variant");
                Diagnostic::error(Code::E0412, headline).primary(path.span, what)
            }
            Err(lost) => *lost,
        };
        self.cx.report(lost);
        None
    }

    pub fn field_twice(&mut self, c: Constructor, name: &hir::Label) {
        let of = self.cx.types.constructor_name(c);
        let d = Diagnostic::error(Code::E0061, format!("`{}` is given twice in `{of}`", name.name))
            .primary(name.span, "given again here");
        self.cx.report(d);
    }

    /// A name that is no field of a struct or variant.
    pub fn unknown_field(&mut self, c: Constructor, name: &hir::Label, known: &[Option<Name>]) {
        let of = self.cx.types.constructor_name(c);
        let d = Diagnostic::error(Code::E0311, format!("`{of}` has no field `{}`", name.name))
            .primary(name.span, "unknown field")
            .secondary(self.cx.types.def(c.ty).span, "defined here");
        let known = known.iter().flatten().map(|n| n.to_string()).collect();
        let d = suggest(d, name, known);
        self.cx.report(d);
    }

    /// The tuple that a value of a variant is.
    pub fn variant_members(
        &mut self,
        c: Constructor,
        info: &TypeInfo,
        held: Vec<Expr>,
        span: Span,
    ) -> Vec<Expr> {
        let i32 = Elem::Fixed(ScalarType::I32);
        let mut members = vec![constant(Scalar::I32(c.variant as i32), i32, span)];
        let mut held = Some(held);
        for (v, fields) in info.fields.iter().enumerate() {
            if v == c.variant {
                members.extend(held.take().unwrap_or_default());
            } else {
                members.extend(fields.iter().map(|d| self.filler(d, span)));
            }
        }
        members
    }

    /// What stands in the place of a field that a value lacks: a zero of its type where
    /// that is known, so that all values of the enum have one type. Nobody reads it.
    pub fn filler(&mut self, d: &Declared, span: Span) -> Expr {
        let all = |c: &mut Self, ds: &[Declared]| -> Option<Vec<Expr>> {
            let all: Vec<Expr> = ds.iter().map(|d| c.filler(d, span)).collect();
            all.iter().all(|e| e.ty != Ty::Absent).then_some(all)
        };
        let tuple = |members: Vec<Expr>, like: Ty| {
            let ty = like.with_members(members.iter().map(|m| m.ty.clone()).collect());
            value(ExprKind::Tuple(members), ty, span)
        };
        let filled = match d {
            Declared::Scalar(t) => Some(constant(Scalar::zero(*t), Elem::Fixed(*t), span)),
            Declared::Str => Some(value(ExprKind::Str(Vec::new()), Ty::Str, span)),
            Declared::Tuple(ds) => all(self, ds).map(|ms| tuple(ms, Ty::unit())),
            Declared::Named(id, args) if !self.cx.types.info(*id).recursive => {
                let info = self.cx.types.info(*id).clone();
                let is_enum = self.cx.types.def(*id).is_enum;
                let fields: Vec<Declared> =
                    info.fields.iter().flatten().map(|d| d.with_args(args)).collect();
                all(self, &fields).map(|mut members| {
                    let label = match is_enum {
                        true => Nominal::Enum(*id),
                        false => Nominal::Struct(*id),
                    };
                    if is_enum {
                        let i32 = Elem::Fixed(ScalarType::I32);
                        members.insert(0, constant(Scalar::I32(0), i32, span));
                    }
                    tuple(members, Ty::Named(label, Members::default()))
                })
            }
            _ => None,
        };
        filled.unwrap_or_else(|| absent(span))
    }

    /// `p.0` of a struct without names.
    pub fn numbered_field(&mut self, base: Expr, n: usize, span: Span) -> Expr {
        match &base.ty {
            Ty::Named(Nominal::Struct(id), _)
                if self.cx.types.def(*id).variants[0].fields.iter().all(Option::is_none) =>
            {
                self.cx.parts().member(base, n, span)
            }
            Ty::Named(Nominal::Cells { .. }, _) => {
                self.cx.targets().numbered_field_of_cells(base, n, span)
            }
            _ => {
                let found = self.cx.show_ty(&base.ty);
                let d = Diagnostic::error(Code::E0311, format!("{found} has no field {n}"))
                    .primary(span, "its members have no numbers");
                self.cx.error(d)
            }
        }
    }
}
