//! Which expressions at host level are for the host.

use crate::known::types::is_host_type;
use crate::scope::{Bound, EnvId};
use crate::work::Work;
use weft_sema::thir::{Expr, ExprKind, Ty};

/// Whether an expression is for the host: looking at host data, or choosing by it, or calling
/// its functions.
pub(super) fn is_hosty(work: &Work<'_>, e: &Expr, env: EnvId) -> bool {
    is_hosty_within(work, e, env, false)
}

/// Whether a member of `x` is of the host, or had from it.
pub(super) fn reaches_host(work: &Work<'_>, member: &Expr, x: &Expr, env: EnvId) -> bool {
    is_host_type(&member.ty) || is_hosty(work, x, env)
}

/// The same inside a choice that is known to have no effects, if it is `calm`: long
/// chains of choices are looked through once.
fn is_hosty_within(work: &Work<'_>, e: &Expr, env: EnvId, calm: bool) -> bool {
    if is_host_type(&e.ty) {
        return true;
    }
    match &e.kind {
        ExprKind::Host(..) => true,
        ExprKind::Call(c) if work.bodies.is_called(c.body) => true,
        ExprKind::If(c, a, b) if chooses_extents(e, c, [a, b]) => true,
        ExprKind::If(..) if e.ty == Ty::Str || !calm && work.bodies.has_effects(e) => true,
        ExprKind::Local(id) => match work.scopes.lookup(env, *id) {
            Some((Bound::Host(_), _)) => true,
            Some((Bound::Thunk(value, at), _)) => is_hosty(work, value, at),
            _ => false,
        },
        ExprKind::Unary(_, x) | ExprKind::Cast(_, x) | ExprKind::Adapted(_, x) => {
            e.ty.rank() == Some(0) && is_hosty_part(work, x, env, calm)
        }
        ExprKind::Binary(_, a, b) => {
            let part = |x: &Expr| is_hosty_part(work, x, env, calm);
            e.ty.rank() == Some(0) && (part(a) || part(b))
        }
        ExprKind::If(c, a, b) => [c, a, b].iter().any(|x| is_hosty_part(work, x, env, true)),
        _ => false,
    }
}

/// The same of an operand: there a call, a block or a member counts by what it gives.
fn is_hosty_part(work: &Work<'_>, e: &Expr, env: EnvId, calm: bool) -> bool {
    let part = |x: &Expr| is_hosty_part(work, x, env, calm);
    match &e.kind {
        _ if is_hosty_within(work, e, env, calm) => true,
        ExprKind::Call(c) => work.bodies.gives_host_data(c.body) || c.args.iter().any(part),
        ExprKind::Block(b) => {
            let mut found = false;
            b.children(&mut |e| found |= part(e));
            found
        }
        ExprKind::Field(x, n) => match &x.kind {
            ExprKind::Local(id) => match work.scopes.lookup(env, *id) {
                Some((Bound::Tuple(members), _)) => matches!(members.get(*n), Some(Bound::Host(_))),
                Some((Bound::Thunk(value, at), _)) => is_hosty_part(work, value, at, false),
                _ => false,
            },
            _ => part(x),
        },
        ExprKind::Tuple(members) => members.iter().any(part),
        _ => false,
    }
}

/// Whether a choice has the extents of the side that is taken, whatever those are.
fn chooses_extents(e: &Expr, c: &Expr, sides: [&Expr; 2]) -> bool {
    let ranked = e.ty.rank().is_some_and(|r| r > 0) && c.ty.rank() == Some(0);
    ranked && sides.iter().all(|s| s.ty.extents() != e.ty.extents())
}
