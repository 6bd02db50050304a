//! Which node of a body is evaluated where.
//!
//! The sides of an `If`, the value of a `Check` and the inside of a `Reduce` are *blocks*
//! that may run or not; everything else a block needs is evaluated in it, operands before
//! users. A node that several blocks need is evaluated in the one around them if that one
//! needs it anyway; otherwise it becomes a *thunk*: a block of its own that runs the first
//! time it is forced. So every node has one place and a program is linear in its body.

use super::exact::factors;
use crate::{Expr, ExprId, Exprs};
use weft_base::entity::SecondaryMap;

/// One step of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// Evaluate a node whose operands have been evaluated.
    Node(ExprId),
    /// Make sure that a thunk has run.
    Force(usize),
}

/// A stretch of evaluation that runs whole or not at all.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) entries: Vec<Entry>,
    /// Thunks to be forgotten when this block starts.
    pub(super) thunks: Vec<usize>,
    parent: usize,
    depth: usize,
}

/// The blocks of a body.
#[derive(Debug)]
pub(super) struct Blocks {
    pub(super) blocks: Vec<Block>,
    /// The block of each thunk.
    pub(super) thunks: Vec<usize>,
    /// The blocks inside a node: the two sides of an `If`; the value of a `Check`; of a
    /// `Reduce` what runs first at a point, and the body (the same without a mask).
    pub(super) inner: SecondaryMap<ExprId, [usize; 2]>,
    /// The part that runs first at a point of the assignment, and the body.
    pub(super) outer: [usize; 2],
    uses: SecondaryMap<ExprId, Vec<usize>>,
}

impl Blocks {
    /// Places every node that the mask and the factors of the body need.
    pub(super) fn new(exprs: &Exprs, mask: Option<ExprId>, body: &[ExprId]) -> Blocks {
        let mut blocks = Blocks {
            blocks: vec![Block::default()],
            thunks: Vec::new(),
            inner: SecondaryMap::new(),
            outer: [0, 0],
            uses: SecondaryMap::new(),
        };
        blocks.outer = blocks.masked(0, mask, body);
        for id in exprs.ids().rev() {
            blocks.place(exprs, id);
        }
        for block in &mut blocks.blocks {
            block.entries.reverse();
        }
        blocks
    }

    /// Uses of mask and body, the mask in `first`, the body behind it.
    fn masked(&mut self, first: usize, mask: Option<ExprId>, body: &[ExprId]) -> [usize; 2] {
        let Some(mask) = mask else {
            body.iter().for_each(|e| self.uses[*e].push(first));
            return [first, first];
        };
        self.uses[mask].push(first);
        let inside = self.open(first);
        body.iter().for_each(|e| self.uses[*e].push(inside));
        [first, inside]
    }

    fn open(&mut self, parent: usize) -> usize {
        let depth = self.blocks[parent].depth + 1;
        self.blocks.push(Block { parent, depth, ..Block::default() });
        self.blocks.len() - 1
    }

    fn place(&mut self, exprs: &Exprs, id: ExprId) {
        let mut uses = std::mem::take(&mut self.uses[id]);
        uses.sort_unstable();
        uses.dedup();
        if uses.is_empty() {
            return;
        }
        match exprs.get(id) {
            Expr::Const(_) => {}
            Expr::Index(_) => {
                uses.iter().for_each(|&b| self.blocks[b].entries.push(Entry::Node(id)));
            }
            _ => {
                let home = self.home(&uses);
                self.blocks[home].entries.push(Entry::Node(id));
                self.use_operands(exprs, id, home);
            }
        }
    }

    /// The block that evaluates a node which the blocks `uses` need.
    fn home(&mut self, uses: &[usize]) -> usize {
        let around = uses.iter().copied().reduce(|a, b| self.common(a, b)).expect("it is used");
        if uses.contains(&around) {
            return around;
        }
        let block = self.open(around);
        let thunk = self.thunks.len();
        self.thunks.push(block);
        self.blocks[around].thunks.push(thunk);
        for &user in uses {
            self.blocks[user].entries.push(Entry::Force(thunk));
        }
        block
    }

    /// The innermost block around both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.blocks[a].depth < self.blocks[b].depth {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.blocks[a].parent;
        }
        a
    }

    fn use_operands(&mut self, exprs: &Exprs, id: ExprId, home: usize) {
        match exprs.get(id) {
            Expr::If(condition, a, b) => {
                let sides = [self.open(home), self.open(home)];
                self.uses[*condition].push(home);
                self.uses[*a].push(sides[0]);
                self.uses[*b].push(sides[1]);
                self.inner[id] = sides;
            }
            Expr::Check { condition, value, .. } => {
                let inside = self.open(home);
                self.uses[*condition].push(home);
                self.uses[*value].push(inside);
                self.inner[id] = [inside, inside];
            }
            Expr::Reduce(r) => {
                let first = self.open(home);
                let terms = factors(exprs, r.accumulator, r.body);
                self.inner[id] = self.masked(first, r.mask, &terms);
            }
            strict => strict.operands().into_iter().for_each(|o| self.uses[o].push(home)),
        }
    }
}
