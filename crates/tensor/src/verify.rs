//! Whether a graph obeys the rules that every pass may rely on.
//!
//! The rules are about form: arities, types, scopes, the order of factors. Whether pieces
//! overlap, reads stay inside and writes are injective are questions about sets, which
//! are asked elsewhere.

mod exprs;
mod space;

use crate::{
    Accumulator, AssignId, Assignment, Definition, Graph, IndexTerm, Iter, Tensor, TensorId,
};
use std::fmt::Display;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_scalar::ScalarType;
use weft_shape::Size;

/// Faults of a graph, one line each, in the order of ids; `Ok` if nothing is.
pub fn verify(graph: &Graph) -> Result<(), Vec<String>> {
    let mut checker = Checker { graph, place: String::new(), wrong: Vec::new() };
    for (id, tensor) in &graph.tensors {
        checker.place = id.to_string();
        checker.tensor(id, tensor);
    }
    for (id, assign) in &graph.assigns {
        checker.place = id.to_string();
        checker.assignment(id, assign);
    }
    if checker.wrong.is_empty() { Ok(()) } else { Err(checker.wrong) }
}

struct Checker<'a> {
    graph: &'a Graph,
    /// The subject of the messages.
    place: String,
    wrong: Vec<String>,
}

impl Checker<'_> {
    fn wrong(&mut self, message: impl Display) {
        self.wrong.push(format!("{}: {message}", self.place));
    }

    fn demand(&mut self, holds: bool, message: &str) {
        if !holds {
            self.wrong(message);
        }
    }

    fn size(&mut self, size: &Size) {
        for p in size.params() {
            if !self.graph.params.is_valid(p) {
                self.wrong(format_args!("there is no parameter {p}"));
            }
        }
    }

    fn tensor(&mut self, id: TensorId, tensor: &Tensor) {
        tensor.axes.iter().for_each(|axis| self.size(&axis.extent));
        match &tensor.definition {
            Definition::Input => {}
            Definition::Constant(array) => {
                self.demand(array.elem() == tensor.elem, "the constant has another type");
                let fits =
                    array.shape().len() == tensor.rank()
                        && array.shape().iter().zip(&tensor.axes).all(|(&n, axis)| {
                            axis.extent.as_constant().is_none_or(|e| e == n as i64)
                        });
                self.demand(fits, "the constant has another shape");
            }
            Definition::Assigned { pieces, .. } => {
                for (at, piece) in pieces.iter().enumerate() {
                    let target = self.graph.assigns.get(*piece).map(|a| a.target);
                    self.demand(target == Some(id), "a piece is not an assignment to it");
                    self.demand(!pieces[..at].contains(piece), "a piece is listed twice");
                }
            }
        }
    }

    fn assignment(&mut self, id: AssignId, a: &Assignment) {
        let Some(target) = self.graph.tensors.get(a.target) else {
            return self.wrong(format_args!("there is no tensor {}", a.target));
        };
        let pieces = self.graph.pieces(a.target);
        // A plan divides pieces into parts that are nests of their own.
        let is_part = |p: &AssignId| {
            let piece = &self.graph.assigns[*p];
            *p == id || piece.write == a.write && piece.accumulator == a.accumulator
        };
        self.demand(pieces.iter().any(is_part), "it is no piece of its target, nor a part of one");
        self.demand(a.write.len() == target.rank(), "one write term per axis is needed");
        let scope = self.space(a);
        self.writes(a, &scope);
        let nodes = self.exprs(a, &scope);
        if nodes {
            self.roots(a, target.elem);
        }
    }

    /// Types of mask and body, and what the accumulator asks of them.
    fn roots(&mut self, a: &Assignment, elem: ScalarType) {
        let known = |e: crate::ExprId| e.index() < a.exprs.len();
        if !known(a.body) || !a.mask.is_none_or(known) {
            return self.wrong("there is no such body or mask");
        }
        let body = a.exprs.ty(a.body);
        if let Some(mask) = a.mask {
            self.demand(a.exprs.ty(mask) == ScalarType::Bool, "a mask is a bool");
            self.demand(a.accumulator != Accumulator::Set, "only reductions have masks");
        }
        let reduced = a.reduced();
        if a.accumulator == Accumulator::Set {
            self.demand(reduced.is_empty(), "`set` with an iterator that is not written");
        }
        let result = self.accumulator(a.accumulator, body, &reduced);
        self.demand(result == elem, "the body has another type than the target");
        if let Some(iter) = selected(a.accumulator, &reduced) {
            let known = a.space.range(iter).is_some();
            self.demand(known, "a selection is over a range");
        }
    }

    /// The type an accumulator yields from bodies of type `body`.
    fn accumulator(&mut self, kind: Accumulator, body: ScalarType, reduced: &[Iter]) -> ScalarType {
        let number = body != ScalarType::Bool;
        match kind {
            Accumulator::Set => body,
            Accumulator::Sum | Accumulator::Prod | Accumulator::Max | Accumulator::Min => {
                self.demand(number, "the accumulator takes numbers");
                body
            }
            Accumulator::ExactSum(site) | Accumulator::ExactProd(site) => {
                let known = self.graph.sites.is_valid(site);
                self.demand(known, "there is no such site");
                self.demand(
                    weft_scalar::eval::is_bounded(body),
                    "the accumulator takes bounded integers",
                );
                body
            }
            Accumulator::All | Accumulator::Any => {
                self.demand(!number, "the accumulator takes bools");
                body
            }
            Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => {
                self.demand(number, "the accumulator takes numbers");
                let found = selected(kind, reduced).is_some();
                self.demand(found, "the selection names no reduced iterator");
                ScalarType::I64
            }
        }
    }
}

/// The iterator whose value a selection yields.
fn selected(kind: Accumulator, reduced: &[Iter]) -> Option<Iter> {
    match kind {
        Accumulator::ArgMax(n) | Accumulator::ArgMin(n) => reduced.get(usize::from(n)).copied(),
        _ => None,
    }
}

/// The binder of an iterator.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Binder {
    /// Nothing.
    #[default]
    None,
    /// A range of the space.
    Loop,
    /// A nested reduction.
    Reduction,
}

/// Who binds each iterator of an assignment.
type Scope = SecondaryMap<Iter, Binder>;

/// Whether a term is one that is part of a write.
fn is_computed(term: &IndexTerm) -> bool {
    matches!(term, IndexTerm::Data(_))
}
