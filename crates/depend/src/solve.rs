//! Write terms solved for an index.

use weft_domain::{Affine, Constraint, Iter, Relation};

/// A write term solved for a given index.
pub enum Solved {
    /// The iterator has this value.
    Iter(Iter, Affine),
    /// The index must fulfil this.
    Fixed(Constraint),
}

/// Solves `term == index` for the one iterator of `term`.
pub fn solve(term: &Affine, index: &Affine) -> Option<Solved> {
    if term.terms().is_empty() {
        return Some(Solved::Fixed(Constraint {
            term: index.minus(term)?,
            relation: Relation::Zero,
        }));
    }
    let (iter, sign) = unit_iter(term)?;
    let rest = term.minus(&Affine::iter(iter).scaled(sign)?)?;
    Some(Solved::Iter(iter, index.minus(&rest)?.scaled(sign)?))
}

/// The iterator of a term `±i + offset`.
pub fn unit_iter(term: &Affine) -> Option<(Iter, i64)> {
    match (term.terms(), term.iters().as_slice()) {
        ([(_, c)], [i]) if c.abs() == 1 && term.coefficient(*i) == *c => Some((*i, *c)),
        _ => None,
    }
}
