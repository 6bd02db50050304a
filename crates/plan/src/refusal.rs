//! What cannot be planned, and why.

use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_tensor::TensorId;

/// A definition that has no order of computation known to this planner.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The tensor whose definition it is.
    pub tensor: TensorId,
    /// Its name in messages.
    pub name: String,
    /// Where it is defined.
    pub span: Option<Span>,
    /// The read that has no place in an order, in the text form of the language.
    pub read: String,
    /// Why, in a sentence; with an example where one is known.
    pub why: String,
    /// Whether a cell surely depends on itself, so that no order exists at all.
    pub cyclic: bool,
}

impl Refusal {
    /// The error for the user: a cycle, or an order that is not known how to be found.
    pub fn diagnostic(&self, fallback: Span) -> Diagnostic {
        let (code, headline) = if self.cyclic {
            (Code::E0510, format!("`{}` depends on itself", self.name))
        } else {
            (Code::E0511, format!("no order computes every cell of `{}`", self.name))
        };
        Diagnostic::error(code, headline)
            .primary(self.span.unwrap_or(fallback), format!("it reads `{}`", self.read))
            .note(self.why.clone())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Refusal { name, read, why, .. } = self;
        write!(f, "no order computes every cell of `{name}`: it reads `{read}`; {why}")
    }
}

impl std::error::Error for Refusal {}
