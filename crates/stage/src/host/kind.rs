//! Which expressions at host level are for the host.

use crate::known::types::is_host_type;
use crate::scope::{Bound, EnvId};
use crate::work::Work;
use rustc_hash::FxHashSet;
use weft_sema::thir::{Expr, ExprKind, LocalId, Ty};

/// Whether an expression is for the host: looking at host data, or choosing by it, or calling
/// its functions.
pub(super) fn is_hosty(work: &Work<'_>, e: &Expr, env: EnvId) -> bool {
    Search { work, names: FxHashSet::default() }.value(e, env, false)
}

/// Whether a member of `x` is of the host, or had from it.
pub(super) fn reaches_host(work: &Work<'_>, member: &Expr, x: &Expr, env: EnvId) -> bool {
    is_host_type(&member.ty) || is_hosty(work, x, env)
}

/// A search for what is of the host. All that is found counts, so that what a name stands for is
/// looked through once: sums of a name with itself, line by line, would double it.
struct Search<'w, 'p> {
    work: &'w Work<'p>,
    /// Names that were looked through: as values, or as operands.
    names: FxHashSet<(EnvId, LocalId, bool)>,
}

impl Search<'_, '_> {
    /// What a name stands for, unless that is looked at already.
    fn value_of(&mut self, at: EnvId, id: LocalId, value: &Expr, env: EnvId) -> bool {
        self.names.insert((at, id, false)) && self.value(value, env, false)
    }

    /// The same of a member of a name.
    fn part_of(&mut self, at: EnvId, id: LocalId, value: &Expr, env: EnvId) -> bool {
        self.names.insert((at, id, true)) && self.part(value, env, false)
    }

    /// Whether a value is of the host; inside a choice that is known to have no effects, if it
    /// is `calm`: long chains of choices are looked through once.
    fn value(&mut self, e: &Expr, env: EnvId, calm: bool) -> bool {
        if is_host_type(&e.ty) {
            return true;
        }
        let bodies = &self.work.bodies;
        match &e.kind {
            ExprKind::Host(..) => true,
            ExprKind::Call(c) if bodies.is_called(c.body) => true,
            ExprKind::If(c, a, b) if chooses_extents(e, c, [a, b]) => true,
            // A choice between tuples is made for each member but where it is made once.
            ExprKind::If(..) if e.ty.members().is_some() => true,
            ExprKind::If(..) if e.ty == Ty::Str || !calm && bodies.has_effects(e) => true,
            ExprKind::Local(id) => match self.work.scopes.lookup(env, *id) {
                Some((Bound::Host(_), _)) => true,
                Some((Bound::Thunk(value, inside), at)) => self.value_of(at, *id, value, inside),
                _ => false,
            },
            ExprKind::Unary(_, x) | ExprKind::Cast(_, x) | ExprKind::Adapted(_, x) => {
                e.ty.rank() == Some(0) && self.part(x, env, calm)
            }
            ExprKind::Binary(_, a, b) => {
                e.ty.rank() == Some(0) && (self.part(a, env, calm) || self.part(b, env, calm))
            }
            ExprKind::If(c, a, b) => [c, a, b].iter().any(|x| self.part(x, env, true)),
            _ => false,
        }
    }

    /// The same of an operand: there a call, a block or a member counts by what it gives.
    fn part(&mut self, e: &Expr, env: EnvId, calm: bool) -> bool {
        if self.value(e, env, calm) {
            return true;
        }
        match &e.kind {
            ExprKind::Call(c) => {
                self.work.bodies.gives_host_data(c.body)
                    || c.args.iter().any(|x| self.part(x, env, calm))
            }
            ExprKind::Block(b) => {
                let mut found = false;
                b.children(&mut |e| found |= self.part(e, env, calm));
                found
            }
            ExprKind::Field(x, n) => match &x.kind {
                ExprKind::Local(id) => match self.work.scopes.lookup(env, *id) {
                    Some((Bound::Tuple(members), _)) => {
                        matches!(members.get(*n), Some(Bound::Host(_)))
                    }
                    Some((Bound::Thunk(value, inside), at)) => self.part_of(at, *id, value, inside),
                    _ => false,
                },
                _ => self.part(x, env, calm),
            },
            ExprKind::Tuple(members) => members.iter().any(|x| self.part(x, env, calm)),
            _ => false,
        }
    }
}

/// Whether a choice has the extents of the side that is taken, whatever those are.
fn chooses_extents(e: &Expr, c: &Expr, sides: [&Expr; 2]) -> bool {
    let ranked = e.ty.rank().is_some_and(|r| r > 0) && c.ty.rank() == Some(0);
    ranked && sides.iter().all(|s| s.ty.extents() != e.ty.extents())
}
