//! Blocks under construction: the loops and branches around the current point.

use rustc_hash::FxHashMap;
use weft_loops::{Expr, For, ForKind, Stmt, Var};
use weft_tensor::ExprId;

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
