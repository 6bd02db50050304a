//! Mark vector loops: which loop of each nest runs in lanes.
//!
//! A loop suits if what it stores moves with it by one cell, and each thing it loads stays
//! or moves by one cell. Of a reduction and the loop around it, both suitable, the outer
//! one is taken: its lanes need no combining, and each cell's terms keep their order.
//! Inner loops then run with one bound for all lanes.

use weft_base::entity::SecondaryMap;
use weft_loops::{Buffer, BufferKind, Expr, ExprData, For, ForKind, Function, Local, Stmt, Var};
use weft_scalar::BinaryOp;

/// Iterations of a loop of known length that are worth a vector: fewer are written out.
const LEAST_LANES: u64 = 4;

/// Marks every suitable loop among `independent` ones. A loop that accumulates floats is
/// suitable only where the order of terms is free.
pub(crate) fn mark_vector_loops(f: &mut Function, independent: &SecondaryMap<Var, bool>) {
    let mut body = std::mem::take(&mut f.body);
    Marker { f, independent }.mark(&mut body);
    f.body = body;
}

struct Marker<'a> {
    f: &'a Function,
    independent: &'a SecondaryMap<Var, bool>,
}

impl Marker<'_> {
    fn mark(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::For(l) if self.is_best(l) => l.kind = ForKind::Vector(None),
                Stmt::For(l) => self.mark(&mut l.body),
                Stmt::If { then, otherwise, .. } => {
                    self.mark(then);
                    self.mark(otherwise);
                }
                _ => {}
            }
        }
    }

    /// Whether this loop, rather than one inside it, is to run in lanes.
    fn is_best(&self, l: &For) -> bool {
        let Some(cost) = self.cost(l) else { return false };
        let mut inner = Vec::new();
        collect_loops(&l.body, &mut inner);
        if inner.is_empty() {
            return cost.strided <= cost.contiguous;
        }
        // A loop inside that suits without combining lanes is contiguous work of its own.
        let plain = |x: &&For| self.cost(x).is_some_and(|c| c.strided == 0 && !c.combines);
        cost.strided == 0 && cost.contiguous > 0 && !inner.iter().any(plain)
    }

    /// What running the loop in lanes costs; `None` where it cannot.
    fn cost(&self, l: &For) -> Option<Cost> {
        let short = l.max_trip_count(self.f).is_some_and(|n| n < LEAST_LANES);
        if !self.independent[l.var] || short {
            return None;
        }
        let inside = Inside::of(self.f, l);
        let mut cost = Cost::default();
        let combined = |local: &Local| inside.combined.contains(local);
        let ok = inside.all(&l.body, &mut |s| match s {
            Stmt::Store { index, .. } => inside.stride(*index) == Some(1),
            Stmt::For(inner) if matches!(inner.kind, ForKind::Vector(_)) => false,
            Stmt::For(inner) => {
                inside.stride(inner.lo) == Some(0) && inside.stride(inner.hi) == Some(0)
            }
            Stmt::Accumulate { local, op, value } if combined(local) => {
                cost.combines = true;
                !self.f.strict || is_exact(self.f, *op, *value)
            }
            Stmt::Fill { .. } | Stmt::Scan { .. } | Stmt::Call { .. } => false,
            Stmt::Set { .. } | Stmt::Accumulate { .. } => true,
            Stmt::If { .. } | Stmt::Trap { .. } | Stmt::Flag { .. } => true,
        });
        // An accumulator that is looked at on the way (`any`, once settled) has an order.
        if inside.reads_combined(&l.body) {
            return None;
        }
        let works = inside.stores || cost.combines;
        for (buffer, index) in inside.loads(&l.body) {
            match inside.stride(index) {
                Some(0) => {}
                Some(1) => cost.contiguous += 1,
                // Scratch is near, however it is walked.
                Some(_) if self.f.buffers[buffer].kind == BufferKind::Stack => {}
                _ => cost.strided += 1,
            }
        }
        cost.contiguous += usize::from(inside.stores);
        (ok && works).then_some(cost)
    }
}

/// How the memory that a loop touches moves with it.
#[derive(Default)]
struct Cost {
    contiguous: usize,
    strided: usize,
    /// Whether lanes meet in an accumulator.
    combines: bool,
}

fn collect_loops<'a>(stmts: &'a [Stmt], found: &mut Vec<&'a For>) {
    for stmt in stmts {
        if let Stmt::For(l) = stmt {
            found.push(l);
        }
        for block in stmt.blocks() {
            collect_loops(block, found);
        }
    }
}

/// Whether the order of accumulation leaves the bits as they are.
fn is_exact(f: &Function, op: BinaryOp, value: Expr) -> bool {
    !f.ty(value).is_float() || matches!(op, BinaryOp::Min | BinaryOp::Max)
}

/// What changes from one iteration of a loop to the next.
struct Inside<'a> {
    f: &'a Function,
    var: Var,
    /// Locals that the body sets or accumulates into.
    changed: Vec<Local>,
    /// Locals that it accumulates into and does not set.
    combined: Vec<Local>,
    stores: bool,
}

impl<'a> Inside<'a> {
    fn of(f: &'a Function, l: &For) -> Inside<'a> {
        let (mut set, mut accumulated) = (Vec::new(), Vec::new());
        let mut inside =
            Inside { f, var: l.var, changed: Vec::new(), combined: Vec::new(), stores: false };
        let mut stores = false;
        inside.all(&l.body, &mut |s| {
            match s {
                Stmt::Set { local, .. } => set.push(*local),
                Stmt::Accumulate { local, .. } => accumulated.push(*local),
                Stmt::Store { .. } => stores = true,
                _ => {}
            }
            true
        });
        inside.combined = accumulated.iter().copied().filter(|x| !set.contains(x)).collect();
        inside.changed = [set, accumulated].concat();
        inside.stores = stores;
        inside
    }

    /// Whether `test` holds of every statement, nested ones included.
    fn all(&self, stmts: &[Stmt], test: &mut dyn FnMut(&Stmt) -> bool) -> bool {
        stmts.iter().all(|s| test(s) && s.blocks().all(|block| self.all(block, test)))
    }

    /// Every expression that the statements hold, nested ones included.
    fn held(&self, stmts: &[Stmt]) -> Vec<Expr> {
        let mut held = Vec::new();
        self.all(stmts, &mut |s| {
            held.extend(s.exprs());
            true
        });
        held
    }

    fn reads_combined(&self, stmts: &[Stmt]) -> bool {
        self.f.reachable(&self.held(stmts)).into_iter().any(|e| match self.f.expr(e) {
            ExprData::Local(l) => self.combined.contains(&l),
            _ => false,
        })
    }

    /// Every load, nested ones included, with its index.
    fn loads(&self, stmts: &[Stmt]) -> Vec<(Buffer, Expr)> {
        let held = self.held(stmts);
        let as_load = |e: Expr| match self.f.expr(e) {
            ExprData::Load { buffer, index } => Some((buffer, index)),
            _ => None,
        };
        self.f.reachable(&held).into_iter().filter_map(as_load).collect()
    }

    /// By how much an expression grows from one iteration to the next, if that is a
    /// constant.
    fn stride(&self, e: Expr) -> Option<i64> {
        let of = |e: Expr| self.stride(e);
        match self.f.expr(e) {
            ExprData::Var(v) if v == self.var => Some(1),
            ExprData::Binary(BinaryOp::Add, a, b) => of(a)?.checked_add(of(b)?),
            ExprData::Binary(BinaryOp::Sub, a, b) => of(a)?.checked_sub(of(b)?),
            ExprData::Binary(BinaryOp::Mul, a, b) => {
                match (of(a)?, of(b)?, self.f.as_int(a), self.f.as_int(b)) {
                    (0, 0, ..) => Some(0),
                    (s, 0, _, Some(c)) | (0, s, Some(c), _) => s.checked_mul(c),
                    _ => None,
                }
            }
            _ => self.f.reachable(&[e]).into_iter().all(|x| self.is_fixed(x)).then_some(0),
        }
    }

    fn is_fixed(&self, e: Expr) -> bool {
        match self.f.expr(e) {
            ExprData::Var(v) => v != self.var,
            ExprData::Local(l) => !self.changed.contains(&l),
            ExprData::Load { .. } => false,
            _ => true,
        }
    }
}
