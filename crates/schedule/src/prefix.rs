//! Prefixes: recurrences in which each cell is the one before it combined with a term.
//!
//! ```text
//! y[i, t] = y[i, t - 1] + x[i, t]   =>   for i           -- threads share it
//!                                          run = y[i, lo - 1]
//!                                          for t         -- vector
//!                                            run += x[i, t], each lane its prefix
//!                                            y[i, t] = run
//! ```
//!
//! The terms of floats may meet in another order than written, as those of a sum may; with
//! strict floats such recurrences run step by step. Maxima, minima and integers have no
//! other value in any order.

use crate::block::{Block, BlockKind};
use crate::body::Body;
use crate::lower::Emitter;
use crate::nest::Loop;
use weft_base::Name;
use weft_domain::{Affine, Iter};
use weft_loops::{Expr as Value, For, ForKind, Stmt};
use weft_plan::{Item, Nest, Storage, TimeLoop, reachable_from, reads};
use weft_scalar::BinaryOp;
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, IndexTerm};

/// A recurrence found to be a prefix.
pub(crate) struct Prefix<'p> {
    nest: &'p Nest,
    /// The iterator of time, and by how much it is ahead of the loop's variable.
    time: Iter,
    ahead: i64,
    op: BinaryOp,
    /// What is combined with the cell before.
    term: ExprId,
    /// The read of that cell.
    before: ExprId,
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
        let (op, term, before) = step(a)?;
        let float = a.exprs.ty(a.body).is_float();
        let free =
            !float || !self.plan.options.strict || matches!(op, BinaryOp::Min | BinaryOp::Max);
        // Equal reads are one expression, so the term is asked itself.
        let alone = reads(a).iter().filter(|r| r.tensor == a.target).count() == 1
            && !reachable_from(&a.exprs, [term]).contains(&before);
        let safe = !crate::nodes::Nodes::compute(&self.plan.graph, a, &weft_plan::Scope::of(a))
            .get(a.body)
            .statements;
        let fits = free && alone && safe && looks_back_by_one(a, *time, before);
        fits.then_some(Prefix { nest, time: *time, ahead, op, term, before })
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
        self.loops(&mut body, &others, &mut |this, body| this.run(body, p, (lo, hi)));
        self.close();
        self.blocks[base].known.clear();
    }

    fn run(&mut self, body: &mut Body<'p>, p: &Prefix<'p>, (lo, hi): (Value, Value)) {
        let a = body.assignment;
        let ahead = self.f.int(p.ahead);
        let first = self.f.add(lo, ahead);
        body.bind(p.time, first, self.top());
        let start = self.value(body, p.before);
        let run = self.local("run", a.exprs.ty(a.body));
        self.set(run, start);
        let name = a.space.iters[p.time].clone().unwrap_or_else(|| Name::new("t"));
        let var = self.f.add_var(name);
        self.open(BlockKind::Base);
        let at = self.f.var(var);
        let at = self.f.add(at, ahead);
        body.bind(p.time, at, self.top());
        let value = self.value(body, p.term);
        self.push(Stmt::Scan { local: run, op: p.op, value });
        let value = self.f.local(run);
        self.store(body, value);
        body.unbind(p.time);
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        let kind = ForKind::Vector(None);
        self.push(Stmt::For(For { var, lo, hi, step: 1, kind, body: stmts }));
    }
}

/// The operator of a body that combines one read of its own tensor with a term.
fn step(a: &Assignment) -> Option<(BinaryOp, ExprId, ExprId)> {
    let Expr::Binary(op, x, y, None) = a.exprs.get(a.body) else { return None };
    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max).then_some(())?;
    let own =
        |e: &ExprId| matches!(a.exprs.get(*e), Expr::Read { tensor, .. } if *tensor == a.target);
    match (own(x), own(y)) {
        (true, false) => Some((*op, *y, *x)),
        (false, true) => Some((*op, *x, *y)),
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
