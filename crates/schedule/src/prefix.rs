//! Prefixes: recurrences in which each cell is the one before it combined with a term, or
//! a few running values are multiplied by a matrix and added to terms.
//!
//! ```text
//! y[i, t] = y[i, t - 1] + x[i, t]   =>   for i           -- threads share it
//!                                          run = y[i, lo - 1]
//!                                          for t         -- vector
//!                                            run += x[i, t], each lane its prefix
//!                                            y[i, t] = run
//! ```
//!
//! What combines is a monoid in each case: a sum's terms, or maps `by * y + x`, of which
//! two are one. A long row of sums is cut into blocks ([`row`]).
//!
//! The terms of floats may meet in another order than written, as those of a sum may; with
//! strict floats such recurrences run step by step. Maxima, minima and integers have no
//! other value in any order.

mod cells;
mod linear;
mod row;
mod runs;
mod sinks;

use crate::block::{Block, BlockKind};
use crate::body::Body;
use crate::lower::Emitter;
use crate::nest::Loop;
use crate::nodes::Nodes;
use cells::{Cell, Keep, Part, Point, Role, Spread};
use linear::{Factor, Law, State, Step, Term};
use runs::Run;
use sinks::Sink;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_domain::Affine;
use weft_loops::{Expr as Value, For, ForKind, Local, Stmt};
use weft_plan::{Item, Nest, Scope, Storage, TimeLoop, reads};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Accumulator, ExprId, IndexTerm, TensorId};

/// Values that run together: a map from so many to as many takes fewer operations in lanes
/// than the steps wait for each other.
const MOST_STATES: usize = 2;

/// The same where the maps are computed once for all steps.
const MOST_STEADY_STATES: usize = 4;

/// Values that run beside each other.
const MOST_BESIDE: usize = 6;

/// Recurrences found to be a prefix.
pub(crate) struct Prefix<'p> {
    /// Those that write cells, and those that are sinks.
    parts: Vec<Part<'p>>,
    /// Values of iterators that are written out.
    points: Vec<Point>,
    cells: Vec<Cell>,
    laws: Vec<Law>,
    runs: Vec<Run>,
    sinks: Vec<Sink>,
    ty: ScalarType,
    /// The last steps, of which some cells are all that is kept: they run one by one.
    window: Option<i64>,
    /// Whether there are as many steps as threads share, as far as is known.
    long: bool,
    descending: bool,
    /// The first and the last step together, where the last is the first: steps are counted
    /// as they run.
    ends: Option<Value>,
}

/// The values of a run on their way through some steps.
struct Strand {
    run: usize,
    starts: Vec<Value>,
    /// Whether terms are added, or states multiplied only.
    terms: bool,
}

impl<'p> Emitter<'p> {
    /// A loop over time as a prefix along an axis of tensors that are stored whole.
    pub fn find_prefix(&self, l: &'p TimeLoop) -> Option<Prefix<'p>> {
        (!l.parallel && l.lo.as_size().is_some()).then_some(())?;
        let nest = |item: &'p Item| match item {
            Item::Nest(nest) => Some(nest),
            Item::Fill(_) | Item::Loop(_) => None,
        };
        let nests: Vec<&'p Nest> = l.body.iter().map(nest).collect::<Option<_>>()?;
        // What lies in rows of its own is left there, if that will do.
        let all = [Spread::None, Spread::Behind, Spread::All];
        all.into_iter().find_map(|spread| self.prefix_of(l, &nests, spread))
    }

    fn prefix_of(&self, l: &'p TimeLoop, nests: &[&'p Nest], spread: Spread) -> Option<Prefix<'p>> {
        let target = |n: &&'p Nest| self.plan.graph.assigns[n.assign].target;
        let targets: BTreeSet<TensorId> = nests.iter().map(target).collect();
        let read_by = |n: &&'p Nest| reads(&self.plan.graph.assigns[n.assign]);
        let read: BTreeSet<TensorId> = nests.iter().flat_map(read_by).map(|r| r.tensor).collect();
        let of_role = |role: Role| {
            let own = |n: &&&'p Nest| read.contains(&target(n)) == (role == Role::Cells);
            let part = |n: &&'p Nest| Part::of(self.plan, n, l.var, &targets, (spread, role));
            nests.iter().filter(own).map(part).collect::<Option<Vec<Part<'p>>>>()
        };
        let (mut parts, ends) = (of_role(Role::Cells)?, of_role(Role::Sink)?);
        let first = parts.first()?;
        let ty = first.a.exprs.ty(first.a.body);
        let elem = |t: TensorId| self.plan.graph.tensors[t].elem;
        let around = first.bounds_around()?;
        let beside = |p: &Part<'_>| nests.len() == 1 || p.bounds_around().as_ref() == Some(&around);
        let alike = |p: &Part<'_>| p.a.exprs.ty(p.a.body) == ty && elem(p.a.target) == ty;
        let fits = parts.iter().chain(&ends).all(beside) && parts.iter().all(alike);
        fits.then_some(())?;
        let mut keeps = BTreeMap::new();
        for part in &parts {
            keeps.insert(part.a.target, self.keep(l, part)?);
        }
        let mut step = Step::of(&parts, |t| keeps[&t], l.descending)?;
        let mut sinks = Vec::new();
        for (n, part) in ends.iter().enumerate() {
            self.is_whole(part).then_some(())?;
            sinks.extend(Sink::of((parts.len() + n, part), &mut step, &targets)?);
        }
        let asked: Vec<State> = sinks.iter().flat_map(Sink::states).collect();
        let Step { cells, laws, points, reads, .. } = step;
        let runs = runs::find(&cells, &laws, &asked)?;
        let window = keeps.values().filter_map(|k| match k {
            Keep::Window(size) => Some(*size),
            Keep::Whole | Keep::Step => None,
        });
        let window = window.max();
        let rows = parts.iter().chain(&ends).any(|p| !p.around.is_empty());
        let worth = window.is_none() || !rows && self.is_worth(l);
        worth.then_some(())?;
        parts.extend(ends);
        let (long, descending) = (self.is_long(l), l.descending);
        let mut p = Prefix {
            parts,
            points,
            cells,
            laws,
            runs,
            sinks,
            ty,
            window,
            long,
            descending,
            ends: None,
        };
        let of = |p: &Part<'_>| Nodes::compute(&self.plan.graph, p.a, &Scope::of(p.a));
        let nodes: Vec<Nodes> = p.parts.iter().map(of).collect();
        p.runs.iter_mut().for_each(|r| r.steady = r.is_steady(&p.parts, &p.laws, &nodes));
        let plain = |f: Factor| !nodes[f.part].get(f.expr).statements;
        let calm = p.laws.iter().flat_map(Law::factors).all(plain)
            && reads.iter().all(|&(part, e)| !nodes[part].get(e).traps)
            && p.sinks.iter().all(|s| self.may_take(&p.parts[s.part], &nodes[s.part]));
        (calm && p.gains(self.plan.options.strict)).then_some(p)
    }

    /// Which steps of a part's cells are stored; `None` where they lie otherwise.
    fn keep(&self, l: &TimeLoop, part: &Part<'_>) -> Option<Keep> {
        let (t, own) =
            (part.a.target, |i: &&Item| matches!(i, Item::Loop(x) if std::ptr::eq(x, l)));
        match &self.plan.storage[t] {
            Storage::Stored { .. } => Some(Keep::Whole),
            Storage::Window { axis, size, .. } => {
                let has_time =
                    |t: &IndexTerm| t.as_affine().is_some_and(|x| x.iters().contains(&part.time));
                let along = part.a.write.iter().position(has_time) == Some(*axis);
                let (mut items, mut others) =
                    (self.plan.items.iter(), self.plan.items.iter().filter(|i| !own(i)));
                (along && items.any(|i| own(&i))).then_some(())?;
                let seen = others.any(|i| i.touches(&self.plan.graph, t));
                Some(if seen { Keep::Window(*size) } else { Keep::Step })
            }
            _ => None,
        }
    }

    /// Whether what a sink writes is stored whole.
    fn is_whole(&self, part: &Part<'_>) -> bool {
        matches!(self.plan.storage[part.a.target], Storage::Stored { .. })
    }

    /// Whether a sink's value cannot fail, and may be brought together in any order.
    fn may_take(&self, part: &Part<'_>, nodes: &Nodes) -> bool {
        let ordered = matches!(part.a.accumulator, Accumulator::Sum | Accumulator::Prod)
            && part.a.exprs.ty(part.a.body).is_float();
        let plain = |e: ExprId| !nodes.get(e).statements;
        plain(part.a.body)
            && part.a.mask.is_none_or(plain)
            && !(ordered && self.plan.options.strict)
    }

    /// Whether there are as many steps as pay for lanes where nothing is stored.
    fn is_worth(&self, l: &TimeLoop) -> bool {
        self.steps_of(l).is_none_or(|n| n >= self.machine.sizes.least_unstored)
    }

    /// How many steps a loop has by the extents that the routine is planned for.
    fn steps_of(&self, l: &TimeLoop) -> Option<i64> {
        let end = |x: &Affine| x.as_size()?.eval(&|p| self.plan.likely(p));
        Some(end(&l.hi)?.saturating_sub(end(&l.lo)?))
    }

    /// Emits a prefix over the steps `lo..hi`.
    pub fn prefix(&mut self, l: &'p TimeLoop, mut p: Prefix<'p>, (lo, hi): (Value, Value)) {
        let base = self.top();
        if p.descending {
            let (sum, one) = (self.f.add(lo, hi), self.f.int(1));
            p.ends = Some(self.f.sub(sum, one));
        }
        let p = &p;
        let mut bodies: Vec<Body<'p>> =
            p.parts.iter().enumerate().map(|(n, part)| self.body_of(p, n, part)).collect();
        let first = &p.parts[0];
        let around: Vec<Loop> = first.around.iter().map(|r| vec![r.clone()]).collect();
        let split = match p.window {
            None => hi,
            Some(size) => {
                let size = self.f.int(size);
                let last = self.f.sub(hi, size);
                self.f.binary(BinaryOp::Max, lo, last)
            }
        };
        let some = self.f.binary(BinaryOp::Lt, lo, split);
        self.open(BlockKind::Branch(some));
        let mut rows = self.body_of(p, 0, first);
        self.loops(&mut rows, &around, &mut |this, rows| {
            for (body, part) in bodies.iter_mut().zip(&p.parts) {
                for (own, of_first) in part.around.iter().zip(&first.around) {
                    let block = rows.block_of(of_first.iter);
                    body.bind(own.iter, rows.iter_value(of_first.iter), block);
                }
            }
            match p.is_shared() {
                true => this.row(&mut bodies, p, (lo, hi)),
                false => this.run(&mut bodies, p, (lo, split)),
            }
        });
        self.close();
        self.blocks[base].known.clear();
        if p.window.is_some() {
            let rest = match p.descending {
                false => (split, hi),
                true => {
                    let count = self.f.sub(hi, split);
                    (lo, self.f.add(lo, count))
                }
            };
            self.plain_steps(l, rest);
        }
    }

    /// A part with nothing bound, whose nodes have names of their own.
    fn body_of(&self, p: &Prefix<'p>, number: usize, part: &Part<'p>) -> Body<'p> {
        let mut body = Body::new(self.plan, part.a, self.top());
        body.number = number as u32;
        body.copied = p.points.iter().flatten().map(|(iter, _)| *iter).collect();
        body
    }

    /// The cells of a range, in lanes.
    fn run(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, range: (Value, Value)) {
        let mut starts = self.states_before(bodies, p, range.0);
        let strand = |(run, r): (usize, &Run)| {
            let rest = starts.split_off(r.states.len());
            Strand { run, starts: std::mem::replace(&mut starts, rest), terms: true }
        };
        let strands: Vec<Strand> = p.runs.iter().enumerate().map(strand).collect();
        let sums = self.open_sinks(bodies, p);
        let last = self.strands(bodies, p, &strands, range, |this, bodies, values| {
            let values = values.concat();
            this.store_newest(bodies, p, &values);
            this.take_in_sinks(bodies, p, &sums, &values);
        });
        self.close_sinks(bodies, p, sums);
        self.store_windows(bodies, p, range, &last.concat());
    }

    /// Stores what runs where the last steps alone are kept.
    fn store_windows(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (lo, end): (Value, Value),
        last: &[Value],
    ) {
        for (state, &value) in p.states().zip(last) {
            if !matches!(p.cells[state.cell].keep, Keep::Window(_)) {
                continue;
            }
            let back = self.f.int(state.back);
            let at = self.f.sub(end, back);
            // Older ones are there, or nobody asks for them.
            let new = self.f.binary(BinaryOp::Ge, at, lo);
            self.open(BlockKind::Branch(new));
            self.at_step(bodies, p, at, |this, bodies| {
                this.store_cell(bodies, p, state.cell, value);
            });
            self.close();
        }
    }

    /// Stores the cells of a step that begins with the newest of some states.
    fn store_newest(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, states: &[Value]) {
        for (cell, _) in p.cells.iter().enumerate().filter(|(_, c)| c.keep == Keep::Whole) {
            let value = match p.states().position(|s| s == State { cell, back: 1 }) {
                Some(at) => states[at],
                None => self.sum(bodies, p, cell, None).expect("a cell is something"),
            };
            self.store_cell(bodies, p, cell, value);
        }
    }

    /// What runs, before a step.
    fn states_before(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        step: Value,
    ) -> Vec<Value> {
        p.states().map(|state| self.state_before(bodies, p, state, step)).collect()
    }

    /// What a state is before a step; anything where nobody asks.
    fn state_before(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        state: State,
        step: Value,
    ) -> Value {
        let older = |s: State| s.cell == state.cell && s.back >= state.back;
        let asks = |t: &Term| t.state.is_some_and(older);
        // What sinks ask for has become older by a step.
        let taken = |s: State| older(State { back: s.back - 1, ..s });
        let asked = p.laws.iter().flat_map(Law::terms).any(asks)
            || p.sinks.iter().flat_map(Sink::states).any(taken);
        if matches!(p.laws[state.cell], Law::Sum(_)) && !asked {
            return self.f.constant(Scalar::zero(p.ty));
        }
        let back = self.f.int(state.back);
        let at = self.f.sub(step, back);
        self.cell_of(bodies, p, (state.cell, at))
    }

    /// A cell at a step.
    fn cell_of(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (cell, step): (usize, Value),
    ) -> Value {
        self.at_step(bodies, p, step, |this, bodies| this.cell_here(bodies, p, cell))
    }

    /// A cell at the step that is bound.
    fn cell_here(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, cell: usize) -> Value {
        let Cell { part, point, .. } = p.cells[cell];
        self.part_cell(bodies, p, (part, point))
    }

    /// What a part's cell holds.
    fn part_cell(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (part, point): (usize, usize),
    ) -> Value {
        self.at_point(&mut bodies[part], p, point, |this, body| {
            let at = this.target_position(body);
            let buffer = this.buffer_of(body.assignment.target);
            this.f.load(buffer, at)
        })
    }

    fn store_cell(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, cell: usize, value: Value) {
        let Cell { part, point, .. } = p.cells[cell];
        self.at_point(&mut bodies[part], p, point, |this, body| this.store(body, value));
    }

    /// What `inside` makes of a part where iterators that are written out have their values.
    fn at_point<T>(
        &mut self,
        body: &mut Body<'p>,
        p: &Prefix<'p>,
        point: usize,
        inside: impl FnOnce(&mut Self, &mut Body<'p>) -> T,
    ) -> T {
        body.copy = Some(point as u32);
        for &(iter, at) in &p.points[point] {
            let at = self.f.int(at);
            body.bind(iter, at, body.base);
        }
        let made = inside(self, body);
        p.points[point].iter().for_each(|(iter, _)| body.unbind(*iter));
        body.copy = None;
        made
    }

    /// What becomes of strands in a range, step by step.
    fn strands(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        strands: &[Strand],
        range: (Value, Value),
        each: impl FnOnce(&mut Self, &mut [Body<'p>], &[Vec<Value>]),
    ) -> Vec<Vec<Value>> {
        let mut locals: Vec<Vec<Local>> = Vec::new();
        for strand in strands {
            let own = strand.starts.iter().map(|&start| self.kept_in("run", start));
            locals.push(own.collect());
        }
        let values: Vec<Vec<Value>> =
            locals.iter().map(|own| own.iter().map(|&l| self.f.local(l)).collect()).collect();
        let zero = self.f.constant(Scalar::zero(p.ty));
        self.steps(bodies, p, range, |this, bodies| {
            for (strand, locals) in strands.iter().zip(locals) {
                let run = &p.runs[strand.run];
                let (mut values, by) = this.map(bodies, p, run);
                if !strand.terms {
                    values.fill(zero);
                }
                this.push(Stmt::Scan { locals, op: run.op, values, by });
            }
            each(this, bodies, &values);
        });
        values
    }

    /// A new local with a value.
    fn kept_in(&mut self, name: &str, value: Value) -> Local {
        let local = self.local(name, self.f.ty(value));
        self.set(local, value);
        local
    }

    /// What is added to each state, and the matrix that the states are multiplied by before;
    /// none where that is one.
    fn map(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        run: &Run,
    ) -> (Vec<Value>, Vec<Option<Value>>) {
        let zero = self.f.constant(Scalar::zero(p.ty));
        let one = self.f.constant(Scalar::one(p.ty));
        let (mut values, mut by) = (Vec::new(), Vec::new());
        for to in &run.states {
            if let Law::With(_, term) = p.laws[to.cell] {
                values.push(self.factor(bodies, p, term));
                continue;
            }
            if to.back > 1 {
                // What was newer by one is this now.
                let newer = State { back: to.back - 1, ..*to };
                values.push(zero);
                by.extend(run.states.iter().map(|from| (*from == newer).then_some(one)));
                continue;
            }
            values.push(self.sum(bodies, p, to.cell, None).unwrap_or(zero));
            for &from in &run.states {
                by.push(self.sum(bodies, p, to.cell, Some(from)));
            }
        }
        (values, if run.is_single(&p.laws) { Vec::new() } else { by })
    }

    /// A cell's sum of products, those of one state or of none; nothing where there is none.
    fn sum(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        cell: usize,
        state: Option<State>,
    ) -> Option<Value> {
        let mut sum = None;
        for term in p.laws[cell].terms().iter().filter(|t| t.state == state) {
            let product = self.product_of(bodies, p, term);
            sum = Some(match (sum, term.negative) {
                (None, false) => product,
                (None, true) => self.f.unary(UnaryOp::Neg, product),
                (Some(sum), false) => self.f.binary(BinaryOp::Add, sum, product),
                (Some(sum), true) => self.f.binary(BinaryOp::Sub, sum, product),
            });
        }
        sum
    }

    fn product_of(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, term: &Term) -> Value {
        let factors: Vec<Value> = term.factors.iter().map(|&f| self.factor(bodies, p, f)).collect();
        let product = factors.into_iter().reduce(|x, y| self.f.binary(BinaryOp::Mul, x, y));
        let product = product.unwrap_or_else(|| self.f.constant(Scalar::one(p.ty)));
        term.divisors.iter().fold(product, |product, &by| {
            let by = self.factor(bodies, p, by);
            self.f.binary(BinaryOp::Div, product, by)
        })
    }

    fn factor(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, f: Factor) -> Value {
        self.at_point(&mut bodies[f.part], p, f.point, |this, body| this.value(body, f.expr))
    }

    /// What `inside` makes of one step.
    fn at_step<T>(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        step: Value,
        inside: impl FnOnce(&mut Self, &mut [Body<'p>]) -> T,
    ) -> T {
        let step = p.ends.map_or(step, |ends| self.f.sub(ends, step));
        for (body, part) in bodies.iter_mut().zip(&p.parts) {
            let ahead = self.f.int(part.ahead);
            let at = self.f.add(step, ahead);
            body.bind(part.time, at, self.top());
        }
        let made = inside(self, bodies);
        bodies.iter_mut().zip(&p.parts).for_each(|(body, part)| body.unbind(part.time));
        // What is known of this step is not so of another one in the same block.
        let top = self.top();
        self.blocks[top].known.clear();
        made
    }

    /// A loop over steps, in lanes.
    fn steps(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (lo, hi): (Value, Value),
        inside: impl FnOnce(&mut Self, &mut [Body<'p>]),
    ) {
        let name = p.parts[0].a.space.iters[p.parts[0].time].clone();
        let var = self.f.add_var(name.unwrap_or_else(|| Name::new("t")));
        self.open(BlockKind::Base);
        let step = self.f.var(var);
        self.at_step(bodies, p, step, inside);
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        let kind = ForKind::Vector(None);
        self.push(Stmt::For(For { var, lo, hi, step: 1, kind, body: stmts }));
    }
}

impl Prefix<'_> {
    /// Every value that runs.
    fn states(&self) -> impl Iterator<Item = State> {
        self.runs.iter().flat_map(|r| r.states.iter().copied())
    }

    /// Whether it may run in lanes, and gains.
    fn gains(&self, strict: bool) -> bool {
        let plain = |r: &Run| matches!(r.op, BinaryOp::Min | BinaryOp::Max);
        let exact = !self.ty.is_float() || self.runs.iter().all(plain);
        let turns = self.laws.iter().flat_map(Law::terms).any(|t| t.negative);
        let single = self.runs.iter().all(|r| r.is_single(&self.laws));
        let able = (!turns || self.ty.is_float() || self.ty.is_signed())
            && (single || !self.ty.is_small_float());
        let few = |r: &Run| match r.states.len() {
            n if n <= MOST_STATES => true,
            n => n <= MOST_STEADY_STATES && r.steady,
        };
        let beside: usize = self.runs.iter().map(|r| r.states.len()).sum();
        let few = self.runs.iter().all(few) && beside <= MOST_BESIDE;
        (exact || !strict) && able && few
    }
}
