//! Fold constants: operators on constants, branches on constants, neutral elements.
//!
//! Only what gives the same bits for every operand: `x + 0.0` stays (it turns -0.0 into
//! 0.0), `x * 1.0` and `x - 0.0` go. A trap stays.

use weft_depend::scope_of;
use weft_domain::Affine;
use weft_domain::Scope;
use weft_scalar::{BinaryOp, Scalar, ScalarType, eval};
use weft_shape::Facts;
use weft_tensor::reachable;
use weft_tensor::{Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm};

/// Folds every body and mask.
pub(crate) fn fold_constants(graph: &mut Graph) {
    for p in graph.assigns.keys().collect::<Vec<_>>() {
        let folded = fold_assignment(graph, &graph.assigns[p]);
        graph.assigns[p] = folded;
    }
}

fn fold_assignment(graph: &Graph, a: &Assignment) -> Assignment {
    let scope = scope_of(a);
    let mut new = Assignment { exprs: Exprs::new(), ..a.clone() };
    let mut moved: Vec<Option<ExprId>> = vec![None; a.exprs.len()];
    for e in reachable(a) {
        let to = |x: ExprId| moved[x.as_u32() as usize].expect("operands come first");
        let node = a.exprs.get(e).with_operands(&to);
        let id = match fold((graph, &scope), &new.exprs, &node, a.exprs.ty(e)) {
            Folded::Value(s) => new.exprs.constant(s),
            Folded::Node(id) => id,
            Folded::Not => new.exprs.add(node, a.exprs.ty(e)),
        };
        moved[e.as_u32() as usize] = Some(id);
    }
    new.mask = a.mask.map(|m| moved[m.as_u32() as usize].expect("the mask is reachable"));
    new.body = moved[a.body.as_u32() as usize].expect("the body is reachable");
    new
}

enum Folded {
    Value(Scalar),
    Node(ExprId),
    Not,
}

fn fold((graph, scope): (&Graph, &Scope), exprs: &Exprs, node: &Expr, ty: ScalarType) -> Folded {
    let constant = |e: &ExprId| match exprs.get(*e) {
        Expr::Const(s) => Some(*s),
        _ => None,
    };
    let value = |v: Option<Scalar>| v.map_or(Folded::Not, Folded::Value);
    match node {
        Expr::Index(a) => value(a.as_constant().map(Scalar::I64)),
        Expr::Unary(op, x) => value(constant(x).map(|x| eval::unary(*op, x))),
        Expr::Cast(ty, x) => value(constant(x).map(|x| eval::cast(x, *ty))),
        Expr::Binary(op, a, b, site) => match (constant(a), constant(b)) {
            (Some(x), Some(y)) if site.is_some() => value(eval::checked(*op, x, y).ok()),
            (Some(x), Some(y)) => value(eval::binary(*op, x, y).ok()),
            _ if op.is_comparison() => {
                let known = compared(*op, exprs, (*a, *b), scope, &graph.facts);
                value(known.map(Scalar::Bool))
            }
            (x, y) => neutral(*op, (*a, x), (*b, y), ty),
        },
        Expr::If(c, a, b) => match constant(c).and_then(Scalar::as_bool) {
            Some(c) => Folded::Node(if c { *a } else { *b }),
            None => Folded::Not,
        },
        Expr::Check { condition, value, .. } if constant(condition) == Some(Scalar::Bool(true)) => {
            Folded::Node(*value)
        }
        Expr::Check { value: fitted, .. } if fits((graph, scope), exprs, node, *fitted) => {
            Folded::Node(*fitted)
        }
        Expr::Read { tensor, index, .. } => value(literal(graph, *tensor, index)),
        _ => Folded::Not,
    }
}

/// Whether an index is in the type that it must fit at every point.
fn fits((graph, scope): (&Graph, &Scope), exprs: &Exprs, node: &Expr, value: ExprId) -> bool {
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
    let least = least.is_none_or(|n| scope.at_least(term, n.into(), &graph.facts));
    demanded && least && greatest.is_none_or(|n| scope.at_most(term, n.into(), &graph.facts))
}

/// The truth of a comparison of indices at every point, where the ranges say so.
fn compared(
    op: BinaryOp,
    exprs: &Exprs,
    (a, b): (ExprId, ExprId),
    scope: &Scope,
    facts: &Facts,
) -> Option<bool> {
    let index = |e: ExprId| match exprs.get(e) {
        Expr::Index(a) => Some(a.clone()),
        Expr::Const(Scalar::I64(n)) => Some(Affine::fixed(*n)),
        _ => None,
    };
    let d = index(b)?.minus(&index(a)?)?;
    let least = |n: i128| scope.at_least(&d, n, facts);
    let most = |n: i128| scope.at_most(&d, n, facts);
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
