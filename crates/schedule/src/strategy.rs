//! The strategies by name, and the reasons for which one is not taken.
//!
//! A strategy is one row here, a recogniser (`recognise`) and a way to write its loops
//! (`lower`). What has none that suits is carried out as it is written.

use std::fmt;

/// A way to carry out a nest or a loop over time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strategy {
    /// Operands of a sum of products packed, several rows and columns at once.
    Contraction,
    /// Reduced loops outside of the last written one.
    PartialSums,
    /// Loops of which an equality with a number leaves one point: gathers and scatters.
    OnePoint,
    /// Transposed operands turned in tiles.
    Transposition,
    /// A recurrence as a scan, in lanes and by threads.
    Scan,
    /// Several steps of a stencil while its cells are in the cache.
    TimeTiles,
    /// What steps carry is in registers.
    RegisterState,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 7] = [
        Strategy::Contraction,
        Strategy::PartialSums,
        Strategy::OnePoint,
        Strategy::Transposition,
        Strategy::Scan,
        Strategy::TimeTiles,
        Strategy::RegisterState,
    ];

    /// As the command line and the cases call it.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Contraction => "contraction",
            Strategy::PartialSums => "partial-sums",
            Strategy::OnePoint => "one-point",
            Strategy::Transposition => "transposition",
            Strategy::Scan => "scan",
            Strategy::TimeTiles => "time-tiles",
            Strategy::RegisterState => "register-state",
        }
    }

    /// The strategy of a name.
    pub fn named(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// A set of strategies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Strategies(u8);

impl Strategies {
    /// Whether one is among them.
    pub fn contains(self, strategy: Strategy) -> bool {
        self.0 & Strategies::bit(strategy) != 0
    }

    fn bit(strategy: Strategy) -> u8 {
        1 << strategy as u8
    }
}

impl FromIterator<Strategy> for Strategies {
    fn from_iter<I: IntoIterator<Item = Strategy>>(all: I) -> Strategies {
        Strategies(all.into_iter().fold(0, |set, s| set | Strategies::bit(s)))
    }
}

/// Why a strategy does not suit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It has not the shape that the strategy is for: nothing to be said.
    Foreign,
    /// It was asked to be left out.
    Skipped,
    /// Conditions bound the points.
    Guarded,
    /// Conditions leave few of the terms.
    Sparse,
    /// It goes on from what its cells hold.
    Continues,
    /// What it computes has loops of its own, or may fail.
    Statements,
    /// Its loops' ranges depend on each other.
    DependentRanges,
    /// The last written axis is not one iterator's.
    NoColumns,
    /// No two operands share cells as those of a product of matrices do.
    NothingShared,
    /// An operand may lie outside where a condition does not hold.
    UnsafeOperands,
    /// Sums of integers are exact, and more than products of two.
    ExactIntegers,
    /// Its results are places, which no operator combines.
    Places,
    /// By the extents that are known there are too few points.
    Small,
    /// Steps do not follow from the ones before by a sum of products.
    NotLinear,
    /// The steps' cells do not lie in rows, or conditions bound them.
    NotRows,
    /// What runs is not kept.
    NotKept,
    /// Floats keep the order of the source.
    StrictFloats,
    /// Too many values run at once, or they would lose digits.
    ManyStates,
    /// Steps run from the last to the first, or at once.
    Direction,
    /// A step has loops over time of its own.
    NestedSteps,
    /// A step begins by filling cells.
    Fills,
    /// A step has more pieces than tiles are worth.
    ManyPieces,
    /// A step does more than store cells that cannot fail.
    NotPlain,
    /// Cells do not move evenly from step to step.
    Uneven,
    /// What steps carry is more than registers hold.
    ManyCells,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Foreign => "it has another shape",
            Refusal::Skipped => "it was asked to be left out",
            Refusal::Guarded => "conditions bound the points",
            Refusal::Sparse => "conditions leave few of the terms, or nobody knows how many",
            Refusal::Continues => "it goes on from what its cells hold",
            Refusal::Statements => "what it computes has loops of its own, or may fail",
            Refusal::DependentRanges => "the ranges of its loops depend on each other",
            Refusal::NoColumns => "the last written axis is not an index by itself",
            Refusal::NothingShared => "no two operands are shared between rows and columns",
            Refusal::UnsafeOperands => {
                "an operand may lie outside its tensor where the condition does not hold"
            }
            Refusal::ExactIntegers => "its sums of integers are more than products of two",
            Refusal::Places => "its results are places, which no operator combines",
            Refusal::Small => "there are too few points",
            Refusal::NotLinear => "a step is no sum of products of the steps before it",
            Refusal::NotRows => "the steps' cells do not lie in rows, or conditions bound them",
            Refusal::NotKept => "what runs is not stored",
            Refusal::StrictFloats => "floats keep the order of the source",
            Refusal::ManyStates => "too many values run at once, or they would lose digits",
            Refusal::Direction => "the steps run backwards, or at once",
            Refusal::NestedSteps => "a step has loops over time of its own",
            Refusal::Fills => "a step begins by filling cells",
            Refusal::ManyPieces => "a step has more pieces than tiles are worth",
            Refusal::NotPlain => "a step does more than store cells that cannot fail",
            Refusal::Uneven => "cells do not move evenly from step to step",
            Refusal::ManyCells => "what steps carry is more than registers hold",
        })
    }
}
