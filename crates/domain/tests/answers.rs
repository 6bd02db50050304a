//! Answers about small random regions, against all their points.

use proptest::prelude::*;
use std::collections::BTreeMap;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Answer, Bounds, ConvexSet, Formula, Iter, Region, Sets, Witness};
use weft_shape::{Facts, Param, Size};

/// Iterators lie in `LOW..HIGH`, parameters in `1..=MOST`.
const LOW: i64 = -2;
const HIGH: i64 = 6;
const MOST: i64 = 4;

fn iters() -> Vec<Iter> {
    vec![Iter::new(0), Iter::new(1)]
}

fn params() -> [Param; 2] {
    [Param::new(0), Param::new(1)]
}

fn facts() -> Facts {
    let mut facts = Facts::new();
    for p in params() {
        facts.at_least(p, 1);
        facts.at_most(p, MOST);
    }
    facts
}

fn linear_size() -> impl Strategy<Value = Size> {
    let [p, q] = params().map(Size::param);
    prop_oneof![
        3 => (-3..6i64).prop_map(Size::constant),
        2 => (-2..3i64).prop_map({ let p = p.clone(); move |n| p.plus_const(n) }),
        1 => (-2..3i64).prop_map({ let q = q.clone(); move |n| q.scaled(2).plus_const(n) }),
        1 => Just(p.larger(&q.plus_const(1))),
        1 => Just(p.smaller(&q).plus_const(2)),
        1 => Just(p.plus(&q).floor_div(&2.into()).expect("not by zero")),
        1 => Just(p.scaled(3).plus_const(1).modulo(&4.into()).expect("not by zero")),
    ]
}

fn any_size() -> impl Strategy<Value = Size> {
    let [p, q] = params().map(Size::param);
    prop_oneof![
        6 => linear_size(),
        1 => Just(p.times(&q)),
        1 => Just(q.floor_div(&p).expect("not by the number zero")),
        1 => Just(p.times(&q).modulo(&q.plus_const(1)).expect("not by the number zero")),
    ]
}

fn term(size: impl Strategy<Value = Size>, symbolic: bool) -> impl Strategy<Value = Affine> {
    let coefficients = prop::collection::vec(-2..3i64, 2);
    (coefficients, size, 0..8u8).prop_map(move |(c, size, kind)| {
        let linear = |a: i64, b: i64| {
            let [i, j] = [0, 1].map(|n| Affine::iter(Iter::new(n)));
            let sum = i.scaled(a).and_then(|i| i.plus(&j.scaled(b)?));
            sum.expect("small").plus_size(&size)
        };
        let by = |n: i64| if symbolic { Size::param(Param::new(0)) } else { Size::constant(n) };
        match kind {
            0 => linear(c[0], 1).floor_div(&by(2)),
            1 => linear(1, c[1]).modulo(&by(3)).plus(&linear(0, 1)).expect("small"),
            _ => linear(c[0], c[1]),
        }
    })
}

fn formula(symbolic: bool) -> impl Strategy<Value = Formula> {
    let size = if symbolic { any_size().boxed() } else { linear_size().boxed() };
    let leaf = (term(size, symbolic), any::<bool>()).prop_map(|(t, equal)| match equal {
        true => Formula::zero(t),
        false => Formula::at_least_zero(t),
    });
    leaf.prop_recursive(3, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Formula::All),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Formula::Any),
            inner.prop_map(Formula::negated),
        ]
    })
}

/// A region within the bounds of the enumeration.
fn region(symbolic: bool) -> impl Strategy<Value = Region> {
    formula(symbolic).prop_map(|f| bounded().and(f))
}

/// A box with sizes as ends.
fn cuboid() -> impl Strategy<Value = Region> {
    prop::collection::vec((linear_size(), linear_size()), 2).prop_map(|sides| {
        iters().into_iter().zip(sides).fold(bounded(), |region, (i, (lo, hi))| {
            let i = Affine::iter(i);
            let low = Formula::le(&Affine::fixed(lo), &i).expect("small");
            let high = Formula::lt(&i, &Affine::fixed(hi)).expect("small");
            region.and(low).and(high)
        })
    })
}

/// The same points, said of iterators that are no coordinates: `hidden == coordinate + ahead`.
fn under_other_names(region: &Region, first: u32, ahead: &[Size; 2]) -> Region {
    let hidden = |i: Iter| Iter::new(first as usize + i.index());
    let coordinate = |i: Iter| Affine::iter(hidden(i)).plus_size(&ahead[i.index()].scaled(-1));
    let formula = region.formula.compose(&coordinate).expect("small");
    let names = region.iters.iter().map(|&i| Formula::equal(&Affine::iter(i), &coordinate(i)));
    let whole = names.fold(formula, |all, name| all.and(name.expect("small")));
    Region {
        hidden: region.iters.iter().map(|&i| hidden(i)).collect(),
        formula: whole,
        ..region.clone()
    }
}

fn bounded() -> Region {
    iters().into_iter().fold(Region::everywhere(iters()), |region, i| {
        let i = Affine::iter(i);
        let low = Formula::le(&Affine::fixed(LOW), &i).expect("small");
        region.and(low).and(Formula::lt(&i, &Affine::fixed(HIGH)).expect("small"))
    })
}

#[derive(Clone, Copy, Debug)]
struct Point {
    params: [i64; 2],
    iters: [i64; 2],
}

impl Point {
    fn value(&self, a: &Affine) -> i64 {
        let size = |s: &Size| s.eval(&|p| Some(self.params[p.index()]));
        a.eval(&|i| self.iters[i.index()], &size).expect("small")
    }

    fn is_in(&self, region: &Region) -> bool {
        region.formula.holds(&|a| Some(self.value(a))).expect("every term has a value")
    }

    fn of(witness: &Witness) -> Point {
        // Parameters that do not matter may have any value.
        let mut point = Point { params: [1; 2], iters: [0; 2] };
        witness.params.iter().for_each(|(p, v)| point.params[p.index()] = *v);
        let shown = witness.iters.iter().filter(|(i, _)| i.index() < 2);
        shown.for_each(|(i, v)| point.iters[i.index()] = *v);
        point
    }
}

/// Operations after which a question about small regions would hang.
const PATIENCE: u64 = 20_000_000;

fn points() -> impl Iterator<Item = Point> {
    let params = (1..=MOST).flat_map(|p| (1..=MOST).map(move |q| [p, q]));
    params.flat_map(|params| {
        let iters = (LOW..HIGH).flat_map(|i| (LOW..HIGH).map(move |j| [i, j]));
        iters.map(move |iters| Point { params, iters })
    })
}

/// Whether an answer to "no point satisfies `bad`" is right.
fn right(answer: &Answer, bad: impl Fn(&Point) -> bool, may_not_know: bool) -> bool {
    match answer {
        Answer::Yes => !points().any(|p| bad(&p)),
        Answer::No(w) => bad(&Point::of(w)),
        Answer::Unknown => may_not_know,
    }
}

fn check_all(a: &Region, b: &Region, symbolic: bool) -> Result<(), TestCaseError> {
    let facts = facts();
    let sets = Sets::new(&facts);
    let answer = sets.is_empty(a);
    prop_assert!(right(&answer, |p| p.is_in(a), symbolic), "empty: {answer:?}");
    prop_assert!(symbolic || sets.is_surely_empty(a) == (answer == Answer::Yes));
    prop_assert!(!sets.is_surely_empty(a) || !points().any(|p| p.is_in(a)));
    let answer = sets.disjoint(a, b);
    prop_assert!(right(&answer, |p| p.is_in(a) && p.is_in(b), symbolic), "disjoint: {answer:?}");
    let answer = sets.subset(a, b);
    prop_assert!(right(&answer, |p| p.is_in(a) && !p.is_in(b), symbolic), "subset: {answer:?}");
    let answer = sets.equal(a, b);
    prop_assert!(right(&answer, |p| p.is_in(a) != p.is_in(b), symbolic), "equal: {answer:?}");
    let known = BTreeMap::from(params().map(|p| (p, 2)));
    let answer = Sets::with_values(&facts, known).is_empty(a);
    let bad = |p: &Point| p.params == [2, 2] && p.is_in(a);
    prop_assert!(right(&answer, bad, false), "with values: {answer:?}");
    // Some pieces take several times what programs may spend.
    match sets.with_budget(PATIENCE).subtract(a, std::slice::from_ref(b)) {
        Some(pieces) => check_pieces(&pieces, |p| p.is_in(a) && !p.is_in(b))?,
        None => prop_assert!(symbolic),
    }
    Ok(())
}

/// The pieces are disjoint and have exactly the points of `wanted`.
fn check_pieces(
    pieces: &[ConvexSet],
    wanted: impl Fn(&Point) -> bool,
) -> Result<(), TestCaseError> {
    let regions: Vec<Region> = pieces.iter().map(|p| p.region(iters())).collect();
    for p in points() {
        let count = regions.iter().filter(|r| p.is_in(r)).count();
        prop_assert_eq!(count, usize::from(wanted(&p)), "{:?} in {:?}", p, pieces);
    }
    for piece in pieces {
        let Some((ranges, guards)) = piece.ranges(&iters()) else { continue };
        let ranged = Region::of_ranges(&ranges).expect("small");
        let same = guards.into_iter().map(Formula::Holds).fold(ranged, Region::and);
        let region = piece.region(iters());
        let differs = points().find(|p| p.is_in(&same) != p.is_in(&region));
        prop_assert!(differs.is_none(), "{differs:?}: {ranges:?} of {piece:?}");
        for i in ranges[0].lo.iters().into_iter().chain(ranges[0].hi.iters()) {
            prop_assert!(false, "the outer range uses {}", i);
        }
    }
    Ok(())
}

fn check_within(region: &Region, term: &Affine, extent: &Size) -> Result<(), TestCaseError> {
    let facts = facts();
    let outside = |p: &Point| {
        let extent = p.value(&Affine::fixed(extent.clone()));
        p.is_in(region) && !(0..extent).contains(&p.value(term))
    };
    match Sets::new(&facts).within(region, term, extent) {
        Bounds::Inside => prop_assert!(!points().any(|p| outside(&p))),
        Bounds::Outside { witness, always } => {
            prop_assert!(outside(&Point::of(&witness)));
            let per_params = |f: &dyn Fn(&Point) -> bool| {
                let mut all: Vec<[i64; 2]> = points().filter(|p| f(p)).map(|p| p.params).collect();
                all.dedup();
                all
            };
            let everywhere = per_params(&|p| p.is_in(region)) == per_params(&outside);
            prop_assert!(everywhere || !always);
        }
        Bounds::Unknown => prop_assert!(false, "it is linear"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn linear_regions_are_decided(a in region(false), b in region(false)) {
        check_all(&a, &b, false)?;
    }

    #[test]
    fn answers_about_symbolic_products_are_never_wrong(a in region(true), b in region(true)) {
        check_all(&a, &b, true)?;
    }

    #[test]
    fn boxes_are_decided(a in cuboid(), b in cuboid()) {
        check_all(&a, &b, false)?;
    }

    #[test]
    fn boxes_under_other_names_are_decided(
        a in cuboid(),
        b in cuboid(),
        ahead in (linear_size(), linear_size()),
    ) {
        let ahead = [ahead.0, ahead.1];
        let (x, y) = (under_other_names(&a, 2, &ahead), under_other_names(&b, 4, &ahead));
        let facts = facts();
        let sets = Sets::new(&facts);
        let answer = sets.disjoint(&x, &y);
        prop_assert!(right(&answer, |p| p.is_in(&a) && p.is_in(&b), false), "{answer:?}");
        let answer = sets.subset(&x, &y);
        prop_assert!(right(&answer, |p| p.is_in(&a) && !p.is_in(&b), false), "{answer:?}");
        let pieces = sets.subtract(&x, std::slice::from_ref(&y)).expect("it is linear");
        check_pieces(&pieces, |p| p.is_in(&a) && !p.is_in(&b))?;
    }

    #[test]
    fn indices_are_inside_or_have_a_witness(
        a in region(false),
        b in cuboid(),
        t in term(linear_size(), false),
        extent in linear_size(),
    ) {
        check_within(&a, &t, &extent)?;
        check_within(&b, &t, &extent)?;
    }
}

/// `x[i / m, i % m]` with `i in 0..n*m`, where `n` and `m` are unknown.
#[test]
fn a_reshape_by_an_unknown_extent_is_inside() {
    let [n, m] = params().map(Size::param);
    let i = Affine::iter(Iter::new(0));
    let mut facts = Facts::new();
    params().into_iter().for_each(|p| facts.at_least(p, 1));
    let region = Region::everywhere(vec![Iter::new(0)])
        .and(Formula::at_least_zero(i.clone()))
        .and(Formula::lt(&i, &Affine::fixed(n.times(&m))).expect("small"));
    let sets = Sets::new(&facts);
    assert_eq!(sets.within(&region, &i.floor_div(&m), &n), Bounds::Inside);
    assert_eq!(sets.within(&region, &i.modulo(&m), &m), Bounds::Inside);
    assert!(matches!(sets.within(&region, &i.floor_div(&n), &n), Bounds::Outside { .. }));
}

/// The cells that two clauses write, as images of their spaces.
#[test]
fn images_overlap_where_writes_meet() {
    let facts = Facts::new();
    let sets = Sets::new(&facts);
    let (i, cell) = (Iter::new(0), Iter::new(1));
    let strided = |offset: i64| {
        let domain = Region::everywhere(vec![i])
            .and(Formula::at_least_zero(Affine::iter(i)))
            .and(Formula::lt(&Affine::iter(i), &Affine::fixed(10)).expect("small"));
        let term = Affine::iter(i).scaled(2).expect("small").plus_size(&offset.into());
        domain.image(&[term], &[cell]).expect("small")
    };
    assert_eq!(sets.disjoint(&strided(0), &strided(1)), Answer::Yes);
    assert!(matches!(sets.disjoint(&strided(0), &strided(2)), Answer::No(_)));
    let all = Region::everywhere(vec![cell])
        .and(Formula::at_least_zero(Affine::iter(cell)))
        .and(Formula::lt(&Affine::iter(cell), &Affine::fixed(20)).expect("small"));
    assert_eq!(sets.covers(&[strided(0), strided(1)], &all), Answer::Yes);
    let gap = Witness { params: vec![], iters: vec![(cell, 1)] };
    let answer = sets.covers(&[strided(0)], &all);
    let Answer::No(witness) = answer else { panic!("{answer:?}") };
    assert_eq!(witness.iters[0], gap.iters[0]);
}

/// Out of budget is unknown, not wrong and not a crash; the next question is unharmed.
#[test]
fn a_small_budget_gives_unknown() {
    let facts = facts();
    let three = |n: i64| Formula::zero(Affine::iter(Iter::new(0)).plus_size(&n.into()));
    let parts = (0..6).map(three).fold(Formula::no(), Formula::or);
    let region = bounded().and(parts.clone().negated()).and(parts);
    let starved = Sets::new(&facts).with_budget(20);
    assert_eq!(starved.is_empty(&region), Answer::Unknown);
    assert_eq!(starved.subtract(&region, &[bounded()]), None);
    assert_eq!(Sets::new(&facts).is_empty(&region), Answer::Yes);
}

/// `x[i + 1]` with `i in 0..n` leaves `x` of extent `n` for every `n`; `x[i + 1]` of extent
/// 3 only for some.
#[test]
fn what_always_leaves_is_told_from_what_may() {
    let mut facts = Facts::new();
    facts.at_least(Param::new(0), 0);
    let (n, i) = (Size::param(Param::new(0)), Affine::iter(Iter::new(0)));
    let region = Region::everywhere(vec![Iter::new(0)])
        .and(Formula::at_least_zero(i.clone()))
        .and(Formula::lt(&i, &Affine::fixed(n.clone())).expect("small"));
    let next = i.plus_size(&1.into());
    let witness = |n: i64, i: i64| Witness {
        params: vec![(Param::new(0), n)],
        iters: vec![(Iter::new(0), i)],
    };
    let sets = Sets::new(&facts);
    let always = Bounds::Outside { witness: witness(1, 0), always: true };
    assert_eq!(sets.within(&region, &next, &n), always);
    let some = Bounds::Outside { witness: witness(3, 2), always: false };
    assert_eq!(sets.within(&region, &next, &3.into()), some);
    let known = Sets::with_values(&facts, BTreeMap::from([(Param::new(0), 2)]));
    assert_eq!(known.within(&region, &next, &3.into()), Bounds::Inside);
}

/// Comparisons of a parameter alone: what facts forbid has no point, what they leave has.
#[test]
fn sizes_alone_decide_whether_there_are_points() {
    let mut facts = Facts::new();
    facts.at_most(Param::new(0), 3);
    let (p, i) = (Size::param(Param::new(0)), Affine::iter(Iter::new(0)));
    let row = Region::everywhere(vec![Iter::new(0)])
        .and(Formula::at_least_zero(i.clone()))
        .and(Formula::lt(&i, &Affine::fixed(10)).expect("small"));
    let at_least = |n: i64| Formula::at_least_zero(Affine::fixed(p.plus_const(-n)));
    let at_most = |n: i64| Formula::at_least_zero(Affine::fixed(p.scaled(-1).plus_const(n)));
    let empty = |r: &Region| Sets::new(&facts).is_surely_empty(r);
    assert!(!empty(&row.clone().and(at_least(2))));
    assert!(!empty(&row.clone().and(at_least(3))));
    assert!(empty(&row.clone().and(at_least(4))));
    assert!(!empty(&row.clone().and(at_most(-7))));
    assert!(empty(&row.clone().and(at_least(2)).and(at_most(1))));
    assert!(!empty(&row.and(at_least(2)).and(at_most(2))));
}
