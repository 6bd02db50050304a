//! Why a derivative cannot be had.

use weft_base::Span;

/// A request that is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The request.
    pub span: Option<Span>,
    /// Why.
    pub cause: Cause,
}

/// Reason why there is no derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An operation without a rule.
    Operation(&'static str),
    /// An index whose inverse has no closed form.
    Index,
    /// Conditions within conditions beyond all measure.
    TooManyBranches,
    /// A derivative that depends on itself.
    Cycle,
}

impl Cause {
    /// The cause as the end of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Cause::Operation(what) => what,
            Cause::Index => "a read at an index that cannot be inverted",
            Cause::TooManyBranches => "more conditions within conditions than can be told apart",
            Cause::Cycle => "a derivative that is part of what it differentiates",
        }
    }
}
