//! Lower a plan: parameters, buffers, time loops and fills; nests are `nest`'s.

use crate::analysis::{Analyses, Context};
use crate::lower::block::{Block, BlockKind};
use crate::lower::calls::Calls;
use crate::machine::Machine;
use crate::mark::{Freedom, mark_parallel_loops, mark_vector_loops, unswitch};
use crate::signature::{Kernel, Signature, TrapSite};
use crate::tree::{Node, Steps, StepsNode};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use weft_base::Name;
use weft_base::entity::SecondaryMap;
use weft_loops::{Buffer, BufferKind, Expr, For, ForKind, Function, Param as LoopParam, Stmt, Var};
use weft_plan::{BufferId, BufferRole, Fill, FillValue, Item, LoopVar, Plan};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::{Param, Size};
use weft_tensor::TensorId;

/// The loop IR of a plan for a machine, as a function called `name`.
pub fn lower(plan: &Plan, name: &str, machine: Machine) -> Kernel {
    lower_items(plan, name, machine, &plan.items)
}

fn lower_items(plan: &Plan, name: &str, machine: Machine, items: &[Item]) -> Kernel {
    let analyses = Analyses::of(plan, items, machine);
    let context = Context { plan, machine, analyses: &analyses };
    let nodes = context.choose(items);
    let mut emitter = Emitter::new(plan, name, machine);
    emitter.items(&nodes);
    emitter.finish()
}

/// The loop IR of some consecutive items of a plan: what calls of all parts in order do,
/// [`lower`]'s does in one. All parts take the parameters and buffers of the whole.
pub fn lower_part(
    plan: &Plan,
    name: &str,
    machine: Machine,
    items: std::ops::Range<usize>,
) -> Kernel {
    let mut kernel = lower_items(plan, name, machine, &plan.items[items]);
    for buffer in kernel.function.buffers.values_mut() {
        // What one part leaves, another reads.
        if matches!(buffer.kind, BufferKind::Out | BufferKind::Temp) {
            buffer.kind = BufferKind::InOut;
        }
    }
    kernel
}

/// A function under construction.
pub(crate) struct Emitter<'p> {
    pub plan: &'p Plan,
    pub machine: Machine,
    pub f: Function,
    pub blocks: Vec<Block>,
    pub params: SecondaryMap<Param, Option<LoopParam>>,
    pub buffers: SecondaryMap<BufferId, Option<Buffer>>,
    /// The value of each open time loop's variable.
    pub loop_vars: SecondaryMap<LoopVar, Option<Expr>>,
    /// The newest step in slots that move, of tensors that are kept so at the moment.
    pub newest: SecondaryMap<TensorId, Option<Expr>>,
    /// Sizes computed at the start of the function.
    pub sizes: FxHashMap<Size, Expr>,
    /// Loops whose iterations are independent but for accumulation.
    pub independent: SecondaryMap<Var, bool>,
    /// Of these the ones whose iterations write different cells.
    pub apart: SecondaryMap<Var, bool>,
    /// What the nest being emitted writes, and the same of each loop's.
    pub target: Option<TensorId>,
    pub owners: SecondaryMap<Var, Option<TensorId>>,
    /// Whether points of the loops being opened may meet in one cell.
    pub in_order: bool,
    /// Whether the loops being opened run so rarely that neither lanes nor threads pay.
    pub rare: bool,
    /// The tensors that the step being emitted writes, where its state is in registers.
    pub in_registers: Option<BTreeSet<TensorId>>,
    pub traps: Vec<TrapSite>,
    /// Whether integers were taken for small.
    pub guesses: bool,
    pub calls: Calls,
    /// Computation of sizes, before everything.
    pub prelude: Vec<Stmt>,
}

impl<'p> Emitter<'p> {
    fn new(plan: &'p Plan, name: &str, machine: Machine) -> Emitter<'p> {
        let mut f = Function::new(name);
        f.strict = plan.options.strict;
        let mut params = SecondaryMap::new();
        for (p, info) in plan.graph.params.iter() {
            params[p] = Some(f.add_param(info.name.clone(), ScalarType::I64));
        }
        let mut emitter = Emitter {
            plan,
            machine,
            f,
            blocks: vec![Block::new(BlockKind::Base)],
            params,
            buffers: SecondaryMap::new(),
            loop_vars: SecondaryMap::new(),
            newest: SecondaryMap::new(),
            sizes: FxHashMap::default(),
            independent: SecondaryMap::new(),
            apart: SecondaryMap::new(),
            target: None,
            owners: SecondaryMap::new(),
            in_order: false,
            rare: false,
            in_registers: None,
            traps: Vec::new(),
            guesses: false,
            calls: Calls::new(&plan.graph),
            prelude: Vec::new(),
        };
        emitter.declare_buffers();
        emitter
    }

    fn declare_buffers(&mut self) {
        for (id, buffer) in self.plan.buffers.iter() {
            let kind = match buffer.role {
                BufferRole::Given(_) => BufferKind::In,
                BufferRole::Result(_) => BufferKind::Out,
                BufferRole::Scratch => BufferKind::Temp,
            };
            let counts: Vec<Expr> = buffer.tenants.iter().map(|&t| self.element_count(t)).collect();
            let size = counts.into_iter().reduce(|a, b| self.f.binary(BinaryOp::Max, a, b));
            let size = size.expect("a buffer has a tenant");
            let names: Vec<String> =
                buffer.tenants.iter().map(|&t| self.plan.tensor_name(t)).collect();
            let name = Name::new(&names.join("_"));
            self.buffers[id] = Some(self.f.add_buffer(name, buffer.elem, kind, size));
        }
    }

    fn element_count(&mut self, t: TensorId) -> Expr {
        let mut count = self.f.int(1);
        for e in self.plan.stored_shape(t) {
            let e = self.pure_size(&e);
            count = self.f.mul(count, e);
        }
        count
    }

    fn finish(mut self) -> Kernel {
        let body = self.blocks.pop().expect("the function's block is open").stmts;
        self.f.callees = self.calls.callees(&self.plan.graph);
        self.f.body = self.prelude;
        self.f.body.extend(body);
        unswitch(&mut self.f);
        mark_vector_loops(&mut self.f, &self.independent);
        let freedom = Freedom { independent: &self.independent, apart: &self.apart };
        mark_parallel_loops(&mut self.f, &freedom);
        let signature = Signature {
            params: self.plan.graph.params.keys().collect(),
            buffers: self.plan.buffers.keys().collect(),
            traps: self.traps,
            guesses: self.guesses,
        };
        Kernel { function: self.f, signature, owners: self.owners }
    }

    fn items(&mut self, nodes: &'p [Node<'p>]) {
        for node in nodes {
            match node {
                Node::Fill(fill) => self.fill(fill),
                Node::Nest(nest) => self.nest(nest),
                Node::Steps(steps) => self.time_loop(steps),
            }
        }
    }

    fn time_loop(&mut self, node: &'p StepsNode<'p>) {
        let l = node.steps;
        let (mut lo, mut hi) = (self.loop_term(&l.lo), self.loop_term(&l.hi));
        if let Some((first, end)) = &l.within {
            let (first, end) = (self.loop_term(first), self.loop_term(end));
            lo = self.f.binary(BinaryOp::Max, lo, first);
            hi = self.f.binary(BinaryOp::Min, hi, end);
        }
        match &node.way {
            Steps::InTurn => self.plain_steps(node, (lo, hi)),
            Steps::Scan(scan) => self.emit_scan(node, scan, (lo, hi)),
            Steps::Tiles(tiles) => self.tiled_steps(node, tiles, (lo, hi)),
        }
    }

    /// One step after the other, each as a whole.
    pub fn plain_steps(&mut self, node: &'p StepsNode<'p>, (lo, hi): (Expr, Expr)) {
        let (l, state) = (node.steps, node.state.as_ref());
        let var = self.new_var(Name::new(&self.plan.loop_var_name(l.var)));
        (self.independent[var], self.apart[var]) = (l.parallel, l.parallel);
        self.loop_vars[l.var] = Some(self.f.var(var));
        let outside = state.map(|state| self.open_state(state, lo));
        self.blocks.push(Block::new(BlockKind::Base));
        if let Some(state) = state {
            self.move_slots(state, l);
        }
        let targets = || {
            let nests = l.body.iter().flat_map(Item::nests);
            nests.map(|n| self.plan.graph.assigns[n.assign].target).collect()
        };
        let around = self.in_registers.take();
        self.in_registers = state.filter(|s| !s.slots.is_empty()).map(|_| targets());
        self.items(&node.body);
        self.in_registers = around;
        let body = self.blocks.pop().expect("the step's block is open").stmts;
        let (first, end, step) = match l.descending {
            false => (lo, hi, 1),
            true => {
                let one = self.f.int(1);
                (self.f.sub(hi, one), self.f.sub(lo, one), -1)
            }
        };
        let kind = ForKind::Serial;
        self.push(Stmt::For(For { var, lo: first, hi: end, step, kind, body }));
        if let (Some(state), Some(outside)) = (state, outside) {
            self.close_state(state, outside, (lo, hi));
        }
    }

    fn fill(&mut self, fill: &Fill) {
        let elem = self.plan.graph.tensors[fill.target].elem;
        let value = match fill.value {
            FillValue::Zero => Scalar::zero(elem),
            FillValue::Identity(a) => a.identity(elem),
        };
        let value = self.f.constant(value);
        let buffer = self.buffer_of(fill.target);
        let shape: Vec<Expr> =
            self.plan.stored_shape(fill.target).iter().map(|s| self.size(s)).collect();
        let Some((axis, at)) = &fill.slice else {
            let lo = self.f.int(0);
            let hi = self.product(&shape);
            return self.push(Stmt::Fill { buffer, lo, hi, value });
        };
        let base = self.top();
        if let Some(c) = &fill.when {
            let term = self.loop_term(&c.term);
            let cond = self.holds(term, c.relation);
            self.open(BlockKind::Branch(cond));
        }
        let at = self.loop_term(at);
        // A loop shared with longer tensors runs beyond this one's end.
        let (zero, extent) =
            (self.f.int(0), self.plan.graph.tensors[fill.target].axes[*axis].extent.clone());
        let extent = self.size(&extent);
        let above = self.f.binary(BinaryOp::Ge, at, zero);
        let below = self.f.binary(BinaryOp::Lt, at, extent);
        let inside = self.f.binary(BinaryOp::And, above, below);
        self.open(BlockKind::Branch(inside));
        let at = self.ring_index(fill.target, *axis, at);
        let inner = self.product(&shape[axis + 1..]);
        let rows = self.product(&shape[..*axis]);
        let row = self.new_var(Name::new("row"));
        let first = self.f.var(row);
        let first = self.f.mul(first, shape[*axis]);
        let first = self.f.add(first, at);
        let lo = self.f.mul(first, inner);
        let hi = self.f.add(lo, inner);
        let body = vec![Stmt::Fill { buffer, lo, hi, value }];
        let kind = ForKind::Serial;
        self.push(Stmt::For(For { var: row, lo: zero, hi: rows, step: 1, kind, body }));
        while self.top() > base {
            self.close();
        }
    }
}
