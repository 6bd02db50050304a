//! From an assignment and a binding to a program.
//!
//! Emission keeps its own stack of what is still to be emitted, so that deeply nested
//! bodies do not deepen the native stack.

use super::blocks::{Blocks, Entry};
use super::exact::factors;
use super::program::{AccPlan, AxisIndex, CallPlan, Instr, Program, ReadPlan, Target};
use super::term::{SizeValue, Term};
use super::walk::{Walk, WalkSource};
use crate::{Accumulator, Assignment, Expr, ExprId, IndexTerm, Iter, Reduction, SiteId};
use weft_base::Name;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_domain::{NoInterval, bounds};
use weft_scalar::ScalarType;

/// Still to be emitted.
enum Task {
    /// The rest of a block, from an entry on.
    Block(usize, usize),
    Instr(Instr),
    Label(Target),
}

/// Slots of a thunk.
#[derive(Clone, Copy)]
struct ThunkSlots {
    flag: u32,
    back: u32,
    entry: Target,
}

struct Emitter<'a> {
    assign: &'a Assignment,
    size: &'a SizeValue<'a>,
    program: Program,
    blocks: Blocks,
    slots: SecondaryMap<ExprId, Option<u32>>,
    thunks: Vec<ThunkSlots>,
    labels: Vec<u32>,
    tasks: Vec<Task>,
}

/// Compiles an assignment whose sizes have the values `size` gives.
pub(super) fn compile(assign: &Assignment, size: &SizeValue<'_>) -> Program {
    let mut emitter = Emitter::new(assign, size);
    emitter.emit_cell();
    emitter.emit_thunks();
    emitter.resolve_labels();
    emitter.program
}

impl<'a> Emitter<'a> {
    fn new(assign: &'a Assignment, size: &'a SizeValue<'a>) -> Emitter<'a> {
        let names = iterator_names(assign);
        let program = Program {
            code: Vec::new(),
            template: vec![0; names.len()],
            terms: Vec::new(),
            reads: Vec::new(),
            loops: Vec::new(),
            checks: Vec::new(),
            accs: Vec::new(),
            calls: Vec::new(),
            cell: names.len() as u32,
            claimed: 0,
            result: (0, ScalarType::Bool),
            names,
            hull: assign.write.iter().map(|term| hull(assign, term, size)).collect(),
        };
        let roots = factors(&assign.exprs, assign.accumulator, assign.body);
        let mut emitter = Emitter {
            assign,
            size,
            program,
            blocks: Blocks::new(&assign.exprs, assign.mask, &roots),
            slots: SecondaryMap::new(),
            thunks: Vec::new(),
            labels: Vec::new(),
            tasks: Vec::new(),
        };
        assign.write.iter().for_each(|_| _ = emitter.slot());
        emitter.program.claimed = emitter.slot();
        for _ in 0..emitter.blocks.thunks.len() {
            let slots =
                ThunkSlots { flag: emitter.slot(), back: emitter.slot(), entry: emitter.label() };
            emitter.thunks.push(slots);
        }
        emitter
    }

    fn slot(&mut self) -> u32 {
        self.program.template.push(0);
        self.program.template.len() as u32 - 1
    }

    fn label(&mut self) -> Target {
        self.labels.push(u32::MAX);
        Target(self.labels.len() as u32 - 1)
    }

    fn bind(&mut self, label: Target) {
        self.labels[label.0 as usize] = self.program.code.len() as u32;
    }

    fn emit(&mut self, instr: Instr) {
        self.program.code.push(instr);
    }

    /// The slot of a node; a constant's holds its value from the start.
    fn node(&mut self, id: ExprId) -> u32 {
        if let Some(slot) = self.slots[id] {
            return slot;
        }
        let slot = self.slot();
        if let Expr::Const(value) = self.assign.exprs.get(id) {
            self.program.template[slot as usize] = value.bits();
        }
        self.slots[id] = Some(slot);
        slot
    }

    fn emit_cell(&mut self) {
        let assign = self.assign;
        let written = assign.written();
        let ranges = &assign.space.ranges;
        let claim_at = ranges.iter().rposition(|r| written.contains(&r.iter));
        let cell = self.program.cell;
        let write = assign.write.iter().zip(cell..).collect();
        let source = WalkSource { ranges, guards: &assign.space.guards, write };
        let argument = argument(assign.accumulator, &assign.reduced());
        let body = self.node(assign.body);
        let ty = assign.exprs.ty(assign.body);
        let out = self.slot();
        let acc = self.accumulator(assign.accumulator, assign.body, out, argument);
        self.program.result = (out, result_type(assign.accumulator, ty));
        let claim_after = claim_at.map_or(0, |at| at + 1);
        let points = Points {
            first: self.blocks.outer[0],
            inside: self.blocks.outer[1],
            mask: assign.mask,
            body,
            acc,
            claim_after: Some(claim_after),
        };
        let tasks = self.points(&source, points);
        self.run(tasks);
        self.emit(Instr::Finish);
    }

    fn accumulator(
        &mut self,
        kind: Accumulator,
        body: ExprId,
        out: u32,
        argument: Option<Iter>,
    ) -> u32 {
        let exprs = &self.assign.exprs;
        let ty = exprs.ty(body);
        let (best, seen) = (self.slot(), self.slot());
        let argument = match (kind.site(), argument) {
            (Some(_), _) => self.slot(),
            (None, argument) => argument.map_or(0, Iter::as_u32),
        };
        let factors = factors(exprs, kind, body).into_iter().map(|e| self.node(e)).collect();
        self.program.accs.push(AccPlan { kind, ty, out, best, seen, argument, factors });
        self.program.accs.len() as u32 - 1
    }

    fn emit_thunks(&mut self) {
        for number in 0..self.thunks.len() {
            let slots = self.thunks[number];
            let block = self.blocks.thunks[number];
            self.bind(slots.entry);
            let end = Task::Instr(Instr::Return { flag: slots.flag, back: slots.back });
            self.run(vec![Task::Block(block, 0), end]);
        }
    }

    /// Emits tasks in order, with what they bring.
    fn run(&mut self, tasks: Vec<Task>) {
        self.tasks.extend(tasks.into_iter().rev());
        while let Some(task) = self.tasks.pop() {
            let more = match task {
                Task::Instr(instr) => {
                    self.emit(instr);
                    continue;
                }
                Task::Label(label) => {
                    self.bind(label);
                    continue;
                }
                Task::Block(block, at) => self.block(block, at),
            };
            self.tasks.extend(more.into_iter().rev());
        }
    }

    /// Emits entries up to one that has blocks inside; gives what follows.
    fn block(&mut self, block: usize, at: usize) -> Vec<Task> {
        if at == 0 {
            for thunk in 0..self.blocks.blocks[block].thunks.len() {
                let thunk = self.blocks.blocks[block].thunks[thunk];
                self.emit(Instr::Clear(self.thunks[thunk].flag));
            }
        }
        for at in at..self.blocks.blocks[block].entries.len() {
            let mut inside = match self.blocks.blocks[block].entries[at] {
                Entry::Force(thunk) => {
                    let ThunkSlots { flag, back, entry } = self.thunks[thunk];
                    self.emit(Instr::Force { flag, back, entry });
                    continue;
                }
                Entry::Node(id) => self.entry(id),
            };
            if !inside.is_empty() {
                inside.push(Task::Block(block, at + 1));
                return inside;
            }
        }
        Vec::new()
    }

    /// Emits a node; gives its blocks where it has some.
    fn entry(&mut self, id: ExprId) -> Vec<Task> {
        let exprs = &self.assign.exprs;
        let dst = self.node(id);
        match exprs.get(id) {
            Expr::Const(_) => {}
            Expr::Index(a) => {
                let term = self.program.terms.len() as u32;
                self.program.terms.push(Term::new(a, self.size));
                self.emit(Instr::Index { dst, term });
            }
            Expr::Read { tensor, index, site } => {
                let axes = index.iter().map(|t| self.axis(t)).collect();
                let read = self.program.reads.len() as u32;
                self.program.reads.push(ReadPlan { tensor: *tensor, axes, site: *site });
                self.emit(Instr::Read { dst, read });
            }
            Expr::Unary(op, x) => {
                let (ty, x) = (exprs.ty(*x), self.node(*x));
                self.emit(Instr::Unary { op: *op, ty, dst, x });
            }
            Expr::Binary(op, a, b, site) => {
                let (ty, a, b) = (exprs.ty(*a), self.node(*a), self.node(*b));
                self.emit(Instr::Binary { op: *op, ty, dst, a, b, site: *site });
            }
            Expr::Cast(to, x) => {
                let (from, x) = (exprs.ty(*x), self.node(*x));
                self.emit(Instr::Cast { from, to: *to, dst, x });
            }
            Expr::If(condition, a, b) => return self.if_else(id, [*condition, *a, *b]),
            Expr::Check { condition, value, site } => {
                return self.check(id, *condition, *value, *site);
            }
            Expr::Call { function, args } => {
                let args = args.iter().map(|a| (self.node(*a), exprs.ty(*a))).collect();
                let call = self.program.calls.len() as u32;
                self.program.calls.push(CallPlan { function: *function, args });
                self.emit(Instr::Call { dst, call });
            }
            Expr::Reduce(r) => return self.reduce(id, r),
        }
        Vec::new()
    }

    fn axis(&mut self, term: &IndexTerm) -> AxisIndex {
        match term {
            IndexTerm::Affine(a) => AxisIndex::Term(Term::new(a, self.size)),
            IndexTerm::Data(e) => AxisIndex::Slot(self.node(*e), self.assign.exprs.ty(*e)),
        }
    }

    fn if_else(&mut self, id: ExprId, [condition, a, b]: [ExprId; 3]) -> Vec<Task> {
        let (dst, condition, a, b) =
            (self.node(id), self.node(condition), self.node(a), self.node(b));
        let [yes, no] = self.blocks.inner[id];
        let (otherwise, end) = (self.label(), self.label());
        self.emit(Instr::Unless { condition, to: otherwise });
        vec![
            Task::Block(yes, 0),
            Task::Instr(Instr::Move { dst, src: a }),
            Task::Instr(Instr::Jump(end)),
            Task::Label(otherwise),
            Task::Block(no, 0),
            Task::Instr(Instr::Move { dst, src: b }),
            Task::Label(end),
        ]
    }

    fn check(&mut self, id: ExprId, condition: ExprId, value: ExprId, site: SiteId) -> Vec<Task> {
        let (dst, condition, src) = (self.node(id), self.node(condition), self.node(value));
        self.emit(Instr::Demand { condition, site });
        let inside = self.blocks.inner[id][0];
        vec![Task::Block(inside, 0), Task::Instr(Instr::Move { dst, src })]
    }

    fn reduce(&mut self, id: ExprId, r: &'a Reduction) -> Vec<Task> {
        let iters: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
        let source = WalkSource { ranges: &r.ranges, guards: &r.guards, write: Vec::new() };
        let (dst, body) = (self.node(id), self.node(r.body));
        let acc = self.accumulator(r.accumulator, r.body, dst, argument(r.accumulator, &iters));
        let [first, inside] = self.blocks.inner[id];
        self.points(&source, Points { first, inside, mask: r.mask, body, acc, claim_after: None })
    }

    /// The loops around a body, with its mask and accumulator.
    fn points(&mut self, source: &WalkSource<'_>, points: Points) -> Vec<Task> {
        let Points { first, inside, mask, body: value, acc, claim_after } = points;
        let mut slots = std::mem::take(&mut self.program.template);
        let walk = Walk::new(source, self.size, &mut || {
            slots.push(0);
            slots.len() as u32 - 1
        });
        self.program.template = slots;
        let end = self.label();
        let mut tasks = Vec::new();
        if !walk.before.is_empty() {
            let checks = self.program.checks.len() as u32;
            self.program.checks.push(walk.before);
            tasks.push(Task::Instr(Instr::Guard { checks, otherwise: end }));
        }
        tasks.push(Task::Instr(Instr::Start { acc }));
        let base = self.program.loops.len() as u32;
        let count = walk.loops.len();
        let mut outside = end;
        let mut closing = Vec::new();
        let mut leaving = Vec::new();
        for (level, l) in walk.loops.into_iter().enumerate() {
            if claim_after == Some(level) {
                tasks.push(Task::Instr(Instr::Claim));
            }
            let (number, body, step) = (base + level as u32, self.label(), self.label());
            leaving.push(Task::Instr(Instr::Clear(l.active)));
            self.program.loops.push(l);
            tasks.push(Task::Instr(Instr::Enter { number, empty: outside }));
            tasks.push(Task::Label(body));
            closing.push(Task::Instr(Instr::Next { number, body }));
            closing.push(Task::Label(step));
            outside = step;
        }
        if claim_after == Some(count) {
            tasks.push(Task::Instr(Instr::Claim));
        }
        let settled = self.label();
        tasks.push(Task::Block(first, 0));
        if let Some(mask) = mask {
            let condition = self.node(mask);
            tasks.push(Task::Instr(Instr::Unless { condition, to: outside }));
            tasks.push(Task::Block(inside, 0));
        }
        tasks.push(Task::Instr(Instr::Accumulate { acc, value, settled }));
        tasks.extend(closing.into_iter().rev());
        tasks.push(Task::Instr(Instr::Jump(end)));
        tasks.push(Task::Label(settled));
        tasks.extend(leaving);
        tasks.push(Task::Label(end));
        if self.program.accs[acc as usize].kind.site().is_some() {
            tasks.push(Task::Instr(Instr::Total { acc }));
        }
        tasks
    }

    fn resolve_labels(&mut self) {
        let labels = &self.labels;
        for instr in &mut self.program.code {
            let target = match instr {
                Instr::Jump(to)
                | Instr::Unless { to, .. }
                | Instr::Force { entry: to, .. }
                | Instr::Guard { otherwise: to, .. }
                | Instr::Enter { empty: to, .. }
                | Instr::Next { body: to, .. }
                | Instr::Accumulate { settled: to, .. } => to,
                _ => continue,
            };
            *target = Target(labels[target.0 as usize]);
        }
    }
}

/// The action at the points of some loops.
struct Points {
    first: usize,
    inside: usize,
    mask: Option<ExprId>,
    /// Slot of the body.
    body: u32,
    acc: u32,
    /// After how many loops the cell is known to be the piece's.
    claim_after: Option<usize>,
}

/// Every iterator's name, or its id where it has none.
fn iterator_names(assign: &Assignment) -> Vec<Name> {
    let mut count = assign.space.iters.len();
    for id in assign.exprs.ids() {
        if let Expr::Reduce(r) = assign.exprs.get(id) {
            count = r.ranges.iter().map(|r| r.iter.index() + 1).fold(count, usize::max);
        }
    }
    let name = |i: Iter| match assign.space.iters.get(i) {
        Some(Some(name)) => name.clone(),
        _ => Name::new(&i.to_string()),
    };
    (0..count).map(|i| name(Iter::new(i))).collect()
}

fn argument(kind: Accumulator, reduced: &[Iter]) -> Option<Iter> {
    match kind {
        Accumulator::ArgMax(n) | Accumulator::ArgMin(n) => reduced.get(usize::from(n)).copied(),
        _ => None,
    }
}

/// The type of what an accumulator over values of type `ty` yields.
pub(super) fn result_type(kind: Accumulator, ty: ScalarType) -> ScalarType {
    match kind {
        Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => ScalarType::I64,
        _ => ty,
    }
}

const NOWHERE: (i64, i64) = (i64::MAX, i64::MIN);
const ANYWHERE: (i64, i64) = (i64::MIN, i64::MAX);

/// First and last index a write term may name.
fn hull(assign: &Assignment, term: &IndexTerm, size: &SizeValue<'_>) -> (i64, i64) {
    let IndexTerm::Affine(a) = term else { return ANYWHERE };
    match bounds::interval(&assign.space, a, size) {
        Ok((least, most)) => {
            let end = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            (end(least), end(most))
        }
        Err(NoInterval::Empty) => NOWHERE,
        Err(NoInterval::Unknown) => ANYWHERE,
    }
}
