//! Fold constants: operators on constants, branches on constants, neutral elements; and what
//! the ranges of a body's iterators decide: comparisons of indices, the larger of two, their
//! quotients, guards.
//!
//! Only what gives the same bits for every operand: `x + 0.0` stays (it turns -0.0 into
//! 0.0), `x * 1.0` and `x - 0.0` go. A trap stays.

mod integers;

use crate::recurrence_groups::can_run_on;
pub(crate) use integers::as_term;
use integers::{Integers, scope_at_points};
use weft_depend::{as_guards, known_at};
use weft_domain::{Affine, Constraint, Scope};
use weft_scalar::{BinaryOp, Scalar, ScalarType, eval};
use weft_tensor::reachable;
use weft_tensor::{
    Accumulator, Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId,
};

/// Folds every body and mask.
pub(crate) fn fold_constants(graph: &mut Graph) {
    for p in graph.assigns.keys().collect::<Vec<_>>() {
        let folded = fold_assignment(graph, &graph.assigns[p]);
        graph.assigns[p] = folded;
    }
}

/// An assignment with its body, its mask and its guards folded.
pub(crate) fn fold_assignment(graph: &Graph, a: &Assignment) -> Assignment {
    let scope = scope_at_points(a);
    let integers = Integers::new(&scope, &graph.facts);
    let known = Known { graph, a, scope: &scope, integers };
    let mut new = Assignment { exprs: Exprs::new(), ..a.clone() };
    let mut moved: Vec<Option<ExprId>> = vec![None; a.exprs.len()];
    for e in reachable(a) {
        let to = |x: ExprId| moved[x.as_u32() as usize].expect("operands come first");
        let node = a.exprs.get(e).with_operands(&to);
        let node = known.placed(&new.exprs, e, node);
        let id = match known.fold(&new.exprs, &node, a.exprs.ty(e)) {
            Folded::Value(s) => new.exprs.constant(s),
            Folded::Index(a) => new.exprs.index(a),
            Folded::Node(id) => id,
            Folded::Not => new.exprs.add(node, a.exprs.ty(e)),
        };
        moved[e.as_u32() as usize] = Some(id);
    }
    let mask = a.mask.map(|m| moved[m.as_u32() as usize].expect("the mask is reachable"));
    new.mask = mask.filter(|m| !is_true(&new.exprs, *m));
    new.body = moved[a.body.as_u32() as usize].expect("the body is reachable");
    if new.mask.is_none()
        && let Some((guards, body)) = known.selected(&new.exprs, a.accumulator, new.body)
    {
        new.space.guards.extend(guards);
        new.body = body;
    }
    new.space.guards = open_guards(graph, &new);
    new
}

/// The guards of a space that its ranges do not decide. A guard that says which cells are
/// written is asked of the written ranges alone: a cell is there where nothing is reduced.
fn open_guards(graph: &Graph, a: &Assignment) -> Vec<Constraint> {
    if a.space.guards.is_empty() {
        return Vec::new();
    }
    let written = a.written();
    let of_cells = |g: &Constraint| g.term.iters().iter().all(|i| written.contains(i));
    let mut free = a.clone();
    free.space.guards.clear();
    let at_points = scope_at_points(&free);
    free.space.ranges.retain(|r| written.contains(&r.iter));
    let at_cells = scope_at_points(&free);
    let [points, cells] = [&at_points, &at_cells].map(|s| Integers::new(s, &graph.facts));
    let holds = |g: &&Constraint| if of_cells(g) { cells.holds(g) } else { points.holds(g) };
    a.space.guards.iter().filter(|g| !holds(g)).cloned().collect()
}

fn is_true(exprs: &Exprs, e: ExprId) -> bool {
    *exprs.get(e) == Expr::Const(Scalar::Bool(true))
}

enum Folded {
    Value(Scalar),
    Index(Affine),
    Node(ExprId),
    Not,
}

/// Knowledge of an assignment while its body is folded.
struct Known<'a> {
    graph: &'a Graph,
    a: &'a Assignment,
    scope: &'a Scope,
    integers: Integers<'a>,
}

impl Known<'_> {
    /// A node, which was `old`, with the simplest terms in the places of its indices and guards.
    fn placed(&self, exprs: &Exprs, old: ExprId, node: Expr) -> Expr {
        match node {
            Expr::Read { tensor, index, site } => {
                let index: Vec<IndexTerm> =
                    index.into_iter().map(|t| self.index(exprs, t)).collect();
                let site = site.filter(|_| !self.is_inside(exprs, old, (tensor, &index)));
                Expr::Read { tensor, index, site }
            }
            Expr::Reduce(r) => {
                let mut r = *r;
                r.mask = r.mask.filter(|m| !is_true(exprs, *m));
                if r.mask.is_none()
                    && let Some((guards, body)) = self.selected(exprs, r.accumulator, r.body)
                {
                    r.guards.extend(guards);
                    r.body = body;
                }
                r.guards.retain(|g| !self.integers.holds(g));
                Expr::Reduce(Box::new(r))
            }
            other => other,
        }
    }

    /// The guards and the value of terms that are the identity, but where indices meet a
    /// condition: of `sum[k](if abs(k - i) < 3 { a[i, k] } else { 0.0 })`.
    fn selected(
        &self,
        exprs: &Exprs,
        accumulator: Accumulator,
        body: ExprId,
    ) -> Option<(Vec<Constraint>, ExprId)> {
        let Expr::If(c, x, y) = *exprs.get(body) else { return None };
        can_run_on(accumulator).then_some(())?;
        let none = Expr::Const(accumulator.identity(exprs.ty(body)));
        let (truth, value) = match (exprs.get(x) == &none, exprs.get(y) == &none) {
            (_, true) => (true, x),
            (true, _) => (false, y),
            _ => return None,
        };
        let guards = as_guards(exprs, c, truth, &|term| self.integers.at_least(term, 0))?;
        Some((guards, value))
    }

    /// Whether a read is of a cell wherever it is evaluated: by the ranges, or by what was
    /// asked on the way to it.
    fn is_inside(
        &self,
        exprs: &Exprs,
        old: ExprId,
        (tensor, index): (TensorId, &[IndexTerm]),
    ) -> bool {
        let inside = |integers: &Integers<'_>| {
            let mut axes = index.iter().zip(self.graph.shape(tensor));
            axes.all(|(t, extent)| integers.is_inside(exprs, t, extent))
        };
        if inside(&self.integers) {
            return true;
        }
        let asked = known_at(self.a, old, &|term| self.integers.at_least(term, 0));
        if asked.is_empty() {
            return false;
        }
        let mut scope = self.scope.clone();
        scope.guards.extend(asked);
        inside(&Integers::new(&scope, &self.graph.facts))
    }

    fn index(&self, exprs: &Exprs, term: IndexTerm) -> IndexTerm {
        match term {
            IndexTerm::Affine(a) => self.integers.undivided(&a).into(),
            IndexTerm::Data(e) => as_term(exprs, e).map_or(IndexTerm::Data(e), IndexTerm::Affine),
        }
    }

    fn fold(&self, exprs: &Exprs, node: &Expr, ty: ScalarType) -> Folded {
        let constant = |e: &ExprId| match exprs.get(*e) {
            Expr::Const(s) => Some(*s),
            _ => None,
        };
        let value = |v: Option<Scalar>| v.map_or(Folded::Not, Folded::Value);
        match node {
            Expr::Index(a) => match self.integers.undivided(a) {
                simple if simple == *a => value(a.as_constant().map(Scalar::I64)),
                simple => index_or_constant(simple),
            },
            Expr::Unary(op, x) => value(constant(x).map(|x| eval::unary(*op, x))),
            Expr::Cast(ty, x) => value(constant(x).map(|x| eval::cast(x, *ty))),
            Expr::Binary(op, a, b, site) => match (constant(a), constant(b)) {
                (Some(x), Some(y)) if site.is_some() => value(eval::checked(*op, x, y).ok()),
                (Some(x), Some(y)) => value(eval::binary(*op, x, y).ok()),
                (x, y) => match self.of_indices(*op, exprs, (*a, *b)) {
                    Folded::Not => neutral(*op, (*a, x), (*b, y), ty),
                    folded => folded,
                },
            },
            Expr::If(c, a, b) => match constant(c).and_then(Scalar::as_bool) {
                Some(c) => Folded::Node(if c { *a } else { *b }),
                None => match (constant(a), constant(b)) {
                    (Some(Scalar::Bool(true)), Some(Scalar::Bool(false))) => Folded::Node(*c),
                    _ => Folded::Not,
                },
            },
            Expr::Check { condition, value, .. } if is_true(exprs, *condition) => {
                Folded::Node(*value)
            }
            Expr::Check { value: fitted, .. } if self.fits(exprs, node, *fitted) => {
                Folded::Node(*fitted)
            }
            Expr::Read { tensor, index, .. } => value(literal(self.graph, *tensor, index)),
            _ => Folded::Not,
        }
    }

    /// Whether an index is in the type that it must fit at every point.
    fn fits(&self, exprs: &Exprs, node: &Expr, value: ExprId) -> bool {
        let (Expr::Check { condition, .. }, Expr::Cast(ty, x)) = (node, exprs.get(value)) else {
            return false;
        };
        let (Expr::Index(term), Expr::Binary(BinaryOp::Eq, back, y, None)) =
            (exprs.get(*x), exprs.get(*condition))
        else {
            return false;
        };
        let demanded = x == y && *exprs.get(*back) == Expr::Cast(ScalarType::I64, value);
        let [least, greatest] = [Scalar::least(*ty), Scalar::greatest(*ty)].map(Scalar::as_i64);
        let least = least.is_none_or(|n| self.integers.at_least(term, n.into()));
        demanded && least && greatest.is_none_or(|n| self.integers.at_most(term, n.into()))
    }

    /// An operator on two indices.
    fn of_indices(&self, op: BinaryOp, exprs: &Exprs, (x, y): (ExprId, ExprId)) -> Folded {
        let (Some(a), Some(b)) = (as_term(exprs, x), as_term(exprs, y)) else {
            return Folded::Not;
        };
        let is_small = a.is_small() && b.is_small();
        let small = |sum: Option<Affine>| sum.filter(|a| is_small && a.is_small());
        let index = |a: Option<Affine>| a.map_or(Folded::Not, index_or_constant);
        match op {
            BinaryOp::Max | BinaryOp::Min => match self.compared(BinaryOp::Ge, &a, &b) {
                Some(greater) => Folded::Node(if greater == (op == BinaryOp::Max) { x } else { y }),
                None => Folded::Not,
            },
            BinaryOp::Add => index(small(a.plus(&b))),
            BinaryOp::Sub => index(small(a.minus(&b))),
            BinaryOp::Div | BinaryOp::Rem => index(self.integers.divided(op, &a, &b)),
            _ => match self.compared(op, &a, &b) {
                Some(truth) => Folded::Value(Scalar::Bool(truth)),
                None => Folded::Not,
            },
        }
    }

    /// The truth of a comparison of indices at every point, where the ranges say so.
    fn compared(&self, op: BinaryOp, a: &Affine, b: &Affine) -> Option<bool> {
        let d = b.minus(a)?;
        let least = |n: i128| self.integers.at_least(&d, n);
        let most = |n: i128| self.integers.at_most(&d, n);
        let decide = |yes: bool, no: bool| (yes || no).then_some(yes);
        match op {
            BinaryOp::Lt => decide(least(1), most(0)),
            BinaryOp::Le => decide(least(0), most(-1)),
            BinaryOp::Gt => decide(most(-1), least(0)),
            BinaryOp::Ge => decide(most(0), least(1)),
            BinaryOp::Eq => decide(least(0) && most(0), least(1) || most(-1)),
            BinaryOp::Ne => decide(least(1) || most(-1), least(0) && most(0)),
            _ => None,
        }
    }
}

fn index_or_constant(a: Affine) -> Folded {
    match a.as_constant() {
        Some(n) => Folded::Value(Scalar::I64(n)),
        None => Folded::Index(a),
    }
}

/// `x op neutral` is `x`, where that is so for every `x`.
fn neutral(
    op: BinaryOp,
    (a, x): (ExprId, Option<Scalar>),
    (b, y): (ExprId, Option<Scalar>),
    ty: ScalarType,
) -> Folded {
    let (zero, one) = (Some(Scalar::zero(ty)), Some(Scalar::one(ty)));
    let int = ty.is_int();
    let number = int || ty.is_float();
    match op {
        BinaryOp::Mul if number && y == one => Folded::Node(a),
        BinaryOp::Mul if number && x == one => Folded::Node(b),
        BinaryOp::Div if number && y == one => Folded::Node(a),
        BinaryOp::Sub if number && y == zero => Folded::Node(a),
        BinaryOp::Add if int && y == zero => Folded::Node(a),
        BinaryOp::Add if int && x == zero => Folded::Node(b),
        BinaryOp::And if y == Some(Scalar::Bool(true)) => Folded::Node(a),
        BinaryOp::And if x == Some(Scalar::Bool(true)) => Folded::Node(b),
        BinaryOp::Or if y == Some(Scalar::Bool(false)) => Folded::Node(a),
        BinaryOp::Or if x == Some(Scalar::Bool(false)) => Folded::Node(b),
        _ => Folded::Not,
    }
}

/// The cell of a literal at a constant index inside it.
fn literal(graph: &Graph, t: weft_tensor::TensorId, index: &[IndexTerm]) -> Option<Scalar> {
    let Definition::Constant(array) = &graph.tensors[t].definition else { return None };
    let cell: Vec<i64> =
        index.iter().map(|t| t.as_affine()?.as_constant()).collect::<Option<_>>()?;
    Some(array.get(array.position(&cell)?))
}
