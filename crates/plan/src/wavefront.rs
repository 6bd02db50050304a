//! Wavefronts: tables whose cells need those above and to the left run along diagonals.
//!
//! ```text
//! d[i, j] of d[i - 1, j], d[i, j - 1], d[i - 1, j - 1]
//!   =>   e[s, i] of e[s - 1, i - 1], e[s - 1, i], e[s - 2, i - 1]      with s = i + j
//! ```
//!
//! Neither index orders such a table with the other one free, but no cell of a diagonal
//! needs another one of it. The table is put in other coordinates, the diagonal first; then
//! what orders and stores any recurrence finds a loop over diagonals, a few of which are
//! kept, and the cells within one independent. Only tables of which few cells are looked
//! at from outside gain: others would be stored whole, and larger than they are.
//! Lamport, *The parallel execution of DO loops* (1974).

use crate::fuse::may_fail;
use crate::pipeline::Context;
use crate::reads::{ReadAt, reachable, reads};
use crate::rewrite::{Import, Sub};
use crate::units::find_units;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_domain::{Affine, Constraint, Factor, Iter, Relation};
use weft_shape::Size;
use weft_tensor::{Assignment, Expr, Exprs, Graph, IndexTerm, TensorId};

/// The graph with tables in diagonal coordinates, and which tensors they are; `None` where
/// no table gains.
pub(crate) fn along_diagonals(
    graph: &Graph,
    computed: &[TensorId],
    context: &Context<'_>,
) -> Option<(Graph, Vec<TensorId>)> {
    let mut skewed = graph.clone();
    let mut tables = Vec::new();
    for unit in find_units(graph, computed).into_iter().filter(|u| u.recurrent) {
        let seen = |t: &TensorId| context.observed.contains(t);
        let group: BTreeSet<TensorId> = unit.tensors.iter().copied().collect();
        if unit.tensors.iter().any(seen) || !is_table(graph, &group) {
            continue;
        }
        if let Some(new) = turned(&skewed, &group, computed) {
            skewed = new;
            tables.extend(unit.tensors);
        }
    }
    (!tables.is_empty()).then_some((skewed, tables))
}

/// Whether tensors are tables that only diagonals leave free: each is of rank two, every
/// cell needs cells not further right nor further down, and some need one beside them and
/// one above.
fn is_table(graph: &Graph, group: &BTreeSet<TensorId>) -> bool {
    let mut beside = false;
    let mut above = false;
    for &t in group {
        if graph.tensors[t].rank() != 2 {
            return false;
        }
        for &p in graph.pieces(t) {
            let a = &graph.assigns[p];
            let Some(steps) = steps_back(graph, a, group) else { return false };
            beside |= steps.iter().any(|&(down, right)| down == 0 && right > 0);
            above |= steps.iter().any(|&(down, _)| down > 0);
        }
    }
    beside && above
}

/// How far each read of the group looks back along both axes; `None` where that is no
/// number, goes against the diagonals, or the piece is none that may be moved.
fn steps_back(
    graph: &Graph,
    a: &Assignment,
    group: &BTreeSet<TensorId>,
) -> Option<Vec<(i64, i64)>> {
    let reduces = reachable(a).into_iter().any(|e| matches!(a.exprs.get(e), Expr::Reduce(_)));
    let plain = a.space.factors.iter().all(|f| f.ranges.len() == 1);
    let [w0, w1] = both(&a.write)?;
    let places: Vec<Iter> = [w0, w1].into_iter().flat_map(Affine::iters).collect();
    (plain && !reduces && !may_fail(graph, a)).then_some(())?;
    let mut steps = Vec::new();
    for r in reads(a) {
        if group.contains(&r.tensor) {
            let [r0, r1] = both(r.index)?;
            let step = (w0.minus(r0)?.as_constant()?, w1.minus(r1)?.as_constant()?);
            let forward = step == (0, 0) || step.0.checked_add(step.1)? >= 1;
            forward.then_some(())?;
            steps.push(step);
        } else if crosses(&r, &places) {
            // Along a diagonal it would be read with a stride.
            return None;
        }
    }
    Some(steps)
}

/// Whether a read of several axes moves with more than one iterator of the cell.
fn crosses(r: &ReadAt<'_>, places: &[Iter]) -> bool {
    let mentions = |t: &IndexTerm, i: &Iter| t.as_affine().is_none_or(|x| x.iters().contains(i));
    let moving = places.iter().filter(|i| r.index.iter().any(|t| mentions(t, i)));
    r.index.len() > 1 && moving.count() > 1
}

fn both(index: &[IndexTerm]) -> Option<[&Affine; 2]> {
    let [a, b] = index else { return None };
    Some([a.as_affine()?, b.as_affine()?])
}

/// The graph with the group's tensors in diagonal coordinates.
fn turned(graph: &Graph, group: &BTreeSet<TensorId>, computed: &[TensorId]) -> Option<Graph> {
    let mut new = graph.clone();
    for &t in computed {
        for &p in graph.pieces(t) {
            let a = &graph.assigns[p];
            if group.contains(&t) || reads(a).iter().any(|r| group.contains(&r.tensor)) {
                new.assigns[p] = moved(a, group)?;
            }
        }
    }
    for &t in group {
        let axes = &mut new.tensors[t].axes;
        let (rows, columns) = (axes[0].extent.clone(), axes[1].extent.clone());
        axes[0].extent = rows.plus(&columns);
        axes[1].extent = rows;
        axes.iter_mut().for_each(|axis| axis.name = None);
    }
    Some(new)
}

/// An assignment that writes or reads the group, in the new coordinates.
fn moved(a: &Assignment, group: &BTreeSet<TensorId>) -> Option<Assignment> {
    let a = match diagonal_of(a, group)? {
        Some((down, right)) => by_diagonals(a, down, right)?,
        None => a.clone(),
    };
    let turn = |index: &[IndexTerm]| {
        let [down, right] = both(index)?;
        Some(vec![IndexTerm::Affine(down.plus(right)?), IndexTerm::Affine(down.clone())])
    };
    let mut exprs = Exprs::new();
    for e in a.exprs.ids() {
        let node = match a.exprs.get(e) {
            Expr::Read { tensor, index, site } if group.contains(tensor) => {
                Expr::Read { tensor: *tensor, index: turn(index)?, site: *site }
            }
            other => other.clone(),
        };
        exprs.add(node, a.exprs.ty(e));
    }
    let write = if group.contains(&a.target) { turn(&a.write)? } else { a.write.clone() };
    Some(Assignment { exprs, write, ..a })
}

/// The iterators down and right that an assignment runs over, where it runs over both: all
/// it touches of the group must move alike. The inner `None` is for single rows, columns
/// and cells.
fn diagonal_of(a: &Assignment, group: &BTreeSet<TensorId>) -> Option<Option<(Iter, Iter)>> {
    let own = group.contains(&a.target).then_some(a.write.as_slice());
    let all = reads(a);
    let read = all.iter().filter(|r| group.contains(&r.tensor)).map(|r| r.index);
    let mut found: Option<Option<(Iter, Iter)>> = None;
    for index in own.into_iter().chain(read) {
        let [down, right] = both(index)?;
        let here = match (down.iters().as_slice(), right.iters().as_slice()) {
            ([i], [j]) if i != j => Some((plain(down, *i)?, plain(right, *j)?)),
            ([i], []) => plain(down, *i).map(|_| None)?,
            ([], [j]) => plain(right, *j).map(|_| None)?,
            ([], []) => None,
            _ => return None,
        };
        (*found.get_or_insert(here) == here).then_some(())?;
    }
    let found = found.flatten();
    // Whole rows from outside would keep the table whole.
    let lines = |index: &&[IndexTerm]| {
        index.iter().any(|t| t.as_affine().is_none_or(|x| x.as_size().is_none()))
    };
    let mut outside = all.iter().filter(|r| group.contains(&r.tensor)).map(|r| r.index);
    let keeps = own.is_none() && found.is_none() && outside.any(|i| lines(&i));
    // A cell of its own for each row or column would need them in another order.
    let written = a.written();
    let own_cells =
        own.is_none() && found.is_some_and(|(i, j)| written.contains(&i) || written.contains(&j));
    (!keeps && !own_cells).then_some(found)
}

/// The iterator, where a term is it and a number.
fn plain(term: &Affine, iter: Iter) -> Option<Iter> {
    term.minus(&Affine::iter(iter))?.as_size().map(|_| iter)
}

/// The assignment over diagonals: `right` becomes `s - down`, and `s` runs outside.
fn by_diagonals(a: &Assignment, down: Iter, right: Iter) -> Option<Assignment> {
    let (rows, columns) = (a.space.range(down)?.clone(), a.space.range(right)?.clone());
    let sizes = [&rows.lo, &rows.hi, &columns.lo, &columns.hi].map(Affine::as_size);
    let [Some(top), Some(bottom), Some(left), Some(end)] = sizes else { return None };
    let mut space = a.space.clone();
    let name = |i: Iter| a.space.iters[i].as_ref().map_or("?".to_string(), Name::to_string);
    let diagonal = space.iters.push(Some(Name::new(&format!("{} + {}", name(down), name(right)))));
    let across = Affine::iter(diagonal).minus(&Affine::iter(down))?;
    let mut subs: BTreeMap<Iter, Sub> =
        a.space.ranges().map(|r| (r.iter, Sub::Term(Affine::iter(r.iter)))).collect();
    subs.insert(right, Sub::Term(across.clone()));
    let roots: Vec<_> = a.mask.into_iter().chain([a.body]).collect();
    let mut exprs = Exprs::new();
    let mut import =
        Import::new(&a.exprs, &mut exprs, subs, &roots, &a.space.iters, &mut space.iters);
    let body = import.node(a.body)?;
    let mask = match a.mask {
        Some(m) => Some(import.node(m)?),
        None => None,
    };
    let write = a
        .write
        .iter()
        .map(|t| Some(IndexTerm::Affine(import.term(t.as_affine()?)?)))
        .collect::<Option<_>>()?;
    let mut guards: Vec<Constraint> =
        a.space.guards.iter().map(|g| import.constraint(g)).collect::<Option<_>>()?;
    let mut rest = Vec::new();
    for f in a.space.factors.iter().filter(|f| ![down, right].contains(&f.ranges[0].iter)) {
        let ranges = f.ranges.iter().map(|r| import.range(r)).collect::<Option<_>>()?;
        rest.push(Factor { ranges });
    }
    let one = Size::constant(1);
    let at_least = |term: Affine| Constraint { term, relation: Relation::AtLeastZero };
    guards.push(at_least(across.minus(&columns.lo)?));
    guards.push(at_least(columns.hi.minus(&across)?.plus_size(&one.scaled(-1))));
    let first = Affine::fixed(top.plus(left));
    let past = Affine::fixed(bottom.plus(end).plus_const(-1));
    let (mut written, reduced): (Vec<Factor>, Vec<Factor>) =
        rest.into_iter().partition(|f| a.written().contains(&f.ranges[0].iter));
    let turned = [Factor::single(diagonal, first, past), Factor::single(down, rows.lo, rows.hi)];
    written.extend(turned);
    written.extend(reduced);
    space.factors = written;
    space.guards = guards;
    Some(Assignment { space, write, mask, body, exprs, ..a.clone() })
}
