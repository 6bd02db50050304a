//! Order: pieces that read each other become time loops.
//!
//! Allen and Kennedy's recursive code generation (*Automatic translation of Fortran
//! programs to vector form*, 1987) at the level of pieces: components of the dependence
//! graph are emitted producers first; a component that reads itself is put under a loop
//! along an axis on which no read looks ahead, the reads which that loop carries are
//! dropped, and what is left is ordered again inside the step.
//!
//! A loop over time is split where pieces start and end, so that no step tests which
//! piece is active where the facts decide it.

use crate::feautrier::settle;
use crate::no_order::Refusal;
use crate::placed::Placed;
use crate::right_looking::Pushed;
use crate::routine::{Item, LoopVar, TimeLoop};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_base::scc::components;
use weft_depend::{Distance, Read, Solved, Statements, never_meet, solve, unit_iter};
use weft_domain::{Affine, Constraint, Relation};
use weft_shape::{Facts, Size, Verdict};
use weft_tensor::{AssignId, ExprId, Graph, TensorId};

/// A time axis for tensors that are computed step by step together.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeAxes {
    /// The axis of each tensor that has one.
    pub axis: BTreeMap<TensorId, usize>,
    /// The step at which each piece runs, over its iterators.
    pub time: BTreeMap<AssignId, Affine>,
    /// From the last index to the first.
    pub descending: bool,
}

/// How an order is proven.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProofStrength {
    /// By the ends of ranges: cheap, and enough for most.
    Ranges,
    /// By integer sets.
    Sets,
}

/// Reads that no enclosing loop carries: they must find their cells in the same step.
pub(crate) type UncarriedReads = BTreeSet<(AssignId, ExprId)>;

/// Context of the ordering of one routine.
pub(crate) struct Orderer<'g> {
    pub graph: &'g Graph,
    pub pieces: &'g Statements,
    pub loop_vars: PrimaryMap<LoopVar, Option<Name>>,
    /// Questions about integer sets that may still be asked.
    pub questions: Cell<u32>,
    pub means: AxisSearch,
    /// Statements that one more loop orders inside a step, because some of their cells need
    /// others of the same step: apart they may need no loop.
    pub tangled: RefCell<Vec<AssignId>>,
}

/// Axes that loops may run along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AxisSearch {
    /// Axes of the tensors. A refusal has an example, if there is one.
    Axes,
    /// Axes of the tensors, pieces being divided. Whether there is an example is known.
    AxesOfParts,
    /// Where axes do not serve, rows of a schedule.
    Rows,
}

/// Questions about integer sets for one routine: compile time stays bounded.
const MAX_QUESTIONS: u32 = 4000;

/// Duties of a time loop beside running its pieces.
pub(crate) trait Steps {
    /// Items at the start of each step of a loop.
    fn prologue(&self, graph: &Graph, steps: &TimeLoop) -> Vec<Item>;
    /// A range of indices that the loop must cover.
    fn covers(&self) -> Option<(Size, Size)>;
    /// Whether a piece combines with what a fill before the loop wrote.
    fn continues(&self, piece: AssignId) -> bool;
    /// Whether terms of sums may be added before the step of their cell.
    fn pushes(&self) -> bool;
}

/// Nothing.
pub(crate) struct PlainSteps;

impl Steps for PlainSteps {
    fn prologue(&self, _: &Graph, _: &TimeLoop) -> Vec<Item> {
        Vec::new()
    }
    fn covers(&self) -> Option<(Size, Size)> {
        None
    }
    fn continues(&self, _: AssignId) -> bool {
        false
    }
    fn pushes(&self) -> bool {
        true
    }
}

impl<'g> Orderer<'g> {
    /// Nothing is ordered yet.
    pub fn new(graph: &'g Graph, pieces: &'g Statements, means: AxisSearch) -> Orderer<'g> {
        let questions = Cell::new(MAX_QUESTIONS);
        let tangled = RefCell::default();
        Orderer { graph, pieces, loop_vars: PrimaryMap::new(), questions, means, tangled }
    }

    /// Items that compute `placed`, each after what it reads of the others.
    pub fn order(
        &mut self,
        placed: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        steps: &dyn Steps,
    ) -> Result<Vec<Item>, Refusal> {
        let needs: Vec<Vec<usize>> =
            placed.iter().map(|p| self.needs_of(p, placed, alive)).collect();
        let mut items = Vec::new();
        for component in components(placed.len(), &|v| needs[v].clone()) {
            let members: Vec<Placed> = component.iter().map(|&v| placed[v].clone()).collect();
            match component.as_slice() {
                [v] if !needs[*v].contains(v) => items.push(self.nest(&placed[*v], steps)),
                _ => items.extend(self.order_cycle(&members, alive, used, steps)?),
            }
        }
        Ok(items)
    }

    /// Items that compute members which, as far as cheap questions show, need each other.
    fn order_cycle(
        &mut self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        steps: &dyn Steps,
    ) -> Result<Vec<Item>, Refusal> {
        if let Some(axes) = self.axes_by(members, alive, used, ProofStrength::Ranges, true) {
            return self.time_loops(members, &axes, alive, used, steps, false);
        }
        let needs: Vec<Vec<usize>> =
            members.iter().map(|p| self.needs_exactly(p, members, alive)).collect();
        let mut items = Vec::new();
        for component in components(members.len(), &|v| needs[v].clone()) {
            let part: Vec<Placed> = component.iter().map(|&v| members[v].clone()).collect();
            match component.as_slice() {
                [v] if !needs[*v].contains(v) => items.push(self.nest(&members[*v], steps)),
                _ if part.len() < members.len() => {
                    items.extend(self.order_cycle(&part, alive, used, steps)?);
                }
                _ => {
                    let axes = self.any_axes(&part, alive, used)?;
                    self.tangled.borrow_mut().extend(part.iter().map(|p| p.id));
                    items.extend(self.time_loops(&part, &axes, alive, used, steps, false)?);
                }
            }
        }
        Ok(items)
    }

    /// Steps for members that need each other, by all means.
    fn any_axes(
        &self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Result<TimeAxes, Refusal> {
        self.axes_by(members, alive, used, ProofStrength::Sets, true)
            .or_else(|| {
                (self.means == AxisSearch::Rows).then(|| self.skewed(members, alive)).flatten()
            })
            .or_else(|| self.axes_by(members, alive, used, ProofStrength::Ranges, false))
            .ok_or_else(|| self.refuse(members, alive))
    }

    /// The positions in `all` of the pieces that `p` needs in the same step.
    fn needs_of(&self, p: &Placed, all: &[Placed], alive: &UncarriedReads) -> Vec<usize> {
        let facts = &self.graph.facts;
        let reads = self.pieces.get(p.id).reads.iter().filter(|r| alive.contains(&(p.id, r.expr)));
        let mut needs = BTreeSet::new();
        for r in reads {
            for (at, q) in all.iter().enumerate() {
                let same = self.pieces.get(q.id).target == r.tensor;
                if same && !never_meet(p.access(self.pieces), r, q.access(self.pieces), facts) {
                    needs.insert(at);
                }
            }
        }
        needs.into_iter().collect()
    }

    /// Axes along which every alive read among `members` is ordered.
    pub fn choose_axes(
        &self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Option<TimeAxes> {
        // A loop that carries nothing orders nothing: such an axis is the last resort.
        let by = |proof, must_carry| self.axes_by(members, alive, used, proof, must_carry);
        by(ProofStrength::Ranges, true)
            .or_else(|| by(ProofStrength::Sets, true))
            .or_else(|| by(ProofStrength::Ranges, false))
    }

    fn axes_by(
        &self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        proof: ProofStrength,
        must_carry: bool,
    ) -> Option<TimeAxes> {
        self.all_axes(members, alive, used, proof, must_carry).next()
    }

    /// All axes of the first member, in both directions, along which every alive read is
    /// ordered, and some are carried.
    pub fn all_axes<'a>(
        &'a self,
        members: &'a [Placed],
        alive: &'a UncarriedReads,
        used: &'a BTreeMap<TensorId, Vec<usize>>,
        proof: ProofStrength,
        must_carry: bool,
    ) -> impl Iterator<Item = TimeAxes> + 'a {
        let seed = self.pieces.get(members[0].id).target;
        let rank = self.graph.tensors[seed].rank();
        let all = [false, true].into_iter().flat_map(move |down| (0..rank).map(move |a| (down, a)));
        all.filter_map(move |(descending, axis)| {
            let found = self.propagate(members, alive, used, (seed, axis));
            let axes = self.legal_axes(members, alive, used, found, descending, proof);
            let useful = |x: &TimeAxes| !must_carry || self.carries(members, x, alive, proof);
            axes.filter(useful)
        })
    }

    /// Whether a loop along the axes carries a read of its members.
    fn carries(
        &self,
        members: &[Placed],
        axes: &TimeAxes,
        alive: &UncarriedReads,
        proof: ProofStrength,
    ) -> bool {
        members.iter().any(|p| {
            self.alive_reads(p.id, alive).any(|r| {
                let inside = self.writes(members, r.tensor);
                let cheaply = || self.distance(p.id, r, axes).is_carried(axes.descending);
                let exactly =
                    || proof == ProofStrength::Sets && self.carried_exactly(p, r, members, axes);
                inside && (cheaply() || exactly())
            })
        })
    }

    /// From the axis of one tensor to the axes of all that are read beside it.
    fn propagate(
        &self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        seed: (TensorId, usize),
    ) -> BTreeMap<TensorId, usize> {
        let mut axes = BTreeMap::from([seed]);
        loop {
            let before = axes.len();
            for p in members {
                for r in self.alive_reads(p.id, alive) {
                    if self.writes(members, r.tensor) {
                        self.propagate_read(p.id, r, used, seed.1, &mut axes);
                    }
                }
            }
            if axes.len() == before {
                return axes;
            }
        }
    }

    fn propagate_read(
        &self,
        p: AssignId,
        r: &Read,
        used: &BTreeMap<TensorId, Vec<usize>>,
        preferred: usize,
        axes: &mut BTreeMap<TensorId, usize>,
    ) {
        let piece = self.pieces.get(p);
        let scope = piece.scope_at(r);
        let near = |x: &Affine, y: &Affine| {
            !x.terms().is_empty()
                && Distance::compute(&scope, x, y, &self.graph.facts).constant().is_some()
        };
        // The seed's position first: fields of one state tend to share it.
        let free = |t: TensorId, rank: usize| {
            let taken = used.get(&t).map_or(&[][..], Vec::as_slice);
            let others = (0..rank).filter(move |&a| a != preferred);
            let first = (preferred < rank).then_some(preferred);
            first.into_iter().chain(others).filter(move |a| !taken.contains(a))
        };
        match (axes.get(&piece.target).copied(), axes.get(&r.tensor).copied()) {
            (Some(a), None) => {
                let mut all = free(r.tensor, r.index.len());
                if let Some(b) = all.find(|&b| near(&r.index[b], &piece.write[a])) {
                    axes.insert(r.tensor, b);
                }
            }
            (None, Some(b)) => {
                let mut all = free(piece.target, piece.write.len());
                if let Some(a) = all.find(|&a| near(&r.index[b], &piece.write[a])) {
                    axes.insert(piece.target, a);
                }
            }
            _ => {}
        }
    }

    /// The alive reads of a piece.
    pub fn alive_reads(
        &self,
        p: AssignId,
        alive: &UncarriedReads,
    ) -> impl Iterator<Item = &'g Read> {
        let alive: Vec<ExprId> =
            alive.range((p, ExprId::from_u32(0))..).take_while(|x| x.0 == p).map(|x| x.1).collect();
        self.pieces.get(p).reads.iter().filter(move |r| alive.contains(&r.expr))
    }

    /// The axes, if each tensor has one, unused so far, and every read is ordered.
    fn legal_axes(
        &self,
        members: &[Placed],
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        mut axis: BTreeMap<TensorId, usize>,
        descending: bool,
        proof: ProofStrength,
    ) -> Option<TimeAxes> {
        let seed_axis = *axis.values().next()?;
        let mut axes = TimeAxes { descending, ..TimeAxes::default() };
        for p in members {
            let target = self.pieces.get(p.id).target;
            let a = *axis.entry(target).or_insert(seed_axis);
            if used.get(&target).is_some_and(|u| u.contains(&a)) {
                return None;
            }
            let term = self.pieces.get(p.id).write.get(a)?.clone();
            if unit_iter(&term).is_none() && !term.terms().is_empty() {
                return None;
            }
            axes.time.insert(p.id, term);
        }
        axes.axis = axis;
        let ordered = |p: &Placed| {
            self.alive_reads(p.id, alive).all(|r| {
                let inside = axes.axis.contains_key(&r.tensor) && self.writes(members, r.tensor);
                !inside
                    || self.distance(p.id, r, &axes).is_ordered(descending)
                    || proof == ProofStrength::Sets && self.ordered_exactly(p, r, members, &axes)
            })
        };
        members.iter().all(ordered).then_some(axes)
    }

    pub fn writes(&self, members: &[Placed], t: TensorId) -> bool {
        members.iter().any(|q| self.pieces.get(q.id).target == t)
    }

    /// The distance of a read along the time axis; unbounded where there is none.
    pub fn distance(&self, p: AssignId, r: &Read, axes: &TimeAxes) -> Distance {
        let at = axes.axis.get(&r.tensor).map(|&a| &r.index[a]);
        match (at, axes.time.get(&p)) {
            (Some(at), Some(time)) => {
                let scope = self.pieces.get(p).scope_at(r);
                Distance::compute(&scope, at, time, &self.graph.facts)
            }
            _ => Distance { least: None, most: None },
        }
    }

    /// Loops over time that run `members` step by step. With `whole` the pieces' steps
    /// alone decide; else see [`Steps::covers`].
    pub fn time_loops(
        &mut self,
        members: &[Placed],
        axes: &TimeAxes,
        alive: &UncarriedReads,
        used: &BTreeMap<TensorId, Vec<usize>>,
        steps: &dyn Steps,
        outermost: bool,
    ) -> Result<Vec<Item>, Refusal> {
        let pushed = if steps.pushes() {
            self.scatter_form(members, axes, alive, used, outermost)
        } else {
            Pushed::new()
        };
        let starts = self.scatter_starts(&pushed, members, used);
        let name = self.time_name(members, axes);
        let mut axes = Cow::Borrowed(axes);
        if !pushed.is_empty() {
            let steps = pushed.iter().map(|(&p, &term)| (p, Affine::iter(term)));
            axes.to_mut().time.extend(steps);
        }
        let axes = &*axes;
        let mut inner_alive = self.not_carried(members, axes, alive);
        inner_alive.retain(|&(p, expr)| !self.reads_pushed(p, expr, &pushed));
        let mut inner_used = used.clone();
        for (&t, &a) in &axes.axis {
            inner_used.entry(t).or_default().push(a);
        }
        let spans: Vec<Option<(Affine, Affine)>> =
            members.iter().map(|p| self.span(p, &axes.time[&p.id])).collect();
        let covers = outermost.then(|| steps.covers()).flatten();
        let mut segments = self.segments(members, axes, &spans, covers);
        if axes.descending {
            segments.reverse();
        }
        let mut items = starts;
        for (lo, hi) in segments {
            let var = self.loop_vars.push(name.clone());
            let placed: Vec<Placed> = members
                .iter()
                .zip(&spans)
                .filter_map(|(p, span)| {
                    let step = &axes.time[&p.id];
                    let mut placed = self.place(p, step, var, span.as_ref(), (&lo, &hi))?;
                    placed.pushed |= pushed.contains_key(&p.id);
                    Some(placed)
                })
                .collect();
            let body = self.order(&placed, &inner_alive, &inner_used, steps)?;
            let (descending, parallel) = (axes.descending, false);
            let mut all = TimeLoop { var, lo, hi, within: None, descending, parallel, body };
            if outermost {
                all.body.splice(0..0, steps.prologue(self.graph, &all));
            }
            if !all.body.is_empty() {
                items.push(Item::Loop(all));
            }
        }
        Ok(items)
    }

    /// The reads that the loop along `axes` does not carry.
    fn not_carried(
        &self,
        members: &[Placed],
        axes: &TimeAxes,
        alive: &UncarriedReads,
    ) -> UncarriedReads {
        let mut left = UncarriedReads::new();
        for p in members {
            for r in self.alive_reads(p.id, alive) {
                if !self.distance(p.id, r, axes).is_carried(axes.descending) {
                    left.insert((p.id, r.expr));
                }
            }
        }
        left
    }

    fn time_name(&self, members: &[Placed], axes: &TimeAxes) -> Option<Name> {
        // That of a piece inside says more than that of one at the edge.
        let inside = |p: &&Placed| self.graph.assigns[p.id].space.ranges.len();
        let mut all: Vec<&Placed> = members.iter().collect();
        all.sort_by_key(|p| std::cmp::Reverse(inside(p)));
        all.into_iter().find_map(|p| {
            let (iter, _) = unit_iter(&axes.time[&p.id])?;
            self.graph.assigns[p.id].space.iters[iter].clone()
        })
    }

    /// The steps `lo..hi` at which a piece runs, over outer loop variables; `None` where
    /// they depend on iterators that are not fixed yet.
    fn span(&self, p: &Placed, time: &Affine) -> Option<(Affine, Affine)> {
        let outer = |a: &Affine| {
            let free = a.iters().iter().any(|i| !p.bound.iter().any(|(b, _)| b == i));
            (!free).then(|| a.compose(&p.renaming())).flatten()
        };
        if let Some(at) = outer(time) {
            return Some((at.clone(), at.plus_size(&Size::constant(1))));
        }
        let (iter, sign) = unit_iter(time)?;
        let range = self.graph.assigns[p.id].space.range(iter)?;
        let rest = outer(&time.minus(&Affine::iter(iter).scaled(sign)?)?)?;
        let one = Size::constant(1);
        let (lo, hi) = match sign {
            1 => (outer(&range.lo)?, outer(&range.hi)?),
            _ => {
                let hi = outer(&range.lo)?.scaled(-1)?.plus_size(&one);
                (outer(&range.hi)?.scaled(-1)?.plus_size(&one), hi)
            }
        };
        Some((lo.plus(&rest)?, hi.plus(&rest)?))
    }

    /// Consecutive ranges that cover every step of every member.
    fn segments(
        &self,
        members: &[Placed],
        axes: &TimeAxes,
        spans: &[Option<(Affine, Affine)>],
        covers: Option<(Size, Size)>,
    ) -> Vec<(Affine, Affine)> {
        if axes.axis.is_empty() {
            return vec![self.common_hull(members, axes)];
        }
        if let (Some(Some(first)), None) = (spans.first(), &covers)
            && spans.iter().all(|s| s.as_ref() == Some(first))
        {
            return vec![first.clone()];
        }
        let mut ends: Vec<(Size, Size)> = covers.into_iter().collect();
        for (p, span) in members.iter().zip(spans) {
            let sizes =
                |s: &(Affine, Affine)| Some((s.0.as_size()?.clone(), s.1.as_size()?.clone()));
            let target = self.pieces.get(p.id).target;
            let whole = || match axes.axis.get(&target) {
                Some(&a) => (Size::constant(0), self.graph.tensors[target].axes[a].extent.clone()),
                None => self.hull(p, &axes.time[&p.id]).expect("bounded by its range"),
            };
            ends.push(span.as_ref().and_then(sizes).unwrap_or_else(whole));
        }
        let most = if self.is_large(members) { 1 } else { MAX_SEGMENTS };
        cut(&ends, most, &self.graph.facts)
    }

    /// Whether a step has so much code that a test of which piece is active costs less
    /// than a copy of the step for each segment.
    fn is_large(&self, members: &[Placed]) -> bool {
        let loops = |p: &&Placed| {
            let a = &self.graph.assigns[p.id];
            a.space.ranges.len() > p.bound.len() + 1
        };
        let most = if members.iter().all(|p| self.has_few_cells(p)) {
            MAX_COPIED_SMALL
        } else {
            MAX_COPIED
        };
        members.iter().filter(loops).count() > most
    }

    /// Whether a step of a piece writes a few cells: tests would be most of its work.
    fn has_few_cells(&self, p: &Placed) -> bool {
        let a = &self.graph.assigns[p.id];
        let extents = a.space.ranges.iter().filter(|r| !p.fixes(r.iter)).filter_map(|r| {
            let extent = r.hi.minus(&r.lo)?.as_constant()?;
            (1..=FEW_CELLS).contains(&extent).then_some(extent)
        });
        // One range is that of the loop to be.
        let others = a.space.ranges.len() - p.bound.len();
        let few: Vec<i64> = extents.collect();
        few.len() + 1 >= others && few.iter().product::<i64>() <= FEW_CELLS
    }

    /// A range that holds every value of a term; `None` where its ends are no sizes.
    pub fn hull(&self, p: &Placed, time: &Affine) -> Option<(Size, Size)> {
        let scope = &self.pieces.get(p.id).scope;
        let size = |a: Option<Affine>| a.and_then(|a| a.as_size().cloned());
        Some((size(scope.lower(time))?, size(scope.upper(time))?.plus_const(1)))
    }

    fn common_hull(&self, members: &[Placed], axes: &TimeAxes) -> (Affine, Affine) {
        let hull = |p: &Placed| self.hull(p, &axes.time[&p.id]).expect("rows were found bounded");
        let all = members.iter().map(hull).reduce(|a, b| (a.0.smaller(&b.0), a.1.larger(&b.1)));
        let (lo, hi) = all.expect("a loop has members");
        (Affine::fixed(lo), Affine::fixed(hi))
    }

    /// The piece at step `var` of a loop over `lo..hi`; `None` where it never runs there.
    fn place(
        &self,
        p: &Placed,
        time: &Affine,
        var: LoopVar,
        span: Option<&(Affine, Affine)>,
        (lo, hi): (&Affine, &Affine),
    ) -> Option<Placed> {
        let facts = &self.graph.facts;
        let le = |a: &Affine, b: &Affine| {
            let d = || b.minus(a).and_then(|d| d.as_size().cloned());
            match (a.as_size(), b.as_size()) {
                (Some(a), Some(b)) => facts.le(a, b) == Verdict::Yes,
                _ => d().is_some_and(|d| facts.non_negative(&d) == Verdict::Yes),
            }
        };
        if span.is_some_and(|(first, end)| le(end, lo) || le(hi, first)) {
            return None;
        }
        let mut placed = p.clone();
        placed.rows.push(time.clone());
        match step_of(p, time, var) {
            None => {
                placed.pending.push((time.clone(), var));
                settle(&mut placed)?;
            }
            Some(Solved::Iter(iter, value)) => {
                placed.bound.push((iter, value));
                if !span.is_some_and(|(first, end)| le(first, lo) && le(hi, end)) {
                    placed.tested.push(iter);
                }
                settle(&mut placed)?;
            }
            Some(Solved::Fixed(c)) => {
                let one = lo.plus_size(&Size::constant(1));
                let here = span.is_some_and(|(first, _)| first == lo);
                if !(here && *hi == one) {
                    placed.when.push(c);
                }
            }
        }
        Some(placed)
    }
}

/// Conditions for a piece to run at step `var`; `None` where that fixes no iterator by
/// itself.
fn step_of(p: &Placed, time: &Affine, var: LoopVar) -> Option<Solved> {
    let at = Affine::iter(var);
    if time.terms().is_empty() || !time.iters().iter().all(|&i| p.fixes(i)) {
        let plain = unit_iter(time).is_some_and(|(i, _)| !p.fixes(i));
        return (plain || time.terms().is_empty()).then(|| solve(time, &at)).flatten();
    }
    // An outer loop fixes the iterator: the step must match its value.
    let value = time.compose(&p.renaming()).expect("loop variables replace iterators");
    let term = at.minus(&value)?;
    Some(Solved::Fixed(Constraint { term, relation: Relation::Zero }))
}

/// The most segments of one time loop; more are merged and tested step by step.
const MAX_SEGMENTS: usize = 8;

/// The most pieces with loops inside a step of which a segment gets its own copy.
const MAX_COPIED: usize = 4;

/// The same where all write a few cells.
const MAX_COPIED_SMALL: usize = 12;

/// Points of a piece that a step goes through one by one.
const FEW_CELLS: i64 = 16;

/// Ranges one after the other that together cover all given ranges. Cut points are taken
/// in the order of their likely size; where that guess is wrong a range is empty, since
/// each starts at the largest end before it.
fn cut(ranges: &[(Size, Size)], most: usize, facts: &Facts) -> Vec<(Affine, Affine)> {
    let mut starts: Vec<Size> = Vec::new();
    let mut ends: Vec<Size> = Vec::new();
    for (lo, hi) in ranges {
        starts.push(lo.clone());
        ends.push(hi.clone());
    }
    let lo = starts.iter().skip(1).fold(starts[0].clone(), |m, s| facts.smaller(&m, s));
    let hi = ends.iter().skip(1).fold(ends[0].clone(), |m, s| facts.larger(&m, s));
    let mut cuts: Vec<Size> = starts.into_iter().chain(ends).collect();
    cuts.sort_by_key(|s| (s.terms().len(), s.constant_term()));
    cuts.dedup();
    cuts.retain(|c| *c != lo && *c != hi);
    if cuts.len() >= most {
        cuts.clear();
    }
    let mut at = lo;
    let mut segments = Vec::new();
    for end in cuts.into_iter().chain([hi]) {
        if facts.le(&end, &at) != Verdict::Yes {
            segments.push((Affine::fixed(at.clone()), Affine::fixed(end.clone())));
        }
        at = facts.larger(&at, &end);
    }
    segments
}
