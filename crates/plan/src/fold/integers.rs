//! The integers of a body: terms over the ranges of its iterators, and bounds of them.

use weft_depend::scope_of;
use weft_domain::{Affine, Constraint, Dim, End, Ends, Relation, Scope};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::{Facts, Size};
use weft_tensor::{Assignment, Expr, ExprId, Exprs, IndexTerm};

/// Nodes nested deeper are not looked into.
const MOST_DEPTH: usize = 8;

/// The ranges of a body, to be asked.
pub(super) struct Integers<'a> {
    ends: Ends<'a>,
    facts: &'a Facts,
}

/// The ranges of an assignment, its guards, and that none of the ranges is empty: nothing is
/// evaluated where one is.
pub(super) fn scope_at_points(a: &Assignment) -> Scope {
    let mut scope = scope_of(a);
    let length = |r: &weft_domain::Range| Some(r.hi.minus(&r.lo)?.plus_size(&Size::constant(-1)));
    scope.guards.extend(a.space.ranges.iter().filter_map(length));
    scope
}

impl<'a> Integers<'a> {
    pub fn new(scope: &'a Scope, facts: &'a Facts) -> Integers<'a> {
        Integers { ends: Ends::new(scope), facts }
    }

    pub fn at_least(&self, term: &Affine, n: i128) -> bool {
        self.ends.at_least(term, n, self.facts)
    }

    pub fn at_most(&self, term: &Affine, n: i128) -> bool {
        self.ends.at_most(term, n, self.facts)
    }

    /// Whether a constraint holds at every point.
    pub fn holds(&self, c: &Constraint) -> bool {
        let least = self.at_least(&c.term, 0);
        least && (c.relation == Relation::AtLeastZero || self.at_most(&c.term, 0))
    }

    /// A term without the quotients that are one number wherever its ranges lead: in
    /// `(i + 1) % n`, for `i` below `n - 1`, nothing is divided.
    pub fn undivided(&self, term: &Affine) -> Affine {
        if term.is_affine() {
            return term.clone();
        }
        let mut total = Affine::fixed(term.offset().clone());
        for (dim, c) in term.terms() {
            let part = match dim {
                Dim::Iter(i) => Affine::iter(*i),
                Dim::Div(inner, by) => self
                    .quotient(inner, by)
                    .map_or_else(|| self.undivided(inner).floor_div(by), Affine::fixed),
                Dim::Mod(inner, by) => self.remainder(&self.undivided(inner), by),
            };
            let Some(sum) = part.scaled(*c).and_then(|part| total.plus(&part)) else {
                return term.clone();
            };
            total = sum;
        }
        total
    }

    fn remainder(&self, inner: &Affine, by: &Size) -> Affine {
        match self.quotient(inner, by) {
            Some(q) => inner.plus_size(&by.scaled(-q)),
            None => inner.modulo(by),
        }
    }

    /// `floor(x / by)`, where that is one small number at all points.
    fn quotient(&self, x: &Affine, by: &Size) -> Option<i64> {
        [0, 1, -1, 2].into_iter().find(|q| {
            let rest = x.plus_size(&by.scaled(-q));
            self.at_least(&rest, 0) && self.at_most(&rest.plus_size(&by.scaled(-1)), -1)
        })
    }

    /// A quotient or a remainder of indices that rounds to zero, as a term: rounding down is
    /// the same where nothing is negative.
    pub fn divided(&self, op: BinaryOp, x: &Affine, y: &Affine) -> Option<Affine> {
        let by = y.as_size()?;
        (self.at_least(x, 0) && self.at_least(y, 1)).then_some(())?;
        Some(self.undivided(&match op {
            BinaryOp::Div => x.floor_div(by),
            BinaryOp::Rem => x.modulo(by),
            _ => return None,
        }))
    }

    /// Whether an index is inside its extent at every point.
    pub fn is_inside(&self, exprs: &Exprs, index: &IndexTerm, extent: &Size) -> bool {
        let past = Affine::fixed(extent.plus_const(-1));
        let zero = Affine::fixed(0);
        match index {
            IndexTerm::Affine(a) => {
                self.at_least(a, 0) && past.minus(a).is_some_and(|rest| self.at_least(&rest, 0))
            }
            IndexTerm::Data(e) => {
                self.is_held(exprs, *e, (End::Lower, &zero), 0)
                    && self.is_held(exprs, *e, (End::Upper, &past), 0)
            }
        }
    }

    /// Whether a node does not lie beyond a term at an end: a clamped index does not.
    fn is_held(&self, exprs: &Exprs, e: ExprId, at: (End, &Affine), depth: usize) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        let (end, limit) = at;
        let (one, both) = match end {
            End::Lower => (BinaryOp::Max, BinaryOp::Min),
            End::Upper => (BinaryOp::Min, BinaryOp::Max),
        };
        let held = |x: ExprId| self.is_held(exprs, x, at, depth + 1);
        match exprs.get(e) {
            Expr::Binary(op, x, y, _) if *op == one => held(*x) || held(*y),
            Expr::Binary(op, x, y, _) if *op == both => held(*x) && held(*y),
            Expr::If(_, x, y) => held(*x) && held(*y),
            _ => as_term(exprs, e).is_some_and(|a| {
                let rest = if end == End::Lower { a.minus(limit) } else { limit.minus(&a) };
                rest.is_some_and(|rest| self.at_least(&rest, 0))
            }),
        }
    }
}

/// A node that is an index, or a number of the type of indices.
pub(crate) fn as_term(exprs: &Exprs, e: ExprId) -> Option<Affine> {
    match exprs.get(e) {
        Expr::Index(a) => Some(a.clone()),
        Expr::Const(Scalar::I64(n)) => Some(Affine::fixed(*n)),
        Expr::Cast(ScalarType::I64, x) if exprs.ty(*x) == ScalarType::I64 => as_term(exprs, *x),
        _ => None,
    }
}
