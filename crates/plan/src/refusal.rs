//! What cannot be planned, and why.

use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_tensor::TensorId;

/// Cells that need each other.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The tensor of the first of them.
    pub tensor: TensorId,
    /// The piece that reads the next.
    pub reader: weft_tensor::AssignId,
    /// The number of its read that does.
    pub read: usize,
    /// The cycle in words.
    pub why: String,
}

/// A definition that has no order of computation known to this planner.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The tensor whose definition it is.
    pub tensor: TensorId,
    /// Its name in messages.
    pub name: String,
    /// Where it is defined.
    pub span: Option<Span>,
    /// The read that has no place in an order, in the text form of the language; `None`
    /// where it is of a part of the definition that has no name.
    pub read: Option<String>,
    /// Why, in a sentence; with an example where one is known.
    pub why: String,
    /// The pieces that need each other.
    pub pieces: Vec<weft_tensor::AssignId>,
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
        let label = match &self.read {
            Some(read) => format!("it reads `{read}`"),
            None => "its cells need each other".to_string(),
        };
        Diagnostic::error(code, headline)
            .primary(self.span.unwrap_or(fallback), label)
            .note(self.why.clone())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no order computes every cell of `{}`", self.name)?;
        if let Some(read) = &self.read {
            write!(f, ": it reads `{read}`")?;
        }
        write!(f, "; {}", self.why)
    }
}

impl std::error::Error for Refusal {}
