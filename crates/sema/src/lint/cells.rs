//! Lints about cells: such that no clause defines, such that two define, such that no tensor
//! has, and reads of cells that no clause defines.
//!
//! A lint needs a point in typical sizes, not one in some corner such as an extent of 0,
//! and is silent where a guard or a written range says that it is meant.

use crate::prove::access::{self, Access};
use crate::prove::known::{Cells, Known};
use crate::prove::regions::{Extent, clause_region, is_written, scope_region, typical_values};
use crate::thir::{Clause, Definition, Expr, ExprKind, LocalId, ReadId, Slot};
use weft_base::{SourceMap, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Answer, Formula, Iter, Region, Sets, Witness};
use weft_shape::{Size, Verdict};

/// Choices of typical sizes; a lint speaks only if it would for all.
const CHOICES: i64 = 3;

/// A read of a tensor under definition, all of whose indices are affine.
struct SelfRead<'f> {
    /// One access per axis of the definition's slots.
    accesses: Vec<&'f Access>,
    target: LocalId,
}

/// What the lints look at.
pub(crate) struct CellLints<'a> {
    known: Known<'a>,
    source: &'a SourceMap,
}

impl<'a> CellLints<'a> {
    pub fn new(known: Known<'a>, source: &'a SourceMap) -> CellLints<'a> {
        CellLints { known, source }
    }

    /// Questions for each choice of typical sizes.
    fn typical_sets(&self, regions: &[&Region]) -> Vec<Sets<'a>> {
        let values = |choice| typical_values(self.known.body(), regions, choice);
        (0..CHOICES).map(|c| Sets::with_values(self.known.facts(), values(c))).collect()
    }

    /// The least counterexample for the first choice of sizes, if there is one for all.
    fn typically_not(
        &self,
        regions: &[&Region],
        ask: &dyn Fn(&Sets<'_>) -> Answer,
    ) -> Option<Witness> {
        never(&self.typical_sets(regions), &|sets, _| ask(sets))
    }

    /// `uncovered-cells`, of clauses for a tensor of `extents` that leave cells out.
    pub fn uncovered(&self, clauses: &[Clause], extents: &[Size]) -> Option<Diagnostic> {
        let (known, cells) = self.known.with_cells(extents);
        let dependent = self.dependent_axes(clauses);
        let meant = Extent::Meant { but: None, dependent: &dependent };
        let regions: Vec<Region> =
            clauses.iter().map(|c| clause_region(&known, c, &cells, meant)).collect();
        let all: Vec<&Region> = regions.iter().chain([&cells.whole]).collect();
        let witness = self.typically_not(&all, &|sets| sets.covers(&regions, &cells.whole))?;
        let name = self.text_of_cell(&clauses[0], &cells, &witness);
        let span = clauses[0].span;
        let d = Diagnostic::warning(Code::UncoveredCells, format!("no clause defines `{name}`"))
            .primary(span, "cells that no clause defines hold zero")
            .help("define them, or write the range that is meant: `in 1..n`");
        Some(d)
    }

    /// `cells-below-zero`, of a clause whose written range begins there whatever the sizes. A guard
    /// says that it is meant.
    pub fn below_zero(&self, clause: &Clause) -> Option<Diagnostic> {
        let body = self.known.body();
        let below = |lo: &Size| self.known.facts().lt(lo, &Size::constant(0)) == Verdict::Yes;
        let begins_below = |slot: &Slot| match slot {
            Slot::Index(i) if is_written(body, slot) => {
                self.known.size_range(*i).filter(|(lo, _)| below(lo)).map(|_| &body.iters[*i])
            }
            _ => None,
        };
        let meant = !clause.guards.is_empty();
        let index = clause.slots.iter().find_map(begins_below).filter(|_| !meant)?;
        let headline = format!("`{}` has no cells below 0", self.name_of(clause.span));
        let d = Diagnostic::warning(Code::CellsBelowZero, headline)
            .primary(index.span, format!("`{}` begins below 0", index.name))
            .help(
                "the first cell of a tensor is 0: shift the range, and the index in the body back",
            );
        Some(d)
    }

    /// The axes along which some clause has a written range that depends on another index:
    /// a triangle, whose first row is often one cell.
    fn dependent_axes(&self, clauses: &[Clause]) -> Vec<bool> {
        let axes = clauses.first().map_or(0, |c| c.slots.len());
        let dependent = |slot: &Slot| match slot {
            Slot::Index(i) if is_written(self.known.body(), slot) => {
                self.known.range(*i).is_some() && self.known.size_range(*i).is_none()
            }
            _ => false,
        };
        let any = |axis: usize| clauses.iter().any(|c| c.slots.get(axis).is_some_and(dependent));
        (0..axes).map(any).collect()
    }

    /// `overlapping-clauses`, of `pairs` of clauses for a tensor of `extents`; up to `most` of
    /// them. The later clause wins, and is not part of the earlier one; where both give the same
    /// values nothing is said.
    pub fn overlaps(
        &self,
        clauses: &[Clause],
        pairs: &[(usize, usize)],
        extents: &[Size],
        most: usize,
    ) -> Vec<Diagnostic> {
        let (known, cells) = self.known.with_cells(extents);
        let region =
            |c| clause_region(&known, c, &cells, Extent::Exact).and(cells.whole.formula.clone());
        let meant = |c: &Clause| !c.guards.is_empty() || c.has_repeated_slot();
        let meant: Vec<bool> = clauses.iter().map(meant).collect();
        let pairs: Vec<_> = pairs.iter().filter(|(a, b)| !meant[*a] && !meant[*b]).collect();
        if pairs.is_empty() {
            return Vec::new();
        }
        // A clause that meets many others is put into numbers once.
        let regions: Vec<Region> = clauses.iter().map(region).collect();
        let all: Vec<&Region> = regions.iter().collect();
        let sets = self.typical_sets(&all);
        let here: Vec<Vec<Region>> = sets
            .iter()
            .map(|s| regions.iter().map(|r| s.at_values(r).into_owned()).collect())
            .collect();
        let coordinates = cells.coordinates();
        let overlap = |&(a, b): &(usize, usize)| {
            let at = |choice: usize| (&here[choice][a], &here[choice][b]);
            let differ = values_differ(&clauses[a], &clauses[b], &coordinates);
            let apart = |s: &Sets<'_>, choice: usize| {
                let differing = s.at_values(&at(choice).0.clone().and(differ.clone())).into_owned();
                s.disjoint(&differing, at(choice).1)
            };
            let part = |s: &Sets<'_>, choice| s.subset(at(choice).1, at(choice).0);
            never(&sets, &part)?;
            let witness = never(&sets, &apart)?;
            Some(self.overlap(
                &clauses[a],
                &clauses[b],
                &self.text_of_cell(&clauses[a], &cells, &witness),
            ))
        };
        pairs.into_iter().filter_map(overlap).take(most).collect()
    }

    fn overlap(&self, a: &Clause, b: &Clause, cell: &str) -> Diagnostic {
        Diagnostic::warning(Code::OverlappingClauses, format!("two clauses define `{cell}`"))
            .primary(b.span, "this clause wins")
            .secondary(a.span, "this clause defines it too")
            .help("cut one of the ranges, or move the clause for the fewer cells below")
    }

    /// `undefined-boundary`, for what a clause reads of the definitions of its group.
    pub fn boundaries(
        &self,
        clause: &Clause,
        accesses: &[Access],
        group: &[Definition],
    ) -> Vec<Diagnostic> {
        let reads = self_reads(accesses, group);
        reads.iter().filter_map(|read| self.boundary(clause, read, group)).collect()
    }

    fn boundary(
        &self,
        clause: &Clause,
        read: &SelfRead<'_>,
        group: &[Definition],
    ) -> Option<Diagnostic> {
        let target = group.iter().find(|d| d.local == read.target)?;
        if target.clauses.iter().any(|c| self.depends_on_outer_index(c)) {
            return None;
        }
        let first = read.accesses[0];
        let moved = read.accesses.iter().enumerate().find(|(axis, a)| {
            let own = match clause.slots.get(*axis) {
                Some(Slot::Index(i)) => a.term.as_iter() == Some(*i),
                _ => false,
            };
            !own
        });
        let extents = self.known.body().locals[read.target].ty.shape().unwrap_or_default();
        let (known, cells) = self.known.with_cells(&extents[..target.slots.min(extents.len())]);
        let dependent = self.dependent_axes(&target.clauses);
        let meant = Extent::Meant { but: moved.map(|(axis, _)| axis), dependent: &dependent };
        let regions: Vec<Region> =
            target.clauses.iter().map(|c| clause_region(&known, c, &cells, meant)).collect();
        let terms: Vec<Affine> = read.accesses.iter().map(|a| a.term.clone()).collect();
        let undefined_in = |piece| {
            let (region, exact) = scope_region(&known, &first.scope, &first.path, piece)?;
            let image = region.image(&terms, &cells.iters).filter(|_| exact)?;
            let image = image.and(cells.whole.formula.clone());
            let all: Vec<&Region> = regions.iter().chain([&image]).collect();
            self.typically_not(&all, &|sets| sets.covers(&regions, &image))
        };
        let witness = clause.pieces.iter().find_map(|piece| undefined_in(piece))?;
        let name = self.text_of_cell(&target.clauses[0], &cells, &witness);
        Some(self.undefined_boundary(first, &name, target))
    }

    /// Whether a range of a clause depends on an index around its definition: what is
    /// defined then differs from one of its values to the next.
    fn depends_on_outer_index(&self, clause: &Clause) -> bool {
        let ends = |i: &Iter| self.known.range(*i).into_iter().flat_map(|(lo, hi)| [lo, hi]);
        let around = |a: &Affine| a.iters().iter().any(|i| !clause.iters.contains(i));
        clause.iters.iter().flat_map(ends).any(around)
    }

    fn undefined_boundary(&self, access: &Access, cell: &str, target: &Definition) -> Diagnostic {
        let read = &access.excerpt;
        Diagnostic::warning(
            Code::UndefinedBoundary,
            format!("`{}` reads `{cell}`, which no clause defines", read.text),
        )
        .primary(read.span, "it is zero there")
        .secondary(self.known.body().locals[target.local].span, "defined here")
        .help(format!("define the cells the recurrence starts from: `let {cell} = …;`"))
    }

    /// `y[0, 3]` for the cell of a witness.
    fn text_of_cell(&self, clause: &Clause, cells: &Cells, witness: &Witness) -> String {
        let value = |i: &Iter| {
            let found = witness.iters.iter().find(|(j, _)| j == i);
            found.map_or_else(|| "…".to_string(), |(_, v)| v.to_string())
        };
        let all: Vec<String> = cells.iters.iter().map(value).collect();
        format!("{}[{}]", self.name_of(clause.span), all.join(", "))
    }

    /// The name a clause defines, from its text: `let NAME[`.
    fn name_of(&self, clause: Span) -> &str {
        let text = self.source.text(clause);
        let text = text.trim_start().strip_prefix("let").unwrap_or(text);
        text.split('[').next().unwrap_or_default().trim()
    }
}

/// The points at which two clauses give values that are not known to be equal: a row and a column
/// of zeros may share a corner. The indices of both are put in the coordinates of the cells.
fn values_differ(a: &Clause, b: &Clause, at: &[Affine]) -> Formula {
    if let (ExprKind::Const(x), ExprKind::Const(y)) = (&stated(&a.body).kind, &stated(&b.body).kind)
    {
        return if x == y { Formula::no() } else { Formula::yes() };
    }
    let differ = || {
        let (x, y) = (term_at(a, at)?, term_at(b, at)?);
        Some(Formula::lt(&x, &y)?.or(Formula::lt(&y, &x)?))
    };
    differ().unwrap_or_else(Formula::yes)
}

/// The integer that a clause gives, in the coordinates of its cells.
fn term_at(clause: &Clause, at: &[Affine]) -> Option<Affine> {
    let of = |i| {
        let slot = clause.slots.iter().position(|s| *s == Slot::Index(i));
        slot.and_then(|axis| at.get(axis)).cloned().unwrap_or_else(|| Affine::iter(i))
    };
    stated(&clause.body).term.as_ref()?.compose(&of)
}

/// What is converted, where a value is.
fn stated(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(_, inner) | ExprKind::Adapted(_, inner) => stated(inner),
        _ => e,
    }
}

/// The first counterexample, if each choice of sizes has one.
fn never(sets: &[Sets<'_>], ask: &dyn Fn(&Sets<'_>, usize) -> Answer) -> Option<Witness> {
    let mut first = None;
    for (choice, sets) in sets.iter().enumerate() {
        let Answer::No(witness) = ask(sets, choice) else { return None };
        first.get_or_insert(witness);
    }
    first
}

/// The reads whose target lies in the group, each once.
fn self_reads<'f>(accesses: &'f [Access], group: &[Definition]) -> Vec<SelfRead<'f>> {
    let mut done: Vec<ReadId> = Vec::new();
    let mut out = Vec::new();
    for access in accesses {
        let access::Extent::Group(target, _) = access.extent else { continue };
        let Some(definition) = group.iter().find(|d| d.local == target) else { continue };
        if definition.covered || done.contains(&access.read) {
            continue;
        }
        done.push(access.read);
        let of_axis = |axis| accesses.iter().find(|a| a.read == access.read && a.axis == axis);
        let accesses: Option<Vec<&Access>> = (0..definition.slots).map(of_axis).collect();
        if let Some(accesses) = accesses.filter(|a| !a.is_empty()) {
            out.push(SelfRead { accesses, target });
        }
    }
    out
}
