//! Lints about numbers: floats compared exactly, differentials that become numbers.

use crate::thir::{Elem, Expr, ExprKind, Ty};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::BinaryOp;
use weft_tensor::Accumulator;

/// `float-equality`: an assertion that two floats have the same bits.
pub(crate) fn float_equality(cond: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    compared(cond, &mut found);
    found
}

fn compared(cond: &Expr, found: &mut Vec<Diagnostic>) {
    match &cond.kind {
        ExprKind::Binary(BinaryOp::Eq, a, b) if is_float(a) || is_float(b) => {
            let d = Diagnostic::warning(Code::FloatEquality, "floats are compared exactly")
                .primary(cond.span, "true only of the same bits")
                .help("say how near is near enough: `abs(a - b) < 1e-6`");
            found.push(d);
        }
        ExprKind::Binary(BinaryOp::And, a, b) => {
            compared(a, found);
            compared(b, found);
        }
        ExprKind::If(a, b, _) if cond.ty == Ty::bool() => {
            compared(a, found);
            compared(b, found);
        }
        ExprKind::Reduce { accumulator: Accumulator::All, body, .. } => compared(body, found),
        _ => {}
    }
}

fn is_float(e: &Expr) -> bool {
    e.ty.elem().is_some_and(Elem::is_float)
}

/// `unseeded-tangent`: a differential where a number is needed.
pub(crate) fn unseeded_tangent(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::UnseededTangent, "a differential used as a number")
        .primary(span, "every name behind `@` is taken to change by one")
        .help("divide it by the differential of what changes: `@y / @x`")
}
