//! The innermost loops of a contraction: a strip of columns, several rows, all the depth.
//!
//! A block of fewer rows than a kernel has computes its last row several times, and writes
//! it several times: the same value.

use super::group::Flat;
use super::{Packs, Sides, Tile, unbind};
use crate::group::Group;
use crate::lower::accumulate::Acc;
use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::Contraction;
use weft_base::Name;
use weft_loops::Expr as Value;
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::Accumulator;

/// What is the same for all rows of a kernel.
struct Rows<'a> {
    c: &'a Contraction,
    sides: &'a Sides,
    tile: &'a Tile,
    /// The flat index of each.
    at: Vec<Value>,
    /// The block in which they change.
    block: usize,
}

impl<'p> Emitter<'p> {
    /// Kernels for every strip and, within it, every few rows.
    pub(super) fn kernels(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        sides: &Sides,
        packs: &Packs,
        tile: &Tile,
    ) {
        let strip = self.open_steps("strip", tile.columns, packs.strip);
        let var = self.new_var(Name::new("rows"));
        let bounds_in = self.top();
        let (lo, mut hi) = tile.rows;
        if c.mirrored {
            hi = self.f.binary(BinaryOp::Min, hi, strip.1);
        }
        self.open(BlockKind::Loop { var, lo, hi, step: self.machine.rows(), bounds_in });
        let first = self.f.var(var);
        let one = self.f.int(1);
        let last = self.f.sub(hi, one);
        let row = |this: &mut Self, r: i64| {
            let r = this.f.int(r);
            let at = this.f.add(first, r);
            this.f.binary(BinaryOp::Min, at, last)
        };
        let at: Vec<Value> = (0..self.machine.rows()).map(|r| row(self, r)).collect();
        body.copied = c.rows.iters().collect();
        let rows = Rows { c, sides, tile, at, block: self.top() };
        self.kernel(body, packs, &rows, strip);
        body.copied.clear();
        self.close();
        self.close();
    }

    fn kernel(
        &mut self,
        body: &mut Body<'p>,
        packs: &Packs,
        rows: &Rows<'_>,
        strip: (Value, Value),
    ) {
        let c = rows.c;
        let j = self.open_lanes(body, &c.columns, strip);
        self.bind_flat(body, (&c.columns, &rows.sides.columns), j, self.top());
        let accs = self.start(body, rows, j);
        body.opaque = vec![c.left, c.right];
        self.terms(body, packs, rows, (strip.0, j), &accs);
        body.opaque.clear();
        for (r, acc) in accs.iter().enumerate() {
            self.select_row(body, rows, r);
            let value = self.result(acc);
            let index = self.cell(body, c, j);
            let buffer = self.buffer_of(body.assignment.target);
            self.push(weft_loops::Stmt::Store { buffer, index, value });
        }
        body.copy = None;
        unbind(body, &c.rows);
        unbind(body, &c.columns);
        self.close();
    }

    /// The loop over the depth: one term for each row.
    fn terms(
        &mut self,
        body: &mut Body<'p>,
        packs: &Packs,
        rows: &Rows<'_>,
        j: (Value, Value),
        accs: &[Acc],
    ) {
        let (c, tile) = (rows.c, rows.tile);
        let depth = (&c.depth, &rows.sides.depth);
        let k = self.open_k(body, depth, tile.depth);
        let index = self.right_index(packs, tile, j, k);
        let right = self.f.load(packs.right, index);
        self.know(body, c.right, right);
        for (r, acc) in accs.iter().enumerate() {
            self.select_row(body, rows, r);
            let left = match packs.left {
                None => self.left_in_place(body, c, depth, k),
                Some(buffer) => {
                    let index = self.left_index((c, packs), tile, rows.at[r], k);
                    self.f.load(buffer, index)
                }
            };
            self.know(body, c.left, left);
            let (mask, term) = (body.assignment.mask, body.assignment.body);
            match c.bounded {
                true => {
                    let value = self.value(body, term);
                    self.take(body, acc, value);
                }
                false => self.accumulate(body, acc, mask, term),
            }
        }
        self.close();
        unbind(body, &c.depth);
    }

    /// The left operand where it is: of several iterators the last counts on, since their
    /// cells follow each other.
    fn left_in_place(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        (g, flat): (&Group, &Flat),
        k: Value,
    ) -> Value {
        let kept: Vec<_> = g.iters().map(|i| (i, body.iter_value(i))).collect();
        let block = self.top();
        self.bind_line(body, (g, flat), k, block);
        let value = self.noted(body, c.left);
        kept.into_iter().for_each(|(i, value)| body.bind(i, value, block));
        value
    }

    /// One loop over flat indices of the depth.
    fn open_k(
        &mut self,
        body: &mut Body<'p>,
        depth: (&Group, &Flat),
        (lo, hi): (Value, Value),
    ) -> Value {
        let var = self.new_var(Name::new("k"));
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        let k = self.f.var(var);
        self.bind_flat(body, depth, k, self.top());
        k
    }

    /// An accumulator for each row, with the sum of the depth before this tile. Nothing is
    /// loaded in the first one: what is not there yet would be waited for.
    fn start(&mut self, body: &mut Body<'p>, rows: &Rows<'_>, j: Value) -> Vec<Acc> {
        let a = body.assignment;
        let elem: ScalarType = self.plan.graph.tensors[a.target].elem;
        let all = 0..rows.at.len();
        let kind = if rows.c.bounded { Accumulator::Sum } else { a.accumulator };
        let accs: Vec<Acc> =
            all.clone().map(|_| self.accumulator(kind, elem, elem, &[], None)).collect();
        let zero = self.f.int(0);
        let is_later = self.f.binary(BinaryOp::Gt, rows.tile.depth.0, zero);
        self.open(BlockKind::Branch(is_later));
        for (r, acc) in all.zip(&accs) {
            self.select_row(body, rows, r);
            let (at, buffer) = (self.cell(body, rows.c, j), self.buffer_of(a.target));
            let sum = self.f.load(buffer, at);
            self.restart(acc, sum);
        }
        self.close();
        accs
    }

    /// The position of the cell of column `j`: several columns count cells one by one.
    fn cell(&mut self, body: &mut Body<'p>, c: &Contraction, j: Value) -> Value {
        if c.columns.is_single() {
            return self.target_position(body);
        }
        let kept: Vec<_> = c.columns.iters().map(|i| (i, body.iter_value(i))).collect();
        let (zero, block) = (self.f.int(0), self.top());
        kept.iter().for_each(|&(i, _)| body.bind(i, zero, block));
        let first = self.target_position(body);
        kept.into_iter().for_each(|(i, value)| body.bind(i, value, block));
        self.f.add(first, j)
    }

    fn select_row(&mut self, body: &mut Body<'p>, rows: &Rows<'_>, r: usize) {
        body.copy = Some(r as u32);
        self.bind_flat(body, (&rows.c.rows, &rows.sides.rows), rows.at[r], rows.block);
    }

    /// Says what a node's value is here.
    fn know(&mut self, body: &Body<'p>, node: weft_tensor::ExprId, value: Value) {
        let top = self.top();
        self.blocks[top].known.insert(body.key(node), value);
    }
}
