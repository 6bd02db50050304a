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

pub(crate) mod arc;
mod direct;
pub(crate) mod erf;
pub(crate) mod exp;
mod format;
pub(crate) mod hyperbolic;
pub(crate) mod log;
pub(crate) mod log_base;
mod machine;
mod payne_hanek;
pub mod pow;
pub mod product;
pub(crate) mod root;
pub mod small;
pub(crate) mod trig;

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
    op.program(m, x)
}

/// Computes an elementary function of two operands; `None` if `op` is none.
pub fn binary<M: Machine>(m: &M, op: BinaryOp, a: M::F, b: M::F) -> Option<M::F> {
    op.program(m, a, b)
}

/// A polynomial by Horner's rule, the constant term first.
fn horner<M: Machine>(m: &M, x: M::F, coefficients: &[f64]) -> M::F {
    let (last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    rest.iter().rev().fold(m.float(*last), |sum, &c| m.fma(sum, x, m.float(c)))
}
