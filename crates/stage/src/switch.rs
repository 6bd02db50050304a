//! Long chains of choices by one integer: `match n { 0 => …, 1 => …, 2..9 => … }`.
//!
//! A chain asks for one value after the other. Where each condition says between which
//! numbers one integer lies, the numbers divide into segments with one arm each: constants
//! are read from a table, everything else is found by halving.

use crate::env::EnvId;
use crate::frame::{Frame, Path};
use crate::stager::Stager;
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, LocalId};
use weft_tensor::{Array, Axis, Data, Definition, Expr as Node, ExprId, IndexTerm};

/// Shorter chains stay chains.
const FEWEST_ARMS: usize = 16;
/// Numbers that a table may hold for each segment, and at any rate.
const TABLE_PER_SEGMENT: i128 = 8;
const SMALL_TABLE: i128 = 4096;

/// Numbers between two, both counted.
type Interval = (i128, i128);

/// A chain by one integer: the arms in order, and what is left.
struct Chain<'p> {
    /// The integer, where it stands in the first condition.
    subject: &'p Expr,
    arms: Vec<Arm<'p>>,
    otherwise: &'p Expr,
}

struct Arm<'p> {
    condition: &'p Expr,
    value: &'p Expr,
    numbers: Vec<Interval>,
}

/// Numbers up to an end, from where the segment before ends: the arm, or none of them.
#[derive(Clone, Copy, PartialEq)]
struct Segment {
    last: i128,
    arm: Option<usize>,
}

impl<'p> Stager<'p> {
    /// The value of a long chain of choices by one integer; none of another expression.
    pub fn lower_switch(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> Option<ExprId> {
        let chain = chain_of(e)?;
        let ty = self.elem(&chain.subject.ty);
        let subject = self.lower(chain.subject, env, frame, &[]);
        let segments = segments_of(&chain.arms, ty);
        let otherwise = self.lower_otherwise(&chain, env, frame, idx);
        if let Some(found) = self.read_table(&chain, &segments, subject, otherwise, frame) {
            return Some(found);
        }
        let mut values = Vec::new();
        for arm in &chain.arms {
            let depth = frame.path.len();
            frame.path.push(Path::Expr(arm.condition, env, true));
            values.push(self.lower_lifted(arm.value, env, frame, idx));
            frame.leave(depth);
        }
        let value = |s: &Segment| s.arm.map_or(otherwise, |n| values[n]);
        Some(halved(&segments, &value, subject, ty, frame))
    }

    fn lower_otherwise(
        &mut self,
        chain: &Chain<'p>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let depth = frame.path.len();
        frame.path.extend(chain.arms.iter().map(|a| Path::Expr(a.condition, env, false)));
        let value = self.lower_lifted(chain.otherwise, env, frame, idx);
        frame.leave(depth);
        value
    }

    /// The chain as a table, where all in it is constant and the numbers are close together.
    fn read_table(
        &mut self,
        chain: &Chain<'p>,
        segments: &[Segment],
        subject: ExprId,
        otherwise: ExprId,
        frame: &mut Frame<'p>,
    ) -> Option<ExprId> {
        let Node::Const(other) = *frame.exprs.get(otherwise) else { return None };
        let constant = |a: &Arm<'p>| match a.value.kind {
            ExprKind::Const(v) if v.ty() == other.ty() => Some(v),
            _ => None,
        };
        let values: Vec<Scalar> = chain.arms.iter().map(constant).collect::<Option<_>>()?;
        let low = chain.arms.iter().flat_map(|a| &a.numbers).map(|w| w.0).min()?;
        let high = chain.arms.iter().flat_map(|a| &a.numbers).map(|w| w.1).max()?;
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
        let table = self.constant_table(cells, other.ty(), chain.otherwise.span);
        Some(read_within(table, other.ty(), (least, count as i64), subject, otherwise, frame))
    }

    fn constant_table(
        &mut self,
        cells: Vec<Scalar>,
        elem: ScalarType,
        span: weft_base::Span,
    ) -> weft_tensor::TensorId {
        let array = Array::new(vec![cells.len()], Data::from_scalars(elem, &cells));
        let axes = vec![Axis { extent: (cells.len() as i64).into(), name: None }];
        let table = self.tensor(None, elem, axes);
        let tensor = &mut self.graph().tensors[table];
        tensor.span = Some(span);
        let array = array.expect("a cell for each number");
        tensor.definition = Definition::Constant(array.into());
        table
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
    frame: &mut Frame<'_>,
) -> ExprId {
    let ty = frame.exprs.ty(subject);
    let (least, most) = (Scalar::from_i64(ty, low), Scalar::from_i64(ty, low + count - 1));
    let (least, most) = (frame.exprs.constant(least), frame.exprs.constant(most));
    let above = frame.exprs.binary(BinaryOp::Ge, subject, least);
    let below = frame.exprs.binary(BinaryOp::Le, subject, most);
    let inside = frame.exprs.binary(BinaryOp::And, above, below);
    let near = frame.exprs.binary(BinaryOp::Max, subject, least);
    let near = frame.exprs.binary(BinaryOp::Min, near, most);
    let near = frame.exprs.cast(ScalarType::I64, near);
    let first = frame.exprs.index(Affine::fixed(low));
    let at = frame.exprs.binary(BinaryOp::Sub, near, first);
    let read = Node::Read { tensor, index: vec![IndexTerm::Data(at)], site: None };
    let read = frame.exprs.add(read, elem);
    frame.exprs.if_else(inside, read, otherwise)
}

/// The value of the segment that the subject lies in.
fn halved(
    segments: &[Segment],
    value: &dyn Fn(&Segment) -> ExprId,
    subject: ExprId,
    ty: ScalarType,
    frame: &mut Frame<'_>,
) -> ExprId {
    if let [one] = segments {
        return value(one);
    }
    let (left, right) = segments.split_at(segments.len() / 2);
    let last = left.last().expect("two segments or more").last;
    let bound = i64::try_from(last).expect("a number that a condition names");
    let bound = frame.exprs.constant(Scalar::from_i64(ty, bound));
    let below = frame.exprs.binary(BinaryOp::Le, subject, bound);
    let a = halved(left, value, subject, ty, frame);
    let b = halved(right, value, subject, ty, frame);
    frame.exprs.if_else(below, a, b)
}

/// The segments of all numbers of a type; the first arm that takes a number has it.
fn segments_of(arms: &[Arm<'_>], ty: ScalarType) -> Vec<Segment> {
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
fn chain_of(e: &Expr) -> Option<Chain<'_>> {
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
