//! Statements.

use crate::{Buffer, Expr, Local, Var};
use weft_scalar::BinaryOp;
use weft_scalar::function::FunctionId;

/// How the iterations of a loop may be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForKind {
    /// In order.
    Serial,
    /// In any order, on several threads.
    Parallel,
    /// In lanes of one vector, this many at a time (a power of two up to 64); with
    /// `None` as many as the target has for the widest element the body handles.
    Vector(Option<u8>),
}

/// A counted loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    /// The variable; each loop has its own.
    pub var: Var,
    /// First value.
    pub lo: Expr,
    /// Bound, exclusive; evaluated once, before the loop.
    pub hi: Expr,
    /// Added after each iteration, not 0. Positive: runs while `var < hi`; negative:
    /// while `var > hi`.
    pub step: i64,
    /// How iterations may be carried out.
    pub kind: ForKind,
    /// The statements of an iteration.
    pub body: Vec<Stmt>,
}

/// One statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// A loop.
    For(For),
    /// Runs one of two lists.
    If {
        /// A `bool`.
        cond: Expr,
        /// Run when it holds.
        then: Vec<Stmt>,
        /// Run when it does not.
        otherwise: Vec<Stmt>,
    },
    /// `buffer[index] = value`.
    Store {
        /// The buffer written.
        buffer: Buffer,
        /// Which element, an `i64`.
        index: Expr,
        /// The value.
        value: Expr,
    },
    /// `local = value`.
    Set {
        /// The local written.
        local: Local,
        /// The value.
        value: Expr,
    },
    /// `local = local op value`; with [`Stmt::Scan`] the only way for a value to cross the
    /// iterations of a vector or parallel loop. `op` is `Add`, `Mul`, `Min`, `Max`, `And` or `Or`.
    Accumulate {
        /// The accumulator.
        local: Local,
        /// Its operator.
        op: BinaryOp,
        /// The term.
        value: Expr,
    },
    /// `local = local op value`, as [`Stmt::Accumulate`], where the rest of the iteration may
    /// read what has come together so far; or `locals = by * locals + values`, all at once.
    /// In the body of a vector loop, not nested in it, each lane reads its own prefix;
    /// nothing in front of it reads the locals.
    Scan {
        /// The running values, of one type; one where there is no matrix.
        locals: Vec<Local>,
        /// Their operator; `Add` where there is a matrix.
        op: BinaryOp,
        /// The term of each.
        values: Vec<Expr>,
        /// The matrix that the running values are multiplied by before, row by row; empty
        /// for none. Where there is no entry nothing is added: zero times an infinite value
        /// would be no number.
        by: Vec<Option<Expr>>,
    },
    /// `buffer[i] = value` for every `i` in `lo..hi`; `value` must not read a buffer.
    Fill {
        /// The buffer written.
        buffer: Buffer,
        /// First element.
        lo: Expr,
        /// One past the last element; nothing is written if it is not above `lo`.
        hi: Expr,
        /// The value.
        value: Expr,
    },
    /// `local = function(args)`. Never in a vector or parallel loop. A failure at one of
    /// the function's places ends the kernel's call with a trap of that number, counted
    /// from `site`.
    Call {
        /// The local written.
        local: Local,
        /// Which of [`crate::Function::callees`].
        function: FunctionId,
        /// One for each of its arguments.
        args: Vec<Expr>,
        /// The origin of the function's places.
        site: u32,
        /// Up to [`Stmt::TRAP_ARGS`] `i64` values that say where, for a trap.
        point: Vec<Expr>,
    },
    /// Where a condition holds, the call fails: at the latest when the function ends, without
    /// saying where. What it writes until then has no meaning.
    Flag {
        /// A `bool`.
        cond: Expr,
    },
    /// Ends the call with a failure.
    Trap {
        /// Which check failed, in the caller's table.
        site: u32,
        /// Up to [`Stmt::TRAP_ARGS`] `i64` values that say where.
        args: Vec<Expr>,
    },
}

impl Stmt {
    /// The most arguments a trap records.
    pub const TRAP_ARGS: usize = 8;

    /// Whether an operator may accumulate.
    pub fn accumulates(op: BinaryOp) -> bool {
        use BinaryOp::*;
        matches!(op, Add | Mul | Min | Max | And | Or)
    }

    /// The lists nested directly inside.
    pub fn blocks(&self) -> impl Iterator<Item = &Vec<Stmt>> {
        let pair = match self {
            Stmt::For(f) => [Some(&f.body), None],
            Stmt::If { then, otherwise, .. } => [Some(then), Some(otherwise)],
            _ => [None, None],
        };
        pair.into_iter().flatten()
    }

    /// The expressions held directly, in the order of their evaluation.
    pub fn exprs(&self) -> Vec<Expr> {
        match self {
            Stmt::For(f) => vec![f.lo, f.hi],
            Stmt::If { cond, .. } | Stmt::Flag { cond } => vec![*cond],
            Stmt::Store { index, value, .. } => vec![*index, *value],
            Stmt::Set { value, .. } | Stmt::Accumulate { value, .. } => vec![*value],
            Stmt::Scan { values, by, .. } => {
                values.iter().chain(by.iter().flatten()).copied().collect()
            }
            Stmt::Fill { lo, hi, value, .. } => vec![*lo, *hi, *value],
            Stmt::Call { args, point, .. } => args.iter().chain(point).copied().collect(),
            Stmt::Trap { args, .. } => args.clone(),
        }
    }
}
