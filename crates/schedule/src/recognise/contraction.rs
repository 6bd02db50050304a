//! Find contractions: which iterators are rows, columns and depth.

use crate::analysis::{Context, View};
use crate::group::Group;
use crate::machine::Integers;
use crate::nodes::Nodes;
use crate::strategy::Refusal;
use weft_domain::{Affine, Constraint, Iter, Range, Relation};
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{Accumulator, Assignment, Expr, ExprId, IndexTerm, reachable_from, substitute};

/// Rows from which on the half of the cells that is not computed is more than copying it costs.
const LEAST_MIRRORED: i64 = 128;

/// Columns for which the left operand is not packed: it would be copied to be read that
/// often.
const FEW_COLUMNS: i64 = 128;

/// Reduced indices of which conditions may leave any number.
const FEW_TERMS: i64 = 16;

/// The least share of the terms that conditions may leave: one in so many.
const LEAST_SHARE: i64 = 8;

/// A contraction found in an assignment.
pub(crate) struct Contraction {
    pub around: Vec<Range>,
    pub rows: Group,
    pub columns: Group,
    pub depth: Group,
    /// The node that depends on rows and depth, not on columns.
    pub left: ExprId,
    /// The node that depends on columns and depth, not on rows.
    pub right: ExprId,
    /// Whether the left node moves along memory with the row rather than with the depth.
    pub left_by_rows: bool,
    /// Whether in memory the left node's depth is one line.
    pub left_in_line: bool,
    /// Whether kernels read the left node where it is: it lies along the depth there, and
    /// there are few columns to pack it for.
    pub left_in_place: bool,
    pub right_in_line: InLine,
    /// Rows from which on it pays.
    pub least_rows: i64,
    pub guards: Guards,
    /// Whether cells and those across the diagonal are equal, and enough to compute half of them.
    pub mirrored: bool,
    /// Whether it adds exact products of integers, which are taken to be small enough for
    /// sums that wrap: the packed operands show whether they are.
    pub bounded: bool,
}

/// Conditions under which an operand counts; elsewhere it is zero.
pub(crate) struct Guards {
    pub left: Vec<Constraint>,
    pub right: Vec<Constraint>,
}

/// Whether several iterators of a node are one line in memory.
pub(crate) struct InLine {
    pub columns: bool,
    pub depth: bool,
}

/// Ranges by what they are to a contraction.
struct Sided {
    around: Vec<Range>,
    rows: Vec<Range>,
    columns: Vec<Range>,
    depth: Vec<Range>,
}

impl Context<'_> {
    /// The contraction that an assignment is, if it is one: of its loops the written ones
    /// are in front.
    pub fn contraction(
        &self,
        view: &View<'_>,
        outer: &[Range],
        reduced: &[Range],
    ) -> Result<Contraction, Refusal> {
        let a = view.assignment;
        let exact = matches!(a.accumulator, Accumulator::ExactSum(_));
        if !is_direct(a.accumulator) && !exact || a.write.is_empty() || reduced.is_empty() {
            return Err(Refusal::Foreign);
        }
        if view.nest.continues {
            return Err(Refusal::Continues);
        }
        if reduced.iter().any(|r| view.is_bound(r.iter)) {
            return Err(Refusal::Guarded);
        }
        let column = column_of(view, outer).ok_or(Refusal::NoColumns)?;
        let sides = Search { view, column: column.iter, depth: reduced };
        let free = outer.iter().filter(|r| !view.is_bound(r.iter)).cloned();
        let rows: Vec<Range> = free.filter(|r| sides.is_row(r.iter)).collect();
        let operands = sides.operands(&rows).ok_or_else(|| nothing_shared(view, reduced))?;
        if exact && !(self.may_guess() && is_bounded_product(a, operands)) {
            return Err(Refusal::ExactIntegers);
        }
        let calm = |e: ExprId| is_calm_beside(view, e, operands);
        if !calm(a.body) || !a.mask.is_none_or(calm) {
            return Err(Refusal::Statements);
        }
        // Where the mask does not hold nothing may be read that is not surely there.
        let unsafe_loads = |e: ExprId| view.nodes.get(e).unsafe_loads;
        if a.mask.is_some() && (unsafe_loads(operands.0) || unsafe_loads(operands.1)) {
            return Err(Refusal::UnsafeOperands);
        }
        let columns = self.columns(view, outer, column.clone(), operands, &rows);
        let taken: Vec<Iter> =
            [&rows, &columns, &reduced.to_vec()].into_iter().flatten().map(|r| r.iter).collect();
        let around: Vec<Range> =
            outer.iter().filter(|r| !taken.contains(&r.iter)).cloned().collect();
        let fixed = |a: &Affine| a.iters().iter().all(|i| !taken.contains(i));
        let mut all = around.iter().chain(&rows).chain(&columns).chain(reduced);
        if !all.all(|r| fixed(&r.lo) && fixed(&r.hi)) {
            return Err(Refusal::DependentRanges);
        }
        let sided = Sided { around, rows, columns, depth: reduced.to_vec() };
        let guards = self.sided_guards(view, &sided, operands)?;
        Ok(self.laid_out(&sides, sided, operands, (guards, exact)))
    }

    /// The guards by the operand that is zero where they do not hold. With a finite other
    /// operand such a term is a zero, and changes no sum; that all of them are finite is
    /// looked at while they are packed.
    fn sided_guards(
        &self,
        view: &View<'_>,
        sided: &Sided,
        operands: (ExprId, ExprId),
    ) -> Result<Guards, Refusal> {
        let a = view.assignment;
        let over = |g: &Constraint, ranges: &[Range]| {
            ranges.iter().any(|r| g.term.iters().contains(&r.iter))
        };
        let taken = |g: &&Constraint| {
            [&sided.rows, &sided.columns, &sided.depth].into_iter().any(|side| over(g, side))
        };
        let (taken, around): (Vec<&Constraint>, Vec<&Constraint>) =
            a.space.guards.iter().partition(taken);
        // Those of the depth alone are both operands'.
        let of_side = |g: &Constraint, other: &[Range]| over(g, &sided.depth) && !over(g, other);
        let side = |other: &[Range]| -> Vec<Constraint> {
            taken.iter().filter(|g| of_side(g, other)).map(|g| (*g).clone()).collect()
        };
        let (left, right) = (side(&sided.columns), side(&sided.rows));
        if taken.is_empty() {
            return Ok(Guards { left, right });
        }
        if taken.iter().any(|g| taken.iter().any(|h| self.is_narrow((g, h), &sided.depth))) {
            return Err(Refusal::Sparse);
        }
        let sides = [&sided.columns, &sided.rows];
        let all_sided = taken.iter().all(|g| sides.iter().any(|other| of_side(g, other)));
        let elem = a.exprs.ty(a.body);
        let sums = matches!(a.accumulator, Accumulator::Sum | Accumulator::ExactSum(_));
        let wide = elem.is_int() || matches!(elem, ScalarType::F32 | ScalarType::F64);
        let product = sums && wide && a.mask.is_none() && is_product_of(a, operands);
        // What is read on one side may be there only where a guard of the other holds.
        let safe = |guards: &[Constraint], e: ExprId| {
            let scope = weft_depend::scope_under(a, guards.iter().chain(around.iter().copied()));
            let nodes = Nodes::compute(&self.plan.graph, a, &scope, self.machine.is_precise());
            !nodes.get(e).traps && !nodes.get(e).unsafe_loads
        };
        let able = all_sided && product && self.may_guess();
        if able && safe(&left, operands.0) && safe(&right, operands.1) {
            Ok(Guards { left, right })
        } else {
            Err(Refusal::Guarded)
        }
    }

    /// The contraction of these operands, with how they lie in memory.
    fn laid_out(
        &self,
        sides: &Search<'_, '_>,
        sided: Sided,
        (left, right): (ExprId, ExprId),
        (guards, bounded): (Guards, bool),
    ) -> Contraction {
        let free = guards.left.is_empty() && guards.right.is_empty();
        let mirrored = free && self.is_mirrored(sides.view.assignment, &sided, (left, right));
        let Sided { around, rows, columns, depth } = sided;
        let (plain, windows) = self.machine.sizes.packed_rows;
        let least_rows = if sides.is_window(right) { windows } else { plain };
        let left_by_rows = rows.len() == 1 && sides.moves_with(left, rows[0].iter);
        let fastest = depth.last().expect("there is depth").iter;
        let lies_along = sides.is_read(left) && sides.moves_with(left, fastest);
        // A guard asks for the value of each iterator.
        let in_line = |e: ExprId, ranges: &[Range]| {
            (free || ranges.len() < 2) && self.in_line(sides.view, e, ranges)
        };
        let left_in_line = in_line(left, &depth);
        let left_in_place =
            !bounded && free && left_in_line && lies_along && self.are_few(&columns);
        let right_in_line =
            InLine { columns: in_line(right, &columns), depth: in_line(right, &depth) };
        let [rows, columns, depth] = [rows, columns, depth].map(Group::new);
        Contraction {
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
            guards,
            mirrored,
            bounded,
        }
    }

    /// Whether one operand is the other with rows and columns exchanged: `x[k, i] * x[k, j]`. Sums
    /// of the same products in the same order are the same numbers.
    fn is_mirrored(&self, a: &Assignment, sided: &Sided, (left, right): (ExprId, ExprId)) -> bool {
        let ([row], [column]) = (&sided.rows[..], &sided.columns[..]) else { return false };
        let many = self.likely_count(&row.lo, &row.hi).is_some_and(|n| n >= LEAST_MIRRORED);
        let square = row.lo == column.lo && row.hi == column.hi;
        if !many || !square || a.mask.is_some() || !is_product_of(a, (left, right)) {
            return false;
        }
        let exchange = |i: Iter| Affine::iter(if i == row.iter { column.iter } else { i });
        let mut exprs = a.exprs.clone();
        let moved = substitute(&a.exprs, &mut exprs, [left], &exchange);
        moved.is_some_and(|moved| moved[&left] == right)
    }

    /// Whether two guards leave a narrow band of the depth, whose loops are short as they are
    /// written; also where nobody knows.
    fn is_narrow(&self, (g, h): (&Constraint, &Constraint), depth: &[Range]) -> bool {
        let across = match g.relation {
            Relation::Zero => Some(Affine::fixed(0)),
            Relation::AtLeastZero => g.term.plus(&h.term),
        };
        let Some(across) = across.as_ref().and_then(Affine::as_size) else { return false };
        let width = across.eval(&|p| self.plan.likely(p));
        depth.iter().filter(|r| g.term.iters().contains(&r.iter)).any(|r| {
            let step = g.term.coefficient(r.iter).abs().max(1);
            match (self.likely_count(&r.lo, &r.hi), width) {
                (Some(length), _) if length <= FEW_TERMS => false,
                (Some(length), Some(width)) => length / LEAST_SHARE > width / step + 1,
                _ => true,
            }
        })
    }

    /// Whether integers may be taken for small.
    fn may_guess(&self) -> bool {
        self.machine.integers == Integers::Guessed
    }

    /// Whether columns are few with the extents that the routine is planned for.
    fn are_few(&self, columns: &[Range]) -> bool {
        let count = |r: &Range| Some(self.likely_count(&r.lo, &r.hi)?.max(0));
        let count = columns.iter().try_fold(1i64, |n, r| Some(n.saturating_mul(count(r)?)));
        count.is_some_and(|n| n <= FEW_COLUMNS)
    }

    /// Whether everything that a node reads lies in one line as the ranges' flat index
    /// counts: they are neighbouring axes, and all but the first run over whole axes.
    fn in_line(&self, view: &View<'_>, e: ExprId, ranges: &[Range]) -> bool {
        let exprs = &view.assignment.exprs;
        if ranges.len() < 2 || !uses(view, e, ranges) {
            return true;
        }
        let Expr::Read { tensor, index, .. } = exprs.get(e) else {
            let parts = exprs.get(e).operands();
            return !parts.is_empty() && parts.iter().all(|&x| self.in_line(view, x, ranges));
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
        view: &View<'_>,
        outer: &[Range],
        column: Range,
        (left, right): (ExprId, ExprId),
        rows: &[Range],
    ) -> Vec<Range> {
        let a = view.assignment;
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
            let Some(r) = outer.iter().find(|r| r.iter == i && !view.is_bound(i)) else {
                break;
            };
            let sided = view.nodes.get(right).iters.contains(&i)
                && !view.nodes.get(left).iters.contains(&i)
                && !rows.iter().any(|r| r.iter == i);
            if !sided || r.lo.as_constant() != Some(0) {
                break;
            }
            columns.insert(0, r.clone());
        }
        columns
    }
}

/// Of a single operand nobody expects that cells share it.
fn nothing_shared(view: &View<'_>, reduced: &[Range]) -> Refusal {
    let exprs = &view.assignment.exprs;
    let read = |e: &ExprId| matches!(exprs.get(*e), Expr::Read { .. }) && uses(view, *e, reduced);
    if exprs.ids().filter(read).count() > 1 { Refusal::NothingShared } else { Refusal::Foreign }
}

/// Whether partial results combine by one operator in the type of the cells.
pub(super) fn is_direct(a: Accumulator) -> bool {
    matches!(a, Accumulator::Sum | Accumulator::Prod | Accumulator::Max | Accumulator::Min)
}

/// The loop that the last written axis is, if it has no value yet.
fn column_of<'v>(view: &View<'_>, outer: &'v [Range]) -> Option<&'v Range> {
    let last = view.assignment.write.last()?.as_affine()?;
    let [iter] = last.iters()[..] else { return None };
    let column = outer.iter().find(|r| r.iter == iter && !view.is_bound(iter))?;
    (last.coefficient(iter) == 1).then_some(column)
}

/// Whether an exact sum is one of products of two nodes, and of nothing else.
fn is_bounded_product(a: &Assignment, operands: (ExprId, ExprId)) -> bool {
    let fixed = matches!(a.exprs.ty(a.body), ScalarType::I32 | ScalarType::I64);
    fixed && a.mask.is_none() && is_product_of(a, operands)
}

fn is_product_of(a: &Assignment, (left, right): (ExprId, ExprId)) -> bool {
    let Expr::Binary(BinaryOp::Mul, x, y, _) = a.exprs.get(a.body) else { return false };
    [*x, *y] == [left, right] || [*x, *y] == [right, left]
}

/// Whether nothing but the operands needs statements of its own, and these cannot fail: where
/// they are packed they are computed at other points than where they are used.
fn is_calm_beside(view: &View<'_>, e: ExprId, operands: (ExprId, ExprId)) -> bool {
    let node = view.nodes.get(e);
    if !node.statements {
        return true;
    }
    if e == operands.0 || e == operands.1 {
        return !node.traps;
    }
    match view.assignment.exprs.get(e) {
        Expr::Unary(_, x) | Expr::Cast(_, x) => is_calm_beside(view, *x, operands),
        Expr::Binary(_, x, y, _) if !node.traps => {
            is_calm_beside(view, *x, operands) && is_calm_beside(view, *y, operands)
        }
        _ => false,
    }
}

fn uses(view: &View<'_>, e: ExprId, ranges: &[Range]) -> bool {
    ranges.iter().any(|r| view.nodes.get(e).iters.contains(&r.iter))
}

/// The iterator that an index term is, and no more.
fn plain(t: &IndexTerm) -> Option<Iter> {
    t.as_affine()?.as_iter()
}

/// A column and the depth, for which rows and operands are looked for.
struct Search<'a, 'p> {
    view: &'a View<'p>,
    column: Iter,
    depth: &'a [Range],
}

impl Search<'_, '_> {
    fn iters(&self, e: ExprId) -> &[Iter] {
        &self.view.nodes.get(e).iters
    }

    fn is_reduced(&self, e: ExprId) -> bool {
        self.depth.iter().any(|r| self.iters(e).contains(&r.iter))
    }

    fn loads(&self, e: ExprId) -> bool {
        self.view.nodes.get(e).loads
    }

    /// Whether a node is a number made of iterators only, by at least one operator: worth
    /// to be computed once for all cells that share it, like what is read.
    fn computes(&self, e: ExprId) -> bool {
        let exprs = &self.view.assignment.exprs;
        exprs.ty(e) != ScalarType::Bool && !exprs.get(e).operands().is_empty()
    }

    /// Whether one operand moves with `i` and not with the column, and another the other
    /// way round.
    fn is_row(&self, i: Iter) -> bool {
        let splits = |with: Iter, without: Iter| {
            self.view.assignment.exprs.ids().any(|e| {
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
        let all: Vec<ExprId> = self.view.assignment.exprs.ids().collect();
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
        matches!(self.view.assignment.exprs.get(e), Expr::Read { .. })
    }

    /// Whether a node reads windows that move along memory with the column: one cell of
    /// what is read is read for many columns.
    fn is_window(&self, node: ExprId) -> bool {
        let exprs = &self.view.assignment.exprs;
        reachable_from(exprs, [node]).into_iter().any(|e| self.reads_window(e))
    }

    fn reads_window(&self, e: ExprId) -> bool {
        let Expr::Read { index, .. } = self.view.assignment.exprs.get(e) else { return false };
        let Some(last) = index.last().and_then(IndexTerm::as_affine) else { return false };
        let is_depth = |i: Iter| self.depth.iter().any(|r| r.iter == i);
        last.coefficient(self.column) == 1 && last.iters().into_iter().any(is_depth)
    }

    /// Whether what a node reads lies next to each other from one `i` to the next.
    fn moves_with(&self, node: ExprId, i: Iter) -> bool {
        let exprs = &self.view.assignment.exprs;
        match exprs.get(node) {
            Expr::Read { index, .. } => index.last().is_some_and(|t| plain(t) == Some(i)),
            other => other.operands().iter().any(|&e| self.moves_with(e, i)),
        }
    }
}
