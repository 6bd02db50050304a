//! Short sums: a few terms inside a step whose state is in registers, added as a tree.
//!
//! ```text
//! x[t, i] = sum[k in 0..4](a[i, k] * x[t - 1, k])
//!   =>   ((0 + a[i, 0] * x0) + a[i, 1] * x1) + (a[i, 2] * x2 + a[i, 3] * x3)
//! ```
//!
//! Such a step takes as long as its longest path: nothing else is there to be done
//! meanwhile. For the same reason factors that the steps do not change are multiplied before
//! those that they do. The terms of longer sums are many enough to keep the processor busy,
//! and with strict floats all meet as they are written.

use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::lower::nest::operator;
use crate::recognise::points;
use weft_domain::{Iter, Range};
use weft_loops::Expr;
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::reachable_from;
use weft_tensor::{Accumulator, Expr as Node, ExprId, TensorId};

/// The most terms.
const MOST_TERMS: usize = 8;

/// The most factors of a term.
const MOST_FACTORS: usize = 8;

impl<'p> Emitter<'p> {
    /// The sum, or product, of `value` at the points of some loops, where that is short.
    pub fn unrolled_reduction(
        &mut self,
        body: &mut Body<'p>,
        kind: Accumulator,
        elem: ScalarType,
        loops: &[Range],
        value: ExprId,
    ) -> Option<Expr> {
        let free = self.in_registers.is_some() && !self.plan.options.strict && elem.is_float();
        let op = operator(kind).filter(|op| matches!(op, BinaryOp::Add | BinaryOp::Mul))?;
        let plain =
            body.waiting.is_empty() && body.copy.is_none() && !body.nodes.get(value).statements;
        (free && plain).then_some(())?;
        let points = points(loops, MOST_TERMS)?;
        let mut terms = Vec::new();
        body.copied = loops.iter().map(|r| r.iter).collect();
        for (n, point) in points.iter().enumerate() {
            body.copy = Some(n as u32);
            for &(iter, at) in point {
                let at = self.f.int(at);
                body.bind(iter, at, self.top());
            }
            terms.push(self.term(body, value));
        }
        for iter in std::mem::take(&mut body.copied) {
            body.unbind(iter);
        }
        body.copy = None;
        // As in any order, nothing but negative zeros make no negative zero.
        let start = self.f.constant(kind.identity(elem));
        terms[0] = self.f.binary(op, start, terms[0]);
        Some(self.tree(op, &terms))
    }

    /// A node's value, where it is a product of three or more the fixed ones first.
    fn term(&mut self, body: &mut Body<'p>, e: ExprId) -> Expr {
        let a = body.assignment;
        let mut factors = Vec::new();
        let mut stack = vec![e];
        while let Some(x) = stack.pop() {
            match a.exprs.get(x) {
                Node::Binary(BinaryOp::Mul, l, r, None) if factors.len() < MOST_FACTORS => {
                    stack.extend([*r, *l]);
                }
                _ => factors.push(x),
            }
        }
        let is_fixed = |x: &ExprId| !self.changes(body, *x);
        let (fixed, others): (Vec<ExprId>, Vec<ExprId>) = factors.into_iter().partition(is_fixed);
        if fixed.len() < 2 || others.is_empty() {
            return self.value(body, e);
        }
        let mut times = |of: Vec<ExprId>| {
            let values: Vec<Expr> = of.into_iter().map(|x| self.value(body, x)).collect();
            values.into_iter().reduce(|x, y| self.f.binary(BinaryOp::Mul, x, y))
        };
        let (fixed, others) = (times(fixed), times(others));
        let (fixed, others) = (fixed.expect("there are two"), others.expect("there is one"));
        self.f.binary(BinaryOp::Mul, fixed, others)
    }

    /// Whether a value may be another one in the next step.
    fn changes(&self, body: &Body<'p>, e: ExprId) -> bool {
        let exprs = &body.assignment.exprs;
        let written = |t: &TensorId| self.in_registers.as_ref().is_some_and(|all| all.contains(t));
        let reads_written = reachable_from(exprs, [e])
            .into_iter()
            .any(|x| matches!(exprs.get(x), Node::Read { tensor, .. } if written(tensor)));
        // What time loops fix has its value where the nest begins.
        let moves = |i: &Iter| !body.copied.contains(i) && body.block_of(*i) == body.base;
        reads_written || body.nodes.get(e).iters.iter().any(moves)
    }

    fn tree(&mut self, op: BinaryOp, terms: &[Expr]) -> Expr {
        let [term] = terms else {
            let (first, rest) = terms.split_at(terms.len().div_ceil(2));
            let (first, rest) = (self.tree(op, first), self.tree(op, rest));
            return self.f.binary(op, first, rest);
        };
        *term
    }
}
