//! Find contractions: which iterators are rows, columns and depth.

use super::group::Group;
use super::{Contraction, ENOUGH_FOR_WINDOWS, ENOUGH_ROWS, FEW_COLUMNS, InLine};
use crate::body::Body;
use crate::lower::Emitter;
use weft_domain::{Affine, Iter, Range};
use weft_plan::Nest;
use weft_scalar::ScalarType;
use weft_tensor::{Accumulator, Expr, ExprId, IndexTerm};

impl<'p> Emitter<'p> {
    /// The contraction that an assignment is, if it is one.
    pub fn contraction(
        &self,
        body: &Body<'p>,
        n: &Nest,
        outer: &[Range],
        reduced: &[Range],
    ) -> Option<Contraction> {
        let a = body.assignment;
        let direct = matches!(
            a.accumulator,
            Accumulator::Sum | Accumulator::Prod | Accumulator::Max | Accumulator::Min
        );
        let plain = a.space.guards.is_empty() && !n.continues;
        let calm = |e: ExprId| !body.nodes.get(e).statements;
        let exact = matches!(a.accumulator, Accumulator::ExactSum(_)) && self.may_guess();
        if !direct && !exact || !plain || !calm(a.body) || !a.mask.is_none_or(calm) {
            return None;
        }
        let free = |r: &&Range| !body.is_bound(r.iter);
        let depth: Vec<Range> = reduced.iter().filter(free).cloned().collect();
        (depth.len() == reduced.len()).then_some(())?;
        let last = a.write.last()?.as_affine()?.iters();
        let column = outer.iter().filter(free).find(|r| last == [r.iter])?.clone();
        let last = a.write.last()?.as_affine()?;
        if depth.is_empty() || last.coefficient(column.iter) != 1 {
            return None;
        }
        let sides = Search { body, column: column.iter, depth: &depth };
        let free_outer = outer.iter().filter(free).cloned();
        let rows: Vec<Range> = free_outer.filter(|r| sides.is_row(r.iter)).collect();
        let (left, right) = sides.operands(&rows)?;
        if exact && !self.is_bounded_product(body, (left, right)) {
            return None;
        }
        // Where the mask does not hold nothing may be read that is not surely there.
        let unsafe_loads = |e: ExprId| body.nodes.get(e).unsafe_loads;
        if a.mask.is_some() && (unsafe_loads(left) || unsafe_loads(right)) {
            return None;
        }
        let least_rows = if sides.is_window(right) { ENOUGH_FOR_WINDOWS } else { ENOUGH_ROWS };
        let columns = self.columns(body, outer, column, (left, right), &rows);
        let taken: Vec<Iter> = rows.iter().chain(&columns).chain(&depth).map(|r| r.iter).collect();
        let is_around = |r: &&Range| !taken.contains(&r.iter);
        let around: Vec<Range> = outer.iter().filter(is_around).cloned().collect();
        let fixed = |a: &Affine| a.iters().iter().all(|i| !taken.contains(i));
        let all = around.iter().chain(&rows).chain(&columns).chain(&depth);
        if !all.into_iter().all(|r| fixed(&r.lo) && fixed(&r.hi)) {
            return None;
        }
        let left_by_rows = rows.len() == 1 && sides.moves_with(left, rows[0].iter);
        let fastest = depth.last().expect("there is depth").iter;
        let lies_along = sides.is_read(left) && sides.moves_with(left, fastest);
        let [rows, columns, depth] = [rows, columns, depth].map(Group::new);
        let in_line = |e: ExprId, g: &Group| self.in_line(body, e, g.ranges());
        let left_in_line = in_line(left, &depth);
        let left_in_place = !exact && left_in_line && lies_along && self.are_few(&columns);
        let right_in_line =
            InLine { columns: in_line(right, &columns), depth: in_line(right, &depth) };
        Some(Contraction {
            around,
            rows,
            columns,
            depth,
            left,
            right,
            left_by_rows,
            left_in_line,
            left_in_place,
            right_in_line,
            least_rows,
            bounded: exact,
        })
    }

    /// Whether columns are few with the extents that the routine is planned for.
    fn are_few(&self, columns: &Group) -> bool {
        columns.count(&|p| self.plan.likely(p)).is_some_and(|n| n <= FEW_COLUMNS)
    }

    /// Whether everything that a node reads lies in one line as the ranges' flat index
    /// counts: they are neighbouring axes, and all but the first run over whole axes.
    fn in_line(&self, body: &Body<'p>, e: ExprId, ranges: &[Range]) -> bool {
        let exprs = &body.assignment.exprs;
        if ranges.len() < 2 || !uses(body, e, ranges) {
            return true;
        }
        let Expr::Read { tensor, index, .. } = exprs.get(e) else {
            let parts = exprs.get(e).operands();
            return !parts.is_empty() && parts.iter().all(|&x| self.in_line(body, x, ranges));
        };
        let windowed = self.plan.storage[*tensor].window().is_some();
        let Some(first) = index.iter().position(|t| plain(t) == Some(ranges[0].iter)) else {
            return false;
        };
        let axes = &self.plan.graph.tensors[*tensor].axes;
        let follow = |(n, r): (usize, &Range)| {
            let at = first + n;
            let whole = n == 0
                || r.lo.as_constant() == Some(0)
                    && axes.get(at).is_some_and(|x| r.hi == Affine::fixed(x.extent.clone()));
            whole && index.get(at).and_then(plain) == Some(r.iter)
        };
        let affine = |t: &IndexTerm| match t {
            IndexTerm::Affine(a) => !ranges.iter().any(|r| a.iters().contains(&r.iter)),
            IndexTerm::Data(_) => false,
        };
        let last = first + ranges.len();
        let others = index.iter().enumerate().filter(|(n, _)| !(first..last).contains(n));
        !windowed && ranges.iter().enumerate().all(follow) && others.map(|o| o.1).all(affine)
    }

    /// The columns: the last written iterator, and those before it with which it counts
    /// the cells of the target one by one.
    fn columns(
        &self,
        body: &Body<'p>,
        outer: &[Range],
        column: Range,
        (left, right): (ExprId, ExprId),
        rows: &[Range],
    ) -> Vec<Range> {
        let a = body.assignment;
        let axes = &self.plan.graph.tensors[a.target].axes;
        let mut columns = vec![column];
        let windowed = self.plan.storage[a.target].window().is_some();
        for axis in (1..a.write.len()).rev() {
            let inner = &columns[0];
            let extent = Affine::fixed(axes[axis].extent.clone());
            let whole = inner.lo.as_constant() == Some(0) && inner.hi == extent;
            if windowed || !whole || plain(&a.write[axis]) != Some(inner.iter) {
                break;
            }
            let Some(i) = plain(&a.write[axis - 1]) else { break };
            let Some(r) = outer.iter().find(|r| r.iter == i && !body.is_bound(i)) else {
                break;
            };
            let sided = body.nodes.get(right).iters.contains(&i)
                && !body.nodes.get(left).iters.contains(&i)
                && !rows.iter().any(|r| r.iter == i);
            if !sided || r.lo.as_constant() != Some(0) {
                break;
            }
            columns.insert(0, r.clone());
        }
        columns
    }
}

fn uses(body: &Body<'_>, e: ExprId, ranges: &[Range]) -> bool {
    ranges.iter().any(|r| body.nodes.get(e).iters.contains(&r.iter))
}

/// The iterator that an index term is, and no more.
fn plain(t: &IndexTerm) -> Option<Iter> {
    t.as_affine()?.as_iter()
}

/// A column and the depth, for which rows and operands are looked for.
struct Search<'a, 'p> {
    body: &'a Body<'p>,
    column: Iter,
    depth: &'a [Range],
}

impl Search<'_, '_> {
    fn iters(&self, e: ExprId) -> &[Iter] {
        &self.body.nodes.get(e).iters
    }

    fn is_reduced(&self, e: ExprId) -> bool {
        self.depth.iter().any(|r| self.iters(e).contains(&r.iter))
    }

    fn loads(&self, e: ExprId) -> bool {
        self.body.nodes.get(e).loads
    }

    /// Whether a node is a number made of iterators only, by at least one operator: worth
    /// to be computed once for all cells that share it, like what is read.
    fn computes(&self, e: ExprId) -> bool {
        let exprs = &self.body.assignment.exprs;
        exprs.ty(e) != ScalarType::Bool && !exprs.get(e).operands().is_empty()
    }

    /// Whether one operand moves with `i` and not with the column, and another the other
    /// way round.
    fn is_row(&self, i: Iter) -> bool {
        let splits = |with: Iter, without: Iter| {
            self.body.assignment.exprs.ids().any(|e| {
                let iters = self.iters(e);
                let splits = iters.contains(&with) && !iters.contains(&without);
                splits && self.is_reduced(e) && (self.loads(e) || self.computes(e))
            })
        };
        i != self.column && splits(i, self.column) && splits(self.column, i)
    }

    /// The largest nodes that depend on the depth and one side only, left and right; of
    /// those that read, if there are some.
    fn operands(&self, rows: &[Range]) -> Option<(ExprId, ExprId)> {
        let has_row = |e: ExprId| rows.iter().any(|r| self.iters(e).contains(&r.iter));
        let has_column = |e: ExprId| self.iters(e).contains(&self.column);
        let all: Vec<ExprId> = self.body.assignment.exprs.ids().collect();
        let find = |test: &dyn Fn(ExprId) -> bool| {
            let mut sided = all.iter().rev().copied().filter(|&e| self.is_reduced(e) && test(e));
            let computed = sided.clone().find(|&e| self.computes(e));
            sided.find(|&e| self.loads(e)).or(computed)
        };
        let left = find(&|e| has_row(e) && !has_column(e))?;
        let right = find(&|e| has_column(e) && !has_row(e))?;
        Some((left, right))
    }

    fn is_read(&self, e: ExprId) -> bool {
        matches!(self.body.assignment.exprs.get(e), Expr::Read { .. })
    }

    /// Whether a node reads windows that move along memory with the column: one cell of
    /// what is read is read for many columns.
    fn is_window(&self, node: ExprId) -> bool {
        let Expr::Read { index, .. } = self.body.assignment.exprs.get(node) else { return false };
        let Some(last) = index.last().and_then(IndexTerm::as_affine) else { return false };
        let is_depth = |i: Iter| self.depth.iter().any(|r| r.iter == i);
        last.coefficient(self.column) == 1 && last.iters().into_iter().any(is_depth)
    }

    /// Whether what a node reads lies next to each other from one `i` to the next.
    fn moves_with(&self, node: ExprId, i: Iter) -> bool {
        let exprs = &self.body.assignment.exprs;
        match exprs.get(node) {
            Expr::Read { index, .. } => index.last().is_some_and(|t| plain(t) == Some(i)),
            other => other.operands().iter().any(|&e| self.moves_with(e, i)),
        }
    }
}
