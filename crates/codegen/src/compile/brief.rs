//! Code that is known to run briefly: optimising it takes longer than it saves.

use weft_loops::{ExprData, For, Function, Stmt};

/// Operations that take less time than optimising any code does.
const BRIEF: u64 = 20_000;

/// Whether all functions together do little work, whatever they are given.
pub(super) fn are_brief(functions: &[Function]) -> bool {
    let works = functions.iter().map(|f| work(f, &f.body));
    total(works).is_some_and(|n| n <= BRIEF)
}

/// A sum, as long as every part is known; no more than there are numbers.
fn total(parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut parts = parts;
    parts.try_fold(0u64, |sum, n| Some(sum.saturating_add(n?)))
}

/// About how many operations statements are, where all loops in them are of known length.
fn work(f: &Function, stmts: &[Stmt]) -> Option<u64> {
    let each = stmts.iter().map(|stmt| {
        let inner = total(stmt.blocks().map(|b| work(f, b)))?;
        let times = match stmt {
            Stmt::For(l) => trips(f, l)?,
            Stmt::Fill { lo, hi, .. } => length(f, *lo, *hi)?,
            // Functions of scalars may run as long as they like.
            Stmt::Call { .. } => return None,
            _ => 1,
        };
        let own = f.reachable(&stmt.exprs()).len() as u64;
        Some(own.saturating_add(inner.max(1).saturating_mul(times)))
    });
    total(each)
}

fn trips(f: &Function, l: &For) -> Option<u64> {
    let (lo, hi) = if l.step > 0 { (l.lo, l.hi) } else { (l.hi, l.lo) };
    Some(length(f, lo, hi)?.div_ceil(l.step.unsigned_abs()))
}

/// No more than this between two ends: of a minimum the part that is known.
fn length(f: &Function, lo: weft_loops::Expr, hi: weft_loops::Expr) -> Option<u64> {
    let known = |lo, hi| {
        let (lo, hi) = (f.as_int(lo)?, f.as_int(hi)?);
        Some(if lo < hi { lo.abs_diff(hi) } else { 0 })
    };
    let part = |end| match f.expr(end) {
        ExprData::Binary(weft_scalar::BinaryOp::Add, base, n) if base == lo => f.as_int(n),
        _ => None,
    };
    known(lo, hi).or_else(|| {
        let n = match f.expr(hi) {
            ExprData::Binary(weft_scalar::BinaryOp::Min, a, b) => part(a).or_else(|| part(b)),
            _ => part(hi),
        };
        Some(n?.max(0).unsigned_abs())
    })
}
