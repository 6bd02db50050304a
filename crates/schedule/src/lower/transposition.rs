//! Elementwise nests with transposed operands, by tiles.
//!
//! ```text
//! for it in i step 128, jt in j step 128                -- threads share them
//!   for j in jt.., i in it..                           -- vector along i
//!     tile[j - jt, i - it] = x[j, i]                   -- once for each such operand
//!   for i in it.., j in jt..                           -- vector along j
//!     target[i, j] = f(tile[j - jt, i - it], …)
//! ```
//!
//! What is written lies along `j` and an operand along `i`: whichever loop is inside, one of
//! the two would touch a line of memory for each cell. A tile is read and written line by
//! line, and turned where all of it is near. Cells are computed by the same expressions as
//! without tiles.

use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::Transposition;
use weft_base::Name;
use weft_domain::Range;
use weft_loops::{Buffer, BufferKind, Expr as Value, Stmt};
use weft_scalar::BinaryOp;
use weft_tensor::ExprId;

/// Lines of memory in a tile's row: some, so that each costs little to come to.
const ROW_LINES: i64 = 8;

/// The most cells of a tile's row.
const MOST_CELLS: i64 = 64;

/// A tile of one operand: its buffer, and the cells from one row to the next.
type Tile = (ExprId, Buffer, i64);

impl<'p> Emitter<'p> {
    /// Emits such a nest.
    pub fn by_tiles(&mut self, body: &mut Body<'p>, t: &Transposition) {
        let bytes = |e: &ExprId| body.assignment.exprs.ty(*e).bytes() as i64;
        let widest = t.turned.iter().map(bytes).max().expect("something is turned");
        let cells =
            (ROW_LINES * i64::from(self.machine.processor.line_bytes) / widest).min(MOST_CELLS);
        let tiles: Vec<Tile> =
            t.turned.iter().map(|&e| self.scratch_tile(body, e, cells)).collect();
        self.loops(body, &t.around, &mut |this, body| this.tiles_of(body, t, cells, &tiles));
    }

    fn scratch_tile(&mut self, body: &Body<'p>, e: ExprId, cells: i64) -> Tile {
        let ty = body.assignment.exprs.ty(e);
        // A line between two rows, without which a column would lie in few sets of the cache.
        let row = cells + i64::from(self.machine.processor.line_bytes) / ty.bytes() as i64;
        let count = self.f.int(cells * row);
        (e, self.f.add_buffer(Name::new("tile"), ty, BufferKind::Stack, count), row)
    }

    fn tiles_of(&mut self, body: &mut Body<'p>, t: &Transposition, cells: i64, tiles: &[Tile]) {
        let base = self.top();
        let (across, along) =
            (self.parts_of(body, &t.across, cells), self.parts_of(body, &t.along, cells));
        for &(e, buffer, row) in tiles {
            let (j, i) = (
                self.open_points(body, &t.along, along, false),
                self.open_points(body, &t.across, across, true),
            );
            let value = self.noted(body, e);
            let index = self.in_tile((i, across.0), (j, along.0), row);
            self.push(Stmt::Store { buffer, index, value });
            self.close_points(body, t);
        }
        let (i, j) = (
            self.open_points(body, &t.across, across, false),
            self.open_points(body, &t.along, along, true),
        );
        for &(e, buffer, row) in tiles {
            let index = self.in_tile((i, across.0), (j, along.0), row);
            let value = self.f.load(buffer, index);
            let top = self.top();
            self.blocks[top].known.insert(body.key(e), value);
        }
        body.opaque = tiles.iter().map(|t| t.0).collect();
        let value = self.noted(body, body.assignment.body);
        body.opaque.clear();
        self.store(body, value);
        self.close_points(body, t);
        while self.top() > base {
            self.close();
        }
    }

    /// Opens a loop over parts of a range, which threads may share; gives the ends of one.
    fn parts_of(&mut self, body: &Body<'p>, r: &Range, size: i64) -> (Value, Value) {
        let ((lo, _), (hi, _)) = (self.bound(body, &r.lo), self.bound(body, &r.hi));
        let var = self.new_var(Name::new("part"));
        (self.independent[var], self.apart[var]) = (true, true);
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step: size, bounds_in });
        let from = self.f.var(var);
        let size = self.f.int(size);
        let to = self.f.add(from, size);
        (from, self.f.binary(BinaryOp::Min, to, hi))
    }

    /// Opens the loop over the points of a part, in lanes if told to.
    fn open_points(
        &mut self,
        body: &mut Body<'p>,
        r: &Range,
        (lo, hi): (Value, Value),
        lanes: bool,
    ) -> Value {
        let name = body.assignment.space.iters[r.iter].clone();
        let var = self.new_var(name.unwrap_or_else(|| Name::new("i")));
        self.independent[var] = lanes;
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        let value = self.f.var(var);
        body.bind(r.iter, value, self.top());
        value
    }

    fn close_points(&mut self, body: &mut Body<'p>, t: &Transposition) {
        self.close();
        self.close();
        body.unbind(t.across.iter);
        body.unbind(t.along.iter);
    }

    /// Where the cell of two points lies in a tile.
    fn in_tile(&mut self, across: (Value, Value), along: (Value, Value), row: i64) -> Value {
        let (i, j) = (self.f.sub(across.0, across.1), self.f.sub(along.0, along.1));
        let row = self.f.int(row);
        let before = self.f.mul(j, row);
        self.f.add(before, i)
    }
}
