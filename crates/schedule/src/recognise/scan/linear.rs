//! Recurrences as linear maps: each cell a sum of cells some steps before, multiplied by
//! what does not depend on them, and of other terms.
//!
//! ```text
//! p[t] = a * p[t - 1] - b * q[t - 1] + x[t]        (p)    (a  -b) (p)   (x)
//! q[t] = b * p[t - 1] + a * q[t - 1]          =>   (q) <- (b   a) (q) + (0)
//! ```
//!
//! A cell two steps before is a second value that runs: `(y[t], y[t - 1])`. What a step
//! computes for itself is put in where it is read.

use super::cells::{Cell, Keep, Part, Point};
use crate::nodes::is_checked;
use crate::recognise::points;
use weft_scalar::{BinaryOp, Scalar, UnaryOp};
use weft_tensor::{Accumulator, Expr, ExprId, Exprs, IndexTerm, Reduction, TensorId};

/// Factors of one product.
const MOST_FACTORS: usize = 4;

/// Terms of one sum.
const MOST_TERMS: usize = 32;

/// How far from one a constant may be that is multiplied with another factor.
const MODERATE: f64 = 64.0;

/// Operators one inside the other.
const DEEPEST: usize = 64;

/// A value that runs: a cell, so many steps before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    pub cell: usize,
    pub back: i64,
}

/// What a part's node is at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor {
    pub part: usize,
    pub point: usize,
    pub expr: ExprId,
}

/// A product.
#[derive(Clone, Debug, Default)]
pub(crate) struct Term {
    pub state: Option<State>,
    pub factors: Vec<Factor>,
    /// What the product is divided by.
    pub divisors: Vec<Factor>,
    /// Whether it is subtracted.
    pub negative: bool,
}

/// A sum of products.
type Form = Vec<Term>;

/// How a cell follows from those before it.
#[derive(Debug)]
pub(crate) enum Transition {
    Sum(Form),
    /// The same cell of the step before, combined with a value. A sum is one of integers each
    /// of which must be in its type.
    With(BinaryOp, Factor),
}

/// The cells of a step and their transitions, as they are found.
pub(crate) struct Step<'f, 'p> {
    parts: &'f [Part<'p>],
    /// Whether later steps have smaller indices.
    descending: bool,
    /// Whether values may be multiplied out: integers.
    exact: bool,
    /// Whether sums of integers may be looked at in lanes, for whether they leave their type.
    looks: bool,
    pub cells: Vec<Cell>,
    pub transitions: Vec<Transition>,
    pub points: Vec<Point>,
    /// Reads of cells of other steps.
    pub reads: Vec<(usize, ExprId)>,
}

/// A node at a point.
#[derive(Clone, Copy)]
struct At {
    part: usize,
    point: usize,
    depth: usize,
}

impl Transition {
    /// The terms of a sum.
    pub fn terms(&self) -> &[Term] {
        match self {
            Transition::Sum(terms) => terms,
            Transition::With(..) => &[],
        }
    }

    /// Every node that a step asks for.
    pub fn factors(&self) -> Vec<Factor> {
        match self {
            Transition::Sum(terms) => {
                terms.iter().flat_map(|t| t.factors.iter().chain(&t.divisors)).copied().collect()
            }
            Transition::With(_, term) => vec![*term],
        }
    }
}

impl<'f, 'p> Step<'f, 'p> {
    /// The step that these parts do, one after the other. `keep` tells what of a
    /// tensor is stored.
    pub fn of(
        parts: &'f [Part<'p>],
        keep: impl Fn(TensorId) -> Keep,
        (descending, exact, looks): (bool, bool, bool),
    ) -> Option<Step<'f, 'p>> {
        let (cells, transitions, points, reads) = Default::default();
        let mut step = Step { parts, descending, exact, looks, cells, transitions, points, reads };
        for (part, p) in parts.iter().enumerate() {
            for written in p.written() {
                let place = p.place(p.a.target, &p.a.write, written)?;
                let again = |c: &Cell| place.indices_before(&c.place).is_some();
                (!step.cells.iter().any(again)).then_some(())?;
                let point = step.point(written.clone());
                step.cells.push(Cell { part, point, place, keep: keep(p.a.target) });
            }
        }
        for cell in 0..step.cells.len() {
            let transition = step.transition(cell)?;
            step.transitions.push(transition);
        }
        Some(step)
    }

    /// The number of a point.
    pub fn point(&mut self, point: Point) -> usize {
        let known = self.points.iter().position(|p| *p == point);
        known.unwrap_or_else(|| {
            self.points.push(point);
            self.points.len() - 1
        })
    }

    fn transition(&mut self, cell: usize) -> Option<Transition> {
        let Cell { part, point, .. } = self.cells[cell];
        let at = At { part, point, depth: 0 };
        if let Some(transition) = self.combined(cell, at) {
            return Some(transition);
        }
        let part = &self.parts[part];
        let mut form = Form::new();
        for summed in part.summed() {
            let point = self.point([self.points[point].as_slice(), summed].concat());
            form.extend(self.form(At { point, ..at }, part.a.body)?);
        }
        let fits = form.len() <= MOST_TERMS && (self.exact || self.is_as_written(&form));
        fits.then_some(Transition::Sum(form))
    }

    /// Whether a sum of floats has the factors that the source has: what is multiplied out or
    /// brought together overflows, vanishes or is rounded where the source does not.
    fn is_as_written(&self, form: &Form) -> bool {
        let constant = |f: &&Factor| is_moderate(&self.parts[f.part].a.exprs, f.expr);
        // What is divided by is such a constant too.
        let plain = |t: &Term| t.factors.iter().filter(|f| !constant(f)).count() <= 1;
        let mut states: Vec<State> = form.iter().filter_map(|t| t.state).collect();
        let count = states.len();
        states.sort();
        states.dedup();
        count == states.len() && form.iter().filter(|t| t.state.is_some()).all(plain)
    }

    /// A cell as `before op term`, for an operator that products do not distribute over.
    fn combined(&mut self, cell: usize, at: At) -> Option<Transition> {
        let part = &self.parts[at.part];
        let Expr::Binary(op, x, y, site) = *part.a.exprs.get(part.a.body) else { return None };
        let apart = match site {
            None => matches!(op, BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max),
            Some(_) => self.looks && op == BinaryOp::Add && is_checked(part.a, part.a.body),
        };
        (apart && part.a.accumulator == Accumulator::Set).then_some(())?;
        let newest = State { cell, back: 1 };
        let before = |e: ExprId| match part.a.exprs.get(e) {
            Expr::Read { tensor, index, .. } => self.state(at, *tensor, index) == Some(newest),
            _ => false,
        };
        let (own, term) = match (before(x), before(y)) {
            (true, false) => (x, y),
            (false, true) => (y, x),
            _ => return None,
        };
        part.is_given(term).then_some(())?;
        self.reads.push((at.part, own));
        Some(Transition::With(op, Factor { part: at.part, point: at.point, expr: term }))
    }

    fn state(&self, at: At, tensor: TensorId, index: &[IndexTerm]) -> Option<State> {
        self.state_of(&self.parts[at.part], at.point, (tensor, index))
    }

    /// The cell, of this step or another, that a part reads at a point.
    pub fn state_of(
        &self,
        part: &Part<'_>,
        point: usize,
        (tensor, index): (TensorId, &[IndexTerm]),
    ) -> Option<State> {
        let place = part.place(tensor, index, &self.points[point])?;
        let found = |c: &Cell| place.indices_before(&c.place);
        let mut all = self.cells.iter().enumerate();
        let (cell, before) = all.find_map(|(n, c)| Some((n, found(c)?)))?;
        Some(State { cell, back: if self.descending { -before } else { before } })
    }

    /// A node as a sum of products.
    fn form(&mut self, at: At, e: ExprId) -> Option<Form> {
        let part = &self.parts[at.part];
        (at.depth < DEEPEST).then_some(())?;
        let at = At { depth: at.depth + 1, ..at };
        if part.is_given(e) {
            let factors = vec![Factor { part: at.part, point: at.point, expr: e }];
            return Some(vec![Term { factors, ..Term::default() }]);
        }
        let form = match part.a.exprs.get(e) {
            Expr::Read { tensor, index, .. } => self.read(at, e, *tensor, index)?,
            Expr::Unary(UnaryOp::Neg, x, ..) => negative(self.form(at, *x)?),
            Expr::Binary(BinaryOp::Add, x, y, None) => {
                [self.form(at, *x)?, self.form(at, *y)?].concat()
            }
            Expr::Binary(BinaryOp::Sub, x, y, None) => {
                [self.form(at, *x)?, negative(self.form(at, *y)?)].concat()
            }
            Expr::Binary(BinaryOp::Mul, x, y, None) => {
                (!(part.looks(*x) && part.looks(*y))).then_some(())?;
                product(&self.form(at, *x)?, &self.form(at, *y)?, self.exact)?
            }
            Expr::Binary(BinaryOp::Div, x, y, None) if is_moderate(&part.a.exprs, *y) => {
                let by = Factor { part: at.part, point: at.point, expr: *y };
                let mut form = self.form(at, *x)?;
                form.iter_mut().for_each(|t| t.divisors.push(by));
                form
            }
            Expr::Reduce(r) => self.sum(at, r)?,
            _ => return None,
        };
        let short = |t: &Term| t.factors.len() + t.divisors.len() <= MOST_FACTORS;
        (form.len() <= MOST_TERMS && form.iter().all(short)).then_some(form)
    }

    fn read(&mut self, at: At, e: ExprId, tensor: TensorId, index: &[IndexTerm]) -> Option<Form> {
        let state = self.state(at, tensor, index)?;
        self.reads.push((at.part, e));
        match state.back {
            // Of this step: computed before.
            0 => match self.transitions.get(state.cell)? {
                Transition::Sum(form) => Some(form.clone()),
                Transition::With(..) => None,
            },
            1.. => Some(vec![Term { state: Some(state), ..Term::default() }]),
            _ => None,
        }
    }

    /// A sum of a few terms, written out.
    fn sum(&mut self, at: At, r: &Reduction) -> Option<Form> {
        let plain = r.accumulator == Accumulator::Sum && r.guards.is_empty() && r.mask.is_none();
        plain.then_some(())?;
        let mut form = Form::new();
        for own in points(&r.ranges, super::cells::MOST_POINTS)? {
            let point = self.point([self.points[at.point].as_slice(), &own].concat());
            form.extend(self.form(At { point, ..at }, r.body)?);
        }
        Some(form)
    }
}

/// Whether a node is a constant that makes no number too large or too small which was not
/// nearly so.
fn is_moderate(exprs: &Exprs, e: ExprId) -> bool {
    constant(exprs, e).is_some_and(|c| (MODERATE.recip()..=MODERATE).contains(&c.abs()))
}

/// A float that is a constant.
pub(crate) fn constant(exprs: &Exprs, e: ExprId) -> Option<f64> {
    match exprs.get(e) {
        Expr::Const(Scalar::F64(c)) => Some(*c),
        Expr::Const(Scalar::F32(c)) => Some(f64::from(*c)),
        _ => None,
    }
}

fn negative(mut form: Form) -> Form {
    form.iter_mut().for_each(|t| t.negative = !t.negative);
    form
}

/// The product of two sums, of which one has no state; multiplied out where that is `exact`.
fn product(x: &Form, y: &Form, exact: bool) -> Option<Form> {
    let few = exact || x.len() == 1 && y.len() == 1;
    (few && x.len().checked_mul(y.len())? <= MOST_TERMS).then_some(())?;
    let times = |x: &Term, y: &Term| Term {
        state: x.state.or(y.state),
        factors: [x.factors.as_slice(), &y.factors].concat(),
        divisors: [x.divisors.as_slice(), &y.divisors].concat(),
        negative: x.negative != y.negative,
    };
    Some(x.iter().flat_map(|x| y.iter().map(move |y| times(x, y))).collect())
}
