//! What was made of a request.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;
use weft_base::Span;
use weft_loops::{BufferKind, ExprData, Function, Stmt};
use weft_plan::{Bound, BufferRole, Item, Plan};
use weft_scalar::ScalarType;
use weft_schedule::{Choice, Kernel, Machine, Signature, choices};
use weft_tensor::{Graph, TensorId};

/// A routine: its plan, and the loops that carry it out.
#[derive(Debug)]
pub struct Compiled {
    /// What is computed in which order, where it is stored, and why.
    pub plan: Plan,
    /// Called one after the other; they take the same parameters and buffers.
    pub parts: Vec<Part>,
    /// How long it took.
    pub timings: Timings,
    /// What the loops were chosen for.
    pub(crate) machine: Machine,
}

/// How long compiling took.
#[derive(Debug, Clone, Copy)]
pub struct Timings {
    /// From the graph to the plan.
    pub plan: Duration,
    /// From the plan to loops.
    pub lower: Duration,
}

/// What one call runs.
#[derive(Debug)]
pub struct Part {
    /// Its items, of those of the plan.
    items: Range<usize>,
    /// The definitions it computes.
    pub label: String,
    /// Where the first of them is.
    pub span: Option<Span>,
    /// Its loops.
    pub kernel: Kernel,
}

impl Compiled {
    /// The graph behind the passes.
    pub fn graph(&self) -> &Graph {
        &self.plan.graph
    }

    /// The loops of the parts.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.parts.iter().map(|p| &p.kernel.function)
    }

    /// The schedule: what was chosen for each item of the plan, and what was refused.
    pub fn choices(&self) -> Vec<Choice> {
        let of = |p: &Part| choices(&self.plan, self.machine, (p.items.clone(), &p.kernel));
        self.parts.iter().flat_map(of).collect()
    }

    /// What all parts have in common.
    pub fn signature(&self) -> &Signature {
        &self.parts[0].kernel.signature
    }

    /// Whether integers are taken for small: where it fails, that says nothing of the program.
    pub fn guesses(&self) -> bool {
        !self.plan.narrowed.is_empty() || self.parts.iter().any(|p| p.kernel.signature.guesses)
    }

    /// The least that a call moves between memory and processor, in bytes: each tensor
    /// once, scratch twice.
    pub fn traffic(&self, bound: &Bound) -> u64 {
        let times = |role| if role == BufferRole::Scratch { 2 } else { 1 };
        let buffers = self.plan.buffers.iter();
        buffers.map(|(b, buffer)| times(buffer.role) * bound.buffers[b].bytes).sum()
    }
}

/// The definitions that items compute, and where the first of them is.
fn described(plan: &Plan, items: &[Item]) -> (String, Option<Span>) {
    let mut targets = Vec::new();
    items.iter().for_each(|item| computed(plan, item, &mut targets));
    let mut seen = BTreeSet::new();
    targets.retain(|t| seen.insert(*t));
    let span = targets.iter().find_map(|&t| plan.graph.tensors[t].span);
    let names: Vec<String> = targets.iter().map(|&t| plan.tensor_name(t)).collect();
    (names.join(", "), span)
}

fn computed(plan: &Plan, item: &Item, out: &mut Vec<TensorId>) {
    match item {
        Item::Fill(fill) => out.push(fill.target),
        Item::Nest(nest) => out.push(plan.graph.assigns[nest.assign].target),
        Item::Loop(l) => l.body.iter().for_each(|item| computed(plan, item, out)),
    }
}

impl Part {
    pub(crate) fn new(plan: &Plan, items: Range<usize>, kernel: Kernel) -> Part {
        let (label, span) = described(plan, &plan.items[items.clone()]);
        Part { items, label, span, kernel }
    }

    /// The bytes of the buffers that it reads and of those that it writes, given each one's.
    pub fn traffic(&self, plan: &Plan, bound: &Bound) -> u64 {
        let function = &self.kernel.function;
        let mut touched = BTreeSet::new();
        touch(function, &function.body, &mut touched);
        let sizes = plan.buffers.keys().map(|b| bound.buffers[b].bytes);
        let given = function.buffers.iter().filter(|(_, d)| d.kind != BufferKind::Stack);
        let pairs = given.map(|(b, _)| b).zip(sizes);
        let times = |b| [(b, false), (b, true)].iter().filter(|t| touched.contains(t)).count();
        pairs.map(|(b, bytes)| times(b) as u64 * bytes).sum()
    }

    /// The wider of the float types that it computes with.
    pub fn float(&self) -> Option<ScalarType> {
        let function = &self.kernel.function;
        let all = function.exprs().map(|(e, _)| function.ty(e)).filter(|t| t.is_float());
        all.max_by_key(|t| t.bytes())
    }
}

/// Buffers that statements read, and (with `true`) those they write.
fn touch(function: &Function, stmts: &[Stmt], touched: &mut BTreeSet<(weft_loops::Buffer, bool)>) {
    for stmt in stmts {
        for e in function.reachable(&stmt.exprs()) {
            if let ExprData::Load { buffer, .. } = function.expr(e) {
                touched.insert((buffer, false));
            }
        }
        if let Stmt::Store { buffer, .. } | Stmt::Fill { buffer, .. } = stmt {
            touched.insert((*buffer, true));
        }
        stmt.blocks().for_each(|block| touch(function, block, touched));
    }
}
