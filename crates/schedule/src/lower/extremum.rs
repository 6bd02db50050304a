//! Lower `argmax` and `argmin` along a row: blocks whose extremum does not beat the best so far
//! are passed over in lanes.
//!
//! ```text
//! for k by blocks { m = max of the block; if m beats best { for k in the block { … } } }
//! ```
//!
//! The first of equals stays the first: a block that is only as good is passed over. Of `n`
//! places in random order about `log n` blocks are looked through one by one.

use crate::lower::accumulate::Acc;
use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use weft_base::Name;
use weft_domain::{Affine, Range};
use weft_loops::Stmt;
use weft_scalar::{BinaryOp, UnaryOp};
use weft_tensor::{Accumulator, Expr, ExprId, reachable_from};

/// How many places a block has.
const BLOCK: i64 = 64;

/// Rows that are known to be shorter are looked through as they are.
const LEAST_ROW: i64 = 4 * BLOCK;

impl<'p> Emitter<'p> {
    /// Takes in the terms of a row, if they are cheap, cannot fail, and lie side by side.
    pub fn extremum_of_row(
        &mut self,
        body: &mut Body<'p>,
        acc: &Acc,
        value: ExprId,
        reduced: &[Range],
    ) -> bool {
        let (Acc::Extremum { largest, best, found, .. }, [row]) = (acc, reduced) else {
            return false;
        };
        if !is_plain_row(body, value, row) {
            return false;
        }
        let (kind, op) = match largest {
            true => (Accumulator::Max, BinaryOp::Max),
            false => (Accumulator::Min, BinaryOp::Min),
        };
        let ty = body.assignment.exprs.ty(value);
        let (lo, hi, bounds_in) = self.ends(body, row);
        let var = self.new_var(Name::new("block"));
        self.open(BlockKind::Loop { var, lo, hi, step: BLOCK, bounds_in });
        let (first, size) = (self.f.var(var), self.f.int(BLOCK));
        let end = self.f.add(first, size);
        let end = self.f.binary(BinaryOp::Min, end, hi);
        let local = self.local(kind.name(), ty);
        let start = self.f.constant(kind.identity(ty));
        self.set(local, start);
        self.open_row(body, row, (first, end));
        let term = self.value(body, value);
        self.push(Stmt::Accumulate { local, op, value: term });
        self.close_row(body, row);
        let (of_block, so_far, known) =
            (self.f.local(local), self.f.local(*best), self.f.local(*found));
        let better = self.better(*largest, of_block, so_far);
        let none = self.f.unary(UnaryOp::Not, known);
        let cond = self.f.binary(BinaryOp::Or, none, better);
        self.open(BlockKind::Branch(cond));
        self.open_row(body, row, (first, end));
        let term = self.value(body, value);
        self.take(body, acc, term);
        self.close_row(body, row);
        self.close();
        self.close();
        true
    }

    fn open_row(
        &mut self,
        body: &mut Body<'p>,
        row: &Range,
        (lo, hi): (weft_loops::Expr, weft_loops::Expr),
    ) {
        let name = body.assignment.space.iters[row.iter].clone();
        let var = self.new_var(name.unwrap_or_else(|| Name::new("i")));
        self.independent[var] = !self.rare;
        let bounds_in = self.top();
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        let value = self.f.var(var);
        body.bind(row.iter, value, self.top());
    }

    fn close_row(&mut self, body: &mut Body<'p>, row: &Range) {
        self.close();
        body.unbind(row.iter);
    }
}

/// Whether a long row's terms are cheap numbers side by side, under no condition.
fn is_plain_row(body: &Body<'_>, value: ExprId, row: &Range) -> bool {
    let a = body.assignment;
    let node = body.nodes.get(value);
    let count = row.hi.minus(&row.lo).and_then(|d| d.as_constant());
    let along = |index: &[weft_tensor::IndexTerm]| {
        let last = index.last().and_then(|t| t.as_affine());
        last.is_some_and(|t: &Affine| t.coefficient(row.iter) == 1)
    };
    let side_by_side =
        reachable_from(&a.exprs, [value]).into_iter().any(|e| match a.exprs.get(e) {
            Expr::Read { index, .. } => along(index),
            _ => false,
        });
    body.waiting.is_empty()
        && body.copy.is_none()
        && !body.is_bound(row.iter)
        && !node.checked
        && body.nodes.may_select(value)
        && side_by_side
        && count.is_none_or(|n| n >= LEAST_ROW)
}
