//! Conditions that hold wherever a node is evaluated.
//!
//! `if parent[b] < b { depth[parent[b]] }`: at the read, `b - parent[b] - 1 >= 0`. Only
//! what every path to the node has passed counts, and that it has passed one of them; the
//! ranges of a nested reduction, too, hold inside it alone.

mod paths;

use weft_domain::{Affine, Constraint, Formula, Relation};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::Size;
use weft_tensor::reachable_from;
use weft_tensor::{Assignment, Expr, ExprId, Exprs, IndexTerm};

/// More work than this is not spent on one read.
const MAX_WORK: usize = 1 << 16;

/// Conditions nested deeper are not looked into.
const MAX_DEPTH: usize = 64;

/// Comparisons that are taken in for one read.
const MAX_COMPARISONS: usize = 256;

/// The conditions that every path to a node has passed.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// Conditions and guards, each true at the node.
    pub conditions: Vec<Formula>,
    /// The reductions that the node stands inside of.
    pub reductions: Vec<ExprId>,
    /// Whether that is all: where it holds the node is evaluated.
    pub exact: bool,
}

/// An edge that is passed only where a condition has this truth, or inside a reduction.
struct Gate {
    from: ExprId,
    to: ExprId,
    means: Means,
}

#[derive(Clone, Copy)]
enum Means {
    Condition(ExprId, bool),
    Inside,
}

/// All that holds wherever `node` is evaluated, beside the ranges and guards of the space.
pub fn passed_on_the_way_to(a: &Assignment, node: ExprId, facts: &Facts<'_>) -> Passed {
    let gates = gates(a);
    let mut passed = Passed::default();
    if gates.len() * a.exprs.len() > MAX_WORK {
        return passed;
    }
    let mut known = Known { exprs: &a.exprs, facts, left: MAX_COMPARISONS, exact: true };
    let (open, closed): (Vec<&Gate>, Vec<&Gate>) =
        gates.iter().partition(|g| reaches(a, node, Some(g)));
    for g in closed {
        match g.means {
            Means::Condition(c, truth) => passed.conditions.push(known.formula(c, truth, 0)),
            Means::Inside => passed.reductions.push(g.from),
        }
    }
    if let Some(mask) = a.mask
        && !reachable_from(&a.exprs, [mask]).contains(&node)
    {
        passed.conditions.push(known.formula(mask, true, 0));
    }
    passed.conditions.extend(paths::passed_on_some_path(a, node, &open, &mut known));
    for &r in &passed.reductions {
        let Expr::Reduce(r) = a.exprs.get(r) else { continue };
        passed.conditions.extend(r.guards.iter().cloned().map(Formula::Holds));
    }
    passed.exact = known.exact;
    passed
}

/// Terms over indices alone that are not negative wherever `node` is evaluated, beside what
/// the ranges and guards of the space say; `is_non_negative` knows these.
pub fn known_at(
    a: &Assignment,
    node: ExprId,
    is_non_negative: &dyn Fn(&Affine) -> bool,
) -> Vec<Affine> {
    let facts = Facts { data: &|_| None, is_non_negative };
    terms_of(&passed_on_the_way_to(a, node, &facts).conditions)
}

/// The guards that a condition being `truth` is the same as, if it compares indices and asks
/// for all of some comparisons; `is_non_negative` knows terms over the indices.
pub fn as_guards(
    exprs: &Exprs,
    condition: ExprId,
    truth: bool,
    is_non_negative: &dyn Fn(&Affine) -> bool,
) -> Option<Vec<Constraint>> {
    let facts = Facts { data: &|_| None, is_non_negative };
    let mut known = Known { exprs, facts: &facts, left: MAX_COMPARISONS, exact: true };
    let formula = known.formula(condition, truth, 0);
    let mut guards = Vec::new();
    let mut stack = vec![formula];
    while let Some(f) = stack.pop() {
        match f {
            Formula::All(parts) => stack.extend(parts),
            Formula::Holds(c) => guards.push(c),
            Formula::Any(_) | Formula::Not(_) => return None,
        }
    }
    known.exact.then_some(guards)
}

/// Terms that are not negative where all of the formulas hold: those that stand alone.
pub fn terms_of(conditions: &[Formula]) -> Vec<Affine> {
    let mut terms = Vec::new();
    let mut stack: Vec<&Formula> = conditions.iter().collect();
    while let Some(f) = stack.pop() {
        match f {
            Formula::All(parts) => stack.extend(parts),
            Formula::Holds(c) => {
                terms.push(c.term.clone());
                if c.relation == Relation::Zero {
                    terms.extend(c.term.scaled(-1));
                }
            }
            Formula::Any(_) | Formula::Not(_) => {}
        }
    }
    terms
}

fn gates(a: &Assignment) -> Vec<Gate> {
    let mut gates = Vec::new();
    for from in weft_tensor::reachable(a) {
        let mut gate = |to, means| gates.push(Gate { from, to, means });
        match a.exprs.get(from) {
            Expr::If(c, x, y) => {
                gate(*x, Means::Condition(*c, true));
                gate(*y, Means::Condition(*c, false));
            }
            Expr::Check { condition, value, .. } => {
                gate(*value, Means::Condition(*condition, true));
            }
            Expr::Reduce(r) => {
                gate(r.body, Means::Inside);
                if let Some(mask) = r.mask {
                    gate(mask, Means::Inside);
                    gate(r.body, Means::Condition(mask, true));
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
    exprs: &'a Exprs,
    facts: &'a Facts<'a>,
    /// Comparisons that may still be taken in.
    left: usize,
    /// Whether every condition so far was taken in.
    exact: bool,
}

impl Known<'_> {
    /// The formula over iterators that `e` being `truth` means: true where it says nothing.
    fn formula(&mut self, e: ExprId, truth: bool, depth: usize) -> Formula {
        if depth > MAX_DEPTH {
            return self.nothing();
        }
        let exprs = self.exprs;
        let mut side = |x: ExprId, truth: bool| self.formula(x, truth, depth + 1);
        match *exprs.get(e) {
            Expr::Const(Scalar::Bool(b)) if b != truth => Formula::no(),
            Expr::Unary(UnaryOp::Not, x) => side(x, !truth),
            Expr::Binary(BinaryOp::And, x, y, _) if truth => side(x, true).and(side(y, true)),
            Expr::Binary(BinaryOp::And, x, y, _) => side(x, false).or(side(y, false)),
            Expr::Binary(BinaryOp::Or, x, y, _) if truth => side(x, true).or(side(y, true)),
            Expr::Binary(BinaryOp::Or, x, y, _) => side(x, false).and(side(y, false)),
            Expr::If(x, y, z) => {
                let yes = side(x, true).and(side(y, truth));
                yes.or(side(x, false).and(side(z, truth)))
            }
            Expr::Const(Scalar::Bool(_)) => Formula::yes(),
            Expr::Binary(op, x, y, _) => {
                self.compare(op, x, y, truth).unwrap_or_else(|| self.nothing())
            }
            _ => self.nothing(),
        }
    }

    /// A condition of which nothing is taken in.
    fn nothing(&mut self) -> Formula {
        self.exact = false;
        Formula::yes()
    }

    fn compare(&mut self, op: BinaryOp, x: ExprId, y: ExprId, truth: bool) -> Option<Formula> {
        use BinaryOp::*;
        if !self.exprs.ty(x).is_int() {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        if let Expr::Unary(UnaryOp::Abs, inner) = *self.exprs.get(x) {
            return self.compare_distance(op, inner, y, truth);
        }
        let (x, y) = (self.term(x, 0)?, self.term(y, 0)?);
        match (op, truth) {
            (Lt, true) | (Ge, false) => Formula::lt(&x, &y),
            (Gt, true) | (Le, false) => Formula::lt(&y, &x),
            (Le, true) | (Gt, false) => Formula::le(&x, &y),
            (Ge, true) | (Lt, false) => Formula::le(&y, &x),
            (Eq, true) | (Ne, false) => Formula::equal(&x, &y),
            (Ne, true) | (Eq, false) => Some(Formula::lt(&x, &y)?.or(Formula::lt(&y, &x)?)),
            _ => None,
        }
    }

    /// `|x| < y` is `x < y` and `-x < y`.
    fn compare_distance(&self, op: BinaryOp, x: ExprId, y: ExprId, truth: bool) -> Option<Formula> {
        use BinaryOp::*;
        let (x, y) = (self.term(x, 0)?, self.term(y, 0)?);
        let back = x.scaled(-1)?;
        match (op, truth) {
            (Lt, true) | (Ge, false) => Some(Formula::lt(&x, &y)?.and(Formula::lt(&back, &y)?)),
            (Le, true) | (Gt, false) => Some(Formula::le(&x, &y)?.and(Formula::le(&back, &y)?)),
            (Lt, false) | (Ge, true) => Some(Formula::le(&y, &x)?.or(Formula::le(&y, &back)?)),
            (Le, false) | (Gt, true) => Some(Formula::lt(&y, &x)?.or(Formula::lt(&y, &back)?)),
            _ => None,
        }
    }

    /// Whether a computed integer is among what a node is made of.
    fn is_of_data(&self, e: ExprId) -> bool {
        let nodes = weft_tensor::reachable_from(self.exprs, [e]);
        nodes.into_iter().any(|x| (self.facts.data)(x).is_some())
    }

    /// An integer node as an affine term. Constants are small, so that sums of indices do
    /// not wrap.
    fn term(&self, e: ExprId, depth: usize) -> Option<Affine> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(value) = (self.facts.data)(e) {
            return Some(value);
        }
        let term = |x: ExprId| self.term(x, depth + 1);
        // What may fail is computed, where it is of data.
        if matches!(self.exprs.get(e), Expr::Binary(.., Some(_))) && self.is_of_data(e) {
            return None;
        }
        match *self.exprs.get(e) {
            Expr::Index(ref a) => Some(a.clone()),
            Expr::Const(s) => s.as_i64().map(Affine::fixed),
            Expr::Check { .. } => term(self.exprs.fitted(e)?),
            Expr::Cast(ty, x) if holds(ty, self.exprs.ty(x)) => term(x),
            Expr::Unary(UnaryOp::Neg, x) => term(x)?.scaled(-1),
            Expr::Binary(BinaryOp::Add, x, y, _) => {
                if !term(x)?.is_small() {
                    return None;
                }
                term(x)?.plus(&term(y)?).filter(Affine::is_small)
            }
            Expr::Binary(BinaryOp::Sub, x, y, _) => {
                if !term(y)?.is_small() {
                    return None;
                }
                term(x)?.minus(&term(y)?).filter(Affine::is_small)
            }
            Expr::Binary(BinaryOp::Mul, x, y, _) => {
                let (x, y) = (term(x)?, term(y)?);
                let (by, x) =
                    y.as_constant().map(|c| (c, &x)).or(x.as_constant().map(|c| (c, &y)))?;
                x.scaled(by).filter(Affine::is_small)
            }
            Expr::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), x, y, _) => {
                let x = term(x)?;
                let by = term(y)?.as_constant().filter(|&c| c > 0)?;
                // They truncate; that is to round down where nothing is negative.
                if !(self.facts.is_non_negative)(&x) {
                    return None;
                }
                let by = Size::constant(by);
                Some(if op == BinaryOp::Div { x.floor_div(&by) } else { x.modulo(&by) })
            }
            _ => None,
        }
    }
}

/// Facts that conditions may use.
pub struct Facts<'a> {
    /// A computed integer in terms of the iterators that stand for indices.
    pub data: &'a dyn Fn(ExprId) -> Option<Affine>,
    /// Whether a term is never negative.
    pub is_non_negative: &'a dyn Fn(&Affine) -> bool,
}

/// Whether two nodes have one value: equal but for where a failure is reported.
pub fn same_value(a: &Assignment, x: ExprId, y: ExprId) -> bool {
    let (x, y) = (strip(&a.exprs, x), strip(&a.exprs, y));
    if x == y {
        return true;
    }
    let (Expr::Read { tensor, index, .. }, Expr::Read { tensor: other, index: theirs, .. }) =
        (a.exprs.get(x), a.exprs.get(y))
    else {
        return false;
    };
    // Computed indices of computed indices are as deep as the source nests them.
    tensor == other
        && index.iter().zip(theirs).all(|(i, j)| match (i, j) {
            (IndexTerm::Data(i), IndexTerm::Data(j)) => same_value(a, *i, *j),
            _ => i == j,
        })
}

/// Whether a type of integers has every value of another: a conversion to it changes none,
/// where one to another type saturates, and so says nothing of what is beyond.
pub(crate) fn holds(ty: ScalarType, other: ScalarType) -> bool {
    let wider = ty.bytes() > other.bytes() && (ty.is_signed() || !other.is_signed());
    ty.is_int() && other.is_int() && (ty == other || wider)
}

/// The node below conversions between integers that change no value.
pub fn strip(exprs: &Exprs, mut e: ExprId) -> ExprId {
    if let Some(x) = exprs.fitted(e) {
        e = x;
    }
    while let Expr::Cast(ty, x) = exprs.get(e)
        && holds(*ty, exprs.ty(*x))
    {
        e = *x;
    }
    e
}
