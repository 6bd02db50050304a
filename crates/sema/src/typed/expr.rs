//! Leaves: numbers, names, arrays, and expressions that must be sizes.

use crate::join::joined_elem;
use crate::thir::{Elem, Expr, ExprKind, Nominal, ParamOrigin, Stmt, Ty};
use crate::typed::body_cx::{BodyCx, Need};
use crate::typed::handles::Leaves;
use crate::typed::values::{error_expr, integer, is_beyond_i64, is_differential, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::{self as hir};
use weft_scalar::Scalar;
use weft_shape::Size;

impl Leaves<'_, '_> {
    pub fn number(&mut self, n: &hir::Number, span: Span) -> Expr {
        match n.value {
            hir::NumberValue::Int(v) => match (i64::try_from(v), u64::try_from(v)) {
                (Ok(v), _) => integer(Affine::fixed(v), span),
                // Only what makes it a `u64` or a float can take it: it is no term.
                (_, Ok(v)) => {
                    value(ExprKind::Const(Scalar::U64(v)), Ty::scalar(Elem::OpenWide), span)
                }
                _ => {
                    let d =
                        Diagnostic::error(Code::E0308, format!("`{}` does not fit `u64`", n.text))
                            .primary(span, "the largest integer type is `u64`");
                    self.cx.error(d)
                }
            },
            hir::NumberValue::Float(v) => self.float(v, span),
        }
    }

    pub fn float(&mut self, v: f64, span: Span) -> Expr {
        value(ExprKind::Const(Scalar::F64(v)), Ty::scalar(Elem::OpenFloat), span)
    }

    /// A local where it is used.
    pub fn local_value(&mut self, id: crate::thir::LocalId, span: Span) -> Expr {
        self.cx.used[id] = true;
        if self.cx.group.contains_key(&id) {
            return self.cx.targets().group_value(id, span);
        }
        if let Some(flag) = self.cx.terms().known_flag(id, span) {
            return flag;
        }
        let local = &self.cx.body.locals[id];
        Expr { kind: ExprKind::Local(id), ty: local.ty.clone(), span, term: local.term.clone() }
    }

    /// An array literal of any elements.
    pub fn array_of_checked(&mut self, all: Vec<Expr>, span: Span) -> Expr {
        if all.iter().any(|e| e.ty == Ty::Error) {
            return error_expr(span);
        }
        if all.iter().any(|e| matches!(e.ty, Ty::List(_))) {
            let rows = all.into_iter().map(|e| self.cx.parts().row_list(e)).collect();
            return self.cx.parts().list_of(rows, span);
        }
        let Some(first) = all.first() else {
            let ty = Ty::Array(Elem::Unknown, vec![Size::from(0)]);
            return value(ExprKind::Array(all), ty, span);
        };
        if let Some(d) = all.iter().find(|e| is_differential(e)) {
            return self.cx.operators().not_a_value(&d.clone(), "an array");
        }
        let first = first.clone();
        match &first.ty {
            Ty::Tuple(ms) if !ms.is_empty() => return self.cx.targets().array_of_tuples(all, span),
            Ty::Named(Nominal::Struct(_) | Nominal::Enum(_), _) => {
                return self.cx.targets().array_of_tuples(all, span);
            }
            Ty::Array(..) => {}
            _ => return self.cx.parts().list_of(all, span),
        }
        self.array_of(all, span)
    }

    /// An array of checked elements.
    pub fn array_of(&mut self, mut all: Vec<Expr>, span: Span) -> Expr {
        let Some(first) = all.first().cloned() else { return error_expr(span) };
        if first.ty.elem().is_none() {
            let found = self.cx.show_ty(&first.ty);
            return self.cx.mistyped(
                span,
                &format!("an array of {found}"),
                "elements are numbers, truth values, strings, and tensors and tuples of them",
                "keep them as the members of a tuple: `(a, b)`",
            );
        }
        let other = |e: &&Expr| e.ty.elem().is_none() || e.ty.rank() != first.ty.rank();
        let apart = match all.iter().find(other) {
            Some(e) => Err(Box::new((first.clone(), e.clone()))),
            None => joined_elem(&all.iter().collect::<Vec<_>>()),
        };
        let elem = match apart {
            Ok(elem) => elem,
            Err(two) => {
                self.cx.conversions().mismatch(&two.0, &two.1, "the elements of an array");
                return error_expr(span);
            }
        };
        for e in &all[1..] {
            if first.ty.shape() != e.ty.shape() {
                let all = all.into_iter().map(|e| self.cx.conversions().adapt(e, elem)).collect();
                return self.cx.parts().list_of(all, span);
            }
        }
        all = all.into_iter().map(|e| self.cx.conversions().adapt(e, elem)).collect();
        let mut shape = vec![Size::from(all.len() as i64)];
        shape.extend(first.ty.shape().unwrap_or_default().iter().cloned());
        value(ExprKind::Array(all), Ty::Array(elem, shape), span)
    }

    /// A host integer as a size: its term, or a new parameter that is computed first.
    pub fn size_required(&mut self, e: &Expr, what: &str) -> Option<Size> {
        if e.ty == Ty::Error {
            return None;
        }
        if is_beyond_i64(e) {
            self.cx.operators().too_large(e.span);
            return None;
        }
        let e = &self.cx.terms().as_size_term(e.clone());
        if let Some(term) = &e.term {
            let Some(size) = term.as_size() else {
                return self.size_of_a_cell(e.span, what);
            };
            return Some(size.clone());
        }
        self.cx.terms().ask_of_element(e, Need::Value);
        let is_int = matches!(e.ty, Ty::Array(elem, ref s) if s.is_empty() && elem.is_int());
        if !is_int {
            let found = self.cx.show_ty(&e.ty);
            let d =
                Diagnostic::error(Code::E0308, format!("{what} must be an integer, found {found}"))
                    .primary(e.span, format!("this is {found}"));
            self.cx.report(d);
            return None;
        }
        if !self.cx.iters_of(e).is_empty() || self.mentions_group(e) {
            return self.size_of_a_cell(e.span, what);
        }
        Some(self.computed_param(e))
    }

    /// A size that would be another in each cell.
    fn size_of_a_cell(&mut self, span: Span, what: &str) -> Option<Size> {
        self.cx.mistyped(
            span,
            &format!("{what} depends on an index"),
            "it would be another in each cell",
            "let an index run that far: `sum[k in 0..t](x[k])`",
        );
        None
    }

    /// Whether an expression reads a tensor whose definition is under way.
    fn mentions_group(&mut self, e: &Expr) -> bool {
        let group: Vec<crate::thir::LocalId> = self.cx.group.keys().copied().collect();
        let mut found = false;
        crate::typed::values::locals_in(e, &mut |id| found |= group.contains(&id));
        found
    }

    fn computed_param(&mut self, e: &Expr) -> Size {
        let name = weft_base::Name::new(&self.cx.text(e.span));
        let p = self.cx.param(name, e.span, ParamOrigin::Computed);
        self.cx.pending.push(Stmt::Define(p, e.clone()));
        let size = Size::param(p);
        if let ExprKind::Local(id) = e.kind {
            self.cx.body.locals[id].term = Some(Affine::fixed(size.clone()));
        }
        size
    }
}

impl BodyCx<'_> {
    /// Whether a value in a string is followed by what ends it.
    pub fn is_closed(&self, value: Span) -> bool {
        let text = &self.source.file(value.file).text;
        let rest = text.get(value.end as usize..).unwrap_or_default();
        rest.trim_start().starts_with(['}', ':'])
    }
}
