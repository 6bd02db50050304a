//! Clause pieces: what each clause defines once later clauses have taken their cells.
//!
//! Subtraction is by constraints (`A \ {c₁, c₂}` is `A ∧ ¬c₁` and `A ∧ c₁ ∧ ¬c₂`), so it
//! needs no decision about symbolic sizes; pieces that are empty for certain are dropped,
//! by intervals or, failing that, by integer sets.

use super::condition::{Conjunction, guard_pieces};
use super::hulls::{self, Hull, Hulls};
use super::known::Known;
use super::piece::{Effort, Piece, Whole, holds};
use super::regions::{Extent, clause_region};
use crate::thir::{Clause, Slot};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Constraint, Iter, Region, Relation};
use weft_shape::{Size, Verdict};

/// Pieces of one clause are capped, and so is what each of them is told by; beyond that the
/// definition is refused.
const MOST_PIECES: usize = 256;

/// Conditions on all pieces of a definition together are capped too.
const MOST_CONDITIONS: usize = 1 << 15;

/// Conditions that are gone through again while later clauses are taken off, half a second of them:
/// what is left of clauses whose order nothing tells grows with the square of their number. One
/// piece alone is gone through quickly.
const MOST_VISITED: usize = 1 << 18;

/// What is left to one clause.
pub(crate) struct Part {
    /// As [`Clause::pieces`].
    pub pieces: Vec<Conjunction>,
    /// As [`Clause::masked`].
    pub masked: bool,
}

/// Whether clauses define every cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Covered {
    Yes,
    /// They may leave cells out: sizes may tell.
    Open,
    /// There are too many of them to look.
    Unknown,
}

/// What was found of the clauses of a definition.
pub(crate) struct Resolution {
    /// What is left to each clause.
    pub parts: Vec<Part>,
    /// Clauses of which the later one takes cells from the earlier one.
    pub overlaps: Vec<(usize, usize)>,
    /// Together.
    pub covered: Covered,
}

/// A clause that is cut into too many pieces, and what else was found before.
pub(crate) struct Refusal {
    /// As [`Resolution::overlaps`].
    pub overlaps: Vec<(usize, usize)>,
    pub diagnostic: Box<Diagnostic>,
}

/// Shares out the cells of a tensor of `extents` among its clauses.
pub(crate) fn resolve(
    known: &Known<'_>,
    clauses: &[Clause],
    extents: &[Size],
) -> Result<Resolution, Refusal> {
    let own: Vec<Own<'_>> = clauses.iter().map(|c| own_pieces(known, c)).collect();
    let hulls = Hulls::new(own.iter().map(|o| o.hull.clone()).collect());
    let (mut parts, mut overlaps) = (Vec::new(), Vec::new());
    let (mut effort, mut conditions, mut visited) = (Effort::new(), 0, 0);
    for (at, Own { pieces: mut left, masked, .. }) in own.into_iter().enumerate() {
        let clause = &clauses[at];
        let whole = Whole::of(known, clause);
        let mut next = at + 1;
        // Those that can take something, in the order of the text.
        while let Some(by) = hulls.next(next, &|h| left.iter().any(|p| p.may_meet(h))) {
            next = by + 1;
            let later = &clauses[by];
            let taken = domain(known, later, &coordinates(clause));
            if left.len() > 1 {
                visited += conditions_of(left.iter().filter(|p| p.may_meet(hulls.of(by))));
            }
            let changed;
            (left, changed) = without(&whole, left, &taken, hulls.of(by));
            if !changed {
                continue;
            }
            left.retain_mut(|p| !p.is_found_empty(&whole, &mut effort));
            overlaps.push((at, by));
            if let Some(diagnostic) = refused(&left, [conditions, visited], clause, later) {
                return Err(Refusal { overlaps, diagnostic: Box::new(diagnostic) });
            }
        }
        conditions += conditions_of(left.iter());
        let pieces = left.into_iter().map(Piece::into_constraints).collect();
        parts.push(Part { pieces, masked });
    }
    let covered = coverage(known, clauses, extents);
    Ok(Resolution { parts, overlaps, covered })
}

/// How many conditions some pieces have together.
fn conditions_of<'p, 'a: 'p>(pieces: impl Iterator<Item = &'p Piece<'a>>) -> usize {
    pieces.map(|p| p.constraints().len()).sum()
}

/// What is said of a clause of which too much is left, beside so many conditions on earlier ones, or
/// which took too many visits to conditions together with them.
fn refused(
    left: &[Piece<'_>],
    [conditions, visited]: [usize; 2],
    clause: &Clause,
    by: &Clause,
) -> Option<Diagnostic> {
    let (headline, label) = if left.len() > MOST_PIECES {
        let headline = "later clauses cut a clause into more than 256 pieces";
        (headline, "each piece of this is a loop of its own")
    } else if left.iter().any(|p| p.constraints().len() > MOST_PIECES) {
        let headline = "later clauses leave more than 256 conditions on a clause";
        (headline, "each cell of this meets all of them")
    } else if conditions + conditions_of(left.iter()) > MOST_CONDITIONS {
        let headline = "clauses cut each other into pieces of more than 32768 conditions";
        (headline, "some of these are conditions on pieces of this")
    } else if visited > MOST_VISITED {
        let headline = "too many clauses cut each other in an order that nothing tells";
        (headline, "pieces of this are cut again by each later clause")
    } else {
        return None;
    };
    let d = Diagnostic::error(Code::E0507, headline)
        .primary(clause.span, label)
        .secondary(by.span, "this clause is the one too many")
        .help("choose within one clause: `if i == j { 1 } else if i > n { 2 } else { 0 }`");
    Some(d)
}

/// What a clause defines by itself.
struct Own<'a> {
    pieces: Vec<Piece<'a>>,
    masked: bool,
    /// What the pieces lie in.
    hull: Hull,
}

/// What a clause defines by itself: nothing below the first cell of an axis. Above the last
/// one it defines nothing anyway: extents reach as far as the clauses do.
fn own_pieces<'a>(known: &Known<'a>, clause: &Clause) -> Own<'a> {
    let guards = guard_pieces(clause);
    let masked = guards.is_none();
    let inside = cells_from_zero_on(known, clause);
    let whole = Whole::of(known, clause);
    let piece = |guard: Conjunction| {
        let all = guard.into_iter().chain(inside.iter().cloned());
        Piece::new(&whole, all.collect())
    };
    let mut pieces: Vec<Piece> =
        guards.unwrap_or_else(|| vec![Vec::new()]).into_iter().map(piece).collect();
    if inside.iter().any(|c| holds(known, c) == Verdict::No) {
        pieces.clear();
    }
    let hull = hulls::around_all(pieces.iter().map(Piece::hull), clause.slots.len());
    Own { pieces, masked, hull }
}

/// That a clause's cells are none below the first, where its slots leave that open.
pub(crate) fn cells_from_zero_on(known: &Known<'_>, clause: &Clause) -> Conjunction {
    let inside = |term| Constraint { term, relation: Relation::AtLeastZero };
    let terms = coordinates(clause).into_iter().map(inside);
    terms.filter(|c| holds(known, c) != Verdict::Yes).collect()
}

/// Pieces without some cells, which lie in `hull`; whether that changes them.
fn without<'a>(
    whole: &Whole<'_, 'a>,
    before: Vec<Piece<'a>>,
    taken: &[Conjunction],
    hull: &Hull,
) -> (Vec<Piece<'a>>, bool) {
    let mut changed = false;
    let mut left = Vec::with_capacity(before.len());
    for piece in before {
        if !piece.may_meet(hull) {
            left.push(piece);
            continue;
        }
        let mut rest = vec![piece];
        for part in taken {
            rest = rest.into_iter().flat_map(|p| p.without(whole, part)).collect();
        }
        changed |= rest.len() != 1 || rest[0].is_new();
        left.extend(rest);
    }
    (left, changed)
}

/// A clause's domain, as a union of conjunctions of constraints on the coordinates of
/// a cell. A masked clause takes all cells in its ranges: it answers for the earlier
/// ones where it declines.
fn domain(known: &Known<'_>, clause: &Clause, coordinates: &[Affine]) -> Vec<Conjunction> {
    let ranges = ranges_at(known, clause, coordinates, &|_, _| true);
    let guards = guards_at(clause, coordinates);
    guards.into_iter().map(|g| ranges.iter().cloned().chain(g).collect()).collect()
}

/// The ranges of a clause's indices at a cell, and what fixed cells and repeated slots
/// say; only what `keep` wants, by axis and slot.
pub(crate) fn ranges_at(
    known: &Known<'_>,
    clause: &Clause,
    coordinates: &[Affine],
    keep: &dyn Fn(usize, &Slot) -> bool,
) -> Conjunction {
    let mut out = Vec::new();
    let mut met: Vec<(Iter, Affine)> = Vec::new();
    let mut axes: Vec<usize> = Vec::new();
    for (axis, (slot, at)) in clause.slots.iter().zip(coordinates).enumerate() {
        match slot {
            Slot::Fixed(_) if !keep(axis, slot) => {}
            Slot::Fixed(s) => {
                let term = at.plus_size(&s.scaled(-1));
                out.push(Constraint { term, relation: Relation::Zero });
            }
            Slot::Index(i) => match met.iter().find(|(k, _)| k == i) {
                Some((_, first)) => {
                    let term = at.minus(first).expect("coefficients are 1");
                    out.push(Constraint { term, relation: Relation::Zero });
                }
                None => {
                    met.push((*i, at.clone()));
                    axes.push(axis);
                }
            },
        }
    }
    for ((i, coordinate), axis) in met.iter().zip(axes) {
        let Some((lo, hi)) = known.range(*i) else { continue };
        if !keep(axis, &Slot::Index(*i)) {
            continue;
        }
        let (lo, hi) = (lo.compose(&replacing(&met)), hi.compose(&replacing(&met)));
        let above = lo.and_then(|lo| coordinate.minus(&lo));
        let below = hi.and_then(|hi| hi.minus(coordinate)).map(|t| t.plus_size(&(-1).into()));
        for term in [above, below].into_iter().flatten() {
            out.push(Constraint { term, relation: Relation::AtLeastZero });
        }
    }
    out
}

/// A clause's guards at a cell, as disjoint conjunctions: one without constraints where they
/// are tested at each cell.
pub(crate) fn guards_at(clause: &Clause, coordinates: &[Affine]) -> Vec<Conjunction> {
    let of_slot = |(slot, at): (&Slot, &Affine)| match slot {
        Slot::Index(i) => Some((*i, at.clone())),
        Slot::Fixed(_) => None,
    };
    let known: Vec<(Iter, Affine)> =
        clause.slots.iter().zip(coordinates).filter_map(of_slot).collect();
    let pieces = guard_pieces(clause).unwrap_or_else(|| vec![Vec::new()]);
    let at = |c: Constraint| {
        let term = c.term.compose(&replacing(&known)).expect("coefficients are those of before");
        Constraint { term, relation: c.relation }
    };
    pieces.into_iter().map(|p| p.into_iter().map(at).collect()).collect()
}

/// Whether the clauses cover the box `extents` for certain.
fn coverage(known: &Known<'_>, clauses: &[Clause], extents: &[Size]) -> Covered {
    if clauses.iter().any(|c| is_whole(known, c, extents)) {
        return Covered::Yes;
    }
    let (known, cells) = known.with_cells(extents);
    if covers(&known, clauses, &cells.iters) {
        return Covered::Yes;
    }
    if clauses.len() > MOST_PIECES {
        return Covered::Unknown;
    }
    let region = |c: &Clause| clause_region(&known, c, &cells, Extent::Exact);
    let regions: Vec<Region> = clauses.iter().map(region).collect();
    if known.sets().surely_cover(&regions, &cells.whole) { Covered::Yes } else { Covered::Open }
}

/// Whether a clause takes every cell as it is written: its slots are indices of their own that run
/// over the whole axes, and its guards are tested in each cell or there are none.
fn is_whole(known: &Known<'_>, clause: &Clause, extents: &[Size]) -> bool {
    let spans = |(slot, extent): (&Slot, &Size)| match slot {
        Slot::Fixed(_) => false,
        Slot::Index(i) => known
            .size_range(*i)
            .is_some_and(|(lo, hi)| lo.as_constant().is_some_and(|lo| lo <= 0) && hi == extent),
    };
    clause.guards.is_empty()
        && clause.iters.len() == clause.slots.len()
        && clause.slots.iter().zip(extents).all(spans)
}

/// Whether the clauses take all of some cells, by intervals.
fn covers(known: &Known<'_>, clauses: &[Clause], cells: &[Iter]) -> bool {
    let coordinates: Vec<Affine> = cells.iter().map(|i| Affine::iter(*i)).collect();
    let slots: Vec<Slot> = cells.iter().map(|i| Slot::Index(*i)).collect();
    let whole = Whole { known, slots: &slots, iters: cells };
    let mut left = vec![Piece::new(&whole, Vec::new())];
    for clause in clauses {
        let taken = domain(known, clause, &coordinates);
        left = without(&whole, left, &taken, &hulls::hull(known, &clause.slots)).0;
        if left.is_empty() || left.len() > MOST_PIECES {
            break;
        }
    }
    left.is_empty()
}

/// Replaces the indices that are known.
fn replacing(known: &[(Iter, Affine)]) -> impl Fn(Iter) -> Affine + '_ {
    |i| known.iter().find(|(k, _)| *k == i).map_or_else(|| Affine::iter(i), |(_, a)| a.clone())
}

/// A clause's cells in terms of its own indices.
fn coordinates(clause: &Clause) -> Vec<Affine> {
    let at = |s: &Slot| match s {
        Slot::Index(i) => Affine::iter(*i),
        Slot::Fixed(s) => Affine::fixed(s.clone()),
    };
    clause.slots.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thir::{Body, Expr, ExprKind, IterInfo, Ty};
    use weft_base::{FileId, Span};

    /// Clauses `x[i in lo..hi] = …`, one for each range.
    fn clauses(ranges: &[(i64, i64)]) -> (Body, Vec<Clause>) {
        let mut body = Body::default();
        let span = Span::new(FileId::from_u32(0), 0, 0);
        let mut clause = |&(lo, hi): &(i64, i64)| {
            let range = Some((Affine::fixed(lo), Affine::fixed(hi)));
            let i = body.iters.push(IterInfo { name: "i".into(), span, range, source: None });
            Clause {
                span,
                slots: vec![Slot::Index(i)],
                iters: vec![i],
                binds: Vec::new(),
                guards: Vec::new(),
                body: Expr { kind: ExprKind::Error, ty: Ty::Error, span, term: None },
                otherwise: None,
                pieces: Vec::new(),
                masked: false,
            }
        };
        let all = ranges.iter().map(&mut clause).collect();
        (body, all)
    }

    /// The pieces of each clause, in numbers.
    fn shares(ranges: &[(i64, i64)], extent: i64) -> (Vec<Vec<(i64, i64)>>, Covered) {
        let (body, all) = clauses(ranges);
        let known = Known::of(&body);
        let Ok(found) = resolve(&known, &all, &[extent.into()]) else { panic!("it is refused") };
        let ends = |clause: &Clause, piece: &Conjunction| {
            let (here, _) = known.narrowed(piece, &clause.iters);
            let (lo, hi) = here.size_range(clause.iters[0]).expect("it has a range");
            (lo.as_constant().expect("a number"), hi.as_constant().expect("a number"))
        };
        let share = |(c, part): (&Clause, &Part)| part.pieces.iter().map(|p| ends(c, p)).collect();
        (all.iter().zip(&found.parts).map(share).collect(), found.covered)
    }

    #[test]
    fn a_later_clause_takes_its_cells_from_an_earlier_one() {
        let (found, covered) = shares(&[(0, 10), (3, 5)], 10);
        assert_eq!(found, [vec![(0, 3), (5, 10)], vec![(3, 5)]]);
        assert_eq!(covered, Covered::Yes);
    }

    #[test]
    fn a_clause_whose_cells_are_all_taken_has_no_piece() {
        let (found, covered) = shares(&[(2, 4), (0, 6)], 6);
        assert_eq!(found, [vec![], vec![(0, 6)]]);
        assert_eq!(covered, Covered::Yes);
    }

    #[test]
    fn cells_below_zero_are_none_and_cells_between_clauses_are_left_out() {
        let (found, covered) = shares(&[(-2, 2), (4, 6)], 6);
        assert_eq!(found, [vec![(0, 2)], vec![(4, 6)]]);
        assert_eq!(covered, Covered::Open);
    }
}
