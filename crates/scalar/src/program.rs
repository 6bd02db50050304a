//! Elementary functions as branch-free scalar programs.
//!
//! Each function is written once, over a [`Machine`], after the published algorithm named
//! beside it, and needs no table and no library. Run on a [`Direct`] machine it computes
//! one value, which is the evaluator; run on the code generator's machine it emits
//! instructions for one value or for a vector of them. Both do the same IEEE operations
//! in the same order, so both give the same bits.
//!
//! Every function is within 2 ulp over its whole range, subnormals, infinities and NaN
//! included. Not here: operators that are one instruction, such as `sqrt` and `floor`.

mod arc;
mod direct;
mod erf;
mod exp;
mod format;
mod hyperbolic;
mod log;
mod log_base;
mod machine;
mod payne_hanek;
mod pow;
pub mod small;
mod trig;

pub use direct::Direct;
pub use format::Format;
pub use machine::{Machine, Rare};
pub use small::SmallFormat;

use crate::{BinaryOp, UnaryOp};

/// The elementary functions of one operand: those that [`unary`] computes.
pub fn elementary() -> impl Iterator<Item = UnaryOp> {
    let machine = Direct::<f64>::new();
    UnaryOp::ALL.into_iter().filter(move |&op| unary(&machine, op, 1.0).is_some())
}

/// Computes an elementary function of one operand; `None` if `op` is none.
pub fn unary<M: Machine>(m: &M, op: UnaryOp, x: M::F) -> Option<M::F> {
    Some(match op {
        UnaryOp::Exp => exp::exp(m, x),
        UnaryOp::Log => log::log(m, x),
        UnaryOp::Tanh => hyperbolic::tanh(m, x),
        UnaryOp::Sin => trig::sin(m, x),
        UnaryOp::Cos => trig::cos(m, x),
        UnaryOp::Tan => trig::tan(m, x),
        UnaryOp::Expm1 => exp::expm1(m, x),
        UnaryOp::Log1p => log::log1p(m, x),
        UnaryOp::Log2 => log_base::log2(m, x),
        UnaryOp::Log10 => log_base::log10(m, x),
        UnaryOp::Sinh => hyperbolic::sinh(m, x),
        UnaryOp::Cosh => hyperbolic::cosh(m, x),
        UnaryOp::Asinh => m.widened([x], |wide, [x]| hyperbolic::asinh(wide, x)),
        UnaryOp::Acosh => m.widened([x], |wide, [x]| hyperbolic::acosh(wide, x)),
        UnaryOp::Atanh => m.widened([x], |wide, [x]| hyperbolic::atanh(wide, x)),
        UnaryOp::Asin => m.widened([x], |wide, [x]| arc::asin(wide, x)),
        UnaryOp::Acos => m.widened([x], |wide, [x]| arc::acos(wide, x)),
        UnaryOp::Atan => m.widened([x], |wide, [x]| arc::atan(wide, x)),
        UnaryOp::Erf => m.widened([x], |wide, [x]| erf::erf(wide, x)),
        UnaryOp::Erfc => m.widened([x], |wide, [x]| erf::erfc(wide, x)),
        UnaryOp::Rsqrt => m.div(m.float(1.0), m.sqrt(x)),
        _ => return None,
    })
}

/// Computes an elementary function of two operands; `None` if `op` is none.
pub fn binary<M: Machine>(m: &M, op: BinaryOp, a: M::F, b: M::F) -> Option<M::F> {
    match op {
        BinaryOp::Pow => Some(pow::pow(m, a, b)),
        BinaryOp::Atan2 => Some(m.widened([a, b], |wide, [y, x]| arc::atan2(wide, y, x))),
        _ => None,
    }
}

/// A polynomial by Horner's rule, the constant term first.
fn horner<M: Machine>(m: &M, x: M::F, coefficients: &[f64]) -> M::F {
    let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    rest.iter().rev().fold(m.float(*last), |sum, &c| m.fma(sum, x, m.float(c)))
}
