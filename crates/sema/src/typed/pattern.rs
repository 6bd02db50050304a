//! Patterns against the type of what is looked at: numbers, ranges and constructors.

use crate::prove::pattern::{Constructor, Pattern, PatternKind};
use crate::thir::{Elem, Expr, ExprKind, HostOp, Nominal, Ty};
use crate::typed::handles::Patterns;
use crate::typed::values::value;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir};
use weft_scalar::ScalarType;

impl Patterns<'_, '_> {
    pub fn pattern_fits(&mut self, fits: bool, ty: &Ty, what: &str, span: Span) -> Option<()> {
        if fits {
            return Some(());
        }
        let found = self.cx.show_ty(ty);
        let d = Diagnostic::error(
            Code::E0308,
            format!("this pattern takes {what}, but the value is {found}"),
        )
        .primary(span, format!("this is {what}"));
        self.cx.report(d);
        None
    }

    pub fn bare_variant(&mut self, name: &hir::Label, ty: &Ty) -> Option<Constructor> {
        let (Ty::Named(Nominal::Enum(id), _) | Ty::Boxed(id, _)) = ty else { return None };
        let variants = &self.cx.types.def(*id).variants;
        let variant = variants.iter().position(|v| v.name == name.name)?;
        Some(Constructor { ty: *id, variant })
    }

    pub fn constant_pattern(&mut self, e: &hir::Expr, ty: &Ty, span: Span) -> Option<Pattern> {
        let negative = matches!(&e.kind, hir::ExprKind::Unary { op: hir::UnaryOp::Neg, .. });
        let inner = match &e.kind {
            hir::ExprKind::Unary { op: hir::UnaryOp::Neg, operand, .. } => operand.as_ref(),
            _ => e,
        };
        let kind = match &inner.kind {
            hir::ExprKind::Number(n) => {
                let n = hir::PatNumber { span, negative, number: n.clone() };
                self.number_pattern(&n, ty)?
            }
            hir::ExprKind::Bool(b) => PatternKind::Bool(*b),
            hir::ExprKind::Str(s) => PatternKind::Text(s.as_text().unwrap_or_default().into()),
            _ => {
                self.pattern_fits(false, ty, "a constant that is no literal", span)?;
                PatternKind::Any
            }
        };
        Some(Pattern { span, kind })
    }

    pub fn number_pattern(&mut self, n: &hir::PatNumber, ty: &Ty) -> Option<PatternKind> {
        let elem = ty.elem().filter(|_| ty.rank() == Some(0));
        let is_float = elem.is_some_and(Elem::is_float);
        let number = elem.is_some() && elem != Some(Elem::Fixed(ScalarType::Bool));
        self.pattern_fits(number, ty, "a number", n.span)?;
        match n.number.value {
            hir::NumberValue::Int(v) if !is_float => {
                let v = if n.negative { -v } else { v };
                if i64::try_from(v).is_err() {
                    let d = Diagnostic::error(Code::E0308, format!("`{v}` does not fit `i64`"))
                        .primary(n.span, "integers are written up to the largest `i64`");
                    self.cx.report(d);
                    return None;
                }
                Some(PatternKind::Ints(v, v))
            }
            hir::NumberValue::Int(_) | hir::NumberValue::Float(_) => {
                self.pattern_fits(is_float, ty, "a float", n.span)?;
                Some(PatternKind::Float(number_value(n)))
            }
        }
    }

    pub fn range_pattern(
        &mut self,
        start: &hir::PatNumber,
        end: &hir::PatNumber,
        inclusive: bool,
        ty: &Ty,
        span: Span,
    ) -> Option<PatternKind> {
        let (lo, hi) = (self.number_pattern(start, ty)?, self.number_pattern(end, ty)?);
        let kind = match (lo, hi) {
            (PatternKind::Ints(lo, _), PatternKind::Ints(hi, _)) => {
                PatternKind::Ints(lo, if inclusive { hi } else { hi.saturating_sub(1) })
            }
            (PatternKind::Float(lo), PatternKind::Float(hi)) => {
                PatternKind::Floats(lo, hi, inclusive)
            }
            _ => return None,
        };
        if matches!(kind, PatternKind::Ints(lo, hi) if lo > hi) {
            let d = Diagnostic::error(Code::E0308, "this range holds no number")
                .primary(span, "its start lies behind its end");
            self.cx.report(d);
            return None;
        }
        Some(kind)
    }

    /// The struct or variant that a pattern names; bare variants of the type are known.
    pub fn pattern_constructor(&mut self, path: &hir::Constructor, ty: &Ty) -> Option<Constructor> {
        let bare = path.bare.then(|| self.bare_variant(&path.name, ty)).flatten();
        let c = bare.or_else(|| self.known_constructor(path, "not found"))?;
        let fits = match ty {
            Ty::Named(Nominal::Struct(id) | Nominal::Enum(id), _) | Ty::Boxed(id, _) => *id == c.ty,
            _ => false,
        };
        let name = self.cx.types.def(c.ty).name.to_string();
        self.pattern_fits(fits, ty, &format!("a `{name}`"), path.span)?;
        Some(c)
    }

    /// The fields of a value that is of a variant.
    pub fn field_exprs(&mut self, c: Constructor, place: &Expr, span: Span) -> Vec<Expr> {
        if matches!(place.ty, Ty::Boxed(..)) {
            let types = self.cx.types.fields_of(c, &place.ty);
            return types
                .into_iter()
                .enumerate()
                .map(|(n, ty)| {
                    let op = HostOp::Payload(c.variant, n);
                    value(ExprKind::Host(op, vec![place.clone()]), ty, span)
                })
                .collect();
        }
        let (first, count) = self.cx.types.field_places(c);
        (first..first + count).map(|n| self.cx.parts().member(place.clone(), n, span)).collect()
    }
}

fn number_value(n: &hir::PatNumber) -> f64 {
    let v = match n.number.value {
        hir::NumberValue::Int(v) => v as f64,
        hir::NumberValue::Float(v) => v,
    };
    if n.negative { -v } else { v }
}
