//! Loops of known length, written out.

use weft_domain::{Affine, Iter, Range};

/// Every point of loops of known length, in order; `None` where there is none or are more
/// than `most`.
pub(crate) fn points(loops: &[Range], most: usize) -> Option<Vec<Vec<(Iter, i64)>>> {
    let mut points = vec![Vec::new()];
    for range in loops {
        let (lo, hi) = (Affine::as_constant(&range.lo)?, range.hi.as_constant()?);
        let count = usize::try_from(hi.checked_sub(lo)?).ok()?;
        (points.len().checked_mul(count)? <= most).then_some(())?;
        let extended = |p: &Vec<_>| -> Vec<Vec<_>> {
            (lo..hi).map(|at| p.iter().copied().chain([(range.iter, at)]).collect()).collect()
        };
        points = points.iter().flat_map(extended).collect();
    }
    (!points.is_empty()).then_some(points)
}
