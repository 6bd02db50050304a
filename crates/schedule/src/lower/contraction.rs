//! Contractions: operands packed, and several rows at once.
//!
//! ```text
//! for each tile of rows and columns                    -- threads share them
//!   for kt in reduced step 256
//!     right[k - kt, j] = …                             -- contiguous, strip by strip
//!     for it in rows step about 64
//!       left[i - it, k - kt] = …
//!       for s in columns step one strip, i in rows step 8
//!         for j in the strip                           -- vector
//!           acc0..acc7 = partial sums of the rows so far
//!           for k in kt..: acc0 += left[i, k] * right[k, j]; …; acc7 += left[i + 7, k] * …
//! ```
//!
//! The left operand is not packed where it lies along the depth in memory already and there
//! are, by the extents the program runs with first, few columns to pack it for.
//! A contraction is recognised by what its operands depend on, whatever their order in
//! memory: something depends on the columns and the reduced indices and not on the rows,
//! something on the rows and the reduced indices and not on the columns. Rows, columns and
//! reduced indices may each be several; they are counted by one flat index (`group`).
//! The windows of a convolution are packed as if they did not overlap.
//! Goto and van de Geijn, *Anatomy of high-performance matrix multiplication* (2008), give
//! the reasons for the tiles; how many rows and columns a kernel has is the machine's
//! business (`machine`). The terms of one cell meet in the order of the source.

mod bound;
mod group;
mod kernel;
mod mirror;
mod pack;

use crate::group::Group;
use crate::lower::block::{BlockKind, open_parts};
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::Contraction;
use group::Flat;
use weft_base::Name;
use weft_loops::{Buffer, BufferKind, Expr as Value, ExprData, IntOp, Stmt};
use weft_scalar::{BinaryOp, Scalar};
use weft_tensor::ExprId;

/// Bytes of the columns that are packed together: the left operand is packed again for
/// each such part, and threads share the parts.
const WIDTH_BYTES: i64 = 1024;

/// Reduced indices that are packed together: with a strip they half fill the nearest cache.
const DEPTH: i64 = 256;

/// Blocks of rows that a thread takes at once; the right operand is packed once for all.
const PANEL: i64 = 4;

/// The packed operands of a contraction.
struct Packs {
    /// None where kernels read it in place.
    left: Option<Buffer>,
    right: Buffer,
    /// Columns of a strip.
    strip: i64,
    /// Strips that the right one has room for.
    strips: i64,
    /// Reduced indices that both have room for.
    depth: i64,
}

/// Half-open ranges of flat indices while the loops over blocks are open.
struct Tile {
    rows: (Value, Value),
    columns: (Value, Value),
    depth: (Value, Value),
}

/// The groups with their extents here.
struct Sides {
    rows: Flat,
    columns: Flat,
    depth: Flat,
}

impl<'p> Emitter<'p> {
    /// Emits a contraction; where it has few rows, `otherwise`.
    pub fn contract(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        otherwise: &mut dyn FnMut(&mut Self, &mut Body<'p>),
    ) {
        // Rows that differ from place to place may be none, where nothing may be read.
        if !is_known(body, &c.rows) {
            return otherwise(self, body);
        }
        let cond = self.is_worthwhile(body, c);
        match self.f.expr(cond) {
            ExprData::Const(Scalar::Bool(false)) => otherwise(self, body),
            ExprData::Const(_) => self.packed(body, c),
            _ => {
                self.open(BlockKind::Branch(cond));
                self.packed(body, c);
                let then = self.blocks.pop().expect("the branch is open").stmts;
                self.open(BlockKind::Branch(cond));
                otherwise(self, body);
                let otherwise = self.blocks.pop().expect("the branch is open").stmts;
                self.push(Stmt::If { cond, then, otherwise });
            }
        }
    }

    /// Whether there are rows enough.
    fn is_worthwhile(&mut self, body: &Body<'p>, c: &Contraction) -> Value {
        let rows = self.flat(body, &c.rows).count;
        let enough = self.f.int(c.least_rows);
        self.f.binary(BinaryOp::Ge, rows, enough)
    }

    fn packed(&mut self, body: &mut Body<'p>, c: &Contraction) {
        let packs = self.packs(body, c);
        self.loops(body, &c.around, &mut |this, body| {
            this.tiles(body, c, &packs);
            if c.mirrored {
                copy_mirrored(this, body, c);
            }
        });
    }

    /// Scratch for the packed operands, no larger than extents known now need: code of
    /// little work is not shared by threads, and then all of it has one stack.
    fn packs(&mut self, body: &Body<'p>, c: &Contraction) -> Packs {
        let a = body.assignment;
        let strip =
            self.machine.strip_bytes() / self.plan.graph.tensors[a.target].elem.bytes() as i64;
        let [columns, depth] = [&c.columns, &c.depth].map(|g| {
            let known = is_known(body, g).then(|| self.flat(body, g).count);
            known.and_then(|count| self.f.as_int(count)).map_or(i64::MAX, |n| n.max(1))
        });
        let strips = WIDTH_BYTES / self.machine.strip_bytes();
        let strips = strips.min((columns - 1) / strip + 1);
        let depth = DEPTH.min(depth);
        let mut pack = |name: &str, node: ExprId, count: i64| {
            let count = self.f.int(count);
            self.f.add_buffer(Name::new(name), a.exprs.ty(node), BufferKind::Stack, count)
        };
        let block = self.machine.block();
        let left = (!c.left_in_place).then(|| pack("left", c.left, block * depth));
        let right = pack("right", c.right, strip * strips * depth);
        Packs { left, right, strip, strips, depth }
    }

    fn tiles(&mut self, body: &mut Body<'p>, c: &Contraction, packs: &Packs) {
        let [rows, columns, depth] = [&c.rows, &c.columns, &c.depth].map(|g| self.flat(body, g));
        let sides = Sides { rows, columns, depth };
        self.nothing_to_reduce(body, c, &sides);
        let outside = self.top();
        let (rows, mut columns) = self.open_tile(&sides, packs);
        if c.mirrored {
            columns = mirror::open_computed(self, rows, columns);
        }
        let zero = self.f.int(0);
        let depth = self.open_steps("kt", (zero, sides.depth.count), packs.depth);
        let mut tile = Tile { rows, columns, depth };
        let right = self.open_largest(body, c, c.right);
        self.fill_right(body, c, &sides, packs, &tile, right);
        if packs.left.is_some() {
            tile.rows = self.open_steps("it", rows, self.machine.block());
        }
        let left = self.open_largest(body, c, c.left);
        self.fill_left(body, c, &sides, packs, &tile, left);
        if let (Some(left), Some(right)) = (left, right) {
            self.flag_large_sums((left, right), sides.depth.count);
        }
        self.kernels(body, c, &sides, packs, &tile);
        while self.top() > outside {
            self.close();
        }
    }

    /// Opens one loop over panels of rows and, within them, packs of columns.
    fn open_tile(&mut self, sides: &Sides, packs: &Packs) -> ((Value, Value), (Value, Value)) {
        let panel = self.f.int(PANEL * self.machine.block());
        let wide = self.f.int(packs.strip * packs.strips);
        let panels = self.parts(sides.rows.count, panel);
        let across = self.parts(sides.columns.count, wide);
        let count = self.f.mul(panels, across);
        let var = self.new_var(Name::new("tile"));
        (self.independent[var], self.apart[var]) = (true, true);
        let (lo, bounds_in) = (self.f.int(0), self.top());
        self.open(BlockKind::Loop { var, lo, hi: count, step: 1, bounds_in });
        let tile = self.f.var(var);
        let down = self.f.int_op(IntOp::FloorDiv, tile, across);
        let right = self.f.int_op(IntOp::FloorMod, tile, across);
        let rows = self.part(down, panel, sides.rows.count);
        let columns = self.part(right, wide, sides.columns.count);
        (rows, columns)
    }

    /// How many parts of a size there are.
    fn parts(&mut self, count: Value, size: Value) -> Value {
        let one = self.f.int(1);
        let less = self.f.sub(size, one);
        let up = self.f.add(count, less);
        let parts = self.f.int_op(IntOp::FloorDiv, up, size);
        let none = self.f.int(0);
        self.f.binary(BinaryOp::Max, none, parts)
    }

    fn part(&mut self, n: Value, size: Value, count: Value) -> (Value, Value) {
        let from = self.f.mul(n, size);
        let to = self.f.add(from, size);
        (from, self.f.binary(BinaryOp::Min, to, count))
    }

    /// Opens a loop over parts of a range; gives the bounds of one.
    fn open_steps(&mut self, name: &str, ends: (Value, Value), step: i64) -> (Value, Value) {
        let var = self.new_var(Name::new(name));
        open_parts(self, var, ends, step)
    }

    /// Without a reduced point each cell is the identity.
    fn nothing_to_reduce(&mut self, body: &mut Body<'p>, c: &Contraction, sides: &Sides) {
        let zero = self.f.int(0);
        let cond = self.f.binary(BinaryOp::Ge, zero, sides.depth.count);
        if self.f.expr(cond) == ExprData::Const(Scalar::Bool(false)) {
            return;
        }
        self.open(BlockKind::Branch(cond));
        let cells = [c.rows.ranges(), c.columns.ranges()].concat();
        self.rare = true;
        self.loops(body, &cells, &mut |this, body| {
            let a = body.assignment;
            let elem = this.plan.graph.tensors[a.target].elem;
            let value = this.f.constant(a.accumulator.identity(elem));
            this.store(body, value);
        });
        self.rare = false;
        self.close();
    }
}

/// Copies the cells below the diagonal from those above.
fn copy_mirrored<'p>(e: &mut Emitter<'p>, body: &mut Body<'p>, c: &Contraction) {
    let ([row], [column]) = (c.rows.ranges(), c.columns.ranges()) else {
        unreachable!("a mirrored contraction has one row and one column")
    };
    let ((lo, _), (hi, _)) = (e.bound(body, &row.lo), e.bound(body, &row.hi));
    let buffer = e.buffer_of(body.assignment.target);
    mirror::copy(e, buffer, (lo, hi), &mut |e, i, j| {
        let block = e.top();
        body.bind(row.iter, i, block);
        body.bind(column.iter, j, block);
        e.target_position(body)
    });
    body.unbind(row.iter);
    body.unbind(column.iter);
}

/// Whether the bounds of a group have values already.
fn is_known(body: &Body<'_>, g: &Group) -> bool {
    let ends = g.ranges().iter().flat_map(|r| [&r.lo, &r.hi]);
    ends.flat_map(|a| a.iters()).all(|i| body.is_bound(i))
}

/// Takes the values of a group's iterators away.
fn unbind(body: &mut Body<'_>, g: &Group) {
    g.iters().for_each(|i| body.unbind(i));
}
