//! Lints about cells: such that no clause defines, such that two define, and reads of
//! cells that no clause defines.
//!
//! A lint needs a point in typical sizes, not one in some corner such as an extent of 0,
//! and is silent where a guard or a written range says that it is meant.

use crate::checker::Checker;
use crate::hir::{Clause, Definition, LocalId, ReadId, Slot};
use crate::ranges::{Access, Frame};
use crate::regions::Extent;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Answer, Iter, Region, Sets, Witness};
use weft_shape::Size;

/// Choices of typical sizes; a lint speaks only if it would for all.
const CHOICES: i64 = 3;

/// A read of a tensor under definition, all of whose indices are affine.
struct SelfRead<'f> {
    /// One access per axis of the definition's slots.
    accesses: Vec<&'f Access>,
    target: LocalId,
}

impl Checker<'_> {
    /// The least counterexample for the first choice of sizes, if there is one for all.
    fn typically_not(
        &self,
        regions: &[&Region],
        ask: &dyn Fn(&Sets<'_>) -> Answer,
    ) -> Option<Witness> {
        let mut first = None;
        for choice in 0..CHOICES {
            let sets = Sets::with_values(&self.body().facts, self.typical_values(regions, choice));
            let Answer::No(witness) = ask(&sets) else { return None };
            first.get_or_insert(witness);
        }
        first
    }

    /// `uncovered-cells`.
    pub fn lint_uncovered(&mut self, clauses: &[Clause], cells: &[Iter], whole: &Region) {
        let dependent = self.dependent_axes(clauses);
        let meant = Extent::Meant { but: None, dependent: &dependent };
        let regions: Vec<Region> =
            clauses.iter().map(|c| self.clause_region(c, cells, meant)).collect();
        let all: Vec<&Region> = regions.iter().chain([whole]).collect();
        let found = self.typically_not(&all, &|sets| sets.covers(&regions, whole));
        let Some(witness) = found else { return };
        let name = self.text_of_cell(&clauses[0], cells, &witness);
        let span = clauses[0].span;
        let d = Diagnostic::warning(Code::UncoveredCells, format!("no clause defines `{name}`"))
            .primary(span, "cells that no clause defines hold zero")
            .help("define them, or write the range that is meant: `in 1..n`");
        self.report(d);
    }

    /// The axes along which some clause has a written range that depends on another index:
    /// a triangle, whose first row is often one cell.
    fn dependent_axes(&self, clauses: &[Clause]) -> Vec<bool> {
        let axes = clauses.first().map_or(0, |c| c.slots.len());
        let dependent = |slot: &Slot| match slot {
            Slot::Index(i) if self.is_written(slot) => {
                let range = self.body().iters[*i].range.as_ref();
                range.is_some_and(|(lo, hi)| lo.as_size().is_none() || hi.as_size().is_none())
            }
            _ => false,
        };
        let any = |axis: usize| clauses.iter().any(|c| dependent(&c.slots[axis]));
        (0..axes).map(any).collect()
    }

    /// `overlapping-clauses`: the later clause wins, and is not part of the earlier one.
    pub fn lint_overlap(
        &mut self,
        clauses: &[Clause],
        earlier: usize,
        later: usize,
        extents: &[Size],
    ) {
        let (a, b) = (&clauses[earlier], &clauses[later]);
        let meant = |c: &Clause| !c.guards.is_empty() || c.has_repeated_slot();
        if self.muted > 0 || meant(a) || meant(b) {
            return;
        }
        let (cells, whole) = self.cells(extents, a.span);
        let region = |this: &Self, c| {
            this.clause_region(c, &cells, Extent::Exact).and(whole.formula.clone())
        };
        let (first, second) = (region(self, a), region(self, b));
        let all = [&first, &second];
        let both = self.typically_not(&all, &|sets| sets.disjoint(&first, &second));
        let Some(witness) = both else { return };
        if self.typically_not(&all, &|sets| sets.subset(&second, &first)).is_none() {
            return;
        }
        let name = self.text_of_cell(a, &cells, &witness);
        let d =
            Diagnostic::warning(Code::OverlappingClauses, format!("two clauses define `{name}`"))
                .primary(b.span, "this clause wins")
                .secondary(a.span, "this clause defines it too")
                .help("cut one of the ranges, or move the clause for the fewer cells below");
        self.report(d);
    }

    /// `undefined-boundary`, for the reads of a group of definitions among themselves.
    pub fn lint_boundaries(&mut self, definitions: &[Definition], frames: &[Vec<Frame>]) {
        for (definition, frames) in definitions.iter().zip(frames) {
            if crate::fold::is_fold(&self.body().locals[definition.local].name) {
                continue;
            }
            for (clause, frame) in definition.clauses.iter().zip(frames) {
                for read in self_reads(frame, definitions) {
                    self.lint_boundary(clause, &read, definitions);
                }
            }
        }
    }

    fn lint_boundary(&mut self, clause: &Clause, read: &SelfRead<'_>, all: &[Definition]) {
        let Some(target) = all.iter().find(|d| d.local == read.target) else { return };
        if target.clauses.iter().any(|c| self.depends_on_outer_index(c)) {
            return;
        }
        let first = read.accesses[0];
        let moved = read.accesses.iter().enumerate().find(|(axis, a)| {
            let own = match clause.slots.get(*axis) {
                Some(Slot::Index(i)) => a.term.as_iter() == Some(*i),
                _ => false,
            };
            !own
        });
        let extents = self.body().locals[read.target].ty.shape().unwrap_or_default().to_vec();
        let (cells, whole) =
            self.cells(&extents[..target.slots.min(extents.len())], first.excerpt.span);
        let dependent = self.dependent_axes(&target.clauses);
        let meant = Extent::Meant { but: moved.map(|(axis, _)| axis), dependent: &dependent };
        let regions: Vec<Region> =
            target.clauses.iter().map(|c| self.clause_region(c, &cells, meant)).collect();
        let terms: Vec<Affine> = read.accesses.iter().map(|a| a.term.clone()).collect();
        for piece in &clause.pieces {
            let found = self.scope_region(&first.scope, &first.path, piece);
            let Some((region, true)) = found else { continue };
            let Some(image) = region.image(&terms, &cells) else { continue };
            let image = image.and(whole.formula.clone());
            let all: Vec<&Region> = regions.iter().chain([&image]).collect();
            let found = self.typically_not(&all, &|sets| sets.covers(&regions, &image));
            if let Some(witness) = found {
                let name = self.text_of_cell(&target.clauses[0], &cells, &witness);
                return self.undefined_boundary(first, &name, target);
            }
        }
    }

    /// Whether a range of a clause depends on an index around its definition: what is
    /// defined then differs from one of its values to the next.
    fn depends_on_outer_index(&self, clause: &Clause) -> bool {
        let ends = |i: &Iter| self.body().iters[*i].range.iter().flat_map(|(lo, hi)| [lo, hi]);
        let around = |a: &Affine| a.iters().iter().any(|i| !clause.iters.contains(i));
        clause.iters.iter().flat_map(ends).any(around)
    }

    fn undefined_boundary(&mut self, access: &Access, cell: &str, target: &Definition) {
        let read = &access.excerpt;
        let d = Diagnostic::warning(
            Code::UndefinedBoundary,
            format!("`{}` reads `{cell}`, which no clause defines", read.text),
        )
        .primary(read.span, "it is zero there")
        .secondary(self.body().locals[target.local].span, "defined here")
        .help(format!("define the cells the recurrence starts from: `let {cell} = …;`"));
        self.report(d);
    }

    /// `y[0, 3]` for the cell of a witness.
    fn text_of_cell(&self, clause: &Clause, cells: &[Iter], witness: &Witness) -> String {
        let value = |i: &Iter| {
            let found = witness.iters.iter().find(|(j, _)| j == i);
            found.map_or_else(|| "…".to_string(), |(_, v)| v.to_string())
        };
        let all: Vec<String> = cells.iter().map(value).collect();
        format!("{}[{}]", self.name_of(clause.span), all.join(", "))
    }

    /// The name a clause defines, from its text: `let NAME[`.
    fn name_of(&self, clause: Span) -> &str {
        let text = self.source.text(clause);
        let text = text.trim_start().strip_prefix("let").unwrap_or(text);
        text.split('[').next().unwrap_or_default().trim()
    }
}

/// The reads of a frame whose target lies in the group, each once.
fn self_reads<'f>(frame: &'f Frame, all: &[Definition]) -> Vec<SelfRead<'f>> {
    let mut done: Vec<ReadId> = Vec::new();
    let mut out = Vec::new();
    for access in &frame.accesses {
        let crate::ranges::Extent::Group(target, _) = access.extent else { continue };
        let Some(definition) = all.iter().find(|d| d.local == target) else { continue };
        if definition.covered || done.contains(&access.read) {
            continue;
        }
        done.push(access.read);
        let of_axis =
            |axis: usize| frame.accesses.iter().find(|a| a.read == access.read && a.axis == axis);
        let accesses: Option<Vec<&Access>> = (0..definition.slots).map(of_axis).collect();
        if let Some(accesses) = accesses.filter(|a| !a.is_empty()) {
            out.push(SelfRead { accesses, target });
        }
    }
    out
}
