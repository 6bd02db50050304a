//! Differentials and their quotients.
//!
//! A differential is a kind of its own, linear over its leaves; here it is checked that
//! nothing else is done with it. What it is the differential *of* keeps its name, so that
//! staging can find the tensors.

use crate::thir::{Elem, Expr, ExprKind, Nominal, StrPart, Ty};
use crate::typed::handles::{Conversions, Operators};
use crate::typed::values::{
    as_differential, as_value, error_expr, is_differential, is_zero, symbol, value,
};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_scalar::BinaryOp;

impl Operators<'_, '_> {
    pub fn quotient_of(&mut self, d: Expr, x: Expr, span: Span) -> Expr {
        let Ty::Differential(of, rows) = &d.ty else {
            let found = self.cx.show_ty(&d.ty);
            let help = match d.kind {
                ExprKind::Quotient(..) => {
                    "bind it to be differentiated again: `let g = @y / @x;`, then `@g / @x`"
                }
                _ => "a derivative is a quotient of differentials: `@y / @x`",
            };
            let d = Diagnostic::error(Code::E0603, "a value divided by a differential")
                .primary(d.span, format!("this is a value, {found}"))
                .help(help);
            return self.cx.error(d);
        };
        let mut shape = rows.clone();
        shape.extend(x.ty.shape().unwrap_or_default().iter().cloned());
        let elem = joined(*of, x.ty.elem().unwrap_or_default());
        value(ExprKind::Quotient(Box::new(d), Box::new(x)), Ty::Array(elem, shape), span)
    }

    pub fn is_smooth(&mut self, x: &Expr, ty: &Ty) -> bool {
        if let Some(members) = ty.members() {
            return members.iter().all(|m| self.is_smooth(x, m));
        }
        let smooth = ty.elem().is_some_and(|e| !e.is_known() || e.is_float());
        if !smooth {
            let found = self.cx.show_ty(ty);
            let d = Diagnostic::error(Code::E0602, format!("{found} has no differential"))
                .primary(x.span, format!("this is {found}"))
                .help("derivatives are taken of floats, by floats: `as f64` at the binding");
            self.cx.report(d);
        }
        smooth
    }

    pub fn nameless(&mut self, operand: &hir::Expr) {
        let text = self.cx.text(operand.span);
        let shown = if text.len() <= 40 { format!("`{text}`") } else { "this".into() };
        let d = Diagnostic::error(Code::E0601, format!("{shown} has no name to differentiate by"))
            .primary(operand.span, "`@` takes a named binding, or a cell of one")
            .help(format!(
                "bind it, `let u = {text};`, make what is differentiated of `u`, and divide by `@u`"
            ));
        self.cx.report(d);
    }

    fn not_linear(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        let what = match (is_differential(a), is_differential(b)) {
            (true, true) => format!("`{}` of two differentials", symbol(op)),
            _ => format!("`{}` of a differential and a value", symbol(op)),
        };
        let differential = if is_differential(a) { a } else { b };
        let d = Diagnostic::error(Code::E0603, what)
            .primary(span, "differentials are added, scaled, and divided by `@x`")
            .secondary(differential.span, "this is a differential")
            .help("divide it first: `@y / @x` is a value");
        self.cx.error(d)
    }

    /// A value to be shown; a differential in source form, those of a tuple each by itself.
    pub fn shown(&mut self, e: Expr) -> Expr {
        if holds_differentials(&e.ty) {
            let (span, mut text) = (e.span, Vec::new());
            let label = e.ty.clone();
            let mut leaves = Vec::new();
            self.leaves_of(e, &mut leaves);
            self.source_form(&label, &mut leaves.into_iter(), &mut text);
            return value(ExprKind::Str(text), Ty::Str, span);
        }
        self.cx.terms().warn_of_truncation(&e);
        self.cx.conversions().known_elements(e)
    }

    /// The members of a tuple and of the tuples in it, in order.
    fn leaves_of(&mut self, e: Expr, out: &mut Vec<Expr>) {
        let Some(count) = e.ty.members().map(<[Ty]>::len) else { return out.push(e) };
        for n in 0..count {
            let member = self.cx.parts().member(e.clone(), n, e.span);
            self.leaves_of(member, out);
        }
    }

    /// The text of what has the type `label` and these leaves, as values of the type are written.
    fn source_form(
        &mut self,
        label: &Ty,
        leaves: &mut dyn Iterator<Item = Expr>,
        out: &mut Vec<StrPart>,
    ) {
        let text = |t: &str| StrPart::Text(t.to_string());
        let (open, names, close) = match label {
            Ty::Named(Nominal::Cells { cell, .. }, _) => {
                return self.source_form(cell, leaves, out);
            }
            Ty::Named(Nominal::Struct(id), _) => {
                let def = self.cx.types.def(*id);
                let names = def.variants[0].fields.clone();
                (format!("{} {{ ", def.name), names, " }")
            }
            Ty::Tuple(all) if all.len() == 1 => ("(".to_string(), Vec::new(), ",)"),
            Ty::Tuple(_) | Ty::Named(..) => ("(".to_string(), Vec::new(), ")"),
            _ => {
                let Some(leaf) = leaves.next() else { return };
                let shown = match is_differential(&leaf) {
                    true => {
                        let span = leaf.span;
                        value(ExprKind::SourceForm(Box::new(leaf)), Ty::Str, span)
                    }
                    false => self.cx.conversions().known_elements(leaf),
                };
                return out.push(StrPart::Value(Box::new(shown), None));
            }
        };
        out.push(text(&open));
        for (n, member) in label.members().unwrap_or_default().iter().enumerate() {
            if n > 0 {
                out.push(text(", "));
            }
            if let Some(Some(name)) = names.get(n) {
                out.push(StrPart::Text(format!("{name}: ")));
            }
            self.source_form(member, leaves, out);
        }
        out.push(text(close));
    }

    /// A differential where a value is needed.
    pub fn not_a_value(&mut self, x: &Expr, what: &str) -> Expr {
        let d = Diagnostic::error(Code::E0603, format!("{what} of a differential"))
            .primary(x.span, "this is a differential")
            .help("divide it first: `@y / @x` is a value");
        self.cx.error(d)
    }

    /// An operator of which a side is a differential.
    pub fn linear(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (da, db) = (is_differential(&a), is_differential(&b));
        let allowed = match op {
            BinaryOp::Add | BinaryOp::Sub => da && db || is_zero(&a) || is_zero(&b),
            BinaryOp::Mul => da != db,
            BinaryOp::Div => da && !db,
            _ => false,
        };
        if !allowed {
            return self.not_linear(op, &a, &b, span);
        }
        if is_zero(&a) {
            return if op == BinaryOp::Sub { negated(b, span) } else { b };
        }
        if is_zero(&b) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return a;
        }
        let e = self.apply_binary(op, as_value(a), as_value(b), span);
        let ExprKind::Binary(op, a, b) = e.kind else { return error_expr(span) };
        let Ty::Array(elem, shape) = e.ty else { return error_expr(span) };
        let (a, b) = (back(*a, da), back(*b, db));
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        value(kind, Ty::Differential(elem, shape), span)
    }
}

/// Whether a type is that of a differential, or of a tuple of such.
pub(crate) fn holds_differentials(ty: &Ty) -> bool {
    match ty.members() {
        Some(members) => members.iter().any(holds_differentials),
        None => matches!(ty, Ty::Differential(..)),
    }
}

/// The element type of a quotient: that in which both of its sides can be written.
pub(crate) fn joined(a: Elem, b: Elem) -> Elem {
    Conversions::meet(a, b).unwrap_or(b)
}

/// `-d`.
pub(crate) fn negated(d: Expr, span: Span) -> Expr {
    let ty = d.ty.clone();
    value(ExprKind::Unary(weft_scalar::UnaryOp::Neg, Box::new(d)), ty, span)
}

pub(crate) fn back(e: Expr, differential: bool) -> Expr {
    if differential { as_differential(e) } else { e }
}
