//! The conditions that the terms of a reduction stand under.

use crate::{Accumulator, Assignment, Expr, ExprId, Exprs, Iter};
use std::collections::BTreeSet;
use weft_scalar::{BinaryOp, Scalar, ScalarType};

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
    /// The conditions in the order of their evaluation: where one fails, the term leaves the
    /// result as it is. `divides` says whether both operands of an `and` may count for
    /// themselves, though both are always evaluated.
    pub fn conditions(self, exprs: &Exprs, divides: &dyn Fn(ExprId) -> bool) -> Vec<ExprId> {
        let mut found = Vec::new();
        if let Some(mask) = self.mask {
            conjuncts(exprs, mask, divides, &mut found);
        }
        let neutral = Expr::Const(self.accumulator.identity(exprs.ty(self.body)));
        match exprs.get(self.body) {
            Expr::If(c, _, y) if *exprs.get(*y) == neutral => {
                conjuncts(exprs, *c, divides, &mut found);
            }
            Expr::Cast(_, c) if exprs.ty(*c) == ScalarType::Bool && self.accumulator.is_sum() => {
                conjuncts(exprs, *c, divides, &mut found);
            }
            _ if self.accumulator == Accumulator::Any => {
                conjuncts(exprs, self.body, divides, &mut found);
            }
            _ => {}
        }
        found
    }
}

/// The parts of a condition that all must hold, in the order of their evaluation.
pub fn conjuncts(
    exprs: &Exprs,
    condition: ExprId,
    divides: &dyn Fn(ExprId) -> bool,
    found: &mut Vec<ExprId>,
) {
    let parts = match exprs.get(condition) {
        Expr::If(x, y, z) if *exprs.get(*z) == Expr::Const(Scalar::Bool(false)) => Some((*x, *y)),
        Expr::Binary(BinaryOp::And, x, y, _) if divides(condition) => Some((*x, *y)),
        _ => None,
    };
    match parts {
        Some((x, y)) => {
            conjuncts(exprs, x, divides, found);
            conjuncts(exprs, y, divides, found);
        }
        None => found.push(condition),
    }
}

impl Assignment {
    /// Its terms, of a reduction.
    pub fn terms(&self) -> Terms {
        Terms { mask: self.mask, body: self.body, accumulator: self.accumulator }
    }

    /// Whether a number that changes with the reduced iterators is compared with a written one:
    /// so each point of the reduced loops has one cell of that axis for its term.
    pub fn is_scatter(&self) -> bool {
        let written = self.written();
        let is_written = |e: ExprId| {
            let e = self.exprs.fitted(e).unwrap_or(e);
            let e = if let Expr::Cast(_, x) = self.exprs.get(e) { *x } else { e };
            match self.exprs.get(e) {
                Expr::Index(term) => term.iters().iter().any(|i| written.contains(i)),
                _ => false,
            }
        };
        let names_a_cell = |e: ExprId| match self.exprs.get(e) {
            Expr::Binary(BinaryOp::Eq, x, y, _) => {
                [(*x, *y), (*y, *x)].into_iter().any(|(x, y)| {
                    let changes = iters_of(&self.exprs, y);
                    let moves = changes.iter().any(|i| !written.contains(i));
                    is_written(x) && moves && !changes.iter().any(|i| written.contains(i))
                })
            }
            _ => false,
        };
        self.accumulator != Accumulator::Set
            && self.terms().conditions(&self.exprs, &|_| true).into_iter().any(names_a_cell)
    }
}

/// The iterators that a node without reductions of its own depends on.
fn iters_of(exprs: &Exprs, e: ExprId) -> BTreeSet<Iter> {
    let mut found = BTreeSet::new();
    for x in crate::reachable_from(exprs, [e]) {
        match exprs.get(x) {
            Expr::Index(term) => found.extend(term.iters()),
            Expr::Read { index, .. } => {
                found.extend(index.iter().filter_map(|t| t.as_affine()).flat_map(|a| a.iters()));
            }
            _ => {}
        }
    }
    found
}
