//! Integers that leave their type: what of a body says whether one does.
//!
//! A checked operator is pure like any other and computed where it suits, in lanes not taken
//! too. Whether it leaves its type is a value beside it, asked for where the body is used:
//! there a flag is raised ([`Stmt::Flag`]), and whoever calls finds out where it happened.
//! A *precise* routine looks at each operator by itself, as at a division by zero.

use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::nodes::is_checked;
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::Affine;
use weft_loops::{Expr as Value, Stmt};
use weft_scalar::eval::is_bounded;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Expr, ExprId};

/// Numbers with longer paths below them are looked at where they are computed.
const DEEPEST: u32 = 16;

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
        if self.machine.is_precise() || !body.nodes.get(root).checked {
            return None;
        }
        let mut found = BTreeSet::from([root]);
        let mut stack = vec![root];
        while let Some(x) = stack.pop() {
            for y in evaluated_with(body, x) {
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
        for x in evaluated_with(body, e) {
            cond = self.either(cond, conds.get(&x).copied());
        }
        let own = match a.exprs.get(e) {
            Expr::Binary(..) if is_checked(a, e) && self.number_ends(body, e).is_some() => None,
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
            && let Some((lo, hi)) = self.number_ends(body, *x)
        {
            if let Some(cond) = self.beyond(*ty, lo, hi) {
                self.ask(body, value, cond);
            }
            return None;
        }
        let holds = self.value(body, condition);
        Some(self.f.unary(UnaryOp::Not, holds))
    }

    /// A flag before the loops, where a condition holds for some indices in their ranges.
    fn ask(&mut self, body: &mut Body<'p>, about: ExprId, cond: Value) {
        if self.f.as_bool(cond) != Some(false) && body.asked.insert(about) {
            self.blocks[body.base].stmts.push(Stmt::Flag { cond });
        }
    }

    /// The least and the greatest value of a number made of indices and constants alone, by
    /// the ranges of the iterators, where it does not leave its type: that is asked once,
    /// before the loops.
    fn number_ends(&mut self, body: &mut Body<'p>, e: ExprId) -> Option<(Value, Value)> {
        if let Some(known) = body.ends.get(&e) {
            return *known;
        }
        let found = if body.nodes.get(e).loads || body.nodes.get(e).depth > DEEPEST {
            None
        } else {
            self.ends_here(body, e)
        };
        body.ends.insert(e, found);
        found
    }

    fn ends_here(&mut self, body: &mut Body<'p>, e: ExprId) -> Option<(Value, Value)> {
        let a = body.assignment;
        let ty = a.exprs.ty(e);
        match a.exprs.get(e) {
            Expr::Const(v) if ty.is_int() => {
                let v = self.f.constant(*v);
                Some((v, v))
            }
            Expr::Index(term) => self.ends_of(body, term),
            Expr::Cast(_, x) if ty.is_int() && a.exprs.ty(*x).is_int() => {
                let (lo, hi) = self.number_ends(body, *x)?;
                Some((self.f.cast(ty, lo), self.f.cast(ty, hi)))
            }
            Expr::Check { value, .. } if a.exprs.fitted(e).is_some() => {
                self.number_ends(body, *value)
            }
            Expr::Binary(op, x, y, _) if ty.is_int() => {
                let corners = self.corners(body, *op, *x, *y)?;
                if is_checked(a, e) {
                    let overflows = |(x, y)| Some(self.f.overflows(*op, x, y));
                    let conds: Vec<Option<Value>> =
                        corners.iter().copied().map(overflows).collect();
                    let cond = conds.into_iter().fold(None, |a, b| self.either(a, b));
                    self.ask(body, e, cond.expect("there are corners"));
                }
                let values: Vec<Value> =
                    corners.into_iter().map(|(x, y)| self.f.binary(*op, x, y)).collect();
                Some((self.folded(BinaryOp::Min, &values), self.folded(BinaryOp::Max, &values)))
            }
            _ => None,
        }
    }

    /// The operands at which an operator has its least and its greatest value.
    fn corners(
        &mut self,
        body: &mut Body<'p>,
        op: BinaryOp,
        x: ExprId,
        y: ExprId,
    ) -> Option<Vec<(Value, Value)>> {
        use BinaryOp::{Add, Max, Min, Mul, Sub};
        matches!(op, Add | Sub | Mul | Min | Max).then_some(())?;
        let ((a, b), (c, d)) = (self.number_ends(body, x)?, self.number_ends(body, y)?);
        Some(match op {
            Mul => vec![(a, c), (a, d), (b, c), (b, d)],
            Sub => vec![(a, d), (b, c)],
            _ => vec![(a, c), (b, d)],
        })
    }

    fn folded(&mut self, op: BinaryOp, values: &[Value]) -> Value {
        let (first, rest) = values.split_first().expect("there are corners");
        rest.iter().fold(*first, |a, b| self.f.binary(op, a, *b))
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

/// The operands whose evaluation belongs to that of a node: not what has statements of
/// its own.
fn evaluated_with(body: &Body<'_>, e: ExprId) -> Vec<ExprId> {
    match body.assignment.exprs.get(e) {
        Expr::Check { condition, value, .. } => vec![*condition, *value],
        _ => body.nodes.strict_operands(body.assignment, e),
    }
}
