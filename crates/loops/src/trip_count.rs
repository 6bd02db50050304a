//! How much statements do at most, as far as the text of their bounds says.

use crate::{Expr, ExprData, For, Function, Stmt};
use weft_scalar::BinaryOp;

impl For {
    /// No more iterations than this: of a loop with constant bounds, or over a part
    /// `lo..lo + n` or `lo..min(lo + n, …)` of a range.
    pub fn max_trip_count(&self, f: &Function) -> Option<u64> {
        let (lo, hi) = if self.step > 0 { (self.lo, self.hi) } else { (self.hi, self.lo) };
        Some(most_between(f, lo, hi)?.div_ceil(self.step.unsigned_abs()))
    }
}

impl Function {
    /// No more operations than about this, where that is known: each expression once for
    /// each statement. Functions of scalars may run as long as they like.
    pub fn max_operations(&self, stmts: &[Stmt]) -> Option<u64> {
        let each = stmts.iter().map(|stmt| {
            let times = match stmt {
                Stmt::For(l) => l.max_trip_count(self)?,
                Stmt::Fill { lo, hi, .. } => most_between(self, *lo, *hi)?,
                Stmt::Call { .. } => return None,
                _ => 1,
            };
            let inner = total(stmt.blocks().map(|b| self.max_operations(b)))?;
            let own = self.reachable(&stmt.exprs()).len() as u64;
            Some(own.saturating_add(inner.max(1).saturating_mul(times)))
        });
        total(each)
    }
}

/// A sum, as long as every part is known; no more than there are numbers.
fn total(mut parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    parts.try_fold(0u64, |sum, n| Some(sum.saturating_add(n?)))
}

/// No more integers than this from `lo` up to `hi`.
fn most_between(f: &Function, lo: Expr, hi: Expr) -> Option<u64> {
    distance(f, lo, hi).map(|n| n.max(0).unsigned_abs())
}

/// `hi - lo`, or more; of a minimum what the nearest known part says.
fn distance(f: &Function, lo: Expr, hi: Expr) -> Option<i64> {
    if let (Some(lo), Some(hi)) = (f.as_int(lo), f.as_int(hi)) {
        return Some(hi.saturating_sub(lo));
    }
    match f.expr(hi) {
        _ if hi == lo => Some(0),
        ExprData::Binary(BinaryOp::Add, a, n) => distance(f, lo, a)?.checked_add(f.as_int(n)?),
        ExprData::Binary(BinaryOp::Sub, a, n) => distance(f, lo, a)?.checked_sub(f.as_int(n)?),
        ExprData::Binary(BinaryOp::Min, a, b) => {
            let parts = [distance(f, lo, a), distance(f, lo, b)];
            parts.into_iter().flatten().min()
        }
        _ => None,
    }
}
