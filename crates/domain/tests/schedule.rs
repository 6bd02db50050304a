//! Rows of schedules, on small groups of statements.

use weft_base::entity::EntityRef;
use weft_domain::{Affine, Dependence, Formula, Iter, Region, Sets};
use weft_shape::{Facts, Param, Size};

fn first() -> [Iter; 2] {
    [0, 1].map(Iter::new)
}

fn second() -> [Iter; 2] {
    [100, 101].map(Iter::new)
}

fn n() -> Size {
    Size::param(Param::new(0))
}

fn iter(i: Iter, plus: i64) -> Affine {
    Affine::iter(i).plus_size(&plus.into())
}

/// `0 <= i < n` for each of the iterators.
fn square(iters: &[Iter]) -> Formula {
    let side = |&i: &Iter| {
        let above = Formula::le(&Affine::fixed(0), &Affine::iter(i)).unwrap();
        above.and(Formula::lt(&Affine::iter(i), &Affine::fixed(n())).unwrap())
    };
    Formula::All(iters.iter().map(side).collect())
}

fn region(iters: &[Iter], formula: Formula) -> Region {
    Region { iters: iters.to_vec(), hidden: Vec::new(), formula }
}

fn row(statements: &[Region], dependences: &[Dependence]) -> Option<Vec<Affine>> {
    let facts = Facts::new();
    Sets::new(&facts).schedule_row(statements, dependences, (&first(), &second()))
}

/// `h[i, j]` from `h[i + a, j + b]` for each distance.
fn uniform(distances: &[(i64, i64)]) -> Option<Vec<Affine>> {
    let ([i, j], [x, y]) = (first(), second());
    let pairs = |&(a, b): &(i64, i64)| {
        let all = square(&[i, j]).and(square(&[x, y]));
        let all = all.and(Formula::equal(&iter(i, 0), &iter(x, a)).unwrap());
        let all = all.and(Formula::equal(&iter(j, 0), &iter(y, b)).unwrap());
        Dependence { from: 0, to: 0, pairs: region(&[i, j, x, y], all) }
    };
    let pairs: Vec<Dependence> = distances.iter().map(pairs).collect();
    row(&[region(&[i, j], square(&[i, j]))], &pairs)
}

/// The row's value at a distance, less its value at the reader.
fn step(row: &Affine, (a, b): (i64, i64)) -> i64 {
    let [i, j] = first();
    row.coefficient(i) * a + row.coefficient(j) * b
}

#[test]
fn directions_that_no_axis_has() {
    for distances in [vec![(-1, 1), (0, -1)], vec![(1, -2), (-1, 1)], vec![(-2, 3), (1, -2)]] {
        let row = uniform(&distances).expect("there is an order");
        assert!(distances.iter().all(|&d| step(&row[0], d) <= 0), "{row:?}");
        assert!(distances.iter().any(|&d| step(&row[0], d) < 0), "{row:?}");
    }
}

#[test]
fn what_has_no_order_has_no_row() {
    assert_eq!(uniform(&[(-1, 0), (1, 0)]), None);
    assert_eq!(uniform(&[(0, 0)]), None);
}

/// The triangular step of Gram-Schmidt: a diagonal cell, then a column, then the rest.
#[test]
fn instances_of_one_statement_on_both_sides_of_another() {
    let ([i, j], [x, y]) = (first(), second());
    let upper =
        |i: Iter, j: Iter| square(&[i, j]).and(Formula::le(&iter(i, 0), &iter(j, 0)).unwrap());
    let above =
        |i: Iter, j: Iter| square(&[i, j]).and(Formula::lt(&iter(i, 0), &iter(j, 0)).unwrap());
    let same = |a: Iter, b: Iter| Formula::equal(&iter(a, 0), &iter(b, 0)).unwrap();
    // R[k, j >= k], Q[i, k], t[k, j > k].
    let statements = [
        region(&[i, j], upper(i, j)),
        region(&[i, j], square(&[i, j])),
        region(&[i, j], above(i, j)),
    ];
    let all = [i, j, x, y];
    let q_of_r = upper(i, j).and(square(&[x, y])).and(same(i, y)).and(same(j, y));
    let t_of_q = square(&[i, j]).and(above(x, y)).and(same(j, x));
    let r_of_t = above(i, j).and(upper(x, y)).and(same(i, x)).and(same(j, y));
    let pairs = [
        Dependence { from: 0, to: 1, pairs: region(&all, q_of_r) },
        Dependence { from: 1, to: 2, pairs: region(&all, t_of_q) },
        Dependence { from: 2, to: 0, pairs: region(&all, r_of_t) },
    ];
    let row = row(&statements, &pairs);
    assert!(row.is_some());
}
