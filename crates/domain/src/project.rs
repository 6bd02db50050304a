//! Projection: what constraints say of some iterators where others have any value.
//!
//! Fourier and Motzkin's elimination, as long as it is exact for integers: of each pair of a
//! lower and an upper bound that is combined, one has the coefficient 1.

use crate::{Affine, Constraint, Dim, Iter, Relation};

/// More constraints are not worth their tests.
const MOST: usize = 64;

/// The conditions on the other iterators under which the constraints hold for some values of
/// those in `gone`; `None` where that is no conjunction that this finds.
pub fn project(constraints: &[Constraint], gone: &[Iter]) -> Option<Vec<Constraint>> {
    let mut left = constraints.to_vec();
    for i in gone.iter().rev() {
        left = eliminate(&left, *i)?;
        if left.len() > MOST {
            return None;
        }
    }
    Some(left)
}

fn eliminate(constraints: &[Constraint], i: Iter) -> Option<Vec<Constraint>> {
    if constraints.iter().any(|c| hides(&c.term, i)) {
        return None;
    }
    if let Some(c) = constraints.iter().find(|c| c.relation == Relation::Zero && uses(c, i)) {
        return substituted(constraints, i, &value_by(c, i)?);
    }
    let (of, mut left): (Vec<_>, Vec<_>) = constraints.iter().cloned().partition(|c| uses(c, i));
    let (lower, upper): (Vec<_>, Vec<_>) =
        of.into_iter().map(|c| c.term).partition(|t| t.coefficient(i) > 0);
    for l in &lower {
        for u in &upper {
            add(&mut left, at_least_zero(between(l, u, i)?));
        }
    }
    Some(left)
}

/// Whether an iterator stands inside a quotient or remainder.
fn hides(term: &Affine, i: Iter) -> bool {
    term.terms().iter().any(|(d, _)| match d {
        Dim::Iter(_) => false,
        Dim::Div(a, _) | Dim::Mod(a, _) => a.iters().contains(&i),
    })
}

fn uses(c: &Constraint, i: Iter) -> bool {
    c.term.coefficient(i) != 0
}

/// The value that `term = 0` gives the iterator, which has the coefficient 1 or -1 there.
fn value_by(c: &Constraint, i: Iter) -> Option<Affine> {
    let n = c.term.coefficient(i);
    if n.abs() != 1 {
        return None;
    }
    Affine::iter(i).minus(&c.term.scaled(n)?)
}

fn substituted(constraints: &[Constraint], i: Iter, value: &Affine) -> Option<Vec<Constraint>> {
    let mut left = Vec::new();
    for c in constraints {
        let replace = |j: Iter| if j == i { value.clone() } else { Affine::iter(j) };
        let term = c.term.compose(&replace)?;
        if term.as_constant() != Some(0) {
            add(&mut left, Constraint { term, relation: c.relation });
        }
    }
    Some(left)
}

/// The room that a lower and an upper bound leave.
fn between(lower: &Affine, upper: &Affine, i: Iter) -> Option<Affine> {
    let (l, u) = (lower.coefficient(i), upper.coefficient(i).checked_neg()?);
    if l != 1 && u != 1 {
        return None;
    }
    lower.scaled(u)?.plus(&upper.scaled(l)?)
}

fn at_least_zero(term: Affine) -> Constraint {
    Constraint { term, relation: Relation::AtLeastZero }
}

fn add(left: &mut Vec<Constraint>, c: Constraint) {
    if !left.contains(&c) {
        left.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iter(n: u32) -> Affine {
        Affine::iter(Iter::from_u32(n))
    }

    fn holds(term: Option<Affine>) -> Constraint {
        at_least_zero(term.expect("small coefficients"))
    }

    /// `project` against every point of small boxes.
    fn agrees(constraints: &[Constraint]) {
        let left = project(constraints, &[Iter::from_u32(1)]).expect("unit coefficients");
        let all = |cs: &[Constraint], i: i64, j: i64| {
            cs.iter().all(|c| {
                let at = |x: Iter| if x == Iter::from_u32(0) { i } else { j };
                let v = c.term.eval(&at, &|s| s.as_constant()).expect("constant sizes");
                if c.relation == Relation::Zero { v == 0 } else { v >= 0 }
            })
        };
        for i in -8..8 {
            let some = (-40..40).any(|j| all(constraints, i, j));
            assert_eq!(all(&left, i, 0), some, "at {i}: {left:?}");
        }
    }

    #[test]
    fn a_range_and_a_condition() {
        // 0 <= j < 5, j > 2 * i
        let five = iter(1).scaled(-1).map(|t| t.plus_size(&4.into()));
        let beyond =
            iter(0).scaled(-2).and_then(|t| t.plus(&iter(1))).map(|t| t.plus_size(&(-1).into()));
        agrees(&[holds(Some(iter(1))), holds(five), holds(beyond)]);
    }

    #[test]
    fn a_triangle_leaves_that_it_is_not_empty() {
        // 0 <= j < i
        let below = iter(0).minus(&iter(1)).map(|t| t.plus_size(&(-1).into()));
        agrees(&[holds(Some(iter(1))), holds(below)]);
    }

    #[test]
    fn an_equation() {
        // j = 3 * i - 1, 0 <= j < 6
        let equation = iter(0).scaled(3).and_then(|t| t.minus(&iter(1)));
        let term = equation.expect("small").plus_size(&(-1).into());
        let below = iter(1).scaled(-1).map(|t| t.plus_size(&5.into()));
        let zero = Constraint { term, relation: Relation::Zero };
        agrees(&[holds(Some(iter(1))), holds(below), zero]);
    }

    #[test]
    fn what_is_not_exact_is_not_said() {
        // 2 * j >= i and 3 * j <= i
        let lower = iter(1).scaled(2).and_then(|t| t.minus(&iter(0)));
        let upper = iter(1).scaled(-3).and_then(|t| t.plus(&iter(0)));
        assert_eq!(project(&[holds(lower), holds(upper)], &[Iter::from_u32(1)]), None);
    }
}
