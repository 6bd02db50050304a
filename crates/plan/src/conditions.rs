//! Conditions that hold wherever a node is evaluated, as terms that are not negative.
//!
//! `if parent[b] < b { depth[parent[b]] }`: at the read, `b - parent[b] - 1 >= 0`. Only
//! what every path to the node has passed counts.

use crate::reads::reachable_from;
use weft_domain::{Affine, Iter};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};
use weft_shape::Size;
use weft_tensor::{Assignment, Expr, ExprId};

/// More work than this is not spent on one read.
const MAX_WORK: usize = 1 << 16;

/// An edge that is passed only where a condition has this truth.
struct Gate {
    from: ExprId,
    to: ExprId,
    condition: ExprId,
    truth: bool,
}

/// Terms that are not negative wherever `node` is evaluated. `data` names the computed
/// integers that may occur in them by an iterator each.
pub(crate) fn known_at(
    a: &Assignment,
    node: ExprId,
    data: &dyn Fn(ExprId) -> Option<Iter>,
) -> Vec<Affine> {
    let gates = gates(a);
    let mut known = Known { a, data, terms: Vec::new() };
    if gates.len() * a.exprs.len() > MAX_WORK {
        return Vec::new();
    }
    for g in &gates {
        if !reaches(a, node, Some(g)) {
            known.add(g.condition, g.truth);
        }
    }
    if let Some(mask) = a.mask
        && !reachable_from(&a.exprs, [mask]).contains(&node)
    {
        known.add(mask, true);
    }
    known.terms
}

fn gates(a: &Assignment) -> Vec<Gate> {
    let mut gates = Vec::new();
    for from in crate::reads::reachable(a) {
        let mut gate = |to, condition, truth| gates.push(Gate { from, to, condition, truth });
        match a.exprs.get(from) {
            Expr::If(c, x, y) => {
                gate(*x, *c, true);
                gate(*y, *c, false);
            }
            Expr::Check { condition, value, .. } => gate(*value, *condition, true),
            Expr::Reduce(r) => {
                if let Some(mask) = r.mask {
                    gate(r.body, mask, true);
                }
            }
            _ => {}
        }
    }
    gates
}

/// Whether the roots reach `node` without passing the gate.
fn reaches(a: &Assignment, node: ExprId, closed: Option<&Gate>) -> bool {
    let mut seen = vec![false; a.exprs.len()];
    let mut stack: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    while let Some(e) = stack.pop() {
        if e == node {
            return true;
        }
        if std::mem::replace(&mut seen[e.as_u32() as usize], true) {
            continue;
        }
        let mut next = a.exprs.get(e).operands();
        if let Some(g) = closed.filter(|g| g.from == e) {
            // One operand standing on both sides of an `if` is not behind the gate.
            if let Some(at) = next.iter().rposition(|x| *x == g.to) {
                next.remove(at);
            }
        }
        stack.extend(next);
    }
    false
}

struct Known<'a> {
    a: &'a Assignment,
    data: &'a dyn Fn(ExprId) -> Option<Iter>,
    terms: Vec<Affine>,
}

impl Known<'_> {
    /// Takes in that `e` is `truth`. Conjunctions give both sides.
    fn add(&mut self, e: ExprId, truth: bool) {
        let mut stack = vec![(e, truth)];
        while let Some((e, truth)) = stack.pop() {
            match *self.a.exprs.get(e) {
                Expr::Unary(UnaryOp::Not, x) => stack.push((x, !truth)),
                Expr::Binary(BinaryOp::And, x, y, _) if truth => {
                    stack.extend([(x, true), (y, true)]);
                }
                Expr::Binary(BinaryOp::Or, x, y, _) if !truth => {
                    stack.extend([(x, false), (y, false)]);
                }
                Expr::If(x, y, z) if truth && self.is_bool(z, false) => {
                    stack.extend([(x, true), (y, true)]);
                }
                Expr::If(x, y, z) if !truth && self.is_bool(y, true) => {
                    stack.extend([(x, false), (z, false)]);
                }
                Expr::Binary(op, x, y, _) => self.compare(op, x, y, truth),
                _ => {}
            }
        }
    }

    fn is_bool(&self, e: ExprId, value: bool) -> bool {
        *self.a.exprs.get(e) == Expr::Const(Scalar::Bool(value))
    }

    fn compare(&mut self, op: BinaryOp, x: ExprId, y: ExprId, truth: bool) {
        use BinaryOp::*;
        if !self.a.exprs.ty(x).is_int() {
            return;
        }
        let (Some(x), Some(y)) = (self.term(x), self.term(y)) else { return };
        let op = match (op, truth) {
            (op, true) => op,
            (Lt, false) => Ge,
            (Le, false) => Gt,
            (Gt, false) => Le,
            (Ge, false) => Lt,
            (Ne, false) => Eq,
            _ => return,
        };
        let one = Size::constant(-1);
        let less = |a: &Affine, b: &Affine| Some(b.minus(a)?.plus_size(&one));
        match op {
            Lt => self.terms.extend(less(&x, &y)),
            Gt => self.terms.extend(less(&y, &x)),
            Le => self.terms.extend(y.minus(&x)),
            Ge => self.terms.extend(x.minus(&y)),
            Eq => {
                self.terms.extend(y.minus(&x));
                self.terms.extend(x.minus(&y));
            }
            _ => {}
        }
    }

    /// An integer node as an affine term.
    fn term(&self, e: ExprId) -> Option<Affine> {
        if let Some(i) = (self.data)(strip(self.a, e)) {
            return Some(Affine::iter(i));
        }
        match self.a.exprs.get(e) {
            Expr::Index(a) => Some(a.clone()),
            Expr::Const(s) => s.as_i64().map(Affine::fixed),
            Expr::Cast(_, x) if self.a.exprs.ty(*x).is_int() => self.term(*x),
            _ => None,
        }
    }
}

/// The node below conversions between integers.
pub(crate) fn strip(a: &Assignment, mut e: ExprId) -> ExprId {
    while let Expr::Cast(_, x) = a.exprs.get(e) {
        if !a.exprs.ty(*x).is_int() {
            break;
        }
        e = *x;
    }
    e
}
