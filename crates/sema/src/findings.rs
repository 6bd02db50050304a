//! What proofs and lints found, applied to the body under way.
//!
//! The only place where the checker and its provers meet: here they get what is known, and
//! here checks are required, reads are marked and diagnostics are reported.

use crate::checker::{BodyCx, Checker};
use crate::lint;
use crate::lint::cells::CellLints;
use crate::prove::access::{Access, Extent};
use crate::prove::bounds::{self, Proof, Question};
use crate::prove::condition::Conjunction;
use crate::prove::endless;
use crate::prove::known::Known;
use crate::prove::pieces::{self, Covered, Refusal, cells_from_zero_on};
use crate::ranges::Frame;
use crate::scope::Binding;
use crate::thir::{Clause, Definition, Expr, LocalId, Stmt, Ty};
use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Constraint, Iter};
use weft_hir::{self as hir, VarId};
use weft_shape::{CheckSubject, Param, Size, SizeCheck, SizeRelation};

/// Proofs and lints in a body: what they are told, and what comes of what they find.
pub(crate) struct Proofs<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

impl<'a> BodyCx<'a> {
    /// Proofs and lints in a body: what they are told, and what comes of what they find.
    pub fn proofs(&mut self) -> Proofs<'_, 'a> {
        Proofs { cx: self }
    }
}

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
    fn prove_frame(&mut self, frame: &Frame, pieces: &[Conjunction], overridden: Option<Span>) {
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
        let overlap = |&(a, b): &(usize, usize)| lints.overlap(&clauses[a], &clauses[b], extents);
        let mut odd: Vec<Diagnostic> = overlaps.iter().filter_map(overlap).collect();
        if covered == Covered::No {
            odd.extend(lints.uncovered(clauses, extents));
        }
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
            if crate::fold::is_fold(&local.name) {
                continue;
            }
            for (clause, frame) in definition.clauses.iter().zip(frames) {
                found.extend(lints.boundaries(clause, &frame.accesses, definitions));
            }
        }
        self.cx.report_all(found);
    }

    /// `shadowed-integer`: a slot that is one bare name, which is an integer outside.
    pub fn lint_shadowed_integer(&mut self, name: &hir::Ident, integer: Option<Span>) {
        self.cx.report_all(integer.map(|outside| lint::names::shadowed_integer(name, outside)));
    }

    /// `unused-name`, for the names of the scope that ends.
    pub fn lint_unused(&mut self) {
        let scope = self.cx.scopes.last().expect("a scope is open");
        let locals = scope.locals().to_vec();
        for id in locals {
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

    fn report_all(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|d| self.report(d));
    }
}

impl Checker<'_> {
    /// Ends a frame outside clauses: an outermost reduction, with definitions in it or not.
    pub fn finish_frame(&mut self, holds_definitions: bool) {
        self.cx().ranges().infer_ranges();
        self.keep_ranges(holds_definitions);
        let frame = self.cx().frames.pop().unwrap_or_default();
        self.cx().ranges().infer_from_guards(&frame);
        self.cx().ranges().report_unsolved(&frame);
        self.cx().proofs().prove_frame(&frame, &[Vec::new()], None);
    }

    /// E0312 for each circle of functions that cannot end, where there is no other error.
    pub fn refuse_endless_recursion(&mut self) {
        if !self.at().has_errors_since(0) && !self.errors_before && !self.of_constants.has_errors()
        {
            let found = endless::complaints(&self.program, &self.recursive);
            self.cx().report_all(found);
        }
    }

    /// Where the integer is bound that a name means here, if it means one.
    pub fn integer_named(&mut self, var: VarId) -> Option<Span> {
        match self.lookup(var)? {
            Binding::Local(id) => {
                let local = &self.body().locals[id];
                let scalar = matches!(&local.ty, Ty::Array(_, shape) if shape.is_empty());
                (scalar && local.term.is_some()).then_some(local.span)
            }
            Binding::Const(id) => {
                let def = &self.constants[id].def;
                let int = |e: &hir::Expr| match &e.kind {
                    hir::ExprKind::Number(n) => matches!(n.value, hir::NumberValue::Int(_)),
                    _ => false,
                };
                int(&def.value).then_some(def.name.span)
            }
            _ => None,
        }
    }

    /// Remembers that a name must be used, or is linted.
    pub fn must_be_used(&mut self, id: LocalId) {
        let top = self.bodies.len() == 1 && self.cx().scopes.len() == 1;
        let crate::thir::Local { name, span, .. } = &self.body().locals[id];
        // A fold of nothing does without its cells.
        let discarded = name.as_str().starts_with('_') || crate::fold::is_fold(name);
        if !top && !discarded && !self.fold_indices.contains(span) {
            self.cx().to_use.insert_mut(id);
        }
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
