//! Uses of locals in a loop's body.

use weft_base::entity::{EntitySet, SecondaryMap};
use weft_loops::{Buffer, ExprData, For, ForKind, Function, Local, Param, Stmt, Var};
use weft_scalar::BinaryOp;

/// Whether any statement, nested ones included, satisfies `test`.
pub(super) fn writes(body: &[Stmt], test: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    body.iter().any(|stmt| test(stmt) || stmt.blocks().any(|block| writes(block, test)))
}

pub(super) fn has_loop(body: &[Stmt]) -> bool {
    writes(body, &mut |stmt| matches!(stmt, Stmt::For(_)))
}

/// How a vector loop's body uses locals.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) set: SecondaryMap<Local, bool>,
    accumulated: SecondaryMap<Local, Option<BinaryOp>>,
    scanned: SecondaryMap<Local, Option<BinaryOp>>,
}

impl Uses {
    pub(super) fn compute(body: &[Stmt]) -> Uses {
        let mut uses = Uses::default();
        writes(body, &mut |stmt| {
            match stmt {
                Stmt::Set { local, .. } | Stmt::Call { local, .. } => uses.set[*local] = true,
                Stmt::Accumulate { local, op, .. } => uses.accumulated[*local] = Some(*op),
                Stmt::Scan { locals, op, .. } => {
                    locals.iter().for_each(|&l| uses.scanned[l] = Some(*op));
                }
                _ => {}
            }
            false
        });
        uses
    }

    /// Accumulators that cross the loop's iterations, with their operators.
    pub(super) fn reductions(&self, function: &Function) -> Vec<(Local, BinaryOp)> {
        let crosses = |l: Local| self.accumulated[l].filter(|_| !self.set[l]).map(|op| (l, op));
        function.locals.keys().filter_map(crosses).collect()
    }

    /// Running values that cross the loop's iterations, with their operators.
    pub(super) fn scans(&self, function: &Function) -> Vec<(Local, BinaryOp)> {
        let crosses = |l: Local| self.scanned[l].filter(|_| !self.set[l]).map(|op| (l, op));
        function.locals.keys().filter_map(crosses).collect()
    }
}

/// Names in a body, nested statements included.
#[derive(Default)]
pub(super) struct Names {
    pub(super) params: EntitySet<Param>,
    pub(super) vars: EntitySet<Var>,
    /// Those read; not those only written.
    pub(super) locals: EntitySet<Local>,
    /// Read or written.
    pub(super) buffers: EntitySet<Buffer>,
}

impl Names {
    pub(super) fn compute(function: &Function, body: &[Stmt]) -> Names {
        Names::within(function, body, &|_| true)
    }

    /// Those of loops only where `enters` says so.
    pub(super) fn within(
        function: &Function,
        body: &[Stmt],
        enters: &dyn Fn(&For) -> bool,
    ) -> Names {
        let mut names = Names::default();
        let mut open: Vec<&[Stmt]> = vec![body];
        while let Some(block) = open.pop() {
            for stmt in block {
                names.add(function, stmt);
                if !matches!(stmt, Stmt::For(f) if !enters(f)) {
                    open.extend(stmt.blocks().map(Vec::as_slice));
                }
            }
        }
        names
    }

    fn add(&mut self, function: &Function, stmt: &Stmt) {
        if let Stmt::Store { buffer, .. } | Stmt::Fill { buffer, .. } = stmt {
            self.buffers.insert(*buffer);
        }
        for e in function.reachable(&stmt.exprs()) {
            match function.expr(e) {
                ExprData::Param(p) => _ = self.params.insert(p),
                ExprData::Var(v) => _ = self.vars.insert(v),
                ExprData::Local(l) => _ = self.locals.insert(l),
                ExprData::Load { buffer, .. } => _ = self.buffers.insert(buffer),
                _ => {}
            }
        }
    }
}

/// Whether a body reads a local.
pub(super) fn is_read(function: &Function, body: &[Stmt], l: Local) -> bool {
    let holds = |stmt: &Stmt| {
        let reachable = function.reachable(&stmt.exprs());
        reachable.into_iter().any(|e| function.expr(e) == ExprData::Local(l))
    };
    writes(body, &mut |stmt| holds(stmt))
}

fn accumulates(stmt: &Stmt, l: Local) -> bool {
    matches!(stmt, Stmt::Accumulate { local, .. } if *local == l)
}

/// The vector loop that holds all accumulation into a local, if there is one.
pub(super) fn only_vector_loop(body: &[Stmt], l: Local) -> Option<&For> {
    let mut holders = body
        .iter()
        .filter(|stmt| writes(std::slice::from_ref(*stmt), &mut |stmt| accumulates(stmt, l)));
    let (Some(holder), None) = (holders.next(), holders.next()) else { return None };
    match holder {
        Stmt::For(f) if matches!(f.kind, ForKind::Vector(_)) => Some(f),
        // The body of a parallel loop is a function of its own.
        Stmt::For(f) if f.kind == ForKind::Parallel => None,
        Stmt::For(f) => only_vector_loop(&f.body, l),
        Stmt::If { then, otherwise, .. } if otherwise.is_empty() => only_vector_loop(then, l),
        _ => None,
    }
}

/// Locals that a loop inside a vector loop's body accumulates into for each lane alone.
pub(super) fn inner_accumulators(f: &For) -> u32 {
    let uses = Uses::compute(&f.body);
    let mut found: SecondaryMap<Local, bool> = SecondaryMap::new();
    let mut count = 0;
    writes(&f.body, &mut |stmt| {
        if let Stmt::For(inner) = stmt {
            writes(&inner.body, &mut |stmt| {
                if let Stmt::Accumulate { local, .. } = stmt
                    && uses.set[*local]
                    && !std::mem::replace(&mut found[*local], true)
                {
                    count += 1;
                }
                false
            });
        }
        false
    });
    count
}
