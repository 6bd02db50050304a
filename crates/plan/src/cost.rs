//! Costs: what decides whether a tensor is computed inside its readers or stored.

use weft_domain::Iter;
use weft_target::{additions_of_binary, additions_of_unary};
use weft_tensor::{Assignment, Expr, ExprId, Graph, IndexTerm, TensorId};
use weft_tensor::{reachable, reads};

/// Bodies up to this weight are computed again rather than stored, at any number of
/// reads: a store and a load cost as much.
pub(crate) const TRIVIAL: u64 = 2;

/// Bodies up to this weight, times their reads, are computed again rather than stored.
pub(crate) const CHEAP: u64 = 8;

/// Bodies up to this weight that may fail stay inside their readers, so that only the
/// cells that are needed can fail. Heavier ones are computed whole.
pub(crate) const LAZY: u64 = 64;

/// Cells of histories up to this weight are computed again rather than kept beyond the
/// caches: arithmetic, without an elementary function.
pub(crate) const LIGHT: u64 = 16;

/// Weight of a cell beside which storing it costs nothing. Longer chains are cut there, so
/// that the time to compile them grows with their length and not with its square.
pub(crate) const LONG: u64 = 256;

/// Arenas beyond this many nodes take no further bodies: a bound on code size.
pub(crate) const MAX_NODES: usize = 4000;

/// The weight of computing one cell, in additions; `None` where a reduction is inside.
pub(crate) fn weight(graph: &Graph, t: TensorId) -> Option<u64> {
    graph
        .pieces(t)
        .iter()
        .map(|&p| piece_weight(&graph.assigns[p]))
        .try_fold(0, |n, w| Some(n + w?))
}

/// The same of one piece.
pub(crate) fn piece_weight(a: &Assignment) -> Option<u64> {
    if !a.reduced().is_empty() {
        return None;
    }
    reachable(a).into_iter().map(|e| node_weight(a, e)).try_fold(0, |n, w| Some(n + w?))
}

fn node_weight(a: &Assignment, e: ExprId) -> Option<u64> {
    Some(match a.exprs.get(e) {
        Expr::Const(_) | Expr::Index(_) | Expr::Cast(..) => 0,
        Expr::Read { index, .. } => {
            index.iter().filter(|t| matches!(t, IndexTerm::Data(_))).count() as u64
        }
        Expr::Unary(op, _) => additions_of_unary(*op),
        Expr::Binary(op, ..) => additions_of_binary(*op),
        Expr::If(..) | Expr::Check { .. } => 1,
        // How long it runs is not known.
        Expr::Call { .. } => 1_000_000,
        Expr::Reduce(_) => return None,
    })
}

/// Whether each cell is computed at most once when `read` takes the place of its tensor:
/// every iterator around it moves along an axis of its own.
pub(crate) fn reads_each_cell_once(a: &Assignment, read: ExprId) -> bool {
    let Expr::Read { index, .. } = a.exprs.get(read) else { return false };
    let alone = |i: &Iter| {
        index.iter().any(|t| {
            t.as_affine().is_some_and(|t| t.iters() == [*i] && t.coefficient(*i).abs() == 1)
        })
    };
    iterators_around(a, read).iter().all(alone)
}

/// The iterators whose every value evaluates `read` anew: the space's, and those of the
/// reductions around it.
fn iterators_around(a: &Assignment, read: ExprId) -> Vec<Iter> {
    let mut found: Vec<Iter> = a.space.ranges.iter().map(|r| r.iter).collect();
    for e in reachable(a) {
        if let Expr::Reduce(r) = a.exprs.get(e) {
            let inside = weft_tensor::reachable_from(&a.exprs, r.mask.into_iter().chain([r.body]));
            if inside.contains(&read) {
                found.extend(r.ranges.iter().map(|r| r.iter));
            }
        }
    }
    found
}

/// Whether a reduction has operands that several rows or columns share, as a matrix product has:
/// it runs in tiles.
pub(crate) fn is_product(a: &Assignment) -> bool {
    let Some(last) = last_written(a) else { return false };
    let rows: Vec<Iter> = a.written().into_iter().filter(|&i| i != last).collect();
    let all = reads(a);
    let shared = |with: Iter, without: Iter, k: Iter| {
        all.iter().any(|r| uses(r.index, k) && uses(r.index, with) && !uses(r.index, without))
    };
    let product = |&k: &Iter| rows.iter().any(|&row| shared(row, last, k) && shared(last, row, k));
    a.reduced().iter().any(product)
}

/// Whether a reduction is better computed into memory than inside its reader: it is a product;
/// or an operand is contiguous along the target's last axis and strided along the reduced one,
/// and the last axis belongs innermost.
pub(crate) fn wants_memory(a: &Assignment) -> bool {
    let reduced = a.reduced();
    let Some(last) = last_written(a) else { return false };
    let strided = |index: &[IndexTerm]| {
        let Some((inner, outer)) = index.split_last() else { return false };
        let inner = std::slice::from_ref(inner);
        uses(inner, last)
            && !reduced.iter().any(|&k| uses(inner, k))
            && reduced.iter().any(|&k| uses(outer, k))
    };
    is_product(a) || reads(a).iter().any(|r| !reduced.is_empty() && strided(r.index))
}

/// The iterator of the target's last axis.
fn last_written(a: &Assignment) -> Option<Iter> {
    a.write.last()?.as_affine()?.as_iter()
}

fn uses(index: &[IndexTerm], i: Iter) -> bool {
    index.iter().any(|t| t.as_affine().is_some_and(|t| t.iters().contains(&i)))
}
