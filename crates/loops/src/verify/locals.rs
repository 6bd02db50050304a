//! Locals: assigned before read, and private to independent iterations.

use super::{Verified, ensure, fail};
use crate::{Expr, ExprData, For, ForKind, Function, Local, Stmt};
use weft_base::entity::{EntitySet, SecondaryMap};
use weft_scalar::BinaryOp;

/// The locals that are certainly assigned at a point; `None` where control does not get.
type Assigned = Option<EntitySet<Local>>;

/// Checks every path.
pub(super) fn check(function: &Function) -> Verified {
    block(function, &function.body, Some(EntitySet::new())).map(|_| ())
}

fn block(
    function: &Function,
    body: &[Stmt],
    mut assigned: Assigned,
) -> Result<Assigned, super::VerifyError> {
    for stmt in body {
        assigned = step(function, stmt, assigned)?;
    }
    Ok(assigned)
}

fn step(
    function: &Function,
    stmt: &Stmt,
    assigned: Assigned,
) -> Result<Assigned, super::VerifyError> {
    let Some(mut assigned) = assigned else { return Ok(None) };
    for l in reads(function, &stmt.exprs()) {
        ensure(assigned.contains(l), || format!("{l} may be read before it is assigned"))?;
    }
    match stmt {
        Stmt::For(f) => return for_loop(function, f, assigned),
        Stmt::If { then, otherwise, .. } => {
            let left = block(function, then, Some(assigned.clone()))?;
            let right = block(function, otherwise, Some(assigned))?;
            return Ok(join(function, left, right));
        }
        Stmt::Set { local, .. } | Stmt::Call { local, .. } => {
            assigned.insert(*local);
        }
        Stmt::Accumulate { local, .. } => {
            let ready = assigned.contains(*local);
            ensure(ready, || format!("{local} may be accumulated into before it is assigned"))?;
        }
        Stmt::Scan { locals, .. } => {
            for &local in locals {
                let ready = assigned.contains(local);
                ensure(ready, || format!("{local} may be scanned into before it is assigned"))?;
            }
        }
        Stmt::Trap { .. } => return Ok(None),
        Stmt::Store { .. } | Stmt::Fill { .. } | Stmt::Flag { .. } => {}
    }
    Ok(Some(assigned))
}

fn join(function: &Function, left: Assigned, right: Assigned) -> Assigned {
    let (Some(left), Some(right)) = (&left, &right) else { return left.or(right) };
    let mut both = EntitySet::new();
    for l in function.locals.keys().filter(|&l| left.contains(l) && right.contains(l)) {
        both.insert(l);
    }
    Some(both)
}

fn for_loop(
    function: &Function,
    f: &For,
    assigned: EntitySet<Local>,
) -> Result<Assigned, super::VerifyError> {
    if f.kind == ForKind::Serial {
        block(function, &f.body, Some(assigned.clone()))?;
        return Ok(Some(assigned));
    }
    let uses = Uses::compute(function, &f.body);
    let mut outside = assigned;
    for l in function.locals.keys().filter(|&l| uses.set[l]) {
        outside.remove(l);
    }
    for l in function.locals.keys().filter(|&l| !uses.set[l]) {
        match uses.scanned[l] {
            0 => reduction(&uses, l, f)?,
            times => prefix(function, &uses, l, (f, times))?,
        }
    }
    block(function, &f.body, Some(outside.clone()))?;
    Ok(Some(outside))
}

/// A local that a body accumulates into and does not set crosses the iterations: it has
/// one operator there and is not read.
fn reduction(uses: &Uses, l: Local, f: &For) -> Verified {
    match uses.accumulated[l].as_slice() {
        [] => Ok(()),
        [_] if !uses.read[l] => Ok(()),
        [_] => fail(format!("{l} is read in the loop of {} that accumulates it", f.var)),
        _ => fail(format!("{l} is accumulated by two operators in the loop of {}", f.var)),
    }
}

/// A local that a body scans into and does not set crosses the iterations: in lanes, by
/// one scan, and nothing in front of that reads it.
fn prefix(function: &Function, uses: &Uses, l: Local, (f, times): (&For, u32)) -> Verified {
    let own = |s: &Stmt| matches!(s, Stmt::Scan { locals, .. } if locals.contains(&l));
    let at = f.body.iter().position(own);
    let Some(at) = at.filter(|_| f.kind != ForKind::Parallel && times == 1) else {
        return fail(format!("{l} is scanned into in the loop of {} other than once", f.var));
    };
    let before = Uses::compute(function, &f.body[..=at]);
    let alone = !before.read[l] && uses.accumulated[l].is_empty();
    ensure(alone, || format!("{l} is read in the loop of {} before its scan", f.var))
}

/// How a body uses each local, nested blocks included.
#[derive(Default)]
pub(super) struct Uses {
    scanned: SecondaryMap<Local, u32>,
    set: SecondaryMap<Local, bool>,
    read: SecondaryMap<Local, bool>,
    accumulated: SecondaryMap<Local, Vec<BinaryOp>>,
}

impl Uses {
    fn compute(function: &Function, body: &[Stmt]) -> Uses {
        let mut uses = Uses::default();
        uses.add(function, body);
        uses
    }

    fn add(&mut self, function: &Function, body: &[Stmt]) {
        for stmt in body {
            for l in reads(function, &stmt.exprs()) {
                self.read[l] = true;
            }
            match stmt {
                Stmt::Set { local, .. } => self.set[*local] = true,
                Stmt::Accumulate { local, op, .. } => {
                    let ops = &mut self.accumulated[*local];
                    if !ops.contains(op) {
                        ops.push(*op);
                    }
                }
                Stmt::Scan { locals, .. } => locals.iter().for_each(|&l| self.scanned[l] += 1),
                _ => {}
            }
            for block in stmt.blocks() {
                self.add(function, block);
            }
        }
    }
}

fn reads(function: &Function, held: &[Expr]) -> Vec<Local> {
    let local = |e: Expr| match function.expr(e) {
        ExprData::Local(l) => Some(l),
        _ => None,
    };
    function.reachable(held).into_iter().filter_map(local).collect()
}
