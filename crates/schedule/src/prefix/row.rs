//! One long row of a running sum (or of minima, maxima, products of integers) in blocks,
//! which threads share where these are many:
//!
//! ```text
//! y[last of a block] = the block's terms, combined              -- threads share the blocks
//! y[last]            = y[last of the block before] op y[last]
//! y[t]               = y[last of the block before] op the block's terms up to t
//! ```
//!
//! A group of blocks stays in the caches for all three. One thread does the last alone,
//! block by block, with the same numbers.

use super::Prefix;
use crate::block::{Block, BlockKind};
use crate::body::Body;
use crate::lower::{Emitter, identity};
use weft_base::Name;
use weft_loops::{Expr as Value, For, ForKind, Stmt};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};
use weft_tensor::Accumulator;

/// Steps from which on threads share a row.
const LEAST_SHARED: i64 = 1 << 18;

/// Steps that a thread takes at once.
const BLOCK: i64 = 4096;

/// Steps that stay in the caches of some threads.
const GROUP: i64 = 1 << 19;

impl Prefix<'_> {
    /// Whether threads may share it: one value runs in one row, and nothing is multiplied
    /// that over many steps may overflow where no cell does.
    pub(super) fn is_shared(&self) -> bool {
        let ([run], [_]) = (self.runs.as_slice(), self.cells.as_slice()) else { return false };
        let alone = self.parts[0].around.is_empty() && run.is_single(&self.laws);
        alone && !(run.op == BinaryOp::Mul && self.ty.is_float())
    }

    /// What changes nothing that it is combined with.
    fn nothing(&self) -> Scalar {
        let accumulator = match self.runs[0].op {
            BinaryOp::Mul => Accumulator::Prod,
            BinaryOp::Min => Accumulator::Min,
            BinaryOp::Max => Accumulator::Max,
            _ => Accumulator::Sum,
        };
        identity(accumulator, self.ty)
    }
}

impl<'p> Emitter<'p> {
    pub(super) fn row(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        (lo, hi): (Value, Value),
    ) {
        let (count, least) = (self.f.sub(hi, lo), self.f.int(LEAST_SHARED));
        let few = self.f.binary(BinaryOp::Lt, count, least);
        let alone = self.f.alone();
        let alone = self.f.binary(BinaryOp::Or, alone, few);
        self.open(BlockKind::Branch(alone));
        self.ranges(BLOCK, (lo, hi), ForKind::Serial, &mut |this, (first, end)| {
            this.complete(bodies, p, first, (first, end));
        });
        self.close();
        let shared = self.f.unary(UnaryOp::Not, alone);
        self.open(BlockKind::Branch(shared));
        self.ranges(GROUP, (lo, hi), ForKind::Serial, &mut |this, group| {
            this.totals(bodies, p, group);
            this.last_cells(bodies, p, group);
            this.ranges(BLOCK, group, ForKind::Parallel, &mut |this, (first, end)| {
                let last = this.before(end);
                this.complete(bodies, p, first, (first, last));
            });
        });
        self.close();
    }

    fn totals(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, group: (Value, Value)) {
        let none = self.f.constant(p.nothing());
        self.ranges(BLOCK, group, ForKind::Parallel, &mut |this, (first, end)| {
            let total = this.run_from(bodies, p, &[none], (first, end), |_, _, _| {});
            let last = this.before(end);
            this.at_step(bodies, p, last, |this, bodies| this.store_cell(bodies, p, 0, total[0]));
        });
    }

    fn last_cells(&mut self, bodies: &mut [Body<'p>], p: &Prefix<'p>, group: (Value, Value)) {
        let run = self.local("run", p.ty);
        let before = self.before(group.0);
        let start = self.cell_of(bodies, p, (0, before));
        self.set(run, start);
        self.ranges(BLOCK, group, ForKind::Serial, &mut |this, (_, end)| {
            let last = this.before(end);
            let total = this.cell_of(bodies, p, (0, last));
            let before = this.f.local(run);
            let whole = this.f.binary(p.runs[0].op, before, total);
            this.set(run, whole);
            let whole = this.f.local(run);
            this.at_step(bodies, p, last, |this, bodies| this.store_cell(bodies, p, 0, whole));
        });
    }

    /// Cells of a block that begins with `first`, once the cell before it is there.
    fn complete(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Prefix<'p>,
        first: Value,
        range: (Value, Value),
    ) {
        let start = self.local("start", p.ty);
        let before = self.before(first);
        let before = self.cell_of(bodies, p, (0, before));
        self.set(start, before);
        let none = self.f.constant(p.nothing());
        self.run_from(bodies, p, &[none], range, |this, bodies, runs| {
            let before = this.f.local(start);
            let whole = this.f.binary(p.runs[0].op, before, runs[0]);
            this.store_cell(bodies, p, 0, whole);
        });
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
