//! A schedule in words: what was chosen for each item of a plan, what was refused, and why.
//!
//! ```text
//! for t in 1..steps: time-tiles of 1 piece, 1 position back from one to the next
//!   not scan: a step is no sum of products of the steps before it
//!   a2 u set, t = t: points
//!     lanes along i; threads share steps
//! ```

use crate::analysis::{Analyses, Context};
use crate::machine::Machine;
use crate::recognise::scan::Scan;
use crate::recognise::{Contraction, OnePoints, Order, State};
use crate::signature::Kernel;
use crate::strategy::{Refusal, Strategy};
use crate::tree::{Loops, NestNode, Node, Refused, Steps, StepsNode};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use weft_domain::{Iter, Range as IndexRange};
use weft_loops::{For, ForKind, Function, Stmt};
use weft_plan::{Item, Plan};
use weft_tensor::{Assignment, TensorId};

/// What was chosen for an item of a plan.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The item as the plan writes it.
    pub item: String,
    /// How many loops over time are around it.
    pub depth: usize,
    /// Whether it is a loop over time itself.
    pub is_over_time: bool,
    /// What it writes.
    pub targets: Vec<TensorId>,
    /// The way in which it is carried out.
    pub way: String,
    /// The loops that lanes and threads carry out, by name.
    pub lanes: Vec<String>,
    /// As [`Choice::lanes`].
    pub threads: Vec<String>,
    /// The strategies that were asked and did not suit.
    pub refused: Vec<(Strategy, Refusal)>,
}

/// What was chosen for the items of a plan that a kernel carries out.
pub fn choices(
    plan: &Plan,
    machine: Machine,
    (items, kernel): (Range<usize>, &Kernel),
) -> Vec<Choice> {
    let items = &plan.items[items];
    let analyses = Analyses::of(plan, items, machine);
    let context = Context { plan, machine, analyses: &analyses };
    let mut said = Vec::new();
    let marks = marks(kernel);
    context.choose(items).iter().for_each(|n| describe(plan, n, 0, &marks, &mut said));
    said
}

impl Choice {
    /// The lines below its item.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let lanes =
            (!self.lanes.is_empty()).then(|| format!("lanes along {}", self.lanes.join(", ")));
        let threads = (!self.threads.is_empty())
            .then(|| format!("threads share {}", self.threads.join(", ")));
        let marks: Vec<String> = lanes.into_iter().chain(threads).collect();
        notes.extend((!marks.is_empty()).then(|| marks.join("; ")));
        let told = self.refused.iter().filter(|(_, why)| *why != Refusal::Foreign);
        notes.extend(told.map(|(strategy, why)| format!("not {}: {why}", strategy.name())));
        notes
    }
}

/// The text form of a schedule.
pub fn schedule_text(choices: &[Choice]) -> String {
    let mut text = String::new();
    for c in choices {
        let indent = "  ".repeat(c.depth);
        let way = if c.way.is_empty() { String::new() } else { format!(": {}", c.way) };
        let _ = writeln!(text, "{indent}{}{way}", c.item);
        for note in c.notes() {
            let _ = writeln!(text, "{indent}    {note}");
        }
    }
    text
}

fn describe(plan: &Plan, node: &Node<'_>, depth: usize, marks: &[Mark], said: &mut Vec<Choice>) {
    match node {
        Node::Fill(fill) => {
            said.push(Choice {
                item: plan.item_text(&Item::Fill((*fill).clone())),
                depth,
                is_over_time: false,
                targets: vec![fill.target],
                way: String::new(),
                lanes: Vec::new(),
                threads: Vec::new(),
                refused: Vec::new(),
            });
        }
        Node::Nest(nest) => said.push(nest_choice(plan, nest, depth, marks)),
        Node::Steps(steps) => {
            said.push(steps_choice(plan, steps, depth));
            steps.body.iter().for_each(|n| describe(plan, n, depth + 1, marks, said));
        }
    }
}

fn nest_choice(plan: &Plan, node: &NestNode<'_>, depth: usize, marks: &[Mark]) -> Choice {
    let a = node.view.assignment;
    let of = |kind: MarkKind| {
        let own = marks.iter().filter(|m| m.kind == kind && m.tensors.contains(&a.target));
        let names: BTreeSet<String> = own.map(|m| m.name.clone()).collect();
        names.into_iter().collect()
    };
    Choice {
        item: plan.item_text(&Item::Nest(node.view.nest.clone())),
        depth,
        is_over_time: false,
        targets: vec![a.target],
        way: loops_text(a, &node.loops),
        lanes: of(MarkKind::Lanes),
        threads: of(MarkKind::Threads),
        refused: node.refused.clone(),
    }
}

fn steps_choice(plan: &Plan, node: &StepsNode<'_>, depth: usize) -> Choice {
    let nests = node.steps.body.iter().flat_map(Item::nests);
    Choice {
        item: plan.item_text(&Item::Loop(node.steps.clone())),
        depth,
        is_over_time: true,
        targets: nests.map(|n| plan.graph.assigns[n.assign].target).collect(),
        way: steps_text(plan, node),
        lanes: Vec::new(),
        threads: Vec::new(),
        refused: told(node),
    }
}

/// Of steps that run in lanes or tiles nobody asks for registers.
fn told(node: &StepsNode<'_>) -> Refused {
    let in_turn = matches!(node.way, Steps::InTurn);
    let told = |r: &&(Strategy, Refusal)| in_turn || r.0 != Strategy::RegisterState;
    node.refused.iter().filter(told).copied().collect()
}

fn loops_text(a: &Assignment, loops: &Loops) -> String {
    match loops {
        Loops::Points => "points".to_string(),
        Loops::Transposed(t) => {
            format!(
                "transposition, in tiles of {} and {}",
                name(a, t.across.iter),
                name(a, t.along.iter)
            )
        }
        Loops::OnePoint { points: OnePoints { all: points, order, .. }, .. } => {
            let names: Vec<String> = points.iter().map(|p| name(a, p.iter)).collect();
            let written = a.written();
            let scatters = points.iter().any(|p| written.contains(&p.iter));
            let what = if scatters { "scatter" } else { "gather" };
            format!("{what}, one point of {}; {}", names.join(", "), order_text(a, *order))
        }
        Loops::Reduction { order, packed, .. } => {
            let order = order_text(a, *order);
            match packed {
                Some(c) => format!("{}, otherwise {order}", contraction_text(a, c)),
                None => order,
            }
        }
    }
}

fn order_text(a: &Assignment, order: Order) -> String {
    match order {
        Order::Cell => "cell by cell".to_string(),
        Order::Cells(0) => "point by point, added to cells".to_string(),
        Order::Cells(_) => {
            let last = a.space.ranges.iter().rfind(|r| a.written().contains(&r.iter));
            format!(
                "partial-sums, {} inside",
                last.map_or("cells".to_string(), |r| name(a, r.iter))
            )
        }
    }
}

fn contraction_text(a: &Assignment, c: &Contraction) -> String {
    let list = |ranges: &[IndexRange]| {
        let names: Vec<String> = ranges.iter().map(|r| name(a, r.iter)).collect();
        names.join(" ")
    };
    let (rows, columns, depth) =
        (list(c.rows.ranges()), list(c.columns.ranges()), list(c.depth.ranges()));
    let left = if c.left_in_place { "left in place" } else { "left packed" };
    let guarded = !c.guards.left.is_empty() || !c.guards.right.is_empty();
    let zeros = if guarded { ", zero where conditions fail" } else { "" };
    let half = if c.mirrored { ", half of the cells copied across the diagonal" } else { "" };
    let least = c.least_rows;
    let sides = format!("rows {rows}, columns {columns}, depth {depth}");
    format!("contraction, {sides}, {left}{zeros}{half}, from {least} rows on")
}

fn steps_text(plan: &Plan, node: &StepsNode<'_>) -> String {
    match &node.way {
        Steps::InTurn => match &node.state {
            Some(state) => format!("in turn, register-state of {}", state_text(plan, state)),
            None => "in turn".to_string(),
        },
        Steps::Scan(p) => scan_text(p),
        Steps::Tiles(t) => {
            let (pieces, back) =
                (counted(t.members.len() as i64, "piece"), counted(t.skew, "position"));
            format!("time-tiles of {pieces}, {back} back from one to the next")
        }
    }
}

fn state_text(plan: &Plan, state: &State) -> String {
    let tenants = state.buffers.iter().flat_map(|(b, _)| &plan.buffers[*b].tenants);
    let names: BTreeSet<String> = tenants.map(|&t| plan.tensor_name(t)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn scan_text(p: &Scan<'_>) -> String {
    let values = p.states().count() as i64;
    let blocks = if p.is_shared() { ", in blocks" } else { "" };
    let window = p.window.map_or(String::new(), |n| format!(", the last {n} steps in turn"));
    format!("scan of {}{blocks}{window}", counted(values, "value"))
}

/// `1 piece`, `2 pieces`.
fn counted(n: i64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn name(a: &Assignment, i: Iter) -> String {
    a.space.iters[i].as_ref().map_or_else(|| i.to_string(), ToString::to_string)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Lanes,
    Threads,
}

/// A loop that lanes or threads carry out.
struct Mark {
    kind: MarkKind,
    name: String,
    /// What is written inside.
    tensors: BTreeSet<TensorId>,
}

fn marks(kernel: &Kernel) -> Vec<Mark> {
    let mut found = Vec::new();
    collect(kernel, &kernel.function.body, &mut found);
    found
}

fn collect(kernel: &Kernel, stmts: &[Stmt], found: &mut Vec<Mark>) {
    for stmt in stmts {
        if let Stmt::For(l) = stmt {
            let kind = match l.kind {
                ForKind::Serial => None,
                ForKind::Parallel => Some(MarkKind::Threads),
                ForKind::Vector(_) => Some(MarkKind::Lanes),
            };
            if let Some(kind) = kind {
                let mut tensors = BTreeSet::new();
                owners(kernel, stmt, &mut tensors);
                found.push(Mark { kind, name: loop_name(&kernel.function, l), tensors });
            }
        }
        stmt.blocks().for_each(|b| collect(kernel, b, found));
    }
}

fn owners(kernel: &Kernel, stmt: &Stmt, tensors: &mut BTreeSet<TensorId>) {
    if let Stmt::For(l) = stmt {
        tensors.extend(kernel.owners[l.var]);
    }
    stmt.blocks().flatten().for_each(|s| owners(kernel, s, tensors));
}

/// The name of a loop; of one over blocks of another that of the other.
fn loop_name(f: &Function, l: &For) -> String {
    let name = f.vars[l.var].name.to_string();
    match l.body.as_slice() {
        [Stmt::For(inner)] if name == "block" => format!("blocks of {}", f.vars[inner.var].name),
        _ => name,
    }
}
