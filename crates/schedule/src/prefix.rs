//! Prefixes: recurrences in which each cell is the one before it combined with a term, or
//! multiplied by a factor and added to a term.
//!
//! ```text
//! y[i, t] = y[i, t - 1] + x[i, t]   =>   for i           -- threads share it
//!                                          run = y[i, lo - 1]
//!                                          for t         -- vector
//!                                            run += x[i, t], each lane its prefix
//!                                            y[i, t] = run
//! ```
//!
//! What combines is a monoid in each case: a sum's terms, or maps `y * by + x`, of which
//! two are one.
//!
//! The terms of floats may meet in another order than written, as those of a sum may; with
//! strict floats such recurrences run step by step. Maxima, minima and integers have no
//! other value in any order.

use crate::block::{Block, BlockKind};
use crate::body::Body;
use crate::lower::{Emitter, identity};
use crate::nest::Loop;
use weft_base::Name;
use weft_domain::{Affine, Iter};
use weft_loops::{Expr as Value, For, ForKind, Stmt};
use weft_plan::{Item, Nest, Storage, TimeLoop, reachable_from, reads};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, IndexTerm};

/// Steps from which on threads share a row.
const LEAST_SHARED: i64 = 1 << 18;

/// Steps that a thread takes at once.
const BLOCK: i64 = 4096;

/// Steps that stay in the caches of some threads.
const GROUP: i64 = 1 << 19;

/// Factors of one product.
const MOST_FACTORS: usize = 4;

/// A recurrence found to be a prefix.
pub(crate) struct Prefix<'p> {
    nest: &'p Nest,
    /// The iterator of time, and by how much it is ahead of the loop's variable.
    time: Iter,
    ahead: i64,
    step: Step,
    /// The read of that cell.
    before: ExprId,
}

/// A cell as the one before it, `y`, gives it: `y op term`, or `y * factors + term`.
struct Step {
    op: BinaryOp,
    term: ExprId,
    /// Whether the term is subtracted.
    less: bool,
    /// What the cell before is multiplied by, and whether the product is subtracted.
    factors: Vec<ExprId>,
    from: bool,
}

impl<'p> Emitter<'p> {
    /// A loop over time as a prefix along the last axis of a tensor that is stored whole.
    pub fn find_prefix(&self, l: &'p TimeLoop) -> Option<Prefix<'p>> {
        let [Item::Nest(nest)] = l.body.as_slice() else { return None };
        let a = &self.plan.graph.assigns[nest.assign];
        let plain = a.accumulator == Accumulator::Set
            && nest.when.is_empty()
            && nest.tested.is_empty()
            && a.space.guards.is_empty()
            && a.space.factors.iter().all(|f| f.ranges.len() == 1);
        let whole = matches!(self.plan.storage[a.target], Storage::Stored { .. });
        let [(time, bound)] = nest.bound.as_slice() else { return None };
        let ahead = bound.minus(&Affine::iter(l.var))?.as_constant()?;
        (plain && whole && !l.descending && l.lo.as_size().is_some()).then_some(())?;
        let (step, before) = step(a)?;
        let float = a.exprs.ty(a.body).is_float();
        let free =
            !float || !self.plan.options.strict || matches!(step.op, BinaryOp::Min | BinaryOp::Max);
        let ty = a.exprs.ty(a.body);
        let turns = step.less || step.from;
        let able = (!turns || ty.is_float() || ty.is_signed())
            && (step.factors.is_empty() && !step.from || !ty.is_small_float());
        // Equal reads are one expression, so the term is asked itself.
        let alone = reads(a).iter().filter(|r| r.tensor == a.target).count() == 1
            && !reachable_from(&a.exprs, step.parts()).contains(&before);
        let safe = !crate::nodes::Nodes::compute(&self.plan.graph, a, &weft_plan::Scope::of(a))
            .get(a.body)
            .statements;
        let fits = free && able && alone && safe && looks_back_by_one(a, *time, before);
        fits.then_some(Prefix { nest, time: *time, ahead, step, before })
    }

    /// Emits a prefix over the steps `lo..hi`.
    pub fn prefix(&mut self, p: &Prefix<'p>, (lo, hi): (Value, Value)) {
        let a = &self.plan.graph.assigns[p.nest.assign];
        let mut body = Body::new(self.plan, a, self.top());
        let others = a.space.factors.iter().map(|f| f.ranges.clone());
        let others: Vec<Loop> = others.filter(|l| l[0].iter != p.time).collect();
        let base = self.top();
        let some = self.f.binary(BinaryOp::Lt, lo, hi);
        self.open(BlockKind::Branch(some));
        match others.is_empty() && p.step.is_shared(a) {
            true => self.row(&mut body, p, (lo, hi)),
            false => self.loops(&mut body, &others, &mut |this, body| this.run(body, p, (lo, hi))),
        }
        self.close();
        self.blocks[base].known.clear();
    }

    /// A node's value, or what is 0 with it.
    fn signed(&mut self, body: &mut Body<'p>, e: ExprId, less: bool) -> Value {
        let value = self.value(body, e);
        if less { self.f.unary(UnaryOp::Neg, value) } else { value }
    }

    /// What the cell before is multiplied by, if anything.
    fn factor(&mut self, body: &mut Body<'p>, step: &Step) -> Option<Value> {
        let values: Vec<Value> = step.factors.iter().map(|&e| self.value(body, e)).collect();
        let product = values.into_iter().reduce(|x, y| self.f.binary(BinaryOp::Mul, x, y));
        if !step.from {
            return product;
        }
        let ty = body.assignment.exprs.ty(body.assignment.body);
        let product = product.unwrap_or_else(|| self.f.constant(Scalar::one(ty)));
        Some(self.f.unary(UnaryOp::Neg, product))
    }

    /// The cells of a range, in lanes.
    fn run(&mut self, body: &mut Body<'p>, p: &Prefix<'p>, range: (Value, Value)) {
        let start = self.at_step(body, p, range.0, |this, body| this.value(body, p.before));
        self.run_from(body, p, start, range, |this, body, run| this.store(body, run));
    }

    /// What comes together in a range after `start`, step by step.
    fn run_from(
        &mut self,
        body: &mut Body<'p>,
        p: &Prefix<'p>,
        start: Value,
        range: (Value, Value),
        each: impl FnOnce(&mut Self, &mut Body<'p>, Value),
    ) -> Value {
        let run = self.local("run", body.assignment.exprs.ty(body.assignment.body));
        self.set(run, start);
        self.steps(body, p, range, |this, body| {
            let value = this.signed(body, p.step.term, p.step.less);
            let by = this.factor(body, &p.step);
            this.push(Stmt::Scan { local: run, op: p.step.op, value, by });
            let value = this.f.local(run);
            each(this, body, value);
        });
        self.f.local(run)
    }

    /// What `inside` makes of one step.
    fn at_step<T>(
        &mut self,
        body: &mut Body<'p>,
        p: &Prefix<'p>,
        step: Value,
        inside: impl FnOnce(&mut Self, &mut Body<'p>) -> T,
    ) -> T {
        let ahead = self.f.int(p.ahead);
        let at = self.f.add(step, ahead);
        body.bind(p.time, at, self.top());
        let made = inside(self, body);
        body.unbind(p.time);
        // What is known of this step is not so of another one in the same block.
        let top = self.top();
        self.blocks[top].known.clear();
        made
    }

    /// A loop over steps, in lanes.
    fn steps(
        &mut self,
        body: &mut Body<'p>,
        p: &Prefix<'p>,
        (lo, hi): (Value, Value),
        inside: impl FnOnce(&mut Self, &mut Body<'p>),
    ) {
        let name = body.assignment.space.iters[p.time].clone();
        let var = self.f.add_var(name.unwrap_or_else(|| Name::new("t")));
        self.open(BlockKind::Base);
        let step = self.f.var(var);
        self.at_step(body, p, step, inside);
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        let kind = ForKind::Vector(None);
        self.push(Stmt::For(For { var, lo, hi, step: 1, kind, body: stmts }));
    }

    /// Emits the steps of one row in blocks, which threads share where these are many:
    ///
    /// ```text
    /// y[last of a block] = the block's terms, combined              -- threads share the blocks
    /// y[last]            = y[last of the block before] op y[last]
    /// y[t]               = y[last of the block before] op the block's terms up to t
    /// ```
    ///
    /// A group of blocks stays in the caches for all three. One thread does the last alone,
    /// block by block, with the same numbers.
    fn row(&mut self, body: &mut Body<'p>, p: &Prefix<'p>, (lo, hi): (Value, Value)) {
        let (count, least) = (self.f.sub(hi, lo), self.f.int(LEAST_SHARED));
        let few = self.f.binary(BinaryOp::Lt, count, least);
        let alone = self.f.alone();
        let alone = self.f.binary(BinaryOp::Or, alone, few);
        self.open(BlockKind::Branch(alone));
        self.ranges(BLOCK, (lo, hi), ForKind::Serial, &mut |this, (first, end)| {
            this.complete(body, p, first, (first, end));
        });
        self.close();
        let shared = self.f.unary(UnaryOp::Not, alone);
        self.open(BlockKind::Branch(shared));
        self.ranges(GROUP, (lo, hi), ForKind::Serial, &mut |this, group| {
            this.totals(body, p, group);
            this.last_cells(body, p, group);
            this.ranges(BLOCK, group, ForKind::Parallel, &mut |this, (first, end)| {
                let last = this.before(end);
                this.complete(body, p, first, (first, last));
            });
        });
        self.close();
    }

    fn totals(&mut self, body: &mut Body<'p>, p: &Prefix<'p>, group: (Value, Value)) {
        self.ranges(BLOCK, group, ForKind::Parallel, &mut |this, (first, end)| {
            let none = this.nothing(body, p);
            let total = this.run_from(body, p, none, (first, end), |_, _, _| {});
            let last = this.before(end);
            this.at_step(body, p, last, |this, body| this.store(body, total));
        });
    }

    fn last_cells(&mut self, body: &mut Body<'p>, p: &Prefix<'p>, group: (Value, Value)) {
        let run = self.local("run", body.assignment.exprs.ty(body.assignment.body));
        let start = self.at_step(body, p, group.0, |this, body| this.value(body, p.before));
        self.set(run, start);
        self.ranges(BLOCK, group, ForKind::Serial, &mut |this, (_, end)| {
            // Where the step after finds the cell before it.
            let total = this.at_step(body, p, end, |this, body| this.value(body, p.before));
            let before = this.f.local(run);
            let whole = this.f.binary(p.step.op, before, total);
            this.set(run, whole);
            let (last, whole) = (this.before(end), this.f.local(run));
            this.at_step(body, p, last, |this, body| this.store(body, whole));
        });
    }

    /// Cells of a block that begins with `first`, once the cell before it is there.
    fn complete(
        &mut self,
        body: &mut Body<'p>,
        p: &Prefix<'p>,
        first: Value,
        range: (Value, Value),
    ) {
        let start = self.local("start", body.assignment.exprs.ty(body.assignment.body));
        let before = self.at_step(body, p, first, |this, body| this.value(body, p.before));
        self.set(start, before);
        let none = self.nothing(body, p);
        self.run_from(body, p, none, range, |this, body, run| {
            let before = this.f.local(start);
            let whole = this.f.binary(p.step.op, before, run);
            this.store(body, whole);
        });
    }

    /// What changes nothing that it is combined with.
    fn nothing(&mut self, body: &Body<'p>, p: &Prefix<'p>) -> Value {
        let ty = body.assignment.exprs.ty(body.assignment.body);
        self.f.constant(identity(p.step.accumulator(), ty))
    }

    fn before(&mut self, at: Value) -> Value {
        let one = self.f.int(1);
        self.f.sub(at, one)
    }

    /// A loop over parts of a range, of so many steps.
    fn ranges(
        &mut self,
        step: i64,
        (lo, hi): (Value, Value),
        kind: ForKind,
        inside: &mut dyn FnMut(&mut Self, (Value, Value)),
    ) {
        let var = self.f.add_var(Name::new("block"));
        self.open(BlockKind::Base);
        let (first, size) = (self.f.var(var), self.f.int(step));
        let end = self.f.add(first, size);
        let end = self.f.binary(BinaryOp::Min, end, hi);
        inside(self, (first, end));
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        self.push(Stmt::For(For { var, lo, hi, step, kind, body: stmts }));
    }
}

impl Step {
    /// Whether threads may share it: nothing is multiplied that over many steps may
    /// overflow where no cell does.
    fn is_shared(&self, a: &Assignment) -> bool {
        let product = self.op == BinaryOp::Mul && a.exprs.ty(a.body).is_float();
        !product && !self.from && self.factors.is_empty()
    }

    /// What combines its terms.
    fn accumulator(&self) -> Accumulator {
        match self.op {
            BinaryOp::Mul => Accumulator::Prod,
            BinaryOp::Min => Accumulator::Min,
            BinaryOp::Max => Accumulator::Max,
            _ => Accumulator::Sum,
        }
    }

    /// All but the cell before.
    fn parts(&self) -> impl Iterator<Item = ExprId> {
        [self.term].into_iter().chain(self.factors.iter().copied())
    }
}

/// How a body combines one read of its own tensor with other things, and that read.
fn step(a: &Assignment) -> Option<(Step, ExprId)> {
    let Expr::Binary(op, x, y, None) = *a.exprs.get(a.body) else { return None };
    let plain = |term| Step { op, term, less: false, factors: Vec::new(), from: false };
    let sum = |term| Step { op: BinaryOp::Add, ..plain(term) };
    match (op, scaled(a, x, MOST_FACTORS), scaled(a, y, MOST_FACTORS)) {
        (BinaryOp::Add, Some((before, factors)), None) => {
            Some((Step { factors, ..plain(y) }, before))
        }
        (BinaryOp::Add, None, Some((before, factors))) => {
            Some((Step { factors, ..plain(x) }, before))
        }
        (BinaryOp::Sub, Some((before, factors)), None) => {
            Some((Step { factors, less: true, ..sum(y) }, before))
        }
        (BinaryOp::Sub, None, Some((before, factors))) => {
            Some((Step { factors, from: true, ..sum(x) }, before))
        }
        (BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max, Some((before, none)), None) => {
            none.is_empty().then(|| (plain(y), before))
        }
        (BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max, None, Some((before, none))) => {
            none.is_empty().then(|| (plain(x), before))
        }
        _ => None,
    }
}

/// A read of the assignment's own tensor, times so many factors at most.
fn scaled(a: &Assignment, e: ExprId, most: usize) -> Option<(ExprId, Vec<ExprId>)> {
    match a.exprs.get(e) {
        Expr::Read { tensor, .. } if *tensor == a.target => Some((e, Vec::new())),
        Expr::Binary(BinaryOp::Mul, x, y, None) => {
            let less = most.checked_sub(1)?;
            let (inner, factor) = match (scaled(a, *x, less), scaled(a, *y, less)) {
                (Some(inner), None) => (inner, *y),
                (None, Some(inner)) => (inner, *x),
                _ => return None,
            };
            Some((inner.0, [inner.1, vec![factor]].concat()))
        }
        _ => None,
    }
}

/// Whether a read is of the cell one before the one written, along the last axis.
fn looks_back_by_one(a: &Assignment, time: Iter, before: ExprId) -> bool {
    let Expr::Read { index, .. } = a.exprs.get(before) else { return false };
    let Some((last, others)) = a.write.split_last() else { return false };
    let distance = |written: &IndexTerm, read: &IndexTerm| {
        written.as_affine()?.minus(read.as_affine()?)?.as_constant()
    };
    let still = |t: &IndexTerm| t.as_affine().is_some_and(|x| !x.iters().contains(&time));
    last.as_affine().is_some_and(|x| x.iters() == [time] && x.coefficient(time) == 1)
        && index.last().and_then(|read| distance(last, read)) == Some(1)
        && others.iter().zip(index).all(|(w, r)| still(w) && w == r)
}
