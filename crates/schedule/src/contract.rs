//! Contractions: tiles, packing, and several rows at once.
//!
//! ```text
//! for jt in columns step 64, kt in reduced step 128
//!   pack[k - kt, j - jt] = right(k, j)        -- contiguous, near while all rows pass
//!   for i in rows step 8
//!     for j in the tile                        -- vector
//!       acc0..acc7 = partial sums of the rows so far
//!       for k in the tile: acc0 += left(i, k) * pack[k, j]; …; acc7 += left(i + 7, k) * …
//! ```
//!
//! A contraction is recognised by what its operands depend on, whatever their order in
//! memory: something depends on a column and the reduced index and not on the row. Goto
//! and van de Geijn, *Anatomy of high-performance matrix multiplication* (2008), give the
//! reasons for the tiles. The terms of one cell meet in the order of the source.

use crate::accumulate::Acc;
use crate::block::BlockKind;
use crate::body::Body;
use crate::lower::{Emitter, identity};
use crate::nest::Loop;
use weft_base::Name;
use weft_domain::{Iter, Range};
use weft_loops::{Buffer, BufferKind, Expr as Value, IntOp, Stmt};
use weft_plan::Nest;
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{Accumulator, Expr, ExprId};

/// Rows at once: as many sums in flight as hide the latency of an addition.
const ROWS: i64 = 8;

/// Columns of a tile.
const COLUMNS: i64 = 64;

/// Reduced indices of a tile: with its columns it fills the nearest cache.
const DEPTH: i64 = 128;

/// Rows from which on packing pays.
const ENOUGH_ROWS: i64 = 16;

/// A contraction found in an assignment.
pub(crate) struct Contraction {
    around: Vec<Loop>,
    row: Range,
    column: Range,
    /// The outermost reduced range, which tiles divide.
    depth: Range,
    /// Reduced ranges inside it, with constant bounds and extents.
    inner: Vec<(Range, i64)>,
    /// The node that is packed: it depends on column and depth, not on the row.
    right: ExprId,
}

/// A tile while its loops are open.
struct Tile {
    columns: (Value, Value),
    depth: (Value, Value),
    /// Where the whole range of depth starts.
    first: Value,
    pack: Buffer,
    /// The block in which the tile's bounds are known.
    block: usize,
}

impl<'p> Emitter<'p> {
    /// The contraction that an assignment is, if it is one.
    pub fn contraction(
        &self,
        body: &Body<'p>,
        n: &Nest,
        outer: &[Loop],
        reduced: &[Loop],
    ) -> Option<Contraction> {
        let a = body.assignment;
        let direct = matches!(
            a.accumulator,
            Accumulator::Sum | Accumulator::Prod | Accumulator::Max | Accumulator::Min
        );
        let plain = a.space.guards.is_empty() && !n.continues;
        let calm = |e: ExprId| !body.nodes.get(e).statements;
        if !direct || !plain || !calm(a.body) || !a.mask.is_none_or(calm) {
            return None;
        }
        let ([others @ .., columns], [depth, inner @ ..]) = (outer, reduced) else { return None };
        let (column, depth) = (single(columns)?, single(depth)?);
        let inner: Vec<(Range, i64)> = inner.iter().map(constant_range).collect::<Option<_>>()?;
        let width: i64 = inner.iter().map(|(_, n)| *n).product();
        if !(1..=DEPTH).contains(&width) || body.is_bound(depth.iter) {
            return None;
        }
        let last = a.write.last()?.as_affine()?;
        if body.is_bound(column.iter) || last.coefficient(column.iter) != 1 {
            return None;
        }
        let at = (0..others.len()).rev().find(|&at| {
            let Some(row) = single(&others[at]) else { return false };
            !body.is_bound(row.iter) && self.left(body, row, column, depth)
        })?;
        let row = single(&others[at])?.clone();
        let mut around = others.to_vec();
        around.remove(at);
        let fixed = |r: &Range| {
            let uses = |i: Iter| r.lo.iters().contains(&i) || r.hi.iters().contains(&i);
            !uses(row.iter) && !uses(column.iter)
        };
        let boxes = around.iter().flatten().chain([&row, column, depth]).all(fixed);
        let right = boxes.then(|| self.right(body, row.iter, column.iter, depth.iter))??;
        // Where the mask does not hold nothing may be read that is not surely there.
        if a.mask.is_some() && body.nodes.get(right).unsafe_loads {
            return None;
        }
        let (column, depth) = (column.clone(), depth.clone());
        Some(Contraction { around, row, column, depth, inner, right })
    }

    /// Whether something is read that depends on row and depth, not on the column.
    fn left(&self, body: &Body<'p>, row: &Range, column: &Range, depth: &Range) -> bool {
        body.assignment.exprs.ids().any(|e| {
            let iters = &body.nodes.get(e).iters;
            let is_read = matches!(body.assignment.exprs.get(e), Expr::Read { .. });
            is_read
                && iters.contains(&row.iter)
                && iters.contains(&depth.iter)
                && !iters.contains(&column.iter)
        })
    }

    /// The largest node that depends on column and depth, not on the row.
    fn right(&self, body: &Body<'p>, row: Iter, column: Iter, depth: Iter) -> Option<ExprId> {
        let all: Vec<ExprId> = body.assignment.exprs.ids().collect();
        all.into_iter().rev().find(|&e| {
            let node = body.nodes.get(e);
            node.loads
                && node.iters.contains(&column)
                && node.iters.contains(&depth)
                && !node.iters.contains(&row)
        })
    }

    /// Emits a contraction; where it has few rows, `otherwise`.
    pub fn contract(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        otherwise: &mut dyn FnMut(&mut Self, &mut Body<'p>),
    ) {
        let (lo, _) = self.bound_at_base(body, &c.row.lo);
        let (hi, known) = self.bound_at_base(body, &c.row.hi);
        let count = self.f.sub(hi, lo);
        match self.f.as_int(count) {
            Some(n) if n < ENOUGH_ROWS => otherwise(self, body),
            // Rows that differ from place to place may be none, where nothing may be read.
            None if !known => otherwise(self, body),
            None => {
                let enough = self.f.int(ENOUGH_ROWS);
                let cond = self.f.binary(BinaryOp::Ge, count, enough);
                self.open(BlockKind::Branch(cond));
                self.tiles(body, c);
                let then = self.blocks.pop().expect("the branch is open").stmts;
                self.open(BlockKind::Branch(cond));
                otherwise(self, body);
                let otherwise = self.blocks.pop().expect("the branch is open").stmts;
                self.push(Stmt::If { cond, then, otherwise });
            }
            Some(_) => self.tiles(body, c),
        }
    }

    /// A bound, and whether it is known outside the nest; else 0 stands for it.
    fn bound_at_base(&mut self, body: &Body<'p>, a: &weft_domain::Affine) -> (Value, bool) {
        match a.iters().iter().all(|&i| body.is_bound(i)) {
            true => (self.affine(a, &|i| body.iter_value(i)), true),
            false => (self.f.int(0), false),
        }
    }

    fn tiles(&mut self, body: &mut Body<'p>, c: &Contraction) {
        let elem = body.assignment.exprs.ty(c.right);
        let count = self.f.int(COLUMNS * DEPTH);
        let name = Name::new("pack");
        let pack = self.f.add_buffer(name, elem, BufferKind::Stack, count);
        self.loops(body, &c.around, &mut |this, body| this.column_tiles(body, c, pack));
    }

    fn column_tiles(&mut self, body: &mut Body<'p>, c: &Contraction, pack: Buffer) {
        let (first, _) = self.bound(body, &c.depth.lo);
        let (last, _) = self.bound(body, &c.depth.hi);
        self.nothing_to_reduce(body, c, first, last);
        let (lo, _) = self.bound(body, &c.column.lo);
        let (hi, _) = self.bound(body, &c.column.hi);
        let columns = self.open_tiles("jt", lo, hi, COLUMNS, true);
        let depth = self.open_tiles("kt", first, last, DEPTH / c.width(), false);
        let tile = Tile { columns, depth, first, pack, block: self.top() };
        self.fill_pack(body, c, &tile);
        self.row_blocks(body, c, &tile);
        self.close();
        self.close();
    }

    /// Opens a loop over tiles, whose cells are `apart` or not; gives the bounds of one.
    fn open_tiles(
        &mut self,
        name: &str,
        lo: Value,
        hi: Value,
        step: i64,
        apart: bool,
    ) -> (Value, Value) {
        let var = self.f.add_var(Name::new(name));
        (self.independent[var], self.apart[var]) = (apart, apart);
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step, bounds_in });
        let start = self.f.var(var);
        let size = self.f.int(step);
        let end = self.f.add(start, size);
        (start, self.f.binary(BinaryOp::Min, end, hi))
    }

    /// Without a reduced point each cell is the identity.
    fn nothing_to_reduce(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        first: Value,
        last: Value,
    ) {
        let cond = self.f.binary(BinaryOp::Ge, first, last);
        self.open(BlockKind::Branch(cond));
        let cells = [vec![c.row.clone()], vec![c.column.clone()]];
        self.loops(body, &cells, &mut |this, body| {
            let a = body.assignment;
            let elem = this.plan.graph.tensors[a.target].elem;
            let value = this.f.constant(identity(a.accumulator, elem));
            this.store(body, value);
        });
        self.close();
    }

    /// A loop for lanes, not for threads, over `lo..hi` that gives `iter` its values.
    fn open_iter(&mut self, body: &mut Body<'p>, iter: Iter, lo: Value, hi: Value, block: usize) {
        let name = body.assignment.space.iters[iter].clone();
        let var = self.f.add_var(name.unwrap_or_else(|| Name::new("i")));
        self.independent[var] = true;
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in: block });
        let value = self.f.var(var);
        body.bind(iter, value, self.top());
    }

    fn fill_pack(&mut self, body: &mut Body<'p>, c: &Contraction, tile: &Tile) {
        self.open_depth(body, c, tile);
        self.open_iter(body, c.column.iter, tile.columns.0, tile.columns.1, tile.block);
        let value = self.value(body, c.right);
        let index = self.pack_index(body, c, tile);
        self.push(Stmt::Store { buffer: tile.pack, index, value });
        self.close();
        self.close_depth(body, c);
        body.unbind(c.column.iter);
    }

    /// Opens the loops over a tile's depth.
    fn open_depth(&mut self, body: &mut Body<'p>, c: &Contraction, tile: &Tile) {
        self.open_iter(body, c.depth.iter, tile.depth.0, tile.depth.1, tile.block);
        for (r, n) in &c.inner {
            let lo = r.lo.as_constant().expect("inner ranges are constant");
            let (lo, hi) = (self.f.int(lo), self.f.int(lo + n));
            self.open_iter(body, r.iter, lo, hi, tile.block);
        }
    }

    fn close_depth(&mut self, body: &mut Body<'p>, c: &Contraction) {
        for (r, _) in &c.inner {
            self.close();
            body.unbind(r.iter);
        }
        self.close();
        body.unbind(c.depth.iter);
    }

    fn pack_index(&mut self, body: &Body<'p>, c: &Contraction, tile: &Tile) -> Value {
        let (k, j) = (body.iter_value(c.depth.iter), body.iter_value(c.column.iter));
        let mut k = self.f.sub(k, tile.depth.0);
        for (r, n) in &c.inner {
            let lo = r.lo.as_constant().expect("inner ranges are constant");
            let (lo, n) = (self.f.int(lo), self.f.int(*n));
            let x = self.f.sub(body.iter_value(r.iter), lo);
            k = self.f.mul(k, n);
            k = self.f.add(k, x);
        }
        let j = self.f.sub(j, tile.columns.0);
        let width = self.f.int(COLUMNS);
        let row = self.f.mul(k, width);
        self.f.add(row, j)
    }

    /// Blocks of [`ROWS`] rows, then the rows that are left one by one.
    fn row_blocks(&mut self, body: &mut Body<'p>, c: &Contraction, tile: &Tile) {
        let (lo, _) = self.bound(body, &c.row.lo);
        let (hi, _) = self.bound(body, &c.row.hi);
        let count = self.f.sub(hi, lo);
        let size = self.f.int(ROWS);
        let blocks = self.f.int_op(IntOp::FloorDiv, count, size);
        let whole = self.f.mul(blocks, size);
        let middle = self.f.add(lo, whole);
        // An empty range leaves nothing: the floor of a negative count is below it.
        let middle = self.f.binary(BinaryOp::Max, lo, middle);
        for (from, to, step) in [(lo, middle, ROWS), (middle, hi, 1)] {
            let var = self.f.add_var(Name::new("rows"));
            let bounds_in = self.top();
            self.open(BlockKind::Loop { var, lo: from, hi: to, step, bounds_in });
            let first = self.f.var(var);
            let rows: Vec<Value> = (0..step)
                .map(|r| {
                    let r = self.f.int(r);
                    self.f.add(first, r)
                })
                .collect();
            self.kernel(body, c, tile, &rows);
            self.close();
        }
    }

    /// The innermost loops: a tile's columns, and its depth for all rows at once.
    fn kernel(&mut self, body: &mut Body<'p>, c: &Contraction, tile: &Tile, rows: &[Value]) {
        let block = self.top();
        self.open_iter(body, c.column.iter, tile.columns.0, tile.columns.1, tile.block);
        let accs: Vec<Acc> = (0..rows.len()).map(|r| self.start(body, c, tile, rows, r)).collect();
        self.open_depth(body, c, tile);
        let packed = self.pack_index(body, c, tile);
        let packed = self.f.load(tile.pack, packed);
        let top = self.top();
        self.blocks[top].known.insert((c.right, 0), packed);
        let value = body.assignment.body;
        for (r, acc) in accs.iter().enumerate() {
            select_row(body, c, rows, r, block);
            self.accumulate(body, acc, body.assignment.mask, value);
        }
        self.close_depth(body, c);
        for (r, acc) in accs.iter().enumerate() {
            select_row(body, c, rows, r, block);
            let value = self.result(acc);
            self.store(body, value);
        }
        body.copy = None;
        body.unbind(c.row.iter);
        body.unbind(c.column.iter);
        self.close();
    }

    /// An accumulator with the sum of the tiles before this one.
    fn start(
        &mut self,
        body: &mut Body<'p>,
        c: &Contraction,
        tile: &Tile,
        rows: &[Value],
        r: usize,
    ) -> Acc {
        let a = body.assignment;
        let block = self.top();
        select_row(body, c, rows, r, block);
        let elem: ScalarType = self.plan.graph.tensors[a.target].elem;
        let none = self.f.constant(identity(a.accumulator, elem));
        let (at, buffer) = (self.target_position(body), self.buffer_of(a.target));
        let sum = self.f.load(buffer, at);
        let is_first = self.f.binary(BinaryOp::Eq, tile.depth.0, tile.first);
        let start = self.f.select(is_first, none, sum);
        self.accumulator(a.accumulator, elem, elem, &[], Some(start))
    }
}

impl Contraction {
    /// Reduced points per step of the outermost reduced range.
    fn width(&self) -> i64 {
        self.inner.iter().map(|(_, n)| n).product()
    }
}

/// A range with constant bounds, and its extent.
fn constant_range(l: &Loop) -> Option<(Range, i64)> {
    let r = single(l)?;
    let n = r.hi.as_constant()?.checked_sub(r.lo.as_constant()?)?;
    (n > 0).then(|| (r.clone(), n))
}

fn single(l: &Loop) -> Option<&Range> {
    match l.as_slice() {
        [r] => Some(r),
        _ => None,
    }
}

fn select_row(body: &mut Body<'_>, c: &Contraction, rows: &[Value], r: usize, block: usize) {
    body.copy = Some((c.row.iter, r as u32));
    body.bind(c.row.iter, rows[r], block);
}
