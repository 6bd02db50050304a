//! Tiles in time and space: several steps of a stencil while its cells are in the cache.
//!
//! ```text
//! for wave in …                                   -- in order
//!   for block of steps in …                       -- at once: threads share them
//!     let tile = wave - (reach + 1) * block       -- cells, shifted back by every step
//!     for t in the block's steps
//!       for i in the tile's cells, shifted        -- vector
//! ```
//!
//! The tiles are parallelograms: with the phase `n` of a step (each piece of a step is one)
//! a cell `i` lies at `i + skew * n`, and the skew is such that no cell needs, and none
//! overwrites what is needed by, a cell further on. So tiles may run in the order of their
//! position, each over many steps; of the next block of steps a tile may run when all of
//! the block before it that reach it are done, `reach + 1` tiles behind. Rings may stay as
//! narrow as they are. Every cell is computed as it would be without tiles: the bits are
//! the same.
//! Wolf and Lam, *A data locality optimizing algorithm* (1991), give the reasons.

use crate::lower::block::{Block, BlockKind};
use crate::lower::emitter::Emitter;
use crate::lower::nest::Clip;
use crate::recognise::{Field, Member, Place, TimeTiles};
use crate::tree::StepsNode;
use weft_base::Name;
use weft_loops::{Expr, For, ForKind, IntOp, Stmt};
use weft_plan::TimeLoop;
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::Size;

/// Steps that a tile touches at a time of a tensor that is stored whole.
const STEPS_IN_USE: i64 = 2;

/// Blocks of steps that a long loop has at least, so that threads have several at once.
const LEAST_BLOCKS: i64 = 8;

/// The sizes of tiles, computed when the loop begins.
struct Sizes {
    /// Positions of a tile.
    width: Expr,
    /// Steps of a tile.
    height: Expr,
    /// Tiles that one block of steps moves back, rounded up.
    reach: Expr,
    /// The first position.
    origin: Expr,
    /// Steps in all.
    steps: Expr,
    blocks: Expr,
    /// Tiles of one block.
    tiles: Expr,
}

impl<'p> Emitter<'p> {
    /// The steps of a loop in tiles: first those that still fill slots, one by one. Where
    /// a few positions fill the cache already, all run one by one.
    pub fn tiled_steps(
        &mut self,
        node: &'p StepsNode<'p>,
        tiles: &TimeTiles<'p>,
        (lo, hi): (Expr, Expr),
    ) {
        let l = node.steps;
        let width = self.width(tiles);
        let reach = self.f.int(4 * tiles.advance().max(1));
        let fits = self.f.binary(BinaryOp::Ge, width, reach);
        let always = self.f.as_bool(fits) == Some(true);
        let mut from = lo;
        if !always || tiles.from != l.lo {
            from = self.loop_term(&tiles.from);
            from = self.f.binary(BinaryOp::Min, from, hi);
            from = self.f.select(fits, from, hi);
            self.plain_steps(node, (lo, from));
        }
        let sizes = self.sizes(tiles, width, (from, hi));
        self.waves(l, tiles, &sizes, from);
    }

    fn width(&mut self, tiles: &TimeTiles<'p>) -> Expr {
        let mut total = self.f.int(0);
        for field in &tiles.state {
            let tensor = &self.plan.graph.tensors[field.tensor];
            let bytes = self.f.int(field.kept.unwrap_or(STEPS_IN_USE) * tensor.elem.bytes() as i64);
            let beside = |axis: &usize| ![field.time, field.space].contains(axis);
            let axes: Vec<Size> = (0..tensor.axes.len())
                .filter(beside)
                .map(|axis| tensor.axes[axis].extent.clone())
                .collect();
            let extents: Vec<Expr> = axes.iter().map(|e| self.size(e)).collect();
            let cells = self.product(&extents);
            let bytes = self.f.mul(bytes, cells);
            total = self.f.add(total, bytes);
        }
        let single = |f: &Field| self.plan.graph.tensors[f.tensor].axes.len() == 2;
        let flat = tiles.state.iter().all(single);
        let room =
            if flat { self.machine.sizes.tile_bytes.0 } else { self.machine.sizes.tile_bytes.1 };
        let (room, one) = (self.f.int(room), self.f.int(1));
        let total = self.f.binary(BinaryOp::Max, one, total);
        let width = self.f.int_op(IntOp::FloorDiv, room, total);
        let width = self.f.binary(BinaryOp::Max, one, width);
        self.named("width", width)
    }

    /// A value computed once.
    fn named(&mut self, name: &str, value: Expr) -> Expr {
        if self.f.as_int(value).is_some() {
            return value;
        }
        let local = self.local(name, ScalarType::I64);
        self.set(local, value);
        self.f.local(local)
    }

    fn sizes(&mut self, tiles: &TimeTiles<'p>, width: Expr, (lo, hi): (Expr, Expr)) -> Sizes {
        let (zero, one) = (self.f.int(0), self.f.int(1));
        let steps = self.f.sub(hi, lo);
        let steps = self.f.binary(BinaryOp::Max, zero, steps);
        let steps = self.named("steps", steps);
        let advance = self.f.int(tiles.advance());
        let twice = self.f.int(2 * tiles.advance().max(1));
        let height = self.f.int_op(IntOp::FloorDiv, width, twice);
        let least = self.f.int(LEAST_BLOCKS);
        let share = self.ceiling(steps, least);
        let height = self.f.binary(BinaryOp::Min, height, share);
        let height = self.f.binary(BinaryOp::Max, one, height);
        let height = self.named("height", height);
        let shift = self.f.mul(height, advance);
        let reach = self.ceiling(shift, width);
        let reach = self.named("reach", reach);
        let blocks = self.ceiling(steps, height);
        let blocks = self.named("blocks", blocks);
        let (origin, end) = (self.size(&tiles.ends.0), self.size(&tiles.ends.1));
        let across = self.f.sub(end, origin);
        let tiles = self.f.add(across, shift);
        let tiles = self.ceiling(tiles, width);
        let some = self.f.binary(BinaryOp::Lt, zero, across);
        let tiles = self.f.select(some, tiles, zero);
        let tiles = self.named("tiles", tiles);
        Sizes { width, height, reach, origin, steps, blocks, tiles }
    }

    /// `a / b` rounded up, for positive `b`.
    fn ceiling(&mut self, a: Expr, b: Expr) -> Expr {
        let one = self.f.int(1);
        let less = self.f.sub(b, one);
        let up = self.f.add(a, less);
        self.f.int_op(IntOp::FloorDiv, up, b)
    }

    fn waves(&mut self, l: &'p TimeLoop, tiles: &TimeTiles<'p>, sizes: &Sizes, from: Expr) {
        let (zero, one) = (self.f.int(0), self.f.int(1));
        let apart = self.f.add(sizes.reach, one);
        let before = self.f.sub(sizes.blocks, one);
        let behind = self.f.mul(apart, before);
        let waves = self.f.add(sizes.tiles, behind);
        let wide = self.f.binary(BinaryOp::Lt, zero, sizes.tiles);
        let long = self.f.binary(BinaryOp::Lt, zero, sizes.steps);
        let some = self.f.binary(BinaryOp::And, wide, long);
        let waves = self.f.select(some, waves, zero);
        self.open(BlockKind::Base);
        let var = self.new_var(Name::new("wave"));
        let wave = self.f.var(var);
        self.wave(l, tiles, sizes, (wave, apart, from));
        self.close_loop(For { var, lo: zero, hi: waves, ..plain_for(var, zero) });
    }

    /// The tiles of one wave, one of each block of steps.
    fn wave(
        &mut self,
        l: &'p TimeLoop,
        tiles: &TimeTiles<'p>,
        sizes: &Sizes,
        (wave, apart, from): (Expr, Expr, Expr),
    ) {
        let (zero, one) = (self.f.int(0), self.f.int(1));
        let first = self.f.sub(wave, sizes.tiles);
        let first = self.f.add(first, one);
        let first = self.ceiling(first, apart);
        let lo = self.f.binary(BinaryOp::Max, zero, first);
        let last = self.f.int_op(IntOp::FloorDiv, wave, apart);
        let end = self.f.add(last, one);
        let hi = self.f.binary(BinaryOp::Min, end, sizes.blocks);
        self.open(BlockKind::Base);
        let var = self.new_var(Name::new("steps"));
        (self.independent[var], self.apart[var]) = (true, true);
        let block = self.f.var(var);
        let behind = self.f.mul(apart, block);
        let tile = self.f.sub(wave, behind);
        let at = self.f.mul(tile, sizes.width);
        let at = self.f.add(sizes.origin, at);
        let at = self.named("tile", at);
        let before = self.f.mul(block, sizes.height);
        self.tile(l, tiles, sizes, (at, before, from));
        self.close_loop(For { var, lo, hi, ..plain_for(var, zero) });
    }

    /// The steps of one tile, of which `before` are in the blocks before.
    fn tile(
        &mut self,
        l: &'p TimeLoop,
        tiles: &TimeTiles<'p>,
        sizes: &Sizes,
        (at, before, from): (Expr, Expr, Expr),
    ) {
        let zero = self.f.int(0);
        let left = self.f.sub(sizes.steps, before);
        let hi = self.f.binary(BinaryOp::Min, sizes.height, left);
        self.open(BlockKind::Base);
        let var = self.new_var(Name::new(&self.plan.loop_var_name(l.var)));
        let step = self.f.var(var);
        let t = self.f.add(from, before);
        let t = self.f.add(t, step);
        self.loop_vars[l.var] = Some(t);
        let advance = self.f.int(tiles.advance());
        let moved = self.f.mul(step, advance);
        let at = self.f.sub(at, moved);
        for (phase, member) in tiles.members.iter().enumerate() {
            let back = self.f.int(tiles.skew * phase as i64);
            let first = self.f.sub(at, back);
            let end = self.f.add(first, sizes.width);
            self.member(member, (first, end));
        }
        self.close_loop(For { var, lo: zero, hi, ..plain_for(var, zero) });
    }

    /// What a piece writes at some positions.
    fn member(&mut self, member: &Member<'p>, (lo, hi): (Expr, Expr)) {
        match &member.place {
            Place::Along { iter, shift } => {
                let shift = self.f.int(*shift);
                let (lo, hi) = (self.f.sub(lo, shift), self.f.sub(hi, shift));
                self.nest_within(member.view, Some(Clip { iter: *iter, lo, hi }));
            }
            Place::At(position) => {
                let position = self.size(position);
                let above = self.f.binary(BinaryOp::Ge, position, lo);
                let below = self.f.binary(BinaryOp::Lt, position, hi);
                let here = self.f.binary(BinaryOp::And, above, below);
                self.open(BlockKind::Branch(here));
                self.nest_within(member.view, None);
                self.close();
            }
        }
    }

    /// Closes a base block as the body of a loop.
    fn close_loop(&mut self, l: For) {
        let Block { stmts: body, .. } = self.blocks.pop().expect("the loop's block is open");
        self.push(Stmt::For(For { body, ..l }));
    }
}

/// A loop in order, empty so far.
fn plain_for(var: weft_loops::Var, zero: Expr) -> For {
    For { var, lo: zero, hi: zero, step: 1, kind: ForKind::Serial, body: Vec::new() }
}
