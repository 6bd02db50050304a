//! Mark parallel loops: which loops threads share.
//!
//! ```text
//! for i vector { … }   =>   for b step 4096 parallel { for i in b..b + 4096 vector { … } }
//! ```
//!
//! The outermost loop that suits is taken: one whose iterations write different cells, or
//! write none and meet only in accumulators. A vector loop around which there is none is
//! cut into blocks, and threads share the blocks. How the iterations are dealt out depends
//! on extents alone (`codegen` says how), and so does the tree by which partial results
//! meet: the bits are the same on any number of threads. Whether a loop is worth a second
//! thread is decided when it starts, by its work.

use weft_base::Name;
use weft_base::entity::SecondaryMap;
use weft_loops::{BufferKind, ExprData, For, ForKind, Function, Stmt, Var};
use weft_scalar::BinaryOp;

/// Iterations of a vector loop that one thread takes at once, if nothing is inside.
const BLOCK: i64 = 4096;

/// The same where loops are inside.
const BLOCK_OF_LOOPS: i64 = 64;

/// Operations of a loop of known size below which threads are not thought of: for a few
/// numbers the question itself would take as long as the answer.
const LEAST_WORK: u64 = 10_000;

/// What may be assumed of loops.
pub(crate) struct Freedom<'a> {
    /// Loops whose iterations are independent but for accumulation.
    pub independent: &'a SecondaryMap<Var, bool>,
    /// Of these the ones whose iterations write different cells.
    pub apart: &'a SecondaryMap<Var, bool>,
}

/// Marks loops; vector loops must be marked already.
pub(crate) fn mark_parallel_loops(f: &mut Function, freedom: &Freedom<'_>) {
    let mut body = std::mem::take(&mut f.body);
    let mut whole = Seen::default();
    whole.block(f, &body);
    let context = Context { freedom, loads: whole.loads };
    mark(f, &context, &mut body);
    f.body = body;
}

/// What is asked of each loop.
struct Context<'a> {
    freedom: &'a Freedom<'a>,
    /// How often the function reads its own scratch.
    loads: SecondaryMap<weft_loops::Buffer, u32>,
}

fn mark(f: &mut Function, context: &Context<'_>, stmts: &mut [Stmt]) {
    for stmt in stmts {
        match stmt {
            Stmt::For(l) => mark_loop(f, context, l),
            Stmt::If { then, otherwise, .. } => {
                mark(f, context, then);
                mark(f, context, otherwise);
            }
            _ => {}
        }
    }
}

fn mark_loop(f: &mut Function, context: &Context<'_>, l: &mut For) {
    if let (Some(n), Some(each)) = (l.max_trip_count(f), f.max_operations(&l.body))
        && n.saturating_mul(each) < LEAST_WORK
    {
        return;
    }
    let suits = suits(f, context, l);
    match l.kind {
        ForKind::Serial if suits => l.kind = ForKind::Parallel,
        ForKind::Vector(_) if suits => cut(f, l),
        ForKind::Serial => mark(f, context, &mut l.body),
        ForKind::Vector(_) | ForKind::Parallel => {}
    }
}

/// Whether the iterations of a loop may run at once, and may be many.
fn suits(f: &Function, context: &Context<'_>, l: &For) -> bool {
    let freedom = context.freedom;
    if !freedom.independent[l.var] || l.max_trip_count(f).is_some_and(|n| n < 2) {
        return false;
    }
    let uses = Uses::of(f, context, l);
    let apart = freedom.apart[l.var] || !uses.stores;
    let exact = !f.strict || !uses.reorders;
    apart && exact && uses.private
}

/// Puts a parallel loop over blocks around a vector loop.
fn cut(f: &mut Function, l: &mut For) {
    let nested = l.body.iter().any(|s| matches!(s, Stmt::For(_)));
    let size = if nested { BLOCK_OF_LOOPS } else { BLOCK };
    if l.step != 1 || l.max_trip_count(f).is_some_and(|n| n <= size as u64) {
        return;
    }
    let var = f.add_var(Name::new("block"));
    let (lo, hi) = (f.var(var), l.hi);
    let count = f.int(size);
    let end = f.add(lo, count);
    let end = f.binary(BinaryOp::Min, end, hi);
    let inner = For { lo, hi: end, body: std::mem::take(&mut l.body), ..l.clone() };
    l.var = var;
    l.step = size;
    l.kind = ForKind::Parallel;
    l.body = vec![Stmt::For(inner)];
}

/// What the body of a loop does to what is outside.
struct Uses {
    stores: bool,
    /// Whether running it in parts adds or multiplies floats in another order.
    reorders: bool,
    /// Whether no value but those of accumulators passes from one iteration to another, or out.
    private: bool,
}

impl Uses {
    fn of(f: &Function, context: &Context<'_>, l: &For) -> Uses {
        let mut seen = Seen::default();
        seen.block(f, &l.body);
        let crossing = |x: &weft_loops::Local| !seen.set[*x] && seen.accumulated[*x].is_some();
        let accumulators: Vec<_> = f.locals.keys().filter(crossing).collect();
        let float_sum = |x: &weft_loops::Local| {
            let op = seen.accumulated[*x].expect("it is accumulated");
            f.locals[*x].ty.is_float() && matches!(op, BinaryOp::Add | BinaryOp::Mul)
        };
        // Scratch that a thread fills is its own: nobody else may read it.
        let leaves = seen.filled.iter().any(|(b, &own)| own && seen.loads[b] < context.loads[b]);
        let settled = accumulators.iter().all(|&x| !seen.read[x] && !seen.mixed[x]);
        Uses {
            stores: seen.stores,
            reorders: accumulators.iter().any(float_sum),
            private: settled && !seen.carried && !leaves,
        }
    }
}

/// A walk over a body in order.
#[derive(Default)]
struct Seen {
    stores: bool,
    /// Whether a local that the body sets is read where it may hold an older value.
    carried: bool,
    read: SecondaryMap<weft_loops::Local, bool>,
    set: SecondaryMap<weft_loops::Local, bool>,
    accumulated: SecondaryMap<weft_loops::Local, Option<BinaryOp>>,
    /// Accumulated by more than one operator.
    mixed: SecondaryMap<weft_loops::Local, bool>,
    /// Scratch that the function provides and that was written in this body.
    filled: SecondaryMap<weft_loops::Buffer, bool>,
    /// How often such scratch is read.
    loads: SecondaryMap<weft_loops::Buffer, u32>,
}

impl Seen {
    fn block(&mut self, f: &Function, stmts: &[Stmt]) {
        for stmt in stmts {
            self.exprs(f, stmt);
            match stmt {
                Stmt::Store { buffer, .. } | Stmt::Fill { buffer, .. } => self.write(f, *buffer),
                Stmt::Set { local, .. } => self.set(*local),
                // What calls need of the stack is there for one thread.
                Stmt::Call { .. } => self.carried = true,
                Stmt::Accumulate { local, op, .. } => {
                    let before = self.accumulated[*local].replace(*op);
                    self.mixed[*local] |= before.is_some_and(|o| o != *op);
                }
                Stmt::Scan { locals, .. } => {
                    for &local in locals {
                        // The value of an iteration before, unless it begins in this one.
                        self.carried |= !self.set[local];
                        self.read[local] = true;
                    }
                }
                Stmt::For(_) | Stmt::If { .. } | Stmt::Trap { .. } | Stmt::Flag { .. } => {}
            }
            for inner in stmt.blocks() {
                self.block(f, inner);
            }
        }
    }

    fn set(&mut self, local: weft_loops::Local) {
        // Read or added to before it is set: the value of an iteration before.
        let old = self.read[local] || self.accumulated[local].is_some();
        self.carried |= old && !self.set[local];
        self.set[local] = true;
    }

    fn write(&mut self, f: &Function, buffer: weft_loops::Buffer) {
        self.stores = true;
        self.filled[buffer] |= f.buffers[buffer].kind == BufferKind::Stack;
    }

    fn exprs(&mut self, f: &Function, stmt: &Stmt) {
        for e in f.reachable(&stmt.exprs()) {
            match f.expr(e) {
                ExprData::Local(l) => self.read[l] = true,
                // Scratch that was filled outside is not there for other threads.
                ExprData::Load { buffer, .. } if f.buffers[buffer].kind == BufferKind::Stack => {
                    self.carried |= !self.filled[buffer];
                    self.loads[buffer] += 1;
                }
                _ => {}
            }
        }
    }
}
