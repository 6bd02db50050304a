//! The conditions that the terms of a reduction stand under.

use crate::conditions::strip;
use weft_domain::Iter;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, Exprs, iters_of};

/// The terms of a reduction: where they count, what they are, and how they meet.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Where it is false there is no term.
    pub mask: Option<ExprId>,
    /// A term.
    pub body: ExprId,
    /// How they meet.
    pub accumulator: Accumulator,
}

impl Terms {
    /// Those of an assignment that is a reduction.
    pub fn of(a: &Assignment) -> Terms {
        Terms { mask: a.mask, body: a.body, accumulator: a.accumulator }
    }

    /// The conditions in the order of their evaluation: where one fails, the term leaves the
    /// result as it is. `divides` says whether both operands of an `and` may count for
    /// themselves, though both are always evaluated.
    pub fn conditions(self, exprs: &Exprs, divides: &dyn Fn(ExprId) -> bool) -> Vec<ExprId> {
        let neutral = Expr::Const(self.accumulator.identity(exprs.ty(self.body)));
        let of_body = match exprs.get(self.body) {
            Expr::If(c, _, y) if *exprs.get(*y) == neutral => Some(*c),
            Expr::Cast(_, c) if exprs.ty(*c) == ScalarType::Bool && self.accumulator.is_sum() => {
                Some(*c)
            }
            _ if self.accumulator == Accumulator::Any => Some(self.body),
            _ => None,
        };
        let all = self.mask.into_iter().chain(of_body);
        all.flat_map(|c| conjuncts(exprs, c, divides)).collect()
    }
}

/// The parts of a condition that all must hold, in the order of their evaluation.
pub fn conjuncts(
    exprs: &Exprs,
    condition: ExprId,
    divides: &dyn Fn(ExprId) -> bool,
) -> Vec<ExprId> {
    let (mut found, mut stack) = (Vec::new(), vec![condition]);
    while let Some(e) = stack.pop() {
        match exprs.get(e) {
            Expr::If(x, y, z) if *exprs.get(*z) == Expr::Const(Scalar::Bool(false)) => {
                stack.extend([*y, *x]);
            }
            Expr::Binary(BinaryOp::And, x, y, _) if divides(e) => stack.extend([*y, *x]),
            _ => found.push(e),
        }
    }
    found
}

/// Whether a number that changes with the reduced iterators is compared with a written one: so
/// each point of the reduced loops has one cell of that axis for its term.
pub fn is_scatter(a: &Assignment) -> bool {
    if a.accumulator == Accumulator::Set {
        return false;
    }
    let written = a.written();
    let is_written = |i: &Iter| written.contains(i);
    let is_place = |e: ExprId| {
        let e = strip(&a.exprs, e);
        // An index that its range keeps in a narrow type.
        let e = if let Expr::Cast(_, x) = a.exprs.get(e) { *x } else { e };
        matches!(a.exprs.get(e), Expr::Index(term) if term.iters().iter().any(is_written))
    };
    let comes_from_terms = |e: ExprId| {
        let iters = iters_of(&a.exprs, e);
        !iters.is_empty() && !iters.iter().any(is_written)
    };
    let names_a_cell = |e: ExprId| match a.exprs.get(e) {
        Expr::Binary(BinaryOp::Eq, x, y, _) => {
            [(*x, *y), (*y, *x)].into_iter().any(|(x, y)| is_place(x) && comes_from_terms(y))
        }
        _ => false,
    };
    Terms::of(a).conditions(&a.exprs, &|_| true).into_iter().any(names_a_cell)
}
