//! Definitions by clauses, once their clauses are checked: what these agree on, the extents of
//! the slots, and the pieces.

use crate::prove::access::Extent;
use crate::thir::{Clause, Definition, Elem, Expr, ExprKind, LocalId, RangeSource, Slot, Ty};
use crate::typed::handles::Targets;
use crate::typed::ranges::Frame;
use crate::typed::values::value;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, End};
use weft_hir::{self as hir};
use weft_shape::Size;

/// The clauses of one name.
pub(crate) type Clauses<'s> = Vec<Written<'s>>;

/// What is known of a tensor while its definition is under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Member {
    pub slots: usize,
    pub elem: Elem,
    /// Slots and the axes of the bodies, once known.
    pub rank: Option<usize>,
    pub extents: Option<Vec<Size>>,
}

/// What a pass found of a definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// The tensors that it defines: one, or one for each leaf of a cell.
    pub members: Vec<Member>,
    /// What a cell is, where it is a tuple.
    pub cell: Option<Ty>,
}

/// A clause as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'s> {
    pub clause: &'s hir::Clause,
    /// As [`Alternative::ends`].
    pub ends: &'s [Option<hir::Ident>],
}

/// A checked clause with its unfinished inference.
#[derive(Clone)]
pub(crate) struct Draft {
    pub clause: Clause,
    /// As [`hir::Clause::stretch`].
    pub stretch: u32,
    pub frame: Frame,
    /// How far an axis goes, where the clause says so besides what it writes.
    pub ends: Vec<Option<Size>>,
    /// Whether every index has a range, and none stands in for it after an error.
    pub has_ranges: bool,
}

impl Targets<'_, '_> {
    /// A cell's value where a guard is false has the shape of the others.
    pub fn agree_on_else(&mut self, body: &Expr, otherwise: Option<&Expr>) {
        let Some(other) = otherwise else { return };
        match (body.ty.rank(), other.ty.rank()) {
            (Some(a), Some(b)) if a != b => {
                self.cx.conversions().mismatch(body, other, "the value of a clause and its `else`");
                self.cx.ranges().poison();
            }
            (Some(_), Some(_)) => {
                self.cx.conversions().same_shape(body, other, "a clause and its `else`")
            }
            _ => {}
        }
    }

    /// Rule 4: indices that outside reads do not decide take their ranges from reads of
    /// the group, to a fixed point, then from sibling clauses, then from guards.
    pub fn infer_from_group(&mut self, drafts: &mut [Vec<Draft>], locals: &[LocalId]) {
        while self.infer_from_group_reads(drafts, locals)
            || self.infer_from_siblings(drafts)
            || self.infer_from_guards(drafts)
        {}
    }

    fn infer_from_guards(&mut self, drafts: &[Vec<Draft>]) -> bool {
        let mut frames = drafts.iter().flatten().map(|d| &d.frame);
        frames.any(|frame| self.cx.ranges().infer_from_guards(frame))
    }

    fn infer_from_group_reads(&mut self, drafts: &[Vec<Draft>], locals: &[LocalId]) -> bool {
        let mut changed = false;
        for draft in drafts.iter().flatten() {
            for a in &draft.frame.accesses {
                let (Some(i), Extent::Group(id, axis)) = (a.term.as_iter(), &a.extent) else {
                    continue;
                };
                if !draft.frame.iters.contains(&i) || self.cx.known().range(i).is_some() {
                    continue;
                }
                let Some(at) = locals.iter().position(|l| l == id) else { continue };
                if let Some(s) = self.slot_extent(&drafts[at], *axis) {
                    let info = &mut self.cx.body.iters[i];
                    info.range = Some((Affine::fixed(0), Affine::fixed(s)));
                    info.source = Some(RangeSource::Read(a.excerpt.span));
                    changed = true;
                }
            }
        }
        changed
    }

    fn infer_from_siblings(&mut self, drafts: &[Vec<Draft>]) -> bool {
        for list in drafts {
            for draft in list {
                for (axis, slot) in draft.clause.slots.iter().enumerate() {
                    let Slot::Index(i) = slot else { continue };
                    // A slot named like an integer may well mean its one cell.
                    if self.cx.known().range(*i).is_some()
                        || draft.frame.hiding.iter().any(|h| h.iter == *i)
                    {
                        continue;
                    }
                    if let Some(s) = self.slot_extent(list, axis) {
                        let info = &mut self.cx.body.iters[*i];
                        info.range = Some((Affine::fixed(0), Affine::fixed(s)));
                        info.source = Some(RangeSource::Siblings);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The largest end over the clauses along one slot, as far as ranges are known.
    pub fn slot_extent(&mut self, list: &[Draft], axis: usize) -> Option<Size> {
        let mut extent: Option<Size> = None;
        for draft in list {
            let Some(slot) = draft.clause.slots.get(axis) else { continue };
            let end = match slot {
                Slot::Fixed(s) => s.plus_const(1),
                Slot::Index(i) => {
                    let Some((_, hi)) = self.cx.known().range(*i).cloned() else { continue };
                    let Some(last) = self.cx.known().bound(&hi.plus_size(&(-1).into()), End::Upper)
                    else {
                        self.cx.ranges().report_late(&hi, draft.clause.span);
                        return None;
                    };
                    self.cx.ranges().larger_now(&last.plus_const(1), &0.into())
                }
            };
            let end = match draft.ends.get(axis).cloned().flatten() {
                Some(stated) => self.cx.ranges().larger_now(&stated, &end),
                None => end,
            };
            extent = Some(match extent {
                None => end,
                Some(e) => self.cx.ranges().larger_now(&e, &end),
            });
        }
        extent
    }

    pub fn rank_clash(&mut self, clauses: &Clauses, here: Span, there: Span, n: usize, m: usize) {
        let name = &clauses[0].clause.name.name;
        let d = Diagnostic::error(
            Code::E0506,
            format!("the clauses of `{name}` have {m} and {n} slots"),
        )
        .primary(here, slots_text(n))
        .secondary(there, slots_text(m))
        .help("a clause has a slot for each axis, as `[0, c in 0..4]`, or its body has the axis");
        self.cx.report(d);
    }

    /// Tensor-valued bodies must have one shape.
    pub fn agree_on_bodies(&mut self, list: &[Draft]) {
        let bodies = list.iter().map(|d| &d.clause.body);
        let arrays: Vec<&Expr> = bodies.filter(|b| matches!(b.ty, Ty::Array(..))).collect();
        if arrays.iter().all(|b| b.ty.rank() == Some(0)) {
            return;
        }
        let arrays: Vec<Expr> = arrays.into_iter().cloned().collect();
        let Some((first, rest)) = arrays.split_first() else { return };
        for other in rest {
            if other.ty.rank() != first.ty.rank() {
                self.cx.conversions().mismatch(first, other, "the clauses of a definition");
            } else {
                self.cx.conversions().same_shape(first, other, "clauses");
            }
        }
    }

    pub fn finish_definition(&mut self, id: LocalId, list: Vec<Draft>) -> (Definition, Vec<Frame>) {
        let member = self.cx.group[&id].clone();
        let has_ranges = list.iter().all(|d| d.has_ranges);
        let stretches: Vec<u32> = list.iter().map(|d| d.stretch).collect();
        let (mut clauses, frames): (Vec<Clause>, Vec<Frame>) =
            list.into_iter().map(|d| (d.clause, d.frame)).unzip();
        let slots = member.slots;
        let known = member.extents.as_ref().map(|e| e[..slots.min(e.len())].to_vec());
        let failed = clauses.is_empty()
            || known.is_none()
            || clauses.iter().any(|c| c.slots.len() != slots || c.body.ty == Ty::Error);
        // What does not stand is not proven: types and ranges are enough for the next pass.
        let covered = match (&known, failed || !has_ranges || self.cx.is_provisional) {
            (Some(extents), false) => {
                self.cx.proofs().resolve_pieces(id, &mut clauses, &stretches, extents)
            }
            _ => Some(false),
        };
        match covered {
            Some(_) => self.cx.proofs().prove_accesses(&clauses, &frames),
            // Which cells a clause defines is not known.
            None => frames.iter().for_each(|f| self.cx.proofs().pass_on_accesses(f)),
        }
        if let Some(quotient) = clauses.iter().find_map(|c| self.cx.truncated_in(&c.body)) {
            self.cx.quotients.insert_mut(id, quotient);
        }
        let ty = match (failed, member.extents) {
            (false, Some(extents)) if clauses.iter().any(|c| self.cx.is_linear(&c.body)) => {
                Ty::Differential(member.elem, extents)
            }
            (false, Some(extents)) => Ty::Array(member.elem, extents),
            _ => Ty::Error,
        };
        let unfinished = ty != Ty::Error && !member.elem.is_known();
        if unfinished {
            let info = &self.cx.body.locals[id];
            let d = Diagnostic::error(
                Code::E0309,
                format!("the element type of `{}` is not known", info.name),
            )
            .primary(info.span, "nothing but its own cells decides it")
            .help("annotate it: `let x[i]: f32 = …`");
            self.cx.report(d);
        }
        self.cx.body.locals[id].ty = if unfinished { Ty::Error } else { ty };
        let covered = covered.unwrap_or_default();
        (Definition { local: id, slots, clauses, covered }, frames)
    }

    /// The tensor under definition used whole.
    pub fn group_value(&mut self, id: LocalId, span: Span) -> Expr {
        let member = self.cx.group[&id].clone();
        if member.rank.is_none() {
            return value(ExprKind::Error, Ty::Error, span);
        }
        let name = self.cx.body.locals[id].name.clone();
        let d =
            Diagnostic::error(Code::E0510, format!("`{name}` is used whole in its own definition"))
                .primary(span, "every cell would depend on every cell")
                .help(format!("read single cells: `{name}[…]`"));
        self.cx.error(d)
    }
}

fn slots_text(n: usize) -> String {
    format!("{n} slot{}", if n == 1 { "" } else { "s" })
}
