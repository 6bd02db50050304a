//! Operators and casts of checked values; they lift to tensors element by element.

use crate::thir::{Elem, Expr, ExprKind, StrPart, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::forms::is_character;
use crate::typed::handles::Operators;
use crate::typed::values::{
    error_expr, is_beyond_i64, is_differential, quoted_symbol, truth, value,
};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp, eval};
use weft_shape::Size;

impl Operators<'_, '_> {
    /// Requires numbers.
    pub fn numeric(&mut self, x: Expr, what: &str) -> Expr {
        match x.ty.elem() {
            Some(Elem::Fixed(ScalarType::Bool)) | None if x.ty != Ty::Error => {
                let found = self.cx.show_ty(&x.ty);
                let d =
                    Diagnostic::error(Code::E0308, format!("{what} takes numbers, found {found}"))
                        .primary(x.span, format!("this is {found}"));
                self.cx.error(d)
            }
            _ => x,
        }
    }

    /// `op x` of a checked operand.
    pub fn apply_unary(&mut self, op: UnaryOp, x: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error {
            return error_expr(span);
        }
        if is_beyond_i64(&x) {
            return self.too_large(x.span);
        }
        let ty = x.ty.clone();
        let term = x.term.as_ref().filter(|_| op == UnaryOp::Neg).and_then(|t| t.scaled(-1));
        let kind = match x.kind {
            // What leaves its type is left to the run.
            ExprKind::Const(v) if !negation_overflows(v) => ExprKind::Const(eval::unary(op, v)),
            _ => ExprKind::Unary(op, Box::new(x)),
        };
        Expr { kind, ty, span, term }
    }

    /// The sides of a comparison, which may become conditions on terms.
    fn compared_terms(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let indexed = |e: &Expr| e.term.as_ref().is_some_and(|t| t.as_size().is_none());
        match indexed(&a) || indexed(&b) {
            true => (self.cx.terms().as_size_term(a), self.cx.terms().as_size_term(b)),
            false => (self.cx.terms().with_value_term(a), self.cx.terms().with_value_term(b)),
        }
    }

    pub fn too_large(&mut self, span: Span) -> Expr {
        let text = self.cx.text(span);
        let d = Diagnostic::error(Code::E0308, format!("`{text}` does not fit `i64`"))
            .primary(span, "integers without a type of their own are computed in `i64`");
        self.cx.error(d)
    }

    /// `x / 0` of integers fails whenever it runs; say so at once.
    fn reject_literal_zero(&mut self, op: BinaryOp, elem: Elem, b: &Expr) {
        let int = match elem {
            Elem::OpenInt => true,
            Elem::Fixed(t) => t.is_int(),
            _ => false,
        };
        let zero = matches!(b.kind, ExprKind::Const(v) if v.as_i64() == Some(0));
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        // Under `try` it is a failure like others, which may be caught.
        if int && zero && divides && self.cx.attempted == 0 {
            let d = Diagnostic::error(Code::E0007, "integer division by zero")
                .primary(b.span, "this is zero");
            self.cx.report(d);
        }
    }

    /// An operand of arithmetic: integers of less than 32 bits are computed in `i32`.
    pub fn computed(&mut self, e: Expr) -> Expr {
        match e.ty.elem() {
            Some(elem) => self.cx.conversions().adapt(e, elem.computes_in()),
            None => e,
        }
    }

    /// A float base takes an integer exponent of any type.
    fn exponent(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        match (a.ty.elem(), b.ty.elem()) {
            (Some(base), Some(Elem::Fixed(u))) if base.is_float() && u.is_int() => {
                self.cx.terms().refuse_truncation(&b, base.computed_in());
                let ty = Ty::Array(base, b.ty.shape().unwrap_or_default().to_vec());
                let span = b.span;
                (a, value(ExprKind::Cast(base.computed_in(), Box::new(b)), ty, span))
            }
            _ => (a, b),
        }
    }

    fn forbids_bool(&mut self, op: BinaryOp, elem: Elem, a: &Expr, what: &str) -> bool {
        let is_bool = elem == Elem::Fixed(ScalarType::Bool);
        let takes_bool = matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or);
        if is_bool && !takes_bool {
            let d = Diagnostic::error(Code::E0308, format!("{what} takes numbers, found bool"))
                .primary(a.span, "this is bool");
            self.cx.report(d);
        }
        is_bool && !takes_bool
    }

    /// The shape of an elementwise operation: a scalar meets any tensor, else the shapes are
    /// one.
    pub fn lifted_shape(&mut self, a: &Expr, b: &Expr, what: &str) -> Option<Vec<Size>> {
        let (sa, sb) = (a.ty.shape()?.to_vec(), b.ty.shape()?.to_vec());
        if sa.is_empty() {
            return Some(sb);
        }
        if sb.is_empty() {
            return Some(sa);
        }
        if sa.len() != sb.len() {
            let (ta, tb) = (self.cx.show_ty(&a.ty), self.cx.show_ty(&b.ty));
            let d = Diagnostic::error(
                Code::E0505,
                format!("{what} of tensors of rank {} and rank {}", sa.len(), sb.len()),
            )
            .primary(b.span, format!("this is {tb}"))
            .secondary(a.span, format!("this is {ta}"))
            .note("operators apply element by element to equal shapes; nothing is broadcast")
            .help("write the pairing out with named indices: `let y[i, j] = a[i, j] + b[j];`");
            self.cx.report(d);
            return None;
        }
        self.cx.conversions().same_shape(a, b, what);
        Some(sa)
    }

    /// The elements converted as `as` does.
    pub fn cast_elements(&mut self, x: Expr, to: ScalarType, shape: Vec<Size>, span: Span) -> Expr {
        let ty = Ty::Array(Elem::Fixed(to), shape);
        let term = self.cx.terms().cast_term(&x, to);
        let kind = match x.kind {
            ExprKind::Const(v) => ExprKind::Const(eval::cast(v, to)),
            _ => ExprKind::Cast(to, Box::new(x)),
        };
        Expr { kind, ty, span, term }
    }

    /// On scalars `&&` and `||` are `if`s (they short-circuit); on tensors they lift.
    pub fn logical(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if a.ty == Ty::Error || b.ty == Ty::Error {
            return error_expr(span);
        }
        if a.ty.rank() != Some(0) || b.ty.rank() != Some(0) {
            return self.apply_binary(op, a, b, span);
        }
        let (a, b) = (Box::new(a), b);
        let kind = match op {
            BinaryOp::And => ExprKind::If(a, Box::new(b), Box::new(truth(false, span))),
            _ => ExprKind::If(a, Box::new(truth(true, span)), Box::new(b)),
        };
        value(kind, Ty::bool(), span)
    }

    /// `a op b` of checked operands.
    pub fn apply_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if a.ty == Ty::Error || b.ty == Ty::Error {
            return error_expr(span);
        }
        if is_differential(&a) || is_differential(&b) {
            return self.linear(op, a, b, span);
        }
        if a.ty == Ty::Str && b.ty == Ty::Str && op == BinaryOp::Add {
            return concatenate(a, b, span);
        }
        if (is_character(&a.ty) || is_character(&b.ty)) && op.is_comparison() {
            return self.compare_characters(op, a, b, span);
        }
        if a.ty == Ty::Str && b.ty == Ty::Str && op.is_comparison() {
            return match (self.cx.terms().known_text(&a), self.cx.terms().known_text(&b)) {
                (Some(x), Some(y)) => truth(compare(op, &x, &y), span),
                _ => value(
                    ExprKind::Host(crate::thir::HostOp::Compare(op), vec![a, b]),
                    Ty::bool(),
                    span,
                ),
            };
        }
        let what = quoted_symbol(op);
        if !matches!((&a.ty, &b.ty), (Ty::Array(..), Ty::Array(..))) {
            self.cx.conversions().mismatch(&a, &b, what);
            return error_expr(span);
        }
        let (a, b) = match op {
            BinaryOp::Pow => self.exponent(a, b),
            BinaryOp::Atan2 => (self.float_operand(a, "atan2"), self.float_operand(b, "atan2")),
            _ => (a, b),
        };
        if let (Some(wide), Some(Elem::OpenInt | Elem::OpenWide)) = wide_and_other(&a, &b) {
            return self.too_large(wide);
        }
        let computed = if op.is_arithmetic() { Elem::computes_in } else { |elem| elem };
        let Some((a, b, elem)) = self.cx.conversions().unify_as(a, b, what, computed) else {
            return error_expr(span);
        };
        if self.forbids_bool(op, elem, &a, what) {
            return error_expr(span);
        }
        let Some(shape) = self.lifted_shape(&a, &b, what) else {
            return error_expr(span);
        };
        let result = if op.is_comparison() { Elem::Fixed(ScalarType::Bool) } else { elem };
        let ty = Ty::Array(result, shape);
        if let Some(known) = known_comparison(op, &a, &b) {
            return truth(known, span);
        }
        let (a, b) = if op.is_comparison() { self.compared_terms(a, b) } else { (a, b) };
        let term = self.cx.terms().term_of(op, &a, &b).filter(|t| self.cx.fits(t, elem));
        if let (ExprKind::Const(x), ExprKind::Const(y)) = (&a.kind, &b.kind)
            && x.ty() == y.ty()
            && let Ok(v) = eval::binary(op, *x, *y)
            && (elem == Elem::OpenInt || eval::checked(op, *x, *y).is_ok())
        {
            if eval::checked(op, *x, *y).is_err() {
                return self.too_large(span);
            }
            // A type that wraps has another value than the term.
            let exact = |n: &i64| Scalar::exactly(v.ty(), *n) == Some(v);
            let term = term.or_else(|| v.as_i64().filter(exact).map(Affine::fixed));
            let folded = Expr { kind: ExprKind::Const(v), ty, span, term };
            if op == BinaryOp::Div && elem == Elem::OpenInt && !divides(*x, *y) {
                self.cx.terms().truncates(&folded);
            }
            return folded;
        }
        self.reject_literal_zero(op, elem, &b);
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span, term }
    }

    /// The operand of a real function: a float, or an integer that becomes an open one.
    pub fn float_operand(&mut self, x: Expr, name: &str) -> Expr {
        match x.ty.elem() {
            Some(Elem::OpenInt) => self.cx.conversions().adapt(x, Elem::OpenFloat),
            Some(elem) if elem.is_float() || !elem.is_known() => x,
            Some(Elem::Fixed(t)) if t.is_int() && t.least_float().is_some() => {
                self.cx.conversions().adapt(x, Elem::OpenReal(t))
            }
            _ if x.ty == Ty::Error => x,
            _ if is_differential(&x) => self.not_a_value(&x, &format!("`{name}`")),
            _ => {
                let found = self.cx.show_ty(&x.ty);
                let headline = format!("`{name}` takes a float, found {found}");
                let d = Diagnostic::error(Code::E0308, headline)
                    .primary(x.span, format!("this is {found}"));
                let integer = matches!(x.ty.elem(), Some(Elem::Fixed(t)) if t.is_int());
                let cast = if x.ty.rank() == Some(0) { "f64" } else { "[f64]" };
                self.cx.error(match integer {
                    true => d.help_edits("convert it", self.cx.cast_edits(x.span, cast)),
                    false => d,
                })
            }
        }
    }
}

impl BodyCx<'_> {
    /// Whether the value of a term fits its type, as far as it is known: where it does not,
    /// the value wraps, and is none of the term's.
    pub fn fits(&self, term: &Affine, elem: Elem) -> bool {
        let wide = |e| matches!(e, Elem::OpenInt | Elem::Fixed(ScalarType::I32 | ScalarType::I64));
        let Some(size) = term.as_size() else { return wide(elem) };
        let known = size.params().iter().all(|p| self.known_value(*p).is_some());
        match (size.eval(&|p| self.known_value(p)), elem) {
            (None, _) => !known && wide(elem),
            (Some(n), Elem::Fixed(t)) => Scalar::exactly(t, n).is_some(),
            (Some(_), _) => true,
        }
    }
}

/// Where a literal stands that `i64` does not hold, and what it meets.
fn wide_and_other(a: &Expr, b: &Expr) -> (Option<Span>, Option<Elem>) {
    match (is_beyond_i64(a), is_beyond_i64(b)) {
        (true, _) => (Some(a.span), b.ty.elem()),
        (_, true) => (Some(b.span), a.ty.elem()),
        _ => (None, None),
    }
}

/// Whether an integer division comes out even.
pub(crate) fn divides(x: Scalar, y: Scalar) -> bool {
    match (x.as_i64(), y.as_i64()) {
        (Some(x), Some(y)) => x.checked_rem(y) == Some(0),
        _ => true,
    }
}

pub(crate) fn compare(op: BinaryOp, x: &str, y: &str) -> bool {
    match op {
        BinaryOp::Eq => x == y,
        BinaryOp::Ne => x != y,
        BinaryOp::Lt => x < y,
        BinaryOp::Le => x <= y,
        BinaryOp::Gt => x > y,
        _ => x >= y,
    }
}

fn concatenate(a: Expr, b: Expr, span: Span) -> Expr {
    let parts = |e: Expr| match e.kind {
        ExprKind::Str(parts) => parts,
        _ => vec![StrPart::Value(Box::new(e), None)],
    };
    let mut all = parts(a);
    all.extend(parts(b));
    value(ExprKind::Str(all), Ty::Str, span)
}

/// What a comparison of integers gives whose values are known by name only: `r == 1` behind
/// `let r = len(shape(x))`.
fn known_comparison(op: BinaryOp, a: &Expr, b: &Expr) -> Option<bool> {
    let known = |e: &Expr| e.term.as_ref().filter(|_| e.ty.rank() == Some(0))?.as_constant();
    if !op.is_comparison() {
        return None;
    }
    eval::binary(op, Scalar::I64(known(a)?), Scalar::I64(known(b)?)).ok()?.as_bool()
}

/// Whether the negative of a constant leaves its type: that is left to the run.
fn negation_overflows(v: Scalar) -> bool {
    eval::is_bounded(v.ty()) && eval::overflows(BinaryOp::Sub, Scalar::zero(v.ty()), v)
}
