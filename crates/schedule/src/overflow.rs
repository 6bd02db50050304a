//! Integers that leave their type: what of a body says whether one does.
//!
//! A checked operator is pure like any other and computed where it suits, in lanes not taken
//! too. Whether it leaves its type is a value beside it, asked for where the body is used:
//! there a flag is raised ([`Stmt::Flag`]), and whoever calls finds out where it happened.
//! A *precise* routine looks at each operator by itself, as at a division by zero.

use crate::body::Body;
use crate::lower::Emitter;
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::Affine;
use weft_loops::{Expr as Value, Stmt};
use weft_scalar::eval::{is_bounded, may_overflow};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Assignment, Expr, ExprId};

/// Whether an operator of a body may leave its type, and fails where it does.
pub(crate) fn is_checked(a: &Assignment, e: ExprId) -> bool {
    match a.exprs.get(e) {
        Expr::Binary(op, x, _, Some(_)) => may_overflow(*op, a.exprs.ty(*x)),
        _ => false,
    }
}

impl<'p> Emitter<'p> {
    /// The value of a node, and a flag where an integer in it leaves its type.
    pub fn noted(&mut self, body: &mut Body<'p>, e: ExprId) -> Value {
        let value = self.value(body, e);
        if let Some(cond) = self.overflow_of(body, e) {
            self.push(Stmt::Flag { cond });
        }
        value
    }

    /// The same where it counts only under a condition.
    pub fn noted_where(&mut self, body: &mut Body<'p>, holds: Value, e: ExprId) -> Value {
        let value = self.value(body, e);
        if let Some(cond) = self.overflow_of(body, e) {
            let cond = self.f.binary(BinaryOp::And, holds, cond);
            self.push(Stmt::Flag { cond });
        }
        value
    }

    /// Whether an integer leaves its type in the evaluation of a node whose value is known
    /// here; nothing where none does.
    fn overflow_of(&mut self, body: &mut Body<'p>, root: ExprId) -> Option<Value> {
        if self.machine.precise || !body.nodes.get(root).checked {
            return None;
        }
        let mut found = BTreeSet::from([root]);
        let mut stack = vec![root];
        while let Some(x) = stack.pop() {
            for y in self.evaluated_with(body, x) {
                if body.nodes.get(y).checked && !body.opaque.contains(&y) && found.insert(y) {
                    stack.push(y);
                }
            }
        }
        let mut conds: BTreeMap<ExprId, Value> = BTreeMap::new();
        for x in found {
            if let Some(cond) = self.overflow_at(body, x, &conds) {
                conds.insert(x, cond);
            }
        }
        conds.remove(&root)
    }

    /// The operands whose evaluation belongs to that of a node: not what has statements of
    /// its own.
    fn evaluated_with(&self, body: &Body<'p>, e: ExprId) -> Vec<ExprId> {
        match body.assignment.exprs.get(e) {
            Expr::Check { condition, value, .. } => vec![*condition, *value],
            _ => body.nodes.strict_operands(body.assignment, e),
        }
    }

    fn overflow_at(
        &mut self,
        body: &mut Body<'p>,
        e: ExprId,
        conds: &BTreeMap<ExprId, Value>,
    ) -> Option<Value> {
        let a = body.assignment;
        if let Expr::If(c, x, y) = a.exprs.get(e) {
            let cond = conds.get(c).copied();
            let selects = body.nodes.may_select(*x) && body.nodes.may_select(*y);
            let sides = selects.then(|| [conds.get(x).copied(), conds.get(y).copied()]);
            let side = match sides {
                Some([None, None]) | None => None,
                Some(sides) => {
                    let no = self.f.constant(Scalar::Bool(false));
                    let holds = self.value(body, *c);
                    let [x, y] = sides.map(|s| s.unwrap_or(no));
                    Some(self.f.select(holds, x, y))
                }
            };
            return self.either(cond, side);
        }
        let mut cond = None;
        for x in self.evaluated_with(body, e) {
            cond = self.either(cond, conds.get(&x).copied());
        }
        let own = match a.exprs.get(e) {
            Expr::Binary(op, x, y, _) if is_checked(a, e) => {
                let (x, y) = (self.value(body, *x), self.value(body, *y));
                Some(self.f.overflows(*op, x, y))
            }
            Expr::Check { condition, value, .. } if a.exprs.fitted(e).is_some() => {
                self.unfit(body, *condition, *value)
            }
            _ => None,
        };
        self.either(cond, own)
    }

    fn either(&mut self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.f.binary(BinaryOp::Or, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// Where an integer does not fit a type. An index does by the ends of its range: that is
    /// one question before the loops.
    fn unfit(&mut self, body: &mut Body<'p>, condition: ExprId, value: ExprId) -> Option<Value> {
        let a = body.assignment;
        if let Expr::Cast(ty, x) = a.exprs.get(value)
            && let Expr::Index(term) = a.exprs.get(*x)
            && let Some((lo, hi)) = self.ends_of(body, term)
        {
            if let Some(cond) = self.beyond(*ty, lo, hi)
                && body.asked.insert(value)
            {
                self.blocks[body.base].stmts.push(Stmt::Flag { cond });
            }
            return None;
        }
        let holds = self.value(body, condition);
        Some(self.f.unary(UnaryOp::Not, holds))
    }

    /// The least and the greatest value of an index, by the ranges of the iterators.
    fn ends_of(&mut self, body: &Body<'p>, term: &Affine) -> Option<(Value, Value)> {
        let lo = body.scope.lower(term)?.as_size().cloned()?;
        let hi = body.scope.upper(term)?.as_size().cloned()?;
        Some((self.size(&lo), self.size(&hi)))
    }

    /// Whether `lo..=hi` has an integer that a type does not hold; nothing where it has none.
    fn beyond(&mut self, ty: ScalarType, lo: Value, hi: Value) -> Option<Value> {
        let [least, greatest] = [Scalar::least(ty), Scalar::greatest(ty)].map(Scalar::as_i64);
        let below = self.f.int(least?);
        let below = self.f.binary(BinaryOp::Lt, lo, below);
        let above = greatest.map(|end| {
            let end = self.f.int(end);
            self.f.binary(BinaryOp::Gt, hi, end)
        });
        let cond = self.either(Some(below), above)?;
        (self.f.as_bool(cond) != Some(false)).then_some(cond)
    }

    /// A flag where a partial result leaves its type: the whole may be in it again, which
    /// whoever calls finds out.
    pub fn flag_partial(&mut self, op: BinaryOp, a: Value, b: Value) {
        if is_bounded(self.f.ty(a)) {
            let cond = self.f.overflows(op, a, b);
            self.push(Stmt::Flag { cond });
        }
    }
}
