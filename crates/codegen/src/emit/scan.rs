//! Running values in lanes: each lane's prefix, by halves (Hillis and Steele, *Data
//! parallel algorithms*, 1986), and what one vector hands on to the next. Where values are
//! multiplied on the way, what lanes hand on are maps `by * x + values`, one behind the
//! other, with a matrix for several values (Blelloch, *Prefix sums and their applications*, 1990).

use super::Emitter;
use super::ops::{V, built, with_lanes};
use super::value::{Slot, Value};
use super::vector::identity;
use inkwell::types::VectorType;
use inkwell::values::{IntValue, VectorValue};
use weft_loops::{Expr, Local};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// What lanes do to running values: `by * values before + values`, or `before op values`
/// where there is no matrix.
struct Map<'c> {
    values: Vec<V<'c>>,
    by: Vec<V<'c>>,
}

/// A matrix with each entry changed; `change` hears whether it is one of the diagonal.
fn entries<'c>(by: &[V<'c>], change: impl Fn(bool, V<'c>) -> V<'c>) -> Vec<V<'c>> {
    let n = by.len().isqrt();
    by.iter().enumerate().map(|(at, &e)| change(at / n == at % n, e)).collect()
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

    pub(super) fn scan(&mut self, locals: &[Local], op: BinaryOp, values: &[Expr], by: &[Expr]) {
        if self.lanes == 1 || self.carries[locals[0]].is_none() {
            return match by {
                [] => self.accumulate(locals[0], op, values[0]),
                _ => self.step(locals, values, by),
            };
        }
        let ty = self.function.locals[locals[0]].ty;
        let mut map = self.map(op, ty, values, by);
        let none = self.in_all_lanes(identity(op, ty));
        let (zero, one) = (self.in_all_lanes(Scalar::zero(ty)), self.in_all_lanes(Scalar::one(ty)));
        let mut distance = 1;
        while distance < self.lanes {
            let before = Map {
                values: map.values.iter().map(|&v| self.shifted(v, none, distance)).collect(),
                by: entries(&map.by, |diagonal, e| {
                    self.shifted(e, if diagonal { one } else { zero }, distance)
                }),
            };
            map = self.after(op, ty, &before, &map);
            distance *= 2;
        }
        let carries: Vec<_> =
            locals.iter().map(|&l| self.carries[l].expect("opened before the loop").0).collect();
        let lanes = map.values[0].get_type();
        let load = |&at| built(self.ops.builder.build_load(lanes, at, ""));
        let before: Vec<V<'c>> = carries.iter().map(load).collect();
        for (i, &local) in locals.iter().enumerate() {
            let all = self.applied(op, ty, &before, &map, i);
            built(self.ops.builder.build_store(self.scanned_cell(local), all));
            let last = vec![self.lanes - 1; self.lanes as usize];
            let last = self.ops.shuffle(all.into_vector_value(), &last);
            built(self.ops.builder.build_store(carries[i], last));
        }
    }

    /// What each lane does to the running values; masked lanes leave them.
    fn map(&mut self, op: BinaryOp, ty: ScalarType, values: &[Expr], by: &[Expr]) -> Map<'c> {
        let values: Vec<V<'c>> = values.iter().map(|&e| self.eval_lanes(e)).collect();
        let by: Vec<V<'c>> = by.iter().map(|&e| self.eval_lanes(e)).collect();
        let Some(mask) = self.mask else { return Map { values, by } };
        let none = self.in_all_lanes(identity(op, ty));
        let (zero, one) = (self.in_all_lanes(Scalar::zero(ty)), self.in_all_lanes(Scalar::one(ty)));
        Map {
            values: values.into_iter().map(|v| self.ops.select(mask, v, none)).collect(),
            by: entries(&by, |diagonal, e| {
                self.ops.select(mask, e, if diagonal { one } else { zero })
            }),
        }
    }

    /// One map after another.
    fn after(&self, op: BinaryOp, ty: ScalarType, before: &Map<'c>, map: &Map<'c>) -> Map<'c> {
        let n = map.values.len();
        let values = (0..n).map(|i| self.applied(op, ty, &before.values, map, i)).collect();
        let entry = |at: usize| {
            let (row, column) = (&map.by[at / n * n..][..n], at % n);
            let product = |k: usize| {
                self.arith().binary(BinaryOp::Mul, ty, row[k], before.by[k * n + column])
            };
            (1..n).fold(product(0), |sum, k| {
                self.product_and(ty, row[k], before.by[k * n + column], sum)
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
        terms.fold(map.values[i], |sum, (&b, &by)| self.product_and(ty, b, by, sum))
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
    fn step(&mut self, locals: &[Local], values: &[Expr], by: &[Expr]) {
        let ty = self.function.locals[locals[0]].ty;
        let map = Map {
            values: values.iter().map(|&e| self.eval_lanes(e)).collect(),
            by: by.iter().map(|&e| self.eval_lanes(e)).collect(),
        };
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
