//! Wavefronts: tables whose cells need those above and to the left run along diagonals.
//!
//! ```text
//! d[i, j] of d[i - 1, j], d[i, j - 1], d[i - 1, j - 1]
//!   =>   e[s, i] of e[s - 1, i - 1], e[s - 1, i], e[s - 2, i - 1]      with s = i + j
//!
//! a[t, i, j] of a[t, i - 1, j + 1], a[t, i, j - 1], a[t - 1, i + 1, j + 1]
//!   =>   e[t, s, i] of e[t, s - 1, i - 1], e[t, s - 1, i], e[t - 1, s + 3, i + 1]
//!                                                                  with s = 2*i + j
//! ```
//!
//! Neither of the last two indices orders such a table with the other one free, but no cell
//! of a diagonal needs another one of it; how steep diagonals are follows from the reads.
//! The table is put in other coordinates, the diagonal before the place in it; then what
//! orders and stores any recurrence finds a loop over diagonals, and the cells within one
//! independent. Tables of rank two gain where few of their cells are looked at from outside,
//! so that a few diagonals are kept: others would be stored whole, and larger than they are.
//! Tables of which an axis in front counts steps (sweeps over a grid in place) gain where a
//! few steps are kept. Lamport, *The parallel execution of DO loops* (1974).

mod turn;

use crate::context::Context;
use crate::fuse::may_fail;
use crate::recurrence_groups::find_units;
use std::collections::BTreeSet;
use turn::Turn;
use weft_base::scc::components;
use weft_domain::{Affine, Iter};
use weft_tensor::{Assignment, Expr, Graph, IndexTerm, TensorId};
use weft_tensor::{ReadAt, reachable, reads};

/// The steepest diagonals thought of: steeper ones have ever fewer cells.
const STEEPEST: i64 = 4;

/// The graph with tables in diagonal coordinates, and which tensors they are; `None` where
/// no table gains. Tensors in `except` stay as they are.
pub(crate) fn along_diagonals(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
    except: &BTreeSet<TensorId>,
) -> Option<(Graph, Vec<TensorId>)> {
    let mut skewed = graph.clone();
    let mut tables = Vec::new();
    for unit in find_units(graph, computed).into_iter().filter(|u| u.recurrent) {
        let stays = |t: &TensorId| context.observed.contains(t) || except.contains(t);
        let group: BTreeSet<TensorId> = unit.tensors.iter().copied().collect();
        if unit.tensors.iter().any(stays) {
            continue;
        }
        let new = turn_of(graph, group).and_then(|turn| turn.apply(&skewed, computed));
        if let Some(new) = new {
            skewed = new;
            tables.extend(unit.tensors);
        }
    }
    (!tables.is_empty()).then_some((skewed, tables))
}

/// How far a read of the group looks back.
struct Look {
    /// The tensors that read and are read.
    reader: TensorId,
    read: TensorId,
    /// Along the axes in front of the table's two.
    before: Vec<i64>,
    /// Along the last two.
    down: i64,
    right: i64,
}

impl Look {
    /// Whether what is read belongs to the same table as the reader's cell.
    fn is_inside(&self) -> bool {
        self.before.iter().all(|&n| n == 0)
    }

    /// Whether no table is needed before its turn.
    fn is_ordered(&self) -> bool {
        self.before.iter().find(|&&n| n != 0).is_none_or(|&n| n > 0)
    }
}

/// The diagonals of tensors that are tables which only diagonals leave free: all are of one
/// rank; within a table some cells need one beside them and some one above; with the cells
/// of lesser diagonals everything is there that a diagonal needs.
fn turn_of(graph: &Graph, group: BTreeSet<TensorId>) -> Option<Turn> {
    let rank = graph.tensors[*group.first()?].rank();
    if rank < 2 || group.iter().any(|&t| graph.tensors[t].rank() != rank) {
        return None;
    }
    let mut looks = Vec::new();
    for &t in &group {
        for &p in graph.pieces(t) {
            looks.extend(looks_of(graph, &graph.assigns[p], &group)?);
        }
    }
    if !looks.iter().all(Look::is_ordered) {
        return None;
    }
    looks.retain(Look::is_inside);
    let sweeps = sweeps(&group, &looks);
    if !sweeps.iter().any(|s| is_tangled(s)) {
        return None;
    }
    let slope = (1..=STEEPEST).find(|&c| sweeps.iter().all(|s| is_one_way(s, c)))?;
    Some(Turn { group, slope, rank })
}

/// The looks inside of a table by tensors that need each other within it.
fn sweeps<'a>(group: &BTreeSet<TensorId>, looks: &'a [Look]) -> Vec<Vec<&'a Look>> {
    let all: Vec<TensorId> = group.iter().copied().collect();
    let at = |t: TensorId| all.iter().position(|&x| x == t).expect("looks are of the group");
    let needs = |v: usize| {
        let own = looks.iter().filter(|l| l.reader == all[v]);
        own.map(|l| at(l.read)).collect()
    };
    let parts = components(all.len(), &needs);
    let within = |part: &Vec<usize>| {
        let both = |l: &&Look| part.contains(&at(l.reader)) && part.contains(&at(l.read));
        looks.iter().filter(both).collect()
    };
    parts.iter().map(within).collect()
}

/// Whether some cells need one beside them, and some one above or below.
fn is_tangled(sweep: &[&Look]) -> bool {
    let beside = sweep.iter().any(|l| l.down == 0 && l.right != 0);
    beside && sweep.iter().any(|l| l.down != 0)
}

/// Whether all that a cell needs of others lies on lesser diagonals, or all on greater ones.
fn is_one_way(sweep: &[&Look], slope: i64) -> bool {
    let step = |l: &Look| l.down.checked_mul(slope)?.checked_add(l.right);
    let mut steps = sweep.iter().filter(|l| (l.down, l.right) != (0, 0)).map(|l| step(l));
    let all: Option<Vec<i64>> = steps.by_ref().collect();
    all.is_some_and(|s| s.iter().all(|&n| n > 0) || s.iter().all(|&n| n < 0))
}

/// How far each read of the group looks back; `None` where that is no number, or the piece
/// is none that may be moved.
fn looks_of(graph: &Graph, a: &Assignment, group: &BTreeSet<TensorId>) -> Option<Vec<Look>> {
    let reduces = reachable(a).into_iter().any(|e| matches!(a.exprs.get(e), Expr::Reduce(_)));
    if reduces || may_fail(graph, a) {
        return None;
    }
    let (before, [down, right]) = parted(&a.write)?;
    let places: Vec<Iter> = [down, right].into_iter().flat_map(Affine::iters).collect();
    let mut looks = Vec::new();
    for r in reads(a) {
        if group.contains(&r.tensor) {
            looks.push(look(a, &r)?);
        } else if before.is_empty() && crosses(&r, &places) {
            // Along a diagonal it would be read with a stride.
            return None;
        }
    }
    Some(looks)
}

fn look(a: &Assignment, r: &ReadAt<'_>) -> Option<Look> {
    let distance =
        |(w, r): (&IndexTerm, &IndexTerm)| w.as_affine()?.minus(r.as_affine()?)?.as_constant();
    let mut before: Vec<i64> = a.write.iter().zip(r.index).map(distance).collect::<Option<_>>()?;
    let (right, down) = (before.pop()?, before.pop()?);
    Some(Look { reader: a.target, read: r.tensor, before, down, right })
}

/// Whether a read of several axes moves with more than one iterator of the cell.
fn crosses(r: &ReadAt<'_>, places: &[Iter]) -> bool {
    let mentions = |t: &IndexTerm, i: &Iter| t.as_affine().is_none_or(|x| x.iters().contains(i));
    let moving = places.iter().filter(|i| r.index.iter().any(|t| mentions(t, i)));
    r.index.len() > 1 && moving.count() > 1
}

/// The terms of the axes in front, and those of the last two.
fn parted(index: &[IndexTerm]) -> Option<(Vec<&Affine>, [&Affine; 2])> {
    let all: Vec<&Affine> = index.iter().map(IndexTerm::as_affine).collect::<Option<_>>()?;
    let (before, last) = all.split_at(all.len().checked_sub(2)?);
    Some((before.to_vec(), [last[0], last[1]]))
}
