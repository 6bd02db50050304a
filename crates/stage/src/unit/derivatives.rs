//! The derivatives that are asked for while the graph is built; sweeps take their place when it
//! is whole.

use super::tensors::Tensors;
use crate::scope::EnvId;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::{Name, Span};
use weft_domain::{Affine, Space};
use weft_grad::{Pattern, Quotient, Rule, Sweep};
use weft_host::VarId;
use weft_sema::thir::LocalId;
use weft_tensor::{
    Accumulator, Assignment, Axis, Definition, Expr as Node, Exprs, Graph, IndexTerm, Tensor,
    TensorId,
};

/// A differential whose text is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// It, over live copies.
    pub tensor: TensorId,
    /// What the text becomes.
    pub var: VarId,
    /// Where it is shown, and the last name that is bound by then.
    pub env: EnvId,
    pub last: Option<LocalId>,
    pub span: Span,
}

/// What a name copies that is differentiated by.
#[derive(Clone, Debug)]
pub(crate) struct Copied {
    /// As the program writes it.
    pub of: Name,
    /// Whether what is differentiated are cells of another step, which have nothing of the name.
    pub other_step: bool,
}

/// Derivatives, and what they are had from.
#[derive(Default)]
pub(crate) struct Derivatives {
    /// Those that are asked for.
    quotients: Vec<Quotient>,
    /// What stands in for pieces where they are differentiated.
    rules: Vec<Rule>,
    /// The differentials whose texts are wanted.
    shown: Vec<Wanted>,
    /// Copies of tensors that stand for their differentials.
    live: BTreeMap<TensorId, TensorId>,
    /// Quotients by a name that copies cells, and what it copies.
    copies: BTreeMap<Span, Copied>,
    /// How they are had, and how they are read.
    sweeps: Vec<Sweep>,
    reads: Vec<(TensorId, Pattern)>,
}

/// What was asked for of derivatives, and how it is had.
pub(crate) struct Had {
    pub quotients: Vec<Quotient>,
    pub rules: Vec<Rule>,
    pub sweeps: Vec<Sweep>,
    pub reads: Vec<(TensorId, Pattern)>,
}

impl Derivatives {
    /// Those that are asked for.
    pub fn quotients(&self) -> &[Quotient] {
        &self.quotients
    }

    /// What stands in for pieces where they are differentiated.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The same, to be changed with the graph.
    pub fn rules_mut(&mut self) -> &mut Vec<Rule> {
        &mut self.rules
    }

    /// The differentials whose texts are wanted.
    pub fn shown(&self) -> &[Wanted] {
        &self.shown
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.quotients.is_empty() && self.shown.is_empty()
    }

    /// Notes that a quotient is by a name that copies cells.
    pub fn by_copy(&mut self, quotient: Span, copied: Copied) {
        self.copies.insert(quotient, copied);
    }

    /// Quotients by names that copy cells.
    pub fn copies(&self) -> &BTreeMap<Span, Copied> {
        &self.copies
    }

    /// Asks for a text.
    pub fn show(&mut self, wanted: Wanted) {
        self.shown.push(wanted);
    }

    /// Has something stand in for a piece.
    pub fn rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    /// Notes how derivatives are had.
    pub fn expanded(&mut self, sweeps: Vec<Sweep>, reads: Vec<(TensorId, Pattern)>) {
        (self.sweeps, self.reads) = (sweeps, reads);
    }

    /// What was asked for, and how it is had.
    pub fn had(self) -> Had {
        let Derivatives { quotients, rules, sweeps, reads, .. } = self;
        Had { quotients, rules, sweeps, reads }
    }

    /// The tensor that stands for a quotient; one for each pair. `chosen` says whether cells of
    /// the independent one were written out.
    pub fn quotient(
        &mut self,
        target: TensorId,
        (independent, chosen): (TensorId, bool),
        span: Span,
        tensors: &mut Tensors,
    ) -> TensorId {
        let same =
            |q: &&Quotient| q.target == target && q.independent == independent && q.cells == chosen;
        if let Some(q) = self.quotients.iter().find(same) {
            return q.tensor;
        }
        let graph = tensors.graph();
        let all = [target, independent];
        let axes: Vec<Axis> =
            all.iter().flat_map(|t| graph.tensors[*t].axes.iter().cloned()).collect();
        let of = tensors.elem(target);
        let elem = of.join(tensors.elem(independent)).unwrap_or(of);
        let tensor = tensors.tensor(None, elem, axes);
        let (span, cells) = (Some(span), chosen);
        self.quotients.push(Quotient { tensor, target, independent, cells, span });
        tensor
    }

    /// The copy of a tensor that stands for its differential.
    pub fn live(&mut self, of: TensorId, tensors: &mut Tensors) -> TensorId {
        *self.live.entry(of).or_insert_with(|| copy_of(tensors.graph_mut(), of))
    }

    /// All such copies.
    pub fn live_copies(&self) -> BTreeSet<TensorId> {
        self.live.values().copied().collect()
    }

    /// What they are copies of.
    pub fn originals(&self) -> BTreeMap<TensorId, TensorId> {
        self.live.iter().map(|(of, copy)| (*copy, *of)).collect()
    }
}

/// A tensor with the cells of another.
pub(crate) fn copy_of(graph: &mut Graph, of: TensorId) -> TensorId {
    let like = &graph.tensors[of];
    let (elem, axes, span) = (like.elem, like.axes.clone(), like.span);
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let mut space = Space::default();
    let whole = |a: &weft_tensor::Axis| {
        let (lo, hi) = (Affine::fixed(0), Affine::fixed(a.extent.clone()));
        IndexTerm::from(Affine::iter(space.push(a.name.clone(), lo, hi)))
    };
    let write: Vec<IndexTerm> = axes.iter().map(whole).collect();
    let target = graph.tensors.push(Tensor { name: None, span, elem, axes, definition });
    let mut exprs = Exprs::new();
    let read = Node::Read { tensor: of, index: write.clone(), site: None };
    let body = exprs.add(read, elem);
    let accumulator = Accumulator::Set;
    graph.assign(Assignment { target, space, write, accumulator, mask: None, body, exprs });
    target
}
