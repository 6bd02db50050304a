//! Range inference: every index gets its range from `in`, or from what it reads.
//!
//! The rules are those of the language reference, §5 "Ranges": direct reads must agree,
//! shifted ones narrow, group reads and sibling clauses come last.

use crate::checker::Checker;
use crate::condition::PathItem;
use crate::hir::{LocalId, ParamOrigin, RangeSource, ReadId};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Dim, Iter};
use weft_shape::{CheckSubject, Excerpt, Size, SizeCheck, SizeRelation, Verdict};

/// A clause, or an outermost reduction: the unit of range inference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Indices introduced here, in order.
    pub iters: Vec<Iter>,
    /// Those of them that are slots.
    pub slots: Vec<Iter>,
    /// Reads met here (also inside inner frames, where they mention indices of this one).
    pub accesses: Vec<Access>,
    /// Something here failed already: a missing range is no news.
    pub poisoned: bool,
}

/// The extent an index is read against.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Extent {
    Known(Size),
    /// Of a tensor whose definition is under way.
    Group(LocalId, usize),
}

/// One affine index of one read.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub read: ReadId,
    pub term: Affine,
    pub extent: Extent,
    pub axis: usize,
    /// The read as written.
    pub excerpt: Excerpt,
    /// What is read, and where its size comes from.
    pub origin: Option<Excerpt>,
    /// Conditions on the path, outermost first.
    pub path: Vec<PathItem>,
    /// Indices in scope: where one of their ranges is empty nothing is read.
    pub scope: Vec<Iter>,
}

impl Access {
    /// The index, if it is one alone.
    fn direct(&self) -> Option<Iter> {
        self.term.as_iter()
    }

    fn outside_group(&self) -> Option<&Size> {
        match &self.extent {
            Extent::Known(s) => Some(s),
            Extent::Group(..) => None,
        }
    }

    /// Whether a condition on the path mentions an index of this term.
    fn conditional(&self) -> bool {
        let iters = self.term.iters();
        self.path.iter().any(|p| p.iters.iter().any(|i| iters.contains(i)))
    }
}

type Bounds = (Size, Size);

impl Checker<'_> {
    pub fn push_frame(&mut self) {
        self.cx().frames.push(Frame::default());
    }

    fn frame(&mut self) -> &mut Frame {
        self.cx().frames.last_mut().expect("a frame is open")
    }

    /// Registers an index of the frame under way.
    pub fn frame_iter(&mut self, i: Iter, slot: bool) {
        self.cx().active.push(i);
        let frame = self.frame();
        frame.iters.push(i);
        if slot {
            frame.slots.push(i);
        }
    }

    /// Marks every open frame as failed.
    pub fn poison(&mut self) {
        self.cx().frames.iter_mut().for_each(|f| f.poisoned = true);
    }

    fn solved(&self, i: Iter) -> bool {
        self.body().iters[i].range.is_some()
    }

    fn solved_without(&self, i: Iter, other: Iter) -> bool {
        let range = self.body().iters[i].range.as_ref();
        range.is_some_and(|(lo, hi)| !lo.iters().contains(&other) && !hi.iters().contains(&other))
    }

    fn unsolved(&self, frame: &Frame) -> Vec<Iter> {
        frame.iters.iter().copied().filter(|&i| !self.solved(i)).collect()
    }

    /// Finds out by a rehearsal what ranges the reads give the indices of a clause or a
    /// reduction: a definition inside it may depend on them before all reads are known.
    pub fn learn_ranges(&mut self, rehearse: impl FnOnce(&mut Self) -> Vec<Iter>) {
        let params = self.body().params.len();
        let found: Vec<(Span, Affine, Affine)> = self.rehearsed(|c| {
            let iters = rehearse(c);
            let inferred = |i: &Iter| {
                let info = &c.body().iters[*i];
                let written = matches!(info.source, Some(RangeSource::Written(_)));
                let (lo, hi) = info.range.as_ref().filter(|_| !written)?;
                Some((info.span, lo.clone(), hi.clone()))
            };
            iters.iter().filter_map(inferred).collect()
        });
        // A size that the rehearsal made is gone with it.
        let lasts = |a: &Affine| a.params().iter().all(|p| p.index() < params);
        for (span, lo, hi) in found.into_iter().filter(|(_, lo, hi)| lasts(lo) && lasts(hi)) {
            self.cx().learned.insert(span, (lo, hi));
        }
    }

    /// Gives an index the range that a rehearsal found, until its own reads do.
    pub fn recall_range(&mut self, i: Iter, span: Span) {
        let cx = self.cx();
        if let Some(range) = cx.learned.get(&span) {
            cx.hir.iters[i].range = Some(range.clone());
            cx.provisional.push(i);
        }
    }

    fn forget_recalled(&mut self, frame: &Frame) {
        let cx = self.cx();
        for i in std::mem::take(&mut cx.provisional) {
            match frame.iters.contains(&i) {
                true => cx.hir.iters[i].range = None,
                false => cx.provisional.push(i),
            }
        }
    }

    /// Finds the ranges of the frame's indices that its reads decide (rules 2 and 3).
    pub fn infer_ranges(&mut self) {
        let frame = self.cx().frames.last().expect("a frame is open").clone();
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
    }

    fn set_range(&mut self, i: Iter, (lo, hi): Bounds, source: RangeSource) {
        let info = &mut self.cx().hir.iters[i];
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
        self.require_agreement(i, &direct);
        let mut bounds =
            direct.first().and_then(|a| a.outside_group()).map(|s| (Size::from(0), s.clone()));
        let mut source = direct.first().map(|a| RangeSource::Read(a.excerpt.span));
        let shifted = accesses.iter().filter(|a| {
            a.direct().is_none() && a.term.is_affine() && a.term.iters() == [i] && !a.conditional()
        });
        for a in shifted {
            let Some(extent) = a.outside_group() else { continue };
            let allowed = allowed_values(&a.term, i, &Affine::fixed(0), extent)?;
            bounds = Some(self.intersect(bounds, allowed));
            source.get_or_insert(RangeSource::Read(a.excerpt.span));
        }
        let (lo, hi) = bounds?;
        Some(((self.larger_now(&lo, &0.into()), hi), source?))
    }

    fn require_agreement(&mut self, i: Iter, direct: &[&Access]) {
        let Some((first, rest)) = direct.split_first() else { return };
        let left = first.outside_group().expect("filtered").clone();
        let mut reported: Vec<Size> = Vec::new();
        for other in rest {
            let right = other.outside_group().expect("filtered").clone();
            if right == left || reported.contains(&right) {
                continue;
            }
            reported.push(right.clone());
            let index = self.body().iters[i].name.clone();
            let subject = CheckSubject::Anchors {
                index,
                first: first.excerpt.clone(),
                second: other.excerpt.clone(),
                origins: [&first.origin, &other.origin].into_iter().flatten().cloned().collect(),
            };
            let (when, chain) = (Vec::new(), Vec::new());
            let relation = SizeRelation::Equal;
            let check = SizeCheck { when, relation, left: left.clone(), right, subject, chain };
            if !self.require(check) {
                self.cx().conflicting.insert(i);
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
        let found = self.larger(a, b);
        self.decided_now(found, a, b)
    }

    /// The smaller of two sizes, decided as in [`Checker::larger_now`].
    fn smaller_now(&mut self, a: &Size, b: &Size) -> Size {
        let found = self.smaller(a, b);
        self.decided_now(found, b, a)
    }

    /// `found`, or the one of two sizes that is as large (or as small) now.
    fn decided_now(&mut self, found: Size, large: &Size, other: &Size) -> Size {
        if found == *large || found == *other {
            return found;
        }
        let now = |s: &Size| s.eval(&|p| self.known_value(p));
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
        let what = format!("what `{}` depends on", self.show(&most.minus(&least)));
        let span =
            most.params().first().or(least.params().first()).map(|p| self.body().params[*p].span);
        let Some(span) = span else { return };
        let subject = CheckSubject::Positive { what, span };
        let (when, chain) = (Vec::new(), Vec::new());
        let (relation, left, right) = (SizeRelation::AtMost, 0.into(), most.minus(&least));
        self.require(SizeCheck { when, relation, left, right, subject, chain });
    }

    /// The larger of two sizes, decided by what is known where it can be.
    pub fn larger(&self, a: &Size, b: &Size) -> Size {
        match self.body().facts.le(a, b) {
            Verdict::Yes => b.clone(),
            _ if self.body().facts.le(b, a) == Verdict::Yes => a.clone(),
            _ => a.larger(b),
        }
    }

    /// The smaller of two sizes, decided by what is known where it can be.
    pub fn smaller(&self, a: &Size, b: &Size) -> Size {
        match self.body().facts.le(a, b) {
            Verdict::Yes => a.clone(),
            _ if self.body().facts.le(b, a) == Verdict::Yes => b.clone(),
            _ => a.smaller(b),
        }
    }

    /// The next item with several indices, of which exactly one slot may be narrowed.
    fn next_shared_item(&self, frame: &Frame, open: &[Iter], done: &[usize]) -> Option<usize> {
        (0..frame.accesses.len()).find(|at| {
            let a = &frame.accesses[*at];
            !done.contains(at)
                && a.outside_group().is_some()
                && a.term.is_affine()
                && a.term.iters().len() > 1
                && !a.conditional()
                && self.narrowable(a, open, &frame.slots).is_some()
        })
    }

    /// The one slot without `in` of an item whose other indices have ranges.
    fn narrowable(&self, a: &Access, open: &[Iter], slots: &[Iter]) -> Option<Iter> {
        let iters = a.term.iters();
        let mut candidates = iters.iter().filter(|i| slots.contains(i) && open.contains(i));
        let one = *candidates.next()?;
        // (One whose own range depends on the slot leaves it alone.)
        let others_known = iters.iter().all(|&i| i == one || self.solved_without(i, one));
        (candidates.next().is_none() && others_known).then_some(one)
    }

    fn narrow_by_shared_item(&mut self, a: &Access, open: &[Iter], slots: &[Iter]) {
        let Some(i) = self.narrowable(a, open, slots) else { return };
        let extent = a.outside_group().expect("filtered").clone();
        let own = Affine::iter(i).scaled(a.term.coefficient(i)).expect("it was in range");
        let Some(others) = a.term.minus(&own) else { return };
        let (Some(least), Some(most)) = (self.bound(&others, false), self.bound(&others, true))
        else {
            return;
        };
        let c = a.term.coefficient(i);
        let own_lo = allowed_values(&own.plus_size(&least), i, &Affine::fixed(0), &extent);
        let own_hi = allowed_values(&own.plus_size(&most), i, &Affine::fixed(0), &extent);
        let (Some(with_least), Some(with_most)) = (own_lo, own_hi) else { return };
        // Growing terms are least at the least of the others, and largest at the most.
        let allowed = if c > 0 { (with_least.0, with_most.1) } else { (with_most.0, with_least.1) };
        let before = self.body().iters[i]
            .range
            .clone()
            .and_then(|(lo, hi)| Some((lo.as_size()?.clone(), hi.as_size()?.clone())));
        let (lo, hi) = self.intersect(before, allowed);
        let (lo, hi) = (self.larger_now(&lo, &0.into()), self.larger_now(&hi, &0.into()));
        self.set_range(i, (lo, hi), RangeSource::Read(a.excerpt.span));
    }

    /// The least (or largest) value of a term over the ranges of its indices; `None` where
    /// one has no range. Exact over boxes; an outer bound where ranges depend on each other.
    pub fn bound(&self, a: &Affine, upper: bool) -> Option<Size> {
        // Terms are sorted by index, and later indices depend on earlier ones only: taking
        // the last away first leaves no dependent range behind.
        let mut a = a.clone();
        while !a.terms().is_empty() {
            let (rest, dim, c) = a.split_last()?;
            let end = self.dim_bound(&dim, (c > 0) == upper)?;
            a = rest.plus(&end.scaled(c)?)?;
        }
        Some(a.offset().clone())
    }

    fn dim_bound(&self, dim: &Dim, upper: bool) -> Option<Affine> {
        match dim {
            Dim::Iter(i) => {
                let (lo, hi) = self.body().iters[*i].range.as_ref()?;
                Some(if upper { hi.plus_size(&(-1).into()) } else { lo.clone() })
            }
            Dim::Div(x, s) => Some(Affine::fixed(self.bound(x, upper)?.floor_div(s)?)),
            Dim::Mod(_, s) => Some(Affine::fixed(if upper { s.plus_const(-1) } else { 0.into() })),
        }
    }

    /// Whether [`Checker::bound`] is exact for a term: no quotients, no dependent ranges.
    pub fn bound_is_exact(&self, a: &Affine) -> bool {
        a.is_affine()
            && a.iters().iter().all(|i| {
                let range = self.body().iters[*i].range.as_ref();
                range.is_some_and(|(lo, hi)| lo.as_size().is_some() && hi.as_size().is_some())
            })
    }

    /// Reports the indices of a term that have no range where a definition needs it.
    pub fn report_late(&mut self, a: &Affine, needed: Span) {
        if self.muted > 0 {
            return;
        }
        let late: Vec<Iter> = a.iters().into_iter().filter(|i| !self.solved(*i)).collect();
        for i in late {
            let info = &self.body().iters[i];
            let (name, span) = (info.name.clone(), info.span);
            self.report(range_comes_late(&name, span, needed));
            self.poison();
        }
    }

    /// Reports the frame's indices that have no range.
    pub fn report_unsolved(&mut self, frame: &Frame) {
        for i in self.unsolved(frame) {
            let info = &self.body().iters[i];
            let (name, span) = (info.name.clone(), info.span);
            if !frame.poisoned {
                let d = missing_range(&name, span);
                self.report(d);
            }
            // Of an extent that nothing is known of, nothing further is wrong.
            let extent = self.param(name, span, ParamOrigin::Computed);
            self.set_range(i, (Size::from(0), Size::param(extent)), RangeSource::Siblings);
        }
    }
}

/// An index of a clause whose range is found only when all is known.
fn range_comes_late(name: &weft_base::Name, span: Span, needed: Span) -> Diagnostic {
    Diagnostic::error(Code::E0502, format!("index `{name}` has no range yet"))
        .primary(span, "other clauses say how far it goes, or nothing does")
        .secondary(needed, "this definition inside depends on it")
        .help(format!("state the range: `{name} in 0..10`"))
}

fn missing_range(name: &weft_base::Name, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0502, format!("index `{name}` has no range"))
        .primary(span, "nothing that is read says how far it goes")
        .note(format!("an index takes its range from reads such as `x[{name}]`, or from `in`"))
        .help(format!("state the range: `{name} in 0..10`"))
}

/// The values of `i` for which `lo <= term < extent`, where `i` is the term's only index.
fn allowed_values(term: &Affine, i: Iter, lo: &Affine, extent: &Size) -> Option<Bounds> {
    let c = term.coefficient(i);
    let rest = term.minus(&Affine::iter(i).scaled(c)?)?;
    let low = lo.minus(&rest)?.as_size()?.clone();
    let high = extent.minus(rest.as_size()?).plus_const(-1);
    let by = Size::from(c.checked_abs()?);
    let ceil = |s: &Size| s.plus(&by).plus_const(-1).floor_div(&by);
    let floor = |s: &Size| s.floor_div(&by);
    if c > 0 {
        Some((ceil(&low)?, floor(&high)?.plus_const(1)))
    } else {
        // c·i >= low  <=>  i <= -low / |c|
        Some((ceil(&high.scaled(-1))?, floor(&low.scaled(-1))?.plus_const(1)))
    }
}
