//! The values of host expressions.
//!
//! Calls are frames of their own, over the function's own graph. A call in the place of a
//! function's result takes the frame of its caller, so a function that ends by calling
//! itself is a loop.

use crate::datum::{Datum, part, stacked};
use crate::display::formatted;
use crate::failure::with_cure;
use crate::interpret::Interpreter;
use crate::look::{datum_text, first_field};
use crate::memory::{Full, Growing};
use crate::scalar::graph_of_call;
use crate::text::parsed;
use crate::value::{Block, DataOp, Look, Piece};
use crate::{Callee, FunctionId, RunError, Shown, Value, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;
use weft_base::Span;
use weft_base::entity::SecondaryMap;
use weft_diag::{Code, Diagnostic};
use weft_scalar::eval::{self, Overflow};
use weft_scalar::function::{self, Fault, FunctionId as ScalarId, Limits};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::Array;
use weft_tensor::eval::Binding;

/// Calls within each other: deeper recursion is a failure, as in machine code.
pub const DEEPEST_CALL: usize = function::DEEPEST_CALL as usize;

/// Calls after which a function of scalars is computed by other means.
const FEW_CALLS: u64 = 20_000;

/// Stack that evaluating one expression may take before more is asked for.
const RED_ZONE: usize = 64 << 10;
/// Stack that is asked for at a time.
const STACK: usize = 4 << 20;

/// What the place of a result gives.
enum Tail {
    Done(Datum),
    Call(FunctionId, Vec<Datum>),
}

impl Interpreter<'_> {
    /// A named value; computed at its first use.
    pub fn var(&mut self, id: VarId) -> Result<Datum, RunError> {
        if let Some(known) = &self.vars[id] {
            return Ok(known.clone());
        }
        let value = self.program.vars[id].as_ref().expect("arguments are bound before a call");
        let d = self.eval(value)?;
        self.vars[id] = Some(d.clone());
        Ok(d)
    }

    /// The value of an expression.
    pub fn eval(&mut self, v: &Value) -> Result<Datum, RunError> {
        stacker::maybe_grow(RED_ZONE, STACK, || self.eval_here(v))
    }

    fn eval_here(&mut self, v: &Value) -> Result<Datum, RunError> {
        Ok(match v {
            Value::Tensor(t) => Datum::of_array(self.tensor(*t)?),
            Value::Int(size, ty, span) => {
                let n = size.eval_wrapping(&|p| self.value_of(p));
                let n = n.ok_or_else(|| failed(eval::OVERFLOW.to_string(), *span))?;
                let exact = || size.eval(&|p| self.value_of(p));
                if eval::is_bounded(*ty) && self.whole.overflow == Overflow::Trap {
                    let fits = exact().and_then(|n| Scalar::exactly(*ty, n)).is_some();
                    fits.then_some(()).ok_or_else(|| failed(eval::OVERFLOW.to_string(), *span))?;
                }
                Datum::Scalar(Scalar::from_i64(*ty, n))
            }
            Value::Const(v) => Datum::Scalar(*v),
            Value::Text(pieces) => {
                let mut text = self.memory.growing();
                for p in pieces {
                    self.piece(p, &mut text)?;
                }
                self.held(text.finish().and_then(|t| self.memory.text(t)), None)?
            }
            Value::Tuple(members) => {
                let members = self.all(members)?;
                self.tuple(members)?
            }
            Value::Var(id) => self.var(*id)?,
            Value::Field(v, n) => self.member(v, *n)?,
            Value::Unary(op, x, span) => {
                let x = self.scalar(x)?;
                let negates = matches!(op, UnaryOp::Neg) || *op == UnaryOp::Abs && is_negative(x);
                if negates && x.ty().is_int() {
                    self.operate(BinaryOp::Sub, Scalar::zero(x.ty()), x, *span)?;
                }
                Datum::Scalar(eval::unary(*op, x))
            }
            Value::Binary(op, a, b, span) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Datum::Scalar(self.operate(*op, a, b, *span)?)
            }
            Value::Cast(ty, x) => Datum::Scalar(eval::cast(self.scalar(x)?, *ty)),
            Value::If(c, a, b) => {
                let block = if self.holds(c)? { a } else { b };
                self.block(block)?
            }
            Value::Block(block) => self.block(block)?,
            Value::Call(f, args, span) => {
                let args = self.all(args)?;
                self.call(*f, args, *span)?
            }
            Value::Extent(v, axis) => {
                let mut extents = Vec::new();
                self.eval(v)?.extents(&mut extents);
                let n = extents.get(*axis).copied().expect("an extent of what has it");
                Datum::Scalar(Scalar::I64(n as i64))
            }
            Value::Data(op, operands, span) => self.data(op, operands, *span)?,
        })
    }

    /// An operator applied, as the program wants of integers that leave their type.
    fn operate(&self, op: BinaryOp, a: Scalar, b: Scalar, span: Span) -> Result<Scalar, RunError> {
        let value = match self.whole.overflow {
            Overflow::Trap => eval::checked(op, a, b),
            Overflow::Wrap => eval::binary(op, a, b),
        };
        value.map_err(|trap| failed(trap.to_string(), span))
    }

    pub fn all(&mut self, values: &[Value]) -> Result<Vec<Datum>, RunError> {
        values.iter().map(|v| self.eval(v)).collect()
    }

    fn scalar(&mut self, v: &Value) -> Result<Scalar, RunError> {
        Ok(self.eval(v)?.scalar().expect("an operand of rank 0"))
    }

    /// A member; the others of a tuple that is written out are not computed.
    fn member(&mut self, v: &Value, n: usize) -> Result<Datum, RunError> {
        if let Value::Tuple(members) = v {
            return self.eval(&members[n]);
        }
        match self.eval(v)? {
            Datum::Tuple(members) => Ok(members[n].clone()),
            other => panic!("member {n} of {other:?}, which is no tuple"),
        }
    }

    fn block(&mut self, block: &Block) -> Result<Datum, RunError> {
        self.steps_before(&block.steps, &block.value)?;
        self.eval(&block.value)
    }

    /// A function applied; calls in the place of results are a loop.
    pub fn call(&mut self, f: FunctionId, args: Vec<Datum>, span: Span) -> Result<Datum, RunError> {
        if self.depth >= DEEPEST_CALL {
            let text = crate::scalar::too_deep(&self.whole.functions, f);
            return Err(too_deep(text, span).into());
        }
        let (mut f, mut args) = (f, args);
        loop {
            if let Some(id) = self.scalars.of_one_value(f)
                && let Some(scalars) = leaves(&args)
            {
                return Ok(Datum::Scalar(self.call_scalars(id, &scalars)?));
            }
            match self.call_once(f, args)? {
                Tail::Done(d) => return Ok(d),
                Tail::Call(next, with) => (f, args) = (next, with),
            }
        }
    }

    /// A function of scalars applied: run here as long as it takes few calls, else computed
    /// as a tensor of one cell.
    fn call_scalars(&mut self, f: ScalarId, args: &[Scalar]) -> Result<Scalar, RunError> {
        let known = self.long.borrow().get(&f).cloned();
        let graph = match known {
            Some(graph) => graph,
            None => {
                let limits = Limits { calls: Some(FEW_CALLS), interrupt: None };
                match function::run(&self.scalars.functions, f, args, &limits) {
                    Err(Fault::Exhausted) => {}
                    found => return found.map_err(|fault| self.fault(fault)),
                }
                let graph = Rc::new(graph_of_call(&self.scalars, f));
                self.long.borrow_mut().insert(f, graph.clone());
                graph
            }
        };
        let mut binding = Binding::default();
        for (t, x) in graph.tensors.keys().zip(args) {
            binding.inputs.insert(t, Arc::new(Array::scalar(*x)));
        }
        let target = graph.tensors.last().expect("the function's value").0;
        let found =
            self.compute.for_function(Callee::Scalars(f)).observe(&graph, &binding, &[target])?;
        Ok(found[0].get(0))
    }

    fn fault(&self, fault: Fault) -> RunError {
        let (site, deep) = match fault {
            Fault::Trap { site, .. } | Fault::Unmet { site } => (site, false),
            Fault::TooDeep { site } => (site, true),
            Fault::Exhausted | Fault::Interrupted => return RunError::Interrupted,
        };
        let site = self.scalars.site(site);
        let span = site.span.expect("a place in the source");
        match deep {
            true => too_deep(site.message.clone(), span).into(),
            false => failed(site.message.clone(), span),
        }
    }

    fn call_once(&mut self, f: FunctionId, args: Vec<Datum>) -> Result<Tail, RunError> {
        let function = &self.whole.functions[f];
        let mut vars = SecondaryMap::new();
        for (var, arg) in function.args.iter().zip(args) {
            vars[*var] = Some(arg);
        }
        let mut compute = self.compute.for_function(Callee::Function(f));
        let mut frame = Interpreter {
            program: &function.body,
            whole: self.whole,
            binding: Binding::default(),
            known: BTreeMap::new(),
            vars,
            compute: &mut *compute,
            out: &mut *self.out,
            depth: self.depth + 1,
            scalars: self.scalars.clone(),
            long: self.long.clone(),
            memory: self.memory.clone(),
        };
        match &function.body.result {
            Some(result) => {
                frame.steps_before(&function.body.steps, &result.value)?;
                frame.tail(&result.value)
            }
            None => {
                frame.steps(&function.body.steps, &[])?;
                Ok(Tail::Done(frame.tuple(Vec::new())?))
            }
        }
    }

    /// The value in the place of a result: what is called there is left to the caller.
    fn tail(&mut self, v: &Value) -> Result<Tail, RunError> {
        match v {
            Value::If(c, a, b) => {
                let block = if self.holds(c)? { a } else { b };
                self.steps_before(&block.steps, &block.value)?;
                self.tail(&block.value)
            }
            Value::Block(block) => {
                self.steps_before(&block.steps, &block.value)?;
                self.tail(&block.value)
            }
            Value::Call(f, args, _) => Ok(Tail::Call(*f, self.all(args)?)),
            Value::Var(id) if self.vars[*id].is_none() => {
                let value = self.program.vars[*id].as_ref().expect("arguments are bound");
                self.tail(value)
            }
            _ => Ok(Tail::Done(self.eval(v)?)),
        }
    }

    /// What is shown of a value: of an enum that is a tuple, the fields of its variant only.
    pub fn shown_datum(&mut self, shown: &Shown) -> Result<Datum, RunError> {
        self.datum_for(&shown.value, &shown.look)
    }

    fn datum_for(&mut self, value: &Value, look: &Look) -> Result<Datum, RunError> {
        match (value, look) {
            (Value::Tuple(members), Look::Enum(variants, looks)) => {
                let tag = self.eval(&members[0])?;
                let n = tag.int().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
                let first = first_field(variants, n);
                let own = first..first + variants[n].fields.len();
                let mut out = vec![tag];
                for (k, m) in members.iter().enumerate().skip(1) {
                    out.push(match own.contains(&k) {
                        true => self.datum_for(m, &looks[k])?,
                        false => Datum::bool(false),
                    });
                }
                self.tuple(out)
            }
            (Value::Tuple(members), Look::Tuple(looks) | Look::Struct(_, looks)) => {
                let all: Result<Vec<Datum>, RunError> =
                    members.iter().zip(looks).map(|(m, l)| self.datum_for(m, l)).collect();
                self.tuple(all?)
            }
            (Value::Var(id), _) if self.vars[*id].is_none() => {
                match self.program.vars[*id].as_ref() {
                    Some(inner @ Value::Tuple(_)) => self.datum_for(inner, look),
                    _ => self.eval(value),
                }
            }
            _ => self.eval(value),
        }
    }

    /// Writes a piece of a string; where there is no room for it the text says so at last.
    fn piece(&mut self, piece: &Piece, out: &mut Growing) -> Result<(), RunError> {
        // Only a lack of room ends the writing, and the text knows of it.
        let _ = match piece {
            Piece::Text(t) => out.write_str(t),
            Piece::Value(v, None) => return self.write(v, out),
            Piece::Value(v, Some(f)) => out.write_str(&match self.shown_datum(v)? {
                Datum::Scalar(x) => formatted(&Array::scalar(x), f),
                Datum::Array(a) => formatted(&a, f),
                d => self.whole.shown(&d, &v.look).formatted(f),
            }),
        };
        Ok(())
    }

    pub(crate) fn tuple(&self, members: Vec<Datum>) -> Result<Datum, RunError> {
        self.held(self.memory.members(members).map(Datum::Tuple), None)
    }

    pub(crate) fn list(&self, all: Vec<Datum>, span: Span) -> Result<Datum, RunError> {
        self.held(self.memory.members(all).map(Datum::List), Some(span))
    }

    pub(crate) fn string(&self, text: String, span: Span) -> Result<Datum, RunError> {
        self.held(self.memory.text(text), Some(span))
    }

    pub(crate) fn elements(&self, x: &Datum, span: Span) -> Result<Vec<Datum>, RunError> {
        self.held(x.elements(&self.memory), Some(span))
    }

    /// What there was room for.
    pub(crate) fn held<T>(
        &self,
        found: Result<T, Full>,
        span: Option<Span>,
    ) -> Result<T, RunError> {
        found.map_err(|full| full.diagnostic(span).into())
    }

    fn data(&mut self, op: &DataOp, operands: &[Value], span: Span) -> Result<Datum, RunError> {
        if *op == DataOp::Try {
            return match self.eval(&operands[0]) {
                Err(RunError::Diagnostic(d)) if is_caught(d.code) => {
                    Ok(Datum::Failure(Rc::new(*d)))
                }
                other => other,
            };
        }
        if let DataOp::Cells { function, elem, given } = op {
            return self.cells(*function, *elem, *given, operands, span);
        }
        let all = self.all(operands)?;
        Ok(match (op, all.as_slice()) {
            (DataOp::Variant(n), fields) => {
                let fields = self.memory.members(fields.to_vec());
                self.held(fields.map(|fields| Datum::Variant(*n, fields)), Some(span))?
            }
            (DataOp::IsVariant(n), [Datum::Variant(m, _)]) => Datum::bool(n == m),
            (DataOp::Payload(_, n), [Datum::Variant(_, fields)]) => fields[*n].clone(),
            (DataOp::Compare(op), [Datum::Text(a), Datum::Text(b)]) => {
                Datum::bool(compared(*op, a, b))
            }
            (DataOp::Length, [x]) => Datum::Scalar(Scalar::I64(length(x) as i64)),
            (DataOp::At, [x, at]) => return self.element(x, at.int().unwrap_or(-1), span),
            (DataOp::Slice, [x, lo, hi]) => {
                return self.slice(x, lo.int().unwrap_or(0), hi.int().unwrap_or(0), span);
            }
            (DataOp::Contains, [x, y]) => Datum::bool(self.contains(x, y, span)?),
            (DataOp::List, all) => self.list(all.to_vec(), span)?,
            (DataOp::Append, [list, x]) => {
                let mut all = self.elements(list, span)?;
                all.push(x.clone());
                self.list(all, span)?
            }
            (DataOp::Flatten, [lists]) => {
                let mut all = Vec::new();
                for list in self.elements(lists, span)? {
                    all.extend(self.elements(&list, span)?);
                    let bytes = all.len().saturating_mul(size_of::<Datum>()) as u64;
                    self.held(self.memory.room_for(bytes), Some(span))?;
                }
                self.list(all, span)?
            }
            (DataOp::Stack(elem), [list, row @ ..]) => {
                let all = self.elements(list, span)?;
                if all.is_empty() {
                    return no_rows(*elem, row, span);
                }
                return stack(all, *elem, span);
            }
            (DataOp::Count, [lo, hi]) => {
                let (lo, hi) = (lo.int().unwrap_or(0), hi.int().unwrap_or(0));
                if hi.saturating_sub(lo) > LONGEST_LIST {
                    return Err(failed(format!("a list of {} integers", hi - lo), span));
                }
                let bytes = hi.saturating_sub(lo).max(0).saturating_mul(size_of::<Datum>() as i64);
                self.held(self.memory.room_for(bytes.unsigned_abs()), Some(span))?;
                self.list((lo..hi).map(|n| Datum::Scalar(Scalar::I64(n))).collect(), span)?
            }
            (DataOp::Codes, [Datum::Text(t)]) => return self.codes(t, span),
            (DataOp::Codes, [list]) => {
                let lines = self.elements(list, span)?;
                return self.code_table(&lines, span);
            }
            (DataOp::Ord, [Datum::Text(t)]) => {
                let mut all = t.chars();
                match (all.next(), all.next()) {
                    (Some(c), None) => code(c),
                    _ => {
                        let n = t.chars().count();
                        return Err(failed(format!("`ord` of a string of {n} characters"), span));
                    }
                }
            }
            (DataOp::Text(op), all) => self.text_function(*op, all, span)?,
            (DataOp::Parse(ty), [Datum::Text(t)]) => match parsed(t, *ty) {
                Some(number) => Datum::Scalar(number),
                None => return Err(failed(format!("{:?} is no {}", &***t, ty.name()), span)),
            },
            (DataOp::Map(f), [list, captured @ ..]) => {
                let mut out = Vec::new();
                for x in self.elements(list, span)? {
                    let args = [x].into_iter().chain(captured.iter().cloned()).collect();
                    out.push(self.call(*f, args, span)?);
                }
                self.list(out, span)?
            }
            (DataOp::Foreign(call), args) => return self.foreign(call, args, span),
            (DataOp::Failed, [x]) => Datum::bool(matches!(x, Datum::Failure(_))),
            (DataOp::Message, [Datum::Failure(d)]) => self.string(d.message.clone(), span)?,
            (op, all) => panic!("{op:?} of {all:?}"),
        })
    }

    fn element(&self, x: &Datum, at: i64, span: Span) -> Result<Datum, RunError> {
        let n = usize::try_from(at).ok().filter(|n| *n < length(x));
        let Some(n) = n else {
            let what = if matches!(x, Datum::Text(_)) { "string" } else { "list" };
            let headline =
                format!("index {at} is outside 0..{}, the length of this {what}", length(x));
            return Err(failed(headline, span));
        };
        match x {
            Datum::Text(t) => self.string(t.chars().skip(n).take(1).collect(), span),
            Datum::Array(a) => Ok(part(a, 1, n)),
            other => Ok(other.members().map_or(other, |all| &all[n]).clone()),
        }
    }

    fn slice(&self, x: &Datum, lo: i64, hi: i64, span: Span) -> Result<Datum, RunError> {
        let n = length(x) as i64;
        if lo < 0 || hi > n || lo > hi {
            return Err(failed(format!("{lo}..{hi} does not lie within 0..{n}"), span));
        }
        let (lo, count) = (lo as usize, (hi - lo) as usize);
        match x {
            Datum::Text(t) => self.string(t.chars().skip(lo).take(count).collect(), span),
            _ => self.list(self.elements(x, span)?[lo..lo + count].to_vec(), span),
        }
    }

    fn contains(&self, x: &Datum, y: &Datum, span: Span) -> Result<bool, RunError> {
        if let (Datum::Text(a), Datum::Text(b)) = (x, y) {
            return Ok(a.contains(&***b));
        }
        let wanted = datum_text(y);
        Ok(self.elements(x, span)?.iter().any(|e| datum_text(e) == wanted))
    }

    /// The codes of a string's characters.
    fn codes(&self, text: &str, span: Span) -> Result<Datum, RunError> {
        let bytes = text.chars().count().saturating_mul(size_of::<Datum>()) as u64;
        self.held(self.memory.room_for(bytes), Some(span))?;
        stack(text.chars().map(code).collect(), ScalarType::I32, span)
    }

    /// The codes of strings of one length, a row for each.
    fn code_table(&self, lines: &[Datum], span: Span) -> Result<Datum, RunError> {
        let mut rows = Vec::new();
        let mut width = None;
        for (line, text) in lines.iter().enumerate() {
            let Datum::Text(text) = text else { panic!("{text:?} in a list of strings") };
            let found = text.chars().count();
            let expected = *width.get_or_insert(found);
            if found != expected {
                let headline = format!(
                    "string {line} of the list has {found} characters, and string 0 has {expected}: definitions read characters of strings of one length"
                );
                return Err(failed(headline, span));
            }
            rows.push(self.codes(text, span)?);
        }
        match rows.is_empty() {
            true => no_rows(ScalarType::I32, &[Datum::Scalar(Scalar::I64(0))], span),
            false => stack(rows, ScalarType::I32, span),
        }
    }
}

/// The code of a character.
fn code(c: char) -> Datum {
    Datum::Scalar(Scalar::I32(u32::from(c) as i32))
}

/// Whether a program may catch a failure: its own, and those of files that it calls.
fn is_caught(code: Code) -> bool {
    matches!(code, Code::E0007 | Code::E1103 | Code::E1104 | Code::E1105)
}

/// Integers that a list may count up.
const LONGEST_LIST: i64 = 100_000_000;

/// The failure of a recursion that does not end.
pub(crate) fn too_deep(text: String, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0007, text)
        .primary(span, "this call goes too deep")
        .help("a call in the place of the result is a loop, and goes as far as it likes")
}

pub(crate) fn failed(text: String, span: Span) -> RunError {
    let d = Diagnostic::error(Code::E0007, text.as_str()).primary(span, "here");
    with_cure(d, &text).into()
}

/// The scalars that arguments are made of.
fn leaves(args: &[Datum]) -> Option<Vec<Scalar>> {
    fn add(d: &Datum, out: &mut Vec<Scalar>) -> Option<()> {
        match d {
            Datum::Scalar(v) => out.push(*v),
            Datum::Tuple(members) => return members.iter().try_for_each(|m| add(m, out)),
            _ => return None,
        }
        Some(())
    }
    let mut out = Vec::new();
    args.iter().try_for_each(|d| add(d, &mut out))?;
    Some(out)
}

fn compared(op: weft_scalar::BinaryOp, a: &str, b: &str) -> bool {
    use weft_scalar::BinaryOp as B;
    match op {
        B::Eq => a == b,
        B::Ne => a != b,
        B::Lt => a < b,
        B::Le => a <= b,
        B::Gt => a > b,
        _ => a >= b,
    }
}

fn length(x: &Datum) -> usize {
    match x {
        Datum::Text(t) => t.chars().count(),
        Datum::List(all) => all.len(),
        Datum::Array(a) => a.shape().first().copied().unwrap_or(0),
        _ => 0,
    }
}

fn stack(all: Vec<Datum>, elem: ScalarType, span: Span) -> Result<Datum, RunError> {
    if all.is_empty() {
        let none = Array::zeros(elem, vec![0]).expect("an empty array");
        return Ok(Datum::Array(Arc::new(none)));
    }
    stacked(&all, elem)
        .ok_or_else(|| failed("the elements have different shapes".to_string(), span))
}

/// A tensor without rows, of the extents that these would have.
fn no_rows(elem: ScalarType, row: &[Datum], span: Span) -> Result<Datum, RunError> {
    let extent = |d: &Datum| d.int().and_then(|n| usize::try_from(n).ok());
    let row: Option<Vec<usize>> = row.iter().map(extent).collect();
    let shape = row.map(|row| [0].into_iter().chain(row).collect());
    match shape.and_then(|shape| Array::zeros(elem, shape)) {
        Some(none) => Ok(Datum::Array(Arc::new(none))),
        None => Err(failed("rows of a size that is none".to_string(), span)),
    }
}

/// Whether an integer is below 0.
fn is_negative(x: Scalar) -> bool {
    x.as_i64().is_some_and(|v| v < 0)
}
