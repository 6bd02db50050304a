//! Conditions, as far as they are affine: as constraints, as formulas, and as disjoint pieces.

use crate::thir::{Clause, Expr, ExprKind};
use std::rc::Rc;
use weft_domain::{Affine, Constraint, Formula, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};

/// Guards that split a clause into more pieces are tested at each cell instead.
const MOST_GUARD_PIECES: usize = 4;

/// Constraints that hold together.
pub(crate) type Conjunction = Vec<Constraint>;

/// A truth value in terms of integer terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Cond {
    /// A relation of a term to 0.
    Holds(Affine, Relation),
    /// The opposite.
    Not(Rc<Cond>),
    /// Both.
    And(Rc<Cond>, Rc<Cond>),
    /// Either.
    Or(Rc<Cond>, Rc<Cond>),
    /// Depends on data: nothing is known.
    Data,
}

/// A condition that holds where we are, and the indices it mentions.
#[derive(Clone, Debug)]
pub(crate) struct PathItem {
    pub cond: Rc<Cond>,
    pub iters: Vec<Iter>,
}

impl Cond {
    /// The opposite condition.
    pub fn negate(self: &Rc<Cond>) -> Rc<Cond> {
        match &**self {
            Cond::Not(c) => c.clone(),
            Cond::Data => self.clone(),
            _ => Rc::new(Cond::Not(self.clone())),
        }
    }
}

/// The condition an expression of type `bool` states.
pub fn condition(e: &Expr) -> Rc<Cond> {
    let truth = |b: bool| Cond::Holds(Affine::fixed(if b { 0 } else { -1 }), Relation::AtLeastZero);
    Rc::new(match &e.kind {
        ExprKind::Const(Scalar::Bool(b)) => truth(*b),
        ExprKind::Unary(UnaryOp::Not, x) => return condition(x).negate(),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            comparison(*op, a, b).unwrap_or(Cond::Data)
        }
        ExprKind::If(c, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Const(Scalar::Bool(false))) => Cond::And(condition(c), condition(a)),
            (ExprKind::Const(Scalar::Bool(true)), _) => Cond::Or(condition(c), condition(b)),
            _ => Cond::Data,
        },
        _ => Cond::Data,
    })
}

fn comparison(op: BinaryOp, a: &Expr, b: &Expr) -> Option<Cond> {
    let (a, b) = (a.term.as_ref()?, b.term.as_ref()?);
    let at_least = |x: &Affine, y: &Affine, slack: i64| {
        let term = x.minus(y)?.plus_size(&slack.into());
        Some(Cond::Holds(term, Relation::AtLeastZero))
    };
    match op {
        BinaryOp::Ge => at_least(a, b, 0),
        BinaryOp::Gt => at_least(a, b, -1),
        BinaryOp::Le => at_least(b, a, 0),
        BinaryOp::Lt => at_least(b, a, -1),
        BinaryOp::Eq => Some(Cond::Holds(a.minus(b)?, Relation::Zero)),
        BinaryOp::Ne => Some(Cond::Not(Rc::new(Cond::Holds(a.minus(b)?, Relation::Zero)))),
        _ => None,
    }
}

/// The affine conditions that a condition implies; whether they say all of it.
pub fn flatten(cond: &Rc<Cond>, out: &mut Vec<Constraint>) -> bool {
    match &**cond {
        Cond::Holds(term, relation) => {
            out.push(Constraint { term: term.clone(), relation: *relation });
            true
        }
        Cond::And(a, b) => flatten(a, out) & flatten(b, out),
        Cond::Not(c) => match &**c {
            Cond::Holds(term, Relation::AtLeastZero) => match negated(term) {
                Some(c) => {
                    out.push(c);
                    true
                }
                None => false,
            },
            Cond::Or(a, b) => flatten(&a.negate(), out) & flatten(&b.negate(), out),
            _ => false,
        },
        Cond::Or(..) | Cond::Data => false,
    }
}

/// `term < 0` as a constraint.
pub(crate) fn negated(term: &Affine) -> Option<Constraint> {
    let term = term.scaled(-1)?.plus_size(&(-1).into());
    Some(Constraint { term, relation: Relation::AtLeastZero })
}

/// What a condition (or its opposite) implies, and whether that is all it says.
pub(crate) fn formula(cond: &Rc<Cond>, holds: bool) -> (Formula, bool) {
    match (&**cond, holds) {
        (Cond::Data, _) => (Formula::yes(), false),
        (Cond::Holds(term, relation), _) => {
            let c = Constraint { term: term.clone(), relation: *relation };
            let found = Formula::Holds(c);
            (if holds { found } else { found.negated() }, true)
        }
        (Cond::Not(c), _) => formula(c, !holds),
        (Cond::And(a, b), true) | (Cond::Or(a, b), false) => {
            let ((a, all), (b, whole)) = (formula(a, holds), formula(b, holds));
            (a.and(b), all && whole)
        }
        (Cond::Or(a, b), true) | (Cond::And(a, b), false) => {
            let ((a, all), (b, whole)) = (formula(a, holds), formula(b, holds));
            (Formula::Any(vec![a, b]), all && whole)
        }
    }
}

/// A clause's guards as disjoint conjunctions; `None` where data decides, where they are
/// many, or where cells that fail have a value too.
pub(crate) fn guard_pieces(clause: &Clause) -> Option<Vec<Conjunction>> {
    if clause.otherwise.is_some() && !clause.guards.is_empty() {
        return None;
    }
    let mut all = vec![Vec::new()];
    for guard in &clause.guards {
        all = product(&all, &disjoint_pieces(&condition(guard), true)?)?;
    }
    Some(all)
}

/// Whether a clause's guards are one conjunction: it needs no tests where it is a fallback.
pub fn guards_are_flat(clause: &Clause) -> bool {
    guard_pieces(clause).is_some_and(|p| p.len() == 1)
}

/// A condition (or its opposite) as disjoint conjunctions.
fn disjoint_pieces(cond: &Rc<Cond>, holds: bool) -> Option<Vec<Conjunction>> {
    match (&**cond, holds) {
        (Cond::Data, _) => None,
        (Cond::Holds(term, relation), true) => {
            Some(vec![vec![Constraint { term: term.clone(), relation: *relation }]])
        }
        (Cond::Holds(term, relation), false) => {
            let c = Constraint { term: term.clone(), relation: *relation };
            Some(opposites(&c).into_iter().map(|c| vec![c]).collect())
        }
        (Cond::Not(c), _) => disjoint_pieces(c, !holds),
        (Cond::And(a, b), true) | (Cond::Or(a, b), false) => {
            product(&disjoint_pieces(a, holds)?, &disjoint_pieces(b, holds)?)
        }
        // a or b: a, and where not a, b.
        (Cond::Or(a, b), true) | (Cond::And(a, b), false) => {
            let mut all = disjoint_pieces(a, holds)?;
            all.extend(product(&disjoint_pieces(a, !holds)?, &disjoint_pieces(b, holds)?)?);
            (all.len() <= MOST_GUARD_PIECES).then_some(all)
        }
    }
}

/// Every piece of one with every piece of the other.
fn product(a: &[Conjunction], b: &[Conjunction]) -> Option<Vec<Conjunction>> {
    if a.len() * b.len() > MOST_GUARD_PIECES {
        return None;
    }
    let both = |x: &Conjunction, y: &Conjunction| x.iter().chain(y).cloned().collect();
    Some(a.iter().flat_map(|x| b.iter().map(move |y| both(x, y))).collect())
}

/// The constraints whose union is the opposite of one.
pub(crate) fn opposites(c: &Constraint) -> Vec<Constraint> {
    match c.relation {
        Relation::AtLeastZero => negated(&c.term).into_iter().collect(),
        Relation::Zero => {
            let above = c.term.plus_size(&(-1).into());
            let above = Constraint { term: above, relation: Relation::AtLeastZero };
            negated(&c.term).into_iter().chain([above]).collect()
        }
    }
}
