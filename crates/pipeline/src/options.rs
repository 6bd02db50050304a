//! What decides how something is compiled, made once for a run.

use std::collections::{BTreeMap, BTreeSet};
use weft_plan::{PassOptions, PlanOptions, Segments};
use weft_scalar::eval::Overflow;
use weft_schedule::{Integers, Machine};
use weft_shape::Param;
use weft_tensor::{Graph, TensorId};

/// What the numbers of a program are, where a language may choose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Semantics {
    /// Operations on floats in the order of the source, the same bits everywhere.
    pub strict_fp: bool,
    /// What becomes of integers that leave their types.
    pub overflow: Overflow,
}

/// How to compile.
#[derive(Debug, Clone)]
pub struct CompileOptions {
    /// What may be computed in another order.
    pub semantics: Semantics,
    /// What loops are made for.
    pub machine: Machine,
    /// Bytes that tensors may take.
    pub memory: u64,
    /// What histories are computed again from.
    pub checkpoints: Checkpoints,
    /// What is asked of the passes over the graph.
    pub passes: PassOptions,
}

/// Whether histories are computed again from kept steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Checkpoints {
    /// Where they would not fit the memory, or take longer to write than to compute.
    #[default]
    AsNeeded,
    /// Wherever that is possible, in short segments of so many levels.
    Always(usize),
}

/// What is to be computed.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// What is looked at of it.
    pub observed: &'a [TensorId],
    /// What earlier segments stored: read, not computed.
    pub stored: &'a BTreeSet<TensorId>,
    /// Values of parameters, as far as they are known: others than these cost time only.
    pub likely: &'a BTreeMap<Param, i64>,
}

/// How a routine is made, of which a run may try several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Manner {
    /// How integers are computed that may leave their type.
    pub integers: Integers,
    /// Whether tensors may be computed inside their readers.
    pub inline: bool,
}

impl Manner {
    /// Integers so, and tensors inside their readers.
    pub fn of(integers: Integers) -> Manner {
        Manner { integers, inline: true }
    }
}

/// Into what a routine is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// One function.
    Whole,
    /// A function for each definition, to measure each.
    ByDefinition,
}

/// Two steps are the least that differs from one.
const LEAST_CHECKED_SEGMENT: i64 = 2;

impl CompileOptions {
    /// For a machine, with the numbers of the language and all memory.
    pub fn new(machine: Machine) -> CompileOptions {
        CompileOptions {
            semantics: Semantics::default(),
            machine,
            memory: u64::MAX,
            checkpoints: Checkpoints::AsNeeded,
            passes: PassOptions::default(),
        }
    }

    pub(crate) fn plan_options(
        &self,
        manner: Manner,
        likely: &BTreeMap<Param, i64>,
    ) -> PlanOptions {
        let checkpoints = match self.checkpoints {
            Checkpoints::AsNeeded => None,
            Checkpoints::Always(levels) => {
                Some(Segments { least: LEAST_CHECKED_SEGMENT, levels, light: false })
            }
        };
        PlanOptions {
            strict: self.semantics.strict_fp,
            inline: manner.inline,
            checkpoints,
            narrow: manner.integers == Integers::Guessed,
            likely: likely.clone(),
            border: self.machine.sizes.border,
            near: self.machine.sizes.near,
            passes: self.passes.clone(),
            ..PlanOptions::default()
        }
    }
}
