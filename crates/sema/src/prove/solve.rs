//! Which values of an index a term allows: the term solved for it, through quotients by
//! sizes too.

use weft_domain::{Affine, Dim, Iter};
use weft_shape::Size;

/// An end of the values of an index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// The least value.
    Least(Size),
    /// The largest value.
    Most(Size),
}

/// From where, or up to where, a term is not negative in which `i` stands once and no other index
/// does; `None` where it cannot be solved.
pub(crate) fn values_from(term: &Affine, i: Iter) -> Option<End> {
    let [(dim, c)] = term.terms() else { return None };
    let rest = term.offset();
    let by = Size::from(c.checked_abs()?);
    // c·d + rest >= 0  <=>  d >= -rest / c, or d <= rest / |c|
    let end = match c {
        1.. => End::Least(rest.scaled(-1).plus(&by).plus_const(-1).floor_div(&by)?),
        _ => End::Most(rest.floor_div(&by)?),
    };
    match (dim, end) {
        (Dim::Iter(j), end) => (*j == i).then_some(end),
        // floor(a / s) >= n  <=>  a >= n·s
        (Dim::Div(a, s), End::Least(n)) => values_from(&a.plus_size(&n.times(s).scaled(-1)), i),
        // floor(a / s) <= n  <=>  a <= n·s + s - 1
        (Dim::Div(a, s), End::Most(n)) => {
            let most = n.plus_const(1).times(s).plus_const(-1);
            values_from(&Affine::fixed(most).minus(a)?, i)
        }
        (Dim::Mod(..), _) => None,
    }
}

/// The first value of `i` for which `0 <= term < extent`, and one past the last.
pub(crate) fn values_inside(term: &Affine, i: Iter, extent: &Size) -> Option<(Size, Size)> {
    let below = Affine::fixed(extent.plus_const(-1)).minus(term)?;
    match (values_from(term, i)?, values_from(&below, i)?) {
        (End::Least(lo), End::Most(hi)) | (End::Most(hi), End::Least(lo)) => {
            Some((lo, hi.plus_const(1)))
        }
        _ => None,
    }
}

/// The indices that a term grows or falls with, once for each place: those in remainders, which
/// stay between 0 and their divisor whatever the index, are none.
pub(crate) fn moving(term: &Affine) -> Vec<Iter> {
    let of_dim = |(dim, _): &(Dim, i64)| match dim {
        Dim::Iter(i) => vec![*i],
        Dim::Div(a, _) => moving(a),
        Dim::Mod(..) => Vec::new(),
    };
    term.terms().iter().flat_map(of_dim).collect()
}

/// Whether an index stands in a term once, and not in a remainder.
pub(crate) fn stands_once(term: &Affine, i: Iter) -> bool {
    let places = |dim: &Dim| match dim {
        Dim::Iter(j) => *j == i,
        Dim::Div(a, _) | Dim::Mod(a, _) => a.iters().contains(&i),
    };
    let mut holding = term.terms().iter().filter(|(dim, _)| places(dim));
    match (holding.next(), holding.next()) {
        (Some((Dim::Iter(_), _)), None) => true,
        (Some((Dim::Div(a, _), _)), None) => stands_once(a, i),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_base::entity::EntityRef;

    fn i() -> Affine {
        Affine::iter(Iter::new(0))
    }

    fn inside(term: &Affine, extent: i64) -> Option<(i64, i64)> {
        let (lo, hi) = values_inside(term, Iter::new(0), &extent.into())?;
        Some((lo.as_constant()?, hi.as_constant()?))
    }

    /// The values of an index from -40 on for which a term is inside.
    fn by_trial(term: &Affine, extent: i64) -> Vec<i64> {
        let at = |v| term.eval(&|_| v, &|s| s.as_constant()).expect("numbers");
        (-40..40).filter(|v| (0..extent).contains(&at(*v))).collect()
    }

    #[test]
    fn what_is_solved_is_what_trial_finds() {
        let halved = i().plus_size(&3.into()).floor_div(&2.into());
        let terms = [
            i(),
            i().scaled(-1).unwrap().plus_size(&9.into()),
            i().scaled(3).unwrap().plus_size(&(-2).into()),
            i().floor_div(&4.into()),
            halved.clone(),
            halved.scaled(-2).unwrap().plus_size(&11.into()),
            halved.scaled(3).unwrap().plus_size(&(-1).into()).floor_div(&5.into()),
        ];
        for term in terms {
            for extent in [1, 2, 7] {
                let (lo, hi) = inside(&term, extent).expect("solved");
                assert_eq!((lo..hi).collect::<Vec<_>>(), by_trial(&term, extent), "{term}");
            }
        }
    }

    #[test]
    fn an_index_in_a_remainder_moves_nothing() {
        let rest = i().modulo(&3.into());
        assert_eq!(inside(&rest, 2), None);
        assert!(moving(&rest).is_empty());
        assert!(!stands_once(&i().plus(&rest).unwrap(), Iter::new(0)));
        assert!(stands_once(&i().floor_div(&3.into()), Iter::new(0)));
    }
}
