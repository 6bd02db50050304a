//! Why there is no order: cells that need each other, or what is missing to see one.

use crate::order::{AxisSearch, Orderer, UncarriedReads};
use crate::placed::Placed;
use crate::routine::name_of;
use weft_base::Name;
use weft_base::Span;
use weft_depend::{Distance, Read};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_shape::Size;
use weft_tensor::{AssignId, TensorId, affine_text};

/// Cells that need each other.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The tensor of the first of them.
    pub tensor: TensorId,
    /// The piece that reads the next.
    pub reader: AssignId,
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

impl Orderer<'_> {
    /// The refusal of members that need each other: with a cycle where one is certain, else
    /// with a read that looks ahead.
    pub fn refuse(&self, members: &[Placed], alive: &UncarriedReads) -> Refusal {
        let example = (self.means == AxisSearch::Axes).then(|| self.example(members)).flatten();
        let (tensor, p, r, why, cyclic) = match example {
            Some(e) => {
                let read = &self.pieces.get(e.reader).reads[e.read];
                (e.tensor, e.reader, read, e.why, true)
            }
            None => {
                let (p, r) = self.worst_read(members, alive);
                let why = self.what_is_missing(members, alive).to_string();
                (self.pieces.get(p).target, p, r, why, false)
            }
        };
        Refusal {
            tensor,
            name: name_of(self.graph, tensor),
            span: self.graph.tensors[tensor].span,
            read: self.graph.tensors[r.tensor].name.is_some().then(|| self.read_text(p, r)),
            why,
            pieces: members.iter().map(|p| p.id).collect(),
            cyclic,
        }
    }

    /// A read of named definitions that does not look back, if there is one.
    fn worst_read(&self, members: &[Placed], alive: &UncarriedReads) -> (AssignId, &Read) {
        let reads = members.iter().flat_map(|p| {
            let inside = self.alive_reads(p.id, alive).filter(|r| self.writes(members, r.tensor));
            inside.map(move |r| (p.id, r))
        });
        let named = |p: AssignId, r: &Read| {
            let name = |t| self.graph.tensors[t].name.is_some();
            name(self.pieces.get(p).target) && name(r.tensor)
        };
        let badness = |(p, r): &(AssignId, &Read)| (!named(*p, r), self.looks_back(*p, r));
        reads.min_by_key(badness).expect("a component that is refused reads itself")
    }

    fn what_is_missing(&self, members: &[Placed], alive: &UncarriedReads) -> &'static str {
        let inside = |r: &&Read| self.writes(members, r.tensor);
        let all = |p: &Placed| self.alive_reads(p.id, alive).filter(inside).collect::<Vec<_>>();
        let reads: Vec<&Read> = members.iter().flat_map(all).collect();
        if reads.iter().any(|r| r.is_computed) {
            "an index that is data may name any cell of its axis: a guard that compares it with \
             the cell's own index, such as `where p[i] < i`, would give an order"
        } else if reads.iter().any(|r| r.when.is_none() || !r.is_affine()) {
            "its indices are not linear in the indices of the cell and the sizes, so it is not \
             known which cells it needs"
        } else {
            "no nest of loops has every read of the recurrence behind it"
        }
    }

    /// Whether a read of the piece's own tensor lies behind it on some axis.
    fn looks_back(&self, p: AssignId, r: &Read) -> bool {
        let piece = self.pieces.get(p);
        piece.target == r.tensor
            && piece.write.iter().zip(&r.index).any(|(w, x)| {
                Distance::compute(&piece.scope, x, w, &self.graph.facts).is_carried(false)
            })
    }

    fn read_text(&self, p: AssignId, r: &Read) -> String {
        let iters = &self.graph.assigns[p].space.iters;
        // Iterators beyond the space stand for computed indices.
        let name = |i: Iter| match iters.get(i) {
            Some(name) => name.as_ref().map_or_else(|| i.to_string(), Name::to_string),
            None => "…".to_string(),
        };
        let size = |s: &Size| s.display(&|q| self.graph.params[q].name.to_string());
        let term = |a: &Affine| affine_text(a, &name, &size);
        let terms: Vec<String> = r.index.iter().map(term).collect();
        format!("{}[{}]", name_of(self.graph, r.tensor), terms.join(", "))
    }
}
