//! What proofs and lints found, applied to the body under way.
//!
//! The only place where what is checked and its provers meet: here they get what is known, and
//! here checks are required, reads are marked and diagnostics are reported.

use crate::lint;
use crate::lint::cells::CellLints;
use crate::prove::access::{Access, Extent};
use crate::prove::bounds::{self, Proof, Question};
use crate::prove::condition::Conjunction;
use crate::prove::known::Known;
use crate::prove::pieces::{self, Covered, Refusal, cells_from_zero_on};
use crate::thir::{Clause, Definition, Expr, LocalId, Stmt, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Proofs;
use crate::typed::ranges::{Frame, Hiding};
use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Constraint, Iter};
use weft_shape::{CheckSubject, Param, Size, SizeCheck, SizeRelation};

/// How many clauses that take cells from each other one definition is told of.
const MOST_OVERLAPS_TOLD: usize = 50;

impl Proofs<'_, '_> {
    /// Proves the accesses of clauses whose pieces are known.
    pub fn prove_accesses(&mut self, clauses: &[Clause], frames: &[Frame]) {
        let mut overridden = None;
        for (clause, frame) in clauses.iter().zip(frames) {
            match clause.pieces.is_empty() {
                // What later clauses take is right all the same.
                true => {
                    let all = cells_from_zero_on(&self.cx.known(), clause);
                    self.prove_frame(frame, &[all], overridden);
                }
                false => self.prove_frame(frame, &clause.pieces, overridden),
            }
            overridden = overridden.or(clause.pieces.is_empty().then_some(clause.span));
        }
    }

    /// Proves the accesses of a finished frame on each piece of its clause's domain.
    pub fn prove_frame(&mut self, frame: &Frame, pieces: &[Conjunction], overridden: Option<Span>) {
        self.pass_on_accesses(frame);
        let outer = self.outer_indices();
        for access in frame.accesses.iter().filter(|a| !waits(a, &outer)) {
            for piece in pieces {
                self.prove_on(access, piece, overridden);
            }
        }
    }

    /// Gives the accesses of a finished frame that outer indices are involved in to the outer
    /// frame, which may still infer from them.
    pub fn pass_on_accesses(&mut self, frame: &Frame) {
        let outer = self.outer_indices();
        if let Some(around) = self.cx.frames.last_mut() {
            around.accesses.extend(frame.accesses.iter().filter(|a| waits(a, &outer)).cloned());
        }
    }

    /// The indices of the frames that are open.
    fn outer_indices(&mut self) -> BTreeSet<Iter> {
        self.cx.frames.iter().flat_map(|f| f.iters.iter().copied()).collect()
    }

    /// Proves an access on a piece of its clause's domain, or has it checked. `overridden` is
    /// as in [`Question`].
    pub fn prove_on(&mut self, access: &Access, piece: &[Constraint], overridden: Option<Span>) {
        if self.cx.is_provisional
            || access.term.iters().iter().any(|i| self.cx.conflicting.contains(i))
        {
            return;
        }
        let Some(extent) = self.extent_of(&access.extent) else { return };
        let question = Question { access, extent: &extent, piece, overridden };
        match bounds::prove(&self.cx.known(), &question) {
            Proof::Inside(values) => values.into_iter().for_each(|(p, v)| self.pin(p, v)),
            // Under `try` what leaves its extent is a failure like others, which may be caught.
            _ if self.cx.attempted > 0 => self.cx.body.reads[access.read].checked = true,
            Proof::Sizes(checks) => {
                let [low, high] = *checks;
                let _ = self.cx.require(low) && self.cx.require(high);
            }
            Proof::Outside(d) => self.cx.report(*d),
            Proof::Open => self.cx.body.reads[access.read].checked = true,
        }
    }

    /// The extent of an axis; `None` where it was not found, or the definition it belongs to
    /// is no longer under way.
    fn extent_of(&self, extent: &Extent) -> Option<Size> {
        match extent {
            Extent::Known(s) => Some(s.clone()),
            Extent::Group(id, axis) => self.cx.group.get(id)?.extents.as_ref()?.get(*axis).cloned(),
        }
    }

    /// A proof that rests on the value of a literal is checked where a run replaces it.
    pub fn pin(&mut self, p: Param, value: i64) {
        if !self.cx.pinned.insert(p) {
            return;
        }
        let info = &self.cx.body.params[p];
        let (what, span) = (info.name.to_string(), info.span);
        let subject = CheckSubject::Stated { what, span, value: None, axis: 0 };
        let (left, right) = (value.into(), Size::param(p));
        let (when, chain) = (Vec::new(), Vec::new());
        let relation = SizeRelation::Equal;
        let check = SizeCheck { when, relation, left, right, subject, chain };
        self.cx.pending.push(Stmt::Check(check.into()));
    }

    /// Gives every clause its pieces, and tells what is odd about them; whether together they
    /// cover `extents`. `None` where they are refused. Clauses of different `stretches` have other
    /// statements between them.
    pub fn resolve_pieces(
        &mut self,
        defined: LocalId,
        clauses: &mut [Clause],
        stretches: &[u32],
        extents: &[Size],
    ) -> Option<bool> {
        let found = pieces::resolve(&self.cx.known(), clauses, extents);
        let (parts, overlaps, covered, refused) = match found {
            Ok(r) => (r.parts, r.overlaps, r.covered, None),
            Err(Refusal { overlaps, diagnostic }) => {
                (Vec::new(), overlaps, Covered::Unknown, Some(*diagnostic))
            }
        };
        let lints = CellLints::new(self.cx.known(), self.cx.source);
        // Nobody reads thousands of warnings.
        let mut odd = lints.overlaps(clauses, &overlaps, extents, MOST_OVERLAPS_TOLD);
        if covered == Covered::Open {
            odd.extend(lints.uncovered(clauses, extents));
        }
        odd.extend(clauses.iter().find_map(|c| lints.below_zero(c)));
        let apart = overlaps.iter().find(|(a, b)| stretches[*a] != stretches[*b]);
        if let Some(&(a, b)) = apart {
            let name = &self.cx.body.locals[defined].name;
            odd = vec![overlaps_apart(name, &clauses[a], &clauses[b])];
        }
        self.cx.report_all(odd);
        if let Some(d) = refused {
            self.cx.report(d);
            return None;
        }
        for (clause, part) in clauses.iter_mut().zip(parts) {
            clause.pieces = part.pieces;
            clause.masked = part.masked;
        }
        Some(covered == Covered::Yes)
    }

    /// `undefined-boundary`, for the reads of a group of definitions among themselves.
    pub fn lint_boundaries(&mut self, definitions: &[Definition], frames: &[Vec<Frame>]) {
        // Clauses that do not fit each other say nothing of their cells.
        if definitions.iter().any(|d| self.cx.body.locals[d.local].ty == Ty::Error) {
            return;
        }
        let lints = CellLints::new(self.cx.known(), self.cx.source);
        let mut found = Vec::new();
        for (definition, frames) in definitions.iter().zip(frames) {
            let local = &self.cx.body.locals[definition.local];
            if crate::typed::fold::is_fold(&local.name) {
                continue;
            }
            for (clause, frame) in definition.clauses.iter().zip(frames) {
                found.extend(lints.boundaries(clause, &frame.accesses, definitions));
            }
        }
        self.cx.report_all(found);
    }

    /// `shadowed-integer`: slots that are one bare name, which is an integer outside. Silent where
    /// the integer is the extent that the index runs over, `x[c]` of `x: [f32; c]`: there is no
    /// cell at it.
    pub fn lint_shadowed_integers(&mut self, hiding: &[Hiding]) {
        let known = self.cx.known();
        let runs_over = |h: &Hiding| {
            let is_extent = |(lo, hi): (&Size, &Size)| {
                *lo == Size::constant(0) && h.integer.value.as_ref() == Some(hi)
            };
            known.size_range(h.iter).is_some_and(is_extent)
        };
        let odd = hiding.iter().filter(|h| !h.repeated && !runs_over(h));
        let found: Vec<Diagnostic> =
            odd.map(|h| lint::names::shadowed_integer(&h.name, h.integer.span)).collect();
        self.cx.report_all(found);
    }

    /// `unused-name`, for the names of the scope that ends.
    pub fn lint_unused(&mut self) {
        let scope = self.cx.scopes.last().expect("a scope is open");
        let locals = scope.locals().clone();
        for &id in &locals {
            if self.cx.to_use.remove_mut(&id) && !self.cx.used[id] {
                let d = lint::names::unused(&self.cx.body.locals[id]);
                self.cx.report(d);
            }
        }
    }

    /// `float-equality`: an assertion that two floats have the same bits.
    pub fn lint_float_equality(&mut self, cond: &Expr) {
        self.cx.report_all(lint::numbers::float_equality(cond));
    }
}

impl BodyCx<'_> {
    /// What is known of the body under way, with ranges that the pass before found.
    pub fn known(&self) -> Known<'_> {
        Known::of(&self.body).with_ranges(&self.provisional)
    }

    pub fn report_all(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|d| self.report(d));
    }

    pub fn pop_scope(&mut self) {
        self.proofs().lint_unused();
        self.scopes.pop();
    }
}

/// A clause that takes cells from one far before it looks like an assignment, which it is not.
fn overlaps_apart(name: &weft_base::Name, earlier: &Clause, later: &Clause) -> Diagnostic {
    Diagnostic::error(Code::E0506, format!("clauses of `{name}` stand apart and overlap"))
        .primary(later.span, "this clause defines cells again")
        .secondary(earlier.span, "these are defined here")
        .note("a cell has one value from the start: the later clause gives it, for all readers")
        .help("write the clauses below each other, or give the changed tensor a name of its own")
}

/// Whether an access is made under an index of the frames around.
fn waits(access: &Access, outer: &BTreeSet<Iter>) -> bool {
    access.scope.iter().any(|i| outer.contains(i))
}
