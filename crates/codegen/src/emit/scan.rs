//! Running values in lanes: each lane's prefix, by halves (Hillis and Steele, *Data
//! parallel algorithms*, 1986), and what one vector hands on to the next. Where values are
//! multiplied on the way, what lanes hand on are maps `by * x + values`, one behind the
//! other, with a matrix for several values (Blelloch, *Prefix sums and their applications*, 1990).

use super::Emitter;
use super::ops::{V, built, result, with_lanes};
use super::value::{Slot, Value};
use super::vector::identity;
use inkwell::FloatPredicate;
use inkwell::types::VectorType;
use inkwell::values::{InstructionOpcode as Op, IntValue, PointerValue, VectorValue};
use weft_loops::{Expr, Local};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// The map that lanes apply to running values: `by * values before + values`, or `before op values`
/// where there is no matrix.
struct Map<'c> {
    values: Vec<V<'c>>,
    /// Row by row; nothing where an entry is zero in all lanes.
    by: Vec<Option<V<'c>>>,
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// Before a vector loop: its running values as they are now, in all lanes.
    pub(super) fn open_carries(&mut self, scans: &[(Local, BinaryOp)], lanes: u32) {
        for &(l, _) in scans {
            let start = self.scanned_cell(l);
            let ty = self.ops.ty(self.function.locals[l].ty, 1);
            let value = built(self.ops.builder.build_load(ty, start, ""));
            let carry = built(self.entry.build_alloca(with_lanes(ty, lanes), ""));
            built(self.ops.builder.build_store(carry, self.ops.splat(value, lanes)));
            self.carries[l] = Some((carry, lanes));
        }
    }

    /// After it: what came out, in the locals of the code around.
    pub(super) fn close_carries(&mut self, scans: &[(Local, BinaryOp)]) {
        for &(l, _) in scans {
            let (carry, lanes) = self.carries[l].take().expect("opened before the loop");
            let ty = self.ops.ty(self.function.locals[l].ty, lanes);
            let all = built(self.ops.builder.build_load(ty, carry, "")).into_vector_value();
            // All lanes are the same.
            let value = built(self.ops.builder.build_extract_element(all, self.ops.i64(0), ""));
            built(self.ops.builder.build_store(self.scanned_cell(l), value));
        }
    }

    fn scanned_cell(&self, l: Local) -> inkwell::values::PointerValue<'c> {
        let Slot::Cell { at, .. } = self.locals[l] else {
            unreachable!("a running value has a cell");
        };
        at
    }

    pub(super) fn scan(
        &mut self,
        locals: &[Local],
        op: BinaryOp,
        values: &[Expr],
        by: &[Option<Expr>],
    ) {
        if self.lanes == 1 || self.carries[locals[0]].is_none() {
            return match by {
                [] => self.accumulate(locals[0], op, values[0]),
                _ => self.step(locals, values, by),
            };
        }
        let ty = self.function.locals[locals[0]].ty;
        let single = self.map(values, by);
        let all = self.prefixes(op, ty, &self.leaving_masked(op, ty, &single));
        let lanes = single.values[0].get_type();
        let carry = |l: &Local| self.carries[*l].expect("opened before the loop").0;
        let load = |l| built(self.ops.builder.build_load(lanes, carry(l), ""));
        let before: Vec<V<'c>> = locals.iter().map(load).collect();
        let after: Vec<V<'c>> =
            (0..locals.len()).map(|i| self.applied(op, ty, &before, &all, i)).collect();
        let multiplies = !by.is_empty() || op == BinaryOp::Mul;
        if !multiplies || !ty.is_float() {
            return self.hand_on_all(locals, &after);
        }
        // Products of maps may overflow where no value does, and vanish where one is infinite.
        let finite = self.is_finite(ty, &after);
        let products = if by.is_empty() { vec![Some(all.values[0])] } else { all.by.clone() };
        let finite = match self.keeps(ty, &products) {
            Some(keeps) => self.ops.bin(Op::And, finite.into(), keeps.into()).into_int_value(),
            None => finite,
        };
        let (fast, slow, end) =
            (self.new_block("maps"), self.new_block("steps"), self.new_block("scanned"));
        self.jump_if(finite, fast, slow);
        self.at(fast);
        self.hand_on_all(locals, &after);
        self.jump(end);
        self.at(slow);
        self.lane_by_lane((locals, op), ty, &before, &single);
        self.jump(end);
        self.at(end);
    }

    /// Each lane's map after those of the lanes before it.
    fn prefixes(&self, op: BinaryOp, ty: ScalarType, single: &Map<'c>) -> Map<'c> {
        let none = self.in_all_lanes(identity(op, ty));
        let mut map = Map { values: single.values.clone(), by: single.by.clone() };
        let mut distance = 1;
        while distance < self.lanes {
            let shifted = |v: V<'c>, none: V<'c>| self.shifted(v, none, distance);
            let before = Map {
                values: map.values.iter().map(|&v| shifted(v, none)).collect(),
                by: self.entries(ty, &map.by, shifted),
            };
            map = self.after(op, ty, &before, &map);
            distance *= 2;
        }
        map
    }

    /// A matrix with each entry changed; `change` hears what it is in the matrix that
    /// leaves all as it is.
    fn entries(
        &self,
        ty: ScalarType,
        by: &[Option<V<'c>>],
        change: impl Fn(V<'c>, V<'c>) -> V<'c>,
    ) -> Vec<Option<V<'c>>> {
        let (zero, one) = (self.in_all_lanes(Scalar::zero(ty)), self.in_all_lanes(Scalar::one(ty)));
        let n = by.len().isqrt();
        let entry = |(at, e): (usize, &Option<V<'c>>)| {
            if at / n == at % n {
                Some(change(e.unwrap_or(zero), one))
            } else {
                e.map(|e| change(e, zero))
            }
        };
        by.iter().enumerate().map(entry).collect()
    }

    fn hand_on_all(&self, locals: &[Local], values: &[V<'c>]) {
        locals.iter().zip(values).for_each(|(&local, &all)| self.hand_on(local, all));
    }

    /// Stores a value's lanes, and hands on the last.
    fn hand_on(&self, local: Local, all: V<'c>) {
        built(self.ops.builder.build_store(self.scanned_cell(local), all));
        let last = vec![self.lanes - 1; self.lanes as usize];
        let last = self.ops.shuffle(all.into_vector_value(), &last);
        let (carry, _) = self.carries[local].expect("opened before the loop");
        built(self.ops.builder.build_store(carry, last));
    }

    /// Whether no lane of some floats is infinite or not a number.
    fn is_finite(&self, ty: ScalarType, all: &[V<'c>]) -> IntValue<'c> {
        let zero = self.in_all_lanes(Scalar::zero(ty));
        let times = |&v: &V<'c>| self.arith().binary(BinaryOp::Mul, ty, v, zero);
        let sum = all.iter().map(times).reduce(|x, y| self.arith().binary(BinaryOp::Add, ty, x, y));
        let same = self.ops.fcmp(FloatPredicate::OEQ, sum.expect("a matrix has entries"), zero);
        self.in_each_lane(same)
    }

    /// Whether a condition holds in all lanes.
    fn in_each_lane(&self, holds: V<'c>) -> IntValue<'c> {
        let all = "llvm.vector.reduce.and";
        result(self.ops.intrinsic(all, &[holds.get_type()], &[holds])).into_int_value()
    }

    /// Whether in no lane all entries are so small that digits of them are lost.
    fn keeps(&self, ty: ScalarType, by: &[Option<V<'c>>]) -> Option<IntValue<'c>> {
        let least = match ty {
            ScalarType::F32 => Scalar::F32(f32::MIN_POSITIVE / f32::EPSILON),
            _ => Scalar::F64(f64::MIN_POSITIVE / f64::EPSILON),
        };
        let sizes = by.iter().flatten().map(|&e| self.ops.math("llvm.fabs", &[e]));
        let largest = sizes.reduce(|x, y| self.ops.math("llvm.maxnum", &[x, y]))?;
        let kept = self.ops.fcmp(FloatPredicate::OGE, largest, self.in_all_lanes(least));
        Some(self.in_each_lane(kept))
    }

    /// The steps in order, where maps are of no use.
    fn lane_by_lane(
        &mut self,
        (locals, op): (&[Local], BinaryOp),
        ty: ScalarType,
        before: &[V<'c>],
        map: &Map<'c>,
    ) {
        let (element, lanes) = (self.ops.ty(ty, 1), map.values[0].get_type());
        let spill = |v: V<'c>| {
            let at = built(self.entry.build_alloca(v.get_type(), ""));
            built(self.ops.builder.build_store(at, v));
            at
        };
        let values: Vec<_> = map.values.iter().map(|&v| spill(v)).collect();
        let by: Vec<_> = map.by.iter().map(|e| e.map(spill)).collect();
        let runs: Vec<_> = before.iter().map(|&v| spill(v)).collect();
        // Lanes that are masked are behind all others.
        let taken = self.mask.map_or(self.ops.i64(self.lanes.into()), |mask| self.taken(mask));
        let latch = self.counted(taken, 1, false, &mut |this, lane| {
            let ops = this.ops;
            let load = |at: PointerValue<'c>| {
                let at = ops.element(element, at, lane);
                built(ops.builder.build_load(element, at, ""))
            };
            let first = |at: &_| built(ops.builder.build_load(element, *at, ""));
            let old: Vec<V<'c>> = runs.iter().map(first).collect();
            let step = Map {
                values: values.iter().map(|&at| load(at)).collect(),
                by: by.iter().map(|at| at.map(load)).collect(),
            };
            for i in 0..locals.len() {
                let new = this.applied(op, ty, &old, &step, i);
                built(ops.builder.build_store(runs[i], new));
                // The lane's value has taken its part.
                let at = ops.element(element, values[i], lane);
                built(ops.builder.build_store(at, new));
            }
        });
        self.ops.keep_rolled(latch);
        for ((&local, at), run) in locals.iter().zip(values).zip(runs) {
            let all = built(self.ops.builder.build_load(lanes, at, ""));
            built(self.ops.builder.build_store(self.scanned_cell(local), all));
            let last = built(self.ops.builder.build_load(element, run, ""));
            let (carry, _) = self.carries[local].expect("opened before the loop");
            built(self.ops.builder.build_store(carry, self.ops.splat(last, self.lanes)));
        }
    }

    /// How many lanes a mask leaves.
    fn taken(&self, mask: V<'c>) -> IntValue<'c> {
        let wide = self.ops.ty(ScalarType::I64, self.lanes).into_vector_type();
        let ones = self.ops.builder.build_int_z_extend(mask.into_vector_value(), wide, "");
        let sum = "llvm.vector.reduce.add";
        result(self.ops.intrinsic(sum, &[wide.into()], &[built(ones).into()])).into_int_value()
    }

    /// The map of each lane.
    fn map(&mut self, values: &[Expr], by: &[Option<Expr>]) -> Map<'c> {
        Map {
            values: values.iter().map(|&e| self.eval_lanes(e)).collect(),
            by: by.iter().map(|e| e.map(|e| self.eval_lanes(e))).collect(),
        }
    }

    /// A map with masked lanes that leave what runs as it is.
    fn leaving_masked(&self, op: BinaryOp, ty: ScalarType, map: &Map<'c>) -> Map<'c> {
        let Some(mask) = self.mask else {
            return Map { values: map.values.clone(), by: map.by.clone() };
        };
        let none = self.in_all_lanes(identity(op, ty));
        Map {
            values: map.values.iter().map(|&v| self.ops.select(mask, v, none)).collect(),
            by: self.entries(ty, &map.by, |e, none| self.ops.select(mask, e, none)),
        }
    }

    /// One map after another.
    fn after(&self, op: BinaryOp, ty: ScalarType, before: &Map<'c>, map: &Map<'c>) -> Map<'c> {
        let n = map.values.len();
        let values = (0..n).map(|i| self.applied(op, ty, &before.values, map, i)).collect();
        let entry = |at: usize| {
            let (row, column) = (&map.by[at / n * n..][..n], at % n);
            let pairs = (0..n).filter_map(|k| row[k].zip(before.by[k * n + column]));
            pairs.fold(None, |sum, (x, y)| {
                Some(match sum {
                    None => self.arith().binary(BinaryOp::Mul, ty, x, y),
                    Some(sum) => self.product_and(ty, x, y, sum),
                })
            })
        };
        Map { values, by: (0..map.by.len()).map(entry).collect() }
    }

    /// The `i`th running value that a map makes of those before.
    fn applied(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        before: &[V<'c>],
        map: &Map<'c>,
        i: usize,
    ) -> V<'c> {
        if map.by.is_empty() {
            return self.arith().binary(op, ty, before[i], map.values[i]);
        }
        let row = map.by.chunks(before.len()).nth(i).expect("the matrix is square");
        // What came last waits least where it is added last.
        let terms = before.iter().zip(row).rev();
        terms.fold(map.values[i], |sum, (&b, by)| match by {
            Some(by) => self.product_and(ty, b, *by, sum),
            None => sum,
        })
    }

    /// `a * b + sum`.
    fn product_and(&self, ty: ScalarType, a: V<'c>, b: V<'c>, sum: V<'c>) -> V<'c> {
        if ty.is_float() && !self.function.strict {
            return self.arith().fma(a, b, sum);
        }
        let product = self.arith().binary(BinaryOp::Mul, ty, a, b);
        self.arith().binary(BinaryOp::Add, ty, product, sum)
    }

    fn in_all_lanes(&self, value: Scalar) -> V<'c> {
        self.ops.splat(self.ops.constant(value), self.lanes)
    }

    /// One step of several running values, outside of lanes.
    fn step(&mut self, locals: &[Local], values: &[Expr], by: &[Option<Expr>]) {
        let ty = self.function.locals[locals[0]].ty;
        let map = self.map(values, by);
        let lanes = map.values[0].get_type();
        let old = |&l: &Local| built(self.ops.builder.build_load(lanes, self.scanned_cell(l), ""));
        let before: Vec<V<'c>> = locals.iter().map(old).collect();
        for (i, &l) in locals.iter().enumerate() {
            let new = self.applied(BinaryOp::Add, ty, &before, &map, i);
            self.write_cell(l, Value::Varying(new));
        }
    }

    /// Each lane's value from `by` lanes before it, or `none`.
    fn shifted(&self, v: V<'c>, none: V<'c>, by: u32) -> V<'c> {
        let i32 = self.ops.context().i32_type();
        let from = |lane: u32| if lane < by { self.lanes + lane } else { lane - by };
        let order: Vec<IntValue<'c>> =
            (0..self.lanes).map(|lane| i32.const_int(from(lane).into(), false)).collect();
        let (v, none): (VectorValue<'c>, VectorValue<'c>) =
            (v.into_vector_value(), none.into_vector_value());
        let order = VectorType::const_vector(&order);
        built(self.ops.builder.build_shuffle_vector(v, none, order, "")).into()
    }
}
