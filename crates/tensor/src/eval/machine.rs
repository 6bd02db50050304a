//! Runs programs: one frame per cell that is being computed.

use super::emit::compile;
use super::exact;
use super::program::{AccPlan, AxisIndex, CallPlan, Instr, Program, ReadPlan};
use super::store::Store;
use super::walk::all_hold;
use super::watch::Made;
use super::{Evaluator, Failure, FailureKind, Limits, wide_value};
use crate::{Accumulator, Array, AssignId, Graph, SiteId, TensorId};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use weft_base::Name;
use weft_scalar::eval::{self, Trap, binary, cast, unary};
use weft_scalar::function::{self, Fault};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// Instructions between two looks at the interrupt flag, about.
const PATIENCE: u32 = 1 << 14;

/// A cell that is being computed.
struct Frame {
    tensor: TensorId,
    /// Row-major position of the cell.
    at: usize,
    /// Which piece is tried.
    piece: usize,
    program: Arc<Program>,
    /// First slot.
    base: usize,
    pc: usize,
}

/// Why a run stops.
enum Stop {
    /// The program has ended.
    Finished,
    /// It waits for a cell.
    Needs(TensorId, usize),
    /// Boxed, because every instruction returns room for it.
    Fails(Box<(FailureKind, Option<SiteId>)>),
    /// A tensor it reads has no cells at all.
    Lacks(Box<Failure>),
    /// It reads a cell that has failed.
    Stuck,
}

impl Stop {
    #[cold]
    fn fails(kind: FailureKind, site: Option<SiteId>) -> Stop {
        Stop::Fails(Box::new((kind, site)))
    }
}

pub(super) struct Machine<'a> {
    evaluator: &'a mut Evaluator,
    graph: &'a Graph,
    limits: &'a Limits<'a>,
    frames: Vec<Frame>,
    slots: Vec<u64>,
    patience: u32,
    /// The least failure so far.
    first: Option<Failure>,
    /// Cells that have failed or wait for one that has.
    failed: Vec<(TensorId, usize)>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        evaluator: &'a mut Evaluator,
        graph: &'a Graph,
        limits: &'a Limits<'a>,
    ) -> Machine<'a> {
        Machine {
            evaluator,
            graph,
            limits,
            frames: Vec::new(),
            slots: Vec::new(),
            patience: PATIENCE,
            first: None,
            failed: Vec::new(),
        }
    }

    /// Every cell of a tensor.
    pub(super) fn observe(&mut self, tensor: TensorId) -> Result<Arc<Array>, Failure> {
        let plain = |kind| self_failure(tensor, kind);
        self.prepare(tensor).map_err(plain)?;
        let count = match self.evaluator.stores.get(tensor) {
            Store::Growing { states, .. } => states.len(),
            Store::Whole { .. } | Store::Absent => 0,
        };
        for at in 0..count {
            let stopped = self.compute(tensor, at).err();
            if let Some(failure) = stopped.and_then(|stop| self.fail(stop)) {
                self.forget_failed();
                return Err(failure);
            }
        }
        if let Some(first) = self.first.take() {
            self.forget_failed();
            return Err(first);
        }
        Ok(self.evaluator.stores.get_mut(tensor).whole().expect("every cell is known"))
    }

    /// Gives up the cells that wait, and keeps the failure if it is the least so far.
    /// Other cells are still computed, so that the failure reported does not depend on the
    /// order of computation; only a spent limit ends everything, and is given back.
    fn fail(&mut self, stopped: Option<Failure>) -> Option<Failure> {
        for frame in self.frames.drain(..) {
            self.evaluator.stores.get_mut(frame.tensor).fail(frame.at);
            self.failed.push((frame.tensor, frame.at));
        }
        self.slots.clear();
        let failure = stopped?;
        if failure.kind.ends_all() {
            return Some(failure);
        }
        let least =
            |first: &Failure| (first.tensor, &first.cell) <= (failure.tensor, &failure.cell);
        if !self.first.as_ref().is_some_and(least) {
            self.first = Some(failure);
        }
        None
    }

    /// Failed cells fail again when they are observed again.
    fn forget_failed(&mut self) {
        for (tensor, at) in self.failed.drain(..) {
            self.evaluator.stores.get_mut(tensor).forget(at);
        }
    }

    fn prepare(&mut self, tensor: TensorId) -> Result<(), FailureKind> {
        let Evaluator { binding, stores, .. } = &mut *self.evaluator;
        stores.prepare(self.graph, binding, tensor, self.limits)
    }

    /// Computes a cell and all it waits for. Stops without a failure at a cell that has
    /// failed before.
    fn compute(&mut self, tensor: TensorId, at: usize) -> Result<(), Option<Failure>> {
        let store = self.evaluator.stores.get(tensor);
        if store.known(at).is_some() || store.has_failed(at) {
            return Ok(());
        }
        self.demand(tensor, at).map_err(|kind| Some(self_failure(tensor, kind)))?;
        while !self.frames.is_empty() {
            match self.resume() {
                Stop::Finished => self.finish()?,
                Stop::Needs(tensor, at) => {
                    self.demand(tensor, at).map_err(|kind| Some(self.failure(kind, None)))?;
                }
                Stop::Fails(what) => return Err(Some(self.failure(what.0, what.1))),
                Stop::Lacks(failure) => return Err(Some(*failure)),
                Stop::Stuck => return Err(None),
            }
        }
        Ok(())
    }

    /// Starts to compute a cell that is not known.
    fn demand(&mut self, tensor: TensorId, at: usize) -> Result<(), FailureKind> {
        if !self.evaluator.stores.get_mut(tensor).wait(at) {
            return Err(FailureKind::Cyclic);
        }
        self.look_up()?;
        let tried = self.try_piece(tensor, at, 0);
        if tried.is_err() {
            self.evaluator.stores.get_mut(tensor).forget(at);
        }
        tried
    }

    /// Starts the first piece from number `first` on that may define the cell.
    fn try_piece(&mut self, tensor: TensorId, at: usize, first: usize) -> Result<(), FailureKind> {
        let cell = self.evaluator.stores.get(tensor).cell(at);
        let graph = self.graph;
        for (piece, &assign) in graph.pieces(tensor).iter().enumerate().skip(first) {
            let program = self.program(assign);
            let may = program.hull.iter().zip(&cell).all(|(h, i)| h.0 <= *i && *i <= h.1);
            if may {
                return self.push(Frame { tensor, at, piece, program, base: 0, pc: 0 }, &cell);
            }
        }
        let zero = Scalar::zero(graph.tensors[tensor].elem);
        self.keep(tensor, at, zero);
        Ok(())
    }

    fn push(&mut self, mut frame: Frame, cell: &[i64]) -> Result<(), FailureKind> {
        frame.base = self.slots.len();
        let template = &frame.program.template;
        let waiting = (frame.base + template.len()) * size_of::<u64>()
            + (self.frames.len() + 1) * size_of::<Frame>();
        let needed = self.evaluator.stores.bytes().saturating_add(waiting as u64);
        if needed > self.limits.bytes {
            return Err(FailureKind::Memory { needed, limit: self.limits.bytes });
        }
        self.slots.extend_from_slice(template);
        let first = frame.base + frame.program.cell as usize;
        for (slot, &index) in self.slots[first..].iter_mut().zip(cell) {
            *slot = index as u64;
        }
        self.frames.push(frame);
        Ok(())
    }

    fn program(&mut self, assign: AssignId) -> Arc<Program> {
        if let Some(program) = &self.evaluator.programs[assign] {
            return Arc::clone(program);
        }
        let binding = &self.evaluator.binding;
        let size = |s: &_| wide_value(self.graph, binding, s);
        let program = Arc::new(compile(&self.graph.assigns[assign], &size));
        self.evaluator.programs[assign] = Some(Arc::clone(&program));
        program
    }

    /// Keeps the value of the innermost cell, or tries its next piece.
    fn finish(&mut self) -> Result<(), Option<Failure>> {
        let frame = self.frames.pop().expect("a frame has finished");
        let slot = |number: u32| self.slots[frame.base + number as usize];
        let claimed = slot(frame.program.claimed) != 0;
        let (out, ty) = frame.program.result;
        let value = Scalar::from_bits(ty, slot(out));
        self.slots.truncate(frame.base);
        if claimed {
            self.keep(frame.tensor, frame.at, value);
            return Ok(());
        }
        let tried = self.try_piece(frame.tensor, frame.at, frame.piece + 1);
        if tried.is_err() {
            self.evaluator.stores.get_mut(frame.tensor).forget(frame.at);
        }
        tried.map_err(|kind| Some(self_failure(frame.tensor, kind)))
    }

    /// Keeps the value of a cell.
    fn keep(&mut self, tensor: TensorId, at: usize, value: Scalar) {
        self.evaluator.stores.get_mut(tensor).keep(at, value);
        if let Some(watch) = self.limits.watch {
            let cell = self.evaluator.stores.get(tensor).cell(at);
            watch.computed(self.graph, tensor, &cell, value);
        }
    }

    fn look_up(&mut self) -> Result<(), FailureKind> {
        self.patience = self.patience.saturating_sub(1);
        if self.patience > 0 {
            return Ok(());
        }
        self.patience = PATIENCE;
        match self.limits.interrupt {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(FailureKind::Interrupted),
            _ => Ok(()),
        }
    }

    /// A failure in the innermost frame.
    fn failure(&self, kind: FailureKind, site: Option<SiteId>) -> Failure {
        let Some(frame) = self.frames.last() else {
            panic!("a frame that fails is still there");
        };
        let slots = &self.slots[frame.base..];
        let cell = self.evaluator.stores.get(frame.tensor).cell(frame.at);
        let mut point = point(&frame.program, slots);
        if point.is_empty() {
            // What its points have come to fails behind their loops.
            let axes = &self.graph.tensors[frame.tensor].axes;
            let named = axes.iter().zip(&cell).filter_map(|(a, at)| Some((a.name.clone()?, *at)));
            point = named.collect();
        }
        Failure { kind, site, tensor: frame.tensor, cell, point }
    }

    /// Runs the innermost frame until it stops.
    fn resume(&mut self) -> Stop {
        let frame = self.frames.last().expect("there is a frame");
        let program = Arc::clone(&frame.program);
        let (base, mut pc) = (frame.base, frame.pc);
        let stop = self.run(&program, base, &mut pc).err().unwrap_or(Stop::Finished);
        self.frames.last_mut().expect("there is a frame").pc = pc;
        stop
    }

    /// Runs instructions from number `pc` on; there `pc` stays if one stops.
    /// The result of a function of the graph.
    fn call(&self, call: &CallPlan, base: usize) -> Result<Scalar, Stop> {
        let args = call.args.iter();
        let args: Vec<Scalar> = args
            .map(|(slot, ty)| Scalar::from_bits(*ty, self.slots[base + *slot as usize]))
            .collect();
        let limits = function::Limits { calls: None, interrupt: self.limits.interrupt };
        let site = |n: u32| Some(SiteId::from_u32(n));
        let found = function::run(&self.graph.functions, call.function, &args, &limits);
        let value = found.map_err(|fault| match fault {
            Fault::Trap { site: n, trap } => Stop::fails(FailureKind::Trap(trap), site(n)),
            Fault::Unmet { site: n } | Fault::TooDeep { site: n } => {
                Stop::fails(FailureKind::Check, site(n))
            }
            Fault::Interrupted => Stop::fails(FailureKind::Interrupted, None),
            Fault::Exhausted => unreachable!("any number of calls is allowed"),
        })?;
        look(self.limits.trap_nan, value, || Made::Called(&args))?;
        Ok(value)
    }

    fn run(&mut self, program: &Program, base: usize, pc: &mut usize) -> Result<(), Stop> {
        let Limits { interrupt, trap_nan, .. } = *self.limits;
        let fails = |kind| Stop::fails(kind, None);
        loop {
            let frame = &mut self.slots[base..];
            let next = *pc + 1;
            *pc = match program.code[*pc] {
                Instr::Index { dst, term } => {
                    let value = program.terms[term as usize].value(frame);
                    frame[dst as usize] = value.ok_or_else(|| fails(FailureKind::Overflow))? as u64;
                    next
                }
                Instr::Read { dst, read } => {
                    let value = self.read(&program.reads[read as usize], base)?;
                    self.slots[base + dst as usize] = value;
                    next
                }
                Instr::Unary { op, ty, dst, x } => {
                    let x = Scalar::from_bits(ty, frame[x as usize]);
                    let value = unary(op, x);
                    frame[dst as usize] = value.bits();
                    look(trap_nan, value, || Made::Unary(op, ty, x.bits()))?;
                    next
                }
                Instr::Binary { op, ty, dst, a, b, site } => {
                    let (a, b) = (frame[a as usize], frame[b as usize]);
                    let value = match site {
                        Some(_) => checked(op, ty, a, b),
                        None => combine(op, ty, a, b),
                    };
                    let value = value.map_err(|trap| Stop::fails(FailureKind::Trap(trap), site))?;
                    frame[dst as usize] = value;
                    if trap_nan && ty.is_float() && !op.is_comparison() {
                        let value = Scalar::from_bits(ty, value);
                        look(true, value, || Made::Binary(op, ty, [a, b]))?;
                    }
                    next
                }
                Instr::Cast { from, to, dst, x } => {
                    let x = Scalar::from_bits(from, frame[x as usize]);
                    let value = cast(x, to);
                    frame[dst as usize] = value.bits();
                    look(trap_nan, value, || Made::Cast(from, to, x.bits()))?;
                    next
                }
                Instr::Call { dst, call } => {
                    let value = self.call(&program.calls[call as usize], base)?;
                    self.slots[base + dst as usize] = value.bits();
                    next
                }
                Instr::Move { dst, src } => {
                    frame[dst as usize] = frame[src as usize];
                    next
                }
                Instr::Jump(to) => to.0 as usize,
                Instr::Unless { condition, to } => {
                    if frame[condition as usize] != 0 {
                        next
                    } else {
                        to.0 as usize
                    }
                }
                Instr::Demand { condition, site } => {
                    if frame[condition as usize] == 0 {
                        return Err(Stop::fails(FailureKind::Check, Some(site)));
                    }
                    next
                }
                Instr::Force { flag, back, entry } => {
                    if frame[flag as usize] != 0 {
                        next
                    } else {
                        frame[back as usize] = next as u64;
                        entry.0 as usize
                    }
                }
                Instr::Return { flag, back } => {
                    frame[flag as usize] = 1;
                    frame[back as usize] as usize
                }
                Instr::Clear(slot) => {
                    frame[slot as usize] = 0;
                    next
                }
                Instr::Guard { checks, otherwise } => {
                    let hold = all_hold(&program.checks[checks as usize], frame).map_err(fails)?;
                    if hold { next } else { otherwise.0 as usize }
                }
                Instr::Enter { number, empty } => {
                    let found = program.loops[number as usize].enter(frame, interrupt);
                    if found.map_err(fails)? { next } else { empty.0 as usize }
                }
                Instr::Next { number, body } => {
                    let found = program.loops[number as usize].next(frame, interrupt);
                    let goes = if found.map_err(fails)? { body.0 as usize } else { next };
                    self.look_up().map_err(fails)?;
                    goes
                }
                Instr::Start { acc } => {
                    let acc = &program.accs[acc as usize];
                    if acc.kind.site().is_some() {
                        exact::start(acc, frame);
                        *pc = next;
                        continue;
                    }
                    frame[acc.out as usize] = acc.kind.identity(acc.ty).bits();
                    frame[acc.seen as usize] = 0;
                    next
                }
                Instr::Accumulate { acc, value, settled } => {
                    let acc = &program.accs[acc as usize];
                    if let Some(site) = acc.kind.site() {
                        exact::take(acc, frame)
                            .map_err(|trap| Stop::fails(FailureKind::Trap(trap), Some(site)))?;
                        next
                    } else {
                        let both = [frame[acc.out as usize], frame[value as usize]];
                        let settles = accumulate(acc, both[1], frame);
                        if trap_nan && acc.adds_up() {
                            let value = Scalar::from_bits(acc.ty, frame[acc.out as usize]);
                            look(true, value, || Made::Accumulated(acc.kind, acc.ty, both))?;
                        }
                        if settles { settled.0 as usize } else { next }
                    }
                }
                Instr::Total { acc } => {
                    let acc = &program.accs[acc as usize];
                    frame[acc.out as usize] = exact::value(acc, frame)
                        .map_err(|trap| Stop::fails(FailureKind::Trap(trap), acc.kind.site()))?;
                    next
                }
                Instr::Claim => {
                    frame[program.claimed as usize] = 1;
                    next
                }
                Instr::Finish => return Ok(()),
            };
        }
    }

    /// The bits of the cell a read names, if it is known.
    #[inline]
    fn read(&mut self, read: &ReadPlan, base: usize) -> Result<u64, Stop> {
        if let Store::Absent = self.evaluator.stores.get(read.tensor) {
            let lacks = |kind| Stop::Lacks(Box::new(self_failure(read.tensor, kind)));
            self.prepare(read.tensor).map_err(lacks)?;
        }
        let frame = &self.slots[base..];
        let store = self.evaluator.stores.get(read.tensor);
        let mut at = 0;
        for (axis, (index, &extent)) in read.axes.iter().zip(store.shape()).enumerate() {
            let overflow = || Stop::fails(FailureKind::Overflow, read.site);
            let index = index.value(frame).ok_or_else(overflow)?;
            if index < 0 || index >= extent {
                let read_tensor = read.tensor;
                let kind = FailureKind::IndexOutOfRange { read: read_tensor, axis, index, extent };
                return Err(Stop::fails(kind, read.site));
            }
            at = at * extent as usize + index as usize;
        }
        match store.known(at) {
            Some(value) => Ok(value),
            None if store.has_failed(at) => Err(Stop::Stuck),
            None => Err(Stop::Needs(read.tensor, at)),
        }
    }
}

impl AxisIndex {
    #[inline]
    fn value(&self, frame: &[u64]) -> Option<i64> {
        match self {
            AxisIndex::Term(term) => term.value(frame),
            AxisIndex::Slot(slot, ty) => Scalar::from_bits(*ty, frame[*slot as usize]).as_i64(),
        }
    }
}

/// `a op b` on bits; what bodies are mostly made of without the way through [`binary`].
#[inline]
fn combine(op: BinaryOp, ty: ScalarType, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    let (v, w) = (f64::from_bits(a), f64::from_bits(b));
    Ok(match (ty, op) {
        (ScalarType::F32, BinaryOp::Add) => (x + y).to_bits().into(),
        (ScalarType::F32, BinaryOp::Sub) => (x - y).to_bits().into(),
        (ScalarType::F32, BinaryOp::Mul) => (x * y).to_bits().into(),
        (ScalarType::F64, BinaryOp::Add) => (v + w).to_bits(),
        (ScalarType::F64, BinaryOp::Sub) => (v - w).to_bits(),
        (ScalarType::F64, BinaryOp::Mul) => (v * w).to_bits(),
        (ScalarType::I64, BinaryOp::Add) => a.wrapping_add(b),
        (ScalarType::I64, BinaryOp::Sub) => a.wrapping_sub(b),
        (ScalarType::I64, BinaryOp::Mul) => a.wrapping_mul(b),
        _ => binary(op, Scalar::from_bits(ty, a), Scalar::from_bits(ty, b))?.bits(),
    })
}

/// The same where integers may not leave their type; the common ones first.
#[inline]
fn checked(op: BinaryOp, ty: ScalarType, a: u64, b: u64) -> Result<u64, Trap> {
    let wide = |value: Option<i64>| value.map(|v| v as u64).ok_or(Trap::Overflow);
    let narrow = |value: Option<i32>| value.map(|v| Scalar::I32(v).bits()).ok_or(Trap::Overflow);
    match (ty, op) {
        (ScalarType::I64, BinaryOp::Add) => wide((a as i64).checked_add(b as i64)),
        (ScalarType::I64, BinaryOp::Sub) => wide((a as i64).checked_sub(b as i64)),
        (ScalarType::I64, BinaryOp::Mul) => wide((a as i64).checked_mul(b as i64)),
        (ScalarType::I32, BinaryOp::Add) => narrow((a as i32).checked_add(b as i32)),
        (ScalarType::I32, BinaryOp::Sub) => narrow((a as i32).checked_sub(b as i32)),
        (ScalarType::I32, BinaryOp::Mul) => narrow((a as i32).checked_mul(b as i32)),
        _ => {
            let (a, b) = (Scalar::from_bits(ty, a), Scalar::from_bits(ty, b));
            Ok(eval::checked(op, a, b)?.bits())
        }
    }
}

/// Fails where finite numbers made what is none, if that is looked for.
#[inline]
fn look<'a>(wanted: bool, value: Scalar, made: impl Fn() -> Made<'a>) -> Result<(), Stop> {
    match wanted.then(|| made().look(value)).flatten() {
        None => Ok(()),
        Some(kind) => Err(Stop::fails(kind, None)),
    }
}

/// Adds a value; whether later points cannot matter.
#[inline]
fn accumulate(acc: &AccPlan, value: u64, frame: &mut [u64]) -> bool {
    let combine =
        |op, so_far| combine(op, acc.ty, so_far, value).expect("accumulators do not trap");
    let so_far = frame[acc.out as usize];
    let (new, settled) = match acc.kind {
        Accumulator::Set => (value, true),
        Accumulator::Sum | Accumulator::ExactSum(_) => (combine(BinaryOp::Add, so_far), false),
        Accumulator::Prod | Accumulator::ExactProd(_) => (combine(BinaryOp::Mul, so_far), false),
        Accumulator::Max => (combine(BinaryOp::Max, so_far), false),
        Accumulator::Min => (combine(BinaryOp::Min, so_far), false),
        Accumulator::All => (value, value == 0),
        Accumulator::Any => (value, value != 0),
        Accumulator::ArgMax(_) => return select(acc, value, BinaryOp::Gt, frame),
        Accumulator::ArgMin(_) => return select(acc, value, BinaryOp::Lt, frame),
    };
    frame[acc.out as usize] = new;
    settled
}

/// Keeps the iterator's value if the body is more extreme than all before.
fn select(acc: &AccPlan, value: u64, beyond: BinaryOp, frame: &mut [u64]) -> bool {
    let none_yet = std::mem::replace(&mut frame[acc.seen as usize], 1) == 0;
    let best = Scalar::from_bits(acc.ty, frame[acc.best as usize]);
    let value = Scalar::from_bits(acc.ty, value);
    if none_yet || (!best.is_nan() && (value.is_nan() || holds(beyond, value, best))) {
        frame[acc.best as usize] = value.bits();
        frame[acc.out as usize] = frame[acc.argument as usize];
    }
    false
}

fn holds(op: BinaryOp, a: Scalar, b: Scalar) -> bool {
    binary(op, a, b).is_ok_and(|v| v == Scalar::Bool(true))
}

/// The iterators of the loops that are active.
fn point(program: &Program, frame: &[u64]) -> Vec<(Name, i64)> {
    let active = program.loops.iter().filter_map(|l| {
        let iter = l.iter as usize;
        (frame[l.active as usize] != 0).then(|| (program.names[iter].clone(), frame[iter] as i64))
    });
    active.collect()
}

/// A failure about a whole tensor.
fn self_failure(tensor: TensorId, kind: FailureKind) -> Failure {
    Failure { kind, site: None, tensor, cell: Vec::new(), point: Vec::new() }
}
