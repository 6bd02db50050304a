//! Clause pieces: what each clause defines once later clauses have taken their cells.
//!
//! Subtraction is by constraints (`A \ {c₁, c₂}` is `A ∧ ¬c₁` and `A ∧ c₁ ∧ ¬c₂`), so it
//! needs no decision about symbolic sizes; pieces that are empty for certain are dropped,
//! by intervals or, failing that, by integer sets.

use super::condition::{Conjunction, guard_pieces, opposites};
use super::known::Known;
use super::points::has_point;
use super::regions::{Extent, clause_region, scope_region};
use crate::thir::{Clause, Slot};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Answer, Constraint, End, Iter, Region, Relation};
use weft_shape::{Size, Verdict};

/// Pieces of one clause are capped; beyond that the definition is refused.
const MOST_PIECES: usize = 256;

/// What the questions about empty pieces of one definition may cost: some tenths of a second. A
/// question about `n` constraints costs their square, as many times more as there are quotients
/// among them. Pieces that are not asked about are kept, as they may be.
const EFFORT: usize = 60_000;

/// The least and the largest of some numbers.
type Interval = (i128, i128);

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
    No,
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
    let mut parts: Vec<Part> = clauses.iter().map(|c| own_part(known, c)).collect();
    let boxes: Vec<Vec<Interval>> = clauses.iter().map(|c| bounding_box(known, c)).collect();
    let mut overlaps = Vec::new();
    let mut effort = EFFORT;
    for earlier in 0..clauses.len() {
        for later in earlier + 1..clauses.len() {
            let (from, by) = (earlier, later);
            let before = &parts[from].pieces;
            if before.is_empty() {
                break;
            }
            if are_apart(&boxes[from], &boxes[by]) {
                continue;
            }
            let left = without(known, before, &clauses[from], &clauses[by]);
            let Some(mut left) = left else { continue };
            // Only what is new can be empty.
            let iters = &clauses[from].iters;
            left.retain(|p| before.contains(p) || !is_empty(known, p, iters, &mut effort));
            overlaps.push((from, by));
            if left.len() > MOST_PIECES {
                let diagnostic = Box::new(too_many(&clauses[from], &clauses[by]));
                return Err(Refusal { overlaps, diagnostic });
            }
            parts[from].pieces = left;
        }
    }
    let covered = coverage(known, clauses, extents);
    Ok(Resolution { parts, overlaps, covered })
}

fn too_many(clause: &Clause, by: &Clause) -> Diagnostic {
    let headline = "later clauses cut a clause into more than 256 pieces";
    Diagnostic::error(Code::E0507, headline)
        .primary(clause.span, "each piece of this is a loop of its own")
        .secondary(by.span, "this clause is the one too many")
        .help("choose within one clause: `if i == j { 1 } else if i > n { 2 } else { 0 }`")
}

/// What a clause defines by itself: nothing below the first cell of an axis. Above the last
/// one it defines nothing anyway: extents reach as far as the clauses do.
fn own_part(known: &Known<'_>, clause: &Clause) -> Part {
    let own = guard_pieces(clause);
    let masked = own.is_none();
    let mut pieces = own.unwrap_or_else(|| vec![Vec::new()]);
    let inside = cells_from_zero_on(known, clause);
    if inside.iter().any(|c| holds(known, c) == Verdict::No) {
        pieces.clear();
    }
    pieces.iter_mut().for_each(|p| p.extend(inside.iter().cloned()));
    Part { pieces, masked }
}

/// That a clause's cells are none below the first, where its slots leave that open.
pub(crate) fn cells_from_zero_on(known: &Known<'_>, clause: &Clause) -> Conjunction {
    let inside = |term| Constraint { term, relation: Relation::AtLeastZero };
    let terms = coordinates(clause).into_iter().map(inside);
    terms.filter(|c| holds(known, c) != Verdict::Yes).collect()
}

/// The numbers between which the cells of a clause lie, by slot.
fn bounding_box(known: &Known<'_>, clause: &Clause) -> Vec<Interval> {
    let facts = known.facts();
    let of_slot = |slot: &Slot| {
        let (lo, hi) = match slot {
            Slot::Fixed(s) => facts.bounds(s),
            Slot::Index(i) => match known.range(*i) {
                Some((lo, hi)) => {
                    let lo = lo.as_size().and_then(|s| facts.bounds(s).0);
                    let hi = hi.as_size().and_then(|s| facts.bounds(s).1);
                    (lo, hi.map(|n| n - 1))
                }
                None => (None, None),
            },
        };
        (lo.unwrap_or(i128::MIN), hi.unwrap_or(i128::MAX))
    };
    clause.slots.iter().map(of_slot).collect()
}

/// Pieces of an earlier clause without the cells of a later one; `None` where they have none
/// of them.
fn without(
    known: &Known<'_>,
    before: &[Conjunction],
    earlier: &Clause,
    later: &Clause,
) -> Option<Vec<Conjunction>> {
    let taken = domain(known, later, &coordinates(earlier));
    let mut pieces = before.to_vec();
    for part in &taken {
        pieces = subtract_all(known, pieces, part, &earlier.iters);
    }
    (pieces != before).then_some(pieces)
}

/// Whether a piece is found to be empty, within some effort.
fn is_empty(known: &Known<'_>, piece: &Conjunction, iters: &[Iter], effort: &mut usize) -> bool {
    let quotients = piece.iter().filter(|c| !c.term.is_affine()).count();
    let cost = piece.len() * piece.len() * (1 + quotients);
    if has_point(known, piece, iters) || cost > *effort {
        return false;
    }
    *effort -= cost;
    let region = scope_region(known, iters, &[], piece);
    region.is_some_and(|(r, _)| known.sets().is_surely_empty(&r))
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

fn subtract_all(
    known: &Known<'_>,
    pieces: Vec<Conjunction>,
    taken: &[Constraint],
    iters: &[Iter],
) -> Vec<Conjunction> {
    pieces.into_iter().flat_map(|p| subtract(known, p, taken, iters)).collect()
}

fn subtract(
    known: &Known<'_>,
    piece: Conjunction,
    taken: &[Constraint],
    iters: &[Iter],
) -> Vec<Conjunction> {
    let (here, _) = known.narrowed(&piece, iters);
    let verdicts: Vec<Verdict> = taken.iter().map(|c| holds(&here, c)).collect();
    if verdicts.contains(&Verdict::No) {
        return vec![piece];
    }
    let mut out = Vec::new();
    let mut inside = piece;
    for (c, verdict) in taken.iter().zip(verdicts) {
        if verdict == Verdict::Yes {
            continue;
        }
        for opposite in opposites(c) {
            let mut rest = inside.clone();
            rest.push(opposite);
            out.push(rest);
        }
        inside.push(c.clone());
    }
    out.retain(|p| !surely_empty(known, p, iters));
    out.into_iter().map(|p| without_implied(known, p)).collect()
}

/// A piece without the constraints that another one of the same indices implies.
fn without_implied(known: &Known<'_>, piece: Conjunction) -> Conjunction {
    let implies = |strong: &Constraint, weak: &Constraint| {
        strong.relation == Relation::AtLeastZero
            && weak.relation == Relation::AtLeastZero
            && strong.term.terms() == weak.term.terms()
            && known.facts().le(strong.term.offset(), weak.term.offset()) == Verdict::Yes
    };
    let mut kept: Conjunction = Vec::new();
    for c in piece {
        if !kept.iter().any(|k| implies(k, &c)) {
            kept.retain(|k| !implies(&c, k));
            kept.push(c);
        }
    }
    kept
}

/// Whether a constraint holds everywhere in the ranges as they are known.
fn holds(known: &Known<'_>, c: &Constraint) -> Verdict {
    let facts = known.facts();
    let (Some(lo), Some(hi)) = (known.bound(&c.term, End::Lower), known.bound(&c.term, End::Upper))
    else {
        return Verdict::Unknown;
    };
    let at_least = facts.non_negative(&lo) == Verdict::Yes;
    let negative = facts.lt(&hi, &0.into()) == Verdict::Yes;
    match c.relation {
        Relation::AtLeastZero if at_least => Verdict::Yes,
        Relation::Zero if at_least && facts.le(&hi, &0.into()) == Verdict::Yes => Verdict::Yes,
        _ if negative => Verdict::No,
        Relation::Zero if facts.lt(&0.into(), &lo) == Verdict::Yes => Verdict::No,
        _ => Verdict::Unknown,
    }
}

fn surely_empty(known: &Known<'_>, piece: &[Constraint], iters: &[Iter]) -> bool {
    if piece.iter().any(|c| holds(known, c) == Verdict::No) {
        return true;
    }
    let (here, _) = known.narrowed(piece, iters);
    iters.iter().any(|i| ends_at_once(&here, *i))
}

/// Whether an index surely has no value.
fn ends_at_once(known: &Known<'_>, i: Iter) -> bool {
    let Some((lo, hi)) = known.range(i) else { return false };
    match (known.bound(lo, End::Lower), known.bound(hi, End::Upper)) {
        (Some(lo), Some(hi)) => known.facts().le(&hi, &lo) == Verdict::Yes,
        _ => false,
    }
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
    match known.sets().covers(&regions, &cells.whole) {
        Answer::Yes => Covered::Yes,
        Answer::No(_) => Covered::No,
        Answer::Unknown => Covered::Unknown,
    }
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
    let mut left = vec![Vec::new()];
    for clause in clauses {
        for taken in domain(known, clause, &coordinates) {
            left = subtract_all(known, left, &taken, cells);
        }
        if left.len() > MOST_PIECES {
            return false;
        }
    }
    left.is_empty()
}

/// Whether two boxes have no cell in common.
fn are_apart(a: &[Interval], b: &[Interval]) -> bool {
    a.iter().zip(b).any(|(x, y)| x.1 < y.0 || y.1 < x.0)
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
        assert_eq!(covered, Covered::No);
    }
}
