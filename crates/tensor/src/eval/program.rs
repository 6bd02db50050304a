//! The compiled form of one assignment: a short program that computes one cell.
//!
//! All state of a run is one frame of 64-bit slots: iterators first, then loop state,
//! the cell's indices, nodes, and thunks. So a run can wait for another cell at any
//! instruction.

use super::term::Term;
use super::walk::{Check, Loop};
use crate::{Accumulator, SiteId, TensorId};
use weft_base::Name;
use weft_scalar::{BinaryOp, ScalarType, UnaryOp};

/// A place in the code: a label while emitting, then an instruction number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target(pub(super) u32);

/// One instruction; numbers are slots of the frame unless said otherwise.
#[derive(Clone, Debug)]
pub(super) enum Instr {
    /// The value of term number `term`, as `i64`.
    Index {
        dst: u32,
        term: u32,
    },
    /// Cell of a tensor, by read plan number `read`.
    Read {
        dst: u32,
        read: u32,
    },
    Unary {
        op: UnaryOp,
        ty: ScalarType,
        dst: u32,
        x: u32,
    },
    Binary {
        op: BinaryOp,
        ty: ScalarType,
        dst: u32,
        a: u32,
        b: u32,
        site: Option<SiteId>,
    },
    Cast {
        from: ScalarType,
        to: ScalarType,
        dst: u32,
        x: u32,
    },
    /// A function of the graph, by call plan number `call`.
    Call {
        dst: u32,
        call: u32,
    },
    Move {
        dst: u32,
        src: u32,
    },
    Jump(Target),
    /// Jumps where the `bool` in `condition` is false.
    Unless {
        condition: u32,
        to: Target,
    },
    /// Fails where the `bool` in `condition` is false.
    Demand {
        condition: u32,
        site: SiteId,
    },
    /// Runs a thunk unless it has run.
    Force {
        flag: u32,
        back: u32,
        entry: Target,
    },
    /// The end of a thunk.
    Return {
        flag: u32,
        back: u32,
    },
    /// Sets a slot to 0: a thunk has not run, a loop is not active.
    Clear(u32),
    /// Jumps unless all conditions of list number `checks` hold.
    Guard {
        checks: u32,
        otherwise: Target,
    },
    /// First point of loop number `number`; jumps where there is none.
    Enter {
        number: u32,
        empty: Target,
    },
    /// Next point of a loop; jumps back if there is one.
    Next {
        number: u32,
        body: Target,
    },
    /// Starts accumulator number `acc`.
    Start {
        acc: u32,
    },
    /// Adds a value to an accumulator; jumps if later points cannot matter.
    Accumulate {
        acc: u32,
        value: u32,
        settled: Target,
    },
    /// Ends an exact accumulation: its value, which must be in its type.
    Total {
        acc: u32,
    },
    /// A point of the written space lies at the cell: the piece defines it.
    Claim,
    /// The end of the program.
    Finish,
}

/// A read projection.
#[derive(Debug)]
pub(super) struct ReadPlan {
    pub(super) tensor: TensorId,
    pub(super) axes: Box<[AxisIndex]>,
    pub(super) site: Option<SiteId>,
}

/// The index on one axis.
#[derive(Debug)]
pub(super) enum AxisIndex {
    Term(Term),
    /// The node in a slot, of an integer type.
    Slot(u32, ScalarType),
}

/// An accumulator over values of type `ty`.
#[derive(Debug)]
pub(super) struct AccPlan {
    pub(super) kind: Accumulator,
    pub(super) ty: ScalarType,
    /// Slot of the result.
    pub(super) out: u32,
    /// Slot of the extreme value so far (`argmax`, `argmin`); this, `seen` and `argument` are
    /// slots of what an exact accumulation has come to.
    pub(super) best: u32,
    /// Slot: whether there was a value (`argmax`, `argmin`).
    pub(super) seen: u32,
    /// Slot of the iterator selected (`argmax`, `argmin`).
    pub(super) argument: u32,
    /// Slots of the factors of a term.
    pub(super) factors: Box<[u32]>,
}

/// A function applied: the slots of its arguments with their types.
#[derive(Clone, Debug)]
pub(super) struct CallPlan {
    pub(super) function: weft_scalar::function::FunctionId,
    pub(super) args: Vec<(u32, ScalarType)>,
}

/// A program that computes one cell, or finds that the piece does not define it.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) code: Vec<Instr>,
    /// A frame at the start.
    pub(super) template: Vec<u64>,
    pub(super) terms: Vec<Term>,
    pub(super) reads: Vec<ReadPlan>,
    pub(super) loops: Vec<Loop>,
    pub(super) checks: Vec<Vec<Check>>,
    pub(super) accs: Vec<AccPlan>,
    pub(super) calls: Vec<CallPlan>,
    /// First of the slots that hold the cell's indices.
    pub(super) cell: u32,
    /// Slot: whether the piece defines the cell.
    pub(super) claimed: u32,
    /// Slot and type of the result.
    pub(super) result: (u32, ScalarType),
    /// Names of the iterators, by slot.
    pub(super) names: Vec<Name>,
    /// Per axis the first and last index the piece may define.
    pub(super) hull: Vec<(i64, i64)>,
}

impl AccPlan {
    /// Whether it makes new floats, and does not choose among those it is given.
    pub(super) fn adds_up(&self) -> bool {
        self.ty.is_float() && matches!(self.kind, Accumulator::Sum | Accumulator::Prod)
    }
}
