//! Definitions by clauses: `let u[t in 1..T, i] = … where …;`, alone or reading each other.
//!
//! A recurrence's element type, rank and extents are found in passes (`fixpoint.rs`).

use crate::handles::Definitions;
use crate::join::joined_elem;
use crate::scope::Binding;
use crate::thir::{Clause, Definition, Elem, Expr, LocalId, Slot, Stmt, Ty};
use crate::typed::coproduct::Alternative;
use crate::typed::fields::Target;
use crate::typed::fixpoint::Place;
use crate::typed::indexed::Found;
use crate::typed::indexed::{Clauses, Draft, Member, Written};
use crate::typed::ranges::Hiding;
use crate::typed::reduction::Conditions;
use crate::typed::values::{as_value, error_expr};
use rustc_hash::FxHashSet;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir::visit::{holds_definitions, uses_in, uses_in_clause, where_value};
use weft_hir::{self as hir, VarId};
use weft_shape::Size;

/// A slot before its rest is expanded.
enum SlotDraft {
    Index(Iter),
    Fixed(Size),
    Rest(crate::scope::RestId),
}

impl Definitions<'_, '_> {
    /// Definitions that are made together, with their joined axes taken apart.
    pub fn definitions_of(&mut self, group: &[hir::Definition]) -> Vec<Stmt> {
        let plain = |c| Written { clause: c, ends: &[] };
        if !group.iter().flat_map(|d| &d.clauses).any(is_joined) {
            let group: Vec<Clauses> =
                group.iter().map(|d| d.clauses.iter().map(plain).collect()).collect();
            return self.made_together(&group);
        }
        let taken_apart: Vec<Vec<Alternative>> = group
            .iter()
            .map(|d| d.clauses.iter().flat_map(|c| self.alternatives(c)).collect())
            .collect();
        fn written(a: &Alternative) -> Written<'_> {
            Written { clause: &a.clause, ends: &a.ends }
        }
        let group: Vec<Clauses> = taken_apart
            .iter()
            .filter(|d| !d.is_empty())
            .map(|d| d.iter().map(written).collect())
            .collect();
        if group.is_empty() { Vec::new() } else { self.made_together(&group) }
    }

    /// A definition by one clause.
    pub fn lone_definition(&mut self, clause: hir::Clause, out: &mut Vec<Stmt>) {
        let made = self.made_together(&[vec![Written { clause: &clause, ends: &[] }]]);
        if self.checker.cx().is_host() {
            out.append(&mut self.checker.cx().pending);
        }
        out.extend(made);
    }

    /// Checks definitions that may read each other, in source order: the definitions, and
    /// the bindings of those whose cells are tuples.
    fn made_together(&mut self, group: &[Clauses]) -> Vec<Stmt> {
        let recurrent = is_recurrent(group);
        let in_passes = recurrent || group.iter().flatten().any(|w| clause_holds(w.clause));
        self.checker.in_passes(in_passes, |c| c.definitions().definitions_once(group, recurrent))
    }

    fn definitions_once(&mut self, group: &[Clauses], recurrent: bool) -> Vec<Stmt> {
        let mut targets: Vec<Target> = group.iter().map(|d| Target::new(self.declare(d))).collect();
        let outer = self.checker.cx().group.clone();
        let mut places: Vec<Option<Place>> = vec![None; group.len()];
        for (n, (target, clauses)) in targets.iter_mut().zip(group).enumerate() {
            let place = recurrent
                .then(|| self.checker.recall_definition(clauses[0].clause.name.var))
                .flatten();
            let known = place.and_then(|(place, known)| {
                places[n] = Some(place);
                known
            });
            let members = self.assumed_members(target, clauses, known);
            self.checker.cx().targets().open_target(target, &members);
        }
        let definitions = self.group_of(group, &mut targets, &places);
        self.checker.cx().group = outer;
        let bindings: Vec<Stmt> =
            targets.iter().filter_map(|t| self.checker.cx().targets().bind_fields(t)).collect();
        [Stmt::Tensors(definitions)].into_iter().chain(bindings).collect()
    }

    /// What is assumed of a definition: what the passes before found, or what is written.
    fn assumed_members(
        &mut self,
        target: &mut Target,
        clauses: &Clauses,
        known: Option<Found>,
    ) -> Vec<Member> {
        let Some(Found { members, cell }) = known else {
            let slots = written_slots(clauses).unwrap_or_default();
            return vec![Member { elem: self.stated_elem(clauses), slots, ..Member::default() }];
        };
        if let Some(cell) = cell {
            self.checker.cx().targets().split_target(target, cell, clauses);
        }
        members
    }

    fn declare(&mut self, clauses: &Clauses) -> LocalId {
        let name = &clauses[0].clause.name;
        let id = self.checker.cx().local(&name.name, name.span, Ty::Error, None);
        self.checker.must_be_used(id);
        self.checker.cx().bind(name.var, Binding::Local(id));
        self.checker.cx().defined.insert_mut(id);
        id
    }

    fn stated_elem(&mut self, clauses: &Clauses) -> Elem {
        let stated = clauses.iter().find_map(|w| w.clause.ty.as_ref());
        let stated =
            self.checker.unreported(|c| stated.and_then(|t| c.cx().conversions().scalar_type(t)));
        stated.map_or(Elem::Sought, Elem::Fixed)
    }

    /// Checks all clauses against what is assumed of the members, and notes what it finds.
    fn group_of(
        &mut self,
        group: &[Clauses],
        targets: &mut [Target],
        places: &[Option<Place>],
    ) -> Vec<Definition> {
        let mut drafts: Vec<Vec<Draft>> = Vec::new();
        let (mut locals, mut names): (Vec<LocalId>, Vec<&Clauses>) = (Vec::new(), Vec::new());
        for (clauses, target) in group.iter().zip(targets.iter_mut()) {
            let around = self.checker.cx().defining.replace(target.whole);
            let checked: Vec<Draft> =
                clauses.iter().filter_map(|w| self.clause(w, clauses)).collect();
            self.checker.cx().defining = around;
            for (id, mut list) in self.checker.cx().targets().split_fields(target, clauses, checked)
            {
                self.checker.cx().targets().write_out(&mut list);
                let slots = list.iter().map(|d| d.clause.slots.len()).max().unwrap_or(0);
                self.checker.cx().group.entry(id).or_default().slots = slots;
                locals.push(id);
                names.push(clauses);
                drafts.push(list);
            }
        }
        self.checker.cx().targets().infer_from_group(&mut drafts, &locals);
        let mut found = Vec::new();
        for ((clauses, id), list) in names.iter().zip(&locals).zip(&mut drafts) {
            found.push(self.settle(clauses, *id, list));
        }
        for (id, member) in locals.iter().zip(&found) {
            self.checker.cx().group.insert(*id, member.clone());
        }
        let mut members = found.iter().cloned();
        for (target, place) in targets.iter().zip(places) {
            let found = target.found(members.by_ref());
            place.iter().for_each(|place| self.checker.note_definition(*place, found.clone()));
        }
        let (mut definitions, mut frames) = (Vec::new(), Vec::new());
        for (id, list) in locals.iter().zip(drafts) {
            let (definition, of_it) = self.checker.cx().targets().finish_definition(*id, list);
            definitions.push(definition);
            frames.push(of_it);
        }
        if !self.checker.cx().is_provisional {
            self.checker.cx().proofs().lint_boundaries(&definitions, &frames);
        }
        for id in targets.iter().map(|t| &t.whole).chain(&locals) {
            self.checker.cx().group.remove(id);
        }
        definitions
    }

    pub fn clause(&mut self, written: &Written, siblings: &Clauses) -> Option<Draft> {
        self.checker.cx().push_scope();
        self.checker.cx().ranges().push_frame();
        let (depth, active) = (self.checker.cx().path.len(), self.checker.cx().active.len());
        let draft = self.clause_in_scope(written, siblings);
        self.checker.cx().path.truncate(depth);
        self.checker.cx().active.truncate(active);
        let frame = self.checker.cx().frames.pop().unwrap_or_default();
        self.checker.cx().proofs().lint_shadowed_integers(&frame.hiding);
        self.checker.cx().pop_scope();
        let stretch = written.clause.stretch;
        draft.map(|(clause, ends)| Draft { clause, stretch, frame, ends, has_ranges: true })
    }

    fn clause_in_scope(
        &mut self,
        written: &Written,
        siblings: &Clauses,
    ) -> Option<(Clause, Vec<Option<Size>>)> {
        let (c, span) = (written.clause, written.clause.span);
        let slots = self.slots(c, siblings);
        let depth = self.checker.cx().path.len();
        let own = self.checker.cx().ranges().slot_indices();
        let Conditions { binds, guards } = self.checker.reads().conditions(&c.where_items, &own);
        let body = match c.alternatives.as_slice() {
            [body] => as_value(self.checker.expr(body)),
            _ => {
                let d = Diagnostic::error(Code::E0506, "alternatives without a coproduct slot")
                    .primary(c.slots_span, "no slot says where each of them goes")
                    .help("join an axis: `let y[i ^ j] = a[i] ^ b[j];`");
                self.checker.error(d)
            }
        };
        self.checker.cx().path.truncate(depth);
        let otherwise = c.otherwise.as_ref().map(|e| self.checker.expr(e));
        let body = match &c.ty {
            Some(ty) => self.checker.applied().annotated_cell(body, ty),
            None => body,
        };
        self.checker.cx().targets().agree_on_else(&body, otherwise.as_ref());
        let (slots, ends) = self.expand_slots(slots?, written.ends);
        let mut iters: Vec<Iter> = Vec::new();
        for s in &slots {
            if let Slot::Index(i) = s
                && !iters.contains(i)
            {
                iters.push(*i);
            }
        }
        self.checker.cx().ranges().infer_ranges();
        self.checker.keep_ranges(clause_holds(c));
        let pieces = Vec::new();
        let masked = false;
        let clause = Clause { span, slots, iters, binds, guards, body, otherwise, pieces, masked };
        Some((clause, ends))
    }

    fn slots(&mut self, c: &hir::Clause, siblings: &Clauses) -> Option<Vec<SlotDraft>> {
        let mut out = Vec::new();
        let mut names: Vec<(VarId, Iter)> = Vec::new();
        for slot in &c.slots {
            let draft = match &slot.kind {
                hir::SlotKind::Index { name, range, hides } => {
                    match names.iter().find(|(n, _)| *n == name.var && !name.is_discard()) {
                        Some((_, i)) => SlotDraft::Index(*i),
                        None => {
                            let integer = hides.and_then(|var| self.checker.integer_named(var));
                            let iter = self.checker.reads().index(name, range.as_ref(), true)?;
                            if let Some(integer) = integer.filter(|_| range.is_none()) {
                                let name = name.clone();
                                let repeated = is_bare_before(&name, c, siblings);
                                let hiding = Hiding { iter, name, integer, repeated };
                                self.checker.cx().ranges().hides_integer(hiding);
                            }
                            names.push((name.var, iter));
                            SlotDraft::Index(iter)
                        }
                    }
                }
                hir::SlotKind::Fixed(e) => SlotDraft::Fixed(self.fixed_slot(e)?),
                hir::SlotKind::Rest(rest) => {
                    let id = self.checker.reads().new_rest(rest, true);
                    if let Some(rank) = rank_of_rest(c, siblings) {
                        self.checker.cx().ranges().settle_rest(id, rank);
                    }
                    SlotDraft::Rest(id)
                }
                // Expanded before, or refused.
                hir::SlotKind::Coproduct(_) => {
                    self.checker.cx().ranges().poison();
                    return None;
                }
            };
            out.push(draft);
        }
        Some(out)
    }

    fn fixed_slot(&mut self, e: &hir::Expr) -> Option<Size> {
        let cell = self.checker.expr(e);
        if cell.term.as_ref().and_then(Affine::as_constant).is_some_and(|n| n < 0) {
            let d = Diagnostic::error(Code::E0509, "a cell has no negative index")
                .primary(e.span, "cells are counted from 0")
                .help("the last cell is `n - 1`");
            self.checker.report(d);
            self.checker.cx().ranges().poison();
            return None;
        }
        let size = self.checker.cx().leaves().size_required(&cell, "a slot");
        if size.is_none() {
            self.checker.cx().ranges().poison();
        }
        size
    }

    /// The slots axis by axis, and how far each axis goes where that is stated.
    fn expand_slots(
        &mut self,
        drafts: Vec<SlotDraft>,
        stated: &[Option<hir::Ident>],
    ) -> (Vec<Slot>, Vec<Option<Size>>) {
        let (mut out, mut ends) = (Vec::new(), Vec::new());
        for (n, d) in drafts.into_iter().enumerate() {
            match d {
                SlotDraft::Index(i) => {
                    out.push(Slot::Index(i));
                    ends.push(stated.get(n).and_then(|end| self.stated_end(end.as_ref()?)));
                }
                SlotDraft::Fixed(s) => out.push(Slot::Fixed(s)),
                SlotDraft::Rest(id) => out
                    .extend(self.checker.cx().ranges().rest_iters(id).into_iter().map(Slot::Index)),
            }
            ends.resize(out.len(), None);
        }
        (out, ends)
    }

    /// The end of an axis, where parts of it stand behind the one that the clause defines.
    fn stated_end(&mut self, end: &hir::Ident) -> Option<Size> {
        let Some(Binding::Local(id)) = self.checker.lookup(end.var) else { return None };
        self.checker.body().locals[id].term.as_ref()?.as_size().cloned()
    }

    /// Element type, rank and extents of a definition whose clauses are checked.
    fn settle(&mut self, clauses: &Clauses, id: LocalId, list: &mut [Draft]) -> Member {
        let unknown = Member { slots: 0, elem: Elem::Unknown, rank: None, extents: None };
        // A clause that is wrong may be the one that ranges the others.
        let wrong = list.iter().any(|d| d.clause.body.ty == Ty::Error);
        list.iter_mut().for_each(|d| {
            d.frame.poisoned |= wrong;
            d.has_ranges &= self.checker.cx().ranges().report_unsolved(&d.frame);
        });
        let Some(slots) = list.iter().map(|d| d.clause.slots.len()).max() else { return unknown };
        let assumed = self.checker.cx().group[&id].elem;
        // A body of which nothing is known in this pass may have the axes.
        let fewer = |d: &&Draft| d.clause.slots.len() != slots && d.clause.body.ty != Ty::Error;
        if list.iter().any(|d| fewer(&d)) {
            let count = |d: &Draft| d.clause.slots.len();
            let first = &list[0];
            let other = list.iter().find(|d| count(d) != count(first)).unwrap_or(first);
            let (here, there) = (other.clause.span, first.clause.span);
            self.checker.cx().targets().rank_clash(
                clauses,
                here,
                there,
                count(other),
                count(first),
            );
            return Member { slots, ..unknown };
        }
        let stated = clauses.iter().any(|w| w.clause.ty.is_some());
        let elem = self.settle_elem(list, assumed, stated);
        let body_shape = list.iter().find_map(|d| d.clause.body.ty.shape().map(<[Size]>::to_vec));
        self.checker.cx().targets().agree_on_bodies(list);
        let extents: Option<Vec<Size>> =
            (0..slots).map(|k| self.checker.cx().targets().slot_extent(list, k)).collect();
        let extents = match (extents, &body_shape) {
            (Some(mut e), Some(b)) => {
                e.extend(b.iter().cloned());
                Some(e)
            }
            _ => None,
        };
        Member { slots, elem, rank: body_shape.map(|b| slots + b.len()), extents }
    }

    /// The one element type of all bodies.
    fn settle_elem(&mut self, list: &mut [Draft], assumed: Elem, stated: bool) -> Elem {
        let met = match met_elem(list) {
            Ok(met) => met,
            Err(two) => {
                let (first, other) = *two;
                self.checker.cx().conversions().mismatch(
                    &first,
                    &other,
                    "the clauses of a definition",
                );
                list[0].clause.body = error_expr(other.span);
                return assumed;
            }
        };
        let elem = match assumed {
            Elem::Fixed(_) if stated => assumed,
            _ => met,
        };
        for d in list.iter_mut() {
            let body = std::mem::replace(&mut d.clause.body, error_expr(d.clause.span));
            d.clause.body = self.checker.cx().conversions().expect_elem(body, elem, "a cell");
            d.clause.otherwise = d
                .clause
                .otherwise
                .take()
                .map(|e| self.checker.cx().conversions().expect_elem(e, elem, "a cell"));
        }
        elem
    }
}

/// The rank of the one rest among a clause's slots, from a sibling without a rest.
fn rank_of_rest(c: &hir::Clause, siblings: &Clauses) -> Option<usize> {
    let is_rest = |s: &&hir::Slot| matches!(s.kind, hir::SlotKind::Rest(_));
    let plain = siblings.iter().find(|w| !w.clause.slots.iter().any(|s| is_rest(&s)))?;
    let rests = c.slots.iter().filter(is_rest).count();
    let fixed = c.slots.len() - rests;
    if rests == 1 { plain.clause.slots.len().checked_sub(fixed) } else { None }
}

/// Whether a clause before `c` has the slot `name`, without a range.
fn is_bare_before(name: &hir::Ident, c: &hir::Clause, siblings: &Clauses) -> bool {
    let before = siblings.iter().take_while(|w| !std::ptr::eq(w.clause, c));
    let is_bare = |s: &hir::Slot| match &s.kind {
        hir::SlotKind::Index { name: other, range: None, .. } => other.name == name.name,
        _ => false,
    };
    before.flat_map(|w| &w.clause.slots).any(is_bare)
}

/// The number of slots as written; `None` where a rest stands among them.
fn written_slots(clauses: &Clauses) -> Option<usize> {
    let slots = &clauses.iter().map(|w| &w.clause.slots).max_by_key(|slots| slots.len())?;
    let rest = slots.iter().any(|s| matches!(s.kind, hir::SlotKind::Rest(_)));
    (!rest).then_some(slots.len())
}

/// The element type that all bodies meet in, or two bodies that do not meet.
fn met_elem(list: &[Draft]) -> Result<Elem, Box<(Expr, Expr)>> {
    let bodies = list.iter().flat_map(|d| [Some(&d.clause.body), d.clause.otherwise.as_ref()]);
    joined_elem(&bodies.flatten().collect::<Vec<_>>())
}

/// Whether a clause holds definitions, which may depend on ranges that reads behind them decide.
fn clause_holds(c: &hir::Clause) -> bool {
    let items = c.where_items.iter().map(where_value);
    c.alternatives.iter().chain(&c.otherwise).chain(items).any(holds_definitions)
}

/// Whether a clause has a joined axis.
fn is_joined(c: &hir::Clause) -> bool {
    c.slots.iter().any(|s| matches!(s.kind, hir::SlotKind::Coproduct(_)))
}

/// Whether any clause of the group names a member.
fn is_recurrent(group: &[Clauses]) -> bool {
    let names: FxHashSet<VarId> = group.iter().map(|d| d[0].clause.name.var).collect();
    group.iter().flatten().any(|w| {
        let mut found = false;
        let mut use_of = |var| found |= names.contains(&var);
        uses_in_clause(w.clause, &mut use_of);
        w.clause.slots.iter().filter_map(written_in).for_each(|e| uses_in(e, &mut use_of));
        found
    })
}

/// The range or the cell that is written in a slot.
fn written_in(slot: &hir::Slot) -> Option<&hir::Expr> {
    match &slot.kind {
        hir::SlotKind::Index { range, .. } => range.as_ref(),
        hir::SlotKind::Fixed(cell) => Some(cell),
        hir::SlotKind::Rest(_) | hir::SlotKind::Coproduct(_) => None,
    }
}
