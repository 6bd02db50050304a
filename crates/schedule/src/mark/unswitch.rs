//! Conditions that a loop does not change, tested outside of it.
//!
//! ```text
//! for i { if c { … } }   =>   if c { for i { … } }
//! ```
//!
//! Pieces of a recurrence test whether their step is theirs inside the loops of the
//! recurrence; there a test would stand in the way of all that is known of a loop's body.

use weft_base::entity::EntitySet;
use weft_loops::{Expr, ExprData, For, Function, Local, Stmt};

/// Moves every such condition out as far as it goes.
pub(crate) fn unswitch(f: &mut Function) {
    let mut body = std::mem::take(&mut f.body);
    block(f, &mut body);
    f.body = body;
}

fn block(f: &Function, stmts: &mut [Stmt]) {
    for stmt in stmts {
        match stmt {
            Stmt::For(l) => block(f, &mut l.body),
            Stmt::If { then, otherwise, .. } => {
                block(f, then);
                block(f, otherwise);
            }
            _ => {}
        }
        if let Stmt::For(l) = stmt
            && let Some(cond) = fixed_condition(f, l)
        {
            let Some(Stmt::If { then, .. }) = l.body.pop() else { unreachable!("just looked") };
            l.body = then;
            let inner = std::mem::replace(stmt, Stmt::Trap { site: 0, args: Vec::new() });
            *stmt = Stmt::If { cond, then: vec![inner], otherwise: Vec::new() };
        }
    }
}

/// The condition of all that a loop does, if the loop does not change it.
fn fixed_condition(f: &Function, l: &For) -> Option<Expr> {
    let [Stmt::If { cond, then, otherwise }] = l.body.as_slice() else { return None };
    let mut changed = EntitySet::new();
    add_changed(then, &mut changed);
    let fixed = |e: Expr| match f.expr(e) {
        ExprData::Var(v) => v != l.var,
        ExprData::Local(x) => !changed.contains(x),
        ExprData::Load { .. } => false,
        _ => true,
    };
    let all = otherwise.is_empty() && f.reachable(&[*cond]).into_iter().all(fixed);
    all.then_some(*cond)
}

/// The locals that statements change.
fn add_changed(stmts: &[Stmt], changed: &mut EntitySet<Local>) {
    for stmt in stmts {
        match stmt {
            Stmt::Set { local, .. } | Stmt::Call { local, .. } | Stmt::Accumulate { local, .. } => {
                changed.insert(*local);
            }
            Stmt::Scan { locals, .. } => locals.iter().for_each(|&l| _ = changed.insert(l)),
            _ => {}
        }
        stmt.blocks().for_each(|b| add_changed(b, changed));
    }
}
