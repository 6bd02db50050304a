//! Types as written, and values held against them.

use crate::declared::Declared;
use crate::handles::Applied;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, Nominal, Ty};
use crate::typed::forms::is_absent;
use crate::typed::runs::{Stated, has_run, least_rank};
use crate::typed::types::parameters;
use crate::typed::values::error_expr;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_scalar::ScalarType;
use weft_shape::{CheckSubject, Size, SizeCheck, SizeRelation};

impl Applied<'_, '_> {
    /// A value held against an annotation.
    pub fn annotated(&mut self, e: Expr, ty: &hir::Type) -> Expr {
        match self.checker.cx().conversions().declared(ty) {
            Some(declared) => self.held_against(e, &declared, ty.span),
            None => error_expr(e.span),
        }
    }

    pub fn held_against(&mut self, e: Expr, declared: &Declared, at: Span) -> Expr {
        if e.ty == Ty::Error {
            return e;
        }
        let e = match declared {
            Declared::Scalar(_) | Declared::Array(..) => self.checker.cx().operators().seeded(e),
            _ => e,
        };
        match (declared, e.ty.clone()) {
            (Declared::Scalar(t), Ty::Array(_, shape)) if shape.is_empty() => {
                self.checker.cx().conversions().expect_elem(e, Elem::Fixed(*t), "this value")
            }
            (Declared::Array(t, Some(dims)), _)
                if dims.len() > 1 && !has_run(dims) && is_absent(&e.ty) =>
            {
                self.nothing_of(e, *t, dims, at)
            }
            (Declared::Array(t, dims), Ty::Array(_, shape))
                if !shape.is_empty() || dims.as_ref().is_some_and(|d| least_rank(d) == 0) =>
            {
                let e =
                    self.checker.cx().conversions().expect_elem(e, Elem::Fixed(*t), "this value");
                match dims {
                    Some(dims) => self.stated_shape(e, dims, at),
                    None if shape.len() == 1 || e.ty == Ty::Error => e,
                    None => self.checker.cx().conversions().rank_stated(e, 1, shape.len(), at),
                }
            }
            (Declared::Str, Ty::Str) => e,
            (Declared::Tuple(ds), Ty::Tuple(ts)) if ds.len() == ts.len() => {
                self.members_against(e, ds, at)
            }
            (Declared::Error, _) => error_expr(e.span),
            (Declared::List(of), Ty::List(_)) => {
                self.checker.cx().conversions().list_against(e, of, at)
            }
            (Declared::Fn(count), Ty::Named(Nominal::Function(f), _)) => {
                self.function_against(e, f, *count, at)
            }
            (Declared::Cells(..), Ty::Named(Nominal::Cells { .. }, _)) => e,
            (Declared::Named(id, args), _)
                if let Some(held) =
                    self.checker.matches().held_by_named(e.clone(), *id, args, at) =>
            {
                held
            }
            _ => {
                let found = self.checker.at().show_ty(&e.ty);
                let here = at == e.span;
                let stated = if here {
                    self.checker.at().show_declared(declared)
                } else {
                    self.checker.at().text(at)
                };
                let d = Diagnostic::error(Code::E0308, format!("expected {stated}, found {found}"))
                    .primary(e.span, format!("this is {found}"));
                let d = if here { d } else { d.secondary(at, "stated here") };
                self.checker.error(d)
            }
        }
    }

    /// An array literal as the list that is stated: its elements adapt to what is stated of
    /// them. None of what is no such literal.
    pub fn stated_list(&mut self, e: &hir::Expr, stated: &Declared, at: Span) -> Option<Expr> {
        let (hir::ExprKind::Array(elements), Declared::List(of)) = (&e.kind, stated) else {
            return None;
        };
        let mut all = Vec::new();
        for element in elements {
            let row = match self.stated_list(element, of, at) {
                Some(row) => row,
                None => {
                    let row = self.checker.expr(element);
                    self.held_against(row, of, at)
                }
            };
            if row.ty == Ty::Error {
                return Some(error_expr(e.span));
            }
            all.push(row);
        }
        Some(match all.is_empty() {
            true => self.checker.expr(e),
            false => self.checker.cx().parts().list_of(all, e.span),
        })
    }

    fn function_against(&mut self, e: Expr, f: crate::thir::FnId, count: usize, at: Span) -> Expr {
        let params = &self.checker.functions[f].def.params;
        let least = params.iter().filter(|p| p.default.is_none()).count();
        if (least..=params.len()).contains(&count) {
            return e;
        }
        let has = params.len();
        let d = Diagnostic::error(
            Code::E0308,
            format!("expected a function of {}, found one of {has}", parameters(count)),
        )
        .primary(e.span, format!("this takes {has}"))
        .secondary(at, "stated here");
        self.checker.error(d)
    }

    fn members_against(&mut self, e: Expr, declared: &[Declared], at: Span) -> Expr {
        let span = e.span;
        let members: Vec<Expr> = (0..declared.len())
            .map(|n| {
                let m = self.checker.cx().parts().member(e.clone(), n, span);
                self.held_against(m, &declared[n], at)
            })
            .collect();
        let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
        rejoined(e, members, ty)
    }

    /// The annotation of a clause: the type of one cell.
    pub fn annotated_cell(&mut self, e: Expr, ty: &hir::Type) -> Expr {
        if e.ty == Ty::Error {
            return e;
        }
        match (self.checker.cx().conversions().declared(ty), e.ty.rank()) {
            (Some(Declared::Scalar(t)), Some(0)) => {
                self.checker.cx().conversions().expect_elem(e, Elem::Fixed(t), "a cell")
            }
            (Some(declared), _) => self.held_against(e, &declared, ty.span),
            (None, _) => error_expr(e.span),
        }
    }

    /// `[]` as a tensor of several axes, the first of extent 0.
    fn nothing_of(&mut self, e: Expr, t: ScalarType, dims: &[hir::Dim], at: Span) -> Expr {
        let mut shape = vec![Size::from(0)];
        for dim in &dims[1..] {
            shape.push(self.dim(dim, None).unwrap_or_else(|| Size::from(0)));
        }
        let e = Expr { ty: Ty::Array(Elem::Fixed(t), shape), ..e };
        self.stated_shape(e, dims, at)
    }

    /// Holds a tensor's extents against stated dims; `as [T; n]` binds new names.
    pub fn stated_shape(&mut self, e: Expr, dims: &[hir::Dim], at: Span) -> Expr {
        let Some(shape) = e.ty.shape().map(<[Size]>::to_vec) else { return e };
        if !has_run(dims) && dims.len() != shape.len() {
            return self.checker.cx().conversions().rank_stated(e, dims.len(), shape.len(), at);
        }
        let Some(axes) = self.checker.cx().conversions().stated_axes(dims, &shape, at) else {
            return error_expr(e.span);
        };
        let what = self.checker.at().text(e.span);
        let value = Some(self.checker.at().excerpt(e.span));
        let mut agreed = shape.clone();
        for (axis, (dim, found)) in axes.into_iter().zip(shape).enumerate() {
            let stated = match dim {
                Stated::Dim(dim) => self.dim(dim, Some(&found)).map(|s| (s, dim.span)),
                Stated::Known(size, span) => Some((size, span)),
                Stated::Free => None,
            };
            if let Some((stated, span)) = stated {
                let subject =
                    CheckSubject::Stated { what: what.clone(), span, value: value.clone(), axis };
                // From here on (under the check, or after an error) it is what is stated.
                agreed[axis] = stated.clone();
                self.checker.cx().require(SizeCheck {
                    when: Vec::new(),
                    relation: SizeRelation::Equal,
                    left: stated,
                    right: found,
                    subject,
                    chain: Vec::new(),
                });
            }
        }
        let elem = e.ty.elem().expect("it has a shape");
        Expr { ty: Ty::Array(elem, agreed), ..e }
    }

    /// A stated extent. A new bare name is bound to `found`.
    pub fn dim(&mut self, dim: &hir::Dim, found: Option<&Size>) -> Option<Size> {
        match &dim.kind {
            hir::DimKind::Name(name) => match (self.checker.lookup(name.var), found) {
                (Some(Binding::Local(_) | Binding::Const(_)), _) => {
                    let e = self.checker.expr(&hir::Expr::of_var(name, name.span));
                    self.checker.cx().leaves().size_required(&e, "an extent")
                }
                (None, Some(found)) => {
                    let term = weft_domain::Affine::fixed(found.clone());
                    let ty = Ty::scalar(Elem::OpenInt);
                    let id = self.checker.cx().local(&name.name, name.span, ty, Some(term));
                    self.checker.cx().bind(name.var, Binding::Local(id));
                    None
                }
                _ => {
                    let d =
                        Diagnostic::error(Code::E0425, format!("unknown extent `{}`", name.name))
                            .primary(name.span, "not an integer in scope");
                    self.checker.report(d);
                    None
                }
            },
            hir::DimKind::Expr(e) => {
                let e = self.checker.expr(e);
                self.checker.cx().leaves().size_required(&e, "an extent")
            }
            hir::DimKind::Unknown
            | hir::DimKind::Error
            | hir::DimKind::Star
            | hir::DimKind::Rest(_) => None,
        }
    }
}

/// A value taken apart and held against a type member by member, as a whole again: itself
/// where nothing was converted, so that it is computed once; `()` too, which may have effects.
pub(crate) fn rejoined(e: Expr, members: Vec<Expr>, ty: Ty) -> Expr {
    let taken = |m: &Expr| matches!(m.kind, crate::thir::ExprKind::Field(..));
    if e.ty == ty && members.iter().all(taken) {
        return e;
    }
    let span = e.span;
    crate::typed::values::value(crate::thir::ExprKind::Tuple(members), ty, span)
}
