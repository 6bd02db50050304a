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

use crate::depend::{Distance, Pieces, Placed, Read, Solved, never_meet, solve, unit_iter};
use crate::refusal::Refusal;
use crate::routine::{Item, LoopVar, TimeLoop, name_of};
use crate::scc::components;
use crate::skew::settle;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_domain::{Affine, Constraint, Iter, Relation};
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
pub(crate) enum Proof {
    /// By the ends of ranges: cheap, and enough for most.
    Ranges,
    /// By integer sets.
    Sets,
}

/// Reads that no enclosing loop carries: they must find their cells in the same step.
pub(crate) type Alive = BTreeSet<(AssignId, ExprId)>;

/// What is common to the ordering of one routine.
pub(crate) struct Orderer<'g> {
    pub graph: &'g Graph,
    pub pieces: &'g Pieces,
    pub loop_vars: PrimaryMap<LoopVar, Option<Name>>,
    /// Questions about integer sets that may still be asked.
    pub questions: Cell<u32>,
}

/// Questions about integer sets for one routine: compile time stays bounded.
const MAX_QUESTIONS: u32 = 4000;

/// What a time loop does beside running its pieces.
pub(crate) trait Steps {
    /// Items at the start of step `var`.
    fn prologue(&self, var: LoopVar) -> Vec<Item>;
    /// A range of indices that the loop must cover.
    fn covers(&self) -> Option<(Size, Size)>;
    /// Whether a piece combines with what a fill before the loop wrote.
    fn continues(&self, piece: AssignId) -> bool;
}

/// Nothing.
pub(crate) struct PlainSteps;

impl Steps for PlainSteps {
    fn prologue(&self, _: LoopVar) -> Vec<Item> {
        Vec::new()
    }
    fn covers(&self) -> Option<(Size, Size)> {
        None
    }
    fn continues(&self, _: AssignId) -> bool {
        false
    }
}

impl<'g> Orderer<'g> {
    /// Nothing is ordered yet.
    pub fn new(graph: &'g Graph, pieces: &'g Pieces) -> Orderer<'g> {
        let questions = Cell::new(MAX_QUESTIONS);
        Orderer { graph, pieces, loop_vars: PrimaryMap::new(), questions }
    }

    /// Items that compute `placed`, each after what it reads of the others.
    pub fn order(
        &mut self,
        placed: &[Placed],
        alive: &Alive,
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
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
        steps: &dyn Steps,
    ) -> Result<Vec<Item>, Refusal> {
        if let Some(axes) = self.axes_by(members, alive, used, Proof::Ranges, true) {
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
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Result<TimeAxes, Refusal> {
        self.axes_by(members, alive, used, Proof::Sets, true)
            .or_else(|| self.skewed(members, alive))
            .or_else(|| self.axes_by(members, alive, used, Proof::Ranges, false))
            .ok_or_else(|| self.refuse(members, alive, used))
    }

    /// The positions in `all` of the pieces that `p` needs in the same step.
    fn needs_of(&self, p: &Placed, all: &[Placed], alive: &Alive) -> Vec<usize> {
        let facts = &self.graph.facts;
        let reads = self.pieces.get(p.id).reads.iter().filter(|r| alive.contains(&(p.id, r.expr)));
        let mut needs = BTreeSet::new();
        for r in reads {
            for (at, q) in all.iter().enumerate() {
                let same = self.pieces.get(q.id).target == r.tensor;
                if same && !never_meet(p, r, q, self.pieces, facts) {
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
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Option<TimeAxes> {
        // A loop that carries nothing orders nothing: such an axis is the last resort.
        let by = |proof, must_carry| self.axes_by(members, alive, used, proof, must_carry);
        by(Proof::Ranges, true)
            .or_else(|| by(Proof::Sets, true))
            .or_else(|| by(Proof::Ranges, false))
    }

    fn axes_by(
        &self,
        members: &[Placed],
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
        proof: Proof,
        must_carry: bool,
    ) -> Option<TimeAxes> {
        let seed = self.pieces.get(members[0].id).target;
        for descending in [false, true] {
            for axis in 0..self.graph.tensors[seed].rank() {
                let found = self.propagate(members, alive, used, (seed, axis));
                let axes = self.legal_axes(members, alive, used, found, descending, proof);
                let useful = |x: &TimeAxes| !must_carry || self.carries(members, x, alive, proof);
                if let Some(axes) = axes.filter(useful) {
                    return Some(axes);
                }
            }
        }
        None
    }

    /// Whether a loop along the axes carries a read of its members.
    fn carries(&self, members: &[Placed], axes: &TimeAxes, alive: &Alive, proof: Proof) -> bool {
        members.iter().any(|p| {
            self.alive_reads(p.id, alive).any(|r| {
                let inside = self.writes(members, r.tensor);
                let cheaply = || self.distance(p.id, r, axes).is_carried(axes.descending);
                let exactly = || proof == Proof::Sets && self.carried_exactly(p, r, members, axes);
                inside && (cheaply() || exactly())
            })
        })
    }

    /// From the axis of one tensor to the axes of all that are read beside it.
    fn propagate(
        &self,
        members: &[Placed],
        alive: &Alive,
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
        let near = |x: &Option<Affine>, y: &Option<Affine>| match (x, y) {
            (Some(x), Some(y)) => {
                !x.terms().is_empty()
                    && Distance::compute(&scope, x, y, &self.graph.facts).constant().is_some()
            }
            _ => false,
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
    pub fn alive_reads(&self, p: AssignId, alive: &Alive) -> impl Iterator<Item = &'g Read> {
        let alive: Vec<ExprId> =
            alive.range((p, ExprId::from_u32(0))..).take_while(|x| x.0 == p).map(|x| x.1).collect();
        self.pieces.get(p).reads.iter().filter(move |r| alive.contains(&r.expr))
    }

    /// The axes, if each tensor has one, unused so far, and every read is ordered.
    fn legal_axes(
        &self,
        members: &[Placed],
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
        mut axis: BTreeMap<TensorId, usize>,
        descending: bool,
        proof: Proof,
    ) -> Option<TimeAxes> {
        let seed_axis = *axis.values().next()?;
        let mut axes = TimeAxes { descending, ..TimeAxes::default() };
        for p in members {
            let target = self.pieces.get(p.id).target;
            let a = *axis.entry(target).or_insert(seed_axis);
            if used.get(&target).is_some_and(|u| u.contains(&a)) {
                return None;
            }
            let term = self.pieces.get(p.id).write.get(a)?.clone()?;
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
                    || proof == Proof::Sets && self.ordered_exactly(p, r, members, &axes)
            })
        };
        members.iter().all(ordered).then_some(axes)
    }

    pub fn writes(&self, members: &[Placed], t: TensorId) -> bool {
        members.iter().any(|q| self.pieces.get(q.id).target == t)
    }

    /// The distance of a read along the time axis; unbounded where there is none.
    pub fn distance(&self, p: AssignId, r: &Read, axes: &TimeAxes) -> Distance {
        let at = axes.axis.get(&r.tensor).and_then(|&a| r.index[a].as_ref());
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
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
        steps: &dyn Steps,
        outermost: bool,
    ) -> Result<Vec<Item>, Refusal> {
        let inner_alive = self.not_carried(members, axes, alive);
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
        let mut items = Vec::new();
        for (lo, hi) in segments {
            let var = self.loop_vars.push(self.time_name(members, axes));
            let placed: Vec<Placed> = members
                .iter()
                .zip(&spans)
                .filter_map(|(p, span)| {
                    self.place(p, &axes.time[&p.id], var, span.as_ref(), (&lo, &hi))
                })
                .collect();
            let mut body = if outermost { steps.prologue(var) } else { Vec::new() };
            body.extend(self.order(&placed, &inner_alive, &inner_used, steps)?);
            if !body.is_empty() {
                let (descending, parallel) = (axes.descending, false);
                items.push(Item::Loop(TimeLoop { var, lo, hi, descending, parallel, body }));
            }
        }
        Ok(items)
    }

    /// The reads that the loop along `axes` does not carry.
    fn not_carried(&self, members: &[Placed], axes: &TimeAxes, alive: &Alive) -> Alive {
        let mut left = Alive::new();
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
        members.iter().find_map(|p| {
            let (iter, _) = unit_iter(&axes.time[&p.id])?;
            self.graph.assigns[p.id].space.iters[iter].clone()
        })
    }

    /// The steps `lo..hi` at which a piece runs, over outer loop variables; `None` where
    /// they depend on iterators that are not fixed yet.
    fn span(&self, p: &Placed, time: &Affine) -> Option<(Affine, Affine)> {
        let outer = |a: &Affine| {
            let free = a.iters().iter().any(|i| !p.bound.iter().any(|(b, _)| b == i));
            (!free).then(|| a.compose(&p.renaming(0))).flatten()
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
            a.space.ranges().count() > p.bound.len() + 1
        };
        members.iter().filter(loops).count() > MAX_COPIED
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
            let d = b.minus(a).and_then(|d| d.as_size().cloned());
            d.is_some_and(|d| facts.non_negative(&d) == Verdict::Yes)
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

    /// Why there is no order: the first read that looks ahead along the best axis.
    fn refuse(
        &self,
        members: &[Placed],
        alive: &Alive,
        used: &BTreeMap<TensorId, Vec<usize>>,
    ) -> Refusal {
        let reads = members.iter().flat_map(|p| {
            let inside = self.alive_reads(p.id, alive).filter(|r| self.writes(members, r.tensor));
            inside.map(move |r| (p.id, r))
        });
        let free = |t: TensorId| {
            let taken = used.get(&t).map_or(0, Vec::len);
            taken < self.graph.tensors[t].rank()
        };
        let all: Vec<(AssignId, &Read)> = reads.collect();
        let (p, r) = all
            .iter()
            .copied()
            .find(|(p, r)| !self.looks_back(*p, r))
            .unwrap_or_else(|| *all.first().expect("a component that is refused reads itself"));
        let tensor = self.pieces.get(p).target;
        let example = self.example(members, &all);
        let cyclic = example.is_some();
        let why = match (free(tensor), example) {
            (_, Some(example)) => example,
            (true, None) => "no axis has every read of the recurrence behind it".to_string(),
            (false, None) => "a cell may depend on itself".to_string(),
        };
        Refusal {
            tensor,
            name: name_of(self.graph, tensor),
            span: self.graph.tensors[tensor].span,
            read: self.read_text(p, r),
            why,
            cyclic,
        }
    }

    /// Whether a read of the piece's own tensor lies behind it on some axis.
    fn looks_back(&self, p: AssignId, r: &Read) -> bool {
        let piece = self.pieces.get(p);
        piece.target == r.tensor
            && piece.write.iter().zip(&r.index).any(|(w, x)| match (w, x) {
                (Some(w), Some(x)) => {
                    Distance::compute(&piece.scope, x, w, &self.graph.facts).is_carried(false)
                }
                _ => false,
            })
    }

    /// Two cells that need each other, where constant distances show them.
    fn example(&self, members: &[Placed], reads: &[(AssignId, &Read)]) -> Option<String> {
        let distances: Vec<(TensorId, Vec<i128>)> = reads
            .iter()
            .filter(|(p, r)| self.pieces.get(*p).target == r.tensor)
            .filter_map(|(p, r)| Some((r.tensor, self.distance_vector(*p, r)?)))
            .collect();
        let (t, d) = distances.iter().find(|(t, d)| {
            let back: Vec<i128> = d.iter().map(|x| -x).collect();
            distances.iter().any(|(u, e)| u == t && *e == back)
        })?;
        let start = members.iter().find(|p| self.pieces.get(p.id).target == *t)?;
        let point = self.sample(start.id)?;
        let there: Vec<i128> = point.iter().zip(d).map(|(x, y)| x + y).collect();
        let name = name_of(self.graph, *t);
        let show = |p: &[i128]| {
            let parts: Vec<String> = p.iter().map(i128::to_string).collect();
            format!("`{name}[{}]`", parts.join(", "))
        };
        Some(match point == there {
            true => format!("{} needs itself", show(&point)),
            false => {
                let (a, b) = (show(&point), show(&there));
                format!("{a} needs {b}, which needs {a}")
            }
        })
    }

    fn distance_vector(&self, p: AssignId, r: &Read) -> Option<Vec<i128>> {
        let piece = self.pieces.get(p);
        let one = |(w, x): (&Option<Affine>, &Option<Affine>)| {
            let (w, x) = (w.as_ref()?, x.as_ref()?);
            Distance::compute(&piece.scope, x, w, &self.graph.facts).constant()
        };
        piece.write.iter().zip(&r.index).map(one).collect()
    }

    /// A cell near the start of what a piece writes.
    fn sample(&self, p: AssignId) -> Option<Vec<i128>> {
        let piece = self.pieces.get(p);
        let one = |w: &Option<Affine>| {
            let w = w.as_ref()?;
            let inside = if w.terms().is_empty() { 0 } else { 1 };
            Some(piece.scope.size_lower(w, &self.graph.facts)?.max(0) + inside)
        };
        piece.write.iter().map(one).collect()
    }

    fn read_text(&self, p: AssignId, r: &Read) -> String {
        let iters = &self.graph.assigns[p].space.iters;
        // Iterators beyond the space stand for computed indices.
        let name = |i: Iter| match iters.get(i) {
            Some(name) => name.as_ref().map_or_else(|| i.to_string(), Name::to_string),
            None => "…".to_string(),
        };
        let term = |x: &Option<Affine>| match x {
            Some(a) => {
                affine_text(a, &name, &|s| s.display(&|q| self.graph.params[q].name.to_string()))
            }
            None => "…".to_string(),
        };
        let terms: Vec<String> = r.index.iter().map(term).collect();
        format!("{}[{}]", name_of(self.graph, r.tensor), terms.join(", "))
    }
}

/// What it takes for a piece to run at step `var`; `None` where that fixes no iterator by
/// itself.
fn step_of(p: &Placed, time: &Affine, var: LoopVar) -> Option<Solved> {
    let at = Affine::iter(var);
    if time.terms().is_empty() || !time.iters().iter().all(|&i| p.fixes(i)) {
        let plain = unit_iter(time).is_some_and(|(i, _)| !p.fixes(i));
        return (plain || time.terms().is_empty()).then(|| solve(time, &at)).flatten();
    }
    // An outer loop fixes the iterator: the step must match its value.
    let value = time.compose(&p.renaming(0)).expect("loop variables replace iterators");
    let term = at.minus(&value)?;
    Some(Solved::Fixed(Constraint { term, relation: Relation::Zero }))
}

/// The most segments of one time loop; more are merged and tested step by step.
const MAX_SEGMENTS: usize = 8;

/// The most pieces with loops inside a step of which a segment gets its own copy.
const MAX_COPIED: usize = 4;

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
    let lo = starts.iter().skip(1).fold(starts[0].clone(), |m, s| m.smaller(s));
    let hi = ends.iter().skip(1).fold(ends[0].clone(), |m, s| m.larger(s));
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
        at = at.larger(&end);
    }
    segments
}

/// An affine term with iterators and sizes written by name.
pub(crate) fn affine_text(
    a: &Affine,
    iter: &dyn Fn(Iter) -> String,
    size: &dyn Fn(&Size) -> String,
) -> String {
    use weft_domain::Dim;
    let mut text = String::new();
    for (d, c) in a.terms() {
        let sign = match (text.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        if c.unsigned_abs() != 1 {
            text.push_str(&format!("{}*", c.unsigned_abs()));
        }
        match d {
            Dim::Iter(i) => text.push_str(&iter(*i)),
            Dim::Div(x, s) => {
                text.push_str(&format!("({}) / ({})", affine_text(x, iter, size), size(s)));
            }
            Dim::Mod(x, s) => {
                text.push_str(&format!("({}) % ({})", affine_text(x, iter, size), size(s)));
            }
        }
    }
    let offset = size(a.offset());
    match (text.is_empty(), offset.strip_prefix('-')) {
        (true, _) => offset,
        (false, _) if offset == "0" => text,
        (false, Some(rest)) => format!("{text} - {rest}"),
        (false, None) => format!("{text} + {offset}"),
    }
}
