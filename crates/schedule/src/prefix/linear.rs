//! Recurrences as linear maps: each cell a sum of cells some steps before, multiplied by
//! what does not depend on them, and of other terms.
//!
//! ```text
//! p[t] = a * p[t - 1] - b * q[t - 1] + x[t]        (p)    (a  -b) (p)   (x)
//! q[t] = b * p[t - 1] + a * q[t - 1]          =>   (q) <- (b   a) (q) + (0)
//! ```
//!
//! A cell two steps before is a second value that runs: `(y[t], y[t - 1])`.

use super::{Prefix, Term};
use std::collections::BTreeSet;
use weft_domain::{Affine, Iter};
use weft_plan::{Nest, Plan, reachable_from};
use weft_scalar::{BinaryOp, UnaryOp};
use weft_tensor::{Assignment, Expr, ExprId, IndexTerm, TensorId};

/// Factors of one product.
const MOST_FACTORS: usize = 4;

/// Terms of one sum.
const MOST_TERMS: usize = 16;

/// A value that runs: the cell of a field, so many steps before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub field: usize,
    pub back: i64,
}

/// What one nest writes as a loop over time goes on: a row of a tensor.
pub(super) struct Field<'p> {
    pub nest: &'p Nest,
    pub a: &'p Assignment,
    pub time: Iter,
    /// By how much the iterator is ahead of the loop's variable.
    pub ahead: i64,
    /// By how much the cell written is.
    at: i64,
}

impl<'p> Field<'p> {
    /// A nest inside a loop over `var`, if it writes cell after cell along its last axis.
    pub fn of(plan: &'p Plan, nest: &'p Nest, var: Iter) -> Option<Field<'p>> {
        let a = &plan.graph.assigns[nest.assign];
        let [(time, bound)] = nest.bound.as_slice() else { return None };
        let ahead = bound.minus(&Affine::iter(var))?.as_constant()?;
        let (last, others) = a.write.split_last()?;
        let last = last.as_affine()?;
        let still = |t: &IndexTerm| t.as_affine().is_some_and(|x| !x.iters().contains(time));
        let behind = last.minus(&Affine::iter(*time))?.as_constant()?;
        others.iter().all(still).then_some(Field {
            nest,
            a,
            time: *time,
            ahead,
            at: ahead + behind,
        })
    }
}

/// The fields of one loop.
pub(super) struct Fields<'f, 'p>(pub &'f [Field<'p>]);

impl Fields<'_, '_> {
    fn index_of(&self, t: TensorId) -> Option<usize> {
        self.0.iter().position(|f| f.a.target == t)
    }

    /// Whether nodes look at any of the fields.
    fn look(&self, a: &Assignment, nodes: &[ExprId]) -> bool {
        reachable_from(&a.exprs, nodes.iter().copied()).into_iter().any(|e| {
            matches!(a.exprs.get(e), Expr::Read { tensor, .. } if self.index_of(*tensor).is_some())
        })
    }

    /// The state that a field's assignment reads at `index` of a tensor.
    fn state(&self, from: usize, tensor: TensorId, index: &[IndexTerm]) -> Option<State> {
        let (field, from) = (self.index_of(tensor)?, &self.0[from]);
        let (last, others) = index.split_last()?;
        let offset = last.as_affine()?.minus(&Affine::iter(from.time))?.as_constant()?;
        let read: &Field<'_> = &self.0[field];
        let beside = read.a.target == from.a.target && others == &from.a.write[..others.len()];
        let back = read.at - from.ahead - offset;
        ((beside || others.is_empty()) && back >= 1).then_some(State { field, back })
    }

    /// A field's cells as sums of terms.
    pub fn terms(&self, field: usize) -> Option<Vec<Term>> {
        let a = self.0[field].a;
        let mut terms = Vec::new();
        let whole = Term { state: None, factors: Vec::new(), negative: false };
        self.collect((field, a), a.body, whole, &mut terms)?;
        Some(terms)
    }

    /// Adds the terms of a node, each with what surrounds it.
    fn collect(
        &self,
        (field, a): (usize, &Assignment),
        e: ExprId,
        around: Term,
        terms: &mut Vec<Term>,
    ) -> Option<()> {
        if terms.len() >= MOST_TERMS || around.factors.len() > MOST_FACTORS {
            return None;
        }
        let with = |factor: ExprId| Term {
            factors: [around.factors.as_slice(), &[factor]].concat(),
            ..around.clone()
        };
        if !self.look(a, &[e]) {
            terms.push(with(e));
            return Some(());
        }
        match a.exprs.get(e) {
            Expr::Read { tensor, index, .. } => {
                let state = Some(self.state(field, *tensor, index)?);
                terms.push(Term { state, ..around });
                Some(())
            }
            Expr::Unary(UnaryOp::Neg, x, ..) => {
                self.collect((field, a), *x, Term { negative: !around.negative, ..around }, terms)
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y, None) => {
                let negative = around.negative != (*op == BinaryOp::Sub);
                self.collect((field, a), *x, around.clone(), terms)?;
                self.collect((field, a), *y, Term { negative, ..around }, terms)
            }
            Expr::Binary(BinaryOp::Mul, x, y, None) => {
                match (self.look(a, &[*x]), self.look(a, &[*y])) {
                    (true, false) => self.collect((field, a), *x, with(*y), terms),
                    (false, true) => self.collect((field, a), *y, with(*x), terms),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A cell as `before op term`, for an operator that products do not distribute over.
    pub fn combined(&self) -> Option<(BinaryOp, Term)> {
        let [Field { a, .. }] = self.0 else { return None };
        let Expr::Binary(op, x, y, None) = *a.exprs.get(a.body) else { return None };
        matches!(op, BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max).then_some(())?;
        let before = |e: ExprId| match a.exprs.get(e) {
            Expr::Read { tensor, index, .. } => self.state(0, *tensor, index),
            _ => None,
        };
        let (state, term) = match (before(x), before(y)) {
            (Some(s), None) => (s, y),
            (None, Some(s)) => (s, x),
            _ => return None,
        };
        let alone = state.back == 1 && !self.look(a, &[term]);
        let term = Term { state: None, factors: vec![term], negative: false };
        alone.then_some((op, term))
    }
}

/// The values that run, each field's newest first, without gaps.
pub(super) fn states(terms: &[Vec<Term>]) -> Vec<State> {
    let read = || terms.iter().flatten().filter_map(|t| t.state);
    let oldest = |field| read().filter(|s| s.field == field).map(|s| s.back).max().unwrap_or(1);
    (0..terms.len())
        .flat_map(|field| (1..=oldest(field)).map(move |back| State { field, back }))
        .collect()
}

impl Prefix<'_> {
    /// Whether what states are multiplied by is the same in every step.
    pub(super) fn is_steady(&self) -> bool {
        self.fields.iter().zip(&self.terms).all(|(field, terms)| {
            let factors: BTreeSet<ExprId> = terms
                .iter()
                .filter(|t| t.state.is_some())
                .flat_map(|t| t.factors.iter().copied())
                .collect();
            let exprs = &field.a.exprs;
            reachable_from(exprs, factors).into_iter().all(|e| match exprs.get(e) {
                Expr::Index(x) => !x.iters().contains(&field.time),
                Expr::Read { index, .. } => index
                    .iter()
                    .all(|t| t.as_affine().is_some_and(|x| !x.iters().contains(&field.time))),
                Expr::Reduce(_) | Expr::Call { .. } => false,
                _ => true,
            })
        })
    }
}
