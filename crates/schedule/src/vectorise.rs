//! Mark vector loops: innermost loops of straight-line code whose stores are contiguous.

use weft_base::entity::SecondaryMap;
use weft_loops::{Expr, ExprData, For, ForKind, Function, Local, Stmt, Var};
use weft_scalar::BinaryOp;

/// Marks every suitable loop among `independent` ones. A loop that accumulates floats is
/// suitable only where the order of terms is free.
pub(crate) fn mark_vector_loops(f: &mut Function, independent: &SecondaryMap<Var, bool>) {
    let mut body = std::mem::take(&mut f.body);
    mark(f, independent, &mut body);
    f.body = body;
}

fn mark(f: &Function, independent: &SecondaryMap<Var, bool>, stmts: &mut [Stmt]) {
    for stmt in stmts {
        match stmt {
            Stmt::For(l) => {
                mark(f, independent, &mut l.body);
                if independent[l.var] && suits(f, l) {
                    l.kind = ForKind::Vector(None);
                }
            }
            Stmt::If { then, otherwise, .. } => {
                mark(f, independent, then);
                mark(f, independent, otherwise);
            }
            _ => {}
        }
    }
}

fn suits(f: &Function, l: &For) -> bool {
    let inside = Inside::of(l);
    let straight = |s: &Stmt| match s {
        Stmt::Store { index, .. } => inside.stride(f, *index) == Some(1),
        Stmt::Set { .. } => true,
        Stmt::Accumulate { op, value, .. } => !f.strict || is_exact(f, *op, *value),
        Stmt::For(_) | Stmt::If { .. } | Stmt::Fill { .. } | Stmt::Trap { .. } => false,
    };
    let works = l.body.iter().any(|s| matches!(s, Stmt::Store { .. } | Stmt::Accumulate { .. }));
    works && l.body.iter().all(straight) && loads_are_apart(f, l)
}

/// Whether the order of accumulation leaves the bits as they are.
fn is_exact(f: &Function, op: BinaryOp, value: Expr) -> bool {
    !f.ty(value).is_float() || matches!(op, BinaryOp::Min | BinaryOp::Max)
}

/// Whether what the body loads from a buffer it stores to is the very cell it stores.
fn loads_are_apart(f: &Function, l: &For) -> bool {
    let stores: Vec<(weft_loops::Buffer, Expr)> = l
        .body
        .iter()
        .filter_map(|s| match s {
            Stmt::Store { buffer, index, .. } => Some((*buffer, *index)),
            _ => None,
        })
        .collect();
    let held: Vec<Expr> = l.body.iter().flat_map(Stmt::exprs).collect();
    f.reachable(&held).into_iter().all(|e| match f.expr(e) {
        ExprData::Load { buffer, index } => stores.iter().all(|(b, i)| *b != buffer || *i == index),
        _ => true,
    })
}

/// What changes from one iteration of a loop to the next.
struct Inside {
    var: Var,
    locals: Vec<Local>,
}

impl Inside {
    fn of(l: &For) -> Inside {
        let changed = |s: &Stmt| match s {
            Stmt::Set { local, .. } | Stmt::Accumulate { local, .. } => Some(*local),
            _ => None,
        };
        Inside { var: l.var, locals: l.body.iter().filter_map(changed).collect() }
    }

    /// By how much an expression grows from one iteration to the next, if that is a
    /// constant.
    fn stride(&self, f: &Function, e: Expr) -> Option<i64> {
        let of = |e: Expr| self.stride(f, e);
        match f.expr(e) {
            ExprData::Var(v) if v == self.var => Some(1),
            ExprData::Binary(BinaryOp::Add, a, b) => of(a)?.checked_add(of(b)?),
            ExprData::Binary(BinaryOp::Sub, a, b) => of(a)?.checked_sub(of(b)?),
            ExprData::Binary(BinaryOp::Mul, a, b) => {
                match (of(a)?, of(b)?, f.as_int(a), f.as_int(b)) {
                    (0, 0, ..) => Some(0),
                    (s, 0, _, Some(c)) | (0, s, Some(c), _) => s.checked_mul(c),
                    _ => None,
                }
            }
            _ => f.reachable(&[e]).into_iter().all(|x| self.is_fixed(f, x)).then_some(0),
        }
    }

    fn is_fixed(&self, f: &Function, e: Expr) -> bool {
        match f.expr(e) {
            ExprData::Var(v) => v != self.var,
            ExprData::Local(l) => !self.locals.contains(&l),
            ExprData::Load { .. } => false,
            _ => true,
        }
    }
}
