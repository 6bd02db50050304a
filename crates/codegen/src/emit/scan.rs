//! Running values in lanes: each lane's prefix, by halves (Hillis and Steele, *Data
//! parallel algorithms*, 1986), and what one vector hands on to the next. Where values are
//! multiplied on the way, what lanes hand on are maps `x * by + value`, one behind the
//! other (Blelloch, *Prefix sums and their applications*, 1990).

use super::Emitter;
use super::ops::{V, built, with_lanes};
use super::value::{Slot, Value};
use super::vector::identity;
use inkwell::types::VectorType;
use inkwell::values::{IntValue, VectorValue};
use weft_loops::{Expr, Local};
use weft_scalar::{BinaryOp, ScalarType};

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

    pub(super) fn scan(&mut self, local: Local, op: BinaryOp, value: Expr, by: Option<Expr>) {
        let Some((carry, _)) = self.carries[local].filter(|_| self.lanes > 1) else {
            return match by {
                Some(by) => self.scale_and_add(local, value, by),
                None => self.accumulate(local, op, value),
            };
        };
        let ty = self.function.locals[local].ty;
        let all_lanes = |e: &Self, op| e.ops.splat(e.ops.constant(identity(op, ty)), e.lanes);
        let (none, one) = (all_lanes(self, op), all_lanes(self, BinaryOp::Mul));
        let mut prefix = self.eval_lanes(value);
        let mut factor = by.map(|by| self.eval_lanes(by));
        if let Some(mask) = self.mask {
            prefix = self.ops.select(mask, prefix, none);
            factor = factor.map(|f| self.ops.select(mask, f, one));
        }
        let mut distance = 1;
        while distance < self.lanes {
            let before = self.shifted(prefix, none, distance);
            prefix = self.joined(op, ty, before, (prefix, factor));
            factor = factor
                .map(|f| self.arith().binary(BinaryOp::Mul, ty, self.shifted(f, one, distance), f));
            distance *= 2;
        }
        let before = built(self.ops.builder.build_load(prefix.get_type(), carry, ""));
        let all = self.joined(op, ty, before, (prefix, factor));
        built(self.ops.builder.build_store(self.scanned_cell(local), all));
        let last =
            self.ops.shuffle(all.into_vector_value(), &vec![self.lanes - 1; self.lanes as usize]);
        built(self.ops.builder.build_store(carry, last));
    }

    /// What comes of `before` by what follows it.
    fn joined(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        before: V<'c>,
        (value, factor): (V<'c>, Option<V<'c>>),
    ) -> V<'c> {
        match factor {
            Some(by) if ty.is_float() && !self.function.strict => {
                self.arith().fma(before, by, value)
            }
            Some(by) => {
                let scaled = self.arith().binary(BinaryOp::Mul, ty, before, by);
                self.arith().binary(op, ty, scaled, value)
            }
            None => self.arith().binary(op, ty, before, value),
        }
    }

    fn scale_and_add(&mut self, local: Local, value: Expr, by: Expr) {
        let (value, by) = (self.eval_lanes(value), self.eval_lanes(by));
        let ty = self.function.locals[local].ty;
        let old =
            built(self.ops.builder.build_load(value.get_type(), self.scanned_cell(local), ""));
        let new = self.joined(BinaryOp::Add, ty, old, (value, Some(by)));
        self.write_cell(local, Value::Varying(new));
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
