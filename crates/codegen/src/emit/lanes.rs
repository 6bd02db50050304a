//! How many lanes a vector loop gets.

use super::Emitter;
use super::uses::{Uses, has_loop, inner_accumulators, writes};
use weft_loops::{ExprData, For, ForKind, Stmt};
use weft_scalar::{BinaryOp, ScalarType};

/// Lanes of the iterations that come in full vectors, and of those left over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Widths {
    /// Of the main loop.
    pub(super) wide: u32,
    /// Of what is left: one register, or fewer.
    pub(super) narrow: u32,
    /// Whether one vector holds all iterations: then there is code under a mask only.
    pub(super) once: bool,
}

/// The most lanes of a vector loop.
pub(super) const MOST_LANES: u32 = 64;

/// Sums beside each other that take most of the registers.
pub(super) const MANY_SUMS: u32 = 4;

impl Emitter<'_, '_> {
    /// Lanes for a loop; `None` if it is or must be serial.
    pub(super) fn widths_for(&self, f: &For) -> Option<Widths> {
        let ForKind::Vector(wanted) = f.kind else { return None };
        if self.lanes > 1 || self.function.strict && self.reorders(f) {
            return None;
        }
        let register =
            self.options.target.processor.vector_bytes / self.widest(&f.body).bytes() as u32;
        let wide = match wanted {
            Some(lanes) => lanes.into(),
            None => (register * self.unrolling(f)).min(MOST_LANES),
        };
        let wide = self.shortened(f, wide);
        if let Some(lanes) = self.one_vector(f, (wide, register)) {
            return Some(Widths { wide: lanes, narrow: lanes, once: true });
        }
        // Sums for each lane take as long for two registers that are not full as for one.
        let one_width = inner_accumulators(f) > 0 || self.scans(f);
        let narrow = if one_width { wide } else { wide.min(register) };
        let widths = Widths { wide, narrow, once: false };
        (wide > 1).then_some(widths)
    }

    /// Lanes that hold all iterations of a loop, if these are few: of plain code two
    /// registers, of one that keeps many sums as many as these leave. What is not there
    /// is masked, which costs less than a second copy of the code.
    fn one_vector(&self, f: &For, (wide, register): (u32, u32)) -> Option<u32> {
        let lanes = u32::try_from(self.max_trip_count(f)?).ok()?.checked_next_power_of_two()?;
        let most = match has_loop(&f.body) {
            true if inner_accumulators(f) >= MANY_SUMS => wide,
            true => return None,
            false => (2 * register).min(MOST_LANES),
        };
        (1 < lanes && lanes <= most && !self.scans(f)).then_some(lanes)
    }

    /// No more trips than this, of a loop over a part `lo..min(lo + n, …)` of a range.
    pub(super) fn max_trip_count(&self, f: &For) -> Option<u64> {
        let is_part = matches!(self.function.expr(f.hi), ExprData::Binary(BinaryOp::Min, ..));
        f.max_trip_count(self.function).filter(|_| is_part)
    }

    /// Whether lanes would add or multiply floats in another order than written.
    pub(super) fn reorders(&self, f: &For) -> bool {
        let uses = Uses::compute(&f.body);
        let (sums, scans) = (uses.reductions(self.function), uses.scans(self.function));
        sums.iter().chain(&scans).any(|&(l, op)| {
            self.function.locals[l].ty.is_float() && matches!(op, BinaryOp::Add | BinaryOp::Mul)
        })
    }

    /// Whether a running value passes from lane to lane.
    fn scans(&self, f: &For) -> bool {
        !Uses::compute(&f.body).scans(self.function).is_empty()
    }

    /// Registers per vector, so that additions into accumulators do not wait for each
    /// other: several for a plain reduction, and as many as there are registers for where
    /// inner loops accumulate for each lane.
    fn unrolling(&self, f: &For) -> u32 {
        if self.scans(f) {
            return 1;
        }
        let reduces = !Uses::compute(&f.body).reductions(self.function).is_empty();
        if reduces && !has_loop(&f.body) {
            return self.options.target.processor.additions_in_flight;
        }
        let accumulators = inner_accumulators(f);
        let registers = self.options.target.processor.vector_registers;
        let fits = |&times: &u32| accumulators > 0 && times * (accumulators + 1) + 2 <= registers;
        [4, 2].into_iter().find(fits).unwrap_or(1)
    }

    /// No more lanes than a loop of known length needs.
    fn shortened(&self, f: &For, mut lanes: u32) -> u32 {
        let bounds = (self.function.as_int(f.lo), self.function.as_int(f.hi));
        if let (Some(lo), Some(hi)) = bounds {
            let trips = hi.abs_diff(lo).div_ceil(f.step.unsigned_abs());
            while lanes > 1 && u64::from(lanes / 2) >= trips {
                lanes /= 2;
            }
        }
        lanes
    }

    /// The widest type that a body loads, stores or keeps in locals.
    pub(super) fn widest(&self, body: &[Stmt]) -> ScalarType {
        let mut widest = ScalarType::Bool;
        let mut see = |ty: ScalarType| {
            // Small floats are `f32`s in registers.
            let held = if ty.is_small_float() { ScalarType::F32 } else { ty };
            if held.bytes() > widest.bytes() {
                widest = held;
            }
        };
        writes(body, &mut |stmt| {
            match stmt {
                Stmt::Store { buffer, .. } => see(self.function.buffers[*buffer].elem),
                Stmt::Accumulate { local, .. } => see(self.function.locals[*local].ty),
                _ => {}
            }
            for e in self.function.reachable(&stmt.exprs()) {
                if let ExprData::Load { buffer, .. } = self.function.expr(e) {
                    see(self.function.buffers[buffer].elem);
                }
            }
            false
        });
        if widest == ScalarType::Bool { ScalarType::I32 } else { widest }
    }
}
