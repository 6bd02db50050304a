//! Routines ready to be called: whole, or in parts where each is to be watched.

use crate::cache::{KernelCache, Origin};
use std::collections::BTreeSet;
use std::time::Instant;
use weft_base::Span;
use weft_codegen::Options as CodeOptions;
use weft_loops::{BufferKind, ExprData, Function, Stmt};
use weft_plan::{Bound, BufferRole, Item, Plan};
use weft_runtime::Library;
use weft_scalar::ScalarType;
use weft_schedule::{Kernel, Machine, lower, lower_part};
use weft_tensor::TensorId;

/// The most parts that a routine is divided into.
const MOST_PARTS: usize = 64;

/// A routine with its machine code.
pub(super) struct Prepared {
    pub plan: Plan,
    /// Called one after the other; they take the same parameters and buffers.
    pub parts: Vec<Part>,
    /// The machine code of the parts, in their order.
    pub library: Library,
    pub lower_ms: f64,
    pub compile_ms: f64,
    pub origin: Origin,
}

/// What one call runs.
pub(super) struct Part {
    /// The definitions it computes.
    pub label: String,
    /// Where the first of them is.
    pub span: Option<Span>,
    pub kernel: Kernel,
}

impl Prepared {
    /// Machine code for a plan; in parts where they are to be watched.
    pub fn new(
        plan: Plan,
        (machine, apart): (Machine, bool),
        cache: &mut KernelCache,
        code: &CodeOptions,
    ) -> Prepared {
        let start = Instant::now();
        let kernels = match apart {
            true => parts(&plan, machine),
            false => vec![(0..plan.items.len(), lower(&plan, "segment", machine))],
        };
        let lower_ms = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let functions: Vec<Function> = kernels.iter().map(|(_, k)| k.function.clone()).collect();
        let parts: Vec<Part> = kernels.into_iter().map(|(i, k)| Part::new(&plan, i, k)).collect();
        let labels: Vec<String> = parts.iter().map(|p| p.label.clone()).collect();
        let (library, origin) = cache.library(&functions, code, &labels);
        let compile_ms = start.elapsed().as_secs_f64() * 1e3;
        Prepared { plan, parts, library, lower_ms, compile_ms, origin }
    }

    /// What all parts have in common.
    pub fn signature(&self) -> &weft_schedule::Signature {
        &self.parts[0].kernel.signature
    }

    /// Whether integers are taken for small: where it fails, that says nothing of the program.
    pub fn guesses(&self) -> bool {
        let kernels = || self.parts.iter().map(|p| &p.kernel);
        !self.plan.narrowed.is_empty() || kernels().any(|k| k.signature.guesses)
    }

    /// The least that a call moves between memory and processor, in bytes: each tensor
    /// once, scratch twice.
    pub fn traffic(&self, bound: &Bound) -> u64 {
        let times = |role| if role == BufferRole::Scratch { 2 } else { 1 };
        let buffers = self.plan.buffers.iter();
        buffers.map(|(b, buffer)| times(buffer.role) * bound.buffers[b].bytes).sum()
    }
}

fn parts(plan: &Plan, machine: Machine) -> Vec<(std::ops::Range<usize>, Kernel)> {
    let count = plan.items.len();
    let each = count.div_ceil(MOST_PARTS).max(1);
    let ranges = (0..count.max(1)).step_by(each).map(|from| from..count.min(from + each));
    let named = |(i, items): (usize, std::ops::Range<usize>)| {
        (items.clone(), lower_part(plan, &format!("segment{i}"), machine, items))
    };
    ranges.enumerate().map(named).collect()
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
    fn new(plan: &Plan, items: std::ops::Range<usize>, kernel: Kernel) -> Part {
        let (label, span) = described(plan, &plan.items[items]);
        Part { label, span, kernel }
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
