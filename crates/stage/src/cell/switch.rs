//! Long chains of choices by one integer: `match n { 0 => …, 1 => …, 2..9 => … }`.
//!
//! A chain asks for one value after the other. Where each condition says between which
//! numbers one integer lies, the numbers divide into segments with one arm each: constants
//! are read from a table, everything else is found by halving.

use crate::unit::tensors::Tensors;
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, LocalId};
use weft_tensor::{Expr as Node, ExprId, Exprs, IndexTerm};

/// Shorter chains stay chains.
const FEWEST_ARMS: usize = 16;
/// Numbers that a table may hold for each segment, and at any rate.
const TABLE_PER_SEGMENT: i128 = 8;
const SMALL_TABLE: i128 = 4096;

/// Numbers between two, both counted.
type Interval = (i128, i128);

/// A chain by one integer: the arms in order, and what is left.
pub(super) struct Chain<'p> {
    /// The integer, where it stands in the first condition.
    pub subject: &'p Expr,
    pub arms: Vec<Arm<'p>>,
    pub otherwise: &'p Expr,
}

pub(super) struct Arm<'p> {
    pub condition: &'p Expr,
    pub value: &'p Expr,
    pub numbers: Vec<Interval>,
}

/// Numbers up to an end, from where the segment before ends: the arm, or none of them.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Segment {
    pub last: i128,
    pub arm: Option<usize>,
}

impl Chain<'_> {
    /// The chain as a table, where all in it is constant and the numbers are close together.
    pub fn read_table(
        &self,
        segments: &[Segment],
        subject: ExprId,
        otherwise: ExprId,
        tensors: &mut Tensors,
        exprs: &mut Exprs,
    ) -> Option<ExprId> {
        let Node::Const(other) = *exprs.get(otherwise) else { return None };
        let constant = |a: &Arm<'_>| match a.value.kind {
            ExprKind::Const(v) if v.ty() == other.ty() => Some(v),
            _ => None,
        };
        let values: Vec<Scalar> = self.arms.iter().map(constant).collect::<Option<_>>()?;
        let low = self.arms.iter().flat_map(|a| &a.numbers).map(|w| w.0).min()?;
        let high = self.arms.iter().flat_map(|a| &a.numbers).map(|w| w.1).max()?;
        let count = high.checked_sub(low)?.checked_add(1)?;
        let least = i64::try_from(low).ok()?;
        if count > SMALL_TABLE.max(TABLE_PER_SEGMENT * segments.len() as i128) {
            return None;
        }
        let segment = |n: i128| segments.get(segments.partition_point(|s| s.last < n)).copied();
        let mut cells = Vec::new();
        let mut at = segment(low)?;
        for n in low..=high {
            if n > at.last {
                at = segment(n)?;
            }
            cells.push(at.arm.map_or(other, |arm| values[arm]));
        }
        let table = tensors.constant(vec![cells.len()], &cells, other.ty(), self.otherwise.span)?;
        Some(read_within(table, other.ty(), (least, count as i64), subject, otherwise, exprs))
    }
}

/// A cell of a table of `count` numbers from `low` on, or what holds outside of it. The index
/// is inside also where it is not asked for.
fn read_within(
    tensor: weft_tensor::TensorId,
    elem: ScalarType,
    (low, count): (i64, i64),
    subject: ExprId,
    otherwise: ExprId,
    exprs: &mut Exprs,
) -> ExprId {
    let ty = exprs.ty(subject);
    let (least, most) = (Scalar::from_i64(ty, low), Scalar::from_i64(ty, low + count - 1));
    let (least, most) = (exprs.constant(least), exprs.constant(most));
    let above = exprs.binary(BinaryOp::Ge, subject, least);
    let below = exprs.binary(BinaryOp::Le, subject, most);
    let inside = exprs.binary(BinaryOp::And, above, below);
    let near = exprs.binary(BinaryOp::Max, subject, least);
    let near = exprs.binary(BinaryOp::Min, near, most);
    let near = exprs.cast(ScalarType::I64, near);
    let first = exprs.index(Affine::fixed(low));
    let at = exprs.binary(BinaryOp::Sub, near, first);
    let read = Node::Read { tensor, index: vec![IndexTerm::Data(at)], site: None };
    let read = exprs.add(read, elem);
    exprs.if_else(inside, read, otherwise)
}

/// The value of the segment that the subject lies in.
pub(super) fn halved(
    segments: &[Segment],
    value: &dyn Fn(&Segment) -> ExprId,
    subject: ExprId,
    ty: ScalarType,
    exprs: &mut Exprs,
) -> ExprId {
    if let [one] = segments {
        return value(one);
    }
    let (left, right) = segments.split_at(segments.len() / 2);
    let last = left.last().expect("two segments or more").last;
    let bound = i64::try_from(last).expect("a number that a condition names");
    let bound = exprs.constant(Scalar::from_i64(ty, bound));
    let below = exprs.binary(BinaryOp::Le, subject, bound);
    let a = halved(left, value, subject, ty, exprs);
    let b = halved(right, value, subject, ty, exprs);
    exprs.if_else(below, a, b)
}

/// The segments of all numbers of a type; the first arm that takes a number has it.
pub(super) fn segments_of(arms: &[Arm<'_>], ty: ScalarType) -> Vec<Segment> {
    let start = Scalar::least(ty).as_i64().map_or(i128::MIN, i128::from);
    let end = Scalar::greatest(ty).as_i64().map_or(i128::MAX, i128::from);
    let mut ends: Vec<i128> =
        arms.iter().flat_map(|a| &a.numbers).flat_map(|(lo, hi)| [lo - 1, *hi]).collect();
    ends.retain(|n| (start..end).contains(n));
    ends.push(end);
    ends.sort_unstable();
    ends.dedup();
    let mut first: Vec<Option<usize>> = vec![None; ends.len()];
    for (n, arm) in arms.iter().enumerate() {
        for (lo, hi) in &arm.numbers {
            let from = ends.partition_point(|e| e < lo);
            let to = ends.partition_point(|e| e <= hi);
            first[from..to].iter_mut().for_each(|a| *a = a.or(Some(n)));
        }
    }
    let mut out: Vec<Segment> = Vec::new();
    for (last, arm) in ends.into_iter().zip(first) {
        match out.last_mut() {
            Some(before) if before.arm == arm => before.last = last,
            _ => out.push(Segment { last, arm }),
        }
    }
    out
}

/// The chain that an expression begins with, where it is long.
pub(super) fn chain_of(e: &Expr) -> Option<Chain<'_>> {
    let ExprKind::If(first, ..) = &e.kind else { return None };
    let subject = subject_of(first)?;
    let mut arms = Vec::new();
    let mut at = e;
    while let ExprKind::If(condition, value, rest) = &at.kind {
        let Some(numbers) = intervals(condition, subject) else { break };
        arms.push(Arm { condition, value, numbers });
        at = rest;
    }
    (arms.len() >= FEWEST_ARMS).then_some(Chain { subject, arms, otherwise: at })
}

/// The integer that a condition asks about first.
fn subject_of(condition: &Expr) -> Option<&Expr> {
    match &condition.kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let local = matches!(a.kind, ExprKind::Local(_)) && a.ty.rank() == Some(0);
            (local && number(b).is_some()).then_some(a)
        }
        ExprKind::Binary(_, a, _) | ExprKind::If(a, ..) => subject_of(a),
        _ => None,
    }
}

fn number(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Const(v) if v.ty().is_int() => v.as_i64().map(i128::from),
        _ => None,
    }
}

fn local(e: &Expr) -> Option<LocalId> {
    match e.kind {
        ExprKind::Local(id) => Some(id),
        _ => None,
    }
}

/// Between which numbers a condition says that the subject lies, in order and apart.
fn intervals(condition: &Expr, subject: &Expr) -> Option<Vec<Interval>> {
    const ALL: Interval = (i64::MIN as i128 - 1, i64::MAX as i128 + 1);
    match &condition.kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() && local(a) == local(subject) => {
            let n = number(b)?;
            Some(match op {
                BinaryOp::Eq => vec![(n, n)],
                BinaryOp::Lt => vec![(ALL.0, n - 1)],
                BinaryOp::Le => vec![(ALL.0, n)],
                BinaryOp::Gt => vec![(n + 1, ALL.1)],
                BinaryOp::Ge => vec![(n, ALL.1)],
                _ => return None,
            })
        }
        ExprKind::Binary(BinaryOp::And, a, b) => {
            Some(both(&intervals(a, subject)?, &intervals(b, subject)?))
        }
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            Some([intervals(a, subject)?, intervals(b, subject)?].concat())
        }
        ExprKind::If(a, b, c) => match (&b.kind, &c.kind) {
            (_, ExprKind::Const(Scalar::Bool(false))) => {
                Some(both(&intervals(a, subject)?, &intervals(b, subject)?))
            }
            (ExprKind::Const(Scalar::Bool(true)), _) => {
                Some([intervals(a, subject)?, intervals(c, subject)?].concat())
            }
            _ => None,
        },
        _ => None,
    }
}

fn both(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let meet = |x: &Interval, y: &Interval| (x.0.max(y.0), x.1.min(y.1));
    let all = a.iter().flat_map(|x| b.iter().map(move |y| meet(x, y)));
    all.filter(|(lo, hi)| lo <= hi).collect()
}
