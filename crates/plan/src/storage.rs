//! Storage: which tensors are kept whole, and which as a window of steps.
//!
//! `preserve = max(lookback + 1, tail)`: a recurrence that nobody needs whole keeps as
//! many steps as its own step looks back, and as many as later readers want of its end.

use crate::order::{Orderer, TimeAxes};
use crate::recurrence_groups::RecurrenceGroup;
use crate::routine::name_of;
use std::collections::BTreeSet;
use weft_depend::{Read, Statement, Statements};
use weft_domain::{Affine, Constraint};
use weft_shape::{Atom, Size, Verdict};
use weft_tensor::{AssignId, Assignment, Graph, TensorId};

/// A window along an axis, or why the tensor is stored whole.
pub(crate) type Kept = Result<Window, String>;

/// A ring of the last steps.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub axis: usize,
    pub size: i64,
    /// How many of the last steps are read after the loop.
    pub tail: i64,
    pub reason: String,
}

/// The largest window worth having: rings are for a few steps.
const MAX_WINDOW: i128 = 1024;

/// The part of `t` that is kept, a member of the time loop of `unit`.
pub(crate) fn window_of(
    orderer: &Orderer<'_>,
    unit: &RecurrenceGroup,
    t: TensorId,
    observed: &BTreeSet<TensorId>,
) -> Kept {
    let graph = orderer.graph;
    let time = unit.time.as_ref().ok_or("it has no common time axis")?;
    let Some(&axis) = time.axis.get(&t) else {
        return Err("complete after the last step only".to_string());
    };
    if observed.contains(&t) {
        return Err("observed whole".to_string());
    }
    let lookback = lookback(orderer, unit, time, t)?;
    let tail = tail(graph, orderer.pieces, unit, time, t, axis)?;
    let size = (lookback + 1).max(tail);
    let extent = &graph.tensors[t].axes[axis].extent;
    if size > MAX_WINDOW || extent.as_constant().is_some_and(|e| i128::from(e) <= size) {
        return Err(format!("a window of {size} would be no smaller than the axis"));
    }
    let reason = format!(
        "preserve = max(lookback {lookback} + 1, tail {tail}) along axis {axis}: \
         every reader outside the loop wants the last {tail} only"
    );
    let reason = if tail == 0 {
        format!(
            "preserve = lookback {lookback} + 1 along axis {axis}: every reader runs in the loop"
        )
    } else {
        reason
    };
    Ok(Window { axis, size: size as i64, tail: tail as i64, reason })
}

/// How far the loop's members look back at `t`.
pub(crate) fn lookback(
    orderer: &Orderer<'_>,
    unit: &RecurrenceGroup,
    time: &TimeAxes,
    t: TensorId,
) -> Result<i128, String> {
    let mut most = 0;
    for (id, piece) in orderer.pieces.iter() {
        if !unit.tensors.contains(&piece.target) {
            continue;
        }
        for r in piece.reads.iter().filter(|r| r.tensor == t) {
            let by = || name_of(orderer.graph, piece.target);
            let distance = orderer.distance(id, r, time);
            // Data reach as far as the conditions on the way to the read let them.
            let reach = match distance.constant() {
                None if r.is_computed => distance.reach(time.descending),
                constant => constant.map(i128::abs),
            };
            let Some(reach) = reach else {
                return Err(format!("`{}` reads it at no constant distance in time", by()));
            };
            // Cells that no piece writes are zero, but their places in a ring are still taken.
            if !distance.is_ordered(time.descending) {
                return Err(format!("`{}` reads it ahead, where no piece writes", by()));
            }
            most = most.max(reach);
        }
    }
    Ok(most)
}

/// How many of the last steps the readers outside the loop want.
fn tail(
    graph: &Graph,
    pieces: &Statements,
    unit: &RecurrenceGroup,
    time: &TimeAxes,
    t: TensorId,
    axis: usize,
) -> Result<i128, String> {
    let extent = &graph.tensors[t].axes[axis].extent;
    // Else it is no part of what is computed again.
    let is_served = pieces.iter().any(|(_, piece)| {
        unit.served.contains(&piece.target) && piece.reads.iter().any(|r| r.tensor == t)
    });
    let mut most = 0;
    for (_, piece) in pieces.iter() {
        if unit.tensors.contains(&piece.target) || unit.served.contains(&piece.target) {
            continue;
        }
        let behind = is_served && unit.behind.contains(&piece.target);
        let is_left = |r: &&Read| {
            let last = i128::from(unit.left) - 1;
            behind && piece.scope_at(r).at_most(&r.index[axis], last, &graph.facts)
        };
        for r in piece.reads.iter().filter(|r| r.tensor == t && !is_left(r)) {
            if behind {
                // What was last in a ring is not what the sweeps leave there.
                let by = name_of(graph, piece.target);
                return Err(format!("`{by}` reads it after the sweeps that compute it again"));
            }
            let at = &r.index[axis];
            let end = if time.descending { piece.scope.upper(at) } else { piece.scope.lower(at) };
            let from_end =
                end.as_ref().and_then(Affine::as_size).and_then(|end| match time.descending {
                    true => graph.facts.bounds(&end.plus_const(1)).1,
                    false => largest_difference(graph, extent, end),
                });
            let near = from_end.filter(|n| *n <= MAX_WINDOW);
            let by_conditions = || from_end_where(graph, piece, r, time.descending, axis);
            match near.or_else(|| least_of(from_end, by_conditions())) {
                Some(n) => most = most.max(n),
                None => {
                    let by = name_of(graph, piece.target);
                    return Err(format!("`{by}` reads it beyond a fixed distance from the end"));
                }
            }
        }
    }
    Ok(most)
}

/// How many of the last steps are wanted where conditions say of which step a read is: the
/// adjoint of what is read at the end is so read by a sweep over all steps.
fn from_end_where(
    graph: &Graph,
    piece: &Statement,
    r: &Read,
    descending: bool,
    axis: usize,
) -> Option<i128> {
    let at = &r.index[axis];
    let scope = piece.scope_at(r);
    if descending {
        return scope.size_upper(&at.plus_size(&Size::constant(1)), &graph.facts);
    }
    // As above: the index is not negative, and a maximum is bounded part by part.
    let one = |end: &Size| {
        let d = Affine::fixed(end.clone()).minus(at)?;
        least_of(scope.size_upper(&d, &graph.facts), graph.facts.bounds(end).1)
    };
    let extent = &graph.tensors[r.tensor].axes[axis].extent;
    match extent.single_atom() {
        Some(Atom::Max(parts)) => {
            parts.iter().map(one).collect::<Option<Vec<_>>>()?.into_iter().max()
        }
        _ => one(extent),
    }
}

/// An upper bound of `a - b` where `b` is the index of a cell that is read, so not
/// negative; a maximum is bounded part by part.
fn largest_difference(graph: &Graph, a: &Size, b: &Size) -> Option<i128> {
    let facts = &graph.facts;
    let one = |a: &Size| least_of(facts.bounds(&a.minus(b)).1, facts.bounds(a).1);
    match a.single_atom() {
        Some(Atom::Max(parts)) => {
            parts.iter().map(one).collect::<Option<Vec<_>>>()?.into_iter().max()
        }
        _ => one(a),
    }
}

/// The lesser of two upper bounds.
fn least_of(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a.into_iter().chain(b).min()
}

/// Whether a reduction has a guard over its cells alone: where that fails the cell is none
/// of the piece's, whatever was said of its ranges.
fn restricts_cells(a: &Assignment) -> bool {
    let reduced = a.reduced();
    let over_cells = |g: &Constraint| !g.term.iters().iter().any(|i| reduced.contains(i));
    !reduced.is_empty() && a.space.guards.iter().any(over_cells)
}

/// Whether the pieces of `t` are known to write all of it.
pub(crate) fn is_covered(graph: &Graph, t: TensorId) -> bool {
    let empty = || {
        let zero = |e| graph.facts.le(e, &0.into()) == Verdict::Yes;
        graph.shape(t).any(zero)
    };
    match &graph.tensors[t].definition {
        weft_tensor::Definition::Assigned { covered, pieces } => {
            let sure = |p: &AssignId| !restricts_cells(&graph.assigns[*p]);
            *covered && pieces.iter().all(sure) || empty()
        }
        _ => true,
    }
}
