//! Range inference: every index gets its range from `in`, or from what it reads.
//!
//! The rules are those of the language reference, §5 "Ranges": direct reads must agree,
//! shifted ones narrow, group reads and sibling clauses come last.

use crate::prove::access::Access;
use crate::prove::condition::{condition, flatten};
use crate::prove::cure;
use crate::prove::solve::{End, moving, stands_once, values_from, values_inside};
use crate::thir::{Expr, ParamOrigin, RangeSource};
use crate::typed::fixpoint::Place;
use crate::typed::handles::Ranges;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter, Relation};
use weft_hir as hir;
use weft_shape::{CheckSubject, Size, SizeCheck, SizeRelation};

pub(crate) type Bounds = (Size, Size);

/// A clause, or an outermost reduction: the unit of range inference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Indices introduced here, in order.
    pub iters: Vec<Iter>,
    /// Those of them that are slots.
    pub slots: Vec<Iter>,
    /// Slots without a stated range that are named like an integer outside.
    pub hiding: Vec<Hiding>,
    /// Reads met here (also inside inner frames, where they mention indices of this one).
    pub accesses: Vec<Access>,
    /// Conditions in `where`, with the indices that are introduced with it.
    pub guards: Vec<Guard>,
    /// Indices without a stated range, where passes keep what they find of them.
    pub places: Vec<(Iter, Place)>,
    /// Something here failed already: a missing range is no news.
    pub poisoned: bool,
}

/// A slot that is named like an integer.
#[derive(Clone, Debug)]
pub(crate) struct Hiding {
    pub iter: Iter,
    pub name: hir::Ident,
    pub integer: Integer,
    /// Whether a clause before this one has the slot too: one warning is enough.
    pub repeated: bool,
}

/// An integer that a name means.
#[derive(Clone, Debug)]
pub(crate) struct Integer {
    /// Where it is bound.
    pub span: Span,
    /// Its value, where that is a size.
    pub value: Option<Size>,
}

/// An affine guard: `term`, of the indices `own` among others, is not negative.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    own: Vec<Iter>,
    term: Affine,
    span: Span,
}

impl Ranges<'_, '_> {
    pub fn push_frame(&mut self) {
        self.cx.frames.push(Frame::default());
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.cx.frames.last_mut().expect("a frame is open")
    }

    /// Registers an index of the frame under way.
    pub fn frame_iter(&mut self, i: Iter, slot: bool) {
        self.cx.active.push(i);
        let frame = self.frame();
        frame.iters.push(i);
        if slot {
            frame.slots.push(i);
        }
    }

    /// Whether an index of the clauses under way waits for its range.
    pub fn has_open(&self) -> bool {
        self.cx.frames.iter().flat_map(|f| &f.iters).any(|i| !self.solved(*i))
    }

    /// Of the accesses that the frame has since it had `before`, leaves those of an index alone.
    pub fn keep_direct(&mut self, before: usize) {
        let accesses = &mut self.frame().accesses;
        let new = accesses.split_off(before.min(accesses.len()));
        accesses.extend(new.into_iter().filter(|a| a.direct().is_some()));
    }

    /// The slots of the clause under way that are indices.
    pub fn slot_indices(&mut self) -> Vec<Iter> {
        self.frame().slots.clone()
    }

    /// Notes that a slot is named like an integer: the range of the other clauses is none for it.
    pub fn hides_integer(&mut self, hiding: Hiding) {
        self.frame().hiding.push(hiding);
    }

    /// Marks every open frame as failed.
    pub fn poison(&mut self) {
        self.cx.frames.iter_mut().for_each(|f| f.poisoned = true);
    }

    fn solved(&self, i: Iter) -> bool {
        self.cx.known().range(i).is_some()
    }

    fn unsolved(&self, frame: &Frame) -> Vec<Iter> {
        frame.iters.iter().copied().filter(|&i| !self.solved(i)).collect()
    }

    fn forget_recalled(&mut self, frame: &Frame) {
        self.cx.provisional.retain(|(i, _)| !frame.iters.contains(i));
    }

    /// Finds the ranges of the frame's indices that its reads decide (rules 2 and 3).
    pub fn infer_ranges(&mut self) {
        let frame = std::mem::take(self.frame());
        self.forget_recalled(&frame);
        let open = self.unsolved(&frame);
        for &i in &open {
            if let Some((range, source)) = self.range_from_single_items(i, &frame.accesses) {
                self.set_range(i, range, source);
            }
        }
        let mut narrowed: Vec<usize> = Vec::new();
        while let Some(at) = self.next_shared_item(&frame, &open, &narrowed) {
            narrowed.push(at);
            self.narrow_by_shared_item(&frame.accesses[at], &open, &frame.slots);
        }
        let poisoned = self.frame().poisoned;
        *self.frame() = Frame { poisoned: poisoned || frame.poisoned, ..frame };
    }

    fn set_range(&mut self, i: Iter, (lo, hi): Bounds, source: RangeSource) {
        let info = &mut self.cx.body.iters[i];
        info.range = Some((Affine::fixed(lo), Affine::fixed(hi)));
        info.source = Some(source);
    }

    fn range_from_single_items(
        &mut self,
        i: Iter,
        accesses: &[Access],
    ) -> Option<(Bounds, RangeSource)> {
        let direct: Vec<&Access> = accesses
            .iter()
            .filter(|a| a.direct() == Some(i) && a.outside_group().is_some())
            .collect();
        self.require_agreement(i, &direct, accesses);
        let mut bounds =
            direct.first().and_then(|a| a.outside_group()).map(|s| (Size::from(0), s.clone()));
        let mut source = direct.first().map(|a| RangeSource::Read(a.excerpt.span));
        let shifted = accesses.iter().filter(|a| {
            a.direct().is_none()
                && a.term.iters() == [i]
                && stands_once(&a.term, i)
                && !a.conditional()
        });
        for a in shifted {
            let Some(extent) = a.outside_group() else { continue };
            let allowed = values_inside(&a.term, i, extent)?;
            bounds = Some(self.intersect(bounds, allowed));
            source.get_or_insert(RangeSource::Read(a.excerpt.span));
        }
        let (lo, hi) = bounds?;
        Some(((self.larger_now(&lo, &0.into()), hi), source?))
    }

    fn require_agreement(&mut self, i: Iter, direct: &[&Access], all: &[Access]) {
        let Some((first, rest)) = direct.split_first() else { return };
        let left = first.outside_group().expect("filtered").clone();
        let mut reported: Vec<Size> = Vec::new();
        for other in rest {
            let right = other.outside_group().expect("filtered").clone();
            if right == left || reported.contains(&right) {
                continue;
            }
            reported.push(right.clone());
            let index = self.cx.body.iters[i].name.clone();
            let cure = cure::of_difference(&self.cx.known(), i, [first, other], all);
            let subject = CheckSubject::Anchors {
                index,
                cure,
                first: first.excerpt.clone(),
                second: other.excerpt.clone(),
                origins: [&first.origin, &other.origin].into_iter().flatten().cloned().collect(),
            };
            let (when, chain) = (Vec::new(), Vec::new());
            let relation = SizeRelation::Equal;
            let check = SizeCheck { when, relation, left: left.clone(), right, subject, chain };
            if !self.cx.require(check) {
                self.cx.conflicting.insert(i);
            }
        }
    }

    fn intersect(&mut self, a: Option<Bounds>, b: Bounds) -> Bounds {
        match a {
            None => b,
            Some((lo, hi)) => (self.larger_now(&lo, &b.0), self.smaller_now(&hi, &b.1)),
        }
    }

    /// The larger of two sizes; where only the literals of the program decide, as they
    /// stand now, under a check at entry: a run may replace them.
    pub fn larger_now(&mut self, a: &Size, b: &Size) -> Size {
        let found = self.cx.body.facts.larger(a, b);
        self.decided_now(found, a, b)
    }

    /// The smaller of two sizes, decided as in [`Self::larger_now`].
    fn smaller_now(&mut self, a: &Size, b: &Size) -> Size {
        let found = self.cx.body.facts.smaller(a, b);
        self.decided_now(found, b, a)
    }

    /// `found`, or the one of two sizes that is as large (or as small) now.
    fn decided_now(&mut self, found: Size, large: &Size, other: &Size) -> Size {
        if found == *large || found == *other {
            return found;
        }
        let now = |s: &Size| s.eval(&|p| self.cx.known_value(p));
        let (Some(x), Some(y), Some(v)) = (now(large), now(other), now(&found)) else {
            return found;
        };
        let (chosen, least, most) = match (x <= y, v == x) {
            (true, true) => (large, large, other),
            (true, false) => (other, large, other),
            (false, true) => (large, other, large),
            (false, false) => (other, other, large),
        };
        let chosen = chosen.clone();
        self.assume(least.clone(), most.clone());
        chosen
    }

    /// A relation of literals that holds now: checked at entry, and known from here on.
    pub fn assume(&mut self, least: Size, most: Size) {
        let what = format!("what `{}` depends on", self.cx.show(&most.minus(&least)));
        let span =
            most.params().first().or(least.params().first()).map(|p| self.cx.body.params[*p].span);
        let Some(span) = span else { return };
        let subject = CheckSubject::Positive { what, span };
        let (when, chain) = (Vec::new(), Vec::new());
        let (relation, left, right) = (SizeRelation::AtMost, 0.into(), most.minus(&least));
        self.cx.require(SizeCheck { when, relation, left, right, subject, chain });
    }

    /// The next item with several indices, of which exactly one slot may be narrowed.
    fn next_shared_item(&self, frame: &Frame, open: &[Iter], done: &[usize]) -> Option<usize> {
        (0..frame.accesses.len()).find(|at| {
            let a = &frame.accesses[*at];
            !done.contains(at)
                && a.outside_group().is_some()
                && a.term.iters().len() > 1
                && !a.conditional()
                && self.narrowable(a, open, &frame.slots).is_some()
        })
    }

    /// The one slot without `in` of an item whose other indices have ranges.
    fn narrowable(&self, a: &Access, open: &[Iter], slots: &[Iter]) -> Option<Iter> {
        let iters = moving(&a.term);
        let mut candidates = iters.iter().filter(|i| slots.contains(i) && open.contains(i));
        let one = *candidates.next()?;
        let others_known = iters.iter().all(|&i| i == one || self.solved(i));
        let alone = candidates.next().is_none() && stands_once(&a.term, one);
        (alone && others_known).then_some(one)
    }

    fn narrow_by_shared_item(&mut self, a: &Access, open: &[Iter], slots: &[Iter]) {
        let Some(i) = self.narrowable(a, open, slots) else { return };
        let extent = a.outside_group().expect("filtered").clone();
        let known = self.cx.known();
        let before = known.size_range(i).map(|(lo, hi)| (lo.clone(), hi.clone()));
        let end = |end| known.bound_over(&a.term, end, i);
        let (Some(least), Some(most)) =
            (end(weft_domain::End::Lower), end(weft_domain::End::Upper))
        else {
            return;
        };
        // All points are inside where the least is none below 0 and the most below the extent.
        let below = Affine::fixed(extent.plus_const(-1)).minus(&most);
        let conditions = [Some(least), below].into_iter().flatten();
        let (mut lo, mut hi) = (Size::from(0), before.as_ref().map(|(_, hi)| hi.clone()));
        if let Some((before, _)) = before {
            lo = self.larger_now(&lo, &before);
        }
        for term in conditions {
            match values_from(&term, i) {
                Some(End::Least(n)) => lo = self.larger_now(&lo, &n),
                Some(End::Most(n)) => {
                    let end = n.plus_const(1);
                    hi = Some(hi.map_or(end.clone(), |hi| self.smaller_now(&hi, &end)));
                }
                None => {}
            }
        }
        let Some(hi) = hi else { return };
        let hi = self.larger_now(&hi, &0.into());
        self.set_range(i, (lo, hi), RangeSource::Read(a.excerpt.span));
    }

    /// Notes a guard that holds where the indices `own` have values, which come with it.
    pub fn note_guard(&mut self, guard: &Expr, own: &[Iter]) {
        if self.cx.frames.is_empty() {
            return;
        }
        let mut found = Vec::new();
        flatten(&condition(guard), &mut found);
        let both = found.into_iter().flat_map(|c| match c.relation {
            Relation::AtLeastZero => vec![Some(c.term)],
            Relation::Zero => vec![c.term.scaled(-1), Some(c.term)],
        });
        let span = guard.span;
        let guards = both.flatten().map(|term| Guard { own: own.to_vec(), term, span });
        self.frame().guards.extend(guards);
    }

    /// Rule 4, the last one: an index that nothing else decides goes up to the end that guards
    /// set. Whether one was found.
    pub fn infer_from_guards(&mut self, frame: &Frame) -> bool {
        let mut changed = false;
        for i in self.unsolved(frame) {
            let Some((end, span)) = self.end_of_guards(i, &frame.guards) else { continue };
            let end = self.larger_now(&end, &0.into());
            self.set_range(i, (Size::from(0), end), RangeSource::Guard(span));
            changed = true;
        }
        changed
    }

    fn end_of_guards(&mut self, i: Iter, guards: &[Guard]) -> Option<(Size, Span)> {
        let mut found: Option<(Size, Span)> = None;
        for guard in guards.iter().filter(|g| g.own.contains(&i) && stands_once(&g.term, i)) {
            let bound = self.cx.known().bound_over(&guard.term, weft_domain::End::Upper, i);
            let Some(End::Most(most)) = bound.and_then(|term| values_from(&term, i)) else {
                continue;
            };
            let end = most.plus_const(1);
            let (end, span) = match found {
                Some((before, span)) => (self.smaller_now(&before, &end), span),
                None => (end, guard.span),
            };
            found = Some((end, span));
        }
        found
    }

    /// Reports the indices of a term that have no range where a definition needs it.
    pub fn report_late(&mut self, a: &Affine, needed: Span) {
        let late: Vec<Iter> = a.iters().into_iter().filter(|i| !self.solved(*i)).collect();
        for i in late {
            let info = &self.cx.body.iters[i];
            let (name, span) = (info.name.clone(), info.span);
            self.cx.report(range_comes_late(&name, span, needed));
            self.poison();
        }
    }

    /// Reports the frame's indices that have no range; whether all have one.
    pub fn report_unsolved(&mut self, frame: &Frame) -> bool {
        let unsolved = self.unsolved(frame);
        for &i in &unsolved {
            let info = &self.cx.body.iters[i];
            let (name, span) = (info.name.clone(), info.span);
            if !frame.poisoned {
                let d = missing_range(&name, span, cure::conditional_read(i, &frame.accesses));
                self.cx.report(d);
            }
            // Of an extent that nothing is known of, nothing further is wrong.
            let extent = self.cx.param(name, span, ParamOrigin::Computed);
            self.set_range(i, (Size::from(0), Size::param(extent)), RangeSource::Siblings);
        }
        unsolved.is_empty()
    }
}

/// An index of a clause whose range is found only when all is known.
fn range_comes_late(name: &weft_base::Name, span: Span, needed: Span) -> Diagnostic {
    Diagnostic::error(Code::E0502, format!("index `{name}` has no range yet"))
        .primary(span, "other clauses say how far it goes, or nothing does")
        .secondary(needed, "this definition inside depends on it")
        .help(state_the_range(name))
}

/// The help where no size is known that could be meant.
pub(crate) fn state_the_range(name: &weft_base::Name) -> String {
    format!("say how far it goes: `{name} in 0..n` for `n` cells")
}

/// An index without a range, and the read under a condition that would have given it one, with
/// the extent of what is read.
fn missing_range(
    name: &weft_base::Name,
    span: Span,
    conditional: Option<(&Access, String)>,
) -> Diagnostic {
    let d = Diagnostic::error(Code::E0502, format!("index `{name}` has no range"))
        .primary(span, "nothing that is read says how far it goes");
    match conditional {
        Some((read, extent)) => d
            .secondary(read.excerpt.span, format!("this is read under a condition on `{name}`"))
            .note("reads under a condition give the indices of the condition no range")
            .help(format!("state the range: `{name} in 0..{extent}`")),
        None => d
            .note(format!("an index takes its range from reads such as `x[{name}]`, or from `in`"))
            .help(state_the_range(name)),
    }
}
