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
//! two are one; which loops these are is [`crate::recognise::scan`]'s. One long row is cut into
//! blocks ([`row`]); what looks at running values rides along ([`carried_reductions`]).
//!
//! The terms of floats may meet in another order than written, as those of a sum may; with
//! strict floats such recurrences run step by step. Maxima, minima and integers have no
//! other value in any order.

mod carried_reductions;
mod checked;
mod row;

use crate::lower::block::{Block, BlockKind};
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::scan::{
    CarriedReduction, Cell, Factor, Keep, Part, Scan, ScanGroup, State, Term, Transition,
};
use crate::tree::StepsNode;
use std::ops::Deref;
use weft_base::Name;
use weft_loops::{Expr as Value, For, ForKind, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};

/// A scan as it is emitted.
struct Running<'a, 'p> {
    p: &'a Scan<'p>,
    /// The first and the last step together, where the last is the first: steps are counted
    /// as they run.
    ends: Option<Value>,
}

impl<'p> Deref for Running<'_, 'p> {
    type Target = Scan<'p>;

    fn deref(&self) -> &Scan<'p> {
        self.p
    }
}

/// The values of a group on their way through some steps.
struct LaneValues {
    group: usize,
    starts: Vec<Value>,
    /// Whether terms are added, or states multiplied only.
    terms: bool,
}

impl<'p> Emitter<'p> {
    /// Emits a scan over the steps `lo..hi`.
    pub fn emit_scan(&mut self, node: &'p StepsNode<'p>, p: &Scan<'p>, (lo, hi): (Value, Value)) {
        let base = self.top();
        let around = self.target.replace(p.parts[0].a.target);
        let ends = p.descending.then(|| {
            let (sum, one) = (self.f.add(lo, hi), self.f.int(1));
            self.f.sub(sum, one)
        });
        let p = &Running { p, ends };
        let mut bodies: Vec<Body<'p>> =
            p.parts.iter().enumerate().map(|(n, part)| self.body_of(p, n, part)).collect();
        let first = &p.parts[0];
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
        self.loops(&mut rows, &first.around, &mut |this, rows| {
            for (body, part) in bodies.iter_mut().zip(&p.parts) {
                for (own, of_first) in part.around.iter().zip(&first.around) {
                    let block = rows.block_of(of_first.iter);
                    body.bind(own.iter, rows.iter_value(of_first.iter), block);
                }
            }
            if p.is_shared() {
                this.row(&mut bodies, p, (lo, hi))
            } else {
                this.run(&mut bodies, p, (lo, split))
            }
        });
        self.close();
        self.blocks[base].known.clear();
        self.target = around;
        if p.window.is_some() {
            let rest = match p.descending {
                false => (split, hi),
                true => {
                    let count = self.f.sub(hi, split);
                    (lo, self.f.add(lo, count))
                }
            };
            self.plain_steps(node, rest);
        }
    }

    /// A part with nothing bound, whose nodes have names of their own.
    fn body_of(&self, p: &Running<'_, 'p>, number: usize, part: &Part<'p>) -> Body<'p> {
        let mut body = Body::new(part.view, self.top());
        body.number = number as u32;
        body.copied = p.points.iter().flatten().map(|(iter, _)| *iter).collect();
        body
    }

    /// The cells of a range, in lanes.
    fn run(&mut self, bodies: &mut [Body<'p>], p: &Running<'_, 'p>, range: (Value, Value)) {
        let mut starts = self.states_before(bodies, p, range.0);
        let lane_value = |(group, r): (usize, &ScanGroup)| {
            let rest = starts.split_off(r.states.len());
            LaneValues { group, starts: std::mem::replace(&mut starts, rest), terms: true }
        };
        let lane_values: Vec<LaneValues> = p.groups.iter().enumerate().map(lane_value).collect();
        let sums = self.open_sinks(bodies, p);
        let last = self.lane_values(bodies, p, &lane_values, range, |this, bodies, values| {
            let values = values.concat();
            this.flag_steps(bodies, p, &values);
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
        p: &Running<'_, 'p>,
        (lo, end): (Value, Value),
        last: &[Value],
    ) {
        for (state, &value) in p.states().zip(last) {
            if !matches!(p.cells[state.cell].keep, Keep::Window(_)) {
                continue;
            }
            // Older ones are there, or nobody asks for them.
            let at = self.step_at(state, end);
            let new = self.f.binary(BinaryOp::Ge, at, lo);
            self.open(BlockKind::Branch(new));
            self.store_state(bodies, p, (state, end), value);
            self.close();
        }
    }

    /// The step at which a state's cell lies, as it is before `step`.
    fn step_at(&mut self, state: State, step: Value) -> Value {
        let back = self.f.int(state.back);
        self.f.sub(step, back)
    }

    /// What a state's cell holds, as it is before `step`.
    fn state_cell(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        (state, step): (State, Value),
    ) -> Value {
        let at = self.step_at(state, step);
        self.at_step(bodies, p, at, |this, bodies| this.cell_here(bodies, p, state.cell))
    }

    /// Stores a state's cell, as it is before `step`.
    fn store_state(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        (state, step): (State, Value),
        value: Value,
    ) {
        let at = self.step_at(state, step);
        self.at_step(bodies, p, at, |this, bodies| this.store_cell(bodies, p, state.cell, value));
    }

    /// Stores the cells of a step that begins with the newest of some states.
    fn store_newest(&mut self, bodies: &mut [Body<'p>], p: &Running<'_, 'p>, states: &[Value]) {
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
        p: &Running<'_, 'p>,
        step: Value,
    ) -> Vec<Value> {
        p.states().map(|state| self.state_before(bodies, p, state, step)).collect()
    }

    /// What a state is before a step; anything where nobody asks.
    fn state_before(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        state: State,
        step: Value,
    ) -> Value {
        let older = |s: State| s.cell == state.cell && s.back >= state.back;
        let asks = |t: &Term| t.state.is_some_and(older);
        // What carried reductions ask for has become older by a step.
        let taken = |s: State| older(State { back: s.back - 1, ..s });
        let asked = p.transitions.iter().flat_map(Transition::terms).any(asks)
            || p.carried_reductions.iter().flat_map(CarriedReduction::states).any(taken);
        if matches!(p.transitions[state.cell], Transition::Sum(_)) && !asked {
            return self.f.constant(Scalar::zero(p.ty));
        }
        self.state_cell(bodies, p, (state, step))
    }

    /// A cell at the step that is bound.
    fn cell_here(&mut self, bodies: &mut [Body<'p>], p: &Running<'_, 'p>, cell: usize) -> Value {
        let Cell { part, point, .. } = p.cells[cell];
        self.part_cell(bodies, p, (part, point))
    }

    /// What a part's cell holds.
    fn part_cell(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        (part, point): (usize, usize),
    ) -> Value {
        self.at_point(&mut bodies[part], p, point, |this, body| {
            let at = this.target_position(body);
            let buffer = this.buffer_of(body.assignment.target);
            this.f.load(buffer, at)
        })
    }

    fn store_cell(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        cell: usize,
        value: Value,
    ) {
        let Cell { part, point, .. } = p.cells[cell];
        self.at_point(&mut bodies[part], p, point, |this, body| this.store(body, value));
    }

    /// What `inside` makes of a part where iterators that are written out have their values.
    fn at_point<T>(
        &mut self,
        body: &mut Body<'p>,
        p: &Running<'_, 'p>,
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

    /// What becomes of lane values in a range, step by step.
    fn lane_values(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        lane_values: &[LaneValues],
        range: (Value, Value),
        each: impl FnOnce(&mut Self, &mut [Body<'p>], &[Vec<Value>]),
    ) -> Vec<Vec<Value>> {
        let mut locals: Vec<Vec<Local>> = Vec::new();
        for lane_value in lane_values {
            let own = lane_value.starts.iter().map(|&start| self.kept_in("run", start));
            locals.push(own.collect());
        }
        let values: Vec<Vec<Value>> =
            locals.iter().map(|own| own.iter().map(|&l| self.f.local(l)).collect()).collect();
        let zero = self.f.constant(Scalar::zero(p.ty));
        self.steps(bodies, p, range, |this, bodies| {
            for (lane_value, locals) in lane_values.iter().zip(locals) {
                let group = &p.groups[lane_value.group];
                let (mut values, by) = this.map(bodies, p, group);
                if !lane_value.terms {
                    values.fill(zero);
                }
                this.push(Stmt::Scan { locals, op: group.op, values, by });
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
        p: &Running<'_, 'p>,
        group: &ScanGroup,
    ) -> (Vec<Value>, Vec<Option<Value>>) {
        let zero = self.f.constant(Scalar::zero(p.ty));
        let one = self.f.constant(Scalar::one(p.ty));
        let (mut values, mut by) = (Vec::new(), Vec::new());
        for to in &group.states {
            if let Transition::With(_, term) = p.transitions[to.cell] {
                values.push(self.factor(bodies, p, term));
                continue;
            }
            if to.back > 1 {
                // What was newer by one is this now.
                let newer = State { back: to.back - 1, ..*to };
                values.push(zero);
                by.extend(group.states.iter().map(|from| (*from == newer).then_some(one)));
                continue;
            }
            values.push(self.sum(bodies, p, to.cell, None).unwrap_or(zero));
            for &from in &group.states {
                by.push(self.sum(bodies, p, to.cell, Some(from)));
            }
        }
        (values, if group.is_single(&p.transitions) { Vec::new() } else { by })
    }

    /// A cell's sum of products, those of one state or of none; nothing where there is none.
    fn sum(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        cell: usize,
        state: Option<State>,
    ) -> Option<Value> {
        let mut sum = None;
        for term in p.transitions[cell].terms().iter().filter(|t| t.state == state) {
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

    fn product_of(&mut self, bodies: &mut [Body<'p>], p: &Running<'_, 'p>, term: &Term) -> Value {
        let factors: Vec<Value> = term.factors.iter().map(|&f| self.factor(bodies, p, f)).collect();
        let product = factors.into_iter().reduce(|x, y| self.f.binary(BinaryOp::Mul, x, y));
        let product = product.unwrap_or_else(|| self.f.constant(Scalar::one(p.ty)));
        term.divisors.iter().fold(product, |product, &by| {
            let by = self.factor(bodies, p, by);
            self.f.binary(BinaryOp::Div, product, by)
        })
    }

    fn factor(&mut self, bodies: &mut [Body<'p>], p: &Running<'_, 'p>, f: Factor) -> Value {
        self.at_point(&mut bodies[f.part], p, f.point, |this, body| this.noted(body, f.expr))
    }

    /// What `inside` makes of one step.
    fn at_step<T>(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
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
        p: &Running<'_, 'p>,
        (lo, hi): (Value, Value),
        inside: impl FnOnce(&mut Self, &mut [Body<'p>]),
    ) {
        let name = p.parts[0].a.space.iters[p.parts[0].time].clone();
        let var = self.new_var(name.unwrap_or_else(|| Name::new("t")));
        self.open(BlockKind::Base);
        let step = self.f.var(var);
        self.at_step(bodies, p, step, inside);
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        let kind = ForKind::Vector(None);
        self.push(Stmt::For(For { var, lo, hi, step: 1, kind, body: stmts }));
    }
}
