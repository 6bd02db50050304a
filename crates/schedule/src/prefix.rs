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

mod linear;
mod row;

use crate::block::{Block, BlockKind};
use crate::body::Body;
use crate::lower::{Emitter, identity};
use crate::nest::Loop;
use linear::{Field, Fields, State, states};
use weft_base::Name;
use weft_loops::{Expr as Value, For, ForKind, Stmt};
use weft_plan::{Item, Storage, TimeLoop};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Accumulator, ExprId};

/// Values that run together: a map from so many to as many takes fewer operations in lanes
/// than the steps wait for each other.
const MOST_STATES: usize = 2;

/// The same where the maps are computed once for all steps.
const MOST_STEADY_STATES: usize = 4;

/// Recurrences found to be a prefix.
pub(crate) struct Prefix<'p> {
    fields: Vec<Field<'p>>,
    ty: ScalarType,
    op: BinaryOp,
    /// What each field's cells are sums of; what is combined where they are no sums.
    terms: Vec<Vec<Term>>,
    /// The values that run.
    states: Vec<State>,
}

/// A product.
#[derive(Clone)]
struct Term {
    state: Option<State>,
    factors: Vec<ExprId>,
    /// Whether it is subtracted.
    negative: bool,
}

impl<'p> Emitter<'p> {
    /// A loop over time as a prefix along the last axes of tensors that are stored whole.
    pub fn find_prefix(&self, l: &'p TimeLoop) -> Option<Prefix<'p>> {
        (!l.descending && l.lo.as_size().is_some()).then_some(())?;
        let field = |item: &'p Item| match item {
            Item::Nest(nest) => Field::of(self.plan, nest, l.var),
            Item::Fill(_) | Item::Loop(_) => None,
        };
        let fields: Vec<Field<'p>> = l.body.iter().map(field).collect::<Option<_>>()?;
        let first = fields.first()?;
        let ty = first.a.exprs.ty(first.a.body);
        let alone = |f: &Field<'_>| fields.len() == 1 || f.a.space.factors.len() == 1;
        let alike = |f: &Field<'_>| f.a.exprs.ty(f.a.body) == ty && alone(f) && self.is_plain(f);
        fields.iter().all(alike).then_some(())?;
        let all = Fields(&fields);
        let (op, terms) = match all.combined() {
            Some((op, term)) => (op, vec![vec![term]]),
            None => {
                let terms = (0..fields.len()).map(|i| all.terms(i)).collect::<Option<Vec<_>>>()?;
                terms.iter().flatten().any(|t| t.state.is_some()).then_some(())?;
                (BinaryOp::Add, terms)
            }
        };
        let states = states(&terms);
        let p = Prefix { fields, ty, op, terms, states };
        let fits = p.gains(self.plan.options.strict) && p.fields.iter().all(|f| self.is_safe(f));
        fits.then_some(p)
    }

    /// Whether a field is nothing but stores over a box.
    fn is_plain(&self, f: &Field<'_>) -> bool {
        let (nest, a) = (f.nest, f.a);
        let plain = a.accumulator == Accumulator::Set
            && nest.when.is_empty()
            && nest.tested.is_empty()
            && a.space.guards.is_empty()
            && a.space.factors.iter().all(|f| f.ranges.len() == 1);
        let whole = matches!(self.plan.storage[a.target], Storage::Stored { .. });
        plain && whole
    }

    /// Whether a field's cells are expressions, of which none fails: dear to ask, so last.
    fn is_safe(&self, f: &Field<'_>) -> bool {
        let scope = weft_plan::Scope::of(f.a);
        let nodes = crate::nodes::Nodes::compute(&self.plan.graph, f.a, &scope);
        !nodes.get(f.a.body).statements
    }

    /// Emits a prefix over the steps `lo..hi`.
    pub fn prefix(&mut self, p: &Prefix<'p>, (lo, hi): (Value, Value)) {
        let new = |f: &Field<'p>| Body::new(self.plan, f.a, self.top());
        let mut bodies: Vec<Body<'p>> = p.fields.iter().map(new).collect();
        let first = &p.fields[0];
        let others = first.a.space.factors.iter().map(|f| f.ranges.clone());
        let others: Vec<Loop> = others.filter(|l| l[0].iter != first.time).collect();
        let base = self.top();
        let some = self.f.binary(BinaryOp::Lt, lo, hi);
        self.open(BlockKind::Branch(some));
        if !others.is_empty() {
            let mut body = bodies.pop().expect("a field");
            self.loops(&mut body, &others, &mut |this, body| {
                this.run(std::slice::from_mut(body), p, (lo, hi));
            });
        } else if p.is_shared() {
            self.row(&mut bodies, p, (lo, hi));
        } else {
            self.run(&mut bodies, p, (lo, hi));
        }
        self.close();
        self.turn_from(p);
        self.blocks[base].known.clear();
    }

    /// The cells of a range, in lanes.
    fn run(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, range: (Value, Value)) {
        let starts: Vec<Value> =
            p.states.iter().map(|&state| self.state_before(bodies, p, state, range.0)).collect();
        self.run_from(bodies, p, &starts, range, |this, bodies, runs| {
            for (field, body) in bodies.iter_mut().enumerate() {
                let newest = State { field, back: 1 };
                let at = p.states.iter().position(|s| *s == newest).expect("each field has one");
                this.turn_from(p);
                this.store(body, runs[at]);
            }
        });
    }

    /// Forgets a field's values where there are others: their nodes have the same numbers.
    fn turn_from(&mut self, p: &Prefix<'p>) {
        if p.fields.len() > 1 {
            self.blocks.iter_mut().for_each(|b| b.known.clear());
        }
    }

    /// What a state is before a step; anything where nobody asks.
    fn state_before(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        state: State,
        step: Value,
    ) -> Value {
        let asks =
            |t: &Term| t.state.is_some_and(|s| s.field == state.field && s.back >= state.back);
        if p.op == BinaryOp::Add && !p.terms.iter().flatten().any(asks) {
            return self.f.constant(Scalar::zero(p.ty));
        }
        let back = self.f.int(state.back);
        let at = self.f.sub(step, back);
        self.cell_of(bodies, p, (state.field, at))
    }

    /// A field's cell at a step.
    fn cell_of(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (field, step): (usize, Value),
    ) -> Value {
        self.turn_from(p);
        self.at_step(bodies, p, step, |this, bodies| {
            let at = this.target_position(&mut bodies[field]);
            let buffer = this.buffer_of(bodies[field].assignment.target);
            this.f.load(buffer, at)
        })
    }

    /// What comes together in a range after `starts`, step by step.
    fn run_from(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        starts: &[Value],
        range: (Value, Value),
        each: impl FnOnce(&mut Self, &mut [Body<'p>], &[Value]),
    ) -> Vec<Value> {
        let locals: Vec<_> = starts.iter().map(|_| self.local("run", p.ty)).collect();
        locals.iter().zip(starts).for_each(|(&run, &start)| self.set(run, start));
        let runs: Vec<Value> = locals.iter().map(|&l| self.f.local(l)).collect();
        self.steps(bodies, p, range, |this, bodies| {
            let (values, by) = this.map(bodies, p);
            this.push(Stmt::Scan { locals, op: p.op, values, by });
            each(this, bodies, &runs);
        });
        runs
    }

    /// What is added to each state, and the matrix that the states are multiplied by before;
    /// none where that is one.
    fn map(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>) -> (Vec<Value>, Vec<Value>) {
        let zero = self.f.constant(Scalar::zero(p.ty));
        let one = self.f.constant(Scalar::one(p.ty));
        let (mut values, mut by) = (Vec::new(), Vec::new());
        for to in &p.states {
            self.turn_from(p);
            let (terms, body) = (&p.terms[to.field], &mut bodies[to.field]);
            if to.back > 1 {
                // What was newer by one is this now.
                let newer = State { back: to.back - 1, ..*to };
                values.push(zero);
                by.extend(p.states.iter().map(|from| if *from == newer { one } else { zero }));
                continue;
            }
            values.push(self.sum(body, terms, None).unwrap_or(zero));
            for &from in &p.states {
                by.push(self.sum(body, terms, Some(from)).unwrap_or(zero));
            }
        }
        (values, if p.is_one() { Vec::new() } else { by })
    }

    /// A sum of products, those of one state or of none; nothing where there is none.
    fn sum(&mut self, body: &mut Body<'p>, terms: &[Term], state: Option<State>) -> Option<Value> {
        let ty = body.assignment.exprs.ty(body.assignment.body);
        let mut sum = None;
        for term in terms.iter().filter(|t| t.state == state) {
            let factors: Vec<Value> = term.factors.iter().map(|&e| self.value(body, e)).collect();
            let product = factors.into_iter().reduce(|x, y| self.f.binary(BinaryOp::Mul, x, y));
            let product = product.unwrap_or_else(|| self.f.constant(Scalar::one(ty)));
            sum = Some(match (sum, term.negative) {
                (None, false) => product,
                (None, true) => self.f.unary(UnaryOp::Neg, product),
                (Some(sum), false) => self.f.binary(BinaryOp::Add, sum, product),
                (Some(sum), true) => self.f.binary(BinaryOp::Sub, sum, product),
            });
        }
        sum
    }

    /// What `inside` makes of one step.
    fn at_step<T>(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        step: Value,
        inside: impl FnOnce(&mut Self, &mut [Body<'p>]) -> T,
    ) -> T {
        for (body, field) in bodies.iter_mut().zip(&p.fields) {
            let ahead = self.f.int(field.ahead);
            let at = self.f.add(step, ahead);
            body.bind(field.time, at, self.top());
        }
        let made = inside(self, bodies);
        bodies.iter_mut().zip(&p.fields).for_each(|(body, field)| body.unbind(field.time));
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
        let name = p.fields[0].a.space.iters[p.fields[0].time].clone();
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
    /// Whether one value runs, and nothing is multiplied by it.
    fn is_one(&self) -> bool {
        let own: Vec<&Term> = self.terms.iter().flatten().filter(|t| t.state.is_some()).collect();
        let plain = own.iter().all(|t| t.factors.is_empty() && !t.negative);
        self.states.len() == 1 && own.len() <= 1 && plain
    }

    /// Whether it may run in lanes, and gains.
    fn gains(&self, strict: bool) -> bool {
        let exact = !self.ty.is_float() || matches!(self.op, BinaryOp::Min | BinaryOp::Max);
        let turns = self.terms.iter().flatten().any(|t| t.negative);
        let able = (!turns || self.ty.is_float() || self.ty.is_signed())
            && (self.is_one() || !self.ty.is_small_float());
        let few = match self.states.len() {
            n if n <= MOST_STATES => true,
            n => n <= MOST_STEADY_STATES && self.is_steady(),
        };
        (exact || !strict) && able && few
    }

    /// What changes nothing that it is combined with.
    fn nothing(&self) -> Scalar {
        let accumulator = match self.op {
            BinaryOp::Mul => Accumulator::Prod,
            BinaryOp::Min => Accumulator::Min,
            BinaryOp::Max => Accumulator::Max,
            _ => Accumulator::Sum,
        };
        identity(accumulator, self.ty)
    }
}
