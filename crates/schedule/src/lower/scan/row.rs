//! One long row in blocks, which threads share where these are many:
//!
//! ```text
//! y[t]    = what the block makes of nothing                      -- threads share the blocks
//! y[last] = m[last] * y[last of the block before] + y[last]
//! y[t]    = m[t] * y[last of the block before] + y[t]            -- again
//! ```
//!
//! `m` is what a block makes of one. Of sums it is one; minima, maxima and products of
//! integers combine in their own way. A group of blocks stays in the caches for all three.
//! One thread goes block by block, with the same numbers.
//!
//! What states are multiplied by over a block is the same for all blocks: where that grows
//! or vanishes, cells could be lost between numbers that are no cells, and the row runs
//! without blocks.

use super::{LaneValues, Running, ScanGroup};
use crate::lower::block::{Block, BlockKind};
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::machine::Sizes;
use crate::recognise::scan::Scan;
use weft_base::Name;
use weft_loops::{Expr as Value, For, ForKind, IntOp, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::Accumulator;

/// The most that a block may make of a state.
const MOST_GROWTH: f64 = 256.0;

impl Scan<'_> {
    /// Whether states are multiplied by floats.
    fn is_scaled(&self) -> bool {
        self.ty.is_float() && !self.groups.iter().all(|r| r.is_single(&self.transitions))
    }

    /// Steps of a block.
    fn block(&self, sizes: &Sizes) -> i64 {
        match (self.groups.iter().all(|r| r.is_single(&self.transitions)), self.ty) {
            (true, _) => sizes.block,
            (false, ScalarType::F32) => sizes.scaled_block.0,
            (false, _) => sizes.scaled_block.1,
        }
    }

    /// What no entry that counts may fall below in a block.
    fn least(&self) -> f64 {
        if self.ty == ScalarType::F32 { 2f64.powi(-100) } else { 2f64.powi(-900) }
    }

    /// What changes nothing that it is combined with.
    fn nothing(&self, group: &ScanGroup) -> Scalar {
        let accumulator = match group.op {
            BinaryOp::Mul => Accumulator::Prod,
            BinaryOp::Min => Accumulator::Min,
            BinaryOp::Max => Accumulator::Max,
            _ => Accumulator::Sum,
        };
        accumulator.identity(self.ty)
    }

    /// How many steps of each cell run.
    fn depth(&self) -> i64 {
        self.states().map(|s| s.back).max().unwrap_or(1)
    }
}

/// A row's blocks, as they are emitted.
struct Row<'a, 'p> {
    p: &'a Running<'a, 'p>,
    /// What a whole block makes of each state; nothing of groups that multiply none.
    whole: Vec<Vec<Value>>,
    /// Where blocks end.
    end: Value,
    /// From where on no blocks are made.
    plain: Local,
}

impl<'p> Emitter<'p> {
    pub(super) fn row(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        (lo, hi): (Value, Value),
    ) {
        let (count, least) = (self.f.sub(hi, lo), self.f.int(self.machine.sizes.long_row));
        let plain = self.kept_in("plain", lo);
        let many = self.f.binary(BinaryOp::Ge, count, least);
        self.open(BlockKind::Branch(many));
        let size = self.f.int(p.block(&self.machine.sizes));
        let rest = self.f.int_op(IntOp::FloorMod, count, size);
        let end = self.f.sub(hi, rest);
        let end = self.fixed("end", end);
        let first = self.f.add(lo, size);
        let (whole, keeps) = self.whole_block(bodies, p, (lo, first));
        self.open(BlockKind::Branch(keeps));
        self.set(plain, end);
        self.blocks_of(bodies, &Row { p, whole, end, plain }, lo);
        self.close();
        self.close();
        let from = self.f.local(plain);
        self.run(bodies, p, (from, hi));
    }

    fn blocks_of(&mut self, bodies: &mut [Body<'p>], row: &Row<'_, 'p>, lo: Value) {
        let (p, all) = (row.p, (lo, row.end));
        let (size, group) = (p.block(&self.machine.sizes), self.machine.sizes.group);
        let alone = self.f.alone();
        self.open(BlockKind::Branch(alone));
        self.ranges(size, all, ForKind::Serial, &mut |this, block| {
            this.while_finite(bodies, row, block.0, |this, bodies, states| {
                this.complete(bodies, p, states, block);
            });
        });
        self.close();
        let shared = self.f.unary(UnaryOp::Not, alone);
        self.open(BlockKind::Branch(shared));
        self.ranges(group, all, ForKind::Serial, &mut |this, group| {
            this.ranges(size, group, ForKind::Parallel, &mut |this, block| {
                let new = this.values_of_nothing(p);
                this.lane_values(bodies, p, &new, block, |this, bodies, values| {
                    let values = values.concat();
                    this.flag_steps(bodies, p, &values);
                    this.store_newest(bodies, p, &values);
                });
            });
            this.ranges(size, group, ForKind::Serial, &mut |this, block| {
                this.while_finite(bodies, row, block.0, |this, bodies, states| {
                    this.last_cells(bodies, row, states, block.1);
                });
            });
            this.ranges(size, group, ForKind::Parallel, &mut |this, (first, end)| {
                let plain = this.f.local(row.plain);
                let known = this.f.binary(BinaryOp::Lt, first, plain);
                let depth = this.f.int(p.depth());
                let last = this.f.sub(end, depth);
                this.open(BlockKind::Branch(known));
                let states = this.fixed_states(bodies, p, first);
                this.add_states(bodies, p, &states, (first, last));
                this.close();
            });
        });
        self.close();
    }

    /// Every group from nothing.
    fn values_of_nothing(&mut self, p: &Running<'_, 'p>) -> Vec<LaneValues> {
        let lane_value = |(group, r): (usize, &ScanGroup)| {
            let none = self.f.constant(p.nothing(r));
            LaneValues { group, starts: vec![none; r.states.len()], terms: true }
        };
        p.groups.iter().enumerate().map(lane_value).collect()
    }

    /// Every state that is multiplied, as if it were one and all others zero.
    fn values_of_units(&mut self, p: &Running<'_, 'p>) -> Vec<LaneValues> {
        let zero = self.f.constant(Scalar::zero(p.ty));
        let one = self.f.constant(Scalar::one(p.ty));
        let scaled = p.groups.iter().enumerate().filter(|(_, r)| !r.is_single(&p.transitions));
        let units = |(group, r): (usize, &ScanGroup)| {
            let n = r.states.len();
            let unit = move |k: usize| {
                let starts = (0..n).map(|i| if i == k { one } else { zero }).collect();
                LaneValues { group, starts, terms: false }
            };
            (0..n).map(unit).collect::<Vec<_>>()
        };
        scaled.flat_map(units).collect()
    }

    /// What a whole block makes of units, and whether that stays within bounds.
    fn whole_block(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        block: (Value, Value),
    ) -> (Vec<Vec<Value>>, Value) {
        let units = self.values_of_units(p);
        let yes = self.f.constant(Scalar::Bool(true));
        if !p.is_scaled() {
            let none = units.is_empty();
            let whole = (!none).then(|| self.lane_values(bodies, p, &units, block, |_, _, _| {}));
            return (whole.unwrap_or_default(), yes);
        }
        let float = |x: f64| match p.ty {
            ScalarType::F32 => Scalar::F32(x as f32),
            _ => Scalar::F64(x),
        };
        let (zero, most) = (self.f.constant(float(0.0)), self.f.constant(float(MOST_GROWTH)));
        let (one, least) = (self.f.constant(float(1.0)), self.f.constant(float(p.least())));
        let (largest, smallest) = (self.kept_in("largest", zero), self.kept_in("smallest", one));
        let whole = self.lane_values(bodies, p, &units, block, |this, _, values| {
            for group in 0..p.groups.len() {
                let own = units.iter().zip(values).filter(|(u, _)| u.group == group);
                let entries: Vec<Value> = own.flat_map(|(_, v)| v.iter().copied()).collect();
                let sizes = entries.into_iter().map(|e| this.f.unary(UnaryOp::Abs, e));
                let sizes: Vec<Value> = sizes.collect();
                let norm = sizes.into_iter().reduce(|x, y| this.f.binary(BinaryOp::Max, x, y));
                let Some(value) = norm else { continue };
                this.push(Stmt::Accumulate { local: largest, op: BinaryOp::Max, value });
                this.push(Stmt::Accumulate { local: smallest, op: BinaryOp::Min, value });
            }
        });
        let (largest, smallest) = (self.f.local(largest), self.f.local(smallest));
        let stays = self.f.binary(BinaryOp::Le, largest, most);
        let lasts = self.f.binary(BinaryOp::Ge, smallest, least);
        let keeps = self.f.binary(BinaryOp::And, stays, lasts);
        (whole, keeps)
    }

    /// What comes of states before a block, of what it makes of nothing and of units.
    fn applied(
        &mut self,
        p: &Running<'_, 'p>,
        states: &[Value],
        new: &[Vec<Value>],
        units: &[Vec<Value>],
    ) -> Vec<Value> {
        let (mut states, mut units) = (states, units);
        let mut all = Vec::new();
        for (group, new) in p.groups.iter().zip(new) {
            let (own, others) = states.split_at(new.len());
            states = others;
            if group.is_single(&p.transitions) {
                all.push(self.f.binary(group.op, own[0], new[0]));
                continue;
            }
            let (columns, others) = units.split_at(new.len());
            units = others;
            for (i, &new) in new.iter().enumerate() {
                all.push(own.iter().zip(columns).fold(new, |sum, (&state, column)| {
                    if p.ty.is_float() {
                        // Never left to the compiler: both ways to the cell have the same bits.
                        return self.f.fma(state, column[i], sum);
                    }
                    let product = self.f.binary(BinaryOp::Mul, state, column[i]);
                    self.f.binary(BinaryOp::Add, sum, product)
                }));
            }
        }
        all
    }

    /// The last cells of a block, from the states before it and what the block makes of
    /// nothing.
    fn last_cells(
        &mut self,
        bodies: &mut [Body<'p>],
        row: &Row<'_, 'p>,
        states: &[Value],
        end: Value,
    ) {
        let p = row.p;
        let mut new = Vec::new();
        for group in &p.groups {
            let own = group.states.iter().map(|&state| {
                let cell = self.state_cell(bodies, p, (state, end));
                self.fixed("new", cell)
            });
            new.push(own.collect::<Vec<_>>());
        }
        self.flag_sums(p, states, &new);
        let last = self.applied(p, states, &new, &row.whole);
        let last: Vec<Value> = last.into_iter().map(|v| self.fixed("last", v)).collect();
        for (state, value) in p.states().zip(last) {
            self.store_state(bodies, p, (state, end), value);
        }
    }

    /// Cells of a range that begins a block, from the states before it.
    fn complete(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        states: &[Value],
        range: (Value, Value),
    ) {
        let new = self.values_of_nothing(p);
        let groups = new.len();
        let all: Vec<LaneValues> = new.into_iter().chain(self.values_of_units(p)).collect();
        self.lane_values(bodies, p, &all, range, |this, bodies, values| {
            let (new, units) = values.split_at(groups);
            let cells = this.applied(p, states, new, units);
            this.flag_steps(bodies, p, &cells);
            this.store_newest(bodies, p, &cells);
        });
    }

    /// Adds to cells of a range that begins a block what comes of the states before it.
    fn add_states(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        states: &[Value],
        range: (Value, Value),
    ) {
        let units = self.values_of_units(p);
        self.lane_values(bodies, p, &units, range, |this, bodies, units| {
            let new = p.groups.iter().map(|group| {
                let own = group.states.iter().map(|s| match s.back {
                    1 => this.cell_here(bodies, p, s.cell),
                    // Asked for by none: cells are made of the newest.
                    _ => this.f.constant(Scalar::zero(p.ty)),
                });
                own.collect()
            });
            let new: Vec<Vec<Value>> = new.collect();
            this.flag_sums(p, states, &new);
            let cells = this.applied(p, states, &new, units);
            this.store_newest(bodies, p, &cells);
        });
    }

    /// `inside` with the states before a block, until one is infinite: a product that
    /// vanished would make no number of it.
    fn while_finite(
        &mut self,
        bodies: &mut [Body<'p>],
        row: &Row<'_, 'p>,
        first: Value,
        inside: impl FnOnce(&mut Self, &mut [Body<'p>], &[Value]),
    ) {
        if !row.p.is_scaled() {
            let states = self.fixed_states(bodies, row.p, first);
            return inside(self, bodies, &states);
        }
        let plain = self.f.local(row.plain);
        let so_far = self.f.binary(BinaryOp::Eq, plain, row.end);
        self.open(BlockKind::Branch(so_far));
        let states = self.fixed_states(bodies, row.p, first);
        let zero = self.f.constant(Scalar::zero(row.p.ty));
        let mut finite = self.f.constant(Scalar::Bool(true));
        for &state in &states {
            let none = self.f.binary(BinaryOp::Sub, state, state);
            let is_finite = self.f.binary(BinaryOp::Eq, none, zero);
            finite = self.f.binary(BinaryOp::And, finite, is_finite);
        }
        let infinite = self.f.unary(UnaryOp::Not, finite);
        self.open(BlockKind::Branch(infinite));
        self.set(row.plain, first);
        self.close();
        self.open(BlockKind::Branch(finite));
        inside(self, bodies, &states);
        self.close();
        self.close();
    }

    /// What runs, before a step, as it is now.
    fn fixed_states(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        first: Value,
    ) -> Vec<Value> {
        let states = self.states_before(bodies, p, first);
        states.into_iter().map(|v| self.fixed("before", v)).collect()
    }

    /// A value as it is now.
    fn fixed(&mut self, name: &str, value: Value) -> Value {
        let local = self.kept_in(name, value);
        self.f.local(local)
    }

    /// A loop over parts of a range, of so many steps.
    fn ranges(
        &mut self,
        step: i64,
        (lo, hi): (Value, Value),
        kind: ForKind,
        inside: &mut dyn FnMut(&mut Self, (Value, Value)),
    ) {
        let var = self.new_var(Name::new("block"));
        self.open(BlockKind::Base);
        let (first, size) = (self.f.var(var), self.f.int(step));
        let end = self.f.add(first, size);
        let end = self.f.binary(BinaryOp::Min, end, hi);
        inside(self, (first, end));
        let Block { stmts, .. } = self.blocks.pop().expect("the loop's block is open");
        self.push(Stmt::For(For { var, lo, hi, step, kind, body: stmts }));
    }
}
