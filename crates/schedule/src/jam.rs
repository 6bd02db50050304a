//! Unroll and jam: several rows of a contraction at once.
//!
//! ```text
//! for jt in 0..m step 64           -- a tile of columns, kept near while rows pass
//!   for i in 0..n step 8
//!     for j in jt..min(jt + 64, m)   -- vector
//!       for k: acc0 += a[i, k] * b[k, j]; …; acc7 += a[i + 7, k] * b[k, j]
//! ```
//!
//! Each load of `b` serves all rows, and partial sums stay in registers. The terms of one
//! cell meet in the order of the source.

use crate::accumulate::Acc;
use crate::block::BlockKind;
use crate::body::Body;
use crate::lower::Emitter;
use crate::nest::Loop;
use weft_base::Name;
use weft_domain::{Iter, Range};
use weft_loops::{Expr as Value, IntOp, Stmt};
use weft_plan::Nest;
use weft_scalar::BinaryOp;

/// Rows at once: as many sums in flight as hide the latency of an addition.
const ROWS: i64 = 8;

/// Columns of a tile.
const TILE: i64 = 64;

impl<'p> Emitter<'p> {
    /// Emits a contraction in this shape; `false` where it does not have it.
    pub fn jam(&mut self, body: &mut Body<'p>, n: &Nest, outer: &[Loop], reduced: &[Loop]) -> bool {
        let [around @ .., rows, columns] = outer else { return false };
        let ([row], [column]) = (rows.as_slice(), columns.as_slice()) else { return false };
        let a = body.assignment;
        let fixed =
            |r: &Range| !r.lo.iters().contains(&row.iter) && !r.hi.iters().contains(&row.iter);
        let box_like = fixed(column) && reduced.iter().flatten().all(fixed);
        let plain = a.mask.is_none() && a.space.guards.is_empty() && !n.continues;
        let calm = !body.nodes.get(a.body).statements;
        if !box_like || !plain || !calm || body.is_bound(row.iter) {
            return false;
        }
        self.loops(body, around, &mut |this, body| this.tiles(body, row, column, reduced));
        true
    }

    fn tiles(&mut self, body: &mut Body<'p>, row: &Range, column: &Range, reduced: &[Loop]) {
        let (lo, lo_in) = self.bound(body, &column.lo);
        let (hi, hi_in) = self.bound(body, &column.hi);
        let var = self.f.add_var(Name::new("tile"));
        let bounds_in = lo_in.max(hi_in);
        self.open(BlockKind::Loop { var, lo, hi, step: TILE, bounds_in });
        let start = self.f.var(var);
        let size = self.f.int(TILE);
        let end = self.f.add(start, size);
        let end = self.f.binary(BinaryOp::Min, end, hi);
        self.row_blocks(body, row, column, (start, end), reduced);
        self.close();
    }

    /// Blocks of [`ROWS`] rows, then the rows that are left one by one.
    fn row_blocks(
        &mut self,
        body: &mut Body<'p>,
        row: &Range,
        column: &Range,
        columns: (Value, Value),
        reduced: &[Loop],
    ) {
        let (lo, lo_in) = self.bound(body, &row.lo);
        let (hi, hi_in) = self.bound(body, &row.hi);
        let bounds_in = lo_in.max(hi_in);
        let count = self.f.sub(hi, lo);
        let size = self.f.int(ROWS);
        let blocks = self.f.int_op(IntOp::FloorDiv, count, size);
        let whole = self.f.mul(blocks, size);
        let middle = self.f.add(lo, whole);
        // An empty range leaves nothing: the floor of a negative count is below it.
        let middle = self.f.binary(BinaryOp::Max, lo, middle);
        for (from, to, step) in [(lo, middle, ROWS), (middle, hi, 1)] {
            let name = body.assignment.space.iters[row.iter].clone();
            let var = self.f.add_var(name.unwrap_or_else(|| Name::new("i")));
            self.open(BlockKind::Loop { var, lo: from, hi: to, step, bounds_in });
            let first = self.f.var(var);
            let copies: Vec<Value> = (0..step)
                .map(|r| {
                    let r = self.f.int(r);
                    self.f.add(first, r)
                })
                .collect();
            let block = self.top();
            self.columns(body, row.iter, &copies, block, column, columns, reduced);
            self.close();
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one loop of a nest written out")]
    fn columns(
        &mut self,
        body: &mut Body<'p>,
        row: Iter,
        rows: &[Value],
        block: usize,
        column: &Range,
        (lo, hi): (Value, Value),
        reduced: &[Loop],
    ) {
        let name = body.assignment.space.iters[column.iter].clone();
        let var = self.f.add_var(name.unwrap_or_else(|| Name::new("j")));
        self.independent[var] = true;
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in: block });
        let value = self.f.var(var);
        body.bind(column.iter, value, self.top());
        let a = body.assignment;
        let elem = self.plan.graph.tensors[a.target].elem;
        let order = a.reduced();
        let mut accs: Vec<Acc> = rows
            .iter()
            .map(|_| self.accumulator(a.accumulator, a.exprs.ty(a.body), elem, &order, None))
            .collect();
        body.bind(row, rows[0], block);
        self.loops(body, reduced, &mut |this, body| {
            for (r, acc) in accs.iter_mut().enumerate() {
                body.copy = Some((row, r as u32));
                body.bind(row, rows[r], block);
                this.accumulate(body, acc, None, a.body);
            }
        });
        for (r, acc) in accs.iter().enumerate() {
            body.copy = Some((row, r as u32));
            body.bind(row, rows[r], block);
            let value = self.result(acc);
            let index = self.target_position(body);
            let buffer = self.buffer_of(a.target);
            self.push(Stmt::Store { buffer, index, value });
        }
        body.copy = None;
        body.unbind(row);
        body.unbind(column.iter);
        self.close();
    }
}
