//! Pack the operands of a contraction: copies in the order in which kernels read them.
//!
//! The right one strip by strip, each with the columns of one reduced index together; the
//! left one row by row, or reduced index by reduced index where it lies so in memory.
//! Several iterators are walked in runs along the last one; where memory has the runs one
//! after the other, as one.

use super::{Packs, Sides, Tile, unbind};
use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::Contraction;
use weft_loops::{Buffer, Expr as Value, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};
use weft_tensor::ExprId;

/// An operand on its way into a pack.
struct Pack {
    buffer: Buffer,
    node: ExprId,
    largest: Option<Local>,
    /// Whether it must be finite.
    finite: bool,
}

impl<'p> Emitter<'p> {
    /// Packs the right operand of a tile, and notes the largest of it where that is asked.
    pub(super) fn fill_right(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        sides: &Sides,
        packs: &Packs,
        tile: &Tile,
        largest: Option<Local>,
    ) {
        let (columns, depth) = ((&c.columns, &sides.columns), (&c.depth, &sides.depth));
        let (base, guards) = (self.top(), &c.guards.right);
        let outside = std::mem::replace(&mut body.waiting, guards.clone());
        let strip = self.open_steps("strip", tile.columns, packs.strip);
        if guards.is_empty() {
            self.clear_cut_strip(sides, packs, (tile, strip));
        } else {
            let lo = self.strip_index(packs, tile, strip.0);
            let cells = self.f.int(packs.strip * packs.depth);
            clear(self, packs.right, lo, cells);
        }
        let across = self.open_run(body, columns, strip, c.right_in_line.columns);
        let down = self.open_run(body, depth, tile.depth, c.right_in_line.depth);
        let k = self.open_last(body, depth, &down);
        let j = self.open_last(body, columns, &across);
        let index = self.right_index(packs, tile, (strip.0, j), k);
        let finite = !c.guards.left.is_empty();
        let own = Pack { buffer: packs.right, node: c.right, largest, finite };
        pack(self, body, &own, index);
        while self.top() > base {
            self.close();
        }
        body.waiting = outside;
        unbind(body, &c.columns);
        unbind(body, &c.depth);
    }

    /// Clears the strip that columns do not fill: kernels compute its last lanes too, and
    /// whatever lies there, subnormal numbers say, could make them many times slower.
    fn clear_cut_strip(
        &mut self,
        sides: &Sides,
        packs: &Packs,
        (tile, strip): (&Tile, (Value, Value)),
    ) {
        let ty = self.f.buffers[packs.right].elem;
        let full = |count: i64| count % packs.strip == 0;
        if !ty.is_float() || self.f.as_int(sides.columns.count).is_some_and(full) {
            return;
        }
        let (length, whole) = (self.f.sub(strip.1, strip.0), self.f.int(packs.strip));
        let short = self.f.binary(BinaryOp::Lt, length, whole);
        let lo = self.strip_index(packs, tile, strip.0);
        let room = self.f.int(packs.strip * packs.depth);
        let hi = self.f.add(lo, room);
        let value = self.f.constant(Scalar::zero(ty));
        self.open(BlockKind::Branch(short));
        self.push(Stmt::Fill { buffer: packs.right, lo, hi, value });
        self.close();
    }

    /// Packs the left operand of a tile, where it is to be.
    pub(super) fn fill_left(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        sides: &Sides,
        packs: &Packs,
        tile: &Tile,
        largest: Option<Local>,
    ) {
        let Some(buffer) = packs.left else { return };
        let (rows, depth) = ((&c.rows, &sides.rows), (&c.depth, &sides.depth));
        let (base, guards) = (self.top(), &c.guards.left);
        let outside = std::mem::replace(&mut body.waiting, guards.clone());
        if !guards.is_empty() {
            let (lo, cells) = (self.f.int(0), self.f.int(self.machine.block() * packs.depth));
            clear(self, buffer, lo, cells);
        }
        let over = self.open_run(body, rows, tile.rows, false);
        let down = self.open_run(body, depth, tile.depth, c.left_in_line);
        let (i, k) = if c.left_by_rows {
            let k = self.open_last(body, depth, &down);
            (self.open_last(body, rows, &over), k)
        } else {
            let i = self.open_last(body, rows, &over);
            (i, self.open_last(body, depth, &down))
        };
        let index = self.left_index((c, packs), tile, i, k);
        let finite = !c.guards.right.is_empty();
        pack(self, body, &Pack { buffer, node: c.left, largest, finite }, index);
        while self.top() > base {
            self.close();
        }
        body.waiting = outside;
        unbind(body, &c.rows);
        unbind(body, &c.depth);
    }

    /// Where the right operand of column `j`, in the strip from `start` on, lies.
    pub(super) fn right_index(
        &mut self,
        packs: &Packs,
        tile: &Tile,
        (start, j): (Value, Value),
        k: Value,
    ) -> Value {
        let before = self.strip_index(packs, tile, start);
        let k = self.f.sub(k, tile.depth.0);
        let strip = self.f.int(packs.strip);
        let k = self.f.mul(k, strip);
        let j = self.f.sub(j, start);
        let at = self.f.add(before, k);
        self.f.add(at, j)
    }

    /// Where the strip of the right operand from column `start` on begins.
    fn strip_index(&mut self, packs: &Packs, tile: &Tile, start: Value) -> Value {
        let before = self.f.sub(start, tile.columns.0);
        let depth = self.f.int(packs.depth);
        self.f.mul(before, depth)
    }

    /// Where the left operand of a row lies.
    pub(super) fn left_index(
        &mut self,
        (c, packs): (&Contraction, &Packs),
        tile: &Tile,
        i: Value,
        k: Value,
    ) -> Value {
        let i = self.f.sub(i, tile.rows.0);
        let k = self.f.sub(k, tile.depth.0);
        let (slow, fast, size) =
            if c.left_by_rows { (k, i, self.machine.block()) } else { (i, k, packs.depth) };
        let size = self.f.int(size);
        let slow = self.f.mul(slow, size);
        self.f.add(slow, fast)
    }
}

/// Stores an operand. Where the other one may be zero instead of not there, one that is not
/// finite raises a flag: their product is no zero.
fn pack<'p>(e: &mut Emitter<'p>, body: &mut Body<'p>, p: &Pack, index: Value) {
    let value = e.noted(body, p.node);
    e.note_largest(p.largest, value);
    if p.finite {
        flag_infinite(e, value);
    }
    e.push(Stmt::Store { buffer: p.buffer, index, value });
}

/// Zeros in a part of a pack: what guards leave out is not stored.
fn clear(e: &mut Emitter<'_>, buffer: Buffer, lo: Value, cells: Value) {
    let hi = e.f.add(lo, cells);
    let value = e.f.constant(Scalar::zero(e.f.buffers[buffer].elem));
    e.push(Stmt::Fill { buffer, lo, hi, value });
}

/// A flag where a float is none of the finite ones.
fn flag_infinite(e: &mut Emitter<'_>, value: Value) {
    let ty = e.f.ty(value);
    if !ty.is_float() {
        return;
    }
    e.guesses = true;
    let end = e.f.constant(weft_scalar::eval::cast(Scalar::F64(f64::INFINITY), ty));
    let start = e.f.constant(weft_scalar::eval::cast(Scalar::F64(f64::NEG_INFINITY), ty));
    let below = e.f.binary(BinaryOp::Lt, value, end);
    let above = e.f.binary(BinaryOp::Gt, value, start);
    let inside = e.f.binary(BinaryOp::And, below, above);
    let cond = e.f.unary(UnaryOp::Not, inside);
    e.push(Stmt::Flag { cond });
}
