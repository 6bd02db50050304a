//! About how much work an iteration of a loop is, computed when the loop begins.
//!
//! Decides only whether threads are worth waking, so it may be far off. It depends on
//! extents alone, and so does what it decides.

use super::Emitter;
use super::ops::{V, built};
use inkwell::values::{FloatValue, InstructionOpcode as Op};
use weft_base::entity::EntitySet;
use weft_loops::{Expr, ExprData, For, ForKind, Local, Stmt};
use weft_scalar::BinaryOp;
use weft_target::{additions_of_binary, additions_of_unary};

/// Trips assumed of a loop whose bounds are not known yet.
const UNKNOWN_TRIPS: f64 = 8.0;

/// Lanes assumed of a vector loop.
const LANES: f64 = 8.0;

/// Moves and operations between the lanes of a scan.
const SCAN: f64 = 8.0;

impl<'c> Emitter<'_, 'c> {
    /// Operations in one run of a body, as an `f64`.
    pub(super) fn work(&mut self, body: &[Stmt]) -> FloatValue<'c> {
        let f64 = self.ops.context().f64_type();
        let mut sum: V<'c> = f64.const_float(1.0).into();
        for stmt in body {
            let own: f64 = stmt.exprs().into_iter().map(|e| self.weight(e)).sum();
            let own = own + if matches!(stmt, Stmt::Scan { .. }) { SCAN } else { 0.0 };
            sum = self.ops.bin(Op::FAdd, sum, f64.const_float(own).into());
            for block in stmt.blocks() {
                let inner = self.work(block);
                let inner = match stmt {
                    Stmt::For(f) => {
                        let trips = self.trips(f);
                        self.ops.bin(Op::FMul, inner.into(), trips)
                    }
                    _ => inner.into(),
                };
                sum = self.ops.bin(Op::FAdd, sum, inner);
            }
        }
        sum.into_float_value()
    }

    /// Operations in one evaluation of an expression.
    fn weight(&self, e: Expr) -> f64 {
        let one = |e: Expr| match self.function.expr(e) {
            ExprData::Unary(op, _) => additions_of_unary(op),
            ExprData::Binary(op, ..) => additions_of_binary(op),
            _ => 1,
        };
        self.function.reachable(&[e]).into_iter().map(one).sum::<u64>() as f64
    }

    /// How often a loop runs, if its bounds are known here.
    fn trips(&mut self, f: &For) -> V<'c> {
        let f64 = self.ops.context().f64_type();
        let lanes = if matches!(f.kind, ForKind::Vector(_)) { LANES } else { 1.0 };
        if let Some(most) = f.max_trip_count(self.function) {
            return f64.const_float(most as f64 / lanes).into();
        }
        let (low, high) = if f.step > 0 { (f.lo, f.hi) } else { (f.hi, f.lo) };
        let ends = (self.known_part(BinaryOp::Max, low), self.known_part(BinaryOp::Min, high));
        let (Some(low), Some(high)) = ends else {
            return f64.const_float(UNKNOWN_TRIPS / lanes).into();
        };
        let (lo, hi) = if f.step > 0 { (low, high) } else { (high, low) };
        let (lo, hi) = (self.eval_lanes(lo), self.eval_lanes(hi));
        let count = self.trip_count(lo.into_int_value(), hi.into_int_value(), f.step);
        let count = built(self.ops.builder.build_unsigned_int_to_float(count, f64, ""));
        self.ops.bin(Op::FMul, count.into(), f64.const_float(1.0 / lanes).into())
    }

    /// An end of a range, if it is known here; of a maximum or minimum the part that is.
    fn known_part(&self, op: BinaryOp, end: Expr) -> Option<Expr> {
        match self.function.expr(end) {
            _ if self.is_known(end) => Some(end),
            ExprData::Binary(found, a, b) if found == op => {
                self.known_part(op, a).or_else(|| self.known_part(op, b))
            }
            _ => None,
        }
    }

    /// Whether an expression can be evaluated before the loop: it reads no memory, and
    /// only variables and locals that have a value here.
    fn is_known(&self, e: Expr) -> bool {
        self.function.reachable(&[e]).into_iter().all(|e| match self.function.expr(e) {
            ExprData::Load { .. } => false,
            ExprData::Var(v) => self.vars[v].is_some(),
            ExprData::Local(l) => self.is_set(l),
            _ => true,
        })
    }

    /// The locals that an inner body sets are not known before it.
    fn is_set(&self, l: Local) -> bool {
        !self.unknown.contains(l) && !matches!(self.locals[l], super::value::Slot::Unset)
    }
}

/// A set of locals.
pub(super) type Locals = EntitySet<Local>;
