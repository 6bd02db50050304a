//! Blocks under construction: the loops and branches around the current point.

use crate::lower::emitter::Emitter;
use rustc_hash::FxHashMap;
use weft_base::Name;
use weft_loops::{Buffer, Expr, For, ForKind, Local, Stmt, Var};
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{ExprId, TensorId};

/// What a block is the body of.
#[derive(Clone, Debug)]
pub(crate) enum BlockKind {
    /// The function, or a step of a time loop.
    Base,
    /// A loop.
    Loop {
        var: Var,
        lo: Expr,
        hi: Expr,
        step: i64,
        /// The deepest block whose variables the bounds use.
        bounds_in: usize,
    },
    /// A branch taken where this holds.
    Branch(Expr),
}

/// A node of a body (by number, where several are emitted together), and which of the copies
/// of its point (see `contract`) it belongs to.
pub(crate) type Key = (u32, ExprId, u32);

/// A list of statements that is still growing.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub kind: BlockKind,
    pub stmts: Vec<Stmt>,
    /// Values of nodes that are known in this block and those inside it.
    pub known: FxHashMap<Key, Expr>,
}

impl Block {
    /// An empty block.
    pub fn new(kind: BlockKind) -> Block {
        Block { kind, stmts: Vec::new(), known: FxHashMap::default() }
    }

    /// The finished statement; `None` where there is nothing to run.
    pub fn finish(self) -> Option<Stmt> {
        if self.stmts.is_empty() {
            return None;
        }
        Some(match self.kind {
            BlockKind::Base => panic!("a base block is no statement"),
            BlockKind::Loop { var, lo, hi, step, .. } => {
                Stmt::For(For { var, lo, hi, step, kind: ForKind::Serial, body: self.stmts })
            }
            BlockKind::Branch(cond) => Stmt::If { cond, then: self.stmts, otherwise: Vec::new() },
        })
    }
}

/// What every part of lowering writes with.
impl Emitter<'_> {
    /// Appends a statement to the innermost block.
    pub fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a block is open").stmts.push(stmt);
    }

    /// Opens a block.
    pub fn open(&mut self, kind: BlockKind) {
        self.blocks.push(Block::new(kind));
    }

    /// Closes the innermost block and appends what it became.
    pub fn close(&mut self) {
        let block = self.blocks.pop().expect("the block is open");
        let settled = match block.kind {
            BlockKind::Branch(cond) => self.f.as_bool(cond),
            _ => None,
        };
        match settled {
            Some(true) => self.blocks.last_mut().expect("one is around").stmts.extend(block.stmts),
            Some(false) => {}
            None => block.finish().into_iter().for_each(|stmt| self.push(stmt)),
        }
    }

    /// The position of the innermost block.
    pub fn top(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The variable of a new loop, of the nest that is being emitted.
    pub fn new_var(&mut self, name: Name) -> Var {
        let var = self.f.add_var(name);
        self.owners[var] = self.target;
        var
    }

    /// A new local, not set yet.
    pub fn local(&mut self, name: &str, ty: ScalarType) -> Local {
        self.f.add_local(Name::new(name), ty)
    }

    /// `local = value`.
    pub fn set(&mut self, local: Local, value: Expr) {
        self.push(Stmt::Set { local, value });
    }

    /// The buffer of a tensor.
    pub fn buffer_of(&self, t: TensorId) -> Buffer {
        let id = self.plan.storage[t].buffer().expect("what a plan touches has a buffer");
        self.buffers[id].expect("every buffer is declared")
    }

    /// Of sizes, of which there may be none.
    pub fn product(&mut self, factors: &[Expr]) -> Expr {
        let one = self.f.int(1);
        factors.iter().fold(one, |p, &e| self.f.mul(p, e))
    }
}

/// Opens a loop over parts of a range; gives the bounds of one.
pub(crate) fn open_parts(
    e: &mut Emitter<'_>,
    var: Var,
    (lo, hi): (Expr, Expr),
    size: i64,
) -> (Expr, Expr) {
    let bounds_in = e.top();
    e.open(BlockKind::Loop { var, lo, hi, step: size, bounds_in });
    let first = e.f.var(var);
    (first, end_of_part(e, first, size, hi))
}

/// The end of the part of a range that begins at `first`.
pub(crate) fn end_of_part(e: &mut Emitter<'_>, first: Expr, size: i64, hi: Expr) -> Expr {
    let size = e.f.int(size);
    let end = e.f.add(first, size);
    e.f.binary(BinaryOp::Min, end, hi)
}
