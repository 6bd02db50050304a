//! The cheap path: regions that are boxes with sizes as bounds, decided by facts alone.
//!
//! Everything here may say "not decided" (`false`, `None`); isl is asked then.

use crate::{Affine, Constraint, ConvexSet, Dim, Formula, Iter, Region, Relation};
use weft_shape::{Atom, Facts, Param, Size, Verdict};

/// Per coordinate the first value and one past the last.
#[derive(Clone, PartialEq, Debug)]
struct Cuboid {
    sides: Vec<(Iter, Size, Size)>,
}

impl Cuboid {
    /// The box a region is.
    fn of(region: &Region) -> Option<Cuboid> {
        let mut constraints = Vec::new();
        conjuncts(&region.formula, &mut constraints)?;
        let (equal, constraints) = names_of_coordinates(region, constraints)?;
        let mut bounds: Vec<(Option<Size>, Option<Size>)> = vec![(None, None); region.iters.len()];
        for constraint in constraints {
            let [(Dim::Iter(i), c)] = constraint.term.terms() else { return None };
            if c.abs() != 1 {
                return None;
            }
            let offset = constraint.term.offset();
            let (at, rest) = match equal.iter().find(|e| e.hidden == *i) {
                Some(e) => (e.coordinate, offset.plus(&e.ahead.scaled(*c))),
                None => (region.iters.iter().position(|x| x == i)?, offset.clone()),
            };
            let side = &mut bounds[at];
            let low = (*c == 1).then(|| rest.scaled(-1));
            let low = low.or_else(|| is_equality(constraint, *c).then(|| rest.clone()));
            let high = (*c == -1).then(|| rest.plus_const(1));
            let high =
                high.or_else(|| is_equality(constraint, *c).then(|| rest.scaled(-1).plus_const(1)));
            tighten(&mut side.0, low, Size::larger);
            tighten(&mut side.1, high, Size::smaller);
        }
        let sides = region.iters.iter().zip(bounds).map(|(&i, (lo, hi))| Some((i, lo?, hi?)));
        Some(Cuboid { sides: sides.collect::<Option<_>>()? })
    }

    fn is_empty(&self, facts: &Facts) -> bool {
        self.sides.iter().any(|(_, lo, hi)| facts.le(hi, lo) == Verdict::Yes)
    }

    /// Whether the box has all points of `other`, side by side.
    fn contains(&self, facts: &Facts, other: &Cuboid) -> bool {
        self.sides.iter().zip(&other.sides).all(|((i, lo, hi), (j, inner_lo, inner_hi))| {
            i == j
                && facts.le(lo, inner_lo) == Verdict::Yes
                && facts.le(inner_hi, hi) == Verdict::Yes
        })
    }

    fn intersection(&self, other: &Cuboid) -> Option<Cuboid> {
        let side = |((i, lo, hi), (j, lo2, hi2)): (&(Iter, Size, Size), &(Iter, Size, Size))| {
            (i == j).then(|| (*i, lo.larger(lo2), hi.smaller(hi2)))
        };
        let sides = self.sides.iter().zip(&other.sides).map(side);
        Some(Cuboid { sides: sides.collect::<Option<_>>()? })
    }

    /// The points that `other` does not have, as disjoint boxes. Sides of `other` must
    /// not run backwards, which the facts have to say.
    fn minus(&self, facts: &Facts, other: &Cuboid) -> Option<Vec<Cuboid>> {
        let common = self.intersection(other)?;
        if common.is_empty(facts) || other.is_empty(facts) {
            return Some(vec![self.clone()]);
        }
        if other.sides.iter().any(|(_, lo, hi)| facts.le(lo, hi) != Verdict::Yes) {
            return None;
        }
        let mut rest = self.clone();
        let mut parts = Vec::new();
        for (at, (_, lo, hi)) in other.sides.iter().enumerate() {
            let mut below = rest.clone();
            below.sides[at].2 = below.sides[at].2.smaller(lo);
            let mut above = rest.clone();
            above.sides[at].1 = above.sides[at].1.larger(hi);
            parts.extend([below, above].into_iter().filter(|b| !b.is_empty(facts)));
            rest.sides[at] = common.sides[at].clone();
        }
        Some(parts)
    }

    /// The first of its points, where all sides are numbers and there are points.
    fn least(&self) -> Option<Vec<(Iter, i64)>> {
        let first = |(i, lo, hi): &(Iter, Size, Size)| {
            let (lo, hi) = (lo.as_constant()?, hi.as_constant()?);
            (lo < hi).then_some((*i, lo))
        };
        self.sides.iter().map(first).collect()
    }

    fn piece(&self) -> ConvexSet {
        let constraint = |term: Affine| Constraint { term, relation: Relation::AtLeastZero };
        let sides = self.sides.iter().flat_map(|(i, lo, hi)| {
            let i = Affine::iter(*i);
            let below = i.plus_size(&lo.scaled(-1));
            let above = i.scaled(-1).expect("the coefficient is 1").plus_size(&hi.plus_const(-1));
            [constraint(below), constraint(above)]
        });
        ConvexSet { constraints: sides.collect() }
    }
}

/// A hidden iterator that is a coordinate but for a shift: `hidden == coordinate + ahead`.
struct Equal {
    hidden: Iter,
    coordinate: usize,
    ahead: Size,
}

/// Each hidden iterator as a coordinate, and the constraints that do not just say so;
/// `None` where one is none, or several.
fn names_of_coordinates<'c>(
    region: &Region,
    constraints: Vec<&'c Constraint>,
) -> Option<(Vec<Equal>, Vec<&'c Constraint>)> {
    let mut equal: Vec<Equal> = Vec::new();
    let mut rest = Vec::new();
    for constraint in constraints {
        match name_of_coordinate(region, constraint) {
            Some(e) if equal.iter().any(|other| other.hidden == e.hidden) => return None,
            Some(e) => equal.push(e),
            None => rest.push(constraint),
        }
    }
    (equal.len() == region.hidden.len()).then_some((equal, rest))
}

fn name_of_coordinate(region: &Region, constraint: &Constraint) -> Option<Equal> {
    let [(Dim::Iter(a), x), (Dim::Iter(b), y)] = constraint.term.terms() else { return None };
    if constraint.relation != Relation::Zero || x.abs() != 1 || *x != -y {
        return None;
    }
    let (hidden, c, shown) = if region.hidden.contains(a) { (*a, *x, b) } else { (*b, *y, a) };
    let coordinate = region.iters.iter().position(|i| i == shown)?;
    region.hidden.contains(&hidden).then(|| {
        // c·hidden - c·coordinate + offset == 0, c being 1 or -1.
        Equal { hidden, coordinate, ahead: constraint.term.offset().scaled(-c) }
    })
}

fn is_equality(constraint: &Constraint, coefficient: i64) -> bool {
    constraint.relation == Relation::Zero && coefficient.abs() == 1
}

fn tighten(bound: &mut Option<Size>, new: Option<Size>, of: fn(&Size, &Size) -> Size) {
    if let Some(new) = new {
        *bound = Some(bound.as_ref().map_or(new.clone(), |old| of(old, &new)));
    }
}

/// The comparisons of a formula that is nothing but their conjunction.
fn conjuncts<'f>(formula: &'f Formula, found: &mut Vec<&'f Constraint>) -> Option<()> {
    match formula {
        Formula::All(parts) => parts.iter().try_for_each(|p| conjuncts(p, found)),
        Formula::Holds(c) => {
            found.push(c);
            Some(())
        }
        Formula::Any(parts) => match parts.as_slice() {
            [one] => conjuncts(one, found),
            _ => None,
        },
        Formula::Not(_) => None,
    }
}

/// Whether a region is a box that is known to be empty.
pub(crate) fn is_empty(facts: &Facts, region: &Region) -> bool {
    Cuboid::of(region).is_some_and(|b| b.is_empty(facts))
}

/// Whether two regions are boxes that are known to be disjoint.
pub(crate) fn disjoint(facts: &Facts, a: &Region, b: &Region) -> bool {
    let common = Cuboid::of(a).zip(Cuboid::of(b)).and_then(|(a, b)| a.intersection(&b));
    common.is_some_and(|c| c.is_empty(facts))
}

/// The least point of two boxes in numbers.
pub(crate) fn least_in_both(a: &Region, b: &Region) -> Option<Vec<(Iter, i64)>> {
    Cuboid::of(a)?.intersection(&Cuboid::of(b)?)?.least()
}

/// The least point of a box in numbers that none of some other boxes has.
pub(crate) fn least_outside(
    facts: &Facts,
    regions: &[Region],
    whole: &Region,
) -> Option<Vec<(Iter, i64)>> {
    let boxes: Vec<Cuboid> = regions.iter().map(Cuboid::of).collect::<Option<_>>()?;
    let rest = remaining(facts, Cuboid::of(whole)?, &boxes)?;
    let least: Option<Vec<_>> = rest.iter().map(Cuboid::least).collect();
    least?.into_iter().min()
}

/// Whether a region is a box that is known to have points for some sizes.
pub(crate) fn has_points(facts: &Facts, region: &Region) -> bool {
    let side = |(_, lo, hi): &(Iter, Size, Size)| facts.lt(lo, hi) == Verdict::Yes;
    let Some(formula) = without_free_sizes(facts, &region.formula) else { return false };
    let region = Region { formula, ..region.clone() };
    Cuboid::of(&region).is_some_and(|c| c.sides.iter().all(side))
}

/// A conjunction without the comparisons of one parameter with a number that hold for some
/// value of it, where nothing else is about that parameter.
fn without_free_sizes(facts: &Facts, formula: &Formula) -> Option<Formula> {
    let mut all = Vec::new();
    conjuncts(formula, &mut all)?;
    let about = |p: Param| all.iter().filter(|c| c.term.params().contains(&p)).count();
    let is_free = |c: &&&Constraint| satisfied_by_some(facts, c).is_some_and(|p| about(p) == 1);
    let rest = all.iter().filter(|c| !is_free(c)).map(|c| Formula::Holds((*c).clone()));
    Some(Formula::All(rest.collect()))
}

/// The parameter of a comparison `p >= n` or `p <= n` that holds for some value of it.
fn satisfied_by_some(facts: &Facts, c: &Constraint) -> Option<Param> {
    let size = c.term.as_size().filter(|_| c.relation == Relation::AtLeastZero)?;
    let [(monomial, factor @ (1 | -1))] = size.terms() else { return None };
    let [Atom::Param(p)] = monomial.as_slice() else { return None };
    let (lo, hi) = facts.param_bounds(*p);
    let end = if *factor == 1 { hi } else { lo };
    let holds = |end: i64| factor * i128::from(end) + size.constant_term() >= 0;
    end.is_none_or(holds).then_some(*p)
}

/// Whether boxes are known to cover a box.
pub(crate) fn covers(facts: &Facts, regions: &[Region], whole: &Region) -> bool {
    let Some(whole) = Cuboid::of(whole) else { return false };
    let boxes: Vec<Cuboid> = regions.iter().filter_map(Cuboid::of).collect();
    if boxes.iter().any(|b| b.contains(facts, &whole)) {
        return true;
    }
    remaining(facts, whole, &boxes).is_some_and(|rest| rest.is_empty())
}

/// The points of a box in none of the others, as disjoint boxes.
fn remaining(facts: &Facts, whole: Cuboid, boxes: &[Cuboid]) -> Option<Vec<Cuboid>> {
    let mut rest = vec![whole];
    for b in boxes {
        let parts: Option<Vec<Vec<Cuboid>>> = rest.iter().map(|r| r.minus(facts, b)).collect();
        rest = parts?.into_iter().flatten().collect();
        if rest.len() > MOST {
            return None;
        }
    }
    rest.retain(|b| !b.is_empty(facts));
    Some(rest)
}

/// Boxes that one subtraction may leave; beyond it isl, which joins them, is asked.
const MOST: usize = 16;

/// Boxes less boxes, where the facts decide the order of their sides.
pub(crate) fn subtract(
    facts: &Facts,
    whole: &Region,
    regions: &[Region],
) -> Option<Vec<ConvexSet>> {
    let boxes: Vec<Cuboid> = regions.iter().map(Cuboid::of).collect::<Option<_>>()?;
    let rest = remaining(facts, Cuboid::of(whole)?, &boxes)?;
    Some(rest.iter().map(Cuboid::piece).collect())
}

/// Whether `0 <= term < extent` is known at all points of a box.
pub(crate) fn within(facts: &Facts, region: &Region, term: &Affine, extent: &Size) -> bool {
    let hull = Cuboid::of(region).and_then(|b| {
        let (mut lo, mut hi) = (term.offset().clone(), term.offset().clone());
        for (dim, c) in term.terms() {
            let Dim::Iter(i) = dim else { return None };
            let (_, first, end) = b.sides.iter().find(|s| s.0 == *i)?;
            let ends = [first.scaled(*c), end.plus_const(-1).scaled(*c)];
            let [least, most] = if *c > 0 { [0, 1] } else { [1, 0] };
            lo = lo.plus(&ends[least]);
            hi = hi.plus(&ends[most]);
        }
        Some((lo, hi))
    });
    hull.is_some_and(|(lo, hi)| {
        facts.le(&Size::constant(0), &lo) == Verdict::Yes && facts.lt(&hi, extent) == Verdict::Yes
    })
}
