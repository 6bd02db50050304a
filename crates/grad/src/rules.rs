//! The derivatives of scalar operators.
//!
//! Each rule multiplies what flows in by the partial derivative at the operator's point.
//! Formulas are those of Abramowitz and Stegun, *Handbook of Mathematical Functions*,
//! chapters 4 (elementary functions) and 7 (error function).

use crate::build;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Expr, ExprId, Exprs};

/// `g · d(op x)/dx`, where `y` is the node `op x`; `None` where `op` is locally constant.
///
/// | `op` | derivative | | `op` | derivative |
/// |---|---|---|---|---|
/// | `neg` | -1 | | `sinh` | cosh x |
/// | `abs` | sign x (0 at 0) | | `cosh` | sinh x |
/// | `sqrt` | 1 / (2 y) | | `tanh` | 1 - y² |
/// | `rsqrt` | -y / (2 x) | | `asinh` | 1 / √(x² + 1) |
/// | `exp` | y | | `acosh` | 1 / √(x² - 1) |
/// | `expm1` | y + 1 | | `atanh` | 1 / (1 - x²) |
/// | `log` | 1 / x | | `tan` | 1 + y² |
/// | `log1p` | 1 / (1 + x) | | `asin` | 1 / √(1 - x²) |
/// | `log2` | 1 / (x ln 2) | | `acos` | -1 / √(1 - x²) |
/// | `log10` | 1 / (x ln 10) | | `atan` | 1 / (1 + x²) |
/// | `sin` | cos x | | `erf` | 2 exp(-x²) / √π |
/// | `cos` | -sin x | | `erfc` | -2 exp(-x²) / √π |
///
/// `sign`, `floor`, `ceil`, `round` and `trunc` are locally constant.
pub(crate) fn unary(
    exprs: &mut Exprs,
    op: UnaryOp,
    x: ExprId,
    y: ExprId,
    g: ExprId,
) -> Option<ExprId> {
    use UnaryOp::*;
    let ty = exprs.ty(x);
    let number = |exprs: &mut Exprs, v: f64| build::number(exprs, ty, v);
    let one = number(exprs, 1.0);
    Some(match op {
        _ if is_locally_constant(op) => return None,
        Not | Sign | Floor | Ceil | Round | Trunc | BitsNot | Popcount => {
            unreachable!("locally constant")
        }
        Neg => build::negate(exprs, g),
        Abs => {
            let s = exprs.unary(Sign, x);
            build::times(exprs, g, s)
        }
        Sqrt => {
            let two_y = exprs.binary(BinaryOp::Add, y, y);
            build::over(exprs, g, two_y)
        }
        Rsqrt => {
            let two_x = exprs.binary(BinaryOp::Add, x, x);
            let gy = build::times(exprs, g, y);
            let q = build::over(exprs, gy, two_x);
            build::negate(exprs, q)
        }
        Exp => build::times(exprs, g, y),
        Expm1 => {
            let d = exprs.binary(BinaryOp::Add, y, one);
            build::times(exprs, g, d)
        }
        Log => build::over(exprs, g, x),
        Log1p => {
            let d = exprs.binary(BinaryOp::Add, one, x);
            build::over(exprs, g, d)
        }
        Log2 | Log10 => {
            let base = if op == Log2 { std::f64::consts::LN_2 } else { std::f64::consts::LN_10 };
            let ln = number(exprs, base);
            let d = build::times(exprs, x, ln);
            build::over(exprs, g, d)
        }
        Sin => {
            let d = exprs.unary(Cos, x);
            build::times(exprs, g, d)
        }
        Cos => {
            let d = exprs.unary(Sin, x);
            let p = build::times(exprs, g, d);
            build::negate(exprs, p)
        }
        Sinh | Cosh => {
            let d = exprs.unary(if op == Sinh { Cosh } else { Sinh }, x);
            build::times(exprs, g, d)
        }
        Tanh => {
            let d = one_and_square(exprs, BinaryOp::Sub, y);
            build::times(exprs, g, d)
        }
        Tan => {
            let d = one_and_square(exprs, BinaryOp::Add, y);
            build::times(exprs, g, d)
        }
        Atan => {
            let d = one_and_square(exprs, BinaryOp::Add, x);
            build::over(exprs, g, d)
        }
        Atanh => {
            let d = one_and_square(exprs, BinaryOp::Sub, x);
            build::over(exprs, g, d)
        }
        Asin | Acos | Asinh | Acosh => {
            let square = exprs.binary(BinaryOp::Mul, x, x);
            let inside = match op {
                Asinh => exprs.binary(BinaryOp::Add, square, one),
                Acosh => exprs.binary(BinaryOp::Sub, square, one),
                _ => exprs.binary(BinaryOp::Sub, one, square),
            };
            let root = exprs.unary(Sqrt, inside);
            let d = build::over(exprs, g, root);
            if op == Acos { build::negate(exprs, d) } else { d }
        }
        Erf | Erfc => {
            let square = exprs.binary(BinaryOp::Mul, x, x);
            let minus = exprs.unary(Neg, square);
            let bell = exprs.unary(Exp, minus);
            let c = std::f64::consts::FRAC_2_SQRT_PI;
            let c = number(exprs, if op == Erf { c } else { -c });
            let d = build::times(exprs, c, bell);
            build::times(exprs, g, d)
        }
    })
}

/// `1 ± x²`.
fn one_and_square(exprs: &mut Exprs, op: BinaryOp, x: ExprId) -> ExprId {
    let one = build::number(exprs, exprs.ty(x), 1.0);
    let square = exprs.binary(BinaryOp::Mul, x, x);
    exprs.binary(op, one, square)
}

/// `g · ∂(a op b)/∂a` and `g · ∂(a op b)/∂b`, where `y` is the node `a op b`; `None` where
/// an operand has no influence nearby.
///
/// | `op` | by `a` | by `b` |
/// |---|---|---|
/// | `a + b`, `a - b` | 1 | 1, -1 |
/// | `a * b` | b | a |
/// | `a / b` | 1 / b | -y / b |
/// | `a % b` | 1 | -trunc(a / b) |
/// | `a ** b` | b·a^(b-1), 0 where b = 0 | y·ln a, 0 where a = 0 |
/// | `atan2(a, b)` | b / (a² + b²) | -a / (a² + b²) |
/// | `min`, `max` | where `a` is taken (ties too) | where `b` is |
pub(crate) fn binary(
    exprs: &mut Exprs,
    op: BinaryOp,
    (a, b): (ExprId, ExprId),
    y: ExprId,
    g: ExprId,
    needed: (bool, bool),
) -> (Option<ExprId>, Option<ExprId>) {
    use BinaryOp::*;
    match op {
        Add => (Some(g), Some(g)),
        Sub => (Some(g), needed.1.then(|| build::negate(exprs, g))),
        Mul => {
            let by_a = needed.0.then(|| build::times(exprs, g, b));
            (by_a, needed.1.then(|| build::times(exprs, g, a)))
        }
        Div => {
            let q = build::over(exprs, g, b);
            let by_b = needed.1.then(|| {
                let p = build::times(exprs, q, y);
                build::negate(exprs, p)
            });
            (Some(q), by_b)
        }
        Rem => {
            let by_b = needed.1.then(|| {
                let q = exprs.binary(Div, a, b);
                let whole = exprs.unary(UnaryOp::Trunc, q);
                let p = build::times(exprs, g, whole);
                build::negate(exprs, p)
            });
            (Some(g), by_b)
        }
        Pow => {
            let by_a = needed.0.then(|| power_by_base(exprs, a, b, g));
            (by_a, needed.1.then(|| power_by_exponent(exprs, a, y, g)))
        }
        Atan2 => {
            let (aa, bb) = (exprs.binary(Mul, a, a), exprs.binary(Mul, b, b));
            let r = exprs.binary(Add, aa, bb);
            let q = build::over(exprs, g, r);
            let by_a = build::times(exprs, q, b);
            let p = build::times(exprs, q, a);
            (Some(by_a), Some(build::negate(exprs, p)))
        }
        Min | Max => {
            let cmp = if op == Max { Ge } else { Le };
            let first = exprs.binary(cmp, a, b);
            let zero = exprs.constant(Scalar::zero(exprs.ty(a)));
            let by_a = exprs.if_else(first, g, zero);
            (Some(by_a), Some(exprs.if_else(first, zero, g)))
        }
        Eq | Ne | Lt | Le | Gt | Ge | And | Or => (None, None),
        BitsAnd | BitsOr | BitsXor | BitsShl | BitsShr | BitsRotl => (None, None),
    }
}

/// `g · b·a^(b-1)`, 0 where `b` is 0: right at `a = 0` and for negative bases.
fn power_by_base(exprs: &mut Exprs, a: ExprId, b: ExprId, g: ExprId) -> ExprId {
    let ty = exprs.ty(a);
    let one = build::number(exprs, ty, 1.0);
    let zero = exprs.constant(Scalar::zero(ty));
    let less = match build::as_number(exprs, b) {
        Some(n) => build::number(exprs, ty, n - 1.0),
        None => exprs.binary(BinaryOp::Sub, b, one),
    };
    let power = exprs.binary(BinaryOp::Pow, a, less);
    let d = build::times(exprs, b, power);
    let product = build::times(exprs, g, d);
    if build::as_number(exprs, b).is_some_and(|n| n != 0.0) {
        return product;
    }
    let none = exprs.binary(BinaryOp::Eq, b, zero);
    exprs.if_else(none, zero, product)
}

/// `g · y·ln a`, 0 where `a` is 0 (the limit for positive exponents).
fn power_by_exponent(exprs: &mut Exprs, a: ExprId, y: ExprId, g: ExprId) -> ExprId {
    let zero = exprs.constant(Scalar::zero(exprs.ty(a)));
    let ln = exprs.unary(UnaryOp::Log, a);
    let d = build::times(exprs, y, ln);
    let product = build::times(exprs, g, d);
    let none = exprs.binary(BinaryOp::Eq, a, zero);
    exprs.if_else(none, zero, product)
}

/// The value of a float constant.
pub(crate) fn float(e: &Expr) -> Option<f64> {
    match e {
        Expr::Const(Scalar::F32(v)) => Some(f64::from(*v)),
        Expr::Const(Scalar::F64(v)) => Some(*v),
        _ => None,
    }
}

/// Whether an operator changes nothing nearby.
pub(crate) fn is_locally_constant(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Not | Sign | Floor | Ceil | Round | Trunc | BitsNot | Popcount)
}

/// Whether values of the type have derivatives.
pub(crate) fn is_smooth(ty: ScalarType) -> bool {
    ty.is_float()
}
